"""A kept page as an answer: the same bytes for every reader, or nothing new for who has them already.

The tag of an answer names its generation, its address and its coding, so it is known before anything is worked out.
"""

from __future__ import annotations

import gzip
import zlib
from typing import NamedTuple

from app.site.kept.coded import taken
from app.site.kept.pack import Packs

# The texts change a few times a year; who has a page may show it for five minutes, and a day more while it asks anew.
PUBLIC = "public, max-age=300, stale-while-revalidate=86400"
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
