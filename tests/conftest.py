"""What many tests share: what is built is built once a session, from this checkout, into a folder of its own."""

from __future__ import annotations

import fcntl
import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# Deterministic, and no deadline: the machine of a test run may be slow, a property does not become false by it.
settings.register_profile("lexbridge", deadline=None, derandomize=True, database=None)
settings.load_profile("lexbridge")

ROOT = Path(__file__).parent.parent
FREEZE = gc.freeze
os.environ.setdefault("LEXBRIDGE_CORPUS", str(ROOT / "corpus"))


def pytest_collection_modifyitems(config, items) -> None:
    """While the worker of the first file builds, the others test what needs no build. Files stay whole."""
    if not hasattr(config, "workerinput"):
        return
    building = {item.path for item in items if "build_dir" in getattr(item, "fixturenames", ())}
    first = next((item.path for item in items if item.path in building), None)
    items.sort(key=lambda item: 0 if item.path == first else 1 if item.path not in building else 2)


@pytest.fixture(scope="session", autouse=True)
def _nothing_set_aside() -> Iterator[None]:
    """A site sets what it opened aside for good (``app.site.snapshot``); tests open hundreds, and let them go."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gc, "freeze", lambda: None)
        yield


@pytest.fixture
def set_aside(monkeypatch) -> Iterator[None]:
    """For a test: what is opened is set aside as a server does it."""
    monkeypatch.setattr(gc, "freeze", FREEZE)
    yield
    gc.unfreeze()


@pytest.fixture(scope="session")
def corpus_dir() -> Path:
    """The corpus of this checkout."""
    return ROOT / "corpus"


@pytest.fixture(scope="session")
def ingest(corpus_dir):
    """Every edition read, its references resolved, and the alignment; nothing written."""
    from corpus.ingest import read_editions

    return read_editions(corpus_dir)


@pytest.fixture(scope="session")
def build_dir(request, tmp_path_factory) -> Path:
    """A build folder whose current generation has the corpus and the search of this checkout. Nobody writes into it.

    Workers (``pytest -n``) share one: who asks first builds, the others wait. ``LEXBRIDGE_TEST_BUILD``: one that was
    built before (``tools/mutants.py`` knows that it is still true).
    """
    if ready := os.environ.get("LEXBRIDGE_TEST_BUILD"):
        return Path(ready)
    own = tmp_path_factory.getbasetemp()
    # The folders of a session's workers stand in one; without workers that one belongs to other sessions, too.
    folder = (own.parent if hasattr(request.config, "workerinput") else own) / "build"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            from corpus.generation import lock_build_folder, open_stage, publish
            from corpus.ingest import write_corpus
            from corpus.library import Library
            from index.build import build

            ingest = request.getfixturevalue("ingest")
            assert not ingest.fatal_problems, "\n".join(map(str, ingest.fatal_problems))
            fresh = tmp_path_factory.mktemp("fresh")
            with lock_build_folder(fresh), open_stage(fresh) as stage:
                write_corpus(ingest, stage.folder)
                build(Library.open(stage.folder / "corpus"), stage.folder)
                publish(stage)
            fresh.rename(folder)
    return folder


@pytest.fixture(scope="session")
def library(build_dir):
    """The library of the session's build."""
    from corpus.library import Library

    return Library.open(build_dir / "current" / "corpus")


@pytest.fixture(scope="session")
def searcher(build_dir, library):
    """The search over the session's build."""
    from index.search import Searcher

    return Searcher.open(build_dir / "current", library)


@pytest.fixture(scope="session")
def application(build_dir):
    """The site on the session's build (``app_site.py`` asks it)."""
    from app import create_app

    return create_app({"BUILD": build_dir})
