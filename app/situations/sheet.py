"""The sheet of a situation: its questions, those answered and the next one, and the remedy where they decide it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from app.site import addresses, reader
from app.site.atlas import Atlas
from app.site.page import Page
from app.site.twins import Twin, between
from app.situations.drawing import Table, table
from app.situations.remedy import Own, Quoted, Remedy, Writer
from corpus.bid import Overcall
from corpus.edition.identity import Identity, Link
from corpus.model import Node
from corpus.situation.drawings import drawn
from corpus.situation.model import INSUFFICIENT, NONE, Ask, Row, Situation
from corpus.situation.table import Closed, Given, next_ask, open_rows, read_answers

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
