"""Makes the pages that a generation keeps: which ones, as the rooms of the site say, and how they are rendered.

Never imported here: ``whoosh``, ``bs4``, ``corpus.reading``, ``corpus.ingest``, ``scripts``.
"""

from __future__ import annotations

import gzip
import logging
import multiprocessing
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from flask import Flask

from app import create_app
from app.site import cache, reader
from app.site.cache import Packs, Stored, coded, plain
from app.site.http import made_by, stored
from app.site.state import Snapshot, current
from corpus.generation import CORPUS, Generation
from corpus.library import Library
from index.search import Searcher


def listed(app: Flask) -> list[str]:
    """Their addresses without the site's language, room by room."""
    with app.test_request_context():
        app.preprocess_request()
        found = (address for of_room in stored(app) for address in of_room(current().atlas))
        return list(dict.fromkeys(urlsplit(address).path for address in found))


# Pages that a process takes at a time, and how much it steps back for those that serve readers meanwhile.
AT_A_TIME, NICE = 8, 5
Say = Callable[[str], None]


class PageFailedError(Exception):
    """A page cannot be made; the message names its address."""


class Drawn(Packs):
    """What a build has instead of packs: nothing is kept yet, and what is drawn is kept."""

    def __init__(self):
        super().__init__()
        self.frames: dict[tuple[str, str], bytes] = {}

    def frame(self, ui: str, address: str, draw: Callable[[], bytes]) -> bytes:
        """Drawn, and remembered until it is taken."""
        self.frames[ui, address] = drawn = draw()
        return drawn


def render(folder: Path, before: Generation | None, say: Say) -> int:
    """Write the packs of all languages into ``folder/pages``, from what stands in the folder; the number of pages.

    ``before``: the generation before; ``say`` is told how far it is. Raises :class:`PageFailedError`.
    """
    target = folder / cache.FOLDER
    target.mkdir()
    drawn, library = Drawn(), Library.open(folder / CORPUS)
    snapshot = Snapshot.of(library, Searcher.open(folder, library), drawn)
    app = create_app({"SNAPSHOT": snapshot, "MAKING": True})
    app.logger.setLevel(logging.WARNING)
    addresses = listed(app)
    make = partial(_made, app, drawn, Packs.open(before) if before else Packs())
    total = len(addresses) * len(reader.LANGUAGES)
    count = 0
    for ui in reader.LANGUAGES:
        count += cache.write(target, ui, _all(make, ui, addresses))
        say(f"{count} of {total}")
    cache.write_about(target, reader.LANGUAGES, made_by(app)._replace(turn=snapshot.turn))
    return count


def _all(make: Callable[[str, str], Stored], ui: str, addresses: list[str]) -> Iterator[tuple[str, Stored]]:
    """(address, its page), in their order."""
    _at_work["make"] = partial(make, ui)
    # The texts are read once and shared: a process that is forked has them.
    with multiprocessing.get_context("fork").Pool(len(os.sched_getaffinity(0)), partial(os.nice, NICE)) as pool:
        yield from zip(addresses, pool.imap(_one, addresses, AT_A_TIME), strict=True)


# What a process makes a page with, which it has from the one that it was forked from.
_at_work: dict[str, Callable[[str], Stored]] = {}


def _one(address: str) -> Stored:
    return _at_work["make"](address)


def _made(app: Flask, drawn: Drawn, before: Packs, ui: str, address: str) -> Stored:
    """A page, from the site itself."""
    headers, origin = {"Accept-Encoding": "identity"}, app.config["ORIGIN"]
    response = app.test_client().get(f"{address}?ui={ui}", base_url=origin, headers=headers)
    if response.status_code != 200:
        raise PageFailedError(f"The page {address} cannot be made in “{ui}”: it answers {response.status}.")
    body, frame = response.get_data(), drawn.frames.pop((ui, address), None)
    kept = before.of(ui)
    old = kept.stored(address) if kept else None
    ready = old.ready if old and plain(old.ready) == body else coded(body)
    return Stored(ready, gzip.compress(frame, mtime=0) if frame is not None else None)
