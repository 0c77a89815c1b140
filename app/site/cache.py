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
BROTLI_LEVEL_ON_DEMAND = 5


class CompressedBody(NamedTuple):
    """The same bytes in each coding."""

    br: bytes
    gzip: bytes


def compress_for_storage(body: bytes) -> CompressedBody:
    """Compressed, the same bytes for the same content."""
    return CompressedBody(brotli.compress(body, brotli.MODE_TEXT, BROTLI), gzip.compress(body, GZIP, mtime=0))


def compress_on_demand(body: bytes, coding: str) -> bytes:
    """An answer that was just worked out, in one coding: "br" or "gzip"."""
    return (
        brotli.compress(body, brotli.MODE_TEXT, BROTLI_LEVEL_ON_DEMAND)
        if coding == "br"
        else gzip.compress(body, GZIP, mtime=0)
    )


def decompress(coded: CompressedBody) -> bytes:
    """The content again."""
    return gzip.decompress(coded.gzip)


def negotiate_coding(accepted: str) -> str:
    """The best coding that an ``Accept-Encoding`` takes: "br", "gzip", or "" for none.

    >>> [negotiate_coding(a) for a in ("gzip, deflate, br", "gzip;q=1.0", "", "br;q=0, gzip;q=0.5", "*", "identity")]
    ['br', 'gzip', '', 'gzip', 'br', '']
    """
    weights = _accepted_codings(accepted)
    other = weights.get("*", False)
    return next((name for name in CompressedBody._fields if weights.get(name, other)), "")


def _accepted_codings(accepted: str) -> Mapping[str, bool]:
    """Coding → whether it is taken at all."""
    out = {}
    for part in accepted.lower().split(","):
        name, _, rest = part.partition(";")
        out[name.strip()] = rest.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return out


# Unicode keeps these for such marks: no text has them (corpus.checked.file), and JSON leaves them as they are.
_OPEN, _CLOSE = "\ufdd0", "\ufdd1"  # of a place
_NAMES, _NAMED = "\ufdd2", "\ufdd3"  # of what fills it
_PLACEHOLDER_PATTERN = re.compile(f"{_OPEN}(.*?){_CLOSE}".encode())
_PART_PATTERN = re.compile(f"{_NAMES}([^{_NAMED}]*){_NAMED}([^{_NAMES}]*)")


def placeholder_mark(name: str) -> str:
    """The mark of a place that is left open."""
    return f"{_OPEN}{name}{_CLOSE}"


def part_mark(name: str) -> str:
    """The mark before what fills the places of a name."""
    return f"{_NAMES}{name}{_NAMED}"


def split_parts(text: str) -> dict[str, str]:
    """What stands behind each such mark of a text, up to the next.

    >>> split_parts(part_mark("head") + "<title>…</title>" + part_mark("tools") + "")
    {'head': '<title>…</title>', 'tools': ''}
    """
    return dict(_PART_PATTERN.findall(text))


def fill_placeholders(frame: bytes, values: Mapping[str, str]) -> bytes:
    """The page; a place without a value is left empty."""
    return _PLACEHOLDER_PATTERN.sub(lambda found: values.get(found[1].decode(), "").encode(), frame)


PAGES_FOLDER = "pages"
PACKS_MANIFEST = "pages.json"


class GenerationFiles(Protocol):
    """What a pack is read from: a verified generation."""

    def read_file(self, name: str) -> Any:
        """The bytes of a file."""

    def file_names(self, prefix: str = "") -> list[str]:
        """The files under a folder."""


class PageVersion(NamedTuple):
    """What pages depend on beside their generation: where the site is (``LEXBRIDGE_URL``), the digest of its code, and
    how often up to their day a ruling came into force or went out of it.
    """

    origin: str
    code: str
    turn: int = 0


class StoredPage(NamedTuple):
    """A page: ``ready`` in each coding; ``frame``: the same with places left open, compressed, or None."""

    ready: CompressedBody
    frame: bytes | None


class PagePack:
    """The pages of one language, by their addresses without ``ui``."""

    def __init__(self, data: Any, places: Mapping[str, list[list[int]]]):
        self._data, self._places = memoryview(data), places

    def __contains__(self, address: str) -> bool:
        return address in self._places

    def __iter__(self):
        return iter(self._places)

    def compressed_page(self, address: str, coding: str) -> bytes | None:
        """A page in a coding ("br" or "gzip"); None where it is not kept."""
        places = self._places.get(address)
        return self._read_bytes(places[CompressedBody._fields.index(coding)]) if places else None

    def decompressed_page(self, address: str) -> bytes | None:
        """A page as it was made: where the site has no name of its own, that is left open."""
        kept = self.compressed_page(address, "gzip")
        return gzip.decompress(kept) if kept is not None else None

    def compressed_frame(self, address: str) -> bytes | None:
        """The frame of a page, compressed by gzip; None where there is none."""
        places = self._places.get(address)
        return self._read_bytes(places[2]) if places and len(places) > 2 else None

    def stored_page(self, address: str) -> StoredPage | None:
        """All that is kept of a page."""
        places = self._places.get(address)
        return (
            StoredPage(CompressedBody(*map(self._read_bytes, places[:2])), self.compressed_frame(address))
            if places
            else None
        )

    def _read_bytes(self, place: list[int]) -> bytes:
        at, length = place
        return bytes(self._data[at : at + length])


class PagePacks:
    """The stored pages of a generation by site language; ``made_by``: what made them."""

    def __init__(self, by_language: Mapping[str, PagePack] | None = None, made_by: PageVersion | None = None):
        self._by_language, self.page_version = by_language or {}, made_by

    @classmethod
    def open(cls, files: GenerationFiles) -> PagePacks:
        """Those of a generation; none where it was built without pages."""
        prefix = f"{PAGES_FOLDER}/"
        if f"{prefix}{PACKS_MANIFEST}" not in files.file_names(prefix):
            return cls()
        read = lambda name: json.loads(bytes(files.read_file(f"{prefix}{name}")))
        about = read(PACKS_MANIFEST)
        packs = {ui: PagePack(files.read_file(f"{prefix}{ui}.pack"), read(f"{ui}.json")) for ui in about["languages"]}
        return cls(packs, PageVersion(about["origin"], about["code"], about["turn"]))

    def for_language(self, ui: str) -> PagePack | None:
        """The pages in a language of the site."""
        return self._by_language.get(ui)

    def frame(self, ui: str, address: str, draw: Callable[[], bytes]) -> bytes:
        """A page with its places left open, in a language of the site; drawn where it is not kept."""
        pack = self._by_language.get(ui)
        kept = pack.compressed_frame(address) if pack else None
        return gzip.decompress(kept) if kept is not None else draw()

    def __len__(self) -> int:
        return sum(len(list(pack)) for pack in self._by_language.values())


def write_pack(folder: Path, ui: str, pages: Iterable[tuple[str, StoredPage]]) -> int:
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


def write_packs_manifest(folder: Path, languages: Iterable[str], made_by: PageVersion) -> None:
    """Write of which languages the packs of a folder are, and what made them."""
    about = {"languages": list(languages), **made_by._asdict()}
    (folder / PACKS_MANIFEST).write_text(json.dumps(about), encoding="utf-8")


# The texts change a few times a year; who has a page may show it for five minutes, and a day more while it asks anew.
CACHE_PUBLIC = "public, max-age=300, stale-while-revalidate=86400"
# Where there is no page, there may be one after the next build.
CACHE_REVALIDATE = "public, no-cache"
# Without a language in its address a page is one reader's: the next one may be led elsewhere.
CACHE_PRIVATE = "private, no-cache"
VARY_BY_READER = ("Cookie", "Accept-Language")
HTML_CONTENT_TYPE = "text/html; charset=utf-8"
# What stands in the head of an answer that has a body.
BODY_HEADERS = frozenset({"Content-Type", "Content-Encoding", "Content-Length"})
# So much of a digest names a generation in a tag.
ETAG_DIGEST_LENGTH = 16


class PageResponse(NamedTuple):
    """What is answered, but for the headers that all answers have."""

    status: str
    headers: list[tuple[str, str]]
    body: bytes


def make_etag(name: tuple[str, int], address: str, coding: str) -> str:
    """The strong ETag of what is answered at an address, its query included, in a coding; ``name``: the digest of the
    generation, and the turn of rulings that the day has come to.

    >>> make_etag(("0123456789abcdef0123", 0), "/pl-2007/27?ui=pl", "br")
    '"0123456789abcdef.0.6068d994-br"'
    """
    digest, turn = name
    return f'"{digest[:ETAG_DIGEST_LENGTH]}.{turn}.{zlib.crc32(address.encode()):08x}-{coding or "id"}"'


def matches_etag(known: str, tag: str) -> bool:
    """Whether an ``If-None-Match`` names a tag.

    >>> matches_etag('W/"a-br", "b-br"', '"a-br"'), matches_etag('"a-br"', '"a"'), matches_etag("", '"a"')
    (True, False, False)
    """
    return bool(known) and tag in (part.strip().removeprefix("W/") for part in known.split(","))


def stored_response(
    packs: PagePacks, name: tuple[str, int], ui: str, path: str, accepted: str, known: str, private: bool = False
) -> PageResponse | None:
    """The page at a path in a language of the site, or 304; None where it is not kept.

    ``accepted``, ``known``: what the request says in ``Accept-Encoding`` and ``If-None-Match``; ``private``: the
    address does not name the language.
    """
    pack = packs.for_language(ui)
    if pack is None or path not in pack:
        return None
    coding = negotiate_coding(accepted)
    own = make_etag(name, f"{path}?ui={ui}", coding)
    vary = ("Accept-Encoding", *VARY_BY_READER) if private else ("Accept-Encoding",)
    headers = [("ETag", own), ("Cache-Control", CACHE_PRIVATE if private else CACHE_PUBLIC), ("Vary", ", ".join(vary))]
    if matches_etag(known, own):
        return PageResponse("304 Not Modified", headers, b"")
    body = pack.compressed_page(path, coding or "gzip") or b""
    headers.append(("Content-Type", HTML_CONTENT_TYPE))
    if coding:
        headers.append(("Content-Encoding", coding))
    else:
        body = gzip.decompress(body)
    headers.append(("Content-Length", str(len(body))))
    return PageResponse("200 OK", headers, body)
