"""Browsers: the description of the search, and suggestions in the form of the OpenSearch suggestions extension."""

from __future__ import annotations

import json
from urllib.parse import quote, urlsplit

import pytest
from app_site import client, site  # noqa: F401
from bs4 import BeautifulSoup


def urls(client) -> dict[str, dict]:
    """Type → attributes of the <Url> elements."""
    return {u["type"]: u.attrs for u in BeautifulSoup(client.get("/opensearch.xml").data, "xml").find_all("Url")}


def test_the_description_names_pages_and_suggestions_and_nothing_that_a_browser_cannot_read(client):
    found = urls(client)
    assert set(found) == {"text/html", "application/x-suggestions+json", "application/opensearchdescription+xml"}
    assert found["application/x-suggestions+json"]["rel"] == "suggestions"
    assert all(u["template"].startswith("http://localhost/") for u in found.values())


@pytest.mark.parametrize(
    "typed, some",
    [
        ("27b", True),
        ("kar", True),
        ("fałszywy ren", True),
        ('"', False),
        ("", False),
        ("zzzz", False),
        ("𝔘 &?#%", False),
    ],
)
def test_suggestions_are_four_lists_of_one_length(client, typed, some):
    template = urls(client)["application/x-suggestions+json"]["template"]
    response = client.get(template.replace("{searchTerms}", quote(typed)))
    assert response.status_code == 200 and response.mimetype == "application/x-suggestions+json"
    query, completions, descriptions, addresses = json.loads(response.data)
    assert query == typed and len(completions) == len(descriptions) == len(addresses) and bool(completions) == some
    assert all(isinstance(x, str) for x in (*completions, *descriptions, *addresses))
    for address in addresses:
        parts = urlsplit(address)
        assert parts.netloc == "localhost" and client.get(f"{parts.path}?{parts.query}").status_code in (200, 302)


def test_suggestions_are_those_of_the_site(client):
    ours = client.get("/api/v1/suggest?q=kar&lang=pl").get_json()["suggestions"]
    _, completions, _, addresses = json.loads(client.get("/opensearch/suggestions?q=kar&ui=pl").data)
    assert completions == [s["text"] for s in ours] and [urlsplit(a).path for a in addresses] == [
        urlsplit(s["url"]).path for s in ours
    ]


def test_what_is_too_long_is_refused(client):
    assert client.get("/opensearch/suggestions?q=" + "a" * 501).status_code == 400
