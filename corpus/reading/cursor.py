"""What is open, and what is left of the line. Frozen: deciders read it, actions make the next one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from corpus.checked.toml import At
from corpus.edition.print import TableRule
from corpus.reading.draft import Draft, Tree
from corpus.reading.published import Line

LAWS = "laws"  # the part of the book that is open among the laws and their containers


@dataclass(frozen=True)
class OpenTable:
    """A table whose last line has not come yet; ``first`` is its first."""

    rule: TableRule
    first: Line


@dataclass(frozen=True)
class Cursor:
    """What is open before a line is placed. ``tree`` is what was built so far; it grows by actions alone."""

    tree: Tree
    expected: tuple[int, ...]  # numbers of the laws still to come
    laws_open: bool  # whether a law may begin
    draft: Draft | None = None  # the innermost open draft
    part: str | None = None  # path of the open part, or LAWS
    by_line: bool = False  # whether every line of the part is a paragraph
    containers: tuple[Draft, ...] = ()
    last_law: int = 0
    title_open: bool = False  # whether the title just read may go on
    last: tuple[Draft, Line] | None = None  # where the last line of text went
    table: OpenTable | None = None
    used: frozenset[At] = frozenset()  # places in the manifest of what a line has met
    lost: bool = False  # whether a line was left out before the first part or law
    blank: bool = True  # whether an empty line stands before this one
    before: str = ""  # the line before, as it stands


@dataclass(frozen=True)
class Rest:
    """What is still to be placed of ``lines[index]``; ``after``: what was opened before it on the same line."""

    lines: list[Line]
    index: int
    line: Line
    after: Literal["", "label", "item"] = ""

    @property
    def text(self) -> str:
        """Its text without the blanks around it."""
        return self.line.text.strip()

    @property
    def whole(self) -> Line:
        """The line as a whole."""
        return self.lines[self.index]

    def cut(self, start: int, after: Literal["label", "item"]) -> Rest:
        """What is left behind ``start``."""
        return Rest(self.lines, self.index, self.line.cut(start), after)

    def following(self) -> Iterator[Line]:
        """The lines below, empty ones too."""
        return (self.lines[i] for i in range(self.index + 1, len(self.lines)))

    def next_line(self) -> tuple[int, Line] | None:
        """The next line that holds text, and its index."""
        return next(((i, line) for i, line in enumerate(self.following(), self.index + 1) if line.text.strip()), None)
