"""How an edition is printed: where its source is, its levels, parts, notes, definitions and tables, what is no text.

Each class is a table of ``edition.toml`` (docs/add-an-edition.md explains each key).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from corpus.edition.identity import read_numbers
from corpus.label.printed import Level
from corpus.reading.layout import DropRule, SplitRule


@dataclass(frozen=True)
class Part:
    """A part outside the laws: ``path`` (preface, intro, def, index, example), the pattern of the line it starts with.

    ``heading``: whether that line is its title (else it is its first text). A part ends where another or a law begins.
    ``lines``: every line is a paragraph of its own (a list, an index), unless it goes on in lower case.
    """

    path: str
    start: str
    heading: bool = True
    lines: bool = False


@dataclass(frozen=True)
class Headed:
    """A chapter, part or division: pattern with group ``n`` and perhaps ``heading``; else the next line is its title.

    ``n`` is a roman or arabic number; printed in words (or without the group) they count by order.
    """

    kind: str
    pattern: str


@dataclass(frozen=True)
class TableRule:
    """A table inside a provision: first and last line; ``rows`` are patterns whose groups are the cells.

    A row that no pattern matches is cut at its tabs or, without tabs, where two or more blanks stand together.
    ``continues``: pattern of a row that goes on in the next line (a cell printed in two lines).
    """

    path: str
    first: str
    last: str
    rows: tuple[str, ...] = ()
    continues: str = ""


_DIGITS = "[⁰¹²³⁴⁵⁶⁷⁸⁹]+"
NOTE_STYLES = {  # style → pattern of a line that begins a note, pattern of a mark
    "superscript": (rf"^\s*(?P<sign>{_DIGITS})\)?\s*(?=\S)", rf"(?P<sign>{_DIGITS})\)?"),
    "stars": (r"^\s*(?P<sign>\*{1,5}|[†‡§]{1,2})\)?\s*(?=\S)", r"(?<=\S)(?P<sign>\*{1,5}|[†‡]{1,2})\)?"),
    "brackets": (r"^\s*\[(?P<sign>\d{1,3}|\*{1,5})\]\s*(?=\S)", r"\s?\[(?P<sign>\d{1,3}|\*{1,5})\]"),
    "parentheses": (r"^\s*\((?P<sign>\d{1,3}|\*{1,5})\)\s*(?=\S)", r"(?<=\S)\s?\((?P<sign>\d{1,3}|\*{1,5})\)"),
}


@dataclass(frozen=True)
class Notes:
    """Footnotes. ``numbering``: ``book`` (1, 2, … through the book), ``law`` (signs, in order within the law), ``none``.

    ``style`` names how signs are printed (``superscript``, ``stars``, ``brackets``, ``parentheses``); or
    ``note``: pattern of a line that begins a note, group ``sign``; ``mark``: pattern of a mark in the text, group ``sign``.
    ``place``: ``anywhere`` (a note is one paragraph, the interrupted text goes on after it) or ``end`` (all notes stand
    together, after the line that matches ``start``, else after the last law).
    ``unmarked``: lines of notes whose mark the source has lost and nobody can restore.
    """

    numbering: str = "none"
    style: str = ""
    note: str = ""
    mark: str = ""
    place: str = "anywhere"
    start: str = ""
    unmarked: tuple[int, ...] = ()

    @property
    def note_pattern(self) -> str:
        return self.note or NOTE_STYLES.get(self.style, ("", ""))[0]

    @property
    def mark_pattern(self) -> str:
        return self.mark or NOTE_STYLES.get(self.style, ("", ""))[1]


_TERM, _EXTRA = r"(?P<term>\w[^\n(]{0,60}?)", r"(?P<extra> \([^)]*\))?"
DEFINITION_STYLES = {  # style → pattern of a line that begins a definition
    "dash": rf"^{_TERM}{_EXTRA}(?P<separator>\s+[-–—]\s+|\s*[–—]\s+)",
    "colon": rf"^{_TERM}{_EXTRA}(?P<separator>\s?:(?:\s+|$))",
    "bold": rf"^(?:\*\*|__){_TERM}{_EXTRA}(?P<separator>[.:]?(?:\*\*|__)(?:\s?[-–—:](?=\s))?\s*)",
    "headword": r"^(?P<term>.+?)(?P<extra> \([^)]*\))?$",
}


@dataclass(frozen=True)
class Definitions:
    """How definitions stand.

    ``style``: ``dash`` (Term – text), ``colon`` (Term: text), ``bold`` (**Term** text), ``headword`` (a short line
    that stands apart is the term, its text follows), ``pattern`` (``entry`` decides). ``entry`` is the pattern of a
    line that begins a definition, group ``term``, perhaps ``extra`` and ``separator``; the rest is its text.
    """

    style: str = "pattern"
    entry: str = ""

    @property
    def entry_pattern(self) -> str:
        return self.entry or DEFINITION_STYLES.get(self.style, "")


@dataclass(frozen=True)
class SubjectIndex:
    """How the part ``index`` prints its lines: a term, then the provisions that it leads to.

    ``see``: patterns of what leads to another term, group ``entry``; a group ``term`` before it is a line of its own.
    ``note``: pattern of a line that is neither. ``definition``, ``intro``, ``footnote``: the words printed for these
    instead of, or after, a number. Without ``see`` and these words the index is plain text.
    """

    see: tuple[str, ...] = ()
    note: str = ""
    definition: str = ""
    intro: str = ""
    footnote: str = ""


@dataclass(frozen=True)
class Placement:
    """A paragraph that rules cannot place: the line it begins on, the path it belongs to, and why."""

    line: int
    path: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Print:
    """How the source of an edition prints what, and which laws (or points) it holds."""

    levels: tuple[Level, ...]
    source: str = "source.txt"
    laws: str = "1–93"
    scheme: str = "typed"
    indent: int = 1
    hanging: bool = False
    paragraphs: str = "blank"
    hyphens: str = "keep"
    laws_start: str = ""
    headed: tuple[Headed, ...] = ()
    parts: tuple[Part, ...] = ()
    definitions: Definitions = Definitions()
    notes: Notes = Notes()
    tables: tuple[TableRule, ...] = ()
    drop: tuple[DropRule, ...] = ()
    split: tuple[SplitRule, ...] = ()
    placements: tuple[Placement, ...] = ()
    index: SubjectIndex = SubjectIndex()

    @property
    def is_html(self) -> bool:
        """Whether the source is a web page."""
        return self.source.lower().endswith((".html", ".htm"))

    @cached_property
    def law_numbers(self) -> tuple[int, ...]:
        """The numbers of the laws (or points) that the text holds, in order."""
        return read_numbers(self.laws)
