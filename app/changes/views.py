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
from corpus.edition.identity import Identity

blueprint = Blueprint("changes", __name__, template_folder="templates")


# Comparisons that are made when the generation is built; editions have many more pairs than pages.
STORED = 100


def stored(atlas: Atlas) -> Iterable[str]:
    """The addresses whose pages are made when the generation is built; of comparisons those that are asked for most."""
    return [addresses.changes(), *(addresses.changes(a.id, b.id) for a, b in foremost(atlas.library.codes))]


def foremost(editions: Iterable[Identity]) -> list[tuple[Identity, Identity]]:
    """At most ``STORED`` pairs of editions, which are given in time: those of one language first, then those that fewer
    years lie between.
    """
    pairs = combinations(editions, 2)
    return sorted(pairs, key=lambda pair: (pair[0].lang != pair[1].lang, pair[1].year - pair[0].year))[:STORED]


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
