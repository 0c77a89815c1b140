"""A corpus folder of its own for tests: the invented editions of tests/editions, or texts written on the spot."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from corpus import ingest
from corpus.model import Node

HERE = Path(__file__).parent
CORPUS = HERE.parent / "corpus"
STRANGERS = HERE / "editions"

MANIFEST = """
title = "A book"
short = "Book"
lang = "en"
year = 2030
publisher = "Nobody"
provenance = "Invented."
rights = "MIT."
"""
REST = "\n\nLAW 2 — TWO\n\nx.\n\nLAW 3 — THREE\n\nx.\n"  # what makes one law a sound text
LEVELS = """
[[levels]]
kind = "law"
labels = ["LAW 1 — HEADING"]

[[levels]]
kind = "section"
labels = ["A."]

[[levels]]
kind = "subsection"
labels = ["1."]

[[levels]]
kind = "clause"
labels = ["(a)"]

[[levels]]
kind = "subclause"
labels = ["(i)"]
"""


def copy_of_strangers(folder: Path) -> Path:
    """The invented editions and all languages that they need, in a corpus folder."""
    shutil.copytree(STRANGERS, folder, dirs_exist_ok=True)
    shutil.copy(CORPUS / "languages" / "en.toml", folder / "languages")
    return folder


def write_edition(
    folder: Path,
    source: str | bytes,
    keys: str = 'laws = "1–3"\n',
    levels: str = LEVELS,
    corrections: str = "",
    name: str = "xx-2030",
    file: str = "source.txt",
    sha256: str | None = None,
) -> Path:
    """A corpus folder with one edition: its source, and a manifest of MANIFEST, keys and levels."""
    data = source.encode("utf-8") if isinstance(source, str) else source
    edition = folder / "editions" / name
    edition.mkdir(parents=True)
    (edition / file).write_bytes(data)
    digest = hashlib.sha256(data).hexdigest() if sha256 is None else sha256
    (edition / "edition.toml").write_text(
        f'{MANIFEST}source = "{file}"\nsha256 = "{digest}"\n{keys}{levels}', encoding="utf-8"
    )
    if corrections:
        (edition / "corrections.tsv").write_text(corrections, encoding="utf-8")
    (folder / "languages").mkdir(exist_ok=True)
    shutil.copy(CORPUS / "languages" / "en.toml", folder / "languages")
    return folder


def nodes_of(folder: Path, source: str, keys: str = 'laws = "1–3"\n', levels: str = LEVELS) -> dict[str, Node]:
    """The nodes of a text that has nothing fatal, by path."""
    result = ingest.read_editions(write_edition(folder, source, keys, levels))
    assert [str(p) for p in result.fatal_problems] == []
    return {n.path: n for n in result.readings["xx-2030"].nodes}


def levels_of(*labels: str, law: str = "") -> str:
    """Levels that print these labels, the law's first; ``law``: further keys of it."""
    kinds = ("law", "section", "subsection", "clause", "subclause")
    return "".join(
        f'\n[[levels]]\nkind = "{kind}"\nlabels = ["{label}"]\n' + (law if kind == "law" else "")
        for kind, label in zip(kinds, labels, strict=False)
    )
