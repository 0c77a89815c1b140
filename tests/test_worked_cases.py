"""Cases of people who had seen no data, asked once: their answers lead to the rulings that were judged.

``tests/cases/situations/README.md`` has the figures.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from corpus.situation.model import Situation, read_answers, rows_still_possible

VERDICTS = ("right", "incomplete", "wrong", "no-way", "walked-wrong", "case-wrong/right")
with (Path(__file__).parent / "cases/situations/asked-once.tsv").open(encoding="utf-8", newline="") as written:
    CASES = [*csv.DictReader(written, delimiter="\t", quoting=csv.QUOTE_NONE)]


def walk(situations: Mapping[str, Situation], code: str, path: str) -> Iterator[str]:
    """Yield the rows that a path of answers leads to, sheet by sheet: ``situation/row``, several with ``|`` between.

    A path is ``situation?ask=answer&…``, with `` > `` between two sheets.
    """
    steps = path.split(" > ")
    given: dict[str, tuple[str, ...]] = {}
    closed: frozenset[tuple[str, str]] = frozenset()
    here: str | None = steps[0].partition("?")[0]
    while here:
        situation = situations[here]
        if steps:
            name, _, answers = steps.pop(0).partition("?")
            assert name == here
            pairs = (pair.split("=") for pair in answers.split("&") if pair)
            said = {ask: tuple(values.split("+")) for ask, values in pairs}
            known, wrong = read_answers(situation, code, said)
            assert not wrong, (here, wrong)
            given |= known
        rows = rows_still_possible(situation, code, given, closed)
        yield f"{here}/{'|'.join(row.id for row in rows)}"
        goto = rows[0].goto if len(rows) == 1 else None
        here = goto.situation if goto and code in situations[goto.situation].table else None
        given = {ask: (answer,) for ask, answer in goto.answers.items()} if goto else {}
        closed = frozenset((ask, a) for ask, answers in goto.closed.items() for a in answers) if goto else closed


@pytest.mark.parametrize("first", range(0, len(CASES), 60))
def test_the_answers_lead_to_the_rows_that_were_judged(library, first):
    for case in CASES[first : first + 60]:
        assert " > ".join(walk(library.situations, case["code"], case["path"])) == case["rows"], case["told"]


def test_every_verdict_is_one_of_the_list_and_what_is_not_right_has_a_reason():
    assert {case["verdict"] for case in CASES} <= set(VERDICTS)
    assert all(case["reason"] for case in CASES if case["verdict"] != "right")
    counts = Counter(case["verdict"] for case in CASES if case["set"] == "second")
    assert counts["right"] > 0.9 * counts.total() and not counts["wrong"]


def test_nearly_every_table_has_two_cases(library):
    """Apart from those that an older set asks, and from four that the writers could tell one case of at most."""
    told = Counter((case["situation"], case["code"]) for case in CASES if case["set"] == "first")
    names = {situation for situation, _ in told}
    few = [(id_, code) for id_ in names for code in library.situations[id_].table if told[id_, code] < 2]
    assert len(names) > 85 and len(few) <= 4, few
