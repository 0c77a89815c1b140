"""The lists of mutants are sound, a fault in one is named with its place, and the runner tells who kills what."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.mutants import CheckoutCopy, Mutant, outcome_line, read_mutants, select_mutants

LEAST = 80  # of all lists together

CODE = "def double(x):\n    return 2 * x\n"
TEST = "from app.sums import double\n\n\ndef test_double():\n    assert double(3) == 6\n"
KILLER = "tests/test_sums.py::test_double"


def checkout(folder: Path, rows: str = "") -> Path:
    """A small checkout with one module, its tests and a list of mutants."""
    for name, text in (
        ("app/__init__.py", ""),
        ("app/sums.py", CODE),
        ("tests/test_sums.py", TEST),
        ("tests/mutants/sums.toml", rows),
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def row(**changes) -> str:
    said = {"name": "a", "file": "app", "find": "2 * x", "replace": "3 * x", "killed_by": [KILLER]} | changes
    return "[[mutant]]\n" + "".join(f"{k} = {v!r}\n" for k, v in said.items() if v is not None)


def test_every_mutant_of_this_checkout_can_be_tried():
    mutants, problems = read_mutants()
    assert not problems, "\n".join(map(str, problems))
    assert len(mutants) >= LEAST
    assert len({m.name for m in mutants}) == len(mutants)


@pytest.mark.parametrize(
    "rows, said",
    [
        (row(), None),
        (row(file="app/sums.py"), None),
        (row(find="3 * x", replace="x"), "sums.toml:1: “find” stands 0 times in app."),
        (row(find="x"), "“find” stands 2 times in app."),
        (row(file="app/no.py"), "There is no app/no.py."),
        (row(replace="2 * x"), "are the same"),
        (row(killed_by=[]), "No test is named"),
        (row(killed_by=["tests/test_sums.py::test_triple"]), "There is no test tests/test_sums.py::test_triple."),
        (row(killed_by=["tests/no.py::test_double"]), "There is no test tests/no.py::test_double."),
        (row(killed_by=[KILLER + "[3-6]"]), None),
        (row(name=None), "sums.toml:1: The key “name” is missing"),
        (row(kill=1), "Unknown key “kill” in mutant"),
        (row() + "\n" + row(), "sums.toml:8: “a” is also the name of tests/mutants/sums.toml:1."),
    ],
)
def test_a_fault_of_a_list_is_named_with_its_place_and_the_next_move(tmp_path, rows, said):
    _, problems = read_mutants(checkout(tmp_path, rows))
    assert len(problems) == (said is not None)
    assert said is None or (said in str(problems[0]) and problems[0].move.endswith("."))


@pytest.mark.parametrize(
    "replace, outcome",
    [
        ("3 * x", "killed by tests/test_sums.py::test_double"),
        ("x + 2 if x == 2 else 2 * x", "SURVIVED"),
        ("2 *", "DOES NOT RUN"),
    ],
)
def test_a_mutant_is_killed_survives_or_does_not_run_and_leaves_no_trace(tmp_path, replace, outcome):
    root = checkout(tmp_path / "checkout")
    copy = CheckoutCopy(root, tmp_path / "copy")
    mutant = Mutant("a", "app", "2 * x", replace, (KILLER,), False, ("", 1))
    assert copy.failing_tests([KILLER], shared=False) == (set(), "")
    assert outcome in outcome_line(copy.try_mutant(mutant))
    assert (root / "app/sums.py").read_text() == (copy.folder / "app/sums.py").read_text() == CODE


def test_mutants_are_chosen_by_a_word_of_their_name_or_by_their_list(tmp_path):
    mutants, _ = read_mutants(checkout(tmp_path, row(name="double is triple") + "\n" + row(name="double is off")))
    named = lambda *names: [m.name for m in select_mutants(mutants, names)]
    assert named() == named("sums") == ["double is triple", "double is off"]
    assert named("triple") == ["double is triple"] and named("nothing") == []
