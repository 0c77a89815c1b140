"""Faults of rulings, bodies and conditions are told with their line, and keep the corpus from being published."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from rulings import BODY, COMMANDS, FILES, RULINGS, corpus_with, read_with
from strangers import REST, write_edition

from app.site import reader
from corpus import remarks
from corpus.layers import read_layers
from corpus.library import Library
from corpus.model import NodeId
from corpus.ruling import RulingTexts, read_rulings
from scripts.cli import main

PZBS, TSV, NAMES = "rulings/pzbs/body.toml", "conditions/pzbs-2017.tsv", "conditions/names.toml"
ROW = "6/2\tscreens\tPrzy grze przy użyciu zasłon\t"
FAULTS = [
    (RULINGS, 'number = "1"', 'number = "2"', "XYZ has two rulings 2", 16),
    (RULINGS, 'number = "1"', 'number = "1A"', "“ruling.number” is '1A'", 2),
    (RULINGS, 'code = "2017"', 'code = "2027"', "no text of the code “2027”", 4),
    (RULINGS, '["12/C/2/b"]', '["12/C/2/z"]', "No text of 2017 has 12/C/2/z", 5),
    (RULINGS, '["12/C/2/b"]', "[]", "“ruling.provisions” is empty", 5),
    (RULINGS, 'kind = "decision"', 'kind = "opinion"', "“ruling.kind” is “opinion”", 6),
    (RULINGS, 'effect = "modifies"', 'effect = "changes"', "“ruling.effect” is “changes”", 7),
    (RULINGS, 'effect = "modifies" ', "# ", "The key “effect” is missing", 1),
    (RULINGS, 'text = {en = "At teams', 'said = {en = "At teams', "The key “text” is missing", 1),
    (RULINGS, 'text = {en = "At teams an', 'text = {en = "", pl = "At teams an', "“ruling.text” is {'en': ''", 9),
    (RULINGS, 'text = {en = "The session is the whole match.", pl = "Sesją jest cały mecz."}',
     'text = "The session."', "“text” does not say its language", 21),
    (RULINGS, 'date = "2030-05-01"', 'date = "2030-02-30"', "which is no date", 3),
    (RULINGS, 'date = "2030-05-01"', 'date = "May 2030"', "“ruling.date” is 'May 2030'", 3),
    (RULINGS, 'to = "2019-12-31"', 'to = "2017-12-31"', "the dates are not in order", 23),
    (RULINGS, '{from = "2030-06-01"}', '{to = "2030-04-30"}', "the dates are not in order", 11),
    (RULINGS, "rank = 2 ", "rank = 7 ", "No text of XYZ has the rank 7", 12),
    (RULINGS, '{teams = "At teams"}', '{teams = "At pairs"}', "“At pairs” does not stand in the text", 13),
    (RULINGS, '{teams = "At teams"}', '{squads = "At teams"}', "“squads” is no condition", 13),
    (RULINGS, 'name = "Bulletin 5 of the XYZ", ', "", "The key “name” is missing in ruling.source", 10),
    (RULINGS, '"https://xyz.example/5"', '"xyz.example/5"', "“ruling.source.url” is 'xyz.example/5'", 10),
    (BODY, 'name = "XYZ"', 'nome = "XYZ"', "Unknown key “nome”", 1),
    (BODY, 'country = "XY"', 'country = "ZY"', "No country has the code “ZY”", 4),
    (BODY, "rank = 2", "rank = 1", "Two texts have the rank 1", 15),
    (BODY, 'in = {en = "in Xyland"}', 'in = "in Xyland"', "“of” and “in” are said by language", 6),
    (BODY, 'lang = "en" ', 'lang = "en"\nedition = "xyz-2017" ', "There is no edition “xyz-2017”", 4),
    (BODY, 'lang = "en" ', 'lang = "en"\nedition = "sk-2017" ', "“sk-2017” holds no decisions", 4),
    (BODY, 'lang = "en" ', 'lang = "en"\nedition = "pzbs-2017" ', "“pzbs-2017” is of PZBS (PL)", 1),
    (PZBS, 'edition = "pzbs-2017"\n', "", "No body names these decisions", 1),
    (PZBS, 'country = "PL"', 'country = "SK"', "“pzbs-2017” is of PZBS (PL)", 2),
    (PZBS, "[of]", '[[precedence]]\nrank = 1\ntext = "x"\n[of]', "The order of precedence is stated twice", 11),
    (TSV, ROW, ROW.replace("6/2", "6/9"), "There is no pzbs-2017/6/9", 7),
    (TSV, ROW, ROW.replace("screens", "curtains"), "“curtains” is no condition", 7),
    (TSV, ROW, ROW.replace("zasłon", "kaset"), "does not stand in the text of pzbs-2017/6/2", 7),
    (TSV, ROW, "6/2\tscreens\t\t", "No words say so", 7),
    (TSV, ROW, "6/2\tscreens", "2 cells", 7),
    ("conditions/xx-2030.tsv", "", "path\tcondition\twords\tremark\n", "There is no edition “xx-2030”", 1),
    (NAMES, ', en = "behind screens"', "", "is not named as the first condition is", 3),
    (NAMES, "boxes = {", "boxes = 5 #", "“boxes” is not named", 4),
]  # fmt: skip


def test_the_invented_body_has_no_fault(ingest, tmp_path):
    result = read_with(ingest, tmp_path)
    assert [str(p) for p in result.problems] == []
    assert [r.id for r in result.layer("rulings").all if r.body == "xyz"] == ["xyz/1", "xyz/2"]


@pytest.mark.parametrize(("file", "words", "instead", "says", "line"), FAULTS)
def test_a_fault_is_told_with_its_line(ingest, tmp_path, file, words, instead, says, line):
    found = [p for p in read_with(ingest, tmp_path, (file, words, instead)).problems if says in f"{p.finding} {p.move}"]
    assert found, [str(p) for p in read_with(ingest, tmp_path / "again", (file, words, instead)).problems]
    assert found[0].fatal and found[0].move
    assert (found[0].file, found[0].line) == ("editions/pzbs-2017/edition.toml" if "No body" in says else file, line)


def test_a_folder_without_a_body_is_told(ingest, tmp_path):
    corpus = corpus_with(tmp_path)
    (corpus / BODY).unlink()
    (corpus / "rulings" / "Other").mkdir()
    (corpus / "rulings" / "Other" / "body.toml").write_text("", encoding="utf-8")
    told = {p.file: p.finding for p in read_layers(ingest, corpus, ("conditions", "rulings")).problems if p.fatal}
    assert told[BODY] == "There is no manifest." and "Other" in told["rulings/Other/body.toml"]


def test_the_command_of_the_page_works(tmp_path, monkeypatch):
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(corpus_with(tmp_path)))
    assert COMMANDS == [["check"]]
    result = CliRunner().invoke(main, COMMANDS[0])
    assert result.exit_code == 0 and "\n0 problem(s)" in result.output, result.output


@pytest.mark.parametrize(("path", "published"), [("1", True), ("9", False)])
def test_a_fault_keeps_the_build_from_being_published(tmp_path, monkeypatch, path, published):
    corpus = write_edition(tmp_path / "corpus", "LAW 1 — ONE\n\nx." + REST)
    for name, text in FILES.items():
        (corpus / name).parent.mkdir(parents=True, exist_ok=True)
        (corpus / name).write_text(text, encoding="utf-8")
    only = f'code = "2030"\nprovisions = ["{path}"]\nkind = "case"\neffect = "explains"\ntext = {{en = "x"}}\n'
    (corpus / RULINGS).write_text(f'[[ruling]]\nnumber = "1"\n{only}source = {{name = "x"}}\n', encoding="utf-8")
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(corpus))
    monkeypatch.setenv("LEXBRIDGE_BUILD", str(tmp_path / "build"))
    for command in (["check"], ["ingest"]):
        result = CliRunner().invoke(main, command)
        assert (result.exit_code == 0) is published, result.output
        assert (f"{RULINGS}:4: No text of 2030 has 9. Correct the path." in result.output) is not published
    assert (tmp_path / "build").exists() is published
    if published:
        assert [r.id for r in Library.open().rulings.values()] == ["xyz/1"]


def test_a_corpus_without_rulings_and_conditions_is_sound(ingest, tmp_path):
    conditions, problems = remarks.read_conditions(tmp_path, {}, [])
    assert (conditions.names, problems) == ({}, [])
    rulings, problems = read_rulings(tmp_path, RulingTexts({}, {}, []), conditions)
    assert (rulings.all, problems) == ((), [])


def test_the_conditions_are_named_in_the_languages_of_the_site(library):
    assert len(library.conditions.names) > 5
    assert all(set(names) == set(reader.LANGUAGES) for names in library.conditions.names.values())


def test_every_condition_is_proved_by_slicing(library):
    rows = [(id_, only) for id_, found in library.conditions.only.items() for only in found]
    assert len(rows) > 40 and {id_.edition for id_, _ in rows} == {"hr-1997", "pl-2007", "pzbs-2017", "sk-2017"}
    for id_, only in rows:
        node, quote = library.nodes[NodeId(only.quote.node)], only.quote
        footnote = node.id in {m.target for m in library.nodes[id_].marks}
        carrier = id_ in {m.target for m in node.marks}
        assert node.words_of_span(quote) and (node.id == id_ or footnote or carrier)
