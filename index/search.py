"""The search: parse a query, rank the provisions, and return the requested page of hits with snippets.

:class:`Searcher` is the entry point. ``Searcher.open`` takes a generation and its library; ``search`` returns
a :class:`index.answer.SearchAnswer`, ``suggest`` completions, ``situations`` the situations that a query describes.
:func:`group_by_law` and :func:`find_comparison` make two parts of the answer.

>>> searcher = Searcher.open(last_build(), library)          # doctest: +SKIP
>>> searcher.search("27b1").hits[0].node.id                          # doctest: +SKIP
'pl-2007/27/B/1'
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from corpus.bid import Overcall
from corpus.edition import Identity, sort_key_for_reader
from corpus.generation import SEARCH_PART, Generation, refuse_unreadable
from corpus.library import Library
from corpus.model import Node, NodeId
from corpus.remarks import Conditions
from corpus.situation.model import Situation
from corpus.time_limit import check_time
from index import opening, snippet
from index.answer import ComparisonTarget, Hit, LawHits, SearchAnswer, SnippetRun, Suggestion, counterparts_of
from index.branch import BranchQuestion, BranchQuestions
from index.classifier import (
    MOST_SITUATIONS,
    NO_PREDICTION,
    Classifier,
    Prediction,
    SituationMatch,
    likely_situations,
    put_first,
)
from index.documents import Document
from index.engine import ArrayEngine, Engine
from index.lexicon import cached_method
from index.names import SituationNames
from index.opening import Index
from index.query.model import CitationQuery, WordQuery
from index.query.parse import QueryParser, clean
from index.query.stated import FactReader, StatedFact, stated_answers
from index.rank import exact, rank
from index.rank.candidates import Candidate, DocumentTable, Postings, build_candidates
from index.rank.confidence import PredictionScores, PredictionTargets, find_rival
from index.rank.facts import ProvisionFacts
from index.rank.rank import home_edition
from index.sections import SectionClassifier
from index.suggest import Suggester, correct_query
from index.weights import WEIGHTS, RankingWeights


def group_by_law(found: Sequence[Candidate], home: Identity | None, library: Library) -> tuple[LawHits, ...]:
    """Return the hits by their law. The laws are in the order of their best hits.

    ``home`` is the edition that the reader reads first. Within a law, hits of that edition come before those of other
    editions. A decision stands under the law that it is about. A decision in force comes before a text that is not in
    force, if its score is at least half of that text's score.
    """
    by_law: dict[NodeId, list[Candidate]] = {}
    for candidate in found:
        by_law.setdefault(_home_law(candidate.node, home, library), []).append(candidate)
    out = []
    for law, hits in by_law.items():
        order = sorted(
            hits, key=lambda c: (not _decision_goes_first(c, hits[0], library), c.node.edition != law.edition)
        )
        out.append(LawHits(law, tuple(c.node.id for c in order)))
    return tuple(out)


def _home_law(node: Node, home: Identity | None, library: Library) -> NodeId:
    """Return the id of the law that a node belongs to, or is about, in the edition ``home``. If that edition has none,
    return the id of the node's own page.
    """
    own = library.page_node_of(node)
    if home is None:
        return own.id
    ruling = library.rulings_by_point.get(own.id)
    about = [_id_in_code(path, ruling.code, library) for path in ruling.provisions] if ruling else []
    pages = (library.page_node_in(start, home.id) for start in [id_ for id_ in about if id_] or [node.id])
    return next((page.id for page in pages if page), own.id)


def _id_in_code(path: str, code: str, library: Library) -> NodeId | None:
    """Return the id of a path in the first text of a code that has it, or None where no text of the code has it."""
    texts = sorted((e for e in library.law_editions if e.code == code), key=sort_key_for_reader())
    ids = (NodeId.of(e.id, path) for e in texts)
    return next((id_ for id_ in ids if id_ in library.nodes), None)


def _decision_goes_first(candidate: Candidate, first: Candidate, library: Library) -> bool:
    """Whether ``candidate`` comes before ``first``, the best hit of the same law.

    It does if it is a decision that is or may be in force, ``first`` is in a text of the laws that is not in force, and
    ``candidate`` has at least half of the score of ``first``.
    """
    ours, other = (library.editions[c.node.edition] for c in (candidate, first))
    if not ours.is_decisions or ours.is_in_force is False or other.is_decisions or other.is_in_force is not False:
        return False
    return candidate.score * 2 >= first.score


_FACET_VALUES: dict[str, Callable[[Sequence[Document]], Iterable[str]]] = {
    "edition": lambda documents: [d.node.edition for d in documents],
    "lang": lambda documents: [d.node.lang for d in documents],
    "kind": lambda documents: [d.node.kind for d in documents],
    "condition": lambda documents: [c for d in documents for c in d.conditions],
    "law": lambda documents: [d.law for d in documents],
}


class FacetCounts(Mapping[str, Mapping[str, int]]):
    """How many documents have each value of each facet, the most frequent value first.

    The facets are the edition, the language, the kind, the condition under which a provision holds, and the law (the id
    of its page). Counts are computed on access, because a page makes many answers and shows the counts of one.
    """

    def __init__(self, documents: Sequence[Document]):
        self._documents = documents

    def __getitem__(self, name: str) -> Mapping[str, int]:
        return dict(Counter(_FACET_VALUES[name](self._documents)).most_common())

    def __iter__(self) -> Iterator[str]:
        return iter(_FACET_VALUES)

    def __len__(self) -> int:
        return len(_FACET_VALUES)


def find_comparison(
    query: CitationQuery | WordQuery, found: Sequence[Node], library: Library, lang: str | None
) -> ComparisonTarget | None:
    """Return the comparison that answers a request for changes.

    ``found`` are the provisions that the words find, best first. The comparison is of the cited path, or of the law of
    the first hit. The newest edition that has it comes first. Returns None if the query does not ask for changes or
    nothing is found.
    """
    if query.changes is None:
        return None
    texts = _texts_to_compare(library, query.changes.years, lang)
    if isinstance(query, CitationQuery):
        base = next((e for e in texts for path in query.paths if library.node_at(e.id, path)), None)
        return _make_comparison(query.paths[0], base, texts) if base and query.paths else None
    node = next((n for n in found if library.relations.code_of(n.edition) and n.kind != "definition"), None)
    return _comparison_of_node(node, texts, library) if node else None


def _comparison_of_node(node: Node, texts: Sequence[Identity], library: Library) -> ComparisonTarget | None:
    """Return the comparison for the law of a node; None if no edition in ``texts`` has a counterpart of that law.

    The first edition that has one comes first in it.
    """
    pages = ((library.page_node_in(node.id, text.id), text) for text in texts)
    return next((_make_comparison(page.path, text, texts) for page, text in pages if page), None)


def _make_comparison(path: str, base: Identity, texts: Iterable[Identity]) -> ComparisonTarget:
    return ComparisonTarget(path, (base.id, *(e.id for e in texts if e.id != base.id)))


def _texts_to_compare(library: Library, years: Iterable[str], lang: str | None) -> list[Identity]:
    """Return one complete edition of each code, the newest first.

    Of several editions of a code, one in the reader's language (``lang``) is preferred. If ``years`` names two codes or
    more, only those are returned.
    """
    named = set(years)
    best: dict[str, Identity] = {}
    for edition in sorted(library.law_editions, key=sort_key_for_reader(lang)):
        if edition.complete:
            best.setdefault(edition.code, edition)
    chosen = {code: e for code, e in best.items() if str(e.year) in named or code in named}
    return sorted((chosen if len(chosen) > 1 else best).values(), key=lambda e: e.sort_key, reverse=True)


CACHED_FILTERS = 64


class FilterMasks:
    """Computes and caches which documents pass a filter.

    Every document is checked once for each set of conditions, because a page needs an answer for each filter that it
    offers. Shared between threads.
    """

    def __init__(self, documents: Sequence[Document], conditions: Conditions, table: DocumentTable):
        self._documents, self._conditions, self._table = documents, conditions, table
        self._mask_cached, self._mask_of_conditions_cached = (
            cached_method(self._compute_mask, CACHED_FILTERS),
            cached_method(self._mask_of_conditions, CACHED_FILTERS),
        )

    def mask_of(self, editions: Collection[str], kinds: Collection[str], without: Collection[str]) -> np.ndarray:
        """Return an array of booleans, one for each document by number: whether it passes the filter.

        A document passes if its edition is in ``editions``, its kind is in ``kinds`` (an empty collection allows every
        kind), and it holds where nobody plays under the conditions ``without``.
        """
        return self._mask_cached(frozenset(editions), frozenset(kinds), frozenset(without))

    def _compute_mask(self, editions: frozenset[str], kinds: frozenset[str], without: frozenset[str]) -> np.ndarray:
        table = self._table
        mask = _chosen_flags(editions, table.editions)[table.edition] & self._mask_of_conditions_cached(without)
        return mask & _chosen_flags(kinds, table.kinds)[table.kind] if kinds else mask

    def _mask_of_conditions(self, without: frozenset[str]) -> np.ndarray:
        holds = self._conditions.holds
        return np.array([holds(document.node.id, without) for document in self._documents], dtype=bool)


def _chosen_flags(chosen: Collection[str], names: Sequence[str]) -> np.ndarray:
    """Return an array of booleans: for each of ``names``, whether it is in ``chosen``."""
    return np.array([name in chosen for name in names], dtype=bool)


# How many parsed queries and how many prepared ones (about a megabyte each) are cached.
CACHED_QUERIES, CACHED_PREPARED = 128, 16
MOST_NAMED = 3  # situations that a bare name brings
# Ids of editions; kinds; conditions under which nobody plays.
FilterValues = tuple[tuple[str, ...], frozenset[str], frozenset[str]]
Accept = Callable[[Node], bool]  # whether a provision passes the filters


class Searcher:
    """The search over one index and the engine with its postings. It may be shared between threads."""

    def __init__(
        self, index: Index, engine: Engine, weights: RankingWeights = WEIGHTS, table: DocumentTable | None = None
    ):
        """``table`` is the document table of the same index, if one exists already."""
        self._index, self._engine, self._weights = index, engine, weights
        self._table, self._postings = table or DocumentTable(index), Postings(engine, weights)
        self._parser = QueryParser(index.library, index.lexicons, index.concepts, weights, index.talk_model)
        self._citation_ranker = exact.CitationRanker(index.library, index.by_id, weights)
        self._suggester = Suggester(index)
        self._classifier = Classifier(index.classifier_model, index.library, index.lexicons, index.concepts)
        self._prediction_targets = PredictionTargets(index.library, self._table, weights)
        self._filter_masks = FilterMasks(index.documents, index.library.conditions, self._table)
        # The situation of two bids; None if the corpus has none.
        self._bids_situation = next((s.id for s in index.library.situations.values() if s.takes == "bids"), None)
        self._fact_reader = FactReader(index.library.fact_phrases)
        self._sections = SectionClassifier(index.section_model, index.lexicons, index.concepts, self._fact_reader)
        self._provision_facts = ProvisionFacts(index.library, self._table)
        self._branches = BranchQuestions(index.library)
        self._situation_names = SituationNames(index.library, index.lexicons)
        # A page repeats the same query for every filter that it offers.
        self._parse_cached = cached_method(self._parser.parse, CACHED_QUERIES)
        self._predict_cached = cached_method(self._classifier.predict, CACHED_QUERIES)
        self._prepare_cached = cached_method(self._prepare, CACHED_PREPARED)
        self._facts_cached = cached_method(self._read_facts, CACHED_QUERIES)
        self._overcall_cached = cached_method(self._parser.parse_overcall, CACHED_QUERIES)
        self._answer_words_cached = cached_method(self._answer_words, CACHED_QUERIES)

    @classmethod
    def open(cls, generation: Generation, library: Library) -> Searcher:
        """Return the searcher over a generation, whose library is ``library``.

        All files are read now, none later. Raises :class:`corpus.generation.StoreError`; its message says what to do.
        """
        with refuse_unreadable(generation.folder / SEARCH_PART):
            index = opening.open_index(generation, library)
            return cls(index, ArrayEngine.open(index.folder, len(index.documents)))

    @property
    def has_learned(self) -> bool:
        """Whether there is a classifier. Without it, words alone find, and hardly any answer is confident."""
        return self._index.classifier_model is not None

    def with_weights(self, weights: RankingWeights) -> Searcher:
        """Return a searcher over the same index that ranks with other weights."""
        return Searcher(self._index, self._engine, weights, self._table)

    def suggest(self, q: str, lang: str | None = None, code: str = "") -> tuple[Suggestion, ...]:
        """Return a handful of completions, at most, for what has been typed so far. Those of ``code`` come first."""
        cited = self._parser.parse_citation(q, lang)
        code = self._preferred_code(self._parse_cached(q, lang), code)
        if cited:
            return self._suggester.suggest_citations(cited, lang, code)
        return self._suggester.suggest_words(clean(q), lang, code)

    def _preferred_code(self, query: CitationQuery | WordQuery, code: str) -> str:
        """Return the code that a query prefers: the only one whose year it names, else ``code``."""
        years = query.years if isinstance(query, WordQuery) else frozenset(self._years_of(query))
        return next(iter(years)) if len(years) == 1 else code

    def _years_of(self, query: CitationQuery) -> Iterator[str]:
        """Yield the codes of the editions that a citation names."""
        codes = (self._index.library.relations.code_of(edition) for edition in query.editions)
        yield from filter(None, codes)

    def situations(self, q: str, lang: str | None = None, limit: int = 10) -> tuple[SituationMatch, ...]:
        """Return the situations that the words describe or, for a citation, that list the cited provisions.

        There are at most ``limit``, best first. ``lang`` is a hint at the language of the query.
        """
        query = self._parse_cached(q, lang)
        prediction = NO_PREDICTION if isinstance(query, CitationQuery) else self._predict(query, lang, limit)
        if self._bids_situation and self.overcall(q, lang):
            return put_first(prediction.situations, self._bids_situation, limit)
        return (
            self._classifier.situations_of_paths(query.paths, limit)
            if isinstance(query, CitationQuery)
            else prediction.situations
        )

    def _predict(self, query: WordQuery, lang: str | None, limit: int = MOST_SITUATIONS) -> Prediction:
        """Return what a query describes. The situations that it names come first."""
        prediction = self._predict_cached(query.text, query.lang or lang or "", limit)
        named = (
            ()
            if query.phrases
            else self._situation_names.find(
                [unit.corrected or unit.form for unit in query.units], query.lang or lang or "", query.named
            )
        )
        situations = prediction.situations
        for id_ in reversed(named[:MOST_NAMED]):
            situations = put_first(situations, id_, max(limit, MOST_NAMED))
        return prediction._replace(situations=situations[:limit]) if named else prediction

    def stated_answers(
        self, q: str, situation: Situation, code: str, lang: str | None = None, ignored: Collection[str] = ()
    ) -> dict[str, str]:
        """Return question → answer, for the questions of a situation in a code that the words of a query answer.

        Facts of the ``ignored`` kinds answer none.
        """
        facts = (stated.fact for stated in self._facts_cached(q, lang) if stated.kind not in ignored)
        return stated_answers(situation, code, facts)

    def named_code(self, q: str, lang: str | None = None) -> str:
        """Return the code of laws whose year a query names; "" if it names none or several."""
        query = self._parse_cached(q, lang)
        return self._preferred_code(query, "") if isinstance(query, WordQuery) else ""

    def _read_facts(self, q: str, lang: str | None) -> tuple[StatedFact, ...]:
        query = self._parse_cached(q, lang)
        if isinstance(query, CitationQuery):
            return ()
        spans = defaultdict[str, list[tuple[int, int]]](list)
        for year, span in self._parser.years_in(q) if query.years else ():
            spans[year].append(span)
        years = (StatedFact(f"year-{year}", tuple(of)) for year, of in spans.items())
        spoken_in = query.lang or lang or ""
        bids = self._parser.bids_in(q, spoken_in) if self.overcall(q, lang) else ()
        named = (StatedFact(f"bid-{bid}", (span,)) for bid, span in bids)
        return (*years, *named, *self._fact_reader.read(self._parser.without_talk(q, spoken_in), spoken_in))

    def overcall(self, q: str, lang: str | None = None) -> Overcall | None:
        """Return the two bids that the query names, if the later one is insufficient and the corpus has a situation for
        that; else None.
        """
        overcall = self._overcall_cached(q, lang) if self._bids_situation else None
        return overcall if overcall and overcall.is_insufficient else None

    def search(
        self,
        q: str,
        langs: Collection[str] = (),
        editions: Collection[str] = (),
        kinds: Collection[str] = (),
        qlang: str | None = None,
        limit: int = 20,
        offset: int = 0,
        without: Collection[str] = (),
        code: str = "",
        ignored: Collection[str] = (),
    ) -> SearchAnswer:
        """Return the answer to a query. Raises :class:`corpus.time_limit.TimeLimitError` when it takes too long.

        The filters are languages (``langs``), ids of editions and kinds of nodes; an empty filter allows everything.
        ``qlang`` is a hint at the language of the query. ``without`` names conditions under which nobody plays: a
        provision that holds only there is left out. ``limit`` and ``offset`` choose the page of hits. ``code``: laws
        whose provisions come before the same in others; the laws of a year that the query names take their place.
        ``ignored``: kinds of facts that do not count, though the query states them.
        """
        check_time()
        library, conditions = self._index.library, self._index.library.conditions
        accept: Accept = lambda node: (not kinds or node.kind in kinds) and conditions.holds(node.id, without)
        all_editions = library.editions.values()
        chosen = [e for e in all_editions if (not langs or e.lang in langs) and (not editions or e.id in editions)]
        hint = qlang or (next(iter(langs)) if len(langs) == 1 else None)
        edition_langs = frozenset(library.editions[id_].lang for id_ in editions if id_ in library.editions)
        query = self._parse_cached(q, hint, edition_langs)
        if isinstance(query, WordQuery) and "year" in ignored:
            query = replace(query, years=frozenset())
        page, code = slice(offset, offset + limit), self._preferred_code(query, code)
        overcall = None if "bid" in ignored else self.overcall(q, hint)
        if isinstance(query, CitationQuery):
            answer = self._answer_citation(q, query, chosen, accept, hint, page, code)
            prediction = NO_PREDICTION
        else:
            prediction = self._predict(query, hint)
            narrowed = tuple(e.id for e in chosen), frozenset(kinds), frozenset(without)
            lang, facts = query.lang or hint or "", self._facts_cached(q, hint)
            counted = tuple(f for f in facts if f.kind not in ignored)
            answer = self._answer_words_cached(q, query, lang, narrowed, offset, limit, code, counted)
            answer = replace(answer, facts=counted, ignored=tuple(f for f in facts if f.kind in ignored))
        situations = prediction.situations
        if self._bids_situation and overcall:
            situations = put_first(situations, self._bids_situation, MOST_SITUATIONS)
        likely = likely_situations(situations, prediction.unanswered)
        return replace(answer, situations=likely, overcall=overcall)

    def _answer_citation(
        self,
        q: str,
        query: CitationQuery,
        chosen: list[Identity],
        accept: Accept,
        lang: str | None,
        page: slice,
        code: str,
    ) -> SearchAnswer:
        found, paths, confident = self._citation_ranker.rank(query, chosen, accept, lang, code)
        library = self._index.library
        return SearchAnswer(
            q,
            "citation",
            query.lang,
            len(found),
            confident,
            tuple(self._make_hit(c, snippet.opening_snippet(c.document, self._index)) for c in found[page]),
            paths,
            facets=FacetCounts([c.document for c in found]),
            cards=group_by_law(found[page], home_edition(chosen, lang, code), library),
            compare=find_comparison(query, (), library, lang),
        )

    def _answer_words(
        self,
        q: str,
        query: WordQuery,
        lang: str,
        narrowed: FilterValues,
        offset: int,
        limit: int,
        code: str,
        facts: tuple[StatedFact, ...],
    ) -> SearchAnswer:
        library, documents = self._index.library, self._index.documents
        chosen, page = [library.editions[id_] for id_ in narrowed[0]], slice(offset, offset + limit)
        home = home_edition(chosen, query.reader, code)
        prepared, mask = self._prepare_cached(replace(query, reader=None), lang), self._filter_masks.mask_of(*narrowed)
        ranking, confident = rank.rank_provisions(
            query,
            prepared,
            chosen,
            mask,
            self._index,
            self._table,
            self._postings,
            self._weights,
            home,
            self._provision_facts.agreement(stated.fact for stated in facts),
        )
        order, total = ranking.order, len(ranking.order)
        shown = build_candidates(ranking, order[page], documents)
        first = [documents[n].node for n in order[: self._weights.first].tolist()]
        rival = find_rival(query, ranking, documents, self._weights)
        return SearchAnswer(
            q,
            "text",
            query.lang,
            total,
            confident and rival is None,
            tuple(
                [
                    self._make_hit(c, snippet.candidate_snippet(c, prepared.terms_by_lang[c.node.lang], self._index))
                    for c in shown
                ]
            ),
            suggestion=correct_query(query, self._table.documents_with_form),
            facets=FacetCounts([documents[n] for n in order.tolist()]),
            capped=total >= self._weights.listed,
            cards=group_by_law(shown, home, library),
            compare=find_comparison(query, first, library, query.reader),
            asks=self._branch_question(query, lang, facts, documents[int(order[0])], documents[rival])
            if rival is not None
            else None,
        )

    def _branch_question(
        self, query: WordQuery, lang: str, facts: Collection[StatedFact], first: Document, rival: Document
    ) -> BranchQuestion | None:
        """Return the question that decides between two hits; None if there is none, or the words answer it."""
        likely = [found.id for found in self._predict(query, lang).situations]
        question = self._branches.between(first.node.id, rival.node.id, likely)
        if question is None:
            return None
        stated = stated_answers(question.situation, question.code, (f.fact for f in facts))
        return None if question.ask.id in stated else question

    def snippet_of(self, q: str, id_: NodeId, qlang: str | None = None) -> tuple[SnippetRun, ...]:
        """Return the snippet of a provision for a query, whether or not it is among the hits."""
        query, document = self._parse_cached(q, qlang), self._index.by_id.get(id_)
        if document is None:
            return ()
        if isinstance(query, CitationQuery):
            return snippet.opening_snippet(document, self._index)
        prepared = self._prepare_cached(replace(query, reader=None), query.lang or qlang or "")
        terms = prepared.terms_by_lang[document.node.lang]
        return snippet.candidate_snippet(Candidate.of(document, ()), terms, self._index)

    def _prepare(self, query: WordQuery, lang: str) -> rank.PreparedQuery:
        """Match a query once for all filters. ``query`` has no reader, because the weight of words does not depend on
        the reader.
        """
        prediction = self._predict_cached(query.text, lang, MOST_SITUATIONS)
        sections = self._sections.predict(query.text, lang, prediction.laws)
        scores = PredictionScores(prediction, sections, self._prediction_targets, self._table, self._weights)
        return rank.prepare_query(query, self._index, self._table, self._postings, self._weights, scores)

    def _make_hit(self, candidate: Candidate, runs: tuple[SnippetRun, ...]) -> Hit:
        check_time()
        others = counterparts_of(self._index.library, candidate.node)
        return Hit(candidate.node, candidate.factors, runs, others)
