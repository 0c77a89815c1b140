"""Between editions: the one that the reader reads first, then his language and what is in force; and what editions
agree on moves up.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from corpus.edition.identity import Identity
from corpus.library import Library
from index.query.asked import Asked
from index.rank.candidate import Standing
from index.rank.table import NOWHERE, Table
from index.weights import Weights

LANGUAGE, ELSEWHERE, SUPERSEDED, EXTRACT = "language", "decisions elsewhere", "not in force", "extract"


def home_edition(chosen: Iterable[Identity], reader: str | None) -> Identity | None:
    """The edition that a reader reads first, of those chosen: the newest whole text of the laws in his language, else
    the newest of all; None where no whole text is among them.
    """
    whole = [e for e in chosen if e.complete and not e.is_decisions]
    return max(whole, key=lambda e: (e.lang == reader, e.order), default=None)


def at_home(
    standing: Standing, edition: Identity | None, reader: str | None, table: Table, among: np.ndarray
) -> Standing:
    """With what corresponds in the edition that the reader reads first: it says no less to the query than what was
    found in another. Who has no text in his language is led to what stands nearest there, too.
    """
    if edition is None:
        return standing
    order, near = standing.order, table.nearest(edition.id)
    there = near.numbers[order]
    fits = (there != NOWHERE) & among[there]
    if edition.lang == reader:
        fits &= ~near.around[order]
    # The best of those that something is nearest to: it comes first.
    targets, first = np.unique(there[fits], return_index=True)
    others = order[fits][first]
    known = np.zeros(table.size, dtype=bool)
    known[order] = True
    own, best = standing.scores[targets], standing.scores[others]
    raised = np.flatnonzero(own < best)
    raised = raised[np.argsort(first[raised])]
    targets, others, own, best = targets[raised], others[raised], own[raised], best[raised]
    new = targets[~known[targets]]
    by = dict(zip(targets.tolist(), others.tolist(), strict=True))
    standing = standing._replace(order=np.concatenate([order, new]), raised=by)
    standing = standing.said("other editions", targets, best - own, "+")
    # Equal ones stand at home first.
    away = table.edition[standing.order] != table.editions.index(edition.id)
    return standing._replace(order=standing.order[np.argsort(away, kind="stable")]).sorted()


def preferred(standing: Standing, query: Asked, library: Library, table: Table, weights: Weights) -> Standing:
    """Each with what its edition is beside the others that were asked for."""
    order = standing.order
    of = table.edition[order]
    said: dict[str, np.ndarray] = {}
    for code in dict.fromkeys(of.tolist()):
        for name, value in _of_edition(library.editions[table.editions[code]], query, library, weights):
            said.setdefault(name, np.full(len(table.editions), np.nan))[code] = value
    for name in (LANGUAGE, ELSEWHERE, SUPERSEDED, EXTRACT):
        if name in said:
            values = said[name][of]
            says = ~np.isnan(values)
            standing = standing.said(name, order[says], values[says])
    return standing.sorted()


def _of_edition(edition: Identity, query: Asked, library: Library, weights: Weights) -> list[tuple[str, float]]:
    """A language without an edition says nothing of the others."""
    out = []
    if edition.lang != query.reader and any(e.lang == query.reader for e in library.editions.values()):
        out.append((LANGUAGE, weights.other_language))
    if edition.is_decisions and edition.lang != query.reader:
        out.append((ELSEWHERE, weights.elsewhere))
    if edition.force is False:
        out.append((SUPERSEDED, weights.superseded))
        if not edition.complete:
            out.append((EXTRACT, weights.extract))
    return out


def agreed(standing: Standing, table: Table, weights: Weights) -> Standing:
    """What corresponds to good hits of other editions gains from the best of each."""
    voters, rest = standing.order[: weights.voters], standing.order[weights.voters :]
    # One more than there are documents, for what corresponds to none.
    votes = np.full(table.size + 1, -1.0)
    votes[voters] = standing.scores[voters]
    best = votes[table.corresponding[voters]].max(axis=2, initial=-1.0)
    voted = (best >= 0).any(axis=1)
    gains = sum(np.maximum(best, 0.0).T, np.zeros(len(voters)))
    standing = standing.said("other editions", voters[voted], weights.agreement * gains[voted], "+")
    # None of them falls behind the rest: agreement only adds.
    first = standing._replace(order=voters).sorted()
    return first._replace(order=np.concatenate([first.order, rest]))
