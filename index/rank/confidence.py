"""What the classifier adds to the ranking, and whether the first hits really answer the query.

:class:`PredictionScores` spreads a prediction over the documents; :func:`add_predicted` adds it to a ranking.
:func:`is_confident` decides whether there is an answer: an honest “the laws do not say” is worth more than a weak hit.
It weighs evidence only: how much of the query the first hits hold, and how surely the classifier names one law and one
provision. What the laws do not treat has little of each. The numbers are fitted with
``python -m tools.fit_confidence``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import log
from typing import NamedTuple

import numpy as np

from corpus.address import paths_overlap
from corpus.library import Library
from corpus.model import NodeId
from index.answer import counterparts_of
from index.classifier import MOST_SITUATIONS, Prediction, SituationMatch
from index.documents import Document
from index.lexicon import Lexicon, cached_method
from index.query.model import NOT_MEANT, Unit, WordQuery
from index.rank.candidates import DocumentTable, Ranking
from index.sections import SectionShares
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
        newest = next((e.id for e in reversed(library.law_editions) if e.complete), "")
        pages = {law: library.page_node_in(law, newest) for law in set(table.node_and_law_ids[1])}
        # For every document, the index of the page of the newest laws that corresponds to its law.
        self.newest_law = np.array(
            [self._place[page.id if (page := pages[law]) else law] for law in table.node_and_law_ids[1]], dtype=np.intp
        )
        self.has_parts = np.array([bool(library.nodes[id_].children) for id_ in table.node_and_law_ids[0]], dtype=bool)
        self._counterpart_places: dict[NodeId, np.ndarray] = {}
        self._places_of_sections = cached_method(self._places_of, 1)
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
        return self._spread(found, self._places_of(tuple(found)))

    def spread_sections_to_counterparts(self, found: Mapping[NodeId, float]) -> np.ndarray:
        """Return the same for the provisions of the section model, which are the same for every query."""
        return self._spread(found, self._places_of_sections(tuple(found)))

    def _spread(self, found: Mapping[NodeId, float], where: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        places, counts = where
        out = np.zeros(len(self.edition))
        np.maximum.at(out, places, np.repeat(np.array([*found.values()]), counts))
        return out

    def _places_of(self, ids: tuple[NodeId, ...]) -> tuple[np.ndarray, np.ndarray]:
        """Return the indexes of nodes and their counterparts, one after the other, and how many each node has."""
        each = [np.zeros(0, dtype=np.intp), *(self.counterpart_indexes(id_) for id_ in ids)]
        return np.concatenate(each), np.array([len(places) for places in each[1:]], dtype=np.intp)

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

    ``values`` is the predicted score of every document, by number. ``sections`` is the share of the document among the
    provisions of its law. ``named_directly``: the document itself is predicted, not only its law. ``expected``: the
    likely situation turns on the document; nowhere where none is likely. ``top_law_share`` is the share of the
    likeliest law, ``top_provision_share`` that of the likeliest provision, ``unanswered`` that of what no law answers.
    """

    values: np.ndarray
    sections: np.ndarray
    newest_law: np.ndarray
    named_directly: np.ndarray
    expected: np.ndarray
    top_law_share: float
    top_provision_share: float
    unanswered: float


class PredictionScores:
    """What the classifier predicts for every node, before any filter."""

    def __init__(
        self,
        prediction: Prediction,
        sections: SectionShares,
        targets: PredictionTargets,
        table: DocumentTable,
        weights: RankingWeights,
    ):
        self._laws, self._unanswered = targets.spread_to_counterparts(prediction.laws), prediction.unanswered
        self._sections = targets.spread_sections_to_counterparts(sections.in_law)[targets.own]
        self._sections = np.where(targets.has_parts, weights.whole_section, 1.0) * self._sections
        self._newest_law = targets.newest_law
        self._provisions = targets.spread_sections_to_counterparts(sections.overall)[targets.own]
        self._edition, self._own, self._table = targets.edition, targets.own, table
        decides = targets.spread_to_deciding(prediction.situations[:MOST_SITUATIONS])
        # The square root of a share, because a law with half of all shares deserves more than half of the score.
        self._values = (
            weights.told_law * np.sqrt(self._laws[targets.law])
            + weights.told_situation * np.sqrt(decides[targets.own])
            + weights.told_section * np.sqrt(self._provisions)
        )
        self._named_directly = (decides[targets.own] > 0) | (self._provisions >= weights.told_at_least)
        likely = [found for found in prediction.situations[:1] if found.score >= weights.likely_situation]
        self._expected = targets.spread_to_deciding(likely)[targets.own] > 0

    def for_editions(self, editions: Collection[str]) -> EditionPrediction:
        """Return what is predicted for some editions. A law or provision that none of them has does not count."""
        in_editions = np.isin(self._edition, [self._table.editions.index(id_) for id_ in editions])
        top_law_share = float(self._laws[in_editions].max(initial=0.0))
        top_provision_share = float(self._provisions[in_editions[self._own]].max(initial=0.0))
        return EditionPrediction(
            self._values,
            self._sections,
            self._newest_law,
            self._named_directly,
            self._expected,
            top_law_share,
            top_provision_share,
            self._unanswered,
        )


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
    part = paraphrase_share(query, weights) * (weights.told_printed if ranking.printed[order].any() else 1.0)
    if lawlike:
        part *= weights.told_lawlike
    if not part or not (weights.told_law or weights.told_situation or weights.told_section):
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


def paraphrase_share(query: WordQuery, weights: RankingWeights) -> float:
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
    the likeliest law, ``section`` that of the likeliest provision, ``unanswered`` that of what no law answers.
    ``words`` is the number of words, as a share of “many” (at most 1).
    """

    cover: float
    few: float
    few_cover: float
    law: float
    section: float
    unanswered: float
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
    shares = (prediction.top_law_share, prediction.top_provision_share, prediction.unanswered)
    law, section, unanswered = (_log_odds(share, weights) for share in shares)
    words = min(count, weights.sure_many) / weights.sure_many
    return Evidence(cover, few, few * cover, law, section, unanswered, words)


def _log_odds(share: float, weights: RankingWeights) -> float:
    bounded = min(max(share, weights.least_odds), 1 - weights.least_odds)
    return log(bounded / (1 - bounded))


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


def find_rival(
    query: WordQuery, ranking: Ranking, documents: Sequence[Document], weights: RankingWeights
) -> int | None:
    """Return the best other provision of the law and edition of the first hit, if its score is nearly as high.

    The words do not tell which of the two is meant. A provision around the first hit, or inside it, is no rival. A
    quotation or a few words ask for a subject; they tell of no case that one of two provisions decides.
    """
    if query.phrases or len(query.units) <= FEW_UNITS or not len(ranking.order):
        return None
    first = documents[int(ranking.order[0])]
    least = weights.rival * ranking.scores[first.number]
    for number in ranking.order[1 : weights.rivals].tolist():
        other = documents[number]
        beside = other.law == first.law and other.node.edition == first.node.edition
        if beside and not paths_overlap(other.node.path, first.node.path):
            return number if ranking.scores[number] >= least else None
    return None


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
        weights.sure_section,
        weights.sure_unanswered,
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
