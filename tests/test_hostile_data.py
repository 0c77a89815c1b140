"""Every file of a corpus may be broken in every way: it is told with its line, or it is read, and nothing raises."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from broken import EDITION, KEYS, WITH_BREAK, problems
from hostile import kinds, mutations, small
from strangers import CORPUS, write_edition

from corpus import files, ingest
from corpus.files import MOST_PROBLEMS, InvalidFile
from corpus.ingest import with_layers
from corpus.layers import IngestResult
from corpus.model import Problem
from index import concept, lexicon

MANY = 16
READ_WITH_THE_TEXT = ("editions/", "languages/", "vocabulary/strengths")
READ_WITH_ALL_TEXTS = ("concordances/", "misprints/")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> Path:
    return small(tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="module")
def sound(corpus) -> IngestResult:
    return ingest.read_editions(corpus)


def read_again(name: str, corpus: Path, sound: IngestResult) -> list[Problem]:
    """The problems that stand there with what is in the file now; only what depends on it is read again."""
    if name.startswith(READ_WITH_THE_TEXT):
        return ingest.read_editions(corpus).problems
    if name.startswith(READ_WITH_ALL_TEXTS):
        return ingest.with_other_editions(replace(sound, problems=[]), corpus).problems
    found = with_layers(replace(sound, problems=[]), corpus)
    try:
        lexicon.read_lexicons(corpus, {})
        [*concept.read_synonyms(corpus), *concept.read_loan_words(corpus, found.languages, found.terms)]
    except InvalidFile as refused:
        return [*found.problems, *refused.problems]
    return found.problems


def test_there_is_a_file_of_every_kind():
    folders = {p.name for p in CORPUS.iterdir() if p.is_dir() and not any(p.glob("*.py"))} - {"__pycache__"}
    assert {name.partition("/")[0] for name in kinds()} == folders


@pytest.mark.parametrize("name", kinds())
def test_whatever_stands_in_a_file_is_told_or_read(name, corpus, sound):
    path = corpus / name
    before = path.read_bytes()
    told = 0
    try:
        for data in mutations(name, before, MANY):
            path.write_bytes(data)
            found = read_again(name, corpus, sound)
            assert all(str(p) and p.finding and p.move and p.line >= 1 for p in found)
            told += any(p.file == name for p in found)
    finally:
        path.write_bytes(before)
    assert told >= 4, "at least a file that is cut, that is not UTF-8, that is no text and that stands there twice"


# ── files that are none ─────────────────────────────────────────────────────────────────────────


def a_link(path: Path) -> None:
    path.symlink_to("/etc/passwd")


def a_link_to_a_neighbour(path: Path) -> None:
    path.symlink_to("../../languages/en.toml")


def a_link_to_nothing(path: Path) -> None:
    path.symlink_to("nothing")


def a_link_to_itself(path: Path) -> None:
    path.symlink_to(path.name)


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def a_folder(path: Path) -> None:
    path.mkdir()


def a_giant(path: Path) -> None:
    with path.open("wb") as giant:
        giant.truncate(files.LARGEST_TEXT_FILE + 1)


@pytest.mark.parametrize(
    "made", [a_link, a_link_to_a_neighbour, a_link_to_nothing, a_link_to_itself, a_pipe, a_device, a_folder, a_giant]
)
@pytest.mark.parametrize(
    "name",
    [
        f"editions/{EDITION}/edition.toml",
        f"editions/{EDITION}/source.txt",
        f"editions/{EDITION}/corrections.tsv",
        f"editions/{EDITION}/slips.toml",
        f"editions/{EDITION}/spelling.tsv",
        f"editions/{EDITION}/strength.toml",
        f"editions/{EDITION}/index.tsv",
        "languages/en.toml",
        "concordances/a.tsv",
        "words/lemmas-en.tsv",
        "terms/a.toml",
        "paraphrases/a.tsv",
        "situations/a.toml",
    ],
)
def test_what_is_no_plain_file_of_the_corpus_is_told(name, made, tmp_path):
    corpus = write_edition(tmp_path, WITH_BREAK, KEYS)
    (corpus / name).unlink(missing_ok=True)
    (corpus / name).parent.mkdir(exist_ok=True)
    made(corpus / name)
    told = [p for p in problems(corpus) if p.file == name]
    assert told and all(p.move for p in told)
    assert not any("root:" in str(p) for p in told), "what stands elsewhere is no finding"


@pytest.mark.parametrize("name", [f"editions/{EDITION}", "editions", "languages", "terms"])
def test_a_folder_that_is_a_link_is_told(name, tmp_path):
    corpus = write_edition(tmp_path / "corpus", WITH_BREAK, KEYS)
    (corpus / "terms").mkdir()
    (corpus / "terms" / "a.toml").write_text("", encoding="utf-8")
    (corpus / name).rename(tmp_path / "elsewhere")
    (corpus / name).symlink_to(tmp_path / "elsewhere")
    assert any("stands behind one" in p.finding and p.fatal for p in problems(corpus))


def test_a_corpus_may_itself_stand_behind_a_link(tmp_path):
    write_edition(tmp_path / "there", WITH_BREAK, KEYS)
    (tmp_path / "here").symlink_to("there")
    assert [str(p) for p in problems(tmp_path / "here")] == []


@pytest.mark.parametrize("source", ["../yy-2030/source.txt", "/etc/passwd", "..", "a/../b.txt", "a/b", ".env", ""])
def test_a_source_stands_in_the_folder_of_its_edition(source, tmp_path):
    corpus = write_edition(tmp_path, WITH_BREAK, KEYS)
    manifest = corpus / "editions" / EDITION / "edition.toml"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace('"source.txt"', f'"{source}"'), encoding="utf-8")
    assert any("source" in p.finding and p.fatal and p.file.endswith("edition.toml") for p in problems(corpus))


# ── files that are too much ─────────────────────────────────────────────────────────────────────

BOMBS = {
    "lists in lists": "x = " + "[" * 5000 + "]" * 5000,
    "a few lists in lists": "x = " + "[" * 60 + "]" * 60,
    "tables in tables": "x = " + "{a = " * 900 + "1" + "}" * 900,
    "a key of many parts": "a." * 20_000 + "a = 1",
    "a header of many parts": "[" + "a." * 20_000 + "a]",
    "many rows": "[[slip]]\nkind = 1\n" * 20_000,
    "a list of many lines": "title = [\n" + "1,\n" * 20_000 + "]",
    "a number of many digits": "year = " + "9" * 5000,
    "a number of many bits": "year = 0x" + "f" * 5000,
    "many keys": "".join(f"k{n} = 1\n" for n in range(20_000)),
    "signs that hide": 'title = "\\u202Elaw"',
    "a sign that is none": 'title = "\\u0007"',
    "a key that hides": '"\\u202E" = 1',
    "half a sign": 'title = "\\uD800"',
}


@pytest.mark.parametrize("name", BOMBS)
@pytest.mark.parametrize("where", [f"editions/{EDITION}/edition.toml", f"editions/{EDITION}/slips.toml"])
def test_a_file_that_is_too_much_is_told(name, where, tmp_path):
    corpus = write_edition(tmp_path, WITH_BREAK, KEYS)
    (corpus / where).write_text(BOMBS[name], encoding="utf-8")
    told = [p for p in problems(corpus) if p.file == where and p.fatal]
    assert 0 < len(told) <= MOST_PROBLEMS and all(len(str(p)) < 20_000 for p in told)
    assert not any("recursion" in str(p) for p in told)


ROWS = {
    "a header without an end": "line" * 1_000_000,
    "rows of too many cells": "{header}\n" + "1\t" * 9 + "\n" + ("1\t" * 9 + "\n") * 50_000,
    "rows that hide": "{header}\n" + "\u202e\n" * 200_000,
}


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize(
    "where, header",
    [
        (f"editions/{EDITION}/corrections.tsv", "line\tcolumn\tsource\tpublished\tbasis\treason"),
        ("concordances/xx-yy.tsv", "xx-2030\tyy-2030\trelation"),
    ],
)
def test_rows_that_are_too_much_are_told(where, header, name, tmp_path):
    corpus = write_edition(tmp_path, WITH_BREAK, KEYS)
    (corpus / where).parent.mkdir(exist_ok=True)
    (corpus / where).write_text(ROWS[name].replace("{header}", header), encoding="utf-8")
    told = [p for p in problems(corpus) if p.file == where]
    assert 0 < len(told) <= MOST_PROBLEMS and all(len(str(p)) < 1_000 for p in told)


@pytest.mark.parametrize("sign", ["\x00", "\x07", "\u202e", "\u2066", "\ufffe", "\ufffd", "\x1b"])
@pytest.mark.parametrize("name", ["source.txt", "corrections.tsv", "spelling.tsv"])
def test_a_sign_that_is_no_character_of_a_text_is_told_with_its_line(name, sign, tmp_path):
    headers = {"corrections.tsv": "line\tcolumn\tsource\tpublished\tbasis\treason\n", "source.txt": "LAW 1 — ONE\n"}
    text = headers.get(name, "line\tprinted\tmeant\treason\tremark\n") + f"a{sign}b\n"
    corpus = write_edition(tmp_path, text if name == "source.txt" else WITH_BREAK, KEYS)
    if name != "source.txt":
        (corpus / "editions" / EDITION / name).write_text(text, encoding="utf-8")
    told = [p for p in problems(corpus) if p.file == f"editions/{EDITION}/{name}" and f"U+{ord(sign):04X}" in p.finding]
    assert [p.line for p in told] == [2]


# ── one fault, one edition ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("broken", ["edition.toml", "source.txt"])
def test_a_fault_in_one_edition_is_named_there_and_nowhere_else(broken, tmp_path):
    """The tables, tellings and conditions that name it say nothing, and the other edition is read."""
    corpus = write_edition(tmp_path, WITH_BREAK, KEYS)
    write_edition(tmp_path, WITH_BREAK.replace("nothing", "little"), KEYS, name="yy-2030")
    rows = {
        "concordances/xx-yy.tsv": "xx-2030\tyy-2030\trelation\n" + "".join(f"1/{n}\t\tdropped\n" for n in range(200)),
        f"paraphrases/{EDITION}.tsv": "path\ten\n" + "".join(f"1/A\ttold {n}\n" for n in range(200)),
        f"conditions/{EDITION}.tsv": "path\tcondition\twords\tremark\n" + "1/A\tscreens\tcards\t\n" * 200,
        "conditions/names.toml": 'screens = {en = "screens"}\n',
    }
    for name, text in rows.items():
        (corpus / name).parent.mkdir(exist_ok=True)
        (corpus / name).write_text(text, encoding="utf-8")
    (corpus / "editions" / EDITION / broken).write_bytes(b"\xff")
    result = ingest.read_editions(corpus)
    assert [p.file for p in result.fatal_problems] == [f"editions/{EDITION}/{broken}"]
    assert len(result.problems) < 5 and result.readings["yy-2030"].nodes
