"""What the examples in docstrings may use, and which tests are slow as measured.

Examples run with the tests (``--doctest-modules``). ``tests/slow.tsv`` lists each test whose rows together take the
seconds of ``LIMIT`` or more, and each file of tests that needs something made ready for so long, apart from what
``tests/conftest.py`` shares; ``make check`` leaves them out, ``pytest --measure`` writes the list anew.
"""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter

import pytest
from flask import Flask

from corpus import language
from corpus.reference.find import Grammar
from tests.budget import SLOW, leave_out, read_seconds

LIMIT = 0.2  # seconds; what is left takes about one minute on two cores
LANGUAGES = Path(__file__).parent / "corpus" / "languages"
# Needed by what restored the scan, and by nothing that builds or serves: the extra `restore` of pyproject.toml.
RESTORE = ("numpy", "morfeusz2", "ogonki", "wordfreq")
LACKING = [name for name in RESTORE if find_spec(name) is None]
collect_ignore = ["tools/restore"] if LACKING else []


def pytest_report_header() -> list[str]:
    """Says what is left out, and why."""
    return [f"without the examples of scripts/restore: {', '.join(LACKING)} not installed"] if LACKING else []


def pytest_addoption(parser) -> None:
    """``--measure``."""
    parser.addoption("--measure", action="store_true", help="write tests/slow.tsv: which tests take long")


def pytest_configure(config) -> None:
    """Whoever measures listens to every test, one after the other."""
    if config.getoption("measure"):
        if config.getoption("numprocesses", None):
            raise pytest.UsageError("--measure takes the time of one test after the other: leave out -n.")
        config.pluginmanager.register(Measured())


def pytest_collection_modifyitems(config, items) -> None:
    """Leaves out what only the full run has, and marks what the list names and what needs the session's build."""
    leave_out(config, items)
    slow = read_seconds().keys()
    for item in items:
        if slow & {item.nodeid.partition("[")[0], item.nodeid.partition("::")[0]}:
            item.add_marker("slow")
        if {"ingest", "build_dir"} & set(getattr(item, "fixturenames", ())):
            item.add_marker("built")


class Measured:
    """Adds up the seconds of every test and file, without what ``tests/conftest.py`` shares: it is paid once."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self.shared = 0.0
        self.ready: dict[str, float] = {}  # what else is made once a session, and its seconds

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef):
        """Takes the time of what is made once a session."""
        started = perf_counter()
        try:
            return (yield)
        finally:
            took = perf_counter() - started
            if fixturedef.scope == "session" and fixturedef.baseid == "tests":
                self.shared += took
            elif fixturedef.scope == "session" and fixturedef.baseid.startswith("tests/"):
                self.ready[fixturedef.argname] = took

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item):
        """Whoever needs a thing pays for it, as each file would alone: not only the file that came first."""
        try:
            return (yield)
        finally:
            file = item.nodeid.partition("::")[0]
            needed = (self.ready.get(name, 0.0) for name in getattr(item, "fixturenames", ()))
            self.seconds[file] = max(self.seconds[file], *needed, 0.0)

    def pytest_runtest_logreport(self, report) -> None:
        """A test has the seconds of its calls, its file those of the longest preparation."""
        file, name = report.nodeid.partition("::")[0], report.nodeid.partition("[")[0]
        if report.when == "call":
            self.seconds[name] += report.duration
        elif report.when == "setup":
            self.seconds[file] = max(self.seconds[file], report.duration - self.shared)
            self.shared = 0.0

    def pytest_sessionfinish(self) -> None:
        """Writes the list, the slowest first; what did not run keeps its row."""
        seconds = Counter({id_: s for id_, s in read_seconds().items() if id_ not in self.seconds}) + self.seconds
        rows = [f"{s:.1f}\t{id_}" for id_, s in seconds.most_common() if s >= LIMIT]
        SLOW.write_text("\n".join(["seconds\ttest", *rows, ""]), encoding="utf-8")


@pytest.fixture(scope="session", autouse=True)
def _names(doctest_namespace):
    """``english``: the grammar of references in English."""
    doctest_namespace["english"] = Grammar(language.load_language(LANGUAGES, "en"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """An example of the site stands inside a request."""
    asked = Flask(__name__).test_request_context("/") if isinstance(item, pytest.DoctestItem) else nullcontext()
    with asked:
        return (yield)
