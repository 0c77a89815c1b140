"""A provision as its source has it: line by line, with the places that a row of corrections.tsv names."""
from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from corpus import store
from corpus.library import EditionInfo
from corpus.model import Correction, Node


@dataclass(frozen=True)
class Line:
    """A line of the source, or the part of it that is a node's; ``column`` is where that part begins."""

    number: int
    column: int
    text: str


def lines(edition: EditionInfo, node: Node) -> list[Line]:
    """The node's lines; empty when the source that the edition was read from is not at hand."""
    source = _source(store.corpus_dir() / "editions" / edition.id, edition.data.get("sha256") or "")
    out = []
    for first, start, last, end in node.source_spans:
        for number in range(first, min(last, len(source)) + 1):
            text = source[number - 1]
            begin = start - 1 if number == first else 0
            part = text[begin:end if number == last else len(text)]
            if part.strip():
                blank = len(part) - len(part.lstrip())
                out.append(Line(number, begin + blank + 1, part.strip()))
    return out


def row(correction: Correction) -> str:
    """The row of corrections.tsv that a reader changes who finds the correction itself mistaken."""
    c = correction
    return "\t".join((str(c.line), str(c.column), c.source, c.published, "proofread", "seen by a reader"))


@lru_cache(maxsize=16)
def _source(folder: Path, digest: str) -> tuple[str, ...]:
    for file in sorted(folder.glob("source.*")):
        # Another source than the one that was read would give other places.
        if sha256(file.read_bytes()).hexdigest() == digest:
            try:
                return tuple(file.read_text(encoding="utf-8").split("\n"))
            except UnicodeDecodeError:
                return ()
    return ()
