"""What reading one source returns: the nodes, the problems, and what became of every line and character.

:class:`Reading` is the result of ``corpus.reading.read.read_source``; :class:`Placing` and :class:`DroppedText` are
its records for lines that were placed and characters that were dropped.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from corpus.model import Correction, IndexEntry, Node, Problem, Spelling
from corpus.strength import Scale


@dataclass(frozen=True)
class DroppedText:
    """Characters of a line that are not text, with the name of the rule that dropped them."""

    rule: str
    line: int
    text: str
    size: int = 0  # non-blank characters of the source


@dataclass(frozen=True)
class Placing:
    """The record of what became of a stretch of a line. A line that holds several labels has one for each label.

    ``did`` says what became of it (``clause``, ``text of``, ``dropped`` …), ``path`` with which node, ``reason`` why,
    in a few words. The path is empty when the stretch belongs to no node.
    """

    line: int
    did: str
    path: str
    reason: str


@dataclass(frozen=True)
class Reading:
    """The result of reading one source: its nodes in document order and an account of every character.

    ``owned`` is the number of non-blank characters of the source that are in nodes. ``placings`` says what became of
    every line that a decider saw, and of the footnotes, in the order of the lines. ``unaccounted`` lists (line, column,
    character) of each character that is neither in a node nor dropped.
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
