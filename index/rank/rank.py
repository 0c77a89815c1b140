"""The order of provisions for words: gathered, looked at, weighed between editions, merged, spread; each step once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

import numpy as np

from corpus.edition import Identity
from corpus.library import Library
from index.concept import slug_of
from index.opening import Index
from index.query.model import WordQuery
from index.rank import candidates
from index.rank.candidates import NO_DOCUMENT, DocumentTable, Postings, QueryMatches, Ranking, WordPositions
from index.rank.confidence import PredictionScores, add_predicted, has_only_law_words, is_confident
from index.rank.exact import PhraseFinder, keep_quoted
from index.rank.factors import QueryTerms, Reranker
from index.weights import RankingWeights

OTHER_LANGUAGE_FACTOR, ELSEWHERE_FACTOR, SUPERSEDED_FACTOR, EXTRACT_FACTOR = (
    "language",
    "decisions elsewhere",
    "not in force",
    "extract",
)


def home_edition(chosen: Iterable[Identity], reader: str | None) -> Identity | None:
    """The edition that a reader reads first, of those chosen: the newest whole text of the laws in his language, else
    the newest of all; None where no whole text is among them.
    """
    whole = [e for e in chosen if e.complete and not e.is_decisions]
    return max(whole, key=lambda e: (e.lang == reader, e.sort_key), default=None)


def add_home_counterparts(
    standing: Ranking, edition: Identity | None, reader: str | None, table: DocumentTable, among: np.ndarray
) -> Ranking:
    """With what corresponds in the edition that the reader reads first: it says no less to the query than what was
    found in another. Who has no text in his language is led to what stands nearest there, too.
    """
    if edition is None:
        return standing
    order, near = standing.order, table.nearest_in(edition.id)
    there = near.numbers[order]
    fits = (there != NO_DOCUMENT) & among[there]
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
    standing = standing._replace(order=np.concatenate([order, new]), raised_by=by)
    standing = standing.with_factor("other editions", targets, best - own, "+")
    # Equal ones stand at home first.
    away = table.edition[standing.order] != table.editions.index(edition.id)
    return standing._replace(order=standing.order[np.argsort(away, kind="stable")]).sorted_by_score()


def apply_edition_factors(
    standing: Ranking, query: WordQuery, library: Library, table: DocumentTable, weights: RankingWeights
) -> Ranking:
    """Each with what its edition is beside the others that were asked for."""
    order = standing.order
    of = table.edition[order]
    said: dict[str, np.ndarray] = {}
    for code in dict.fromkeys(of.tolist()):
        for name, value in _edition_factors(library.editions[table.editions[code]], query, library, weights):
            said.setdefault(name, np.full(len(table.editions), np.nan))[code] = value
    for name in (OTHER_LANGUAGE_FACTOR, ELSEWHERE_FACTOR, SUPERSEDED_FACTOR, EXTRACT_FACTOR):
        if name in said:
            values = said[name][of]
            says = ~np.isnan(values)
            standing = standing.with_factor(name, order[says], values[says])
    return standing.sorted_by_score()


def _edition_factors(
    edition: Identity, query: WordQuery, library: Library, weights: RankingWeights
) -> list[tuple[str, float]]:
    """A language without an edition says nothing of the others."""
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


def apply_agreement(standing: Ranking, table: DocumentTable, weights: RankingWeights) -> Ranking:
    """What corresponds to good hits of other editions gains from the best of each."""
    voters, rest = standing.order[: weights.voters], standing.order[weights.voters :]
    # One more than there are documents, for what corresponds to none.
    votes = np.full(table.size + 1, -1.0)
    votes[voters] = standing.scores[voters]
    best = votes[table.counterpart_numbers[voters]].max(axis=2, initial=-1.0)
    voted = (best >= 0).any(axis=1)
    gains = sum(np.maximum(best, 0.0).T, np.zeros(len(voters)))
    standing = standing.with_factor("other editions", voters[voted], weights.agreement * gains[voted], "+")
    # None of them falls behind the rest: agreement only adds.
    first = standing._replace(order=voters).sorted_by_score()
    return first._replace(order=np.concatenate([first.order, rest]))


def merge_counterparts(standing: Ranking, table: DocumentTable, weights: RankingWeights) -> Ranking:
    """What corresponds to a better hit is among its counterparts and is not shown twice."""
    order = standing.order
    # Nothing corresponds within an edition.
    if not (table.edition[order] != table.edition[order[:1]]).any():
        return standing._replace(order=order[: weights.listed])
    kept: list[int] = []
    taken: set[int] = set()
    for number in order.tolist():
        if len(kept) == weights.listed:
            break
        if number not in taken:
            kept.append(number)
            taken.update(table.same_provisions[number])
    return standing._replace(order=np.array(kept, dtype=np.intp))


def demote_repeated_laws(standing: Ranking, table: DocumentTable, weights: RankingWeights) -> Ranking:
    """The second hit of a law steps back behind the first of another."""
    _, first = np.unique(table.law[standing.order], return_index=True)
    return standing.with_factor("same law", np.delete(standing.order, first), weights.same_law).sorted_by_score()


class PreparedQuery(NamedTuple):
    """What words weigh, whatever they are narrowed down to: what they ``found``, what they are looked at with, by
    language, what they tell of (``lawlike``: in the words of the laws), and where the quoted ones stand.
    """

    matches: QueryMatches
    terms_by_lang: Mapping[str, QueryTerms]
    reranker: Reranker
    prediction_scores: PredictionScores
    lawlike: bool
    phrase_finder: PhraseFinder


class TextRanking(NamedTuple):
    """Candidates in order; whether one of them answers."""

    ranking: Ranking
    confident: bool


def prepare_query(
    query: WordQuery,
    index: Index,
    table: DocumentTable,
    postings: Postings,
    weights: RankingWeights,
    tells: PredictionScores,
) -> PreparedQuery:
    """What can be said of every provision before it is known which are asked for; the reader of ``query`` counts for
    nothing.
    """
    found = candidates.match_query(query, postings, table, weights)
    looks = {lang: QueryTerms(query.units, lang, index.lexicons[lang], weights) for lang in table.langs}
    treated = _term_relevance(query, index, table, weights)
    closer = Reranker(query, found, looks, treated, index.documents, table, weights)
    quotations = PhraseFinder(index.documents, index.lexicons)
    return PreparedQuery(found, looks, closer, tells, has_only_law_words(query, index.lexicons), quotations)


def rank_provisions(
    query: WordQuery,
    weighed: PreparedQuery,
    chosen: Collection[Identity],
    among: np.ndarray,
    index: Index,
    table: DocumentTable,
    postings: Postings,
    weights: RankingWeights,
) -> TextRanking:
    """The provisions of the editions chosen, ``among`` those asked for (by number)."""
    ids = {e.id for e in chosen}
    tells = weighed.prediction_scores.for_editions(ids)
    found, looked = _select_best(weighed.matches, among, table, weights)
    standing = weighed.reranker.add_factors(Ranking.of(weighed.matches, found), looked)
    standing, verbatim = add_predicted(standing, query, tells, weighed.lawlike, among, weights), False
    if query.phrases:
        places, verbatim = _find_quoted(query, weighed, sorted({e.lang for e in chosen}), postings, among)
        standing = keep_quoted(standing, places, weights)
    standing = apply_edition_factors(standing, query, index.library, table, weights)
    if len(ids) > 1 and not query.phrases:
        standing = apply_agreement(standing, table, weights)
        if not query.excluded:
            home = home_edition(chosen, query.reader)
            standing = add_home_counterparts(standing, home, query.reader, table, among)
    standing = demote_repeated_laws(merge_counterparts(standing, table, weights), table, weights)
    return TextRanking(standing, is_confident(query, standing, verbatim, tells, weights))


def _select_best(
    found: QueryMatches, among: np.ndarray, table: DocumentTable, weights: RankingWeights
) -> tuple[np.ndarray, np.ndarray]:
    """The best of each language that are asked for, and those of them that are looked at."""
    asked_for = found.order[among[found.order]]
    by_lang = [asked_for[table.lang[asked_for] == code][: weights.ranked] for code in range(len(table.langs))]
    return _concatenate(by_lang), _concatenate(of[: weights.looked_at] for of in by_lang)


def _concatenate(lists: Iterable[np.ndarray]) -> np.ndarray:
    return np.concatenate([np.zeros(0, dtype=np.intp), *lists])


def _find_quoted(
    query: WordQuery, weighed: PreparedQuery, langs: Iterable[str], postings: Postings, among: np.ndarray
) -> tuple[dict[int, WordPositions], bool]:
    """Where the quoted words stand, of what is asked for; and whether they stand there as typed."""
    places, verbatim = weighed.phrase_finder.find(query, langs, postings)
    places = {number: where for number, where in places.items() if among[number]}
    return places, verbatim and bool(places)


def _term_relevance(query: WordQuery, index: Index, table: DocumentTable, weights: RankingWeights) -> np.ndarray:
    """Of every document how much it is what a term is that the query names: more where it gives its meaning than where
    it is about it.
    """
    out = np.zeros(table.size)
    for term in (index.library.terms[slug_of(concept)] for concept in query.named):
        for edition in table.editions:
            meaning = term.meaning(edition)
            for id_ in term.places(edition):
                if (number := table.number_of(id_)) is not None:
                    out[number] = max(out[number], weights.meaning if id_ in meaning else weights.about)
    return out
