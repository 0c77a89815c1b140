"""A generation is read whole and proved, or refused with what to do; and it is published whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path

import pytest
from generations import published

from corpus.generation import (
    CURRENT_LINK,
    DISCARDED_PREFIX,
    GENERATIONS_FOLDER,
    LINK_PREFIX,
    NEXT_FOLDER,
    STAGE_PREFIX,
    BuildRunning,
    Generation,
    StoreError,
    current_digest,
    digest_of,
    latest_folder,
    lock_build_folder,
    manifest_bytes,
    open_stage,
    part_keys,
    publish,
)
from corpus.library import Library
from index import IndexUnusable
from index.search import Searcher

FILES = {"corpus/a.txt": b"one", "search/deep/b.bin": bytes(range(256)), "made.json": b"{}"}


def make(build: Path, files: dict[str, bytes] = FILES) -> Path:
    """Publish files; the folder of the generation."""
    with lock_build_folder(build), open_stage(build) as fresh:
        for name, data in files.items():
            (fresh.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (fresh.folder / name).write_bytes(data)
        return build / GENERATIONS_FOLDER / publish(fresh)


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def listed(**changed) -> dict:
    """The manifest of the files, changed."""
    return json.loads(manifest_bytes({name: sha(data) for name, data in FILES.items()})) | changed


def consistent(folder: Path, files: dict[str, str]) -> Path:
    """A folder whose manifest lists these, with the digest of them, under its own name."""
    (folder / "manifest.json").write_bytes(manifest_bytes(files))
    return folder.rename(folder.with_name(digest_of(files)))


def test_what_was_made_is_read(tmp_path):
    folder = make(tmp_path)
    generation = Generation.open(tmp_path)
    assert (generation.folder, generation.digest) == (folder, current_digest(tmp_path))
    assert {name: generation.read_file(name) for name in generation.file_names()} == FILES
    assert generation.file_names("corpus/") == ["corpus/a.txt"]
    assert Generation.open(tmp_path, ("corpus",)).contents == {"corpus/a.txt": b"one"}
    assert (tmp_path / CURRENT_LINK).readlink() == Path(GENERATIONS_FOLDER, generation.digest)


def test_after_opening_no_path_is_looked_up(tmp_path):
    generation = Generation.load(make(tmp_path))
    shutil.rmtree(tmp_path)
    assert generation.read_file("search/deep/b.bin") == FILES["search/deep/b.bin"]
    assert [p.name for p in (generation.memory_path / "search" / "deep").glob("*")] == ["b.bin"]


def test_the_same_contents_have_the_same_digest(tmp_path):
    one, same = make(tmp_path / "1"), make(tmp_path / "2", dict(reversed(FILES.items())))
    assert one.name == same.name != make(tmp_path / "3", FILES | {"corpus/a.txt": b"two"}).name


def test_a_file_that_is_not_listed_is_never_opened(tmp_path):
    folder = make(tmp_path)
    os.mkfifo(folder / "corpus" / "pipe")  # who opened it would wait for ever
    (folder / "corpus" / "extra").symlink_to("/dev/zero")
    assert set(Generation.open(tmp_path).contents) == set(FILES)


NAME = "corpus/a.txt"
MALFORMED = {
    "empty": b"",
    "cut off": manifest_bytes({NAME: sha(b"one")})[:-20],
    "no text": b"\xff\xfe\x00",
    "no JSON": b"{'a': 1}",
    "too deep": b"[" * 100_000,
    "a number with too many digits": b'{"schema": ' + b"9" * 5000 + b"}",
    "a list": b"[]",
    "null": b"null",
    "a string": b'"manifest"',
    "no schema": {"schema": None},
    "another schema": {"schema": 99},
    "true for one": {"schema": True},
    "no files": {"files": None},
    "files are a list": {"files": [NAME]},
    "nothing is listed": {"files": {}},
    "a digest that is a number": {"files": {NAME: 5}},
    "a digest that is too short": {"files": {NAME: "ab"}},
    "a digest in capitals": {"files": {NAME: sha(b"one").upper()}},
    "a way out": {"files": {"../a.txt": sha(b"one")}},
    "a way out in the middle": {"files": {"corpus/../../a.txt": sha(b"one")}},
    "from the root": {"files": {"/etc/passwd": sha(b"one")}},
    "an empty step": {"files": {"corpus//a.txt": sha(b"one")}},
    "no name": {"files": {"": sha(b"one")}},
    "a NUL": {"files": {"a\0b": sha(b"one")}},
    "half a character": {"files": {"a\ud800": sha(b"one")}},
    "a name without end": {"files": {"a" * 5000: sha(b"one")}},
    "the manifest itself": {"files": {"manifest.json": sha(b"one")}},
    "the digest is missing": {"digest": None},
    "the digest of another": {"digest": "0" * 64},
    "one file less, the digest as it was": {"files": {NAME: sha(b"one")}},
}


@pytest.mark.parametrize("case", MALFORMED)
def test_what_is_no_manifest_is_refused(case, tmp_path):
    said = MALFORMED[case]
    folder = make(tmp_path)
    data = said if isinstance(said, bytes) else json.dumps(listed(**said)).encode()
    (folder / "manifest.json").write_bytes(data)
    with pytest.raises(StoreError, match=r"manifest.* Run: lexbridge build"):
        Generation.open(tmp_path)


@pytest.mark.parametrize("name", ["../out.txt", "/out.txt", "corpus/../../out.txt"])
def test_a_manifest_that_agrees_with_itself_does_not_lead_out(name, tmp_path):
    (tmp_path / GENERATIONS_FOLDER).mkdir()
    (tmp_path / GENERATIONS_FOLDER / "out.txt").write_bytes(b"secret")
    (tmp_path / GENERATIONS_FOLDER / "x").mkdir()
    folder = consistent(tmp_path / GENERATIONS_FOLDER / "x", {name: sha(b"secret")})
    with pytest.raises(StoreError, match="no path inside"):
        Generation.load(folder)


def gone(path: Path) -> None:
    path.unlink()


def shortened(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-2])


def flipped(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:1] + bytes([data[1] ^ 1]) + data[2:])


def linked(path: Path) -> None:
    """To a copy that has the right digest."""
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


def folder_instead(path: Path) -> None:
    path.unlink()
    path.mkdir()


def pipe_instead(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize("name", [*FILES, "manifest.json"])
@pytest.mark.parametrize("harm", [gone, shortened, flipped, linked, folder_instead, pipe_instead])
def test_one_thing_wrong_and_it_is_refused(harm, name, tmp_path):
    folder = make(tmp_path)
    harm(folder / name)
    with pytest.raises(StoreError, match="Run: lexbridge build"):
        Generation.open(tmp_path)


def test_a_folder_that_is_a_link_is_refused(tmp_path):
    folder = make(tmp_path)
    (folder / "search").rename(folder / "elsewhere")
    (folder / "search").symlink_to("elsewhere")
    with pytest.raises(StoreError, match="search is a link, which may lead anywhere"):
        Generation.open(tmp_path)


def test_a_folder_of_another_name_is_refused(tmp_path):
    folder = make(tmp_path)
    other = folder.rename(folder.with_name("0" * 64))
    with pytest.raises(StoreError, match="its digest is not 0000"):
        Generation.load(other)


def test_the_search_of_another_corpus_is_refused(build_dir, tmp_path):
    """All digests agree, and the folder is named by them."""
    published(tmp_path, build_dir, lambda folder: (folder / "corpus" / "manifest.json").open("a").write("\n"))
    place = Generation.open(tmp_path).memory_path
    with pytest.raises(IndexUnusable, match="made from another corpus"):
        Searcher.open(place, Library.open(place / "corpus"))


@pytest.mark.parametrize(
    "leads", ["generations", "elsewhere", "generations/../x", f"{GENERATIONS_FOLDER}/{'z' * 64}", "/tmp"]
)
def test_a_link_that_leads_elsewhere_names_no_generation(leads, tmp_path):
    (tmp_path / CURRENT_LINK).symlink_to(leads)
    assert current_digest(tmp_path) is None
    with pytest.raises(StoreError, match=r"There is no generation in .* Run: lexbridge build"):
        Generation.open(tmp_path)


def test_two_older_ones_stay_in_the_order_in_which_they_were_current(tmp_path):
    one, two, three, four = (make(tmp_path, {"corpus/a": bytes([n])}) for n in range(4))
    assert not one.exists() and all(Generation.load(folder) for folder in (two, three, four))
    # The oldest is made again: it is current, and the next to go is the one that was current before the others.
    assert make(tmp_path, {"corpus/a": b"\1"}) == two == (tmp_path / CURRENT_LINK).resolve()
    make(tmp_path, {"corpus/a": b"\4"})
    assert (
        sorted(p for p in (tmp_path / GENERATIONS_FOLDER).iterdir())
        == sorted([two, four, (tmp_path / CURRENT_LINK).resolve()])
        and not three.exists()
    )


def test_a_clock_that_was_set_back_changes_no_order(tmp_path, monkeypatch):
    one = make(tmp_path, {"corpus/a": b"1"})
    monkeypatch.setattr("time.time_ns", lambda: 1)
    later = [make(tmp_path, {"corpus/a": bytes([n])}) for n in range(3)]
    assert not one.exists() and all(folder.exists() for folder in later)


def test_what_is_damaged_is_made_good_by_the_same_build(tmp_path):
    folder = make(tmp_path)
    flipped(folder / "made.json")
    assert make(tmp_path) == folder and Generation.open(tmp_path).read_file("made.json") == b"{}"
    assert sorted(p.name for p in tmp_path.iterdir()) == [".lock", CURRENT_LINK, GENERATIONS_FOLDER]


def test_whatever_the_umask_everybody_may_read(tmp_path):
    before = os.umask(0o077)
    try:
        folder = make(tmp_path / "build")
    finally:
        os.umask(before)
    shown = [tmp_path / "build", folder.parent, folder, *folder.rglob("*")]
    assert {(p.is_dir(), p.stat().st_mode & 0o777) for p in shown} == {(True, 0o755), (False, 0o644)}


def test_two_builds_do_not_meet(tmp_path):
    with lock_build_folder(tmp_path), open_stage(tmp_path) as fresh:
        with pytest.raises(BuildRunning, match=rf"process {os.getpid()}\). Wait"), lock_build_folder(tmp_path):
            pass
        assert fresh.folder.exists()  # it is no debris: somebody is at work in it


def test_debris_of_killed_builds_goes(tmp_path):
    make(tmp_path)
    for prefix in (STAGE_PREFIX, DISCARDED_PREFIX):
        (tmp_path / f"{prefix}x" / "corpus").mkdir(parents=True)
    (tmp_path / f"{LINK_PREFIX}1").symlink_to("generations/none")
    (tmp_path / NEXT_FOLDER / ".corpus-x").mkdir(parents=True)
    with lock_build_folder(tmp_path):
        assert sorted(p.name for p in tmp_path.iterdir()) == [".lock", CURRENT_LINK, GENERATIONS_FOLDER, NEXT_FOLDER]
        assert not any((tmp_path / NEXT_FOLDER).iterdir())


def test_what_was_made_last_is_next_until_something_is_published(tmp_path):
    with pytest.raises(StoreError, match="Run: lexbridge build"):
        latest_folder(tmp_path)
    make(tmp_path)
    assert str(latest_folder(tmp_path)) == str((tmp_path / CURRENT_LINK).resolve())
    (tmp_path / NEXT_FOLDER / "corpus").mkdir(parents=True)
    assert latest_folder(tmp_path) == tmp_path / NEXT_FOLDER
    make(tmp_path, FILES | {"corpus/a.txt": b"two"})
    assert (
        not (tmp_path / NEXT_FOLDER).exists() and (latest_folder(tmp_path) / "corpus" / "a.txt").read_bytes() == b"two"
    )


@pytest.mark.parametrize("linking", [True, False])
def test_a_part_is_taken_over_as_it_is(linking, tmp_path, monkeypatch):
    before = Generation.load(make(tmp_path))

    def impossible(*_):
        raise OSError("no links here")

    if not linking:
        monkeypatch.setattr("os.link", impossible)
    with lock_build_folder(tmp_path), open_stage(tmp_path) as fresh:
        fresh.copy_part("search", before)
        taken = fresh.folder / "search" / "deep" / "b.bin"
        assert taken.read_bytes() == FILES["search/deep/b.bin"]
        assert taken.samefile(before.folder / "search" / "deep" / "b.bin") is linking
        assert [p.name for p in fresh.folder.iterdir()] == ["search"]


def test_what_was_built_is_no_input(tmp_path, monkeypatch):
    """By default a build folder stands inside the checkout."""
    monkeypatch.setenv("LEXBRIDGE_BUILD", str(tmp_path / "index" / "built"))
    for name in ("corpus/a.py", "index/a.py", "app/a.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("1")
    before = part_keys(tmp_path / "corpus", tmp_path)
    (tmp_path / "index" / "built").mkdir()
    (tmp_path / "index" / "built" / "manifest.json").write_text("{}")
    assert part_keys(tmp_path / "corpus", tmp_path) == before
    (tmp_path / "index" / "a.py").write_text("2")
    assert part_keys(tmp_path / "corpus", tmp_path) != before
