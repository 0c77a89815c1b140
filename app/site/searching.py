"""The one place where the site meets the search package; a missing or damaged index is an error with what to do."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from corpus.bid import Overcall
from corpus.library import Library
from corpus.place import Place
from index import IndexMissing
from index.answer import Answer, Suggestion
from index.heard.finder import Described
from index.search import Searcher

T = TypeVar("T")

# Characters of a query: what is longer is no question.
LONGEST = 500
# Situations beside the provisions that a search finds.
MOST_CALLS = 3


class SearchMissingError(Exception):
    """The search cannot answer; the message says what to do."""


class Search:
    """The searcher over one library, opened when it is first asked and shared by all threads.

    An index that was missing is looked for again at the next request: the maintainer may have built it meanwhile.
    """

    def __init__(self, build: Place, library: Library, searcher: Searcher | None = None):
        self._build, self._library, self._searcher = build, library, searcher
        self._lock = threading.Lock()

    def answer(self, q: str, **filters) -> Answer:
        """The answer to a query, with the filters of :meth:`index.search.Searcher.search`."""
        return self._asked(lambda searcher: searcher.search(q, **filters))

    def suggest(self, q: str, lang: str | None = None) -> tuple[Suggestion, ...]:
        """At most a handful."""
        return self._asked(lambda searcher: searcher.suggest(q, lang=lang))

    def situations(self, q: str, lang: str | None = None, limit: int = 10) -> tuple[Described, ...]:
        """The situations that words describe, best first."""
        return self._asked(lambda searcher: searcher.situations(q, lang, limit))

    def overcall(self, q: str, lang: str | None = None) -> Overcall | None:
        """The two bids that words tell, where the later one is insufficient."""
        return self._asked(lambda searcher: searcher.overcall(q, lang))

    def ready(self) -> None:
        """Raises :class:`SearchMissingError` unless the index answers."""
        self._open()

    def _open(self) -> Searcher:
        with self._lock:
            if self._searcher is None:
                try:
                    self._searcher = Searcher.open(self._build, self._library)
                except IndexMissing as error:
                    raise SearchMissingError(str(error)) from None
            return self._searcher

    def _asked(self, question: Callable[[Searcher], T]) -> T:
        try:
            return question(self._open())
        except IndexMissing as error:
            self._searcher = None
            raise SearchMissingError(str(error)) from None
