"""The page of a law: every provision in its place, everything linked that can be, the weight of it."""

from __future__ import annotations

import re

import pytest
from app_site import client, page, site  # noqa: F401
from bs4 import BeautifulSoup

from app.site import http, wording
from corpus.letters import fold
from corpus.model import NUMBERED_KINDS


def squeezed(text: str) -> str:
    """Without whitespace of any kind: pages break lines and tables where texts have tabs."""
    return re.sub(r"\s+", "", text)


@pytest.mark.parametrize("edition", ["pl-2007", "sk-2017", "hr-1997", "pl-1997", "pzbs-2017"])
def test_every_provision_has_its_element_and_no_word_is_lost(client, library, edition):
    seen = set()
    for law in [
        *library.laws_of(edition),
        *filter(
            None,
            [library.node_at(edition, "def"), library.node_at(edition, "preface"), library.node_at(edition, "intro")],
        ),
    ]:
        soup = page(client, f"/{edition}/{law.path}?decisions=0")
        ids = [e["id"] for e in soup.select("[id]")]
        assert len(ids) == len(set(ids)), f"{law.id}: an id twice"
        for hung in soup.select("article details, article .why, article sup, article .back"):
            hung.decompose()
        for node in library.subtree_of(law):
            element = soup.find(attrs={"data-id": node.id})
            assert element is not None and element["id"] == node.path.replace("/", "-"), node.id
            shown = squeezed(element.get_text())
            for words in [node.heading or "", *node.text.split("\n\n")]:
                assert squeezed(words) in shown, f"{node.id}: {words[:60]}"
            seen.add(node.id)
    assert len(seen) > 50


def test_the_provision_asked_for_is_marked_and_read_first(client):
    soup = page(client, "/pl-2007/16/D/2")
    current = soup.select('article [aria-current="true"]')
    assert [e["data-id"] for e in current] == ["pl-2007/16/D/2"]
    assert current[0].select_one("[autofocus]") is not None
    assert soup.select_one("title").text.startswith("MPB 2007, 16D2")


@pytest.mark.parametrize(
    "url, note, edition",
    [("/sk-2017/fn/7", "sk-2017/fn/7", "sk-2017"), ("/pl-2007/16/fn/1", "pl-2007/16/fn/1", "pl-2007")],
)
def test_a_footnote_is_read_under_its_law_with_ways_there_and_back(client, url, note, edition):
    soup = page(client, url)
    element = soup.find(attrs={"data-id": note})
    assert element["aria-current"] == "true"
    mark = soup.select_one(f'a.mark[href="#{element["id"]}"]')
    assert mark is not None and element.select_one(f'a.mark[href="#{mark["id"]}"]') is not None


def test_every_link_inside_the_texts_leads_somewhere(client, library):
    known = {f"/{i}" for i in library.nodes} | {f"/{e}/" for e in library.editions}
    links = 0
    for edition in library.editions:
        for law in library.laws_of(edition):
            soup = page(client, f"/{law.id}")
            own = {e["id"] for e in soup.select("[id]")}
            for a in soup.select(
                "a.ref, a.mark, .twins a:not(.rel), .lineage a, .citing a, .turn a, .outline a, .crumbs a"
            ):
                path, _, fragment = a["href"].partition("#")
                assert path in known or path in ("", "/"), f"{law.id}: {a['href']}"
                assert path or fragment in own, f"{law.id}: #{fragment}"
                links += 1
    assert links > 5000


def test_a_reference_is_a_link_and_a_list_is_one_for_each(client):
    soup = page(client, "/pl-2007/27")
    assert soup.select_one('a.ref[href^="/pl-2007/31"]') is not None
    assert not soup.select("article a.ref:not([href])")


def test_tables_are_tables(client):
    rows = page(client, "/hr-1997/2").select("table.printed tr")
    assert len(rows) >= 4 and len(rows[0].find_all(["td", "th"])) > 2


def test_lineage_leads_through_the_years(client):
    current = page(client, "/pl-2007/16/D/2").select_one('article [aria-current="true"]')
    line = current.select_one(".lineage")
    assert re.sub(r"\s+", " ", line.get_text(" ", strip=True)).endswith("1997 16C2 → 2007 16D2 → 2017 16C2")
    assert {a["href"].partition("#")[0] for a in line.select("a")} == {"/pl-1997/16/C/2", "/sk-2017/16/C/2"}


def test_cited_by_shows_the_citing_sentence(client):
    soup = page(client, "/sk-2017/16/C/2")
    citing = soup.select_one('[aria-current="true"] .citing li')
    assert (
        citing.select_one("a") is not None
        and len(citing.select_one("span").text) > 20
        and citing.select_one("b") is not None
    )


def test_an_edition_that_is_not_in_force_says_so_and_leads_out(client):
    banner = page(client, "/pl-2007/16/D/2?ui=en").select_one(".banner")
    assert "Not in force" in banner.text
    assert (
        banner.select_one('a[href^="/sk-2017/16/C/2"]') is not None
        and banner.select_one('a[href*="pzbs.pl"]') is not None
    )
    assert not [b for b in page(client, "/sk-2017/16?ui=en").select(".banner") if "Not in force" in b.text]


@pytest.mark.parametrize("law", ["73", "89"])
def test_laws_amended_since_say_so(client, law):
    assert "2024" in page(client, f"/sk-2017/{law}").select_one(".banner").text
    assert not page(client, "/sk-2017/72").select(".banner")


def test_words_searched_for_are_marked(client):
    marks = page(client, "/pl-2007/62/B?hl=renonsu").select("article mark")
    assert marks and {fold(m.text) for m in marks} == {"renonsu"}


def test_corrected_words_are_marked_on_demand(client):
    assert not page(client, "/pl-2007/16").select(".fixed")
    assert len(page(client, "/pl-2007/16?fixes=1").select(".fixed")) > 5


def test_a_law_page_weighs_little(client, library):
    parts = sum(
        len(client.get(http.asset_address(name), headers={"Accept-Encoding": "gzip"}).data)
        for name in ("site.css", "site.js", "icon.svg")
    )
    heaviest = max(
        (len(client.get(f"/{n.id}", headers={"Accept-Encoding": "gzip"}).data), n.id)
        for e in library.editions
        for n in library.laws_of(e)
    )
    assert parts + heaviest[0] <= 60_000, heaviest


def test_a_page_has_no_inline_script_or_style(client):
    for url in ("/", "/pl-2007/16/D/2", "/compare/16/D?e=pl-2007&e=sk-2017", "/net/sk-2017/", "/card/sk-2017/16/C/2"):
        response = client.get(url)
        assert "script-src 'self'" in response.headers["Content-Security-Policy"]
        soup = BeautifulSoup(response.data, "lxml")
        assert not [s for s in soup.select("script") if s.get("type") != "application/ld+json" and not s.get("src")]
        assert not soup.select("[style], style") and not [
            e for e in soup.find_all(True) if any(a.startswith("on") for a in e.attrs)
        ]


@pytest.mark.parametrize("edition", ["pl-2007", "sk-2017", "hr-1997", "pl-1997", "pzbs-2017"])
def test_one_line_says_what_is_read_and_whether_it_is_in_force(client, library, edition):
    """For every kind of provision: citation, edition and force; where it is not in force, every place that is."""
    info = library.editions[edition]
    kinds = {n.kind: n for n in library.nodes_of(edition)}
    assert len(kinds) > 2
    for node in kinds.values():
        line = page(client, f"/{node.id}?ui=en").select_one(".standing")
        said = re.sub(r"\s+", " ", line.get_text())
        assert wording.citation_of(node) in said and info.short in said, node.id
        assert ("not in force" in said) is (not info.is_in_force) and ("in force" in said)
        for a in line.select(".out a"):
            target = library.nodes[a["href"].partition("#")[0].lstrip("/")]
            assert library.editions[target.edition].is_in_force and not info.is_in_force, node.id


def test_what_hangs_on_a_provision_is_folded_until_it_is_asked_for(client):
    for url in ("/pl-2007/16/D/2", "/pl-2007/64/A", "/sk-2017/27/B", "/hr-1997/27/B/1"):
        assert not page(client, url).select("details.more[open]")


def last_step(label: str) -> str:
    runs = re.findall(r"\d+|[^\W\d_]+", label)
    return runs[-1] if runs else ""


@pytest.mark.parametrize("edition", ["pl-2007", "sk-2017", "hr-1997", "pl-1997", "pzbs-2017"])
def test_where_the_printed_labels_do_not_tell_the_citation_it_stands_beside_them(client, library, edition):
    """Exactly there: law, preview, card, selection, quotation."""
    shown = 0
    for law in library.laws_of(edition):
        soup = page(client, f"/{law.id}?decisions=0")
        for node in library.subtree_of(law):
            if node.kind == "footnote" or not node.label:
                continue
            way = [n for n in [*library.ancestors_of(node), node] if n.kind in NUMBERED_KINDS]
            needed = any(last_step(n.label) != n.path.rpartition("/")[2] for n in way)
            first = soup.find(attrs={"data-id": node.id}).find(class_="label").parent
            beside = first.select_one(".beside")
            assert (beside is not None) is needed, node.id
            if needed:
                assert beside.text == node.citation
                shown += 1
    assert (shown > 400) is (edition == "hr-1997") and (shown == 0) is (edition != "hr-1997")


def test_a_quotation_begins_with_the_citation_that_the_labels_do_not_tell(client, library):
    quoted = page(client, "/cite/hr-1997/27/B/1?ui=hr").select("blockquote")[2].text.splitlines()
    assert quoted[1].startswith("27B1 „1. ") and quoted[2].startswith("[27B1(a)] 1. ")
    assert page(client, "/cite/sk-2017/27/B/1?ui=hr").select("blockquote")[2].text.splitlines()[1].startswith("„1.")
    for url in ("/card/hr-1997/27/B/1", "/peek/hr-1997/27/B/1", "/hr-1997/27?only=27/B/1"):
        soup = page(client, url)
        assert (
            "27B1" in soup.select_one("h1, h2, .name, .beside").get_text()
            or "27B1" in soup.select_one("section h2").text
        )
        assert "27B1(a)" in [b.text for b in soup.select(".beside")], url


@pytest.mark.parametrize("edition", ["pl-2007", "sk-2017", "hr-1997", "pl-1997", "pzbs-2017"])
def test_every_statement_that_provisions_correspond_names_both_the_older_first_and_is_explained(
    client, library, edition
):
    said = 0
    for law in library.laws_of(edition)[::5]:
        soup = page(client, f"/{law.id}?ui=en")
        chips = soup.select("[data-relation]")
        assert bool(soup.select_one("#legend")) is bool(chips), law.id
        for chip in chips:
            a, b = library.nodes[chip["data-a"]], library.nodes[chip["data-b"]]
            assert (a.year, a.edition) < (b.year, b.edition) and edition in (a.edition, b.edition)
            assert b.id in [c.id for c in library.relations.counterparts_of(a.id)[b.edition]]
            if chip["data-relation"] == "summary":
                # A sum leads to what it sums up.
                assert chip["href"].startswith("/compare/") and (a.children or b.children)
            else:
                assert chip["href"] == "#legend" and soup.select_one(f"#legend .r-{chip['data-relation']}")
            said += 1
    assert (said > 20) is (edition != "pzbs-2017")


@pytest.mark.parametrize(
    "ui, same, changed",
    [
        ("en", "same in substance", "changed in substance"),
        ("pl", "bez zmian merytorycznych", "zmienione merytorycznie"),
        ("sk", "obsahovo rovnaké", "obsahovo zmenené"),
        ("hr", "sadržajno jednako", "sadržajno izmijenjeno"),
    ],
)
def test_a_change_of_substance_is_called_one(site, ui, same, changed):
    """“reworded” in the corpus means that the substance changed: the word
    says the opposite of “same”, in each language.
    """
    from flask_babel import force_locale

    with site.test_request_context(), force_locale(ui):
        assert (wording.relation_name("same"), wording.relation_name("reworded"), wording.change_name("reworded")) == (
            same,
            changed,
            changed,
        )
        assert all(wording.relation_meaning(r) for r in wording.RELATIONS)
