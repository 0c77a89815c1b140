"""Which tests a run has: the short run of ``make test``, or the full run of ``make test-all``.

The environment variable ``LEXBRIDGE_TESTS=full`` asks for the full run. The short run leaves out what
``tests/full.tsv`` lists, or takes a share of its cases, and properties are tried on fewer examples.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

FULL, SLOW = Path(__file__).parent / "full.tsv", Path(__file__).parent / "slow.tsv"
IS_FULL = os.environ.get("LEXBRIDGE_TESTS") == "full"
FEWER = 6  # the full run tries so many times as many examples of a property
FEWEST = 10


def examples(full: int) -> int:
    """How many examples of a property this run tries; ``full``: how many the full run tries."""
    return full if IS_FULL else max(min(full, FEWEST), full // FEWER)


SAMPLE = 6  # the short run takes one of so many things of a kind


def sampled(things: list[Any]) -> list[Any]:
    """Return the things that this run looks at: all in the full run."""
    return things if IS_FULL else things[::SAMPLE]


def least(full: int) -> int:
    """Return how many this run finds at least among things that are :func:`sampled`; ``full``: in the full run."""
    return full if IS_FULL else full // (2 * SAMPLE)


def read_list(path: Path) -> dict[str, str]:
    """Test, or file of tests → what a list says of it. A row of the list is that and the test; the first is a head."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    return {test: said for said, test in rows}


def read_seconds() -> dict[str, float]:
    """Test, or file of tests → the seconds that it takes, as ``tests/slow.tsv`` has them."""
    return {test: float(said) for test, said in read_list(SLOW).items()}


def read_shares() -> dict[str, int]:
    """Test, or file of tests → one of how many cases the short run takes, as ``tests/full.tsv`` has them; 0: none."""
    return {test: int(said.removeprefix("1/")) for test, said in read_list(FULL).items()}


def seconds_of_files(seconds: Mapping[str, float], shares: Mapping[str, int]) -> Counter[str]:
    """File of tests → the seconds that a run takes for it that has these shares.

    >>> dict(seconds_of_files({"a.py::test_x": 8.0, "a.py": 1.0, "b.py::test_z": 9.0}, {"a.py::test_x": 4, "b.py": 0}))
    {'a.py': 3.0, 'b.py': 0.0}
    """
    files: Counter[str] = Counter()
    for test, took in seconds.items():
        file = test.partition("::")[0]
        share = shares.get(test, shares.get(file, 1))
        files[file] += took / share if share else 0.0
    return files


def left_out(node_ids: Iterable[str], shares: dict[str, int]) -> Iterator[str]:
    """Yield the tests that the short run leaves out. Of a share of 1/n it takes the first case and every n-th after it.

    >>> cases = ["a.py::test_x[1]", "a.py::test_x[2]", "a.py::test_x[3]", "a.py::test_y", "b.py::test_z"]
    >>> list(left_out(cases, {"a.py::test_x": 2, "b.py": 0}))
    ['a.py::test_x[2]', 'b.py::test_z']
    """
    seen: dict[str, int] = {}
    for id_ in node_ids:
        test, file = id_.partition("[")[0], id_.partition("::")[0]
        listed = test if test in shares else file
        if listed not in shares:
            continue
        number = seen[listed] = seen.get(listed, -1) + 1
        if not shares[listed] or number % shares[listed]:
            yield id_


def leave_out(config: Any, items: list[Any]) -> None:
    """Take the tests that the short run leaves out from a collection of pytest."""
    if IS_FULL:
        return
    out = set(left_out((item.nodeid for item in items), read_shares()))
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in out])
    items[:] = [item for item in items if item.nodeid not in out]
