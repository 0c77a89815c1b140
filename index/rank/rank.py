"""The order of provisions for a query of words.

:func:`prepare_query` does what does not depend on the filters. :func:`rank_provisions` then runs the steps, each once:
select the best candidates, rerank them, add what the classifier predicts, weigh the editions against each other, merge
counterparts, and spread the hits over the laws.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

import numpy as np

from corpus.edition import Identity, choose_edition
from corpus.library import Library
from index.concept import slug_of
from index.opening import Index
from index.query.model import WordQuery
from index.rank import candidates
from index.rank.candidates import NO_DOCUMENT, DocumentTable, Postings, QueryMatches, Ranking, WordPositions
from index.rank.confidence import (
    FEW_UNITS,
    EditionPrediction,
    PredictionScores,
    add_predicted,
    has_only_law_words,
    is_confident,
    paraphrase_share,
)
from index.rank.exact import PhraseFinder, keep_quoted
from index.rank.factors import QueryTerms, Reranker
from index.rank.facts import weigh_facts
from index.weights import RankingWeights

OTHER_LANGUAGE_FACTOR, ELSEWHERE_FACTOR, SUPERSEDED_FACTOR, EXTRACT_FACTOR = (
    "language",
    "decisions elsewhere",
    "not in force",
    "extract",
)
OTHER_YEAR_FACTOR = "another year"


def home_edition(chosen: Iterable[Identity], reader: str | None, code: str = "") -> Identity | None:
    """Return the home edition: of the ``chosen`` ones the edition that the reader reads first.

    None if no complete text of the laws is among them. ``reader`` is the language of the reader, ``code`` the
    laws that he has chosen.
    """
    return choose_edition((e for e in chosen if e.complete and not e.is_decisions), reader, code)


def add_home_counterparts(
    ranking: Ranking, edition: Identity | None, reader: str | None, table: DocumentTable, filter_mask: np.ndarray
) -> Ranking:
    """Return the ranking with the counterparts of the hits in the home edition (``edition``).

    They are added, or raised to the scores of those hits.

    A counterpart says no less about the query than the hit in the other edition. If the home edition is not in the
    reader's language, a provision that only stands around the exact place counts as well.
    """
    if edition is None:
        return ranking
    order, nearest = ranking.order, table.nearest_in(edition.id)
    counterparts = nearest.numbers[order]
    usable = (counterparts != NO_DOCUMENT) & filter_mask[counterparts]
    if edition.lang == reader:
        usable &= ~nearest.around[order]
    # Several hits may have the same counterpart. The best of them comes first and counts.
    targets, first = np.unique(counterparts[usable], return_index=True)
    sources = order[usable][first]
    ranked = np.zeros(table.size, dtype=bool)
    ranked[order] = True
    own_scores, best_scores = ranking.scores[targets], ranking.scores[sources]
    raised = np.flatnonzero(own_scores < best_scores)
    raised = raised[np.argsort(first[raised])]
    targets, sources, own_scores, best_scores = (
        targets[raised],
        sources[raised],
        own_scores[raised],
        best_scores[raised],
    )
    new = targets[~ranked[targets]]
    source_of = dict(zip(targets.tolist(), sources.tolist(), strict=True))
    ranking = ranking._replace(order=np.concatenate([order, new]), raised_by=source_of)
    ranking = ranking.with_factor("other editions", targets, best_scores - own_scores, "+")
    # Of equal scores, those of the home edition come first.
    elsewhere = table.edition[ranking.order] != table.editions.index(edition.id)
    return ranking._replace(order=ranking.order[np.argsort(elsewhere, kind="stable")]).sorted_by_score()


def apply_edition_factors(
    ranking: Ranking, query: WordQuery, library: Library, table: DocumentTable, weights: RankingWeights
) -> Ranking:
    """Return the ranking with each score multiplied by the factors of its edition.

    These are its language, whether it is in force, and whether it is an extract.
    """
    order = ranking.order
    codes = table.edition[order]
    values_by_name: dict[str, np.ndarray] = {}
    for code in dict.fromkeys(codes.tolist()):
        for name, value in _edition_factors(library.editions[table.editions[code]], query, library, weights):
            values_by_name.setdefault(name, np.full(len(table.editions), np.nan))[code] = value
    for name in (OTHER_LANGUAGE_FACTOR, ELSEWHERE_FACTOR, SUPERSEDED_FACTOR, EXTRACT_FACTOR):
        if name in values_by_name:
            values = values_by_name[name][codes]
            applies = ~np.isnan(values)
            ranking = ranking.with_factor(name, order[applies], values[applies])
    return ranking.sorted_by_score()


def _edition_factors(
    edition: Identity, query: WordQuery, library: Library, weights: RankingWeights
) -> list[tuple[str, float]]:
    """Return (name, value) of the factors of an edition.

    The language factor applies only if some edition is in the reader's language.
    """
    out = []
    if edition.lang != query.reader and any(e.lang == query.reader for e in library.editions.values()):
        out.append((OTHER_LANGUAGE_FACTOR, weights.other_language))
    if edition.is_decisions and edition.lang != query.reader:
        out.append((ELSEWHERE_FACTOR, weights.elsewhere))
    if edition.is_in_force is False:
        out.append((SUPERSEDED_FACTOR, weights.superseded))
        if not edition.complete:
            out.append((EXTRACT_FACTOR, weights.extract))
    return out


def prefer_year(ranking: Ranking, query: WordQuery, table: DocumentTable, weights: RankingWeights) -> Ranking:
    """Return the ranking with the hits of other years multiplied by a factor, where the query names a year."""
    if not query.years:
        return ranking
    other = ~np.isin(table.year[ranking.order], [int(year) for year in query.years])
    numbers = ranking.order[other]
    return ranking.with_factor(OTHER_YEAR_FACTOR, numbers, np.full(len(numbers), weights.other_year)).sorted_by_score()


def raise_by_counterparts(ranking: Ranking, table: DocumentTable, weights: RankingWeights) -> Ranking:
    """Return the ranking with those hits raised whose counterparts in other editions rank well.

    Each other edition adds a share of the score of its best counterpart.
    """
    voters, rest = ranking.order[: weights.voters], ranking.order[weights.voters :]
    # One element more than there are documents: NO_DOCUMENT (-1) indexes the last one.
    votes = np.full(table.size + 1, -1.0)
    votes[voters] = ranking.scores[voters]
    best = votes[table.counterpart_numbers[voters]].max(axis=2, initial=-1.0)
    voted = (best >= 0).any(axis=1)
    gains = sum(np.maximum(best, 0.0).T, np.zeros(len(voters)))
    ranking = ranking.with_factor("other editions", voters[voted], weights.agreement * gains[voted], "+")
    # No voter falls behind the rest, because agreement only adds.
    ranked_voters = ranking._replace(order=voters).sorted_by_score()
    return ranked_voters._replace(order=np.concatenate([ranked_voters.order, rest]))


def merge_counterparts(ranking: Ranking, table: DocumentTable, weights: RankingWeights) -> Ranking:
    """Return the ranking with one hit for each provision: of a hit and its counterparts in other editions, the best."""
    order = ranking.order
    # Provisions of one edition are never counterparts of each other.
    if not (table.edition[order] != table.edition[order[:1]]).any():
        return ranking._replace(order=order[: weights.listed])
    kept: list[int] = []
    taken: set[int] = set()
    for number in order.tolist():
        if len(kept) == weights.listed:
            break
        if number not in taken:
            kept.append(number)
            taken.update(table.same_provisions[number])
    return ranking._replace(order=np.array(kept, dtype=np.intp))


def demote_unexpected(ranking: Ranking, expected: np.ndarray, table: DocumentTable, weights: RankingWeights) -> Ranking:
    """Return the ranking with those hits multiplied by a factor that the likely situation does not turn on and that
    stand closely above one of the same law and edition that it turns on: “did not alert” is about 21B, which grants,
    and not about 21A, which denies.

    ``expected``: for each document, by number, whether the situation that the words describe turns on it.
    """
    order = ranking.order
    laws = table.law * len(table.editions) + table.edition
    hits = order[expected[order]]
    best = np.zeros(int(laws.max(initial=0)) + 1)
    np.maximum.at(best, laws[hits], ranking.scores[hits])
    others = order[~expected[order]]
    above = ranking.scores[others] > best[laws[others]]
    near = best[laws[others]] >= weights.unexpected * ranking.scores[others]
    return ranking.with_factor("not the situation", others[above & near], weights.unexpected).sorted_by_score()


def weigh_sections(
    ranking: Ranking, query: WordQuery, prediction: EditionPrediction, weights: RankingWeights
) -> Ranking:
    """Return the ranking in which a hit loses against another of its law, in any edition, that the words fit better.

    The best of a law keeps its score. The factor of another falls with its share among the provisions of the law, to
    ``weights.other_section`` at 0. Where the likely situation turns on provisions of a law, the best of these is the
    best of the law. A query of few words tells of no branch; one that is no paraphrase
    (:func:`index.rank.confidence.paraphrase_share`) changes less.
    """
    part, order = paraphrase_share(query, weights), ranking.order
    if not part or len(query.units) <= FEW_UNITS or not len(order):
        return ranking
    laws, shares = prediction.newest_law[order], prediction.sections[order]
    best, expected = np.zeros((2, int(laws.max()) + 1))
    np.maximum.at(best, laws, shares)
    np.maximum.at(expected, laws, np.where(prediction.expected[order], shares, 0.0))
    best = np.where(expected > 0, expected, best)
    known = best[laws] > 0
    numbers, shares = order[known], np.minimum(shares[known] / best[laws[known]], 1.0)
    values = (weights.other_section + (1 - weights.other_section) * shares) ** part
    less = values < 1
    return ranking.with_factor("section", numbers[less], values[less]).sorted_by_score()


def demote_repeated_laws(ranking: Ranking, table: DocumentTable, weights: RankingWeights) -> Ranking:
    """Return the ranking with all hits of a law but the best multiplied by a factor, so that other laws come before
    them.
    """
    _, first = np.unique(table.law[ranking.order], return_index=True)
    return ranking.with_factor("same law", np.delete(ranking.order, first), weights.same_law).sorted_by_score()


class PreparedQuery(NamedTuple):
    """What is computed once for a query, for all filters.

    ``matches`` is what its words find. ``terms_by_lang`` holds, by language, the words that answer it.
    ``prediction_scores`` come from the classifier. ``lawlike``: the query uses only words of the laws.
    ``phrase_finder`` finds the quoted words.
    """

    matches: QueryMatches
    terms_by_lang: Mapping[str, QueryTerms]
    reranker: Reranker
    prediction_scores: PredictionScores
    lawlike: bool
    phrase_finder: PhraseFinder


class TextRanking(NamedTuple):
    """The ranking, and whether one of its first hits really answers. It is empty for what no law answers."""

    ranking: Ranking
    confident: bool


def prepare_query(
    query: WordQuery,
    index: Index,
    table: DocumentTable,
    postings: Postings,
    weights: RankingWeights,
    prediction_scores: PredictionScores,
) -> PreparedQuery:
    """Return what can be computed about every provision before the filters are known. The reader of ``query`` is
    ignored.
    """
    found = candidates.match_query(query, postings, table, weights)
    terms_by_lang = {lang: QueryTerms(query.units, lang, index.lexicons[lang], weights) for lang in table.langs}
    term_relevance = _term_relevance(query, index, table, weights)
    reranker = Reranker(query, found, terms_by_lang, term_relevance, index.documents, table, weights)
    phrase_finder = PhraseFinder(index.documents, index.lexicons)
    return PreparedQuery(
        found, terms_by_lang, reranker, prediction_scores, has_only_law_words(query, index.lexicons), phrase_finder
    )


def rank_provisions(
    query: WordQuery,
    prepared: PreparedQuery,
    chosen: Collection[Identity],
    filter_mask: np.ndarray,
    index: Index,
    table: DocumentTable,
    postings: Postings,
    weights: RankingWeights,
    home: Identity | None,
    agreement: np.ndarray,
) -> TextRanking:
    """Rank the provisions of the ``chosen`` editions, of which ``home`` is the home edition.

    ``filter_mask``: for each document, by number, whether it passes the filters; ``agreement``: whether the facts that
    decide for it are those of the query (:meth:`index.rank.facts.ProvisionFacts.agreement`).
    """
    ids = {e.id for e in chosen}
    prediction = prepared.prediction_scores.for_editions(ids)
    selected, to_rerank = _select_best(prepared.matches, filter_mask, table, weights)
    ranking = prepared.reranker.add_factors(Ranking.of(prepared.matches, selected), to_rerank)
    ranking, verbatim = add_predicted(ranking, query, prediction, prepared.lawlike, filter_mask, weights), False
    if query.phrases:
        places, verbatim = _find_quoted(query, prepared, sorted({e.lang for e in chosen}), postings, filter_mask)
        ranking = keep_quoted(ranking, places, weights)
    ranking = apply_edition_factors(ranking, query, index.library, table, weights)
    if len(ids) > 1 and not query.phrases:
        ranking = raise_by_counterparts(ranking, table, weights)
        if not query.excluded:
            ranking = add_home_counterparts(ranking, home, query.reader, table, filter_mask)
    ranking = weigh_facts(prefer_year(ranking, query, table, weights), agreement, weights)
    ranking = merge_counterparts(ranking, table, weights)
    if not verbatim and not prepared.lawlike:
        ranking = weigh_sections(ranking, query, prediction, weights)
        ranking = demote_unexpected(ranking, prediction.expected, table, weights)
    ranking = demote_repeated_laws(ranking, table, weights)
    learned = prediction if index.classifier_model else None
    confident = is_confident(query, ranking, verbatim, learned, weights)
    asks_for_words = query.phrases or query.named or prepared.lawlike
    if not confident and not asks_for_words and prediction.unanswered >= weights.unanswered:
        ranking = ranking._replace(order=ranking.order[:0])
    return TextRanking(ranking, confident)


def _select_best(
    found: QueryMatches, filter_mask: np.ndarray, table: DocumentTable, weights: RankingWeights
) -> tuple[np.ndarray, np.ndarray]:
    """Return (numbers of the best documents of each language, numbers of those to rerank). All pass the filters."""
    allowed = found.order[filter_mask[found.order]]
    by_lang = [allowed[table.lang[allowed] == code][: weights.ranked] for code in range(len(table.langs))]
    return _concatenate(by_lang), _concatenate(of[: weights.looked_at] for of in by_lang)


def _concatenate(lists: Iterable[np.ndarray]) -> np.ndarray:
    return np.concatenate([np.zeros(0, dtype=np.intp), *lists])


def _find_quoted(
    query: WordQuery, prepared: PreparedQuery, langs: Iterable[str], postings: Postings, filter_mask: np.ndarray
) -> tuple[dict[int, WordPositions], bool]:
    """Return where the quoted words stand in documents that pass the filters, and whether they stand there as typed."""
    places, verbatim = prepared.phrase_finder.find(query, langs, postings)
    places = {number: where for number, where in places.items() if filter_mask[number]}
    return places, verbatim and bool(places)


def _term_relevance(query: WordQuery, index: Index, table: DocumentTable, weights: RankingWeights) -> np.ndarray:
    """Return, for every document, how closely it belongs to a term that the query names.

    The value is higher where the document gives the meaning of the term than where it is about the term; 0 elsewhere.
    """
    out = np.zeros(table.size)
    for term in (index.library.terms[slug_of(concept)] for concept in query.named):
        for edition in table.editions:
            meaning = term.meaning(edition)
            for id_ in term.places(edition):
                if (number := table.number_of(id_)) is not None:
                    out[number] = max(out[number], weights.meaning if id_ in meaning else weights.about)
    return out
