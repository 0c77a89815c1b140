"""Pages about the texts: what changed, pictures; and what one takes away from a provision: a citation, a card."""

from __future__ import annotations

import json
from itertools import combinations

from flask import Blueprint, Response, abort, redirect, render_template, request

from app import addresses, citing, pictures, reader, scan, twins, words
from app.lawpage import law_page
from app.state import current
from app.views.api import LONGEST
from corpus.relation import changes

blueprint = Blueprint("pages", __name__)


@blueprint.get("/changes/")
def all_changes():
    """The pairs of editions whose laws can be compared."""
    atlas = current().atlas
    rows = [
        (a, b, changes.counts(changes.changes(atlas.library, a.id, b.id)))
        for a, b in combinations(atlas.library.codes, 2)
        if atlas.library.relations.pairs(a.id, b.id)
    ]
    return render_template("changes_start.html", pairs=rows)


@blueprint.get("/changes/<older>/<newer>")
def changed(older: str, newer: str):
    """One list of changes, by kind, and the picture of moves."""
    atlas = current().atlas
    order = [e.id for e in atlas.library.codes]
    if older not in order or newer not in order or older == newer:
        abort(404)
    if order.index(older) > order.index(newer):
        return redirect(f"/changes/{newer}/{older}", 308)
    rows = changes.changes(atlas.library, older, newer)
    chosen = [k for k in request.args.getlist("kind") if k in words.CHANGES]
    editions = atlas.library.editions
    return render_template(
        "changes.html",
        older=editions[older],
        newer=editions[newer],
        counts=changes.counts(rows),
        chosen=chosen,
        rows=[
            (r, twins.between(atlas.library, r.pair.a, r.pair.b) if r.pair and r.pair.a and r.pair.b else None)
            for r in rows
            if not chosen or r.kind in chosen
        ],
        picture=pictures.moves(atlas, older, newer),
    )


@blueprint.get("/net/")
def nets():
    """The picture of the edition that the reader probably wants."""
    return redirect(f"/net/{current().atlas.home_edition(reader.ui()).id}/")


@blueprint.get("/net/<edition>/")
def net(edition: str):
    """How the laws of an edition refer to each other."""
    atlas = current().atlas
    if edition not in atlas.library.editions:
        abort(404)
    return render_template(
        "net.html",
        edition=atlas.library.editions[edition],
        law=None,
        picture=pictures.net(atlas, edition),
        all=atlas.ordered,
    )


@blueprint.get("/net/<edition>/<path:path>")
def neighbourhood(edition: str, path: str):
    """One law with those that refer to it and those it refers to."""
    node = _node("net", edition, path)
    if not hasattr(node, "path"):
        return node
    atlas = current().atlas
    law = atlas.page_of(node)
    return render_template(
        "net.html",
        edition=atlas.library.editions[edition],
        law=law,
        picture=pictures.neighbourhood(atlas, law),
        all=atlas.ordered,
    )


@blueprint.get("/cite/<edition>/<path:path>")
def cite(edition: str, path: str):
    """A provision's citation in all forms and languages of the site."""
    node = _node("cite", edition, path)
    if not hasattr(node, "path"):
        return node
    library = current().library
    forms = citing.forms(library, node, request.url_root.rstrip("/"))
    template = "cite_piece.html" if request.args.get("piece") else "cite.html"
    return render_template(
        template, node=node, edition=library.editions[edition], forms=forms, qr=citing.qr(forms[0].link)
    )


@blueprint.get("/card/<edition>/<path:path>")
def card(edition: str, path: str):
    """One provision in large type, for the middle of the table."""
    node = _node("card", edition, path)
    if not hasattr(node, "path"):
        return node
    page = law_page(current().atlas, node, decisions=False, alone=True)
    link = f"{request.url_root.rstrip('/')}/{node.id}"
    return render_template("card.html", page=page, qr=citing.qr(link), link=link)


@blueprint.get("/scan/<edition>/<path:path>")
def scanned(edition: str, path: str):
    """A provision as its source has it; ``?word=580.12-18`` asks for the rows of what stands there."""
    node = _node("scan", edition, path)
    if not hasattr(node, "path"):
        return node
    atlas = current().atlas
    info = atlas.library.editions[edition]
    return render_template(
        "scan.html",
        node=node,
        edition=info,
        page=scan.page(info, node, atlas.corrections.get(node.id, ()), request.args.getlist("word")),
    )


@blueprint.get("/opensearch.xml")
def opensearch():
    """Lets a browser search here from its address bar."""
    return Response(render_template("opensearch.xml"), mimetype="application/opensearchdescription+xml")


@blueprint.get("/opensearch/suggestions")
def suggestions():
    """What a browser offers under its address bar, in the form of the OpenSearch suggestions extension:
    ``["27b", ["27B · MPB 2007", …], ["", …], ["https://…/pl-2007/27/B", …]]``.
    """
    q = request.args.get("q", "")
    if len(q) > LONGEST:
        abort(400, f"“q” may have {LONGEST} characters; this one has {len(q)}.")
    found = current().search.suggest(q, lang=reader.ui())
    origin = request.url_root.rstrip("/")
    body = [q, [s["text"] for s in found], ["" for _ in found], [origin + s["url"] for s in found]]
    response = Response(json.dumps(body, ensure_ascii=False), mimetype="application/x-suggestions+json")
    response.vary.update(("Cookie", "Accept-Language"))
    return response


def _node(prefix: str, edition: str, path: str):
    """The node of an address under a prefix; a redirect when the address is a sloppy one; 404."""
    library = current().library
    if edition not in library.editions:
        abort(404)
    node = library.node(edition, path)
    if node is None:
        meant = addresses.canonical(library, edition, path)
        if meant is None:
            abort(404)
        return redirect(f"/{prefix}/{edition}/{meant}", 308)
    return node
