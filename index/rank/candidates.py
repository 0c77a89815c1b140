"""Candidates for a query: the documents that hold the terms of its words, and the values that ranking works on.

:func:`match_query` finds the documents, in their own words or around them. :class:`DocumentTable` holds facts about all
documents as arrays. :class:`Postings` reads the index. :class:`Ranking` holds the order and the scores while they are
computed. :func:`build_candidates` turns some of them into :class:`Candidate` values with all score factors. A document
is named by its number, its place in every array.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from corpus.model import Node, NodeId
from index import documents
from index.answer import Factor, counterparts_of, score_of
from index.documents import Document
from index.engine import Engine
from index.opening import Index
from index.query.model import Unit, WordQuery
from index.weights import RankingWeights

SAME_RELATIONS = ("same", "reworded", "moved")  # relations between texts of one and the same provision
NO_DOCUMENT = -1  # stands where a document has no counterpart


class NearestDocuments(NamedTuple):
    """For every document, the nearest one in an edition; :data:`NO_DOCUMENT` if there is none.

    ``around``: it corresponds only to a provision around the document, not to the document itself.
    """

    numbers: np.ndarray
    around: np.ndarray


class DocumentTable:
    """Facts about the documents of an index, as arrays by document number; none of them is a weight.

    ``edition``, ``kind``, ``lang`` and ``law`` are indexes into ``editions``, ``kinds``, ``langs`` and ``laws``.
    ``titled``: the document has a heading. ``defines``: it is a definition. What compares
    editions is computed on first use. Shared between threads.
    """

    def __init__(self, index: Index):
        self._index, self._library = index, index.library
        nodes = [d.node for d in index.documents]
        self.size = len(nodes)
        self.editions = list(index.library.editions)
        self.kinds = sorted({n.kind for n in nodes})
        self.langs = sorted({e.lang for e in index.library.editions.values()})
        self.laws = {law: i for i, law in enumerate(dict.fromkeys(d.law for d in index.documents))}
        every = (self.editions, self.kinds, self.langs)
        places, kinds, spoken = ({name: i for i, name in enumerate(names)} for names in every)
        self.edition = np.array([places[n.edition] for n in nodes], dtype=np.intp)
        self.kind = np.array([kinds[n.kind] for n in nodes], dtype=np.intp)
        self.lang = np.array([spoken[n.lang] for n in nodes], dtype=np.intp)
        self.law = np.array([self.laws[d.law] for d in index.documents], dtype=np.intp)
        self.titled = np.array([bool(d.heading.forms) for d in index.documents], dtype=bool)
        self.defines = np.array([n.kind == "definition" for n in nodes], dtype=bool)
        self.year = np.array([n.year for n in nodes])
        self._nearest: dict[str, NearestDocuments] = {}

    @property
    def node_and_law_ids(self) -> tuple[list[NodeId], list[NodeId]]:
        """The id of the node of every document, and the id of its law."""
        return [d.node.id for d in self._index.documents], [d.law for d in self._index.documents]

    def number_of(self, id_: NodeId) -> int | None:
        """Return the document number of a node, or None if it is not a document."""
        document = self._index.by_id.get(id_)
        return document.number if document else None

    def numbers_of(self, ids: Iterable[NodeId]) -> np.ndarray:
        """Return the document numbers of some nodes. Nodes that are not documents are left out."""
        by_id = self._index.by_id
        return np.array([by_id[id_].number for id_ in ids if id_ in by_id], dtype=np.intp)

    @cached_property
    def documents_by_heading(self) -> dict[tuple[str, str], np.ndarray]:
        """(language, word or concept) → the documents that have it in their heading."""
        out: dict[tuple[str, str], list[int]] = defaultdict(list)
        for document in self._index.documents:
            for key in document.heading.places:
                out[document.node.lang, key].append(document.number)
        return {key: np.array(numbers, dtype=np.intp) for key, numbers in out.items()}

    def documents_with_form(self, form: str) -> list[Document]:
        """Return the documents that have a form in their text."""
        return [self._index.documents[number] for number in self.documents_by_text.get(form, ())]

    @cached_property
    def documents_by_text(self) -> dict[str, list[int]]:
        """Word or concept → the documents that have it in their text."""
        out: dict[str, list[int]] = defaultdict(list)
        for document in self._index.documents:
            for key in document.text.places:
                out[key].append(document.number)
        return dict(out)

    @cached_property
    def documents_by_topic(self) -> dict[tuple[str, str], np.ndarray]:
        """(language, lemma) → the documents that the printed subject index lists under it."""
        every = self._index.topics.items()
        return {(lang, lemma): self.numbers_of(ids) for lang, of in every for lemma, ids in of.items()}

    @cached_property
    def same_provisions(self) -> list[tuple[int, ...]]:
        """For each document, the documents that are the same provision in other editions."""
        found = self._library.relations.counterpart_ids
        return [tuple(self.numbers_of(found(d.node.id, SAME_RELATIONS)).tolist()) for d in self._index.documents]

    @cached_property
    def counterpart_numbers(self) -> np.ndarray:
        """The counterparts of every document, as an array of shape (documents, editions in time order, most
        counterparts).

        Free places hold :data:`NO_DOCUMENT`.
        """
        rows = [self.numbers_of(counterparts_of(self._library, d.node)) for d in self._index.documents]
        codes = [self.editions.index(id_) for id_ in self._library.relations.edition_ids]
        of = [[row[self.edition[row] == code] for code in codes] for row in rows]
        most = max((len(there) for row in of for there in row), default=0) or 1
        out = np.full((self.size, len(codes), most), NO_DOCUMENT, dtype=np.intp)
        for number, row in enumerate(of):
            for edition, there in enumerate(row):
                out[number, edition, : len(there)] = there
        return out

    def nearest_in(self, edition: str) -> NearestDocuments:
        """Return, for every document of the other editions, the document of ``edition`` that stands nearest to it."""
        if edition not in self._nearest:
            numbers, around = np.full(self.size, NO_DOCUMENT, dtype=np.intp), np.zeros(self.size, dtype=bool)
            for document in self._index.documents:
                rows = self._library.relations.nearest_counterparts(document.node.id, edition)
                if document.node.edition != edition and rows and rows[0].id in self._index.by_id:
                    numbers[document.number] = self._index.by_id[rows[0].id].number
                    around[document.number] = rows[0].how == "parent"
            self._nearest[edition] = NearestDocuments(numbers, around)
        return self._nearest[edition]


class PostingList(NamedTuple):
    """The documents that hold a term, by number, each once, and the weight of the term in each."""

    numbers: np.ndarray
    weights: np.ndarray


_NO_POSTINGS = PostingList(np.zeros(0, dtype=np.intp), np.zeros(0))


class Postings:
    """The postings of the index, with weights as BM25 saturates them. Shared between threads."""

    def __init__(self, engine: Engine, weights: RankingWeights):
        self._engine, self._weights = engine, weights
        self._decoded: dict[tuple[str, str], PostingList] = {}
        self._lengths: dict[str, tuple[np.ndarray, int]] = {}

    def own_postings(self, lang: str, term: str) -> PostingList:
        """Return the documents that have a term in their own heading or text."""
        return self._read_postings(documents.own_field(lang), term)

    def context_postings(self, lang: str, term: str) -> PostingList:
        """Return the documents that have a term in the headings above them or the provisions below them."""
        return self._read_postings(documents.context_field(lang), term)

    def document_count(self, lang: str) -> int:
        """Return how many documents a language has."""
        return self._length_norms(documents.own_field(lang))[1]

    def documents_with_unit(self, unit: Unit, lang: str, own_only: bool = False) -> set[int]:
        """Return the numbers of the documents with a term that stands well enough for a word of the query.

        ``own_only``: the term must be in the document's own words, not in those above or below it.
        """
        terms = [t.term for t in unit.terms.get(lang, ()) if t.strength >= self._weights.meant]
        where = (self.own_postings,) if own_only else (self.own_postings, self.context_postings)
        return {number for term in terms for rows in where for number in rows(lang, term).numbers.tolist()}

    def documents_with_forms(self, lang: str, forms: Iterable[str]) -> set[int]:
        """Return the numbers of the documents that have one of these printed words."""
        return {
            number
            for form in forms
            for number in self._read_postings(documents.forms_field(lang), form).numbers.tolist()
        }

    def _read_postings(self, name: str, term: str) -> PostingList:
        """Return the posting list of a term in the field ``name``. Each list is decoded once and then cached."""
        rows = self._decoded.get((name, term))
        if rows is None:
            found = self._engine.documents_with_term(name, term)
            if not len(found.numbers):
                return _NO_POSTINGS
            numbers, weights = found
            k1, norms = self._weights.saturation, self._length_norms(name)[0][numbers]
            rows = self._decoded[name, term] = PostingList(numbers, weights * (k1 + 1) / (weights + k1 * norms))
        return rows

    def _length_norms(self, name: str) -> tuple[np.ndarray, int]:
        """Return the length norm of every document in a field (as in BM25), and how many documents have the field."""
        if name not in self._lengths:
            lengths = self._engine.document_lengths(name)
            count = int(np.count_nonzero(lengths)) or 1
            average, b = float(lengths.sum()) / count or 1, self._weights.length
            self._lengths[name] = (1 - b + b * lengths / average, count)
        return self._lengths[name]


class WordPositions(NamedTuple):
    """The positions of words in a heading and in a text."""

    heading: frozenset[int]
    text: frozenset[int]


class Candidate(NamedTuple):
    """A document with its score and the factors of the score. ``quoted`` holds the positions of the quoted words."""

    document: Document
    score: float
    factors: tuple[Factor, ...]
    quoted: WordPositions | None = None

    @classmethod
    def of(cls, document: Document, factors: tuple[Factor, ...]) -> Candidate:
        """Return the candidate whose score the factors give."""
        return cls(document, score_of(factors), factors)

    @property
    def node(self) -> Node:
        """The provision."""
        return self.document.node


class ScoreStep(NamedTuple):
    """One step of the scores: its factor for every document by number, NaN where it does not apply."""

    name: str
    values: np.ndarray
    how: Literal["+", "×"] = "×"


class UnitMatches(NamedTuple):
    """What one word of a query, as ``typed``, finds.

    ``rarities`` are the weights of the word by rarity, one for each language of the table. The arrays go by document
    number: ``found``; ``values`` is the evidence (0 or more); ``covers`` is how much of the word the document has (0 to
    1).
    """

    typed: str
    rarities: tuple[float, ...]
    found: np.ndarray
    values: np.ndarray
    covers: np.ndarray


class QueryMatches(NamedTuple):
    """What the words of a query find, before any filter.

    The arrays go by document number: ``scores``; ``coverage`` is how much of the query is there; ``whole``: all of it
    is. ``order`` has the numbers of the documents that the operators allow, best first. ``lang`` is the index of each
    document's language.
    """

    words: tuple[UnitMatches, ...]
    scores: np.ndarray
    coverage: np.ndarray
    whole: np.ndarray
    order: np.ndarray
    lang: np.ndarray

    @property
    def steps(self) -> list[ScoreStep]:
        """The score steps of the words, for every document."""
        word_steps = [ScoreStep(f"“{e.typed}”", np.where(e.found, e.values, np.nan), "+") for e in self.words]
        return [*word_steps, ScoreStep("coverage", self.coverage)]

    def unit_rarities(self, number: int) -> list[float]:
        """Return, for each word of the query, how rare it is in the language of a document."""
        return [e.rarities[self.lang[number]] for e in self.words]

    def unit_coverages(self, number: int) -> list[float]:
        """Return, for each word of the query, how much of it a document has, from 0 to 1."""
        return [float(e.covers[number]) for e in self.words]


class Ranking(NamedTuple):
    """The candidates in their ``order`` (document numbers), and for every document its score so far and the ``steps``
    to it.

    ``has_matches``: the words of the query find the document, so the steps of ``found`` come before ``steps``; other
    scores start from 0. ``printed``: all words of the query stand there in their order. ``raised_by`` maps a document
    to the one whose shares of the query it takes over. ``quoted`` holds the positions of the quoted words. Frozen:
    every step makes a new ranking.
    """

    found: QueryMatches
    order: np.ndarray
    scores: np.ndarray
    has_matches: np.ndarray
    printed: np.ndarray
    steps: tuple[ScoreStep, ...] = ()
    raised_by: Mapping[int, int] = {}
    quoted: Mapping[int, WordPositions] = {}

    @classmethod
    def of(cls, found: QueryMatches, order: np.ndarray) -> Ranking:
        """Return the ranking of some documents that the words found."""
        scores, worded = np.zeros(len(found.scores)), np.zeros(len(found.scores), dtype=bool)
        scores[order], worded[order] = found.scores[order], True
        return cls(found, order, scores, worded, np.zeros(len(scores), dtype=bool))

    def rarities_and_coverages(self, number: int) -> tuple[list[float], list[float]]:
        """Return two lists with a value for each word of the query: how rare it is, and how much of it a document has
        (0 to 1).

        If another document raised this one, the values are those of the other. Both lists are empty if the document has
        none of the words.
        """
        number = self.raised_by.get(number, number)
        return (
            (self.found.unit_rarities(number), self.found.unit_coverages(number))
            if self.has_matches[number]
            else ([], [])
        )

    def with_factor(
        self, name: str, numbers: np.ndarray, values: np.ndarray | float, how: Literal["+", "×"] = "×"
    ) -> Ranking:
        """Return the ranking with one more factor for some documents. Their order stays.

        ``values`` holds one value for each of the ``numbers``, or is a single value for all of them. ``how``: it is
        added to the scores (``+``) or multiplies them (``×``).
        """
        if not len(numbers):
            return self
        scores, factor_values = self.scores.copy(), np.full(len(self.scores), np.nan)
        factor_values[numbers] = values
        scores[numbers] = scores[numbers] + values if how == "+" else scores[numbers] * values
        return self._replace(scores=scores, steps=(*self.steps, ScoreStep(name, factor_values, how)))

    def sorted_by_score(self) -> Ranking:
        """Return the ranking with the best first. Equal scores keep their order."""
        return self._replace(order=self.order[np.argsort(-self.scores[self.order], kind="stable")])


def build_candidates(ranking: Ranking, numbers: np.ndarray, documents: Sequence[Document]) -> list[Candidate]:
    """Return the candidates with these numbers, each with all its score factors."""
    if not len(numbers):
        return []
    factors: list[list[Factor]] = [[] for _ in numbers]
    worded = ranking.has_matches[numbers]
    for steps, applies in ((ranking.found.steps, worded), (ranking.steps, np.ones_like(worded))):
        for name, values, how in steps:
            step_values = values[numbers]
            for place in np.flatnonzero(applies & ~np.isnan(step_values)).tolist():
                factors[place].append(Factor(name, float(step_values[place]), how))
    shown = zip(numbers.tolist(), ranking.scores[numbers].tolist(), factors, strict=True)
    return [
        Candidate(documents[n], score, tuple(step_values), ranking.quoted.get(n)) for n, score, step_values in shown
    ]


def match_query(query: WordQuery, postings: Postings, table: DocumentTable, weights: RankingWeights) -> QueryMatches:
    """Return what the words of a query find in all languages."""
    words = tuple(_match_unit(u, postings, table, weights) for u in query.units)
    least, nothing = weights.uncovered, np.zeros(table.size)
    by_lang = [np.array(e.rarities)[table.lang] for e in words]
    covered = sum((rarity * e.covers for rarity, e in zip(by_lang, words, strict=True)), nothing)
    coverage = least + (1 - least) * (covered / sum(by_lang, nothing)) if words else nothing
    scores = sum((e.values for e in words), nothing) * coverage
    whole = np.logical_and.reduce([e.covers >= 1 for e in words]) if words else nothing.astype(bool)
    found = np.logical_or.reduce([e.found for e in words]) if words else whole
    allowed = _apply_operators(query, postings, table, found)
    order = allowed[np.argsort(-scores[allowed], kind="stable")]
    return QueryMatches(words, scores, coverage, whole, order, table.lang)


def _match_unit(unit: Unit, postings: Postings, table: DocumentTable, weights: RankingWeights) -> UnitMatches:
    """Return what one word of the query finds.

    A document has as much of a word as its best term gives. A word is as rare as its commonest term that is meant by
    it, times the weight of the unit.
    """
    found, values, covers = np.zeros(table.size, dtype=bool), np.zeros(table.size), np.zeros(table.size)
    rarities = []
    for code, lang in enumerate(table.langs):
        held = 0
        for term, strength, _ in unit.terms.get(lang, ()):
            own = postings.own_postings(lang, term)
            if strength >= weights.meant:
                held = max(held, len(own.numbers))
            around = postings.context_postings(lang, term)
            for rows, value, cover in (
                (own, strength, strength),
                (around, weights.around * strength, weights.around_cover * strength),
            ):
                numbers = rows.numbers
                found[numbers] = True
                values[numbers] = np.maximum(values[numbers], rows.weights * value)
                covers[numbers] = np.maximum(covers[numbers], cover)
        count, there = postings.document_count(lang), table.lang == code
        some = 0 if held else int(found[there].sum())
        if not held and not some:
            rarities.append(unit.weight * math.log(1 + count))
        else:
            # As in BM25: log(1 + (count - held + ½) / (held + ½)).
            rarities.append(unit.weight * math.log(2 * (count + 1) / (2 * (held or some) + 1)))
            values[there] *= rarities[-1]
    return UnitMatches(unit.typed, tuple(rarities), found, values, covers)


def _apply_operators(query: WordQuery, postings: Postings, table: DocumentTable, found: np.ndarray) -> np.ndarray:
    """Return the numbers of the found documents that have every required word and, in their own words, no excluded
    word.
    """
    required = [_documents_with_unit(u, postings, table) for u in query.units if u.required]
    excluded = [_documents_with_unit(u, postings, table, own_only=True) for u in query.excluded]
    numbers = np.flatnonzero(found)
    if not required and not excluded:
        return numbers
    return np.array(sorted(set(numbers.tolist()).intersection(*required).difference(*excluded)), dtype=np.intp)


def _documents_with_unit(unit: Unit, postings: Postings, table: DocumentTable, own_only: bool = False) -> set[int]:
    return {number for lang in table.langs for number in postings.documents_with_unit(unit, lang, own_only)}
