"""Editions side by side, and what changed from one to another."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations

import pytest
from app_site import client, page, site  # noqa: F401

from app.compare import redline_paragraphs as redlined
from corpus import changes
from corpus.compare import redline
from corpus.model import NodeId
from tests.budget import sampled


@pytest.mark.parametrize(
    "old, new, expected",
    [
        ("a small penalty", "a penalty card", [("=", "a "), ("-", "small "), ("=", "penalty "), ("+", "card")]),
        ("same", "same", [("=", "same")]),
        ("", "", []),
        ("", "new words", [("+", "new words")]),
        ("one two", "three four", [("-", "one two"), ("+", "three four")]),
    ],
)
def test_redline(old, new, expected):
    assert redline(old, new) == expected


def test_a_redline_holds_both_texts(library):
    pairs = [
        (library.nodes[p.a].text, library.nodes[p.b].text)
        for p in library.relations.pairs("pl-1997", "pl-2007")
        if p.a and p.b
    ]
    assert len(pairs) > 30
    for old, new in pairs:
        parts = redline(old, new)
        assert "".join(w for s, w in parts if s != "-") == new
        assert "".join("".join(w for s, w in parts if s != "+").split()) == "".join(old.split())


def test_16d_of_2007_beside_16c_of_1997_and_2017(client):
    soup = page(client, "/compare/16/D?e=pl-2007&e=hr-1997&e=sk-2017&ui=en")
    rows = [
        [[c["data-id"] for c in cell.select("[data-id]")] for cell in row.select("td")]
        for row in soup.select(".laws-side tbody tr")
    ]
    assert [["hr-1997/16/C/2"], ["pl-2007/16/D/2"], ["sk-2017/16/C/2"]] in rows
    assert [[], [], ["sk-2017/16/C/3"]] in rows
    said = {(e["data-relation"], e["data-a"], e["data-b"]) for e in soup.select("[data-relation]")}
    assert {("moved", "hr-1997/16/C/2", "pl-2007/16/D/2"), ("moved", "pl-2007/16/D/2", "sk-2017/16/C/2")} <= said


def test_the_page_and_the_api_have_the_same_rows(client):
    data = client.get("/api/v1/compare?path=12&base=pl-2007&edition=sk-2017").get_json()
    soup = page(client, "/compare/12?e=pl-2007&e=sk-2017")
    shown = {c["data-id"] for c in soup.select(".laws-side [data-id]")}
    assert shown == {i for r in data["rows"] for cell in r["cells"] for i in cell}
    assert len(soup.select(".laws-side tbody tr")) == len(data["rows"])


def test_no_cell_is_an_empty_hole(client, library):
    for law in library.laws_of("sk-2017")[::9]:
        soup = page(client, f"/compare/{law.path}?e=sk-2017&e=pl-2007&e=hr-1997&e=pzbs-2017")
        assert all(cell.get_text(strip=True) for cell in soup.select(".laws-side td"))


def test_added_and_removed_words_between_two_texts_of_one_language(client):
    soup = page(client, "/compare/12?e=pl-1997&e=pl-2007")
    assert len(soup.select("ins")) > 5 and len(soup.select("del")) > 5


def test_every_base_can_be_chosen(client):
    for a in page(client, "/compare/16/D?e=pl-2007&e=hr-1997&e=sk-2017").select("thead a"):
        assert page(client, a["href"]).select(".laws-side tbody tr")


def rows_of_changes(client, address: str) -> list:
    """The rows of all laws to which a list of changes leads."""
    query = address.partition("?")[2]
    laws = [a["href"].partition("?")[0] for a in page(client, address).select(".laws-changed li > a")]
    return [row for law in laws for row in page(client, f"{law}?{query}").select(".changes tbody tr")]


def test_changes_are_listed_by_kind_and_filtered_without_script(client):
    soup = page(client, "/changes/pl-2007/sk-2017")
    kinds = [re.search(r"kind=([\w-]+)", a["href"])[1] for a in soup.select("nav.tabs a") if "kind=" in a["href"]]
    assert {"new", "dropped", "moved", "reworded"} <= set(kinds)
    every = len(rows_of_changes(client, "/changes/pl-2007/sk-2017"))
    assert every == int(re.search(r"\((\d+)\)", soup.select_one("nav.tabs a").text)[1]) > 300
    assert every == sum(len(rows_of_changes(client, f"/changes/pl-2007/sk-2017?kind={k}")) for k in kinds)


def test_the_changes_of_two_editions_are_those_of_their_laws(client, library):
    """Each change stands once, in its law; the list of laws counts them."""
    newest_first = list(combinations([e.id for e in library.law_editions], 2))[::-1]
    for older, newer in sampled(newest_first):
        soup = page(client, f"/changes/{older}/{newer}?ui=en")
        counted = sum(int(n) for li in soup.select(".laws-changed li") for n in re.findall(r"\((\d+)\)", li.text))
        assert (
            counted
            == len(changes.find_changes(library, older, newer))
            == len(rows_of_changes(client, f"/changes/{older}/{newer}?ui=en"))
        )


def test_the_changes_of_a_law_are_asked_for_in_time_order(client):
    answer = client.get("/changes/sk-2017/pl-2007/16?kind=new")
    assert (answer.status_code, answer.headers["Location"]) == (308, "/changes/pl-2007/sk-2017/16")
    assert [client.get(f"/changes/pl-2007/{rest}").status_code for rest in ("sk-2017/999", "zz/16", "pl-2007/16")] == [
        404,
        404,
        404,
    ]


def test_a_chapter_leads_to_the_comparison_of_each_of_its_laws(client):
    """It shows no provision inside a law, unless there is a decision on it, and of each law how it corresponds."""
    soup = page(client, "/compare/chapter/V?e=hr-1997&e=sk-2017&ui=en")
    laws = lambda row: [c for c in row.select(".cell[data-id]") if re.fullmatch(r"[\w-]+/\d+", c["data-id"])]
    rows = soup.select("tbody tr")
    assert len(rows) > 20 and all(map(laws, rows)) and not soup.select('[data-id="sk-2017/27/B"]')
    decided = page(client, "/compare/chapter/V?e=hr-1997&e=sk-2017&e=pzbs-2017&ui=en")
    for row in decided.select("tbody tr"):
        assert laws(row) or row.select('.cell[data-id^="pzbs-2017/"]')
    assert decided.select('.cell[data-id^="pzbs-2017/"]')
    assert len(soup.select('[data-relation="summary"]')) > 15
    addresses = {a["href"].partition("?")[0] for a in soup.select('.cell a[href^="/compare/"]')}
    assert {"/compare/17", "/compare/27", "/compare/35"} <= addresses, addresses
    assert all(page(client, f"{address}?e=hr-1997&e=sk-2017").select("tbody tr") for address in sorted(addresses)[:5])


def test_law_23_of_2007_is_not_law_23_of_2017(client, library):
    assert "sk-2017/23" not in [
        c.id for c in library.relations.counterparts_of(NodeId("pl-2007/23")).get("sk-2017", ())
    ]
    rows = rows_of_changes(client, "/changes/pl-2007/sk-2017?kind=reused")
    assert len(rows) > 5


@pytest.mark.parametrize("url", ["/changes/pl-2007/sk-2017", "/net/sk-2017/", "/net/sk-2017/16"])
def test_a_picture_is_links_with_a_table_behind_it(client, url):
    soup = page(client, url)
    drawing = soup.select_one("svg.picture")
    assert len(drawing.select("a")) > 10 and all(m.find_parent("a") for m in drawing.select("path, circle"))
    assert soup.select("details table tbody tr")


def test_a_redlined_text_still_tells_its_slips(site, monkeypatch):
    """A slip put on a text whose cell is a redline: its sign stands there, too."""
    library = site.extensions["lexbridge"].snapshot().library
    slip = next(s for n in library.nodes.values() for s in n.misprints if s.kind == "misprint" and s.where == "text")
    node = library.nodes["pl-2007/12/A"]
    monkeypatch.setitem(library.nodes, node.id, replace(node, misprints=(replace(slip, start=0, end=5),)))
    cell = page(site.test_client(), "/compare/12/A?e=pl-2007&e=pl-1997&ui=en").select_one(f'.cell[data-id="{node.id}"]')
    assert cell.select("ins") and len(cell.select("a.sic")) == 1


@pytest.mark.parametrize(
    "old, new, paragraphs",
    [
        ("one", "one two", [["one ", "two"]]),
        ("one\n\ntwo", "one\n\ntwo three", [["one"], ["two ", "three"]]),
        ("one", "one\n\ntwo", [["one"], ["two"]]),
    ],
)
def test_the_paragraphs_of_a_redline_are_those_of_the_text(old, new, paragraphs):
    assert [[run.text for run in p.pieces] for p in redlined(redline(old, new))] == paragraphs


def test_a_single_edition_has_the_newest_beside_it(client):
    links = page(client, "/compare/16?e=pl-2007").select("thead a[href]")
    assert [a["href"] for a in links] == ["/compare/16?e=sk-2017&e=pl-2007"]
