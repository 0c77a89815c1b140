"""Words that a line break cut from what announces them: a citation in a note, a line that the manifest places."""

import pytest
from strangers import REST, write_edition

from corpus import ingest

NOTES = "[notes]\nnumbering = \"book\"\nnote = '^(?P<sign>¹) '\nmark = '(?P<sign>¹)'\n"


def read(tmp_path, source: str, keys: str, words: str = ""):
    """The result of reading; ``words`` are further keys of the language file."""
    folder = write_edition(tmp_path, source, f'laws = "1–3"\n{keys}')
    english = folder / "languages" / "en.toml"
    english.write_text(english.read_text(encoding="utf-8").replace("[reference]\n", f"[reference]\n{words}"), "utf-8")
    return ingest.read_editions(folder)


def nodes(tmp_path, source: str, keys: str, words: str = ""):
    result = read(tmp_path, source, keys, words)
    assert [str(p) for p in result.fatal_problems] == []
    return {n.path: n for n in result.readings["xx-2030"].nodes}


@pytest.mark.parametrize("label", ["2. B", "LAW 2 — TWO", "A. x"])
def test_a_label_after_a_word_that_announces_it_goes_on_with_the_note(tmp_path, label):
    text = f"LAW 1 — ONE\n\nA player¹ bids.\n\n¹ Whoever sits there (see\n{label}).\n{REST}"
    found = nodes(tmp_path, text, NOTES)
    assert found["fn/1"].text == f"Whoever sits there (see {label})." and found["1"].text == "A player bids."


def test_a_law_after_a_note_is_a_law(tmp_path):
    text = f"LAW 1 — ONE\n\nA player¹ bids.\n\n¹ Whoever sits there, not of the law\n{REST.lstrip()}"
    assert nodes(tmp_path, text, NOTES)["fn/1"].text == "Whoever sits there, not of the law"


AFTER = 'provision_after = ["item"]\n'


@pytest.mark.parametrize(
    "last, following, joined",
    [
        ("see B 2.", "item.", True),
        ("see B 2.", "bids.", False),
        ("see B.", "item.", False),
        ("see B 2.", "Item.", True),
    ],
)
def test_a_note_that_ends_in_a_number_goes_on_with_the_word_after_it(tmp_path, last, following, joined):
    text = f"LAW 1 — ONE\n\nA player¹\n\n¹ Whoever sits there, {last}\n{following}\n{REST}"
    found = nodes(tmp_path, text, NOTES, AFTER)
    assert found["fn/1"].text == f"Whoever sits there, {last}" + f" {following}" * joined


def test_labels_with_a_word_after_them_are_no_items_of_a_list(tmp_path):
    text = "LAW 1 — ONE\n\nA. Then it is 1. {0} that he takes, while 2. {0} stays there.\n" + REST
    for word, noted in (("item", 0), ("row", 1)):
        found = read(tmp_path / word, text.format(word), "", AFTER).problems
        assert [p.finding for p in found] == ["1. and 2. stand inside the text of 1/A."] * noted


BEFORE = "A player who has bid in front of his partner is treated as one who has passed under"


@pytest.mark.parametrize(
    "before, placed, joined",
    [
        (f"{BEFORE} Laws", "2 and 3. He may go on.", " "),
        (f"{BEFORE} section", "B of this law.", " "),
        (f"{BEFORE} the eyes of", "2. The rest of this sentence.", " "),
        (f"{BEFORE} 5.,", "2. and 3. Laws.", " "),
        (f"{BEFORE}.", "2. It is a paragraph.", "\n\n"),
    ],
)
def test_a_placed_line_goes_on_with_the_sentence_that_a_break_cut(tmp_path, before, placed, joined):
    source = f"LAW 1 — ONE\n\nA. x.\n\nB. {before}\n{placed}\n{REST}"
    keys = '[[placements]]\nline = 6\npath = "1/B"\nreason = "it goes on"\n'
    assert nodes(tmp_path, source, keys)["1/B"].text == f"{before}{joined}{placed}"


@pytest.mark.parametrize("before, after, joined", [("3. or 2.", "laws.", " "), ("Law 3.", "Laws.", "\n\n")])
def test_a_number_with_a_full_stop_ends_a_sentence_only_before_a_capital(tmp_path, before, after, joined):
    source = f"LAW 1 — ONE\n\nA. x.\n\nB. {BEFORE} {before}\n\n{after}\n{REST}"
    assert nodes(tmp_path, source, "")["1/B"].text == f"{BEFORE} {before}{joined}{after}"
