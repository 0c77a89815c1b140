"""The search: a query is parsed, its provisions ranked, the page of them that was asked for handed out with what shows
why.

>>> searcher = Searcher.open(made_last(build_dir), library)          # doctest: +SKIP
>>> searcher.search("27b1").hits[0].node.id                          # doctest: +SKIP
'pl-2007/27/B/1'
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from whoosh.filedb.filestore import RamStorage

from corpus.bid import Overcall
from corpus.edition import Identity
from corpus.files import Place
from corpus.generation import MOVE
from corpus.library import Library
from corpus.model import Node, NodeId
from corpus.remarks import Conditions
from corpus.situation.model import INSUFFICIENT
from index import IndexMissing, opening, snippet
from index.answer import Answer, Card, Compared, Hit, Run, Suggestion, counterparts
from index.classifier import LISTED, SILENCE, Described, Finder, Heard, led, likely
from index.documents import Document
from index.lexicon import kept
from index.opening import Index
from index.query.model import Asked, Cited
from index.query.parse import QueryParser, clean
from index.rank import quoted, rank
from index.rank.candidates import Candidate, Postings, Rows, Table, candidates
from index.rank.confidence import Places, Tells
from index.rank.rank import home_edition
from index.suggest import Suggester, corrected
from index.weights import WEIGHTS, Weights


def cards(found: Sequence[Candidate], home: Identity | None, library: Library) -> tuple[Card, ...]:
    """The hits by the law that they are of, in the order of the best of each; those of the edition that is read first
    come before those of others. Decisions are on the card of the law that they are about, and before a text that is not
    in force if they answer half as well.
    """
    by_law: dict[NodeId, list[Candidate]] = {}
    for candidate in found:
        by_law.setdefault(_law(candidate.node, home, library), []).append(candidate)
    out = []
    for law, hits in by_law.items():
        order = sorted(hits, key=lambda c: (not _stands_before(c, hits[0], library), c.node.edition != law.edition))
        out.append(Card(law, tuple(c.node.id for c in order)))
    return tuple(out)


def _law(node: Node, home: Identity | None, library: Library) -> NodeId:
    """The law that a node is of, or is about, in the edition that is read first; else its own page."""
    own = library.law_of(node)
    if home is None:
        return own.id
    ruling = library.points.get(own.id)
    about = [_in_code(path, ruling.code, library) for path in ruling.provisions] if ruling else []
    pages = (library.page_in(start, home.id) for start in [id_ for id_ in about if id_] or [node.id])
    return next((page.id for page in pages if page), own.id)


def _in_code(path: str, code: str, library: Library) -> NodeId | None:
    """A path in a text of a code, the newest; None where there is none."""
    ids = (NodeId.of(e.id, path) for e in reversed(library.codes) if e.code == code)
    return next((id_ for id_ in ids if id_ in library.nodes), None)


def _stands_before(candidate: Candidate, first: Candidate, library: Library) -> bool:
    """Whether it is a decision in force and the first of the card is no text in force."""
    ours, other = (library.editions[c.node.edition] for c in (candidate, first))
    if not ours.is_decisions or ours.force is False or other.is_decisions or other.force is not False:
        return False
    return candidate.score * 2 >= first.score


_VALUES: dict[str, Callable[[Sequence[Document]], Iterable[str]]] = {
    "edition": lambda documents: [d.node.edition for d in documents],
    "lang": lambda documents: [d.node.lang for d in documents],
    "kind": lambda documents: [d.node.kind for d in documents],
    "condition": lambda documents: [c for d in documents for c in d.alone],
    "law": lambda documents: [d.law for d in documents],
}


class Counted(Mapping[str, Mapping[str, int]]):
    """How many documents are of each edition, language and kind, hold only under each condition, and are on each page
    (``law``: its id); the most first. Counted when it is asked for: a page asks many answers for one of them.
    """

    def __init__(self, documents: Sequence[Document]):
        self._documents = documents

    def __getitem__(self, name: str) -> Mapping[str, int]:
        return dict(Counter(_VALUES[name](self._documents)).most_common())

    def __iter__(self) -> Iterator[str]:
        return iter(_VALUES)

    def __len__(self) -> int:
        return len(_VALUES)


def compared(query: Cited | Asked, found: Sequence[Node], library: Library, lang: str | None) -> Compared | None:
    """Where a comparison answers: of what is cited, else of the law that words find first (``found``: what they find,
    best first). The newest text is the base; None where changes are not asked for, or nothing is found.
    """
    if query.changes is None:
        return None
    texts = _texts(library, query.changes.years, lang)
    if isinstance(query, Cited):
        base = next((e for e in texts for path in query.paths if library.node(e.id, path)), None)
        return _laid(query.paths[0], base, texts) if base and query.paths else None
    node = next((n for n in found if library.relations.code_of(n.edition) and n.kind != "definition"), None)
    return _of_node(node, texts, library) if node else None


def _of_node(node: Node, texts: Sequence[Identity], library: Library) -> Compared | None:
    """The law of a node in the newest text that has what corresponds to it."""
    pages = ((library.page_in(node.id, text.id), text) for text in texts)
    return next((_laid(page.path, text, texts) for page, text in pages if page), None)


def _laid(path: str, base: Identity, texts: Iterable[Identity]) -> Compared:
    return Compared(path, (base.id, *(e.id for e in texts if e.id != base.id)))


def _texts(library: Library, years: Iterable[str], lang: str | None) -> list[Identity]:
    """A whole text of each code, the newest first, in the reader's language where there is one; of those named where
    these are several.
    """
    named = set(years)
    best: dict[str, Identity] = {}
    for edition in sorted(library.codes, key=lambda e: (e.lang == lang, e.order), reverse=True):
        if edition.complete:
            best.setdefault(edition.code, edition)
    chosen = {code: e for code, e in best.items() if str(e.year) in named or code in named}
    return sorted((chosen if len(chosen) > 1 else best).values(), key=lambda e: e.order, reverse=True)


FILTERS = 64  # that are kept


class Among:
    """Asks every document once for the conditions of a table, and for a filter all of them at once: a page asks for as
    many filters as it offers. Shared between threads.
    """

    def __init__(self, documents: Sequence[Document], conditions: Conditions, table: Table):
        self._documents, self._conditions, self._table = documents, conditions, table
        self._kept, self._held = kept(self._of, FILTERS), kept(self._holding, FILTERS)

    def of(self, editions: Collection[str], kinds: Collection[str], without: Collection[str]) -> np.ndarray:
        """Whether each document, by number, is of one of the ``editions`` and ``kinds`` (empty: of any kind), and holds
        where nobody plays under the conditions ``without``.
        """
        return self._kept(frozenset(editions), frozenset(kinds), frozenset(without))

    def _of(self, editions: frozenset[str], kinds: frozenset[str], without: frozenset[str]) -> np.ndarray:
        table = self._table
        among = _one_of(editions, table.editions)[table.edition] & self._held(without)
        return among & _one_of(kinds, table.kinds)[table.kind] if kinds else among

    def _holding(self, without: frozenset[str]) -> np.ndarray:
        holds = self._conditions.holds
        return np.array([holds(document.node.id, without) for document in self._documents], dtype=bool)


def _one_of(chosen: Collection[str], names: Sequence[str]) -> np.ndarray:
    """Whether each name is among those that were chosen."""
    return np.array([name in chosen for name in names], dtype=bool)


# Queries whose reading, and whose weighing (about a megabyte), is kept.
KEPT, KEPT_WEIGHED = 128, 16
# Ids of editions, kinds, conditions under which nobody plays.
Narrowed = tuple[tuple[str, ...], frozenset[str], frozenset[str]]
Accept = Callable[[Node], bool]  # whether a provision is among those asked for


class Searcher:
    """The search over one index. May be shared between threads: each has its own Whoosh reader."""

    def __init__(self, index: Index, weights: Weights = WEIGHTS, table: Table | None = None):
        """``table``: that of the same index, where there is one already."""
        self._index, self._weights, self._table = index, weights, table or Table(index)
        self._parser = QueryParser(index.library, index.lexicons, index.concepts, index.printed, weights)
        self._addresses = quoted.Addresses(index.library, index.by_id, weights)
        self._suggester = Suggester(index)
        self._finder = Finder(index.lesson, index.library, index.lexicons, index.concepts)
        self._places = Places(index.library, self._table, weights)
        self._among = Among(index.documents, index.library.conditions, self._table)
        self._decoded: dict[tuple[str, str], Rows] = {}
        self._local = threading.local()
        # A page asks the same words under every filter that it offers.
        self._parsed = kept(self._parser.parse, KEPT)
        self._heard = kept(self._finder.hear, KEPT)
        self._weighed = kept(self._weigh, KEPT_WEIGHED)
        self._overcall = kept(self._parser.bids, KEPT)
        self._answered = kept(self._of_words, KEPT)

    @classmethod
    def open(cls, build: Place, library: Library) -> Searcher:
        """The searcher over a folder with ``corpus/`` and ``search/``: a generation, or what was made last. The library
        is of that corpus. Nothing is read later. Raises :class:`IndexMissing` with what to do.
        """
        return cls(opening.open_index(build, library))

    def with_weights(self, weights: Weights) -> Searcher:
        """A search over the same index that ranks by another table."""
        return Searcher(self._index, weights, self._table)

    def suggest(self, q: str, lang: str | None = None) -> tuple[Suggestion, ...]:
        """At most a handful for what has been typed so far."""
        cited = self._parser.cited(q, lang)
        return self._suggester.of_citation(cited, lang) if cited else self._suggester.of_words(clean(q), lang)

    def situations(self, q: str, lang: str | None = None, limit: int = 10) -> tuple[Described, ...]:
        """The situations that words describe, or that cited provisions rule; ``lang``: a hint at their language."""
        query = self._parsed(q, lang)
        heard = SILENCE if isinstance(query, Cited) else self._hear(query, lang, limit)
        if self.overcall(q, lang):
            return led(heard.situations, INSUFFICIENT, limit)
        return self._finder.of_paths(query.paths, limit) if isinstance(query, Cited) else heard.situations

    def _hear(self, query: Asked, lang: str | None, limit: int = LISTED) -> Heard:
        return self._heard(query.text, query.lang or lang or "", limit)

    def overcall(self, q: str, lang: str | None = None) -> Overcall | None:
        """The two bids that a query tells, where the later one is insufficient and there is a situation for it."""
        told = self._overcall(q, lang) if INSUFFICIENT in self._index.library.situations else None
        return told if told and told.insufficient else None

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
    ) -> Answer:
        """The answer to a query; filters are languages, ids of editions and kinds, empty for no filter; ``qlang``: a
        hint at the language of the query; ``without``: conditions under which nobody plays, so that what holds only
        there is left out.
        """
        library, conditions = self._index.library, self._index.library.conditions
        accept: Accept = lambda node: (not kinds or node.kind in kinds) and conditions.holds(node.id, without)
        every = library.editions.values()
        chosen = [e for e in every if (not langs or e.lang in langs) and (not editions or e.id in editions)]
        hint = qlang or (next(iter(langs)) if len(langs) == 1 else None)
        among = frozenset(library.editions[id_].lang for id_ in editions if id_ in library.editions)
        query = self._parsed(q, hint, among)
        page = slice(offset, offset + limit)
        overcall = self.overcall(q, hint)
        if isinstance(query, Cited):
            answer = self._of_citation(q, query, chosen, accept, hint, page)
            heard = SILENCE
        else:
            heard = self._hear(query, hint)
            narrowed = tuple(e.id for e in chosen), frozenset(kinds), frozenset(without)
            answer = self._answered(q, query, query.lang or hint or "", narrowed, offset, limit)
        told = led(heard.situations, INSUFFICIENT, LISTED) if overcall else heard.situations
        return replace(answer, situations=likely(told), overcall=overcall)

    def _of_citation(
        self, q: str, query: Cited, chosen: list[Identity], accept: Accept, lang: str | None, page: slice
    ) -> Answer:
        found, paths, sure = self._addresses.rank(query, chosen, accept, lang)
        library = self._index.library
        return Answer(
            q,
            "citation",
            query.lang,
            len(found),
            sure,
            tuple(self._hit(c, snippet.beginning(c.document, self._index)) for c in found[page]),
            paths,
            facets=Counted([c.document for c in found]),
            cards=cards(found[page], home_edition(chosen, lang), library),
            compare=compared(query, (), library, lang),
        )

    def _of_words(self, q: str, query: Asked, lang: str, narrowed: Narrowed, offset: int, limit: int) -> Answer:
        library, documents = self._index.library, self._index.documents
        chosen, page = [library.editions[id_] for id_ in narrowed[0]], slice(offset, offset + limit)
        weighed, among = self._weighed(replace(query, reader=None), lang), self._among.of(*narrowed)
        standing, sure = rank.rank(
            query, weighed, chosen, among, self._index, self._table, self._postings(), self._weights
        )
        order, total = standing.order, len(standing.order)
        shown = candidates(standing, order[page], documents)
        first = [documents[n].node for n in order[: self._weights.first].tolist()]
        return Answer(
            q,
            "text",
            query.lang,
            total,
            sure,
            tuple([self._hit(c, snippet.of_candidate(c, weighed.looks[c.node.lang], self._index)) for c in shown]),
            suggestion=corrected(query, self._table.holding),
            facets=Counted([documents[n] for n in order.tolist()]),
            capped=total >= self._weights.listed,
            cards=cards(shown, home_edition(chosen, query.reader), library),
            compare=compared(query, first, library, query.reader),
        )

    def _weigh(self, query: Asked, lang: str) -> rank.Weighed:
        """``query`` has no reader: who reads does not change what words weigh."""
        tells = Tells(self._heard(query.text, lang, LISTED), self._places, self._table, self._weights)
        return rank.weigh(query, self._index, self._table, self._postings(), self._weights, tells)

    def _postings(self) -> Postings:
        """Those of this thread."""
        if not hasattr(self._local, "postings"):
            folder = self._index.folder
            storage = RamStorage()
            storage.files = {path.name: path.read_bytes() for path in (folder / "postings").glob("*")}
            try:
                reader = storage.open_index().reader()
            except Exception as error:  # noqa: BLE001 (whatever is wrong, the next move is the same)
                raise IndexMissing(f"The search index in {folder} cannot be opened ({error}). {MOVE}") from None
            self._local.postings = Postings(reader, self._decoded, self._weights)
        return self._local.postings

    def _hit(self, candidate: Candidate, piece: tuple[Run, ...]) -> Hit:
        others = counterparts(self._index.library, candidate.node)
        return Hit(candidate.node, candidate.factors, piece, others)
