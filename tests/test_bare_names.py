"""A bare name of a situation, a tile or a term shows its situation first, also with one letter wrong."""

from __future__ import annotations

import pytest

from corpus.generation import Generation
from corpus.library import Library
from index.names import _is_near
from index.search import Searcher


@pytest.fixture(scope="module")
def searcher(build_dir) -> Searcher:
    generation = Generation.open_latest(build_dir)
    return Searcher.open(generation, Library.open(generation))


def first(searcher: Searcher, q: str, lang: str) -> str:
    found = searcher.search(q, qlang=lang, limit=1).situations
    return found[0].id if found else ""


def test_every_name_of_a_situation_shows_it_first(searcher):
    library = searcher._index.library
    wrong = [
        (s.id, lang, name, first(searcher, name, lang))
        for s in library.situations.values()
        for lang, name in s.name.items()
        if len(name.split()) <= 4 and first(searcher, name, lang) != s.id
    ]
    names = sum(len(name.split()) <= 4 for s in library.situations.values() for name in s.name.values())
    assert names > 250 and len(wrong) <= names // 50, wrong


@pytest.mark.parametrize(
    "query, lang, situation",
    [
        ("revoke", "en", "revoke-not-established"),
        ("revke", "en", "revoke-not-established"),
        ("fałszywy renons", "pl", "revoke-not-established"),
        ("falszywy rnons", "pl", "revoke-not-established"),
        ("nepriznanie farby", "sk", "revoke-not-established"),
        ("renons", "hr", "revoke-not-established"),
        ("exposed card", "en", "exposed-card"),
        ("psychic call", "en", "psyche"),
        ("insuficient bid", "en", "insufficient-bid"),
        ("alert", "pl", "alert-omitted"),
    ],
)
def test_a_bare_term_shows_its_situation_first(searcher, query, lang, situation):
    assert first(searcher, query, lang) == situation


@pytest.mark.parametrize("query", ["two hearts", "weather", "parking", "co na obiad"])
def test_what_names_nothing_brings_no_situation_by_name(searcher, query):
    assert searcher._situation_names.find(query.split(), "en", ()) == ()


@pytest.mark.parametrize(
    "typed, word, near",
    [
        ("revke", "revoke", True), ("revokee", "revoke", True), ("revoce", "revoke", True), ("rvke", "revoke", False),
        ("led", "lead", False), ("revoke", "invoke", False), ("claim", "claims", True), ("lead", "leads", True),
    ],
)  # fmt: skip
def test_one_letter_may_be_wrong_in_a_word_of_five(typed, word, near):
    assert _is_near(typed, word) is near
