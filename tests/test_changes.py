"""What changed from one small text to another."""

from __future__ import annotations

import pytest
from little import A, B, link, little, said

from corpus.changes import count_by_kind, count_pairs_by_laws, find_changes
from corpus.library import Library
from corpus.model import NodeId


def everything() -> Library:
    """One change of every kind."""
    old = dict.fromkeys(
        ("1", "1/A", "2", "2/A", "3", "4", "5", "6", "6/A", "6/B", "7", "8", "10", "11", "12", "13", "14", "15", "16"),
        "old",
    )
    new = dict.fromkeys(
        ("1", "1/A", "2", "2/A", "3", "4", "5", "6", "6/A", "6/C", "7", "8", "9", "10", "11", "12", "13", "14", "16"),
        "new",
    )
    return little(
        {A: old, B: new},
        [
            link("1", "2", "moved"),
            link("1/A", "2/A", "moved"),
            link("2", "1", "moved"),
            link("2/A", "1/A", "moved", reworded=True, cause="code"),
            link("3", "3", "reworded", reworded=True, cause="code"),
            link("4", "4", "reworded", reworded=True, cause="translation"),
            link("5", "5", heading=True, relation="moved"),
            link("6", "6"),
            link("6/A", "6/A"),
            link("6/B", None, "dropped"),
            link(None, "6/C", "new"),
            link("7", "7", "split"),
            link("7", "8", "split"),
            link("8", None, "dropped", cause="unknown"),
            link(None, "9", "new"),
            link("10", "10"),
            link("11", "12", "merged"),
            link("12", "12", "merged"),
            link("13", "13"),
            link("14", "14"),
            link("15", None, "dropped"),
            link("16", "16"),
        ],
        {
            NodeId.of(A, "13"): ["10"],
            NodeId.of(B, "13"): ["14"],
            NodeId.of(A, "16"): ["10"],
            NodeId.of(B, "16"): ["10"],
        },
    )


def test_every_kind_of_change_by_weight():
    rows = find_changes(everything(), A, B)
    assert said(rows) == [
        ("new-law", None, "9"),
        ("dropped-law", "15", None),
        ("reused", "1", "1"),
        ("reused", "2", "2"),
        ("new", None, "6/C"),
        ("dropped", "6/B", None),
        ("missing", "8", None),
        ("split", "7", "7"),
        ("split", "7", "8"),
        ("merged", "11", "12"),
        ("merged", "12", "12"),
        ("moved", "2", "1"),
        ("moved", "2/A", "1/A"),
        ("moved", "1", "2"),
        ("along", "1/A", "2/A"),
        ("reworded", "3", "3"),
        ("translation", "4", "4"),
        ("references", "13", "13"),
    ]
    assert count_by_kind(rows)[:3] == [("new-law", 1), ("dropped-law", 1), ("reused", 2)]


def test_a_reused_number_says_where_both_went():
    old, new = dict.fromkeys("123", "x"), dict.fromkeys("123", "x")
    library = little({A: old, B: new}, [link("1", "2", "moved"), link("2", "3", "moved"), link("3", "1", "moved")])
    assert [
        (c.older.path, [n.id for n in c.went], [n.id for n in c.came])
        for c in find_changes(library, A, B)
        if c.kind == "reused"
    ] == [
        ("1", [NodeId.of(B, "2")], [NodeId.of(A, "3")]),
        ("2", [NodeId.of(B, "3")], [NodeId.of(A, "1")]),
        ("3", [NodeId.of(B, "1")], [NodeId.of(A, "2")]),
    ]


def test_moves_are_counted_by_the_law():
    assert [(a.path, b.path, n) for a, b, n in count_pairs_by_laws(everything(), A, B)][:2] == [
        ("1", "2", 2),
        ("2", "1", 2),
    ]


@pytest.mark.parametrize(
    ("cause", "kinds"),
    [
        ("code", ["new-law", "dropped-law"]),
        (None, ["new-law", "dropped-law"]),
        ("unknown", ["missing", "missing"]),
        ("translation", ["missing", "missing"]),
    ],
)
def test_what_only_a_print_lacks_is_no_change_of_the_laws(cause, kinds):
    rows = [link("1", None, "dropped", cause=cause), link(None, "2", "new", cause=cause)]
    assert [c.kind for c in find_changes(little({A: {"1": "x"}, B: {"2": "x"}}, rows), A, B)] == kinds


def test_who_points_to_one_part_of_what_was_split_points_to_the_same_place():
    library = little(
        {A: {"1": "x", "9": "x"}, B: {"1": "x", "2": "x", "9": "x"}},
        [link("1", "1", "split"), link("1", "2", "split"), link("9", "9")],
        {NodeId.of(A, "9"): ["1"], NodeId.of(B, "9"): ["2"]},
    )
    assert count_by_kind(find_changes(library, A, B)) == [("split", 2)]
