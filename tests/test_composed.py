"""Pairs of small texts that are read over a third one, and through the years."""

from __future__ import annotations

from little import A, B, C, link, little

from corpus.library import Library
from corpus.model import Pair
from corpus.relation import spine
from corpus.relation.compose import compose
from corpus.relation.lineage import lineage


# ── composed ──
def over(first: list[Pair], second: list[Pair], exceptions=()) -> Pair:
    (made,) = compose(A, C, first, second, (B,), exceptions)
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
    (made,) = compose(
        A, C, [link("1", "1"), link("1", "2", heading=True)], [second_half("1", "1"), second_half("2", "1")], (B,)
    )
    assert not made.heading
    (made,) = compose(
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
    assert spine.way("a", "d", joined) == ["a", "b", "d"] == spine.way("a", "d", joined[::-1])
    assert spine.way("d", "a", joined) == ["d", "b", "a"]


# ── years ──
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
    stages = lambda id_: [(s.edition.id, s.here, s.computed) for s in lineage(library, library.nodes[f"{id_}/1"])]
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
