"""Addresses: what a person types finds the provision; what does not exist helps on; nothing leads off the site."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from app_site import client, page, site  # noqa: F401

from corpus import edition


@pytest.mark.parametrize(
    "typed, meant",
    [
        ("/pl-2007/16d2", "/pl-2007/16/D/2"),
        ("/pl-2007/16/d/2", "/pl-2007/16/D/2"),
        ("/pl-2007/16D2", "/pl-2007/16/D/2"),
        ("/pl-2007/16.D.2", "/pl-2007/16/D/2"),
        ("/pl-2007/16 D 2", "/pl-2007/16/D/2"),
        ("/pl-2007/16/D/2/", "/pl-2007/16/D/2"),
        ("/PL-2007/16/D/2", "/pl-2007/16/D/2"),
        ("/pl-2007/12C1(e)", "/pl-2007/12/C/1/e"),
        ("/pzbs-2017/3.1.A.(i)", "/pzbs-2017/3/1/A/i"),
        ("/hr-1997/CHAPTER/v", "/hr-1997/chapter/V"),
        ("/pl-2007", "/pl-2007/"),
        ("/card/pl-2007/16d2", "/card/pl-2007/16/D/2"),
        ("/cite/pl-2007/16d2", "/cite/pl-2007/16/D/2"),
        ("/net/sk-2017/16c", "/net/sk-2017/16/C"),
        ("/cite/pl-2007/16d2?piece=1", "/cite/pl-2007/16/D/2?piece=1"),
        ("/cite/PL-2007/16?piece=1", "/cite/pl-2007/16?piece=1"),
        ("/card/PL-2007/16", "/card/pl-2007/16"),
        ("/net/PL-2007/16d", "/net/pl-2007/16/D"),
        ("/peek/PL-2007/16d", "/peek/pl-2007/16/D"),
        ("/scan/PL-2007/16d?word=1.1-2", "/scan/pl-2007/16/D?word=1.1-2"),
        ("/PL-2007/16d2?hl=a", "/pl-2007/16/D/2?hl=a"),
        ("/PL-2007/", "/pl-2007/"),
        ("/PL-2007/about", "/pl-2007/about"),
    ],
)
def test_a_sloppy_address_leads_to_the_provision(client, typed, meant):
    response = client.get(typed)
    for _ in range(3):
        assert response.status_code == 308, typed
        if response.headers["Location"] == meant:
            break
        response = client.get(response.headers["Location"])
    assert response.headers["Location"] == meant
    assert client.get(meant).status_code == 200


def test_the_query_survives_a_redirect(client):
    assert client.get("/pl-2007/16d2?ui=sk&hl=a%20b").headers["Location"] == "/pl-2007/16/D/2?ui=sk&hl=a%20b"


@pytest.mark.parametrize(
    "url",
    [
        "/%09/evil",
        "/%09/evil.example/16d2",
        "/%5Cevil.example/",
        "/%2F%2Fevil.example",
        "/pl-2007/%2F%2Fevil.example",
        "/pl-2007/16d2%0d%0aSet-Cookie:a=b",
        "/pl-2007/%0d%0a16",
        "/..%2f..%2fetc/passwd",
        "/pl-2007/../../etc/passwd",
        "/static/..%2f__init__.py",
        "/@evil.example/16d2",
        "/go?n=//evil.example&edition=pl-2007",
        "/go?n=16&edition=//evil.example",
        "/compare/%2F%2Fevil.example?e=pl-2007",
        "/net/%2F%2Fevil/1",
        "//evil.example/27b1",
        "/%2F%2Fevil.example%2F27b1",
        "/%09/27b1",
        "/27b1%0d%0aSet-Cookie:a=b",
        "/%0d%0a27b1",
        "/27b1?ui=sk%0d%0aSet-Cookie:a=b",
        "/27b1?next=//evil.example",
        "/id/%2F%2Fevil.example/27",
        "/id/2017/%2F%2Fevil.example",
        "/id/2017//evil.example",
        "/id//evil.example/27",
        "/id/2017/27%0d%0aSet-Cookie:a=b",
        "/id/%0d%0a2017/27",
        "/id/2017/%5Cevil.example",
        "/27b1/%5C%5Cevil.example",
    ],
)
def test_no_address_leads_off_the_site(client, url):
    response = client.get(url)
    assert response.status_code in (200, 302, 303, 308, 404), url
    place = response.headers.get("Location", "/")
    assert (
        not urlsplit(place).netloc and not place.startswith(("//", "/\\")) and "\r" not in place and "\n" not in place
    )
    assert "Set-Cookie" not in response.headers


@pytest.mark.parametrize(
    "url, ways",
    [
        ("/pl-2007/16/Z", ["/pl-2007/16", "/pl-2007/"]),
        ("/pl-2007/16/C/9", ["/pl-2007/16/C", "/pl-2007/"]),
        ("/pl-1997/27", ["/pl-2007/27", "/sk-2017/27", "/pl-1997/"]),
        ("/compare/999?e=pl-2007", ["/pl-2007/"]),
        ("/nothing", ["/pl-2007/", "/sk-2017/"]),
        ("/card/pl-2007/16/Z", ["/pl-2007/16", "/pl-2007/"]),
        ("/cite/PL-2007/16/Z", ["/pl-2007/16", "/pl-2007/"]),
        ("/scan/pl-1997/27", ["/pl-2007/27", "/pl-1997/"]),
        ("/net/xx-2030/27", ["/pl-2007/27", "/sk-2017/27"]),
    ],
)
def test_a_missing_page_helps_on(client, url, ways):
    links = {a["href"].partition("#")[0] for a in page(client, url, 404).select("main a")}
    assert set(ways) <= links


@pytest.mark.parametrize("url", ["/changes/pl-2007/zz", "/changes/zz/pl-2007"])
def test_a_page_that_is_about_no_provision_says_of_none_that_it_is_missing(client, url):
    assert "has no" not in page(client, f"{url}?ui=en", 404).main.text
    assert not page(client, f"{url}?ui=en", 404).select_one('main a[href^="/search"]')


def test_no_edition_can_take_the_address_of_a_page(site):
    """The first steps of all pages of the site are refused as ids of editions."""
    first = {rule.rule.split("/")[1] for rule in site.url_map.iter_rules()} - {""}
    pages = {step for step in first if not step.startswith("<")}
    assert len(pages) > 10 and [step for step in pages if edition.id_problem(step) is None] == []


def test_another_method_than_get_is_told_so(client):
    assert client.post("/pl-2007/16").status_code == 405
    assert client.post("/api/v1/editions").get_json()["error"]["code"] == "method_not_allowed"


@pytest.mark.parametrize(
    "typed, place", [("16d2", "/pl-2007/16/D/2#16-D-2"), ("", "/pl-2007/"), ("renons", "/search?q=renons")]
)
def test_the_jump_field(client, typed, place):
    assert client.get("/go", query_string={"edition": "pl-2007", "n": typed}).headers["Location"] == place
