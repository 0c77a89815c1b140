"""Every published character keeps its place in the source, through to the page; corrections are where it says."""

from __future__ import annotations

import copy
import json
import pickle
from collections import Counter

import pytest
import strangers
from hypothesis import given
from hypothesis import strategies as st
from strangers import CORPUS, copy_of_strangers, write_edition

from corpus.corrections import corrected_spans_by_node, find_corrected_spans
from corpus.edition import list_editions
from corpus.ingest import read_editions
from corpus.json_values import node_from_json, node_to_json
from corpus.model import CORRECTION_RESULTS, Correction, Text
from corpus.reading.flow import text_with_places
from corpus.reading.source import apply_corrections

REAL = list_editions(CORPUS)
STRANGERS = list_editions(strangers.STRANGERS)
WHERE = ("label", "heading", "text")


@pytest.fixture(scope="module")
def read(ingest, tmp_path_factory):
    """``read(name)``: an edition, its reading, the lines of its source."""
    others = read_editions(copy_of_strangers(tmp_path_factory.mktemp("strangers")))

    def one(name: str):
        result = ingest if name in ingest.editions else others
        edition = result.editions[name]
        return (
            edition,
            result.readings[name],
            (edition.folder / edition.source).read_text(encoding="utf-8-sig").split("\n"),
        )

    return one


def texts(reading):
    return [
        (node, where, words) for node in reading.nodes for where in WHERE if (words := getattr(node, where)) is not None
    ]


def forms(row: Correction, node) -> set[str]:
    """What a correction publishes, blanks aside, with and without the signs of the node's notes."""
    published = "".join(row.published.split())
    return {published, *(published.replace(m.sign, "") for m in node.marks if m.sign)}


def test_there_are_editions():
    assert len(REAL) >= 5 and len(STRANGERS) >= 4


@pytest.mark.parametrize("name", [*REAL, *STRANGERS])
def test_every_character_is_the_one_at_its_place_or_a_correction_says_why_not(name, read):
    edition, reading, lines = read(name)
    rows = {(c.line, c.column, len(c.source)): c for c in reading.corrections}
    seen = Counter()
    for node, where, words in texts(reading):
        assert isinstance(words, Text) and sum(run[0] for run in words.places) == len(words), (node.id, where)
        for start, end, place in words.runs():
            seen[len(place)] += end - start
            if not place:
                assert not words[start:end].strip(), "the reader adds nothing but blanks"
            elif len(place) == 2:
                line, column = place
                there = lines[line - 1][column - 1 : column - 1 + end - start]
                assert [c if c.strip() else " " for c in there] == [
                    c if c.strip() else " " for c in words[start:end]
                ], (node.id, where, place)
            elif place in rows:
                assert any("".join(words[start:end].split()) in printed for printed in forms(rows[place], node)), (
                    node.id,
                    where,
                    place,
                )
            else:
                assert edition.is_html, (node.id, where, place)
    assert seen[2] > seen[3]


@pytest.mark.parametrize("name", [*REAL, *STRANGERS])
def test_places_come_back_from_the_export(name, read):
    count = 0
    for node in read(name)[1].nodes:
        back = node_from_json(json.loads(json.dumps(node_to_json(node))))
        assert [getattr(back, w).places for w in WHERE if getattr(back, w)] == [
            getattr(node, w).places for w in WHERE if getattr(node, w)
        ]
        count += 1
    assert count


@pytest.mark.parametrize("name", REAL)
def test_every_correction_is_drawn_or_says_what_it_became(name, read):
    """A stretch is proved by slicing; of what crosses a border (label and text, two cells) the pieces make the whole.
    Only the sign of a note leaves the word that it was published with."""
    _, reading, _ = read(name)
    nodes = {n.id: n for n in reading.nodes}
    pieces: dict[Correction, list[str]] = {}
    printed: dict[Correction, set[str]] = {}
    for row in find_corrected_spans(reading.nodes, reading.corrections):
        pieces.setdefault(row.correction, []).append(getattr(nodes[row.node], row.where)[row.start : row.end])
        printed[row.correction] = forms(row.correction, nodes[row.node])
    for c in reading.corrections:
        assert c.became in CORRECTION_RESULTS and bool(c.became) != (c in pieces), c
        assert c.became or "".join("".join(pieces[c]).split()) in printed[c], c


@pytest.mark.parametrize("name", REAL)
def test_what_is_drawn_nowhere_is_not_in_the_words(name, read):
    """“dropped” and “sign” are so by the account: another line of the same words changes nothing."""
    _, reading, _ = read(name)
    own = {
        (line, column)
        for _, _, words in texts(reading)
        for start, end, place in words.runs()
        if len(place) == 2
        for line, column in [(place[0], place[1] + i) for i in range(end - start)]
    }
    for c in reading.corrections:
        if c.became:
            assert not {(c.line, c.column + i) for i in range(len(c.source))} & own, c


def test_corrections_that_the_words_alone_could_not_find(ingest):
    """Once most of these could not be marked: single signs, blanks put in, words in a title or a label."""
    found = [
        (r, getattr(n, r.where))
        for reading in ingest.readings.values()
        for nodes in [{n.id: n for n in reading.nodes}]
        for r in find_corrected_spans(reading.nodes, reading.corrections)
        for n in [nodes[r.node]]
    ]
    kinds = Counter(
        "point"
        if r.start == r.end
        else r.where
        if r.where != "text"
        else "blank"
        if not w[r.start : r.end].strip()
        else "sign"
        if r.end - r.start == 1
        else "word"
        for r, w in found
    )
    assert {"point", "label", "heading", "sign", "word"} <= set(kinds) and kinds["heading"] > 100, kinds
    rows, became = (
        [c for r in ingest.readings.values() for c in r.corrections],
        Counter(c.became for r in ingest.readings.values() for c in r.corrections),
    )
    assert became[""] > 0.99 * len(rows) and sum(became.values()) == len(rows), became


ROWS = "line\tcolumn\tsource\tpublished\tbasis\treason\n"


@pytest.mark.parametrize(
    ("line", "rows", "drawn"),
    [
        ("A pl4yer bids.", ["3\tpl4yer\tplayer"], [("text", 2, 8)]),
        ("A playerbids.", ["9\t\t "], [("text", 8, 9)]),
        ("A play;er bids.", ["7\t;\t"], [("text", 6, 6)]),
        ("; A player bids.", ["1\t; \t"], [("text", 0, 0)]),
        ("A player bids. ~", ["15\t ~\t"], [("text", 14, 14)]),
        ("A. He bids.", ["1\tA.\tA."], [("label", 0, 2)]),
        ("l. He bids.", ["1\tl. He\tA. She"], [("label", 0, 2), ("text", 0, 3)]),
        ("the the player", ["5\tthe\tthe"], [("text", 4, 7)]),
    ],
    ids=[
        "a word",
        "a blank put in",
        "a sign gone",
        "gone at the front",
        "gone at the end",
        "a label",
        "label and text",
        "the second of two alike",
    ],
)
def test_a_correction_is_drawn_where_it_was_made(line, rows, drawn, tmp_path):
    source = f"LAW 1 — ONE\n\n{line}\n\nLAW 2 — TWO\n\nx.\n\nLAW 3 — THREE\n\nx.\n"
    corrections = ROWS + "".join(f"3\t{row}\tproofread\twhy\n" for row in rows)
    result = read_editions(write_edition(tmp_path, source, corrections=corrections))
    assert [str(p) for p in result.fatal_problems] == []
    reading = result.readings["xx-2030"]
    assert [(r.where, r.start, r.end) for r in find_corrected_spans(reading.nodes, reading.corrections)] == drawn


def test_what_is_no_word_says_so(tmp_path):
    source = "LAW 1 — ONE\n\nHEAO\nA player~ bids.\n! his bid.\n\nLAW 2 — TWO\n\nx.\n\nLAW 3 — THREE\n\nx.  \n"
    keys = 'laws = "1–3"\nnotes = {numbering = "law", style = "stars"}\n[[drop]]\nname = "head"\npattern = "HEAD"\n'
    rows = ROWS + "".join(
        f"{row}\tproofread\twhy\n" for row in ["3\t4\tO\tD", "4\t9\t~\t*", "5\t1\t!\t*", "13\t3\t \t\u00a0"]
    )
    reading = read_editions(write_edition(tmp_path, source, keys, corrections=rows)).readings["xx-2030"]
    assert [c.became for c in reading.corrections] == ["dropped", "sign", "", "layout"]
    places = corrected_spans_by_node(reading.nodes, reading.corrections)
    assert [(r.where, r.correction.became) for r in places["xx-2030/1"]] == [("", "sign")]
    assert [(r.where, r.correction.became) for r in places["xx-2030/1/fn/1"]] == [("label", "")]


# ── the value ─────────────────────────────────────────────────────────────────────────────────────

WORDS = st.text(st.characters(blacklist_characters="\n\r", blacklist_categories=("Cs",)), min_size=1, max_size=30)


@given(WORDS, st.data())
def test_every_character_of_a_text_is_at_its_place(line, data):
    start = data.draw(st.integers(0, len(line)))
    row = Correction("x", 1, start + 1, line[start : start + 2], data.draw(WORDS), "context", "")
    (published,), _, problems = apply_corrections([line], [row], "x")
    text = text_with_places(published.text, published.places)
    assert not problems and text == published.text
    assert list(text.character_places()) == [text.place_at(i) for i in range(len(text))]
    for i, char in enumerate(text):
        place = text.place_at(i)
        assert place == (1, row.column, len(row.source)) if len(place) == 3 else line[place[1] - 1] == char


def test_a_text_is_words_and_frozen():
    text = Text("a law", ((1, 7, 1), (1,), (3, 8, 4, 2)))
    assert text == "a law" and json.dumps(text) == '"a law"' and hash(text) == hash("a law")
    for twin in (copy.deepcopy(text), pickle.loads(pickle.dumps(text))):
        assert twin == text and twin.places == text.places
    assert [text.place_at(i) for i in (0, 1, 2, 4)] == [(7, 1), (), (8, 4, 2), (8, 4, 2)]
    with pytest.raises(AttributeError):
        text.places = ()
