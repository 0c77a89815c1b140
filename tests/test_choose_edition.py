"""The rule which edition a reader gets: one function, wherever an edition is chosen."""

from __future__ import annotations

import pytest
from little import identity

from corpus.edition import choose_edition, sort_key_for_reader

OLD = identity("xa-2007", "xa", 2007, in_force=True)
COMING = identity("xa-2027", "xa", 2027, in_force=False)
UNSTATED = identity("xa-2017", "xa", 2017, in_force=None)
SUPERSEDED = identity("xa-1997", "xa", 1997, in_force=None, superseded_by=2007)
EXTRACT = identity("xa-2019", "xa", 2019, in_force=True, complete=False)
DECISIONS = identity("xa-2020", "xa", 2020, in_force=True, modifies="2017")
OTHER = identity("xb-2017", "xb", 2017, in_force=True)


@pytest.mark.parametrize(
    "editions, lang, chosen",
    [
        ([OLD, OTHER], "xa", OLD),
        ([OLD, OTHER], "xb", OTHER),
        ([OLD, OTHER], "xc", OTHER),
        ([OLD, OTHER], None, OTHER),
        ([SUPERSEDED, OTHER], "xa", SUPERSEDED),
        ([OLD, COMING], "xa", OLD),
        ([OLD, COMING, OTHER], None, OTHER),
        ([UNSTATED, COMING], "xa", UNSTATED),
        ([UNSTATED, OLD], "xa", OLD),
        ([UNSTATED, SUPERSEDED], "xa", UNSTATED),
        ([EXTRACT, OLD], "xa", OLD),
        ([EXTRACT, SUPERSEDED], "xa", SUPERSEDED),
        ([EXTRACT], "xa", EXTRACT),
        ([DECISIONS, SUPERSEDED], "xa", SUPERSEDED),
        ([], "xa", None),
    ],
)
def test_a_reader_gets_his_language_then_what_is_complete_and_in_force(editions, lang, chosen):
    assert choose_edition(editions, lang) is chosen
    assert choose_edition(editions[::-1], lang) is chosen


def test_all_editions_of_a_reader_in_their_order():
    every = [DECISIONS, EXTRACT, COMING, SUPERSEDED, UNSTATED, OLD, OTHER]
    expected = [OLD, UNSTATED, COMING, SUPERSEDED, DECISIONS, EXTRACT, OTHER]
    assert sorted(every, key=sort_key_for_reader("xa")) == expected
