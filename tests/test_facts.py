"""What the words of a query state, and which answers of a sheet follow."""

from __future__ import annotations

import pytest

from corpus.situation.fact import FactPhrases, read_fact_phrases
from corpus.situation.model import Answer, Ask, DecisionTable, Duty, Row, Situation, Slice
from index.query.stated import FactReader, stated_answers

READER = FactReader(
    [
        FactPhrases("en", "accepted-yes", "accept* | lets_it_stand", "not_accept* | unaccepted"),
        FactPhrases("en", "accepted-no", "not_accept* | refused it", ""),
        FactPhrases("en", "actor-declarer", "declarer", ""),
        FactPhrases("en", "time-before-lead", "before opening_lead", ""),
        FactPhrases("pl", "accepted-no", "nie_zaakceptował*", ""),
    ]
)


@pytest.mark.parametrize(
    "lang, text, facts",
    [
        ("en", "LHO accepted it", {"accepted-yes": [(4, 12)]}),
        ("en", "LHO did not accept it", {"accepted-no": [(8, 18)]}),
        ("en", "not surprised: accepted", {"accepted-yes": [(15, 23)]}),
        ("en", "LHO accepted it?", {}),  # asked, not stated
        ("en", "accepted, and now?", {"accepted-yes": [(0, 8)]}),
        ("en", "refused to take it", {"accepted-no": [(0, 18)]}),
        ("en", "refused after a very long talk it", {}),  # too many words between
        ("en", "before the opening lead", {"time-before-lead": [(0, 23)]}),
        ("en", "before, opening lead", {}),  # another clause
        ("en", "Declarer’s card and declarer", {"actor-declarer": [(0, 8), (20, 28)]}),
        ("pl", "nie zaakceptowal", {"accepted-no": [(0, 16)]}),  # without diacritics
        ("pl", "accepted", {}),
        ("xx", "accepted", {}),
    ],
)
def test_facts_are_read_with_the_place_of_their_words(lang, text, facts):
    found = READER.read(text, lang)
    assert {f.fact: list(f.spans) for f in found} == facts
    assert all(0 <= start < end <= len(text) for f in found for start, end in f.spans)


def situation(*answers: Answer) -> Situation:
    """A situation whose only question has these answers."""
    row = Row(id="all", says=(Slice(path="12/A/1"),), duties=(Duty(do="adjusts", who="director"),))
    asked = Ask(id="what", kind="fact", question={}, answer=answers)
    return Situation(
        id="s", phase="play", name={}, said={}, provisions={}, ask=(asked,),
        table={"2017": DecisionTable(asks=("what",), row=(row,))},
    )  # fmt: skip


YES = Answer(id="yes", text={}, facts=("accepted-yes",))
NO = Answer(id="no", text={}, facts=("accepted-no",))
LATE = Answer(id="late", text={}, facts=("accepted-yes", "time-play"))
DECLARER = Answer(id="declarer", text={}, facts=("actor-declarer",))


@pytest.mark.parametrize(
    "answers, facts, answered",
    [
        ((YES, NO), ["accepted-yes"], "yes"),
        ((YES, NO), ["accepted-yes", "accepted-no"], None),  # both are read
        ((YES, NO), ["actor-declarer"], None),  # nothing of it is said
        ((YES, NO), [], None),
        ((LATE, NO), ["accepted-yes"], "late"),
        ((LATE, NO), ["accepted-yes", "time-auction"], None),  # at another time
        ((LATE, NO), ["time-play", "time-auction"], None),  # two times
        ((YES, LATE), ["accepted-yes"], None),  # two answers state it
        ((DECLARER, NO), ["actor-declarer"], None),  # who did what?
        ((Answer(id="other", text={}), NO), ["accepted-yes"], None),
        ((Answer(id="old", text={}, facts=("accepted-yes",), codes=("2007",)), NO), ["accepted-yes"], None),
    ],
)
def test_only_one_answer_is_given_and_only_if_nothing_contradicts(answers, facts, answered):
    assert stated_answers(situation(*answers), "2017", facts) == ({"what": answered} if answered else {})


def test_a_code_without_a_table_has_no_answers():
    assert stated_answers(situation(YES, NO), "1997", ["accepted-yes"]) == {}


@pytest.mark.parametrize(
    "name, row, finding",
    [
        ("en", "accepted-yes\taccept*\t", ""),
        ("en", "accepted-maybe\taccept*\t", "“accepted-maybe” is not among the facts."),
        ("xx", "accepted-yes\taccept*\t", "“xx” is no language of the vocabulary."),
        ("en", "accepted-yes\tAccept*\t", "“Accept*” has capital letters."),
        ("en", "accepted-yes\taccept*\t*no*", "“*no*” is no phrase."),
        ("en", "accepted-yes\ta\t\naccepted-yes\tb\t", "“accepted-yes” has a row before."),
    ],
)
def test_a_fault_of_the_phrases_is_named_with_its_line(tmp_path, name, row, finding):
    facts = {"accepted-yes": {"en": "accepted"}}
    (tmp_path / "facts").mkdir()
    (tmp_path / "facts" / f"{name}.tsv").write_text(f"fact\tphrases\tnot\n{row}\n", encoding="utf-8")
    rows, problems = read_fact_phrases(tmp_path, facts)
    assert len(rows) == row.count("\n") + 1
    assert [p.finding for p in problems] == ([finding] if finding else [])
