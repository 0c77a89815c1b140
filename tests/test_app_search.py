"""The search page: chosen facet values can be taken off, pages end, and what is counted has its name."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from app_site import client, page, site  # noqa: F401


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
    links = page(client, "/search?q=renons&qlang=pl&ui=en").select(".facets a")
    assert links and all("qlang=pl" in a["href"] for a in links)


@pytest.mark.parametrize("asked", [99, 5000, 7])
def test_pages_end(client, asked):
    html = page(client, f"/search?q=renons&page={asked}&ui=en")
    said = html.select_one('[role="status"]').text
    last = said.rpartition(" of ")[2]
    assert f"page {last} of {last}" in said and html.select(".results > li") and not html.select('[rel="next"]')


@pytest.mark.parametrize("query", ["renons", "karta pokutowa", "fn 7", "wist", "point 3 pzbs"])
def test_a_law_is_counted_under_its_name(client, query):
    html = page(client, f"/search?q={query}&ui=en")
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
