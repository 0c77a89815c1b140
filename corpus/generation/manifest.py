"""What a generation consists of: ``manifest.json``, each file with its sha256, and the digest of them all."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from corpus.store import StoreError

GENERATION_SCHEMA = 1
FILE = "manifest.json"
REBUILD = "Run: lexbridge build"
LARGEST_MANIFEST = 1 << 24  # bytes of a manifest: ours has a few hundred lines
LONGEST = 500  # characters of a path
DIGEST = re.compile("[0-9a-f]{64}")

Files = Mapping[str, str]  # path from the folder → sha256 in hex


def digest_of(files: Files) -> str:
    """The digest of a generation: sha256 over the paths, in their order, and what stands under each.

    >>> digest({"a": "0" * 64, "b": "1" * 64}) == digest({"b": "1" * 64, "a": "0" * 64}) != digest({"a": "0" * 64})
    True
    """
    lines = "".join(f"{files[name]}  {name}\n" for name in sorted(files))
    return hashlib.sha256(lines.encode("utf-8")).hexdigest()


def written(files: Files) -> bytes:
    """The manifest of these files."""
    data = {"schema": GENERATION_SCHEMA, "digest": digest_of(files), "files": {name: files[name] for name in sorted(files)}}
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode("utf-8")


def read_manifest(data: bytes, place: Path, expected: str) -> Files:
    """The files that a manifest lists; ``place``: the manifest's own path; ``expected``: the digest it must have.

    Raises :class:`corpus.store.StoreError` for whatever is no manifest of that generation.
    """
    try:
        said = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise StoreError(f"{place} is no manifest: {type(error).__name__}. {REBUILD}") from None
    if fault := next(_faults(said, expected), ""):
        raise StoreError(f"{place} is no manifest of this generation: {fault}. {REBUILD}")
    return said["files"]


def _faults(said: Any, expected: str) -> Iterator[str]:
    """What keeps it from being the manifest of a generation; what comes later takes for granted what came before."""
    if not isinstance(said, dict):
        yield "it is no object"
    elif type(said.get("schema")) is not int or said["schema"] != GENERATION_SCHEMA:
        yield f"its schema is not {GENERATION_SCHEMA}"
    elif not isinstance(said.get("files"), dict) or not said["files"]:
        yield "it lists no files"
    else:
        for name, of_file in said["files"].items():
            if not is_name(name):
                yield f"“{ascii(name)[1:-1][:80]}” is no path inside the folder"
            elif not isinstance(of_file, str) or not DIGEST.fullmatch(of_file):
                yield f"“{name[:80]}” has no sha256"
        if said.get("digest") != expected:
            yield f"its digest is not {expected}"
        if digest_of(said["files"]) != expected:
            yield "its digest is not that of its files"


def is_name(name: str) -> bool:
    r"""Whether it is a path that stays inside the folder, and not that of the manifest.

    >>> [is_name(n) for n in ("a/b.txt", "../a", "/a", "a//b", "a\\b", "", "manifest.json", "a\udc00")]
    [True, False, False, False, False, False, False, False]
    """
    plain = name.isprintable() and "\\" not in name and len(name) <= LONGEST
    return plain and name != FILE and not re.search(r"(?:^|/)\.{0,2}(?:/|$)", name)
