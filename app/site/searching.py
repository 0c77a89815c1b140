"""The one place where the site meets the search package; a missing or damaged index is an error with what to do."""

from __future__ import annotations

import threading
from pathlib import Path

from corpus.library import Library

# Characters of a query: what is longer is no question.
LONGEST = 500


class SearchMissingError(Exception):
    """The search cannot answer; the message says what to do."""


class Search:
    """The searcher over one library, opened when it is first asked and shared by all threads.

    An index that was missing is looked for again at the next request: the maintainer may have built it meanwhile.
    """

    def __init__(self, build: Path, library: Library, searcher=None):
        self._build, self._library, self._searcher = build, library, searcher
        self._lock = threading.Lock()

    def answer(self, q: str, **filters):
        """The Answer of ``index.search`` for a query; its ``to_json()`` is the object of the API."""
        return self._ask("search", q, **filters)

    def suggest(self, q: str, lang: str | None = None) -> list[dict]:
        """At most a handful of ``{"text", "kind", "url"}``."""
        return self._ask("suggest", q, lang=lang)

    def ready(self) -> None:
        """Raises :class:`SearchMissingError` unless the index answers."""
        self._open()

    def _open(self):
        with self._lock:
            if self._searcher is None:
                from index import IndexMissing
                from index.search import Searcher

                try:
                    self._searcher = Searcher.open(self._build, self._library)
                except IndexMissing as error:
                    raise SearchMissingError(str(error)) from None
            return self._searcher

    def _ask(self, name: str, *args, **kwargs):
        from index import IndexMissing

        try:
            return getattr(self._open(), name)(*args, **kwargs)
        except IndexMissing as error:
            self._searcher = None
            raise SearchMissingError(str(error)) from None
