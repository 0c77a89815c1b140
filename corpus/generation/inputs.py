"""What each part of a generation is made from, as one key: a part whose key is unchanged is taken over.

The keys stand in the generation, in ``made.json``.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import MappingProxyType

from corpus import store
from corpus.generation.opened import CORPUS, PAGES, SEARCH, Generation

INPUTS = "made.json"
Keys = Mapping[str, str]  # part → key

# The folders of code that make each part, and the packages whose version may change what they make.
CODE = {CORPUS: ("corpus",), SEARCH: ("index",), PAGES: ("app",)}
PACKAGES = {
    CORPUS: ("beautifulsoup4", "markdown"),
    SEARCH: ("whoosh3", "numpy", "scikit-learn"),
    PAGES: ("flask", "flask-babel", "jinja2", "babel", "markupsafe", "segno"),
}


def keys(corpus: Path, root: Path, settings: Mapping[str, str] = MappingProxyType({})) -> Keys:
    """The key of each part, made from a folder of data by the code under ``root``; each part is made from those before
    it, so that its key has theirs in it. ``settings``: what else a part depends on.
    """
    key = _digest([sys.version.encode(), *_of_folder(corpus)])
    out = {}
    for part, folders in CODE.items():
        code = [piece for name in folders for piece in _of_folder(root / name)]
        installed = [f"{name} {_version(name)}".encode() for name in PACKAGES[part]]
        key = out[part] = _digest([key.encode(), *code, *installed, settings.get(part, "").encode()])
    return out


def of(generation: Generation | None) -> Keys:
    """The keys that a generation was made with; none where it does not say, or there is no generation."""
    try:
        said = json.loads(generation.data(INPUTS)) if generation else {}
    except (KeyError, ValueError):
        return {}
    return said if isinstance(said, dict) else {}


def write_inputs(folder: Path, made: Keys) -> None:
    """Write the keys of the parts that stand in a folder."""
    (folder / INPUTS).write_text(json.dumps(dict(made), indent=1), encoding="utf-8")


def _of_folder(folder: Path) -> Iterable[bytes]:
    """The path and the digest of every file under a folder; hidden files, what Python keeps beside its modules and what
    was built left out.
    """
    built = store.build_dir()
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and not p.is_relative_to(built)):
        name = path.relative_to(folder)
        if not any(step.startswith((".", "__pycache__")) for step in name.parts):
            yield f"{name.as_posix()} {hashlib.sha256(path.read_bytes()).hexdigest()}".encode()


def _digest(pieces: Iterable[bytes]) -> str:
    return hashlib.sha256(b"\n".join(pieces)).hexdigest()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"
