"""The search: a query is parsed, its provisions ranked, the page of them that was asked for handed out with what shows
why.

>>> searcher = Searcher.open(made_last(build_dir), library)          # doctest: +SKIP
>>> searcher.search("27b1").hits[0].node.id                          # doctest: +SKIP
'pl-2007/27/B/1'
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from dataclasses import replace

from whoosh.filedb.filestore import RamStorage

from corpus.bid import Overcall
from corpus.edition.identity import Identity
from corpus.library import Library
from corpus.model import Node
from corpus.place import Place
from corpus.situation.model import INSUFFICIENT
from corpus.store import MOVE
from index import IndexMissing, opening, snippet
from index.among import Among
from index.answer import Answer, Hit, Run, Suggestion, counterparts
from index.cards import cards
from index.comparing import compared
from index.facets import Counted
from index.heard.finder import LISTED, SILENCE, Described, Finder, Heard, led, likely
from index.loose import kept
from index.opening import Index
from index.query.asked import Asked, Cited
from index.query.parse import QueryParser, clean
from index.rank import asked, cited
from index.rank.candidate import Candidate, candidates
from index.rank.editions import home_edition
from index.rank.postings import Postings, Rows
from index.rank.table import Table
from index.rank.told import Places, Tells
from index.suggest.corrected import corrected
from index.suggest.suggester import Suggester
from index.weights import WEIGHTS, Weights

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
        self._addresses = cited.Addresses(index.library, index.by_id, weights)
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
        standing, sure = asked.rank(
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

    def _weigh(self, query: Asked, lang: str) -> asked.Weighed:
        """``query`` has no reader: who reads does not change what words weigh."""
        tells = Tells(self._heard(query.text, lang, LISTED), self._places, self._table, self._weights)
        return asked.weigh(query, self._index, self._table, self._postings(), self._weights, tells)

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
