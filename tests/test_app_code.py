"""The code of laws that a reader chose: by the switch of a page alone; an address rules one page and is never kept."""

from __future__ import annotations

import pytest
from app_site import client, page, site  # noqa: F401

SAME_ORIGIN = {"Sec-Fetch-Site": "same-origin"}


def choose(client, code: str, referrer: str = "http://localhost/?ui=en"):
    return client.post("/settings", data={"code": code}, headers=SAME_ORIGIN | {"Referer": referrer})


def test_every_page_has_the_switch_with_the_codes(client):
    for address in ("/?ui=en", "/sk-2017/27?ui=sk", "/terms/?ui=hr", "/search?q=renons&ui=pl"):
        buttons = page(client, address).select("form[action='/settings'][method=post] button[name=code]")
        assert [b["value"] for b in buttons] == ["2017", "2007", "1997"], address


@pytest.mark.parametrize(
    "address", ["/?code=1997", "/situations/insufficient-bid?code=1997", "/search?q=renons&code=1997"]
)
def test_the_switch_marks_the_code_that_the_address_names(client, address):
    """Without a code in the address the reader's own script and style sheet mark the one that he chose."""
    buttons = page(client, f"{address}&ui=en").select(".code-switch button")
    assert [b["value"] for b in buttons if b.get("aria-current")] == ["1997"]
    assert not any(b.get("data-look") for b in buttons)
    unnamed = page(client, f"{address.replace('code=1997', '')}&ui=en".replace("?&", "?")).select(".code-switch button")
    assert all(b["data-look"] for b in unnamed) and not any(b.get("aria-current") for b in unnamed)


@pytest.mark.parametrize(
    "referrer, place",
    [
        ("http://localhost/?ui=en", "/?ui=en"),
        (
            "http://localhost/situations/claim-contested?since=stopped&code=2017&ui=en",
            "/situations/claim-contested?since=stopped&ui=en",
        ),
        ("http://evil.example/?ui=en", "/"),
    ],
)
def test_the_switch_leads_back_without_the_code_of_the_address(client, referrer, place):
    response = choose(client, "1997", referrer)
    assert (response.status_code, response.headers["Location"]) == (303, place)
    assert "code=1997" in response.headers["Set-Cookie"]


@pytest.mark.parametrize("code", ["1850", "", "x" * 500, "2017; Secure"])
def test_an_unknown_code_is_not_kept(client, code):
    assert "Set-Cookie" not in choose(client, code).headers


def test_another_site_cannot_choose(client):
    response = client.post("/settings", data={"code": "1997"}, headers={"Sec-Fetch-Site": "cross-site"})
    assert response.status_code == 403 and "Set-Cookie" not in response.headers


@pytest.mark.parametrize(
    "address", ["/", "/situations/insufficient-bid", "/situations/insufficient-bid?in-turn=yes", "/search?q=renons"]
)
def test_who_chose_is_led_to_his_code(client, address):
    joined = "&" if "?" in address else "?"
    choose(client, "1997")
    response = client.get(f"{address}{joined}ui=en")
    assert (response.status_code, response.headers["Location"]) == (302, f"{address}{joined}code=1997&ui=en")
    assert response.headers["Cache-Control"] == "private, no-store"


def test_a_code_in_a_link_from_outside_is_never_kept(client):
    choose(client, "2007")
    link = page(client, "/situations/insufficient-bid?code=1997&ui=en")
    assert link.select_one(".sheet-top [aria-current]").get_text().endswith("1997")
    assert client.get("/?ui=en").headers["Location"] == "/?code=2007&ui=en"
    assert client.get("/27b1?ui=en").headers["Location"].startswith("/pl-2007/27/B/1")
    assert client.get("/27b1?code=1997&ui=en").headers["Location"].startswith("/hr-1997/27/B/1")
    assert client.get("/search?q=27b1&ui=en").headers["Location"].startswith("/pl-2007/27/B/1")


@pytest.mark.parametrize(
    "chosen, edition", [("", "sk-2017"), ("2017", "sk-2017"), ("2007", "pl-2007"), ("1997", "hr-1997")]
)
@pytest.mark.parametrize("lang", ["pl", "sk", "hr", "en"])
def test_a_cited_number_is_opened_in_the_chosen_code(client, lang, chosen, edition):
    if chosen:
        choose(client, chosen)
    found = client.get(f"/search?q=27b1&ui={lang}")
    assert found.headers["Location"].startswith(f"/{edition}/27/B/1?")
    assert found.headers["Cache-Control"] == "private, no-store"


def hits(client, address: str) -> list[tuple[str, str]]:
    """(the provision that a hit opens, the text that it names beside it or "")"""
    out = []
    for hit in page(client, address).select(".results li li, .results h2"):
        link, other = hit.select_one("a.hit"), hit.select_one("a.other-text")
        if link:
            out.append((link["href"], other["href"] if other else ""))
    return out


@pytest.mark.parametrize("code, edition", [("2017", "sk-2017"), ("2007", "pl-2007"), ("1997", "hr-1997")])
def test_the_best_hits_are_provisions_of_the_code(client, code, edition):
    for query in ("renons", "insufficient bid", "odzywka poza kolejnością"):
        first, *_ = hits(client, f"/search?q={query}&ui=en&code={code}")
        assert f"/{edition}/" in first[0] or f"/{edition}/" in first[1], (query, first)


def test_a_hit_is_shown_in_the_readers_language_beside_the_text_of_the_code(client):
    found = hits(client, "/search?q=wycofana zapowiedź&ui=pl&code=1997")
    both = [(own, other) for own, other in found if other]
    assert both and all(own.startswith("/pl-2007/") and other.startswith("/hr-1997/") for own, other in both)
    assert all(not other for _, other in hits(client, "/search?q=povučen govor&ui=hr&code=1997"))


def test_a_year_in_the_query_comes_before_the_code(client):
    first, *_ = hits(client, "/search?q=renons 1997&ui=hr&code=2007")
    assert first[0].startswith("/hr-1997/")


@pytest.mark.parametrize(
    "query, lang, code",
    [
        ("przed 2007 fałszywy renons", "pl", "1997"),
        ("stare prawo sprzed 2007: fałszywy renons", "pl", "1997"),
        ("pred rokom 2007 nepriznanie farby", "sk", "1997"),
        ("prije 2007 renons", "hr", "1997"),
        ("revoke before the year 2017", "en", "2007"),
        ("new laws 2017: revoke", "en", "2017"),
        ("1997 code I changed my call", "en", "1997"),  # “changed” tells what happened
        ("revoke in 1997 and in 2017", "en", ""),  # two years
        ("what is new since 1997 about revokes", "en", ""),
    ],
)
def test_one_year_says_which_laws_are_meant(client, query, lang, code):
    answer = client.get("/api/v1/search", query_string={"q": query, "qlang": lang}).json
    assert [f["value"] for f in answer["facts"] if f["kind"] == "year"][:1] == [code] * bool(code) or not code
    if code:
        assert answer["results"][0]["edition"].endswith(code)
    else:
        assert answer["compare"]


def test_links_of_a_search_keep_the_code_of_its_address(client):
    found = page(client, "/search?q=fałszywy renons&ui=pl&code=1997")
    assert all("code=1997" in a["href"] for a in found.select("a[data-situation], .chips a"))
    assert not [a for a in page(client, "/search?q=renons&ui=pl").select("a[data-situation]") if "code=" in a["href"]]


@pytest.mark.parametrize("code, edition", [("2017", "sk-2017"), ("2007", "pl-2007"), ("1997", "hr-1997")])
def test_the_api_prefers_the_code_that_it_is_told(client, code, edition):
    choose(client, "2007" if code != "2007" else "1997")  # nothing is remembered
    first = client.get(f"/api/v1/search?q=renons&code={code}").json["results"][0]
    cited = client.get(f"/api/v1/search?q=27b1&code={code}").json["results"][0]
    suggested = client.get(f"/api/v1/suggest?q=27b&code={code}").json["suggestions"][0]
    assert first["edition"] == cited["edition"] == edition and suggested["url"].startswith(f"/{edition}/27/B")
    assert client.get("/api/v1/search?q=renons&code=1850").status_code == 400


def test_laws_by_number_are_those_of_the_code(client):
    for code, edition in (("2017", "sk-2017"), ("2007", "pl-2007"), ("1997", "hr-1997")):
        laws = page(client, f"/?code={code}&ui=pl").select(".numbers .grid a")
        assert laws and all(a["href"].startswith(f"/{edition}/") for a in laws)


def test_the_links_of_a_page_have_its_code(client):
    home = page(client, "/?code=1997&ui=en")
    assert all("code=1997" in a["href"] for a in home.select(".tiles a"))


@pytest.mark.parametrize("address", ["/?ui=en", "/situations/insufficient-bid?ui=en"])
def test_without_a_choice_or_with_the_code_in_force_nobody_is_led(client, address):
    plain = client.get(address)
    choose(client, "2017")
    chosen = client.get(address)
    assert plain.status_code == chosen.status_code == 200 and plain.data == chosen.data


@pytest.mark.parametrize("address", ["/sk-2017/27?ui=sk", "/terms/?ui=hr", "/situations/?ui=en"])
def test_pages_that_have_no_code_are_the_same_for_all(client, address):
    plain = client.get(address)
    choose(client, "1997")
    chosen = client.get(address)
    assert chosen.data == plain.data and chosen.headers["ETag"] == plain.headers["ETag"]


def test_the_style_sheet_marks_the_code_that_was_chosen(client):
    choose(client, "1997")
    assert 'button[data-look="code=1997"]' in client.get("/look.css").text
    client.set_cookie("code", "1997} body {")
    assert "body {" not in client.get("/look.css").text
