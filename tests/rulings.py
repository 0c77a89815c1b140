"""The corpus with a second body: that of docs/add-a-ruling.md, invented, which contradicts the first."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import replace
from pathlib import Path

from corpus.generation import open_stage
from corpus.ingest import write_corpus
from corpus.layers import read_layers
from corpus.library import Library

ROOT = Path(__file__).parent.parent
DOC = (ROOT / "docs" / "add-a-ruling.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+) ?(\S*)\n(.*?)^```", DOC, re.MULTILINE | re.DOTALL)
FILES = {name.removeprefix("corpus/"): text for _, name, text in BLOCKS if name.startswith("corpus/")}
BODY, RULINGS = FILES
COMMANDS = [line.split()[1:] for language, _, text in BLOCKS if language == "sh" for line in text.splitlines()]


def _one_file_twice(path: str, copy: str) -> None:
    """A copy without its bytes where the disk can do that: links by name are not followed in a corpus."""
    try:
        os.link(path, copy)
    except OSError:
        shutil.copyfile(path, copy)


def corpus_with(folder: Path, *changes: tuple[str, str, str]) -> Path:
    """The data of this checkout with the invented body; ``changes``: (file, words, what stands there instead)."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted((ROOT / "corpus").iterdir()):
        if path.name in ("rulings", "conditions"):
            shutil.copytree(path, folder / path.name)
        elif path.is_dir() and not list(path.glob("*.py")):
            shutil.copytree(path, folder / path.name, copy_function=_one_file_twice, dirs_exist_ok=True)
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    for name, words, instead in changes:
        text = (folder / name).read_text(encoding="utf-8") if words else ""
        assert words in text, (name, words)
        (folder / name).write_text(text.replace(words, instead, 1) if words else instead, encoding="utf-8")
    return folder


def read_with(ingest, folder: Path, *changes: tuple[str, str, str]):
    """What was read, with the rulings and conditions of such a corpus; its problems are those of these alone."""
    changed = corpus_with(folder, *changes)
    return read_layers(replace(ingest, problems=[]), changed, ("conditions", "rulings"))


def library_with(ingest, folder: Path, *changes: tuple[str, str, str]) -> Library:
    """The library of such a corpus."""
    result = read_with(ingest, folder / "corpus", *changes)
    assert [str(p) for p in result.problems] == []
    with open_stage(folder) as stage:
        write_corpus(result, stage)
        return Library.open(stage.read_parts())
