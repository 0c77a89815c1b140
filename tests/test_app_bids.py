"""Two bids in a search: the insufficient bid comes first, says which bid is sufficient, and its sheet says it, too."""

from __future__ import annotations

from dataclasses import replace

import pytest
from app_site import client, page, site  # noqa: F401

from app.site import reader
from index.weights import WEIGHTS

SHEET = "/situations/insufficient-bid"
LINE = "1♠ over 2♣ is insufficient; the lowest sufficient bid in that denomination is 2♠"


def calls(client, path: str, words: str, ui: str = "en"):
    """(id, address, words) of the situations that a page leads to for a search."""
    found = page(client, f"{path}?ui={ui}&list=1&q={words}")
    return [
        (a["data-situation"], a["href"], " ".join(a.get_text(" ").split()))
        for a in found.select(".first-calls a[data-situation], section[aria-labelledby=found] a[data-situation]")
    ]


@pytest.mark.parametrize("path", ["/search", "/situations/"])
@pytest.mark.parametrize("words", ["1♠ over 2♣", "1S/2C", "1 pik po 2 trefach", "2C–1S"])
def test_two_bids_put_the_insufficient_bid_first(client, path, words):
    id_, address, text = calls(client, path, words)[0]
    assert (id_, address) == ("insufficient-bid", f"{SHEET}?bid=1S-2C")
    assert text == f"Insufficient bid {LINE}"


@pytest.mark.parametrize("path", ["/search", "/situations/"])
@pytest.mark.parametrize("words", ["2♠ over 2♣", "1♠", "1♥ 1♠ 2♣", "27B1", "16C 2", "7C 7D", "4S-1", "3NT+1", "revoke"])
def test_otherwise_nothing_is_said_of_bids(client, path, words):
    assert not [x for x in calls(client, path, words.replace("+", "%2B")) if "bid=" in x[1] or "sufficient;" in x[2]]


@pytest.mark.parametrize("ui", reader.LANGUAGES)
def test_the_line_is_told_in_every_language_of_the_site(client, ui):
    (line,) = page(client, f"{SHEET}?bid=1S-2C&ui={ui}").select(".overcall")
    assert "1♠" in line.get_text() and "2♣" in line.get_text() and line.get_text().endswith("2♠")
    (none,) = page(client, f"{SHEET}?bid=7C-7S&ui={ui}").select(".overcall")
    assert "7♣" in none.get_text() and none.get_text() != line.get_text() and "None" not in none.get_text()
    notrump = {"pl": "BA", "sk": "BT", "hr": "NT", "en": "NT"}[ui]
    assert f"1{notrump}" in page(client, f"{SHEET}?bid=1NT-2D&ui={ui}").select_one(".overcall").get_text()


def test_the_sheet_keeps_the_bids_while_it_is_answered(client):
    found = page(client, f"{SHEET}?bid=1S-2C&in-turn=yes")
    links = [a["href"] for a in found.select(".answers a, .sheet-top .tabs a, a.ask.answered")]
    assert len(links) > 4 and all("bid=1S-2C" in href for href in links)
    decided = page(client, f"{SHEET}?in-turn=yes&accepted=no&replaced=lowest-same&code=2017&bid=1S-2C")
    assert decided.select(".overcall") and all(
        "bid=1S-2C" in a["href"] for a in decided.select(".elsewhere li > a[rel]")
    )


@pytest.mark.parametrize("bid", ["", "x", "1S", "2S-2C", "9S-2C", "1S-2C-3C", "%3Cb%3E"])
def test_an_address_without_two_bids_says_nothing(client, bid):
    found = page(client, f"{SHEET}?bid={bid}")
    assert not found.select(".overcall") and not [a for a in found.select(".answers a") if "bid=" in a["href"]]


def test_another_sheet_says_nothing_of_bids(client):
    assert not page(client, "/situations/bid-out-of-turn?bid=1S-2C").select(".overcall")


@pytest.mark.parametrize(
    "words, first", [("1S/2C", True), ("1♠ over 2♣", True), ("1 pik po 2 trefach", True), ("2S/2C", False)]
)
def test_the_api_puts_it_first_as_well(client, words, first):
    found = client.get("/api/v1/situations", query_string={"q": words}).get_json()["situations"]
    assert ([s["id"] for s in found[:1]] == ["insufficient-bid"]) == first
    scores = [s["score"] for s in found]
    assert scores == sorted(scores, reverse=True) and sum(scores) <= 1.001


def test_of_two_citations_nothing_is_read_as_bids(client, searcher):
    for words in ("7C/7D", "7C 7D", "6D/7C", "27B1", "16C 2", "12C1", "law 7C, 7D"):
        assert searcher.overcall(words) is None, words
    assert str(searcher.overcall("1S/2C")) == "1S-2C" and searcher.overcall("2C over 1S") is None


def test_the_file_of_a_situation_says_that_it_takes_bids(library, searcher, monkeypatch):
    for id_, takes in (("insufficient-bid", ""), ("bid-out-of-turn", "bids")):
        monkeypatch.setitem(library.situations, id_, replace(library.situations[id_], takes=takes))
    assert searcher.with_weights(WEIGHTS).situations("1S/2C")[0].id == "bid-out-of-turn"
    monkeypatch.setitem(library.situations, id_, replace(library.situations[id_], takes=""))
    assert searcher.with_weights(WEIGHTS).overcall("1S/2C") is None
