"""What the examples in docstrings may use. They run with the tests (``--doctest-modules``)."""

from __future__ import annotations

from contextlib import nullcontext
from importlib.util import find_spec
from pathlib import Path

import pytest
from flask import Flask

from corpus import language
from corpus.reference.find import Grammar

LANGUAGES = Path(__file__).parent / "corpus" / "languages"
# Needed by what restored the scan, and by nothing that builds or serves: the extra `restore` of pyproject.toml.
RESTORE = ("numpy", "morfeusz2", "ogonki", "wordfreq")
LACKING = [name for name in RESTORE if find_spec(name) is None]
collect_ignore = ["scripts/restore"] if LACKING else []


def pytest_report_header() -> list[str]:
    """Says what is left out, and why."""
    return [f"without the examples of scripts/restore: {', '.join(LACKING)} not installed"] if LACKING else []


@pytest.fixture(scope="session", autouse=True)
def _names(doctest_namespace):
    """``english``: the grammar of references in English."""
    doctest_namespace["english"] = Grammar(language.load(LANGUAGES, "en"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """An example of the site stands inside a request."""
    asked = Flask(__name__).test_request_context("/") if isinstance(item, pytest.DoctestItem) else nullcontext()
    with asked:
        return (yield)
