"""An edition's manifest, ``edition.toml``: what the text is and how it prints what.

Every key is declared here; an unknown or missing one is a problem with a sentence (docs/add-an-edition.md
explains each key). Nothing else in the code knows an edition by name.
"""
from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path

from corpus.model import Problem
from corpus.reading.labels import Level, compile_template
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
    """A chapter, part or division: pattern with group ``n`` and perhaps ``heading``; else the next line is its title."""

    kind: str
    pattern: str


@dataclass(frozen=True)
class TableRule:
    """A table inside a provision: first and last line; ``rows`` are patterns whose groups are the cells.

    ``continues``: pattern of a row that goes on in the next line (a cell printed in two lines).
    """

    path: str
    first: str
    last: str
    rows: tuple[str, ...] = ()
    continues: str = ""


@dataclass(frozen=True)
class Notes:
    """Footnotes. ``numbering``: ``book`` (1, 2, … through the book), ``law`` (signs, in order within the law), ``none``.

    ``note``: pattern of a line that begins a note, group ``sign``. ``mark``: pattern of a mark in the text, group ``sign``.
    ``place``: ``anywhere`` (a note is one paragraph, the interrupted text goes on after it) or ``end`` (all notes stand
    together after the line that matches ``start``).
    """

    numbering: str = "none"
    note: str = ""
    mark: str = ""
    place: str = "anywhere"


@dataclass(frozen=True)
class Definitions:
    """How definitions stand: ``entry`` is the pattern of a line that begins one, group ``term``; the rest is its text.

    ``style``: ``line`` (the entry pattern decides), ``headword`` (a short line after a blank one is the term, its text follows).
    """

    style: str = "line"
    entry: str = ""


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
    provenance: str
    rights: str
    sha256: str
    source: str = "source.txt"
    code: str = ""
    translator: str = ""
    editors: str = ""
    in_force: bool = False
    in_force_note: str = ""
    superseded_by: int | None = None
    complete: bool = True
    completeness_note: str = ""
    proofread: bool = False
    links: tuple[dict, ...] = ()
    notices: tuple[dict, ...] = ()
    modifies: str = ""
    precedence: tuple[dict, ...] = ()
    laws: tuple[int, int] = (1, 93)
    scheme: str = "typed"
    paragraphs: str = "blank"
    citation: str = "compact"
    laws_start: str = ""
    levels: tuple[Level, ...] = ()
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


_ROWS = {"levels": Level, "headed": Headed, "parts": Part, "tables": TableRule, "drop": DropRule, "split": SplitRule,
         "placements": Placement}
_ONE = {"definitions": Definitions, "notes": Notes, "index": SubjectIndex}
_CHOICES = {"scheme": ("typed", "indented", "html"), "paragraphs": ("blank", "lines", "wrapped"), "citation": ("compact", "dotted"),
            "notes.numbering": ("book", "law", "none"), "notes.place": ("anywhere", "end"), "definitions.style": ("line", "headword"),
            "drop.scope": ("line", "span", "break", "block"), "levels.heading": ("auto", "with-text", "none", "next-line", "same-line"),
            "levels.count": ("", "1", "A", "a", "i")}
_PATTERNS = {"drop": ("pattern", "until"), "split": ("pattern",), "headed": ("pattern",), "parts": ("start",),
             "tables": ("first", "last", "rows", "continues"), "notes": ("note", "mark"), "definitions": ("entry",), "index": ("see", "note")}


class ManifestError(Exception):
    """A manifest that cannot be used; ``problems`` say where and why."""

    def __init__(self, problems: list[Problem]):
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


def load(folder: Path) -> Edition:
    """Read and check ``folder/edition.toml``; raises :class:`ManifestError` with every problem found."""
    name = f"editions/{folder.name}/edition.toml"
    try:
        text = (folder / "edition.toml").read_text(encoding="utf-8-sig")
        data = tomllib.loads(text)
    except OSError:
        raise ManifestError([Problem(name, 1, "There is no manifest.", "Write edition.toml; docs/add-an-edition.md shows how.")]) from None
    except UnicodeDecodeError as error:
        raise ManifestError([Problem(name, 1, f"The manifest is not UTF-8 (byte {error.start}).", "Save it as UTF-8.")]) from None
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        raise ManifestError([Problem(name, int(line[1]) if line else 1, f"Not TOML: {error}.", "Correct the line.")]) from None
    return _Checker(name, text, folder).edition(data)


class _Checker:
    """Builds the dataclasses and collects every problem before giving up."""

    def __init__(self, name: str, text: str, folder: Path):
        self.name, self.lines, self.folder, self.problems = name, text.splitlines(), folder, []

    def edition(self, data: dict) -> Edition:
        known = {f.name: f for f in fields(Edition)}
        values = {}
        for key, value in data.items():
            if key not in known or key in ("id", "folder"):
                self.problem(key, f"Unknown key “{key}”.", f"Remove it, or use one of: {', '.join(sorted(set(known) - {'id', 'folder'}))}.")
            elif key in _ROWS:
                rows = value if isinstance(value, list) else [value]
                values[key] = tuple(filter(None, (self.row(key, _ROWS[key], r) for r in rows)))
            elif key in _ONE:
                values[key] = self.row(key, _ONE[key], value) or _ONE[key]()
            else:
                values[key] = self.plain(key, known[key], value)
        for field_ in known.values():
            required = field_.name in ("title", "short", "lang", "year", "publisher", "provenance", "rights", "sha256", "levels")
            if required and field_.name not in data:
                self.problem("", f"The key “{field_.name}” is missing.", "Add it; docs/add-an-edition.md says what it holds.")
        if self.problems:
            raise ManifestError(self.problems)
        return Edition(id=self.folder.name, folder=self.folder, **values)

    def row(self, table: str, cls, data):
        if not isinstance(data, dict):
            return self.problem(table, f"“{table}” holds {data!r}.", f"Write it as a table with the keys {', '.join(f.name for f in fields(cls))}.")
        known = {f.name: f for f in fields(cls)}
        for key in set(data) - set(known):
            self.problem(key, f"Unknown key “{key}” in {table}.", f"Use one of: {', '.join(known)}.")
        values = {k: self.plain(f"{table}.{k}", known[k], v) for k, v in data.items() if k in known}
        for key in _PATTERNS.get(table, ()):
            for pattern in ([values[key]] if isinstance(values.get(key), str) else values.get(key, ())):
                try:
                    re.compile(pattern)
                except re.error as error:
                    self.problem(key, f"“{pattern}” is not a pattern: {error}.", "Correct the regular expression.")
        if cls is Level:
            values = self.level(values)
        try:
            return cls(**values)
        except TypeError as error:
            return self.problem(table, f"{table}: {error}.", f"A row needs {', '.join(f.name for f in fields(cls) if f.default is f.default_factory)}.")

    def level(self, values: dict) -> dict:
        for template in values.get("labels", ()):
            try:
                compile_template(template)
            except (ValueError, re.error) as error:
                self.problem("labels", str(error), "Write the label as printed, with 1, A, a or i where the ordinal stands.")
        if values.get("labels") and not values.get("count"):
            from corpus.reading.labels import sign_of
            try:
                values = values | {"count": sign_of(values["labels"][0])}
            except ValueError:
                pass
        return values

    def plain(self, key: str, field_, value):
        if key in _CHOICES and value not in _CHOICES[key]:
            self.problem(key.split(".")[-1], f"“{key}” is “{value}”.", f"Choose one of: {', '.join(c or '(empty)' for c in _CHOICES[key])}.")
        if isinstance(value, list):
            return tuple(value)
        wanted = {"str": str, "int": int, "bool": bool}.get(str(field_.type))
        if wanted and not isinstance(value, wanted):
            self.problem(key.split(".")[-1], f"“{key}” is {value!r}.", f"It must be of type {field_.type}.")
        return value

    def problem(self, key: str, finding: str, move: str) -> None:
        pattern = re.compile(rf"\s*\[*\s*{re.escape(key)}\b") if key else None
        line = next((n for n, l in enumerate(self.lines, 1) if pattern and pattern.match(l)), 1)
        self.problems.append(Problem(self.name, line, finding, move))


def list_editions(corpus_dir: Path) -> list[str]:
    """Ids of the editions: the folders of ``corpus_dir/editions``, in alphabetical order."""
    root = corpus_dir / "editions"
    return sorted(p.name for p in root.iterdir() if p.is_dir() and not p.name.startswith((".", "_"))) if root.is_dir() else []
