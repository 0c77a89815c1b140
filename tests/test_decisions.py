"""The reader decides, then acts: every line has its decision with a reason, and deciding changes nothing."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from strangers import LEVELS, copy_of_strangers, write_edition

from corpus import language
from corpus.edition import load_edition
from corpus.ingest import read_editions
from corpus.reading import read
from corpus.reading.actions import HeadPatterns, ReadingContext
from corpus.reading.source import Line, verbatim_places
from scripts.cli import main

CASES = tomllib.loads((Path(__file__).parent / "cases" / "decisions.toml").read_text(encoding="utf-8"))
EDITIONS = [name for name in CASES if name != "invented"]


@pytest.fixture(scope="module")
def readings(ingest, tmp_path_factory):
    """All editions, ours and the strangers'."""
    folder = copy_of_strangers(tmp_path_factory.mktemp("corpus"))
    return ingest.readings | read_editions(folder).readings


@pytest.mark.parametrize("name", EDITIONS)
def test_a_line_of_a_book_says_why_it_is_where_it_is(name, readings):
    decided = {(d.line, f"{d.did} {d.path}".rstrip(), d.reason) for d in readings[name].placings}
    assert len(CASES[name]) > 4
    for line, what, reason in CASES[name]:
        assert (line, what, reason) in decided, [d for d in sorted(decided) if d[0] == line]


@pytest.mark.parametrize("case", CASES["invented"], ids=lambda case: case["says"])
def test_an_invented_line_says_why_it_is_where_it_is(case, tmp_path):
    levels = LEVELS.replace('["(a)"]', '["(a)"]\ninline = true') if case.get("inline") else LEVELS
    source = case["text"].strip("\n") + "\n"
    corpus = write_edition(tmp_path, source, f'laws = "1"\n{case.get("keys", "")}\n', levels)
    (reading,) = read_editions(corpus).readings.values()
    last = source.count("\n")
    decided = [f"{d.did} {d.path}".rstrip() + f": {d.reason}" for d in reading.placings if d.line == last]
    assert decided == case["decided"]


def test_every_line_that_holds_text_was_decided_or_dropped(readings):
    """A line of a web page may hold markup alone; whatever holds text is told by its decision or by a rule."""
    for name, reading in readings.items():
        told = Counter(d.line for d in reading.placings) + Counter(d.line for d in reading.dropped)
        owned = {span[0] for node in reading.nodes for span in node.source_spans}
        assert owned <= set(told), name
        assert [d.line for d in reading.placings] == sorted(d.line for d in reading.placings)
        assert all(d.did and d.reason for d in reading.placings)


def test_nodes_stand_below_the_node_that_holds_them_and_every_path_once(readings):
    for reading in readings.values():
        nodes = {node.id: node for node in reading.nodes}
        assert len(nodes) == len(reading.nodes) == len({node.path for node in reading.nodes})
        for node in reading.nodes:
            assert node.parent is None or node.id in nodes[node.parent].children


# ── deciding and acting, on any lines ───────────────────────────────────────────────────────────

PIECES = st.sampled_from(
    ["LAW 1 — ONE", "LAW 2 — TWO", "A. ", "B. ", "1. ", "2. ", "(a) ", "(b) ", "(i) ", "words that go on", "Words end.",
     "as in section", "", "  ", "- a dash", "CAPITALS", "PREFACE", "TERMS", "Bid – a promise", "He may (a) sit"]
)  # fmt: skip
LINES = st.lists(st.lists(PIECES, min_size=1, max_size=3).map("".join), max_size=25)
KEYS = """laws = "1–2"
definitions = {style = "dash"}
parts = [{path = "preface", start = "^PREFACE$"}, {path = "def", start = "^TERMS$"}]
"""


@pytest.fixture(scope="module")
def bound(tmp_path_factory):
    """An edition and its language, and a function that makes a book of lines."""
    levels = LEVELS.replace('["(a)"]', '["(a)"]\ninline = true')
    corpus = write_edition(tmp_path_factory.mktemp("book"), "LAW 1 — ONE\n\nx.\n", KEYS, levels)
    edition, english = load_edition(corpus / "editions" / "xx-2030"), language.load_language(corpus / "languages", "en")
    return lambda lines: ReadingContext.of(edition, english, HeadPatterns.of(edition), lines, frozenset())


def printed(text: list[str]) -> list[Line]:
    return [Line(number, line, verbatim_places(number, 0, len(line))) for number, line in enumerate(text, 1)]


def shape_of(cursor):
    """All that a decider could have changed."""
    drafts = [d for root in cursor.tree.roots for d in root.walk()]
    return [(d.path, len(d.heading), dict(d.count), [len(getattr(i, "lines", ())) for i in d.items]) for d in drafts]


@given(LINES)
def test_deciding_changes_nothing_and_every_stretch_is_decided_once(bound, text):
    lines = printed(text)
    book, decide, seen = bound(lines), read.decide_action, []

    def watched(book, cursor, rest):
        before = shape_of(cursor)
        action = decide(book, cursor, rest)
        assert action == decide(book, cursor, rest) and shape_of(cursor) == before
        seen.append((rest, action))
        return action

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(read, "decide_action", watched)
        assembled = read.assemble_drafts(book, lines)
    starts = Counter(rest.index for rest, _ in seen if not rest.after)
    used_up = {rest.index + n for rest, action in seen for n in range(1, action.skip + 1)}
    held = {index for index, line in enumerate(lines) if line.text.strip()}
    assert set(starts) == held - used_up and max(starts.values(), default=1) == 1
    for rest, action in seen:  # what is left of a line is its end, and gets shorter
        left = action.rest.line.text if action.rest else ""
        assert rest.line.text.rstrip().endswith(left.rstrip()) and (
            len(left) < len(rest.line.text) or action.rest.after
        )
    assert {d.line - 1 for d in assembled.placings} == held


def test_a_table_of_one_row_is_one_row(tmp_path):
    keys = 'laws = "1"\n[[tables]]\npath = "1"\nfirst = "^club"\nlast = "^club"\n'
    result = read_editions(write_edition(tmp_path, "LAW 1 — ONE\n\nScores\nclub  20\nThe rest is text.\n", keys))
    assert [str(p) for p in result.fatal_problems] == []
    (node,) = result.readings["xx-2030"].nodes
    assert [table.rows for table in node.tables] == [(("club", "20"),)]


def test_a_line_may_be_placed_in_a_definition_by_hand(tmp_path):
    source = "TERMS\n\nBid – a promise.\n\nCard – paper.\n\nIt binds.\n\nLAW 1 — ONE\n\nx.\n\nLAW 2 — TWO\n\nx.\n"
    keys = KEYS + '[[placements]]\nline = 7\npath = "def/bid"\nreason = "so printed"\n'
    result = read_editions(write_edition(tmp_path, source, keys))
    assert [str(p) for p in result.fatal_problems] == []
    assert {n.path: n.text for n in result.readings["xx-2030"].nodes}["def/bid"] == "a promise.\n\nIt binds."


def test_the_command_tells_of_every_line_or_of_those_of_a_provision(tmp_path, monkeypatch):
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(copy_of_strangers(tmp_path)))
    shown = CliRunner().invoke(main, ["outline", "fr-2029", "--why"])
    assert shown.exit_code == 0
    assert " 1  dropped                 rule “title of the edition”\n" in shown.output
    assert "36  clause 5/A/2/b          “b.” continues a.\n" in shown.output
    some = CliRunner().invoke(main, ["outline", "fr-2029", "5/A/2", "--why"]).output.splitlines()
    assert some[0] == "34  subsection 5/A/2      “2°” continues 1°" and len(some) == 11
    assert "no provision 99" in CliRunner().invoke(main, ["outline", "fr-2029", "99", "--why"]).output
