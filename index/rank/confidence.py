"""Whether the answer is one: an honest “the laws do not say” is worth more than a weak hit.

It is weighed from evidence alone: how much of the query the first hits hold, how surely its words are told of one
law, how like a telling it is. What the laws do not treat has little of each. The numbers are fitted (``python -m
tools.fit_confidence``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import log
from typing import NamedTuple

import numpy as np

from corpus.library import Library
from corpus.model import NodeId
from index.answer import counterparts_of
from index.classifier import MOST_SITUATIONS, Prediction, SituationMatch
from index.lexicon import Lexicon
from index.query.model import NOT_MEANT, Unit, WordQuery
from index.rank.candidates import DocumentTable, Ranking
from index.weights import RankingWeights


class PredictionTargets:
    """Where in every edition a law, a telling, a situation is, as places in ``ids``; worked out when first asked.
    ``edition``: that of each, by its place in the table; ``law`` and ``own``: of every document its law and itself.
    Shared between threads.
    """

    def __init__(self, library: Library, table: DocumentTable, weights: RankingWeights):
        self._library, self._weights = library, weights
        self._place = {id_: place for place, id_ in enumerate(library.nodes)}
        self.edition = np.array([table.editions.index(id_.edition) for id_ in self._place], dtype=np.intp)
        self.own, self.law = (
            np.array([self._place[id_] for id_ in ids], dtype=np.intp) for ids in table.node_and_law_ids
        )
        self._counterpart_places: dict[NodeId, np.ndarray] = {}
        self._deciding: dict[str, tuple[np.ndarray, np.ndarray]] = {}

    def counterpart_places(self, id_: NodeId) -> np.ndarray:
        """A node with what corresponds to it in other editions."""
        if id_ not in self._counterpart_places:
            ids = (id_, *counterparts_of(self._library, self._library.nodes[id_]))
            self._counterpart_places[id_] = np.array([self._place[c] for c in ids], dtype=np.intp)
        return self._counterpart_places[id_]

    def deciding_places(self, situation: str) -> tuple[np.ndarray, np.ndarray]:
        """The provisions that a situation leads to in every edition; and what the share of each is divided by: the
        later ones decide less.
        """
        if situation not in self._deciding:
            listed = self._library.situations[situation].provisions
            found = [
                (self._place[id_], 1 + self._weights.told_later * place)
                for edition in self._library.law_editions
                for place, path in enumerate(listed.get(edition.code, ())[: self._weights.told_deciding])
                if (id_ := NodeId.of(edition.id, path)) in self._place
            ]
            self._deciding[situation] = (
                np.array([place for place, _ in found], dtype=np.intp),
                np.array([divisor for _, divisor in found]),
            )
        return self._deciding[situation]

    def spread_to_counterparts(self, found: Mapping[NodeId, float]) -> np.ndarray:
        """What each node has, carried to the other editions: of several the most, 0 where there is none."""
        carried, out = [self.counterpart_places(id_) for id_ in found], np.zeros(len(self.edition))
        if carried:
            values = np.repeat(np.array([*found.values()]), [len(places) for places in carried])
            np.maximum.at(out, np.concatenate(carried), values)
        return out

    def spread_to_deciding(self, found: Iterable[SituationMatch]) -> np.ndarray:
        """What each node decides of what happened."""
        led, out = (
            [(self.deciding_places(described.id), described.score) for described in found],
            np.zeros(len(self.edition)),
        )
        if led:
            values = [score / divisors for (_, divisors), score in led]
            np.maximum.at(out, np.concatenate([places for (places, _), _ in led]), np.concatenate(values))
        return out


class EditionPrediction(NamedTuple):
    """How much a query tells of the nodes of some editions. ``values``: of every document, by number; ``places``:
    whether it is told of itself, and not only its law; ``surest``: the share of the likeliest law; ``likest``: the
    likeness of the nearest telling.
    """

    values: np.ndarray
    named_directly: np.ndarray
    top_law_share: float
    top_similarity: float


class PredictionScores:
    """How much a query tells of every node, whatever is asked for."""

    def __init__(self, heard: Prediction, places: PredictionTargets, table: DocumentTable, weights: RankingWeights):
        self._laws, self._similarity = (
            places.spread_to_counterparts(heard.laws),
            places.spread_to_counterparts(heard.provisions),
        )
        self._edition, self._table = places.edition, table
        decides = places.spread_to_deciding(heard.situations[:MOST_SITUATIONS])
        # Roots of shares: half of all that is told of is more than half of what one would want to see.
        self._values = (
            weights.told_law * np.sqrt(self._laws[places.law])
            + weights.told_situation * np.sqrt(decides[places.own])
            + weights.told_alike * self._similarity[places.own]
        )
        self._named_directly = (decides[places.own] > 0) | (self._similarity[places.own] > 0)

    def for_editions(self, editions: Collection[str]) -> EditionPrediction:
        """What is told of some editions; what none of them has is not told."""
        there = np.isin(self._edition, [self._table.editions.index(id_) for id_ in editions])
        surest, likest = (float(found[there].max(initial=0.0)) for found in (self._laws, self._similarity))
        return EditionPrediction(self._values, self._named_directly, surest, likest)


def add_predicted(
    standing: Ranking,
    query: WordQuery,
    tells: EditionPrediction,
    lawlike: bool,
    among: np.ndarray,
    weights: RankingWeights,
) -> Ranking:
    """The candidates with what is told of them, and those brought in by it alone. It is measured by the best that the
    words found: what is told wholly of one is worth as much. ``lawlike``: the words are those of the laws.
    """
    order = standing.order
    part = _paraphrase_share(query, weights) * (weights.told_printed if standing.printed[order].any() else 1.0)
    if lawlike:
        part *= weights.told_lawlike
    if not part or not (weights.told_law or weights.told_situation or weights.told_alike):
        return standing
    if not len(order) and tells.top_law_share < weights.told_alone:
        return standing
    best = (float(standing.scores[order].max()) if len(order) else 1.0) * part
    brought = _predicted_only(standing, query, tells, among, weights)
    standing = standing._replace(order=np.concatenate([order, brought]))
    said = np.concatenate([order[tells.values[order] != 0], brought])
    return standing.with_factor("told", said, best * tells.values[said], "+")


def has_only_law_words(query: WordQuery, lexicons: Mapping[str, Lexicon]) -> bool:
    """Whether the laws of its language print every word of a query in the form that was typed."""
    lexicon = lexicons.get(query.lang or "")
    return lexicon is not None and bool(lexicon.counts) and all(unit.form in lexicon.counts for unit in query.units)


def _predicted_only(
    standing: Ranking, query: WordQuery, tells: EditionPrediction, among: np.ndarray, weights: RankingWeights
) -> np.ndarray:
    """The provisions told of that no word found; none where words are required or excluded."""
    if query.excluded or any(u.required for u in query.units):
        return standing.order[:0]
    new = tells.named_directly & among
    new[standing.order] = False
    numbers = np.flatnonzero(new)
    return numbers[np.argsort(-tells.values[numbers], kind="stable")][: weights.told_brought]


def _paraphrase_share(query: WordQuery, weights: RankingWeights) -> float:
    """How far words are a telling: not what is quoted or asked to be defined; less where they are few, or a term."""
    if query.phrases or query.define or not query.units:
        return 0.0
    return min(1.0, len(query.units) / weights.told_whole) * (weights.told_term if query.named else 1.0)


FEW_UNITS = 2  # up to so many words are few


class Evidence(NamedTuple):
    """What speaks for an answer. ``cover``: the share of the query, by rarity, that one of the first hits holds;
    ``few`` and ``few_cover``: 1 and ``cover`` for few words, else 0; ``law``: the odds of the likeliest law, as a
    logarithm; ``alike``: the likeness of the nearest telling; ``words``: how many words there are, 1 for many.
    """

    cover: float
    few: float
    few_cover: float
    law: float
    alike: float
    words: float


def collect_evidence(query: WordQuery, standing: Ranking, told: EditionPrediction, weights: RankingWeights) -> Evidence:
    """That of a query and its first hits."""
    cover = max(
        (_query_share(query, *standing.rarities_and_covers(n)) for n in standing.order[: weights.first].tolist()),
        default=0.0,
    )
    count = len(query.units)
    few = float(count <= FEW_UNITS)
    law = min(max(told.top_law_share, weights.least_odds), 1 - weights.least_odds)
    return Evidence(
        cover,
        few,
        few * cover,
        log(law / (1 - law)),
        told.top_similarity,
        min(count, weights.sure_many) / weights.sure_many,
    )


def is_confident(
    query: WordQuery, standing: Ranking, verbatim: bool, told: EditionPrediction, weights: RankingWeights
) -> bool:
    """True when something in the corpus really answers. ``verbatim``: what was quoted stands there as it was typed."""
    if not len(standing.order):
        return False
    if verbatim or standing.printed[standing.order[: weights.first]].any():
        return True
    if not any(u.known and _is_meant(u) for u in query.units) or query.numbered:
        return False
    if query.phrases:
        return int(standing.order[0]) in standing.quoted
    return suffices(collect_evidence(query, standing, told, weights), weights)


def suffices(found: Evidence, weights: RankingWeights) -> bool:
    """Whether evidence, weighed, makes an answer sure."""
    return (
        weights.sure + sum(weight * value for weight, value in zip(evidence_weights(weights), found, strict=True)) >= 0
    )


def _is_meant(unit: Unit) -> bool:
    """Whether a word is neither denied nor something else within a longer name."""
    return {t.why for terms in unit.terms.values() for t in terms} != {NOT_MEANT}


def evidence_weights(weights: RankingWeights) -> Evidence:
    """What each of the evidence weighs."""
    return Evidence(
        weights.sure_cover,
        weights.sure_few,
        weights.sure_few_cover,
        weights.sure_law,
        weights.sure_alike,
        weights.sure_words,
    )


def _query_share(query: WordQuery, rarities: Sequence[float], covers: Sequence[float]) -> float:
    """How much of the query a provision has, weighted by rarity; a word that was guessed counts for less. 0 where it
    has no word of it.
    """
    total = held = 0.0
    for unit, rarity, cover in zip(query.units, rarities, covers, strict=False):
        total += rarity / unit.trust
        held += rarity * unit.trust * cover
    return held / total if total else 0.0
