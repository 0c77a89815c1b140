"""The page models of what changed: the pairs of editions, and the list of changes of one pair."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from app.changes.picture import moves
from app.site import twins
from app.site.atlas import Atlas
from app.site.page import Page
from app.site.picture import Picture
from corpus.edition.identity import Identity
from corpus.relation import changes


@dataclass(frozen=True)
class PairsPage(Page):
    """``pairs``: (older, newer, how many changes) of the editions whose laws can be compared."""

    template: ClassVar[str] = "pairs.html"
    pairs: tuple[tuple[Identity, Identity, int], ...]


@dataclass(frozen=True)
class ChangesPage(Page):
    """What changed from ``older`` to ``newer``.

    ``computed``: whether a proposal joins them that nobody has reviewed · ``counts``: (kind, how many) · ``chosen``:
    the kinds that are shown, all where it is empty · ``rows``: (change, what is said of its two provisions) ·
    ``picture`` of the moves.
    """

    template: ClassVar[str] = "changes.html"
    older: Identity
    newer: Identity
    computed: bool
    counts: tuple[tuple[str, int], ...]
    chosen: tuple[str, ...]
    rows: tuple[tuple[changes.Change, twins.Twin | None], ...]
    picture: Picture


def pairs_page(atlas: Atlas) -> PairsPage:
    """All pairs, the older edition first."""
    relations = atlas.library.relations
    pairs = [(a, b) for a, b in combinations(atlas.library.codes, 2) if relations.pairs(a.id, b.id)]
    return PairsPage(tuple((a, b, len(changes.changes(atlas.library, a.id, b.id))) for a, b in pairs))


def changes_page(atlas: Atlas, older: str, newer: str, chosen: tuple[str, ...]) -> ChangesPage:
    """One list of changes, of the chosen kinds, with the picture of all moves."""
    library = atlas.library
    rows = changes.changes(library, older, newer)
    return ChangesPage(
        older=library.editions[older],
        newer=library.editions[newer],
        computed=not library.relations.is_reviewed(older, newer),
        counts=tuple(changes.counts(rows)),
        chosen=chosen,
        rows=tuple((r, _twin(atlas, r)) for r in rows if not chosen or r.kind in chosen),
        picture=moves(atlas, older, newer),
    )


def _twin(atlas: Atlas, row: changes.Change) -> twins.Twin | None:
    return twins.between(atlas.library, *row.pair.ends) if row.pair and row.pair.ends else None
