"""What a running server knows: the library, what is derived from it, the search; taken anew when built anew."""

from __future__ import annotations

import hashlib
import threading
from dataclasses import dataclass
from pathlib import Path

from flask import g

from app.site.atlas import Atlas
from app.site.searching import Search
from corpus.library import Library
from corpus.store import StoreError
from index.search import Searcher


@dataclass(frozen=True)
class Snapshot:
    """One library with all that belongs to it; a request uses one snapshot from its beginning to its end.

    ``digest``: of what was built; empty where a library was given.
    """

    library: Library
    atlas: Atlas
    search: Search
    digest: str = ""


class State:
    """Holds the snapshot; cheap to ask before every request (a ``stat`` of each manifest in the build folder)."""

    def __init__(self, build: Path, library: Library | None = None, searcher: Searcher | None = None):
        self._build, self._library, self._searcher = build, library, searcher
        self._lock = threading.Lock()
        self._stamp: tuple | None = None
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
        library = self._library or Library.open(self._build / "corpus")
        return Snapshot(library, Atlas(library), Search(self._build, library, self._searcher), self._digest())

    def _digest(self) -> str:
        if self._library is not None:
            return ""
        manifests = sorted(self._build.glob("*/manifest.json"))
        return hashlib.sha256(b"".join(path.read_bytes() for path in manifests)).hexdigest()

    def _look(self) -> tuple:
        if self._library is not None:
            return ("given",)
        out = []
        for path in sorted(self._build.glob("*/manifest.json")):
            try:
                seen = path.stat()
            except OSError:
                continue
            out.append((path.parent.name, seen.st_mtime_ns, seen.st_size, seen.st_ino))
        return tuple(out)


def current() -> Snapshot:
    """The snapshot of this request."""
    if "snapshot" not in g:
        g.snapshot = g.state.snapshot()
    return g.snapshot
