"""What changed between two editions: one list of changes, and the picture of moves."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from flask import Blueprint, abort, redirect, request
from werkzeug.wrappers import Response

from app.changes.page import changes_page, pairs_page
from app.site import addresses, wording
from app.site.atlas import Atlas
from app.site.state import current

blueprint = Blueprint("changes", __name__, template_folder="templates")


def stored(atlas: Atlas) -> Iterable[str]:
    """The addresses whose pages are made when the generation is built."""
    pairs = combinations([e.id for e in atlas.library.codes], 2)
    return [addresses.changes(), *(addresses.changes(older, newer) for older, newer in pairs)]


@blueprint.get("/changes/")
def all_changes() -> str:
    """The pairs of editions whose laws can be compared."""
    return pairs_page(current().atlas).render()


@blueprint.get("/changes/<older>/<newer>")
def changed(older: str, newer: str) -> str | Response:
    """One pair, the older edition first; ``?kind=`` chooses kinds of change."""
    order = [e.id for e in current().atlas.library.codes]
    if older not in order or newer not in order or older == newer:
        abort(404)
    if order.index(older) > order.index(newer):
        return redirect(addresses.onward(addresses.changes(newer, older)), 308)
    chosen = tuple(k for k in request.args.getlist("kind") if k in wording.CHANGES)
    return changes_page(current().atlas, older, newer, chosen).render()
