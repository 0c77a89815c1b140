"""The list of slow tests names tests that are there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROWS = [line.split("\t") for line in (ROOT / "tests" / "slow.tsv").read_text(encoding="utf-8").splitlines()]


def test_there_is_a_list():
    assert ROWS[0] == ["seconds", "test"] and len(ROWS) > 20
    assert len({id_ for _, id_ in ROWS}) == len(ROWS)


@pytest.mark.parametrize("seconds, id_", ROWS[1:])
def test_what_is_listed_as_slow_exists(seconds, id_):
    file, _, name = id_.partition("::")
    assert float(seconds) >= 0.5 and (ROOT / file).is_file(), f"There is no {file}. Take the row off, or name it anew."
    assert not name or re.search(rf"^def {name}\(", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE), (
        f"{file} has no {name}. Take the row off tests/slow.tsv, or name it anew."
    )
