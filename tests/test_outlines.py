"""Every edition is read exactly as its outline, written by reading the book, says."""

import csv
from pathlib import Path

import pytest

from corpus.edition import list_editions

CORPUS = Path(__file__).parent.parent / "corpus"
GOLD = Path(__file__).parent / "cases" / "gold"
OUTLINED = sorted(p.parent.name for p in GOLD.glob("*/outline.tsv"))


@pytest.fixture(scope="module")
def readings(ingest):
    """The editions as they were read, by id."""
    return ingest.readings


def test_there_are_outlines():
    assert len(OUTLINED) >= 4


@pytest.mark.parametrize("name", OUTLINED)
def test_an_edition_has_the_provisions_of_its_outline(name, readings):
    with (GOLD / name / "outline.tsv").open(encoding="utf-8", newline="") as file:
        wanted = [row["path"] for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]
    paths = [n.path for n in readings[name].nodes]
    assert len(paths) == len(set(paths)), "a path stands twice"
    assert sorted(paths) == sorted(wanted)


@pytest.mark.parametrize("name", sorted(list_editions(CORPUS)))
def test_every_character_of_a_source_is_accounted_for(name, readings):
    assert readings[name].nodes
    assert readings[name].unaccounted == ()
    assert [str(p) for p in readings[name].problems if p.fatal] == []
