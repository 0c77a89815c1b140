"""``make test-all``: the full run, before a release. It writes a row into ``docs/full-run.tsv``.

It runs every test with every case, and asks the judged queries with the other Whoosh. A row is the date, the commit
(with ``+`` if files were changed), the seconds, ``green`` or ``red``, and what each step said last.
"""

from __future__ import annotations

import datetime as dt
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import click

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "docs" / "full-run.tsv"
HEAD = "date\tcommit\tseconds\tresult\tsteps\n"


class Step(NamedTuple):
    """A part of the full run: its name, and the arguments with which Python runs it."""

    name: str
    arguments: tuple[str, ...]


def steps(workers: str) -> list[Step]:
    """Return the parts of the full run; ``workers``: how many tests run at a time."""
    tests = ("-m", "pytest", "-n", workers, "--dist", "loadfile", "--no-loadscope-reorder")
    return [Step("tests", tests), Step("Whoosh 2.7.4", ("-m", "tools.compare_whoosh"))]


def run_step(step: Step) -> tuple[bool, str]:
    """Run a step and show what it prints. Return whether it succeeded, and the last line that it printed."""
    last = ""
    environment = {**os.environ, "LEXBRIDGE_TESTS": "full"}
    with subprocess.Popen(  # noqa: S603 – our own programs
        [sys.executable, *step.arguments], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        for line in process.stdout or ():
            click.echo(line, nl=False)
            last = line.strip() or last
    return process.returncode == 0, last


def current_commit() -> str:
    """Return the short name of the commit, with ``+`` if files of it were changed."""
    git = lambda *arguments: subprocess.run(  # noqa: S603
        ["git", *arguments],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    return git("rev-parse", "--short=10", "HEAD") + "+" * bool(git("status", "--porcelain", "--untracked-files=no"))


def table_row(day: dt.date, commit: str, seconds: float, results: list[tuple[Step, bool, str]]) -> str:
    r"""Return the row of a run. ``results``: (step, whether it succeeded, the last line that it printed).

    >>> done = [(Step("tests", ()), True, "5 passed in 2s"), (Step("other", ()), False, "2\tdiffer")]
    >>> table_row(dt.date(2026, 11, 23), "abc", 61.4, done)
    '2026-11-23\tabc\t61\tred\ttests: 5 passed in 2s; other: 2 differ\n'
    """
    said = "; ".join(f"{step.name}: {' '.join(last.split())}" for step, _, last in results)
    result = "green" if all(right for _, right, _ in results) else "red"
    return f"{day}\t{commit}\t{seconds:.0f}\t{result}\t{said}\n"


@click.command()
@click.option("--workers", default="2", show_default=True, help="How many tests run at a time.")
def main(workers: str) -> None:
    """Run everything, and write a row into docs/full-run.tsv. The exit code is 1 if something failed."""
    commit, started = current_commit(), time.monotonic()
    results = [(step, *run_step(step)) for step in steps(workers)]
    row = table_row(dt.datetime.now(dt.UTC).date(), commit, time.monotonic() - started, results)
    TABLE.write_text((TABLE.read_text(encoding="utf-8") if TABLE.exists() else HEAD) + row, encoding="utf-8")
    click.echo(f"{row}→ {TABLE.relative_to(ROOT)}")
    sys.exit(any(not right for _, right, _ in results))


if __name__ == "__main__":
    main()
