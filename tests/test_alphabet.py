"""Published words are written in the letters of their language, with no sign that nobody listed.

``[alphabet]`` of a language file lists its letters (besides a–z, which English terms and names need) and its signs.
"""

import itertools
import string
import unicodedata
from pathlib import Path

import pytest

from corpus import edition, language

CORPUS = Path(__file__).parent.parent / "corpus"
EDITIONS = edition.list_editions(CORPUS)
# An alphabet is a help for its language, not a duty of it.
WITH_ALPHABET = [
    e
    for e in EDITIONS
    if language.load_language(CORPUS / "languages", edition.load_edition(CORPUS / "editions" / e).lang).alphabet
]


def script(char: str) -> str:
    """The script of a letter by its Unicode name: LATIN, CYRILLIC, GREEK …; "" for what is no letter.

    >>> script("z"), script("д"), script("3")
    ('LATIN', 'CYRILLIC', '')
    """
    return unicodedata.name(char, "").split()[0] if char.isalpha() else ""


def mixed(text: str) -> list[str]:
    """Places where a letter stands next to a letter of another script."""
    return [
        text[max(i - 10, 0) : i + 12]
        for i, (a, b) in enumerate(itertools.pairwise(text))
        if script(a) and script(b) and script(a) != script(b)
    ]


def strangers(text: str, letters: str, signs: str) -> list[str]:
    """Characters that neither the alphabet nor the list of signs has, with what stands around them."""
    known = set(string.ascii_letters + string.digits + " \t\n" + letters + letters.upper() + signs)
    return [
        f"{char} (U+{ord(char):04X}) in “{text[max(i - 15, 0) : i + 15]}”"
        for i, char in enumerate(text)
        if char not in known
    ]


def published(reading):
    """(id, words) of everything a reader can see of an edition."""
    for node in reading.nodes:
        for words in (node.label, node.heading, node.text, *(mark.sign for mark in node.marks)):
            yield node.id, words or ""
    for entry in reading.index:
        yield f"{reading.edition}/index", f"{entry.entry} {entry.subentry or ''}"


@pytest.mark.parametrize(
    "text, found",
    [
        ("odovzдание", 1),  # line 1582 of sk-2017, before its correction
        ("kаrta", 2),  # a Cyrillic а looks like a Latin one
        ("zvyšných zdvihov", 0),
        ("2♣, 2♦", 0),  # suits are no letters
        ("Дама и король", 0),  # a whole foreign word is not mixed, but see the next test
    ],
)
def test_a_letter_of_another_script_inside_a_word_is_seen(text, found):
    assert len(mixed(text)) == found


@pytest.mark.parametrize(
    "text, found",
    [
        ("Дама", 4),
        ("ktdrys¢", 1),
        ("zahrať", 0),
        ("ŽÁDNY ŤAH", 0),
        ("e\u0301", 1),
        ("a\u00ad", 1),
        ("x\u00a0y", 1),
        ("ĚŮ", 2),
    ],
)
def test_a_character_that_is_not_listed_is_seen(text, found):
    assert len(strangers(text, "áäčďéíĺľňóôŕšťúýž", ".,")) == found


@pytest.mark.parametrize("name", EDITIONS)
def test_no_letter_stands_next_to_one_of_another_script(name, ingest):
    texts = list(published(ingest.readings[name]))
    assert texts
    assert [(id_, place) for id_, words in texts for place in mixed(words)] == []


def test_there_are_alphabets():
    assert len(WITH_ALPHABET) >= 5


@pytest.mark.parametrize("name", WITH_ALPHABET)
def test_every_character_belongs_to_the_alphabet_or_the_listed_signs(name, ingest):
    alphabet = language.load_language(CORPUS / "languages", ingest.editions[name].lang).alphabet
    assert [
        (id_, place)
        for id_, words in published(ingest.readings[name])
        for place in strangers(words, alphabet.letters, alphabet.signs)
    ] == []


@pytest.mark.parametrize("name", EDITIONS)
def test_no_word_is_preceded_by_a_stray_blank_or_followed_by_one(name, ingest):
    """Blanks are folded, and none is left before a comma, a full stop or a closing bracket."""
    wrong = [
        (id_, words[max(words.find(sign) - 20, 0) : words.find(sign) + 10])
        for id_, words in published(ingest.readings[name])
        for sign in ("  ", " ,", " .", " ;", " )", "( ")
        if sign in words
    ]
    assert wrong == []
