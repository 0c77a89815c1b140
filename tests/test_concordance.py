"""The tables of reviewers: what a row may say, and a fault of one is named and left out."""

from __future__ import annotations

import pytest

from corpus.relation.concordance import read_tables, relation_of


@pytest.mark.parametrize(
    ("older", "newer", "partners", "back", "reworded", "relation"),
    [
        ("16/C", "16/C", 1, 1, False, "same"),
        ("16/C", "16/C", 1, 1, True, "reworded"),
        ("16/C", "16/D", 1, 1, False, "moved"),
        ("16/C", "16/D", 1, 1, True, "moved"),
        ("12/A", "12/A", 2, 1, False, "split"),
        ("12/A", "12/B", 1, 2, True, "merged"),
        ("12/A", "12/A", 2, 2, False, "split"),
    ],
)
def test_the_relation_of_two_paths(older, newer, partners, back, reworded, relation):
    assert relation_of(older, newer, partners, back, reworded) == relation


HEADER = "aa-1997\tbb-2007\trelation\treworded\tcause\tnote\n"


SAID = "aa-1997\tbb-2007\trelation\tnote_pl\tnote_sk\n"


def test_what_differs_is_said_in_every_language_of_the_table(tmp_path):
    (tmp_path / "t.tsv").write_text(SAID + "1\t1\treworded\tinaczej\tinak\n2\t2\tsame\n", encoding="utf-8")
    have = {"aa-1997": "1997", "bb-2007": "2007"}
    (table,), problems = read_tables(tmp_path, lambda e, p: True, frozenset(have), have)
    assert not problems and [row.difference for row in table.rows] == [{"pl": "inaczej", "sk": "inak"}, {}]


@pytest.mark.parametrize(
    ("table", "line", "finding"),
    [
        (HEADER + "1\t9\tsame\tno\t\t\n", 2, "bb-2007 has no 9."),
        (HEADER + "1\t1\tsam\tno\t\t\n", 2, "The relation is “sam”."),
        (HEADER + "1\t1\tsame\tyes\t\t\n", 2, "“same” says"),
        (HEADER + "1\t1\treworded\tyes\tfate\t\n", 2, "The cause is “fate”."),
        (HEADER + "1\t1\tsame\tno\tcode\t\n", 2, "stands where nothing changed"),
        (HEADER + "1\t1\tnew\t\t\t\n", 2, "“new” stands beside two"),
        (HEADER + "1\t\tmoved\tno\t\t\n", 2, "needs a provision on both sides"),
        (HEADER + "1\t2\tsame\tno\t\t\n", 2, "makes it “moved”"),
        (HEADER + "1\t1\tsame\tno\t\t\n1\t2\tmoved\tno\t\t\n", 2, "makes it “split”"),
        (HEADER + "1\t1\tsame\tno\t\t\n1\t1\tsame\tno\t\t\n", 2, "stands in the table twice"),
        (HEADER + "1\t1\tsame\tno\t\t\ttoo much\n", 2, "7 cells, the header has 6"),
        (HEADER + "1\t1\tsame\tYes\t\t\n", 2, "“reworded” is “Yes”."),
        ("aa-1997\tbb-2007\trelation\tconfidence\n1\t1\tsame\tLow\n", 2, "“confidence” is “Low”."),
        ("aa-1997\tbb-2007\trelation\tpart\n1\t1\tsame\ttext\n", 2, "“part” is “text”."),
        ("aa-1997\tzz-2031\trelation\n", 1, "“zz-2031” is no edition"),
        ("aa-1997\trelation\n", 1, "1 columns of editions"),
        ("bb-2007\taa-1997\trelation\n", 1, "aa-1997 is older than bb-2007"),
        ("aa-1997\tcc-1997\trelation\tcause\n1\t1\treworded\tcode\n", 2, "Two texts of one code differ"),
        ("aa-1997\tbb-2007\tthrough\trelation\tnote\n1\t1\tcc-1997\tnone\t\n", 2, "does not say why"),
        (SAID + "1\t1\treworded\tinaczej\t\n", 2, "What differs is not said in note_sk."),
        (SAID + "1\t1\tsame\t\tinak\n", 2, "What differs is not said in note_pl."),
        (SAID + "1\t\tdropped\n", 2, "What differs is not said in note_pl, note_sk."),
    ],
)
def test_a_fault_of_a_table_is_named_and_its_row_left_out(table, line, finding, tmp_path):
    (tmp_path / "t.tsv").write_text(table, encoding="utf-8")
    have = {"aa-1997": {"1", "2"}, "bb-2007": {"1", "2"}, "cc-1997": {"1"}}
    codes = {"aa-1997": "1997", "cc-1997": "1997", "bb-2007": "2007"}
    _found, problems = read_tables(tmp_path, lambda e, p: p in have[e] if e in have else None, frozenset(have), codes)
    assert (
        [(p.file, p.line) for p in problems][:1] == [("concordances/t.tsv", line)]
        and finding in problems[0].finding
        and problems[0].fatal != ("is no edition" in finding)
    )
