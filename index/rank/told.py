"""What a query tells of, beside the words that it has: what was learned of sentences moves the laws, the provisions
of the situations, and the provisions that are told alike, and brings those in that share no word with the query.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from math import sqrt

import numpy as np

from corpus.library import Library
from corpus.model import NodeId
from index.answer import Factor, counterparts
from index.heard.finder import LISTED, Heard
from index.opening import Index
from index.query.asked import Asked
from index.rank.candidate import Candidate
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


class Told:
    """How much a query tells of a node of some editions. ``surest``: the share of the likeliest law; ``likest``: the
    likeness of the nearest telling. What none of them has is not told.
    """

    def __init__(self, heard: Heard, places: Places, editions: Collection[str], weights: Weights):
        laws = _most((c, n) for id_, n in heard.laws.items() for c, of in places.carried(id_) if of in editions)
        alike = _most((c, n) for id_, n in heard.provisions.items() for c, of in places.carried(id_) if of in editions)
        self.surest = max(laws.values(), default=0.0)
        self.likest = max(alike.values(), default=0.0)
        decides = _most(
            (id_, described.score / (1 + weights.told_later * place))
            for described in heard.situations[:LISTED]
            for id_, place in places.deciding(described.id)
        )
        # Weighed once: they are asked for of every candidate. Roots of shares: half of all that is told of is more than
        # half of what one would want to see.
        self._laws = {id_: weights.told_law * sqrt(share) for id_, share in laws.items()}
        self._alike = {id_: weights.told_alike * like for id_, like in alike.items()}
        self._decides = {id_: weights.told_situation * sqrt(share) for id_, share in decides.items()}

    def of(self, id_: NodeId, law: NodeId) -> float:
        """What is told of a node of a law: the shares of the law and of the situation, and the likeness, weighted."""
        return self._laws.get(law, 0.0) + self._decides.get(id_, 0.0) + self._alike.get(id_, 0.0)

    @property
    def places(self) -> set[NodeId]:
        """The nodes that are told of, and not only their laws."""
        return self._decides.keys() | self._alike.keys()


def told(
    candidates: list[Candidate], query: Asked, told: Told, index: Index, among: np.ndarray, weights: Weights
) -> list[Candidate]:
    """The candidates with what is told of them, and those brought in by it alone. It is measured by the best that the
    words found: what is told wholly of one is worth as much.
    """
    part = _part(query, weights) * (weights.told_printed if any(c.printed for c in candidates) else 1.0)
    if _is_of_the_laws(query, index):
        part *= weights.told_lawlike
    if not part or not (weights.told_law or weights.told_situation or weights.told_alike):
        return candidates
    if not candidates and told.surest < weights.told_alone:
        return []
    best = max((c.score for c in candidates), default=1.0) * part
    values = [(c, told.of(c.document.node.id, c.document.law)) for c in candidates]
    out = [c.with_factors((Factor("told", best * value, "+"),)) if value else c for c, value in values]
    return [*out, *_brought(candidates, query, told, index, among, best, weights)]


def _is_of_the_laws(query: Asked, index: Index) -> bool:
    """Whether the laws of its language print every word of a query in the form that was typed."""
    lexicon = index.lexicons.get(query.lang or "")
    return lexicon is not None and bool(lexicon.counts) and all(unit.form in lexicon.counts for unit in query.units)


def _brought(
    candidates: Iterable[Candidate],
    query: Asked,
    told: Told,
    index: Index,
    among: np.ndarray,
    best: float,
    weights: Weights,
) -> list[Candidate]:
    """The provisions told of that no word found; none where words are required or excluded."""
    if query.excluded or any(u.required for u in query.units):
        return []
    there = {c.document.node.id for c in candidates}
    documents = [d for id_ in told.places - there if (d := index.by_id.get(id_)) and among[d.number]]
    found = [(told.of(d.node.id, d.law), d) for d in documents]
    brought = sorted(found, key=lambda pair: (-pair[0], pair[1].number))[: weights.told_brought]
    return [Candidate.of(d, (Factor("told", best * value, "+"),)) for value, d in brought]


def _part(query: Asked, weights: Weights) -> float:
    """How far words are a telling: not what is quoted or asked to be defined; less where they are few, or a term."""
    if query.phrases or query.define or not query.units:
        return 0.0
    return min(1.0, len(query.units) / weights.told_whole) * (weights.told_term if query.named else 1.0)


def _most(found: Iterable[tuple[NodeId, float]]) -> Mapping[NodeId, float]:
    out: dict[NodeId, float] = {}
    for id_, value in found:
        if value > out.get(id_, 0.0):
            out[id_] = value
    return out
