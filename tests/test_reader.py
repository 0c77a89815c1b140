"""The reader: twice the same, there and back the same, and what each print style means."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strangers import CORPUS, LEVELS, copy_of_strangers, write_edition

from corpus import ingest as ingesting
from corpus import language
from corpus.edition import manifest
from corpus.exchange import node_from_json, node_to_json
from corpus.reading.read import read

REAL = manifest.list_editions(CORPUS)


@pytest.mark.parametrize("name", REAL)
def test_reading_twice_gives_the_same(name):
    edition = manifest.load(CORPUS / "editions" / name)
    words = language.load(CORPUS / "languages", edition.lang)
    assert read(edition, words) == read(edition, words)


def test_a_node_comes_back_from_the_export_byte_for_byte(ingest, tmp_path):
    strangers = ingesting.read_all(copy_of_strangers(tmp_path))
    count = 0
    for reading in [*ingest.readings.values(), *strangers.readings.values()]:
        for node in reading.nodes:
            line = json.dumps(node_to_json(node), ensure_ascii=False)
            back = node_from_json(json.loads(line))
            assert back == node and json.dumps(node_to_json(back), ensure_ascii=False) == line
            count += 1
    assert count > 2000


def nodes_of(folder: Path, source: str, keys: str = 'laws = "1–3"\n', levels: str = LEVELS):
    result = ingesting.read_all(write_edition(folder, source, keys, levels))
    assert [str(p) for p in result.fatal] == []
    return {n.path: n for n in result.readings["xx-2030"].nodes}


def levels_of(*labels: str, law: str = "") -> str:
    kinds = ("law", "section", "subsection", "clause", "subclause")
    return "".join(
        f'\n[[levels]]\nkind = "{kind}"\nlabels = ["{label}"]\n' + (law if kind == "law" else "")
        for kind, label in zip(kinds, labels)
    )


@pytest.mark.parametrize(
    ("template", "printed", "heading"),
    [
        ("LAW 1 — HEADING", "LAW {} — A TITLE", "A TITLE"),
        ("Law 1 – Heading", "Law {} — Title", "Title"),
        ("§ 1. HEADING", "§\u00a0{}. NADPIS", "NADPIS"),
        ("§ 1 Heading", "§ {}  Titel", "Titel"),
        ("1. HEADING", "{}. TITLE", "TITLE"),
        ("Gesetz 1: Heading", "Gesetz {}: Titel", "Titel"),
    ],
)
def test_a_law_is_known_by_its_template(template, printed, heading, tmp_path):
    source = "".join(f"{printed.format(n)}\n\nText of this law.\n\n" for n in (1, 2, 3))
    nodes = nodes_of(tmp_path, source, levels=levels_of(template, "A.", "1)"))
    assert list(nodes) == ["1", "2", "3"]
    assert {(n.heading, n.text) for n in nodes.values()} == {(heading, "Text of this law.")}


@pytest.mark.parametrize(
    "labels",
    [
        ("A.", "1.", "(a)", "(i)"),
        ("A)", "1)", "a)", "i)"),
        ("(A)", "(1)", "a.", "i."),
        ("A -", "1°", "a)", "(i)"),
        ("^A.", "^1.", "(a)", "(i)"),
    ],
)
@pytest.mark.parametrize("indent", ["", "  ", "\t"])
def test_every_style_of_labels_gives_the_same_paths(labels, indent, tmp_path):
    full = {"A": ("{l}A.", "{l}B."), "1": ("{l}A1.", "{l}A2.")} if labels[0] == "^A." else {}
    a, b = (s.format(l=1) for s in full["A"]) if full else (labels[0], labels[0].replace("A", "B"))
    one, two = (s.format(l=1) for s in full["1"]) if full else (labels[1], labels[1].replace("1", "2"))
    small, other = labels[2], labels[2].replace("a", "b")
    first, second = labels[3], labels[3].replace("i", "ii")
    source = (
        f"LAW 1 — ONE\n\n{a} Section\n{indent}{one} begins\n{indent * 2}{small} first:\n{indent * 3}{first} roman,\n{indent * 3}{second} roman too;\n"
        f"{indent * 2}{other} second.\n{indent}{two} ends.\n{b} Another section.\n\nLAW 2 — TWO\n\nText.\n\nLAW 3 — THREE\n\nText.\n"
    )
    nodes = nodes_of(tmp_path, source, levels=levels_of("LAW 1 — HEADING", *labels))
    assert list(nodes) == [
        "1",
        "1/A",
        "1/A/1",
        "1/A/1/a",
        "1/A/1/a/i",
        "1/A/1/a/ii",
        "1/A/1/b",
        "1/A/2",
        "1/B",
        "2",
        "3",
    ]


def test_letters_of_another_alphabet_count_like_ours(tmp_path):
    levels = (
        levels_of("ПРАВИЛО 1 — HEADING", "A.", "1.", "a)")
        .replace('labels = ["A."]', 'labels = ["A."]\nletters = "абвг"')
        .replace('labels = ["a)"]', 'labels = ["a)"]\nletters = "абвг"')
    )
    keys = 'laws = "1–2"\nparts = [{path = "def", start = "^ОПРЕДЕЛЕНИЯ$"}]\ndefinitions = {style = "dash"}\n'
    source = "ОПРЕДЕЛЕНИЯ\nКарта – лист.\nВзятка – четири карти.\n\nПРАВИЛО 1 — КАРТИ\n\nА. Първо:\n1. едно:\nа) тук,\nб) там.\nБ. Второ.\n\nПРАВИЛО 2 — МАСИ\n\nТекст.\n"
    nodes = nodes_of(tmp_path, source, keys, levels)
    assert list(nodes) == ["def", "def/карта", "def/взятка", "1", "1/A", "1/A/1", "1/A/1/a", "1/A/1/b", "1/B", "2"]


LETTERS = "".join(f"({c}) item {c},\n" for c in "abcdefgh")


def test_i_after_h_is_a_letter_when_j_follows(tmp_path):
    nodes = nodes_of(
        tmp_path,
        f"LAW 1 — ONE\n\nA. 1. list:\n{LETTERS}(i) ninth,\n(j) tenth.\n\nLAW 2 — TWO\n\nx.\n\nLAW 3 — THREE\n\nx.\n",
    )
    assert "1/A/1/i" in nodes and "1/A/1/j" in nodes


def test_i_after_h_is_a_number_when_ii_follows(tmp_path):
    nodes = nodes_of(
        tmp_path,
        f"LAW 1 — ONE\n\nA. 1. list:\n{LETTERS}(i) first,\n(ii) second.\n\nLAW 2 — TWO\n\nx.\n\nLAW 3 — THREE\n\nx.\n",
    )
    assert "1/A/1/h/i" in nodes and "1/A/1/h/ii" in nodes


def test_an_or_before_an_item_is_no_reference_but_after_a_label_it_is(tmp_path):
    levels = LEVELS.replace('labels = ["(a)"]', 'labels = ["(a)"]\ninline = true')
    source = "LAW 1 — ONE\n\nA. 1. He may (a) stand, (b) sit or (c) lie, as (a) or (b) say.\n\nLAW 2 — TWO\n\nx.\n\nLAW 3 — THREE\n\nx.\n"
    nodes = nodes_of(tmp_path, source, levels=levels)
    assert [p for p in nodes if p.startswith("1/A/1/")] == ["1/A/1/a", "1/A/1/b", "1/A/1/c"]
    assert nodes["1/A/1/c"].text == "lie, as (a) or (b) say."


def test_a_look_alike_inside_a_sentence_is_text(tmp_path):
    source = (
        "LAW 1 — ONE\n\nA. First of all, a player has to keep his cards in a place where section\nB. of this law can find them, and where the others see that he has them still.\n"
        "B. Second.\n\nLAW 2 — TWO\n\nx.\n\nLAW 3 — THREE\n\nx.\n"
    )
    nodes = nodes_of(tmp_path, source)
    assert nodes["1/B"].text == "Second." and "section B. of this law" in nodes["1/A"].text


REST = "\n\nLAW 2 — TWO\n\nx.\n\nLAW 3 — THREE\n\nx.\n"
LINES = 'laws = "1–3"\nparagraphs = "lines"\n'
LONG = "what a player who has not looked at his cards must do when his partner reads out this law"


@pytest.mark.parametrize("paragraphs", ["lines", "blank", "wrapped"])
def test_the_next_item_is_one_also_after_a_word_like_law(paragraphs, tmp_path):
    keys = f'laws = "1–3"\nparagraphs = "{paragraphs}"\n'
    nodes = nodes_of(tmp_path, f"LAW 1 — ONE\n\nIt is about\n(a) {LONG}\n(b) {LONG}\n(c) nothing else.{REST}", keys)
    assert [p for p in nodes if p.startswith("1/")] == ["1/a", "1/b", "1/c"]


def test_the_second_and_last_item_after_a_word_like_law(tmp_path):
    source = f"LAW 1 — ONE\n\nIt is about\n(a) {LONG}\n(b) nothing else.{REST}"
    assert "1/b" in nodes_of(tmp_path / "lines", source, LINES)
    assert any(
        "(b) is read as words" in str(p) and not p.fatal and p.line == 5
        for p in ingesting.read_all(write_edition(tmp_path / "blank", source)).problems
    )
    parted = 'laws = "1–3"\n[[drop]]\nname = "break"\nscope = "break"\npattern = \'^(?=\\(b\\) nothing)\'\n'
    assert "1/b" in nodes_of(tmp_path / "parted", source, parted)


def test_a_closing_line_in_small_letters_belongs_to_the_lead_in(tmp_path):
    nodes = nodes_of(
        tmp_path,
        f"LAW 1 — ONE\nWhen\n(a) the player\n(b) his partner\nhas seen the card of another player at the table, it is played.{REST}",
        LINES,
    )
    assert nodes["1/b"].text == "his partner"
    assert nodes["1"].text == "When\n\nhas seen the card of another player at the table, it is played."


@pytest.mark.parametrize(
    "source",
    [
        "He is warned.\n(a) the player\n(b) his partner\nhas seen it",
        "When\n(a) the player;\n(b) his partner\nwho sits",
        "When\n(a) the player\nwho sits",
        f"When\n(a) the player\n(b) {LONG}\nhas seen it",
    ],
)
def test_a_line_in_small_letters_may_go_on_with_its_item(source, tmp_path):
    nodes = nodes_of(tmp_path, f"LAW 1 — ONE\n{source}.{REST}", LINES)
    assert source.split("\n")[-1] in [n.text for n in nodes.values() if n.path.startswith("1/")][-1]


def test_an_unlabelled_paragraph_after_a_list_is_noted(tmp_path):
    noted = lambda text, name: [
        (p.line, p.finding)
        for p in ingesting.read_all(write_edition(tmp_path / name, f"LAW 1 — ONE\n{text}{REST}", LINES)).problems
    ]
    assert noted("When\n(a) the player;\n(b) his partner.\nBoth may sit.", "after") == [
        (5, "An unlabelled paragraph after the list stands in its last item, 1/b.")
    ]
    assert noted("When\n(a) the player.\nHe sits.\n(b) his partner.\nBoth may sit.", "own") == []
    assert noted("He may sit.\n(a) The player.\n(b) His partner.\nBoth may sit.", "sentence") == []


def test_a_title_in_small_letters_may_have_two_lines(tmp_path):
    source = "Law 1 – A long title of\nwords that goes\non here\n\nText.\n\nLaw 2 – Two\nText.\n\nLaw 3 – Three\n\nand so on.\n"
    nodes = nodes_of(tmp_path, source, levels=levels_of("Law 1 – Heading"))
    assert [(n.heading, n.text) for n in nodes.values()] == [
        ("A long title of words that goes on here", "Text."),
        ("Two", "Text."),
        ("Three", "and so on."),
    ]


def test_a_label_below_a_title_is_no_title(tmp_path):
    nodes = nodes_of(
        tmp_path,
        "Law 1 – One\na) This.\nb) That.\n\nLaw 2 – Two\n\nx.\n\nLaw 3 – Three\n\nx.\n",
        levels=levels_of("Law 1 – Heading", "A.", "1.", "a)"),
    )
    assert list(nodes) == ["1", "1/a", "1/b", "2", "3"] and nodes["1"].heading == "One"


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("A. He may (a) stand, (b) sit or (c) lie.", "(a) and (b) and (c)"),
        ("A. He may:\n(a) stand, (b) sit, or (c) lie.", "(b) and (c)"),
        ("A. See (a) or (b) of law 2.", ""),
    ],
)
def test_items_that_run_on_without_a_declaration_are_noted(text, labels, tmp_path):
    found = [
        p
        for p in ingesting.read_all(write_edition(tmp_path, f"LAW 1 — ONE\n\n{text}{REST}")).problems
        if "inline = true" in p.move
    ]
    assert [p.finding.split(" stand")[0] for p in found] == [labels] * bool(labels)


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
        f"LAW 1 — ONE\n\nA player{one} who sits\n\n{notes if place == 'foot' else ''}\nat the table{two}.\n\nLAW 2 — TWO\n\nx.\n\nLAW 3 — THREE\n\nx.\n"
        + (f"NOTES\n{notes}" if place == "end" else "")
    )
    nodes = nodes_of(tmp_path, source, keys)
    assert nodes["1"].text == "A player who sits at the table."
    assert [(m.at, m.target) for m in nodes["1"].marks] == [(8, "xx-2030/fn/1"), (30, "xx-2030/fn/2")]
    assert [nodes[p].text for p in ("fn/1", "fn/2")] == ["First note in two lines.", "Second note."]


def test_stars_count_in_their_law(tmp_path):
    source = "LAW 1 — ONE*\n\nx** y.\n* about the title.\n** about x.\n\nLAW 2 — TWO\n\nx*.\n\n* again.\n\nLAW 3 — THREE\n\nx.\n"
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
        "\ufeffLAW\u00a01 — ONE\r\n\r\nA.\u00a0x\u00a0y.\r\n\fLAW 2 — TWO\r\n\r\nx.\r\n\r\n\x0cLAW 3 — THREE\r\n\r\nx.\r\n",
    )
    assert list(nodes) == ["1", "1/A", "2", "3"] and nodes["1/A"].text == "x y."


def test_chapters_in_words_count_by_order(tmp_path):
    keys = 'laws = "1–3"\nheaded = [{kind = "chapter", pattern = \'^\\w+ CHAPTER$\'}, {kind = "part", pattern = \'^PART (?P<n>\\w+): (?P<heading>.+)\'}]\n'
    source = "FIRST CHAPTER\nThe Cards\nLAW 1 — ONE\n\nx.\n\nSECOND CHAPTER\nThe Table\nPART 1: Seats\nLAW 2 — TWO\n\nx.\n\nPART 2: Places\nLAW 3 — THREE\n\nx.\n"
    nodes = nodes_of(tmp_path, source, keys)
    assert list(nodes) == ["chapter/I", "1", "chapter/II", "chapter/II/part/I", "2", "chapter/II/part/II", "3"]
    assert nodes["chapter/II"].heading == "The Table" and nodes["chapter/II/part/II"].heading == "Places"
    assert nodes["3"].parent == "xx-2030/chapter/II/part/II"


# ── HTML ──────────────────────────────────────────────────────────────────────────────────────────

INLINE = st.sampled_from(
    [
        "word ",
        "&amp;",
        "&eacute;",
        "&nbsp;",
        "&#160; ",
        "<b>bold</b> ",
        "<i>x",
        "</i>",
        "&#233;",
        "<!-- A. -->",
        "<br>",
        "<a href='#n'>1</a>",
        "<sup>2</sup>",
        "\n",
        "  ",
        "a < b ",
        "A. ",
        "1. ",
    ]
)
BLOCK = st.sampled_from(
    [
        "<p>",
        "</p>",
        "<ol>",
        "</ol>",
        "<ol type='A'>",
        "<li>",
        "</li>",
        "<table>",
        "<tr>",
        "<td>",
        "<th>",
        "</td>",
        "</tr>",
        "</table>",
        "<div>",
        "</div>",
        "<h3>LAW 1 — ONE</h3>",
        "<h3>LAW 2 — TWO</h3>",
        "<h3>LAW 3 — THREE</h3>",
        "<dl><dt>term</dt><dd>meaning</dd></dl>",
        "<ul><li>dot</ul>",
        "<script>if (a < b) {}</script>",
        "<pre> x\n y</pre>",
    ]
)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(st.lists(BLOCK | INLINE, max_size=40))
def test_no_web_page_raises_and_every_character_is_somewhere(tmp_path_factory, pieces):
    corpus = write_edition(
        tmp_path_factory.mktemp("web"),
        "<html><head><title>x</title></head><body><h3>LAW 1 — ONE</h3>" + "".join(pieces),
        'laws = "1–3"\nparagraphs = "lines"\n',
        file="source.html",
    )
    result = ingesting.read_all(corpus)
    assert not any("two nodes" in str(p) or "no node" in str(p) for p in result.problems), [
        str(p) for p in result.problems
    ]
