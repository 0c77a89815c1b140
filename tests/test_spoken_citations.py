"""Citations as they are spoken: numbers and letters in words, sub-labels, a lower step before the law."""

from __future__ import annotations

import pytest
from app_site import client, site  # noqa: F401

from corpus.generation import Generation
from corpus.library import Library
from index.query.citation import CitationParser


@pytest.fixture(scope="module")
def parser(build_dir) -> CitationParser:
    return CitationParser(Library.open(Generation.open_latest(build_dir)), lambda _words, _lang: ())


@pytest.mark.parametrize(
    "query, paths",
    [
        ("sixty four A two", ["64/A/2"]),
        ("sixty-four A two", ["64/A/2"]),
        ("law fifty eight B two", ["58/B/2"]),
        ("law 68 D two b", ["68/D/2/b"]),
        ("dvadeset sedmi članak", ["27"]),
        ("dvadeset i sedmi članak", ["27"]),
        ("član šesnaesti A prvi", ["16/A/1"]),
        ("sedamdeset jedan ce", ["71/C"]),
        ("prawo czterdzieste piąte C cztery b", ["45/C/4/b"]),
        ("drugi podpunkt prawa 68 B", ["68/B/2"]),
        ("decyzje PZBS punkt dwudziesty piąty jeden C", ["25/1/C"]),
        ("dvadsiate tretie pravidlo A prvý bod", ["23/A/1"]),
        ("pravidlo dvadsať ef päť", ["20/F/5"]),
        ("pravidlo dvadsaťtri á dva", ["23/A/2"]),
        ("šesťdesiatštyri bé sedem", ["64/B/7"]),
        ("dvadesetsedam be jedan malo a", ["27/B/1/a"]),
        ("trzydziesty pierwszy A dwa mała literka a", ["31/A/2/a"]),
        ("prawo dwunaste C jeden e rzymskie dwa", ["12/C/1/e/ii"]),
        ("twelve see one ee two", ["12/C/1/e/ii"]),
        ("sixteen bravo one alpha", ["16/B/1/a"]),
        ("pzbs 25.1.B second roman", ["25/1/B/ii"]),
        ("section c of law seventy", ["70/C"]),
        ("twenty three capital A first point", ["23/A/1"]),
    ],
)
def test_a_citation_in_words_is_read(parser, query, paths):
    cited = parser.parse_spoken(query, in_words=True)
    assert cited and list(cited.paths) == paths
    assert parser.parse_spoken(query, in_words=False) is None


@pytest.mark.parametrize("query, paths", [("mpb2007 p.70-E1", ["70/E/1"]), ("27 b 1 a law", ["27/B/1/a"])])
def test_an_odd_citation_in_digits_is_read(parser, query, paths):
    cited = parser.parse_spoken(query, in_words=False)
    assert cited and list(cited.paths) == paths and parser.parse_spoken(query, in_words=True) is None


@pytest.mark.parametrize(
    "query",
    [
        "two hearts", "seven notrump", "ten cards", "three tricks down", "one club two clubs", "four",
        "sixty four", "law", "partner has two aces", "sto lat", "jeden dva tri štyri päť šesť", "A two sixty four B",
        "law ninety nine A", "prvý výnos", "drugi revoke u istoj boji", "", "? !",
    ],
)  # fmt: skip
def test_what_is_no_citation_is_not_read(parser, query):
    assert parser.parse_spoken(query, in_words=True) is None


def test_the_search_opens_a_spoken_citation(client):
    found = client.get("/api/v1/search?q=sixty+four+A+two&qlang=en").get_json()
    assert found["interpretation"] == {"kind": "citation", "paths": ["64/A/2"], "lang": "en"} and found["confident"]
    assert found["results"][0]["path"] == "64/A/2"
