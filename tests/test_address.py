"""Addresses: every path has its steps, its parents and its name. How people type it: tests/test_label.py."""

import doctest
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus import address
from corpus.label import read_roman, write_roman

LAW = st.integers(1, 999).map(str)
SECTION = st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
NUMBER = st.integers(1, 99).map(str)
CLAUSE = st.sampled_from("abcdefghijklmnopqrstuvwxyz")
ROMAN = st.integers(1, 20).map(write_roman)
LETTERED = st.one_of(
    st.tuples(LAW),
    st.tuples(LAW, SECTION),
    st.tuples(LAW, SECTION, NUMBER),
    st.tuples(LAW, SECTION, NUMBER, CLAUSE),
    st.tuples(LAW, SECTION, NUMBER, CLAUSE, ROMAN),
).map("/".join)
UNLETTERED = st.one_of(st.tuples(LAW, NUMBER), st.tuples(LAW, NUMBER, CLAUSE)).map("/".join)
PATHS = LETTERED | UNLETTERED


def test_examples_in_the_documentation():
    from corpus import edition, files, label
    from corpus.reading import footnotes
    from corpus.reference import grammar

    for module in (address, label, grammar, footnotes, files, edition):
        result = doctest.testmod(module)
        assert result.attempted and not result.failed, module


@given(PATHS)
def test_parents_lead_to_the_law(path):
    assert address.is_path(path) and not address.is_path(path + "\n")
    chain = [path, *address.ancestor_paths(path)]
    assert chain[-1] == path.split("/")[0]
    assert all(
        child.startswith(parent + "/") and child.count("/") == parent.count("/") + 1
        for child, parent in itertools.pairwise(chain)
    )
    assert address.parent_path(chain[-1]) is None


@given(LETTERED, st.sampled_from(["A", "1", "a", "ii"]))
def test_a_path_is_its_steps(path, step):
    further = address.join_path(path, step)
    assert address.split_path(further) == [*address.split_path(path), step] and address.join_path("", path) == path
    assert (address.without_last_step(further), address.last_step(further)) == (path, step)
    assert (
        address.contains_path(path, further)
        and address.contains_path(path, path)
        and not address.contains_path(further, path)
    )
    assert not address.contains_path(path, f"{path}0")


@given(st.integers(1, 399))
def test_roman_numbers_are_read_back(number):
    assert read_roman(write_roman(number)) == read_roman(write_roman(number).upper()) == number


@given(st.text(max_size=40))
def test_a_slug_is_its_own_slug(text):
    assert address.slugify(text) == address.slugify(address.slugify(text))


@pytest.mark.parametrize(
    ("path", "parent"),
    [
        ("fn/7", None),
        ("50/fn/2", "50"),
        ("def/fn/1", "def"),
        ("def/alert", "def"),
        ("def", None),
        ("preface", None),
        ("example/1", "example"),
        ("chapter/V", None),
        ("chapter/V/part/II", "chapter/V"),
        ("chapter/V/part/II/division/I", "chapter/V/part/II"),
    ],
)
def test_other_nodes_have_their_parents(path, parent):
    assert address.is_path(path)
    assert address.parent_path(path) == parent


def test_every_path_of_every_edition_is_one(ingest):
    paths = [n.path for reading in ingest.readings.values() for n in reading.nodes]
    assert len(paths) > 2000 and [p for p in paths if not address.is_path(p)] == []
