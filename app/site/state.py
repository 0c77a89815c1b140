"""What a running server knows: the library, what is derived from it, the search; taken anew when built anew."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

from flask import g

from app.site.atlas import Atlas
from app.site.searching import Search
from corpus.generation.opened import CORPUS, SEARCH, Generation, latest
from corpus.library import Library
from corpus.place import Held
from corpus.store import StoreError
from index.search import Searcher


@dataclass(frozen=True)
class Snapshot:
    """One library with all that belongs to it; a request uses one snapshot from its beginning to its end."""

    library: Library
    atlas: Atlas
    search: Search


class State:
    """Holds the snapshot; cheap to ask before every request (which generation is current is one look at a link)."""

    def __init__(self, build: Path, library: Library | None = None, searcher: Searcher | None = None):
        self._build, self._library, self._searcher = build, library, searcher
        self._lock = threading.Lock()
        self._stamp: str | None = None
        self._snapshot: Snapshot | None = None

    def snapshot(self) -> Snapshot:
        """The newest complete snapshot; raises :class:`corpus.store.StoreError` only when there never was one."""
        stamp = self._look()
        if stamp == self._stamp and self._snapshot:
            return self._snapshot
        with self._lock:
            if stamp != self._stamp or not self._snapshot:
                try:
                    self._snapshot = self._open()
                except StoreError:
                    # A build that is being swapped in, or a damaged one: readers keep the last good text.
                    if self._snapshot is None:
                        raise
                self._stamp = stamp
            return self._snapshot

    def _open(self) -> Snapshot:
        given = self._library is not None and latest(self._build) is None
        place = Held({}, self._build) if given else Generation.open(self._build, (CORPUS, SEARCH)).place
        library = self._library or Library.open(place / CORPUS)
        return Snapshot(library, Atlas(library), Search(place, library, self._searcher))

    def _look(self) -> str | None:
        return "given" if self._library is not None else latest(self._build)


def current() -> Snapshot:
    """The snapshot of this request."""
    if "snapshot" not in g:
        g.snapshot = g.state.snapshot()
    return g.snapshot
