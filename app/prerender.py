"""Prerendering: renders the pages that a generation stores, and writes them as packs.

:func:`write_pages` is the entry point. The modules of the pages say which addresses are prerendered.

Never imported here: ``whoosh``, ``bs4``, ``corpus.reading``, ``corpus.ingest``, ``scripts``.
"""

from __future__ import annotations

import gzip
import logging
import multiprocessing
import os
from collections.abc import Callable, Iterator
from functools import partial
from urllib.parse import urlsplit

from flask import Flask

from app import create_app
from app.site import cache, reader
from app.site.cache import PagePacks, StoredPage, compress_for_storage, decompress
from app.site.http import page_version_of, prerender_sources
from app.site.snapshot import Snapshot, current_snapshot
from corpus.generation import PAGES_PART, BuildStage, Generation
from corpus.library import Library
from index.search import Searcher


def prerendered_addresses(app: Flask) -> list[str]:
    """Return the paths of the pages to prerender, each once, in the order of the modules that name them."""
    with app.test_request_context():
        app.preprocess_request()
        found = (address for of_room in prerender_sources(app) for address in of_room(current_snapshot().atlas))
        return list(dict.fromkeys(urlsplit(address).path for address in found))


# How many pages a process takes at a time, and its niceness, so that processes that serve readers come first.
AT_A_TIME, NICE = 8, 5
Report = Callable[[str], None]


class PageFailedError(Exception):
    """A page cannot be rendered. The message names its address."""


class RecordedFrames(PagePacks):
    """The packs during a build: it stores no pages, but records the frames that are drawn.

    ``frames``: (language, address) → frame.
    """

    def __init__(self):
        super().__init__()
        self.frames: dict[tuple[str, str], bytes] = {}

    def frame(self, ui: str, address: str, draw: Callable[[], bytes]) -> bytes:
        """Return the frame that ``draw`` makes, and record it in ``frames``."""
        self.frames[ui, address] = drawn = draw()
        return drawn


def write_pages(stage: BuildStage, before: Generation | None, say: Report) -> int:
    """Write the packs of all languages as a part of a stage, from its corpus and its index. Returns the number of
    pages.

    ``before`` is the previous generation; its compressed pages are reused if they have not changed. ``say`` is called
    with the progress. Raises :class:`PageFailedError`.
    """
    drawn = RecordedFrames()
    snapshot = _open_snapshot(stage.read_parts(), drawn)
    app = create_app({"SNAPSHOT": snapshot, "MAKING": True})
    app.logger.setLevel(logging.WARNING)
    addresses = prerendered_addresses(app)
    make = partial(_render_page, app, drawn, PagePacks.open(before) if before else PagePacks())
    total = len(addresses) * len(reader.LANGUAGES)
    count = 0
    with stage.make_part(PAGES_PART) as folder:
        for ui in reader.LANGUAGES:
            count += cache.write_pack(folder, ui, _render_all(make, ui, addresses))
            say(f"{count} of {total}")
        cache.write_about(folder, reader.LANGUAGES, page_version_of(app)._replace(turn=snapshot.turn))
    return count


def _open_snapshot(generation: Generation, drawn: RecordedFrames) -> Snapshot:
    library = Library.open(generation)
    return Snapshot.from_library(library, Searcher.open(generation, library), drawn)


def _render_all(
    make: Callable[[str, str], StoredPage], ui: str, addresses: list[str]
) -> Iterator[tuple[str, StoredPage]]:
    """Yield (address, its page) in the order of ``addresses``. ``make`` renders the page of a language (``ui``) and an
    address.
    """
    _worker_state["make"] = partial(make, ui)
    # The processes are forked, so they share the texts, which are read once.
    with multiprocessing.get_context("fork").Pool(len(os.sched_getaffinity(0)), partial(os.nice, NICE)) as pool:
        yield from zip(addresses, pool.imap(_render_in_process, addresses, AT_A_TIME), strict=True)


# The function that renders a page. A worker process inherits it from the process that forked it.
_worker_state: dict[str, Callable[[str], StoredPage]] = {}


def _render_in_process(address: str) -> StoredPage:
    return _worker_state["make"](address)


def _render_page(app: Flask, drawn: RecordedFrames, before: PagePacks, ui: str, address: str) -> StoredPage:
    """Return the page of an address in a language of the site, as the application answers it. Raises
    :class:`PageFailedError`.

    ``drawn`` records the frame of the page. ``before``: the packs of the previous generation; their compressed page is
    reused if it is the same.
    """
    headers, origin = {"Accept-Encoding": "identity"}, app.config["ORIGIN"]
    response = app.test_client().get(f"{address}?ui={ui}", base_url=origin, headers=headers)
    if response.status_code != 200:
        raise PageFailedError(f"The page {address} cannot be made in “{ui}”: it answers {response.status}.")
    body, frame = response.get_data(), drawn.frames.pop((ui, address), None)
    kept = before.for_language(ui)
    old = kept.stored_page(address) if kept else None
    ready = old.ready if old and decompress(old.ready) == body else compress_for_storage(body)
    return StoredPage(ready, gzip.compress(frame, mtime=0) if frame is not None else None)
