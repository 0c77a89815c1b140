"""Which line begins a provision: labels in every style, items, and words that only look like a label."""

import pytest
from strangers import LEVELS, REST, levels_of, nodes_of, write_edition

from corpus import ingest


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
        f"LAW 1 — ONE\n\n{a} Section\n{indent}{one} begins\n{indent * 2}{small} first:\n"
        f"{indent * 3}{first} roman,\n{indent * 3}{second} roman too;\n"
        f"{indent * 2}{other} second.\n{indent}{two} ends.\n{b} Another section.\n\nLAW 2 — TWO\n\n"
        "Text.\n\nLAW 3 — THREE\n\nText.\n"
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
    source = (
        "ОПРЕДЕЛЕНИЯ\nКарта – лист.\nВзятка – четири карти.\n\nПРАВИЛО 1 — КАРТИ\n\nА. Първо:\n"
        "1. едно:\nа) тук,\nб) там.\nБ. Второ.\n\nПРАВИЛО 2 — МАСИ\n\nТекст.\n"
    )
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
    source = (
        "LAW 1 — ONE\n\nA. 1. He may (a) stand, (b) sit or (c) lie, as (a) or (b) say.\n\n"
        "LAW 2 — TWO\n\nx.\n\nLAW 3 — THREE\n\nx.\n"
    )
    nodes = nodes_of(tmp_path, source, levels=levels)
    assert [p for p in nodes if p.startswith("1/A/1/")] == ["1/A/1/a", "1/A/1/b", "1/A/1/c"]
    assert nodes["1/A/1/c"].text == "lie, as (a) or (b) say."


def test_a_look_alike_inside_a_sentence_is_text(tmp_path):
    source = (
        "LAW 1 — ONE\n\nA. First of all, a player has to keep his cards in a place where section\n"
        "B. of this law can find them, and where the others see that he has them still.\n"
        "B. Second.\n\nLAW 2 — TWO\n\nx.\n\nLAW 3 — THREE\n\nx.\n"
    )
    nodes = nodes_of(tmp_path, source)
    assert nodes["1/B"].text == "Second." and "section B. of this law" in nodes["1/A"].text


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
        for p in ingest.read_editions(write_edition(tmp_path / "blank", source)).problems
    )
    parted = 'laws = "1–3"\n[[drop]]\nname = "break"\nscope = "break"\npattern = \'^(?=\\(b\\) nothing)\'\n'
    assert "1/b" in nodes_of(tmp_path / "parted", source, parted)


def test_a_closing_line_in_small_letters_belongs_to_the_lead_in(tmp_path):
    nodes = nodes_of(
        tmp_path,
        "LAW 1 — ONE\nWhen\n(a) the player\n(b) his partner\n"
        f"has seen the card of another player at the table, it is played.{REST}",
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
        for p in ingest.read_editions(write_edition(tmp_path / name, f"LAW 1 — ONE\n{text}{REST}", LINES)).problems
    ]
    assert noted("When\n(a) the player;\n(b) his partner.\nBoth may sit.", "after") == [
        (5, "An unlabelled paragraph after the list stands in its last item, 1/b.")
    ]
    assert noted("When\n(a) the player.\nHe sits.\n(b) his partner.\nBoth may sit.", "own") == []
    assert noted("He may sit.\n(a) The player.\n(b) His partner.\nBoth may sit.", "sentence") == []


def test_a_title_in_small_letters_may_have_two_lines(tmp_path):
    source = (
        "Law 1 – A long title of\nwords that goes\non here\n\nText.\n\nLaw 2 – Two\nText.\n\n"
        "Law 3 – Three\n\nand so on.\n"
    )
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
        for p in ingest.read_editions(write_edition(tmp_path, f"LAW 1 — ONE\n\n{text}{REST}")).problems
        if "inline = true" in p.move
    ]
    assert [p.finding.split(" stand")[0] for p in found] == [labels] * bool(labels)


def test_the_next_label_inside_an_item_is_noted_though_the_list_goes_on(tmp_path):
    source = "LAW 1 — CARDS\n\nA. Cards are played; B. Bids are called.\nB. Tricks are won.\n"
    result = ingest.read_editions(write_edition(tmp_path, source, 'laws = "1"\n'))
    assert [(p.line, p.finding) for p in result.problems] == [(3, "B. stand inside the text of 1/A.")]


@pytest.mark.parametrize("words", ["subject to 15 C. of it", "so F 4. holds", "under § 15 C. of it"])
def test_the_end_of_a_reference_is_no_item_of_a_list(words, tmp_path):
    text = f"LAW 1 — ONE\n\nA. One.\nB. Two, {words}.\n1. x.\n2. y.\n3. z, {words}." + REST
    found = ingest.read_editions(write_edition(tmp_path, text)).problems
    assert not any("Are they items?" in p.move for p in found) and not any(p.fatal for p in found)
