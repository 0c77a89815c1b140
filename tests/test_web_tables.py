"""Tables of web pages stay tables: a drop rule takes what it matches, a cell stands under its head; each character of
the file is in one place.
"""

import tomllib

import pytest
from strangers import HERE, write_edition

from corpus import ingest
from corpus.audit import audit_edition

CASES = tomllib.loads((HERE / "cases" / "web" / "tables.toml").read_text(encoding="utf-8"))
REST = "<h3>LAW 2 — TWO</h3><p>x.</p><h3>LAW 3 — THREE</h3><p>x.</p>"


def read(folder, table, drop=(), before="<p>A. Text of it:</p>"):
    rules = "".join(
        f"[[drop]]\nname = 'rule {n}'\nscope = '{rule.get('scope', 'line')}'\npattern = '''{rule['pattern']}'''\n"
        for n, rule in enumerate(drop)
    )
    page = f"<h3>LAW 1 — ONE</h3>{before}<table>{table}</table>{REST}"
    corpus = write_edition(folder, page, f'laws = "1–3"\nparagraphs = "lines"\n{rules}', file="source.html")
    return ingest.read_editions(corpus)


@pytest.mark.parametrize("name", CASES)
def test_every_cell_stands_under_its_head(name, tmp_path):
    case = CASES[name]
    result = read(tmp_path, case["html"], case.get("drop", ()))
    assert [str(p) for p in result.fatal_problems] == []
    reading = result.readings["xx-2030"]
    found = [[list(row) for row in table.rows] for node in reading.nodes for table in node.tables]
    assert found == case["rows"]
    counted = audit_edition(result.editions["xx-2030"], reading)
    assert counted.unaccounted == 0 and counted.nodes + counted.dropped_characters == counted.total


def test_what_is_repeated_is_proved_by_the_same_place(tmp_path):
    reading = read(tmp_path, "<tr><td rowspan=2>one<td>2<tr><td>3").readings["xx-2030"]
    node = next(n for n in reading.nodes if n.tables)
    assert node.text.count("one") == 2 and node.source_text.count("one") == 1


def test_a_mark_in_a_cell_of_two_rows_leads_to_its_note_from_both(tmp_path):
    page = (
        "<h3>LAW 1 — ONE</h3><p>A. Text of it:</p><table><tr><td rowspan=2>one<sup>1</sup><td>2<tr><td>3</table>"
        + REST
        + "<p><sup>1</sup> A note.</p>"
    )
    keys = 'laws = "1–3"\nparagraphs = "lines"\nnotes = {numbering = "book", style = "superscript", place = "end"}\n'
    result = ingest.read_editions(write_edition(tmp_path, page, keys, file="source.html"))
    assert [str(p) for p in result.fatal_problems] == []
    node = next(n for n in result.readings["xx-2030"].nodes if n.tables)
    assert [m.target for m in node.marks] == ["xx-2030/fn/1"] * 2 and node.text.endswith("one\t2\none\t3")


def test_a_table_that_repeats_without_end_is_refused(tmp_path):
    cell = "<td colspan=50 rowspan=900>" + "word " * 100
    found = read(tmp_path, f"<tr>{cell}<td>x" + "<tr><td>y" * 900).fatal_problems
    assert [p.line for p in found] == [1] and "spans more rows and columns" in found[0].finding
