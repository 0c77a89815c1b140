"""The values of situations, the closed lists that they use, and the rules of their decision tables.

- :class:`Vocabulary` and :func:`read_vocabulary`: the closed lists, ``vocabulary/*.toml``.
- :class:`Situation` and its parts, as ``situations/<id>.toml`` states them; :class:`Situations` holds all of them.
- :func:`rows_still_possible` and :func:`next_ask`: the rows that the answers still allow, and the next question.
- :func:`read_answers`: the answers in the address of a page.

Answers are given as {question id: answers}: several paths for a tick list, otherwise one answer id.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
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

# -- The closed lists ---

DOCS = "docs/add-a-situation.md"
NamesById = Mapping[str, LocalizedText]


@dataclass(frozen=True)
class Vocabulary:
    """The closed lists; each maps an id to its names by language."""

    phases: NamesById = field(default_factory=dict)
    roles: NamesById = field(default_factory=dict)
    duties: NamesById = field(default_factory=dict)
    objects: NamesById = field(default_factory=dict)
    moments: NamesById = field(default_factory=dict)
    conditions: NamesById = field(default_factory=dict)
    facts: NamesById = field(default_factory=dict)

    @property
    def fact_kinds(self) -> tuple[str, ...]:
        """The kinds of facts that a query states: the year of the laws, two bids, and those of the list."""
        return tuple(dict.fromkeys(("year", "bid", *(fact.partition("-")[0] for fact in self.facts))))

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that everything is named in."""
        return tuple(next(iter(self.phases.values()), ()))

    def check_word(self, which: str, id_: str) -> Iterator[Fault]:
        """Yield a fault where the list ``which`` has no such word; an empty id is no fault."""
        known: NamesById = getattr(self, which)
        if id_ and id_ not in known:
            move = f"Choose one of vocabulary/{which}.toml, or name it there in every language: {', '.join(known)}."
            yield Fault(f"“{id_}” is not among the {which}.", move, words=id_)

    def check_languages(self, text: Mapping[str, object]) -> Iterator[Fault]:
        """Yield a fault for each missing language of a text, and for each language that the site does not have."""
        for code in self.languages:
            if code not in text:
                yield Fault(f"It is not said in “{code}”.", "Write it in every language of vocabulary/phases.toml.")
        for code in text:
            if code not in self.languages:
                yield Fault(f"“{code}” is no language of the vocabulary.", f"Choose: {', '.join(self.languages)}.")


def read_vocabulary(folder: Path) -> tuple[Vocabulary, list[Problem]]:
    """Return the lists of ``folder``, and the problems of those with faults."""
    lists: dict[str, dict[str, LocalizedText]] = {}
    problems: list[Problem] = []
    for name in (f.name for f in fields(Vocabulary)):
        lists[name], faults = read_list(folder, name, lists.get("phases"))
        problems += faults
    return Vocabulary(**lists), problems


def read_list(
    folder: Path, name: str, phases: NamesById | None = None
) -> tuple[dict[str, LocalizedText], list[Problem]]:
    """Return one list, and what is wrong with it.

    ``phases`` is the list of phases, whose languages every entry must have; without it, every entry must have
    the languages of the first one.
    """
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


# -- The values ---

# Query parameters that the page of a situation uses itself, so no question may have them as its id.
RESERVED = ("code", "closed", "q", "lang", "ui", "theme", "size", "limit", "bid", "show", "from")
NONE, SOME = "none", "some"  # the answers of a tick list
NOWHERE = NodeId("")  # the node of a misprint that is not placed yet

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

    ``words``: edition → the quoted words of its text; an edition that is not named is quoted whole. ``at``: edition →
    path, where the edition numbers the provision otherwise. ``quotes``: one for each text of the code that has the
    law.
    """

    path: AnswerPath
    where: Annotated[Where, KeyName("in")] = "text"
    words: Mapping[str, str] = field(default_factory=dict)
    at: Mapping[str, AnswerPath] = field(default_factory=dict)
    occurrence: Annotated[int, check_at_least_one] = 0
    quotes: Annotated[tuple[Quote, ...], NOT_IN_FILE] = ()

    def in_edition(self, edition: str) -> Quote | None:
        """Return what is quoted from one edition, or None."""
        return next((q for q in self.quotes if NodeId(q.node).edition == edition), None)


@dataclass(frozen=True, kw_only=True)
class DutyMisprint:
    """What a duty does with a misprint in its words. The key ``slip`` names the misprint: the edition, a colon, its id.

    ``state`` is ``harmless`` (the order is the same with and without the misprint, for the ``reason``), ``corrected``
    (the order follows the law, on the evidence of the misprint) or ``undecided`` (no evidence suffices). ``node`` is
    where the misprint is printed.
    """

    slip: Annotated[
        str, text_rule(r"[\w-]+:[\w-]+", "the edition and the id of the misprint, with a colon between them")
    ]
    state: Literal["harmless", "corrected", "undecided"]
    reason: str = ""
    node: Annotated[NodeId, NOT_IN_FILE] = NOWHERE

    def check(self) -> Iterator[Fault]:
        """Check that ``harmless`` and ``undecided`` have a reason, and that ``corrected`` has none."""
        if (self.state == "corrected") == bool(self.reason):
            move = "Write “reason” for harmless and undecided; the evidence of a corrected one stands with the slip."
            yield Fault(f"A misprint is “{self.state}” {'with' if self.reason else 'without'} a reason.", move)


@dataclass(frozen=True, kw_only=True)
class Duty:
    """What the quoted words order, in words of the closed lists.

    ``who`` does ``do``, with ``what``, ``until`` a moment, under the condition ``if``. ``words``: edition → which of
    the quoted words order just this; ``given`` are these words, placed. ``misprints``: what the duty does with each
    misprint in its words.
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
        """(do, who, what, until, if): the order without the words that give it."""
        return self.do, self.who, self.what, self.until, self.if_

    @property
    def written_order(self) -> str:
        """The order as the sentences of ``spoken/`` name it.

        >>> Duty(do="passes-throughout", who="offender-partner", until="end-of-auction").written_order
        'offender-partner passes-throughout until:end-of-auction'
        """
        later = (f"until:{self.until}" if self.until else "", f"if:{self.if_}" if self.if_ else "")
        return " ".join(filter(None, (self.who, self.do, self.what, *later)))


@dataclass(frozen=True, kw_only=True)
class Later:
    """What follows at a later moment, with its own words.

    ``kind`` says what is asked then: a fact, the Director's judgment, or a choice ``by`` somebody.
    """

    when: Slug
    kind: QuestionKind
    by: str = ""
    says: tuple[Slice, ...]
    duties: tuple[Duty, ...] = ()
    off: Paths = ()


@dataclass(frozen=True, kw_only=True)
class Also:
    """Further words that a row quotes, and what they order, if the answers are these.

    ``if_``: question → answers (for a tick list: paths). ``off``: the provisions that the words switch off.
    """

    if_: Annotated[Mapping[str, OneOrMore], KeyName("if")] = field(default_factory=dict)
    says: tuple[Slice, ...]
    duties: tuple[Duty, ...] = ()
    off: Paths = ()


@dataclass(frozen=True, kw_only=True)
class Goto:
    """The situation where the play goes on.

    ``answers``: question → the answer that is given there already. ``closed``: question → answers that cannot be given
    there.
    """

    situation: Slug
    answers: Mapping[str, str] = field(default_factory=dict)
    closed: Mapping[str, OneOrMore] = field(default_factory=dict)
    duties: tuple[Duty, ...] = ()


@dataclass(frozen=True, kw_only=True)
class SpokenSentence:
    """A sentence that the director says to the players, in every language.

    ``duties``, ``also``, ``then`` and ``goto`` are numbers into the lists of its row, ``off`` are paths of its ``off``:
    what the sentence speaks. ``clause``: the condition that comes before it as long as no answer says that it is met.
    """

    text: LocalizedText
    clause: LocalizedText = field(default_factory=LocalizedText)
    duties: tuple[int, ...] = ()
    off: Paths = ()
    also: tuple[int, ...] = ()
    then: tuple[int, ...] = ()
    goto: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Step:
    """What is said at one moment; ``when`` is a word of the moments, "" for now."""

    when: str = ""
    say: tuple[SpokenSentence, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Row:
    """The outcome of some answers.

    - ``says``: the slices in the order in which they are read; the last one decides.
    - ``off``: the provisions that these switch off.
    - ``none``: why no provision covers the case; then 12A1 stands in ``says``.
    - ``differs``: code → what that code orders otherwise for the same answers, by language.
    - ``steps``: what the director says now, and at each later moment.
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
    steps: Annotated[tuple[Step, ...], NOT_IN_FILE] = ()

    @property
    def deciding_slice(self) -> Slice:
        """The slice that orders the remedy."""
        return self.says[-1]

    @property
    def slices(self) -> tuple[Slice, ...]:
        """Everything that the row quotes, now and later."""
        return (*self.says, *(s for t in self.then for s in t.says), *(s for a in self.also for s in a.says))

    @property
    def all_duties(self) -> tuple[Duty, ...]:
        """Everything that the row orders, now and later."""
        then, also = (d for t in self.then for d in t.duties), (d for a in self.also for d in a.duties)
        return (*self.duties, *then, *also, *(self.goto.duties if self.goto else ()))


@dataclass(frozen=True, kw_only=True)
class DecisionTable:
    """The questions of one code, in their order, and its outcomes. Each combination of answers meets one row."""

    asks: tuple[Slug, ...]
    row: tuple[Row, ...]


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """Who sits where, for a drawing of the table; "" means that the seat is unknown.

    By convention the offender sits South.
    """

    offender: Seat = ""
    turn: Seat = ""
    dealer: Seat = ""
    declarer: Seat = ""
    dummy: Seat = ""

    def updated_with(self, other: Drawing) -> Drawing:
        """Return the drawing with the seats that ``other`` names; the others stay."""
        return Drawing(**{f.name: getattr(other, f.name) or getattr(self, f.name) for f in fields(Drawing)})

    def check(self) -> Iterator[Fault]:
        """Check that dummy sits opposite the declarer."""
        if self.declarer and self.dummy and self.dummy != OPPOSITE[self.declarer]:
            yield Fault(f"Dummy is {self.dummy}.", f"Write {OPPOSITE[self.declarer]}, opposite the declarer.")


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One answer. ``codes``: the only codes that have it, if any; ``drawing``: what it changes in the drawing.

    ``clause``: the answer as the condition of a sentence, “If he changed it before the Director ruled”. ``facts``: what
    the answer states, in words of a closed list (``accepted-no``).
    """

    id: Slug
    text: LocalizedText
    clause: LocalizedText = field(default_factory=LocalizedText)
    facts: Annotated[tuple[Slug, ...], SINGLE_VALUE_ALLOWED] = ()
    codes: tuple[str, ...] = ()
    drawing: Drawing | None = None


@dataclass(frozen=True, kw_only=True)
class Ask:
    """A question: a fact, a judgment (the Director's) or a choice (``by`` whom).

    It has answers, or a tick list ``ticks``: code → provisions whose own words may be ticked. ``tick_texts``: code →
    path → that provision in our own few words; ``tick_names`` has the words for ``none`` and ``some`` of them. ``see``:
    code → provisions that explain the question. ``ticked``: code →
    what may be ticked, quoted. ``when``: the moment of the event that is asked about, if it comes after the ruling.
    ``drawing``: what is other in the drawing at the moment that is asked about. ``stated``: the words of a query may
    answer it; False where they are too often about another card, player or moment.
    """

    id: Slug
    kind: QuestionKind
    by: str = ""
    when: str = ""
    drawing: Drawing | None = None
    stated: bool = True
    question: LocalizedText
    answer: tuple[Answer, ...] = ()
    ticks: Mapping[str, Paths] = field(default_factory=dict)
    tick_texts: Mapping[str, Mapping[str, LocalizedText]] = field(default_factory=dict)
    tick_names: Mapping[str, LocalizedText] = field(default_factory=dict)
    see: Mapping[str, Paths] = field(default_factory=dict)
    ticked: Annotated[Mapping[str, tuple[Slice, ...]], NOT_IN_FILE] = field(default_factory=dict)

    def answers(self, code: str) -> tuple[str, ...]:
        """Return the ids of the answers in a code; for a tick list ``none`` and ``some``."""
        if self.ticks:
            return (NONE, SOME)
        return tuple(a.id for a in self.answer if not a.codes or code in a.codes)

    @property
    def answer_texts(self) -> dict[str, LocalizedText]:
        """The words of each answer by its id."""
        return {a.id: a.text for a in self.answer} | dict(self.tick_names)


@dataclass(frozen=True, kw_only=True)
class Retired:
    """An answer, a question or a row that there is no more. Its id is never used again.

    ``leads``: the answers that mean the same now, ``row_now``: the row that does; without them it is no longer decided.
    ``codes``: the only codes that had it; () for all. ``given``: it is retired only beside these answers, and in use
    without them.
    """

    ask: str = ""
    answer: str = ""
    row: str = ""
    codes: tuple[str, ...] = ()
    given: Mapping[str, str] = field(default_factory=dict)
    leads: Mapping[str, str] = field(default_factory=dict)
    row_now: str = ""

    def check(self) -> Iterator[Fault]:
        """Check that it names an answer or a row, and not both."""
        if bool(self.ask) == bool(self.row):
            yield Fault("It names a question and a row, or neither.", "Write “ask”, or “row”.")


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A worked case: what happened, the answers, and the row that they meet."""

    told: Annotated[str, check_not_empty]
    code: str
    answers: Mapping[str, OneOrMore] = field(default_factory=dict)
    row: str


@dataclass(frozen=True, kw_only=True)
class Situation:
    """An irregularity that a director is called for.

    - ``said``: language → sentences in which people describe it or type it.
    - ``near``: the situations that it is confused with.
    - ``tile``: its place among the commonest calls; 0 for none.
    - ``takes``: ``bids`` if a query with two bids, the later one not higher, leads to it. One situation may say so.
    - ``provisions``: code → the provisions that rule it, the deciding ones first.
    - ``table``: code → its decision table.
    - ``drawing``: who sits where before any answer.
    - ``retired``: the ids of the releases before that there are no more.
    - ``bundle``: code → its provisions, followed by the deciding ones of the situations that it is confused with.
    """

    id: Annotated[str, NOT_IN_FILE]
    phase: Slug
    tile: int = 0
    takes: Literal["", "bids"] = ""
    near: tuple[Slug, ...] = ()
    name: LocalizedText
    said: Mapping[str, tuple[str, ...]]
    provisions: Mapping[str, Paths]
    ask: tuple[Ask, ...] = ()
    table: Mapping[str, DecisionTable] = field(default_factory=dict)
    drawing: Drawing | None = None
    scenario: tuple[Scenario, ...] = ()
    retired: tuple[Retired, ...] = ()
    bundle: Annotated[Mapping[str, Paths], NOT_IN_FILE] = field(default_factory=dict)

    def is_known_in(self, code: str) -> bool:
        """Whether a code has a table or provisions for it."""
        return code in self.table or bool(self.provisions.get(code))

    def asks(self, code: str) -> tuple[Ask, ...]:
        """Return the questions of a code, in its order."""
        by_id = {ask.id: ask for ask in self.ask}
        return tuple(by_id[id_] for id_ in self.table[code].asks)


@dataclass(frozen=True, kw_only=True)
class Target:
    """Where the Director goes on: a ``situation``, or a kind of ``score``, with ``answers`` that are known already.

    ``codes``: the only codes that have it; () for all.
    """

    situation: str = ""
    score: str = ""
    answers: Mapping[str, str] = field(default_factory=dict)
    codes: tuple[str, ...] = ()

    def check(self) -> Iterator[Fault]:
        """Check that it is a situation or a score."""
        if bool(self.situation) == bool(self.score):
            yield Fault("It names a situation and a score, or neither.", "Write one of the two.")


@dataclass(frozen=True, kw_only=True)
class Leaving:
    """Something that is left on the table, by some ``duties``; ``name``: what, in every language; ``next``: where the
    Director goes on.
    """

    id: Slug
    name: LocalizedText
    duties: tuple[str, ...]
    next: Annotated[tuple[Target, ...], check_not_empty]


@dataclass(frozen=True, kw_only=True)
class NextSteps:
    """What duties leave on the table (:mod:`corpus.situation.next_step`). ``nothing``: those that leave nothing."""

    nothing: tuple[str, ...] = ()
    leaves: tuple[Leaving, ...] = ()

    @cached_property
    def _by_duty(self) -> dict[str, Leaving | None]:
        known: dict[str, Leaving | None] = dict.fromkeys(self.nothing)
        return known | {duty: leaving for leaving in self.leaves for duty in leaving.duties}

    def knows(self, duty: Duty) -> bool:
        """Whether a duty stands in one of the lists."""
        return f"{duty.do} {duty.what}".strip() in self._by_duty or duty.do in self._by_duty

    def left_by(self, row: Row) -> tuple[Leaving, ...]:
        """Return what a row leaves, each once, in the order of the file."""
        orders = [(f"{duty.do} {duty.what}".strip(), duty.do) for duty in row.all_duties]
        found = [self._by_duty.get(whole, self._by_duty.get(do)) for whole, do in orders]
        return tuple(leaving for leaving in self.leaves if leaving in found)


@dataclass(frozen=True)
class Situations:
    """All situations, sorted by phase, tile and id, the closed lists that they use, and what duties leave."""

    all: tuple[Situation, ...] = ()
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    next_steps: NextSteps = field(default_factory=NextSteps)

    def by_id(self) -> dict[str, Situation]:
        """Return id → situation."""
        return {s.id: s for s in self.all}


# -- From answers to rows ---

GivenAnswers = Mapping[str, Sequence[str]]  # question id → answers
ClosedAnswers = frozenset[tuple[str, str]]  # (ask, answer)


def condition_value(ask: Ask, given: Sequence[str]) -> str:
    """Return how a row's ``if`` names an answer. For a tick list it is whether anything is ticked.

    >>> condition_value(Ask(id="exception", kind="fact", question={}, ticks={"2017": ("64/B/2",)}), ["64/B/2"])
    'some'
    """
    return (NONE if list(given) == [NONE] else SOME) if ask.ticks else given[0]


def rows_still_possible(
    situation: Situation, code: str, given: GivenAnswers, closed: ClosedAnswers = frozenset()
) -> tuple[Row, ...]:
    """Return the rows that the answers still allow. ``closed`` holds answers that can no longer be given."""
    said = {ask.id: condition_value(ask, given[ask.id]) for ask in situation.asks(code) if given.get(ask.id)}
    left = tuple(row for row in situation.table[code].row if row_matches(row, said))
    if not closed:
        return left
    shut = lambda row: any(all((ask, a) in closed for a in allowed) for ask, allowed in row.if_.items())
    return tuple(row for row in left if not shut(row))


def row_matches(row: Row, said: Mapping[str, str]) -> bool:
    """Whether no answer contradicts a row. ``said`` maps questions to the values of :func:`condition_value`."""
    # Hundreds of thousands of combinations of answers and rows are tried. A loop is several times as fast as all().
    for ask, allowed in row.if_.items():  # noqa: SIM110
        if ask in said and said[ask] not in allowed:
            return False
    return True


def next_ask(situation: Situation, code: str, given: GivenAnswers, closed: ClosedAnswers = frozenset()) -> Ask | None:
    """Return the first question that the rows still possible depend on; None when one row is left."""
    rows = rows_still_possible(situation, code, given, closed)
    if len(rows) < 2:
        return None
    asks = (ask for ask in situation.asks(code) if not given.get(ask.id))
    return next((ask for ask in asks if any(ask.id in row.if_ for row in rows)), None)


def answer_combinations(situation: Situation, code: str) -> Iterator[dict[str, str]]:
    """Yield every combination of answers to the questions that the rows depend on."""
    asks = [ask for ask in situation.asks(code) if ask.id in deciding_questions(situation.table[code])]
    for answers in itertools.product(*(ask.answers(code) for ask in asks)):
        yield dict(zip((ask.id for ask in asks), answers, strict=True))


def deciding_questions(table: DecisionTable) -> set[str]:
    """Return the ids of the questions that decide which row is met."""
    return {ask for row in table.row for ask in row.if_}


def read_answers(situation: Situation, code: str, said: GivenAnswers) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """Return (the answers that the code knows, the questions whose answers are wrong).

    ``said`` comes from the address of a page. A tick list has ``none`` or paths, any other question one answer. Wrong
    answers are left out, so their questions stay open.
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


def renew_answers(situation: Situation, code: str, said: GivenAnswers) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """Return (the answers of an address with those that were retired as they are given now, the retired ones that
    nothing stands for any more).

    ``said`` comes from the address of a page, which may be older than the guide.
    """
    renewed = {ask: tuple(values) for ask, values in said.items()}
    undecided = []
    for old in situation.retired:
        if not old.ask or (old.codes and code not in old.codes):
            continue
        if old.ask not in renewed or (old.answer and old.answer not in renewed[old.ask]):
            continue
        if any(answer not in renewed.get(ask, ()) for ask, answer in old.given.items()):
            continue
        if not old.answer and not old.given and any(ask.id == old.ask for ask in situation.asks(code)):
            continue
        del renewed[old.ask]
        for ask, answer in old.leads.items():
            renewed.setdefault(ask, (answer,))
        if not old.leads:
            undecided.append(old.ask)
    return renewed, undecided


def _is_answer(ask: Ask, code: str, chosen: Sequence[str]) -> bool:
    """Whether ``chosen`` is an answer: for a tick list ``none`` or some of its paths, otherwise one answer."""
    if ask.ticks and NONE not in chosen:
        return bool(chosen) and set(chosen) <= set(ask.ticks[code])
    return len(chosen) == 1 and chosen[0] in ask.answers(code)


def row_label(situation: Situation, code: str, row: Row) -> LocalizedText:
    """Return the answer that leads to a row, as an option is named: the answers to the last question that decides it.

    Without such a question it is the name of the situation.
    """
    for ask in reversed(situation.asks(code)):
        texts = [ask.answer_texts[a] for a in row.if_.get(ask.id, ()) if a in ask.answer_texts]
        if texts:
            return LocalizedText({lang: " / ".join(text[lang] for text in texts) for lang in texts[0]})
    return situation.name


def common_first_step(rows: Sequence[Row]) -> Row | None:
    """Return a row whose first step is that of all ``rows``: what is ruled now, whichever of them is met. Else None."""
    first = rows[0]
    same = all(row.steps[:1] == first.steps[:1] and row.says == first.says for row in rows)
    return first if first.steps and same else None


def quoted_slices(row: Row, given: GivenAnswers, asks: Sequence[Ask], code: str) -> tuple[Slice, ...]:
    """Return what a row quotes. Where the row is met because something was ticked, the ticked slices follow."""
    ticked = [
        s
        for ask in asks
        if SOME in row.if_.get(ask.id, ())
        for s in ask.ticked.get(code, ())
        if s.path in given.get(ask.id, ())
    ]
    return (*row.says, *ticked)


def also_applies(also: Also, given: GivenAnswers) -> bool | None:
    """Whether further words of a row apply to the answers; None while a question that decides it is open."""
    met = [bool(set(given[ask]) & set(allowed)) if given.get(ask) else None for ask, allowed in also.if_.items()]
    return False if False in met else None if None in met else True
