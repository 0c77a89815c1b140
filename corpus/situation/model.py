"""A situation as its file states it; the checker adds only where the quoted words stand (:attr:`Slice.quotes`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Annotated, Literal

from corpus.checked.prose import Prose
from corpus.checked.rule import LONE, MADE, SLUG, Fault, Key, Wanted, filled, from_one, shape
from corpus.model import NodeId, Quote, Where
from corpus.situation.vocabulary import Vocabulary

# Names that an address of a sheet needs for itself.
RESERVED = ("code", "closed", "q", "lang", "ui", "theme", "size", "limit", "bid")
NONE, SOME = "none", "some"  # the answers of a tick list
NOWHERE = NodeId("")  # of a misprint that is not placed yet
INSUFFICIENT = "insufficient-bid"  # the situation that two bids tell, where the later one is not higher

Slug = Annotated[str, shape(SLUG, "small letters, digits and hyphens, like “lowest-same”")]
AnswerPath = Annotated[str, shape(r"[A-Za-z0-9]+(/[\w-]+)*", "the path of a provision, like 27/B/1/a")]
Paths = tuple[AnswerPath, ...]
Several = Annotated[tuple[str, ...], LONE, Wanted('an answer, or a list of answers: ["…", "…"]')]
Kind = Literal["fact", "judgment", "choice"]
Seat = Literal["", "N", "E", "S", "W"]
SEATS = ("S", "W", "N", "E")  # in the order in which they call and play
OPPOSITE = dict(zip(SEATS, (*SEATS[2:], *SEATS[:2]), strict=True))


@dataclass(frozen=True, kw_only=True)
class Slice:
    """Published words of a provision, in each text of the code.

    ``words``: edition → what of its text is quoted; an edition that is not named is quoted whole. ``at``: edition →
    path, where it numbers the provision otherwise. ``quotes``: one for each text of the code that has the law.
    """

    path: AnswerPath
    where: Annotated[Where, Key("in")] = "text"
    words: Mapping[str, str] = field(default_factory=dict)
    at: Mapping[str, AnswerPath] = field(default_factory=dict)
    occurrence: Annotated[int, from_one] = 0
    quotes: Annotated[tuple[Quote, ...], MADE] = ()

    def in_edition(self, edition: str) -> Quote | None:
        """What is quoted from one text."""
        return next((q for q in self.quotes if NodeId(q.node).edition == edition), None)


@dataclass(frozen=True, kw_only=True)
class Misprint:
    """What a duty does with a misprint under its words; ``slip`` names it: the edition, a colon, its id.

    ``harmless``: the order is the same with and without it, for the ``reason``; ``corrected``: the order follows the
    law, on the evidence of the slip; ``undecided``: no evidence suffices. ``node``: where it is printed.
    """

    slip: Annotated[str, shape(r"[\w-]+:[\w-]+", "the edition and the id of the misprint, with a colon between them")]
    state: Literal["harmless", "corrected", "undecided"]
    reason: str = ""
    node: Annotated[NodeId, MADE] = NOWHERE

    def check(self) -> Iterator[Fault]:
        """What is not proved by the evidence of the slip has a reason."""
        if (self.state == "corrected") == bool(self.reason):
            move = "Write “reason” for harmless and undecided; the evidence of a corrected one stands with the slip."
            yield Fault(f"A misprint is “{self.state}” {'with' if self.reason else 'without'} a reason.", move)


@dataclass(frozen=True, kw_only=True)
class Duty:
    """What the quoted words order, in words of the closed lists: ``do`` what, ``who`` does it, with ``what``,
    ``until`` when, under the condition ``if``.

    ``words``: edition → which of the quoted words order just this; ``given`` are they, placed. ``misprints``: what it
    does with each misprint under the words that it stands on.
    """

    do: Slug
    who: Slug
    what: str = ""
    until: str = ""
    if_: Annotated[str, Key("if")] = ""
    words: Mapping[str, str] = field(default_factory=dict)
    misprints: tuple[Misprint, ...] = ()
    given: Annotated[tuple[Quote, ...], MADE] = ()

    @property
    def order(self) -> tuple[str, ...]:
        """What is ordered, whatever words order it."""
        return self.do, self.who, self.what, self.until, self.if_


@dataclass(frozen=True, kw_only=True)
class Later:
    """What comes at a later moment: a fact to look at, the Director's judgment, or a choice, and its own words."""

    when: Slug
    kind: Kind
    by: str = ""
    says: tuple[Slice, ...]
    duties: tuple[Duty, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Also:
    """Words that cut across rows: they count besides where the answers are these (of a tick list: a path)."""

    if_: Annotated[Mapping[str, Several], Key("if")] = field(default_factory=dict)
    says: tuple[Slice, ...]
    duties: tuple[Duty, ...] = ()
    off: Paths = ()


@dataclass(frozen=True, kw_only=True)
class Goto:
    """The situation where it goes on: the answers that are given there, and those that are no longer open."""

    situation: Slug
    answers: Mapping[str, str] = field(default_factory=dict)
    closed: Mapping[str, Several] = field(default_factory=dict)
    duties: tuple[Duty, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Row:
    """The outcome of some answers. ``says``: the slices in the order in which they are read, the last one decides;
    ``off``: what they switch off; ``none``: why no provision speaks, then 12A1 stands in ``says``; ``differs``: code →
    what that code orders otherwise for the same answers.
    """

    id: Slug
    if_: Annotated[Mapping[str, Several], Key("if")] = field(default_factory=dict)
    says: tuple[Slice, ...]
    duties: tuple[Duty, ...] = ()
    off: Paths = ()
    then: tuple[Later, ...] = ()
    also: tuple[Also, ...] = ()
    goto: Goto | None = None
    none: Prose = field(default_factory=Prose)
    differs: Mapping[str, Prose] = field(default_factory=dict)

    @property
    def decides(self) -> Slice:
        """The slice that orders the remedy."""
        return self.says[-1]

    @property
    def slices(self) -> tuple[Slice, ...]:
        """All that it quotes."""
        return (*self.says, *(s for t in self.then for s in t.says), *(s for a in self.also for s in a.says))

    @property
    def ordered(self) -> tuple[Duty, ...]:
        """All that it orders, now and later."""
        then, also = (d for t in self.then for d in t.duties), (d for a in self.also for d in a.duties)
        return (*self.duties, *then, *also, *(self.goto.duties if self.goto else ()))


@dataclass(frozen=True, kw_only=True)
class Table:
    """What one code asks, in this order, and its outcomes: each combination of answers meets one row."""

    asks: tuple[Slug, ...]
    row: tuple[Row, ...]


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """Who sits where, by convention the offender South: seats for a drawing of the table; "" says nothing."""

    offender: Seat = ""
    turn: Seat = ""
    dealer: Seat = ""
    declarer: Seat = ""
    dummy: Seat = ""

    def after(self, other: Drawing) -> Drawing:
        """The drawing once another one has come: what that says of a seat counts, the rest stays."""
        return Drawing(**{f.name: getattr(other, f.name) or getattr(self, f.name) for f in fields(Drawing)})

    def check(self) -> Iterator[Fault]:
        """Dummy sits opposite the declarer."""
        if self.declarer and self.dummy and self.dummy != OPPOSITE[self.declarer]:
            yield Fault(f"Dummy is {self.dummy}.", f"Write {OPPOSITE[self.declarer]}, opposite the declarer.")


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One answer; ``codes``: in these only; ``drawing``: what it changes in the drawing of the situation."""

    id: Slug
    text: Prose
    codes: tuple[str, ...] = ()
    drawing: Drawing | None = None


@dataclass(frozen=True, kw_only=True)
class Ask:
    """A question: a fact, a judgment (the Director's), a choice (``by`` whom).

    Its answers, or the tick list: code → provisions whose own words are what may be ticked. ``see``: code → what
    explains the question. ``ticked``: code → what may be ticked, quoted.
    """

    id: Slug
    kind: Kind
    by: str = ""
    question: Prose
    answer: tuple[Answer, ...] = ()
    ticks: Mapping[str, Paths] = field(default_factory=dict)
    see: Mapping[str, Paths] = field(default_factory=dict)
    ticked: Annotated[Mapping[str, tuple[Slice, ...]], MADE] = field(default_factory=dict)

    def answers(self, code: str) -> tuple[str, ...]:
        """Ids of its answers in a code; of a tick list none or some."""
        if self.ticks:
            return (NONE, SOME)
        return tuple(a.id for a in self.answer if not a.codes or code in a.codes)


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A worked case: told, answered, and the row that it meets."""

    told: Annotated[str, filled]
    code: str
    answers: Mapping[str, Several] = field(default_factory=dict)
    row: str


@dataclass(frozen=True, kw_only=True)
class Situation:
    """What a director is called for. ``said``: language → how it is told or typed; ``near``: what it is confused
    with; ``tile``: its place among the commonest calls, 0: none; ``provisions``: code → what rules it, the deciding
    provisions first; ``table``: code → what that code asks; ``drawing``: who sits where before any answer. ``bundle``:
    its provisions, and after them those that decide what it is confused with.
    """

    id: Annotated[str, MADE]
    phase: Slug
    tile: int = 0
    near: tuple[Slug, ...] = ()
    name: Prose
    said: Mapping[str, tuple[str, ...]]
    provisions: Mapping[str, Paths]
    ask: tuple[Ask, ...] = ()
    table: Mapping[str, Table] = field(default_factory=dict)
    drawing: Drawing | None = None
    scenario: tuple[Scenario, ...] = ()
    bundle: Annotated[Mapping[str, Paths], MADE] = field(default_factory=dict)

    def asks(self, code: str) -> tuple[Ask, ...]:
        """The questions of a code, in its order."""
        by_id = {ask.id: ask for ask in self.ask}
        return tuple(by_id[id_] for id_ in self.table[code].asks)


@dataclass(frozen=True)
class Situations:
    """All situations, by phase and then by name of their file, and the closed lists that they speak in."""

    all: tuple[Situation, ...] = ()
    vocabulary: Vocabulary = field(default_factory=Vocabulary)

    def by_id(self) -> dict[str, Situation]:
        """Id → situation."""
        return {s.id: s for s in self.all}
