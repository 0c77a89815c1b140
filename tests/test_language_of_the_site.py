"""The language of the site stands in the address: who is led to his, what every link carries, and that an address with
a language answers everybody alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import parse_qsl, urlsplit

import pytest
from app_site import client, site  # noqa: F401
from bs4 import BeautifulSoup

from app import create_app
from app.site import http, reader
from app.site.http import OriginError
from tools.screenshots import PAGES

WORDS = {"pl": "Szukaj", "sk": "Hľadať", "hr": "Traži", "en": "Search"}
# Addresses whose answer is no page, and no part of one, and the settings, which lead to no page of their own.
DATA = re.compile(r"/(static/|api/.|settings$|look\.css)|.*\.json(\?|$)")
KINDS = [
    *PAGES.values(),
    "/pl-2007/",
    "/pl-2007/about",
    "/pl-2007/16/D/2?fixes=1&strength=1",
    "/pl-2007/16?only=16/A",
    "/pl-2007/index",
    "/sk-2017/def",
    "/peek/pl-2007/16/D/2",
    "/cite/pl-2007/16/D/2?piece=1",
    "/scan/pl-2007/16/D/2",
    "/net/sk-2017/16",
    "/search?q=renons&list=1",
    "/search?q=qwxzqwxz",
    "/search?q=renons&edition=pzbs-2017&kind=law",
    "/changes/",
    "/rulings/?body=pzbs",
    "/rulings/pzbs/",
    "/api/",
    "/situations/",
    "/situations/?q=renons",
    "/situations/insufficient-bid?in-turn=yes&accepted=yes&code=2017",
    "/terms/?q=renons",
    "/nothing",
    "/pl-2007/16/Z",
    "/terms/revok",
    "/static/none.css",
]


def with_language(url: str, ui: str) -> str:
    return f"{url}{'&' if '?' in url else '?'}ui={ui}"


def led(client, url: str, cookie: str = "", accepts: str = ""):
    """The answer to a reader with a choice and a browser."""
    if cookie:
        client.set_cookie("ui", cookie)
    return client.get(url, headers={"Accept-Language": accepts} if accepts else {})


@pytest.mark.parametrize(
    "url, cookie, accepts, status, place",
    [
        # A program gets a page of an edition in its language, every other in English.
        ("/pl-2007/16", "", "", 200, "pl"),
        ("/sk-2017/about", "", "", 200, "sk"),
        ("/cite/hr-1997/16", "", "*", 200, "hr"),
        ("/", "", "", 200, "en"),
        ("/terms/", "", "de,fr;q=0.5", 200, "en"),
        ("/compare/16/D?e=pl-2007&e=sk-2017", "", "", 200, "en"),
        ("/", "", "x" * 500, 200, "en"),
        # A reader is led to his own language, by his choice, else by his browser.
        ("/pl-2007/16", "", "sk-SK,en;q=0.5", 302, "/pl-2007/16?ui=sk"),
        ("/pl-2007/16", "", "cs-CZ", 302, "/pl-2007/16?ui=sk"),
        ("/pl-2007/16", "hr", "sk", 302, "/pl-2007/16?ui=hr"),
        ("/", "", "de,hr;q=0.5", 302, "/?ui=hr"),
        ("/", "sk", "", 302, "/?ui=sk"),
        ("/peek/sk-2017/16", "", "en", 302, "/peek/sk-2017/16?ui=en"),
        ("/scan/pl-2007/16", "", "en", 302, "/scan/pl-2007/16?ui=en"),
        ("/net/pl-2007/", "", "en", 302, "/net/pl-2007/?ui=en"),
        ("/card/pl-2007/16", "", "en", 302, "/card/pl-2007/16?ui=en"),
        ("/cite/pl-2007/16?piece=1", "", "en", 302, "/cite/pl-2007/16?piece=1&ui=en"),
        ("/rulings/", "", "pl", 302, "/rulings/?ui=pl"),
        # Who reads that language stays; what he refuses or what is not ours is not his.
        ("/pl-2007/16", "", "pl", 200, "pl"),
        ("/pl-2007/16", "pl", "sk", 200, "pl"),
        ("/", "en", "sk", 200, "en"),
        ("/", "xx", "", 200, "en"),
        ("/", "", "sk;q=0", 200, "en"),
        # The rest of the query stays as it is, in its order; a language that is none is left out.
        ("/pl-2007/16?hl=a%20b&decisions=0&hl=c", "sk", "", 302, "/pl-2007/16?hl=a%20b&decisions=0&hl=c&ui=sk"),
        ("/terms/?ui=xx&q=a%26b&by=", "sk", "", 302, "/terms/?q=a%26b&by=&ui=sk"),
        ("/pl-2007/16?hl=%0d%0aX:y&next=//evil", "sk", "", 302, "/pl-2007/16?hl=%0D%0AX%3Ay&ui=sk"),
        # The address comes before all.
        ("/pl-2007/16?ui=hr", "sk", "pl", 200, "hr"),
        ("/?ui=pl", "sk", "hr", 200, "pl"),
        # What leads on keeps the language of the address, and names none where it has none.
        ("/pl-2007/16d2", "sk", "", 308, "/pl-2007/16/D/2"),
        ("/pl-2007/16d2?ui=hr", "sk", "", 308, "/pl-2007/16/D/2?ui=hr"),
        ("/27b1", "", "pl", 303, "/sk-2017/27/B/1"),
        ("/27b1?ui=sk", "pl", "pl", 303, "/sk-2017/27/B/1?ui=sk"),
        ("/id/2017/27b1?ui=hr", "", "", 303, "/sk-2017/27/B/1?ui=hr"),
        ("/search?q=27b1", "", "pl", 303, "/sk-2017/27/B/1#27-B-1"),
        ("/search?q=27b1&ui=hr", "", "pl", 303, "/sk-2017/27/B/1?ui=hr#27-B-1"),
        ("/go?edition=pl-2007&n=16d2", "sk", "", 302, "/pl-2007/16/D/2#16-D-2"),
        ("/go?edition=pl-2007&n=16d2&ui=sk", "", "", 302, "/pl-2007/16/D/2?ui=sk#16-D-2"),
        ("/go?edition=pl-2007&n=&ui=sk", "", "", 302, "/pl-2007/?ui=sk"),
        ("/go?n=renons&ui=sk", "", "", 302, "/search?q=renons&ui=sk"),
        ("/net/", "", "pl", 302, "/net/pl-2007/"),
        ("/net/?ui=hr", "", "pl", 302, "/net/hr-1997/?ui=hr"),
        ("/compare/?ui=hr", "", "", 302, "/compare/1?ui=hr"),
        ("/changes/sk-2017/pl-2007", "hr", "", 308, "/changes/pl-2007/sk-2017"),
        ("/rulings/pzbs/3?ui=hr", "", "", 303, "/pzbs-2017/3?ui=hr"),
        # An error is told in the reader's language, there and then.
        ("/nothing", "", "hr", 404, "hr"),
        ("/pl-2007/16/Z", "sk", "hr", 404, "sk"),
        ("/pl-2007/16/Z?ui=en", "sk", "hr", 404, "en"),
        ("/pl-2007/16/Z", "", "", 404, "pl"),
        # Nobody is led off the site.
        ("/%2F%2Fevil.example/", "sk", "", 404, "sk"),
        ("/%09/evil", "sk", "", 404, "sk"),
        ("/%0d%0aevil", "sk", "", 404, "sk"),
    ],
)
def test_who_asks_gets_the_page_or_is_led_to_his_own_language(client, url, cookie, accepts, status, place):
    response = led(client, url, cookie, accepts)
    assert response.status_code == status
    if status in (200, 404):
        found = re.search(r'<html lang="(\w+)"|', response.text)[1]
        assert found in (place, None) and "Location" not in response.headers
    else:
        assert response.headers["Location"] == place
    if url.startswith(("/27b1?", "/search?q=27b1")):  # it depends on the code that the reader chose
        assert response.headers["Cache-Control"] == "private, no-store"
    elif "ui=" in url and "ui=xx" not in url:
        assert "public" in response.headers["Cache-Control"] and set(response.vary) <= {"Accept-Encoding"}
    else:
        assert "private" in response.headers["Cache-Control"] and {"Cookie", "Accept-Language"} <= set(response.vary)
        assert status != 302 or "ui=" not in place or "no-store" in response.headers["Cache-Control"]


@pytest.mark.parametrize("url", ["/api/v1/suggest?q=27b", "/rulings.json", "/opensearch.xml", "/rulings/feed.atom"])
def test_a_program_is_answered_alike_whoever_runs_it(client, url):
    english, slovak = (led(client, url, cookie, cookie) for cookie in ("en", "sk"))
    assert english.status_code == 200 and english.data == slovak.data and "ui=" not in english.text
    assert set(slovak.vary) <= {"Accept-Encoding"}
    named = led(client, with_language(url, "hr"), "sk").text
    assert named.count("ui=hr") == named.count("ui=") > 0


def addresses(soup: BeautifulSoup) -> Iterator[tuple[str, str]]:
    """(element, address) of all that a page prints and that leads to a page of this site."""
    for element in soup.select("[href], [action], [data-term]"):
        for name in ("href", "action", "data-term"):
            printed = element.get(name)
            if printed is not None and printed.startswith("/") and not DATA.match(printed):
                yield str(element)[:200], printed


@pytest.mark.parametrize("ui", reader.LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_link_carries_the_language_of_its_page(client, kind, ui):
    answer = client.get(with_language(kind, ui))
    assert answer.status_code in (200, 404)
    soup = BeautifulSoup(answer.data, "html.parser")
    assert not soup.html or soup.html["lang"] == ui
    seen = 0
    forms = soup.select("form:not([method=post])")
    for form in forms:
        # A browser sends the fields in their order, and links name the language last: one page, one address.
        assert form.select("input, select")[-1]["name"] == "ui"
        assert [f["value"] for f in form.select('input[name="ui"]')] == [ui] and "ui=" not in form["action"], form
    for element, printed in addresses(soup):
        # What a text is known by is in no language: without a name of the site, it is told without one.
        if element.startswith("<form") or re.match(r'<link [^>]*rel="(canonical|alternate)"', element):
            continue
        given = [v for k, v in parse_qsl(urlsplit(printed).query) if k == "ui"]
        other = 'hreflang="' in element and "aria-current" not in element and given != [ui]
        assert given == [ui] or (other and f'hreflang="{given[0]}"' in element), element
        seen += 1
    assert seen > (0 if "peek" in kind else 3) or "piece=1" in kind
    if nav := soup.select_one(".tongues"):
        assert {a["hreflang"]: dict(parse_qsl(urlsplit(a["href"]).query))["ui"] for a in nav.select("a")} == {
            code: code for code in reader.LANGUAGES
        }
        (button,) = {b.text for b in soup.select("form.find[role=search]:not([aria-label]) button")} or {WORDS[ui]}
        assert button == WORDS[ui]


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_in_no_language_links_in_its_own(client, kind):
    """What a program gets, and what a frozen site holds."""
    answer = client.get(kind)
    soup = BeautifulSoup(answer.data, "html.parser")
    if soup.html:
        own = soup.html["lang"]
        links = [a["href"] for a in soup.select("main a[href^='/'], footer a[href^='/']") if not DATA.match(a["href"])]
        assert links and all(re.search(rf"[?&]ui={own}(#|$)", href) for href in links)


@pytest.mark.parametrize("kind", KINDS)
def test_a_text_is_known_by_one_address_and_another_page_by_one_of_each_language(site, client, kind):
    answer = client.get(with_language(kind, "hr"))
    soup = BeautifulSoup(answer.data, "html.parser")
    canonical = [link["href"] for link in soup.select('link[rel="canonical"]')]
    ours = {link["hreflang"]: link["href"] for link in soup.select('link[rel="alternate"][hreflang]')}
    path = kind.partition("?")[0]
    here = f"http://localhost{path}"
    if answer.status_code == 404 or not soup.head or path == "/search":
        assert not canonical and not ours
    elif "edition" in site.url_map.bind("localhost").match(path)[1]:
        assert canonical == [here] and not [a for a in ours.values() if "ui=" in a]
    else:
        assert canonical == [f"{here}?ui=hr"]
        each = {code: f"{here}?ui={code}" for code in reader.LANGUAGES} | {"x-default": here}
        assert ours == ({} if path.startswith("/compare/") else each)


@pytest.fixture(scope="module")
def at_home(snapshot):
    """A client of a site that was told where it stands."""
    return create_app({"SNAPSHOT": snapshot, "ORIGIN": "https://laws.example"}).test_client(use_cookies=False)


@pytest.mark.parametrize("kind", [*KINDS, "/api/v1/search?q=renons", "/rulings/feed.atom", "/opensearch.xml"])
def test_an_address_with_a_language_answers_everybody_alike(at_home, kind):
    one, other = (
        at_home.get(
            with_language(kind, "sk"),
            base_url=host,
            headers={"Cookie": cookie, "Accept-Language": accepts, "User-Agent": host},
        )
        for host, cookie, accepts in (
            ("http://127.0.0.1:8000", "ui=pl; theme=dark; size=large", "hr"),
            ("https://other.example", "ui=hr; theme=contrast", "en"),
        )
    )
    assert one.status_code == other.status_code and one.data == other.data
    for answer in (one, other):
        assert set(answer.vary) <= {"Accept-Encoding"} and "Set-Cookie" not in answer.headers
        assert "127.0.0.1" not in answer.text and "other.example" not in answer.text


@pytest.mark.parametrize(
    "asked, referrer, place, cookies",
    [
        ("theme=dark", "http://localhost/pl-2007/16?ui=sk", "/pl-2007/16?ui=sk", {"theme": "dark"}),
        ("theme=auto", "http://localhost/pl-2007/16", "/pl-2007/16", {"theme": "auto"}),
        ("ui=hr", "http://localhost/pl-2007/16?hl=a&ui=sk&e=1", "/pl-2007/16?hl=a&e=1&ui=hr", {"ui": "hr"}),
        ("ui=hr&size=large", "http://localhost/terms/?q=a%26b", "/terms/?q=a%26b&ui=hr", {"ui": "hr", "size": "large"}),
        ("theme=neon&size=large&x=y", "", "/", {"size": "large"}),
        ("ui=xx", "", "/", {}),
        ("ui=pl", "", "/?ui=pl", {"ui": "pl"}),
        ("", "http://localhost/settings", "/", {}),
        ("theme=dark", "https://evil.example/pl-2007/16", "/", {"theme": "dark"}),
        ("theme=dark", "http://localhost.evil.example/16", "/", {"theme": "dark"}),
        ("theme=dark", "http://localhost@evil.example/16", "/", {"theme": "dark"}),
        ("theme=dark", "http://localhost//evil.example", "/evil.example", {"theme": "dark"}),
        ("theme=dark", "http://localhost/%2F/evil.example", "/evil.example", {"theme": "dark"}),
        ("theme=dark", "http://localhost/\\evil.example", "/%5Cevil.example", {"theme": "dark"}),
        ("theme=dark", "http://localhost/%0d%0aX:y?a=%0d%0ab", "/%0D%0AX:y?a=%0D%0Ab", {"theme": "dark"}),
        ("theme=dark", "http://[", "/", {"theme": "dark"}),
    ],
)
def test_a_choice_is_remembered_and_leads_back(client, asked, referrer, place, cookies):
    response = post(client, asked, {"Referer": referrer} if referrer else {})
    assert (response.status_code, response.headers["Location"]) == (303, place)
    assert response.headers["Cache-Control"] == "private, no-store"
    assert {name: c.value for name in (*http.LOOKS, "ui") if (c := client.get_cookie(name))} == cookies
    for header in response.headers.getlist("Set-Cookie"):
        assert "SameSite=Lax" in header and "HttpOnly" not in header and "Secure" not in header, "a script reads it"


def post(client, asked: str, headers: dict[str, str], **more):
    """What /settings answers to a form that was sent from a page of the site, unless the headers say otherwise."""
    form = "application/x-www-form-urlencoded"
    return client.post("/settings", data=asked, content_type=form, headers={**FROM_HERE, **headers}, **more)


FROM_HERE = {"Sec-Fetch-Site": "same-origin"}


@pytest.mark.parametrize(
    "headers, status",
    [
        ({"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"}, 303),
        ({"Origin": "http://localhost"}, 303),
        ({"Referer": "http://localhost/pl-2007/16?ui=sk"}, 303),
        ({}, 403),
        ({"Sec-Fetch-Site": "same-site", "Origin": "http://localhost"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Referer": "http://localhost/"}, 403),
        ({"Sec-Fetch-Site": "none"}, 403),
        ({"Origin": "null", "Referer": "http://localhost/"}, 403),
        ({"Origin": "https://evil.example", "Referer": "http://localhost/"}, 403),
        ({"Origin": "https://localhost"}, 403),
        ({"Referer": "http://localhost.evil.example/"}, 403),
        ({"Referer": "http://["}, 403),
    ],
)
def test_only_a_page_of_the_site_itself_stores_a_choice(client, headers, status):
    response = client.post("/settings", data={"theme": "dark"}, headers=headers)
    assert response.status_code == status
    assert bool(response.headers.getlist("Set-Cookie")) is (status == 303)


@pytest.mark.parametrize("base, secure", [("http://localhost", True), ("https://localhost", True)])
def test_where_the_site_is_said_to_be_secure_so_are_its_cookies(at_home, base, secure):
    (cookie,) = post(at_home, "theme=dark", {}, base_url=base).headers.getlist("Set-Cookie")
    assert ("Secure" in cookie) is secure


CHOICES = ("theme=dark&size=large&ui=hr&code=2017", "theme=dark", "size=large", "ui=sk", "code=2007", "edition=hr-1997")


@pytest.mark.parametrize("query", CHOICES)
def test_no_address_writes_a_cookie_when_it_is_read(site, client, query):
    """Each address of the site, whatever is behind its question mark; and the settings themselves."""
    values = {"edition": "pl-2007", "path": "16", "code": "2017", "typed": "27b1", "situation": "insufficient-bid"}
    values |= {"term": "revoke", "body": "pzbs", "number": "3", "older": "pl-2007", "newer": "sk-2017"}
    asked = 0
    for rule in site.url_map.iter_rules():
        address = re.sub(r"<(?:\w+:)?(\w+)>", lambda found: values.get(found[1], "x"), rule.rule)
        for method in ("GET", "HEAD"):
            response = client.open(f"{address}?{query}", method=method, headers=FROM_HERE)
            assert not response.headers.getlist("Set-Cookie"), address
            asked += 1
    assert asked > 60
    assert client.get(f"/settings?{query}").status_code == 404
    assert "theme" not in client.get("/?theme=dark").headers.get("Location", "")


def test_a_look_stands_once_and_both_sheets_have_it(client):
    """A theme by its attribute where a script sets it, and as a sheet of its own where there is none."""
    whole = client.get("/static/site.css").text
    assert not client.get("/look.css").text
    for name, values in http.LOOKS.items():
        for value in values[1:]:
            written = (http.LOOKS_FOLDER / f"{value}.css").read_text(encoding="utf-8").strip()
            assert written.replace(":root", f":root[data-{name}={value}]") in whole
            client.set_cookie(name, value)
            answer = client.get("/look.css")
            assert written.replace(":root", f":root:not([data-{name}])") in answer.text
            assert "Cookie" in answer.vary and "private" in answer.headers["Cache-Control"]
        client.set_cookie(name, "../site")
    assert not client.get("/look.css").text


@pytest.mark.parametrize(
    "said, origin",
    [
        ("", ""),
        ("https://laws.example", "https://laws.example"),
        ("https://Laws.Example:8443/", "https://laws.example:8443"),
        ("http://[::1]:8000", "http://[::1]:8000"),
        ("laws.example", None),
        ("https://laws.example/laws", None),
        ("ftp://laws.example", None),
        ("https://a b", None),
        ("https://me@laws.example", None),
        ("https://laws.example?x", None),
    ],
)
def test_where_the_site_stands_is_scheme_and_host(build_dir, said, origin):
    if origin is None:
        with pytest.raises(OriginError, match="LEXBRIDGE_URL="):
            create_app({"BUILD": build_dir, "ORIGIN": said})
    else:
        assert create_app({"BUILD": build_dir, "ORIGIN": said}).config["ORIGIN"] == origin
