"""What talk sounds like: learned from lines of talk and of cases, and taken out of a question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.files import InvalidFile
from index.talk_model import TalkModel, read_talk, train_talk

TALK = ["sorry to bother you", "sorry we are arguing here", "thanks a lot in advance", "wait let me think"] * 2
TOLD = ["he led out of turn", "declarer led from dummy out of turn", "she did not follow suit"] * 5
MODEL = train_talk((("xa", line) for line in TALK), (("xa", line) for line in TOLD))


def without_talk(text: str, lang: str | None = "xa") -> str:
    for start, end in MODEL.find(text, lang):
        text = text[:start] + " " * (end - start) + text[end:]
    return " ".join(text.split())


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("sorry to bother you he led out of turn", "he led out of turn"),
        ("he led out of turn, thanks a lot in advance", "he led out of turn,"),
        ("sorry we are arguing here declarer led from dummy out of turn", "declarer led from dummy out of turn"),
        ("declarer led from dummy wait let me think led out of turn", "declarer led from dummy led out of turn"),
        ("he led out of turn", "he led out of turn"),
        ("she did not follow suit, thanks", "she did not follow suit, thanks"),  # one word is no talk
        ("he did unheard of things out of turn", "he did unheard of things out of turn"),
    ],
)
def test_talk_is_found_before_after_and_in_the_middle(text, left):
    assert without_talk(text) == left


def test_a_question_is_never_all_talk():
    text = "sorry to bother you, thanks a lot in advance"
    assert without_talk(text) == text


def test_in_a_language_without_talk_nothing_is_talk():
    text = "sorry to bother you he led out of turn"
    assert without_talk(text, "xb") == without_talk(text, None) == text


@given(st.text(max_size=120))
def test_stretches_are_in_order_and_inside_the_text(text):
    places = [place for stretch in MODEL.find(text, "xa") for place in stretch]
    assert places == sorted(places) and all(0 <= place <= len(text) for place in places)


def test_what_was_saved_is_what_is_loaded(tmp_path):
    MODEL.save(tmp_path)
    text = "sorry to bother you he led out of turn"
    assert TalkModel.load(tmp_path).find(text, "xa") == MODEL.find(text, "xa")


def test_a_table_that_is_broken_names_its_line(tmp_path):
    assert read_talk(tmp_path) == []
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "talk.tsv").write_text("lang\tposition\ttalk\nxa\tbefore\n", encoding="utf-8")
    with pytest.raises(InvalidFile, match=r"words/talk\.tsv:2"):
        read_talk(tmp_path)


def test_no_judged_question_is_taken_for_talk(searcher):
    """Of the questions that are judged nearly all are left as they are: they hold no talk."""
    from scripts.evaluate import BLIND_QUERIES, FRESH_QUERIES, QUERIES, read_queries

    asked = [q for path in (QUERIES, FRESH_QUERIES, BLIND_QUERIES) for q in read_queries(path)]
    model = searcher._index.talk_model
    touched = [q.query for q in asked if model.find(q.query, q.lang)]
    assert len(touched) <= len(asked) / 100, touched
