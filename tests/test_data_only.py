"""A generation is data: opening one executes nothing, equal inputs give equal bytes, and a signature proves them."""

from __future__ import annotations

import io
import json
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from generations import staged
from hypothesis import given
from hypothesis import strategies as st
from invented import invented, lists  # noqa: F401
from test_generation import make

from app.site.cache import CompressedBody, PagePacks, PageVersion, StoredPage, write_about, write_pack
from corpus.generation import (
    CORPUS_PART,
    MANIFEST_FILE,
    PAGES_PART,
    PARTS,
    SIGNATURE_FILE,
    BuildStage,
    Generation,
    StoreError,
    check_signature,
    lock_build_folder,
    open_stage,
    publish,
    refuse_unreadable,
    sign_generation,
)
from corpus.library import Library
from index.arrays import read_arrays, write_arrays
from index.engine import ARRAYS_FILE, POSTINGS_FOLDER, TERMS_FILE, ArrayEngine, write_postings
from index.search import Searcher

ROOT = Path(__file__).parent.parent


# ── What is planted ─────────────────────────────────────────────────────────────────────────────


class _Planted:
    """Unpickling it makes a folder."""

    def __init__(self, target: Path):
        self._target = target

    def __reduce__(self):
        return os.mkdir, (str(self._target),)


def planted(target: Path) -> list[bytes]:
    """Contents of files that make ``target`` where something unpickles them: a pickle, and an array of an object."""
    array = io.BytesIO()
    np.save(array, np.array([_Planted(target)], dtype=object), allow_pickle=True)
    return [pickle.dumps(_Planted(target)), array.getvalue()]


def test_what_is_planted_works(tmp_path):
    for n, data in enumerate(planted(tmp_path / "made")):
        if n:
            np.load(io.BytesIO(data), allow_pickle=True)
        else:
            pickle.loads(data)
        (tmp_path / "made").rmdir()


PACK = StoredPage(CompressedBody(b"br", b"gzip"), None)
# What earlier versions opened, beside the files of today: names of Whoosh, and arrays of numpy.
OLD_FILES = ("search/postings/_MAIN_1.toc", "search/postings/MAIN_b7yfy6lpcpst2cgy.seg", "search/heard.npz")


def _open_whole(stage: BuildStage, library: Library | None = None) -> None:
    """Open a stage as a server does: the library (or the one that is given), the search and the packs.

    Its manifest is that of the files which are there now.
    """
    stage.parts.clear()
    for part in PARTS:
        if (stage.folder / part).is_dir():
            stage.record_part(part)
    made = stage.read_parts()
    Searcher.open(made, library or Library.open(made))
    with refuse_unreadable(made.folder):
        PagePacks.open(made)


def _refusal(stage: BuildStage, library: Library | None) -> str:
    """The message with which a stage is refused; "" when it is opened."""
    try:
        _open_whole(stage, library)
    except StoreError as error:
        return str(error)
    return ""


def _plant_everywhere(stage: BuildStage, names: list[str], made: Path, library: Library | None) -> set[str]:
    """Plant each content in each file; return the files whose content was refused."""
    refused = set()
    for name in names:
        path = stage.folder / name
        before = path.read_bytes() if path.exists() else None
        for data in planted(made):
            path.unlink(missing_ok=True)
            path.write_bytes(data)
            if refusal := _refusal(stage, library):
                assert "\n" not in refusal, name
                assert refusal.endswith("Run: lexbridge build"), name
                refused.add(name)
            assert not made.exists(), name
        path.unlink()
        if before is not None:
            path.write_bytes(before)
    return refused


def test_planted_pickles_do_nothing_in_search_and_pages(invented, tmp_path):
    stage = BuildStage(tmp_path / "stage", tmp_path)
    searcher = invented.search({"new/1/A": ("Trick", "a trick")}, keep=stage.folder)
    with stage.make_part(PAGES_PART) as folder:
        write_pack(folder, "en", [("/", PACK)])
        write_about(folder, ["en"], PageVersion("", "code"))
    names = sorted(p.relative_to(stage.folder).as_posix() for p in stage.folder.rglob("*") if p.is_file())
    names.remove(MANIFEST_FILE)
    refused = _plant_everywhere(stage, [*names, *OLD_FILES], tmp_path / "made", searcher._index.library)
    # The bytes of a pack are sent, not read; nobody opens what is no file of ours.
    assert refused == set(names) - {"pages/en.pack"}


@pytest.mark.slow
def test_planted_pickles_do_nothing_in_the_corpus(build_dir, tmp_path):
    stage = staged(tmp_path / "stage", build_dir)
    names = sorted(p.relative_to(stage.folder).as_posix() for p in (stage.folder / CORPUS_PART).iterdir())
    assert len(names) > 10
    assert _plant_everywhere(stage, names, tmp_path / "made", None) == set(names)


# ── Numbers in a file ───────────────────────────────────────────────────────────────────────────

EXPECTED = {"one": "<f4 1", "two": "<i1 2"}


def _arrays(folder: Path) -> Path:
    path = folder / "some.arrays"
    write_arrays(path, {"one": np.array([1.5, 2], dtype=np.float32), "two": np.zeros((2, 3), dtype=np.int8)})
    return path


def test_arrays_come_back_and_cannot_be_written_to(tmp_path):
    found = read_arrays(_arrays(tmp_path), EXPECTED)
    assert found["one"].tolist() == [1.5, 2]
    assert found["two"].shape == (2, 3)
    with pytest.raises(ValueError, match="read-only"):
        found["one"][0] = 1


@pytest.mark.parametrize(
    "change",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data + b"\0" * 16,
        lambda data: data.replace(b"[2,3]", b"[2,9]"),
        lambda data: data.replace(b"[2,3]", b"[2147483647,2147483647]"),
        lambda data: data.replace(b"[2,3]", b"[-2,-3]"),
        lambda data: data.replace(b"[2,3]", b"[6]"),
        lambda data: data.replace(b"<f4", b"|O8"),
        lambda data: data.replace(b'"one"', b'"eno"'),
        lambda data: b"[" * 100_000 + data,
        lambda data: data.replace(b"\n", b" "),
    ],
)
def test_a_malformed_file_of_arrays_is_refused(tmp_path, change):
    path = _arrays(tmp_path)
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises((ValueError, RecursionError)):
        read_arrays(path, EXPECTED)


@given(st.binary(max_size=80))
def test_any_bytes_are_refused_as_arrays(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "any.arrays"
    path.write_bytes(data)
    with pytest.raises(ValueError):  # noqa: PT011 – whatever is wrong
        read_arrays(path, EXPECTED)


# ── Postings ────────────────────────────────────────────────────────────────────────────────────

DOCUMENTS = [
    {"own": [("trick", 2.5), ("bid", 1.0)], "forms": [("tricks", 1.0)]},
    {"own": [("bid", 1.0), ("bid", 2.0)]},
    {},
]


def test_an_engine_returns_what_was_written(tmp_path):
    write_postings(tmp_path / POSTINGS_FOLDER, ["own", "forms"], DOCUMENTS)
    engine = ArrayEngine.open(tmp_path, len(DOCUMENTS))
    of = lambda field, term: [part.tolist() for part in engine.documents_with_term(field, term)]
    assert of("own", "bid") == [[0, 1], [1.0, 3.0]]
    assert of("own", "trick") == [[0], [2.5]]
    assert of("own", "tricks") == of("other", "bid") == of("forms", "bid") == [[], []]
    # A length counts places, whatever their weights.
    assert engine.document_lengths("own").tolist() == [2.0, 2.0, 0.0]
    assert engine.document_lengths("other").tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("harm", "finding"),
    [
        (lambda terms, arrays: terms["own"].reverse(), "terms of own are not in order"),
        (lambda terms, arrays: terms["own"].pop(), "do not divide the postings"),
        (lambda terms, arrays: terms.update(other=[]), "not as many"),
        (lambda terms, arrays: arrays.update(begins=arrays["begins"][::-1]), "do not divide the postings"),
        (lambda terms, arrays: arrays.update(weights=arrays["weights"][:-1]), "not as many"),
        (lambda terms, arrays: arrays.update(lengths=arrays["lengths"][:, :-1]), "not as many"),
        (lambda terms, arrays: arrays.update(numbers=arrays["numbers"] * 0), "not in order"),
        (lambda terms, arrays: arrays.update(numbers=arrays["numbers"] + 9), "more of them than documents"),
        (lambda terms, arrays: arrays.update(weights=arrays["weights"] * np.nan), "no number"),
        (lambda terms, arrays: arrays.update(lengths=-arrays["lengths"]), "less than 0"),
    ],
)
def test_postings_that_do_not_fit_are_refused(tmp_path, harm, finding):
    folder = tmp_path / POSTINGS_FOLDER
    write_postings(folder, ["own", "forms"], DOCUMENTS)
    terms = json.loads((folder / TERMS_FILE).read_bytes())
    kinds = {"begins": "<u4 1", "numbers": "<u4 1", "weights": "<f4 1", "lengths": "<f4 2"}
    arrays = read_arrays(folder / ARRAYS_FILE, kinds)
    harm(terms, arrays)
    (folder / TERMS_FILE).write_text(json.dumps(terms), encoding="utf-8")
    write_arrays(folder / ARRAYS_FILE, arrays)
    with pytest.raises(StoreError, match=f"{finding}.* Run: lexbridge build"):
        ArrayEngine.open(tmp_path, len(DOCUMENTS))


WRITE = """
import sys
from pathlib import Path
from index.engine import write_postings
words = {f"word{n}" for n in range(500)}
write_postings(Path(sys.argv[1]), ["a", "b"], [{"a": [(w, 1.5) for w in sorted(words)[n:]]} for n in range(9)])
"""


def test_postings_are_the_same_bytes_in_another_process_on_another_path(tmp_path):
    written = []
    for seed, folder in (("1", tmp_path / "one"), ("2", tmp_path / "elsewhere" / "two")):
        folder.parent.mkdir(exist_ok=True)
        env = {**os.environ, "PYTHONHASHSEED": seed, "OMP_NUM_THREADS": seed, "PYTHONPATH": str(ROOT)}
        subprocess.run([sys.executable, "-c", WRITE, str(folder)], env=env, check=True)
        written.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert written[0] == written[1]
    assert len(written[0]) == 2


@pytest.mark.slow
def test_two_builds_of_one_commit_have_one_digest(tmp_path):
    digests = set()
    for seed, folder in (("1", tmp_path / "one"), ("2", tmp_path / "elsewhere" / "two")):
        for name in ("corpus", "index", "app", "scripts"):
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "built"))
        env = {key: value for key, value in os.environ.items() if not key.startswith("LEXBRIDGE_")}
        env |= {"PYTHONHASHSEED": seed, "OMP_NUM_THREADS": seed, "LEXBRIDGE_BUILD": str(folder / "built")}
        command = [sys.executable, "-m", "scripts.cli", "build", "--without-pages"]
        subprocess.run(command, env=env | {"PYTHONPATH": str(folder)}, cwd=folder, check=True)
        digests.add(Generation.open(folder / "built").digest)
    assert len(digests) == 1


# ── Signatures ──────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def keys(tmp_path_factory) -> tuple[Path, Path]:
    """Two private keys; the public ones stand beside them."""
    folder = tmp_path_factory.mktemp("keys")
    for name in ("ours", "other"):
        command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(folder / name)]
        subprocess.run(command, check=True)
    return folder / "ours", folder / "other"


def _public(key: Path) -> Path:
    return key.with_name(f"{key.name}.pub")


def test_a_signature_proves_a_generation_and_is_no_file_of_it(keys, tmp_path):
    folder = make(tmp_path)
    sign_generation(folder, keys[0])
    made = Generation.load(folder)
    check_signature(made, _public(keys[0]))
    assert SIGNATURE_FILE not in made.manifest.files
    with pytest.raises(StoreError, match="is not signed with"):
        check_signature(made, _public(keys[1]))


def test_without_a_signature_or_a_key_nothing_is_proved(keys, tmp_path):
    made = Generation.load(make(tmp_path))
    with pytest.raises(StoreError, match=r"is not signed\. Run: lexbridge build --sign KEY"):
        check_signature(made, _public(keys[0]))
    sign_generation(made.folder, keys[0])
    with pytest.raises(StoreError, match="is no public key"):
        check_signature(made, keys[0])
    (made.folder / SIGNATURE_FILE).write_bytes(b"no signature")
    with pytest.raises(StoreError, match="is not signed with"):
        check_signature(made, _public(keys[0]))


def test_one_flipped_bit_in_any_file_is_found(keys, tmp_path):
    folder = make(tmp_path)
    sign_generation(folder, keys[0])
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        before = path.read_bytes()
        for at in {0, len(before) // 2, len(before) - 1}:
            path.write_bytes(before[:at] + bytes([before[at] ^ 1]) + before[at + 1 :])
            if path.name == SIGNATURE_FILE and at == len(before) - 1:
                continue  # the blank line behind the signature
            with pytest.raises(StoreError):
                check_signature(Generation.load(folder), _public(keys[0]))
        path.write_bytes(before)


def test_a_manifest_with_more_than_was_signed_is_refused(keys, tmp_path):
    folder = make(tmp_path)
    sign_generation(folder, keys[0])
    manifest = folder / MANIFEST_FILE
    manifest.write_bytes(manifest.read_bytes().replace(b"{", b'{ "more": 1,', 1))
    with pytest.raises(StoreError, match="is not the manifest that a build wrote"):
        check_signature(Generation.load(folder), _public(keys[0]))


def test_a_generation_is_signed_when_it_is_published_and_a_copy_signs_anew(keys, tmp_path):
    def published(key: Path | None, name: str) -> Path:
        with lock_build_folder(tmp_path), open_stage(tmp_path) as stage:
            (stage.folder / "note.txt").write_text(name, encoding="utf-8")
            return tmp_path / "generations" / publish(stage, key)

    first = published(keys[0], "one")
    check_signature(Generation.load(first), _public(keys[0]))
    again = published(keys[1], "one")
    assert again == first
    check_signature(Generation.load(first), _public(keys[1]))
    stage = staged(tmp_path / "copy", tmp_path)
    (stage.folder / "note.txt").write_text("two", encoding="utf-8")
    assert SIGNATURE_FILE not in stage.seal().files
    with pytest.raises(StoreError, match="is not signed with"):
        check_signature(Generation.load(stage.folder), _public(keys[1]))


def test_without_ssh_keygen_one_sentence_says_what_to_install(keys, tmp_path, monkeypatch):
    folder = make(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StoreError, match="there is no ssh-keygen: install the package openssh-client"):
        sign_generation(folder, keys[0])
    assert not (folder / SIGNATURE_FILE).exists()


def test_verify_checks_the_signature(keys, tmp_path):
    from click.testing import CliRunner

    from scripts.commands import verify

    folder = make(tmp_path)
    sign_generation(folder, keys[0])
    run = lambda key: CliRunner().invoke(verify, ["--key", str(_public(key)), str(folder)])
    assert run(keys[0]).exit_code == 0
    assert "signed with" in run(keys[0]).output
    assert run(keys[1]).exit_code == 1
    assert "is not signed with" in run(keys[1]).output
