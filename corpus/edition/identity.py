"""What an edition is: whose text, of which laws, issued and in force when and where, and what a reader must know of it.

An :class:`Identity` is written in ``edition.toml``, goes through the build as ``editions.json`` and is what pages,
search and API know of an edition: the same value all the way.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
from functools import cached_property

from corpus.model import Spelling


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

    ``modifies``: it sets a rule that the law leaves to the body, itself or by the document that it names, or another
    than the law's. ``explains``: it adds no rule – it confirms what the law says without it, names the place where more
    is said, or only passes the body's power on.
    """

    modifies: str = ""
    explains: str = ""

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
    ``modifies``: the code that these decisions of a ``body`` are about, empty for a text of the laws themselves.
    The counts say what was found in the text: corrections by basis, what rules left out by name, nodes by kind.
    """

    id: str
    title: str
    short: str
    lang: str
    year: int
    code: str = ""
    publisher: str
    provenance: Prose
    rights: Prose
    sha256: str
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
    citation: str = "compact"
    spelling: tuple[Spelling, ...] = ()
    corrections: dict[str, int] = field(default_factory=dict)
    dropped: dict[str, int] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)

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
