"""Renders every page that is kept, once for each language of the site, by as many processes as there are cores.

A page whose words did not change since the generation before is not compressed again.
"""

from __future__ import annotations

import gzip
import logging
import multiprocessing
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from flask import Flask

from app import create_app
from app.pages.listed import listed
from app.site import reader
from app.site.kept import pack
from app.site.kept.coded import coded, plain
from app.site.kept.pack import Packs, Stored
from app.site.made_by import made_by
from app.site.state import Snapshot
from corpus.generation.opened import CORPUS, Generation
from corpus.library import Library
from index.search import Searcher

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
    target = folder / pack.FOLDER
    target.mkdir()
    drawn, library = Drawn(), Library.open(folder / CORPUS)
    snapshot = Snapshot.of(library, Searcher.open(folder, library), drawn)
    app = create_app({"SNAPSHOT": snapshot})
    app.logger.setLevel(logging.WARNING)
    addresses = listed(app)
    make = partial(_made, app, drawn, Packs.open(before) if before else Packs())
    total = len(addresses) * len(reader.LANGUAGES)
    count = 0
    for ui in reader.LANGUAGES:
        count += pack.write(target, ui, _all(make, ui, addresses))
        say(f"{count} of {total}")
    pack.write_about(target, reader.LANGUAGES, made_by(app)._replace(turn=snapshot.turn))
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
