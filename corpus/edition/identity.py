"""What an edition is: whose text, of which laws, issued and in force when and where, and what a reader must know of it.

An :class:`Identity` is written in ``edition.toml``, goes through the build as ``editions.json`` and is what pages,
search and API know of an edition: the same value all the way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Annotated, Literal

from babel.languages import get_official_languages

from corpus.checked.looked_up import DAY, LookedUp
from corpus.checked.prose import LANGUAGE, Prose
from corpus.checked.rule import MADE, SLUG, Fault, Wanted, a_date, filled, shape
from corpus.model import Spelling
from corpus.strength.model import Scale

Lang = Annotated[str, shape(LANGUAGE.pattern, "a language code like “de”, the name of a file in languages/")]
Url = Annotated[str, shape(r"https?://\S+", "an address that begins with https://")]
NoticedPath = Annotated[
    str, shape(r"[A-Za-z0-9]+(/[\w-]+)*", "the path of a provision, like 27 or 27/B", optional=True)
]


def numbers(key: str, value: str) -> Iterator[Fault]:
    """A rule: numbers that :func:`read_numbers` reads."""
    try:
        read_numbers(value)
    except ValueError as error:
        yield Fault(f"“{key}”: {error}", 'Write numbers and ranges that rise, like "1–93" or "12, 61–64".')


def some_numbers(key: str, value: str) -> Iterator[Fault]:
    """A rule: the same, or none."""
    yield from numbers(key, value) if value else ()


def assigned_by_users(country: str) -> bool:
    """Whether the code of a country is one that ISO 3166-1 leaves to its users: it names no country of itself.

    >>> assigned_by_users("XY"), assigned_by_users("QA"), assigned_by_users("PL")
    (True, False, False)
    """
    return re.fullmatch("AA|Q[M-Z]|X[A-Z]|ZZ", country) is not None


def a_country(_key: str, value: str) -> Iterator[Fault]:
    """A rule: the code of a country that there is, or one that is left to users."""
    if value and not assigned_by_users(value) and not get_official_languages(value, de_facto=True):
        yield Fault(f"No country has the code “{value}”.", "Write the two letters of ISO 3166-1, like PL.")


@dataclass(frozen=True)
class Link:
    """Where more is found; ``lang``: for readers of that language of texts only."""

    url: Url
    text: str = ""
    lang: str = ""


@dataclass(frozen=True)
class Notice:
    """What a reader must know: on every page of the edition, or on those of the laws in which ``paths`` stand.

    ``source``: the page that was looked up for it; None where nothing outside these texts was.
    """

    text: Prose
    paths: tuple[NoticedPath, ...] = ()
    url: Url = ""
    link: Prose = field(default_factory=Prose)
    source: LookedUp | None = None


@dataclass(frozen=True)
class Rank:
    """A place in the order of precedence of several texts."""

    rank: int
    text: str


@dataclass(frozen=True)
class Decisions:
    """What each point of a body's decisions does with the provision that it names, as numbers like those of ``laws``.

    ``modifies``: it sets a rule that the law leaves to the body, itself or by the document that it names, or another
    than the law's. ``explains``: it adds no rule – it confirms what the law says without it, names the place where more
    is said, or only passes the body's power on.
    """

    modifies: Annotated[str, some_numbers] = ""
    explains: Annotated[str, some_numbers] = ""

    @cached_property
    def kinds(self) -> dict[str, str]:
        """Number of a point → ``modifies`` or ``explains``.

        >>> Decisions("2–3", "1").kinds
        {'2': 'modifies', '3': 'modifies', '1': 'explains'}
        """
        return {
            str(n): f.name for f in fields(self) if getattr(self, f.name) for n in read_numbers(getattr(self, f.name))
        }


@dataclass(frozen=True, kw_only=True)
class Identity:
    """One text of the laws, in one language, issued at one date.

    ``code``: the laws that it is a text of ("2017"). ``in_force``: as stated, None where nothing is; see ``force``.
    ``in_force_source``: the page that says so, None where none was looked up.
    ``modifies``: the code that these decisions of a ``body`` are about, empty for a text of the laws themselves.
    ``scale``: how its introduction ranks its words, None where it does not. ``source_file``: the name of the source in
    the edition's folder, whose digest is ``sha256``. The counts say what was found in the text: corrections by basis,
    what rules left out by name, nodes by kind.
    """

    id: Annotated[str, MADE]
    title: Annotated[str, filled]
    short: Annotated[str, filled]
    lang: Lang
    year: int
    code: Annotated[
        str,
        shape(
            SLUG,
            "the year of the code, or a name of small letters, digits and hyphens, as in the address /id/<code>/",
            optional=True,
        ),
    ] = ""
    publisher: Annotated[str, filled]
    provenance: Annotated[Prose, filled]
    rights: Annotated[Prose, filled]
    sha256: Annotated[
        str,
        Wanted(
            "the sha256 of the source, as “sha256sum source.txt” prints it"
            " (or as lexbridge check names it when it is wrong)"
        ),
        shape("[0-9a-f]{64}", "64 hexadecimal digits, as sha256sum prints them"),
    ]
    body: str = ""
    country: Annotated[str, shape("[A-Z]{2}", "the two letters of ISO 3166-1, like PL", optional=True), a_country] = ""
    issued: Annotated[
        str,
        shape(
            rf"\d{{4}}(-\d\d)?|{DAY}", 'a year, a month or a day, like "2017", "2017-12" or "2017-12-31"', optional=True
        ),
        a_date,
    ] = ""
    translator: str = ""
    editors: Prose = field(default_factory=Prose)
    in_force: bool | None = None
    in_force_since: Annotated[str, shape(DAY, 'a day, like "2018-01-01"', optional=True), a_date] = ""
    in_force_note: Prose = field(default_factory=Prose)
    in_force_source: LookedUp | None = None
    superseded_by: int | None = None
    complete: bool = True
    completeness_note: Prose = field(default_factory=Prose)
    proofread: bool = False
    links: tuple[Link, ...] = ()
    notices: tuple[Notice, ...] = ()
    modifies: str = ""
    decisions: Decisions = Decisions()
    precedence: tuple[Rank, ...] = ()
    citation: Literal["compact", "dotted"] = "compact"
    source_file: Annotated[str, MADE] = ""
    spelling: Annotated[tuple[Spelling, ...], MADE] = ()
    scale: Annotated[Scale | None, MADE] = None
    corrections: Annotated[dict[str, int], MADE] = field(default_factory=dict)
    dropped: Annotated[dict[str, int], MADE] = field(default_factory=dict)
    kinds: Annotated[dict[str, int], MADE] = field(default_factory=dict)

    @property
    def order(self) -> tuple[int, str]:
        """What editions are sorted by: the year, then the id."""
        return self.year, self.id

    @property
    def force(self) -> bool | None:
        """Whether the text is in force; None when nothing says so and no later code is named."""
        return False if self.in_force is None and self.superseded_by is not None else self.in_force

    @property
    def is_decisions(self) -> bool:
        """Whether it holds a body's decisions on the laws, and is no text of the laws."""
        return bool(self.modifies)

    def noticed(self, law: str = "") -> tuple[Notice, ...]:
        """What is to be noticed on the page of a law (its path); without one, only what is noticed everywhere."""
        return tuple(
            n for n in self.notices if not n.paths or any(f"{path}/".startswith(f"{law}/") for path in n.paths)
        )


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
