"""The sheet of a situation: its questions, those answered and the next one, and the remedy where they decide it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

from app.site import addresses, reader, rulings, statements
from app.site.atlas import Atlas
from app.site.drawing import Block, Body, Drawer, Paragraph
from app.site.excerpt import notes_of
from app.site.page import Page
from app.site.rulings import RulingView
from app.site.statements import Twin, between
from corpus.bid import Overcall
from corpus.edition import Identity, Link, Notice
from corpus.model import Node, Quote
from corpus.situation.checks import drawn
from corpus.situation.model import (
    INSUFFICIENT,
    NONE,
    SEATS,
    Also,
    Ask,
    Closed,
    Drawing,
    Duty,
    Given,
    Goto,
    Kind,
    Later,
    Row,
    Situation,
    Slice,
    counts,
    next_ask,
    open_rows,
    read_answers,
    says,
)

WIDTH, HEIGHT = 300, 116  # px: beside a question, and whole on a phone
COMPASS = {"S": _l("South"), "W": _l("West"), "N": _l("North"), "E": _l("East")}
FROM_OFFENDER = (_l("offender"), _l("LHO"), _l("partner"), _l("RHO"))  # in the order of play
ROLES = {"turn": _l("to act"), "dealer": _l("dealer"), "declarer": _l("declarer"), "dummy": _l("dummy")}
# Where a seat is drawn, and where its words begin or end.
_SPOTS = {
    "S": (150, 95, 168, "start"),
    "W": (104, 58, 86, "end"),
    "N": (150, 21, 168, "start"),
    "E": (196, 58, 214, "start"),
}


@dataclass(frozen=True)
class Seat:
    """A seat at (x, y), its words at tx: its ``name``, and what its player is or does (``roles``)."""

    name: str
    roles: tuple[str, ...]
    x: int
    y: int
    tx: int
    side: str
    offender: bool
    turn: bool

    @property
    def said(self) -> str:
        """The seat in words: “LHO: to act, dealer”."""
        return f"{self.name}: {', '.join(self.roles)}" if self.roles else self.name


@dataclass(frozen=True)
class Table:
    """The four seats in the order of play, from the offender, else from South."""

    seats: tuple[Seat, ...]
    width: int = WIDTH
    height: int = HEIGHT

    @property
    def told(self) -> str:
        """The whole drawing in words, for who does not see it."""
        return "; ".join(seat.said for seat in self.seats) + "."

    @property
    def title(self) -> str:
        """What it is."""
        return _("The table")


def table(drawing: Drawing) -> Table:
    """The values of a drawing in the reader's language."""
    first = SEATS.index(drawing.offender) if drawing.offender else 0
    order = SEATS[first:] + SEATS[:first]
    names = FROM_OFFENDER if drawing.offender else [COMPASS[seat] for seat in order]
    return Table(tuple(_seat(drawing, seat, str(name)) for seat, name in zip(order, names, strict=True)))


def _seat(drawing: Drawing, seat: str, name: str) -> Seat:
    x, y, tx, side = _SPOTS[seat]
    roles = tuple(str(word) for role, word in ROLES.items() if getattr(drawing, role) == seat)
    return Seat(name, roles, x, y, tx, side, seat == drawing.offender, seat == drawing.turn)


ENDS = ".:;?!)”“"  # after these a sentence, or a part that is read by itself, has ended


@dataclass(frozen=True)
class Quoted:
    """Published words: ``blocks`` draw ``quote``.

    What hangs on them: ``notes`` whose marks stand in them, ``slips`` of the print, ``notices`` on the law,
    ``rulings`` of bodies on the provision.
    """

    edition: Identity
    node: Node
    quote: Quote
    blocks: tuple[Block, ...]
    notes: tuple[Body, ...]
    slips: tuple[statements.MisprintNote, ...]
    notices: tuple[Notice, ...]
    rulings: tuple[RulingView, ...]

    @property
    def words(self) -> str:
        """The quoted words alone."""
        return self.node.words_of(self.quote)

    @property
    def torn(self) -> tuple[bool, bool]:
        """Whether a sentence is cut off before the words, and after them."""
        text = self.node.words(self.quote.where)
        before, after = text[: self.quote.start].rstrip(), text[self.quote.end :].lstrip()
        return bool(before) and before[-1] not in ENDS, bool(after) and self.words.rstrip()[-1] not in ENDS


@dataclass(frozen=True)
class Passage:
    """Quotations that are read one after the other, and once each what hangs on their words."""

    quotes: tuple[Quoted, ...]

    @property
    def notes(self) -> tuple[Body, ...]:
        """The footnotes whose marks stand in the words."""
        return tuple({x.node.id: x for q in self.quotes for x in q.notes}.values())

    @property
    def slips(self) -> tuple[statements.MisprintNote, ...]:
        """What is said of slips of the print in the words."""
        return tuple({s.dom: s for q in self.quotes for s in q.slips}.values())

    @property
    def rulings(self) -> tuple[RulingView, ...]:
        """What bodies ruled on the provisions."""
        return tuple({r.ruling.id: r for q in self.quotes for r in q.rulings}.values())

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What must be known of the laws."""
        every = [n for q in self.quotes for n in q.notices]
        return tuple(n for i, n in enumerate(every) if n not in every[:i])


@dataclass(frozen=True)
class Moment:
    """What comes later: ``when`` and ``by`` are words of the vocabulary, empty for none."""

    when: str
    kind: Kind
    by: str
    duties: tuple[Duty, ...]
    says: Passage


@dataclass(frozen=True)
class Besides:
    """Words that cut across rows; ``asks``: the questions that would tell whether they count, none where they do."""

    asks: tuple[Ask, ...]
    duties: tuple[Duty, ...]
    says: Passage
    off: tuple[Node, ...]


@dataclass(frozen=True)
class Onward:
    """The situation where it goes on, with the duties that stay."""

    name: Mapping[str, str]
    address: str
    duties: tuple[Duty, ...]


@dataclass(frozen=True)
class Own:
    """The provision of the reader's language beside a quotation: ``body`` only where the two say the same, and no
    slip changes what one of them says.
    """

    twin: Twin
    body: Body | None


@dataclass(frozen=True)
class Remedy:
    """An outcome: its ``row``, and in ``says`` the words that order it, the last of which decide."""

    row: Row
    says: Passage
    off: tuple[Node, ...]
    then: tuple[Moment, ...]
    also: tuple[Besides, ...]
    goto: Onward | None

    @property
    def decides(self) -> Quoted:
        """The quotation that orders the remedy."""
        return self.says.quotes[-1]

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What must be known of the laws that are quoted, each once."""
        parts = (self.says, *(b.says for b in self.also), *(t.says for t in self.then))
        return Passage(tuple(q for part in parts for q in part.quotes)).notices


class Writer:
    """Draws outcomes of one code in the texts of ``editions``, the first that has the words."""

    def __init__(self, atlas: Atlas, code: str, editions: Sequence[Identity], lang: str):
        self.atlas, self.code, self.editions, self.lang = atlas, code, editions, lang
        self._drawer = Drawer(atlas, tells=False, notes=False)

    def remedy(self, row: Row, given: Given, asks: Sequence[Ask]) -> Remedy:
        """A row for answers; what the answers rule out of what cuts across rows is left out."""
        also = [(part, counts(part, given)) for part in row.also]
        return Remedy(
            row=row,
            says=self.says(says(row, given, asks, self.code)),
            off=self.nodes(row.off),
            then=tuple(self._moment(later) for later in row.then),
            also=tuple(self._besides(part, met, asks) for part, met in also if met is not False),
            goto=self._onward(row.goto) if row.goto else None,
        )

    def says(self, slices: Sequence[Slice]) -> Passage:
        """The quotations of slices."""
        found = (next(filter(None, (s.in_edition(e.id) for e in self.editions)), None) for s in slices)
        return Passage(tuple(self.quoted(q) for q in found if q))

    def quoted(self, quote: Quote) -> Quoted:
        """A quotation with what hangs on its words."""
        library, node = self.atlas.library, self.atlas.library.nodes[quote.node]
        law, edition = self.atlas.page_of(node), library.editions[node.edition]
        marks = {m.target for m in node.marks if m.where == quote.where and quote.start < m.at <= quote.end}
        ruled = (rulings.told(self.atlas, r, node, words=False) for r in self.atlas.rulings.get(node.id, ()))
        return Quoted(
            edition=edition,
            node=node,
            quote=quote,
            blocks=tuple(self._blocks(node, quote)),
            notes=tuple(self._drawer.body(n) for n in notes_of(library, law) if n.id in marks),
            slips=tuple(
                t
                for t, s in zip(statements.misprint_notes(library, [node]), node.slips, strict=True)
                if quote.touches(s)
            ),
            notices=edition.noticed(law.path),
            rulings=rulings.in_order(self.atlas, ruled, node.lang),
        )

    def _blocks(self, node: Node, quote: Quote) -> list[Block]:
        if quote.where == "text":
            return self._drawer.blocks(node, quote.start, quote.end)
        return [Paragraph(self._drawer.heading(node))]

    def words(self, node: Node) -> Quoted:
        """All that a provision says itself."""
        return self.quoted(Quote(node.id, "text", 0, len(node.text)))

    def nodes(self, paths: Sequence[str]) -> tuple[Node, ...]:
        """Provisions of the code, each in the first text that has it."""
        found = (next(filter(None, (self.atlas.library.node(e.id, p) for e in self.editions)), None) for p in paths)
        return tuple(n for n in found if n)

    def own(self, quoted: Quoted) -> Own | None:
        """What the newest whole text in the reader's language has for a quotation in another language."""
        if quoted.edition.lang == self.lang:
            return None
        library = self.atlas.library
        for edition in reversed([e for e in library.codes if e.lang == self.lang and e.complete]):
            for found in library.relations.counterparts(quoted.node.id).get(edition.id, ()):
                twin = between(library, quoted.node.id, found.id)
                if twin is None:
                    continue
                plain = twin.reviewed and found.relation in ("same", "moved") and not found.pair.reworded
                clean = not any(s for n in (quoted.node, twin.node) for s in n.slips) and not twin.node.children
                drawn = self._drawer.body(twin.node)
                return Own(twin, drawn if plain and clean else None)
        return None

    def _moment(self, later: Later) -> Moment:
        return Moment(later.when, later.kind, later.by, later.duties, self.says(later.says))

    def _besides(self, also: Also, met: bool | None, asks: Sequence[Ask]) -> Besides:
        open_ = tuple(a for a in asks if a.id in also.if_) if met is None else ()
        return Besides(open_, also.duties, self.says(also.says), self.nodes(also.off))

    def _onward(self, goto: Goto) -> Onward:
        there = self.atlas.library.situations[goto.situation]
        closed = [("closed", f"{ask}:{a}") for ask, answers in goto.closed.items() for a in answers]
        address = addresses.situation(there.id, [*goto.answers.items(), ("code", self.code), *closed])
        return Onward(there.name, address, goto.duties)


# What says that the Director rules, by the number that it has in every code.
GROUND = ("81/C", "10/A")

Bids = tuple[tuple[str, object], ...]  # what addresses carry of the two bids


@dataclass(frozen=True)
class Choice:
    """An answer as a link; ``on``: it is given. Of a tick list ``words`` are the law's own, else ``text`` has it by
    language.
    """

    id: str
    address: str
    on: bool
    text: Mapping[str, str]
    words: Quoted | None = None


@dataclass(frozen=True)
class Asked:
    """A question: ``choices`` to answer it; ``answered``: those given, ``again``: the address that opens it anew;
    ``see``: what explains it.
    """

    ask: Ask
    choices: tuple[Choice, ...]
    answered: tuple[Choice, ...]
    again: str
    see: tuple[Node, ...]


@dataclass(frozen=True)
class Elsewhere:
    """What another code has for the same answers: its ``remedy``, None where it asks further.

    ``differs``: what it orders otherwise, empty where it orders the same; ``twin``: what is said of the words of the
    two deciding provisions, None where nothing joins them.
    """

    code: str
    address: str
    remedy: Remedy | None
    differs: Mapping[str, str]
    twin: Twin | None


@dataclass(frozen=True)
class SheetPage(Page):
    """A ``situation``; ``code``: the laws that are asked, ``text``: the edition whose words are quoted; ``codes``:
    (code, address) of each that the situation knows.

    ``asked``: the questions answered so far and the next one · ``remedy`` where they decide, with ``own``: the
    reader's language · ``options``: the remedies still open where a player has the choice · ``elsewhere``: the other
    codes · ``bundle``: what rules it · ``near``: what it is confused with · ``wrong``: answers of the address that no
    question has · ``ground``: why the ruling is the Director's, ``official``: where these laws are found in the
    reader's language · ``drawing``: who sits where · ``overcall``: the two bids that it is about.
    """

    template: ClassVar[str] = "sheet.html"
    situation: Situation
    code: str
    text: Identity
    codes: tuple[tuple[str, str], ...]
    asked: tuple[Asked, ...]
    remedy: Remedy | None
    own: Own | None
    options: tuple[Remedy, ...]
    elsewhere: tuple[Elsewhere, ...]
    bundle: tuple[Node, ...]
    near: tuple[Situation, ...]
    wrong: tuple[str, ...]
    ground: tuple[Node, ...]
    official: tuple[Link, ...]
    drawing: Table | None
    overcall: Overcall | None


def sheet_page(
    atlas: Atlas,
    situation: Situation,
    code: str,
    said: Given,
    closed: Closed = frozenset(),
    overcall: Overcall | None = None,
) -> SheetPage:
    """The sheet for the answers of an address, in a code that the atlas has."""
    overcall = overcall if overcall and overcall.insufficient and situation.id == INSUFFICIENT else None
    bids: Bids = (("bid", overcall),) if overcall else ()
    editions = atlas.of_code(code, reader.ui())
    writer = Writer(atlas, code, editions, reader.ui())
    text = next((e for e in editions if e.complete), editions[0])
    asks = situation.asks(code) if code in situation.table else ()
    given, wrong = read_answers(situation, code, said) if asks else ({}, [])
    rows = open_rows(situation, code, given, closed) if asks else ()
    following = next_ask(situation, code, given, closed) if asks else None
    shown = [ask for ask in asks if ask.id in given or ask is following]
    remedies = tuple(writer.remedy(row, given, asks) for row in rows) if _told(rows, following) else ()
    remedy = remedies[0] if remedies and following is None else None
    return SheetPage(
        situation=situation,
        code=code,
        text=text,
        codes=_codes(atlas, situation, said, bids),
        asked=tuple(_asked(writer, situation, ask, given, closed, bids) for ask in shown),
        remedy=remedy,
        own=writer.own(remedy.decides) if remedy and remedy.says.quotes else None,
        options=remedies if following else (),
        elsewhere=_elsewhere(atlas, situation, code, given, remedy, bids) if remedy else (),
        bundle=writer.nodes(situation.bundle.get(code, ())),
        near=tuple(s for id_ in situation.near if (s := atlas.library.situations.get(id_))),
        wrong=tuple(wrong),
        ground=writer.nodes(GROUND),
        official=_official(atlas, text),
        drawing=table(drawing) if (drawing := drawn(situation, code, given)) else None,
        overcall=overcall,
    )


def _official(atlas: Atlas, text: Identity) -> tuple[Link, ...]:
    """Where the laws in force are found in the reader's language, as the manifests of the editions in it name it."""
    if text.lang == reader.ui() or not text.force:
        return ()
    named = (link for e in atlas.ordered if e.lang == reader.ui() for link in e.links if link.lang == e.lang)
    return tuple({link.url: link for link in named}.values())


def _told(rows: Sequence[Row], following: Ask | None) -> bool:
    """Whether outcomes are told: the one that is decided, or all that a player may choose from."""
    return following.kind == "choice" if following else len(rows) == 1


def _codes(atlas: Atlas, situation: Situation, said: Given, bids: Bids) -> tuple[tuple[str, str], ...]:
    """The codes that know the situation, each with the address that keeps the answers."""
    known = [code for code in atlas.codes if code in situation.table or situation.provisions.get(code)]
    # An answer goes on that one of the codes knows; what none knows is not said back.
    tables = [read_answers(situation, code, said)[0] for code in situation.table]
    answers = [(ask, v) for ask in said for v in next((given[ask] for given in tables if ask in given), ())]
    return tuple((code, addresses.situation(situation.id, [*answers, ("code", code), *bids])) for code in known)


def _asked(writer: Writer, situation: Situation, ask: Ask, given: Given, closed: Closed, bids: Bids) -> Asked:
    """A question with its answers as addresses that keep the others."""
    code = writer.code
    shut = [("closed", f"{a}:{value}") for a, value in sorted(closed)]

    def address(values: Sequence[str]) -> str:
        answers = [(a.id, v) for a in situation.asks(code) for v in (values if a.id == ask.id else given.get(a.id, ()))]
        return addresses.situation(situation.id, [*answers, ("code", code), *shut, *bids], "now")

    now = given.get(ask.id, ())
    choices = []
    if ask.ticks:
        choices.append(Choice(NONE, address([NONE]), NONE in now, {}))
        for node in writer.nodes(ask.ticks.get(code, ())):
            kept = [v for v in now if v not in (NONE, node.path)]
            on = node.path in now
            words = writer.words(node)
            choices.append(Choice(node.path, address(kept if on else [*kept, node.path]), on, {}, words))
    else:
        texts = {a.id: a.text for a in ask.answer}
        choices = [
            Choice(id_, address([id_]), id_ in now, texts[id_])
            for id_ in ask.answers(code)
            if (ask.id, id_) not in closed
        ]
    answered = tuple(c for c in choices if c.on)
    return Asked(ask, tuple(choices), answered, address([]), writer.nodes(ask.see.get(code, ())))


def _elsewhere(
    atlas: Atlas, situation: Situation, code: str, given: Given, remedy: Remedy, bids: Bids
) -> tuple[Elsewhere, ...]:
    """What the other codes that have a table say to the same answers, as far as they ask the same."""
    out = []
    for other in (c for c in atlas.codes if c != code and c in situation.table):
        known, _wrong = read_answers(situation, other, given)
        rows = open_rows(situation, other, known)
        writer = Writer(atlas, other, atlas.of_code(other, reader.ui()), reader.ui())
        met = writer.remedy(rows[0], known, situation.asks(other)) if len(rows) == 1 else None
        twin = None
        if met and met.says.quotes and remedy.says.quotes:
            twin = between(atlas.library, remedy.decides.node.id, met.decides.node.id)
        answers = [(ask, value) for ask, values in known.items() for value in values]
        address = addresses.situation(situation.id, [*answers, ("code", other), *bids])
        out.append(Elsewhere(other, address, met, remedy.row.differs.get(other, {}), twin))
    return tuple(out)
