"""Actions on a line, such as to begin a provision, to continue one or to leave the line out; the context of deciders.

An :class:`Action` is frozen and has a reason. Deciders make actions and never apply them; ``apply`` returns the
next cursor. ``reason`` is a few words that continue the description of the effect: ``clause 12/C/1/c`` – “(c)”
continues (b). :class:`ReadingContext` holds the edition, its patterns, its numbering and its sentence rules.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from corpus.edition import ContainerRule, Edition, PartRule, TableRule
from corpus.files import KeyPath, TimedPattern, compile_pattern
from corpus.label import LabelParser
from corpus.language import Language
from corpus.model import Kind, Problem
from corpus.reading.draft import LAWS_PART, Cursor, Draft, LineRest, OpenTable, Paragraph
from corpus.reading.flow import SentenceRules
from corpus.reading.labels import Numbering
from corpus.reading.result import Placing
from corpus.reading.source import Line


@dataclass(frozen=True)
class HeadPatterns:
    """Patterns of the lines that begin something: a label (by level, the law's first), a part, or a container."""

    labels: tuple[LabelParser, ...]
    parts: tuple[tuple[TimedPattern, PartRule], ...]
    headed: tuple[tuple[TimedPattern, ContainerRule], ...]

    @classmethod
    def of(cls, edition: Edition) -> HeadPatterns:
        """The patterns that the manifest declares."""
        return cls(
            tuple(LabelParser(level) for level in edition.levels),
            tuple((compile_pattern(part.start), part) for part in edition.parts),
            tuple((compile_pattern(headed.pattern), headed) for headed in edition.headed),
        )

    def begins_part_or_container(self, text: str) -> bool:
        """Whether a line of this text begins a part or a container."""
        return any(p.match(text) for p, _ in self.parts) or self.begins_container(text)

    def begins_container(self, text: str) -> bool:
        """Whether a line of this text begins a chapter, part or division of laws."""
        return any(p.match(text) for p, _ in self.headed)

    def kind_of_start(self, line: Line) -> Literal["law", "head", "label", ""]:
        """What a line could begin, judged by its form alone; empty for none of these."""
        if self.labels[0].parse(line.text):
            return "law"
        if self.begins_part_or_container(line.text.strip()):
            return "head"
        return "label" if any(parser.parse(line.text) for parser in self.labels) else ""


@dataclass(frozen=True)
class ReadingContext:
    """What is known of an edition while its lines are placed: its manifest, patterns, numbering and sentence rules."""

    edition: Edition
    heads: HeadPatterns
    numbering: Numbering
    sentences: SentenceRules

    @classmethod
    def of(
        cls, edition: Edition, language: Language, heads: HeadPatterns, lines: list[Line], interruptions: frozenset[int]
    ) -> ReadingContext:
        """Return the context of an edition.

        ``lines`` are the lines that will be placed. ``interruptions`` are the numbers of lines where a footnote was
        taken out.
        """
        numbering = Numbering(
            edition,
            heads.labels,
            language.reference_word_end_pattern,
            language.law_word_end_pattern,
            language.reference_words("law_after"),
            language.word_after_label_pattern,
        )
        return cls(edition, heads, numbering, SentenceRules(edition.paragraphs, lines, interruptions))

    @cached_property
    def definition_pattern(self) -> TimedPattern:
        """The pattern of a line that begins a definition."""
        return compile_pattern(self.edition.definitions.entry_pattern)

    @cached_property
    def placements_by_line(self) -> dict[int, tuple[KeyPath, str]]:
        """Number of a line → (place of a placement in the manifest, path that the placement names).

        A placement says by hand to which node a line belongs.
        """
        return {p.line: (("placements", n), p.path) for n, p in enumerate(self.edition.placements)}

    @property
    def has_hanging_items(self) -> bool:
        """Whether the lines of an item are indented deeper than its label."""
        return self.edition.hanging or self.edition.is_html

    def problem(self, line: Line, finding: str, move: str, fatal: bool = True) -> Problem:
        """Return a problem in a line of the source: what is wrong (``finding``) and what to do about it (``move``)."""
        return Problem(self.edition.source_name, line.number, finding, move, fatal)


@dataclass(frozen=True, kw_only=True)
class Action(ABC):
    """Something that is done with a line: a draft is opened, words are added, or the line is left out.

    ``rest`` is the part of the line that is left for another action, None when nothing is left. ``skip`` is the number
    of lines below that this action placed, too. ``uses`` holds the places in the manifest of what the line matched,
    like ``("tables", 1)``.
    """

    reason: str
    rest: LineRest | None = None
    skip: int = 0
    problems: tuple[Problem, ...] = ()
    uses: frozenset[KeyPath] = frozenset()

    def apply(self, cursor: Cursor) -> Cursor:
        """Do the action, and return the cursor after it."""
        return self._act(replace(cursor, used=cursor.used | self.uses, title_open=False))

    def placings(self, number: int) -> Iterator[Placing]:
        """Yield the record of what this action did with the line of a number, and why."""
        yield Placing(number, *self.did_and_path, self.reason)

    @property
    @abstractmethod
    def did_and_path(self) -> tuple[str, str]:
        """(what is done, path of the node with which it is done); the path is empty where there is no node."""

    @abstractmethod
    def _act(self, cursor: Cursor) -> Cursor: ...


# ── Actions that open a draft ───────────────────────────────────────────────────────────────────


@dataclass(frozen=True, kw_only=True)
class OpenDraft(Action):
    """Open a draft below ``parent``, or at the top when there is no parent."""

    path: str
    kind: Kind
    parent: Draft | None
    level: int = -1
    label: Line | None = None
    heading: tuple[Line, ...] = ()
    separator: Line | None = None

    @property
    def did_and_path(self) -> tuple[str, str]:
        """(kind, path) of the draft."""
        return self.kind, self.path

    def _new_draft(self) -> Draft:
        return Draft(
            path=self.path,
            kind=self.kind,
            level=self.level,
            parent=self.parent,
            label=self.label,
            heading=list(self.heading),
            separator=self.separator,
        )

    def _add_draft(self, cursor: Cursor) -> Draft:
        draft = self._new_draft()
        cursor.tree.add(draft)
        return draft

    def _act(self, cursor: Cursor) -> Cursor:
        return replace(cursor, draft=self._add_draft(cursor), last=None)


@dataclass(frozen=True, kw_only=True)
class OpenPart(OpenDraft):
    """Open a part outside the laws. With ``by_line`` every line of it is a paragraph."""

    by_line: bool = False

    def _act(self, cursor: Cursor) -> Cursor:
        return replace(super()._act(cursor), part=self.path, by_line=self.by_line)


@dataclass(frozen=True, kw_only=True)
class OpenContainer(OpenDraft):
    """Open a chapter, part or division that holds laws. ``inside`` are the containers that stay open around it."""

    inside: tuple[Draft, ...] = ()

    def _act(self, cursor: Cursor) -> Cursor:
        draft = self._add_draft(cursor)
        return replace(cursor, draft=draft, last=None, part=LAWS_PART, containers=(*self.inside, draft))


@dataclass(frozen=True, kw_only=True)
class OpenLaw(OpenDraft):
    """Open a law.

    ``expected`` are the numbers of the laws still to come after it. ``title_open`` says that its title may continue in
    the next line.
    """

    level: int = 0
    number: int
    expected: tuple[int, ...]
    title_open: bool = False

    def _act(self, cursor: Cursor) -> Cursor:
        return replace(
            super()._act(cursor),
            part=LAWS_PART,
            last_law=self.number,
            expected=self.expected,
            title_open=self.title_open,
        )


@dataclass(frozen=True, kw_only=True)
class OpenProvision(OpenDraft):
    """Open a section, subsection … of a law.

    ``ordinal`` is its number in its list, ``column`` the indentation of its label. ``lead`` adds the words before an
    item that runs on inside a sentence.
    """

    parent: Draft
    ordinal: int
    column: int = 0
    lead: AddText | None = None

    def placings(self, number: int) -> Iterator[Placing]:
        """The placings of the words before the item, then of the item."""
        if self.lead:
            yield from self.lead.placings(number)
        yield from super().placings(number)

    def _new_draft(self) -> Draft:
        return replace(super()._new_draft(), ordinal=self.ordinal, column=self.column)

    def _act(self, cursor: Cursor) -> Cursor:
        if self.lead:
            cursor = self.lead.apply(cursor)
        self.parent.count[self.level] = max(self.ordinal, self.parent.count.get(self.level, 0))
        return super()._act(cursor)


@dataclass(frozen=True, kw_only=True)
class OpenDefinition(OpenDraft):
    """Open a definition in the chapter of definitions.

    ``term`` is its headword. ``aside`` is what its heading has beside the term, without brackets.
    """

    term: str
    aside: str

    def _new_draft(self) -> Draft:
        return replace(super()._new_draft(), term=self.term, aside=self.aside)


# ── Actions that continue a draft ───────────────────────────────────────────────────────────────


@dataclass(frozen=True, kw_only=True)
class AddHeading(Action):
    """Add a line to the title of the open draft. ``title_open`` says that the title may continue."""

    draft: Draft
    line: Line
    title_open: bool = False

    @property
    def did_and_path(self) -> tuple[str, str]:
        """("title of", the path whose title it is)."""
        return "title of", self.draft.path

    def _act(self, cursor: Cursor) -> Cursor:
        self.draft.heading.append(self.line)
        return replace(cursor, title_open=self.title_open)


@dataclass(frozen=True, kw_only=True)
class AddText(Action):
    """Add words to a draft. This draft is the innermost open one afterwards. With ``new`` they begin a paragraph."""

    draft: Draft
    line: Line
    new: bool

    @property
    def did_and_path(self) -> tuple[str, str]:
        """("text of", the path whose text it is)."""
        return "text of", self.draft.path

    def _act(self, cursor: Cursor) -> Cursor:
        paragraph = self.draft.last_paragraph
        if self.new or not paragraph or paragraph.is_table:
            paragraph = Paragraph([])
            self.draft.items.append(paragraph)
        paragraph.lines.append(self.line)
        return replace(cursor, draft=self.draft, last=(self.draft, self.line))


@dataclass(frozen=True, kw_only=True)
class AddRow(Action):
    """Add a row to a table. With ``new`` a table begins; with ``ends`` no further row is expected."""

    draft: Draft
    line: Line
    rule: TableRule
    new: bool
    ends: bool

    @property
    def did_and_path(self) -> tuple[str, str]:
        """("table of", the path whose table it is)."""
        return "table of", self.draft.path

    def _act(self, cursor: Cursor) -> Cursor:
        paragraph = None if self.new else self.draft.last_paragraph
        if not paragraph:
            paragraph = Paragraph([], self.rule)
            self.draft.items.append(paragraph)
        paragraph.lines.append(self.line)
        table = None if self.ends else OpenTable(self.rule, paragraph.lines[0])
        return replace(cursor, draft=self.draft, last=None, table=table)


# ── Actions that place nothing ──────────────────────────────────────────────────────────────────


@dataclass(frozen=True, kw_only=True)
class AllowLaws(Action):
    """Allow laws to begin from this line on. The line itself is still to be placed."""

    rest: LineRest = field()

    @property
    def did_and_path(self) -> tuple[str, str]:
        """The words “the laws begin”, without a path."""
        return "the laws begin", ""

    def _act(self, cursor: Cursor) -> Cursor:
        return replace(cursor, laws_open=True)


@dataclass(frozen=True, kw_only=True)
class LeaveOut(Action):
    """Leave out a line that has no place."""

    @property
    def did_and_path(self) -> tuple[str, str]:
        """The words “left out”, without a path."""
        return "left out", ""

    def _act(self, cursor: Cursor) -> Cursor:
        return replace(cursor, lost=True)
