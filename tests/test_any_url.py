"""Any address and any query, however strange, is answered as the contract says: never a 5xx, never an exception in the
log, never a redirect away from the site; every answer of the API is valid against its own description.
"""

from __future__ import annotations

import json
import logging
import re
import tomllib
from itertools import product
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate as validate_description

from tests.budget import examples, sampled


def spelt(case: str | dict) -> str:
    """A case of the file: as it stands there, or a long one that the file describes."""
    if isinstance(case, str):
        return case
    return case.get("before", "") + case["repeat"] * case["times"] + case.get("after", "")


CASES = tomllib.loads((Path(__file__).parent / "cases" / "addresses.toml").read_text(encoding="utf-8"))
PREFIXES, TAILS, QUERIES, PARAMETERS, COMPARISONS = (
    [spelt(case) for case in CASES[name]] for name in ("prefixes", "tails", "queries", "parameters", "comparisons")
)
LABELS = [*"16 D 2 a ii def fn chapter AND 12C1 (e) .. % ? ą ♠ - pl-2007".split(), " ", "\x00", "\n"]
OPERATORS = 'AND OR NOT ANDNOT ANDMAYBE REQUIRE ( ) " * ~ ^ renons wist 16D2 TO [ ] :'.split()


class Errors(logging.Handler):
    """What was logged as an error."""

    def __init__(self):
        super().__init__(logging.ERROR)
        self.records: list[str] = []

    def emit(self, record):
        self.records.append(logging.Formatter().format(record))


@pytest.fixture(scope="module")
def site(application):
    """``site(address, method)`` asks, and holds the answer to all that the contract says of any answer."""
    errors = Errors()
    application.logger.addHandler(errors)
    client = application.test_client()
    description = client.get("/api/openapi.json").get_json()

    def ask(address: str, method: str = "GET"):
        response = client.open(address, method=method)
        assert not errors.records, f"{method} {address!r}: {errors.records.pop()}"
        assert response.status_code < 500, f"{method} {address!r} answered {response.status_code}"
        assert_stays(response, address)
        if (
            address.startswith("/api/")
            and method not in ("HEAD", "OPTIONS")
            and response.status_code not in (301, 302, 308)
        ):
            assert_described(description, response, address)
        elif response.status_code >= 400 and method == "GET" and response.mimetype == "text/html":
            assert re.search(r'href="/\?ui=\w+"', response.get_data(as_text=True)), f"{address!r}: no way on"
        return response

    ask.description = description
    yield ask
    application.logger.removeHandler(errors)


def assert_stays(response, address: str) -> None:
    """A redirect leads to this site, and says nothing that a browser reads as another header or host."""
    if to := response.headers.get("Location"):
        here = to.removeprefix("http://localhost")
        assert re.match(r"/(?![/\\])", here) and not re.search(r"[\x00-\x20\x7f\\]", here), (
            f"{address!r} leads to {to!r}"
        )
        assert len(response.headers.getlist("Set-Cookie")) <= 3


def assert_described(description: dict, response, address: str) -> None:
    """The answer has a status and a body that ``/api/openapi.json`` names for the address."""
    if response.mimetype == "text/html":
        assert re.match(r"/api/?([?#]|$)", address), f"{address!r} answered with a page"
        return
    body = json.loads(response.get_data(as_text=True))
    if address.startswith("/api/openapi.json") and response.status_code == 200:
        return
    path = address.partition("?")[0]
    operation = next(
        (
            item["get"]
            for template, item in description["paths"].items()
            if re.fullmatch(re.sub(r"\\{path\\}", ".+", re.sub(r"\\{edition\\}", "[^/]+", re.escape(template))), path)
        ),
        None,
    )
    if operation and response.status_code != 404:
        assert str(response.status_code) in operation["responses"], (
            f"{address!r}: {response.status_code} is not described"
        )
    if response.status_code == 200:
        schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
    else:
        schema = {"$ref": "#/components/schemas/Error"}
    problems = list(Draft202012Validator({**schema, "components": description["components"]}).iter_errors(body))
    assert not problems, f"{address!r}: {problems[0].message} at {problems[0].json_path}"


def test_the_description_is_valid_openapi(site):
    validate_description(site.description)


@pytest.mark.parametrize("prefix", PREFIXES)
def test_any_path_is_answered(site, prefix):
    answered = [site(f"/{prefix}{tail}").status_code for tail in TAILS]
    assert len(answered) == len(TAILS) and set(answered) <= {200, 301, 302, 303, 304, 308, 400, 404, 405, 414}


@pytest.mark.parametrize(
    "route", ["/search?q=", "/api/v1/search?q=", "/api/v1/suggest?q=", "/go?edition=pl-2007&n=", "/pl-2007/16?hl="]
)
def test_any_query_is_answered(site, route):
    for query in QUERIES:
        status = site(route + quote_plus(query)).status_code
        if route.startswith("/api"):
            assert status == (200 if len(query) <= 500 else 400), f"{route}{query!r}: {status}"


@pytest.mark.parametrize(
    "route",
    [
        "/",
        "/search?q=renons",
        "/api/v1/search?q=renons",
        "/api/v1/suggest?q=ren",
        "/pl-2007/16/D/2",
        "/compare/16/D",
        "/changes/pl-2007/sk-2017",
        "/cite/pl-2007/16",
        "/card/pl-2007/16",
        "/api/v1/editions",
    ],
)
def test_any_parameter_is_answered(site, route):
    for parameter in PARAMETERS:
        site(route + ("&" if "?" in route else "?") + parameter)


def test_bad_parameters_of_the_api_are_400_and_unknown_nodes_404(site):
    rows = {
        "limit=0": 400,
        "limit=101": 400,
        "limit=ten": 400,
        "offset=-1": 400,
        "lang=xx": 400,
        "edition=pl-9999": 400,
        "kind=nothing": 400,
        "limit=100": 200,
        "lang=pl&lang=sk": 200,
    }
    for parameter, status in rows.items():
        assert site(f"/api/v1/search?q=renons&{parameter}").status_code == status, parameter
    assert site("/api/v1/search?q=" + "a" * 501).status_code == 400
    assert site("/api/v1/nodes/pl-2007/16/D/9").status_code == 404
    assert site("/api/v1/nodes/none/16").status_code == 404


@pytest.mark.parametrize("comparison", COMPARISONS)
def test_any_comparison_is_answered(site, comparison):
    assert site("/api/v1/compare?" + comparison).status_code in (200, 400, 404)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "BREW"])
def test_any_method_is_answered(site, method):
    for address in (
        "/",
        "/search?q=renons",
        "/pl-2007/16",
        "/api/v1/search?q=renons",
        "/api/v1/nodes/pl-2007/16",
        "/nowhere",
    ):
        site(address, method)


def test_sloppy_addresses_lead_to_the_one_address(site):
    for sloppy in ("16d2", "16/d/2", "16D2", "16.D.2", "16%20D%202", "16/D/2/", "16//D/2"):
        response = site(f"/pl-2007/{sloppy}")
        assert (response.status_code, response.headers["Location"].partition("#")[0]) == (308, "/pl-2007/16/D/2"), (
            sloppy
        )


def test_every_kind_of_node_and_every_edition_answers_as_described(site, library):
    one_of_each = {(n.edition, n.kind): n for n in library.nodes.values()}
    assert len(one_of_each) > 20
    for node in [*one_of_each.values(), *sampled(list(library.nodes.values())[::25])]:
        assert site(f"/api/v1/nodes/{quote(node.id)}").status_code == 200
        assert site(f"/{quote(node.id)}").status_code == 200


@settings(max_examples=examples(150))
@given(st.text(max_size=120), st.sampled_from(["/search?q=", "/api/v1/search?q=", "/api/v1/suggest?q="]))
def test_text_of_any_kind_is_a_query(site, text, route):
    encoded = quote_plus(text.encode("utf-8", "surrogatepass"))
    assert site(route + encoded).status_code == 200


@settings(max_examples=examples(150))
@given(
    st.lists(st.sampled_from(LABELS) | st.text(max_size=8), max_size=8),
    st.sampled_from(["/", "/pl-2007/", "/id/2017/", "/compare/", "/card/", "/net/", "/api/v1/nodes/pl-2007/"]),
)
def test_labels_in_any_order_are_an_address(site, parts, prefix):
    site(prefix + "/".join(quote(p.encode("utf-8", "surrogatepass"), safe="") for p in parts))


@settings(max_examples=examples(100))
@given(st.lists(st.sampled_from(OPERATORS), max_size=60))
def test_operators_in_any_order_are_a_query(site, words):
    assert site("/api/v1/search?q=" + quote_plus(" ".join(words)[:500])).status_code == 200


def test_there_are_hundreds_of_cases():
    assert len(list(product(PREFIXES, TAILS))) + 5 * len(QUERIES) + 10 * len(PARAMETERS) > 1500
