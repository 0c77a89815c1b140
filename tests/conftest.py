"""What many tests share: the texts are read once a session, from this checkout, into a folder of its own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# Deterministic, and no deadline: the machine of a test run may be slow, a property does not become false by it.
settings.register_profile("lexbridge", deadline=None, derandomize=True, database=None)
settings.load_profile("lexbridge")

ROOT = Path(__file__).parent.parent
os.environ.setdefault("LEXBRIDGE_CORPUS", str(ROOT / "corpus"))


@pytest.fixture(scope="session")
def corpus_dir() -> Path:
    """The corpus of this checkout."""
    return ROOT / "corpus"


@pytest.fixture(scope="session")
def ingest(corpus_dir):
    """Every edition read, its references resolved, and the alignment; nothing written."""
    from corpus.ingest import read_all

    return read_all(corpus_dir)


@pytest.fixture(scope="session")
def build_dir(request, corpus_dir, tmp_path_factory) -> Path:
    """A build folder with the parsed corpus and the search index of this checkout.

    ``LEXBRIDGE_TEST_BUILD``: one that was built before (``scripts/mutants.py`` knows that it is still true).
    """
    from corpus.ingest import write
    from corpus.library import Library
    from index.build import build

    if ready := os.environ.get("LEXBRIDGE_TEST_BUILD"):
        return Path(ready)
    folder = tmp_path_factory.mktemp("build")
    ingest = request.getfixturevalue("ingest")
    assert not ingest.fatal, "\n".join(map(str, ingest.fatal))
    write(ingest, folder)
    build(Library.open(folder / "corpus"), folder)
    return folder


@pytest.fixture(scope="session")
def library(build_dir):
    """The library of the session's build."""
    from corpus.library import Library

    return Library.open(build_dir / "corpus")


@pytest.fixture(scope="session")
def searcher(build_dir, library):
    """The search over the session's build."""
    from index.search import Searcher

    return Searcher.open(build_dir, library)


@pytest.fixture(scope="session")
def application(build_dir):
    """The site on the session's build (``app_site.py`` asks it)."""
    from app import create_app

    return create_app({"BUILD": build_dir})
