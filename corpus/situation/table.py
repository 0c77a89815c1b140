"""Which rows answers still allow, and what is asked next. Answers are given as {ask: answers}: several paths of a tick
list, else one.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from corpus.situation.model import NONE, SOME, Also, Ask, Row, Situation, Slice, Table

Given = Mapping[str, Sequence[str]]
Closed = frozenset[tuple[str, str]]  # (ask, answer)


def plain(ask: Ask, given: Sequence[str]) -> str:
    """What a row's ``if`` calls an answer: of a tick list, whether anything is ticked.

    >>> plain(Ask(id="exception", kind="fact", question={}, ticks={"2017": ("64/B/2",)}), ["64/B/2"])
    'some'
    """
    return (NONE if list(given) == [NONE] else SOME) if ask.ticks else given[0]


def open_rows(situation: Situation, code: str, given: Given, closed: Closed = frozenset()) -> tuple[Row, ...]:
    """The rows that the answers given so far leave possible; ``closed``: answers that can no longer be given."""
    said = {ask.id: plain(ask, given[ask.id]) for ask in situation.asks(code) if given.get(ask.id)}
    left = (row for row in situation.table[code].row if meets(row, said))
    shut = lambda row: any(all((ask, a) in closed for a in allowed) for ask, allowed in row.if_.items())
    return tuple(row for row in left if not shut(row))


def meets(row: Row, said: Mapping[str, str]) -> bool:
    """Whether no answer speaks against a row."""
    return all(said.get(ask, allowed[0]) in allowed for ask, allowed in row.if_.items())


def next_ask(situation: Situation, code: str, given: Given, closed: Closed = frozenset()) -> Ask | None:
    """The first question whose answer parts the rows that are still possible; None when one row is left."""
    rows = open_rows(situation, code, given, closed)
    if len(rows) < 2:
        return None
    asks = (ask for ask in situation.asks(code) if not given.get(ask.id))
    return next((ask for ask in asks if any(ask.id in row.if_ for row in rows)), None)


def answer_combinations(situation: Situation, code: str) -> Iterator[dict[str, str]]:
    """Every combination of the answers to the questions that a row or what cuts across rows depends on."""
    asks = [ask for ask in situation.asks(code) if ask.id in parting(situation.table[code])]
    for answers in itertools.product(*(ask.answers(code) for ask in asks)):
        yield dict(zip((ask.id for ask in asks), answers, strict=True))


def parting(table: Table) -> set[str]:
    """The questions on which it depends which row is met."""
    return {ask for row in table.row for ask in row.if_}


def read_answers(situation: Situation, code: str, said: Given) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """The answers of an address that a code knows, and the questions that it asks about otherwise or not at all.

    Of a tick list “none”, or paths; else one answer. What is wrong is left out, so that its question stands unanswered.
    """
    asks = {ask.id: ask for ask in situation.asks(code)}
    given: dict[str, tuple[str, ...]] = {}
    wrong = []
    for id_, values in said.items():
        chosen = tuple(dict.fromkeys(values))
        if id_ in asks and _answers(asks[id_], code, chosen):
            given[id_] = chosen
        else:
            wrong.append(id_)
    return given, wrong


def _answers(ask: Ask, code: str, chosen: Sequence[str]) -> bool:
    """Whether these are an answer: of a tick list “none” or some of its paths, else one."""
    if ask.ticks and NONE not in chosen:
        return bool(chosen) and set(chosen) <= set(ask.ticks[code])
    return len(chosen) == 1 and chosen[0] in ask.answers(code)


def says(row: Row, given: Given, asks: Sequence[Ask], code: str) -> tuple[Slice, ...]:
    """What a row quotes; where it is met because something was ticked, that follows its lead-in."""
    ticked = [
        s
        for ask in asks
        if SOME in row.if_.get(ask.id, ())
        for s in ask.ticked.get(code, ())
        if s.path in given.get(ask.id, ())
    ]
    return (*row.says, *ticked)


def counts(also: Also, given: Given) -> bool | None:
    """Whether words that cut across rows hold for the answers; None where that is not asked yet."""
    met = [bool(set(given[ask]) & set(allowed)) if given.get(ask) else None for ask, allowed in also.if_.items()]
    return False if False in met else None if None in met else True
