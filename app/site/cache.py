"""Stores rendered pages in a generation, and answers requests from them.

What a page says depends on its address, the site's language and the generation, and on nothing else. So it is rendered
once for all readers (:mod:`app.prerender`) and stored compressed, in one pack for each language. The page of a law is
stored twice: ready, and as a frame. In a frame, everything that depends on the requested provision is a placeholder. So
every provision of the law is answered without drawing the law again.

While the site is away, the web server answers with the same pages. It reads them as files, one for each page and coding
(:func:`write_page_files`).

Entry points: :func:`write_pack` and :func:`write_about` write, :meth:`PagePacks.open` reads,
:func:`stored_response` answers a request, :func:`fill_placeholders` makes a page from a frame.

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

# -- Compression ---

# Measured on the law pages of the five texts, per page: brotli 7 takes 0.8 ms and 5.25 KB, brotli 9 takes 5 ms and
# 5.23 KB, brotli 11 takes 30 ms and 4.67 KB; gzip 6 takes 0.4 ms and 5.78 KB, gzip 9 takes 0.5 ms and 5.75 KB.
BROTLI, GZIP = 7, 6
# The reader waits for this one: 0.45 ms and 5.31 KB.
BROTLI_LEVEL_ON_DEMAND = 5


class CompressedBody(NamedTuple):
    """The body of a page, compressed in each coding: ``br`` and ``gzip``."""

    br: bytes
    gzip: bytes


def compress_for_storage(body: bytes) -> CompressedBody:
    """Return a body, compressed in each coding. Equal bodies give equal bytes."""
    return CompressedBody(brotli.compress(body, brotli.MODE_TEXT, BROTLI), gzip.compress(body, GZIP, mtime=0))


def compress_on_demand(body: bytes, coding: str) -> bytes:
    """Return a body that was just rendered, compressed in a coding: "br" or "gzip"."""
    return (
        brotli.compress(body, brotli.MODE_TEXT, BROTLI_LEVEL_ON_DEMAND)
        if coding == "br"
        else gzip.compress(body, GZIP, mtime=0)
    )


def decompress(coded: CompressedBody) -> bytes:
    """Return the body without its coding."""
    return gzip.decompress(coded.gzip)


def negotiate_coding(accepted: str) -> str:
    """Return the best coding that an ``Accept-Encoding`` header accepts: "br", "gzip", or "" for none.

    >>> [negotiate_coding(a) for a in ("gzip, deflate, br", "gzip;q=1.0", "", "br;q=0, gzip;q=0.5", "*", "identity")]
    ['br', 'gzip', '', 'gzip', 'br', '']
    """
    weights = _accepted_codings(accepted)
    other = weights.get("*", False)
    return next((name for name in CompressedBody._fields if weights.get(name, other)), "")


def _accepted_codings(accepted: str) -> Mapping[str, bool]:
    """Return name of a coding → whether an ``Accept-Encoding`` header accepts it."""
    out = {}
    for part in accepted.lower().split(","):
        name, _, rest = part.partition(";")
        out[name.strip()] = rest.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return out


# -- Placeholders in a frame ---

# Unicode reserves these characters for internal use. No text has them (corpus/files.py refuses them), and JSON does not
# change them.
_OPEN, _CLOSE = "\ufdd0", "\ufdd1"  # around the name of a placeholder
_NAMES, _NAMED = "\ufdd2", "\ufdd3"  # around the name before a value
_PLACEHOLDER_PATTERN = re.compile(f"{_OPEN}(.*?){_CLOSE}".encode())
_PART_PATTERN = re.compile(f"{_NAMES}([^{_NAMED}]*){_NAMED}([^{_NAMES}]*)")


def placeholder_characters(name: str) -> str:
    """Return the characters that stand in a frame for the placeholder of a name."""
    return f"{_OPEN}{name}{_CLOSE}"


def part_prefix(name: str) -> str:
    """Return the characters that stand before a value in a text for :func:`split_parts`. ``name``: that of the
    placeholder that gets the value.
    """
    return f"{_NAMES}{name}{_NAMED}"


def split_parts(text: str) -> dict[str, str]:
    """Return name → what stands behind each :func:`part_prefix` of a text, up to the next one.

    >>> split_parts(part_prefix("head") + "<title>…</title>" + part_prefix("tools") + "")
    {'head': '<title>…</title>', 'tools': ''}
    """
    return dict(_PART_PATTERN.findall(text))


def fill_placeholders(frame: bytes, values: Mapping[str, str]) -> bytes:
    """Return the page that results when the placeholders of a frame get their values. One without a value becomes
    empty.
    """
    return _PLACEHOLDER_PATTERN.sub(lambda found: values.get(found[1].decode(), "").encode(), frame)


# -- Packs of pages ---

PAGES_FOLDER = "pages"
ABOUT_FILE = "pages.json"  # the languages of the packs, and the fields of PageVersion


class GenerationFiles(Protocol):
    """What packs are read from: a verified generation."""

    def read_file(self, name: str) -> Any:
        """Return the bytes of a file."""

    def file_names(self, prefix: str = "") -> list[str]:
        """Return the names of the files under a folder."""


class PageVersion(NamedTuple):
    """What pages depend on besides the texts of their generation.

    - ``origin``: scheme and host of the site (``LEXBRIDGE_URL``), or "".
    - ``code``: the digest of the code that draws them.
    - ``turn``: how often a ruling came into force or went out of it, up to the day on which they were drawn.
    """

    origin: str
    code: str
    turn: int = 0


class StoredPage(NamedTuple):
    """A page: ``ready`` in each coding; ``frame``: the same with placeholders, compressed by gzip, or None."""

    ready: CompressedBody
    frame: bytes | None


class PagePack:
    """The pages of one language, by their addresses without ``ui``.

    ``data`` is the file of the pack. ``places``: address → (offset, length) in bytes of the codings of
    :class:`CompressedBody` and, if there is one, of the frame.
    """

    def __init__(self, data: Any, places: Mapping[str, list[list[int]]]):
        self._data, self._places = memoryview(data), places

    def __contains__(self, address: str) -> bool:
        return address in self._places

    def __iter__(self):
        return iter(self._places)

    def compressed_page(self, address: str, coding: str) -> bytes | None:
        """Return a page in a coding ("br" or "gzip"); None when it is not stored."""
        places = self._places.get(address)
        return self._read_bytes(places[CompressedBody._fields.index(coding)]) if places else None

    def decompressed_page(self, address: str) -> bytes | None:
        """Return a page as it was rendered; None when it is not stored.

        Where the site has no configured origin, the page still holds a placeholder for it.
        """
        kept = self.compressed_page(address, "gzip")
        return gzip.decompress(kept) if kept is not None else None

    def compressed_frame(self, address: str) -> bytes | None:
        """Return the frame of a page, compressed by gzip; None when there is none."""
        places = self._places.get(address)
        return self._read_bytes(places[2]) if places and len(places) > 2 else None

    def stored_page(self, address: str) -> StoredPage | None:
        """Return all that is stored of a page; None when it is not stored."""
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
    """The stored pages of a generation. ``by_language``: language of the site → its pack.

    ``made_by``: the code, origin and ruling dates with which the pages were made; None when there are no pages.
    """

    def __init__(self, by_language: Mapping[str, PagePack] | None = None, made_by: PageVersion | None = None):
        self._by_language, self.page_version = by_language or {}, made_by

    @classmethod
    def open(cls, files: GenerationFiles) -> PagePacks:
        """Return the packs of a generation; none when it was built without pages."""
        prefix = f"{PAGES_FOLDER}/"
        if f"{prefix}{ABOUT_FILE}" not in files.file_names(prefix):
            return cls()
        read = lambda name: json.loads(bytes(files.read_file(f"{prefix}{name}")))
        about = read(ABOUT_FILE)
        packs = {ui: PagePack(files.read_file(f"{prefix}{ui}.pack"), read(f"{ui}.json")) for ui in about["languages"]}
        return cls(packs, PageVersion(about["origin"], about["code"], about["turn"]))

    def for_language(self, ui: str) -> PagePack | None:
        """Return the pages in a language of the site, or None."""
        return self._by_language.get(ui)

    def frame(self, ui: str, address: str, draw: Callable[[], bytes]) -> bytes:
        """Return the frame of a page in a language of the site. ``draw`` renders it when it is not stored."""
        pack = self._by_language.get(ui)
        kept = pack.compressed_frame(address) if pack else None
        return gzip.decompress(kept) if kept is not None else draw()

    def __len__(self) -> int:
        return sum(len(list(pack)) for pack in self._by_language.values())


def write_pack(folder: Path, ui: str, pages: Iterable[tuple[str, StoredPage]]) -> int:
    """Write the pack of a language into a folder, in the order of the pages. Return how many pages there were."""
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


def write_about(folder: Path, languages: Iterable[str], made_by: PageVersion) -> None:
    """Write the languages of the packs in a folder, and what made them."""
    about = {"languages": list(languages), **made_by._asdict()}
    (folder / ABOUT_FILE).write_text(json.dumps(about), encoding="utf-8")


# -- Files for the web server ---

# Below the folder of the pages, as corpus/generation.py knows it; docs/why/law-without-the-program.md describes it.
AWAY_FOLDER = "away"
ANY_LANGUAGE = "any"  # the folder of the pages for addresses that name no language
INSTEAD_FOLDER = "instead"  # above the languages: pages that stand in for those that only the program can draw
FILE_ENDINGS = ("page.br", "page.gz")  # of the codings of CompressedBody; nginx makes “.page.gz” of “.page”


def write_page_files(folder: Path, ui: str, address: str, body: CompressedBody, also_any: bool = False) -> None:
    """Write a page in each coding: ``<folder>/<language><address>.page.br`` and ``….page.gz``.

    ``also_any``: the page also answers the address without a language.
    """
    for ending, data in zip(FILE_ENDINGS, body, strict=True):
        file = folder / f"{ui}{address}.{ending}"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        if also_any:
            other = folder / f"{ANY_LANGUAGE}{address}.{ending}"
            other.parent.mkdir(parents=True, exist_ok=True)
            try:
                other.hardlink_to(file)
            except OSError:  # a disk without hard links
                other.write_bytes(data)


# -- Answers from the packs ---

# The texts change a few times a year. A cache may show a page for five minutes, and for a day more while revalidating.
CACHE_PUBLIC = "public, max-age=300, stale-while-revalidate=86400"
# An address without a page may have one after the next build.
CACHE_REVALIDATE = "public, no-cache"
# Without a language in its address a page belongs to one reader: the next one may be redirected.
CACHE_PRIVATE = "private, no-cache"
VARY_BY_READER = ("Cookie", "Accept-Language")
HTML_CONTENT_TYPE = "text/html; charset=utf-8"
# The headers of an answer that has a body.
BODY_HEADERS = frozenset({"Content-Type", "Content-Encoding", "Content-Length"})
# How many characters of the digest name a generation in an ETag.
ETAG_DIGEST_LENGTH = 16


class PageResponse(NamedTuple):
    """An answer without the headers that all answers have."""

    status: str
    headers: list[tuple[str, str]]
    body: bytes


def make_etag(name: tuple[str, int], address: str, coding: str) -> str:
    """Return the strong ETag of an answer.

    ``name`` is the digest of the generation and the ``turn`` of the rulings (:class:`PageVersion`). ``address``
    includes the query. ``coding`` is "br", "gzip" or "".

    >>> make_etag(("0123456789abcdef0123", 0), "/pl-2007/27?ui=pl", "br")
    '"0123456789abcdef.0.6068d994-br"'
    """
    digest, turn = name
    return f'"{digest[:ETAG_DIGEST_LENGTH]}.{turn}.{zlib.crc32(address.encode()):08x}-{coding or "id"}"'


def make_stored_etag(digest: str, coding: str) -> str:
    """Return the strong ETag of a stored page. Address and generation determine a stored page, so it has no more than
    the digest. The web server can write it, too.

    >>> make_stored_etag("0123456789abcdef0123", "br")
    '"0123456789abcdef.stored-br"'
    """
    return f'"{digest[:ETAG_DIGEST_LENGTH]}.stored-{coding or "id"}"'


def matches_etag(known: str, tag: str) -> bool:
    """Whether an ``If-None-Match`` header (``known``) names a tag.

    >>> matches_etag('W/"a-br", "b-br"', '"a-br"'), matches_etag('"a-br"', '"a"'), matches_etag("", '"a"')
    (True, False, False)
    """
    return bool(known) and tag in (part.strip().removeprefix("W/") for part in known.split(","))


def stored_response(
    packs: PagePacks, digest: str, ui: str, path: str, accepted: str, known: str, private: bool = False
) -> PageResponse | None:
    """Return the stored page at a path in a language of the site, or the answer 304; None when the page is not stored.

    - ``digest``: that of the generation.
    - ``accepted``, ``known``: the headers ``Accept-Encoding`` and ``If-None-Match`` of the request.
    - ``private``: the address does not name the language, so the answer belongs to one reader.
    """
    pack = packs.for_language(ui)
    if pack is None or path not in pack:
        return None
    coding = negotiate_coding(accepted)
    own = make_stored_etag(digest, coding)
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
