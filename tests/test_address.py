"""Addresses: what is read back is what was printed, for every path there can be."""
import doctest

import pytest
from hypothesis import given, strategies as st

from corpus import address

LAW = st.integers(1, 999).map(str)
SECTION = st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
NUMBER = st.integers(1, 99).map(str)
CLAUSE = st.sampled_from("abcdefghijklmnopqrstuvwxyz")
ROMAN = st.integers(1, 20).map(address.roman)
LETTERED = st.one_of(st.tuples(LAW), st.tuples(LAW, SECTION), st.tuples(LAW, SECTION, NUMBER), st.tuples(LAW, SECTION, NUMBER, CLAUSE),
                     st.tuples(LAW, SECTION, NUMBER, CLAUSE, ROMAN)).map("/".join)
UNLETTERED = st.one_of(st.tuples(LAW, NUMBER), st.tuples(LAW, NUMBER, CLAUSE)).map("/".join)
PATHS = LETTERED | UNLETTERED


def test_examples_in_the_documentation():
    from corpus import edition
    from corpus.reading import labels, notes
    for module in (address, labels, notes, edition):
        result = doctest.testmod(module)
        assert result.attempted and not result.failed, module


@given(PATHS)
def test_a_printed_path_is_read_back(path):
    assert address.is_path(path)
    assert address.read_citation(address.cite(path)) == path


@given(PATHS, st.sampled_from(["", " ", ".", "/", "  "]))
def test_a_path_with_other_signs_between_its_labels_is_the_same(path, gap):
    steps = path.split("/")
    if not gap and len(steps) > 1 and steps[1].isdigit():
        return  # 351 is not 35.1
    assert address.read_citation(gap.join(steps)) == path


@given(PATHS)
def test_parents_lead_to_the_law(path):
    chain = [path, *address.ancestors(path)]
    assert chain[-1] == path.split("/")[0]
    assert all(child.startswith(parent + "/") and child.count("/") == parent.count("/") + 1 for child, parent in zip(chain, chain[1:]))
    assert address.parent(chain[-1]) is None


@given(st.lists(LETTERED, min_size=2, max_size=2, unique=True))
def test_a_parent_stands_before_its_children(paths):
    first, second = sorted(paths, key=address.sort_key)
    assert not first.startswith(second + "/")


@given(st.integers(1, 399))
def test_roman_numbers_are_read_back(number):
    assert address.read_roman(address.roman(number)) == address.read_roman(address.roman(number).upper()) == number


@given(st.text(max_size=40))
def test_any_text_is_a_path_or_none(text):
    path = address.read_citation(text)
    assert path is None or address.is_path(path) or path.split("/")[0] == "0"
    assert address.slug(text) == address.slug(address.slug(text))


@pytest.mark.parametrize(("path", "parent"), [
    ("fn/7", None), ("50/fn/2", "50"), ("def/fn/1", "def"), ("def/alert", "def"), ("def", None), ("preface", None), ("example/1", "example"),
    ("chapter/V", None), ("chapter/V/part/II", "chapter/V"), ("chapter/V/part/II/division/I", "chapter/V/part/II")])
def test_other_nodes_have_their_parents(path, parent):
    assert address.is_path(path)
    assert address.parent(path) == parent


@pytest.mark.parametrize("text", ["", "A", "law 12", "2♦", "12 March 2007", "def", "xii", "1234"])
def test_what_is_no_citation_is_none(text):
    assert address.read_citation(text) is None
