"""What can be done with a line: frozen actions, each with its reason; applying one moves the cursor.

Deciders make actions and never apply them. ``reason`` is a few words that go on from what is done:
``clause 12/C/1/c`` – “(c)” continues (b).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from corpus.account import Placing
from corpus.checked.toml import At
from corpus.edition.print import TableRule
from corpus.model import Kind, Problem
from corpus.reading.cursor import LAWS, Cursor, OpenTable, Rest
from corpus.reading.draft import Draft, Paragraph
from corpus.reading.published import Line


@dataclass(frozen=True, kw_only=True)
class Action(ABC):
    """``rest``: what of the line another action takes; ``skip``: how many lines below it used up too; ``uses``:
    places in the manifest of what the line met, like ``("tables", 1)``.
    """

    reason: str
    rest: Rest | None = None
    skip: int = 0
    problems: tuple[Problem, ...] = ()
    uses: frozenset[At] = frozenset()

    def apply(self, cursor: Cursor) -> Cursor:
        """Do it; what is open afterwards."""
        return self._act(replace(cursor, used=cursor.used | self.uses, title_open=False))

    def placings(self, number: int) -> Iterator[Placing]:
        """What became of the line of this number."""
        yield Placing(number, *self.what, self.reason)

    @property
    @abstractmethod
    def what(self) -> tuple[str, str]:
        """What is done, and with which path (empty for none)."""

    @abstractmethod
    def _act(self, cursor: Cursor) -> Cursor: ...


# ── what opens a draft ──────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, kw_only=True)
class Open(Action):
    """Open a draft below ``parent`` (at the top without one)."""

    path: str
    kind: Kind
    parent: Draft | None
    level: int = -1
    label: Line | None = None
    heading: tuple[Line, ...] = ()
    separator: Line | None = None

    @property
    def what(self) -> tuple[str, str]:
        """The kind and the path."""
        return self.kind, self.path

    def _draft(self) -> Draft:
        return Draft(
            path=self.path,
            kind=self.kind,
            level=self.level,
            parent=self.parent,
            label=self.label,
            heading=list(self.heading),
            separator=self.separator,
        )

    def _open(self, cursor: Cursor) -> Draft:
        draft = self._draft()
        cursor.tree.add(draft)
        return draft

    def _act(self, cursor: Cursor) -> Cursor:
        return replace(cursor, draft=self._open(cursor), last=None)


@dataclass(frozen=True, kw_only=True)
class OpenPart(Open):
    """A part outside the laws; ``by_line``: every line of it is a paragraph."""

    by_line: bool = False

    def _act(self, cursor: Cursor) -> Cursor:
        return replace(super()._act(cursor), part=self.path, by_line=self.by_line)


@dataclass(frozen=True, kw_only=True)
class OpenContainer(Open):
    """A chapter, part or division that holds laws; ``inside``: the containers that stay open around it."""

    inside: tuple[Draft, ...] = ()

    def _act(self, cursor: Cursor) -> Cursor:
        draft = self._open(cursor)
        return replace(cursor, draft=draft, last=None, part=LAWS, containers=(*self.inside, draft))


@dataclass(frozen=True, kw_only=True)
class OpenLaw(Open):
    """A law; ``expected``: the numbers still to come after it; ``title_open``: its title may go on in the next line."""

    level: int = 0
    number: int
    expected: tuple[int, ...]
    title_open: bool = False

    def _act(self, cursor: Cursor) -> Cursor:
        return replace(
            super()._act(cursor), part=LAWS, last_law=self.number, expected=self.expected, title_open=self.title_open
        )


@dataclass(frozen=True, kw_only=True)
class OpenProvision(Open):
    """A section, subsection … of a law; ``lead``: the words before an item that runs on inside a sentence."""

    parent: Draft
    ordinal: int
    column: int = 0
    lead: AddText | None = None

    def placings(self, number: int) -> Iterator[Placing]:
        """The words before the item, too."""
        if self.lead:
            yield from self.lead.placings(number)
        yield from super().placings(number)

    def _draft(self) -> Draft:
        return replace(super()._draft(), ordinal=self.ordinal, column=self.column)

    def _act(self, cursor: Cursor) -> Cursor:
        if self.lead:
            cursor = self.lead.apply(cursor)
        self.parent.count[self.level] = max(self.ordinal, self.parent.count.get(self.level, 0))
        return super()._act(cursor)


@dataclass(frozen=True, kw_only=True)
class OpenDefinition(Open):
    """A definition of the chapter of definitions."""

    term: str
    aside: str

    def _draft(self) -> Draft:
        return replace(super()._draft(), term=self.term, aside=self.aside)


# ── what goes on ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, kw_only=True)
class AddHeading(Action):
    """A line of the open draft's title; ``title_open``: it may go on."""

    draft: Draft
    line: Line
    title_open: bool = False

    @property
    def what(self) -> tuple[str, str]:
        """The path whose title it is."""
        return "title of", self.draft.path

    def _act(self, cursor: Cursor) -> Cursor:
        self.draft.heading.append(self.line)
        return replace(cursor, title_open=self.title_open)


@dataclass(frozen=True, kw_only=True)
class AddText(Action):
    """Words of a draft, which is the innermost open one from then on; ``new``: they begin a paragraph."""

    draft: Draft
    line: Line
    new: bool

    @property
    def what(self) -> tuple[str, str]:
        """The path whose text it is."""
        return "text of", self.draft.path

    def _act(self, cursor: Cursor) -> Cursor:
        paragraph = self.draft.last_paragraph
        if self.new or not paragraph or paragraph.table:
            paragraph = Paragraph([])
            self.draft.items.append(paragraph)
        paragraph.lines.append(self.line)
        return replace(cursor, draft=self.draft, last=(self.draft, self.line))


@dataclass(frozen=True, kw_only=True)
class AddRow(Action):
    """A row of a table; ``new``: a table begins; ``ends``: no row is awaited after it."""

    draft: Draft
    line: Line
    rule: TableRule
    new: bool
    ends: bool

    @property
    def what(self) -> tuple[str, str]:
        """The path whose table it is."""
        return "table of", self.draft.path

    def _act(self, cursor: Cursor) -> Cursor:
        paragraph = None if self.new else self.draft.last_paragraph
        if not paragraph:
            paragraph = Paragraph([], self.rule)
            self.draft.items.append(paragraph)
        paragraph.lines.append(self.line)
        table = None if self.ends else OpenTable(self.rule, paragraph.lines[0])
        return replace(cursor, draft=self.draft, last=None, table=table)


# ── what places nothing ─────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, kw_only=True)
class BeginLaws(Action):
    """From this line on a law may begin; the line itself is yet to be placed."""

    rest: Rest = field()

    @property
    def what(self) -> tuple[str, str]:
        """That the laws begin."""
        return "the laws begin", ""

    def _act(self, cursor: Cursor) -> Cursor:
        return replace(cursor, laws_open=True)


@dataclass(frozen=True, kw_only=True)
class LeaveOut(Action):
    """The line has no place."""

    @property
    def what(self) -> tuple[str, str]:
        """That it is left out."""
        return "left out", ""

    def _act(self, cursor: Cursor) -> Cursor:
        return replace(cursor, lost=True)
