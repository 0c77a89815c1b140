"""Letters: folded alike everywhere, sorted as the language file says, and no language's letters in code."""

import ast
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_layers import MODULES, ROOT, literals

from app.site.drawing import bind_short_words
from corpus import language
from corpus.letters import Alphabet, fold

FOLDER = ROOT / "corpus" / "languages"
CODES = sorted(p.stem for p in FOLDER.glob("*.toml"))


def alphabet(code: str) -> Alphabet:
    return language.load_language(FOLDER, code).alphabet


@pytest.mark.parametrize(
    "text, folded",
    [
        ("Żółć", "zolc"),
        ("ĐAČIĆ", "dacic"),
        ("Straße", "strasse"),
        ("Œuvre Æther", "oeuvre aether"),
        ("ħalliel", "halliel"),
        ("Правило № 1", "правило no 1"),
        ("ﬁnał", "final"),
        ("plain 16D2", "plain 16d2"),
        ("", ""),
    ],
)
def test_letters_lose_their_marks(text, folded):
    assert fold(text) == folded


@given(st.text())
def test_what_is_folded_has_no_marks_and_stays(text):
    once = fold(text)
    assert fold(once) == once
    assert not any(unicodedata.combining(c) for c in once)


@pytest.mark.parametrize(
    "code, words",
    [
        ("sk", "cena čas dom hra hymna chyba ihla kôň lev"),
        ("sk", "ako áno azyl"),  # á sorts with a
        ("hr", "cijena čas ćup dan džep đak lav ljubav noć njiva"),
        ("pl", "as ąs bal cel ćma lew łan omen ósmy zero źle żart"),
        ("en", "ace bid Cards deal"),
    ],
)
def test_words_are_sorted_by_the_order_of_their_language(code, words):
    found = alphabet(code)
    assert sorted(words.split(), key=found.sort_key) == words.split()


@pytest.mark.parametrize("code", CODES)
def test_an_order_has_every_plain_letter_once(code):
    order = alphabet(code).order.split()
    assert len(set(order)) == len(order) and set("abcdefghijklmnopqrstuvwxyz") <= set(order)
    marked = set(alphabet(code).letters)
    assert {c for unit in order for c in unit if not c.isascii()} <= marked


@pytest.mark.parametrize(
    "code, word, initial", [("sk", "chyba", "Ch"), ("sk", "Čas", "Č"), ("pl", "chory", "C"), ("hr", "njiva", "Nj")]
)
def test_a_word_is_listed_under_its_letter(code, word, initial):
    assert alphabet(code).index_letter(word) == initial


def test_a_language_without_a_table_is_left_alone():
    plain = Alphabet()
    assert plain.stem_of("inflected") == "inflec" and plain.without_ending("aria") == "aria" and plain.bound == 0
    assert sorted(["b", "č", "a"], key=plain.sort_key) == ["a", "b", "č"]


@pytest.mark.parametrize(
    "text, bound, set_",
    [
        ("gra w karty", 1, "gra w_karty"),
        ("as do as", 2, "as_do_as"),
        ("a card", 0, "a card"),
        ("„w grze”", 1, "„w_grze”"),
    ],
)
def test_short_words_do_not_end_a_line_where_the_language_says_so(text, bound, set_):
    assert bind_short_words(text, bound) == set_.replace("_", "\N{NO-BREAK SPACE}")


# Letters in code that belong to no language.
ALLOWED = {
    "corpus/label.py": "letters of other scripts that look Latin; an example in a message to a maintainer",
    "tools/restore/confusions.py": "signs that one scan was read as",
}


def letters_of_a_language(path: Path) -> list[tuple[int, str]]:
    """String constants with a letter beyond a–z: not docstrings; signs and superscript figures are no letters."""
    return [(line, text) for line, text in literals(path) if any(c.isalpha() and not c.isascii() for c in text)]


def test_no_letter_of_a_language_stands_in_code():
    for path in MODULES:
        name = str(path.relative_to(ROOT))
        if name not in ALLOWED:
            found = letters_of_a_language(path)
            assert not found, f"{name}: letters of a language belong into corpus/languages: {found}"


def test_the_list_of_what_is_allowed_is_needed():
    for name in ALLOWED:
        assert letters_of_a_language(ROOT / name), f"{name} needs no exception any more."


@pytest.mark.parametrize(
    "source, found", [('x = "[aąe]"', True), ('x = "„”–½²"', False), ('def f():\n    """ą"""', False)]
)
def test_a_letter_is_seen(tmp_path, source, found):
    path = tmp_path / "x.py"
    path.write_text(source, encoding="utf-8")
    assert bool(letters_of_a_language(path)) == found and ast.parse(source)
