"""The list of slow tests names tests that are there, and is written from what was measured."""

from __future__ import annotations

import re

import pytest

from tools.mutants import CheckoutCopy
from tools.structure import ROOT

ROWS = [line.split("\t") for line in (ROOT / "tests" / "slow.tsv").read_text(encoding="utf-8").splitlines()]


def test_there_is_a_list():
    assert ROWS[0] == ["seconds", "test"] and len(ROWS) > 20
    assert len({id_ for _, id_ in ROWS}) == len(ROWS)


@pytest.mark.parametrize("seconds, id_", ROWS[1:])
def test_what_is_listed_as_slow_exists(seconds, id_):
    file, _, name = id_.partition("::")
    assert float(seconds) >= 0.2 and (ROOT / file).is_file(), f"There is no {file}. Take the row off, or name it anew."
    assert not name or re.search(rf"^def {name}\(", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE), (
        f"{file} has no {name}. Take the row off tests/slow.tsv, or name it anew."
    )


SLEEPS = """
import time, pytest

def test_quick():
    pass

@pytest.mark.parametrize("seconds", [0.3, 0.3])
def test_rows_together(seconds):
    time.sleep(seconds)
"""
READY = """
import time, pytest

@pytest.fixture(scope="module")
def ready():
    time.sleep(0.6)

def test_of_what_is_ready(ready):
    pass
"""


MADE = """
import time, pytest

@pytest.fixture(scope="session")
def made():
    time.sleep(0.6)
"""
OF_MADE = """
def test_of_what_is_made(made):
    pass
"""


def test_what_needs_a_browser_is_not_quick():
    files = {p.relative_to(ROOT).as_posix() for p in (ROOT / "tests" / "browser").glob("test_*.py")}
    assert len(files) > 5 and files <= {id_ for _, id_ in ROWS}


def test_who_measures_writes_what_takes_long_and_keeps_what_did_not_run(tmp_path):
    """Rows of a test count together, what is made ready counts for its file, what is made once a session for every
    file that needs it; `-m "not slow"` then leaves all of them out.
    """
    copy = CheckoutCopy(ROOT, tmp_path)
    (copy.folder / "tests" / "made").mkdir()
    files = ["tests/test_sleeps.py", "tests/test_ready.py", "tests/made/test_one.py", "tests/made/test_two.py"]
    texts = {"tests/made/conftest.py": MADE} | dict(zip(files, (SLEEPS, READY, OF_MADE, OF_MADE), strict=True))
    for name, text in texts.items():
        (copy.folder / name).write_text(text)
    ran = copy.run_python("-m", "pytest", "-p", "no:cacheprovider", "--measure", *files)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    written = [line.split("\t")[1] for line in (copy.folder / "tests" / "slow.tsv").read_text().splitlines()]
    assert {id_ for _, id_ in ROWS} < set(written)
    assert set(written) - {id_ for _, id_ in ROWS} == {*files[1:], f"{files[0]}::test_rows_together"}
    left = copy.run_python("-m", "pytest", "-p", "no:cacheprovider", "-m", "not slow", "--collect-only", *files)
    assert [line for line in left.stdout.splitlines() if "::" in line] == [f"{files[0]}::test_quick"]


def test_who_measures_has_no_workers(tmp_path):
    """Workers share the cores: a test would be slow because of another one."""
    ran = CheckoutCopy(ROOT, tmp_path).run_python(
        "-m", "pytest", "-p", "no:cacheprovider", "--measure", "-n", "2", "tests"
    )
    assert ran.returncode == pytest.ExitCode.USAGE_ERROR and "leave out -n" in ran.stderr
