"""Players' loan words: in which languages they are heard, and by their beginnings."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus.files import InvalidFile
from corpus.letters import tokenize
from index import concept
from index.concept import LoanWord, concept_of


def loans(folder: Path, text: str | None) -> list[LoanWord]:
    (folder / "words").mkdir(exist_ok=True)
    if text is not None:
        (folder / "words" / concept.LOANS_FILE).write_text(text, encoding="utf-8")
    return list(concept.read_loan_words(folder, ("xa", "xb"), ("claim", "alert")))


def test_a_loan_of_any_language_is_one_of_each(tmp_path):
    text = '[loans.any]\nclaim = ["klejm*"]\n[loans.xb]\nalert = ["pozor", "alarm"]\n'
    assert set(loans(tmp_path, text)) == {
        LoanWord("xa", "claim", "klejm*"),
        LoanWord("xb", "claim", "klejm*"),
        LoanWord("xb", "alert", "pozor"),
        LoanWord("xb", "alert", "alarm"),
    }


def test_no_file_is_no_loan(tmp_path):
    assert loans(tmp_path, None) == []


@pytest.mark.parametrize(
    ("text", "line", "finding"),
    [
        ('[loans.any]\nclaim = ["a"]\nnothing = ["b"]\n', 3, "“nothing” is no term."),
        ('[loans.xq]\nclaim = ["a"]\n', 1, "“xq” is no language."),
        ('[loans.any]\nclaim = "a"\n', 2, "“loans.any.claim” is 'a'."),
        ("[loans\n", 1, "Not TOML"),
        ("[other]\n", 1, "Unknown key “other”."),
    ],
)
def test_a_fault_is_told_with_its_line(tmp_path, text, line, finding):
    with pytest.raises(InvalidFile) as refused:
        loans(tmp_path, text)
    (problem,) = refused.value.problems
    assert problem.line == line and finding in problem.finding and problem.move
    assert problem.file == "words/loans.toml"


@pytest.fixture(scope="module")
def named(searcher):
    """The concepts that words name in a language."""
    return lambda lang, text: {f.concept for f in searcher._index.concepts.find_in_query(lang, tokenize(text))[0]}


def test_every_loan_of_this_corpus_names_its_term_where_it_is_one(named, corpus_dir, library, searcher):
    listed = list(concept.read_loan_words(corpus_dir, searcher._index.lexicons, library.terms))
    assert len(listed) > 500
    missed = [
        loan for loan in listed if concept_of(loan.slug) not in named(loan.lang, loan.words.rstrip(concept.PREFIX_SIGN))
    ]
    assert not missed


@pytest.mark.parametrize(
    ("lang", "text", "slug", "is_named"),
    [
        ("pl", "zaalertował", "alert", True),
        ("hr", "nije alertirao", "alert", False),  # denied
        ("sk", "klejmoval", "claim", True),
        ("pl", "klejmowaniu", "claim", True),
        ("en", "acquiesced", "acquiescence", True),
        ("en", "reclaim", "claim", False),  # a beginning stands at the beginning
        ("en", "clai", "claim", False),
        ("pl", "bord", "board", True),
    ],
)
def test_a_word_is_known_by_its_beginning(named, lang, text, slug, is_named):
    assert (concept_of(slug) in named(lang, text)) == is_named
