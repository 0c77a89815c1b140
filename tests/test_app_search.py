"""The search page: one card for each law, facets that count what they lead to, citations that open, and ways on."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from app_site import client, page, site  # noqa: F401

from app.search.page import HITS_PER_PAGE, SnippetPiece, page_count, snippet_pieces
from app.site import reader
from corpus.model import NodeId
from index.answer import MatchByOtherName, SnippetRun

CASES = Path(__file__).parent / "cases" / "queries"


def choices(html, name: str) -> dict[str, dict[str, list[str]]]:
    """Text of each chosen value of a facet → the query of the address that takes it off."""
    facet = next(s for s in html.select(".facets section") if s.h2.text == name)
    return {a.find(string=True).strip(): parse_qs(urlsplit(a["href"]).query) for a in facet.select("a[aria-current]")}


def test_every_chosen_value_can_be_taken_off_also_without_a_hit(client):
    html = page(client, "/search?q=renons&edition=pl-2007&edition=pl-1997&edition=pzbs-2017&kind=law&ui=en")
    chosen = choices(html, "Edition")
    assert set(chosen) == {"MPB 2007", "MPBP 1997", "Decyzje PZBS 2017"}
    assert chosen["MPBP 1997"]["edition"] == ["pl-2007", "pzbs-2017"]


def test_the_language_that_the_address_names_goes_on(client):
    links = page(client, "/search?q=renons&qlang=pl&ui=en").select(".facets a, .chips a")
    assert links and all("qlang=pl" in a["href"] for a in links)


@pytest.mark.parametrize("asked", [99, 5000, 7])
def test_pages_end(client, asked):
    html = page(client, f"/search?q=renons&page={asked}&ui=en")
    said = html.select_one('[role="status"]').text
    last = said.rpartition(" of ")[2]
    assert f"page {last} of {last}" in said and html.select(".results > li") and not html.select('[rel="next"]')


@pytest.mark.parametrize("query", ["renons", "karta pokutowa", "fn 7", "wist", "point 3 pzbs"])
def test_a_law_is_counted_under_its_name(client, query):
    html = page(client, f"/search?q={query}&list=1&ui=en")
    counted = [s for s in html.select(".facets section") if s.h2.text == "Law"]
    names = [li.find(string=True).strip() for s in counted for li in s.select("li")]
    assert len(set(names)) == len(names) and not [n for n in names if n.startswith(("def", "fn/", "index", "intro"))]


def test_a_point_of_decisions_is_not_added_to_the_law_of_its_number(client):
    html = page(client, "/search?q=decyzje&edition=pzbs-2017&ui=en")
    law = next(s for s in html.select(".facets section") if s.h2.text == "Law")
    assert all(li.text.strip().startswith("Decyzje PZBS 2017, ") for li in law.select("li"))


def test_the_api_counts_laws_by_their_path(client):
    answer = client.get("/api/v1/search?q=renons").get_json()
    laws = answer["facets"]["law"]
    assert sum(laws.values()) == answer["total"] and not any("-" in path.partition("/")[0] for path in laws)


# ── cards ─────────────────────────────────────────────────────────────────────────────────────────

QUERIES = [
    ("renons", "pl"),
    ("fałszywy renons", "pl"),
    ("partner długo myślał i spasował", "pl"),
    ("karta pokutowa", "pl"),
    ("alert zasłony", "pl"),
    ("16D", "pl"),
    ("licitacija izvan reda", "hr"),
    ("renons u dvanaestom štihu", "hr"),
    ("nedostatočná ponuka", "sk"),
    ("odložená karta", "sk"),
    ("OLOOT", "en"),
    ("revoke", "en"),
    ("claim rejected", "en"),
    ("stayman", "en"),
]


def id_at(href: str) -> str:
    return urlsplit(href).path.removeprefix("/")


def cards(html):
    return html.select("ol.results > li.law-card")


@pytest.mark.parametrize("query, ui", QUERIES)
def test_every_hit_stands_on_one_card_and_nothing_twice(client, library, query, ui):
    ask = {"q": query, "ui": ui, "list": 1}
    html = page(client, f"/search?q={query}&ui={ui}&list=1")
    hint = {"qlang": ui} if ui != "en" else {}
    asked = {"q": ask["q"], "limit": 20, "code": "2017", **hint}
    found = client.get("/api/v1/search", query_string=asked).get_json()
    beside = {id(a.find_previous("a", class_="hit")): a for a in html.select("ol.results a.other-text")}
    shown = [id_at(beside.get(id(a), a)["href"]) for a in html.select("ol.results a.hit")]
    assert sorted(shown) == sorted(r["id"] for r in found["results"])
    for card in cards(html):
        assert len(card.select("h2 a")) == 1 and card.select_one("h2 a")["href"].startswith("/")
        open_, folded = card.select("a.hit:not(details *)"), card.select("details a.hit")
        assert len(open_) <= 3 and (len(open_) == 3 or not folded)
        if folded:
            assert str(len(folded)) in card.summary.text
        lines = card.select(".also")
        also = [id_at(a["href"]) for line in lines for a in line.select("a")]
        assert len(lines) <= 1 and len(also) == len(set(also))
        assert not set(also) & {id_at(a["href"]) for a in [*open_, card.h2.a]}
        assert set(also) <= set(library.nodes)


def test_a_card_leads_to_its_law_and_says_whether_it_is_in_force(client):
    first = cards(page(client, "/search?q=fałszywy renons&ui=pl&code=2007"))[0]
    assert id_at(first.h2.a["href"]).startswith("pl-2007/") and "MPB 2007" in first.text
    assert first.select_one(".meta .tag").text == "nie obowiązuje"
    english = cards(page(client, "/search?q=revoke&ui=en"))[0]
    assert english.select_one(".meta .tag.good").text == "in force (Slovakia)"


def test_a_decision_says_whose_it_is_on_the_card_of_its_law(client, library):
    found = {}
    for card in cards(page(client, "/search?q=zasłony alert decyzja&ui=pl")):
        for a in card.select("li a.hit"):
            if a["href"].startswith("/pzbs-2017/"):
                found[id_at(card.h2.a["href"])] = a.parent.text
    assert found and any(library.editions["pzbs-2017"].short in text for text in found.values())


@pytest.mark.parametrize("ui, years", [("pl", "1997, 2007, 2017"), ("en", "1997, 2007, 2017")])
def test_who_asks_what_changed_finds_the_comparison_before_the_laws(client, ui, years):
    query = {"pl": "co się zmieniło w 27", "en": "what changed in 27"}[ui]
    html = page(client, f"/search?q={query}&ui={ui}")
    link = html.select_one("main a[href^='/compare/27?']")
    assert link.text.endswith(years) and "27" in link.text
    assert not page(client, f"/search?q={query}&ui={ui}&page=1").select(".results .way")
    assert client.get(link["href"]).status_code == 200


# ── facets ────────────────────────────────────────────────────────────────────────────────────────


def judged() -> list[tuple[str, str]]:
    """60 of the judged queries that have an answer, drawn once for all."""
    rows = [line.split("\t") for line in (CASES / "blind.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    return random.Random(60).sample([(row[3], row[1]) for row in rows if row[4]], 60)


@pytest.mark.parametrize("query, ui", [*QUERIES, *judged()])
def test_a_facet_counts_what_stands_there_when_it_is_chosen(client, query, ui):
    html = page(client, f"/search?q={quote(query)}&ui={ui}&list=1")
    seen = 0
    for facet in html.select(".facets section")[:3]:
        for a in facet.select("a"):
            said = a.select_one(".n").text
            count = int("".join(filter(str.isdigit, said)))
            status = page(client, a["href"] + f"&ui={ui}").select_one('[role="status"]').text
            # A page that is capped says the number twice.
            assert str(count) in status.replace(",", " ").split(), (a["href"], said, status)
            assert (said != str(count)) == (f"{count}; " in status or status.count(str(count)) > 1), (said, status)
            seen += 1
    # Where nothing is found there are ways on, and no facets.
    assert seen >= 2 or ((query, ui) not in QUERIES and html.select(".ways-on"))


def test_a_second_value_counts_what_both_find(client):
    html = page(client, "/search?q=revoke&edition=hr-1997&ui=en")
    more = [a for a in html.select(".facets .chipped:first-child a:not([aria-current])") if "hr-1997" in a["href"]]
    assert more
    for a in more:
        status = page(client, a["href"] + "&ui=en").select_one('[role="status"]').text
        assert status.startswith(a.select_one(".n").text)


def test_in_force_is_a_filter_of_the_editions_in_force(client, library):
    html = page(client, "/search?q=revoke&ui=en")
    (chip,) = [a for a in html.select(".chips a") if a.text.startswith("in force")]
    asked = parse_qs(urlsplit(chip["href"]).query)
    assert set(asked["edition"]) == {e.id for e in library.editions.values() if e.is_in_force}
    chosen = page(client, chip["href"] + "&ui=en")
    (on,) = [a for a in chosen.select(".chips a[aria-current]") if a.text.startswith("in force")]
    assert "edition" not in parse_qs(urlsplit(on["href"]).query)
    editions = {NodeId(id_at(a["href"])).edition for a in chosen.select("ol.results a.hit")}
    assert editions and all(library.editions[e].is_in_force for e in editions)


# ── why ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_mark_by_another_name_says_of_what(client):
    mark, said = MatchByOtherName(("lead", "turn")), ("another name",)
    runs = (
        SnippetRun("a "),
        SnippetRun("mimo poradia", (mark,)),
        SnippetRun(" or "),
        SnippetRun("mimo poradia", (mark,)),
        SnippetRun("turn", said),
    )
    assert snippet_pieces(runs, "a Lead out of turn") == (
        SnippetPiece("a ", False),
        SnippetPiece("mimo poradia", True, "Lead out of turn", True),
        SnippetPiece(" or ", False),
        SnippetPiece("mimo poradia", True, "Lead out of turn"),
        SnippetPiece("turn", True),
    )
    html = page(client, "/search?q=revoke&ui=en")
    marks = html.select("mark.other")
    assert marks and all(m["title"] == "another name of: revoke" for m in marks)
    assert all(len(p.select(".sr")) == 1 for p in html.select("p:has(> mark.other)"))
    assert not page(client, "/search?q=renons&ui=pl&lang=pl").select("ol.results mark.other[title$=renonsu]")


@pytest.mark.parametrize("ui", reader.LANGUAGES)
def test_what_was_told_of_says_so_where_no_word_is_marked(client, ui):
    html = page(client, f"/search?q=partner długo myślał i spasował&qlang=pl&ui={ui}")
    told = html.select(".told")
    assert told and len({p.text for p in told}) == 1
    assert not any(p.parent.select("mark") for p in told)


@pytest.mark.parametrize(
    ("query", "state", "says"),
    [
        ("revoke", "sure", "The laws answer this:"),
        ("stayman", "probably", "Probably one of these."),
        ("qwxzqwxz", "nothing", "No provision answers this."),
    ],
)
def test_each_state_of_an_answer_has_its_own_sentence(client, query, state, says):
    html = page(client, f"/search?q={query}&ui=en")
    (sentence,) = html.select("[data-state]")
    assert sentence["data-state"] == state and sentence.get_text(strip=True).startswith(says)


# ── citations ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "typed, ui, place",
    [
        ("27b1", "pl", "/sk-2017/27/B/1?ui=pl#27-B-1"),
        ("16 D 2", "pl", "/sk-2017/16/D/2?ui=pl#16-D-2"),
        ("§ 70 C", "sk", "/sk-2017/70/C?ui=sk#70-C"),
        ("law 20 f", "hr", "/sk-2017/20/F?ui=hr#20-F"),
        ("27", "en", "/sk-2017/27?ui=en"),
    ],
)
def test_a_citation_alone_opens_the_provision(client, typed, ui, place):
    response = client.get("/search", query_string={"q": typed, "ui": ui})
    assert (response.status_code, response.headers["Location"]) == (303, place)
    assert client.get(place.partition("#")[0]).status_code == 200


@pytest.mark.parametrize(
    "asked",
    [
        "q=27b1&list=1",
        "q=27b1&page=0",
        "q=27b1&lang=sk",
        "q=27b1&edition=pl-2007",
        "q=27B1, 30 i 31",
        "q=16-18",
        "q=16C 1997",
        "q=27 insufficient bid",
        "q=13.1.C",
        "q=co się zmieniło w 27",
        "q=renons",
    ],
)
def test_otherwise_a_list_is_shown(client, asked):
    assert page(client, f"/search?{asked}&ui=pl").select("ol.results a.hit")


def test_who_takes_a_filter_off_a_list_of_a_citation_keeps_the_list(client):
    chosen = page(client, "/search?q=27b1&lang=sk&ui=pl").select_one(".facets a[aria-current]")
    assert page(client, chosen["href"]).select("ol.results a.hit")


# ── nothing ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("ui", reader.LANGUAGES)
def test_where_nothing_is_found_there_are_ways_on(client, ui):
    for code, home in (("2017", "sk-2017"), ("2007", "pl-2007"), ("1997", "hr-1997")):
        links = [a["href"] for a in page(client, f"/search?q=qwxzqwxz&ui={ui}&code={code}").select(".ways-on a")]
        assert f"/{home}/" in links and any(link.startswith("/situations/") for link in links)


def test_where_filters_leave_nothing_it_says_what_there_is_without_them(client):
    html = page(client, "/search?q=renons&edition=pzbs-2017&kind=law&ui=en")
    assert "Nothing found with these filters." in html.text and "No provision answers this" not in html.text
    offered = html.select(".ways-on .n")
    assert len(offered) > 4
    for count in offered:
        link = count.find_previous("a")["href"]
        assert page(client, f"{link}&ui=en").select_one('[role="status"]').text.startswith(count.text)


@pytest.mark.parametrize("query, ui", QUERIES)
def test_only_an_answer_that_is_not_sure_says_so(client, query, ui):
    html = page(client, f"/search?q={query}&ui=en&qlang={ui}&list=1")
    sure = client.get("/api/v1/search", query_string={"q": query, "qlang": ui}).get_json()["confident"]
    assert bool(html.select(".weak")) == (not sure)


@pytest.mark.parametrize("pages", range(4))
def test_a_page_begins_when_the_one_before_is_full(pages):
    assert page_count(SimpleNamespace(total=pages * HITS_PER_PAGE)) == pages
    assert page_count(SimpleNamespace(total=pages * HITS_PER_PAGE + 1)) == pages + 1
