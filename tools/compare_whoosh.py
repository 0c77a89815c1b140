"""``make wayback``: checks that Whoosh 2.7.4 answers every judged query as the locked Whoosh does.

It builds the index and asks every query twice, with the packages of two virtual environments, and compares provisions
and scores. Whoosh makes the postings when an index is built; a search does not use it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from corpus.generation import Generation
from corpus.library import Library
from scripts.build import last_build
from scripts.evaluate import BLIND_QUERIES, CROSS_LANGUAGE_KINDS, FRESH_QUERIES, QUERIES, make_api_search, read_queries

ROOT = Path(__file__).parent.parent
OLD_WHOOSH = "whoosh==2.7.4 --hash=sha256:aa39c3c3426e3fd107dcb4bde64ca1e276a65a889d9085a6e4b54ba82420a852"
_LOCKED = re.compile(r"^whoosh-reloaded==.*(?:\n .*)*", re.MULTILINE)
MAX_SHOWN = 10  # differing answers that are printed


def old_requirements(lock: str) -> str:
    r"""Return the lock with Whoosh 2.7.4 in the place of the locked one.

    Raises:
        ValueError: the lock does not have whoosh-reloaded exactly once.

    >>> lock = "waitress==3.0.2\nwhoosh-reloaded==2.7.5 \\\n    --hash=sha256:56\nzope==1"
    >>> old_requirements(lock).splitlines()[1][:13]
    'whoosh==2.7.4'
    """
    text, found = _LOCKED.subn(OLD_WHOOSH, lock)
    if found != 1:
        raise ValueError(
            f"requirements.lock has whoosh-reloaded {found} times, not once: correct tools/compare_whoosh.py."
        )
    return text


def answer_lines(library: Library, build: Generation) -> Iterator[str]:
    """Yield a line for each judged query, separated by tabs: its table, its number, and the hits with their scores, in
    order.
    """
    from index.search import Searcher

    search = make_api_search(Searcher.open(build, library), library)
    for table in (QUERIES, FRESH_QUERIES, BLIND_QUERIES):
        for asked in read_queries(table):
            found = search(asked.query, asked.lang, asked.kind in CROSS_LANGUAGE_KINDS).hits
            yield "\t".join([table.stem, asked.qid, *(f"{hit.node.id} {hit.score!r}" for hit in found)])


def _answers_of_python(python: Path, build: Path) -> list[str]:
    """Return the answer lines of another Python, ``python``, and its packages. It makes a build in the folder ``build``
    and searches it.
    """
    env = {**os.environ, "LEXBRIDGE_BUILD": str(build), "PYTHONPATH": str(ROOT)}
    for command in (("scripts.cli", "ingest"), ("scripts.cli", "index"), ("tools.compare_whoosh", "--answers")):
        said = _run_command(python, "-m", *command, env=env)
    return said.splitlines()


def _run_command(*command: str | Path, env: Mapping[str, str] | None = None) -> str:
    """Return what a command prints; its errors go to the terminal.

    Raises:
        click.ClickException: the command fails.
    """
    done = subprocess.run([*map(str, command)], env=env, cwd=ROOT, check=False, stdout=subprocess.PIPE, text=True)  # noqa: S603
    if done.returncode:
        raise click.ClickException(f"{done.stdout}{' '.join(map(str, command))} failed; nothing was compared.")
    return done.stdout


@click.command()
@click.option("--answers", "listing", is_flag=True, help="Only list the answers of the build that is there.")
def main(listing: bool) -> None:
    """Compare the answers; exit with code 1 where one differs."""
    if listing:
        place = last_build()
        for line in answer_lines(Library.open(place), place):
            click.echo(line)
        return
    with TemporaryDirectory() as name:
        folder = Path(name)
        wanted = folder / "requirements.txt"
        wanted.write_text(old_requirements((ROOT / "requirements.lock").read_text(encoding="utf-8")), encoding="utf-8")
        venv.create(folder / "venv", with_pip=True)
        old = folder / "venv" / "bin" / "python"
        quiet = ["--quiet", "--disable-pip-version-check", "--require-hashes"]
        _run_command(old, "-m", "pip", "install", *quiet, "-r", wanted)
        ours_, others = (
            _answers_of_python(Path(sys.executable), folder / "new"),
            _answers_of_python(old, folder / "old"),
        )
    differing = [(a, b) for a, b in zip_longest(ours_, others, fillvalue="") if a != b]
    for a, b in differing[:MAX_SHOWN]:
        click.echo(f"locked  {a}\n2.7.4   {b}")
    if differing or not ours_:
        raise click.ClickException(f"{len(differing)} of {len(ours_)} queries are answered otherwise by Whoosh 2.7.4.")
    click.echo(f"{len(ours_)} queries: Whoosh 2.7.4 gives the same provisions with the same scores.")


if __name__ == "__main__":
    main()
