"""What is said of a small text with parts, and what its parts correspond to."""

from __future__ import annotations

from dataclasses import asdict

import pytest
from little import A, B, C, link, little

from corpus.changes import summary
from corpus.library import Library
from corpus.model import NodeId


# ── sums ──
def summed(*links) -> dict:
    library = little(
        {A: {"1": "", "1/A": "x", "1/B": "x", "1/C": "x"}, B: {"1": "", "1/A": "x", "1/B": "x"}},
        [link("1", "1"), *links],
    )
    return asdict(summary(library, library.nodes[NodeId.of(A, "1")], library.nodes[NodeId.of(B, "1")]))


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        (
            [link("1/A", "1/A", "reworded", reworded=True, cause="translation")],
            {"changed": 1, "translated": 1, "new": 1, "dropped": 2, "missing": 0},
        ),
        (
            [
                link("1/A", "1/A", "merged", reworded=True, cause="translation"),
                link("1/B", "1/A", "merged", reworded=True, cause="code"),
            ],
            {"changed": 1, "translated": 0, "dropped": 1},
        ),
        (
            [link("1/A", "1/A", "merged"), link("1/B", "1/A", "merged", reworded=True, cause="code")],
            {"changed": 1, "same": 0, "moved": 0},
        ),
        (
            [link("1/A", None, "dropped", cause="unknown"), link("1/B", None, "dropped", cause="code")],
            {"dropped": 3, "missing": 1},
        ),
        ([link("1/A", "1/A", "reworded", reworded=True, cause="unknown")], {"changed": 1, "dropped": 2, "missing": 0}),
        ([link(None, "1/A", "new", cause="unknown")], {"new": 2, "missing": 0}),
        ([link("1/A", "1/A", heading=True)], {"new": 2, "dropped": 3, "same": 0}),
    ],
)
def test_a_sum_counts(links, expected):
    made = summed(*links)
    assert {k: made[k] for k in expected} == expected


def test_a_sum_is_of_the_two_that_were_asked_for():
    library = little(
        {A: {"1": "", "1/A": "x"}, "aa-2000": {"1": "", "1/A": "x"}, B: {"1": "", "1/A": "x"}},
        [
            link("1", "1"),
            link("1/A", "1/A"),
            link("1", "1", older="aa-2000"),
            link("1/A", "1/A", "reworded", older="aa-2000", reworded=True, cause="code"),
        ],
    )
    newer = library.nodes[NodeId.of(B, "1")]
    assert [summary(library, library.nodes[NodeId.of(e, "1")], newer).changed for e in (A, "aa-2000")] == [0, 1]


# ── relations ──
def three(**more) -> Library:
    texts = {
        A: {"1": "", "1/A": "x"},
        B: {"1": "", "1/A": "x", "2": "x"},
        C: {"1": "", "1/A": "x", "1/B": "x", "2": "x"},
    }
    return little(
        texts,
        [
            link("1", "1"),
            link("1/A", "1/A", **more),
            link(None, "2", "new"),
            link("1", "1", older=B, newer=C),
            link("1/A", "1/A", "split", older=B, newer=C),
            link("1/A", "1/B", "split", older=B, newer=C),
            link("2", "2", older=B, newer=C),
        ],
    )


def test_a_counterpart_says_how_it_is_known_and_stands_in_its_order():
    relations = three().relations
    assert [(c.id, c.how, c.via) for c in relations.counterparts_of(NodeId.of(A, "1/A"))[C]] == [
        (NodeId.of(C, "1/A"), "third", (B,)),
        (NodeId.of(C, "1/B"), "third", (B,)),
    ]
    assert [(c.id, c.how, c.via) for c in relations.counterparts_of(NodeId.of(A, "1/A"))[B]] == [
        (NodeId.of(B, "1/A"), "row", ())
    ]


def test_the_nearest_is_that_of_what_stands_around_and_says_so():
    library = little({A: {"1": "", "1/A": "x"}, B: {"1": "x"}}, [link("1", "1")])
    assert [(c.id, c.of, c.how) for c in library.relations.nearest_counterparts(NodeId.of(A, "1/A"), B)] == [
        (NodeId.of(B, "1"), NodeId.of(A, "1"), "parent")
    ]
    assert [(c.of, c.how) for c in library.relations.nearest_counterparts(NodeId.of(A, "1"), B)] == [
        (NodeId.of(A, "1"), "row")
    ]


def test_rows_stand_in_the_order_of_the_younger_text_whatever_the_table():
    library = little(
        {A: {"1": "x", "2": "x", "3": "x"}, B: {"1": "x", "2": "x"}},
        [link("3", None, "dropped"), link("1", "2", "moved"), link("2", "1", "moved")],
    )
    assert [(p.a, p.b) for p in library.relations.pairs(A, B)] == [
        (NodeId.of(A, "2"), NodeId.of(B, "1")),
        (NodeId.of(A, "1"), NodeId.of(B, "2")),
        (NodeId.of(A, "3"), None),
    ]


def test_an_extract_speaks_of_the_laws_of_both_ends():
    """Law 2 of the whole went to law 3 of the extract: what is new in law 3 is new, of law 4 nobody can say."""
    library = little(
        {A: {"2": "x", "4": "x"}, B: {"3": "", "3/A": "x"}},
        [link("2", "3", "moved"), link(None, "3/A", "new"), link("4", None, "dropped")],
        extracts=(B,),
    )
    assert [(p.a, p.b) for p in library.relations.pairs(A, B)] == [
        (NodeId.of(A, "2"), NodeId.of(B, "3")),
        (None, NodeId.of(B, "3/A")),
    ]
