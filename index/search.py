"""The search: a query is parsed, its provisions ranked, the page of them that was asked for handed out with what shows
why.

>>> searcher = Searcher.open(made_last(build_dir), library)          # doctest: +SKIP
>>> searcher.search("27b1").hits[0].node.id                          # doctest: +SKIP
'pl-2007/27/B/1'
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

import numpy as np
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
from index.heard.finder import LISTED, SILENCE, Described, Finder, Heard, led, likely
from index.opening import Index
from index.query.asked import Asked, Cited
from index.query.parse import QueryParser, clean
from index.rank import asked, cited
from index.rank.candidate import Candidate
from index.rank.editions import home
from index.rank.postings import Postings, Rows
from index.rank.told import Places, Told
from index.suggest.corrected import corrected
from index.suggest.suggester import Suggester
from index.weights import WEIGHTS, Weights

Accept = Callable[[Node], bool]  # whether a provision is among those asked for


class Searcher:
    """The search over one index. May be shared between threads: each has its own Whoosh reader."""

    def __init__(self, index: Index, weights: Weights = WEIGHTS):
        self._index, self._weights = index, weights
        self._parser = QueryParser(index.library, index.lexicons, index.concepts, index.printed, weights)
        self._addresses = cited.Addresses(index.library, index.by_id, weights)
        self._suggester = Suggester(index)
        self._finder = Finder(index.lesson, index.library, index.lexicons, index.concepts)
        self._places = Places(index.library, weights)
        self._among = Among(index.documents, index.library)
        self._decoded: dict[tuple[str, str], Rows] = {}
        self._local = threading.local()

    @classmethod
    def open(cls, build: Place, library: Library) -> Searcher:
        """The searcher over a folder with ``corpus/`` and ``search/``: a generation, or what was made last. The library
        is of that corpus. Nothing is read later. Raises :class:`IndexMissing` with what to do.
        """
        return cls(opening.read(build, library))

    def with_weights(self, weights: Weights) -> Searcher:
        """A search over the same index that ranks by another table."""
        return Searcher(self._index, weights)

    def suggest(self, q: str, lang: str | None = None) -> tuple[Suggestion, ...]:
        """At most a handful for what has been typed so far."""
        cited = self._parser.cited(q, lang)
        return self._suggester.of_citation(cited, lang) if cited else self._suggester.of_words(clean(q), lang)

    def situations(self, q: str, lang: str | None = None, limit: int = 10) -> tuple[Described, ...]:
        """The situations that words describe, or that cited provisions rule; ``lang``: a hint at their language."""
        query = self._parser.parse(q, lang)
        heard = SILENCE if isinstance(query, Cited) else self._heard(query, lang, limit)
        if self.overcall(q, lang):
            return led(heard.situations, INSUFFICIENT, limit)
        return self._finder.of_paths(query.paths, limit) if isinstance(query, Cited) else heard.situations

    def _heard(self, query: Asked, lang: str | None, limit: int = LISTED) -> Heard:
        return self._finder.hear(query.text, query.lang or lang or "", limit)

    def overcall(self, q: str, lang: str | None = None) -> Overcall | None:
        """The two bids that a query tells, where the later one is insufficient and there is a situation for it."""
        told = self._parser.bids(q, lang) if INSUFFICIENT in self._index.library.situations else None
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
        among = {library.editions[id_].lang for id_ in editions if id_ in library.editions}
        query = self._parser.parse(q, hint, among)
        page = slice(offset, offset + limit)
        overcall = self.overcall(q, hint)
        if isinstance(query, Cited):
            answer = self._of_citation(q, query, chosen, accept, hint, page)
            heard = SILENCE
        else:
            heard, ids = self._heard(query, hint), [e.id for e in chosen]
            answer = self._of_words(q, query, heard, chosen, self._among.of(ids, kinds, without), page)
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
            facets=self._facets(found),
            cards=cards(found[page], home(chosen, lang), library),
            compare=compared(query, (), library, lang),
        )

    def _of_words(
        self, q: str, query: Asked, heard: Heard, chosen: list[Identity], among: np.ndarray, page: slice
    ) -> Answer:
        told = Told(heard, self._places, {e.id for e in chosen}, self._weights)
        library = self._index.library
        found, looks, sure = asked.rank(query, chosen, among, self._index, self._postings(), self._weights, told)
        first = [c.node for c in found[: self._weights.first]]
        return Answer(
            q,
            "text",
            query.lang,
            len(found),
            sure,
            tuple(self._hit(c, snippet.of_candidate(c, looks[c.node.lang], self._index)) for c in found[page]),
            suggestion=corrected(query, self._index.documents),
            facets=self._facets(found),
            capped=len(found) >= self._weights.listed,
            cards=cards(found[page], home(chosen, query.reader), library),
            compare=compared(query, first, library, query.reader),
        )

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

    def _facets(self, candidates: Iterable[Candidate]) -> dict[str, dict[str, int]]:
        """How many hits are of each edition, language and kind, hold only under each condition, and are on each page
        (``law``: its id).
        """
        documents = [c.document for c in candidates]
        values: dict[str, list[str]] = {
            "edition": [d.node.edition for d in documents],
            "lang": [d.node.lang for d in documents],
            "kind": [d.node.kind for d in documents],
            "condition": [c for d in documents for c in d.alone],
            "law": [d.law for d in documents],
        }
        return {name: dict(Counter(of).most_common()) for name, of in values.items()}
