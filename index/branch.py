"""The question that decides between the two best hits: “Did the offender win the trick?”.

Two provisions of a law may fit the words equally, because these leave out the fact by which the law tells them apart.
:class:`BranchQuestions` finds the question of a situation whose answers lead to one of them or to the other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from corpus.library import Library
from corpus.model import NodeId
from corpus.situation.model import Ask, Row, Situation


class BranchAnswer(NamedTuple):
    """An answer to a question, by its id. ``row``: the only row of the table that it leads to; None if there are
    several.
    """

    id: str
    row: str | None


class BranchQuestion(NamedTuple):
    """A question of a situation in a code, with its answers. None of them leads to both of two provisions; some lead to
    the one, some to the other.
    """

    situation: Situation
    code: str
    ask: Ask
    answers: tuple[BranchAnswer, ...]


class _Place(NamedTuple):
    """A row of a situation's table in a code."""

    situation: Situation
    code: str
    row: Row


class BranchQuestions:
    """The questions of all tables, by the provisions that their rows quote."""

    def __init__(self, library: Library):
        self._places: Mapping[NodeId, list[_Place]] = defaultdict(list)
        for situation in library.situations.values():
            for code, table in situation.table.items():
                for row in table.row:
                    for id_ in dict.fromkeys(quote.node for piece in row.says for quote in piece.quotes):
                        self._places[id_].append(_Place(situation, code, row))

    def between(self, one: NodeId, other: NodeId, likely: Sequence[str] = ()) -> BranchQuestion | None:
        """Return the question whose answers lead to one of two provisions or to the other; None if there is none.

        A situation of ``likely`` comes first, in the order there; in a situation, what asks for a fact.
        """
        for situation, code, ones, others in sorted(self._shared(one, other), key=lambda it: _rank(it[0].id, likely)):
            asks = sorted(situation.asks(code), key=lambda ask: ask.kind != "fact")
            for ask in asks:
                if _divides(ask, ones, others):
                    rows = situation.table[code].row
                    answers = (BranchAnswer(answer, _only_row(ask.id, answer, rows)) for answer in ask.answers(code))
                    return BranchQuestion(situation, code, ask, tuple(answers))
        return None

    def _shared(self, one: NodeId, other: NodeId) -> Iterator[tuple[Situation, str, list[Row], list[Row]]]:
        """Yield each situation and code with rows that quote the one provision, and rows that quote the other."""
        rows: dict[tuple[str, str], tuple[list[Row], list[Row]]] = defaultdict(lambda: ([], []))
        by_id: dict[str, Situation] = {}
        for side, id_ in enumerate((one, other)):
            for place in self._places.get(id_, ()):
                by_id[place.situation.id] = place.situation
                rows[place.situation.id, place.code][side].append(place.row)
        for (situation, code), (ones, others) in rows.items():
            if ones and others:
                yield by_id[situation], code, ones, others


def _rank(situation: str, likely: Sequence[str]) -> int:
    return likely.index(situation) if situation in likely else len(likely)


def _divides(ask: Ask, ones: Sequence[Row], others: Sequence[Row]) -> bool:
    """Whether some answers to a question lead to the one kind of rows, some to the others, and none to both."""
    to_ones, to_others = _answers_to(ask, ones), _answers_to(ask, others)
    return bool(to_ones and to_others) and not to_ones & to_others


def _answers_to(ask: Ask, rows: Sequence[Row]) -> frozenset[str]:
    """Return the answers that lead to the rows; none if some row does not depend on the question."""
    if ask.ticks or any(ask.id not in row.if_ for row in rows):
        return frozenset()
    return frozenset(answer for row in rows for answer in row.if_[ask.id])


def _only_row(ask: str, answer: str, rows: Collection[Row]) -> str | None:
    met = [row.id for row in rows if answer in row.if_.get(ask, (answer,))]
    return met[0] if len(met) == 1 else None
