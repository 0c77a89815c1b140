"""What many tests share: what is built is built once a session, from this checkout, into a folder of its own."""

from __future__ import annotations

import fcntl
import gc
import os
import pickle
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import settings

from tests.budget import IS_FULL, examples, read_seconds, read_shares, seconds_of_files

# Deterministic, and no deadline: the machine of a test run may be slow, a property does not become false by it.
settings.register_profile("lexbridge", deadline=None, derandomize=True, database=None, max_examples=examples(100))
settings.load_profile("lexbridge")

# Sites and pages are millions of objects: to look through them at every turn takes a seventh of the time.
gc.set_threshold(200_000, 50, 100)

ROOT = Path(__file__).parent.parent
FREEZE = gc.freeze
os.environ.setdefault("LEXBRIDGE_CORPUS", str(ROOT / "corpus"))


def pytest_collection_modifyitems(config, items) -> None:
    """While the worker of the first file builds, the others test what needs no build, and what needs only the texts
    read last of that. Files stay whole.

    What takes longest in this run, by ``tests/slow.tsv``, comes first, so that no worker is left with it in the end.
    """
    if not hasattr(config, "workerinput"):
        return
    seconds = seconds_of_files(read_seconds(), {} if IS_FULL else read_shares())
    needing = lambda fixture: {item.path for item in items if fixture in getattr(item, "fixturenames", ())}
    building, reading = needing("build_dir"), needing("ingest")
    first = next((item.path for item in items if item.path in building), None)
    of_file = lambda item: seconds[item.path.relative_to(ROOT).as_posix()]
    part = lambda path: 0 if path == first else 3 if path in building else 2 if path in reading else 1
    items.sort(key=lambda item: (part(item.path), -of_file(item), item.path))


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


# What sessions made, in folders named by the key of what it is made from: sessions of the same texts and code share it.
MADE = ROOT / ".cache" / "tests"
KEPT = 2  # folders of earlier sessions that stay, of each part


@contextmanager
def made_folder(part: str) -> Iterator[Path]:
    """A context with the folder for what is made up to a part of the build. Other processes wait meanwhile."""
    from corpus.generation import part_keys

    folder = MADE / f"{part}-{part_keys(Path(os.environ['LEXBRIDGE_CORPUS']), ROOT)[part]}"
    MADE.mkdir(parents=True, exist_ok=True)
    with (MADE / f"{part}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        folder.mkdir(exist_ok=True)
        os.utime(folder)
        for old in sorted(MADE.glob(f"{part}-*"), key=lambda path: path.stat().st_mtime)[:-KEPT]:
            shutil.rmtree(old, ignore_errors=True)
        yield folder


@pytest.fixture(scope="session")
def ingest(corpus_dir):
    """Every edition read, its references resolved, and the alignment; nothing written."""
    from corpus.generation import CORPUS_PART
    from corpus.ingest import read_editions

    with made_folder(CORPUS_PART) as folder:
        file = folder / "ingest.pickle"
        if not file.exists():
            fresh = folder / "fresh"
            fresh.write_bytes(pickle.dumps(read_editions(corpus_dir)))
            fresh.rename(file)
        return pickle.loads(file.read_bytes())


@pytest.fixture(scope="session")
def build_dir(request, tmp_path_factory) -> Path:
    """A build folder whose current generation has the corpus and the search of this checkout. Nobody writes into it.

    Who asks first builds, the others wait. ``LEXBRIDGE_TEST_BUILD``: one that was built before (``tools/mutants.py``
    knows that it is still true).
    """
    if ready := os.environ.get("LEXBRIDGE_TEST_BUILD"):
        return Path(ready)
    from corpus.generation import LEARNED_PART, lock_build_folder, open_stage, publish

    with made_folder(LEARNED_PART) as folder:
        whole = folder / "build"
        if not whole.exists():
            from corpus.ingest import write_corpus
            from corpus.library import Library
            from index.build import build

            ingest = request.getfixturevalue("ingest")
            assert not ingest.fatal_problems, "\n".join(map(str, ingest.fatal_problems))
            fresh = tmp_path_factory.mktemp("fresh")
            with lock_build_folder(fresh), open_stage(fresh) as stage:
                write_corpus(ingest, stage)
                build(Library.open(stage.read_parts()), stage)
                publish(stage)
            shutil.rmtree(folder / "fresh", ignore_errors=True)
            shutil.move(fresh, folder / "fresh")
            (folder / "fresh").rename(whole)
    return whole


@pytest.fixture(scope="session")
def application(build_dir):
    """The site on the session's build, opened (``app_site.py`` and the browser ask it)."""
    from app import create_app

    site = create_app({"BUILD": build_dir})
    site.extensions["lexbridge"].snapshot()
    return site


@pytest.fixture(scope="session")
def snapshot(application):
    """What the site opened: to open it again takes seconds. ``create_app({"SNAPSHOT": snapshot})`` is another site."""
    return application.extensions["lexbridge"].snapshot()


@pytest.fixture(scope="session")
def library(snapshot):
    """The library of the session's build."""
    return snapshot.library


@pytest.fixture(scope="session")
def searcher(snapshot):
    """The search over the session's build."""
    return snapshot.search._searcher
