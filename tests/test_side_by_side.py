"""Small texts side by side, and as a redline."""

from __future__ import annotations

from dataclasses import replace

import pytest
from little import A, B, C, link, little

from corpus.compare import Cell, ComparedRow, compare, find_compared_node, redline, redline_of_node, redline_parts
from corpus.library import Library
from corpus.model import NodeId

nothing_beside = lambda node, edition: ()


def ids(result) -> list[list[list[str]]]:
    return [[[i.path for i in c.ids] for c in r.cells] for r in result.rows]


def test_what_is_new_stands_after_what_stands_before_it():
    library = little(
        {A: {"1": "", "1/A": "x", "1/B": "x"}, B: {"1": "", "1/A": "x", "1/B": "x", "1/C": "x"}},
        [link("1", "1"), link("1/A", "1/A"), link(None, "1/B", "new"), link("1/B", "1/C", "moved")],
    )
    assert ids(compare(library, library.nodes[NodeId.of(A, "1")], [A, B], nothing_beside)) == [
        [["1"], ["1"]],
        [["1/A"], ["1/A"]],
        [[], ["1/B"]],
        [["1/B"], ["1/C"]],
    ]


def test_what_two_editions_have_anew_stands_in_one_row():
    texts = {A: {"1": "", "1/A": "x"}, B: {"1": "", "1/A": "x", "1/B": "x"}, C: {"1": "", "1/A": "x", "1/C": "x"}}
    library = little(
        texts,
        [
            link("1", "1"),
            link("1/A", "1/A"),
            link(None, "1/B", "new"),
            link("1", "1", older=B, newer=C),
            link("1/A", "1/A", older=B, newer=C),
            link("1/B", "1/C", "moved", older=B, newer=C),
        ],
    )
    assert ids(compare(library, library.nodes[NodeId.of(A, "1")], [A, B, C], nothing_beside))[-1] == [
        [],
        ["1/B"],
        ["1/C"],
    ]


def test_decisions_stand_beside():
    library = little({A: {"1": "x"}, "zz-2020": {"5": "y"}})
    decisions = replace(library.editions["zz-2020"], modifies=A)
    library = Library(list(library.nodes.values()), [library.editions[A], decisions], [], [], [])
    point = library.nodes["zz-2020/5"]
    assert ids(compare(library, library.nodes[NodeId.of(A, "1")], [A, "zz-2020"], lambda node, edition: [point])) == [
        [["1"], ["5"]]
    ]


def test_decisions_on_what_another_column_has_stand_in_the_row():
    library = little({A: {"1": "x"}, B: {"2": "x"}, "zz-2020": {"5": "y"}})
    decisions = replace(library.editions["zz-2020"], modifies=B)
    rows = [link("1", "2", "moved")]
    library = Library(list(library.nodes.values()), [*map(library.editions.get, (A, B)), decisions], rows, [], [])
    beside = lambda node, edition: [library.nodes["zz-2020/5"]] if node.edition == B else []
    for editions in ([A, B, "zz-2020"], [A, "zz-2020", B]):
        (row,) = compare(library, library.nodes[NodeId.of(A, "1")], editions, beside).rows
        assert row.cells[editions.index("zz-2020")].ids == ("zz-2020/5",)


def test_a_cell_and_a_row_have_their_weightiest_relation_and_say_what_nobody_reviewed():
    heavy, light = (
        Cell((NodeId("x"),), (link("1", "1"), link("1", "2", "split", remark="why"))),
        Cell((NodeId("y"),), (link("1", "1", remark="why", basis="computed"), link("1", "1", "reworded"))),
    )
    assert (
        heavy.relation,
        light.relation,
        ComparedRow((light, heavy)).relation,
        ComparedRow((Cell(()),)).relation,
    ) == ("split", "reworded", "split", "same")
    assert (ComparedRow((light,)).is_computed, ComparedRow((heavy,)).is_computed) == (True, False)
    assert ComparedRow((light, heavy)).remarks == ["why"]


def test_a_path_is_read_in_the_first_edition_that_has_it():
    library = little({A: {"1": "x"}, B: {"1": "x", "2": "x"}, C: {"1": "x", "2": "x"}})
    assert [find_compared_node(library, p, [A, B, C]).edition for p in ("1", "2")] == [A, B] and find_compared_node(
        library, "3", [A, B, C]
    ) is None


def test_the_second_part_of_a_split_is_compared_with_its_part_of_the_whole():
    library = little(
        {A: {"1": "one two"}, B: {"1": "one", "2": "two"}}, [link("1", "1", "split"), link("1", "2", "split")]
    )
    assert [redline_of_node(library, library.nodes[NodeId.of(B, p)], A) for p in "12"] == [None, None]
    library = little(
        {A: {"1": "one two"}, B: {"1": "one", "2": "three"}}, [link("1", "1", "split"), link("1", "2", "split")]
    )
    assert redline_of_node(library, library.nodes[NodeId.of(B, "2")], A)[-1] == ("+", "three")


@pytest.mark.parametrize(
    ("older", "tables", "heading", "shown"),
    [
        (A, (), False, True),
        ("bb-1997", (), False, False),
        (A, (NodeId.of(A, "1"),), False, False),
        (A, (NodeId.of(B, "1"),), False, False),
        (A, (), True, False),
    ],
)
def test_a_redline_is_of_one_language_of_words_and_of_no_table(older, tables, heading, shown):
    library = little(
        {older: {"1": "one"}, B: {"1": "two"}},
        [link("1", "1", "reworded", older=older, reworded=True, heading=heading)],
        tables=tables,
    )
    assert (redline_of_node(library, library.nodes[NodeId.of(B, "1")], older) is not None) == shown


def test_blanks_are_no_difference_and_stand_as_in_the_newer():
    assert redline("one  two", "one two") == [("=", "one two")] and redline("one.\n\ntwo", "one. two") == [
        ("=", "one. two")
    ]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (["one two"], ["one", "two"], [[("=", "one")], [("=", "two")]]),
        (["one", "two"], ["one two"], [[("=", "one "), ("=", "two")]]),
        (["a b"], ["a c", "b"], [[("=", "a "), ("+", "c")], [("=", "b")]]),
        ([], ["a"], [[("+", "a")]]),
        (["a"], [], []),
    ],
)
def test_a_split_is_compared_with_its_parts_joined(old, new, expected):
    joined = lambda parts: [[(s, w) for s, w in part] for part in parts]
    assert ["".join(w for s, w in p if s != "-") for p in redline_parts(old, new)] == new
    if len(old) <= 1:
        assert joined(redline_parts(old, new)) == expected
