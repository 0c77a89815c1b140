"""What is checked of the ways from one situation to another: they exist, and none runs in a circle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from corpus.checked.rule import Fault
from corpus.checked.toml import At
from corpus.situation.model import Goto, Situation


def path_problems(situation: Situation, every: Mapping[str, Situation]) -> Iterator[Fault]:
    """Everything wrong with what a situation leads to; ``every``: all situations by id."""
    for id_ in situation.near:
        if id_ not in every or id_ == situation.id:
            yield Fault(f"There is no other situation “{id_}”.", "Name a file of situations/.", ("near",), id_)
    for code, table in situation.table.items():
        for n, row in enumerate(table.row):
            if row.goto:
                at: At = ("table", code, "row", n, "goto")
                yield from (f._replace(at=at + f.at) for f in _goto(row.goto, situation, code, every))


def _goto(goto: Goto, here: Situation, code: str, every: Mapping[str, Situation]) -> Iterator[Fault]:
    there = every.get(goto.situation)
    if there is None:
        yield Fault(f"There is no situation “{goto.situation}”.", "Name a file of situations/.", ("situation",))
        return
    if (goto.answers or goto.closed) and code not in there.table:
        yield Fault(f"“{there.id}” has no table for {code}.", "Remove what is carried along.", ("situation",))
        return
    given = {("answers", ask): (answer,) for ask, answer in goto.answers.items()}
    for at, answers in (given | {("closed", ask): answers for ask, answers in goto.closed.items()}).items():
        ask = at[1]
        known = next((a.answers(code) for a in there.ask if a.id == ask and ask in there.table[code].asks), ())
        for answer in answers:
            if answer not in known:
                move = f"Answer: {', '.join(known)}." if known else "Name a question of its table."
                yield Fault(f"“{answer}” is no answer to “{ask}” of “{there.id}”.", move, at)
    if there is here and not goto.closed:
        move = "Write what it carries along that closes an answer: closed = {…}."
        yield Fault("It leads back to itself with everything open.", move, ("situation",))
    elif there is not here and here.id in _reached(there, code, every):
        yield Fault(
            f"“{there.id}” leads back here: a circle.", "Let one of the two end with an outcome.", ("situation",)
        )


def _reached(start: Situation, code: str, every: Mapping[str, Situation]) -> set[str]:
    """Ids of the situations that one can come to from a situation, itself left out unless a way leads back."""
    todo, seen = [start.id], set[str]()
    while todo:
        table = every[todo.pop()].table.get(code)
        for row in table.row if table else ():
            if row.goto and row.goto.situation in every and row.goto.situation not in seen:
                seen.add(row.goto.situation)
                todo.append(row.goto.situation)
    return seen
