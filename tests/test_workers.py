"""Workers (``pytest -n``) and sessions share what is built: who asks first builds, the others wait for all of it."""

from __future__ import annotations

import pytest

from tools.mutants import CheckoutCopy
from tools.structure import ROOT

# A build that takes its time, and leaves a trace whenever it is made.
SLOWLY = """
import sys, time
from pathlib import Path
from types import ModuleType
import pytest

class Read:
    fatal_problems = ()

@pytest.fixture(scope="session")
def ingest():
    return Read

index = ModuleType("index.build")

def build(library, stage):
    folder = stage.folder
    with Path("builds").open("a") as trace:
        trace.write("one\\n")
    (folder / "begun").touch()
    time.sleep(0.5)
    (folder / "whole").touch()

@pytest.fixture(scope="session", autouse=True)
def slowly():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("corpus.ingest.write_corpus", lambda read, stage: None)
        patch.setattr("corpus.library.Library.open", lambda made: None)
        patch.setattr("corpus.generation.BuildStage.read_parts", lambda stage: None)
        patch.setattr("corpus.generation.publish", lambda stage: stage.folder.rename(stage.build / "made"))
        patch.setitem(sys.modules, "index.build", index)
        patch.setattr(index, "build", build, raising=False)
        yield

def test_the_build_is_whole(build_dir, worker_id):
    Path(worker_id).touch()
    assert (build_dir / "made" / "begun").exists() and (build_dir / "made" / "whole").exists()
"""


@pytest.mark.parametrize(
    "options, sessions, workers", [(("-n", "2", "--dist", "each"), 1, ["gw0", "gw1"]), ((), 2, ["master"])]
)
def test_what_is_built_from_the_same_is_built_once(tmp_path, options, sessions, workers):
    """Other code or other texts are built anew."""
    copy = CheckoutCopy(ROOT, tmp_path)
    (copy.folder / "tests" / "test_slowly.py").write_text(SLOWLY)
    for _ in range(sessions):
        ran = copy.run_python("-m", "pytest", "-p", "no:cacheprovider", *options, "tests/test_slowly.py")
        assert ran.returncode == 0, ran.stdout + ran.stderr
    assert len((copy.folder / "builds").read_text().splitlines()) == 1
    assert all((copy.folder / worker).exists() for worker in workers)
    (copy.folder / "corpus" / "more.py").write_text("")
    copy.run_python("-m", "pytest", "-p", "no:cacheprovider", *options, "tests/test_slowly.py")
    assert len((copy.folder / "builds").read_text().splitlines()) == 2
