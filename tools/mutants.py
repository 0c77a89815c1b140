"""``make mutants``: runs the tests against mutants, copies of the code with one fault, and counts those they notice.

``tests/mutants/*.toml`` list the mutants. A mutant that its tests do not notice shows a gap in these tests. Each is
tried in a copy of the checkout, never in the checkout itself. Mutants that do not change what is built share one
build.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from corpus import files, schema
from corpus.files import InvalidFile
from corpus.model import Problem

ROOT = Path(__file__).parent.parent
LISTS = "tests/mutants"
MIN_KILLED = 0.85  # share of mutants that the tests must notice; some mutants cannot be noticed by any test
TIMEOUT = 600  # seconds; a mutant that never ends counts as noticed
_CODE_SUFFIXES = {".py", ".html", ".xml", ".js", ".css", ".toml", ".tsv", ".md", ".json"}
_OUR_VARIABLES = {"LEXBRIDGE_CORPUS", "LEXBRIDGE_BUILD", "LEXBRIDGE_TEST_BUILD"}  # may point outside of the copy
_NOT_COPIED = shutil.ignore_patterns(
    ".git", ".venv", "built", "__pycache__", "*_cache", ".cache", ".hypothesis", "artefacts", "*.png", "*.egg-info"
)


@dataclass(frozen=True)
class MutantRow:
    """A mutant as its list states it; :class:`Mutant` explains the keys."""

    name: str
    file: str
    find: str
    replace: str
    killed_by: tuple[str, ...]
    builds: bool | None = None


@dataclass(frozen=True)
class MutantFile:
    """A file of ``tests/mutants``: the mutants of one subject, as ``[[mutant]]`` tables."""

    mutant: tuple[MutantRow, ...] = ()


@dataclass(frozen=True)
class Mutant:
    """``find`` in ``file`` is replaced by ``replace``; the tests ``killed_by`` (pytest ids) must notice it.

    ``file`` may be a folder, where ``find`` stands once in all of its files. ``builds`` says whether the mutant
    changes what is built, so that its tests need a build of their own; by default it does not for ``app`` and
    ``scripts``. ``at`` is (file, line) of its row.
    """

    name: str
    file: str
    find: str
    replace: str
    killed_by: tuple[str, ...]
    builds: bool
    at: tuple[str, int]


@dataclass(frozen=True)
class MutantOutcome:
    """The result for a mutant: the tests that failed, or ``fault``, the reason why the tests could not run."""

    mutant: Mutant
    killers: tuple[str, ...] = ()
    fault: str = ""


def read_mutants(root: Path = ROOT) -> tuple[list[Mutant], list[Problem]]:
    """Return the sound mutants of all lists in order, and what is wrong with the lists."""
    mutants, problems = [], []
    for path in sorted((root / LISTS).glob("*.toml")):
        name = path.relative_to(root).as_posix()
        try:
            written = files.read_toml(path, name, ("There is no such list.", "Write it."))
            rows = schema.build_from_file(MutantFile, written, "tools/mutants.py").mutant
        except InvalidFile as refused:
            problems += refused.problems
            continue
        for i, row in enumerate(rows):
            at = (name, written.line_of(("mutant", i)))
            found = [Problem(*at, *said) for said in _row_faults(row, root)]
            problems += found
            if not found:
                builds = not row.file.startswith(("app", "scripts")) if row.builds is None else row.builds
                mutants.append(Mutant(row.name, row.file, row.find, row.replace, row.killed_by, builds, at))
    seen: dict[str, Mutant] = {}
    for mutant in mutants:
        if (other := seen.setdefault(mutant.name, mutant)) is not mutant:
            problems.append(
                Problem(
                    *mutant.at, f"“{mutant.name}” is also the name of {':'.join(map(str, other.at))}.", "Name it apart."
                )
            )
    return mutants, problems


def _row_faults(row: MutantRow, root: Path) -> Iterator[tuple[str, str]]:
    """Yield (finding, next move) for what is wrong with a row, compared with the code and the tests."""
    if not (root / row.file).exists():
        yield f"There is no {row.file}.", "Name the file or folder in which the code stands today."
    elif (count := sum(text.count(row.find) for _, text in _file_texts(root, row.file))) != 1:
        yield f"“find” stands {count} times in {row.file}.", "Copy from the code a piece that stands there once."
    if row.find == row.replace:
        yield "“find” and “replace” are the same.", "Say what goes wrong."
    if not row.killed_by:
        yield "No test is named that notices.", "Name one in killed_by, or write it."
    for id_ in row.killed_by:
        if not _has_test_with_id(root, id_):
            yield f"There is no test {id_}.", "Give its id as pytest prints it; the part in brackets may be left out."


def _file_texts(root: Path, name: str) -> Iterator[tuple[Path, str]]:
    """Yield (path, text) of a file, or of every file of code and data in a folder."""
    path = root / name
    for each in [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.suffix in _CODE_SUFFIXES):
        yield each, each.read_text(encoding="utf-8")


def _has_test_with_id(root: Path, id_: str) -> bool:
    """Whether the checkout at ``root`` has the file and the test function that a pytest id names.

    >>> _has_test_with_id(ROOT, "tests/test_mutants.py::test_no_such"), _has_test_with_id(ROOT, "tests/no.py::test_x")
    (False, False)
    """
    file, _, name = id_.partition("::")
    path, function = root / file, name.rpartition("::")[2].partition("[")[0]
    return (
        path.is_file()
        and re.search(rf"^ *def {function}\(", path.read_text(encoding="utf-8"), re.MULTILINE) is not None
    )


class CheckoutCopy:
    """A copy of the checkout's code in which mutants are tried one after another."""

    def __init__(self, root: Path, folder: Path):
        self.folder, self.build = folder / "checkout", folder / "build"
        shutil.copytree(root, self.folder, ignore=_NOT_COPIED)

    def prepare(self) -> None:
        """Make the build that is shared by the mutants that do not change it.

        Raises:
            click.ClickException: the unchanged checkout does not build.
        """
        made = self.run_python("-m", "scripts.cli", "build", "--without-pages", LEXBRIDGE_BUILD=str(self.build))
        if made.returncode:
            raise click.ClickException(f"The unchanged checkout does not build:\n{made.stdout}{made.stderr}")

    def failing_tests(self, ids: Sequence[str], shared: bool) -> tuple[set[str], str]:
        """Return (those of the test ids that fail in the copy, what pytest said when it could not run them, else "").

        ``shared``: use the build that mutants share.
        """
        extra = {"LEXBRIDGE_TEST_BUILD": str(self.build)} if shared else {}
        ran = self.run_python("-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=no", "-rfE", *ids, **extra)
        if ran.returncode not in (0, 1):
            return set(), (ran.stdout + ran.stderr).strip().rpartition("\n")[2] or f"pytest ended with {ran.returncode}"
        failed = re.findall(r"^(?:FAILED|ERROR) (\S+?::[^\s\[]+)", ran.stdout, re.MULTILINE)
        return {id_ for id_ in ids if id_.partition("[")[0] in failed}, ""

    def try_mutant(self, mutant: Mutant) -> MutantOutcome:
        """Run the mutant's tests with the mutant in place, then restore the copy."""
        path, text = next((p, t) for p, t in _file_texts(self.folder, mutant.file) if mutant.find in t)
        path.write_text(text.replace(mutant.find, mutant.replace), encoding="utf-8")
        try:
            failed, fault = self.failing_tests(mutant.killed_by, shared=not mutant.builds)
        except subprocess.TimeoutExpired:
            failed, fault = set(mutant.killed_by), ""
        finally:
            path.write_text(text, encoding="utf-8")
        return MutantOutcome(mutant, tuple(id_ for id_ in mutant.killed_by if id_ in failed), fault)

    def run_python(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
        """Run this Python in the copy, without our environment variables; return its output and exit code."""
        kept = {k: v for k, v in os.environ.items() if k not in _OUR_VARIABLES}
        return subprocess.run(  # noqa: S603 (this Python, with arguments of this module and ids that a list names)
            [sys.executable, *arguments],
            cwd=self.folder,
            env=kept | environment | {"PYTHONPATH": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )


def select_mutants(mutants: Sequence[Mutant], names: Sequence[str]) -> list[Mutant]:
    """Return the mutants whose name contains one of the given names, or whose list has it; all without names."""
    return [m for m in mutants if not names or any(n in m.name or n == Path(m.at[0]).stem for n in names)]


def outcome_line(outcome: MutantOutcome) -> str:
    """Return a line of the printed table: ``the home edition is the oldest  killed by tests/…``."""
    if outcome.fault:
        return f"{outcome.mutant.name:<72}  DOES NOT RUN: {outcome.fault}"
    return f"{outcome.mutant.name:<72}  {'killed by ' + ', '.join(outcome.killers) if outcome.killers else 'SURVIVED'}"


@click.command()
@click.argument("names", nargs=-1)
def main(names: tuple[str, ...]) -> None:
    """Try the mutants whose name contains a NAME, or whose list is called so; all without one."""
    mutants, problems = read_mutants()
    for problem in problems:
        click.echo(str(problem), err=True)
    wanted = select_mutants(mutants, names)
    if problems or not wanted:
        raise click.ClickException("Nothing was tried." if problems else "No mutant has such a name.")
    outcomes = []
    with tempfile.TemporaryDirectory(prefix="lexbridge-mutants-") as folder:
        copy = CheckoutCopy(ROOT, Path(folder))
        copy.prepare()
        ids = sorted({id_ for m in wanted for id_ in m.killed_by})
        failing, fault = copy.failing_tests(ids, shared=True)
        if failing or fault:
            raise click.ClickException(f"Without a mutant, too, there fails: {fault or ', '.join(sorted(failing))}")
        for mutant in wanted:
            outcomes.append(copy.try_mutant(mutant))
            click.echo(outcome_line(outcomes[-1]))
    killed = sum(bool(o.killers) for o in outcomes)
    click.echo(
        f"{killed} of {len(outcomes)} mutants killed ({killed / len(outcomes):.0%}; at least {MIN_KILLED:.0%} asked)."
    )
    if killed < MIN_KILLED * len(outcomes):
        sys.exit(1)


if __name__ == "__main__":
    main()
