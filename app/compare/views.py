"""Editions side by side."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, request
from werkzeug.wrappers import Response

from app.compare.page import compare_page
from app.site import addresses
from app.site.asked import canonical
from app.site.atlas import Atlas
from app.site.state import current
from corpus.relation.compare import read_in

blueprint = Blueprint("compare", __name__, template_folder="templates")


@blueprint.get("/compare/")
def start() -> Response:
    """Without a path: the first law."""
    if set(request.args) - {"ui"}:
        abort(404)
    return redirect(addresses.onward(addresses.compare("1")))


@blueprint.get("/compare/<path:path>")
def side_by_side(path: str) -> str | Response:
    """Two to five editions in time order; the first one named is the base."""
    library, atlas = current().library, current().atlas
    named = list(dict.fromkeys(request.args.getlist("e")))
    asked = _asked(atlas, path, [e for e in named if e in library.editions])
    node = read_in(library, path, asked)
    if node is None:
        meant = next((m for e in asked if (m := canonical(library, e, path))), None)
        return redirect(addresses.onward(addresses.compare(meant, asked)), 308) if meant else abort(404)
    return compare_page(atlas, node, path, asked, [e for e in named if e not in library.editions]).render()


def _asked(atlas: Atlas, path: str, named: list[str]) -> list[str]:
    """The editions that the address names, the base first, or those that a reader of the path probably wants."""
    whole = [e.id for e in atlas.library.codes if e.complete]
    asked = named or [e for e in whole if canonical(atlas.library, e, path)] or whole[:2]
    if len(asked) == 1:
        asked = asked + [e for e in reversed(whole) if e not in asked][:1]
    return asked[: addresses.MOST_BESIDE]
