"""The JSON API: shapes of the contract, valid against its own description, robust."""

from __future__ import annotations

import json
import re
from urllib.parse import urlencode

import pytest
from app_site import client, site  # noqa: F401
from jsonschema import Draft202012Validator

from app import create_app
from app.api import views
from tests.budget import sampled

# A right request of each kind of score, with what its parameters need beside them.
SCORES = {
    "contract": {"level": 3, "denomination": "NT", "tricks": 9, "transfer": 1, "offenders": "declarer"},
    "imps": {"difference": 620},
    "matchpoints": {"scores": "420,450"},
    "revoke": {"won_by": "offender", "later": 2},
    "artificial": {"ns": "none", "ew": "full"},
    "weighted": {"scores": "620:0.5,-100:0.5", "field": "420"},
}
DESCRIPTION = "/api/openapi.json"


def closed(part):
    """The schemas, each without other fields than those that it names."""
    if isinstance(part, list):
        return [closed(p) for p in part]
    if not isinstance(part, dict):
        return part
    return {key: closed(p) for key, p in part.items()} | (
        {"additionalProperties": False} if isinstance(part.get("properties"), dict) else {}
    )


@pytest.fixture
def valid(client):
    """valid(url, path) asks and holds the answer against the description of ``path``; gives (status, JSON).

    A field that is not described is a fault, but in an edition, whose description says that it has more.
    """
    document = client.get(DESCRIPTION).get_json()
    schemas = document["components"]["schemas"]
    components = {"schemas": closed(schemas) | {"Edition": schemas["Edition"]}}

    def ask(url: str, path: str):
        response = client.get(url)
        described = document["paths"][path]["get"]["responses"][str(response.status_code)]
        schema = described["content"]["application/json"]["schema"]
        data = response.get_json()
        Draft202012Validator({**schema, "components": components}).validate(data)
        return response.status_code, data

    return ask


def test_editions(valid, library):
    """Those of the folder, the laws by year and whole ones first, then what modifies them."""
    _, data = valid("/api/v1/editions", "/api/v1/editions")
    order = sorted(library.editions.values(), key=lambda e: (e.is_decisions, e.year, not e.complete, e.id))
    assert len(order) >= 5 and [e["id"] for e in data["editions"]] == [e.id for e in order]


def test_every_node_is_valid_and_agrees_with_the_library(valid, library):
    nodes = list(library.nodes.values())[::7]
    assert len(nodes) > 300
    for node in nodes:
        status, data = valid(f"/api/v1/nodes/{node.id}", "/api/v1/nodes/{edition}/{path}")
        assert (
            status == 200
            and data["id"] == node.id
            and data["text"] == node.text
            and data["children"] == list(node.children)
        )
        assert {e: [(c["id"], c["relation"]) for c in rows] for e, rows in data["counterparts"].items()} == {
            e: [(c.id, c.relation) for c in rows] for e, rows in library.relations.counterparts_of(node.id).items()
        }


def test_every_situation_with_its_first_questions_and_every_term_is_valid(valid, library):
    tables = [(s.id, code) for s in library.situations.values() for code in s.table]
    assert len(tables) > 40 and len(library.terms) > 300
    for id_ in sampled(list(library.situations)):
        valid(f"/api/v1/situations/{id_}", "/api/v1/situations/{id}")
    for id_, code in sampled(tables):
        valid(f"/api/v1/situations/{id_}/outcome?code={code}", "/api/v1/situations/{id}/outcome")
    for slug in sampled(list(library.terms)[::5]):
        valid(f"/api/v1/terms/{slug}", "/api/v1/terms/{slug}")


def test_compare_of_the_contract(valid):
    _, data = valid("/api/v1/compare?path=16/D&base=pl-2007&edition=hr-1997&edition=sk-2017", "/api/v1/compare")
    assert data["editions"] == ["pl-2007", "hr-1997", "sk-2017"]
    assert {"cells": [["pl-2007/16/D/1"], ["hr-1997/16/C/1"], ["sk-2017/16/C/1"]], "relation": "moved"}.items() <= next(
        r for r in data["rows"] if r["cells"][0] == ["pl-2007/16/D/1"]
    ).items()


@pytest.mark.parametrize("query, kind, first", [("16D2", "citation", "/16/D/2"), ("fałszywy renons", "text", "")])
def test_search(valid, query, kind, first):
    status, data = valid(f"/api/v1/search?q={query}&limit=5", "/api/v1/search")
    assert (
        status == 200
        and data["interpretation"]["kind"] == kind
        and data["results"]
        and first in data["results"][0]["id"]
        and len(data["results"]) <= 5
    )


def test_filters_filter(valid):
    _, data = valid("/api/v1/search?q=renons&edition=sk-2017", "/api/v1/search")
    assert data["results"] and {r["edition"] for r in data["results"]} == {"sk-2017"}


def test_suggest(valid):
    _, data = valid("/api/v1/suggest?q=reno&lang=pl", "/api/v1/suggest")
    assert data["suggestions"] and all(s["url"].startswith("/") for s in data["suggestions"])


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=101",
        "limit=-1",
        "limit=x",
        "limit=",
        "limit=١",
        "offset=-1",
        "offset=99999999999",
        "lang=xx",
        "edition=none",
        "kind=cat",
        "qlang=zz",
        "q=" + "a" * 501,
    ],
)
def test_a_bad_parameter_is_a_400_that_says_what_is_right(valid, query):
    status, data = valid(
        f"/api/v1/search?q=a&{query}" if not query.startswith("q=") else f"/api/v1/search?{query}", "/api/v1/search"
    )
    assert status == 400 and data["error"]["message"]


@pytest.mark.parametrize(
    "query",
    [
        "",
        "path=16",
        "path=16&base=pl-2007",
        "path=16&base=x&edition=sk-2017",
        "path=16&base=pl-2007&edition=x",
        "path=16&base=pl-2007&edition=pl-2007",
    ],
)
def test_a_comparison_needs_two_editions(valid, query):
    assert valid(f"/api/v1/compare?{query}", "/api/v1/compare")[0] == 400


@pytest.mark.parametrize(
    "url",
    ["/api/v1/nodes/pl-2007/99", "/api/v1/nodes/none/1", "/api/v1/nodes/pl-2007/16d2", "/api/v1/nodes/pl-2007/%00"],
)
def test_an_unknown_node_is_a_404(valid, url):
    status, data = valid(url, "/api/v1/nodes/{edition}/{path}")
    assert status == 404 and data["error"]["code"] == "not_found"


@pytest.mark.parametrize("url", ["/api/none", "/api/v1", "/api/v1/nodes/pl-2007", "/api/v2/editions"])
def test_an_unknown_address_of_the_api_is_answered_in_json(client, url):
    assert client.get(url).get_json()["error"]["code"] == "not_found"


STRANGE = [
    "",
    " ",
    "%",
    "_",
    "'",
    '"',
    "\\",
    "\x00",
    "\u202e",
    "𝕬" * 100,
    "(" * 250,
    ")" * 250,
    "AND OR NOT",
    "a ANDNOT b " * 40,
    "*" * 500,
    "16D2 " * 90,
    "[a TO b]",
    "text:x^9",
    "<script>alert(1)</script>",
    "../../etc",
    "é" * 500,
    "\ud7ff",
    "16/D/2",
    "🂡",
    "-" * 500,
    "1" * 500,
    '"' * 499,
    "\r\n\t",
]


@pytest.mark.parametrize("q", STRANGE)
def test_any_query_is_answered(client, q):
    assert client.get("/api/v1/search", query_string={"q": q}).status_code == 200
    assert client.get("/api/v1/suggest", query_string={"q": q}).status_code == 200
    response = client.get("/search", query_string={"q": q, "list": 1})
    assert response.status_code == 200 and b"<script>alert" not in response.data


@pytest.mark.parametrize(
    "url",
    [
        "/%ff%fe",
        "/pl-2007/%ff",
        "/search?q=%ff",
        "/search?page=-1&q=a",
        "/search?page=99999&q=renons",
        "/search?lang=xx&edition=%00&q=a",
        "/pl-2007/16?hl=%ff%00",
        "/compare/16?e=",
        "/compare/?e=x",
        "/compare/16?e=pl-2007&e=sk-2017&e=hr-1997&e=pl-1997&e=pzbs-2017&e=x",
        "/changes/pl-2007/pl-2007",
        "/changes/%00/x?kind=x",
        "/net/none/",
        "/net/pl-2007/999",
        "/card/x/y",
        "/cite/pl-2007/%00",
        "/peek/pl-2007/nothing",
        "/?ui=xx",
        "/?theme=%00",
        "/" + "a" * 3000,
        "/pl-2007/" + "16/" * 500,
        "/api/v1/search?q=a&q=b",
        "/api/v1/nodes/%ff/%ff",
        "/static/none.css",
        "/pl-2007/def/%2e%2e",
        "/pzbs-2017/1?ui=hr",
        "/hr-1997/example/1",
    ],
)
def test_no_address_breaks_the_server(client, url):
    assert client.get(url).status_code < 500


def test_factors_are_shown_when_they_are_asked_for(valid):
    _, data = valid("/api/v1/search?q=renons&explain=1", "/api/v1/search")
    assert data["results"] and all(r["factors"] for r in data["results"])
    _, data = valid("/api/v1/search?q=renons", "/api/v1/search")
    assert data["results"] and not any("factors" in r for r in data["results"])
    assert valid("/api/v1/search?q=renons&explain=2", "/api/v1/search")[0] == 400


def test_a_cap_is_called_a_cap(valid, client):
    """Where more may be found than are listed, total is the least number, and the page says “at least”."""
    for words, capped in (("karta", True), ("renons", None), ("16D2", False), ("qwxzqwxz", False)):
        _, data = valid(f"/api/v1/search?q={words}", "/api/v1/search")
        assert capped in (None, data["capped"])
        said = client.get(f"/search?q={words}&list=1&ui=en").get_data(as_text=True)
        assert ("at least" in said) is data["capped"] and (
            not data["capped"] or f"at least {data['total']} provisions" in said
        )


def test_every_value_that_is_one_of_a_list_is_described_as_such(client, library):
    """What the API refuses stands in no list, and what stands in a list is taken."""
    document = client.get(DESCRIPTION).get_json()
    assert "x-values" not in json.dumps(document)
    closed = 0
    needed = {
        "/api/v1/compare": {"path": "16", "base": "pl-2007", "edition": "sk-2017"},
        "/api/v1/search": {"q": "renons"},
        **{f"/api/v1/score/{group}": query for group, query in SCORES.items()},
    }
    for path, item in document["paths"].items():
        if "{" in path:
            continue
        for parameter in item["get"].get("parameters", []):
            schema = parameter["schema"].get("items", parameter["schema"])
            if "enum" not in schema:
                continue
            closed += 1
            others = {n: v for n, v in needed.get(path, {}).items() if n != parameter["name"] or n == "edition"}
            asked = f"{path}?{urlencode(others)}&{parameter['name']}="
            if parameter["name"] != "base":
                assert all(client.get(asked + value).status_code == 200 for value in schema["enum"]), asked
                assert client.get(asked + "nothing").status_code == 400, asked
    assert closed > 12
    schemas = document["components"]["schemas"]
    assert schemas["Node"]["properties"]["edition"]["enum"] == list(library.editions)
    assert set(schemas["Node"]["properties"]["lang"]["enum"]) == {e.lang for e in library.editions.values()}


def test_a_number_is_described_with_its_bounds(client):
    """Both bounds are answered, what is beyond is refused, and the default is one of them or between."""
    paths = client.get(DESCRIPTION).get_json()["paths"]
    numbers = [
        (path, p["name"], p["schema"])
        for path, item in paths.items()
        for p in item["get"].get("parameters", [])
        if p["schema"].get("type") == "integer" and "/score/" not in path
    ]
    assert len(numbers) == 4
    for path, name, schema in numbers:
        low, high = schema["minimum"], schema["maximum"]
        assert low <= schema["default"] <= high
        for number, status in ((low, 200), (high, 200), (low - 1, 400), (high + 1, 400)):
            assert client.get(f"{path}?q=renons&{name}={number}").status_code == status, f"{path} {name}={number}"


@pytest.mark.parametrize("group", ["contract", "revoke", "artificial"])
def test_a_number_of_a_score_is_described_with_its_bounds(client, group):
    """Both bounds are answered, what is beyond is refused; each parameter alone, beside what it needs."""
    parameters = client.get(DESCRIPTION).get_json()["paths"][f"/api/v1/score/{group}"]["get"]["parameters"]
    numbers = {p["name"]: p["schema"] for p in parameters if p["schema"].get("type") == "integer"}
    assert len(numbers) >= 2
    for name, schema in numbers.items():
        low, high = schema["minimum"], schema["maximum"]
        assert low <= schema.get("default", low) <= high
        for number, status in ((low, 200), (high, 200), (low - 1, 400), (high + 1, 400)):
            query = {**SCORES[group], name: number}
            if name == "by_card":
                query["later"] = 13
            if name in ("tricks", "later"):
                query.pop("transfer", None)
            found = client.get(f"/api/v1/score/{group}", query_string=query)
            assert found.status_code == status, query


def test_every_address_of_the_api_is_described(client, site):
    rules = {r.rule for r in site.url_map.iter_rules() if r.rule.startswith("/api/v1/")}
    described = {p for p in client.get(DESCRIPTION).get_json()["paths"] if p.startswith("/api/")}
    assert {re.sub(r"<(?:path:)?(\w+?)_?>", r"{\1}", rule) for rule in rules} == described


def test_the_description_is_made_once_for_a_build(client, monkeypatch):
    first = client.get(DESCRIPTION).get_json()
    monkeypatch.setattr(views, "fill_in_values", None)
    assert client.get(DESCRIPTION).get_json() == first


def test_before_anything_is_built_the_description_is_there(tmp_path):
    nothing = create_app({"BUILD": tmp_path}).test_client()
    assert nothing.get(DESCRIPTION).get_json()["openapi"].startswith("3.1")


def test_every_example_of_the_description_can_be_followed(client):
    paths = client.get(DESCRIPTION).get_json()["paths"]
    tried = 0
    for path, operation in paths.items():
        parameters = operation["get"].get("parameters", [])
        if all("example" in p for p in parameters if p["required"]):
            values = {p["name"]: p["example"] for p in parameters if "example" in p and p["required"]}
            in_path = {p["name"] for p in parameters if p["in"] == "path"}
            address = path.format(**{name: v for name, v in values.items() if name in in_path})
            query = {name: v for name, v in values.items() if name not in in_path}
            assert client.get(address, query_string=query).status_code == 200, (address, query)
            tried += bool(values)
    assert tried >= 3
