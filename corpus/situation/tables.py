"""What is checked of the tables: one row for every combination of answers, none unreachable, scenarios that hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from math import prod

from corpus.checked.rule import Fault
from corpus.checked.toml import At
from corpus.situation.model import SOME, Ask, Row, Scenario, Situation
from corpus.situation.table import answer_combinations, meets, open_rows, parting

ANSWERS = 6  # to one question: more are no buttons, but a list to read
COMBINATIONS = 20_000  # of answers in one table: more than a director could ever be asked


def table_problems(situation: Situation) -> Iterator[Fault]:
    """Everything wrong with its questions, tables and scenarios."""
    for at, ids in _lists_of_ids(situation):
        for id_, n in Counter(ids).items():
            if n > 1:
                yield Fault(f"“{id_}” stands there {n} times.", "Give each an id of its own.", at, id_)
    for n, ask in enumerate(situation.ask):
        yield from _check_question(situation, ask, ("ask", n))
    unknown = list(_unknown(situation))
    yield from unknown
    if unknown:
        return  # nothing can be asked of a table whose questions are not there
    for code in situation.table:
        yield from _table(situation, code)
    for n, scenario in enumerate(situation.scenario):
        yield from _scenario(situation, scenario, ("scenario", n))


def _lists_of_ids(situation: Situation) -> Iterator[tuple[At, list[str]]]:
    yield ("ask",), [a.id for a in situation.ask]
    for n, ask in enumerate(situation.ask):
        yield ("ask", n), [a.id for a in ask.answer]
    for code, table in situation.table.items():
        yield ("table", code, "row"), [r.id for r in table.row]
        yield ("table", code, "asks"), list(table.asks)


def _check_question(situation: Situation, ask: Ask, at: At) -> Iterator[Fault]:
    if bool(ask.answer) == bool(ask.ticks):
        move = "Write its answers, or the provisions that may be ticked."
        yield Fault(f"“{ask.id}” has answers and a tick list, or neither.", move, at)
    codes = [code for code, table in situation.table.items() if ask.id in table.asks]
    if not codes:
        yield Fault(f"No table asks “{ask.id}”.", "Ask it, or remove it.", at)
    for code in codes:
        if not 2 <= len(ask.answers(code)) <= ANSWERS:
            finding = f"“{ask.id}” has {len(ask.answers(code))} answers in {code}."
            yield Fault(finding, f"Give it two to {ANSWERS}, or leave it out of the table.", at)
        if ask.ticks and not ask.ticks.get(code):
            yield Fault(f"“{ask.id}” has nothing to tick in {code}.", "Write the paths.", at)
    for n, answer in enumerate(ask.answer):
        for code in answer.codes:
            if code not in situation.table:
                yield Fault(f"There is no table for {code}.", "Correct the code.", (*at, "answer", n, "codes"), code)


def _unknown(situation: Situation) -> Iterator[Fault]:
    known = [ask.id for ask in situation.ask]
    for code, table in situation.table.items():
        for id_ in table.asks:
            if id_ not in known:
                move = f"Ask one of: {', '.join(known)}."
                yield Fault(f"There is no question “{id_}”.", move, ("table", code, "asks"), id_)


def _table(situation: Situation, code: str) -> Iterator[Fault]:
    table = situation.table[code]
    asks = {ask.id: ask for ask in situation.asks(code)}
    before = False
    for n, row in enumerate(table.row):
        for fault in _check_row(row, asks, code):
            before = True
            yield fault._replace(at=("table", code, "row", n, *fault.at))
    if before:
        return
    depends = parting(table) | {ask for row in table.row for also in row.also for ask in also.if_}
    for id_ in table.asks:
        if id_ not in depends:
            move = "Leave it out of “asks”, or say in which rows it matters."
            yield Fault(f"Nothing depends on “{id_}”.", move, ("table", code, "asks"), id_)
    if prod(len(asks[id_].answers(code)) for id_ in parting(table)) > COMBINATIONS:
        yield Fault(f"Its answers have more than {COMBINATIONS} combinations.", "Split it.", ("table", code))
        return
    yield from _coverage(situation, code)


def _check_row(row: Row, asks: Mapping[str, Ask], code: str) -> Iterator[Fault]:
    for at, conditions, ticked in (
        (("if",), row.if_, False),
        *((("also", n, "if"), also.if_, True) for n, also in enumerate(row.also)),
    ):
        for ask, answers in conditions.items():
            if ask not in asks:
                move = f"Use one of the table's: {', '.join(asks)}."
                yield Fault(f"The table does not ask “{ask}”.", move, (*at, ask))
                continue
            allowed = asks[ask].ticks.get(code, ()) if ticked and asks[ask].ticks else asks[ask].answers(code)
            for answer in answers:
                if answer not in allowed:
                    finding = f"“{answer}” is no answer to “{ask}” in {code}."
                    yield Fault(finding, f"Answer: {', '.join(allowed)}.", (*at, ask), answer)
    if not row.duties and not row.goto:
        yield Fault(f"The row “{row.id}” orders nothing.", "Name the duty that its words order, if only none.", ())
    if row.none and not any(s.path == "12/A/1" for s in row.says):
        yield Fault("Where no provision speaks, 12A1 stands.", 'Write says = {path = "12/A/1"}.', ("says",))


def _coverage(situation: Situation, code: str) -> Iterator[Fault]:
    rows, reached = situation.table[code].row, Counter[str]()
    for combination in answer_combinations(situation, code):
        met = [row.id for row in rows if meets(row, combination)]
        reached.update(met)
        if len(met) != 1:
            answers = ", ".join(f"{ask} = {answer}" for ask, answer in combination.items()) or "no question"
            finding = f"{answers}: {' and '.join(met) if met else 'no row'}."
            move = "Every combination of answers meets exactly one row: correct “if”, or add the row."
            yield Fault(finding, move, ("table", code), next(iter(met), ""))
            return
    for n, row in enumerate(rows):
        if not reached[row.id]:
            yield Fault(f"No answers lead to “{row.id}”.", "Correct its “if”, or remove it.", ("table", code, "row", n))


def _scenario(situation: Situation, scenario: Scenario, at: At) -> Iterator[Fault]:
    if scenario.code not in situation.table:
        yield Fault(f"There is no table for “{scenario.code}”.", "Correct the code.", (*at, "code"))
        return
    asks = {ask.id: ask for ask in situation.asks(scenario.code)}
    for id_, answers in scenario.answers.items():
        allowed = asks[id_].answers(scenario.code) if id_ in asks else ()
        allowed += asks[id_].ticks.get(scenario.code, ()) if id_ in asks else ()
        for answer in answers:
            if answer not in allowed or answer == SOME:
                move = f"Answer: {', '.join(allowed)}." if allowed else f"Answer one of: {', '.join(asks)}."
                yield Fault(f"“{answer}” is no answer to “{id_}”.", move, (*at, "answers", id_))
                return
    met = [row.id for row in open_rows(situation, scenario.code, scenario.answers)]
    if met != [scenario.row]:
        move = "Correct the case, or the table."
        yield Fault(f"The case meets {' or '.join(met) or 'no row'}, not “{scenario.row}”.", move, at)
