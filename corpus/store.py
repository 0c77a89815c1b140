"""The parsed corpus on disk: JSON lines, built beside the old one and swapped in whole.

``corpus/`` of a generation holds ``nodes.jsonl``, ``links.jsonl`` (the joints that every alignment is composed of),
``index.jsonl``, ``corrections.jsonl``, ``editions.json``, ``words.json`` (around typed citations), ``alphabets.json``
(by language), ``situations.jsonl`` with its ``vocabulary.json``, ``terms.json``, ``rulings.json``, ``conditions.json``,
``thresholds.json``, ``sources.json`` (the sources, by edition) and ``manifest.json`` (schema version and digests).
Nothing is visible before it is complete.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from corpus.place import Place

SCHEMA = 10
MOVE = "Run: lexbridge build"


class StoreError(Exception):
    """The parsed corpus is missing or not what its manifest says; the message names the next move."""


def corpus_dir() -> Path:
    """Where the texts are: ``LEXBRIDGE_CORPUS`` or the folder of this package."""
    return Path(os.environ.get("LEXBRIDGE_CORPUS") or Path(__file__).parent)


def build_dir() -> Path:
    """Where what is built goes: ``LEXBRIDGE_BUILD`` or ``index/built`` of the checkout."""
    return Path(os.environ.get("LEXBRIDGE_BUILD") or Path(__file__).parent.parent / "index" / "built")


def swap_in(target: Path, fill: Callable[[Path], None]) -> None:
    """Call ``fill(folder)`` on a new folder beside ``target``, sync it, and rename it into place.

    The old folder is kept until the new one stands; a failure, of ``fill`` or of a rename, leaves it where it was.
    """
    if not target.parent.exists():
        target.parent.mkdir(parents=True)
        target.parent.chmod(0o755)
    fresh = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    old = target.with_name(f".{target.name}-old-{os.getpid()}")
    try:
        fresh.chmod(0o755)  # mkdtemp makes what only its owner may read
        fill(fresh)
        for path in (*fresh.rglob("*"), fresh):
            sync(path)
        if target.exists():
            target.rename(old)
        fresh.rename(target)
        sync(target.parent)
    except BaseException:
        if old.exists() and not target.exists():
            old.rename(target)
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    shutil.rmtree(old, ignore_errors=True)


def sync(path: Path) -> None:
    """What was written to a file or folder is on the disk."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def write_stored(folder: Path, rows: dict[str, list[dict]], objects: dict[str, Any]) -> None:
    """Write the parsed corpus to a folder; ``rows`` and ``objects`` by file name."""
    for name, lines in rows.items():
        with (folder / name).open("w", encoding="utf-8") as file:
            for row in lines:
                file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
    for name, data in objects.items():
        (folder / name).write_text(json.dumps(data, ensure_ascii=False, indent=1), encoding="utf-8")
    digests = {name: file_digest(folder / name) for name in (*rows, *objects)}
    manifest = {"schema": SCHEMA, "files": digests}
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1), encoding="utf-8")


def file_digest(path: Path) -> str:
    """sha256 of a file, in hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def manifest(folder: Place) -> dict:
    """The manifest of a parsed corpus; raises :class:`StoreError` when there is none or it is of another schema."""
    try:
        data = json.loads((folder / "manifest.json").read_bytes())
        schema, files = data["schema"], data["files"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise StoreError(f"There is no parsed corpus in {folder}. {MOVE}") from None
    if schema != SCHEMA or not isinstance(files, dict):
        raise StoreError(f"The parsed corpus in {folder} is of schema {schema}, not {SCHEMA}. {MOVE}")
    return data


def read_stored(folder: Place, name: str) -> Any:
    """Rows of one file (or its one object), after checking its digest."""
    expected = manifest(folder)["files"].get(name)
    try:
        data = (folder / name).read_bytes()
    except OSError:
        raise StoreError(f"{folder / name} is missing. {MOVE}") from None
    if hashlib.sha256(data).hexdigest() != expected:
        raise StoreError(f"{folder / name} is not the file that was built. {MOVE}")
    # A line at a time: while one text is parsed, nothing else runs.
    return json.loads(data) if name.endswith(".json") else [json.loads(line) for line in data.split(b"\n") if line]
