"""How sure an answer is: weighed from evidence, and an honest “nothing” for what the laws do not treat."""

from __future__ import annotations

from dataclasses import replace
from math import log
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from invented import invented, lists  # noqa: F401

from index.query.model import Unit
from index.rank.confidence import Evidence, collect_evidence, evidence_weights
from index.search import Searcher
from index.weights import WEIGHTS

SHARES = st.floats(0, 1)


def surety(cover: float, words: int, law: float, section: float, unanswered: float = 0.0) -> float:
    """What speaks for an answer less what must; it is sure from 0."""
    odds = lambda share: log(share / (1 - share))
    shares = (law, section, unanswered)
    law, section, nothing = (min(max(share, WEIGHTS.least_odds), 1 - WEIGHTS.least_odds) for share in shares)
    few = float(words <= 2)
    many = min(words, WEIGHTS.sure_many) / WEIGHTS.sure_many
    found = Evidence(cover, few, few * cover, odds(law), odds(section), odds(nothing), many)
    return WEIGHTS.sure + sum(a * b for a, b in zip(evidence_weights(WEIGHTS), found, strict=True))


@given(SHARES, SHARES, st.integers(1, 12), SHARES, SHARES)
def test_more_of_any_evidence_never_makes_an_answer_less_sure(one, other, words, law, section):
    less, more = sorted((one, other))
    assert surety(less, words, law, section) <= surety(more, words, law, section)
    assert surety(law, words, less, section) <= surety(law, words, more, section)
    assert surety(law, words, section, less) <= surety(law, words, section, more)
    assert surety(law, words, law, section, more) <= surety(law, words, law, section, less)


@given(st.integers(1, 12))
def test_nothing_found_and_nothing_told_is_never_sure_and_everything_is(words):
    assert surety(0, words, 0, 0) < 0 < surety(1, words, 1, 1) and surety(0.5, words, 0, 0, 1) < 0


def test_without_what_is_learned_only_what_is_printed_is_sure(invented):
    provisions = {"new/1": ("", "hold the card and the trick"), "new/2": ("", "play a table")}
    learned = invented.search(provisions)
    words = Searcher(replace(learned._index, classifier_model=None, section_model=None), learned._engine)
    assert learned.has_learned and not words.has_learned
    for query, printed in (("card trick", False), ("hold the card", True), ("1", True)):
        assert learned.search(query).hits and words.search(query).confident is printed, query
    assert words.situations("card trick") == () == words.search("card trick").situations


def test_each_number_has_its_evidence():
    """None is left out, and none taken for another."""
    assert evidence_weights(WEIGHTS) == Evidence(
        cover=WEIGHTS.sure_cover,
        few=WEIGHTS.sure_few,
        few_cover=WEIGHTS.sure_few_cover,
        law=WEIGHTS.sure_law,
        section=WEIGHTS.sure_section,
        unanswered=WEIGHTS.sure_unanswered,
        words=WEIGHTS.sure_words,
    )


@pytest.mark.parametrize(
    "rarities, covers, cover",
    [
        # Of three parts of the query – what is guessed may be two words as well as one – it holds one and a half …
        ((1, 1), (1, 1), 1.5 / 3),
        # … the guessed word alone, half of one …
        ((1, 1), (0, 1), 0.5 / 3),
        # … or the word that was typed.
        ((1, 1), (1, 0), 1 / 3),
        ((3, 1), (1, 1), 3.5 / 5),
        ((1, 3), (1, 0.5), 1.75 / 7),
        ((1, 1), (0, 0), 0),
    ],
)
def test_a_guessed_word_proves_less_where_it_is_found_and_lacks_more_where_it_is_not(rarities, covers, cover):
    query = SimpleNamespace(units=(Unit("card", "card", {}), Unit("trikc", "trikc", {}, trust=0.5)))
    standing = SimpleNamespace(
        order=np.array([7]), rarities_and_coverages=lambda number: (rarities, covers) if number == 7 else ()
    )
    told = SimpleNamespace(top_law_share=0.0, top_provision_share=0.0, unanswered=0.0)
    assert collect_evidence(query, standing, told, WEIGHTS).cover == pytest.approx(cover)


INVENTED = [
    "xyzzyqwv",
    "qwxzv plkjhg",
    "vrbntqx wzzkpj mmqqxx",
    "zzzqx kwvvj pqqlm ttrrxx nnvvw",
    "blorptang frumious zibble quorf wumpet snarg",
]


@pytest.mark.parametrize("lang", ["pl", "sk", "hr", "en", None])
@pytest.mark.parametrize("query", INVENTED)
def test_invented_words_are_answered_by_an_honest_nothing(searcher, query, lang):
    assert not searcher.search(query, qlang=lang).confident


@pytest.mark.parametrize(
    "lang, query", [("pl", "renons"), ("en", "revoke"), ("sk", "výnos mimo poradia"), ("hr", "alert")]
)
def test_words_of_the_laws_are_answered_surely_and_filters_that_leave_nothing_are_not(searcher, lang, query):
    assert searcher.search(query, qlang=lang).confident
    assert not searcher.search(query, qlang=lang, kinds=["no such kind"]).confident


def test_what_no_edition_chosen_has_is_no_reason_to_be_sure(searcher):
    """Comparable calls came with 2017."""
    assert searcher.search("comparable call", qlang="en", editions=["sk-2017"]).confident
    for edition in ("pl-2007", "hr-1997"):
        for lang, query in (("en", "comparable call"), ("pl", "zapowiedź porównywalna"), ("hr", "usporediv govor")):
            assert not searcher.search(query, qlang=lang, editions=[edition]).confident, (edition, query)
