"""How an edition is printed: where its source is, its levels, parts, notes, definitions and tables, what is no text.

Each class is a table of ``edition.toml`` (docs/add-an-edition.md explains each key).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal

from corpus.checked.rule import Fault, from_one, pattern, shape
from corpus.checked.selector import selector
from corpus.edition.identity import numbers, read_numbers
from corpus.label.printed import Level
from corpus.model import LAWS, Container

Pattern = Annotated[str, pattern()]
Sign = Annotated[str, pattern("sign", must="sign")]


@dataclass(frozen=True)
class Part:
    """A part outside the laws: ``path`` (preface, intro, def, index, example), the pattern of the line it starts with.

    ``heading``: whether that line is its title (else it is its first text). A part ends where another or a law begins.
    ``lines``: every line is a paragraph of its own (a list, an index), unless it goes on in lower case.
    """

    path: Annotated[
        str,
        shape(
            r"preface|intro|def|index|example(/\d+)?",
            "one of preface, intro, def, index, example, example/1, example/2 …",
        ),
    ]
    start: Annotated[str, pattern("heading")]
    heading: bool = True
    lines: bool = False


@dataclass(frozen=True)
class Headed:
    """A chapter, part or division: pattern with group ``n`` and perhaps ``heading``; else the next line is its title.

    ``n`` is a roman or arabic number; printed in words (or without the group) they count by order.
    """

    kind: Container
    pattern: Annotated[str, pattern("n", "heading")]


@dataclass(frozen=True)
class TableRule:
    """A table inside a provision: first and last line; ``rows`` are patterns whose groups are the cells.

    A row that no pattern matches is cut at its tabs or, without tabs, where two or more blanks stand together.
    ``continues``: pattern of a row that goes on in the next line (a cell printed in two lines).
    """

    path: Annotated[str, shape(r"\d+(/[A-Za-z0-9]+)*", "the path of a provision, like 77 or 78/B")]
    first: Pattern
    last: Pattern
    rows: tuple[Pattern, ...] = ()
    continues: Pattern = ""


_DIGITS = "[⁰¹²³⁴⁵⁶⁷⁸⁹]+"
NOTE_STYLES = {  # style → pattern of a line that begins a note, pattern of a mark
    "superscript": (rf"^\s*(?P<sign>{_DIGITS})\)?\s*(?=\S)", rf"(?P<sign>{_DIGITS})\)?"),
    "stars": (r"^\s*(?P<sign>\*{1,5}|[†‡§]{1,2})\)?\s*(?=\S)", r"(?<=\S)(?P<sign>\*{1,5}|[†‡]{1,2})\)?"),
    "brackets": (r"^\s*\[(?P<sign>\d{1,3}|\*{1,5})\]\s*(?=\S)", r"\s?\[(?P<sign>\d{1,3}|\*{1,5})\]"),
    "parentheses": (r"^\s*\((?P<sign>\d{1,3}|\*{1,5})\)\s*(?=\S)", r"(?<=\S)\s?\((?P<sign>\d{1,3}|\*{1,5})\)"),
}


@dataclass(frozen=True)
class Notes:
    """Footnotes.

    ``numbering``: ``book`` (1, 2, … through the book), ``law`` (signs, in order within the law), ``none``. ``style``
    names how signs are printed (``superscript``, ``stars``, ``brackets``, ``parentheses``); or ``note``: pattern of a
    line that begins a note, group ``sign``; ``mark``: pattern of a mark in the text, group ``sign``. ``place``:
    ``anywhere`` (a note is one paragraph, the interrupted text goes on after it) or ``end`` (all notes stand together,
    after the line that matches ``start``, else after the last law). ``unmarked``: lines of notes whose mark the source
    has lost and nobody can restore.
    """

    numbering: Literal["book", "law", "none"] = "none"
    style: Literal["", "superscript", "stars", "brackets", "parentheses"] = ""
    note: Sign = ""
    mark: Sign = ""
    place: Literal["anywhere", "end"] = "anywhere"
    start: Pattern = ""
    unmarked: tuple[int, ...] = ()

    @property
    def note_pattern(self) -> str:
        """What a line begins with that begins a note; empty when nothing says so."""
        return self.note or NOTE_STYLES.get(self.style, ("", ""))[0]

    @property
    def mark_pattern(self) -> str:
        """What a mark in the text looks like."""
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

    style: Literal["pattern", "dash", "colon", "bold", "headword"] = "pattern"
    entry: Annotated[str, pattern("term", "extra", "separator", must="term")] = ""

    @property
    def entry_pattern(self) -> str:
        """What begins a definition; empty when nothing says so."""
        return self.entry or DEFINITION_STYLES.get(self.style, "")


@dataclass(frozen=True)
class SubjectIndex:
    """How the part ``index`` prints its lines: a term, then the provisions that it leads to.

    ``see``: patterns of what leads to another term, group ``entry``; a group ``term`` before it is a line of its own.
    ``note``: pattern of a line that is neither. ``definition``, ``intro``, ``footnote``: the words printed for these
    instead of, or after, a number. Without ``see`` and these words the index is plain text.
    """

    see: tuple[Annotated[str, pattern("entry", "term")], ...] = ()
    note: Pattern = ""
    definition: str = ""
    intro: str = ""
    footnote: str = ""


@dataclass(frozen=True)
class Placement:
    """A paragraph that rules cannot place: the line it begins on, the path it belongs to, and why.

    With the path of a footnote (fn/7, 50/fn/2) it is a further paragraph of that note, which stands above it.
    """

    line: int
    path: Annotated[
        str,
        shape(
            r"\d+(/[A-Za-z0-9]+)*|fn/\d+|def(/[\w-]+)?|preface|intro|example(/\d+)?", "the path of a node, like 69/B"
        ),
    ]
    reason: str

    @property
    def in_note(self) -> bool:
        """Whether the paragraph belongs to a footnote."""
        return re.search(r"(^|/)fn/\d+$", self.path) is not None


@dataclass(frozen=True)
class DropRule:
    """What is no text. ``pattern``: of what goes, a CSS selector where the ``scope`` is ``element``.

    ``scope``: ``line`` (all of it matches; with ``lines``, only these), ``span`` (what matches goes, its line stays),
    ``break`` (an empty line stands there instead), ``block`` (from a line that matches to the one before ``until``).
    """

    name: str
    pattern: str
    scope: Literal["line", "span", "break", "block", "element"] = "line"
    until: Pattern = ""
    lines: tuple[int, ...] = ()

    def check(self) -> Iterator[Fault]:
        """Blocks alone end somewhere; the pattern is what its scope reads."""
        if (self.scope == "block") != bool(self.until):
            yield Fault(
                "A drop rule has “until” exactly when its scope is “block”.",
                "Add or remove “until”, or change the scope.",
                ("until",),
            )
        if self.lines and self.scope != "line":
            yield Fault(
                f"“lines” says nothing where the scope is “{self.scope}”: it names whole lines.",
                "Remove it, or the scope.",
                ("lines",),
            )
        if self.scope != "element":
            yield from (f._replace(at=("pattern",)) for f in pattern()("drop.pattern", self.pattern))
            return
        yield from (f._replace(at=("pattern",)) for f in selector("drop.pattern", self.pattern))


@dataclass(frozen=True)
class SplitRule:
    """Where a line holds two things: a pattern of the empty place between them."""

    name: str
    pattern: Pattern


@dataclass(frozen=True, kw_only=True)
class Print:
    """How the source of an edition prints what, and which laws (or points) it holds."""

    levels: tuple[Level, ...]
    source: Annotated[str, shape(r"[\w-][\w .-]*", "the name of a file in the folder of the edition")] = "source.txt"
    laws: Annotated[str, numbers] = "1–93"
    scheme: Literal["typed", "indented"] = "typed"
    indent: Annotated[int, from_one] = 1
    hanging: bool = False
    paragraphs: Literal["blank", "lines", "wrapped"] = "blank"
    hyphens: Literal["keep", "join"] = "keep"
    laws_start: Pattern = ""
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

    def check(self) -> Iterator[Fault]:
        """Levels go from the law down and count apart; what is said to be there is said how it is printed."""
        if not self.levels or self.levels[0].kind not in LAWS:
            yield Fault("The first of the levels is not the law.", 'Begin with kind = "law" (or "point").', ("levels",))
        elif any(level.kind in LAWS for level in self.levels[1:]):
            yield Fault(
                "Two levels of laws.",
                "Only the first level is a law or point; the deeper ones are section, subsection, clause, subclause.",
                ("levels",),
            )
        steps = [level.sign for level in self.levels[1:]]
        if len(set(steps)) < len(steps):
            yield Fault(
                f"Two levels count with the same sign ({', '.join(steps)}).",
                "Give them “count”: A for sections, 1, a, i below, so that every path is another.",
                ("levels",),
            )
        for n, rule in enumerate(self.drop):
            if rule.scope == "element" and not self.is_html:
                yield Fault(
                    "A drop rule for elements, but the source is no web page.",
                    "Use scope line, span, break or block.",
                    ("drop", n, "scope"),
                )
        if self.notes.numbering != "none" and not (self.notes.note_pattern and self.notes.mark_pattern):
            yield Fault("Notes without a style.", "Add “style”, or the patterns “note” and “mark”.", ("notes",))
        for n, part in enumerate(self.parts):
            if part.path == "def" and not self.definitions.entry_pattern:
                yield Fault(
                    "A part of definitions, but nothing says how they are printed.",
                    "Add [definitions] with a “style”, or with “entry”.",
                    ("parts", n, "path"),
                )
