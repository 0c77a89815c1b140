"""What changed between two editions: the list of changes, and the picture of the moves.

:func:`changes_page` builds the page for a pair of editions, :func:`pairs_page` the list of pairs. The changes come from
:mod:`corpus.changes`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from flask import Blueprint, abort, redirect, request
from werkzeug.wrappers import Response

from app.site import addresses, phrases, wording
from app.site.atlas import Atlas
from app.site.page import Picture, PictureDot, PictureLine, SitePage
from app.site.snapshot import current_snapshot
from corpus import changes
from corpus.changes import count_pairs_by_laws
from corpus.edition import Identity

STEP, LEFT, RIGHT, TOP = 13, 60, 560, 30


def moves_picture(atlas: Atlas, older: str, newer: str) -> Picture:
    """Return a picture with the laws of two editions, each in a column, and lines to where their provisions went."""
    left, right = atlas.library.laws_of(older), atlas.library.laws_of(newer)
    y = {n.id: TOP + i * STEP for column in (left, right) for i, n in enumerate(column)}
    # The laws of an extract stand at the height of the laws with the same numbers.
    if not all(atlas.library.editions[e].complete for e in (older, newer)):
        number = lambda n: int(n.path) if n.path.isdigit() else 0
        low = min(map(number, [*left, *right]), default=1)
        y = {n.id: TOP + (number(n) - low) * STEP for n in [*left, *right]}
    threads = []
    for a, b, count in count_pairs_by_laws(atlas.library, older, newer):
        ya, yb = y[a.id], y[b.id]
        middle = (LEFT + RIGHT) / 2
        d = f"M{LEFT + 6} {ya}C{middle} {ya} {middle} {yb} {RIGHT - 6} {yb}"
        threads.append(PictureLine(d, a, b, count, round(1 + math.log2(count), 1), a.path == b.path))
    dots = [PictureDot(n, LEFT, y[n.id], LEFT - 9, y[n.id] + 4, "end") for n in left] + [
        PictureDot(n, RIGHT, y[n.id], RIGHT + 9, y[n.id] + 4, "start") for n in right
    ]
    threads.sort(key=lambda t: not t.same)
    return Picture(RIGHT + LEFT, max(y.values(), default=0) + TOP, tuple(threads), tuple(dots))


@dataclass(frozen=True)
class PairsPage(SitePage):
    """The list of ``pairs`` of editions whose laws can be compared: (older, newer, number of changes)."""

    template: ClassVar[str] = "pairs.html"
    pairs: tuple[tuple[Identity, Identity, int], ...]


@dataclass(frozen=True)
class ChangesPage(SitePage):
    """What changed from ``older`` to ``newer``.

    ``computed``: the relation of the two is a computed proposal that nobody has reviewed. ``counts`` holds (kind,
    number of changes). ``chosen`` are the kinds that are shown; all, if it is empty. ``rows`` holds (change, the
    statement about its two provisions or None). ``picture`` shows the moves.
    """

    template: ClassVar[str] = "changes.html"
    older: Identity
    newer: Identity
    computed: bool
    counts: tuple[tuple[str, int], ...]
    chosen: tuple[str, ...]
    rows: tuple[tuple[changes.Change, phrases.CounterpartStatement | None], ...]
    picture: Picture


def pairs_page(atlas: Atlas) -> PairsPage:
    """Build the list of all pairs, the older edition first."""
    relations = atlas.library.relations
    pairs = [(a, b) for a, b in combinations(atlas.library.law_editions, 2) if relations.pairs(a.id, b.id)]
    return PairsPage(tuple((a, b, len(changes.find_changes(atlas.library, a.id, b.id))) for a, b in pairs))


def changes_page(atlas: Atlas, older: str, newer: str, chosen: tuple[str, ...]) -> ChangesPage:
    """Build the list of the changes of the chosen kinds, with the picture of all moves."""
    library = atlas.library
    rows = changes.find_changes(library, older, newer)
    return ChangesPage(
        older=library.editions[older],
        newer=library.editions[newer],
        computed=not library.relations.is_reviewed(older, newer),
        counts=tuple(changes.count_by_kind(rows)),
        chosen=chosen,
        rows=tuple((r, _statement_of_change(atlas, r)) for r in rows if not chosen or r.kind in chosen),
        picture=moves_picture(atlas, older, newer),
    )


def _statement_of_change(atlas: Atlas, row: changes.Change) -> phrases.CounterpartStatement | None:
    """Return the statement how the two provisions of a change correspond; None when the change has not two paired
    provisions.
    """
    return phrases.statement_between(atlas.library, *row.pair.both_ids) if row.pair and row.pair.both_ids else None


blueprint = Blueprint("changes", __name__)


# How many pairs are prerendered when the generation is built. With many editions there are far more pairs.
MOST_PRERENDERED = 100


def addresses_to_prerender(atlas: Atlas) -> Iterable[str]:
    """Return the addresses whose pages are rendered when the generation is built: the list, and the likeliest pairs."""
    return [
        addresses.changes(),
        *(addresses.changes(a.id, b.id) for a, b in likeliest_pairs(atlas.library.law_editions)),
    ]


def likeliest_pairs(editions: Iterable[Identity]) -> list[tuple[Identity, Identity]]:
    """Return the pairs of editions that are probably requested most, :data:`MOST_PRERENDERED` at most.

    ``editions`` are in time order. Pairs in one language come first, then pairs with fewer years between them.
    """
    pairs = combinations(editions, 2)
    return sorted(pairs, key=lambda pair: (pair[0].lang != pair[1].lang, pair[1].year - pair[0].year))[
        :MOST_PRERENDERED
    ]


@blueprint.get("/changes/")
def all_changes() -> str:
    """Show the pairs of editions whose laws can be compared."""
    return pairs_page(current_snapshot().atlas).render()


@blueprint.get("/changes/<older>/<newer>")
def changes_between(older: str, newer: str) -> str | Response:
    """Show the changes of a pair, the older edition first. ``?kind=`` chooses the kinds of changes."""
    order = [e.id for e in current_snapshot().atlas.library.law_editions]
    if older not in order or newer not in order or older == newer:
        abort(404)
    if order.index(older) > order.index(newer):
        return redirect(addresses.redirect_address(addresses.changes(newer, older)), 308)
    chosen = tuple(k for k in request.args.getlist("kind") if k in wording.CHANGE_KINDS)
    return changes_page(current_snapshot().atlas, older, newer, chosen).render()
