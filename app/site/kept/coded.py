"""The codings in which an answer leaves the house, and which of them a reader takes."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from typing import NamedTuple

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
