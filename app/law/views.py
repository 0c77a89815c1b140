"""An edition's pages: contents, about, and every provision in its law."""

from __future__ import annotations

import re

from flask import Blueprint, abort, redirect, render_template, request

from app.law import about as provenance
from app.law import cited, scan, structured
from app.law.page import law_page
from app.law.subject import subject_index
from app.site import addresses
from app.site.asked import canonical, node_at
from app.site.state import current
from corpus.address import fold
from corpus.model import Node, NodeId

blueprint = Blueprint("law", __name__, template_folder="templates")
blueprint.register_blueprint(cited.blueprint)
# As many provisions as one prints at a time.
MOST = 40


@blueprint.get("/<edition>/")
def contents(edition: str):
    """Everything the edition has, in its order."""
    library = current().library
    if edition not in library.editions:
        return _other_spelling(edition, "")
    if not request.path.endswith("/"):
        return _to(addresses.contents(edition))
    return render_template("contents.html", edition=library.editions[edition], rows=_outline(edition))


@blueprint.get("/<edition>/about")
def about(edition: str):
    """Where the text is from, what was corrected, what is missing."""
    library = current().library
    if edition not in library.editions:
        return _other_spelling(edition, "about")
    return render_template("about.html", **provenance.about(current().atlas, library.editions[edition]))


@blueprint.get("/<edition>/<path:path>")
def provision(edition: str, path: str):
    """A provision, in view and marked on the page of its law."""
    library, atlas = current().library, current().atlas
    if edition not in library.editions:
        return _other_spelling(edition, path)
    node = library.node(edition, path)
    if node is None:
        meant = canonical(library, edition, path)
        if meant is None:
            abort(404)
        return _to(addresses.provision(NodeId.of(edition, meant)))
    if chosen := _chosen(edition, request.args.getlist("only")):
        return _selection(node, chosen)
    match = frozenset(fold(w) for w in re.findall(r"\w+", request.args.get("hl", "")[:300]))
    page = law_page(
        atlas, node, match, decisions=request.args.get("decisions") != "0", fixes=request.args.get("fixes") == "1"
    )
    return render_template(
        "law.html",
        page=page,
        subjects=subject_index(atlas, page.law),
        json_ld=structured.law(page, library, atlas.force(page.edition)),
    )


def _chosen(edition: str, asked: list[str]) -> list[Node]:
    """The provisions that ``?only=16/D,16/B`` names, in the order of the book; what stands inside another is not named twice."""
    library = current().library
    paths = {canonical(library, edition, p) for names in asked for p in names.split(",")[:MOST]}
    nodes = [n for n in library.of(edition) if n.path in paths]
    return [n for n in nodes if not any(a in nodes for a in library.ancestors(n))][:MOST]


def _selection(node: Node, chosen: list[Node]):
    """Some provisions alone, as one prints them, with the notes that they carry."""
    atlas, pages = current().atlas, []
    for n in chosen:
        pages.append(law_page(atlas, n, decisions=False, alone=True))
    return render_template("selection.html", edition=pages[0].edition, law=atlas.page_of(node), pages=pages)


@blueprint.get("/peek/<edition>/<path:path>")
def peek(edition: str, path: str):
    """A provision alone, as a piece of HTML: what a reference shows before one goes there."""
    library = current().library
    node = library.node(edition, path)
    if node is None:
        abort(404)
    return render_template("peek.html", page=law_page(current().atlas, node, tells=False, alone=True))


@blueprint.get("/scan/<edition>/<path:path>")
def scanned(edition: str, path: str):
    """A provision as its source has it; ``?word=580.12-18`` asks for the rows of what stands there."""
    node, atlas = node_at(addresses.scan, edition, path), current().atlas
    info = atlas.library.editions[edition]
    return render_template(
        "scan.html",
        node=node,
        edition=info,
        page=scan.page(info, node, atlas.corrections.get(node.id, ()), request.args.getlist("word")),
    )


def _other_spelling(edition: str, path: str):
    """``/PL-2007/16`` means the edition in lower case; anything else may be a citation alone."""
    known = {e.lower(): e for e in current().library.editions}
    meant = known.get(edition.strip().lower())
    if meant is None or meant == edition:
        return cited.anywhere(f"{edition}/{path}")
    return _to(addresses.provision(NodeId.of(meant, path)))


def _to(path: str):
    """308 to an address of this site, built from what the library knows, with the query kept."""
    return redirect(addresses.asked_as(path), 308)


def _outline(edition: str) -> list[tuple[int, object]]:
    """(depth, node) of what has a line in the contents: containers, laws, and the parts beside them."""
    library = current().library
    wanted = {"chapter", "part", "division", "law", "point", "container", "preface", "intro", "index", "example"}
    return [(len(library.ancestors(n)), n) for n in library.of(edition) if n.kind in wanted]
