"""Pairs of small texts that are read over a third one, and through the years."""

from __future__ import annotations

import pytest
from little import A, B, C, link, little

from corpus.changes import lineage
from corpus.library import Library
from corpus.model import Pair
from corpus.relation import alignment
from corpus.relation.relations import compose_pairs


def over(first: list[Pair], second: list[Pair], exceptions=()) -> Pair:
    (made,) = compose_pairs(A, C, first, second, (B,), exceptions)
    return made


second_half = lambda a, b, relation="same", **more: link(a, b, relation, older=B, newer=C, **more)


def test_one_computed_half_makes_the_whole_computed_and_as_sure_as_the_less_sure_half():
    for first, second in (
        ("computed", "reviewed"),
        ("reviewed", "computed"),
        ("computed", "computed"),
        ("reviewed", "reviewed"),
    ):
        made = over(
            [link("1", "1", basis=first, score=0.4, remark="one")],
            [second_half("1", "1", basis=second, score=0.9, remark="two")],
        )
        assert (
            made.basis == ("computed" if "computed" in (first, second) else "reviewed")
            and made.score == 0.4
            and made.remark == "one; two"
        )


def test_a_cause_without_a_change_is_no_cause():
    """The halves say “code” where nothing is reworded: a table's fault must not become a reason elsewhere."""
    made = over([link("1", "1", reworded=True, cause="translation")], [second_half("1", "1", cause="code")])
    assert (made.reworded, made.cause) == (True, "translation")


def test_a_title_and_words_over_two_ways_are_words():
    (made,) = compose_pairs(
        A, C, [link("1", "1"), link("1", "2", heading=True)], [second_half("1", "1"), second_half("2", "1")], (B,)
    )
    assert not made.heading
    (made,) = compose_pairs(
        A, C, [link("1", "2", heading=True), link("1", "1")], [second_half("1", "1"), second_half("2", "1")], (B,)
    )
    assert not made.heading


def test_of_two_reworded_ways_the_first_gives_the_cause():
    made = over(
        [link("1", "1", "split"), link("1", "2", "split")],
        [second_half("1", "1", reworded=True, cause="code"), second_half("2", "1", reworded=True, cause="translation")],
    )
    assert made.cause == "code"


def test_an_exception_is_a_reviewed_row_with_its_note():
    made = over(
        [link("1", "1", basis="computed")],
        [second_half("1", "1")],
        [link("1", "1", "reworded", newer=C, reworded=True, cause="code", remark="why", via=(B,))],
    )
    assert (made.basis, made.remark, made.cause, made.relation) == ("reviewed", "why", "code", "reworded")


def test_the_way_over_two_joints_goes_by_the_short_one_of_a_ring():
    joined = [("a", "b"), ("b", "d"), ("a", "x"), ("x", "y"), ("y", "d")]
    assert alignment.find_route("a", "d", joined) == ["a", "b", "d"] == alignment.find_route("a", "d", joined[::-1])
    assert alignment.find_route("d", "a", joined) == ["d", "b", "a"]


# ── years ──
def rows(older: str, newer: str, *cells: tuple) -> list[Pair]:
    """Pairs from (path or "", path or "", changed?, cause)."""
    return [
        link(a, b, "", older, newer, bool(more and more[0]), cause=more[1] if len(more) > 1 else None)
        for a, b, *more in cells
    ]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([("1", "1")], [("1", "1")], {("1", "1"): ("same", False, None)}),
        ([("1", "1", True, "code")], [("1", "1")], {("1", "1"): ("reworded", True, "code")}),
        ([("1", "1", True, "translation")], [("1", "1", True, "code")], {("1", "1"): ("reworded", True, "code")}),
        ([("1", "1", True, "translation")], [("1", "1", True, "unknown")], {("1", "1"): ("reworded", True, "unknown")}),
        ([("1", "2")], [("2", "3", True, "code")], {("1", "3"): ("moved", True, "code")}),
        ([("1", "2")], [("2", "1")], {("1", "1"): ("same", False, None)}),
        ([("1", "")], [], {("1", ""): ("dropped", False, None)}),
        ([("1", "1")], [("1", "", False, "unknown")], {("1", ""): ("dropped", False, "unknown")}),
        ([], [("", "1", False, "code")], {("", "1"): ("new", False, "code")}),
        ([("", "1", False, "code")], [("1", "2")], {("", "2"): ("new", False, "code")}),
        ([("", "1")], [("1", "")], {}),
        (
            [("1", "1"), ("1", "2")],
            [("1", "1"), ("2", "2")],
            {("1", "1"): ("split", False, None), ("1", "2"): ("split", False, None)},
        ),
        (
            [("1", "1"), ("2", "1")],
            [("1", "1")],
            {("1", "1"): ("merged", False, None), ("2", "1"): ("merged", False, None)},
        ),
        # Two ways between the same ends are one pair, changed when one of them is.
        ([("1", "1"), ("1", "2")], [("1", "1"), ("2", "1", True, "code")], {("1", "1"): ("reworded", True, "code")}),
        (
            [("1", "1", True, "translation"), ("1", "2", True, "code")],
            [("1", "1"), ("2", "1")],
            {("1", "1"): ("reworded", True, "code")},
        ),
        (
            [("1", "2", True, "code"), ("1", "1", True, "translation")],
            [("2", "1"), ("1", "1")],
            {("1", "1"): ("reworded", True, "code")},
        ),
        # One half drops it, the other half has it: it is not dropped.
        ([("1", "1"), ("1", "2")], [("1", ""), ("2", "2")], {("1", "2"): ("moved", False, None)}),
        # What a half does not speak of is left out, not called dropped.
        ([("1", "1")], [], {}),
    ],
)
def test_pairs_are_composed(first, second, expected):
    made = compose_pairs("a-1", "c-3", rows("a-1", "b-2", *first), rows("b-2", "c-3", *second), ("b-2",))
    path = lambda id_: id_.path if id_ else ""
    assert {(path(p.a), path(p.b)): (p.relation, p.reworded, p.cause) for p in made} == expected
    assert all((p.older, p.newer, p.via) == ("a-1", "c-3", ("b-2",)) for p in made)


def test_a_way_may_go_back_in_time():
    """Two extracts of one code are joined over its spine, which may be older or younger than both."""
    made = compose_pairs(
        "x-1", "y-1", rows("s-1", "x-1", ("1", "2")), rows("s-1", "y-1", ("1", "3", True, "translation")), ("s-1",)
    )
    assert [(p.a, p.b, p.relation, p.reworded) for p in made] == [("x-1/2", "y-1/3", "moved", True)]


def test_exceptions_are_laid_over_what_is_composed():
    first, second = rows("a-1", "b-2", ("1", "1"), ("2", "1")), rows("b-2", "c-3", ("1", "1"))
    taken = link("2", "1", "none", "a-1", "c-3", remark="why", via=("b-2",))
    gone = link("2", None, "dropped", "a-1", "c-3", remark="why", cause="code", via=("b-2",))
    made = compose_pairs("a-1", "c-3", first, second, ("b-2",), [taken, gone])
    assert {(p.a, p.b): p.relation for p in made} == {("a-1/1", "c-3/1"): "same", ("a-1/2", None): "dropped"}


def years() -> Library:
    texts = {e: {"1": "x"} for e in ("aa-1997", "aa-2017", "bb-1997", "aa-2007", "bb-2007", "bb-2017")}
    joined = [
        ("aa-1997", "aa-2007"),
        ("aa-2007", "aa-2017"),
        ("aa-1997", "bb-1997"),
        ("aa-2007", "bb-2007"),
        ("aa-2017", "bb-2017"),
    ]
    texts = dict(sorted(texts.items(), key=lambda x: (x[0][3:], x[0])))
    return little(
        texts,
        [link("1", "1", older=o, newer=n, basis="computed" if "2017" in n else "reviewed") for o, n in joined],
        extracts=("aa-2017",),
    )


def test_a_lineage_is_one_text_a_year_the_readers_language_before_a_whole_one():
    library = years()
    stages = lambda id_: [
        (s.edition.id, s.is_origin, s.is_computed) for s in lineage(library, library.nodes[f"{id_}/1"])
    ]
    assert stages("aa-2007") == [("aa-1997", False, False), ("aa-2007", True, False), ("aa-2017", False, True)]
    assert stages("bb-2007") == [("bb-1997", False, False), ("bb-2007", True, False), ("bb-2017", False, True)]
    assert stages("bb-1997")[0] == ("bb-1997", True, False)


def test_a_lineage_takes_the_whole_text_of_a_foreign_language():
    library = little(
        {"aa-1997": {"1": "x"}, "bb-2017": {"1": "x"}, "cc-2017": {"1": "x"}},
        [link("1", "1", newer="cc-2017"), link("1", "1", older="bb-2017", newer="cc-2017")],
        extracts=("bb-2017",),
    )
    assert [s.edition.id for s in lineage(library, library.nodes["aa-1997/1"])] == ["aa-1997", "cc-2017"]
