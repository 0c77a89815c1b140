"""What the reader makes of one source, and what became of every character of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from corpus.model import Correction, IndexEntry, Node, Problem, Spelling


@dataclass(frozen=True)
class Dropped:
    """Characters of a line that are not text, and the named rule that says so."""

    rule: str
    line: int
    text: str
    size: int = 0  # non-blank characters of the source


@dataclass(frozen=True)
class Reading:
    """What the reader makes of one source: its nodes in document order and the account of every character.

    ``owned``: how many non-blank characters of the source are in nodes.
    """

    edition: str
    nodes: tuple[Node, ...]
    index: tuple[IndexEntry, ...]
    corrections: tuple[Correction, ...]
    dropped: tuple[Dropped, ...]
    problems: tuple[Problem, ...]
    unaccounted: tuple[tuple[int, int, str], ...] = field(default=())
    spelling: tuple[Spelling, ...] = ()
    owned: int = 0
