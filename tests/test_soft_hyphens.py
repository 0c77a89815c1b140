"""Soft hyphens are layout: no word, label, address or reference has one, and the audit counts each."""

import pytest
from strangers import write_edition

from corpus import ingest
from corpus.audit import audit_edition
from corpus.reading.flow import SOFT_HYPHEN_RULE

REST = "\n\nLAW 3 — THREE\n\nx.\n"
KEYS = 'laws = "1–3"\nparts = [{path = "def", start = "^DEFINITIONS$"}]\ndefinitions = {style = "dash"}\n'
TEXT = "DEFINITIONS\n\nStraf~karte – A pena~lty card.\n\nL~AW 1 — PL~AY\n\nA. Wo~rds of it.\nB. See L~aw 2~A.\n\n"
TEXT += "LAW ~2 — TWO\n\nA~. Of two~~ men." + REST


def read(folder, source, keys=KEYS, file="source.txt", soft=None, **more):
    result = ingest.read_editions(write_edition(folder, source, keys, file=file, **more))
    assert [str(p) for p in result.problems] == []
    reading = result.readings["xx-2030"]
    counted = audit_edition(result.editions["xx-2030"], reading)
    assert counted.unaccounted == 0 and counted.nodes + counted.dropped_characters == counted.total
    assert sum(d.rule == SOFT_HYPHEN_RULE for d in reading.dropped) == soft
    return reading.nodes


def page(sign: str) -> str:
    lines = (line for line in TEXT.replace("~", sign).split("\n") if line)
    return "\n".join(f"<p>{line}</p>" for line in lines)


@pytest.mark.parametrize("sign", ["\u00ad", "&shy;", "&#173;", "&#xAD;", "<wbr>\u00ad", "<b>&shy;</b>"])
def test_a_web_page_loses_its_soft_hyphens(sign, tmp_path):
    nodes = read(tmp_path, page(sign), KEYS + 'paragraphs = "lines"\n', "source.html", soft=TEXT.count("~"))
    expect(nodes)


def test_a_plain_text_loses_its_soft_hyphens(tmp_path):
    expect(read(tmp_path, TEXT.replace("~", "\u00ad"), soft=TEXT.count("~")))


def expect(nodes):
    assert [(n.path, n.label, n.heading, n.text) for n in nodes] == [
        ("def", None, "DEFINITIONS", ""),
        ("def/strafkarte", None, "Strafkarte", "A penalty card."),
        ("1", "LAW 1 —", "PLAY", ""),
        ("1/A", "A.", None, "Words of it."),
        ("1/B", "B.", None, "See Law 2A."),
        ("2", "LAW 2 —", "TWO", ""),
        ("2/A", "A.", None, "Of two men."),
        ("3", "LAW 3 —", "THREE", "x."),
    ]
    assert [r.targets for n in nodes for r in n.references] == [("xx-2030/2/A",)]


@pytest.mark.parametrize(
    ("lines", "text", "soft"),
    [
        ("a soft~\nness of it.", "a softness of it.", 1),
        ("a soft~  \n  ness of it.", "a softness of it.", 1),
        ("a soft~~\nness of~ it.", "a softness of it.", 3),
        ("a so~ft~\n\nNess of it.", "a soft\n\nNess of it.", 2),
        ("a Match~\nPunkt of it.", "a MatchPunkt of it.", 1),
        ("~a soft word.~", "a soft word.", 2),
        ("a soft word\n~\nof it.", "a soft word of it.", 1),
        ("no sign of it.", "no sign of it.", 0),
    ],
)
def test_one_at_the_end_of_a_line_joins_the_word(lines, text, soft, tmp_path):
    source = "LAW 1 — ONE\n\n" + lines.replace("~", "\u00ad") + "\n\nLAW 2 — TWO\n\nx." + REST
    assert read(tmp_path, source, 'laws = "1–3"\n', soft=soft)[0].text == text


def test_a_correction_still_counts_the_columns_of_the_source(tmp_path):
    rows = "line\tcolumn\tsource\tpublished\tbasis\treason\n3\t6\two\u00adrd\tward\tcontext\twhy\n"
    source = "LAW 1 — ONE\n\nOf\u00ad a wo\u00adrd.\n\nLAW 2 — TWO\n\nx." + REST
    found = ingest.read_editions(write_edition(tmp_path, source, 'laws = "1–3"\n', corrections=rows))
    assert any("expects" in str(p) for p in found.problems)
    rows = rows.replace("\t6\t", "\t7\t")
    (tmp_path / "editions" / "xx-2030" / "corrections.tsv").write_text(rows, encoding="utf-8")
    reading = ingest.read_editions(tmp_path).readings["xx-2030"]
    assert reading.nodes[0].text == "Of a ward." and not reading.unaccounted
