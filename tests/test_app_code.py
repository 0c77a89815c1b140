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


@pytest.mark.parametrize("address", ["/", "/situations/insufficient-bid", "/situations/insufficient-bid?in-turn=yes"])
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
