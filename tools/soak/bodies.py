"""Stores the bodies of answers by their SHA-256, for whoever examines a wrong one."""

from __future__ import annotations

import gzip
from contextlib import suppress
from pathlib import Path


def store_body(folder: Path, sha256: str, body: bytes) -> None:
    """Store a body once; on a full disk it is not stored."""
    path = folder / sha256
    if body and not path.exists():
        with suppress(OSError):
            path.write_bytes(gzip.compress(body, 1))


def load_body(folder: Path, sha256: str) -> bytes:
    """Return a stored body; empty where it is not stored."""
    try:
        return gzip.decompress((folder / sha256).read_bytes())
    except (OSError, EOFError):
        return b""
