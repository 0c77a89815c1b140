"""Citations by comma, in number words, beside words; decisions by what they are about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

BETWEEN = st.sampled_from([", ", ",", "; ", " i ", " oraz ", " and ", " & "])


@given(st.lists(st.integers(1, 93), min_size=2, max_size=5, unique=True), BETWEEN)
def test_a_list_of_laws_is_read_as_it_was_typed(searcher, numbers, between):
    answer = searcher.search(between.join(map(str, numbers)), limit=1)
    assert answer.kind == "citation" and answer.paths == tuple(map(str, numbers))


@pytest.mark.parametrize("sign", [",", ", ", ".", ":", "-", " "])
def test_the_steps_of_one_citation_may_be_parted_by_any_sign(searcher, library, sign):
    seen = 0
    for path in sorted({n.path for n in library.nodes_of("sk-2017") if n.kind == "clause"})[::5]:
        answer = searcher.search(sign.join(path.split("/")), limit=1)
        assert answer.paths == (path,), path
        seen += 1
    assert seen > 20


@pytest.mark.parametrize(
    ("query", "lang", "first"),
    [
        ("decyzja do 12C", "pl", "12/C"),
        ("decision on 16", "en", "16"),
        ("odluka uz 16", "hr", "16"),
        ("rozhodnutie k 40", "sk", "40"),
    ],
)
def test_decisions_are_found_by_what_they_are_about(searcher, library, query, lang, first):
    """And what was cited stays what was cited."""
    answer = searcher.search(query, qlang=lang)
    assert answer.paths == (first,) and answer.confident
    ruling = library.rulings_by_point[answer.hits[0].node.id]
    assert any(
        path == first or path.startswith(f"{first}/") or first.startswith(f"{path}/") for path in ruling.provisions
    )


def test_a_decision_of_a_number_is_itself(searcher):
    assert [h.node.id for h in searcher.search("decyzja 3.1", qlang="pl").hits] == ["pzbs-2017/3/1"]
