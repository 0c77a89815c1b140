"""``make soak`` in small: each hazard once, over two invented editions; and its judge sees what is wrong."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from strangers import copy_of_strangers

from corpus import ingest
from tools.soak.hazards import HAZARDS
from tools.soak.judged import RunRecord, judge_answers
from tools.soak.load import ObservedAnswer
from tools.soak.oracle import ExpectedAnswer
from tools.soak.sample import Request
from tools.soak.texts import MarkedTexts, UnmarkedError
from tools.structure import ROOT

OLD, NEW, NEVER = ("a" * 64, "b" * 64, "c" * 64)


def corpus(folder: Path) -> Path:
    """The two smallest of the invented editions."""
    copy_of_strangers(folder)
    for id_ in ("cs-2030", "de-2031"):
        shutil.rmtree(folder / "editions" / id_)
    return folder


def test_each_hazard_once(tmp_path):
    command = [sys.executable, "-m", "tools.soak", "--corpus", corpus(tmp_path / "corpus"), "--hurried"]
    # Beside other tests a machine is not quiet: only a reader who waits in vain is a fault here.
    few = ["--minutes", "0", "--rebuilds", "1", "--each", "4", "--disk", "64", "--pause", "5"]
    ran = subprocess.run([*command, *few], cwd=ROOT, capture_output=True, text=True, check=False, timeout=900)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "wrong answers: 0" in ran.stdout
    assert all(f"{hazard.__name__}: 0 faults" in ran.stdout for hazard in HAZARDS)


def seen(status=200, body="old", named=OLD, at=(10.0, 10.1), how="", sent="", to="") -> ObservedAnswer:
    tag = f'"{named[:16]}.00000000-br"' if named else ""
    return ObservedAnswer(*at, 0, how, status, body, tag, sent, to)


WORLD = RunRecord(
    requests=[Request("law", "/xx-2030/1?ui=en")],
    timeline=[(0.0, OLD), (100.0, NEW), (200.0, ""), (300.0, NEW), (400.0, NEVER)],
    expected={OLD: [ExpectedAnswer(200, "old", "")], NEW: [ExpectedAnswer(200, "new", "")]},
    lost=[(50.0, 52.0, "reset"), (60.0, 62.0, "refused")],
    busy=[(70.0, 80.0)],
)
JUDGED = [
    ("what the generation says", seen(), ""),
    (
        "while one was current that nobody has asked",
        seen(at=(415, 415.1), named="", body="else"),
        "is not what any generation",
    ),
    ("a generation that is not yet there", seen(named=NEW, body="new"), "was not current"),
    ("the one before, while the next is opened", seen(at=(110, 110.1)), ""),
    ("the one before, long after", seen(at=(190, 190.1)), "was not current"),
    ("the words of one under the name of the other", seen(body="new"), "is not what its generation says"),
    ("a generation that never was", seen(named=NEVER), "never was"),
    ("no name, and the words of the time", seen(named=""), ""),
    ("no name, and the words of another time", seen(named="", body="new"), "any generation of that time"),
    ("no name, at the moment of change", seen(named="", body="new", at=(101, 101.1)), ""),
    ("what was sound before, where nothing is", seen(named=NEW, body="new", at=(250, 250.1)), ""),
    ("another status", seen(status=404), "is not what"),
    ("a fault of the server", seen(status=503), "was answered with 503"),
    ("another place to go", seen(to="/elsewhere"), "is not what"),
    ("only the head", seen(how="HEAD", body=""), ""),
    ("nothing new", seen(status=304, how="known", sent=f'"{OLD[:16]}.00000000-br"'), ""),
    ("nothing new under another tag", seen(status=304, how="known", sent='"x"'), "under another tag"),
    ("lost for no reason", seen(status="reset", named=""), "nothing was killed"),
    ("lost with its worker", seen(status="reset", named="", at=(51, 51.5)), ""),
    ("refused while a worker is killed", seen(status="refused", named="", at=(51, 51.5)), "nothing was killed"),
    ("refused while there is no server", seen(status="refused", named="", at=(61, 61.5)), ""),
    ("too late while there is no server", seen(status="late", named="", at=(61, 61.5)), "no answer in time"),
]


@pytest.mark.parametrize(("answer", "fault"), [row[1:] for row in JUDGED], ids=[row[0] for row in JUDGED])
def test_the_judge(answer, fault):
    wrong = judge_answers(WORLD, [answer]).wrong
    assert fault in wrong[0][0] if fault else not wrong


def test_a_wait_counts_where_nothing_else_was_at_work():
    slow = [seen(at=(10, 11)), seen(at=(75, 76)), seen(at=(51, 52))]
    verdict = judge_answers(WORLD, slow)
    assert verdict.long_pauses(0.5) == [(1, 10, "law")] and verdict.slowest == (1, "law")


def test_marked_texts_have_no_new_problem_and_change_in_every_edition(tmp_path):
    texts = MarkedTexts(corpus(tmp_path / "corpus"), tmp_path / "marked", 1)
    assert texts.ids == ["en-2028", "fr-2029"]
    word = texts.change_marks(7)
    read = ingest.read_editions(texts.folder)
    assert word == "lexmark0007" and not read.fatal_problems
    for reading in read.readings.values():
        words = " ".join(node.text for node in reading.nodes).split()
        assert word in words and "lexmark0000" not in words


def test_marks_that_editions_bear_only_one_by_one_are_set_again(tmp_path, monkeypatch):
    """Quotations and tables hold between editions: what each bears alone, all together may not."""
    real, whole = ingest.read_editions, []

    def read_editions(folder, only=()):
        found = real(folder, only)
        if not only:
            whole.append(folder)
        return SimpleNamespace(fatal_problems=["a quotation"]) if not only and len(whole) == 2 else found

    monkeypatch.setattr("tools.soak.texts.ingest.read_editions", read_editions)
    texts = MarkedTexts(corpus(tmp_path / "corpus"), tmp_path / "marked", 1)
    assert len(whole) > 3 and texts.ids == ["en-2028", "fr-2029"]
    assert not real(texts.folder).fatal_problems


def test_texts_that_bear_no_mark_are_refused(tmp_path):
    from strangers import write_edition

    folder = write_edition(tmp_path / "corpus", "LAW 1 — ONE\n\nx\n\nLAW 2 — TWO\n\nx\n\nLAW 3 — THREE\n\nx\n")
    with pytest.raises(UnmarkedError):
        MarkedTexts(folder, tmp_path / "marked", 1)
