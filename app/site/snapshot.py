"""What a running server knows: one generation, opened whole, and exchanged for the next one between two requests."""

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
from corpus.generation import CORPUS_PART, CURRENT_LINK, Generation, StoreError, current_digest
from corpus.library import Library
from index import IndexMissing
from index.answer import SearchAnswer, Suggestion
from index.classifier import SituationMatch
from index.search import Searcher

# Characters of a query: what is longer is no question.
MAX_QUERY_LENGTH = 500
# Situations beside the provisions that a search finds.
MAX_SITUATIONS_IN_SEARCH = 3


class SearchService:
    """What the site asks of the searcher of a snapshot; shared by all threads."""

    def __init__(self, searcher: Searcher):
        self._searcher = searcher

    def answer(self, q: str, **filters) -> SearchAnswer:
        """The answer to a query, with the filters of :meth:`index.search.Searcher.search`."""
        return self._searcher.search(q, **filters)

    def suggest(self, q: str, lang: str | None = None) -> tuple[Suggestion, ...]:
        """At most a handful."""
        return self._searcher.suggest(q, lang=lang)

    def situations(self, q: str, lang: str | None = None, limit: int = 10) -> tuple[SituationMatch, ...]:
        """The situations that words describe, best first."""
        return self._searcher.situations(q, lang, limit)

    def overcall(self, q: str, lang: str | None = None) -> Overcall | None:
        """The two bids that words tell, where the later one is insufficient."""
        return self._searcher.overcall(q, lang)


# A request that is asked of a certain snapshot has it here in its environment, in a list.
SNAPSHOT_KEY = "lexbridge.snapshot"
POLL_SECONDS = 0.5  # seconds between two looks at which generation is current
# While a generation is opened: allocations between two looks for garbage, how many of these pass over what was looked
# through before, and never a look through all.
GC_THRESHOLDS = (10_000, 20, 1 << 30)
# Seconds after which a thread hands on Python's lock meanwhile. A search lets go of it hundreds of times, and waits for
# its turn as often: with the usual 0.005, for more than a second.
SWITCH_SECONDS = 0.0002
NO_PACKS = PagePacks()
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Snapshot:
    """All that one generation holds, together; a request uses one snapshot from its beginning to its end.

    ``digest`` names the generation; ``packs``: the pages made when it was built; ``turn``: how often, up to today, a
    ruling came into force or went out of it.
    """

    library: Library
    atlas: Atlas
    search: SearchService
    packs: PagePacks
    digest: str
    turn: int

    @property
    def version(self) -> tuple[str, int]:
        """What all that is answered depends on, beside what is asked."""
        return self.digest, self.turn

    @classmethod
    def from_library(
        cls, library: Library, searcher: Searcher, packs: PagePacks = NO_PACKS, digest: str = ""
    ) -> Snapshot:
        """What belongs to a library and the searcher over it."""
        return cls(
            library, Atlas(library), SearchService(searcher), packs, digest, library.count_ruling_changes(_today())
        )

    @classmethod
    def open(cls, build: Path, made_by: PageVersion) -> Snapshot:
        """The current generation of a build folder, every file of it proved. Pages that were not made by this site, as
        it is now, are left out: they are drawn when they are asked for.

        Raises :class:`corpus.store.StoreError` with what to do when there is none, or it is not what was built.
        """
        generation = Generation.open(build)
        library = Library.open(generation.memory_path / CORPUS_PART)
        try:
            searcher = Searcher.open(generation.memory_path, library)
        except IndexMissing as error:
            raise StoreError(str(error)) from None
        packs, snapshot = PagePacks.open(generation), cls.from_library(library, searcher, digest=generation.digest)
        if packs.page_version == made_by._replace(turn=snapshot.turn):
            return replace(snapshot, packs=packs)
        if len(packs):
            log.info(
                "The pages of %s were made by another site, or for another day: they are drawn.", generation.digest
            )
        return snapshot


class SnapshotHolder:
    """Holds the snapshot that requests are answered from.

    ``made_by``: what its pages must have been made by · ``ready`` is called with a snapshot before it is taken, asks it
    what readers will ask, and raises :class:`corpus.store.StoreError` when it does not answer rightly; then the one
    before stays · ``given``: the only snapshot there will be.
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
        """The one that was taken last; raises :class:`corpus.store.StoreError` only when there never was one."""
        if self._snapshot is None:
            self.renew()
        if self._snapshot is None:
            raise self._fault
        return self._snapshot

    def renew(self) -> bool:
        """Open the generation that is current now, unless it is held, and take it; whether another one was taken.

        What is refused is looked at again only when ``current`` is set anew; the fault is in the log.
        """
        with self._lock:
            seen = self._read_current()
            if self._given or seen is None or seen[0] == self._valid_digest() or seen == self._refused:
                return False
            try:
                with _freeze_new_objects():
                    fresh = Snapshot.open(self._build, self._page_version)
                    # In a thread of its own: what is asked there knows nothing of a request that may be waiting here.
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
        """Take what is current now, and from now on, in a thread of this process, whatever becomes so."""
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
        """The generation that is held, as long as what it says of today is true."""
        held = self._snapshot
        return held.digest if held and held.turn == held.library.count_ruling_changes(_today()) else None

    def _read_current(self) -> tuple[str, int] | None:
        """The generation that is current, and when it became so."""
        digest = current_digest(self._build)
        try:
            return (digest, (self._build / CURRENT_LINK).lstat().st_mtime_ns) if digest else None
        except OSError:
            return None


def _today() -> dt.date:
    return dt.datetime.now(dt.UTC).date()


@contextmanager
def _freeze_new_objects() -> Iterator[None]:
    """What is made inside is looked through for garbage while it is young, and never again: it is millions of values
    that stay, and requests would wait for it. What they leave meanwhile in circles is garbage, and does not stay.
    Who answers one is not kept waiting for Python's lock.
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
    """Requests are answered from a state, and let go of its snapshot in the end: what else they leave may stand in
    circles, which nobody looks for among what is frozen.
    """
    app.extensions["lexbridge"] = state
    app.before_request(lambda: g.setdefault("state", state) and None)
    app.teardown_appcontext(lambda _: g.pop("snapshot", None))


def current_snapshot() -> Snapshot:
    """The snapshot of this request."""
    if "snapshot" not in g:
        asked_of = request.environ.get(SNAPSHOT_KEY)
        g.snapshot = asked_of[0] if asked_of else g.state.snapshot()
    return g.snapshot
