"""A law that denies does not stand before the law that grants: who was misinformed gets 21B, not 21A."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from corpus.address import contains_path

CASES = [
    *csv.DictReader(
        (Path(__file__).parent / "cases/situations/denials.tsv").open(encoding="utf-8"),
        delimiter="\t",
        quoting=csv.QUOTE_NONE,
    )
]


def test_there_are_ten_cases_at_least_in_every_language():
    assert len(CASES) >= 10 and {case["lang"] for case in CASES} == {"pl", "sk", "hr", "en"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["words"])
def test_what_grants_stands_before_what_denies(searcher, case):
    paths = [hit.node.path for hit in searcher.search(case["words"], qlang=case["lang"]).hits]
    grants, denies = (
        [n for n, path in enumerate(paths) if contains_path(case[key], path)] for key in ("grants", "denies")
    )
    assert grants and grants[0] < 3 and grants[0] < min(denies, default=len(paths)), paths[:6]
