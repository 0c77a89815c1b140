"""The bodies of answers by their sha256, kept for whoever looks into a wrong one."""

from __future__ import annotations

import gzip
from contextlib import suppress
from pathlib import Path


def store_body(folder: Path, sha256: str, body: bytes) -> None:
    """Keep a body, once; on a full disk it is not kept."""
    path = folder / sha256
    if body and not path.exists():
        with suppress(OSError):
            path.write_bytes(gzip.compress(body, 1))


def load_body(folder: Path, sha256: str) -> bytes:
    """A body again; empty where it is not kept."""
    try:
        return gzip.decompress((folder / sha256).read_bytes())
    except (OSError, EOFError):
        return b""
