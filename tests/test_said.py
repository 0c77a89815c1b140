"""What pages, API and search say of two provisions is what the export says: asked of every law and every node."""

from __future__ import annotations

from collections import defaultdict

import pytest
from app_site import client, page, site  # noqa: F401
from bs4 import BeautifulSoup
from exported import counted, exported, full  # noqa: F401

from corpus.model import NodeId
from index.answer import counterparts_of
from tests.budget import least, sampled

COUNTS = ("parts", "same", "changed", "new", "dropped", "moved")


def ends(pair_of: dict, one: str, other: str):
    """The exported row of two ids, whichever is the older."""
    return pair_of.get((one, other)) or pair_of.get((other, one))


@pytest.fixture(scope="session")
def pair_of(exported) -> dict:
    """(a, b) → the exported row."""
    return {(p.a, p.b): p for rows in exported.values() for p in rows if p.a and p.b}


@pytest.fixture(scope="module")
def law_pages(site, library) -> dict[str, BeautifulSoup]:
    """Law id → its page, for laws of every edition."""
    asking = site.test_client()
    return {
        law.id: BeautifulSoup(asking.get(f"/{law.id}?ui=en").data, "lxml")
        for e in library.law_editions
        for law in sampled(library.laws_of(e.id))
    }


def statements(soup: BeautifulSoup):
    """(relation, a, b, element) of every statement of a page."""
    return [(e["data-relation"], e["data-a"], e["data-b"], e) for e in soup.select("[data-relation]")]


def test_every_statement_of_every_law_page_agrees_with_the_export(law_pages, library, pair_of, exported):
    seen = 0
    for soup in law_pages.values():
        for relation, a, b, element in statements(soup):
            older, newer = library.nodes[a], library.nodes[b]
            order = library.relations.edition_ids
            assert order.index(older.edition) < order.index(newer.edition)
            if older.children or newer.children:
                assert relation == "summary"
                expected = counted(library, older, newer, exported[older.edition, newer.edition])
                assert {k: int(element[f"data-{k}"]) for k in COUNTS} == expected, (a, b)
            else:
                row = pair_of[a, b]
                assert relation == row.relation and element.get("data-cause") == row.cause, (a, b)
            seen += 1
    assert seen > least(4500)


def test_a_law_page_sums_up_every_other_whole_edition(law_pages, library, full):
    for id_, soup in law_pages.items():
        law = library.nodes[id_]
        if law.edition not in full:
            continue
        told = {library.nodes[b if a == id_ else a].edition for _, a, b, _ in statements(soup) if id_ in (a, b)}
        assert told >= {e for e in full if library.relations.counterparts_of(law.id).get(e)}, id_


def test_nothing_is_called_the_same_whose_parts_changed(law_pages, library, pair_of):
    """A law of which a part changed, is new or was dropped says so in its words."""
    for soup in law_pages.values():
        for relation, a, b, element in statements(soup):
            if relation == "summary" and int(element["data-changed"]):
                assert element["data-changed"] in element.text.split(), (a, b, element.text)


def test_page_api_search_and_comparison_name_the_same_counterparts(law_pages, client, library):
    """One rule, asked of every node of every edition of the laws in four ways."""
    on_page: dict[str, set[str]] = defaultdict(set)
    for soup in law_pages.values():
        for _, a, b, _element in statements(soup):
            on_page[a].add(b)
            on_page[b].add(a)
    for edition in library.law_editions:
        for node in library.nodes_of(edition.id):
            rule = {c.id for rows in library.relations.counterparts_of(node.id).values() for c in rows}
            api = client.get(f"/api/v1/nodes/{node.id}").get_json()["counterparts"]
            assert {c["id"] for rows in api.values() for c in rows} == rule
            assert set(counterparts_of(library, node)) == rule
            if node.path[0].isdigit():
                assert {i for i in on_page[node.id] if i.split("/")[0] != node.edition} >= rule, node.id
                assert on_page[node.id] <= rule, node.id


def test_a_comparison_stands_beside_the_counterparts(client, library, full):
    base, *others = full[1], full[0], full[2]
    seen = 0
    for law in sampled(library.laws_of(base)):
        data = client.get(
            "/api/v1/compare", query_string=[("path", law.path), ("base", base), *(("edition", e) for e in others)]
        ).get_json()
        for row in data["rows"]:
            for id_ in row["cells"][0]:
                for edition, cell in zip(others, row["cells"][1:], strict=False):
                    assert cell == [c.id for c in library.relations.counterparts_of(NodeId(id_)).get(edition, ())], id_
                    seen += 1
    assert seen > least(500)


@pytest.mark.parametrize(
    ("url", "read_in"),
    [("/compare/16/D?e={0}&e={1}", 1), ("/compare/16/D?e={0}&e={1}&e={2}", 1), ("/compare/16/C?e={0}&e={1}", None)],
)
def test_a_path_that_the_base_lacks_is_read_where_it_is(client, library, full, url, read_in):
    """16D stands in 2007 and not in 1997: the comparison is shown, and says in whose numbers."""
    soup = page(client, url.format(*full) + "&ui=en")
    heads = [th.text.split("(")[0].strip() for th in soup.select(".laws-side thead th")]
    assert heads == [library.editions[e].short for e in full[: url.count("e=")]]
    assert soup.select_one(".laws-side thead th.base").text.startswith(library.editions[full[0]].short)
    said = soup.select_one("p.banner")
    assert (library.editions[full[read_in]].short in said.text) if read_in is not None else said is None


def test_columns_stand_in_time_order_whatever_the_base(client, library, full):
    for base in full:
        soup = page(
            client, "/compare/12?" + "&".join(f"e={e}" for e in [base, *(e for e in reversed(full) if e != base)])
        )
        assert [th.select_one("span")["lang"] for th in soup.select("thead th")] == [
            library.editions[e].lang for e in full
        ]
        assert soup.select_one("thead th.base span")["lang"] == library.editions[base].lang


def test_a_redline_runs_from_the_older_to_the_newer_whatever_the_base(client, library):
    """The words that only the younger text has are added, also when it is the base."""
    one, other = (
        page(client, "/compare/12?e=pl-1997&e=pl-2007&ui=en"),
        page(client, "/compare/12/A?e=pl-2007&e=pl-1997&ui=en"),
    )
    for soup in (one, other):
        cells = [c for c in soup.select(".laws-side .cell") if c.select("ins, del")]
        assert cells and all(c["data-id"].startswith("pl-2007/") for c in cells)
        for cell in cells:
            text = library.nodes[cell["data-id"]].text
            for ins in cell.select("ins"):
                assert all(w.replace("\u00a0", " ").strip() in text for w in ins.get_text("\n").split("\n"))


@pytest.mark.parametrize("url", ["/compare/?path=16/D", "/compare/?law=27", "/compare/?e=pl-2007"])
def test_parameters_never_lead_to_another_law(client, url):
    assert client.get(url).status_code == 404


def test_an_unknown_edition_is_said(client):
    assert "xx-1234" in page(client, "/compare/16?e=pl-2007&e=xx-1234&ui=en").select_one("p.banner").text
