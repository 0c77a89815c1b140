"""Checks situations by themselves and against each other, and which provisions of a code they cover.

- :func:`table_faults`: one row for every combination of answers, no row unreachable, every scenario holds.
- :func:`path_faults`: what a situation leads to exists, and no way runs in a circle.
- :func:`wording_faults`: every language, only words of the closed lists, enough sentences.
- :func:`drawing_for_answers` and :func:`drawing_faults`: who sits where after some answers, and its checks.
- :func:`coverage_problems`: ``situations/orders-<code>.tsv`` lists the provisions of a code that order, allow or
  forbid something after an irregularity. Each has the situations that quote or list it, or the reason why none does.

Checks yield a ``Fault`` (finding, next move, place) or a ``Problem`` with file and line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from pathlib import Path

from corpus import files
from corpus.address import paths_overlap
from corpus.files import KeyPath
from corpus.model import NodeId, Problem
from corpus.schema import Fault
from corpus.situation.model import (
    RESERVED,
    SOME,
    Ask,
    Drawing,
    Duty,
    GivenAnswers,
    Goto,
    Retired,
    Row,
    Scenario,
    Situation,
    Vocabulary,
    answer_combinations,
    deciding_questions,
    row_matches,
    rows_still_possible,
)
from corpus.situation.placement import QuotedTexts

# -- Questions, tables and scenarios ---

MAX_ANSWERS = 6  # to one question: more do not fit as buttons
MAX_COMBINATIONS = 20_000  # of answers in one table: far more than directors can be asked about; limits the check


def table_faults(situation: Situation) -> Iterator[Fault]:
    """Yield everything wrong with the questions, tables and scenarios of a situation."""
    for at, ids in _lists_of_ids(situation):
        for id_, n in Counter(ids).items():
            if n > 1:
                yield Fault(f"“{id_}” stands there {n} times.", "Give each an id of its own.", at, id_)
    for n, ask in enumerate(situation.ask):
        yield from _question_faults(situation, ask, ("ask", n))
    unknown = list(_unknown_question_faults(situation))
    yield from unknown
    if unknown:
        return  # the other checks need the questions
    for code in situation.table:
        yield from _decision_table_faults(situation, code)
    for n, old in enumerate(situation.retired):
        yield from _retired_faults(situation, old, ("retired", n))
    for n, scenario in enumerate(situation.scenario):
        yield from _scenario_faults(situation, scenario, ("scenario", n))


def _lists_of_ids(situation: Situation) -> Iterator[tuple[KeyPath, list[str]]]:
    """Yield (place, ids) for each list in which an id must stand once."""
    yield ("ask",), [a.id for a in situation.ask]
    for n, ask in enumerate(situation.ask):
        yield ("ask", n), [a.id for a in ask.answer]
    for code, table in situation.table.items():
        yield ("table", code, "row"), [r.id for r in table.row]
        yield ("table", code, "asks"), list(table.asks)


def _question_faults(situation: Situation, ask: Ask, at: KeyPath) -> Iterator[Fault]:
    """Yield what is wrong with a question by itself."""
    if bool(ask.answer) == bool(ask.ticks):
        move = "Write its answers, or the provisions that may be ticked."
        yield Fault(f"“{ask.id}” has answers and a tick list, or neither.", move, at)
    codes = [code for code, table in situation.table.items() if ask.id in table.asks]
    if not codes:
        yield Fault(f"No table asks “{ask.id}”.", "Ask it, or remove it.", at)
    for code in codes:
        if not 2 <= len(ask.answers(code)) <= MAX_ANSWERS:
            finding = f"“{ask.id}” has {len(ask.answers(code))} answers in {code}."
            yield Fault(finding, f"Give it two to {MAX_ANSWERS}, or leave it out of the table.", at)
        if ask.ticks and not ask.ticks.get(code):
            yield Fault(f"“{ask.id}” has nothing to tick in {code}.", "Write the paths.", at)
    for n, answer in enumerate(ask.answer):
        for code in answer.codes:
            if code not in situation.table:
                yield Fault(f"There is no table for {code}.", "Correct the code.", (*at, "answer", n, "codes"), code)


def _unknown_question_faults(situation: Situation) -> Iterator[Fault]:
    """Yield a fault for each question that a table names and the situation does not have."""
    known = [ask.id for ask in situation.ask]
    for code, table in situation.table.items():
        for id_ in table.asks:
            if id_ not in known:
                move = f"Ask one of: {', '.join(known)}."
                yield Fault(f"There is no question “{id_}”.", move, ("table", code, "asks"), id_)


def _decision_table_faults(situation: Situation, code: str) -> Iterator[Fault]:
    """Yield what is wrong with the table of a code. Coverage is checked only where all rows are sound."""
    table = situation.table[code]
    asks = {ask.id: ask for ask in situation.asks(code)}
    before = False
    for n, row in enumerate(table.row):
        for fault in _row_faults(row, asks, code):
            before = True
            yield fault._replace(at=("table", code, "row", n, *fault.at))
    if before:
        return
    depends = deciding_questions(table) | {ask for row in table.row for also in row.also for ask in also.if_}
    for id_ in table.asks:
        if id_ not in depends:
            move = "Leave it out of “asks”, or say in which rows it matters."
            yield Fault(f"Nothing depends on “{id_}”.", move, ("table", code, "asks"), id_)
    if prod(len(asks[id_].answers(code)) for id_ in deciding_questions(table)) > MAX_COMBINATIONS:
        yield Fault(f"Its answers have more than {MAX_COMBINATIONS} combinations.", "Split it.", ("table", code))
        return
    yield from _coverage_faults(situation, code)


def _row_faults(row: Row, asks: Mapping[str, Ask], code: str) -> Iterator[Fault]:
    """Yield what is wrong with the conditions and the orders of a row."""
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
    if not row.duties and not row.goto and not row.then:
        yield Fault(f"The row “{row.id}” orders nothing.", "Name the duty that its words order, if only none.", ())
    if row.none and not any(s.path == "12/A/1" for s in row.says):
        yield Fault("Where no provision speaks, 12A1 stands.", 'Write says = {path = "12/A/1"}.', ("says",))


def _coverage_faults(situation: Situation, code: str) -> Iterator[Fault]:
    """Yield a fault for the first combination of answers that does not meet exactly one row.

    Where there is none, yield a fault for each row that no answers lead to.
    """
    rows, reached = situation.table[code].row, Counter[str]()
    for combination in answer_combinations(situation, code):
        met = [row.id for row in rows if row_matches(row, combination)]
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


def _retired_faults(situation: Situation, old: Retired, at: KeyPath) -> Iterator[Fault]:
    """Yield what is wrong with an id that there is no more: it is used, or what it leads to is not there."""
    for code in old.codes:
        if code not in situation.table:
            yield Fault(f"There is no table for “{code}”.", "Correct the code.", (*at, "codes"), code)
            return
    for code in old.codes or situation.table:
        asks = {ask.id: ask for ask in situation.asks(code)}
        used = old.row and any(row.id == old.row for row in situation.table[code].row)
        asked = old.ask in asks and (not old.answer or old.answer in asks[old.ask].answers(code))
        if (used or asked) and not old.given:
            name = old.row or old.answer or old.ask
            yield Fault(f"“{name}” is retired and used in {code}.", "Give the one in use another id.", at, name)
        for ask, answer in (*old.given.items(), *old.leads.items()):
            if ask not in asks or answer not in asks[ask].answers(code):
                yield Fault(f"“{ask} = {answer}” is no answer in {code}.", "Correct it.", (*at, "leads", ask))
        if old.row_now and all(row.id != old.row_now for row in situation.table[code].row):
            yield Fault(f"There is no row “{old.row_now}” of {code}.", "Correct it.", (*at, "row_now"), old.row_now)


def _scenario_faults(situation: Situation, scenario: Scenario, at: KeyPath) -> Iterator[Fault]:
    """Yield what is wrong with a worked case."""
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
    met = [row.id for row in rows_still_possible(situation, scenario.code, scenario.answers)]
    if met != [scenario.row]:
        move = "Correct the case, or the table."
        yield Fault(f"The case meets {' or '.join(met) or 'no row'}, not “{scenario.row}”.", move, at)


# -- Ways to other situations ---


def path_faults(situation: Situation, every: Mapping[str, Situation]) -> Iterator[Fault]:
    """Yield everything wrong with what a situation leads to. ``every`` maps ids to all situations."""
    for id_ in situation.near:
        if id_ not in every or id_ == situation.id:
            yield Fault(f"There is no other situation “{id_}”.", "Name a file of situations/.", ("near",), id_)
    for code, table in situation.table.items():
        for n, row in enumerate(table.row):
            if row.goto:
                at: KeyPath = ("table", code, "row", n, "goto")
                yield from (f._replace(at=at + f.at) for f in _goto_faults(row.goto, situation, code, every))


def _goto_faults(goto: Goto, here: Situation, code: str, every: Mapping[str, Situation]) -> Iterator[Fault]:
    """Yield what is wrong with a row that leads from ``here`` to another situation. ``every`` maps ids to all
    situations.
    """
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
    elif there is not here and here.id in _reachable_situations(there, code, every):
        yield Fault(
            f"“{there.id}” leads back here: a circle.", "Let one of the two end with an outcome.", ("situation",)
        )


def _reachable_situations(start: Situation, code: str, every: Mapping[str, Situation]) -> set[str]:
    """Return the ids of all situations to which ``start`` leads, at any distance; its own id only where a way leads
    back.
    """
    todo, seen = [start.id], set[str]()
    while todo:
        table = every[todo.pop()].table.get(code)
        for row in table.row if table else ():
            if row.goto and row.goto.situation in every and row.goto.situation not in seen:
                seen.add(row.goto.situation)
                todo.append(row.goto.situation)
    return seen


# -- Wording ---

MIN_SENTENCES = 8  # sentences for a situation, in each language: with fewer the search does not find it


def wording_faults(situation: Situation, vocabulary: Vocabulary) -> Iterator[Fault]:
    """Yield everything wrong with the words of a situation."""
    yield from _faults_at(("phase",), vocabulary.check_word("phases", situation.phase))
    yield from _faults_at(("name",), vocabulary.check_languages(situation.name))
    yield from _faults_at(("said",), vocabulary.check_languages(situation.said))
    for lang, sentences in situation.said.items():
        if len(sentences) < MIN_SENTENCES:
            finding = f"There are {len(sentences)} ways of saying it in “{lang}”."
            yield Fault(finding, f"Write at least {MIN_SENTENCES}.", ("said", lang))
        for n, sentence in enumerate(sentences):
            if sentence in sentences[:n] or not sentence.strip():
                move = "Write another sentence, or remove it."
                yield Fault(f"“{sentence}” says nothing new.", move, ("said", lang), sentence)
    for n, ask in enumerate(situation.ask):
        yield from _faults_at(("ask", n), _question_wording_faults(ask, vocabulary))
    for code, table in situation.table.items():
        for n, row in enumerate(table.row):
            yield from _faults_at(("table", code, "row", n), _row_wording_faults(row, vocabulary))


def _question_wording_faults(ask: Ask, vocabulary: Vocabulary) -> Iterator[Fault]:
    """Yield what is wrong with the words of a question."""
    if ask.id in RESERVED:
        yield Fault(f"A question cannot be called “{ask.id}”.", "Addresses need the name; choose another.", ("id",))
    yield from _faults_at(("by",), vocabulary.check_word("roles", ask.by))
    if (ask.kind == "choice") != bool(ask.by):
        yield Fault("A choice is somebody's, and only a choice is.", "Write “by” for a choice, for it alone.", ("by",))
    yield from _faults_at(("when",), vocabulary.check_word("moments", ask.when))
    yield from _faults_at(("question",), vocabulary.check_languages(ask.question))
    for n, answer in enumerate(ask.answer):
        yield from _faults_at(("answer", n, "text"), vocabulary.check_languages(answer.text))
        if answer.clause:
            yield from _faults_at(("answer", n, "clause"), vocabulary.check_languages(answer.clause))
        for fact in answer.facts:
            yield from _faults_at(("answer", n, "facts"), vocabulary.check_word("facts", fact))
    for code, texts in ask.tick_texts.items():
        for path, text in texts.items():
            yield from _faults_at(("tick_texts", code, path), vocabulary.check_languages(text))
            if path not in ask.ticks.get(code, ()):
                move = "Correct the path, or remove the text."
                yield Fault(f"Nothing can be ticked at {path} of {code}.", move, ("tick_texts", code, path))


def _row_wording_faults(row: Row, vocabulary: Vocabulary) -> Iterator[Fault]:
    """Yield what is wrong with the words of a row."""
    if row.none:
        yield from _faults_at(("none",), vocabulary.check_languages(row.none))
    for code, said in row.differs.items():
        yield from _faults_at(("differs", code), vocabulary.check_languages(said))
    yield from _duty_wording_faults(row.duties, ("duties",), vocabulary)
    for n, later in enumerate(row.then):
        yield from _faults_at(("then", n, "when"), vocabulary.check_word("moments", later.when))
        yield from _faults_at(("then", n, "by"), vocabulary.check_word("roles", later.by))
        yield from _duty_wording_faults(later.duties, ("then", n, "duties"), vocabulary)
    for n, also in enumerate(row.also):
        yield from _duty_wording_faults(also.duties, ("also", n, "duties"), vocabulary)
    if row.goto:
        yield from _duty_wording_faults(row.goto.duties, ("goto", "duties"), vocabulary)


def _duty_wording_faults(duties: tuple[Duty, ...], at: KeyPath, vocabulary: Vocabulary) -> Iterator[Fault]:
    """Yield a fault for each word of a duty that is not in its closed list. ``at``: the place of the duties."""
    lists = {"do": "duties", "who": "roles", "what": "objects", "until": "moments", "if": "conditions"}
    for n, duty in enumerate(duties):
        for key, which in lists.items():
            said = duty.if_ if key == "if" else getattr(duty, key)
            yield from _faults_at((*at, n, key), vocabulary.check_word(which, said))


def _faults_at(at: KeyPath, found: Iterator[Fault]) -> Iterator[Fault]:
    """Yield the faults that were found inside a value, with ``at``, the place of that value, put before their own
    places.
    """
    return (f._replace(at=at + f.at) for f in found)


# -- Drawings ---


def drawing_for_answers(
    situation: Situation, code: str, given: GivenAnswers, following: Ask | None = None
) -> Drawing | None:
    """Return who sits where after the answers given in a code, at the moment that the question ``following`` asks
    about; None where the situation has no drawing.
    """
    drawing = situation.drawing
    if drawing is None:
        return None
    for ask in situation.asks(code) if code in situation.table else ():
        for answer in ask.answer:
            if answer.drawing and answer.id in given.get(ask.id, ()):
                drawing = drawing.updated_with(answer.drawing)
    return drawing.updated_with(following.drawing) if following and following.drawing else drawing


def drawing_faults(situation: Situation) -> Iterator[Fault]:
    """Yield a fault for an empty drawing, for a change where there is no drawing, and for a misplaced dummy."""
    if situation.drawing == Drawing():
        yield Fault("The drawing says nothing.", "Name a seat, or leave the table out.", ("drawing",))
    changes: list[tuple[KeyPath, Drawing | None]] = [(("ask", n), ask.drawing) for n, ask in enumerate(situation.ask)]
    changes += [
        (("ask", n, "answer", m), answer.drawing)
        for n, ask in enumerate(situation.ask)
        for m, answer in enumerate(ask.answer)
    ]
    for at, change in changes:
        if change and situation.drawing is None:
            move = "Write [drawing], or leave it out."
            yield Fault("It changes a drawing that there is not.", move, (*at, "drawing"))
        elif change and situation.drawing:
            yield from (f._replace(at=(*at, "drawing")) for f in situation.drawing.updated_with(change).check())


# -- Coverage of a code ---

COVERAGE_COLUMNS = ("path", "does", "situations", "reason")
ORDER_KINDS = ("orders", "allows", "forbids")


def coverage_problems(
    folder: Path, every: Mapping[str, Situation], texts: QuotedTexts, read: Sequence[Path]
) -> Iterator[Problem]:
    """Yield everything wrong with the ``orders-<code>.tsv`` lists of a folder.

    ``every`` maps ids to the situations that could be read. ``read``: the files of all situations.
    """
    stems = {path.stem for path in read}
    for path in sorted(folder.glob("orders-*.tsv")):
        sheet = files.read_tsv(path, path.relative_to(folder.parent).as_posix(), COVERAGE_COLUMNS, remarks=True)
        yield from sheet.problems
        for line, row in () if texts.unread else sheet.rows:
            for finding, move in _coverage_row_faults(row, path.stem.removeprefix("orders-"), every, texts, stems):
                yield sheet.problem(line, finding, move)


def _coverage_row_faults(
    row: Mapping[str, str], code: str, every: Mapping[str, Situation], texts: QuotedTexts, stems: set[str]
) -> Iterator[tuple[str, str]]:
    """Yield (finding, next move) for each fault of a row of a list ``orders-<code>.tsv``.

    ``every`` maps ids to the situations that could be read; ``stems`` are the ids of all situations with a file.
    """
    path, named = row["path"], [x for x in row["situations"].split() if x]
    if texts.editions_of(code) and not any(NodeId.of(e, path) in texts.nodes for e in texts.editions_of(code)):
        yield f"No text of {code} has {path}.", "Correct the path."
    if row["does"] not in ORDER_KINDS:
        yield f"“does” is “{row['does']}”.", f"Choose one of: {', '.join(ORDER_KINDS)}."
    if bool(named) == bool(row["reason"]):
        yield f"{path} has situations and a reason, or neither.", "Name its situations, or say why there is none."
    for id_ in named:
        if id_ not in stems:
            yield f"There is no situation “{id_}”.", "Name a file of situations/."
        elif id_ in every and not _covers_provision(every[id_], code, path):
            yield f"“{id_}” does not list {path}, or what it stands in.", "Add it there, or correct this row."


def _covers_provision(situation: Situation, code: str, path: str) -> bool:
    """Whether a situation lists or quotes a provision, one around it or one inside it."""
    table = situation.table.get(code)
    listed = [
        *situation.provisions.get(code, ()),
        *(s.path for row in (table.row if table else ()) for s in row.slices),
    ]
    return any(paths_overlap(path, p) for p in listed)
