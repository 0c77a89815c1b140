"""A table that lost a row, or that a merge or a spreadsheet damaged, is told with its line and is not published."""

from __future__ import annotations

import datetime as dt
import random
import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from time import process_time

import pytest
from broken import EDITION, KEYS, WITH_BREAK
from click.testing import CliRunner
from strangers import CORPUS, write_edition

from corpus.edition import list_editions
from corpus.files import InvalidFile
from corpus.inventory import FILE, accept_tables, inventory_problems, list_tables, read_table
from corpus.model import Problem
from scripts.cli import main
from tests.budget import least, sampled

DAY = dt.date(2026, 11, 23)
TSV = (
    "concordances/1997-2007.tsv",
    "conditions/sk-2017.tsv",
    "editions/hr-1997/spelling.tsv",
    "editions/pl-2007/index.tsv",
    "editions/sk-2017/corrections.tsv",
    "paraphrases/pzbs-2017.tsv",
    "situations/findings.tsv",
    "situations/readings.tsv",
    "words/forms.tsv",
)
TOML = (
    "editions/pl-2007/slips.toml",
    "editions/pl-2007/strength.toml",
    "languages/sk.toml",
    "misprints/sentences.toml",
    "rulings/pzbs/body.toml",
    "situations/revoke-established.toml",
    "terms/revoke.toml",
    "thresholds.toml",
    "vocabulary/duties.toml",
    "words/synonyms-pl.toml",
)
SOME = ("concordances/1997-2007.tsv", "editions/hr-1997/spelling.tsv", "terms/revoke.toml", "words/forms.tsv")


def of_real_tables(folder: Path, names: Iterable[str]) -> Path:
    """A corpus of some of our tables, all accepted, and of the folders of our editions."""
    for id_ in list_editions(CORPUS):
        (folder / "editions" / id_).mkdir(parents=True)
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(CORPUS / name, folder / name)
    accept_tables(folder, ["."], "counted for a test", DAY)
    return folder


@pytest.fixture
def corpus(tmp_path) -> Path:
    """Four tables, of two kinds of file."""
    return of_real_tables(tmp_path / "corpus", SOME)


@pytest.fixture
def alone(name, tmp_path) -> Path:
    """The table of a test alone."""
    return of_real_tables(tmp_path / "corpus", [name])


def of_table(corpus: Path, name: str) -> list[Problem]:
    found = inventory_problems(corpus)
    assert {p.file for p in found} <= {name}, found
    return found


def at(number: int, change):
    """Change the line of a number, counted from the end if it is negative."""

    def changed(text: str) -> str:
        lines = text.rstrip("\n").split("\n")
        lines[number : number + 1 or None] = change(lines[number])
        return "\n".join(lines) + "\n"

    return changed


def without_last_column(text: str) -> str:
    lines = text.split("\n")
    head = next(n for n, line in enumerate(lines) if not line.startswith("#"))
    width = len(lines[head].split("\t")) - 1
    return "\n".join("\t".join(line.split("\t")[:width]) for line in lines)


def with_column_named_otherwise(text: str) -> str:
    lines = text.split("\n")
    head = next(n for n, line in enumerate(lines) if not line.startswith("#"))
    lines[head] += "x"
    return "\n".join(lines)


MERGED = lambda line: ["<<<<<<< HEAD", line, "=======", line, ">>>>>>> other"]
BOTH = {
    "cut in half": lambda text: text[: text.index("\n", len(text) // 2) + 1],
    "emptied": lambda text: "",
    "a merge": at(-2, MERGED),
    "a byte order mark": lambda text: "\ufeff" + text,
    "half of a merge": at(-1, lambda line: [line, "=======", line]),
}
OF_ROWS = {
    "the first row is gone": lambda text: re.sub(r"(?m)(\A(?:#.*\n)*.*\n).*\n", r"\1", text, count=1),
    "a row is gone": at(-3, lambda line: []),
    "the last row is gone": at(-1, lambda line: []),
    "three rows are gone": at(-3, lambda line: []) and (lambda text: at(-3, lambda _: [])(at(-3, lambda _: [])(text))),
    "a key is another": at(-2, lambda line: ["9" + line]),
    "a quoted row": at(-2, lambda line: [f'"{line}"']),
    "quoted cells": at(-2, lambda line: ["\t".join(f'"{cell}"' for cell in line.split("\t"))]),
    "a cell of a spreadsheet": at(-2, lambda line: [f'{line.rpartition(chr(9))[0]}\t"one, ""two"""']),
    "commas": at(-2, lambda line: [line.replace("\t", ",")]),
    "blanks for tabs": at(-2, lambda line: [line.replace("\t", "    ")]),
    "a cell too many": at(-2, lambda line: [line + "\t" * 12]),
    "a lost column": without_last_column,
    "a column with another name": with_column_named_otherwise,
}


@pytest.mark.parametrize("fault", [*BOTH, *OF_ROWS])
@pytest.mark.parametrize("name", TSV)
def test_a_damaged_table_of_rows_is_told(name, fault, alone):
    change = (BOTH | OF_ROWS)[fault]
    before = (alone / name).read_text(encoding="utf-8")
    (alone / name).write_text(change(before), encoding="utf-8")
    assert (alone / name).read_text(encoding="utf-8") != before
    told = of_table(alone, name)
    assert told and all(p.fatal and p.move for p in told), told


OF_VALUES = {
    "a key is another": lambda text: re.sub(r'(?m)^("?)(?=\w[^=\n]*= )', r"\1z", text, count=1),
    "the last value is gone": lambda text: re.sub(r"(?ms)^[\w\"-]+ = (?!.*^[\w\"-]+ = ).*\Z", "", text),
    "no TOML": at(-1, lambda line: [line, "x = = 1"]),
}


@pytest.mark.parametrize("fault", [*BOTH, *OF_VALUES])
@pytest.mark.parametrize("name", TOML)
def test_a_damaged_file_of_values_is_told(name, fault, alone):
    before = (alone / name).read_text(encoding="utf-8")
    after = (BOTH | OF_VALUES)[fault](before)
    assert after.rstrip() != before.rstrip()
    (alone / name).write_text(after, encoding="utf-8")
    told = of_table(alone, name)
    assert told and all(p.fatal and p.move for p in told), told


@pytest.mark.parametrize("name", [*TSV, *TOML])
def test_a_missing_table_is_told(name, alone):
    (alone / name).unlink()
    (told,) = of_table(alone, name)
    assert told.fatal and "which had" in told.finding and f"--accept {name}" in told.move


def removable_lines(text: str) -> list[int]:
    """The lines, from 0, that hold something else than a remark or a piece of a long text."""
    out, inside = [], False
    for number, line in enumerate(text.split("\n")):
        marks = line.count('"""') + line.count("'''")
        if not inside and not marks and line.strip() and not line.lstrip().startswith("#"):
            out.append(number)
        inside ^= marks % 2 == 1
    return out


def test_whichever_line_any_table_loses_is_told(tmp_path):
    """Of our own tables: a few lines of each, others in every table but the same in every run."""
    here, chosen, tried = list_editions(CORPUS), random.Random(7), 0
    for id_ in here:
        (tmp_path / "editions" / id_).mkdir(parents=True)
    for name in sampled(list_tables(CORPUS)):
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        text = (CORPUS / name).read_text(encoding="utf-8")
        lines, digest = text.split("\n"), read_table(CORPUS, name, here).digest
        able = removable_lines(text)
        for number in {able[0], able[-1], *chosen.sample(able, min(2 if name.endswith(".tsv") else 1, len(able)))}:
            place.write_text("\n".join(lines[:number] + lines[number + 1 :]), encoding="utf-8")
            table = read_table(tmp_path, name, here)
            assert table.faults or table.digest != digest, f"{name}:{number + 1}: {lines[number]}"
            tried += 1
    assert tried > least(1_000)


@pytest.mark.parametrize("number", [2, 40, 700, 885])
def test_the_line_where_a_row_is_lost_is_told(number, corpus):
    name = "concordances/1997-2007.tsv"
    lines = (corpus / name).read_text(encoding="utf-8").split("\n")
    (corpus / name).write_text("\n".join(lines[: number - 1] + lines[number:]), encoding="utf-8")
    (told,) = of_table(corpus, name)
    assert (told.file, told.line) == (name, number)
    assert told.finding.startswith("The table has 884 rows, 885 were reviewed")


def test_what_was_mended_or_moved_is_not_told(corpus):
    name = "editions/hr-1997/spelling.tsv"
    head, first, second, *rest = (corpus / name).read_text(encoding="utf-8").split("\n")
    mended = second.rpartition("\t")[0] + "\tanother remark"
    (corpus / name).write_text("\n".join([head, mended, first, *rest]), encoding="utf-8")
    term = corpus / "terms/revoke.toml"
    term.write_text(
        term.read_text(encoding="utf-8").replace("not to follow the suit", "NOT to follow"), encoding="utf-8"
    )
    assert not inventory_problems(corpus)


@pytest.mark.parametrize(
    "change, line",
    [
        (lambda lines: [*lines[:97], lines[97].replace("3.1.D", "3.1.E"), *lines[98:]], 98),
        (lambda lines: [*lines[:50], *lines[51:]], 51),
        (lambda lines: [*lines[:50], "Another line.", *lines[50:]], 51),
        (lambda lines: [*lines, "Another line."], 656),
    ],
    ids=["a digit", "a lost line", "a new line", "a new end"],
)
def test_a_text_that_is_not_the_reviewed_one_is_told_with_its_line(change, line, tmp_path):
    """Even if its sha256 was brought up to date."""
    name = "editions/pzbs-2017/source.txt"
    corpus = of_real_tables(tmp_path, [name])
    lines = (corpus / name).read_text(encoding="utf-8").split("\n")
    assert len(lines) == 655 and change(lines) != lines
    assert not inventory_problems(corpus)
    (corpus / name).write_text("\n".join(change(lines)), encoding="utf-8")
    (told,) = inventory_problems(corpus)
    assert (told.file, told.line, told.fatal) == (name, line, True) and "The text is not the one" in told.finding


def test_line_ends_of_windows_are_noted(corpus):
    name = "editions/hr-1997/spelling.tsv"
    written = (corpus / name).read_bytes().split(b"\n")
    (corpus / name).write_bytes(b"\n".join(written[:2]) + b"\n" + b"\r\n".join(written[2:]))
    (told,) = of_table(corpus, name)
    assert (told.line, told.fatal) == (3, False) and "as Windows writes it" in told.finding


def test_added_rows_and_tables_are_noted(corpus):
    """A new edition adds some of both, and is built before anybody has accepted them."""
    term = corpus / "terms/revoke.toml"
    term.write_text(
        term.read_text(encoding="utf-8").replace("[about]\n", '[about]\nnl-2031 = ["64"]\n'), encoding="utf-8"
    )
    (corpus / "editions/nl-2031").mkdir()
    (corpus / "editions/nl-2031/corrections.tsv").write_text("line\tcolumn\n", encoding="utf-8")
    (corpus / "words/x.toml").write_text("", encoding="utf-8")
    told = {p.file: p for p in inventory_problems(corpus)}
    assert set(told) == {"terms/revoke.toml", FILE, "words/x.toml"} and not any(p.fatal for p in told.values())
    assert "No table of the edition “nl-2031” is listed." in str(told[FILE])
    line = term.read_text(encoding="utf-8").split("\n").index('nl-2031 = ["64"]') + 1
    assert told["terms/revoke.toml"].line == line and "2 row(s) more than" in told["terms/revoke.toml"].finding


def test_the_tables_of_an_edition_without_a_folder_are_not_compared(corpus):
    shutil.rmtree(corpus / "editions" / "hr-1997")
    (corpus / "concordances/1997-2007.tsv").unlink()
    (corpus / "terms/revoke.toml").write_text("", encoding="utf-8")
    (told,) = inventory_problems(corpus)
    assert not told.fatal and told.file == FILE and "“hr-1997” has no folder" in told.finding
    (corpus / "words/forms.tsv").unlink()
    assert [p.file for p in inventory_problems(corpus) if p.fatal] == ["words/forms.tsv"]


def test_a_manifest_may_lose_a_key(tmp_path):
    corpus = write_edition(tmp_path, WITH_BREAK, KEYS)
    accept_tables(corpus, ["."], "counted", DAY)
    manifest = corpus / "editions" / EDITION / "edition.toml"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace('name = "break"\n', ""), encoding="utf-8")
    (told,) = inventory_problems(corpus)
    assert not told.fatal and told.file == f"editions/{EDITION}/edition.toml"


@pytest.mark.parametrize(
    "change, line, finding",
    [
        (lambda text: text + text.split("\n")[1] + "\n", 6, "stands here twice"),
        (lambda text: re.sub("counted for a test", " ", text, count=1), 2, "lacks its number of rows, or its reason"),
        (lambda text: text.replace("\t885\t", "\tmany\t"), 2, "lacks its number of rows, or its reason"),
        (lambda text: text.replace("\tletters\t", "\t"), 1, "The header is"),
        (at(3, MERGED), 4, "1 cells"),
    ],
)
def test_a_fault_of_the_inventory_is_told(change, line, finding, corpus):
    text = (corpus / FILE).read_text(encoding="utf-8")
    (corpus / FILE).write_text(change(text), encoding="utf-8")
    told = inventory_problems(corpus)[0]
    assert told.fatal and (told.file, told.line) == (FILE, line) and finding in told.finding


def test_our_tables_are_as_they_were_accepted_and_comparing_them_is_quick():
    began = process_time()
    assert [str(p) for p in inventory_problems(CORPUS)] == []
    assert process_time() - began < 5  # alone it takes less than one; the whole check may take ten


# ── the command ─────────────────────────────────────────────────────────────────────────────────


def run(*arguments: str, typed: str = ""):
    return CliRunner().invoke(main, list(arguments), input=typed)


def test_a_table_is_accepted_with_a_reason_that_stays(corpus, monkeypatch):
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(corpus))
    for name in ("words/forms.tsv", "terms/revoke.toml"):
        lines = (corpus / name).read_text(encoding="utf-8").rstrip("\n").split("\n")
        (corpus / name).write_text("\n".join(lines[:-4]) + "\n", encoding="utf-8")
    before = run("inventory")
    assert before.exit_code == 1 and "words/forms.tsv:" in before.output and "2 difference(s)" in before.output
    assert run("inventory", "--accept", "words/forms.tsv", typed="it was wrong\n").exit_code == 0
    path = str(corpus / "terms" / "revoke.toml")
    again = run("inventory", "--accept", path, "--accept", "words", "--reason", "a\tnew\nreading")
    assert again.exit_code == 0 and "1 line(s) renewed" in again.output
    rows = {row.split("\t")[0]: row.split("\t") for row in (corpus / FILE).read_text(encoding="utf-8").splitlines()}
    assert rows["words/forms.tsv"][-1] == "it was wrong" and rows["terms/revoke.toml"][-1] == "a new reading"
    assert rows["concordances/1997-2007.tsv"][-1] == "counted for a test"
    assert run("inventory").exit_code == 0


def test_a_table_that_was_taken_away_can_be_accepted(corpus, monkeypatch):
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(corpus))
    (corpus / "words/forms.tsv").unlink()
    assert run("inventory", "--accept", "words/forms.tsv", "--reason", "the lists have them").exit_code == 0
    assert run("inventory").exit_code == 0 and "the lists have them" in (corpus / FILE).read_text(encoding="utf-8")
    shutil.copy(CORPUS / "words/forms.tsv", corpus / "words")
    back = run("inventory")
    assert back.exit_code == 0 and "words/forms.tsv:1: The table is not in inventory.tsv." in back.output


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["--accept", "words/none.tsv", "--reason", "x"], "words/none.tsv:1: There is no such table."),
        (["--accept", "words", "--reason", "x"], "words/forms.tsv:3: “<<<<<<< HEAD” is the mark of a merge."),
        (["--accept", ".", "--reason", " "], "needs a reason"),
    ],
)
def test_what_cannot_be_accepted_changes_nothing(arguments, says, corpus, monkeypatch):
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(corpus))
    forms, before = corpus / "words/forms.tsv", (corpus / FILE).read_bytes()
    forms.write_text(at(2, MERGED)(forms.read_text(encoding="utf-8")), encoding="utf-8")
    result = run("inventory", *arguments)
    assert result.exit_code == 1 and says in result.output and (corpus / FILE).read_bytes() == before


def test_a_corpus_without_an_inventory_says_so(corpus, monkeypatch):
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(corpus))
    (corpus / FILE).unlink()
    assert not inventory_problems(corpus)
    result = run("inventory")
    assert result.exit_code == 0 and "There is no inventory.tsv" in result.output


@pytest.mark.parametrize("command", [["check"], ["check", EDITION], ["ingest"], ["build", "--without-pages"]])
def test_a_lost_row_is_neither_checked_nor_published(command, tmp_path, monkeypatch):
    corpus = write_edition(tmp_path / "corpus", WITH_BREAK, KEYS)
    (corpus / "words").mkdir(exist_ok=True)
    table = corpus / "words" / "lookalikes.tsv"
    table.write_text("lang\tword\tother\treason\nen\tlead\tled\ta\nen\tbid\tbud\tb\n", encoding="utf-8")
    accept_tables(corpus, ["."], "counted", DAY)
    table.write_text("lang\tword\tother\treason\nen\tbid\tbud\tb\n", encoding="utf-8")
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(corpus))
    monkeypatch.setenv("LEXBRIDGE_BUILD", str(tmp_path / "build"))
    result = run(*command)
    assert result.exit_code == 1
    assert "words/lookalikes.tsv:2: The table has 1 rows, 2 were reviewed" in result.output
    assert not (tmp_path / "build" / "current").exists()


def test_a_fault_of_a_word_list_is_told_beside_others(tmp_path, monkeypatch):
    corpus = write_edition(tmp_path, WITH_BREAK + "\u202e", KEYS)
    (corpus / "words").mkdir(exist_ok=True)
    (corpus / "words" / "lemmas-en.tsv").write_text("trick\ttrick tricks\ntable table tables\n", encoding="utf-8")
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(corpus))
    result = run("check")
    assert result.exit_code == 1 and "U+202E" in result.output
    assert "words/lemmas-en.tsv:2: 1 cells, a list has 2." in result.output


def test_an_accepted_table_that_is_a_link_is_refused(corpus, tmp_path):
    place = corpus / "words/forms.tsv"
    place.rename(tmp_path / "elsewhere.tsv")
    place.symlink_to(tmp_path / "elsewhere.tsv")
    assert "It is a link" in str(of_table(corpus, "words/forms.tsv")[0])
    with pytest.raises(InvalidFile):
        accept_tables(corpus, ["words"], "x", DAY)
