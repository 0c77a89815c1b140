"""The reader: twice the same, there and back the same; notes, definitions, broken words, parts and layout."""

import json

import pytest
from strangers import CORPUS, copy_of_strangers, nodes_of

from corpus import language
from corpus.edition import list_editions, load_edition
from corpus.ingest import read_editions
from corpus.json_values import node_from_json, node_to_json
from corpus.reading.read import read_source

REAL = list_editions(CORPUS)


@pytest.mark.parametrize("name", REAL)
def test_reading_twice_gives_the_same(name):
    edition = load_edition(CORPUS / "editions" / name)
    words = language.load_language(CORPUS / "languages", edition.lang)
    assert read_source(edition, words) == read_source(edition, words)


def test_a_node_comes_back_from_the_export_byte_for_byte(ingest, tmp_path):
    strangers = read_editions(copy_of_strangers(tmp_path))
    count = 0
    for reading in [*ingest.readings.values(), *strangers.readings.values()]:
        for node in reading.nodes:
            line = json.dumps(node_to_json(node), ensure_ascii=False)
            back = node_from_json(json.loads(line))
            assert back == node and json.dumps(node_to_json(back), ensure_ascii=False) == line
            count += 1
    assert count > 2000


@pytest.mark.parametrize(
    ("style", "one", "two"), [("superscript", "¹", "²"), ("brackets", "[1]", "[2]"), ("parentheses", "(1)", "(2)")]
)
@pytest.mark.parametrize("place", ["foot", "end"])
def test_numbered_notes_meet_their_marks(style, one, two, place, tmp_path):
    keys = f'laws = "1–3"\nnotes = {{numbering = "book", style = "{style}"' + (
        ', place = "end", start = "NOTES"}\n' if place == "end" else "}\n"
    )
    notes = f"{one} First note\nin two lines.\n{two} Second note.\n"
    source = (
        f"LAW 1 — ONE\n\nA player{one} who sits\n\n{notes if place == 'foot' else ''}\n"
        f"at the table{two}.\n\nLAW 2 — TWO\n\nx.\n\nLAW 3 — THREE\n\nx.\n"
        + (f"NOTES\n{notes}" if place == "end" else "")
    )
    nodes = nodes_of(tmp_path, source, keys)
    assert nodes["1"].text == "A player who sits at the table."
    assert [(m.at, m.target) for m in nodes["1"].marks] == [(8, "xx-2030/fn/1"), (30, "xx-2030/fn/2")]
    assert [nodes[p].text for p in ("fn/1", "fn/2")] == ["First note in two lines.", "Second note."]


def test_stars_count_in_their_law(tmp_path):
    source = (
        "LAW 1 — ONE*\n\nx** y.\n* about the title.\n** about x.\n\nLAW 2 — TWO\n\nx*.\n\n* again.\n\n"
        "LAW 3 — THREE\n\nx.\n"
    )
    nodes = nodes_of(tmp_path, source, 'laws = "1–3"\nnotes = {numbering = "law", style = "stars"}\n')
    assert [p for p in nodes if "fn" in p] == ["1/fn/1", "1/fn/2", "2/fn/1"]
    assert (nodes["1"].heading, nodes["1"].text) == ("ONE", "x y.")


@pytest.mark.parametrize(
    ("style", "entries"),
    [
        ("dash", "Bid – a promise.\nTrick, won (trick) — four\ncards.\n"),
        ("colon", "Bid: a promise.\nTrick, won (trick): four\ncards.\n"),
        ("bold", "**Bid** a promise.\n**Trick, won (trick)**: four\ncards.\n"),
        (
            "headword",
            "\nBid\n\nA promise to win a number of tricks above the first six.\n\nTrick, won (trick)\n\nFour cards.\n",
        ),
    ],
)
def test_definitions_are_known_by_their_style(style, entries, tmp_path):
    keys = f'laws = "1–3"\ndefinitions = {{style = "{style}"}}\nparts = [{{path = "def", start = "^DEFINITIONS$"}}]\n'
    nodes = nodes_of(
        tmp_path, f"DEFINITIONS\n{entries}\nLAW 1 — ONE\n\nx.\n\nLAW 2 — TWO\n\nx.\n\nLAW 3 — THREE\n\nx.\n", keys
    )
    assert [p for p in nodes if p.startswith("def/")] == ["def/bid", "def/trick-won"]
    assert (nodes["def/trick-won"].heading, nodes["def/trick-won"].text.lower()) == (
        "Trick, won (trick)",
        "four cards.",
    )


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (("a Regel-", "buch of rules"), "a Regelbuch of rules"),
        (("a Match-", "Punkt of it"), "a Match-Punkt of it"),
        (("a soft\u00ad", "ness of it"), "a softness of it"),
        (("a dash -", "and more"), "a dash - and more"),
        (("a mid-", "and endgame"), "a mid- and endgame"),
        (("an IMP-", "scale"), "an IMP-scale"),
        (("north-south; the North-", "south pair"), "north-south; the North-south pair"),
        (("a firm\u2011", "word"), "a firm\u2011word"),
        (("a Regel\u2010", "buch"), "a Regelbuch"),
    ],
)
def test_words_broken_at_the_end_of_a_line_are_joined(lines, text, tmp_path):
    nodes = nodes_of(
        tmp_path,
        f"LAW 1 — ONE\n\n{lines[0]}\n{lines[1]}.\n\nLAW 2 — TWO\n\nx.\n\nLAW 3 — THREE\n\nx.\n",
        'laws = "1–3"\nhyphens = "join"\n',
    )
    assert nodes["1"].text == text + "."


def test_an_extract_holds_only_the_laws_that_it_declares(tmp_path):
    nodes = nodes_of(
        tmp_path,
        "LAW 12 — ONE\n\nx.\n\nLAW 61 — TWO\n\nx.\n\nLAW 62 — THREE\n\nx.\n",
        'laws = "12, 61–62"\ncomplete = false\n',
    )
    assert list(nodes) == ["12", "61", "62"]


def test_bom_crlf_form_feeds_and_no_break_spaces_are_layout(tmp_path):
    nodes = nodes_of(
        tmp_path,
        "\ufeffLAW\u00a01 — ONE\r\n\r\nA.\u00a0x\u00a0y.\r\n\fLAW 2 — TWO\r\n\r\nx.\r\n\r\n"
        "\x0cLAW 3 — THREE\r\n\r\nx.\r\n",
    )
    assert list(nodes) == ["1", "1/A", "2", "3"] and nodes["1/A"].text == "x y."


def test_chapters_in_words_count_by_order(tmp_path):
    keys = (
        'laws = "1–3"\nheaded = [{kind = "chapter", pattern = \'^\\w+ CHAPTER$\'}, '
        "{kind = \"part\", pattern = '^PART (?P<n>\\w+): (?P<heading>.+)'}]\n"
    )
    source = (
        "FIRST CHAPTER\nThe Cards\nLAW 1 — ONE\n\nx.\n\nSECOND CHAPTER\nThe Table\nPART 1: Seats\n"
        "LAW 2 — TWO\n\nx.\n\nPART 2: Places\nLAW 3 — THREE\n\nx.\n"
    )
    nodes = nodes_of(tmp_path, source, keys)
    assert list(nodes) == ["chapter/I", "1", "chapter/II", "chapter/II/part/I", "2", "chapter/II/part/II", "3"]
    assert nodes["chapter/II"].heading == "The Table" and nodes["chapter/II/part/II"].heading == "Places"
    assert nodes["3"].parent == "xx-2030/chapter/II/part/II"
