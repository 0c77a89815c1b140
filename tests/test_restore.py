"""The authoring tool's rows of change: exact, one a word, never overlapping. Its heavy parts are not imported."""

from pathlib import Path

import pytest

from tools.restore.align import TextChange, all_changes, apply_changes, line_changes
from tools.restore.compare import disagreements
from tools.restore.tokens import split_token

EDITIONS = Path(__file__).parent.parent / "corpus" / "editions"
HELD = sorted(p.parent for p in EDITIONS.glob("*/confusions.tsv"))


@pytest.mark.parametrize(
    "source, published, rows",
    [
        ("bez zmian", "bez zmian", []),
        ("(moze byc).", "(może być).", [(2, "moze", "może"), (7, "byc", "być")]),
        ("moze ,nie wolno”", "może „nie wolno”", [(1, "moze", "może"), (6, ",nie", "„nie")]),
        ("0) ktdrys", "(i) któryś", [(1, "0", "(i"), (4, "ktdrys", "któryś")]),
        ("1. () Sedzia", "1. (a) Sędzia", [(5, "", "a"), (7, "Sedzia", "Sędzia")]),
        ("lewywartos¢", "lewy wartość", [(1, "lewywartos¢", "lewy wartość")]),
        ("dobrze dobrze jest", "dobrze jest", None),
        ("Rozgrywka /Zagranie", "Rozgrywka / Zagranie", [(11, "/Zagranie", "/ Zagranie")]),
        ("pusta ", "", None),
        ("", "nowy wiersz", [(1, "", "nowy wiersz")]),
        ("<|MARK|>7. NADZOR", "<|MARK|>7. NADZÓR", [(12, "NADZOR", "NADZÓR")]),
        ("1,5,9, 13 i 2", "1, 5, 9, 13 i 2", None),
    ],
)
def test_a_change_is_one_row_a_word_and_leads_to_the_published_line(source, published, rows):
    found = line_changes(source, published)
    assert apply_changes(source, found) == published
    ends = [0] + [row.column + len(row.source) for row in found]
    assert all(end <= row.column for end, row in zip(ends, found, strict=False)), "rows overlap"
    if rows is not None:
        assert [(row.column, row.source, row.published) for row in found] == rows


def test_a_row_that_does_not_fit_its_place_is_refused():
    with pytest.raises(ValueError, match="2:4"):
        apply_changes("jeden\ndwa trzy", [TextChange(2, 4, "cztery", "pięć")])


def test_a_reading_with_other_lines_is_refused():
    with pytest.raises(ValueError, match="lines"):
        all_changes("a\nb", "a")


def test_two_readings_are_compared_at_the_place_in_the_source():
    source = "stgpa reka jg\nkarta"
    rows = list(disagreements("stąpa ręka ją\nkarta", "stąpa ręką ją\nkartą", source))
    assert rows == [(1, 7, "reka", "ręka", "ręką", "stgpa reka jg"), (2, 1, "karta", "karta", "kartą", "karta")]


@pytest.mark.parametrize(
    "text, parts",
    [
        ("(moze.", ("(", "moze", ".")),
        ("»mMa”", ("»", "mMa", "”")),
        ("-", ("-", "", "")),
        ("ses;ji", ("", "ses;ji", "")),
    ],
)
def test_punctuation_is_told_from_the_word(text, parts):
    assert split_token(text) == parts


def test_there_is_a_restored_edition():
    assert HELD


@pytest.mark.parametrize("folder", HELD, ids=lambda p: p.name)
def test_the_rows_of_an_edition_can_be_made_again_from_its_published_text(folder):
    source = (folder / "source.txt").read_text(encoding="utf-8")
    cells = [line.split("\t") for line in (folder / "corrections.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    rows = [TextChange(int(line), int(column), old, new) for line, column, old, new, *_ in cells]
    published = apply_changes(source, rows)
    assert all_changes(source, published) == rows


@pytest.mark.parametrize("folder", HELD, ids=lambda p: p.name)
def test_a_settled_disagreement_names_the_word_that_stands_there(folder):
    lines = (folder / "source.txt").read_text(encoding="utf-8").split("\n")
    for row in (folder / "readings.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        line, column, source, _machine, _reader, _decision, why = row.split("\t")
        assert lines[int(line) - 1].startswith(source, int(column) - 1), row
        assert why, row
