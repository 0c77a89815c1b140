"""Pages that a word processor saved: their text is read as it was typed, and every character of them is accounted for.

The two pages say the same, invented for this; tests/cases/web holds them as Word and LibreOffice write HTML.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from strangers import HERE, write_edition

from corpus import ingest
from corpus.audit import audit_edition

SAVED = HERE / "cases" / "web"
KEYS = 'laws = "1–3"\nparagraphs = "lines"\nnotes = {{numbering = "book", style = "{}", place = "end"}}\n'
TABLE = (("", "first time"), ("guest", ""), ("host", "20 points"))
OUTLINE = [
    ("1", "LAW 1 —", "THE PLACES", ""),
    ("1/A", "A.", None, "A guest takes a place at the table, and keeps it."),
    ("1/B", "B.", None, "The host may:"),
    ("1/B/1", "1.", None, "move a guest once;"),
    ("1/B/2", "2.", None, "send him away.\n\n\tfirst time\nguest\t\nhost\t20 points"),
    ("2", "LAW 2 —", "THE MEAL", ""),
    ("2/A", "A.", None, "Soup comes first."),
    ("2/B", "B.", None, "Then fish."),
    ("3", "LAW 3 —", "LEAVING", "See law 1 & the host’s word."),
]


def read(folder: Path, source: str, keys: str):
    result = ingest.read_editions(write_edition(folder, source, keys, file="source.html"))
    assert [str(p) for p in result.fatal_problems] == []
    reading = result.readings["xx-2030"]
    counted = audit_edition(result.editions["xx-2030"], reading)
    assert counted.unaccounted == 0 and counted.nodes + counted.dropped_characters == counted.total
    return reading


@pytest.mark.parametrize(
    ("saved", "style", "sign"), [("saved-from-word", "brackets", "[1]"), ("saved-from-libreoffice", "superscript", "¹")]
)
def test_a_saved_page_is_read_as_it_was_typed(saved, style, sign, tmp_path):
    reading = read(tmp_path, (SAVED / f"{saved}.html").read_text(encoding="utf-8"), KEYS.format(style))
    nodes = {n.path: n for n in reading.nodes}
    assert [(n.path, n.label, n.heading, n.text) for n in reading.nodes] == [
        *OUTLINE,
        ("fn/1", sign, None, "Not the host’s."),
    ]
    assert [t.rows for t in nodes["1/B/2"].tables] == [TABLE]
    assert [(m.at, m.target) for m in nodes["1/A"].marks] == [(21, "xx-2030/fn/1")]


# A blank by whatever name is layout like any other, wherever it stands. {} is where one may be.
POSITIONS = {
    "a paragraph of it": "<h3>LAW 1 — ONE</h3><p>{}</p><p>A. Text of it.</p>",
    "before a label": "<h3>{}LAW 1 — ONE</h3><p>{}A. Text of it.</p>",
    "behind a label": "<h3>LAW{}1 — ONE</h3><p>A.{}Text of it.</p>",
    "at the end": "<h3>LAW 1 — ONE{}</h3><p>A. Text of it.{}</p>",
    "between blocks": "<h3>LAW 1 — ONE</h3>{}<p>A. Text of it.</p>{}",
    "between words": "<h3>LAW 1 —{}ONE</h3><p>A. Text{}of{} {}it.</p>",
    "an item of a list": "<h3>LAW 1 — ONE</h3><ol type=A><li>{}Text of it.</li></ol>",
    "between items": "<h3>LAW 1 — ONE</h3><ol type=A>{}<li>Text of it.</li>{}</ol>",
    "an item with its label": "<h3>LAW 1 — ONE</h3><ul style='list-style: none'><li>{}A. Text of it.</li></ul>",
    "in a tag of its own": "<h3>LAW 1 — ONE</h3><p>A. <b>{}</b><i>Text</i> of <o:p>{}</o:p>it.</p>",
    "beside a break": "<h3>LAW 1 — ONE</h3><p>{}<br>{}<br>A. Text of it.<br>{}</p>",
    "inside a link": "<h3>LAW 1 — ONE</h3><p><a href='#x'>{}</a>A. <a href='#y'>Text{}</a> of it.</p>",
    "raised": "<h3>LAW 1 — ONE</h3><p>A. Text<sup>{}</sup> of it.</p>",
}
CELLS = {
    "a cell of it": "<tr><td>{}</td><td>b</td></tr>",
    "around a cell": "<tr><td>a{}</td><td>{}b</td></tr>",
    "in paragraphs of a cell": "<tr><td><p>{}</p><p>a</p></td><td>b</td></tr>",
    "a row of it": "<tr><td>{}</td><td>{}</td></tr><tr><td>a</td><td>b</td></tr>",
    "between cells": "<tr>{}<td>a</td>{}<td>b</td></tr>{}",
    "in a caption": "<caption>{}</caption><tr><td>a</td><td>b</td></tr>",
}
BLANKS = ["&nbsp;", "&#160;", "&#xA0;", "&#xa0;", "\u00a0", "&ensp;", "&nbsp;&nbsp; &nbsp;", "&#32;", "&#9;"]
REST = "<h3>LAW 2 — TWO</h3><p>x.</p><h3>LAW 3 — THREE</h3><p>x.</p>"
LINES = 'laws = "1–3"\nparagraphs = "lines"\n'


@pytest.mark.parametrize("position", POSITIONS)
def test_a_blank_by_name_is_layout_where_it_stands_in_a_text(position, tmp_path):
    for number, blank in enumerate(BLANKS):
        nodes = {
            n.path: n
            for n in read(tmp_path / str(number), POSITIONS[position].replace("{}", blank) + REST, LINES).nodes
        }
        assert list(nodes) == ["1", "1/A", "2", "3"], blank
        assert (nodes["1"].heading, nodes["1"].text, nodes["1/A"].text) == ("ONE", "", "Text of it."), blank


@pytest.mark.parametrize("position", CELLS)
def test_a_blank_by_name_is_layout_where_it_stands_in_a_table(position, tmp_path):
    for number, blank in enumerate(BLANKS):
        source = (
            "<h3>LAW 1 — ONE</h3><p>A. Text of it.</p><table>"
            + CELLS[position].replace("{}", blank)
            + "</table>"
            + REST
        )
        nodes = {n.path: n for n in read(tmp_path / str(number), source, LINES).nodes}
        first = "" if position == "a cell of it" else "a"
        assert [t.rows for n in nodes.values() for t in n.tables] == [((first, "b"),)], blank


def test_a_word_that_looks_like_a_name_stays_a_word(tmp_path):
    nodes = {
        n.path: n
        for n in read(
            tmp_path, "<h3>LAW 1 — ONE</h3><p>A. Write &amp;nbsp; &eacute;t&#233; &lt;p&gt; so.</p>" + REST, LINES
        ).nodes
    }
    assert nodes["1/A"].text == "Write &nbsp; été <p> so."
