"""Labels and parts of references in small texts."""

from __future__ import annotations

from dataclasses import replace

import pytest


def labels(code: str, sentence: str) -> list[str]:
    from reference_tree import load

    from corpus.reference.find import find_phrases
    from corpus.reference.grammar import Grammar, clean_text

    return [
        " ".join(label.steps)
        for found in find_phrases(clean_text(sentence), Grammar(load(code)))
        for label in found.labels
    ]


@pytest.mark.parametrize(
    ("code", "sentence", "expected"),
    [
        ("en", "so +16B says", []),
        ("en", "so 9:16B says", []),
        ("en", "so -16B says", []),
        ("en", "so 10-16B says", []),
        ("en", "section C 3 NT", ["C"]),
        ("en", "section C 3 says", ["C 3"]),
        ("en", "Law 16 - 3 cards", ["16"]),
        ("sk", "PRAVIDLÁ 16 A 17", ["16", "17"]),
        ("sk", "pravidlo 16 A 2", ["16 A 2"]),
        ("sk", "pravidlo 12 C 1 a hráč", ["12 C 1"]),
        ("sk", "pravidlo 12 C 1 a. hráč", ["12 C 1 a"]),
    ],
)
def test_what_is_a_label_in_a_sentence_of_a_language(code, sentence, expected):
    assert labels(code, sentence) == expected


def test_every_letter_that_looks_latin_is_read_as_latin():
    from corpus.label import replace_lookalikes

    assert (
        replace_lookalikes("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο АВСЕНІЈКМОРЅТХУасеіјорѕху １６Ｂ")
        == "ABEZHIKMNOPTYXo ABCEHIJKMOPSTXYaceijopsxy 16B"
    )


@pytest.mark.parametrize(
    ("text", "at", "targets", "missing"),
    [
        ("12B2(b)(i)–(iii) applies", "12/B/2/b", ["12/B/2/b/i", "12/B/2/b/ii", "12/B/2/b/iii"], []),
        ("see section G", "12/B/2/b", ["12/G"], ["12/G"]),
        ("see section Z", "12/B/2/b", [], []),
        ("Laws 92 to 95", "12/B/2/b", ["92", "93", "94", "95"], ["94", "95"]),
        ("as in (a) above", "12/B/2/b", ["12/B/2/a"], []),
        ("item 2 above", "12/B/3", ["12/B/2"], []),
    ],
)
def test_where_a_reference_leads_and_what_is_missing(text, at, targets, missing):
    from reference_tree import load, references

    found = references(text, load("en"), at=at)
    path = lambda ids: [i.removeprefix("book/") for i in ids]
    assert path(t for r in found for t in r.targets) == targets and path(t for r in found for t in r.missing) == missing


def test_nothing_of_another_text_is_called_missing():
    from reference_tree import DECISIONS, load, references

    (reference,) = references("przepisy 41–99", load("pl"), edition=DECISIONS)
    assert len(reference.targets) == 59 and reference.missing == ()


@pytest.mark.parametrize("line", ["(a)word", "(a) word"])
def test_a_bracket_ends_a_label_also_where_the_blank_was_lost(line):
    from corpus.label import LabelParser, Level

    found = LabelParser(Level("clause", ("(a)",))).parse(line)
    assert found and found.ordinal == 1 and line[found.after :].strip() == "word"


def test_a_cell_of_a_table_is_a_reference_only_after_a_word_that_announces_it():
    from reference_tree import EDITION, NODES, load

    from corpus.model import Table
    from corpus.reference.resolve import annotate_references

    text = "C2 below\nsection C2\nsee C2 below"
    labels = lambda tables: [
        r.surface
        for node in annotate_references(
            [replace(n, text=text, tables=tables) if p == "12/B" else n for p, n in NODES.items()], EDITION, load("en")
        )[0]
        for r in node.references
    ]
    assert labels(()) == ["C2 below", "section C2", "C2 below"]
    assert labels((Table(None, (), 0, len(text)),)) == ["section C2", "C2 below"]
