"""What a query may change without changing its answer, and what must change it.

Each test changes a sample of the judged queries in one way and compares the answers. A share is asked for where the
change loses something, as a letter does; it is what was measured, rounded down.
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable, Sequence

import pytest

from corpus.generation import Generation
from corpus.library import Library
from index.answer import SearchAnswer
from index.search import Searcher
from scripts.evaluate import FRESH_QUERIES, QUERIES, JudgedQuery, read_queries

SAMPLE = 72
LEAST_LETTERS = 6  # of a word that loses one
TALK = {
    "pl": ("dzień dobry, powiedz mi proszę, ", ""),
    "sk": ("prosím vás, ", ", vopred ďakujem"),
    "hr": ("dobar dan, zanima me ", ", hvala"),
    "en": ("okay so, could you please tell me ", ", thanks in advance"),
}
KINDS = ("citation", "nothing", "comparison", "exact")


@pytest.fixture(scope="module")
def searcher(build_dir) -> Searcher:
    generation = Generation.open_latest(build_dir)
    return Searcher.open(generation, Library.open(generation))


@pytest.fixture(scope="module")
def asked(searcher) -> Sequence[tuple[JudgedQuery, SearchAnswer]]:
    """A sample of the queries with a confident answer, and the answers."""
    every = [
        q
        for path in (QUERIES, FRESH_QUERIES)
        for q in read_queries(path)
        if q.kind not in KINDS and '"' not in q.query and q.lang in TALK and not any(c.isdigit() for c in q.query)
    ]
    chosen = random.Random(1).sample(every, SAMPLE)
    return [(q, found) for q in chosen if (found := searcher.search(q.query, qlang=q.lang, limit=3)).confident]


def first(answer: SearchAnswer) -> str:
    return answer.hits[0].node.id if answer.hits else ""


def laws(answer: SearchAnswer) -> set[str]:
    return {hit.node.path.split("/")[0] for hit in answer.hits}


def share_kept(searcher, asked, change: Callable[[JudgedQuery], str], same: Callable[..., bool]) -> float:
    """The share of the answers that a change of the query keeps. Queries that it does not change do not count."""
    changed = [(q, found, change(q)) for q, found in asked]
    changed = [(q, found, text) for q, found, text in changed if text != q.query]
    assert len(changed) > SAMPLE // 4
    kept = [same(found, searcher.search(text, qlang=q.lang, limit=3)) for q, found, text in changed]
    return sum(kept) / len(kept)


def without_diacritics(query: JudgedQuery) -> str:
    plain = query.query.replace("ł", "l").replace("đ", "d")
    return "".join(c for c in unicodedata.normalize("NFD", plain) if not unicodedata.combining(c))


def with_a_letter_lost(query: JudgedQuery) -> str:
    words = query.query.split()
    longest = max(range(len(words)), key=lambda n: len(words[n]))
    word = words[longest]
    if len(word) >= LEAST_LETTERS:
        middle = len(word) // 2
        words[longest] = word[:middle] + word[middle + 1 :]
    return " ".join(words)


def in_another_order(query: JudgedQuery) -> str:
    words = query.query.split()
    return " ".join([*words[1:], words[0]]) if len(words) > 2 else query.query


def with_talk(query: JudgedQuery) -> str:
    before, after = TALK[query.lang]
    return f"{before}{query.query}{after}"


def same_first(one: SearchAnswer, other: SearchAnswer) -> bool:
    return first(one) == first(other)


def same_first_and_state(one: SearchAnswer, other: SearchAnswer) -> bool:
    return same_first(one, other) and one.state == other.state


def same_law(one: SearchAnswer, other: SearchAnswer) -> bool:
    return bool(one.hits) and one.hits[0].node.path.split("/")[0] in laws(other)


@pytest.mark.parametrize(
    "change, same, least",
    [
        (with_talk, same_first_and_state, 1.0),
        (without_diacritics, same_first, 0.9),
        (without_diacritics, same_law, 0.95),
        (in_another_order, same_first, 0.8),
        (in_another_order, same_law, 0.95),
        (with_a_letter_lost, same_law, 0.85),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_says_the_same_is_answered_the_same(searcher, asked, change, same, least):
    share = share_kept(searcher, asked, change, same)
    assert share >= least


@pytest.mark.parametrize("year, edition", [("1997", "hr-1997"), ("2007", "pl-2007"), ("2017", "sk-2017")])
def test_a_year_brings_the_texts_of_its_laws(searcher, asked, year, edition):
    bound = [first(searcher.search(f"{q.query} {year}", qlang=q.lang, limit=1)) for q, _ in asked]
    of_year = sum(id_.split("/")[0].endswith(year) for id_ in bound) / len(bound)
    assert edition in {id_.split("/")[0] for id_ in bound} and of_year >= 0.9


@pytest.mark.parametrize(
    "lang, yes, no",
    [
        ("en", "insufficient bid, LHO accepted it", "insufficient bid, LHO did not accept it"),
        ("en", "missing card was found", "missing card was not found"),
        ("en", "the revoke is established", "the revoke is not yet established"),
        ("pl", "odzywka niewystarczająca zaakceptowana", "odzywka niewystarczająca niezaakceptowana"),
        ("sk", "nedostatočná ponuka, súper ju prijal", "nedostatočná ponuka, súper ju neprijal"),
        ("hr", "nedovoljna najava, protivnik ju je prihvatio", "nedovoljna najava, protivnik je nije prihvatio"),
    ],
)
def test_yes_and_no_are_told_apart(searcher, lang, yes, no):
    facts = [{f.fact for f in searcher.search(q, qlang=lang).facts} for q in (yes, no)]
    kinds = [{f.rpartition("-")[0] for f in of if f.endswith(("-yes", "-no"))} for of in facts]
    assert kinds[0] == kinds[1] != set() and facts[0].isdisjoint({f for f in facts[1] if f.endswith("-no")})
    scores = [{h.node.id: h.score for h in searcher.search(q, qlang=lang).hits} for q in (yes, no)]
    assert [*scores[0]] != [*scores[1]] or scores[0] != scores[1]
