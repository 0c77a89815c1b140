"""An edition's manifest, ``edition.toml``: what the text is and how it prints what.

Every key is declared here; an unknown or missing one is a problem with a sentence (docs/add-an-edition.md
explains each key). Nothing else in the code knows an edition by name.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import get_args, get_origin, get_type_hints

import soupsieve
from babel.languages import get_official_languages

from corpus.address import steps
from corpus.label.printed import Level, compile_template, sign_of
from corpus.model import CONTAINERS, LAWS, NUMBERED, Problem
from corpus.reading.layout import DropRule, SplitRule
from corpus.reading.patterns import endless


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


class Prose(dict):
    """What the maintainers say of an edition: a text by language; a plain one stands under "", for all readers."""


@dataclass(frozen=True)
class Link:
    """Where more is found; ``lang``: for readers of that language of texts only."""

    url: str
    text: str = ""
    lang: str = ""


@dataclass(frozen=True)
class Notice:
    """What a reader must know: on every page of the edition, or on those of the laws in which ``paths`` stand."""

    text: Prose
    paths: tuple[str, ...] = ()
    url: str = ""
    link: Prose = field(default_factory=Prose)


@dataclass(frozen=True)
class Rank:
    """A place in the order of precedence of several texts."""

    rank: int
    text: str


@dataclass(frozen=True)
class Decisions:
    """What each point of a body's decisions does with the provision that it names, as numbers like those of ``laws``.

    ``modifies``: it sets a rule that the law leaves to the body, itself or by the document that it names, or another than
    the law's. ``explains``: it adds no rule – it confirms what the law says without it, names the place where more is
    said, or only passes the body's power on.
    """

    modifies: str = ""
    explains: str = ""

    def kinds(self) -> dict[str, str]:
        """Number of a point → ``modifies`` or ``explains``.

        >>> Decisions("2–3", "1").kinds()
        {'2': 'modifies', '3': 'modifies', '1': 'explains'}
        """
        return {
            str(n): f.name for f in fields(self) if getattr(self, f.name) for n in read_numbers(getattr(self, f.name))
        }


@dataclass(frozen=True)
class Edition:
    """One text of the laws, one language, issued at one date."""

    id: str
    folder: Path
    title: str
    short: str
    lang: str
    year: int
    publisher: str
    provenance: Prose
    rights: Prose
    sha256: str
    levels: tuple[Level, ...]
    source: str = "source.txt"
    code: str = ""
    body: str = ""
    country: str = ""
    issued: str = ""
    translator: str = ""
    editors: Prose = field(default_factory=Prose)
    in_force: bool | None = None
    in_force_since: str = ""
    in_force_note: Prose = field(default_factory=Prose)
    superseded_by: int | None = None
    complete: bool = True
    completeness_note: Prose = field(default_factory=Prose)
    proofread: bool = False
    links: tuple[Link, ...] = ()
    notices: tuple[Notice, ...] = ()
    modifies: str = ""
    decisions: Decisions = Decisions()
    precedence: tuple[Rank, ...] = ()
    laws: str = "1–93"
    scheme: str = "typed"
    indent: int = 1
    hanging: bool = False
    paragraphs: str = "blank"
    hyphens: str = "keep"
    citation: str = "compact"
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
    def file(self) -> str:
        """How problems name the source."""
        return f"editions/{self.id}/{self.source}"

    @property
    def is_html(self) -> bool:
        """Whether the source is a web page."""
        return self.source.lower().endswith((".html", ".htm"))

    @property
    def manifest_file(self) -> str:
        """How problems name the manifest."""
        return f"editions/{self.id}/edition.toml"

    @cached_property
    def law_numbers(self) -> tuple[int, ...]:
        """The numbers of the laws (or points) that the text holds, in order."""
        return read_numbers(self.laws)

    def manifest_line(self, *words: str) -> int:
        """The line of the manifest that holds the first of the words found there; 1 without any."""
        lines = (self.folder / "edition.toml").read_text(encoding="utf-8-sig").splitlines()
        return next((n for word in words if word for n, line in enumerate(lines, 1) if word in line), 1)


def read_numbers(text: str) -> tuple[int, ...]:
    """Numbers and ranges, separated by commas, rising; raises ValueError with a sentence.

    >>> read_numbers("12, 61–64")
    (12, 61, 62, 63, 64)
    """
    numbers: list[int] = []
    for piece in text.split(","):
        match = re.fullmatch(r"\s*(\d{1,3})\s*(?:[-–]\s*(\d{1,3})\s*)?", piece)
        if not match:
            raise ValueError(f"“{piece.strip()}” is neither a number nor a range.")
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first or (numbers and first <= numbers[-1]) or not first:
            raise ValueError(f"“{piece.strip()}” does not rise.")
        numbers += range(first, last + 1)
    return tuple(numbers)


_CHOICES = {
    "scheme": ("typed", "indented"),
    "paragraphs": ("blank", "lines", "wrapped"),
    "citation": ("compact", "dotted"),
    "hyphens": ("keep", "join"),
    "notes.numbering": ("book", "law", "none"),
    "notes.place": ("anywhere", "end"),
    "notes.style": ("", *NOTE_STYLES),
    "definitions.style": ("pattern", *DEFINITION_STYLES),
    "drop.scope": ("line", "span", "break", "block", "element"),
    "levels.heading": ("auto", "with-text", "none", "next-line"),
    "levels.count": ("", "1", "A", "a", "i"),
    "levels.kind": (*LAWS, *NUMBERED[1:]),
    "headed.kind": CONTAINERS,
}
_PATTERNS = {
    "drop.until",
    "split.pattern",
    "headed.pattern",
    "parts.start",
    "tables.first",
    "tables.last",
    "tables.rows",
    "tables.continues",
    "notes.note",
    "notes.mark",
    "notes.start",
    "definitions.entry",
    "index.see",
    "index.note",
    "laws_start",
}
_KNOWN_GROUPS = {
    "headed.pattern": ("n", "heading"),
    "parts.start": ("heading",),
    "notes.note": ("sign",),
    "notes.mark": ("sign",),
    "definitions.entry": ("term", "extra", "separator"),
    "index.see": ("entry", "term"),
}  # what a pattern may capture
_GROUPS = {"notes.note": "sign", "notes.mark": "sign", "definitions.entry": "term"}  # what a pattern must capture
_SHAPES = {  # what a value must look like, and how to say so
    "code": (
        r"([a-z0-9]+(-[a-z0-9]+)*)?",
        "the year of the code, or a name of small letters, digits and hyphens, as in the address /id/<code>/",
    ),
    "lang": (r"[a-z]{2,3}(-[A-Za-z0-9]+)*", "a language code like “de”, the name of a file in languages/"),
    "sha256": (r"[0-9a-f]{64}", "64 hexadecimal digits, as sha256sum prints them"),
    "source": (r"[\w-][\w .-]*", "the name of a file in the folder of the edition"),
    "parts.path": (
        r"preface|intro|def|index|example(/\d+)?",
        "one of preface, intro, def, index, example, example/1, example/2 …",
    ),
    "tables.path": (r"\d+(/[A-Za-z0-9]+)*", "the path of a provision, like 77 or 78/B"),
    "levels.letters": (r"[^\W\d_]{0,26}", 'up to 26 letters in their order, like "абвгдежз"'),
    "country": ("[A-Z]{2}", "the two letters of ISO 3166-1, like PL"),
    "issued": (r"\d{4}(-\d\d(-\d\d)?)?", 'a year, a month or a day, like "2017", "2017-12" or "2017-12-31"'),
    "in_force_since": (r"\d{4}-\d\d-\d\d", 'a day, like "2018-01-01"'),
    "links.url": (r"https?://\S+", "an address that begins with https://"),
    "notices.url": (r"https?://\S+", "an address that begins with https://"),
    "notices.paths": (r"[A-Za-z0-9]+(/[\w-]+)*", "the path of a provision, like 27 or 27/B"),
    "placements.path": (
        r"\d+(/[A-Za-z0-9]+)*|def(/[\w-]+)?|preface|intro|example(/\d+)?",
        "the path of a node, like 69/B",
    ),
}
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_TAKEN = (
    "api",
    "card",
    "changes",
    "cite",
    "compare",
    "go",
    "healthz",
    "id",
    "net",
    "opensearch",
    "peek",
    "scan",
    "search",
    "situations",
    "static",
    "terms",
    "topics",
)  # first steps of the site's own addresses (contract, section 6)
_TYPE_NAMES = {str: "text in quotes", int: "a whole number", bool: "true or false", dict: "a table"}


class ManifestError(Exception):
    """A manifest that cannot be used; ``problems`` say where and why."""

    def __init__(self, problems: list[Problem]):
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


def id_problem(name: str) -> tuple[str, str] | None:
    """Why a name cannot be the id of an edition, and what to do; None when it can."""
    if _ID.fullmatch(name) and name not in _TAKEN:
        return None
    return (
        f"“{name}” cannot be the id of an edition.",
        f"Name the folder with small letters, digits and hyphens, like xx-2017; not {', '.join(_TAKEN)}.",
    )


def language_problem(code: str) -> str:
    """Why a text cannot be the code of a language; empty when it can."""
    pattern, what = _SHAPES["lang"]
    return "" if re.fullmatch(pattern, code) else f"“{code}” is no code of a language. Write {what}."


def load(folder: Path) -> Edition:
    """Read and check ``folder/edition.toml``; raises :class:`ManifestError` with every problem found."""
    name = f"editions/{folder.name}/edition.toml"

    def refuse(line: int, finding: str, move: str):
        return ManifestError([Problem(name, line, finding, move)])

    if id_problem(folder.name):
        raise refuse(1, *id_problem(folder.name))
    try:
        data = (folder / "edition.toml").read_bytes()
    except FileNotFoundError:
        raise refuse(1, "There is no manifest.", "Write edition.toml; docs/add-an-edition.md shows how.") from None
    except OSError as error:
        raise refuse(1, f"The manifest cannot be read ({error.strerror}).", "Make it a readable file.") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise refuse(line, f"Byte {data[error.start]:#04x} is not UTF-8.", "Save the manifest as UTF-8.") from None
    try:
        parsed = tomllib.loads(text.replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        line = re.search(r"line (\d+)", str(error))
        hint = " A pattern with a backslash stands in single quotes." if "escape" in str(error) else ""
        raise refuse(int(line[1]) if line else 1, f"Not TOML: {error}.", f"Correct the line.{hint}") from None
    return _Checker(name, text, folder).edition(parsed)


class _Checker:
    """Builds the dataclasses from parsed TOML and collects every problem before giving up."""

    def __init__(self, name: str, text: str, folder: Path):
        self.name, self.lines, self.folder, self.problems = name, text.splitlines(), folder, []

    def edition(self, data: dict) -> Edition:
        values = self.values(Edition, data, "", hidden=("id", "folder"))
        if not self.problems:
            self.together(values)
        if self.problems:
            raise ManifestError(self.problems)
        return Edition(id=self.folder.name, folder=self.folder, **values)

    def values(self, cls, data: dict, table: str, hidden: tuple[str, ...] = ()) -> dict:
        """Checked values of one table, by key."""
        hints, known = get_type_hints(cls), {f.name: f for f in fields(cls) if f.name not in hidden}
        place = f" in {table}" if table else ""
        values = {}
        for key, value in data.items():
            if key not in known:
                self.problem(
                    key, f"Unknown key “{key}”{place}.", f"Remove it, or use one of: {', '.join(sorted(known))}.", table
                )
            else:
                values[key] = self.value(f"{table}.{key}" if table else key, hints[key], value)
        for key, field_ in known.items():
            if field_.default is MISSING and field_.default_factory is MISSING and key not in data:
                self.problem(table or "", f"The key “{key}” is missing{place}.", self.how_to_fill(key))
        return values

    def blank(self, values: dict) -> None:
        """Texts that every page of the edition shows must say something."""
        for key in ("title", "short", "publisher", "provenance", "rights"):
            if not (values[key] if isinstance(values[key], Prose) else values[key].strip()):
                self.problem(key, f"“{key}” is empty.", "Write it, or “not stated in the source”.")

    def how_to_fill(self, key: str) -> str:
        if key == "sha256":
            return "Write the sha256 of the source, as “sha256sum source.txt” prints it (or as lexbridge check names it when it is wrong)."
        return "Add it; docs/add-an-edition.md says what it holds."

    def value(self, key: str, hint, value):
        """One value as its type wants it; a wrong one is a problem and comes back as it is."""
        if hint is Prose:
            return self.prose(key, value)
        if is_dataclass(hint):
            if not isinstance(value, dict):
                return self.mistyped(key, value, "a table")
            return self.row(key, hint, value)
        if get_origin(hint) is tuple:
            inner = get_args(hint)[0]
            if is_dataclass(inner) and isinstance(value, dict):
                value = [value]
            if not isinstance(value, list):
                return self.mistyped(key, value, f"a list, each of it {_TYPE_NAMES.get(inner, 'a table')}")
            return tuple(self.value(key, inner, v) for v in value)
        allowed = [t for t in (get_args(hint) or (hint,)) if t is not type(None)]
        if not any(type(value) is t for t in allowed):
            return self.mistyped(key, value, " or ".join(_TYPE_NAMES[t] for t in allowed))
        if isinstance(value, dict) and not all(
            type(v) in (str, int, bool) or (isinstance(v, list) and all(type(w) is str for w in v))
            for v in value.values()
        ):
            return self.mistyped(key, value, "texts, numbers or lists of texts in it")
        self.look(key, value)
        return value

    def prose(self, key: str, value) -> Prose | None:
        """A text for readers: a plain one for all, or a table with a text for each language."""
        if isinstance(value, str):
            return Prose({"": value} if value.strip() else {})
        if not isinstance(value, dict) or not value or not all(type(v) is str and v.strip() for v in value.values()):
            return self.mistyped(
                key, value, 'text in quotes, or a table with a text for each language, like {de = "…", fr = "…"}'
            )
        for code in value:
            if finding := language_problem(code):
                self.problem(key, finding, "Name each text by the code of its language.")
        return Prose(value)

    def mistyped(self, key: str, value, wanted: str):
        self.problem(key, f"“{key}” is {_short(value)}.", f"Write {wanted}.")

    def row(self, table: str, cls, data: dict):
        before = len(self.problems)
        values = self.values(cls, data, table)
        if len(self.problems) > before:
            return None
        if cls is Level:
            return self.level(values)
        if cls is DropRule and (values.get("scope") == "block") != bool(values.get("until")):
            self.problem(
                "until",
                "A drop rule has “until” exactly when its scope is “block”.",
                "Add or remove “until”, or change the scope.",
            )
        if cls is DropRule:
            self.drop_pattern(values)
        return cls(**values)

    def drop_pattern(self, values: dict) -> None:
        """A drop rule's pattern is a CSS selector for elements of a web page, else a regular expression."""
        if values.get("scope") != "element":
            return self.pattern("drop.pattern", values["pattern"])
        try:
            soupsieve.compile(values["pattern"])
        except (soupsieve.SelectorSyntaxError, ValueError, TypeError) as error:
            self.problem(
                values["pattern"],
                f"“{values['pattern']}” is not a CSS selector: {str(error).splitlines()[0]}.",
                "Correct it, like nav or div.menu.",
            )

    def level(self, values: dict):
        signs = []
        for template in values["labels"]:
            try:
                compile_template(template, values.get("letters", ""))
                signs.append(sign_of(template))
            except (ValueError, re.error) as error:
                self.problem(
                    template, str(error), "Write the label as printed, with 1, A, a, i or I where the ordinal stands."
                )
        if not values["labels"]:
            self.problem("labels", "A level without labels.", 'Write its label as printed, like ["A."].')
        count = values.get("count") or (signs[0].replace("I", "1") if signs else "1")
        return Level(**values | {"count": count})

    def look(self, key: str, value) -> None:
        """What a value of the right type may still get wrong: choices, shapes, patterns."""
        if key in _CHOICES and value not in _CHOICES[key]:
            self.problem(
                key,
                f"“{key}” is “{value}”.",
                f"Choose one of: {', '.join(c for c in _CHOICES[key] if c)}{', or leave it out' if '' in _CHOICES[key] else ''}.",
            )
        if key in _SHAPES and value and not re.fullmatch(_SHAPES[key][0], value):
            self.problem(key, f"“{key}” is {_short(value)}.", f"Write {_SHAPES[key][1]}.")
        if key in _PATTERNS and value:
            self.pattern(key, value)

    def pattern(self, key: str, value: str) -> None:
        try:
            groups = re.compile(value).groupindex
        except (re.error, OverflowError, RecursionError) as error:
            return self.problem(value, f"“{value}” is not a pattern: {error}.", "Correct the regular expression.")
        if endless(value):
            self.problem(
                value,
                f"The pattern “{value}” of “{key}” never ends on some lines.",
                "A repetition stands inside a repetition: leave one of the two out.",
            )
        for group in groups:
            if key in _KNOWN_GROUPS and group not in _KNOWN_GROUPS[key]:
                self.problem(
                    value,
                    f"The pattern “{value}” has a group “{group}”, which says nothing here.",
                    f"Name it one of: {', '.join(_KNOWN_GROUPS[key])}; or write (?:…).",
                )
        if key in _GROUPS and _GROUPS[key] not in groups:
            self.problem(
                value,
                f"The pattern “{value}” has no group {_GROUPS[key]}.",
                f"Put (?P<{_GROUPS[key]}>…) around what it is about.",
            )

    def together(self, values: dict) -> None:
        """What only shows when the keys are seen together."""
        self.blank(values)
        levels = values["levels"]
        if not levels or levels[0].kind not in LAWS:
            self.problem("levels", "The first of the levels is not the law.", 'Begin with kind = "law" (or "point").')
        elif any(level.kind in LAWS for level in levels[1:]):
            self.problem(
                "levels",
                "Two levels of laws.",
                "Only the first level is a law or point; the deeper ones are section, subsection, clause, subclause.",
            )
        steps = [level.count for level in levels[1:]]
        if len(set(steps)) < len(steps):
            self.problem(
                "levels",
                f"Two levels count with the same sign ({', '.join(steps)}).",
                "Give them “count”: A for sections, 1, a, i below, so that every path is another.",
            )
        try:
            if not read_numbers(values.get("laws", Edition.laws)):
                raise ValueError("There is none.")
        except ValueError as error:
            self.problem(
                "laws",
                f"“laws”: {error}",
                'Write the numbers of the laws that the text holds, like "1–93" or "12, 61–64".',
            )
        web = values.get("source", Edition.source).lower().endswith((".html", ".htm"))
        if not web and any(rule.scope == "element" for rule in values.get("drop", ())):
            self.problem(
                "scope",
                "A drop rule for elements, but the source is no web page.",
                "Use scope line, span, break or block.",
            )
        notes = values.get("notes", Notes())
        if notes.numbering != "none" and not (notes.note_pattern and notes.mark_pattern):
            self.problem("notes", "Notes without a style.", "Add “style”, or the patterns “note” and “mark”.")
        definitions = values.get("definitions", Definitions())
        if any(p.path == "def" for p in values.get("parts", ())) and not definitions.entry_pattern:
            self.problem(
                "def",
                "A part of definitions, but nothing says how they are printed.",
                "Add [definitions] with a “style”, or with “entry”.",
            )
        self.standing(values)
        if values.get("indent", 1) < 1:
            self.problem(
                "indent", f"“indent” is {values['indent']}.", "Write how many blanks one depth of indentation has."
            )

    def standing(self, values: dict) -> None:
        """Whose text it is, where and since when it is in force, what it decides on another text, what is to be noticed."""
        if values.get("country") and not get_official_languages(values["country"], de_facto=True):
            self.problem(
                "country",
                f"No country has the code “{values['country']}”.",
                "Write the two letters of ISO 3166-1, like PL.",
            )
        for key in ("issued", "in_force_since"):
            try:
                date.fromisoformat((values.get(key) or "2000") + "-01-01"[len(values.get(key) or "2000") - 4 :])
            except ValueError:
                self.problem(
                    key,
                    f"“{key}” is “{values[key]}”, which is no date.",
                    'Write year, month and day, like "2018-01-01".',
                )
        try:
            laws = read_numbers(values.get("laws", Edition.laws))
        except ValueError:
            return  # told already
        self.decisions(values, laws)
        for notice in values.get("notices", ()):
            for path in notice.paths:
                if path[0].isdigit() and int(steps(path)[0]) not in laws:
                    self.problem(
                        "notices",
                        f"A notice is for {path}, which is not among the laws {values.get('laws', Edition.laws)}.",
                        "Correct the path.",
                    )

    def decisions(self, values: dict, points: tuple[int, ...]) -> None:
        """Decisions on another text say whose they are, where they are in force, and of every point what it does."""
        found = values.get("decisions", Decisions())
        if not values.get("modifies"):
            if found != Decisions():
                self.problem(
                    "decisions",
                    "[decisions], but the text modifies no other.",
                    "Add “modifies”, the code that it is about, or remove the table.",
                )
            return None
        for key in ("body", "country"):
            if not values.get(key):
                self.problem(
                    "modifies",
                    f"Decisions without “{key}”.",
                    "Say whose decisions these are (body) and where they are in force (country).",
                )
        try:
            told = [
                n
                for kind in fields(found)
                if getattr(found, kind.name)
                for n in read_numbers(getattr(found, kind.name))
            ]
        except ValueError as error:
            return self.problem("decisions", f"[decisions]: {error}", 'Write the numbers of the points, like "2, 5–8".')
        wrong = [n for n in points if told.count(n) != 1] + [n for n in told if n not in points]
        if wrong:
            self.problem(
                "decisions",
                f"[decisions]: {', '.join(map(str, dict.fromkeys(wrong)))} should stand once, under “modifies” or “explains”.",
                "Name every point of “laws” once.",
            )

    def problem(self, key: str, finding: str, move: str, table: str = "") -> None:
        """Adds a problem at the line of the manifest where the key (or these words) stands, at or below its table's."""
        begins = lambda name: re.compile(rf"\s*\[*\s*\"?{re.escape(name.split('.')[-1])}\b")
        head = next((n for n, l in enumerate(self.lines, 1) if table and begins(table).match(l)), 1)
        lines = list(enumerate(self.lines, 1))[head - 1 :]
        line = next((n for n, l in lines if key and (begins(key).match(l) or (table and n == head and key in l))), None)
        line = line or next((n for n, l in lines if key and key in l), head)
        self.problems.append(Problem(self.name, line, finding, move))


def _short(value) -> str:
    text = repr(value)
    return text if len(text) < 80 else text[:77] + "…"


def list_editions(corpus_dir: Path) -> list[str]:
    """Ids of the editions: the folders of ``corpus_dir/editions``, in alphabetical order."""
    root = corpus_dir / "editions"
    try:
        return sorted(p.name for p in root.iterdir() if p.is_dir() and not p.name.startswith((".", "_")))
    except OSError:
        return []
