"""Subject lines: a table that names provisions, checked row by row; a list of provisions in the reader's language."""

from __future__ import annotations

import pytest
from app_site import client, page, site  # noqa: F401

from app.site import reader
from corpus.model import NodeId
from corpus.subject_line import FILE, lines_by_node, read_subject_lines

HEADER = "nodes\tpl\ten"
NODES = {NodeId(id_): None for id_ in ("aa-1/1", "aa-1/2", "bb-2/1")}
EDITIONS = ("aa-1", "bb-2", "cc-3")


def read(tmp_path, *rows: str, header: str = HEADER):
    (tmp_path / FILE).write_text("\n".join((header, *rows)) + "\n", encoding="utf-8")
    return read_subject_lines(tmp_path, NODES, EDITIONS)


def test_a_row_is_of_all_its_provisions(tmp_path):
    lines, problems = read(tmp_path, "aa-1/1 bb-2/1\tPas\tPass", "aa-1/2 cc-3/7\tKontra\tDouble")
    assert not problems
    assert {id_: text["en"] for id_, text in lines_by_node(lines).items()} == {
        "aa-1/1": "Pass",
        "bb-2/1": "Pass",
        "aa-1/2": "Double",  # cc-3 has a folder and was not read here
    }


@pytest.mark.parametrize(
    "rows, finding",
    [
        (["\tPas\tPass"], "No provision is named"),
        (["aa-1/9\tPas\tPass"], "There is no aa-1/9"),
        (["dd-4/1\tPas\tPass"], "There is no dd-4/1"),
        (["aa-1/1 aa-1/2\tPas\tPass"], "Two provisions are of one edition"),
        (["aa-1/1\tPas\tPass", "bb-2/1 aa-1/1\tPas\tPass"], "aa-1/1 has a line before (line 2)"),
        (["aa-1/1\tPas\t"], "There is no line in “en”"),
        (["aa-1/1\tPas\t" + "Pass " * 13], "characters"),
    ],
)
def test_a_fault_is_named_with_its_line(tmp_path, rows, finding):
    lines, problems = read(tmp_path, *rows)
    assert [p for p in problems if finding in p.finding and p.line == len(rows) + 1 and p.fatal], problems
    assert len(lines) < len(rows)


@pytest.mark.parametrize("header", ["path\tpl\ten", "nodes", "pl\tnodes"])
def test_another_header_is_refused(tmp_path, header):
    lines, problems = read(tmp_path, header=header)
    assert not lines and len(problems) == 1 and problems[0].line == 1


def test_every_provision_of_a_bundle_has_a_line_in_every_language(library):
    whole = {e.code: e.id for e in library.law_editions if e.complete}
    missing = {
        id_
        for situation in library.situations.values()
        for code, paths in situation.provisions.items()
        for path in paths
        if (id_ := NodeId.of(whole[code], path)) in library.nodes
        and set(library.subject_lines.get(id_, ())) != set(library.vocabulary.languages)
    }
    assert not missing, sorted(missing)[:20]


@pytest.mark.parametrize("ui", reader.LANGUAGES)
@pytest.mark.parametrize(
    "address", ["/situations/appeal?code=2017", "/situations/appeal?code=1997", "/situations/psyche"]
)
def test_a_list_of_provisions_is_in_the_readers_language(client, library, ui, address):
    listed = page(client, f"{address}{'&' if '?' in address else '?'}ui={ui}").select(".bundle li > a")
    assert listed
    for link in listed:
        node = library.nodes[NodeId(link["data-to"])]
        if node.lang == ui:
            assert link.select_one(f"span[lang={ui}]") and not link.select_one(".ours")
        else:
            assert link.select_one(".ours").text.strip() == library.subject_lines[node.id][ui]
