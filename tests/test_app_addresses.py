"""Addresses: what a person types finds the provision; what does not exist helps on; nothing leads off the site."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from app_site import client, page, site  # noqa: F401

from app.site import reader
from app.site.atlas import Atlas
from corpus.edition import manifest
from corpus.library import Library
from corpus.model import NodeId


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


# ── a provision without its edition ─────────────────────────────────────────────────────────────


def led(client, url: str, lang: str = "") -> tuple[int, str | None]:
    response = client.get(url, headers={"Accept-Language": lang} if lang else {})
    if response.status_code == 303:
        assert {"Accept-Language", "Cookie"} <= set(response.vary) and "private" in response.headers["Cache-Control"]
    return response.status_code, response.headers.get("Location")


@pytest.mark.parametrize(
    "typed",
    [
        "27b1",
        "27B1",
        "27/B/1",
        "27/b/1",
        "27 B 1",
        "27.B.1",
        "27:B:1",
        "27-B-1",
        "27b1/",
        "P27B1",
        "§27B1",
        "law 27B1",
        "čl. 27B1",
        "przepis nr 27 b 1",
        "27В1",
        "２７Ｂ１",
        "27B1–2",
    ],
)
@pytest.mark.parametrize(
    "lang, edition",
    [("pl", "pl-2007"), ("sk", "sk-2017"), ("hr", "hr-1997"), ("cs", "sk-2017"), ("en", "sk-2017"), ("", "sk-2017")],
)
def test_a_citation_alone_leads_to_the_readers_edition(client, typed, lang, edition):
    assert led(client, f"/{typed}", lang) == (303, f"/{edition}/27/B/1")


@pytest.mark.parametrize(
    "url, lang, place",
    [
        ("/id/2017/27/B/1", "pl", "/sk-2017/27/B/1"),
        ("/id/2007/27/B/1", "sk", "/pl-2007/27/B/1"),
        ("/id/1997/27/B/1", "en", "/hr-1997/27/B/1"),
        ("/id/2017/27b1", "", "/sk-2017/27/B/1"),
        ("/id/2017/law 27 B 1/", "", "/sk-2017/27/B/1"),
        ("/id/2017/27В1", "", "/sk-2017/27/B/1"),
        ("/id/2017/12C1eii", "hr", "/sk-2017/12/C/1/e/ii"),
        # An extract in the reader's language comes first, and where it ends the whole edition of the code answers.
        ("/id/1997/12", "pl", "/pl-1997/12"),
        ("/id/1997/12", "hr", "/hr-1997/12"),
        ("/id/1997/12", "sk", "/hr-1997/12"),
        ("/id/1997/27/B/1", "pl", "/hr-1997/27/B/1"),
        ("/id/2017/def", "", "/sk-2017/def"),
        ("/id/2017/fn/7", "", "/sk-2017/fn/7"),
        ("/id/2017/", "pl", "/sk-2017/"),
        ("/id/2017", "pl", "/sk-2017/"),
        ("/id/1997/", "pl", "/pl-1997/"),
    ],
)
def test_a_code_leads_to_the_readers_edition_of_it(client, url, lang, place):
    assert led(client, url, lang) == (303, place)


def test_every_law_of_every_code_has_an_address_without_an_edition(client, library):
    atlas, seen = Atlas(library), 0
    for edition in atlas.library.codes:
        assert atlas.of_code(edition.code, edition.lang)[0].lang == edition.lang
        for node in library.of(edition.id)[::40]:
            assert led(client, f"/id/{edition.code}/{node.path}", edition.lang)[1] in {
                f"/{e.id}/{node.path}" for e in atlas.of_code(edition.code)
            }
            seen += 1
        # Who speaks a language that the site does not reads it in its default one.
        home = atlas.home_edition(edition.lang if edition.lang in reader.LANGUAGES else reader.DEFAULT)
        for law in library.laws(home.id):
            assert led(client, f"/{law.path}", edition.lang) == (303, f"/{home.id}/{law.path}")
    assert seen > 40


@pytest.mark.parametrize(
    "query, kept",
    [
        ("ui=sk", "?ui=sk"),
        ("ui=xx&a=b", ""),
        ("hl=x&next=//evil.example", ""),
        ("ui=pl&theme=dark&e=1", "?ui=pl&theme=dark"),
    ],
)
def test_of_the_query_only_what_the_reader_set_goes_on(client, query, kept):
    home = "pl-2007" if "ui=pl" in query else "sk-2017"
    assert led(client, f"/27b1?{query}") == (303, f"/{home}/27/B/1{kept}")
    client.delete_cookie("ui")
    assert led(client, f"/id/2017/27b1?{query}") == (303, f"/sk-2017/27/B/1{kept}")


@pytest.mark.parametrize(
    "url",
    [
        "/nothing",
        "/c",
        "/1NT",
        "/4♠",
        "/7-2",
        "/60%",
        "/1234",
        "/2017",
        "/12.5 IMP",
        "/27b1 word",
        "/27b1/about",
        "/99z9",
        "/preface",
        "/index",
        "/def",
        "/lex 27",
        "/id",
        "/id/2031/27",
        "/id/2017/99",
        "/id/2017/27/Z",
        "/id/2017/nothing",
        "/id/mpb-2017/27",
        "/id/pl-2007/27",
        "/id/2017/1NT",
    ],
)
def test_what_is_no_citation_is_not_found(client, url):
    assert led(client, url)[0] == 404


def test_the_decisions_on_a_code_are_no_edition_of_it(client):
    assert led(client, "/id/2017/3.1.A.(i)", "pl")[0] == 404


@pytest.mark.parametrize(
    "url, ways",
    [
        ("/27z", ["/sk-2017/27", "/sk-2017/"]),
        ("/id/2017/27/Z", ["/sk-2017/27", "/sk-2017/"]),
        ("/id/2007/16c9", ["/pl-2007/16/C", "/pl-2007/"]),
        ("/id/2031/27b1", ["/sk-2017/27/B/1", "/pl-2007/27/B/1", "/hr-1997/27/B/1"]),
        ("/pl-2007/27:Z", ["/pl-2007/27"]),
    ],
)
def test_what_a_code_lacks_helps_on(client, url, ways):
    assert set(ways) <= {a["href"].partition("#")[0] for a in page(client, url, 404).select("main a")}


def test_a_page_or_an_edition_comes_before_a_citation(build_dir, library):
    """An edition may be called like a citation: then the citation is read no more."""
    from dataclasses import replace

    from app import create_app

    named = {"sk-2017": "27b1"}
    moved = lambda edition: named.get(edition, edition)
    nodes = [
        replace(
            n,
            id=NodeId.of(moved(n.edition), n.path),
            edition=moved(n.edition),
            parent=n.parent and NodeId.of(moved(n.edition), n.parent.path),
            references=(),
            marks=(),
            content=(),
        )
        for n in library.nodes.values()
    ]
    editions = [replace(e, id=moved(e.id)) for e in library.editions.values()]
    client = create_app(
        {"BUILD": build_dir, "LIBRARY": Library(nodes, editions, [], [], [], library.words)}
    ).test_client()
    assert client.get("/27b1/").status_code == 200 and client.get("/27b1").headers["Location"] == "/27b1/"
    assert client.get("/27b2", headers={"Accept-Language": "sk"}).headers["Location"] == "/27b1/27/B/2"


def test_no_edition_can_take_the_address_of_a_page(site):
    """The first steps of all pages of the site are refused as ids of editions."""
    first = {rule.rule.split("/")[1] for rule in site.url_map.iter_rules()} - {""}
    pages = {step for step in first if not step.startswith("<")}
    assert len(pages) > 10 and [step for step in pages if manifest.id_problem(step) is None] == []


def test_another_method_than_get_is_told_so(client):
    assert client.post("/pl-2007/16").status_code == 405
    assert client.post("/api/v1/editions").get_json()["error"]["code"] == "method_not_allowed"


@pytest.mark.parametrize(
    "typed, place", [("16d2", "/pl-2007/16/D/2#16-D-2"), ("", "/pl-2007/"), ("renons", "/search?q=renons")]
)
def test_the_jump_field(client, typed, place):
    assert client.get("/go", query_string={"edition": "pl-2007", "n": typed}).headers["Location"] == place
