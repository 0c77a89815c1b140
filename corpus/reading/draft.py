"""What is open, and what is left of the line. Frozen: deciders read it, actions make the next one."""

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
    """Lines that read as one paragraph; a table when ``rule`` says how its rows become cells."""

    lines: list[Line]
    rule: TableRule | None = None

    @property
    def is_table(self) -> bool:
        """Whether the lines are rows."""
        return self.rule is not None


@dataclass(eq=False)
class Draft:
    """A node in the making. ``items`` holds paragraphs and child drafts in reading order; only actions change it.

    ``level``: its depth among the numbered levels, 0 for a law, -1 outside them.
    """

    path: str
    kind: Kind
    level: int = -1
    parent: Draft | None = None
    label: Line | None = None
    heading: list[Line] = field(default_factory=list)
    items: list[Paragraph | Draft] = field(default_factory=list)
    count: dict[int, int] = field(default_factory=dict)  # level → last ordinal among its children
    term: str = ""  # of a definition: the headword that names it
    aside: str = ""  # what its heading has beside the term, without brackets
    separator: Line | None = None  # the dash between a headword and its text, a label and its title
    ordinal: int = 0  # its number in its list, 0 for what is in none
    column: int = 0  # how far its label is indented

    @property
    def children(self) -> list[Draft]:
        """The drafts directly below."""
        return [i for i in self.items if isinstance(i, Draft)]

    @property
    def last_paragraph(self) -> Paragraph | None:
        """The paragraph that a further line could go on with; None after a child, or without any."""
        return self.items[-1] if self.items and isinstance(self.items[-1], Paragraph) else None

    @property
    def lead_paragraph(self) -> Paragraph | None:
        """The running text that the draft begins with, when it begins so."""
        first = self.items[0] if self.items else None
        return first if isinstance(first, Paragraph) and not first.is_table else None

    def paragraphs(self) -> list[Paragraph]:
        """Its own paragraphs and tables."""
        return [i for i in self.items if isinstance(i, Paragraph)]

    def walk(self) -> Iterator[Draft]:
        """This draft and its descendants in reading order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def self_and_ancestors(self) -> Iterator[Draft]:
        """This draft and those that hold it, the innermost first."""
        draft: Draft | None = self
        while draft:
            yield draft
            draft = draft.parent


class Tree:
    """All drafts of an edition: ``roots`` in document order, and each by its path (the first that bears it)."""

    def __init__(self) -> None:
        self.roots: list[Draft] = []
        self._by_path: dict[str, Draft] = {}

    def find(self, path: str) -> Draft | None:
        """The draft of a path, None when it is not there yet."""
        return self._by_path.get(path)

    def add(self, draft: Draft) -> None:
        """Put a draft under its parent, behind what stands there."""
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
    """How many characters of blank a line begins with."""
    return len(line.text) - len(line.text.lstrip())


def depth_of(line: Line, unit: int = 1) -> int:
    """Depth of indentation: a tab is one depth, so are ``unit`` blanks."""
    front = line.text[: indentation_of(line)]
    return front.count("\t") + sum(c.isspace() and c not in "\t\f\v" for c in front) // unit


LAWS_PART = "laws"  # the part of the book that is open among the laws and their containers


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
    used: frozenset[KeyPath] = frozenset()  # places in the manifest of what a line has met
    lost: bool = False  # whether a line was left out before the first part or law
    blank: bool = True  # whether an empty line stands before this one
    before: str = ""  # the line before, as it stands


@dataclass(frozen=True)
class LineRest:
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
    def whole_line(self) -> Line:
        """The line as a whole."""
        return self.lines[self.index]

    def rest_from(self, start: int, after: Literal["label", "item"]) -> LineRest:
        """What is left behind ``start``."""
        return LineRest(self.lines, self.index, self.line.cut(start), after)

    def lines_below(self) -> Iterator[Line]:
        """The lines below, empty ones too."""
        return (self.lines[i] for i in range(self.index + 1, len(self.lines)))

    def next_text_line(self) -> tuple[int, Line] | None:
        """The next line that holds text, and its index."""
        return next(((i, line) for i, line in enumerate(self.lines_below(), self.index + 1) if line.text.strip()), None)
