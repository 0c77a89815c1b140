"""The manifest of an index: the digests of its files and of the corpus that they were made from."""

from __future__ import annotations

import json
from pathlib import Path

from corpus import store
from index import IndexMissing

SCHEMA = 7
FILE = "manifest.json"


def write(folder: Path, build_dir: Path) -> None:
    """Make the manifest of all files of a folder, made from the parsed corpus of a build folder."""
    files = {str(p.relative_to(folder)): store.digest(p) for p in sorted(folder.rglob("*")) if p.is_file()}
    data = {"schema": SCHEMA, "corpus": _of_corpus(build_dir), "files": files}
    (folder / FILE).write_text(json.dumps(data, indent=1), encoding="utf-8")


def digest(build_dir: Path) -> str:
    """The digest of the index of a build folder, all of whose files are those that were built from its corpus.

    Raises :class:`IndexMissing`, with what to do, when it is missing, damaged or made from another corpus.
    """
    folder = build_dir / "search"
    try:
        manifest = json.loads((folder / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise IndexMissing(f"There is no search index in {folder}. Run: lexbridge index") from None
    if (found := manifest.get("schema")) != SCHEMA:
        raise IndexMissing(f"The search index in {folder} is of schema {found}, not {SCHEMA}. Run: lexbridge index")
    if manifest.get("corpus") != _of_corpus(build_dir):
        raise IndexMissing(f"The search index in {folder} was made from another corpus. Run: lexbridge index")
    for name, expected in manifest["files"].items():
        path = folder / name
        if not path.is_file() or store.digest(path) != expected:
            raise IndexMissing(f"{path} is not the file that was built. Run: lexbridge index")
    return store.digest(folder / FILE)


def _of_corpus(build_dir: Path) -> str | None:
    """Digest of the manifest of the parsed corpus, None when there is none."""
    path = build_dir / "corpus" / "manifest.json"
    return store.digest(path) if path.exists() else None
