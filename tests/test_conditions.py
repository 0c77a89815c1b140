"""What holds only behind screens, with bidding boxes, at teams …: inherited, joined, left out of a search."""

from __future__ import annotations

import pytest
from app_site import client, page, site  # noqa: F401

from corpus.model import NodeId


@pytest.mark.parametrize(
    ("id_", "without", "holds"),
    [
        ("pzbs-2017/13/1/C", ["screens"], False),
        ("pzbs-2017/13/1/C", ["boxes", "teams"], True),
        ("pzbs-2017/13/1/B", ["boxes"], False),
        ("pzbs-2017/13/3", ["boxes"], True),  # it only mentions them
        ("pzbs-2017/5/1", ["boxes"], True),
        ("pzbs-2017/6/1/B", ["no-screens"], False),
        ("pzbs-2017/25/1/A/iii", ["teams"], False),
        ("pzbs-2017/25", ["teams"], True),
        ("pl-2007/80/B/2/e", ["screens"], True),
        ("pl-2007/86/C", ["teams"], True),
        ("pl-2007/86/C", ["imps"], True),
        ("pl-2007/86/C", ["teams", "imps"], False),
        ("pl-2007/86/D", ["teams"], False),
        ("pl-2007/12/C/4", ["teams"], False),
        ("pl-2007/12/C/4", ["knockout"], False),
        ("sk-2017/15/B/1", ["pairs"], True),
        ("sk-2017/15/B/1", ["pairs", "individuals"], False),
        ("sk-2017/12/C/2/a", ["teams", "pairs", "individuals"], True),
        ("sk-2017/fn/4", ["pairs", "individuals"], True),  # it tells teams where to look
        ("sk-2017/fn/27", ["teams"], False),  # as 86B2, which carries its mark
        ("pl-2007/86/fn/1", ["teams"], False),
        ("pl-2007/78/fn/1", ["matchpoints"], False),
        ("pl-2007/20/fn/1", ["unspoken"], False),
        ("pl-2007/20/fn/1", ["boxes"], True),  # written bidding is not spoken, either
        ("pl-2007/20/B", ["unspoken"], True),
        ("pzbs-2017/3/1/A", ["teams"], True),  # 3.3 sends tournaments at IMPs there
        ("pzbs-2017/3/1/A", ["teams", "imps"], False),
        ("pzbs-2017/3/2", ["teams"], False),
        ("hr-1997/86/A", ["imps"], False),
        ("hr-1997/87/B", ["teams"], True),
        ("pl-1997/12/C/1", ["teams", "pairs"], True),
        ("pl-1997/12/C/1", [], True),
    ],
)
def test_whether_a_provision_holds(library, id_, without, holds):
    assert id_ in library.nodes
    assert library.conditions.holds(NodeId(id_), without) is holds


@pytest.mark.parametrize(
    ("q", "without", "gone"),
    [
        ("alert zasłony", "screens", "pzbs-2017/13/1/C"),
        ("kartonik Alert kaset", "boxes", "pzbs-2017/13/1/B"),
        ("13.1.C", "screens", "pzbs-2017/13/1/C"),
        ("86D", "teams", "pl-2007/86/D"),
    ],
)
def test_a_search_leaves_out_what_holds_only_there(client, q, without, gone):
    ask = lambda more: client.get("/api/v1/search", query_string={"q": q, "limit": 100, **more}).get_json()
    before, after = ask({}), ask({"without": without})
    assert gone in [r["id"] for r in before["results"]] and gone not in [r["id"] for r in after["results"]]
    assert before["facets"]["condition"][without] >= 1 and without not in after["facets"].get("condition", {})


def test_the_counts_are_those_of_what_is_left_out(client):
    """A search that fits on a page: as many hits fewer as the facet counts."""
    ask = lambda more: client.get("/api/v1/search", query_string={"q": '"zasłon"', "limit": 100, **more}).get_json()
    before = ask({})
    assert 3 <= before["total"] <= 100 and before["facets"]["condition"]
    for condition, count in before["facets"]["condition"].items():
        assert ask({"without": condition})["total"] == before["total"] - count, condition


def test_an_unknown_condition_is_a_400_for_programs_and_nothing_for_people(client):
    assert client.get("/api/v1/search?q=alert&without=curtains").status_code == 400
    assert client.get("/search?q=alert&without=curtains").status_code == 200


@pytest.mark.parametrize(
    ("ui", "name"), [("pl", "za zasłonami"), ("sk", "za zástenou"), ("hr", "iza zavjese"), ("en", "behind screens")]
)
def test_the_search_page_offers_each_condition_and_takes_it_off_again(client, ui, name):
    def link(url):
        soup = page(client, url)
        return next(a for a in soup.select(".facets a") if a.get_text().strip().startswith(f"{name} "))

    first = link(f"/search?q=alert%20zas%C5%82ony&ui={ui}")
    assert "without=screens" in first["href"] and not first.has_attr("aria-current")
    chosen = link(f"{first['href']}&ui={ui}")
    assert chosen.has_attr("aria-current") and "without" not in chosen["href"]


def test_a_provision_has_a_quiet_tag_with_the_words_that_say_so(client):
    soup = page(client, "/pzbs-2017/13?ui=en")
    tags = {e["data-id"]: e.select_one(":scope > .only") for e in soup.select("[data-id]")}
    told = {id_: (tag.select_one(".tag").text, tag.q.text) for id_, tag in tags.items() if tag}
    assert told == {
        "pzbs-2017/13/1/A": ("only without bidding boxes", "Przy grze bez kaset licytacyjnych"),
        "pzbs-2017/13/1/B": ("only with bidding boxes", "Przy grze z użyciem kaset licytacyjnych"),
        "pzbs-2017/13/1/C": ("only behind screens", "Przy grze przy użyciu zasłon"),
    }
    assert tags["pzbs-2017/13/1/C"].q["lang"] == "pl"
    hits = page(client, "/search?q=13.1.C&ui=en").select(".results li")
    assert "only behind screens" in next(li for li in hits if "/pzbs-2017/13/1/C" in li.a["href"]).get_text()


def test_the_api_tells_them(client):
    node = client.get("/api/v1/nodes/pzbs-2017/13/1/C").get_json()
    assert node["conditions"] == [{"any": ["screens"], "words": "Przy grze przy użyciu zasłon", "node": node["id"]}]


def test_the_words_on_a_footnote_stand_in_what_carries_its_mark(library):
    for note, provision in (("sk-2017/fn/27", "sk-2017/86/B/2"), ("pl-2007/86/fn/1", "pl-2007/86/D")):
        assert [only.quote.node for only in library.conditions.only[NodeId(note)]] == [provision]
