"""A search that is narrowed – by editions, kinds, quotation marks, words left out – finds what is asked for and is no
surer than that, and says each thing once; over a small invented library.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from invented import found, invented, lists  # noqa: F401

from index.weights import WEIGHTS


def answer(searcher, query: str, **filters) -> tuple[list[str], bool]:
    """Ids of the hits, and whether one of them answers."""
    said = searcher.search(query, **filters)
    return [hit.node.id for hit in said.hits], said.confident


def test_two_editions_confirm_each_other(invented):
    searcher = invented.search(
        {"new/1": ("", "trick"), "new/2": ("", "trick"), "other/2": ("", "stih")},
        [("new/2", "other/2")],
        weights=replace(WEIGHTS, told_law=0.0),
    )
    assert found(searcher, "trick", editions=["new"]) == ["new/1", "new/2"]
    assert found(searcher, "trick", editions=["new", "other"]) == ["new/2", "new/1"]


def test_a_quotation_is_found_in_the_kinds_asked_for_only(invented):
    searcher = invented.search({"new/1": ("", "trick card"), "new/def/x": ("", "trick card")})
    assert answer(searcher, '"trick card"', kinds=["definition"]) == (["new/def/x"], True)
    assert answer(searcher, '"trick card"', kinds=["law"]) == (["new/1"], True)


def test_a_quotation_that_only_another_edition_has_is_no_sure_answer(invented):
    searcher = invented.search({"new/1": ("", "trick card"), "old/1": ("", "card and trick")})
    assert answer(searcher, '"trick card"', editions=["new"]) == (["new/1"], True)
    assert answer(searcher, '"trick card"', editions=["old"]) == (["old/1"], False)


def test_a_quotation_does_not_run_on_into_another_edition(invented):
    searcher = invented.search({"old/1": ("", "one trick"), "new/1": ("", "card two"), "new/2": ("", "three")})
    assert found(searcher, '"card two three"') == ["new/1"]
    assert not searcher.search('"trick card two"').confident


@pytest.mark.parametrize(
    ("query", "expected"), [('"2♦" "3♠"', ["new/3"]), ('"2♦"', ["new/1", "new/3"]), ('"3♠"', ["new/2", "new/3"])]
)
def test_each_of_several_quotations_stands_there_with_its_signs(invented, query, expected):
    searcher = invented.search(
        {"new/1": ("", "bid 2♦ not 3♥"), "new/2": ("", "bid 2♣ not 3♠"), "new/3": ("", "bid 2♦ not 3♠")}
    )
    assert sorted(found(searcher, query)) == expected


def test_a_word_left_out_may_stand_around_the_provision(invented):
    searcher = invented.search({"new/1": ("hand", ""), "new/1/A": ("", "card"), "new/2": ("", "card hand")})
    assert found(searcher, "card NOT hand", kinds=["section"]) == ["new/1/A"]
    assert "new/2" not in found(searcher, "card -hand")


def test_the_nearest_provision_is_the_innermost_that_exists(invented):
    searcher = invented.search({"new/1": ("", ""), "new/1/A": ("", "card"), "new/1/A/1": ("", "card")})
    assert answer(searcher, "1A1c") == (["new/1/A/1"], False)
    assert answer(searcher, "1A5") == (["new/1/A"], False)


def test_the_second_hit_of_a_law_steps_back_whatever_stands_between(invented):
    searcher = invented.search(
        {
            "new/1/A": ("", "card " * 9),
            "new/2/A": ("", "card " * 6),
            "new/1/B": ("", "card " * 5),
            "new/3/A": ("", "card " * 4),
        }
    )
    factors = {h.node.id: {f.name for f in h.factors} for h in searcher.search("card", kinds=["section"]).hits}
    assert {id_ for id_, names in factors.items() if "same law" in names} == {"new/1/B"}


@pytest.mark.parametrize(
    ("relation", "shown"),
    [
        ("same", ["new/2"]),
        ("reworded", ["new/2"]),
        ("moved", ["new/2"]),
        ("split", ["new/2", "old/1"]),
        ("merged", ["new/2", "old/1"]),
    ],
)
def test_what_is_one_provision_in_two_editions_is_one_hit_and_a_part_of_one_is_another(invented, relation, shown):
    searcher = invented.search({"old/1": ("", "card"), "new/2": ("", "card")}, [("old/1", "new/2", relation)])
    assert found(searcher, "card") == shown


def test_a_year_alone_is_a_word(invented):
    searcher = invented.search({"new/1": ("", "laws of 2000"), "old/1": ("", "card")})
    assert found(searcher, "2000") == ["new/1"]


def test_two_words_for_an_edition_name_what_is_both(invented):
    searcher = invented.search({f"{e}/1": ("", "card") for e in ("old", "extract", "new")})
    assert found(searcher, "1 2000") == ["old/1", "extract/1"]
    assert found(searcher, "1 extract 2000") == ["extract/1"] == found(searcher, "extract 2000 1")
    assert set(found(searcher, "1 extract new")) == {"extract/1", "new/1"}


def test_of_several_citations_the_longest_that_exists_is_read_first(invented):
    searcher = invented.search(
        {"new/1/A/2": ("", "card"), "new/1/A": ("", ""), "new/2": ("", "card"), "new/3": ("", "")}
    )
    assert searcher.search("1 A 2 3").paths == ("1/A/2", "3")
