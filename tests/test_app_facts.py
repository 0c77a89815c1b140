"""The facts that a query states: in the API, as chips over the hits, and left out."""

from __future__ import annotations

from app_site import client, page, site  # noqa: F401

Q = "insufficient bid, LHO did not accept it"


def search(client, q: str, *more: str, lang: str = "en") -> dict:
    return client.get("/api/v1/search", query_string=[("q", q), ("qlang", lang), *(("nofact", k) for k in more)]).json


def test_the_api_says_which_facts_it_read_and_where(client):
    q = "LHO did not accept the call out of turn, laws of 2007"
    facts = {(f["kind"], f["value"]): [q[a:b] for a, b in f["spans"]] for f in search(client, q)["facts"]}
    assert facts[("year", "2007")] == ["2007"] and facts[("accepted", "no")] == ["not accept"]


def test_what_is_supposed_in_a_question_is_stated(client):
    q = "What happens if the next opponent accepted the insufficient bid?"
    facts = {(f["kind"], f["value"]): [q[a:b] for a, b in f["spans"]] for f in search(client, q)["facts"]}
    assert facts[("accepted", "yes")] == ["accepted"]
    assert not [f for f in search(client, "has he accepted the insufficient bid?")["facts"] if f["kind"] == "accepted"]


def test_a_kind_that_is_left_out_does_not_count(client):
    with_it, without = search(client, Q), search(client, Q, "accepted")
    kinds = lambda answer: {f["kind"] for f in answer["facts"]}
    assert kinds(with_it) - kinds(without) == {"accepted"}
    stated = lambda answer: [s["answers"] for s in answer["situations"] if s["id"] == "insufficient-bid"]
    assert stated(with_it) != stated(without)


def test_a_year_that_is_left_out_does_not_bind_the_edition(client):
    first = lambda *more: search(client, "revoke established 1997", *more)["results"][0]["edition"]
    assert first().endswith("1997") and not first("year").endswith("1997")


def test_a_year_leads_to_the_sheet_of_its_laws(client):
    urls = lambda *more: [s["url"] for s in search(client, "insufficient bid 2007", *more)["situations"]]
    assert "code=2007" in urls()[0] and "code=" not in urls("year")[0]
    links = page(client, "/search?q=insufficient bid 1997&qlang=en&ui=en&code=2017").select("a[data-situation]")
    assert links and all("code=1997" in a["href"] for a in links)


def test_two_bids_that_are_left_out_lead_to_no_answer(client):
    bids = lambda *more: [s["url"] for s in search(client, "1S over 2C", *more)["situations"] if "bid=" in s["url"]]
    assert bids() and not bids("bid")


def test_the_state_says_what_confident_says(client):
    states = {q: (a["state"], a["confident"]) for q in ("27b1", Q, "zzzzzz") for a in [search(client, q)]}
    assert states == {"27b1": ("sure", True), Q: (states[Q][0], states[Q][0] == "sure"), "zzzzzz": ("nothing", False)}


def test_an_unknown_kind_is_refused(client):
    answer = client.get("/api/v1/search?q=revoke&nofact=colour")
    assert answer.status_code == 400 and "nofact" in answer.json["error"]["message"]


def chips(client, address: str) -> list:
    return page(client, address).select(".stated a")


def test_a_chip_leaves_a_fact_out_and_takes_it_back(client):
    address = "/search?q=insufficient bid, LHO did not accept it&qlang=en&ui=pl"
    (chip,) = [a for a in chips(client, address) if a.text == "niezaakceptowane"]
    assert chip["aria-current"] == "true" and "nofact=accepted" in chip["href"]
    (left_out,) = [a for a in chips(client, f"{chip['href']}&ui=pl") if a.text == "niezaakceptowane"]
    assert left_out.get("aria-current") is None and left_out.s and "nofact" not in left_out["href"]
    unknown = client.get("/search?q=revoke&nofact=colour")
    assert unknown.status_code == 200


def test_who_did_it_has_no_chip_because_it_orders_nothing(client):
    assert "rozgrywający" not in [a.text for a in chips(client, "/search?q=declarer revoked&qlang=en&ui=pl")]


def test_two_bids_are_facts_and_stand_where_they_were_named(client):
    q = "he bid one spade over two clubs"
    facts = [(f["value"], [q[a:b] for a, b in f["spans"]]) for f in search(client, q)["facts"] if f["kind"] == "bid"]
    assert facts == [("1S", ["one spade"]), ("2C", ["two clubs"])]
    assert not [f for f in search(client, "lead of 7 spades")["facts"] if f["kind"] == "bid"]
    chips = page(client, f"/search?q={q}&ui=en").select(".stated a")
    assert {"1S", "2C"} <= {chip.text for chip in chips}
