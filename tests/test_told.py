"""Words lead to situations: what was told by people who had not seen them, citations, anything typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.evaluate_situations import score_cases


def test_judged_cases_are_found(searcher, library):
    """The figures of docs/search.md, less what a change may cost that earns elsewhere."""
    found = score_cases(searcher, library)
    for group, (n, first, three) in found.items():
        assert n > 50
        assert first / n >= FIRST - (group != "all") * 0.08 and three / n >= THREE - (group != "all") * 0.06, group


FIRST, THREE = 0.88, 0.96


@pytest.mark.parametrize(
    "q, first",
    [
        ("27b1", "insufficient-bid"),
        ("64A", "revoke-established"),
        ("54", "opening-lead-out-of-turn"),
        ("66C", "look-at-quitted-trick"),
    ],
)
def test_a_citation_leads_to_what_it_decides(searcher, q, first):
    assert searcher.situations(q)[0].id == first
    assert not searcher.search(q).situations, "a search for a number shows the provision"


def test_a_law_does_not_lead_to_what_a_law_decides_whose_number_begins_with_its_own(searcher, library):
    found = searcher.situations("7", limit=100)
    assert found
    for match in found:
        listed = [path for paths in library.situations[match.id].provisions.values() for path in paths]
        assert any(path == "7" or path.startswith("7/") for path in listed), (match.id, listed)


@given(st.text(max_size=500), st.sampled_from([None, "pl", "sk", "hr", "en", "xx"]))
def test_anything_typed_is_answered(searcher, text, lang):
    found = searcher.situations(text, lang, 5)
    assert len(found) <= 5 and len({d.id for d in found}) == len(found)
    assert [d.score for d in found] == sorted((d.score for d in found), reverse=True)
    assert found == searcher.situations(text, lang, 5)


def test_the_score_of_words_is_a_share(searcher):
    every = searcher.situations("partner led out of turn", "en", 1000)
    assert abs(sum(d.score for d in every) - 1) < 0.02 and len(every) > 120
