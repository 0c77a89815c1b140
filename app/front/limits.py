"""How large a request may be, and of which kind: read off its first lines, before anything of it is worked on.

A request that is over a limit costs nothing: it is not routed, and no byte of its body is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

LONGEST_PATH = 1024
LONGEST_QUERY = 2048
# A question of 500 characters is answered whatever they are (docs/contract.md, section 5): of four bytes each,
# percent-encoded, they take 6,000 here.
LONGEST_QUESTION = 8192
ASKED = frozenset({
    "/search", "/go", "/situations/", "/terms/", "/topics/", "/opensearch/suggestions",
    "/api/v1/search", "/api/v1/suggest", "/api/v1/situations", "/api/v1/terms",
})  # fmt: skip
MOST_PARAMETERS = 100
MOST_HEADERS = 60
LONGEST_HEADERS = 16 * 1024
READ = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True)
class Takes:
    """An address that takes a body: of a ``method`` other than to read, and at most so many bytes."""

    method: str = "POST"
    most: int = 64 * 1024


# Address → what it takes. The others take no body at all.
BODIES: Mapping[str, Takes] = {}


@dataclass(frozen=True)
class Refusal:
    """Why a request is not answered: ``status``, a sentence for who asked, and what else stands in the head."""

    status: int
    message: str
    headers: Mapping[str, str] = field(default_factory=dict)


def refused(environ: Mapping[str, Any], bodies: Mapping[str, Takes] = BODIES) -> Refusal | None:
    """The first limit that a WSGI request is over; None where it may come in.

    >>> refused({"REQUEST_METHOD": "GET", "PATH_INFO": "/", "QUERY_STRING": "a" * 3000}).status
    414
    """
    return next(_found(environ, bodies), None)


def _found(environ: Mapping[str, Any], bodies: Mapping[str, Takes]) -> Iterator[Refusal]:
    path, query = environ.get("PATH_INFO", ""), environ.get("QUERY_STRING", "")
    yield from _head(environ)
    if len(path) > LONGEST_PATH:
        yield Refusal(414, f"The path of an address may have {LONGEST_PATH} bytes.")
    most = LONGEST_QUESTION if path in ASKED else LONGEST_QUERY
    if len(query) > most:
        yield Refusal(414, f"What follows the question mark may have {most} bytes here.")
    if query.count("&") >= MOST_PARAMETERS:
        yield Refusal(400, f"An address may have {MOST_PARAMETERS} parameters.")
    if "\x00" in path:
        yield Refusal(400, "No address has a NUL in it.")
    yield from _error_body(environ, bodies.get(path))


def _head(environ: Mapping[str, Any]) -> Iterator[Refusal]:
    fields = [(k, v) for k, v in environ.items() if k.startswith(("HTTP_", "CONTENT_"))]
    if len(fields) > MOST_HEADERS:
        yield Refusal(431, f"A request may have {MOST_HEADERS} header fields.")
    # As they stood on the wire: a name for HTTP_NAME, “: ” and the end of the line.
    if sum(len(name.removeprefix("HTTP_")) + len(value) + 4 for name, value in fields) > LONGEST_HEADERS:
        yield Refusal(431, f"The header fields of a request may have {LONGEST_HEADERS} bytes together.")


def _error_body(environ: Mapping[str, Any], takes: Takes | None) -> Iterator[Refusal]:
    method, length = environ.get("REQUEST_METHOD", ""), environ.get("CONTENT_LENGTH") or ""
    allowed = READ | {takes.method} if takes else READ
    if method not in allowed:
        yield Refusal(405, "This address does not do that.", {"Allow": ", ".join(sorted(allowed))})
    chunked = bool(environ.get("HTTP_TRANSFER_ENCODING"))
    if length and not (length.isascii() and length.isdigit() and len(length) < 19):
        yield Refusal(400, "Content-Length is a number.")
    elif takes is None or method != takes.method:
        if chunked or int(length or 0) > 0:
            yield Refusal(413, "This address takes no body.")
    elif chunked or not length:
        yield Refusal(411, "Say with Content-Length how long the body is.")
    elif int(length) > takes.most:
        yield Refusal(413, f"The body may have {takes.most} bytes.")
