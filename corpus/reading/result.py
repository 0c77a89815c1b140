"""What is read from one source, and what became of every line and character of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from corpus.model import Correction, IndexEntry, Node, Problem, Spelling
from corpus.strength import Scale


@dataclass(frozen=True)
class DroppedText:
    """Characters of a line that are not text, and the named rule that says so."""

    rule: str
    line: int
    text: str
    size: int = 0  # non-blank characters of the source


@dataclass(frozen=True)
class Placing:
    """What became of a line (``did``: ``clause``, ``text of``, ``dropped`` …), of which path, and why, in a few words.

    A line that holds several labels has one for each; the path is empty for what belongs to none.
    """

    line: int
    did: str
    path: str
    reason: str


@dataclass(frozen=True)
class Reading:
    """What is read from one source: its nodes in document order and the account of every character.

    ``owned``: how many non-blank characters of the source are in nodes. ``placings``: what became of every line
    that a decider saw, and of the notes, in the order of the lines.
    """

    edition: str
    nodes: tuple[Node, ...]
    index: tuple[IndexEntry, ...]
    corrections: tuple[Correction, ...]
    dropped: tuple[DroppedText, ...]
    problems: tuple[Problem, ...]
    unaccounted: tuple[tuple[int, int, str], ...] = field(default=())
    spelling: tuple[Spelling, ...] = ()
    scale: Scale | None = None
    owned: int = 0
    placings: tuple[Placing, ...] = ()
