"""What changed between two editions: the laws with changes, the changes of each law, and the picture of the moves.

:func:`changes_page` builds the page for a pair of editions, :func:`changes_of_law_page` that of one law,
:func:`pairs_page` the list of pairs. The changes come from :mod:`corpus.changes`.
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
from corpus.model import Node

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
class LawChanges:
    """The changes (``rows``) in a law, or in another part of the book that has a page of its own (``node``)."""

    node: Node
    rows: tuple[changes.Change, ...]

    @property
    def counts(self) -> list[tuple[str, int]]:
        """(kind, number of changes) for the kinds that occur."""
        return changes.count_by_kind(self.rows)


@dataclass(frozen=True)
class ChangesPage(SitePage):
    """What changed from ``older`` to ``newer``, law by law.

    ``computed``: the relation of the two is a computed proposal that nobody has reviewed. ``counts`` holds (kind,
    number of changes). ``chosen`` are the kinds that are shown; all, if it is empty. ``laws`` holds the laws with such
    changes. ``picture`` shows the moves.
    """

    template: ClassVar[str] = "changes.html"
    older: Identity
    newer: Identity
    computed: bool
    counts: tuple[tuple[str, int], ...]
    chosen: tuple[str, ...]
    laws: tuple[LawChanges, ...]
    picture: Picture


@dataclass(frozen=True)
class ChangesOfLawPage(SitePage):
    """What changed in one ``law`` from ``older`` to ``newer``.

    ``computed``, ``counts`` and ``chosen`` are as in :class:`ChangesPage`, of this law alone. ``rows`` holds (change,
    the statement about its two provisions or None).
    """

    template: ClassVar[str] = "changes_of_law.html"
    older: Identity
    newer: Identity
    law: Node
    computed: bool
    counts: tuple[tuple[str, int], ...]
    chosen: tuple[str, ...]
    rows: tuple[tuple[changes.Change, phrases.CounterpartStatement | None], ...]


def pairs_page(atlas: Atlas) -> PairsPage:
    """Build the list of all pairs, the older edition first."""
    relations = atlas.library.relations
    pairs = [(a, b) for a, b in combinations(atlas.library.law_editions, 2) if relations.pairs(a.id, b.id)]
    return PairsPage(tuple((a, b, len(changes.find_changes(atlas.library, a.id, b.id))) for a, b in pairs))


def changes_page(atlas: Atlas, older: str, newer: str, chosen: tuple[str, ...]) -> ChangesPage:
    """Build the list of the laws with changes of the chosen kinds, with the picture of all moves."""
    library = atlas.library
    rows = changes.find_changes(library, older, newer)
    return ChangesPage(
        older=library.editions[older],
        newer=library.editions[newer],
        computed=not library.relations.is_reviewed(older, newer),
        counts=tuple(changes.count_by_kind(rows)),
        chosen=chosen,
        laws=_group_by_law(atlas, older, newer, [r for r in rows if not chosen or r.kind in chosen]),
        picture=moves_picture(atlas, older, newer),
    )


def changes_of_law_page(
    atlas: Atlas, older: str, newer: str, path: str, chosen: tuple[str, ...]
) -> ChangesOfLawPage | None:
    """Build the list of the changes of the chosen kinds in the law of a path; None when nothing changed in it."""
    library = atlas.library
    laws = _group_by_law(atlas, older, newer, changes.find_changes(library, older, newer))
    law = next((law for law in laws if law.node.path == path), None)
    if law is None:
        return None
    return ChangesOfLawPage(
        older=library.editions[older],
        newer=library.editions[newer],
        law=law.node,
        computed=not library.relations.is_reviewed(older, newer),
        counts=tuple(law.counts),
        chosen=chosen,
        rows=tuple((r, _statement_of_change(atlas, r)) for r in law.rows if not chosen or r.kind in chosen),
    )


def _group_by_law(atlas: Atlas, older: str, newer: str, rows: Iterable[changes.Change]) -> tuple[LawChanges, ...]:
    """Return the changes by law, in the order of the newer edition. Every change is in one law: that of its newer
    provision, else that of its older one. Laws with the same path are one.
    """
    library = atlas.library
    nodes: dict[str, Node] = {}
    found: dict[str, list[changes.Change]] = {}
    for row in rows:
        law = atlas.page_node_of(row.newer or row.older)  # type: ignore[arg-type]
        if row.newer or law.path not in nodes:
            nodes[law.path] = law
        found.setdefault(law.path, []).append(row)
    paths = (n.path for edition in (newer, older) for n in library.nodes_of(edition))
    order = {path: i for i, path in enumerate(dict.fromkeys(paths))}
    return tuple(LawChanges(nodes[path], tuple(found[path])) for path in sorted(found, key=order.__getitem__))


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
    """Show in which laws a pair differs, the older edition first. ``?kind=`` chooses the kinds of changes."""
    if swapped := _redirect_to_time_order(older, newer):
        return swapped
    return changes_page(current_snapshot().atlas, older, newer, _chosen_kinds()).render()


@blueprint.get("/changes/<older>/<newer>/<path:path>")
def changes_of_law(older: str, newer: str, path: str) -> str | Response:
    """Show the changes of a pair in one law. ``?kind=`` chooses the kinds of changes."""
    if swapped := _redirect_to_time_order(older, newer, path):
        return swapped
    page = changes_of_law_page(current_snapshot().atlas, older, newer, path, _chosen_kinds())
    return page.render() if page else abort(404)


def _redirect_to_time_order(older: str, newer: str, path: str = "") -> Response | None:
    """Return the redirect to the same pair, the older edition first; None when it is so. Aborts with 404 when they are
    no pair.
    """
    order = [e.id for e in current_snapshot().atlas.library.law_editions]
    if older not in order or newer not in order or older == newer:
        abort(404)
    if order.index(older) < order.index(newer):
        return None
    return redirect(addresses.redirect_address(addresses.changes(newer, older, law=path)), 308)


def _chosen_kinds() -> tuple[str, ...]:
    return tuple(k for k in wording.CHANGE_KINDS if k in request.args.getlist("kind"))
