"""What a ruling leaves on the table, and the sheet or score where the Director goes on; ``vocabulary/next-steps.toml``.

Every duty that a row orders stands in one of the lists of the file: under what it leaves, or under ``nothing``::

    nothing = ["adds-legal-card"]

    [[leaves]]
    id = "enforced-pass"
    name = {pl = "…", en = "A player must pass"}
    duties = ["passes-throughout", "leaves-face-up penalty-card"]     # “do”, or “do what”
    next = [{situation = "enforced-pass-damage", answers = {stage = "over"}}, {score = "contract"}]

:func:`next_steps` returns the steps of a row. :func:`next_step_problems` finds rows that leave something and have none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from corpus import files, schema
from corpus.files import InvalidFile, TomlFile
from corpus.model import Problem
from corpus.schema import Fault
from corpus.situation.model import DOCS, Leaving, NextSteps, Row, Situation, Target, Vocabulary

FILE = "vocabulary/next-steps.toml"


def next_steps(steps: NextSteps, row: Row, code: str) -> Iterator[tuple[Leaving, Target]]:
    """Yield (what is left, where the Director goes on) for a row of a code; each situation and each score once."""
    seen = set[tuple[str, str]]()
    for leaving in steps.left_by(row):
        for target in leaving.next:
            key = target.situation, target.score
            if _is_of(target, code) and key not in seen:
                seen.add(key)
                yield leaving, target


def _is_of(target: Target, code: str) -> bool:
    return not target.codes or code in target.codes


def read_next_steps(folder: Path, vocabulary: Vocabulary) -> tuple[NextSteps, TomlFile | None, list[Problem]]:
    """Return the lists of a vocabulary folder, the file as written, and what is wrong with it by itself.

    Without a file there are no lists, and nothing is checked.
    """
    path = folder / Path(FILE).name
    if not path.exists():
        return NextSteps(), None, []
    try:
        written = files.read_toml(path, FILE, ("There is no file.", "Write it."))
        steps = schema.build_from_file(NextSteps, written, DOCS)
    except InvalidFile as refused:
        return NextSteps(), None, refused.problems
    problems = []
    listed: dict[str, str] = {}
    for name, duties in (("nothing", steps.nothing), *((leaving.id, leaving.duties) for leaving in steps.leaves)):
        for duty in duties:
            do, _, what = duty.partition(" ")
            faults = [*vocabulary.check_word("duties", do), *vocabulary.check_word("objects", what)]
            if duty in listed:
                faults.append(Fault(f"“{duty}” stands under “{listed[duty]}”, too.", "Leave it in one list."))
            listed[duty] = name
            problems += [written.problem((), f.finding, f.move, duty) for f in faults]
    for n, leaving in enumerate(steps.leaves):
        for fault in vocabulary.check_languages(leaving.name):
            problems.append(written.problem(("leaves", n, "name"), fault.finding, fault.move))
    return steps, written, problems


def target_faults(
    steps: NextSteps, every: Mapping[str, Situation], scores: tuple[str, ...]
) -> Iterator[tuple[int, int, Fault]]:
    """Yield (number of what is left, number of its target, fault) for targets that are not there, and answers that
    they do not have.

    ``every``: the situations by id; ``scores``: the kinds of score.
    """
    for n, leaving in enumerate(steps.leaves):
        for m, target in enumerate(leaving.next):
            if target.score:
                if target.score not in scores:
                    yield n, m, Fault(f"There is no score “{target.score}”.", f"Choose: {', '.join(scores)}.")
                continue
            there = every.get(target.situation)
            if there is None:
                yield n, m, Fault(f"There is no situation “{target.situation}”.", "Name a file of situations/.")
                continue
            for code in target.codes or there.table:
                asks = {ask.id: ask for ask in there.asks(code)} if code in there.table else {}
                for ask, answer in target.answers.items():
                    if ask not in asks or answer not in asks[ask].answers(code):
                        finding = f"“{ask} = {answer}” is no answer of “{there.id}” in {code}."
                        yield n, m, Fault(finding, "Correct it.")


def row_faults(steps: NextSteps, situation: Situation, every: Mapping[str, Situation]) -> Iterator[Fault]:
    """Yield what is wrong with the next steps of the rows of a situation: a duty in no list, and something that is left
    without a way on.
    """
    for code, table in situation.table.items():
        for n, row in enumerate(table.row):
            at = ("table", code, "row", n)
            for duty in row.all_duties:
                if not steps.knows(duty):
                    name = f"{duty.do} {duty.what}".strip()
                    move = f"Say in {FILE} what it leaves on the table, or that it leaves nothing."
                    yield Fault(f"“{name}” has no next step.", move, at, duty.do)
            for leaving in steps.left_by(row):
                if not any(_is_of(t, code) and _leads_on(t, situation, code, every) for t in leaving.next):
                    finding = f"The row “{row.id}” leaves “{leaving.id}”, and no next sheet takes it up in {code}."
                    yield Fault(finding, f"Add one in {FILE}.", at)


def _leads_on(target: Target, here: Situation, code: str, every: Mapping[str, Situation]) -> bool:
    """Whether a target is a score, or another situation with a table in a code."""
    return bool(target.score) or (target.situation != here.id and code in every[target.situation].table)
