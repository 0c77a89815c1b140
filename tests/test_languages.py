"""Every word in corpus/languages/*.toml is earned: a sentence made from the file itself, in which the word is found."""

import re
from pathlib import Path

import pytest
from reference_tree import DECISIONS, load, made, references, targets

from corpus.language import BidWords, Language, ReferenceWords, SearchWords
from corpus.letters import Alphabet
from corpus.reference.grammar import REFERENCE_KEYS
from corpus.schema import file_keys, values_by_key

CODES = sorted(p.stem for p in (Path(__file__).parent.parent / "corpus" / "languages").glob("*.toml"))
LANGUAGES = {code: load(code) for code in CODES}


def first(words: Language, key: str) -> str:
    return words.reference_words(key)[0]


# What a word of each key is found by: a phrase around the word, and the paths it leads to from 12B2(b).
FRAMES = {
    "law": lambda w, its: (f"{w} 16D", ["16/D"]),
    "law_after": lambda w, its: (f"16D. {w}", ["16/D"]),
    "footnote": lambda w, its: (f"{w}{'' if w.endswith(chr(39)) else ' '}{first(its, 'law')} 16", ["fn/1"]),
    "provision": lambda w, its: (f"{w} C2", ["12/C/2"]),
    "provision_after": lambda w, its: (f"2. {w}", ["12/B/2"]),
    "see": lambda w, its: (f"{w} C", ["12/C"]),
    "also": lambda w, its: (f"{first(its, 'see')} {w} C", ["12/C"]),
    "in": lambda w, its: (f"{w} (a)", ["12/B/2/a"]),
    "lead": lambda w, its: (f"{first(its, 'law')} {w} 16D", ["16/D"]),
    "ordinal": lambda w, its: (f"{first(its, 'law')} 16{w}", ["16"]),
    "of": lambda w, its: (f"{first(its, 'provision')} B {w} {first(its, 'law')} 16", ["16/B"]),
    "above": lambda w, its: (f"1 {w}", ["12/B/1"]),
    "below": lambda w, its: (f"3 {w}", ["12/B/3"]),
    "and": lambda w, its: (f"{first(its, 'law')} 22B {w} 86A", ["22/B", "86/A"]),
    "or": lambda w, its: (f"{first(its, 'provision')} (a) {w} (c)", ["12/B/2/a", "12/B/2/c"]),
    "to": lambda w, its: (f"{first(its, 'law')} 69 {w} 71", ["69", "70", "71"]),
    "definition": lambda w, its: (f"{first(its, 'see')} {w} „Honour”", ["def/honour"]),
    "same": lambda w, its: (f"{first(its, 'law')} 16D, {first(its, 'provision')} C {w}", ["16/D", "16/C"]),
    "elsewhere": lambda w, its: (f"{first(its, 'law')} 16D {w}", []),
}
# The words that a frame puts around the word of its key: a language without them cannot be asked so.
AROUND = {
    "footnote": "law",
    "also": "see",
    "lead": "law",
    "ordinal": "law",
    "of": "law",
    "and": "law",
    "or": "provision",
    "to": "law",
    "definition": "see",
    "same": "law",
    "elsewhere": "law",
}
WORDS = [
    (code, key, word)
    for code, words in LANGUAGES.items()
    for key in REFERENCE_KEYS
    for word in words.reference_words(key)
    if words.reference_words(AROUND.get(key, key))
]


def test_every_key_has_a_frame_and_languages_have_their_words():
    assert set(FRAMES) == set(REFERENCE_KEYS)
    asked = [
        c
        for c in CODES
        if all(
            LANGUAGES[c].reference_words(k)
            for k in ("law", "provision", "see", "in", "above", "below", "and", "or", "to")
        )
    ]
    assert len(asked) >= 4 and all(LANGUAGES[c].reference_words("law") for c in CODES)
    assert len(WORDS) > 200


@pytest.mark.parametrize("code", CODES)
def test_a_language_has_no_word_twice(code):
    for key, words in values_by_key(LANGUAGES[code].reference).items():
        assert len(words) == len(set(words)), key


@pytest.mark.parametrize("code, key, word", WORDS, ids=lambda v: v)
def test_every_word_form_is_found(code, key, word):
    words = LANGUAGES[code]
    phrase, wanted = FRAMES[key](word, words)
    for text in (phrase, phrase[0].upper() + phrase[1:], f"Xx ({phrase}), xx", f"xx {phrase}."):
        assert targets(text, words) == wanted, text
        assert all(text[r.start : r.end] == r.surface for r in references(text, words))


@pytest.mark.parametrize(
    "code, word", [(c, w) for c, k, w in WORDS if k in ("law", "provision", "see")], ids=lambda v: v
)
def test_a_word_alone_is_no_reference(code, word):
    words = LANGUAGES[code]
    for text in (word, f"{word}.", f"xx {word} xx", f"2NT {word} ♠", f"{word}xx 16" if word[-1].isalnum() else word):
        assert targets(text, words) == [], text


@pytest.mark.parametrize("code", CODES)
def test_a_word_of_definitions_makes_a_heading_of_decisions(code):
    words = LANGUAGES[code]
    for word in words.reference_words("definition"):
        assert targets(f"Alert – {word}", words, at="13", edition=DECISIONS, heading=True) == ["laws:def/alert"]


@pytest.mark.parametrize(
    "phrase, wanted",
    [
        ("lásd a 16D. törvényt", ["16/D"]),
        ("a 30., 31. vagy 32. törvény szerint", ["30", "31", "32"]),
        ("a 16. § (1) szerint", ["16"]),
        ("a C1. pontban és a 2. pontban", ["12/C/1", "12/B/2"]),
        ("a 3. kártya és 13. ütés", []),
    ],
)
def test_a_language_may_put_its_words_after_the_label(phrase, wanted):
    words = made(
        "hu",
        reference={
            "law": ["törvény"],
            "law_after": ["törvény", "törvényt", "§"],
            "provision_after": ["pont", "pontban"],
            "see": ["lásd"],
            "and": ["és"],
            "or": ["vagy"],
        },
    )
    assert targets(phrase, words) == wanted


@pytest.mark.parametrize(
    "heading, kind",
    [
        ("# A new language", ReferenceWords),
        ("## How its texts are searched", SearchWords),
        ("## How bids are told", BidWords),
        ("## Its letters", Alphabet),
    ],
)
def test_the_page_explains_every_key_of_a_table_and_none_else(heading, kind):
    page = (Path(__file__).parent.parent / "docs" / "add-a-language.md").read_text(encoding="utf-8")
    section = page[page.index(heading) :].partition("\n## ")[0]
    (rows,) = re.findall(r"^\| key \|.*\n(?:\|.*\n)*", section, re.MULTILINE)
    explained = re.findall(r"`(\w+)`", " ".join(row.split("|")[1] for row in rows.splitlines()))
    assert sorted(explained) == sorted(file_keys(kind))
