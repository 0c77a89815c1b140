"""A stranger's editions, added with data files alone, are read as their outlines and lists of references say."""

import csv

import pytest
from strangers import HERE, copy_of_strangers

from corpus import ingest

GOLD = HERE / "cases" / "strangers"
NAMES = sorted(p.name for p in GOLD.iterdir())


def rows(name: str, file: str) -> list[dict]:
    with (GOLD / name / file).open(encoding="utf-8", newline="") as source:
        return list(csv.DictReader(source, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    return ingest.read_editions(copy_of_strangers(tmp_path_factory.mktemp("corpus")))


def test_there_are_strangers(result):
    assert len(NAMES) >= 4 and set(NAMES) == set(result.readings)


def test_nothing_is_wrong_with_them(result):
    assert [str(p) for p in result.problems] == []


@pytest.mark.parametrize("name", NAMES)
def test_provisions_are_those_of_the_outline(name, result):
    reading = result.readings[name]
    assert reading.unaccounted == ()
    got = [(n.path, n.kind, n.label or "", n.heading or "", " ".join(n.text.split()[:6])) for n in reading.nodes]
    assert got == [tuple(row.values()) for row in rows(name, "outline.tsv")]


@pytest.mark.parametrize("name", NAMES)
def test_references_are_those_of_the_list(name, result):
    wanted = {(row["source_path"], target) for row in rows(name, "refs.tsv") for target in row["targets"].split(";")}
    got = {(n.path, t.split("/", 1)[1]) for n in result.readings[name].nodes for r in n.references for t in r.targets}
    assert 2 * len(wanted & got) / (len(wanted) + len(got)) >= 0.95, (wanted - got, got - wanted)
