"""The one place where the site meets the search package. A missing or damaged index is a value with what to do, not a crash."""
from __future__ import annotations

import threading
from pathlib import Path

from corpus.library import Library


class SearchMissing(Exception):
    """The search cannot answer; the message says what to do."""


class Search:
    """Opens the searcher when it is first asked, once for every thread: a reader of the index belongs to one thread."""

    def __init__(self, build: Path, library: Library, searcher=None):
        self._build, self._library, self._given = build, library, searcher
        self._local = threading.local()

    def answer(self, q: str, **filters):
        """The Answer of ``index.search`` for a query; its ``to_json()`` is the object of the API."""
        return self._call("search", q, **filters)

    def suggest(self, q: str, lang: str | None = None) -> list[dict]:
        """At most a handful of ``{"text", "kind", "url"}``."""
        return self._call("suggest", q, lang=lang)

    def ready(self) -> None:
        """Raises :class:`SearchMissing` unless the index answers."""
        self._searcher()

    def _searcher(self):
        if self._given is not None:
            return self._given
        if getattr(self._local, "searcher", None) is None:
            try:
                from index import IndexMissing
                from index.search import Searcher
            except ImportError:
                raise SearchMissing("The search is not installed. Run: make build") from None
            try:
                self._local.searcher = Searcher.open(self._build, self._library)
            except IndexMissing as error:
                raise SearchMissing(str(error)) from None
        return self._local.searcher

    def _call(self, name: str, *args, **kwargs):
        searcher = self._searcher()
        try:
            return getattr(searcher, name)(*args, **kwargs)
        except Exception as error:
            if type(error).__name__ == "IndexMissing":
                self._local.searcher = None
                raise SearchMissing(str(error)) from None
            raise
