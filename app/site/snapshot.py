"""What a running server serves: a snapshot of one generation, which is replaced as a whole between two requests.

- :class:`Snapshot`: library, atlas, search and prerendered pages of one generation.
- :class:`SnapshotHolder`: opens the current generation, and replaces the snapshot when another becomes current.
- :func:`current_snapshot`: the snapshot of this request. Views call it.
"""

from __future__ import annotations

import datetime as dt
import gc
import logging
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from flask import Flask, g, request

from app.site.atlas import Atlas
from app.site.cache import PagePacks, PageVersion
from corpus.bid import Overcall
from corpus.generation import CURRENT_LINK, Generation, StoreError, current_digest
from corpus.library import Library
from index.answer import SearchAnswer, Suggestion
from index.classifier import SituationMatch
from index.search import Searcher

# How many situations are shown beside the provisions that a search finds.
MAX_SITUATIONS_IN_SEARCH = 3


class SearchService:
    """The searches that the site makes. All threads share the one of a snapshot."""

    def __init__(self, searcher: Searcher):
        self._searcher = searcher

    def answer(self, q: str, **filters) -> SearchAnswer:
        """Return the answer to a query, with the filters of :meth:`index.search.Searcher.search`."""
        return self._searcher.search(q, **filters)

    def suggest(self, q: str, lang: str | None = None) -> tuple[Suggestion, ...]:
        """Return a few suggestions for the beginning of a query."""
        return self._searcher.suggest(q, lang=lang)

    def situations(self, q: str, lang: str | None = None, limit: int = 10) -> tuple[SituationMatch, ...]:
        """Return the situations that words describe, best first."""
        return self._searcher.situations(q, lang, limit)

    def overcall(self, q: str, lang: str | None = None) -> Overcall | None:
        """Return the two bids that words name when the later one is insufficient, else None."""
        return self._searcher.overcall(q, lang)


# A request to a certain snapshot has it under this key of its environment, in a list.
SNAPSHOT_KEY = "lexbridge.snapshot"
POLL_SECONDS = 0.5  # between two checks which generation is current
# The garbage collector's thresholds while a generation is opened: a young collection after so many allocations, a
# middle one after so many young ones, and practically never a full one.
GC_THRESHOLDS = (10_000, 20, 1 << 30)
# Seconds after which a thread hands on Python's lock meanwhile. A search releases the lock hundreds of times and waits
# for it as often. With the usual 0.005 these waits add up to more than a second.
SWITCH_SECONDS = 0.0002
NO_PACKS = PagePacks()
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Snapshot:
    """Everything of one generation. A request uses one snapshot from its beginning to its end.

    - ``digest``: names the generation.
    - ``packs``: the pages that were rendered when it was built.
    - ``turn``: how often, up to today, a ruling came into force or went out of it.
    """

    library: Library
    atlas: Atlas
    search: SearchService
    packs: PagePacks
    digest: str
    turn: int

    @property
    def version(self) -> tuple[str, int]:
        """(digest, turn): what all answers depend on, besides the request."""
        return self.digest, self.turn

    @classmethod
    def from_library(
        cls, library: Library, searcher: Searcher, packs: PagePacks = NO_PACKS, digest: str = ""
    ) -> Snapshot:
        """Return the snapshot of a library and the searcher over it.

        ``packs``: the stored pages; ``digest``: that of the generation, "" for none.
        """
        return cls(
            library, Atlas(library), SearchService(searcher), packs, digest, library.count_ruling_changes(_today())
        )

    @classmethod
    def open(cls, build: Path, made_by: PageVersion) -> Snapshot:
        """Open the current generation of a build folder. Every file of it is verified.

        Stored pages are left out when this site, as it is now, would not have made them (``made_by``). They are then
        drawn on request.

        Raises :class:`corpus.generation.StoreError`, with the next move, when there is no generation or it is not what
        was built.
        """
        generation = Generation.open(build)
        library = Library.open(generation)
        searcher = Searcher.open(generation, library)
        packs, snapshot = PagePacks.open(generation), cls.from_library(library, searcher, digest=generation.digest)
        if packs.page_version == made_by._replace(turn=snapshot.turn):
            return replace(snapshot, packs=packs)
        if len(packs):
            log.info(
                "The pages of %s were made by another site, or for another day: they are drawn.", generation.digest
            )
        return snapshot


class SnapshotHolder:
    """Holds the snapshot from which requests are answered.

    - ``made_by``: what its stored pages must have been made by.
    - ``ready``: called with a new snapshot before it is served. It requests pages, and raises
      :class:`corpus.generation.StoreError` when one is not answered. Then the old snapshot stays.
    - ``given``: a snapshot to serve for good; no generation is opened.
    """

    def __init__(
        self, build: Path, made_by: PageVersion, ready: Callable[[Snapshot], None], given: Snapshot | None = None
    ):
        self._build, self._page_version, self._ready = build, made_by, ready
        self._snapshot, self._given = given, given is not None
        self._lock = threading.Lock()
        self._refused: tuple | None = None
        self._fault = StoreError(f"There is no generation in {build}. Run: lexbridge build")

    def snapshot(self) -> Snapshot:
        """Return the current snapshot. Opens the current generation when there is none yet.

        Raises :class:`corpus.generation.StoreError` only when no snapshot was ever ready.
        """
        if self._snapshot is None:
            self.renew()
        if self._snapshot is None:
            raise self._fault
        return self._snapshot

    def renew(self) -> bool:
        """Open the generation that is current now and serve it. Return whether the snapshot was replaced.

        Nothing happens when that generation is served already. A generation that was refused is tried again only after
        ``current`` is set anew. The fault is in the log.
        """
        with self._lock:
            seen = self._read_current()
            if self._given or seen is None or seen[0] == self._valid_digest() or seen == self._refused:
                return False
            try:
                with _freeze_new_objects():
                    fresh = Snapshot.open(self._build, self._page_version)
                    # In a thread of its own, because a request may be waiting here: the contexts must not mix.
                    with ThreadPoolExecutor(1) as own:
                        own.submit(self._ready, fresh).result()
            except StoreError as fault:
                self._refused, self._fault = seen, fault
                log.error("This generation is not taken: %s", fault)
                return False
            self._snapshot, self._refused = fresh, None
            log.info("Generation %s is served.", fresh.digest)
            return True

    def start_watching(self) -> None:
        """Serve the current generation, and start a thread that serves every later one."""
        self.renew()
        threading.Thread(target=self._watch, name="generations", daemon=True).start()

    def _watch(self) -> None:
        while True:
            time.sleep(POLL_SECONDS)
            try:
                self.renew()
            except Exception:
                log.exception("The next generation cannot be opened.")

    def _valid_digest(self) -> str | None:
        """Return the digest of the held generation. None when there is none, or when a ruling came into force or went
        out of it since the generation was opened.
        """
        held = self._snapshot
        return held.digest if held and held.turn == held.library.count_ruling_changes(_today()) else None

    def _read_current(self) -> tuple[str, int] | None:
        """Return the digest of the current generation and the time when it became current, in nanoseconds; None for
        none.
        """
        digest = current_digest(self._build)
        try:
            return (digest, (self._build / CURRENT_LINK).lstat().st_mtime_ns) if digest else None
        except OSError:
            return None


def _today() -> dt.date:
    return dt.datetime.now(dt.UTC).date()


@contextmanager
def _freeze_new_objects() -> Iterator[None]:
    """Keep the garbage collector and Python's lock from delaying requests, in a block that opens a generation.

    The new objects are millions of values that stay. They are checked for garbage while they are young, and afterwards
    they are frozen: never checked again. Garbage in cycles that is made meanwhile is collected before the freeze.
    Threads that answer requests get the lock more often.
    """
    before, turn = gc.get_threshold(), sys.getswitchinterval()
    gc.set_threshold(*GC_THRESHOLDS)
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        yield
    finally:
        sys.setswitchinterval(turn)
        gc.collect(1)
        gc.freeze()
        gc.set_threshold(*before)


def init_app(app: Flask, state: SnapshotHolder) -> None:
    """Let requests be answered from a snapshot holder.

    Each request releases its snapshot at its end. Cycles that it leaves behind would otherwise keep the snapshot in
    memory, because frozen objects are not checked for garbage.
    """
    app.extensions["lexbridge"] = state
    app.before_request(lambda: g.setdefault("state", state) and None)
    app.teardown_appcontext(lambda _: g.pop("snapshot", None))


def current_snapshot() -> Snapshot:
    """Return the snapshot of this request.

    Raises :class:`corpus.generation.StoreError` when there is none.
    """
    if "snapshot" not in g:
        asked_of = request.environ.get(SNAPSHOT_KEY)
        g.snapshot = asked_of[0] if asked_of else g.state.snapshot()
    return g.snapshot
