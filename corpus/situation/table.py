"""Which rows answers still allow, and what is asked next. Answers are given as {ask: answers}: several paths of a tick
list, else one.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from corpus.situation.model import NONE, SOME, Ask, Row, Situation, Table

Given = Mapping[str, Sequence[str]]


def plain(ask: Ask, given: Sequence[str]) -> str:
    """What a row's ``if`` calls an answer: of a tick list, whether anything is ticked.

    >>> plain(Ask(id="exception", kind="fact", question={}, ticks={"2017": ("64/B/2",)}), ["64/B/2"])
    'some'
    """
    return (NONE if list(given) == [NONE] else SOME) if ask.ticks else given[0]


def open_rows(situation: Situation, code: str, given: Given) -> tuple[Row, ...]:
    """The rows that the answers given so far leave possible."""
    said = {ask.id: plain(ask, given[ask.id]) for ask in situation.asks(code) if given.get(ask.id)}
    return tuple(row for row in situation.table[code].row if meets(row, said))


def meets(row: Row, said: Mapping[str, str]) -> bool:
    """Whether no answer speaks against a row."""
    return all(said.get(ask, allowed[0]) in allowed for ask, allowed in row.if_.items())


def next_ask(situation: Situation, code: str, given: Given) -> Ask | None:
    """The first question whose answer parts the rows that are still possible; None when one row is left."""
    rows = open_rows(situation, code, given)
    if len(rows) < 2:
        return None
    asks = (ask for ask in situation.asks(code) if not given.get(ask.id))
    return next((ask for ask in asks if any(ask.id in row.if_ for row in rows)), None)


def combinations(situation: Situation, code: str) -> Iterator[dict[str, str]]:
    """Every combination of the answers to the questions that a row or what cuts across rows depends on."""
    asks = [ask for ask in situation.asks(code) if ask.id in parting(situation.table[code])]
    for answers in itertools.product(*(ask.answers(code) for ask in asks)):
        yield dict(zip((ask.id for ask in asks), answers, strict=True))


def parting(table: Table) -> set[str]:
    """The questions on which it depends which row is met."""
    return {ask for row in table.row for ask in row.if_}
