"""What a query tells of, beside the words that it has: what was learned of sentences moves the laws, the provisions
of the situations, and the provisions that are told alike, and brings those in that share no word with the query.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from math import sqrt
from typing import NamedTuple

import numpy as np

from corpus.library import Library
from corpus.model import NodeId
from index.answer import counterparts
from index.heard.finder import LISTED, Heard
from index.lexicon import Lexicon
from index.query.asked import Asked
from index.rank.candidate import Standing
from index.rank.table import Table
from index.weights import Weights


class Places:
    """Where in every edition a law, a telling, a situation is; worked out when first asked. Shared between threads."""

    def __init__(self, library: Library, weights: Weights):
        self._library, self._weights = library, weights
        self._carried: dict[NodeId, tuple[tuple[NodeId, str], ...]] = {}
        self._deciding: dict[str, tuple[tuple[NodeId, int], ...]] = {}

    def carried(self, id_: NodeId) -> tuple[tuple[NodeId, str], ...]:
        """A node with what corresponds to it in other editions; each with its edition."""
        if id_ not in self._carried:
            ids = (id_, *counterparts(self._library, self._library.nodes[id_]))
            self._carried[id_] = tuple((c, c.edition) for c in ids)
        return self._carried[id_]

    def deciding(self, situation: str) -> tuple[tuple[NodeId, int], ...]:
        """The provisions that a situation leads to in every edition, with their places from 0."""
        if situation not in self._deciding:
            listed = self._library.situations[situation].provisions
            self._deciding[situation] = tuple(
                (id_, place)
                for edition in self._library.codes
                for place, path in enumerate(listed.get(edition.code, ())[: self._weights.told_deciding])
                if (id_ := NodeId.of(edition.id, path)) in self._library.nodes
            )
        return self._deciding[situation]


class Told(NamedTuple):
    """How much a query tells of the nodes of some editions. ``values``: of every document, by number; ``places``:
    whether it is told of itself, and not only its law; ``surest``: the share of the likeliest law; ``likest``: the
    likeness of the nearest telling.
    """

    values: np.ndarray
    places: np.ndarray
    surest: float
    likest: float


class Tells:
    """How much a query tells of every node, whatever is asked for."""

    def __init__(self, heard: Heard, places: Places, table: Table, weights: Weights):
        laws = _most((c, n) for id_, n in heard.laws.items() for c, _ in places.carried(id_))
        alike = _most((c, n) for id_, n in heard.provisions.items() for c, _ in places.carried(id_))
        self._surest, self._likest = _by_edition(laws), _by_edition(alike)
        decides = _most(
            (id_, described.score / (1 + weights.told_later * place))
            for described in heard.situations[:LISTED]
            for id_, place in places.deciding(described.id)
        )
        # Roots of shares: half of all that is told of is more than half of what one would want to see.
        by_law = np.zeros(len(table.laws))
        for id_, share in laws.items():
            if id_ in table.laws:
                by_law[table.laws[id_]] = weights.told_law * sqrt(share)
        self._values = by_law[table.law]
        self._places = np.zeros(table.size, dtype=bool)
        for told in (
            {id_: weights.told_situation * sqrt(share) for id_, share in decides.items()},
            {id_: weights.told_alike * like for id_, like in alike.items()},
        ):
            for id_, value in told.items():
                if (number := table.number(id_)) is not None:
                    self._values[number] += value
                    self._places[number] = True

    def of(self, editions: Collection[str]) -> Told:
        """What is told of some editions; what none of them has is not told."""
        surest, likest = (
            max((most for edition, most in found.items() if edition in editions), default=0.0)
            for found in (self._surest, self._likest)
        )
        return Told(self._values, self._places, surest, likest)


def told(standing: Standing, query: Asked, tells: Told, lawlike: bool, among: np.ndarray, weights: Weights) -> Standing:
    """The candidates with what is told of them, and those brought in by it alone. It is measured by the best that the
    words found: what is told wholly of one is worth as much. ``lawlike``: the words are those of the laws.
    """
    order = standing.order
    part = _part(query, weights) * (weights.told_printed if standing.printed[order].any() else 1.0)
    if lawlike:
        part *= weights.told_lawlike
    if not part or not (weights.told_law or weights.told_situation or weights.told_alike):
        return standing
    if not len(order) and tells.surest < weights.told_alone:
        return standing
    best = (float(standing.scores[order].max()) if len(order) else 1.0) * part
    brought = _brought(standing, query, tells, among, weights)
    standing = standing._replace(order=np.concatenate([order, brought]))
    said = np.concatenate([order[tells.values[order] != 0], brought])
    return standing.said("told", said, best * tells.values[said], "+")


def is_of_the_laws(query: Asked, lexicons: Mapping[str, Lexicon]) -> bool:
    """Whether the laws of its language print every word of a query in the form that was typed."""
    lexicon = lexicons.get(query.lang or "")
    return lexicon is not None and bool(lexicon.counts) and all(unit.form in lexicon.counts for unit in query.units)


def _brought(standing: Standing, query: Asked, tells: Told, among: np.ndarray, weights: Weights) -> np.ndarray:
    """The provisions told of that no word found; none where words are required or excluded."""
    if query.excluded or any(u.required for u in query.units):
        return standing.order[:0]
    new = tells.places & among
    new[standing.order] = False
    numbers = np.flatnonzero(new)
    return numbers[np.argsort(-tells.values[numbers], kind="stable")][: weights.told_brought]


def _part(query: Asked, weights: Weights) -> float:
    """How far words are a telling: not what is quoted or asked to be defined; less where they are few, or a term."""
    if query.phrases or query.define or not query.units:
        return 0.0
    return min(1.0, len(query.units) / weights.told_whole) * (weights.told_term if query.named else 1.0)


def _by_edition(found: Mapping[NodeId, float]) -> dict[str, float]:
    """Edition → the most that any node of it has."""
    out: dict[str, float] = defaultdict(float)
    for id_, value in found.items():
        out[id_.edition] = max(out[id_.edition], value)
    return out


def _most(found: Iterable[tuple[NodeId, float]]) -> Mapping[NodeId, float]:
    out: dict[NodeId, float] = {}
    for id_, value in found:
        if value > out.get(id_, 0.0):
            out[id_] = value
    return out
