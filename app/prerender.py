"""Prerendering: renders the pages that a generation stores, and writes them as packs, and as files for the web server.

:func:`write_pages` is the entry point. The modules of the pages say which addresses are prerendered.

Never imported here: ``whoosh``, ``bs4``, ``corpus.reading``, ``corpus.ingest``, ``scripts``.
"""

from __future__ import annotations

import gzip
import logging
import multiprocessing
import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

from flask import Flask

from app import create_app
from app.site import cache, reader
from app.site.addresses import build_address
from app.site.cache import PagePacks, StoredPage, compress_for_storage, decompress
from app.site.http import STATIC_FILES, asset_address, page_version_of, prerender_sources
from app.site.snapshot import Snapshot, current_snapshot
from app.situations.views import ALL_OUTCOMES_KEY
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
SHEETS = "/situations/"  # what the addresses of sheets begin with
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
    addresses, library = prerendered_addresses(app), snapshot.library
    sheets = [address for address in addresses if address.removeprefix(SHEETS) in library.situations]
    make = partial(_render_page, app, drawn, PagePacks.open(before) if before else PagePacks())
    make_outcomes = partial(make, environ={ALL_OUTCOMES_KEY: True})
    total = len(addresses) * len(reader.LANGUAGES)
    count = 0
    with stage.make_part(PAGES_PART) as folder:
        # Without an origin, pages have a placeholder that only the program fills.
        away, is_named = folder / cache.AWAY_FOLDER, bool(app.config["ORIGIN"])
        write = partial(_write_files, library, away, _pages_of_other_provisions(snapshot))
        for ui in reader.LANGUAGES:
            pages = _render_all(make, ui, addresses)
            count += cache.write_pack(folder, ui, write(ui, pages) if is_named else pages)
            say(f"{count} of {total}")
            for sheet, page in _render_all(make_outcomes, ui, sheets) if is_named else ():
                _write_instead(library, away, ui, sheet, page)
        for name, data in STATIC_FILES.items() if is_named else ():
            cache.write_page_files(away, cache.ANY_LANGUAGE, asset_address(name), compress_for_storage(data))
        cache.write_about(folder, reader.LANGUAGES, page_version_of(app)._replace(turn=snapshot.turn))
    return count


def _pages_of_other_provisions(snapshot: Snapshot) -> Mapping[str, list[str]]:
    """Return address of a page → addresses of the provisions on it whose own addresses do not begin with that.

    They are footnotes that are numbered through the book.
    """
    out = defaultdict(list)
    for node in snapshot.library.nodes.values():
        page = snapshot.atlas.page_node_of(node).id
        if node.id != page and not node.id.startswith(f"{page}/"):
            out[build_address(page)].append(build_address(node.id))
    return out


def _write_files(
    library: Library, folder: Path, others: Mapping[str, list[str]], ui: str, pages: Iterator[tuple[str, StoredPage]]
) -> Iterator[tuple[str, StoredPage]]:
    """Yield pages (address, page) in a language, and write each to a folder for the web server.

    ``others``: address of a page → other addresses that it stands in for.
    """
    for address, page in pages:
        cache.write_page_files(folder, ui, address, page.ready, reader.language_of_path(library, address) == ui)
        for other in others.get(address, ()):
            _write_instead(library, folder, ui, other, page)
        yield address, page


def _write_instead(library: Library, folder: Path, ui: str, address: str, page: StoredPage) -> None:
    """Write a page that stands in for what only the program can draw at an address."""
    also_any = reader.language_of_path(library, address) == ui
    cache.write_page_files(folder / cache.INSTEAD_FOLDER, ui, address, page.ready, also_any)


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


def _render_page(
    app: Flask,
    drawn: RecordedFrames,
    before: PagePacks,
    ui: str,
    address: str,
    environ: Mapping[str, object] = MappingProxyType({}),
) -> StoredPage:
    """Return the page of an address in a language of the site, as the application answers it. Raises
    :class:`PageFailedError`.

    ``drawn`` records the frame of the page. ``before``: the packs of the previous generation; their compressed page is
    reused if it is the same. ``environ``: what the environment of the request has besides.
    """
    headers, origin = {"Accept-Encoding": "identity"}, app.config["ORIGIN"]
    response = app.test_client().get(f"{address}?ui={ui}", base_url=origin, headers=headers, environ_overrides=environ)
    if response.status_code != 200:
        raise PageFailedError(f"The page {address} cannot be made in “{ui}”: it answers {response.status}.")
    body, frame = response.get_data(), drawn.frames.pop((ui, address), None)
    kept = before.for_language(ui)
    old = kept.stored_page(address) if kept else None
    ready = old.ready if old and decompress(old.ready) == body else compress_for_storage(body)
    return StoredPage(ready, gzip.compress(frame, mtime=0) if frame is not None else None)
