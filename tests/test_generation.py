"""A generation is read whole and proved, or refused with what to do; and it is published whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from generations import staged

from corpus.generation import (
    CORPUS_PART,
    CURRENT_LINK,
    DISCARDED_PREFIX,
    GENERATIONS_FOLDER,
    LINK_PREFIX,
    MANIFEST_FILE,
    NEXT_FOLDER,
    PARTS,
    SEARCH_PART,
    STAGE_PREFIX,
    BuildRunning,
    BuildStage,
    Generation,
    Manifest,
    PartRecord,
    StoreError,
    current_digest,
    digest_of,
    keep_as_next,
    lock_build_folder,
    open_stage,
    part_keys,
    publish,
)

FILES = {"corpus/a.txt": b"one", "search/deep/b.bin": bytes(range(256)), "note.txt": b"{}"}


def fill(stage: BuildStage, files: dict[str, bytes] = FILES) -> BuildStage:
    """A stage with files and the records of their parts."""
    for name, data in files.items():
        (stage.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (stage.folder / name).write_bytes(data)
    for part in PARTS:
        if (stage.folder / part).is_dir():
            stage.record_part(part)
    return stage


def make(build: Path, files: dict[str, bytes] = FILES) -> Path:
    """Publish files; the folder of the generation."""
    with lock_build_folder(build), open_stage(build) as fresh:
        return build / GENERATIONS_FOLDER / publish(fill(fresh, files))


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


CORPUS = PartRecord(PARTS[CORPUS_PART].layout)


def manifest_of(files: dict[str, bytes], **parts: PartRecord) -> Manifest:
    """The manifest of files with these contents."""
    return Manifest.of({n: sha(data) for n, data in files.items()}, {n: len(data) for n, data in files.items()}, parts)


def consistent(folder: Path, files: dict[str, bytes], **parts: PartRecord) -> Path:
    """A folder whose manifest lists these, with the digest of them, under its own name."""
    manifest = manifest_of(files, **parts)
    (folder / MANIFEST_FILE).write_bytes(manifest.to_json())
    return folder.rename(folder.with_name(manifest.digest))


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
    assert [p.name for p in (generation.part("search") / "deep").glob("*")] == ["b.bin"]


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
    "cut off": manifest_of({NAME: b"one"}).to_json()[:-20],
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
    "no sizes": {"sizes": {}},
    "a size less": {"sizes": {NAME: 3}},
    "a size that is a text": {"sizes": {NAME: "3"}},
    "a size below zero": {"sizes": {NAME: -3}},
    "parts are a list": {"parts": []},
    "a part without a layout": {"parts": {CORPUS_PART: {}}},
    "no parts": {"parts": {}},
    "the digest is missing": {"digest": None},
    "the digest of another": {"digest": "0" * 64},
    "one file less, the digest as it was": {"files": {NAME: sha(b"one")}, "sizes": {NAME: 3}},
    "other inputs, the digest as it was": {"parts": {CORPUS_PART: {"layout": CORPUS.layout, "inputs": "other"}}},
}


@pytest.mark.parametrize("case", MALFORMED)
def test_what_is_no_manifest_is_refused(case, tmp_path):
    said = MALFORMED[case]
    folder = make(tmp_path)
    written = json.loads((folder / MANIFEST_FILE).read_bytes())
    data = said if isinstance(said, bytes) else json.dumps(written | said).encode()
    (folder / "manifest.json").write_bytes(data)
    with pytest.raises(StoreError, match=r"manifest.* Run: lexbridge build"):
        Generation.open(tmp_path)


@pytest.mark.parametrize("name", ["../out.txt", "/out.txt", "corpus/../../out.txt"])
def test_a_manifest_that_agrees_with_itself_does_not_lead_out(name, tmp_path):
    (tmp_path / GENERATIONS_FOLDER).mkdir()
    (tmp_path / GENERATIONS_FOLDER / "out.txt").write_bytes(b"secret")
    (tmp_path / GENERATIONS_FOLDER / "x").mkdir()
    folder = consistent(tmp_path / GENERATIONS_FOLDER / "x", {name: b"secret"})
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
    with lock_build_folder(tmp_path), open_stage(tmp_path) as fresh:
        stage = staged(fresh.folder, build_dir)
        with (stage.folder / CORPUS_PART / "nodes.jsonl").open("a") as file:
            file.write("\n")
        stage.record_part(CORPUS_PART)
        publish(stage)
    with pytest.raises(StoreError, match=r"search was made from another corpus\. Run: lexbridge build"):
        Generation.open(tmp_path)


def test_a_search_without_the_corpus_that_it_was_made_from_is_refused(tmp_path):
    with lock_build_folder(tmp_path), open_stage(tmp_path) as fresh:
        stage = fill(fresh)
        shutil.rmtree(stage.folder / CORPUS_PART)
        del stage.parts[CORPUS_PART]
        publish(stage)
    with pytest.raises(StoreError, match="search was made from another corpus"):
        Generation.open(tmp_path)


def test_a_part_without_a_layout_is_refused(tmp_path):
    (tmp_path / "x" / CORPUS_PART).mkdir(parents=True)
    (tmp_path / "x" / NAME).write_bytes(b"one")
    sound = consistent(tmp_path / "x", {NAME: b"one"}, corpus=CORPUS)
    assert Generation.load(sound).read_file(NAME) == b"one"
    with pytest.raises(StoreError, match="does not name the layout of corpus"):
        Generation.load(consistent(sound, {NAME: b"one"}))


@pytest.mark.parametrize("part", [SEARCH_PART, "index"])
def test_what_another_version_built_is_refused_in_one_sentence(part, tmp_path, monkeypatch):
    """A part of another layout, or one that this version does not know; but who reads no such part may go on."""
    with monkeypatch.context() as other:
        other.setitem(PARTS, part, replace(PARTS[SEARCH_PART], layout="other-7"))
        folder = make(tmp_path, FILES | {f"{part}/x": b"x"})
    found = f"{part} has the layout “other-7”, which this version does not read"
    said = f"{folder} was built by another version of Lexbridge: {found}. Run: lexbridge build"
    for parts in ((), (part,)):
        with pytest.raises(StoreError) as refused:
            Generation.open(tmp_path, parts)
        assert str(refused.value) == said
    assert Generation.open(tmp_path, (CORPUS_PART,)).contents == {NAME: b"one"}


def test_a_build_of_the_layout_before_this_one_is_refused_in_one_sentence(tmp_path):
    """Each part had a manifest of its own then, and files were listed without sizes."""
    folder = tmp_path / GENERATIONS_FOLDER / ("0" * 64)
    (folder / CORPUS_PART).mkdir(parents=True)
    (folder / NAME).write_bytes(b"one")
    (folder / MANIFEST_FILE).write_text(json.dumps({"schema": 1, "digest": folder.name, "files": {NAME: sha(b"one")}}))
    (tmp_path / CURRENT_LINK).symlink_to(f"{GENERATIONS_FOLDER}/{folder.name}")
    found = "manifest.json has the schema 1, and this version reads 2"
    with pytest.raises(StoreError) as refused:
        Generation.open(tmp_path)
    assert str(refused.value) == f"{folder} was built by another version of Lexbridge: {found}. Run: lexbridge build"


def test_the_manifest_says_what_each_file_and_each_part_is(tmp_path):
    with lock_build_folder(tmp_path), open_stage(tmp_path, {CORPUS_PART: "key"}) as stage:
        publish(fill(stage))
    written = json.loads((tmp_path / CURRENT_LINK / MANIFEST_FILE).read_bytes())
    assert written["files"] == {name: sha(data) for name, data in FILES.items()}
    assert written["sizes"] == {name: len(data) for name, data in FILES.items()}
    corpus = digest_of({NAME: sha(b"one")})
    assert written["parts"] == {
        CORPUS_PART: {"layout": PARTS[CORPUS_PART].layout, "inputs": "key", "made_from": {}},
        SEARCH_PART: {"layout": PARTS[SEARCH_PART].layout, "inputs": "", "made_from": {CORPUS_PART: corpus}},
    }


def test_what_is_missing_is_named(tmp_path):
    folder, made = make(tmp_path), Generation.open(tmp_path, (CORPUS_PART,))
    with pytest.raises(StoreError, match=rf"There is no pages in {folder}\. Run: lexbridge build"):
        made.part("pages")
    with pytest.raises(StoreError, match=rf"{folder}/corpus/b is missing\. Run: lexbridge build"):
        made.read_file("corpus/b")


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
    flipped(folder / "note.txt")
    assert make(tmp_path) == folder and Generation.open(tmp_path).read_file("note.txt") == b"{}"
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
    (tmp_path / NEXT_FOLDER).mkdir()
    with lock_build_folder(tmp_path):
        assert sorted(p.name for p in tmp_path.iterdir()) == [".lock", CURRENT_LINK, GENERATIONS_FOLDER, NEXT_FOLDER]


def test_what_was_made_last_is_next_until_something_is_published(tmp_path):
    with pytest.raises(StoreError, match="Run: lexbridge build"):
        Generation.open_latest(tmp_path)
    published = make(tmp_path)
    assert Generation.open_latest(tmp_path).folder == published
    for data in (b"two", b"three"):
        keep(tmp_path, {NAME: data})
        assert Generation.open_latest(tmp_path).contents == {NAME: data}
        assert Generation.open(tmp_path).folder == published, "nothing is published"
        assert (tmp_path / NEXT_FOLDER).stat().st_mode & 0o777 == 0o755
    flipped(tmp_path / NEXT_FOLDER / NAME)
    with pytest.raises(StoreError, match=r"next/corpus/a\.txt is not the file that was built"):
        Generation.open_latest(tmp_path)
    make(tmp_path, FILES | {NAME: b"four"})
    assert not (tmp_path / NEXT_FOLDER).exists() and Generation.open_latest(tmp_path).read_file(NAME) == b"four"


def keep(build: Path, files: dict[str, bytes]) -> None:
    with lock_build_folder(build), open_stage(build) as stage:
        keep_as_next(fill(stage, files))


@pytest.mark.parametrize("fails", [0, 1])
def test_whichever_rename_fails_the_old_folder_stands(fails, tmp_path, monkeypatch):
    keep(tmp_path, {NAME: b"old"})
    rename, asked = Path.rename, []

    def failing(path, target):
        asked.append(path)
        if len(asked) == fails + 1:
            raise OSError("the disk is full")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(OSError, match="the disk is full"):
        keep(tmp_path, {NAME: b"new"})
    assert sorted(p.name for p in tmp_path.iterdir()) == [".lock", NEXT_FOLDER]
    assert Generation.open_latest(tmp_path).contents == {NAME: b"old"}


def test_a_part_is_taken_over_as_it_was_read_and_shares_no_later_damage(tmp_path):
    before = Generation.load(make(tmp_path))
    old = before.folder / "search" / "deep" / "b.bin"
    with lock_build_folder(tmp_path), open_stage(tmp_path) as fresh:
        fresh.copy_part("search", before)
        old.write_bytes(b"damaged")
        assert (fresh.folder / "search" / "deep" / "b.bin").read_bytes() == FILES["search/deep/b.bin"]
        assert [p.name for p in fresh.folder.iterdir()] == ["search"]
        assert fresh.parts == {"search": before.manifest.parts["search"]}


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
