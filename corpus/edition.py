"""Editions and their manifests: which editions there are, and what ``edition.toml`` declares.

:func:`list_editions` names the folders, :func:`load_edition` reads a manifest into an :class:`Edition`. It consists of
:class:`Identity` (what the text is: published with it) and :class:`PrintRules` (how the source prints it: for reading).
The keys are explained in docs/add-an-edition.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from babel.languages import get_official_languages

from corpus import files, label, schema
from corpus.address import contains_path, split_path
from corpus.files import LANGUAGE_CODE, InvalidFile, LocalizedText, TomlFile
from corpus.label import NO_CITATION_WORDS, CitationWords, Level
from corpus.model import LAW_KINDS, ContainerKind, Problem, Spelling
from corpus.schema import (
    DAY_PATTERN,
    NOT_IN_FILE,
    SLUG_PATTERN,
    Fault,
    LookedUpPage,
    ValueHint,
    check_at_least_one,
    check_date,
    check_not_empty,
    check_selector,
    pattern_rule,
    text_rule,
)
from corpus.strength import Scale

LanguageCode = Annotated[
    str, text_rule(LANGUAGE_CODE.pattern, "a language code like “de”, the name of a file in languages/")
]
Url = Annotated[str, text_rule(r"https?://\S+", "an address that begins with https://")]
NoticePath = Annotated[
    str, text_rule(r"[A-Za-z0-9]+(/[\w-]+)*", "the path of a provision, like 27 or 27/B", optional=True)
]


def check_numbers(key: str, value: str) -> Iterator[Fault]:
    """Yield a fault if :func:`parse_numbers` cannot read the value. ``key`` is its name in the fault."""
    try:
        parse_numbers(value)
    except ValueError as error:
        yield Fault(f"“{key}”: {error}", 'Write numbers and ranges that rise, like "1–93" or "12, 61–64".')


def check_optional_numbers(key: str, value: str) -> Iterator[Fault]:
    """As :func:`check_numbers`; an empty value has no fault."""
    yield from check_numbers(key, value) if value else ()


def is_user_assigned_country(country: str) -> bool:
    """Whether ISO 3166-1 leaves a country code to its users. Such a code names no country.

    >>> is_user_assigned_country("XY"), is_user_assigned_country("QA"), is_user_assigned_country("PL")
    (True, False, False)
    """
    return re.fullmatch("AA|Q[M-Z]|X[A-Z]|ZZ", country) is not None


def check_country(_key: str, value: str) -> Iterator[Fault]:
    """Yield a fault unless the value is empty, the code of a country, or a code that is left to users."""
    if value and not is_user_assigned_country(value) and not get_official_languages(value, de_facto=True):
        yield Fault(f"No country has the code “{value}”.", "Write the two letters of ISO 3166-1, like PL.")


# ── What an edition is ──────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Link:
    """A link to more information. With ``lang`` it is only for readers of texts in that language."""

    url: Url
    text: str = ""
    lang: str = ""


@dataclass(frozen=True)
class Notice:
    """Something that a reader must know, on every page of the edition or on the pages of the laws with ``paths``.

    ``source`` is the page that was looked up for it; None when it comes from these texts alone.
    """

    text: LocalizedText
    paths: tuple[NoticePath, ...] = ()
    url: Url = ""
    link: LocalizedText = field(default_factory=LocalizedText)
    source: LookedUpPage | None = None


@dataclass(frozen=True)
class RankedText:
    """A text in an order of precedence: its title ``text``, and its ``rank``. The lowest rank takes precedence."""

    rank: int
    text: str


@dataclass(frozen=True)
class Decisions:
    """What each point of a body's decisions does with its provision. The points are numbers like those of ``laws``.

    ``modifies``: the point sets a rule that the law leaves to the body (itself, or by the document that it names), or a
    rule that differs from the law. ``explains``: it adds no rule – it confirms what the law says anyway, names the
    place where more is said, or only passes the body's power on.
    """

    modifies: Annotated[str, check_optional_numbers] = ""
    explains: Annotated[str, check_optional_numbers] = ""

    @cached_property
    def kind_by_point(self) -> dict[str, str]:
        """Number of a point → ``modifies`` or ``explains``.

        >>> Decisions("2–3", "1").kind_by_point
        {'2': 'modifies', '3': 'modifies', '1': 'explains'}
        """
        return {
            str(n): f.name for f in fields(self) if getattr(self, f.name) for n in parse_numbers(getattr(self, f.name))
        }


@dataclass(frozen=True, kw_only=True)
class Identity:
    """One text of the laws, in one language, issued at one date.

    ``code``: the laws that it is a text of ("2017"). ``in_force``: as the manifest states, None where it does not (see
    :attr:`is_in_force`). ``in_force_source``: the page that says so, None when none was looked up. ``modifies``: the
    code that these decisions of a ``body`` are about; empty for a text of the laws themselves. ``scale``: how its
    introduction ranks its words, None when it does not. ``source_file``: the name of the source in the edition's
    folder; ``sha256`` is its digest. The counts are made by the build: ``corrections`` by basis, ``dropped`` by the
    name of the rule, ``kinds`` of nodes.
    """

    id: Annotated[str, NOT_IN_FILE]
    title: Annotated[str, check_not_empty]
    short: Annotated[str, check_not_empty]
    lang: LanguageCode
    year: int
    code: Annotated[
        str,
        text_rule(
            SLUG_PATTERN,
            "the year of the code, or a name of small letters, digits and hyphens, as in the address /id/<code>/",
            optional=True,
        ),
    ] = ""
    publisher: Annotated[str, check_not_empty]
    provenance: Annotated[LocalizedText, check_not_empty]
    rights: Annotated[LocalizedText, check_not_empty]
    sha256: Annotated[
        str,
        ValueHint(
            "the sha256 of the source, as “sha256sum source.txt” prints it"
            " (or as lexbridge check names it when it is wrong)"
        ),
        text_rule("[0-9a-f]{64}", "64 hexadecimal digits, as sha256sum prints them"),
    ]
    body: str = ""
    country: Annotated[
        str, text_rule("[A-Z]{2}", "the two letters of ISO 3166-1, like PL", optional=True), check_country
    ] = ""
    issued: Annotated[
        str,
        text_rule(
            rf"\d{{4}}(-\d\d)?|{DAY_PATTERN}",
            'a year, a month or a day, like "2017", "2017-12" or "2017-12-31"',
            optional=True,
        ),
        check_date,
    ] = ""
    translator: str = ""
    editors: LocalizedText = field(default_factory=LocalizedText)
    in_force: bool | None = None
    in_force_since: Annotated[str, text_rule(DAY_PATTERN, 'a day, like "2018-01-01"', optional=True), check_date] = ""
    in_force_note: LocalizedText = field(default_factory=LocalizedText)
    in_force_source: LookedUpPage | None = None
    superseded_by: int | None = None
    complete: bool = True
    completeness_note: LocalizedText = field(default_factory=LocalizedText)
    proofread: bool = False
    links: tuple[Link, ...] = ()
    notices: tuple[Notice, ...] = ()
    modifies: str = ""
    decisions: Decisions = Decisions()
    precedence: tuple[RankedText, ...] = ()
    citation: Literal["compact", "dotted"] = "compact"
    source_file: Annotated[str, NOT_IN_FILE] = ""
    spelling: Annotated[tuple[Spelling, ...], NOT_IN_FILE] = ()
    scale: Annotated[Scale | None, NOT_IN_FILE] = None
    corrections: Annotated[dict[str, int], NOT_IN_FILE] = field(default_factory=dict)
    dropped: Annotated[dict[str, int], NOT_IN_FILE] = field(default_factory=dict)
    kinds: Annotated[dict[str, int], NOT_IN_FILE] = field(default_factory=dict)

    @property
    def sort_key(self) -> tuple[int, str]:
        """The order of editions: by year, then by id."""
        return self.year, self.id

    @property
    def is_in_force(self) -> bool | None:
        """Whether the text is in force; None when nothing says so and no later code is named."""
        return False if self.in_force is None and self.superseded_by is not None else self.in_force

    @property
    def is_decisions(self) -> bool:
        """Whether it holds decisions of a body on the laws, and is no text of the laws."""
        return bool(self.modifies)

    def notices_for(self, law: str = "") -> tuple[Notice, ...]:
        """The notices for the page of a law (its path); without a law, only those for every page."""
        return tuple(n for n in self.notices if not n.paths or any(contains_path(law, path) for path in n.paths))


def sort_key_for_reader(lang: str | None = None, code: str = "") -> Callable[[Identity], tuple[Any, ...]]:
    """Return a sort key for editions: a function that gives the key of an edition, for a reader of the language
    ``lang`` who has chosen the laws of ``code``.

    Editions of these laws come first, and of them those in his language. Then a complete text comes before an extract,
    the laws before decisions, and an edition in force before one of which nothing is stated, and this before one that
    is not in force. Then the newest comes first. Without ``lang`` the language does not matter, without ``code`` the
    laws do not.
    """
    force = (True, None, False)
    return lambda e: (
        bool(code) and e.code != code,
        bool(lang) and e.lang != lang,
        not e.complete,
        e.is_decisions,
        force.index(e.is_in_force),
        -e.year,
        e.id,
    )


def choose_edition(editions: Iterable[Identity], lang: str | None = None, code: str = "") -> Identity | None:
    """Return the first edition in the order of :func:`sort_key_for_reader`, or None if there are no editions."""
    return min(editions, key=sort_key_for_reader(lang, code), default=None)


def parse_numbers(text: str) -> tuple[int, ...]:
    """The numbers of a text of numbers and ranges with commas, in ascending order.

    Raises ValueError with a sentence for anything else.

    >>> parse_numbers("12, 61–64")
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


# ── How an edition is printed ───────────────────────────────────────────────────────────────────

PatternText = Annotated[str, pattern_rule()]
SignPattern = Annotated[str, pattern_rule("sign", must="sign")]


@dataclass(frozen=True)
class PartRule:
    """A part outside the laws: its ``path`` (preface, intro, def, index, example) and the pattern of its first line.

    ``heading``: whether that line is its title; otherwise it is its first text. A part ends where another part or a law
    begins. ``lines``: every line is a paragraph of its own (a list, an index), unless it begins in lower case.
    """

    path: Annotated[
        str,
        text_rule(
            r"preface|intro|def|index|example(/\d+)?",
            "one of preface, intro, def, index, example, example/1, example/2 …",
        ),
    ]
    start: Annotated[str, pattern_rule("heading")]
    heading: bool = True
    lines: bool = False


@dataclass(frozen=True)
class ContainerRule:
    """A chapter, part or division. Its pattern has a group ``n`` and perhaps ``heading``.

    Without ``heading`` the next line is its title. ``n`` is a roman or arabic number. Containers without the group, or
    with a number in words, are numbered in order.
    """

    kind: ContainerKind
    pattern: Annotated[str, pattern_rule("n", "heading")]


@dataclass(frozen=True)
class TableRule:
    """A table inside a provision: patterns of its first and last line, and of its rows.

    The groups of a pattern of ``rows`` are the cells. A row that no pattern matches is split at its tabs or, without
    tabs, where two or more blanks stand together. ``continues``: pattern of a row that continues in the next line (a
    cell printed in two lines).
    """

    path: Annotated[str, text_rule(r"\d+(/[A-Za-z0-9]+)*", "the path of a provision, like 77 or 78/B")]
    first: PatternText
    last: PatternText
    rows: tuple[PatternText, ...] = ()
    continues: PatternText = ""


_SUPERSCRIPT_DIGITS = "[⁰¹²³⁴⁵⁶⁷⁸⁹]+"
NOTE_STYLES = {  # style → pattern of a line that begins a note, pattern of a mark
    "superscript": (rf"^\s*(?P<sign>{_SUPERSCRIPT_DIGITS})\)?\s*(?=\S)", rf"(?P<sign>{_SUPERSCRIPT_DIGITS})\)?"),
    "stars": (r"^\s*(?P<sign>\*{1,5}|[†‡§]{1,2})\)?\s*(?=\S)", r"(?<=\S)(?P<sign>\*{1,5}|[†‡]{1,2})\)?"),
    "brackets": (r"^\s*\[(?P<sign>\d{1,3}|\*{1,5})\]\s*(?=\S)", r"\s?\[(?P<sign>\d{1,3}|\*{1,5})\]"),
    "parentheses": (r"^\s*\((?P<sign>\d{1,3}|\*{1,5})\)\s*(?=\S)", r"(?<=\S)\s?\((?P<sign>\d{1,3}|\*{1,5})\)"),
}


@dataclass(frozen=True)
class NoteRules:
    """How footnotes are printed.

    ``numbering``: ``book`` (1, 2, … through the book), ``law`` (signs, in order within the law), ``none``. ``style``
    names the print of the signs (``superscript``, ``stars``, ``brackets``, ``parentheses``). Instead of a style,
    ``note`` is the pattern of a line that begins a note and ``mark`` the pattern of a mark in the text, both with a
    group ``sign``. ``place``: ``anywhere`` (a note is one paragraph, the interrupted text continues after it) or
    ``end`` (all notes stand together, after the line that matches ``start``, else after the last law). ``unmarked``:
    lines of notes whose mark the source has lost and nobody can restore.
    """

    numbering: Literal["book", "law", "none"] = "none"
    style: Literal["", "superscript", "stars", "brackets", "parentheses"] = ""
    note: SignPattern = ""
    mark: SignPattern = ""
    place: Literal["anywhere", "end"] = "anywhere"
    start: PatternText = ""
    unmarked: tuple[int, ...] = ()

    @property
    def note_pattern(self) -> str:
        """The pattern of the start of a line that begins a note; empty when none is declared."""
        return self.note or NOTE_STYLES.get(self.style, ("", ""))[0]

    @property
    def mark_pattern(self) -> str:
        """The pattern of a mark in the text; empty when none is declared."""
        return self.mark or NOTE_STYLES.get(self.style, ("", ""))[1]


_TERM_GROUP, _EXTRA_GROUP = r"(?P<term>\w[^\n(]{0,60}?)", r"(?P<extra> \([^)]*\))?"
DEFINITION_STYLES = {  # style → pattern of a line that begins a definition
    "dash": rf"^{_TERM_GROUP}{_EXTRA_GROUP}(?P<separator>\s+[-–—]\s+|\s*[–—]\s+)",
    "colon": rf"^{_TERM_GROUP}{_EXTRA_GROUP}(?P<separator>\s?:(?:\s+|$))",
    "bold": rf"^(?:\*\*|__){_TERM_GROUP}{_EXTRA_GROUP}(?P<separator>[.:]?(?:\*\*|__)(?:\s?[-–—:](?=\s))?\s*)",
    "headword": r"^(?P<term>.+?)(?P<extra> \([^)]*\))?$",
}


@dataclass(frozen=True)
class DefinitionRules:
    """How definitions are printed.

    ``style``: ``dash`` (Term – text), ``colon`` (Term: text), ``bold`` (**Term** text), ``headword`` (a short line
    that stands apart is the term, its text follows), ``pattern`` (``entry`` decides). ``entry`` is the pattern of a
    line that begins a definition, with a group ``term`` and perhaps ``extra`` and ``separator``; the rest of the line
    is its text.
    """

    style: Literal["pattern", "dash", "colon", "bold", "headword"] = "pattern"
    entry: Annotated[str, pattern_rule("term", "extra", "separator", must="term")] = ""

    @property
    def entry_pattern(self) -> str:
        """The pattern of a line that begins a definition; empty when none is declared."""
        return self.entry or DEFINITION_STYLES.get(self.style, "")


@dataclass(frozen=True)
class SubjectIndexRules:
    """How the part ``index`` prints its lines: a term, then the provisions that it leads to.

    By these rules the table ``index.tsv`` is proved against the print. An index without a table is plain text.

    ``see``: patterns of words that lead to another term, with a group ``entry``; the words of a group ``term`` before
    it count as a line of their own. ``note``: pattern of a line that leads nowhere. ``definition``, ``intro``,
    ``footnote``: the words printed for these instead of a number, or after a number.
    """

    see: tuple[Annotated[str, pattern_rule("entry", "term")], ...] = ()
    note: PatternText = ""
    definition: str = ""
    intro: str = ""
    footnote: str = ""


@dataclass(frozen=True)
class Placement:
    """A paragraph that rules cannot place: the line it begins on, the path it belongs to, and the reason.

    With the path of a footnote (fn/7, 50/fn/2) it is a further paragraph of that note, which stands above it.
    """

    line: int
    path: Annotated[
        str,
        text_rule(
            r"\d+(/[A-Za-z0-9]+)*|fn/\d+|def(/[\w-]+)?|preface|intro|example(/\d+)?", "the path of a node, like 69/B"
        ),
    ]
    reason: str

    @property
    def is_in_note(self) -> bool:
        """Whether the paragraph belongs to a footnote."""
        return re.search(r"(^|/)fn/\d+$", self.path) is not None


@dataclass(frozen=True)
class DropRule:
    """What is not text. ``pattern`` matches it; with the ``scope`` ``element`` it is a CSS selector.

    ``scope``: ``line`` (the whole line must match; with ``lines``, only these lines), ``span`` (the match is dropped,
    its line stays), ``break`` (an empty line takes its place), ``block`` (from a line that matches to the line before
    ``until``), ``element`` (elements of a web page).
    """

    name: str
    pattern: str
    scope: Literal["line", "span", "break", "block", "element"] = "line"
    until: PatternText = ""
    lines: tuple[int, ...] = ()

    def check(self) -> Iterator[Fault]:
        """Check that exactly blocks have ``until``, that only lines have ``lines``, and that the pattern is valid."""
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
            yield from (f._replace(at=("pattern",)) for f in pattern_rule()("drop.pattern", self.pattern))
            return
        yield from (f._replace(at=("pattern",)) for f in check_selector("drop.pattern", self.pattern))


@dataclass(frozen=True)
class SplitRule:
    """Where a line holds two things: a pattern that matches the empty place between them."""

    name: str
    pattern: PatternText


@dataclass(frozen=True, kw_only=True)
class PrintRules:
    """How the source of an edition is printed, and which laws (or points) it has."""

    levels: tuple[Level, ...]
    source: Annotated[str, text_rule(r"[\w-][\w .-]*", "the name of a file in the folder of the edition")] = (
        "source.txt"
    )
    laws: Annotated[str, check_numbers] = "1–93"
    scheme: Literal["typed", "indented"] = "typed"
    indent: Annotated[int, check_at_least_one] = 1
    hanging: bool = False
    paragraphs: Literal["blank", "lines", "wrapped"] = "blank"
    hyphens: Literal["keep", "join"] = "keep"
    laws_start: PatternText = ""
    headed: tuple[ContainerRule, ...] = ()
    parts: tuple[PartRule, ...] = ()
    definitions: DefinitionRules = DefinitionRules()
    notes: NoteRules = NoteRules()
    tables: tuple[TableRule, ...] = ()
    drop: tuple[DropRule, ...] = ()
    split: tuple[SplitRule, ...] = ()
    placements: tuple[Placement, ...] = ()
    index: SubjectIndexRules = SubjectIndexRules()

    @property
    def is_html(self) -> bool:
        """Whether the source is a web page."""
        return self.source.lower().endswith((".html", ".htm"))

    @cached_property
    def law_numbers(self) -> tuple[int, ...]:
        """The numbers of the laws (or points) that the text has, in order."""
        return parse_numbers(self.laws)

    def check(self) -> Iterator[Fault]:
        """Check the levels (from the law down, each with its own sign) and that declared things have a print form."""
        if not self.levels or self.levels[0].kind not in LAW_KINDS:
            yield Fault("The first of the levels is not the law.", 'Begin with kind = "law" (or "point").', ("levels",))
        elif any(level.kind in LAW_KINDS for level in self.levels[1:]):
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


# ── The whole manifest, and where it is ─────────────────────────────────────────────────────────


@dataclass(frozen=True, kw_only=True)
class Edition(Identity, PrintRules):
    """An edition whose text is to be read: identity and print rules, its folder, and its manifest as written."""

    folder: Annotated[Path, NOT_IN_FILE]
    written: Annotated[TomlFile, NOT_IN_FILE]

    @property
    def identity(self) -> Identity:
        """The identity without the print rules. It is all that is needed after the text was read."""
        return Identity(**{f.name: getattr(self, f.name) for f in fields(Identity)})

    @property
    def source_name(self) -> str:
        """The path of the source in the corpus, as problems name it: ``editions/<id>/<source>``."""
        return f"editions/{self.id}/{self.source}"

    def check(self) -> Iterator[Fault]:
        """Check the print rules, and that decisions and notices are about laws that the text has."""
        yield from PrintRules.check(self)
        yield from self._check_decisions()
        for n, notice in enumerate(self.notices):
            for k, path in enumerate(notice.paths):
                law = next(iter(split_path(path)), "")
                if law.isdecimal() and int(law) not in self.law_numbers:
                    yield Fault(
                        f"A notice is for {path}, which is not among the laws {self.laws}.",
                        "Correct the path.",
                        ("notices", n, "paths", k),
                        path,
                    )

    def _check_decisions(self) -> Iterator[Fault]:
        """Check that decisions name their body and country, and state for every point what it does."""
        if not self.is_decisions:
            if self.decisions != Decisions():
                yield Fault(
                    "[decisions], but the text modifies no other.",
                    "Add “modifies”, the code that it is about, or remove the table.",
                    ("decisions",),
                )
            return
        for key in ("body", "country"):
            if not getattr(self, key):
                yield Fault(
                    f"Decisions without “{key}”.",
                    "Say whose decisions these are (body) and where they are in force (country).",
                    ("modifies",),
                )
        named = [
            n for stated in (self.decisions.modifies, self.decisions.explains) if stated for n in parse_numbers(stated)
        ]
        wrong = [n for n in self.law_numbers if named.count(n) != 1] + [n for n in named if n not in self.law_numbers]
        if wrong:
            stated = ", ".join(map(str, dict.fromkeys(wrong)))
            yield Fault(
                f"[decisions]: {stated} should stand once, under “modifies” or “explains”.",
                "Name every point of “laws” once.",
                ("decisions",),
            )


EDITION_DOCS = "docs/add-an-edition.md"
# First steps of the site's own addresses (contract, section 6), and those inside an edition.
_RESERVED_IDS = tuple(
    "about all api card changes cite compare go healthz id net opensearch peek rulings scan score search settings "
    "situations static terms thresholds topics".split()
)
_LONGEST_ID = 40  # in characters; an id stands in every address and beside every answer


def id_problem(name: str, words: CitationWords = NO_CITATION_WORDS) -> tuple[str, str] | None:
    """Return (finding, next move) when a name cannot be the id of an edition; None when it can.

    ``words`` are those that may stand beside citations, in every language.
    """
    move = "Name the folder with small letters, digits and hyphens, like xx-2017."
    if name in _RESERVED_IDS:
        return f"“{name}” cannot be the id of an edition: a page of the site has that address.", move
    if len(name) > _LONGEST_ID or not re.fullmatch(SLUG_PATTERN, name):
        return f"“{name[:80]}” cannot be the id of an edition.", f"{move} At most {_LONGEST_ID} characters."
    if label.read_citation_paths(name, words) or label.read_range(name, words):
        return f"“{name}” cannot be the id of an edition: it is read as the citation of a provision.", move
    return None


def load_edition(folder: Path) -> Edition:
    """The edition of a folder. Raises :class:`corpus.files.InvalidFile` with every problem of its manifest."""
    name = f"editions/{folder.name}/edition.toml"
    if wrong := id_problem(folder.name):
        raise InvalidFile([Problem(name, 1, *wrong)])
    written = files.read_toml(
        folder / "edition.toml", name, ("There is no manifest.", f"Write edition.toml; {EDITION_DOCS} shows how.")
    )
    edition = schema.build_from_file(Edition, written, EDITION_DOCS, id=folder.name, folder=folder, written=written)
    return replace(edition, code=edition.code or str(edition.year))


def list_editions(corpus_dir: Path) -> list[str]:
    """The ids of the editions: the folders of ``corpus_dir/editions``, in alphabetical order."""
    root = corpus_dir / "editions"
    try:
        return sorted(p.name for p in root.iterdir() if p.is_dir() and not p.name.startswith((".", "_")))
    except OSError:
        return []
