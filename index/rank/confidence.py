"""What the classifier adds to the ranking, and whether the first hits really answer the query.

:class:`PredictionScores` spreads a prediction over the documents; :func:`add_predicted` adds it to a ranking.
:func:`is_confident` decides whether there is an answer: an honest “the laws do not say” is worth more than a weak hit.
It weighs evidence only: how much of the query the first hits hold, how surely the classifier names one law, and how
similar the query is to a paraphrase. What the laws do not treat has little of each. The numbers are fitted with
``python -m tools.fit_confidence``.
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

# -- What the classifier adds to the ranking ---


class PredictionTargets:
    """Where a law, a paraphrased provision or a situation is found in every edition, as indexes into the nodes of the
    library.

    ``edition`` is the index of each node's edition in the table. ``law`` and ``own`` give, for every document, the
    index of its law and of its own node. The rest is computed on first use. Shared between threads.
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

    def counterpart_indexes(self, id_: NodeId) -> np.ndarray:
        """Return the indexes, among the nodes of the library, of a node and of its counterparts in other editions."""
        if id_ not in self._counterpart_places:
            ids = (id_, *counterparts_of(self._library, self._library.nodes[id_]))
            self._counterpart_places[id_] = np.array([self._place[c] for c in ids], dtype=np.intp)
        return self._counterpart_places[id_]

    def deciding_indexes(self, situation: str) -> tuple[np.ndarray, np.ndarray]:
        """Return the node indexes of the provisions that a situation leads to in every edition, and a divisor for each.

        The share of a provision is divided by it: it is larger for provisions that the situation lists later.
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
        """Return an array by node index. A node and its counterparts get the value that ``found`` has for the node.

        Of several values the highest counts. All other nodes get 0.
        """
        target_places, out = [self.counterpart_indexes(id_) for id_ in found], np.zeros(len(self.edition))
        if target_places:
            values = np.repeat(np.array([*found.values()]), [len(places) for places in target_places])
            np.maximum.at(out, np.concatenate(target_places), values)
        return out

    def spread_to_deciding(self, found: Iterable[SituationMatch]) -> np.ndarray:
        """Return an array by node index: how much each node decides in the situations that were ``found``.

        It is the highest share that a situation gives the node, 0 where none does.
        """
        targets, out = (
            [(self.deciding_indexes(described.id), described.score) for described in found],
            np.zeros(len(self.edition)),
        )
        if targets:
            values = [score / divisors for (_, divisors), score in targets]
            np.maximum.at(out, np.concatenate([places for (places, _), _ in targets]), np.concatenate(values))
        return out


class EditionPrediction(NamedTuple):
    """What the classifier predicts for the nodes of some editions.

    ``values`` is the predicted score of every document, by number. ``named_directly``: the document itself is
    predicted, not only its law. ``expected``: the likely situation turns on the document; nowhere where none is likely.
    ``top_law_share`` is the share of the likeliest law. ``top_similarity`` is the
    similarity of the nearest paraphrase.
    """

    values: np.ndarray
    named_directly: np.ndarray
    expected: np.ndarray
    top_law_share: float
    top_similarity: float


class PredictionScores:
    """What the classifier predicts for every node, before any filter."""

    def __init__(
        self, prediction: Prediction, targets: PredictionTargets, table: DocumentTable, weights: RankingWeights
    ):
        self._laws, self._similarity = (
            targets.spread_to_counterparts(prediction.laws),
            targets.spread_to_counterparts(prediction.provisions),
        )
        self._edition, self._table = targets.edition, table
        decides = targets.spread_to_deciding(prediction.situations[:MOST_SITUATIONS])
        # The square root of a share, because a law with half of all shares deserves more than half of the score.
        self._values = (
            weights.told_law * np.sqrt(self._laws[targets.law])
            + weights.told_situation * np.sqrt(decides[targets.own])
            + weights.told_alike * self._similarity[targets.own]
        )
        self._named_directly = (decides[targets.own] > 0) | (self._similarity[targets.own] > 0)
        likely = [found for found in prediction.situations[:1] if found.score >= weights.likely_situation]
        self._expected = targets.spread_to_deciding(likely)[targets.own] > 0

    def for_editions(self, editions: Collection[str]) -> EditionPrediction:
        """Return what is predicted for some editions. A law or paraphrase that none of them has does not count."""
        in_editions = np.isin(self._edition, [self._table.editions.index(id_) for id_ in editions])
        top_law_share, top_similarity = (
            float(found[in_editions].max(initial=0.0)) for found in (self._laws, self._similarity)
        )
        return EditionPrediction(self._values, self._named_directly, self._expected, top_law_share, top_similarity)


def add_predicted(
    ranking: Ranking,
    query: WordQuery,
    prediction: EditionPrediction,
    lawlike: bool,
    filter_mask: np.ndarray,
    weights: RankingWeights,
) -> Ranking:
    """Return the ranking with what the classifier predicts: hits are raised, and predicted documents are added.

    The scale is the best score that the words found: a share of 1 is worth as much as that. ``lawlike``: the query uses
    only words of the laws. ``filter_mask`` says, for each document by number, whether it passes the filters.
    """
    order = ranking.order
    part = _paraphrase_share(query, weights) * (weights.told_printed if ranking.printed[order].any() else 1.0)
    if lawlike:
        part *= weights.told_lawlike
    if not part or not (weights.told_law or weights.told_situation or weights.told_alike):
        return ranking
    if not len(order) and prediction.top_law_share < weights.told_alone:
        return ranking
    best = (float(ranking.scores[order].max()) if len(order) else 1.0) * part
    added = _predicted_only(ranking, query, prediction, filter_mask, weights)
    ranking = ranking._replace(order=np.concatenate([order, added]))
    numbers = np.concatenate([order[prediction.values[order] != 0], added])
    return ranking.with_factor("told", numbers, best * prediction.values[numbers], "+")


def has_only_law_words(query: WordQuery, lexicons: Mapping[str, Lexicon]) -> bool:
    """Whether the laws in the query's language print every word of the query in the form typed."""
    lexicon = lexicons.get(query.lang or "")
    return lexicon is not None and bool(lexicon.counts) and all(unit.form in lexicon.counts for unit in query.units)


def _predicted_only(
    ranking: Ranking, query: WordQuery, prediction: EditionPrediction, filter_mask: np.ndarray, weights: RankingWeights
) -> np.ndarray:
    """Return the predicted documents that no word found. There are none if the query requires or excludes words."""
    if query.excluded or any(u.required for u in query.units):
        return ranking.order[:0]
    chosen = prediction.named_directly & filter_mask
    chosen[ranking.order] = False
    numbers = np.flatnonzero(chosen)
    return numbers[np.argsort(-prediction.values[numbers], kind="stable")][: weights.told_brought]


def _paraphrase_share(query: WordQuery, weights: RankingWeights) -> float:
    """Return how far the query is a paraphrase of what happened (0 to 1).

    It is 0 for a quotation or a request for a definition, and less than 1 for few words or for a term.
    """
    if query.phrases or query.define or not query.units:
        return 0.0
    return min(1.0, len(query.units) / weights.told_whole) * (weights.told_term if query.named else 1.0)


# -- Whether there is an answer ---

FEW_UNITS = 2  # a query of up to this many words is short


class Evidence(NamedTuple):
    """The evidence for an answer.

    ``cover`` is the highest share of the query, by rarity, that one of the first hits holds. ``few`` is 1 for a query
    of few words, else 0; ``few_cover`` is ``cover`` for such a query, else 0. ``law`` is the logarithm of the odds of
    the likeliest law. ``alike`` is the similarity of the nearest paraphrase. ``words`` is the number of words, as a
    share of “many” (at most 1).
    """

    cover: float
    few: float
    few_cover: float
    law: float
    alike: float
    words: float


def collect_evidence(
    query: WordQuery, ranking: Ranking, prediction: EditionPrediction, weights: RankingWeights
) -> Evidence:
    """Return the evidence from a query and its first hits."""
    cover = max(
        (_query_share(query, *ranking.rarities_and_coverages(n)) for n in ranking.order[: weights.first].tolist()),
        default=0.0,
    )
    count = len(query.units)
    few = float(count <= FEW_UNITS)
    law = min(max(prediction.top_law_share, weights.least_odds), 1 - weights.least_odds)
    return Evidence(
        cover,
        few,
        few * cover,
        log(law / (1 - law)),
        prediction.top_similarity,
        min(count, weights.sure_many) / weights.sure_many,
    )


def is_confident(
    query: WordQuery, ranking: Ranking, verbatim: bool, prediction: EditionPrediction | None, weights: RankingWeights
) -> bool:
    """Whether some hit really answers the query.

    ``verbatim``: a hit has the quoted words as they were typed. ``prediction`` is what the classifier predicts; None
    where there is no classifier. Then there is too little evidence, except that a hit prints what was typed.
    """
    if not len(ranking.order):
        return False
    if verbatim or ranking.printed[ranking.order[: weights.first]].any():
        return True
    if not any(u.known and _is_not_denied(u) for u in query.units) or query.numbered:
        return False
    if query.phrases:
        return int(ranking.order[0]) in ranking.quoted
    return prediction is not None and is_enough(collect_evidence(query, ranking, prediction, weights), weights)


def is_enough(found: Evidence, weights: RankingWeights) -> bool:
    """Whether the weighted evidence is enough to call the answer confident."""
    return (
        weights.sure + sum(weight * value for weight, value in zip(evidence_weights(weights), found, strict=True)) >= 0
    )


def _is_not_denied(unit: Unit) -> bool:
    """Whether a word of the query counts with its own meaning: it is neither denied nor part of a longer name that
    means something else.
    """
    return {t.why for terms in unit.terms.values() for t in terms} != {NOT_MEANT}


def evidence_weights(weights: RankingWeights) -> Evidence:
    """Return the weight of each piece of evidence, as an :class:`Evidence` with weights in the places of the values."""
    return Evidence(
        weights.sure_cover,
        weights.sure_few,
        weights.sure_few_cover,
        weights.sure_law,
        weights.sure_alike,
        weights.sure_words,
    )


def _query_share(query: WordQuery, rarities: Sequence[float], covers: Sequence[float]) -> float:
    """Return the share of a query that a provision has, from 0 to 1; rare words count for more, guessed ones for less.

    For each word of the query, ``rarities`` says how rare it is, and ``covers`` how much of it the provision has (0 to
    1). Both are empty if the provision has no word of the query; then the share is 0.
    """
    total = held = 0.0
    for unit, rarity, cover in zip(query.units, rarities, covers, strict=False):
        total += rarity / unit.trust
        held += rarity * unit.trust * cover
    return held / total if total else 0.0
