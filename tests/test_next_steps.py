"""Whatever a ruling leaves on the table has a next step; a fault in the lists is reported with its place."""

from __future__ import annotations

from pathlib import Path

import pytest
import test_situation_faults as faults
from test_situation_faults import FOUR, WHOLE, ground, problems  # noqa: F401

from corpus.score.model import GROUPS
from corpus.situation.model import Duty, Leaving, NextSteps, Row, Slice, Target
from corpus.situation.next_step import next_steps

ROOT = Path(__file__).parent.parent
STEPS = f"""\
nothing = ["no-rectification", "stands"]
[[leaves]]
id = "a-score"
name = {FOUR}
duties = ["adjusts"]
next = [{{score = "weighted", codes = ["2017"]}}, {{score = "contract"}}]
"""


def found(tmp_path, ground, steps: str) -> list[str]:
    return problems(tmp_path, ground, WHOLE, {"vocabulary/next-steps.toml": steps})


def test_sound_lists_have_no_problem(tmp_path, ground):
    assert found(tmp_path, ground, STEPS) == []


@pytest.mark.parametrize(
    "old, new, said",
    [
        ('"no-rectification", "stands"', '"no-rectification"', "“stands” has no next step."),
        ('duties = ["adjusts"]', 'duties = ["adjusts", "sings"]', "“sings” is not among the duties."),
        ('duties = ["adjusts"]', 'duties = ["adjusts", "stands barrel"]', "“barrel” is not among the objects."),
        ('duties = ["adjusts"]', 'duties = ["adjusts", "stands"]', "“stands” stands under “nothing”, too."),
        ('score = "contract"', 'score = "bowling"', "There is no score “bowling”."),
        ('score = "contract"', 'situation = "nobody"', "There is no situation “nobody”."),
        ('score = "contract"', 'score = "contract", situation = "other"', "It names a situation and a score"),
        ('score = "contract"', 'situation = "call", answers = {accepted = "oh"}', "“accepted = oh” is no answer"),
        # No score of 2017 is left; its rows order it.
        ('codes = ["2017"]}, {score = "contract"}', 'codes = ["2007"]}', "no next sheet takes it up in 2017."),
        # A way that leads back to the sheet that leaves it, and one to a situation without a table, lead nowhere.
        ('{score = "weighted", codes = ["2017"]}, {score = "contract"}', '{situation = "call"}', "up in 2017"),
        ('{score = "weighted", codes = ["2017"]}, {score = "contract"}', '{situation = "other"}', "up in 2017"),
        ('en = "en"', 'xx = "en"', "It is not said in “en”."),
        ("next = [", "next = [] # [", "“leaves.next” is empty."),
    ],
)  # fmt: skip
def test_a_fault_of_the_lists_is_told(tmp_path, ground, old, new, said):
    assert old in STEPS, "the case changes the file"
    told = found(tmp_path, ground, STEPS.replace(old, new, 1))
    assert any(said in line for line in told), told


def row(*duties: Duty) -> Row:
    return Row(id="r", says=(Slice(path="12/A/1"),), duties=duties)


CARD = Leaving(
    id="card",
    name={},
    duties=("leaves card", "has"),
    next=(Target(situation="a"), Target(score="revoke", codes=("2007",))),
)
SCORES = Leaving(id="scores", name={}, duties=("adjusts",), next=(Target(score="weighted"), Target(score="contract")))
PASS = Leaving(id="pass", name={}, duties=("passes",), next=(Target(situation="b"), Target(situation="a")))
LISTS = NextSteps(nothing=("leaves",), leaves=(CARD, PASS, SCORES))
LEAVES_CARD, LEAVES, HAS, PASSES, ADJUSTS, SINGS = (
    Duty(do=do, who="offender", what=what)
    for do, what in (
        ("leaves", "card"),
        ("leaves", "hat"),
        ("has", "x"),
        ("passes", ""),
        ("adjusts", ""),
        ("sings", ""),
    )
)


@pytest.mark.parametrize(
    "duties, code, targets",
    [
        ((), "2017", []),
        ((LEAVES,), "2017", []),  # “leaves” leaves nothing, “leaves card” does
        ((LEAVES_CARD,), "2017", ["a"]),
        ((LEAVES_CARD,), "2007", ["a", "revoke"]),
        ((HAS,), "2017", ["a"]),  # “has” with whatever object
        ((PASSES, HAS), "2017", ["a", "b"]),  # each place once, in the order of the lists
        ((ADJUSTS,), "2017", ["weighted", "contract"]),  # each of several scores
        ((SINGS,), "2017", []),
    ],
)
def test_the_next_steps_of_a_row(duties, code, targets):
    assert [t.situation or t.score for _, t in next_steps(LISTS, row(*duties), code)] == targets
    assert all(LISTS.knows(duty) == (duty is not SINGS) for duty in duties)


def test_every_row_of_the_corpus_that_leaves_something_goes_on(ingest):
    """The five things that a later ruling has to settle, in every table of every code."""
    steps, every = ingest.situations.next_steps, ingest.situations.by_id()
    rows = [(s, code, r) for s in every.values() for code, table in s.table.items() for r in table.row]
    leaving = [(s, code, r) for s, code, r in rows if steps.left_by(r)]
    assert len(rows) > 2000 and len(leaving) > 800
    for situation, code, found_row in leaving:
        on = [t for _, t in next_steps(steps, found_row, code) if t.situation != situation.id]
        assert on, (situation.id, code, found_row.id)
        assert all(t.score in GROUPS if t.score else code in every[t.situation].table for t in on)
    assert {leaving.id for leaving in steps.leaves} == {left.id for _, _, r in leaving for left in steps.left_by(r)}


def test_nothing_stands_in_two_lists_and_every_duty_in_one(ingest):
    steps = ingest.situations.next_steps
    listed = [*steps.nothing, *(duty for leaving in steps.leaves for duty in leaving.duties)]
    assert len(listed) == len(set(listed)) > 300
    assert {duty.partition(" ")[0] for duty in listed} == set(ingest.situations.vocabulary.duties)


assert faults.VOCABULARY["duties"] == ("stands", "no-rectification", "adjusts"), "the lists of this file name these"
