"""Words that look alike or share a name are kept apart: in the lists, in what a query widens to, in what is marked."""

from __future__ import annotations

import re

import pytest
from vocabulary import concepts, indexed, lexicons, marked, parser  # noqa: F401

from app.site.excerpt import snippet_html
from corpus import letters
from corpus.letters import Token
from index.query.facts import QueryExpander
from index.query.model import UNFINISHED
from index.weights import WEIGHTS


def test_look_alikes_are_parted_in_every_way(corpus_dir, parser):
    rows = [
        line.split("\t")
        for line in (corpus_dir / "words" / "lookalikes.tsv").read_text(encoding="utf-8").splitlines()
        if line[:1] != "#"
    ][1:]
    assert len(rows) > 100
    for lang, word, other, reason in rows:
        assert reason
        for unit in parser.parse(word, lang).units:
            assert other not in {t.term for t in unit.terms.get(lang, ())}, (lang, word, other)


def test_an_everyday_word_is_neither_mended_nor_completed(corpus_dir, library, indexed, concepts):
    widener = QueryExpander(library, indexed, concepts, WEIGHTS)
    everyday = {lang: letters.read_everyday_words(corpus_dir, lang) for lang in indexed}
    assert all(len(words) > 1_000 for words in everyday.values())
    for lang, words in everyday.items():
        for word in sorted(words)[::4]:
            for unit in widener.expand([Token(word, word, 0, len(word))], lang):
                assert not unit.corrected and UNFINISHED not in {t.why for t in unit.terms.get(lang, ())}, (lang, word)


@pytest.mark.parametrize(
    "lang, query, never",
    [
        ("hr", "sporo", r"spor(ov|ni)"),
        ("pl", "miano", r"mi(ał|eć)"),
        ("sk", "nie je na rade", r"na rade"),
        ("sk", "mimo poradia", r"na rade"),
        ("pl", "przeciwko", r"przeciwnik"),
        ("pl", "poza kolejnością", r"^kolejn|licytowania"),
        ("hr", "izvan reda", r"(^|[^n] )(red|slijed)"),
        ("hr", "nije na redu", r"(^|[^n] )red"),
        ("pl", "kara", r"karo$"),
        ("pl", "rozgrywający", r"rozgrywa(n|ją$)"),
        ("sk", "zostava", r"zostal|zostat|zostávajú"),
    ],
)
def test_a_look_alike_is_not_marked(searcher, lang, query, never):
    assert not [m for m in marked(searcher.search(query, langs=[lang], limit=50)) if re.search(never, m)]


@pytest.mark.parametrize(
    "lang, query, never",
    [
        ("en", "out of turn", r"^(na rade|red|redu|kolejność)$"),
        ("en", "penalty card", r"karo$"),
        ("en", "penalty", r"karo$"),
        ("en", "declarer", r"rozgrywa(n|ją$)"),
        ("pl", "telefon komórkowy", r"poznám|bilješ"),
        ("en", "footnote", r"poznám"),
        ("sk", "nie je na rade", r"^rade"),
        ("sk", "mimo poradia", r"^(redu?|kolejność)$"),
    ],
)
def test_what_is_not_meant_is_marked_in_no_language(searcher, lang, query, never):
    assert not [m for m in marked(searcher.search(query, qlang=lang, limit=200)) if re.search(never, m)]


@pytest.mark.parametrize(
    "lang, other",
    [
        ("hr", r"zahtjev\w*</mark> za (ponavljanjem|preispitivanje)"),
        ("hr", r"(koje|to) <mark>zahtjeva"),
        ("hr", r"prema <mark>zahtjevu"),
        ("sk", r"nárok</mark> na (nápravu|kontrolu)"),
    ],
)
def test_a_right_or_a_request_is_no_claim(searcher, lang, other):
    hits = searcher.search("claim", qlang="en", langs=[lang], limit=200).hits
    assert hits and not [h.node.id for h in hits if re.search(other, snippet_html(h.snippet), re.IGNORECASE)]
