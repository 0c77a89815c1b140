"""Pages as they are kept in a generation: in packs, compressed, a law's also with places left open; and as answers.

What a page says depends on its address, the site's language and the generation, and on nothing else; so it is rendered
once for all readers (:mod:`app.pages`). The page of a law is kept twice: ready, and as a frame in which what depends on
the provision asked for is left open, so that every provision of it is answered without drawing the law again.
Never imported here: ``app.site``, ``corpus``, ``index``, ``flask``, ``scripts``.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import brotli

# Measured on the law pages of the five texts: br 7 takes 0.8 ms and 5.25 KB, br 9 5 ms and 5.23 KB, br 11 30 ms and
# 4.67 KB a page; gzip 6 0.4 ms and 5.78 KB, gzip 9 0.5 ms and 5.75 KB.
BROTLI, GZIP = 7, 6
# What a reader waits for: 0.45 ms and 5.31 KB.
AT_ONCE = 5


class Coded(NamedTuple):
    """The same bytes in each coding."""

    br: bytes
    gzip: bytes


def coded(body: bytes) -> Coded:
    """Compressed, the same bytes for the same content."""
    return Coded(brotli.compress(body, brotli.MODE_TEXT, BROTLI), gzip.compress(body, GZIP, mtime=0))


def compressed(body: bytes, coding: str) -> bytes:
    """An answer that was just worked out, in one coding: "br" or "gzip"."""
    return brotli.compress(body, brotli.MODE_TEXT, AT_ONCE) if coding == "br" else gzip.compress(body, GZIP, mtime=0)


def plain(coded: Coded) -> bytes:
    """The content again."""
    return gzip.decompress(coded.gzip)


def taken(accepted: str) -> str:
    """The best coding that an ``Accept-Encoding`` takes: "br", "gzip", or "" for none.

    >>> [taken(a) for a in ("gzip, deflate, br", "gzip;q=1.0", "", "br;q=0, gzip;q=0.5", "*", "identity")]
    ['br', 'gzip', '', 'gzip', 'br', '']
    """
    weights = _weights(accepted)
    other = weights.get("*", False)
    return next((name for name in Coded._fields if weights.get(name, other)), "")


def _weights(accepted: str) -> Mapping[str, bool]:
    """Coding → whether it is taken at all."""
    out = {}
    for part in accepted.lower().split(","):
        name, _, rest = part.partition(";")
        out[name.strip()] = rest.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return out


# Unicode keeps these for such marks: no text has them (corpus.checked.file), and JSON leaves them as they are.
_OPEN, _CLOSE = "\ufdd0", "\ufdd1"  # of a place
_NAMES, _NAMED = "\ufdd2", "\ufdd3"  # of what fills it
_PLACE = re.compile(f"{_OPEN}(.*?){_CLOSE}".encode())
_PART = re.compile(f"{_NAMES}([^{_NAMED}]*){_NAMED}([^{_NAMES}]*)")


def place(name: str) -> str:
    """The mark of a place that is left open."""
    return f"{_OPEN}{name}{_CLOSE}"


def part(name: str) -> str:
    """The mark before what fills the places of a name."""
    return f"{_NAMES}{name}{_NAMED}"


def parts(text: str) -> dict[str, str]:
    """What stands behind each such mark of a text, up to the next.

    >>> parts(part("head") + "<title>…</title>" + part("tools") + "")
    {'head': '<title>…</title>', 'tools': ''}
    """
    return dict(_PART.findall(text))


def fill(frame: bytes, values: Mapping[str, str]) -> bytes:
    """The page; a place without a value is left empty."""
    return _PLACE.sub(lambda found: values.get(found[1].decode(), "").encode(), frame)


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

    def page(self, address: str) -> bytes | None:
        """A page as it was made: where the site has no name of its own, that is left open."""
        kept = self.ready(address, "gzip")
        return gzip.decompress(kept) if kept is not None else None

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


# The texts change a few times a year; who has a page may show it for five minutes, and a day more while it asks anew.
PUBLIC = "public, max-age=300, stale-while-revalidate=86400"
# Where there is no page, there may be one after the next build.
ANEW = "public, no-cache"
# Without a language in its address a page is one reader's: the next one may be led elsewhere.
PRIVATE = "private, no-cache"
BY_READER = ("Cookie", "Accept-Language")
TYPE = "text/html; charset=utf-8"
# What stands in the head of an answer that has a body.
OF_A_BODY = frozenset({"Content-Type", "Content-Encoding", "Content-Length"})
# So much of a digest names a generation in a tag.
NAMED = 16


class Answer(NamedTuple):
    """What is answered, but for the headers that all answers have."""

    status: str
    headers: list[tuple[str, str]]
    body: bytes


def tag(name: tuple[str, int], address: str, coding: str) -> str:
    """The strong ETag of what is answered at an address, its query included, in a coding; ``name``: the digest of the
    generation, and the turn of rulings that the day has come to.

    >>> tag(("0123456789abcdef0123", 0), "/pl-2007/27?ui=pl", "br")
    '"0123456789abcdef.0.6068d994-br"'
    """
    digest, turn = name
    return f'"{digest[:NAMED]}.{turn}.{zlib.crc32(address.encode()):08x}-{coding or "id"}"'


def has(known: str, tag: str) -> bool:
    """Whether an ``If-None-Match`` names a tag.

    >>> has('W/"a-br", "b-br"', '"a-br"'), has('"a-br"', '"a"'), has("", '"a"')
    (True, False, False)
    """
    return bool(known) and tag in (part.strip().removeprefix("W/") for part in known.split(","))


def answer(
    packs: Packs, name: tuple[str, int], ui: str, path: str, accepted: str, known: str, private: bool = False
) -> Answer | None:
    """The page at a path in a language of the site, or 304; None where it is not kept.

    ``accepted``, ``known``: what the request says in ``Accept-Encoding`` and ``If-None-Match``; ``private``: the
    address does not name the language.
    """
    pack = packs.of(ui)
    if pack is None or path not in pack:
        return None
    coding = taken(accepted)
    own = tag(name, f"{path}?ui={ui}", coding)
    vary = ("Accept-Encoding", *BY_READER) if private else ("Accept-Encoding",)
    headers = [("ETag", own), ("Cache-Control", PRIVATE if private else PUBLIC), ("Vary", ", ".join(vary))]
    if has(known, own):
        return Answer("304 Not Modified", headers, b"")
    body = pack.ready(path, coding or "gzip") or b""
    headers.append(("Content-Type", TYPE))
    if coding:
        headers.append(("Content-Encoding", coding))
    else:
        body = gzip.decompress(body)
    headers.append(("Content-Length", str(len(body))))
    return Answer("200 OK", headers, body)
