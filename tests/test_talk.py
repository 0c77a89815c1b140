"""Talk around a question changes nothing of its answer."""

from __future__ import annotations

import pytest

from corpus.generation import Generation
from corpus.library import Library
from index.query.talk import TalkRemover
from index.search import Searcher


class Words:
    """What the phrases need of a lexicon."""

    def __init__(self, talk: tuple[str, ...], stopwords: frozenset[str] = frozenset({"the", "a", "it"})):
        self.language = type("L", (), {"search": type("S", (), {"talk": talk, "conditional": ("if",)})})
        self.stopwords = stopwords


TALK = ("ok so", "ok", "so", "well", "i’d like to know", "you know", "who knows", "what if", "przepraszam pana", "?")
PHRASES = TalkRemover({"xa": Words(TALK)})


@pytest.mark.parametrize(
    "text, rest",
    [
        ("ok so he revoked", "he revoked"),
        ("OK, so: he revoked?", "he revoked?"),
        ("I'd like to know he revoked", "he revoked"),
        ("Id like to know he revoked", "he revoked"),
        ("he revoked, you know, twice", "he revoked, , twice"),
        ("what if he revoked? and then?", "he revoked and then?"),  # its question mark is that of the talk
        ("he did so then", "he did so then"),  # in the middle of a clause a single word is no talk
        ("he revoked, so", "he revoked"),
        ("so ♠8 was led", "♠8 was led"),
        ("you know the ok", "you know the ok"),  # nothing else is in it
        ("nobody knows", "nobody knows"),
        ("Przepraszam  pana renons", "renons"),
        ("we’ll see the rest", "we’ll see the rest"),
        ("", ""),
    ],
)
def test_talk_is_removed_and_nothing_else(text, rest):
    assert PHRASES.remove_from(text, "xa") == rest


def test_what_stays_stands_where_it_stood():
    text = "OK, so: what if ♠8 was led, you know?"
    blanked = PHRASES.blank_out(text, "xa")
    assert len(blanked) == len(text) and all(b in (" ", a) for a, b in zip(text, blanked, strict=True))
    assert blanked.split() == [":", "♠8", "was", "led,"]


def test_a_language_without_a_list_keeps_its_words():
    assert PHRASES.remove_from("ok so he revoked", "xb") == PHRASES.remove_from("ok so he revoked", None)
    assert PHRASES.remove_from("ok so he revoked", None) == "ok so he revoked"


@pytest.fixture(scope="module")
def searcher(build_dir) -> Searcher:
    generation = Generation.open_latest(build_dir)
    return Searcher.open(generation, Library.open(generation))


@pytest.mark.parametrize(
    "lang, bare, told",
    [
        (
            "en",
            "insufficient bid not accepted",
            "okay so, what happens if insufficient bid not accepted, thanks in advance",
        ),
        ("en", "27b1", "could you please tell me 27b1"),
        (
            "pl",
            "fałszywy renons uprawomocniony",
            "przepraszam bardzo że zawracam głowę, fałszywy renons uprawomocniony",
        ),
        ("sk", "nedostatočná hláška", "prosím vás, nedostatočná hláška"),
        ("hr", "nedovoljna najava", "dobar dan, zanima me nedovoljna najava"),
    ],
)
def test_talk_changes_nothing_of_an_answer(searcher, lang, bare, told):
    one, other = (searcher.search(q, qlang=lang) for q in (bare, told))
    shown = lambda answer: (
        [(h.node.id, h.score) for h in answer.hits], answer.confident, [s.id for s in answer.situations]
    )  # fmt: skip
    assert shown(one) == shown(other) and one.hits
