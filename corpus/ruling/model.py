"""A body and its rulings as their files state them; of a point of an edition what the edition states."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, get_args

from corpus.checked.looked_up import DAY, LookedUp
from corpus.checked.prose import Prose
from corpus.checked.rule import MADE, Fault, Key, Wanted, a_date, filled, from_one, shape
from corpus.condition import Only
from corpus.edition.identity import Lang, Link, Rank, Url, a_country
from corpus.model import NodeId
from corpus.situation.model import AnswerPath, Slug

RulingKind = Literal["decision", "commentary", "clarification", "case"]
Effect = Literal["modifies", "explains"]
Standing = Literal["in force", "coming", "expired", "not stated"]
KINDS: tuple[RulingKind, ...] = get_args(RulingKind)
Day = Annotated[str, shape(DAY, 'a day, like "2018-01-01"', optional=True), a_date]
Days = Mapping[str, Day]


@dataclass(frozen=True, kw_only=True)
class RulingBody:
    """Who rules: a federation, a zone, a committee.

    ``name``: as it calls itself in short, ``title``: in full; ``lang``: its language. ``of``: its name after “decision
    of”, ``place``: the country after “in force”, by language of the site. ``country_name``: of a country whose code is
    left to users. ``edition``: the edition that holds its decisions, ``kind``: what the points of that are.
    ``precedence``: the order of its texts, those of the edition where there is one. ``laws``: code → the day from which
    it is played there, ``laws_source``: the page that says so, None where none was looked up.
    """

    id: Annotated[str, MADE]
    name: Annotated[str, filled]
    title: Annotated[str, filled]
    lang: Lang
    country: Annotated[str, shape("[A-Z]{2}", "the two letters of ISO 3166-1, like PL"), a_country]
    country_name: Prose = field(default_factory=Prose)
    of: Prose = field(default_factory=Prose)
    place: Annotated[Prose, Key("in")] = field(default_factory=Prose)
    edition: str = ""
    kind: RulingKind = "decision"
    precedence: tuple[Rank, ...] = ()
    laws: Days = field(default_factory=dict)
    laws_source: LookedUp | None = None
    links: tuple[Link, ...] = ()

    def ruling(self, number: str) -> str:
        """The id of its ruling of a number."""
        return f"{self.id}/{number}"

    def before(self, rank: int) -> str:
        """The text that comes before one of a rank in its order of precedence; empty where none does."""
        above = [r for r in sorted(self.precedence, key=lambda r: r.rank) if r.rank < rank]
        return above[-1].text if above else ""

    def check(self) -> Iterator[Fault]:
        """No two texts have one rank."""
        for n, rank in enumerate(self.precedence):
            if any(rank.rank == other.rank for other in self.precedence[:n]):
                yield Fault(f"Two texts have the rank {rank.rank}.", "Give each its own.", ("precedence", n, "rank"))


@dataclass(frozen=True)
class Force:
    """From which day, and to which, a ruling is in force; empty: not stated."""

    since: Annotated[Day, Key("from")] = ""
    until: Annotated[Day, Key("to")] = ""

    def check(self) -> Iterator[Fault]:
        """It does not end before it begins."""
        if self.since and self.until and self.until < self.since:
            finding = f"It is in force from {self.since} to {self.until}: the dates are not in order."
            yield Fault(finding, "Correct one of the two.", ("to",))


@dataclass(frozen=True)
class Source:
    """Where a ruling is published: what that is called, and its address if it has one."""

    name: Annotated[str, filled]
    url: Url = ""


@dataclass(frozen=True, kw_only=True)
class Ruling:
    """What a body ruled on ``provisions`` of a ``code``.

    ``id``: ``<body>/<number>``; ``number``: as it is cited. ``effect``: it modifies the provisions, or it explains
    them. ``date``: its day, empty where its ``source`` does not state it. ``text`` and ``title`` by language; of a
    point of an ``edition`` they are those of ``node``. ``force``: when it is in force, ``stands``: whether, as the
    edition states it, where no day does. ``rank``: its place in the order of precedence of its ``body``, 0 where that
    is not stated. ``under``: condition → the words of its text that say that it holds only there; ``only``: the same of
    the parts of a point.
    """

    id: Annotated[str, MADE] = ""
    body: Annotated[str, MADE] = ""
    number: Slug
    code: Annotated[str, filled]
    provisions: Annotated[tuple[AnswerPath, ...], filled]
    kind: RulingKind
    effect: Effect
    date: Day = ""
    title: Prose = field(default_factory=Prose)
    text: Annotated[Prose, Wanted('the text by language, like {pl = "…", en = "…"}'), filled]
    source: Source
    force: Annotated[Force, Key("in_force")] = Force()
    rank: Annotated[int, from_one] = 0
    under: Annotated[Mapping[str, str], Key("only")] = field(default_factory=dict)
    edition: Annotated[str, MADE] = ""
    node: Annotated[NodeId | None, MADE] = None
    stands: Annotated[bool | None, MADE] = None
    only: Annotated[tuple[Only, ...], MADE] = ()

    def check(self) -> Iterator[Fault]:
        """Its text and title say their languages, its day is not after its end, its conditions stand in its words."""
        for key, said in (("text", self.text), ("title", self.title)):
            if "" in said:
                yield Fault(f"“{key}” does not say its language.", f'Write {key} = {{pl = "…"}}.', (key,))
        if self.date and self.force.until and self.force.until < self.date:
            finding = f"It is of {self.date} and in force to {self.force.until}: the dates are not in order."
            yield Fault(finding, "Correct one of the two.", ("in_force",))
        for condition, words in self.under.items():
            if not words or not any(words in text for text in self.text.values()):
                finding = f"“{words}” does not stand in the text."
                yield Fault(finding, "Write the words that say where it holds.", ("only", condition))

    def standing(self, today: dt.date) -> Standing:
        """Whether it is in force on a day."""
        day = today.isoformat()
        if (self.force.until and self.force.until < day) or self.stands is False:
            return "expired"
        if self.force.since > day:
            return "coming"
        return "in force" if self.force.since or self.stands else "not stated"

    @property
    def conditions(self) -> tuple[str, ...]:
        """The conditions under which it, or a part of it, holds alone."""
        return tuple(dict.fromkeys([*self.under, *(c for only in self.only for c in only.any)]))


@dataclass(frozen=True)
class File:
    """A file of rulings: a table for each."""

    ruling: tuple[Ruling, ...] = ()


@dataclass(frozen=True)
class Rulings:
    """All bodies, by id, and what they ruled, in the order of their files."""

    bodies: tuple[RulingBody, ...] = ()
    all: tuple[Ruling, ...] = ()
