"""An edition's pages: contents, about, and every provision in its law, alone, and as its source has it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from app.law import cited
from app.law.about import about_page
from app.law.alone import chosen, peek_page, selection_page
from app.law.asking import provision_page
from app.law.contents import contents_page
from app.law.page import Shown
from app.law.scan import scan_page
from app.site import addresses
from app.site.asked import edition_named, node_at
from app.site.atlas import Atlas
from app.site.state import current
from corpus.alphabet import fold

blueprint = Blueprint("law", __name__, template_folder="templates")
blueprint.register_blueprint(cited.citations)


def stored(atlas: Atlas) -> Iterable[str]:
    """The addresses whose pages are made when the generation is built."""
    for edition in atlas.library.editions:
        yield addresses.contents(edition)
        yield addresses.about(edition)
    yield from map(addresses.provision, dict.fromkeys(atlas.page_of(n).id for n in atlas.library.nodes.values()))


@blueprint.get("/<edition>/")
def contents(edition: str) -> str | Response:
    """Everything the edition has, in its order."""
    library = current().library
    if edition not in library.editions:
        return _other_spelling(edition, addresses.contents)
    if not request.path.endswith("/"):
        return _moved(addresses.contents(edition))
    return contents_page(library, edition).render()


@blueprint.get("/<edition>/about")
def about(edition: str) -> str | Response:
    """Where the text is from, what was corrected, what is missing."""
    library = current().library
    if edition not in library.editions:
        return _other_spelling(edition, addresses.about)
    return about_page(current().atlas, library.editions[edition]).render()


@blueprint.get("/<edition>/<path:path>")
def provision(edition: str, path: str) -> str | Response:
    """A provision, in view and marked on the page of its law; ``?only=``: some provisions alone."""
    library, atlas = current().library, current().atlas
    if edition_named(library, edition) is None:
        return cited.anywhere(request.path.strip("/"))
    node = node_at(addresses.provision, edition, path)
    if nodes := chosen(library, edition, request.args.getlist("only")):
        return selection_page(atlas, node, nodes).render()
    match = frozenset(fold(w) for w in re.findall(r"\w+", request.args.get("hl", "")[:300]))
    flag = lambda name: request.args.get(name) == "1"
    shown = Shown(match, request.args.get("decisions") != "0", flag("fixes"), flag("strength"))
    return Response(provision_page(atlas, node, shown), mimetype="text/html")


@blueprint.get("/peek/<edition>/<path:path>")
def peek(edition: str, path: str) -> str:
    """A provision alone, as a piece of HTML: what a reference shows before one goes there."""
    return peek_page(current().atlas, node_at(addresses.peek, edition, path)).render()


@blueprint.get("/scan/<edition>/<path:path>")
def scanned(edition: str, path: str) -> str:
    """A provision as its source has it; ``?word=580.12-18`` asks for the rows of what stands there."""
    node, atlas = node_at(addresses.scan, edition, path), current().atlas
    corrections = atlas.corrections.get(node.id, ())
    return scan_page(atlas.library, node, corrections, request.args.getlist("word")).render()


def _other_spelling(edition: str, page: Callable[[str], str]) -> Response:
    """``/PL-2007/`` means the edition in small letters; anything else may be a citation alone."""
    meant = edition_named(current().library, edition)
    return _moved(page(meant)) if meant else cited.anywhere(request.path.strip("/"))


def _moved(address: str) -> Response:
    """308 to an address of this site, built from what the library knows, with the query kept."""
    return redirect(addresses.asked_as(address), 308)
