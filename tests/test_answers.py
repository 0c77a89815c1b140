"""What an answer tells beside the order of its hits, over a small invented library."""

from __future__ import annotations

from invented import found, invented, lists  # noqa: F401

from index.answer import MatchByOtherName


def test_an_unfinished_word_is_found(invented):
    assert found(invented.search({"new/1": ("", "information")}), "informat", qlang="xa") == ["new/1"]


def test_a_players_word_leads_to_the_term_and_is_not_marked_itself(invented):
    searcher = invented.search({"new/1": ("", "trick"), "other/2": ("", "stih")})
    assert set(found(searcher, "pounce", qlang="xa")) == {"new/1", "other/2"}


def test_a_snippet_says_why_it_marks(invented):
    searcher = invented.search({"new/1": ("", "gesturing before a card or a trick"), "other/2": ("", "stih")})
    (first, *_) = searcher.search("tricks card gestured", langs=["xa"]).hits
    assert {run.text: run.why for run in first.snippet if run.is_match} == {"card": ("the word",), "trick": ("a term",)}


def test_a_snippet_says_of_what_a_word_is_another_name(invented):
    searcher = invented.search({"new/1": ("", "a winning trick"), "other/2": ("", "tada stih")})
    hits = searcher.search("trick", qlang="xa").hits
    (foreign,) = [run for hit in hits if hit.node.id == "other/2" for run in hit.snippet if run.is_match]
    assert (foreign.text, foreign.why) == ("stih", (MatchByOtherName(("trick",)),))
    (own,) = [run for hit in hits if hit.node.id == "new/1" for run in hit.snippet if run.is_match]
    assert own.text == "winning trick" and "a term" in own.why


def test_facets_count_all_that_was_found(invented):
    answer = invented.search({"new/1/A": ("", "card"), "new/1/B": ("", "card"), "old/2": ("", "card")}).search(
        "card", limit=1
    )
    assert (len(answer.hits), answer.total) == (1, 3)
    assert answer.facets["edition"] == {"new": 2, "old": 1} and answer.facets["kind"] == {"section": 2, "law": 1}
