"""Faults of the lists of slips and of spelling are told with their line, and keep the corpus from being published."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from strangers import CORPUS, write_edition

from app.site import reader
from corpus import generation, ingest, misprint, remarks
from scripts.cli import main

SOURCE = """\
LAW 1 — ONE

A. Leads
The partner leads, see 2A.
B. Plays
The partner plays and plays.

LAW 2 — TWO

A. Cards
He leads a card, see 1B.
B. Hands
He plays.

LAW 3 — THREE

He bids.
"""
ROW = """\
[[slip]]
kind = "misprint"
node = "1/A"
words = "The partner"
see = [{node = "xx-2030/2/A", words = "He leads"}]
"""
FOUR = '{pl = "x", sk = "x", hr = "x", en = "x"}'
LOOKED_UP = 'kind = "misprint"\nsources = [{url = "https://laws.example", read = "2026-11-23", readers = 2}]'


def corpus_with(folder: Path, slips: str = ROW, spelt: str = "", change: tuple[str, str] = ("", "")) -> Path:
    corpus = write_edition(folder, SOURCE)
    (corpus / misprint.FOLDER).mkdir()
    (corpus / misprint.SENTENCES_FILE).write_text(
        (CORPUS / misprint.SENTENCES_FILE).read_text(encoding="utf-8").replace(*change), encoding="utf-8"
    )
    (corpus / "editions" / "xx-2030" / misprint.MISPRINT_FILE).write_text(slips, encoding="utf-8")
    if spelt:
        (corpus / "editions" / "xx-2030" / remarks.SPELLING_FILE).write_text(spelt, encoding="utf-8")
    return corpus


def test_a_folder_of_the_old_name_is_read_and_told(tmp_path):
    corpus = corpus_with(tmp_path)
    (corpus / "misprints").rename(corpus / "slips")
    found = ingest.read_editions(corpus)
    assert [n.path for n in found.readings["xx-2030"].nodes if n.misprints] == ["1/A"]
    (told,) = (p for p in found.problems if "slips" in p.finding)
    move = "Rename it: the next release does not read it."
    assert not told.fatal and str(told) == f"slips:1: The folder “slips” is called “misprints”. {move}"


def test_a_sound_file_has_no_problem(tmp_path):
    result = ingest.read_editions(
        corpus_with(tmp_path, spelt="line\tprinted\tmeant\treason\tremark\n4\tThe partner\tThe Partner\tcapital\t\n")
    )
    assert not result.problems
    node = next(n for n in result.readings["xx-2030"].nodes if n.path == "1/A")
    assert [(s.start, s.end, dict(s.sentences)["en"]) for s in node.misprints] == [(0, 11, "so printed; compare 2A")]
    assert [s.meant for s in result.readings["xx-2030"].spelling] == ["The Partner"]


@pytest.mark.parametrize(
    "change, says, line",
    [
        (('words = "The partner"', 'words = "the partner"'), "does not stand in the text of xx-2030/1/A", 6),
        (('node = "1/A"', 'node = "1/C"'), "There is no xx-2030/1/C", 5),
        (('node = "1/A"\nwords = "The partner"', 'node = "1/B"\nwords = "plays"'), "stands 2 times", 6),
        (('node = "1/A"\nwords = "The partner"', 'node = "1/B"\nwords = "plays"\noccurrence = 3'), "does not stand", 6),
        (('"He leads"', '"She leads"'), "“She leads” does not stand", 7),
        (("xx-2030/2/A", "xx-2030/2/C"), "There is no xx-2030/2/C", 7),
        (("xx-2030/2/A", "yy-2031/2/A"), "“yy-2031”, which is no edition", 3),
        (('kind = "misprint"', 'kind = "guess"'), "“slip.kind” is “guess”", 4),
        (('kind = "misprint"', 'kind = "lost"'), "The cause is “”", 3),
        (('kind = "misprint"', 'kind = "missing"\ncause = "unknown"'), "A missing provision has no words", 7),
        (('kind = "misprint"', 'kind = "misprint"\ncause = "unknown"'), "The cause is “unknown”", 5),
        (('kind = "misprint"', 'kind = "lost"\ncause = "printer"'), "“slip.cause” is “printer”", 5),
        (('words = "The partner"\n', ""), "A place without words", 3),
        (('kind = "misprint"', 'kind = "misprint"\nid = "1A who"'), "“slip.id” is '1A who'", 5),
        (('kind = "misprint"', f'kind = "misprint"\nid = "1A-who"\nlaw = {FOUR}'), "belong together", 6),
        (('kind = "misprint"', f'kind = "misprint"\nlaw = {FOUR}\nprint = {FOUR}'), "belong together", 5),
        (
            ('kind = "misprint"', f'kind = "misprint"\nid = "1A-who"\nlaw = {FOUR}\nprint = {{pl = "x"}}'),
            "is not said in “sk”",
            3,
        ),
        (('kind = "misprint"', LOOKED_UP.replace("2026-11-23", "2026-13-23")), "which is no date", 5),
        (('kind = "misprint"', LOOKED_UP.replace("https", "ftp")), "“slip.sources.url” is", 5),
        (('kind = "misprint"', LOOKED_UP.replace("readers = 2", "readers = 1")), "“readers” is 1", 5),
        (
            ("[[slip]]", '[[slip]]\nid = "1A"' + ROW.removeprefix("[[slip]]") + '[[slip]]\nid = "1A"'),
            "stands there twice",
            9,
        ),
        (('words = "The partner"', 'words = "The partner"\nmeant = "x"'), "Unknown key “meant”", 7),
        (('see = [{node = "xx-2030/2/A", words = "He leads"}]\n', ""), "There is no evidence", 3),
        (('see = [{node = "xx-2030/2/A", words = "He leads"}]\n', "see = []\n"), "There is no evidence", 7),
    ],
)
def test_a_faulty_slip_is_told_with_its_line(change, says, line, tmp_path):
    assert change[0] in ROW
    corpus = corpus_with(tmp_path, "# a comment\n\n" + ROW.replace(*change))
    found = [p for p in ingest.read_editions(corpus).problems if says in p.finding]
    assert [(p.file, p.line, p.fatal) for p in found] == [(f"editions/xx-2030/{misprint.MISPRINT_FILE}", line, True)], [
        str(p) for p in ingest.read_editions(corpus).problems
    ]
    assert found[0].move


def test_pages_that_two_looked_up_are_evidence_enough(tmp_path):
    see = 'see = [{node = "xx-2030/2/A", words = "He leads"}]\n'
    looked_up = ROW.replace('kind = "misprint"', LOOKED_UP).replace(see, "")
    result = ingest.read_editions(corpus_with(tmp_path, looked_up))
    assert not result.problems
    (slip_,) = next(n for n in result.readings["xx-2030"].nodes if n.path == "1/A").misprints
    assert dict(slip_.sentences)["en"] == "so printed; compare laws.example" and slip_.sources[0].read == "2026-11-23"


@pytest.mark.parametrize("text, line", [("[[slip]]\nkind = \n", 2), ("[slips]\n", 1), (ROW + "[[other]]\n", 6)])
def test_a_file_that_is_no_list_of_slips_is_told(text, line, tmp_path):
    found = [
        p for p in ingest.read_editions(corpus_with(tmp_path, text)).problems if p.file.endswith(misprint.MISPRINT_FILE)
    ]
    assert [(p.line, p.fatal) for p in found] == [(line, True)]


@pytest.mark.parametrize(
    "change, line, says",
    [
        (('hr = "tako tiskano; usp. {see}"\n', ""), 5, "no “misprint” with {see} in the language “hr”"),
        (('sk = "pozn. {number}"', 'sk = "pozn."'), 31, "no “footnote” with {number} in the language “sk”"),
        (("[lost]", "[lots]"), 11, "Unknown key “lots”"),
        (("[lost]", "[[lost]]"), 11, "“lost” is ["),
        (("[lost]\npl =", "[lost]\nxx ="), 11, "no “lost” with {see} in the language “pl”"),
        (("languages = [", "codes = ["), 1, "The key “languages” is missing"),
        (('languages = ["pl", "sk", "hr", "en"]', "languages = []"), 3, "“languages” is empty"),
        (("[misprint]", "[misprint"), 5, "cannot be read"),
    ],
)
def test_a_sentence_that_a_language_lacks_is_told(change, line, says, tmp_path):
    found = [p for p in ingest.read_editions(corpus_with(tmp_path, change=change)).problems if says in p.finding]
    assert [(p.file, p.line, p.fatal) for p in found] == [(misprint.SENTENCES_FILE, line, True)]


def test_the_sentences_are_in_the_languages_of_the_site(corpus_dir):
    said, _ = misprint.read_sentences(corpus_dir)
    assert said and all(set(words) == set(reader.LANGUAGES) for words in said.values())


@pytest.mark.parametrize(
    "row, says",
    [
        ("99\tx\ty\ttyping\t", "The source has no line “99”"),
        ("4\tHe bids\ty\ttyping\t", "does not stand in line 4"),
        ("4\tleads\ty\twhim\t", "The reason is “whim”"),
        ("4\tleads\ty\ttyping", "4 cells"),
        ("4\t\t\torder\t", "says nothing"),
    ],
)
def test_a_faulty_row_of_spelling_is_told_with_its_line(row, says, tmp_path):
    corpus = corpus_with(tmp_path, spelt="line\tprinted\tmeant\treason\tremark\n" + row + "\n")
    assert [(p.line, says in p.finding, p.fatal) for p in ingest.read_editions(corpus).problems] == [(2, True, True)]


def test_a_fault_keeps_the_corpus_from_being_published_also_when_one_edition_is_asked_for(tmp_path, monkeypatch):
    corpus = corpus_with(
        tmp_path / "corpus", ROW.replace("xx-2030/2/A", "yy-2031/2/A").replace("He leads", "no such words")
    )
    write_edition(tmp_path / "corpus", SOURCE + "\nMore.\n", name="yy-2031")
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(corpus))
    monkeypatch.setenv("LEXBRIDGE_BUILD", str(tmp_path / "build"))
    assert generation.build_dir() == tmp_path / "build"
    for command in (["check"], ["ingest"], ["ingest", "xx-2030"], ["ingest", "yy-2031"]):
        result = CliRunner().invoke(main, command)
        assert result.exit_code == 1 and f"editions/xx-2030/{misprint.MISPRINT_FILE}:5:" in result.output, (
            command,
            result.output,
        )
    assert not (tmp_path / "build").exists()
