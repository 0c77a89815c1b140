"""Addresses without an edition: a citation alone, or of a code, leads to the edition of who reads."""

from __future__ import annotations

import pytest
from app_site import client, page, site  # noqa: F401

from app.site.atlas import Atlas
from app.site.snapshot import Snapshot
from corpus.library import Library
from corpus.model import NodeId


def led(client, url: str, lang: str = "") -> tuple[int, str | None]:
    response = client.get(url, headers={"Accept-Language": lang} if lang else {})
    if response.status_code == 303 and "ui=" not in (response.location or ""):
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
    "lang, code, edition",
    [
        *((lang, "", "sk-2017") for lang in ("pl", "sk", "hr", "cs", "en", "")),
        ("pl", "2007", "pl-2007"),
        ("sk", "2007", "pl-2007"),
        ("pl", "1997", "hr-1997"),
        ("hr", "1997", "hr-1997"),
        ("pl", "1850", "sk-2017"),
    ],
)
def test_a_citation_alone_leads_to_the_code_chosen_else_to_the_one_in_force(client, typed, lang, code, edition):
    """In the reader's language where that code has a whole text in it."""
    if code:
        client.set_cookie("code", code)
    assert led(client, f"/{typed}", lang) == (303, f"/{edition}/27/B/1")


def test_a_code_in_the_address_comes_before_the_one_chosen_and_is_not_kept(client):
    client.set_cookie("code", "1997")
    assert led(client, "/27b1?code=2007", "") == (303, "/pl-2007/27/B/1")
    assert led(client, "/27b1", "") == (303, "/hr-1997/27/B/1")


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
    for edition in atlas.library.law_editions:
        assert atlas.editions_of_code(edition.code, edition.lang)[0].lang == edition.lang
        for node in library.nodes_of(edition.id)[::40]:
            assert led(client, f"/id/{edition.code}/{node.path}", edition.lang)[1] in {
                f"/{e.id}/{node.path}" for e in atlas.editions_of_code(edition.code)
            }
            seen += 1
        home = atlas.editions_of_code(atlas.codes[0], edition.lang)[0]
        for law in library.laws_of(home.id):
            assert led(client, f"/{law.path}", edition.lang) == (303, f"/{home.id}/{law.path}")
    assert seen > 40


@pytest.mark.parametrize(
    "query, kept", [("ui=sk", "?ui=sk"), ("ui=xx&a=b", ""), ("hl=x&next=//evil.example", ""), ("ui=pl&e=1", "?ui=pl")]
)
def test_of_the_query_only_the_language_goes_on(client, query, kept):
    assert led(client, f"/27b1?{query}") == (303, f"/sk-2017/27/B/1{kept}")
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


def test_a_page_or_an_edition_comes_before_a_citation(searcher, library):
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
        {"SNAPSHOT": Snapshot.from_library(Library(nodes, editions, [], [], [], library.citation_words), searcher)}
    ).test_client()
    assert client.get("/27b1/").status_code == 200 and client.get("/27b1").headers["Location"] == "/27b1/"
    assert client.get("/27b2", headers={"Accept-Language": "sk"}).headers["Location"] == "/27b1/27/B/2"
