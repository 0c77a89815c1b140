"""References are found where a reader sees them, lead where he would look, and nothing else is taken for one."""

import re
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from reference_tree import (
    CASES,
    DECISIONS,
    EDITION,
    ENGLISH,
    FURTHER,
    HERE,
    NODES,
    ROMAN,
    load,
    made,
    references,
    rows,
    targets,
)

from corpus.model import Text
from corpus.reference.grammar import REFERENCE_KEYS
from corpus.reference.resolve import annotate_references

ROOT = Path(__file__).parent.parent
CORPUS = ROOT / "corpus"
PHRASES = rows(CASES / "references" / "phrases.tsv")


@pytest.mark.parametrize(
    "text, surface",
    [
        ("utom enligt 62 C, som", None),
        ("(utom mot 62 C).", "62 C"),
        ("lag 12:C gäller", "lag 12:C"),
        ("§ 80, A.", None),
        ("§ 80, K.", "§ 80, K"),
        ("mot (N 2) och", "(N 2)"),
        ("för 2 NT, 13 kart, 5♦, 60 % och klockan 14.30", None),
        ("spader A, K och 5", None),
    ],
)
def test_what_looks_like_a_reference_and_is_none_is_noted_with_its_line(text, surface):
    node = replace(NODES[HERE], text=text, source_text=text, source_spans=((7, 0, 7, len(text)),))
    _, problems = annotate_references([node if p == HERE else n for p, n in NODES.items()], EDITION, FURTHER["sv"])
    assert [p.finding.split("”")[0][1:] for p in problems] == ([surface] if surface else [])
    assert all(not p.fatal and p.line == 7 and p.move for p in problems)


@pytest.mark.parametrize("row", PHRASES, ids=lambda r: f"{r['lang']} {r['phrase']}")
def test_a_phrase_leads_where_the_table_says(row):
    words = load(row["lang"])
    phrase, wanted = row["phrase"], row["targets"].split()
    for text in (phrase, f"Xx {phrase} xx.", f"({phrase})" if phrase.count("(") == phrase.count(")") else f"{phrase};"):
        assert targets(text, words, at=row["at"]) == wanted, text


@pytest.mark.parametrize(
    "row", rows(CASES / "references" / "phrases-further.tsv"), ids=lambda r: f"{r['lang']} {r['phrase']}"
)
def test_a_phrase_of_a_further_language_leads_where_the_table_says(row):
    phrase, wanted = row["phrase"], row["targets"].split()
    for text in (phrase, f"Xx {phrase} xx.", f"Xx\u00a0{phrase};"):
        assert (
            targets(text, FURTHER[row["lang"]], at=row["at"], edition=ROMAN if row["lang"] == "xii" else EDITION)
            == wanted
        ), text


@pytest.mark.parametrize(
    "text, wanted",
    [
        ("Hans uppgifter framgår av B 2.", ["12/B/2"]),
        ("Arrangören får ändra metoderna i A–C; det kungörs.", ["12/A", "12/B", "12/C"]),
        ("Detta får inte rättas (utom enligt 62 C).", ["62/C"]),
        ("se även § 16 B 1 b.", ["16/B/1/b"]),
        ("gäller lag 12 C 1 a.", ["12/C/1/a"]),
    ],
)
def test_what_may_be_a_word_is_a_label_where_the_phrase_ends(text, wanted):
    assert targets(text, FURTHER["sv"]) == wanted


@pytest.mark.parametrize("code", ["sv", "it"])
def test_nothing_is_found_in_plain_sentences_of_further_languages(code):
    for sentence in (CASES / "references" / f"nothing-{code}.txt").read_text(encoding="utf-8").splitlines():
        assert [r.surface for r in references(sentence, FURTHER[code])] == [], sentence


PLAIN = sorted(
    p.stem for p in (CORPUS / "languages").glob("*.toml") if (CASES / "references" / f"nothing-{p.stem}.txt").exists()
)


def test_there_are_plain_sentences():
    assert len(PLAIN) >= 4


@pytest.mark.parametrize("code", PLAIN)
def test_nothing_is_found_where_there_is_nothing(code):
    sentences = (CASES / "references" / f"nothing-{code}.txt").read_text(encoding="utf-8").splitlines()
    assert len(set(sentences)) >= 50
    words = load(code)
    found = {s: [r.surface for r in references(s, words)] for s in sentences}
    assert {s: f for s, f in found.items() if f} == {}


@pytest.mark.parametrize(
    "phrase, wanted",
    [
        ("przepisy 12C2b i 12C2d", ["laws:12/C/2/b", "laws:12/C/2/d"]),
        ("przepis 40B2a(i)", ["laws:40/B/2/a/i"]),
        ("przepisy 41–43", ["laws:41", "laws:42", "laws:43"]),
        ("przepisem 93 i punktem 13", ["laws:93", "13"]),
        ("pkt. 16 niniejszego dokumentu", ["16"]),
        ("punkcie 25.C.1 i 25.C.2", ["25/C/1", "25/C/2"]),
        ("(patrz 27.B.1.(b))", ["27/B/1/b"]),
    ],
)
def test_decisions_on_other_laws_cite_those_by_law_and_themselves_by_point(phrase, wanted):
    assert targets(phrase, load("pl"), edition=DECISIONS) == wanted


def test_a_heading_may_name_the_definition_that_a_decision_modifies():
    assert targets("Alert – definicje", load("pl"), at="13", edition=DECISIONS, heading=True) == ["laws:def/alert"]
    assert targets("Alert – definicje", load("pl"), at="13", heading=True) == []


def test_a_heading_is_searched_like_a_text():
    (reference,) = references("Non-application of Laws 23 and 26", ENGLISH, heading=True)
    assert (reference.where, reference.targets) == ("heading", ("book/23", "book/26"))


def test_missing_targets_stay_listed():
    (reference,) = references("Laws 92 to 95", ENGLISH)
    assert reference.targets == ("book/92", "book/93", "book/94", "book/95") and reference.missing == (
        "book/94",
        "book/95",
    )


def test_words_that_stand_twice_are_noted_in_the_line_of_each():
    text = Text("mot (N 2) och (N 2) mot", ((10, 7, 1), (13, 9, 1)))
    node = replace(NODES[HERE], text=text, source_text=str(text), source_spans=((7, 1, 9, 13),))
    _, problems = annotate_references([node if p == HERE else n for p, n in NODES.items()], EDITION, FURTHER["sv"])
    assert [p.line for p in problems] == [7, 9]


def test_the_example_of_the_documents_works():
    page = (ROOT / "docs" / "add-a-language.md").read_text(encoding="utf-8")
    (toml,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    (example,) = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    words = made("de", **tomllib.loads(toml))
    lines = [line.split("→") for line in example.splitlines() if "→" in line]
    assert len(lines) >= 10
    for phrase, wanted in lines:
        assert targets(phrase.strip(), words) == wanted.split(), phrase


def test_the_documents_explain_every_key():
    page = (ROOT / "docs" / "add-a-language.md").read_text(encoding="utf-8")
    assert [k for k in REFERENCE_KEYS if f"`{k}`" not in page] == []
