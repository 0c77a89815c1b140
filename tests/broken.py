"""A sound edition for tests to break, and what is expected to be said of it then."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, settings
from strangers import HERE

from corpus import ingest
from corpus.model import Problem
from tests.budget import examples

CASES = HERE / "cases" / "broken"
SOUND = (CASES / "sound.txt").read_text(encoding="utf-8")
KEYS = """laws = "1–3"
[notes]
numbering = "law"
style = "stars"
[[parts]]
path = "preface"
start = '^PREFACE$'
[[drop]]
name = "break"
pattern = 'BREAK'
"""
EDITION = "xx-2030"
WITH_BREAK = SOUND.replace("nothing, for tests.\n", "nothing, for tests.\nBREAK")


def changed(text: str, changes: list) -> str:
    for old, new in changes:
        assert old in text, f"“{old}” is not in the sound text"
        text = text.replace(old, new, 1)
    return text


def problems(corpus: Path) -> list[Problem]:
    return ingest.read_editions(corpus).problems


def expect(case: dict, found, file: str, digest: str = "") -> None:
    says = [word.replace("DIGEST", digest) for word in case["says"]]
    matching = [p for p in found if all(word in str(p) for word in says)]
    assert matching, f"no problem says {says}; there are:\n" + "\n".join(map(str, found))
    assert matching[0].fatal == case.get("fatal", True)
    assert matching[0].file == file
    if "line" in case:
        assert matching[0].line == case["line"], str(matching[0])
    assert matching[0].move.strip()


slow = settings(
    max_examples=examples(60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
