"""Factors of reranking, for the best candidates only: kind, heading, definition, topic, term, printed words, year.

:class:`QueryTerms` finds the words of a text that answer a query. :class:`Reranker` computes the features and
multiplies the scores by the factors. A factor is a function of the features for all documents at once; the value 1
changes nothing. To add one, write a function and its row in :data:`FACTORS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from index.answer import MatchByOtherName
from index.concept import is_concept
from index.documents import Document, Spans
from index.lexicon import Lexicon
from index.query.model import MARKED_REASONS, Unit, WordQuery
from index.rank.candidates import DocumentTable, QueryMatches, Ranking
from index.weights import RankingWeights

# Position of a word → unit of the query → how well the word answers it.
AnsweringUnits = Mapping[int, Mapping[int, float]]


class MarkedWord(NamedTuple):
    """A word in a text that answers units of the query (by their index), and why."""

    units: frozenset[int]
    why: str | MatchByOtherName


class QueryTerms:
    """The printed forms and concepts of one language that answer one query."""

    def __init__(self, units: tuple[Unit, ...], lang: str, lexicon: Lexicon, weights: RankingWeights):
        self.define_patterns, self.stopwords = lexicon.define, lexicon.stopwords
        self._typed = tuple(unit.corrected or unit.typed for unit in units)
        # Printed form or concept → {unit: strength}.
        self.strengths: dict[str, dict[int, float]] = {}
        # The forms and concepts that may be marked in a text, with the reason.
        self._marked: dict[str, str] = {}
        self._marked_words: dict[str, MarkedWord] = {}
        for i, unit in enumerate(units):
            for term, strength, why in unit.terms.get(lang, ()):
                named = is_concept(term)
                for form in (term,) if named else lexicon.forms_of(term):
                    if form in lexicon.stopwords:
                        continue
                    # The form as typed counts more than another form of the word.
                    value = strength if named or form == unit.form else weights.other_form * strength
                    if why in MARKED_REASONS:
                        self._marked.setdefault(form, why)
                    strengths = self.strengths.setdefault(form, {})
                    strengths[i] = max(strengths.get(i, 0.0), value)
        # Concepts come after words, because the later reason wins and a concept says more.
        self._order = {key: (is_concept(key), key) for key in self._marked}

    def answering_units(self, spans: Spans) -> AnsweringUnits:
        """Return the words of a heading or text that answer the query: position → unit → strength."""
        out: dict[int, dict[int, float]] = {}
        if self.strengths.keys().isdisjoint(spans):
            return out
        for key in self.strengths.keys() & spans.keys():
            for first, last in spans[key]:
                for i in range(first, last + 1):
                    units = out.setdefault(i, {})
                    for unit, strength in self.strengths[key].items():
                        units[unit] = max(units.get(unit, 0.0), strength)
        return out

    def marked_text_words(self, spans: Spans) -> dict[int, MarkedWord]:
        """Return position in the text → word that a snippet marks there: a reviewed term or a word of the query."""
        out: dict[int, MarkedWord] = {}
        # Most texts have few of the keys, so only those are sorted.
        found = self._marked.keys() & spans.keys()
        for key in sorted(found, key=self._order.__getitem__):
            for first, last in spans[key]:
                for i in range(first, last + 1):
                    match, before = self._marked_word(key), out.get(i)
                    if before:
                        named = is_concept(key) and isinstance(before.why, MatchByOtherName)
                        why = match.why if named else self._marked[key]
                        match = MarkedWord(before.units | match.units, why)
                    out[i] = match
        return out

    def _marked_word(self, key: str) -> MarkedWord:
        """Return the :class:`MarkedWord` of a form or concept (``key``), as if nothing else were marked at its place.

        It is the same in every text.
        """
        if key not in self._marked_words:
            why = self._match_by_other_name(key) if is_concept(key) else self._marked[key]
            self._marked_words[key] = MarkedWord(frozenset(self.strengths[key]), why)
        return self._marked_words[key]

    def _match_by_other_name(self, concept: str) -> MatchByOtherName:
        """Return the reason why a name of ``concept`` matches: the words of the query that name the same concept."""
        return MatchByOtherName(tuple(self._typed[unit] for unit in sorted(self.strengths[concept])))


class RerankFeatures(NamedTuple):
    """The features of the documents for one query, by document number.

    ``of_query`` is the share of the query, by rarity, that the heading answers. ``of_heading`` is the share of the
    heading's content words that answer the query. ``topic`` is the share of the query under which the printed subject
    index lists the document. ``treated`` says how closely the document belongs to a term that the query names.
    ``heads_definition``: the heading begins with a word for “definition”. ``printed``: the document has the words as
    typed, one after the other, or all of them side by side in any form; it is not computed for queries of few words.
    """

    query: WordQuery
    table: DocumentTable
    of_query: np.ndarray
    of_heading: np.ndarray
    topic: np.ndarray
    treated: np.ndarray
    heads_definition: np.ndarray
    printed: np.ndarray


class Reranker:
    """Computes the features of documents for one query, each document once for all filters. Shared between threads."""

    def __init__(
        self,
        query: WordQuery,
        found: QueryMatches,
        terms_by_lang: Mapping[str, QueryTerms],
        treated: np.ndarray,
        documents: Sequence[Document],
        table: DocumentTable,
        weights: RankingWeights,
    ):
        """``treated`` holds, for every document, how closely it belongs to a term that the query names."""
        self._query, self._matches, self._terms_by_lang, self._weights = query, found, terms_by_lang, weights
        self._documents, self._table = documents, table
        self._done = np.zeros(table.size, dtype=bool)
        nothing = np.zeros(table.size, dtype=bool)
        self._has_first_form, self._has_all_units, self._has_heading_term = (
            nothing.copy(),
            nothing.copy(),
            nothing.copy(),
        )
        if len(query.forms) >= weights.phrase:
            self._has_first_form[table.documents_by_text.get(query.forms[0], ())] = True
        if len(query.units) >= weights.phrase:
            self._has_all_units |= found.whole
        for lang, query_terms in terms_by_lang.items():
            for key in query_terms.strengths:
                if (numbers := table.documents_by_heading.get((lang, key))) is not None:
                    self._has_heading_term[numbers] = True
        # Only these documents need to be read word by word. Most do not.
        self._needs_reading = (
            self._has_first_form | self._has_all_units | (table.titled if query.define else self._has_heading_term)
        )
        size = table.size
        self._features = RerankFeatures(
            query,
            table,
            of_query=np.zeros(size),
            of_heading=np.zeros(size),
            topic=self._topic_shares(),
            treated=treated,
            heads_definition=np.zeros(size, dtype=bool),
            printed=np.zeros(size, dtype=bool),
        )

    def add_factors(self, ranking: Ranking, first: np.ndarray) -> Ranking:
        """Return the ranking with the rerank factors. ``first`` are the best documents of each language; only they get
        factors.
        """
        new = first[~self._done[first]]
        for number in new[self._needs_reading[new]].tolist():
            self._compute_features(number)
        self._done[new] = True
        features, printed = self._features, ranking.printed.copy()
        printed[first] = features.printed[first]
        for name, factor in FACTORS:
            values = factor(features, self._weights)[first]
            applies = values != 1.0
            ranking = ranking.with_factor(name, first[applies], values[applies])
        return ranking._replace(printed=printed)

    def _topic_shares(self) -> np.ndarray:
        table = self._table
        out: np.ndarray = np.zeros(table.size)
        for unit, evidence in zip(self._query.units, self._matches.words, strict=True):
            for code, lang in enumerate(table.langs):
                named = np.zeros(table.size, dtype=bool)
                for numbers in _topic_documents(unit, lang, table, self._weights):
                    named[numbers] = True
                out[named] += evidence.rarities[code]
        totals = [sum(e.rarities[code] for e in self._matches.words) or 1.0 for code in range(len(table.langs))]
        out /= np.array(totals)[table.lang]
        return out

    def _compute_features(self, number: int) -> None:
        document, features = self._documents[number], self._features
        terms, forms = self._terms_by_lang[document.node.lang], document.heading.forms
        if self._has_heading_term[number] and (heading := terms.answering_units(document.heading.places)):
            best: dict[int, float] = {}
            for units_here in heading.values():
                for unit, strength in units_here.items():
                    best[unit] = max(best.get(unit, 0.0), strength)
            content = [i for i, form in enumerate(forms) if form not in terms.stopwords]
            rarities = self._matches.unit_rarities(number)
            features.of_query[number] = sum(rarities[u] * strength for u, strength in sorted(best.items())) / sum(
                rarities
            )
            features.of_heading[number] = sum(i in heading for i in content) / (len(content) or 1)
        features.heads_definition[number] = forms[:1] != () and forms[0] in terms.define_patterns
        features.printed[number] = (
            self._has_first_form[number] and _prints_consecutive_words(self._query.forms, document)
        ) or (self._has_all_units[number] and _has_words_together(document, len(self._query.units), terms))


def _topic_documents(unit: Unit, lang: str, table: DocumentTable, weights: RankingWeights) -> list[np.ndarray]:
    """Return the numbers of the documents that the printed subject index lists under a word, an array for each term."""
    meant = (t.term for t in unit.terms.get(lang, ()) if t.strength >= weights.meant)
    return [numbers for term in meant if (numbers := table.documents_by_topic.get((lang, term))) is not None]


def _has_words_together(document: Document, count: int, query_terms: QueryTerms) -> bool:
    """Whether all ``count`` words of a query, in any form, stand near each other in the text of a document."""
    found = sorted(query_terms.answering_units(document.text.places).items())
    last: dict[int, int] = {}
    for place, units in found:
        last |= {unit: place for unit, strength in units.items() if strength >= 1}
        if len(last) == count and place - min(last.values()) < 2 * count:
            return True
    return False


def _prints_consecutive_words(forms: tuple[str, ...], document: Document) -> bool:
    """Whether the text of a document has the words as they were typed (``forms``), one after the other."""
    text_forms, starts = document.text.forms, document.text.places.get(forms[0], ())
    return any(text_forms[i : i + len(forms)] == forms for i, _ in starts)


def _kind_factor(seen: RerankFeatures, weights: RankingWeights) -> np.ndarray:
    mentioned = weights.mentioned if not seen.query.define and len(seen.query.units) > 2 else 1.0
    return _value_where(seen.table.defines, mentioned)


def _heading_factor(seen: RerankFeatures, weights: RankingWeights) -> np.ndarray:
    return 1 + weights.heading * seen.of_query * (weights.heading_part + (1 - weights.heading_part) * seen.of_heading)


def _definition_factor(seen: RerankFeatures, weights: RankingWeights) -> np.ndarray:
    """Return a factor that raises definitions, and provisions whose heading announces one.

    “Definicja fałszywego renonsu” heads a section.
    """
    if not seen.query.define:
        return np.ones(seen.table.size)
    called = 1 + weights.definition * seen.of_query
    return np.where(
        seen.table.defines,
        1 + weights.definition * seen.of_query * seen.of_heading,
        _value_where(seen.heads_definition, called),
    )


def _topic_factor(seen: RerankFeatures, weights: RankingWeights) -> np.ndarray:
    return 1 + weights.topic * seen.topic


def _term_factor(seen: RerankFeatures, weights: RankingWeights) -> np.ndarray:  # noqa: ARG001 – weighed where the term is looked up
    return 1 + seen.treated


def _year_factor(seen: RerankFeatures, weights: RankingWeights) -> np.ndarray:
    if not seen.query.years:
        return np.ones(seen.table.size)
    return _value_where(np.isin(seen.table.year, [int(year) for year in seen.query.years]), weights.year)


def _value_where(so: np.ndarray, value: np.ndarray | float) -> np.ndarray:
    """Return an array with ``value`` where ``so`` is true and with 1, which changes no score, elsewhere."""
    return np.where(so, value, 1.0)


FACTORS: tuple[tuple[str, Callable[[RerankFeatures, RankingWeights], np.ndarray]], ...] = (
    ("kind", _kind_factor),
    ("heading", _heading_factor),
    ("definition", _definition_factor),
    ("subject index", _topic_factor),
    ("term", _term_factor),
    ("year", _year_factor),
)
