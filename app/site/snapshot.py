"""What a running server serves: a snapshot of one generation, which is replaced as a whole between two requests.

- :class:`Snapshot`: library, atlas, search and prerendered pages of one generation.
- :class:`SnapshotHolder`: opens the current generation, and replaces the snapshot when another becomes current. In a
  server with several processes the main one does this for all of them (``scripts/server.py``).
- :func:`current_snapshot`: the snapshot of this request. Views call it.
"""

from __future__ import annotations

import datetime as dt
import gc
import json
import logging
import mmap
import struct
import sys
import threading
import time
import zlib
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from flask import Flask, g, request

from app.site.atlas import Atlas
from app.site.cache import PagePacks, PageVersion
from corpus.bid import Overcall
from corpus.generation import (
    CURRENT_LINK,
    GENERATIONS_FOLDER,
    PAGES_PART,
    REBUILD_MOVE,
    Generation,
    StoreError,
    current_digest,
    digests_by_age,
    link_served,
    one_line,
    refuse_unreadable,
    served_link,
)
from corpus.library import Library
from corpus.model import NodeId
from corpus.situation.model import Situation
from index.answer import SearchAnswer, SnippetRun, Suggestion
from index.classifier import SituationMatch
from index.search import Searcher

# How many situations are shown beside the provisions that a search finds.
MAX_SITUATIONS_IN_SEARCH = 3


class SearchService:
    """The searches that the site makes. All threads share the one of a snapshot."""

    def __init__(self, searcher: Searcher):
        self._searcher = searcher

    @property
    def has_learned(self) -> bool:
        """Whether the generation has what is learned. Without it, words alone find."""
        return self._searcher.has_learned

    def answer(self, q: str, **filters) -> SearchAnswer:
        """Return the answer to a query, with the filters of :meth:`index.search.Searcher.search`."""
        return self._searcher.search(q, **filters)

    def snippet_of(self, q: str, id_: NodeId, qlang: str | None = None) -> tuple[SnippetRun, ...]:
        """Return the snippet of a provision for a query."""
        return self._searcher.snippet_of(q, id_, qlang)

    def suggest(self, q: str, lang: str | None = None, code: str = "") -> tuple[Suggestion, ...]:
        """Return a few suggestions for the beginning of a query; those of the laws of ``code`` come first."""
        return self._searcher.suggest(q, lang, code)

    def situations(self, q: str, lang: str | None = None, limit: int = 10) -> tuple[SituationMatch, ...]:
        """Return the situations that words describe, best first."""
        return self._searcher.situations(q, lang, limit)

    def stated_answers(
        self, q: str, situation: Situation, code: str, lang: str | None = None, ignored: Collection[str] = ()
    ) -> dict[str, str]:
        """Return question → answer, for the questions of a situation that words answer; facts of ``ignored`` kinds
        answer none.
        """
        return self._searcher.stated_answers(q, situation, code, lang, ignored)

    def named_code(self, q: str, lang: str | None = None) -> str:
        """Return the code of laws whose year words name; "" if they name none or several."""
        return self._searcher.named_code(q, lang)

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


class CurrentLink(NamedTuple):
    """Where ``current`` leads: the ``digest`` of the generation, and when the link was ``made``, in nanoseconds."""

    digest: str
    made: int


@dataclass(frozen=True)
class Snapshot:
    """Everything of one generation. A request uses one snapshot from its beginning to its end.

    - ``digest``: names the generation.
    - ``packs``: the pages that were rendered when it was built.
    - ``turn``: how often, up to today, a ruling came into force or went out of it.
    - ``why_drawn``: why stored pages are not used, with what to do; "" when they are, or when there are none.
    """

    library: Library
    atlas: Atlas
    search: SearchService
    packs: PagePacks
    digest: str
    turn: int
    why_drawn: str = ""

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
    def open(cls, generation: Generation, made_by: PageVersion) -> Snapshot:
        """Return the snapshot of a generation.

        Stored pages are left out when this site, as it is now, would not have made them (``made_by``). They are then
        drawn on request.

        Raises :class:`corpus.generation.StoreError` when a part or a file is missing or cannot be read.
        """
        library = Library.open(generation)
        searcher = Searcher.open(generation, library)
        with refuse_unreadable(generation.folder / PAGES_PART):
            packs = PagePacks.open(generation)
        snapshot = cls.from_library(library, searcher, digest=generation.digest)
        why = why_drawn(packs.page_version, made_by._replace(turn=snapshot.turn))
        return replace(snapshot, why_drawn=why) if why else replace(snapshot, packs=packs)

    def for_today(self) -> Snapshot:
        """Return this snapshot as it is from today on: after a change of the rulings in force, without stored pages."""
        turn = self.library.count_ruling_changes(_today())
        if turn == self.turn:
            return self
        why = self.why_drawn or (RULINGS_CHANGED if len(self.packs) else "")
        return replace(self, packs=NO_PACKS, turn=turn, why_drawn=why)


RULINGS_CHANGED = (
    f"Rulings came into force or went out of it since the pages were built: they are drawn. {REBUILD_MOVE}"
)


def why_drawn(built: PageVersion | None, here: PageVersion) -> str:
    """Return why a site (``here``) does not use stored pages (``built``), with what to do; "" when it does, or when
    there are none.

    >>> why_drawn(PageVersion("https://laws.example", "c"), PageVersion("https://bridge.example", "c"))[:72]
    'The pages were built for https://laws.example, and LEXBRIDGE_URL here is'
    """
    if built is None or built == here:
        return ""
    if built.origin != here.origin:
        return (
            f"The pages were built for {built.origin or 'no name'}, and LEXBRIDGE_URL here is "
            f"{here.origin or 'not set'}: they are drawn. Give the build and the site the same LEXBRIDGE_URL. "
            f"{REBUILD_MOVE}"
        )
    if built.code != here.code:
        return f"The pages were built by other code: they are drawn. {REBUILD_MOVE}"
    return RULINGS_CHANGED


class RefusedGeneration(NamedTuple):
    """A generation that is not served: its ``digest``, ``why`` in a sentence, and ``since`` when, in UTC."""

    digest: str
    why: str
    since: str


class SharedRefusals:
    """A list of refusals that one process writes, and that all processes forked from it read."""

    SIZE, MOST = 1 << 16, 20  # bytes, and refusals that are kept
    _HEAD = struct.Struct("<II")  # the length and the checksum of what follows

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, self.SIZE)
        self.write([])

    def write(self, refusals: list[RefusedGeneration]) -> None:
        """Replace the list. The last ones are kept when there are too many."""
        data = json.dumps(refusals[-self.MOST :]).encode()
        self._memory[: self._HEAD.size + len(data)] = self._HEAD.pack(len(data), zlib.crc32(data)) + data

    def read(self) -> list[RefusedGeneration]:
        """Return the list. While it is written, it is read again."""
        while True:
            length, checksum = self._HEAD.unpack(self._memory[: self._HEAD.size])
            data = self._memory[self._HEAD.size : self._HEAD.size + length]
            if zlib.crc32(data) == checksum:
                return [RefusedGeneration(*row) for row in json.loads(data)]


LONGEST_REASON = 500  # characters of a sentence that says why a generation is refused


class SnapshotHolder:
    """Holds the snapshot from which requests are answered.

    Whatever goes wrong when a generation is opened, it is refused, once, with a sentence. It is tried again only after
    ``current`` is set anew. The held snapshot stays. When none is held, the newest sound generation is opened instead.

    - ``made_by``: what its stored pages must have been made by.
    - ``ready``: called with a new snapshot before it is served. It requests pages, and raises
      :class:`corpus.generation.StoreError` when one is not answered.
    - ``given``: a snapshot to serve for good; no generation is opened.
    """

    def __init__(
        self, build: Path, made_by: PageVersion, ready: Callable[[Snapshot], None], given: Snapshot | None = None
    ):
        self._build, self._page_version, self._ready = build, made_by, ready
        self._snapshot, self._follows = given, given is None
        self._links = False
        self._lock = threading.Lock()
        self._seen: CurrentLink | None = None
        self._refused: dict[str, RefusedGeneration] = {}
        self._shared = SharedRefusals()
        self._fault = StoreError(f"There is no generation in {build}. {REBUILD_MOVE}")

    def snapshot(self) -> Snapshot:
        """Return the current snapshot. Opens the current generation when there is none yet.

        Raises :class:`corpus.generation.StoreError` only when no snapshot was ever ready.
        """
        if self._snapshot is None:
            self.renew()
        if self._snapshot is None:
            raise self._fault
        return self._snapshot

    @property
    def is_serving(self) -> bool:
        """Whether a snapshot is held."""
        return self._snapshot is not None

    def current(self) -> str | None:
        """Return the digest of the generation that is current on the disk; None for none."""
        return current_digest(self._build)

    def refusals(self) -> list[RefusedGeneration]:
        """Return what was refused since ``current`` was set, by this process or the one that it was forked from."""
        return self._shared.read()

    def wanted(self) -> CurrentLink | None:
        """Return ``current`` if it should be opened now; None if it is held, was refused, or leads to nothing."""
        seen = self._read_current() if self._follows else None
        held = self._snapshot.digest if self._snapshot else None
        if seen is None or seen == self._seen:
            return None
        if seen.digest == held:
            self._see(seen)
            return None
        return seen

    def try_out(self, wanted: CurrentLink) -> str:
        """Open a generation and drop it; return why it must not be served, or ""."""
        found = self._open(wanted.digest)
        return found if isinstance(found, str) else ""

    def refuse(self, wanted: CurrentLink, why: str) -> None:
        """Record that what ``current`` leads to is not served."""
        self._see(wanted)
        self._record_refusal(wanted.digest, why)

    def renew(self) -> bool:
        """Open the generation that is current now and hold it. Return whether the snapshot was replaced.

        The snapshot is also replaced when a ruling came into force or went out of it.
        """
        with self._lock:
            if not self._follows:
                return False
            if wanted := self.wanted():
                self._see(wanted)
                if self._take(wanted.digest):
                    return True
            if self._snapshot is None:
                return self._fall_back()
            before, self._snapshot = self._snapshot, self._snapshot.for_today()
            return self._snapshot is not before

    def link_what_is_served(self) -> None:
        """Let the link ``served`` lead to what is held, from now on. Only one process of a site may do this."""
        self._links = True

    def start_watching(self) -> None:
        """Serve the current generation, and start a thread that serves every later one."""
        self.renew()
        threading.Thread(target=self._watch, name="generations", daemon=True).start()

    def stop_following(self) -> None:
        """Hold what is held for good: another process opens generations."""
        self._follows = False

    def _watch(self) -> None:
        while True:
            time.sleep(POLL_SECONDS)
            self.renew()

    def _see(self, link: CurrentLink) -> None:
        """Remember that ``current`` was looked at, and forget what was refused before it was set."""
        self._seen, self._refused = link, {}
        self._shared.write([])

    def _open(self, digest: str) -> Snapshot | str:
        """Return the snapshot of a generation, or why it must not be served."""
        try:
            with _freeze_new_objects():
                folder = self._build / GENERATIONS_FOLDER / digest
                fresh = Snapshot.open(Generation.load(folder), self._page_version)
                # In a thread of its own, because a request may be waiting here: the contexts must not mix.
                with ThreadPoolExecutor(1) as own:
                    own.submit(self._ready, fresh).result()
        except StoreError as fault:
            return one_line(str(fault), LONGEST_REASON)
        except Exception as fault:  # noqa: BLE001 – whatever it is, the generation cannot be served
            return one_line(
                f"{digest} cannot be opened ({type(fault).__name__}: {fault}). {REBUILD_MOVE}", LONGEST_REASON
            )
        return fresh

    def _take(self, digest: str) -> bool:
        """Open a generation and hold it, or refuse it; return whether it is held."""
        found = self._open(digest)
        if isinstance(found, str):
            self._record_refusal(digest, found)
            return False
        self._snapshot = found
        log.info("Generation %s is served.", digest)
        if found.why_drawn:
            log.warning("%s", found.why_drawn)
        if self._links:
            self._link_served(digest)
        return True

    def _link_served(self, digest: str) -> None:
        try:
            link_served(self._build, digest)
        except OSError as error:
            link, why = served_link(self._build), error.strerror or error
            log.warning("%s cannot be set (%s). While the site is away, its pages are, too.", link, why)

    def _fall_back(self) -> bool:
        """Take the newest generation that is sound, whatever is current; return whether there is one."""
        for digest in digests_by_age(self._build):
            if digest not in self._refused and self._take(digest):
                log.warning("Generation %s is served instead of the current one.", digest)
                return True
        return False

    def _record_refusal(self, digest: str, why: str) -> None:
        self._fault = StoreError(why)
        self._refused[digest] = RefusedGeneration(digest, why, f"{dt.datetime.now(dt.UTC):%Y-%m-%dT%H:%M:%SZ}")
        self._shared.write([*self._refused.values()])
        log.error("Generation %s is not taken: %s", digest, why)

    def _read_current(self) -> CurrentLink | None:
        digest = self.current()
        try:
            return CurrentLink(digest, (self._build / CURRENT_LINK).lstat().st_mtime_ns) if digest else None
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
