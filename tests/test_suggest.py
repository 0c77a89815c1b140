"""What is suggested while one types: in the reader's language, by beginnings of words, with number and edition."""

from __future__ import annotations

import time
from urllib.parse import urlsplit

import pytest
from app_site import client, site  # noqa: F401
from hypothesis import given, settings
from hypothesis import strategies as st

from index.suggest import MOST_SUGGESTIONS, PrefixIndex, to_small_letters
from tests.budget import examples


def lines(searcher, typed: str, lang: str | None) -> list[str]:
    """What is shown."""
    return [s.text for s in searcher.suggest(typed, lang)]


@pytest.mark.parametrize(
    "typed, lang, first",
    [
        ("niewyst", "pl", "27 · Odzywka niewystarczająca · MPB 2007"),
        ("nedost", "sk", "27 · Nedostatočná ponuka · PSB 2017"),
        ("nedostat", "hr", "27 · Nedostatan licit · Kodeks 1997"),
        ("insuff", "en", "27 · Insufficient bid · PSB 2017"),
        # A reader of Polish may know the English name.
        ("insuff", "pl", "27 · Odzywka niewystarczająca · MPB 2007"),
        # Its number and its edition are words of a provision, too.
        ("27 odz", "pl", "27 · Odzywka niewystarczająca · MPB 2007"),
        # The order of the words is free.
        ("odz niewyst", "pl", "27 · Odzywka niewystarczająca · MPB 2007"),
        # Another form than the one that is printed.
        ("nedostatočnou", "sk", "27 · Nedostatočná ponuka · PSB 2017"),
        # Typing errors, in a word that is not finished, and in any.
        ("niewystr", "pl", "27 · Odzywka niewystarczająca · MPB 2007"),
        ("niewystraczajaca odz", "pl", "27 · Odzywka niewystarczająca · MPB 2007"),
        ("unauht inf", "en", "16B · Unauthorized information · PSB 2017"),
        # Players' words.
        ("boot", "pl", "31 · Odzywka poza kolejnością · MPB 2007"),
        ("loot", "en", "53 · Lead out of turn · PSB 2017"),
        ("apelacja", "pl", "92 · Odwołanie · MPB 2007"),
        # What a code does not have is named as in the one that has it.
        ("comparable call", "pl", "23 · Porovnateľná hláška · PSB 2017"),
        ("27b", "pl", "27B · Odzywka niewystarczająca niezaakceptowana · MPB 2007"),
        ("27b", "en", "27B · Nedostatočná ponuka nie je prijatá · PSB 2017"),
    ],
)
def test_what_is_typed_leads_to_what_is_meant(searcher, typed, lang, first):
    assert lines(searcher, typed, lang)[0] == first


@pytest.mark.parametrize("typed", ["", " ", "a", '"', "zzzz", "𝔘", "12345 zzzz", "qwxz qwxz"])
def test_nothing_is_suggested_for_nothing(searcher, typed):
    assert not searcher.suggest(typed, "pl")


@pytest.mark.parametrize("typed, lang", [("niewyst", "pl"), ("kontr", "pl"), ("nedost", "sk"), ("doub", "en")])
def test_the_law_stands_before_its_definition(searcher, library, typed, lang):
    found = [library.nodes[s.node] for s in searcher.suggest(typed, lang) if s.node]
    defining = [i for i, n in enumerate(found) if n.id in library.terms_by_definition]
    law = next(i for i, n in enumerate(found) if n.id not in library.terms_by_definition)
    assert defining and law < min(defining)


@pytest.mark.parametrize(
    "typed, lang, id_", [("nieprzel", "pl", "cards-not-counted"), ("revok", "en", "revoke-and-claim")]
)
def test_situations_are_suggested_beside_provisions(searcher, client, typed, lang, id_):
    found = searcher.suggest(typed, lang)
    assert id_ in [s.situation for s in found if s.kind == "situation"] and len(found) <= MOST_SUGGESTIONS
    rows = client.get(f"/api/v1/suggest?q={typed}&lang={lang}").get_json()["suggestions"]
    assert [r["kind"] for r in rows if r["url"].startswith("/situations/")] == ["heading"] * sum(
        s.kind == "situation" for s in found
    )


@pytest.mark.parametrize("typed, lang", [("kar", "pl"), ("kaz", "hr"), ("po", "sk"), ("pen", "en")])
def test_every_suggestion_leads_somewhere_and_none_twice(searcher, client, typed, lang):
    rows = client.get(f"/api/v1/suggest?q={typed}&lang={lang}").get_json()["suggestions"]
    urls = [r["url"] for r in rows]
    assert rows and len(urls) == len(set(urls))
    for url in urls:
        parts = urlsplit(url)
        assert client.get(f"{parts.path}?{parts.query}").status_code == 200


def test_the_readers_language_comes_first(searcher, library):
    for lang in ("pl", "sk", "hr"):
        shown = [library.nodes[s.node].lang == lang for s in searcher.suggest("kontra", lang) if s.node]
        assert shown[0] and shown == sorted(shown, reverse=True)


def test_a_suggestion_that_is_searched_for_whole_finds_its_provision(searcher):
    """Some browsers search for the line instead of going where it leads."""
    for typed, lang in (("niewyst", "pl"), ("insuff", "en"), ("kaznen", "hr"), ("výnos", "sk")):
        for suggestion in searcher.suggest(typed, lang):
            if suggestion.node and suggestion.text[0].isdigit():
                assert searcher.search(suggestion.text, qlang=lang).hits[0].node.id == suggestion.node


@pytest.mark.parametrize("lang", ["pl", "sk", "hr", "en", None])
def test_an_unfinished_word_is_searched_for_in_its_own_language(searcher, lang):
    answer = searcher.search("niewyst", qlang=lang)
    assert answer.cards[0].law.path == "27"


def test_they_are_there_before_the_next_letter(searcher):
    """Two milliseconds on a machine that does nothing else; here ten, as the median."""
    taken = []
    for typed in ("po", "kar", "niewystr", "falszywy ren", "unauht inf", "ka", "zzzzzzzz"):
        start = time.perf_counter()
        searcher.suggest(typed, "pl")
        taken.append(time.perf_counter() - start)
    assert sorted(taken)[len(taken) // 2] < 0.01


@settings(max_examples=examples(300))
@given(st.text(max_size=60), st.sampled_from(["pl", "sk", "hr", "en", "xx", None]))
def test_whatever_is_typed_there_are_no_more_than_a_handful(searcher, typed, lang):
    found = searcher.suggest(typed, lang)
    assert len(found) <= MOST_SUGGESTIONS and all(s.text and (s.node or s.situation or s.query) for s in found)


@settings(max_examples=examples(200))
@given(st.data())
def test_every_beginning_of_a_name_suggests_something(searcher, library, data):
    term = data.draw(st.sampled_from([t for t in library.terms.values() if not t.common]))
    lang = data.draw(st.sampled_from(sorted(term.names)))
    for name in term.names[lang][:1]:
        end = data.draw(st.integers(3, max(3, len(name))))
        assert searcher.suggest(name[:end], lang)


@pytest.mark.parametrize(
    "typed, begun, mistyped",
    [
        ("kar", {0, 1}, set()),
        ("karta", {0}, set()),
        ("katra", set(), {0}),
        ("karat", set(), {0}),
        ("kra", set(), set()),
        ("lewa", {2}, set()),
        ("12", {3}, set()),
        ("132", set(), set()),
        ("niewystr", set(), {4}),
        ("niewystraczajaca", set(), {4}),
        # A letter too few or too many, be it the last one; behind the first letter.
        ("krta", set(), {0}),
        ("kartax", set(), {0}),
        ("newystarczajaca", set(), {4}),
        ("niewystarczajac", {4}, set()),
        ("niewystarczajacaxy", set(), {4}),
        ("arta", set(), set()),
        ("iewystarczajaca", set(), set()),
    ],
)
def test_beginnings(typed, begun, mistyped):
    words = PrefixIndex([["karta"], ["kara"], ["lewa"], ["123"], ["niewystarczajaca"]])
    assert words.find_by_prefix(typed) == begun
    if not begun:
        assert words.find_mistyped(typed) & {0, 3, 4} == mistyped


@pytest.mark.parametrize(
    "printed, shown",
    [
        ("ODZYWKA NIEWYSTARCZAJĄCA", "Odzywka niewystarczająca"),
        ("SPÔSOBY HODNOTENIA a SÚŤAŽE", "Spôsoby hodnotenia a súťaže"),
        ("GDY LICYTUJE RHO", "Gdy licytuje RHO"),
        ("Gdy licytuje RHO", "Gdy licytuje RHO"),
        ("1. ŠPIL – JAČINA", "1. špil – jačina"),
        ("A", "A"),
        ("", ""),
    ],
)
def test_capitals_are_calm(printed, shown):
    assert to_small_letters(printed, {"RHO"}) == shown


@pytest.mark.parametrize(
    ("typed", "situations", "others"), [("looks at", 4, 1), ("out of tur", 2, MOST_SUGGESTIONS - 2), ("two pen", 1, 1)]
)
def test_situations_fill_the_places_that_provisions_leave_and_have_two_in_any_case(searcher, typed, situations, others):
    kinds = [s.kind for s in searcher.suggest(typed, "en")]
    assert (kinds.count("situation"), len(kinds) - kinds.count("situation")) == (situations, others)
