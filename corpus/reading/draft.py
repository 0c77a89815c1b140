"""Drafts, and the cursor over them: what is built so far, what is open, and what is left of the line.

A :class:`Draft` is a node before its text is made. :class:`Tree` holds all drafts of an edition. Deciders read
:class:`Cursor` and :class:`LineRest`, which are frozen; an action makes the next cursor.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from corpus.edition import TableRule
from corpus.files import KeyPath
from corpus.model import Kind
from corpus.reading.source import Line


@dataclass(eq=False)
class Paragraph:
    """Lines that read as one paragraph. It is a table when ``rule`` is set: the rule splits the rows into cells."""

    lines: list[Line]
    rule: TableRule | None = None

    @property
    def is_table(self) -> bool:
        """Whether the lines are rows of a table."""
        return self.rule is not None


@dataclass(eq=False)
class Draft:
    """A node before its text is made. Only actions change it.

    ``items`` holds paragraphs and child drafts in reading order. ``level`` is the depth among the numbered levels: 0
    for a law, -1 outside them.
    """

    path: str
    kind: Kind
    level: int = -1
    parent: Draft | None = None
    label: Line | None = None
    heading: list[Line] = field(default_factory=list)
    items: list[Paragraph | Draft] = field(default_factory=list)
    count: dict[int, int] = field(default_factory=dict)  # level → last ordinal among its children
    term: str = ""  # the headword that names a definition
    aside: str = ""  # what the heading of a definition has beside the term, without brackets
    separator: Line | None = None  # the dash between a headword and its text, or between a label and its title
    ordinal: int = 0  # its number in its list, 0 outside lists
    column: int = 0  # indentation of its label

    @property
    def children(self) -> list[Draft]:
        """The drafts directly below this one."""
        return [i for i in self.items if isinstance(i, Draft)]

    @property
    def last_paragraph(self) -> Paragraph | None:
        """The paragraph that a further line can continue; None after a child, or when there is no paragraph."""
        return self.items[-1] if self.items and isinstance(self.items[-1], Paragraph) else None

    @property
    def lead_paragraph(self) -> Paragraph | None:
        """The running text that the draft begins with; None when it begins with something else."""
        first = self.items[0] if self.items else None
        return first if isinstance(first, Paragraph) and not first.is_table else None

    def paragraphs(self) -> list[Paragraph]:
        """The paragraphs and tables of the draft itself."""
        return [i for i in self.items if isinstance(i, Paragraph)]

    def walk(self) -> Iterator[Draft]:
        """This draft and its descendants in reading order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def self_and_ancestors(self) -> Iterator[Draft]:
        """This draft and the drafts that hold it, the innermost first."""
        draft: Draft | None = self
        while draft:
            yield draft
            draft = draft.parent


class Tree:
    """All drafts of an edition: ``roots`` in document order, and each by its path (the first that has the path)."""

    def __init__(self) -> None:
        self.roots: list[Draft] = []
        self._by_path: dict[str, Draft] = {}

    def find(self, path: str) -> Draft | None:
        """The draft of a path, or None when it is not there yet."""
        return self._by_path.get(path)

    def add(self, draft: Draft) -> None:
        """Add a draft under its parent, after the items that the parent has."""
        if draft.parent:
            draft.parent.items.append(draft)
        else:
            self.roots.append(draft)
        self._by_path.setdefault(draft.path, draft)


def strip_line(line: Line) -> Line:
    """The line without the blanks around its text."""
    text = line.text
    start = len(text) - len(text.lstrip())
    return line.cut(start, max(start, len(text.rstrip())))


def indentation_of(line: Line) -> int:
    """The number of blanks that a line begins with."""
    return len(line.text) - len(line.text.lstrip())


def indentation_depth(line: Line, unit: int = 1) -> int:
    """The depth of indentation: one for each tab, and one for every ``unit`` blanks."""
    front = line.text[: indentation_of(line)]
    return front.count("\t") + sum(c.isspace() and c not in "\t\f\v" for c in front) // unit


LAWS_PART = "laws"  # the open part while laws and their containers are read


@dataclass(frozen=True)
class OpenTable:
    """A table whose last line has not come yet. ``first`` is its first line."""

    rule: TableRule
    first: Line


@dataclass(frozen=True)
class Cursor:
    """What is open before a line is placed. ``tree`` is what was built so far; only actions extend it."""

    tree: Tree
    expected: tuple[int, ...]  # numbers of the laws that are still to come
    laws_open: bool  # whether a law may begin
    draft: Draft | None = None  # the innermost open draft
    part: str | None = None  # path of the open part, or LAWS_PART
    by_line: bool = False  # whether every line of the part is a paragraph
    containers: tuple[Draft, ...] = ()
    last_law: int = 0
    title_open: bool = False  # whether the title that was just read may continue
    last: tuple[Draft, Line] | None = None  # the last line of text, and the draft that has it
    table: OpenTable | None = None
    used: frozenset[KeyPath] = frozenset()  # places in the manifest of declarations that a line matched
    lost: bool = False  # whether a line was left out before the first part or law
    blank: bool = True  # whether an empty line stands before this one
    before: str = ""  # the line before, unchanged


@dataclass(frozen=True)
class LineRest:
    """The rest of ``lines[index]`` that is still to be placed: ``line``, the whole line or the end of it.

    ``after`` says what was opened before it on the same line (``label``, ``item``); empty when nothing was.
    """

    lines: list[Line]
    index: int
    line: Line
    after: Literal["", "label", "item"] = ""

    @property
    def stripped_text(self) -> str:
        """The text of the rest, without the blanks around it."""
        return self.line.text.strip()

    @property
    def whole_line(self) -> Line:
        """The line, not only the rest of it."""
        return self.lines[self.index]

    def rest_from(self, start: int, after: Literal["label", "item"]) -> LineRest:
        """Return what is left of this rest from column ``start`` on. ``after`` says what stands before that column."""
        return LineRest(self.lines, self.index, self.line.cut(start), after)

    def lines_below(self) -> Iterator[Line]:
        """The lines below, including empty ones."""
        return (self.lines[i] for i in range(self.index + 1, len(self.lines)))

    def next_text_line(self) -> tuple[int, Line] | None:
        """The index of the next line that holds text, and the line; None at the end."""
        return next(((i, line) for i, line in enumerate(self.lines_below(), self.index + 1) if line.text.strip()), None)
