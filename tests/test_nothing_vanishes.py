"""No pattern of a manifest can make a letter vanish: each is in a label, heading or text, is the sign of a note,
was dropped by a named rule – or the audit says where it stands and the edition is not built. Letters are counted, not
traced.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pytest
from click.testing import CliRunner
from strangers import write_edition

from corpus.audit import audit_edition
from corpus.ingest import read_editions
from corpus.reading import footnotes
from corpus.reading.actions import AddText
from scripts.cli import main

SOURCE = """DEFINITIONS
• Auction (Licytacja) noun – the process of bidding.
• Board – a container of hands (see Law 2).
FIRST CHAPTER of THE GAME: Cards
LAW 1 — ONE

A player[1] sits, and bids.
[1] Note: once.

Score table
1 club scores 20
2 clubs scores 40
Total all 60

LAW 2 — TWO

x.

LAW 3 — THREE

x.

INDEX OF WORDS
Auction, 1
Bidding, see also Auction
Remark: nothing else
"""
DEFINITION = r"^• (?P<term>[A-Z]\w+)(?P<extra> \(\w+\) noun)?(?P<separator> – )"
HEADED = r"^(?P<n>FIRST) CHAPTER of THE GAME: (?P<heading>.+)"
NOTE, MARK = r"^\[(?P<sign>\d)\] ", r"\[(?P<sign>\d)\]"
ROWS = [r"(\d) (clubs? scores) (\d+)", r"(Total) (all) (\d+)"]
DEF, INDEX = "^DEFINITIONS$", "^INDEX OF WORDS$"
SEE, REMARK = r"^(?P<term>.+), see also (?P<entry>.+)$", "^Remark: "


def manifest(
    definition=DEFINITION,
    headed=HEADED,
    note=NOTE,
    mark=MARK,
    rows=ROWS,
    start=DEF,
    index=INDEX,
    see=SEE,
    remark=REMARK,
) -> str:
    return f"""laws = "1–3"
definitions = {{entry = '{definition}'}}
notes = {{numbering = "law", note = '{note}', mark = '{mark}'}}
headed = [{{kind = "chapter", pattern = '{headed}'}}]
tables = [{{path = "1", first = '^1 club', last = '^Total', rows = [{", ".join(f"'{r}'" for r in rows)}]}}]
parts = [{{path = "def", start = '{start}'}}, {{path = "index", start = '{index}', lines = true}}]
index = {{see = ['{see}'], note = '{remark}'}}
"""


MUTANTS = {
    "definitions: words outside the groups": {
        "definition": DEFINITION.replace("(?P<extra> \\(\\w+\\) noun)?", "(?: \\(\\w+\\) noun)?")
    },
    "definitions: brackets outside the groups": {
        "definition": DEFINITION.replace("(?P<extra> \\(\\w+\\) noun)?", "(?: \\((?P<extra>\\w+)\\) noun)?")
    },
    "definitions: words between extra and separator": {"definition": DEFINITION.replace(" noun)?", ")?(?: noun)?")},
    "definitions: words before the term": {
        "definition": r"^• (?:Auction )?(?P<term>\(?[A-Z]\w+\)?)(?P<separator>[^–]* – )"
    },
    "definitions: words in the separator": {"definition": DEFINITION.replace("– )", "– (?:the |a )?)")},
    "definitions: words after the separator": {"definition": DEFINITION + "(?:the |a )"},
    "definitions: no separator": {"definition": r"^• (?P<term>[A-Z]\w+).*? – "},
    "definitions: no separator, words taken": {"definition": r"^• (?P<term>[A-Z]\w+).*? – \w+ \w+"},
    "definitions: all of the line": {"definition": r"^• (?P<term>[A-Z]\w+).* – .*$"},
    "headed: words outside the groups": {"headed": r"^\w+ (?P<n>CHAPTER) of THE GAME: (?P<heading>.+)"},
    "headed: a title of one word": {"headed": r"^(?P<n>FIRST) CHAPTER of (?P<heading>\w+)"},
    "headed: words before the title": {"headed": r"^(?P<n>FIRST) CHAPTER of THE GAME: \w(?P<heading>.+)"},
    "headed: the title before the number": {"headed": r"^(?P<heading>FIRST) CHAPTER of THE (?P<n>GAME):"},
    "headed: no groups": {"headed": "^FIRST CHAPTER"},
    "notes: words beside the sign": {"note": r"^\[(?P<sign>\d)\] Note: "},
    "marks: a word before the sign": {"mark": r"\w+\[(?P<sign>\d)\]"},
    "marks: a word and a stop after the sign": {"mark": r"\[(?P<sign>\d)\] sits,"},
    "tables: a word outside the groups": {"rows": [r"(\d) clubs? scores (\d+)", ROWS[1]]},
    "tables: words before and after the groups": {"rows": [r"\d (clubs?) scores \d+", ROWS[1]]},
    "tables: a group in a group": {"rows": [r"(\d (clubs?)) scores (\d+)", ROWS[1]]},
    "tables: a group that may be empty": {"rows": [r"(\d) (club)?s? scores (\d+)", ROWS[1]]},
    "tables: no groups": {"rows": [r"\d clubs? scores \d+", ROWS[1]]},
    "parts: a title of one word": {"index": r"^INDEX (?P<heading>OF)"},
    "parts: words before the title": {"index": r"^INDEX OF (?P<heading>WORDS)$"},
    "index: words outside the groups": {"see": r"^(?P<term>\w)\w+, see (?P<entry>\w+).*$"},
    "index: no term": {"see": r"^.+, see also \w+(?P<entry>\w)$"},
    "index: everything is a remark": {"remark": r"^.+"},
}


def letters(text: str) -> Counter:
    return Counter(c for c in text if c.isalnum())


def published(reading) -> Counter:
    """Letters and digits of all that a reader can see, and of what a named rule dropped."""
    out = Counter()
    for node in reading.nodes:
        out += letters((node.label or "") + (node.heading or "") + node.text + "".join(m.sign for m in node.marks))
    return out + sum((letters(d.text) for d in reading.dropped), Counter())


def test_the_book_of_these_tests_is_read_whole(tmp_path):
    reading = read_editions(write_edition(tmp_path, SOURCE, manifest())).readings["xx-2030"]
    nodes = {n.path: n for n in reading.nodes}
    assert [str(p) for p in reading.problems if p.fatal] == [] and published(reading) == letters(SOURCE)
    assert (nodes["def/auction"].heading, nodes["def/auction"].text) == (
        "Auction (Licytacja) noun",
        "the process of bidding.",
    )
    assert nodes["1"].tables[0].rows == (
        ("1", "club scores", "20"),
        ("2", "clubs scores", "40"),
        ("Total", "all", "60"),
    )
    assert (nodes["chapter/I"].label, nodes["chapter/I"].heading, nodes["index"].heading) == (
        "FIRST CHAPTER of THE GAME:",
        "Cards",
        "INDEX OF WORDS",
    )


@pytest.mark.parametrize("name", MUTANTS)
def test_no_letter_vanishes_without_a_word(name, tmp_path):
    reading = read_editions(write_edition(tmp_path, SOURCE, manifest(**MUTANTS[name]))).readings["xx-2030"]
    missing, told = letters(SOURCE) - published(reading), [p for p in reading.problems if p.fatal]
    assert not missing or told, f"{''.join(missing.elements())} stand nowhere and nobody says so"
    assert all(p.line > 1 or p.file.endswith(".toml") for p in told), [str(p) for p in told]


@pytest.mark.parametrize(
    ("name", "heading", "text"),
    [
        ("definitions: words outside the groups", "Auction (Licytacja) noun", "the process of bidding."),
        ("definitions: brackets outside the groups", "Auction (Licytacja) noun", "the process of bidding."),
        ("definitions: words between extra and separator", "Auction (Licytacja) noun", "the process of bidding."),
        ("definitions: words after the separator", "Auction (Licytacja) noun", "the process of bidding."),
        ("definitions: no separator", "Auction (Licytacja) noun", "the process of bidding."),
    ],
)
def test_words_outside_the_groups_stay_where_they_are_printed(name, heading, text, tmp_path):
    result = read_editions(write_edition(tmp_path, SOURCE, manifest(**MUTANTS[name])))
    nodes = {n.path: n for n in result.readings["xx-2030"].nodes}
    assert [str(p) for p in result.fatal_problems] == []
    assert (nodes["def/auction"].heading, nodes["def/auction"].text, nodes["def/auction"].citation) == (
        heading,
        text,
        "Auction",
    )


@pytest.mark.parametrize("name", ["marks: a word before the sign", "marks: a word and a stop after the sign"])
def test_a_mark_takes_its_sign_and_brackets_alone(name, tmp_path):
    result = read_editions(write_edition(tmp_path, SOURCE, manifest(**MUTANTS[name])))
    law = next(n for n in result.readings["xx-2030"].nodes if n.path == "1")
    assert [str(p) for p in result.fatal_problems] == []
    assert law.text.startswith("A player sits, and bids.") and [m.at for m in law.marks] == [8]


@pytest.mark.parametrize(
    "name",
    [
        "definitions: words in the separator",
        "tables: a word outside the groups",
        "tables: words before and after the groups",
    ],
)
def test_the_audit_names_the_place_of_what_a_pattern_leaves_out(name, tmp_path, monkeypatch):
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(write_edition(tmp_path / "corpus", SOURCE, manifest(**MUTANTS[name]))))
    said = CliRunner().invoke(main, ["audit"])
    assert said.exit_code == 1 and re.search(r"source\.txt:\d+: column \d+: “\w” is in no node", said.output.lower()), (
        said.output
    )


def test_the_account_is_counted_not_what_is_left(ingest):
    """In nodes, dropped and unaccounted for are three counts; together they are the source."""
    for id_, reading in ingest.readings.items():
        counted = audit_edition(ingest.editions[id_], reading)
        assert counted.nodes + counted.dropped_characters + counted.unaccounted == counted.total > 0


def test_a_reader_that_loses_characters_is_found_out(tmp_path, monkeypatch):
    """Mutants of the reader itself: a note, a line, a heading that it forgets."""
    corpus = write_edition(tmp_path, SOURCE, manifest())
    lift, act = footnotes.take_out_notes, AddText._act
    shorter = lambda line: line.cut(0, max(1, len(line.text) - 3))
    forget = [
        ("take_out_notes", footnotes, lambda *args: (lift(*args)[0], [], [])),
        ("_act", AddText, lambda self, cursor: act(replace(self, line=shorter(self.line)), cursor)),
    ]
    for name, owner, mutant in forget:
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, mutant)
            reading = read_editions(corpus).readings["xx-2030"]
            assert reading.unaccounted, name
            assert any(p.fatal for p in reading.problems), name
