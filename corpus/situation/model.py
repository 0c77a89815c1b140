"""Which rows answers still allow, and what is asked next. Answers are given as {ask: answers}: several paths of a tick
list, else one.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Literal

from corpus import files
from corpus.files import InvalidFile, LocalizedText
from corpus.model import NodeId, Problem, Quote, Where
from corpus.schema import (
    NOT_IN_FILE,
    SINGLE_VALUE_ALLOWED,
    SLUG_PATTERN,
    Fault,
    KeyName,
    ValueHint,
    check_at_least_one,
    check_not_empty,
    text_rule,
)

DOCS = "docs/add-a-situation.md"
NamesById = Mapping[str, LocalizedText]


@dataclass(frozen=True)
class Vocabulary:
    """The closed lists by name; each is id → its names by language."""

    phases: NamesById = field(default_factory=dict)
    roles: NamesById = field(default_factory=dict)
    duties: NamesById = field(default_factory=dict)
    objects: NamesById = field(default_factory=dict)
    moments: NamesById = field(default_factory=dict)
    conditions: NamesById = field(default_factory=dict)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that everything is named in."""
        return tuple(next(iter(self.phases.values()), ()))

    def check_word(self, which: str, id_: str) -> Iterator[Fault]:
        """A fault where a list has no such word; an empty id is none."""
        known: NamesById = getattr(self, which)
        if id_ and id_ not in known:
            move = f"Choose one of vocabulary/{which}.toml, or name it there in every language: {', '.join(known)}."
            yield Fault(f"“{id_}” is not among the {which}.", move, words=id_)

    def check_languages(self, text: Mapping[str, object]) -> Iterator[Fault]:
        """A fault for each language in which something is not said, and for each that is none of the site."""
        for code in self.languages:
            if code not in text:
                yield Fault(f"It is not said in “{code}”.", "Write it in every language of vocabulary/phases.toml.")
        for code in text:
            if code not in self.languages:
                yield Fault(f"“{code}” is no language of the vocabulary.", f"Choose: {', '.join(self.languages)}.")


def read_vocabulary(folder: Path) -> tuple[Vocabulary, list[Problem]]:
    """The lists of ``folder``; of those with a fault, the problems."""
    lists: dict[str, dict[str, LocalizedText]] = {}
    problems: list[Problem] = []
    for name in (f.name for f in fields(Vocabulary)):
        lists[name], faults = read_list(folder, name, lists.get("phases"))
        problems += faults
    return Vocabulary(**lists), problems


def read_list(
    folder: Path, name: str, phases: NamesById | None = None
) -> tuple[dict[str, LocalizedText], list[Problem]]:
    """One list, and what is wrong with it; ``phases``: that list, where it was read, else the list goes by itself."""
    file = f"vocabulary/{name}.toml"
    try:
        written = files.read_toml(folder / f"{name}.toml", file, ("There is no file.", f"Write it; see {DOCS}."))
    except InvalidFile as refused:
        return {}, refused.problems
    words: dict[str, LocalizedText] = {}
    problems = []
    for id_, names in written.data.items():
        if isinstance(names, dict) and all(isinstance(v, str) and v.strip() for v in names.values()):
            words[id_] = LocalizedText(names)
        else:
            move = 'Write id = {pl = "…", en = "…"}, a name for each language.'
            problems.append(written.problem((id_,), f"“{id_}” has no names.", move))
    known = Vocabulary(phases=phases or words)
    for id_, prose in words.items():
        problems += [written.problem((id_,), f"{id_}: {f.finding}", f.move) for f in known.check_languages(prose)]
    return words, problems


# Names that an address of a sheet needs for itself.
RESERVED = ("code", "closed", "q", "lang", "ui", "theme", "size", "limit", "bid")
NONE, SOME = "none", "some"  # the answers of a tick list
NOWHERE = NodeId("")  # of a misprint that is not placed yet
INSUFFICIENT_BID = "insufficient-bid"  # the situation that two bids tell, where the later one is not higher

Slug = Annotated[str, text_rule(SLUG_PATTERN, "small letters, digits and hyphens, like “lowest-same”")]
AnswerPath = Annotated[str, text_rule(r"[A-Za-z0-9]+(/[\w-]+)*", "the path of a provision, like 27/B/1/a")]
Paths = tuple[AnswerPath, ...]
OneOrMore = Annotated[tuple[str, ...], SINGLE_VALUE_ALLOWED, ValueHint('an answer, or a list of answers: ["…", "…"]')]
QuestionKind = Literal["fact", "judgment", "choice"]
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
    where: Annotated[Where, KeyName("in")] = "text"
    words: Mapping[str, str] = field(default_factory=dict)
    at: Mapping[str, AnswerPath] = field(default_factory=dict)
    occurrence: Annotated[int, check_at_least_one] = 0
    quotes: Annotated[tuple[Quote, ...], NOT_IN_FILE] = ()

    def in_edition(self, edition: str) -> Quote | None:
        """What is quoted from one text."""
        return next((q for q in self.quotes if NodeId(q.node).edition == edition), None)


@dataclass(frozen=True, kw_only=True)
class DutyMisprint:
    """What a duty does with a misprint under its words; ``slip`` names it: the edition, a colon, its id.

    ``harmless``: the order is the same with and without it, for the ``reason``; ``corrected``: the order follows the
    law, on the evidence of the slip; ``undecided``: no evidence suffices. ``node``: where it is printed.
    """

    slip: Annotated[
        str, text_rule(r"[\w-]+:[\w-]+", "the edition and the id of the misprint, with a colon between them")
    ]
    state: Literal["harmless", "corrected", "undecided"]
    reason: str = ""
    node: Annotated[NodeId, NOT_IN_FILE] = NOWHERE

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
    if_: Annotated[str, KeyName("if")] = ""
    words: Mapping[str, str] = field(default_factory=dict)
    misprints: tuple[DutyMisprint, ...] = ()
    given: Annotated[tuple[Quote, ...], NOT_IN_FILE] = ()

    @property
    def order(self) -> tuple[str, ...]:
        """What is ordered, whatever words order it."""
        return self.do, self.who, self.what, self.until, self.if_


@dataclass(frozen=True, kw_only=True)
class Later:
    """What comes at a later moment: a fact to look at, the Director's judgment, or a choice, and its own words."""

    when: Slug
    kind: QuestionKind
    by: str = ""
    says: tuple[Slice, ...]
    duties: tuple[Duty, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Also:
    """Words that cut across rows: they count besides where the answers are these (of a tick list: a path)."""

    if_: Annotated[Mapping[str, OneOrMore], KeyName("if")] = field(default_factory=dict)
    says: tuple[Slice, ...]
    duties: tuple[Duty, ...] = ()
    off: Paths = ()


@dataclass(frozen=True, kw_only=True)
class Goto:
    """The situation where it goes on: the answers that are given there, and those that are no longer open."""

    situation: Slug
    answers: Mapping[str, str] = field(default_factory=dict)
    closed: Mapping[str, OneOrMore] = field(default_factory=dict)
    duties: tuple[Duty, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Row:
    """The outcome of some answers. ``says``: the slices in the order in which they are read, the last one decides;
    ``off``: what they switch off; ``none``: why no provision speaks, then 12A1 stands in ``says``; ``differs``: code →
    what that code orders otherwise for the same answers.
    """

    id: Slug
    if_: Annotated[Mapping[str, OneOrMore], KeyName("if")] = field(default_factory=dict)
    says: tuple[Slice, ...]
    duties: tuple[Duty, ...] = ()
    off: Paths = ()
    then: tuple[Later, ...] = ()
    also: tuple[Also, ...] = ()
    goto: Goto | None = None
    none: LocalizedText = field(default_factory=LocalizedText)
    differs: Mapping[str, LocalizedText] = field(default_factory=dict)

    @property
    def deciding_slice(self) -> Slice:
        """The slice that orders the remedy."""
        return self.says[-1]

    @property
    def slices(self) -> tuple[Slice, ...]:
        """All that it quotes."""
        return (*self.says, *(s for t in self.then for s in t.says), *(s for a in self.also for s in a.says))

    @property
    def all_duties(self) -> tuple[Duty, ...]:
        """All that it orders, now and later."""
        then, also = (d for t in self.then for d in t.duties), (d for a in self.also for d in a.duties)
        return (*self.duties, *then, *also, *(self.goto.duties if self.goto else ()))


@dataclass(frozen=True, kw_only=True)
class DecisionTable:
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

    def updated_with(self, other: Drawing) -> Drawing:
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
    text: LocalizedText
    codes: tuple[str, ...] = ()
    drawing: Drawing | None = None


@dataclass(frozen=True, kw_only=True)
class Ask:
    """A question: a fact, a judgment (the Director's), a choice (``by`` whom).

    Its answers, or the tick list: code → provisions whose own words are what may be ticked. ``see``: code → what
    explains the question. ``ticked``: code → what may be ticked, quoted.
    """

    id: Slug
    kind: QuestionKind
    by: str = ""
    question: LocalizedText
    answer: tuple[Answer, ...] = ()
    ticks: Mapping[str, Paths] = field(default_factory=dict)
    see: Mapping[str, Paths] = field(default_factory=dict)
    ticked: Annotated[Mapping[str, tuple[Slice, ...]], NOT_IN_FILE] = field(default_factory=dict)

    def answers(self, code: str) -> tuple[str, ...]:
        """Ids of its answers in a code; of a tick list none or some."""
        if self.ticks:
            return (NONE, SOME)
        return tuple(a.id for a in self.answer if not a.codes or code in a.codes)


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A worked case: told, answered, and the row that it meets."""

    told: Annotated[str, check_not_empty]
    code: str
    answers: Mapping[str, OneOrMore] = field(default_factory=dict)
    row: str


@dataclass(frozen=True, kw_only=True)
class Situation:
    """What a director is called for. ``said``: language → how it is told or typed; ``near``: what it is confused
    with; ``tile``: its place among the commonest calls, 0: none; ``provisions``: code → what rules it, the deciding
    provisions first; ``table``: code → what that code asks; ``drawing``: who sits where before any answer. ``bundle``:
    its provisions, and after them those that decide what it is confused with.
    """

    id: Annotated[str, NOT_IN_FILE]
    phase: Slug
    tile: int = 0
    near: tuple[Slug, ...] = ()
    name: LocalizedText
    said: Mapping[str, tuple[str, ...]]
    provisions: Mapping[str, Paths]
    ask: tuple[Ask, ...] = ()
    table: Mapping[str, DecisionTable] = field(default_factory=dict)
    drawing: Drawing | None = None
    scenario: tuple[Scenario, ...] = ()
    bundle: Annotated[Mapping[str, Paths], NOT_IN_FILE] = field(default_factory=dict)

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


GivenAnswers = Mapping[str, Sequence[str]]
ClosedAnswers = frozenset[tuple[str, str]]  # (ask, answer)


def condition_value(ask: Ask, given: Sequence[str]) -> str:
    """What a row's ``if`` calls an answer: of a tick list, whether anything is ticked.

    >>> condition_value(Ask(id="exception", kind="fact", question={}, ticks={"2017": ("64/B/2",)}), ["64/B/2"])
    'some'
    """
    return (NONE if list(given) == [NONE] else SOME) if ask.ticks else given[0]


def open_rows(
    situation: Situation, code: str, given: GivenAnswers, closed: ClosedAnswers = frozenset()
) -> tuple[Row, ...]:
    """The rows that the answers given so far leave possible; ``closed``: answers that can no longer be given."""
    said = {ask.id: condition_value(ask, given[ask.id]) for ask in situation.asks(code) if given.get(ask.id)}
    left = (row for row in situation.table[code].row if row_matches(row, said))
    shut = lambda row: any(all((ask, a) in closed for a in allowed) for ask, allowed in row.if_.items())
    return tuple(row for row in left if not shut(row))


def row_matches(row: Row, said: Mapping[str, str]) -> bool:
    """Whether no answer speaks against a row."""
    return all(said.get(ask, allowed[0]) in allowed for ask, allowed in row.if_.items())


def next_ask(situation: Situation, code: str, given: GivenAnswers, closed: ClosedAnswers = frozenset()) -> Ask | None:
    """The first question whose answer parts the rows that are still possible; None when one row is left."""
    rows = open_rows(situation, code, given, closed)
    if len(rows) < 2:
        return None
    asks = (ask for ask in situation.asks(code) if not given.get(ask.id))
    return next((ask for ask in asks if any(ask.id in row.if_ for row in rows)), None)


def answer_combinations(situation: Situation, code: str) -> Iterator[dict[str, str]]:
    """Every combination of the answers to the questions that a row or what cuts across rows depends on."""
    asks = [ask for ask in situation.asks(code) if ask.id in deciding_questions(situation.table[code])]
    for answers in itertools.product(*(ask.answers(code) for ask in asks)):
        yield dict(zip((ask.id for ask in asks), answers, strict=True))


def deciding_questions(table: DecisionTable) -> set[str]:
    """The questions on which it depends which row is met."""
    return {ask for row in table.row for ask in row.if_}


def read_answers(situation: Situation, code: str, said: GivenAnswers) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """The answers of an address that a code knows, and the questions that it asks about otherwise or not at all.

    Of a tick list “none”, or paths; else one answer. What is wrong is left out, so that its question stands unanswered.
    """
    asks = {ask.id: ask for ask in situation.asks(code)}
    given: dict[str, tuple[str, ...]] = {}
    wrong = []
    for id_, values in said.items():
        chosen = tuple(dict.fromkeys(values))
        if id_ in asks and _is_answer(asks[id_], code, chosen):
            given[id_] = chosen
        else:
            wrong.append(id_)
    return given, wrong


def _is_answer(ask: Ask, code: str, chosen: Sequence[str]) -> bool:
    """Whether these are an answer: of a tick list “none” or some of its paths, else one."""
    if ask.ticks and NONE not in chosen:
        return bool(chosen) and set(chosen) <= set(ask.ticks[code])
    return len(chosen) == 1 and chosen[0] in ask.answers(code)


def quoted_slices(row: Row, given: GivenAnswers, asks: Sequence[Ask], code: str) -> tuple[Slice, ...]:
    """What a row quotes; where it is met because something was ticked, that follows its lead-in."""
    ticked = [
        s
        for ask in asks
        if SOME in row.if_.get(ask.id, ())
        for s in ask.ticked.get(code, ())
        if s.path in given.get(ask.id, ())
    ]
    return (*row.says, *ticked)


def also_applies(also: Also, given: GivenAnswers) -> bool | None:
    """Whether words that cut across rows hold for the answers; None where that is not asked yet."""
    met = [bool(set(given[ask]) & set(allowed)) if given.get(ask) else None for ask, allowed in also.if_.items()]
    return False if False in met else None if None in met else True
