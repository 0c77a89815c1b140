"""Packs: the stored pages of a site language in one file, and a list of where each of them stands in it.

``pages/<ui>.pack`` holds compressed pages one after another, ``pages/<ui>.json`` the place of each by its address, and
``pages/pages.json`` what all of them were made by. Read through the generation, which has checked their digests.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from app.site.kept.coded import Coded

FOLDER = "pages"
ABOUT = "pages.json"


class Files(Protocol):
    """What a pack is read from: a verified generation."""

    def data(self, name: str) -> Any:
        """The bytes of a file."""

    def names(self, prefix: str = "") -> list[str]:
        """The files under a folder."""


class MadeBy(NamedTuple):
    """What pages depend on beside their generation: where the site is (``LEXBRIDGE_URL``), the digest of its code, and
    how often up to their day a ruling came into force or went out of it.
    """

    origin: str
    code: str
    turn: int = 0


class Stored(NamedTuple):
    """A page: ``ready`` in each coding; ``frame``: the same with places left open, compressed, or None."""

    ready: Coded
    frame: bytes | None


class Pack:
    """The pages of one language, by their addresses without ``ui``."""

    def __init__(self, data: Any, places: Mapping[str, list[list[int]]]):
        self._data, self._places = memoryview(data), places

    def __contains__(self, address: str) -> bool:
        return address in self._places

    def __iter__(self):
        return iter(self._places)

    def ready(self, address: str, coding: str) -> bytes | None:
        """A page in a coding ("br" or "gzip"); None where it is not kept."""
        places = self._places.get(address)
        return self._bytes(places[Coded._fields.index(coding)]) if places else None

    def frame(self, address: str) -> bytes | None:
        """The frame of a page, compressed by gzip; None where there is none."""
        places = self._places.get(address)
        return self._bytes(places[2]) if places and len(places) > 2 else None

    def stored(self, address: str) -> Stored | None:
        """All that is kept of a page."""
        places = self._places.get(address)
        return Stored(Coded(*map(self._bytes, places[:2])), self.frame(address)) if places else None

    def _bytes(self, place: list[int]) -> bytes:
        at, length = place
        return bytes(self._data[at : at + length])


class Packs:
    """The stored pages of a generation by site language; ``made_by``: what made them."""

    def __init__(self, by_language: Mapping[str, Pack] | None = None, made_by: MadeBy | None = None):
        self._by_language, self.made_by = by_language or {}, made_by

    @classmethod
    def open(cls, files: Files) -> Packs:
        """Those of a generation; none where it was built without pages."""
        prefix = f"{FOLDER}/"
        if f"{prefix}{ABOUT}" not in files.names(prefix):
            return cls()
        read = lambda name: json.loads(bytes(files.data(f"{prefix}{name}")))
        about = read(ABOUT)
        packs = {ui: Pack(files.data(f"{prefix}{ui}.pack"), read(f"{ui}.json")) for ui in about["languages"]}
        return cls(packs, MadeBy(about["origin"], about["code"], about["turn"]))

    def of(self, ui: str) -> Pack | None:
        """The pages in a language of the site."""
        return self._by_language.get(ui)

    def frame(self, ui: str, address: str, draw: Callable[[], bytes]) -> bytes:
        """A page with its places left open, in a language of the site; drawn where it is not kept."""
        pack = self._by_language.get(ui)
        kept = pack.frame(address) if pack else None
        return gzip.decompress(kept) if kept is not None else draw()

    def __len__(self) -> int:
        return sum(len(list(pack)) for pack in self._by_language.values())


def write(folder: Path, ui: str, pages: Iterable[tuple[str, Stored]]) -> int:
    """Write the pack of a language into a folder, in the order of the pages; how many there were."""
    places: dict[str, list[tuple[int, int]]] = {}
    at = 0
    with (folder / f"{ui}.pack").open("wb") as file:
        for address, (ready, frame) in pages:
            places[address] = []
            for piece in (*ready, *([frame] if frame is not None else [])):
                file.write(piece)
                places[address].append((at, len(piece)))
                at += len(piece)
    (folder / f"{ui}.json").write_text(json.dumps(places, separators=(",", ":")), encoding="utf-8")
    return len(places)


def write_about(folder: Path, languages: Iterable[str], made_by: MadeBy) -> None:
    """Write of which languages the packs of a folder are, and what made them."""
    about = {"languages": list(languages), **made_by._asdict()}
    (folder / ABOUT).write_text(json.dumps(about), encoding="utf-8")
