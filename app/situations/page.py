"""The page model of a situation's sheet: the questions, the next one, and the remedy when the answers decide it.

The entry point is :func:`sheet_page`. It uses :class:`RemedyWriter`, which draws the outcomes of one code with the
quoted words of the law, and :func:`seating_plan`, which draws who sits where.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from markupsafe import Markup

from app.site import addresses, phrases, reader
from app.site.atlas import Atlas
from app.site.board import Board, OnwardLink, read_board
from app.site.drawing import NodeBody
from app.site.page import SitePage
from app.site.phrases import CounterpartStatement, statement_between
from app.site.qr import qr_code
from app.site.quotation import QuotationWriter, QuotedPassage, QuotedProvision
from app.site.speech import SpokenStep, spoken_steps
from corpus.bid import Overcall
from corpus.edition import Identity, Link, Notice, sort_key_for_reader
from corpus.files import LocalizedText
from corpus.model import Node
from corpus.situation.model import (
    NONE,
    SEATS,
    Also,
    Ask,
    ClosedAnswers,
    Drawing,
    Duty,
    GivenAnswers,
    Goto,
    Later,
    QuestionKind,
    Row,
    Situation,
    also_applies,
    common_first_step,
    next_ask,
    quoted_slices,
    read_answers,
    renew_answers,
    row_label,
    rows_still_possible,
)
from corpus.situation.problems import drawing_for_answers

# -- The drawing of the table ---

WIDTH, HEIGHT = 300, 116  # px; fits beside a question, and whole on a phone
COMPASS_NAMES = {"S": _l("South"), "W": _l("West"), "N": _l("North"), "E": _l("East")}
NAMES_FROM_OFFENDER = (_l("offender"), _l("LHO"), _l("partner"), _l("RHO"))  # in the order of play
ROLE_NAMES = {"turn": _l("to act"), "dealer": _l("dealer"), "declarer": _l("declarer"), "dummy": _l("dummy")}
# Seat → x, y, and x and anchor of its words.
_SEAT_POSITIONS = {
    "S": (150, 95, 168, "start"),
    "W": (104, 58, 86, "end"),
    "N": (150, 21, 168, "start"),
    "E": (196, 58, 214, "start"),
}


@dataclass(frozen=True)
class Seat:
    """A seat at (x, y). Its words are at ``tx``; ``side``: whether they start or end there.

    ``name``: of its player. ``roles``: what that player is or does. ``turn``: it is this player's turn.
    """

    name: str
    roles: tuple[str, ...]
    x: int
    y: int
    tx: int
    side: str
    offender: bool
    turn: bool

    @property
    def description(self) -> str:
        """The seat in words: “LHO: to act, dealer”."""
        return f"{self.name}: {', '.join(self.roles)}" if self.roles else self.name


@dataclass(frozen=True)
class SeatingPlan:
    """The four seats in the order of play, beginning with the offender, else with South."""

    seats: tuple[Seat, ...]
    width: int = WIDTH
    height: int = HEIGHT

    @property
    def description(self) -> str:
        """The whole drawing in words, for readers who do not see it."""
        return "; ".join(seat.description for seat in self.seats) + "."

    @property
    def title(self) -> str:
        """The title of the drawing."""
        return _("The table")


def seating_plan(drawing: Drawing) -> SeatingPlan:
    """Return the drawing of who sits where, with names in the reader's language."""
    first = SEATS.index(drawing.offender) if drawing.offender else 0
    order = SEATS[first:] + SEATS[:first]
    names = NAMES_FROM_OFFENDER if drawing.offender else [COMPASS_NAMES[seat] for seat in order]
    return SeatingPlan(tuple(_make_seat(drawing, seat, str(name)) for seat, name in zip(order, names, strict=True)))


def _make_seat(drawing: Drawing, seat: str, name: str) -> Seat:
    x, y, tx, side = _SEAT_POSITIONS[seat]
    roles = tuple(str(word) for role, word in ROLE_NAMES.items() if getattr(drawing, role) == seat)
    return Seat(name, roles, x, y, tx, side, seat == drawing.offender, seat == drawing.turn)


# -- Remedies and their quotations ---


@dataclass(frozen=True)
class LaterOutcome:
    """What a row orders for later. ``when``: at which time, ``by``: by whom, both words of a closed list; ``by`` is ""
    for nobody.
    """

    when: str
    kind: QuestionKind
    by: str
    duties: tuple[Duty, ...]
    says: QuotedPassage


@dataclass(frozen=True)
class FurtherOutcome:
    """What is ordered besides, by words of the law that apply to several rows.

    ``asks``: the open questions that decide whether the words apply; () when it is known that they do. ``off``: the
    provisions that do not apply because of these words.
    """

    asks: tuple[Ask, ...]
    duties: tuple[Duty, ...]
    says: QuotedPassage
    off: tuple[Node, ...]


@dataclass(frozen=True)
class NextSituation:
    """The situation in which the sheet continues, with the duties that stay."""

    name: Mapping[str, str]
    address: str
    duties: tuple[Duty, ...]


@dataclass(frozen=True)
class ReaderLanguageText:
    """The counterpart of a quoted provision in the reader's language.

    ``statement``: the statement how the two correspond. ``body`` is drawn only when both say the same and neither has a
    misprint; else None.
    """

    statement: CounterpartStatement
    body: NodeBody | None


@dataclass(frozen=True)
class Remedy:
    """An outcome as a page shows it.

    - ``row``: its row in the table of the situation.
    - ``steps``: what the director says, now and at each later moment.
    - ``says``: the words that order it; the last of them decide.
    - ``off``: the provisions that do not apply because of these words.
    - ``then``: what is ordered for later; ``also``: what is ordered besides.
    - ``goto``: the situation in which the sheet continues, or None.
    """

    row: Row
    steps: tuple[SpokenStep, ...]
    says: QuotedPassage
    off: tuple[Node, ...]
    then: tuple[LaterOutcome, ...]
    also: tuple[FurtherOutcome, ...]
    goto: NextSituation | None

    @property
    def deciding_quotation(self) -> QuotedProvision:
        """The quotation that orders the remedy."""
        return self.says.quotes[-1]

    @property
    def quotes(self) -> tuple[QuotedProvision, ...]:
        """All quotations, now and later."""
        parts = (self.says, *(b.says for b in self.also), *(t.says for t in self.then))
        return tuple(q for part in parts for q in part.quotes)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """The notices on all laws that are quoted, each once."""
        return QuotedPassage(self.quotes).notices


class RemedyWriter(QuotationWriter):
    """Makes remedies from the outcomes of one code. Each quotation is from the first of ``editions`` that has the
    words. ``lang``: the reader's language; ``overcall``: the two bids that the sentences name; ``board``: what was
    ruled before on the same board.
    """

    def __init__(
        self,
        atlas: Atlas,
        code: str,
        editions: Sequence[Identity],
        lang: str,
        overcall: Overcall | None = None,
        board: Board | None = None,
    ):
        super().__init__(atlas, editions, lang)
        self.code, self.overcall, self.board = code, overcall, board

    def make_remedy(self, row: Row, given: GivenAnswers, asks: Sequence[Ask], *, certain: bool = False) -> Remedy:
        """Return the remedy for a row of the code. Words that apply to several rows are left out when the answers
        exclude them.

        ``given``: the answers so far; ``asks``: the questions of the situation in this code. ``certain``: what is said
        leaves out what another answer would have to decide.
        """
        also = [(part, also_applies(part, given)) for part in row.also]
        return Remedy(
            row=row,
            steps=spoken_steps(row, given, self.lang, self.atlas.library.vocabulary, self.overcall, certain=certain),
            says=self.quote_slices(quoted_slices(row, given, asks, self.code)),
            off=self.find_nodes(row.off),
            then=tuple(self._later_outcome(later) for later in row.then),
            also=tuple(self._further_outcome(part, met, asks) for part, met in also if met is not False),
            goto=self._next_situation(row, row.goto) if row.goto else None,
        )

    def find_reader_text(self, quoted: QuotedProvision) -> ReaderLanguageText | None:
        """Return the provision in the reader's language that corresponds to a quotation in another language.

        It is in the first complete edition that has one. None when no such edition has one, or when the quotation is in
        the reader's language already.
        """
        if quoted.edition.lang == self.lang:
            return None
        library = self.atlas.library
        own = [e for e in library.law_editions if e.lang == self.lang and e.complete]
        for edition in sorted(own, key=sort_key_for_reader()):
            for found in library.relations.counterparts_of(quoted.node.id).get(edition.id, ()):
                statement = statement_between(library, quoted.node.id, found.id)
                if statement is None:
                    continue
                same = phrases.same_in_language(library, quoted.node, self.lang) is statement.node
                drawn = self._drawer.body(statement.node) if same and not statement.node.children else None
                return ReaderLanguageText(statement, drawn)
        return None

    def _later_outcome(self, later: Later) -> LaterOutcome:
        return LaterOutcome(later.when, later.kind, later.by, later.duties, self.quote_slices(later.says))

    def _further_outcome(self, also: Also, met: bool | None, asks: Sequence[Ask]) -> FurtherOutcome:
        open_ = tuple(a for a in asks if a.id in also.if_) if met is None else ()
        return FurtherOutcome(open_, also.duties, self.quote_slices(also.says), self.find_nodes(also.off))

    def _next_situation(self, row: Row, goto: Goto) -> NextSituation:
        there = self.atlas.library.situations[goto.situation]
        closed = [("closed", f"{ask}:{a}") for ask, answers in goto.closed.items() for a in answers]
        chain = self.board.parameters_after(row) if self.board else ()
        address = addresses.situation(there.id, [*goto.answers.items(), ("code", self.code), *closed, *chain])
        return NextSituation(there.name, address, goto.duties)


# -- The sheet ---

# The provisions that say that the Director rules. They have these numbers in every code.
DIRECTOR_POWERS = ("81/C", "10/A")

KeptParameters = tuple[tuple[str, object], ...]  # query parameters that all addresses of a sheet have: bids, chain


@dataclass(frozen=True)
class AnswerChoice:
    """An answer to a question, as a link to ``address``. ``on``: the reader has given it.

    ``text``: the answer by language; empty for an answer of a tick list of which we have no words. An answer of a tick
    list has ``words``, the quotation of the law.
    """

    id: str
    address: str
    on: bool
    text: Mapping[str, str]
    words: QuotedProvision | None = None


@dataclass(frozen=True)
class SheetQuestion:
    """A question on a sheet.

    - ``choices``: the answers to choose from; ``answered``: those that are given.
    - ``again``: the address of the sheet without an answer to this question.
    - ``see``: the provisions that explain it.
    """

    ask: Ask
    choices: tuple[AnswerChoice, ...]
    answered: tuple[AnswerChoice, ...]
    again: str
    see: tuple[Node, ...]


@dataclass(frozen=True)
class OptionOutcome:
    """An outcome that an option may have. ``label``: the answer that leads to it, by language. ``notes``: what follows
    later, as numbers of the notes of :class:`OptionTable`. ``address``: of the sheet with all answers that lead to it;
    "" where it has several, or where one of them is about a later event.
    """

    label: Mapping[str, str]
    remedy: Remedy
    notes: tuple[int, ...]
    address: str


@dataclass(frozen=True)
class Option:
    """Answers from which the same follows: ``choices``, and the ``outcomes`` that they leave open."""

    choices: tuple[AnswerChoice, ...]
    outcomes: tuple[OptionOutcome, ...]


@dataclass(frozen=True)
class OptionTable:
    """The options of a choice. ``notes``: (moment, sentence) of what follows later, each once, as it is numbered."""

    options: tuple[Option, ...]
    notes: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class OtherCodeOutcome:
    """What another code orders for the same answers.

    - ``address``: of the sheet with that code.
    - ``remedy``: its outcome; None when it asks further questions.
    - ``differs``: what it orders otherwise, by language; empty when it orders the same.
    - ``statement``: the statement about the two deciding provisions; None when nothing joins them.
    """

    code: str
    address: str
    remedy: Remedy | None
    differs: Mapping[str, str]
    statement: CounterpartStatement | None


@dataclass(frozen=True)
class SheetPage(SitePage):
    """The sheet of a ``situation``.

    - ``code``: the laws that are applied; ``text``: the edition whose words are quoted.
    - ``codes``: (code, address) of each code that knows the situation.
    - ``questions``: the questions answered so far and the next one.
    - ``remedy``: the outcome when the answers decide it, else None; ``own``: its words in the reader's language.
    - ``options``: the answers from which a player may choose next, with what follows; None when nobody chooses.
    - ``now``: what is ruled already, while a question about a later event is open; else None.
    - ``elsewhere``: the outcomes in the other codes.
    - ``bundle``: the provisions that rule the situation.
    - ``near``: the situations with which it is confused.
    - ``wrong``: answers of the address that no question has; ``changed``: whether an answer of the address is no longer
      asked, because the guide has changed since.
    - ``ground``: the provisions by which the Director rules.
    - ``official``: links to these laws in the reader's language.
    - ``drawing``: who sits where, or None.
    - ``overcall``: the two bids that it is about, or None.
    - ``board``: what was ruled before on the same board.
    - ``onward``: the next sheets and scores for what the outcome leaves on the table.
    """

    template: ClassVar[str] = "sheet.html"
    situation: Situation
    code: str
    text: Identity
    codes: tuple[tuple[str, str], ...]
    questions: tuple[SheetQuestion, ...]
    remedy: Remedy | None
    own: ReaderLanguageText | None
    options: OptionTable | None
    now: Remedy | None
    elsewhere: tuple[OtherCodeOutcome, ...]
    bundle: tuple[Node, ...]
    near: tuple[Situation, ...]
    wrong: tuple[str, ...]
    changed: bool
    ground: tuple[Node, ...]
    official: tuple[Link, ...]
    drawing: SeatingPlan | None
    overcall: Overcall | None
    board: Board
    onward: tuple[OnwardLink, ...]

    @property
    def codes_shown(self) -> tuple[str, ...]:
        """The codes that know the situation."""
        return tuple(code for code, _address in self.codes)

    @property
    def has_no_own_text(self) -> bool:
        """Whether the words are quoted in another language than the reader's, because these laws have no text in it."""
        return self.text.lang != reader.ui_language()

    @property
    def back(self) -> str:
        """The address of the state before the last answer; without an answer that of the ruling before, else that of
        all situations.
        """
        answered = [q for q in self.questions if q.answered]
        if answered:
            return answered[-1].again
        return self.board.rulings[-1].address if self.board.rulings else addresses.situations()


@dataclass(frozen=True)
class PlayersPage(SitePage):
    """A decided ``sheet`` for the players: the ruling in large type, to show and to print.

    ``link`` is its address, and ``qr`` the same as a QR code; ``back`` leads to the sheet.
    """

    template: ClassVar[str] = "players.html"
    sheet: SheetPage
    link: str
    qr: Markup
    back: str

    @property
    def codes_shown(self) -> tuple[str, ...]:
        """The codes that know the situation."""
        return self.sheet.codes_shown


def players_page(sheet: SheetPage) -> PlayersPage:
    """Return the page for the players of a sheet that is decided."""
    link = addresses.absolute_url(addresses.strip_language(addresses.current_address(show=None)))
    return PlayersPage(sheet, link, qr_code(link), addresses.current_address(show=None))


def sheet_page(
    atlas: Atlas,
    situation: Situation,
    code: str,
    said: GivenAnswers,
    closed: ClosedAnswers = frozenset(),
    overcall: Overcall | None = None,
    chain: Sequence[str] = (),
) -> SheetPage:
    """Return the sheet for the answers of an address.

    ``code`` must be one of the atlas; ``said``: the answers by question; ``closed``: the (question, answer) pairs that
    cannot be chosen; ``overcall``: the two bids that the address names; ``chain``: the rulings before
    on the same board.
    """
    overcall = overcall if overcall and overcall.is_insufficient and situation.takes == "bids" else None
    bids: KeptParameters = (("bid", overcall),) if overcall else ()
    board = read_board(atlas, code, reader.ui_language(), chain, situation)
    kept: KeptParameters = (*bids, *board.parameters)
    editions = atlas.editions_of_code(code, reader.ui_language())
    writer = RemedyWriter(atlas, code, editions, reader.ui_language(), overcall, board)
    text = next((e for e in editions if e.complete), editions[0])
    has_table = code in situation.table
    asks = situation.asks(code) if has_table else ()
    said, undecided = renew_answers(situation, code, said) if asks else (said, [])
    given, wrong = read_answers(situation, code, said) if asks else ({}, [])
    rows = rows_still_possible(situation, code, given, closed) if has_table else ()
    following = next_ask(situation, code, given, closed) if asks else None
    shown = [ask for ask in asks if ask.id in given or ask is following]
    remedy = writer.make_remedy(rows[0], given, asks) if has_table and following is None else None
    ruled = common_first_step(rows) if following else None
    questions = tuple(_sheet_question(writer, situation, ask, given, closed, kept) for ask in shown)
    drawing = drawing_for_answers(situation, code, given, following)
    option_table = None
    if following and following.kind == "choice":
        option_table = _option_table(writer, situation, questions[-1], given, closed, kept)
    return SheetPage(
        situation=situation,
        code=code,
        text=text,
        codes=_code_addresses(atlas, situation, said, bids),
        questions=questions,
        remedy=remedy,
        own=writer.find_reader_text(remedy.deciding_quotation) if remedy and remedy.says.quotes else None,
        options=option_table,
        now=writer.make_remedy(ruled, given, asks) if ruled else None,
        elsewhere=_other_code_outcomes(atlas, situation, code, given, remedy, bids) if remedy else (),
        bundle=writer.find_nodes(situation.bundle.get(code, ())),
        near=tuple(s for id_ in situation.near if (s := atlas.library.situations.get(id_))),
        wrong=tuple(wrong),
        changed=bool(undecided),
        ground=writer.find_nodes(DIRECTOR_POWERS),
        official=_official_links_for_reader(atlas, text),
        drawing=seating_plan(drawing) if drawing else None,
        overcall=overcall,
        board=board,
        onward=tuple(board.onward_links(remedy.row)) if remedy and not remedy.goto else (),
    )


# -- All outcomes ---


@dataclass(frozen=True)
class ConditionalRemedy:
    """A ``remedy`` and the answers that lead to it.

    ``conditions``: (question, the answers that it may have) of each question that matters. A tick list has the
    provisions of which one is ticked, or none for the answer that nothing is.
    """

    conditions: tuple[tuple[Ask, tuple[Mapping[str, str] | Node, ...]], ...]
    remedy: Remedy


@dataclass(frozen=True)
class CodeOutcomes:
    """All ``remedies`` of a situation in a ``code``. ``text``: the edition whose words are quoted; ``bundle``: the
    provisions that rule the situation.
    """

    code: str
    text: Identity
    remedies: tuple[ConditionalRemedy, ...]
    bundle: tuple[Node, ...]

    @property
    def notices(self) -> tuple[Notice, ...]:
        """The notices on all laws that are quoted, each once."""
        return QuotedPassage(tuple(q for r in self.remedies for q in r.remedy.quotes)).notices


@dataclass(frozen=True)
class OutcomesPage(SitePage):
    """All outcomes of a ``situation``, for readers whose answers nobody can evaluate while the program is away.

    ``codes`` holds the outcomes in each code that knows the situation; ``ground`` the provisions that give
    the Director his powers.
    """

    template: ClassVar[str] = "outcomes.html"
    situation: Situation
    codes: tuple[CodeOutcomes, ...]
    ground: tuple[Node, ...]


def outcomes_page(atlas: Atlas, situation: Situation) -> OutcomesPage:
    """Return the page with all outcomes of a situation in the codes that know it."""
    known = [*filter(situation.is_known_in, atlas.codes)]
    lang = reader.ui_language()
    writers = [RemedyWriter(atlas, code, atlas.editions_of_code(code, lang), lang) for code in known]
    return OutcomesPage(
        situation=situation,
        codes=tuple(_code_outcomes(writer, situation) for writer in writers),
        ground=writers[0].find_nodes(DIRECTOR_POWERS) if writers else (),
    )


def _code_outcomes(writer: RemedyWriter, situation: Situation) -> CodeOutcomes:
    code, editions = writer.code, writer.editions
    asks = situation.asks(code) if code in situation.table else ()
    rows = situation.table[code].row if code in situation.table else ()
    remedies = (ConditionalRemedy(_conditions(writer, row, asks), writer.make_remedy(row, {}, asks)) for row in rows)
    text = next((e for e in editions if e.complete), editions[0])
    return CodeOutcomes(code, text, tuple(remedies), writer.find_nodes(situation.bundle.get(code, ())))


def _conditions(
    writer: RemedyWriter, row: Row, asks: Sequence[Ask]
) -> tuple[tuple[Ask, tuple[Mapping[str, str] | Node, ...]], ...]:
    """Return (question, answers) of each question on which a row depends, as :class:`ConditionalRemedy` has them."""
    found: list[tuple[Ask, tuple[Mapping[str, str] | Node, ...]]] = []
    for ask in (a for a in asks if a.id in row.if_):
        if ask.ticks:
            some = NONE not in row.if_[ask.id]
            found.append((ask, writer.find_nodes(ask.ticks.get(writer.code, ())) if some else ()))
        else:
            found.append((ask, tuple(a.text for a in ask.answer if a.id in row.if_[ask.id])))
    return tuple(found)


def _official_links_for_reader(atlas: Atlas, quoted: Identity) -> tuple[Link, ...]:
    """Return links to the laws in force in the reader's language. They are from the manifests of the editions in it.

    Empty when the edition that is ``quoted`` is in that language or not in force.
    """
    if quoted.lang == reader.ui_language() or not quoted.is_in_force:
        return ()
    named = (
        link
        for e in atlas.editions_in_order
        if e.lang == reader.ui_language()
        for link in e.links
        if link.lang == e.lang
    )
    return tuple({link.url: link for link in named}.values())


def _option_table(
    writer: RemedyWriter,
    situation: Situation,
    question: SheetQuestion,
    given: GivenAnswers,
    closed: ClosedAnswers,
    kept: KeptParameters,
) -> OptionTable:
    """Return the options of the question that is open. ``given``: the answers so far; ``closed``: those that cannot be
    chosen; ``kept``: the query parameters of the two bids
    and of the chain.
    """
    asks = situation.asks(writer.code)
    notes: dict[tuple[str, str], int] = {}
    choices: dict[tuple[str, ...], list[AnswerChoice]] = {}
    for choice in question.choices:
        rows = rows_still_possible(situation, writer.code, {**given, question.ask.id: (choice.id,)}, closed)
        choices.setdefault(tuple(row.id for row in rows), []).append(choice)
    options = []
    for same in choices.values():
        answered = {**given, question.ask.id: (same[0].id,)}
        outcomes = []
        for row in rows_still_possible(situation, writer.code, answered, closed):
            remedy, label = (
                writer.make_remedy(row, answered, asks, certain=True),
                row_label(situation, writer.code, row),
            )
            later = [(step.when, sentence) for step in remedy.steps if step.when for sentence in step.sentences]
            numbers = tuple(notes.setdefault(note, len(notes) + 1) for note in later)
            address = _address_of_row(situation, writer.code, row, answered, closed, kept)
            outcomes.append(OptionOutcome(label, remedy, numbers, address))
        options.append(Option(tuple(same), tuple(outcomes)))
    return OptionTable(tuple(options), tuple(notes))


def _address_of_row(
    situation: Situation, code: str, row: Row, given: GivenAnswers, closed: ClosedAnswers, kept: KeptParameters
) -> str:
    """Return the address of the sheet with the answers that lead to a row, as :class:`OptionOutcome` has it."""
    answers = {ask: tuple(values) for ask, values in given.items()}
    for ask in situation.asks(code):
        if ask.id in row.if_ and ask.id not in answers:
            if ask.when or ask.ticks or len(row.if_[ask.id]) != 1:
                return ""
            answers[ask.id] = tuple(row.if_[ask.id])
    return _answers_address(situation, code, answers, closed, kept)


def _answers_address(
    situation: Situation, code: str, given: GivenAnswers, closed: ClosedAnswers, kept: KeptParameters
) -> str:
    """Return the address of the sheet with some answers.

    ``closed``: the (question, answer) pairs that cannot be chosen; ``kept``: the query parameters of the two bids
    and of the chain.
    """
    shut = [("closed", f"{ask}:{value}") for ask, value in sorted(closed)]
    answers = [(ask.id, value) for ask in situation.asks(code) for value in given.get(ask.id, ())]
    return addresses.situation(situation.id, [*answers, ("code", code), *shut, *kept], "now")


def _code_addresses(
    atlas: Atlas, situation: Situation, said: GivenAnswers, bids: KeptParameters
) -> tuple[tuple[str, str], ...]:
    """Return (code, address of the sheet) of each code that knows the situation. The addresses keep the answers
    (``said``) and the two bids.
    """
    known = [*filter(situation.is_known_in, atlas.codes)]
    # The addresses keep the answers that one of the codes knows, and drop the others.
    tables = [read_answers(situation, code, said)[0] for code in situation.table]
    answers = [(ask, v) for ask in said for v in next((given[ask] for given in tables if ask in given), ())]
    return tuple((code, addresses.situation(situation.id, [*answers, ("code", code), *bids])) for code in known)


def _sheet_question(
    writer: RemedyWriter,
    situation: Situation,
    ask: Ask,
    given: GivenAnswers,
    closed: ClosedAnswers,
    kept: KeptParameters,
) -> SheetQuestion:
    """Return a question for the sheet. The addresses of its answers keep the other answers (``given``).

    ``closed``: the (question, answer) pairs that cannot be chosen; ``kept``: the query parameters of the two bids
    and of the chain.
    """
    code = writer.code

    def answer_address(values: Sequence[str]) -> str:
        return _answers_address(situation, code, {**given, ask.id: values}, closed, kept)

    now = given.get(ask.id, ())
    choices = []
    if ask.ticks:
        none = ask.tick_names.get(NONE, LocalizedText())
        choices.append(AnswerChoice(NONE, answer_address([NONE]), NONE in now, none))
        for node in writer.find_nodes(ask.ticks.get(code, ())):
            others = [v for v in now if v not in (NONE, node.path)]
            on = node.path in now
            words = writer.quote_whole_text(node)
            address = answer_address(others if on else [*others, node.path])
            ours = ask.tick_texts.get(code, {}).get(node.path, LocalizedText())
            choices.append(AnswerChoice(node.path, address, on, ours, words))
    else:
        texts = {a.id: a.text for a in ask.answer}
        choices = [
            AnswerChoice(id_, answer_address([id_]), id_ in now, texts[id_])
            for id_ in ask.answers(code)
            if (ask.id, id_) not in closed
        ]
    answered = tuple(c for c in choices if c.on)
    return SheetQuestion(ask, tuple(choices), answered, answer_address([]), writer.find_nodes(ask.see.get(code, ())))


def _other_code_outcomes(
    atlas: Atlas, situation: Situation, code: str, given: GivenAnswers, remedy: Remedy, bids: KeptParameters
) -> tuple[OtherCodeOutcome, ...]:
    """Return what each other code with a table orders for the same answers (``given``), as far as it asks the same
    questions.

    ``remedy``: the one in ``code``; ``bids``: the query parameters of the two bids.
    """
    out = []
    for other in (c for c in atlas.codes if c != code and c in situation.table):
        known, _wrong = read_answers(situation, other, given)
        rows = rows_still_possible(situation, other, known)
        writer = RemedyWriter(atlas, other, atlas.editions_of_code(other, reader.ui_language()), reader.ui_language())
        met = writer.make_remedy(rows[0], known, situation.asks(other)) if len(rows) == 1 else None
        statement = None
        if met and met.says.quotes and remedy.says.quotes:
            statement = statement_between(
                atlas.library, remedy.deciding_quotation.node.id, met.deciding_quotation.node.id
            )
        answers = [(ask, value) for ask, values in known.items() for value in values]
        address = addresses.situation(situation.id, [*answers, ("code", other), *bids])
        out.append(OtherCodeOutcome(other, address, met, remedy.row.differs.get(other, {}), statement))
    return tuple(out)
