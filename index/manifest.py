"""The manifest of an index: the digests of its files and of the corpus that they were made from."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from corpus import store
from corpus.place import Held, Place
from corpus.store import MOVE
from index import IndexMissing

SCHEMA = 8
FILE = "manifest.json"


def write_index_manifest(folder: Path, build: Place) -> None:
    """Make the manifest of all files of a folder, made from the parsed corpus beside it, ``corpus/`` of ``build``."""
    files = {p.relative_to(folder).as_posix(): store.file_digest(p) for p in sorted(folder.rglob("*")) if p.is_file()}
    data = {"schema": SCHEMA, "corpus": _of_corpus(build), "files": files}
    (folder / FILE).write_text(json.dumps(data, indent=1), encoding="utf-8")


def read_index_manifest(build: Place) -> Held:
    """The index of a folder with ``corpus/`` and ``search/``, all of whose files are those that were built from that
    corpus, each read once.

    Raises :class:`IndexMissing`, with what to do, when it is missing, damaged or made from another corpus.
    """
    folder = build / "search"
    try:
        said = json.loads((folder / FILE).read_bytes())
        schema, corpus, files = said["schema"], said["corpus"], dict(said["files"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise IndexMissing(f"There is no search index in {folder}. {MOVE}") from None
    if schema != SCHEMA:
        raise IndexMissing(f"The search index in {folder} is of schema {schema}, not {SCHEMA}. {MOVE}")
    if corpus != _of_corpus(build):
        raise IndexMissing(f"The search index in {folder} was made from another corpus. {MOVE}")
    held = {}
    for name, expected in files.items():
        try:
            held[name] = (folder / name).read_bytes()
        except OSError:
            held[name] = b""
        if hashlib.sha256(held[name]).hexdigest() != expected:
            raise IndexMissing(f"{folder / name} is not the file that was built. {MOVE}")
    return Held(held, Path(str(folder)))


def _of_corpus(build: Place) -> str | None:
    """Digest of the manifest of the parsed corpus, None when there is none."""
    try:
        return hashlib.sha256((build / "corpus" / "manifest.json").read_bytes()).hexdigest()
    except OSError:
        return None
