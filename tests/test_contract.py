"""What docs/contract.md promises is so: every address answers, the API has its paths, what is reserved is not there."""

from __future__ import annotations

import json
import re

import pytest
from app_site import client, page, site  # noqa: F401

from corpus import export
from corpus.generation import Generation
from scripts.cli import COMMANDS
from tools.structure import ROOT

CONTRACT = (ROOT / "docs" / "contract.md").read_text(encoding="utf-8")
QUOTED = re.compile(r"`([^`]+)`")


def section(number: int) -> str:
    return CONTRACT.partition(f"\n## {number}. ")[2].partition("\n## ")[0]


def table(number: int) -> list[list[str]]:
    """The cells of the rows of a section's first table."""
    lines = [line for line in section(number).splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def reserved(number: int) -> list[str]:
    return QUOTED.findall(section(number).partition("Reserved:")[2].partition("\n\n")[0])


API = [(QUOTED.search(c[0])[1], QUOTED.search(c[1])[1], QUOTED.findall(c[2])) for c in table(5)]
PEOPLE = [QUOTED.findall(c[1]) for c in table(6)]


def test_the_contract_is_read():
    assert len(API) == 18 and len(PEOPLE) > 11 and all(reserved(n) for n in (1, 3, 5, 6))


def test_the_editions_are_those_of_the_corpus(library):
    named = {QUOTED.search(cells[0])[1] for cells in table(1)}
    assert named == {p.name for p in (ROOT / "corpus" / "editions").iterdir()} == set(library.editions)


PATHS = [(QUOTED.search(c[0])[1], c[1].split(", ")[0], re.split("[;,] ", c[2])[0], c[3]) for c in table(2)]


@pytest.mark.parametrize("path, kind, citation, parent", [p for p in PATHS if "<" not in p[0]])
def test_a_path_has_its_kind_and_citation(library, path, kind, citation, parent):
    """For the first path of each row, in an edition that has it."""
    kinds = {n.kind: n for n in library.nodes.values() if n.path == path}
    node = kinds[path if kind == "same words" else kind]
    assert citation in ("as printed", "the term", node.citation)
    assert (
        "or null" in parent
        or parent in ("as above", "as printed", "upwards", "null")
        or node.parent in (None, f"{node.edition}/{QUOTED.search(parent)[1]}")
    )


def test_every_command_is_there():
    named = [QUOTED.search(cells[0])[1].split()[1] for cells in table(3)]
    assert len(named) == 9 and set(named) <= set(COMMANDS)


@pytest.mark.parametrize("command", [c.split()[1] for c in reserved(3)])
def test_a_reserved_command_is_not_there_yet(command):
    assert command not in COMMANDS, "It is there: the contract says how it works, and no longer that it is reserved."


def test_the_api_has_the_paths_of_its_description(client):
    described = client.get("/api/openapi.json").get_json()["paths"]
    assert {p for p in described if p.startswith("/api/")} == {path for path, _, _ in API}


@pytest.mark.parametrize("path, example, fields", API)
def test_the_api_answers_with_the_fields_named(client, path, example, fields):
    assert re.fullmatch(re.sub(r"\\{\w+\\}", ".+", re.escape(path)), example.partition("?")[0])
    response = client.get(example)
    assert response.status_code == 200 and set(fields) <= set(response.get_json())


@pytest.mark.parametrize("path, _example, fields", API)
def test_the_fields_named_are_described(client, path, _example, fields):
    document = client.get("/api/openapi.json").get_json()
    schema = document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    described = set()
    for one in schema.get("oneOf", [schema]):
        described |= set(document["components"]["schemas"][one["$ref"].rpartition("/")[2]]["properties"])
    assert set(fields) <= described


def test_a_result_a_row_and_a_suggestion_have_the_fields_named(client):
    answer = client.get("/api/v1/search?q=renons+w+dwunastej+lewie").get_json()
    assert set("id edition path citation heading score snippet counterparts".split()) <= set(answer["results"][0])
    assert "<mark>" in answer["results"][0]["snippet"]
    rows = client.get("/api/v1/compare?path=16/D&base=hr-1997&edition=pl-2007").get_json()
    assert rows["read_in"] == "pl-2007" and {"cells", "relation"} <= set(rows["rows"][0])
    assert {"text", "kind", "url"} <= set(client.get("/api/v1/suggest?q=27b").get_json()["suggestions"][0])


@pytest.mark.parametrize("addresses", PEOPLE, ids=lambda a: a[0])
def test_every_address_answers(client, addresses):
    response = client.get(addresses[0])
    if len(addresses) == 2:
        assert response.status_code in (303, 308) and response.headers["Location"] == addresses[1]
    else:
        assert response.status_code == 200


@pytest.mark.parametrize("address", [a for n in (5, 6) for a in reserved(n) if a.startswith("/")])
def test_a_reserved_address_is_no_page_yet(client, address):
    assert client.get(address).status_code == 404, (
        "It is there: the contract says what it shows, and takes it off the list."
    )


def test_a_law_page_has_the_elements_named(client, library):
    soup = page(client, "/pl-2007/16/D/2")
    for node in library.subtree_of(library.node_at("pl-2007", "16")):
        assert soup.find(id=node.path.replace("/", "-"))["data-id"] == node.id
    assert [e["data-id"] for e in soup.select("article [aria-current=true]")] == ["pl-2007/16/D/2"]
    for statement in soup.select("[data-relation]"):
        assert {"data-a", "data-b"} <= set(statement.attrs)
        if statement["data-relation"] == "summary":
            assert {"data-same", "data-changed", "data-new", "data-dropped"} <= set(statement.attrs)
    assert soup.select("a.ref") and page(client, "/pl-2007/50").select("a.mark")


@pytest.fixture(scope="module")
def exported(build_dir, tmp_path_factory):
    """The folder of an export."""
    folder = tmp_path_factory.mktemp("export")
    export.write_export(Generation.open(build_dir), folder)
    return folder


@pytest.mark.parametrize(
    "name, fields",
    [
        ("nodes", "id edition lang year path kind label citation heading parent text content tables marks"),
        ("nodes", "source_text source_spans references notes"),
        ("alignment", "a b relation reworded score basis cause note older newer"),
        ("index", "edition entry subentry targets see"),
        ("corrections", "edition line column source published basis reason"),
    ],
)  # fmt: skip
def test_an_export_has_the_files_and_fields_named(exported, name, fields):
    with (exported / f"{name}.jsonl").open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    assert rows and all(set(fields.split()) <= set(row) for row in rows)
    assert all(f'"{field}"' in section(4) for field in fields.split())
