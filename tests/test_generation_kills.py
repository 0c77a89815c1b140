"""A build that is killed, or that cannot write, leaves what is served as it was; the next one clears up and works."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from corpus.generation import (
    CORPUS_PART,
    CURRENT_LINK,
    GENERATIONS_FOLDER,
    MANIFEST_FILE,
    NEXT_FOLDER,
    Generation,
    current_digest,
    lock_build_folder,
    open_stage,
    publish,
)
from corpus.layers import LAYERS
from scripts.cli import main
from tests.broken import KEYS, WITH_BREAK
from tests.generations import published
from tests.strangers import write_edition
from tools.structure import ROOT

# A build of two files that is killed, as by `kill -9`, before its n-th call of the system that changes a disk.
KILLED = """
import os, shutil, signal, sys
from pathlib import Path
from corpus.generation import lock_build_folder, open_stage, publish

calls = 0
def count(event, arguments):
    global calls
    changes = event in {"os.rename", "os.remove", "os.rmdir", "os.symlink", "os.mkdir", "os.chmod", "os.utime", "fcntl.flock"}
    if changes or (event == "open" and isinstance(arguments[2], int) and str(arguments[0]).startswith(sys.argv[1])):
        calls += 1
        if calls == int(sys.argv[2]):
            os.kill(os.getpid(), signal.SIGKILL)

build = Path(sys.argv[1])
sys.addaudithook(count)
with lock_build_folder(build), open_stage(build) as stage:
    for name in ("a", "b"):
        (stage.folder / name).write_text("new" + name)
    publish(stage)
print(calls)
"""  # noqa: E501


def make(build: Path, *names: str) -> str:
    with lock_build_folder(build), open_stage(build) as fresh:
        for name in names:
            (fresh.folder / name).write_text(name)
        return publish(fresh)


def killed(build: Path, at: int) -> subprocess.CompletedProcess:
    arguments = [sys.executable, "-c", KILLED, str(build), str(at)]
    return subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def before(tmp_path_factory) -> Path:
    """A build folder with as many generations as stay, so that the next build has one to remove."""
    folder = tmp_path_factory.mktemp("before")
    for name in "wxyz":
        make(folder, name)
    return folder


@pytest.fixture(scope="module")
def calls(before, tmp_path_factory) -> int:
    """How many calls a build makes that is not killed."""
    shutil.copytree(before, folder := tmp_path_factory.mktemp("whole") / "build", symlinks=True)
    ended = killed(folder, 0)
    assert ended.returncode == 0, ended.stderr
    return int(ended.stdout)


@pytest.mark.parametrize("part", range(8))
def test_killed_at_any_moment_a_build_leaves_a_sound_generation(part, before, calls, tmp_path):
    """Every call is tried, an eighth of them in each case."""
    assert calls >= 25
    old, seen = current_digest(before), set()
    for at in range(1 + part, calls + 1, 8):
        build = tmp_path / str(at)
        shutil.copytree(before, build, symlinks=True)
        assert killed(build, at).returncode == -9
        current = Generation.open(build)
        assert current.digest == old or dict(current.contents) == {"a": b"newa", "b": b"newb"}, at
        seen.add(current.digest)
        assert Generation.load(build / GENERATIONS_FOLDER / old)
        again = make(build, "a")
        assert Generation.open(build).digest == again != current.digest
        assert sorted(p.name for p in build.iterdir()) == [".lock", CURRENT_LINK, GENERATIONS_FOLDER], at
        assert len(list((build / GENERATIONS_FOLDER).iterdir())) <= 3
    assert seen


@pytest.fixture
def small(tmp_path, monkeypatch) -> Path:
    """The corpus of one small edition, and its build folder, where a generation stands."""
    corpus = write_edition(tmp_path / "corpus", WITH_BREAK, KEYS)
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(corpus))
    monkeypatch.setenv("LEXBRIDGE_BUILD", str(tmp_path / "build"))
    make(tmp_path / "build", "old")
    return tmp_path / "build"


@pytest.mark.parametrize("written", [0, 1, 8, 9])
def test_a_full_disk_is_told_and_changes_nothing(written, small, monkeypatch):
    old = current_digest(small)
    left, write = iter(range(written)), Path.write_text

    def full(path: Path, *arguments, **how) -> int:
        if next(left, None) is None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        return write(path, *arguments, **how)

    monkeypatch.setattr(Path, "write_text", full)
    ended = CliRunner().invoke(main, ["build"])
    assert ended.exit_code == 1 and isinstance(ended.exception, SystemExit), ended.output
    assert f"Nothing can be written to {small} (No space left on device). Set LEXBRIDGE_BUILD" in ended.output
    assert current_digest(small) == old and sorted(p.name for p in small.iterdir()) == [
        ".lock",
        CURRENT_LINK,
        GENERATIONS_FOLDER,
    ]


# The limit of the size of a file is a disk that is full after so many bytes.
LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
from scripts.cli import main
main(["build"])
"""


@pytest.mark.parametrize("size", [0, 100, 2000])
def test_a_file_that_cannot_be_written_whole_is_told(size, small):
    old = current_digest(small)
    arguments = [sys.executable, "-c", LIMITED, str(size)]
    ended = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 1 and "Traceback" not in ended.stderr, ended.stderr
    assert f"Error: Nothing can be written to {small} (File too large). Set LEXBRIDGE_BUILD" in ended.stderr
    assert current_digest(small) == old and sorted(p.name for p in small.iterdir()) == [
        ".lock",
        CURRENT_LINK,
        GENERATIONS_FOLDER,
    ]


def test_a_folder_that_cannot_be_written_is_told(small, tmp_path):
    """Root may write anywhere: it asks somebody else to."""
    somebody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.getuid() == 0 else []
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(folder.stat().st_mode | 0o055)
    for path in (small, small / ".lock"):
        path.chmod(path.stat().st_mode & ~0o222)
    arguments = [*somebody, sys.executable, "-m", "scripts.cli", "build"]
    ended = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=False)
    small.chmod(0o755)
    assert ended.returncode == 1 and "Traceback" not in ended.stderr, ended.stderr
    assert f"Nothing can be written to {small} (Permission denied). Set LEXBRIDGE_BUILD" in ended.stderr


def test_a_second_build_at_the_same_time_is_refused(small):
    with lock_build_folder(small):
        for command in ("build", "ingest", "index"):
            ended = CliRunner().invoke(main, [command])
            assert ended.exit_code == 1 and f"Another build is at work in {small} (process" in ended.output, command


def test_a_fault_in_a_source_leaves_the_generation(small, tmp_path):
    old = current_digest(small)
    (tmp_path / "corpus" / "editions" / "xx-2030" / "edition.toml").write_text("title = ", encoding="utf-8")
    ended = CliRunner().invoke(main, ["build"])
    assert ended.exit_code == 1 and "editions/xx-2030/edition.toml:1:" in ended.output, ended.output
    assert current_digest(small) == old and sorted(p.name for p in small.iterdir()) == [
        ".lock",
        CURRENT_LINK,
        GENERATIONS_FOLDER,
    ]


def test_what_did_not_change_is_taken_over_and_nothing_is_published_for_nothing(small, tmp_path):
    run = lambda *options: CliRunner().invoke(main, ["build", *options])
    first = run("--without-pages")
    assert first.exit_code == 0 and "documents" in first.output and "pages" not in first.output, first.output
    assert (one := current_digest(small)) in first.output
    assert run("--without-pages").output == f"Nothing has changed: {one} stays.\n" and current_digest(small) == one
    assert run().output.startswith("corpus: unchanged\nsearch: unchanged\n") and (two := current_digest(small)) != one
    (tmp_path / "corpus" / "words").mkdir(exist_ok=True)
    (tmp_path / "corpus" / "words" / "synonyms-xx.toml").write_text("[synonyms]\n", encoding="utf-8")
    assert "unchanged" not in run().output and current_digest(small) not in (one, two)


def test_verify_names_the_first_file_that_is_not_as_it_was_built(small, tmp_path):
    run = lambda *words: CliRunner().invoke(main, ["verify", *words])
    make(small, "one", "two", "three")
    ended = run()
    assert ended.exit_code == 0 and ended.output == f"3 files of {current_digest(small)} are as they were built.\n"
    assert run(str(small / CURRENT_LINK)).exit_code == run(str(small)).exit_code == 0
    (small / CURRENT_LINK / "more").touch()
    ended = run(str(small))
    assert ended.exit_code == 1 and "/more is not in the manifest. Run: lexbridge build" in ended.output
    for name in ("two", "three"):
        (small / CURRENT_LINK / name).write_text("other")
    ended = run()
    assert ended.exit_code == 1 and "/three is not the file that was built. Run: lexbridge build" in ended.output
    (small / CURRENT_LINK / MANIFEST_FILE).unlink()
    assert run().exit_code == 1 and run(str(tmp_path / "nowhere")).exit_code == 1


def test_a_damaged_generation_is_made_anew(small):
    assert CliRunner().invoke(main, ["build"]).exit_code == 0
    file = next((small / CURRENT_LINK / "corpus").glob("nodes.jsonl"))
    file.write_text("broken", encoding="utf-8")
    ended = CliRunner().invoke(main, ["build"])
    assert ended.exit_code == 0 and "All of it is made anew." in ended.output, ended.output
    assert Generation.open(small)


def test_a_build_of_code_that_knew_a_kind_of_data_less_is_made_anew(small):
    """Its corpus lacks a file that this code reads; nobody needs to remove it first."""
    assert CliRunner().invoke(main, ["build"]).exit_code == 0
    lacking = LAYERS[-1].file
    published(small, small, lambda stage: (stage.folder / CORPUS_PART / lacking).unlink())
    ended = CliRunner().invoke(main, ["build"])
    assert ended.exit_code == 0 and "unchanged" not in ended.output, ended.output
    assert (small / CURRENT_LINK / CORPUS_PART / lacking).exists()


def test_ingest_and_index_make_the_next_generation_and_publish_nothing(small):
    run = lambda *words: CliRunner().invoke(main, [*words])
    old = current_digest(small)
    for command, parts in (("ingest", {"corpus"}), ("index", {"corpus", "search", "learned"}), ("ingest", {"corpus"})):
        ended = run(command)
        assert ended.exit_code == 0 and f"→ {small / NEXT_FOLDER}" in ended.output, ended.output
        made = Generation.open_latest(small)
        assert made.folder == small / NEXT_FOLDER and made.manifest.parts.keys() == parts
        assert current_digest(small) == old
    ended = run("search", "red")
    assert ended.exit_code == 1 and f"There is no search in {small / NEXT_FOLDER}. Run: lexbridge build" in ended.output
    assert run("build", "--without-pages").exit_code == 0 and not (small / NEXT_FOLDER).exists()
    assert run("index").exit_code == 0 and run("search", "red").exit_code == 0


def test_what_another_version_built_is_made_anew(small):
    run = lambda *words: CliRunner().invoke(main, [*words])
    assert run("build", "--without-pages").exit_code == 0
    manifest = small / CURRENT_LINK / MANIFEST_FILE
    manifest.write_text(manifest.read_text().replace('"schema": 2', '"schema": 1'))
    for command in (("index",), ("search", "red"), ("export", str(small / "out"))):
        ended = run(*command)
        assert ended.exit_code == 1 and "was built by another version of Lexbridge: " in ended.output, ended.output
        assert isinstance(ended.exception, SystemExit) and "Run: lexbridge build" in ended.output
    ended = run("build", "--without-pages")
    assert ended.exit_code == 0 and "All of it is made anew." in ended.output and Generation.open(small)
