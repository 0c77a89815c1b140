"""The strength of words: found as the introductions rank them, and every fault of the data told with its line."""

from __future__ import annotations

from pathlib import Path

import pytest
from strangers import write_edition

from app.site import reader, wording
from corpus import ingest
from corpus.model import STANDALONE_KINDS
from corpus.situation.model import read_list
from corpus.strength import FILE, STRENGTHS, find_forms

SCALE = ["may", "may not", "must", "must not", "is to"]


@pytest.mark.parametrize(
    "text, apart, taken, found",
    [
        ("A player may pass.", [], [], ["may"]),
        ("A player may not pass.", [], [], ["may not"]),
        ("He may, but he must not, and may  not.", [], [], ["may", "must not", "may  not"]),
        ("May he? He MUST.", [], [], ["May", "MUST"]),
        ("He may\nnot pass, he may\N{NO-BREAK SPACE}not bid.", [], [], ["may\nnot", "may\N{NO-BREAK SPACE}not"]),
        ("Dismay in Mayfair, a mustard.", [], [], []),
        ("It may rain, he may pass.", ["it may rain"], [], ["may"]),
        ("It may rain.", ["may rain"], [], []),
        ("He may not pass.", ["may not pass"], [], []),
        ("He must not; he need not, as he must.", ["as he must"], [], ["must not"]),
        ("See “may” in 12, he may pass.", [], [(4, 15)], ["may"]),
        ("He is to bid.", [], [(0, 2)], ["is to"]),
        ("", ["may"], [], []),
        ("He passes.", [], [], []),
    ],
)
def test_the_longest_form_is_found_and_what_is_apart_is_not(text, apart, taken, found):
    hits = find_forms(text, SCALE, apart, taken)
    assert [text[f.start : f.end] for f in hits] == found
    assert all(" ".join(text[f.start : f.end].split()).casefold() == f.form for f in hits)


def test_without_forms_nothing_is_found():
    assert find_forms("He may.", []) == []


# ── the editions ──────────────────────────────────────────────────────────────────────────────────

SCALES = {
    "pl-2007": {
        "may": "może",
        "should": "powinien",
        "must": "musi",
        "strong-prohibition": "nie może",
        "stronger-prohibition": "nie wolno",
        "strongest-prohibition": "nie ma prawa",
    },
    "sk-2017": {
        "may": "môže",
        "should": "by mal",
        "shall": "musí",
        "must": "je povinný",
        "strongest-prohibition": "nesmie",
    },
}


def test_only_an_introduction_makes_a_scale(library):
    assert {e.id for e in library.editions.values() if e.scale} == set(SCALES)
    assert {n.edition for n in library.nodes.values() if n.strengths} == set(SCALES)


@pytest.mark.parametrize("edition", SCALES)
def test_every_mark_is_a_form_and_every_sentence_stands_in_the_introduction(library, edition):
    scale = library.editions[edition].scale
    for step in scale.steps:
        home = library.nodes[step.quote.node]
        assert home.kind == "intro" and not home.strengths
        sentence = home.text[step.quote.start : step.quote.end]
        assert sentence and (not step.forms or wording.RANK_SIGNS[step.strength])
        assert set(step.name) == set(reader.LANGUAGES) and (step.forms or set(step.unmarked) == set(reader.LANGUAGES))
        assert not step.loose or set(step.loose) == set(reader.LANGUAGES)
    forms = {form: step.strength for step in scale.steps for form in step.forms}
    assert {form: strength for strength, form in SCALES[edition].items()}.items() <= forms.items()
    marked = [(n, m) for n in library.nodes_of(edition) for m in n.strengths]
    assert len(marked) > 300
    for node, mark in marked:
        assert node.kind not in STANDALONE_KINDS and mark.where == "text"
        assert forms[" ".join(node.text[mark.start : mark.end].split()).lower()] == mark.strength
        assert all(r.end <= mark.start or mark.end <= r.start for r in node.references if r.where == "text")
    for node in library.nodes_of(edition):
        ends = [0, *(m.end for m in node.strengths)]
        assert all(m.start >= end for m, end in zip(node.strengths, ends, strict=False)), "in order, none in another"


@pytest.mark.parametrize(
    "id_, marks",
    [
        ("pl-2007/9/A/3", [("nie wolno", "stronger-prohibition"), ("może", "may"), ("może", "may")]),
        ("pl-2007/6/D/2", []),
        ("pl-2007/9/A/4", []),
        ("pl-2007/9/C", []),
        ("pl-2007/10/A", []),
        ("pl-2007/16/B/2", [("może", "may"), ("powinni", "should")]),
        ("pl-2007/19/A/1", [("może", "may")]),
        ("pl-2007/21/A", []),
        ("pl-2007/93/B/3", [("może", "may")]),
        ("pl-2007/20/D", [("ma dokonywać", "shall")]),
        ("pl-2007/40/B/6/a", [("ma ujawnić", "shall")]),
        ("pl-2007/45/G", [("nie powinien", "should")]),
        ("pl-2007/46/B/3/b", [("musi", "must"), ("musi", "must")]),
        ("pl-2007/48/A", []),
        ("pl-2007/61/A", []),
        ("pl-2007/71", [("powinien", "should")]),
        ("pl-2007/72/B/1", [("nie ma prawa", "strongest-prohibition")]),
        ("pl-2007/75/C", [("powinien", "should"), ("powinien", "should"), ("nie ma prawa", "strongest-prohibition")]),
        ("pl-2007/91/A", []),
        ("pl-2007/def/lewa-deklarowana", []),
        ("sk-2017/7/B/2", [("je hráč povinný", "must")]),
        ("sk-2017/9/A/4", [("nesmie", "strongest-prohibition"), ("Môže", "may")]),
        ("sk-2017/9/B/1/a", [("musí", "shall")]),
        ("sk-2017/9/B/1/c", []),
        ("sk-2017/10/C/2", [("musí", "shall")]),
        ("sk-2017/12/C/1/c", [("môže", "may")]),
        ("sk-2017/40/B/4", []),
        ("sk-2017/40/B/5/a", []),
        ("sk-2017/41/A", [("musí", "shall")]),
        ("sk-2017/45/C/5", []),
        ("sk-2017/48/A", []),
        ("sk-2017/54/C", [("musí", "shall")]),
        ("sk-2017/59", [("môže", "may")]),
        ("sk-2017/20/E", []),
        ("sk-2017/64/C/1", []),
        ("sk-2017/65/D", [("by nemal", "should")]),
        ("sk-2017/86/B/3", [("môže", "may")]),
        ("hr-1997/16", []),
    ],
)
def test_words_are_as_strong_as_their_introduction_has_them(library, id_, marks):
    node = library.nodes[id_]
    assert [(node.text[m.start : m.end], m.strength) for m in node.strengths] == marks


def test_every_strength_is_one_of_some_edition_and_has_a_sign_where_it_is_marked(library, corpus_dir):
    names, problems = read_list(corpus_dir / "vocabulary", STRENGTHS)
    steps = [s for e in library.editions.values() if e.scale for s in e.scale.steps]
    assert not problems and set(names) == {s.strength for s in steps}
    assert set(wording.RANK_SIGNS) == {s.strength for s in steps if s.forms}


# ── faults of the data ────────────────────────────────────────────────────────────────────────────

SOURCE = """\
INTRODUCTION
“May” do (no wrong), “must” do (serious), “must not” is the strongest prohibition.

LAW 1 — ONE

A. Leads
A player may lead, see 2A. It may rain.
B. Plays
He must not play; he must pass.

LAW 2 — TWO

A. Cards
He may bid.

LAW 3 — THREE

He bids.
"""
ROWS = """\
node = "intro"

[[step]]
strength = "may"
sentence = "“May” do (no wrong)"
forms = ["may"]

[[step]]
strength = "must"
sentence = "“must” do (serious)"
forms = ["must"]

[[step]]
strength = "strongest-prohibition"
sentence = "“must not” is the strongest prohibition"
forms = ["must not"]

[[not]]
why = "nobody does it"
words = ["it may rain"]
"""
NAMES = "".join(
    f'{word} = {{pl = "x", sk = "x", hr = "x", en = "x"}}\n' for word in ("may", "must", "strongest-prohibition")
)
PART = "\n[[parts]]\npath = \"intro\"\nstart = '^(?P<heading>INTRODUCTION)$'\n"


def corpus_with(folder: Path, rows: str = ROWS, names: str = NAMES) -> Path:
    corpus = write_edition(folder, SOURCE, PART)
    (corpus / "vocabulary").mkdir()
    (corpus / "vocabulary" / f"{STRENGTHS}.toml").write_text(names, encoding="utf-8")
    (corpus / "editions" / "xx-2030" / FILE).write_text(rows, encoding="utf-8")
    return corpus


def told(corpus: Path) -> list:
    return [p for p in ingest.read_editions(corpus).problems if p.file.endswith((FILE, f"{STRENGTHS}.toml"))]


def test_a_sound_file_marks_the_words(tmp_path):
    result = ingest.read_editions(corpus_with(tmp_path))
    assert not [p for p in result.problems if p.file.endswith(FILE)], result.problems
    nodes = {n.path: n for n in result.readings["xx-2030"].nodes}
    said = {p: [(n.text[m.start : m.end], m.strength) for m in n.strengths] for p, n in nodes.items() if n.strengths}
    assert said == {
        "1/A": [("may", "may")],
        "1/B": [("must not", "strongest-prohibition"), ("must", "must")],
        "2/A": [("may", "may")],
    }
    scale = result.readings["xx-2030"].scale
    assert scale and [s.strength for s in scale.steps] == ["may", "must", "strongest-prohibition"]


@pytest.mark.parametrize(
    "change, says, line",
    [
        (('strength = "must"', 'strength = "ought"'), "“ought” is no strength", 9),
        (('strength = "may"', 'strength = "strongest-prohibition"'), "“must” comes too late", 9),
        (('strength = "must"', 'strength = "may"'), "“may” comes too late", 9),
        (("do (serious)", "do (grave)"), "does not stand in the text of xx-2030/intro", 10),
        (('node = "intro"', 'node = "preface"'), "There is no xx-2030/preface", 1),
        (('["must"]', '["must", "musts"]'), "“musts” is marked in no provision", 11),
        (('["must"]', '["must", "May"]'), "“May” comes again", 11),
        (('forms = ["must"]\n', ""), "neither forms nor a reason", 8),
        (('forms = ["must"]', 'forms = ["must"]\nunmarked = {en = "x"}'), "both forms and a reason", 8),
        (('"it may rain"', '"it may snow"'), "“it may snow” does not stand in any provision", 20),
        (('"it may rain"', '"He bids"'), "“He bids” holds no form", 20),
        (('words = ["it may rain"]', 'words = ["it may rain"]\nnode = "1/C"'), "There is no 1/C", 21),
        (('words = ["it may rain"]', 'words = ["it may rain"]\nnode = "1/B"'), "does not stand in 1/B", 20),
        (('why = "nobody does it"\n', ""), "The key “why” is missing in not", 18),
        (("[[not]]", "[[nor]]"), "Unknown key “nor”", 18),
        (('sentence = "“must” do (serious)"', "sentence = "), "cannot be read", 10),
    ],
)
def test_a_faulty_scale_is_told_with_its_line(change, says, line, tmp_path):
    assert change[0] in ROWS
    found = told(corpus_with(tmp_path, ROWS.replace(*change, 1)))
    assert [(p.line, p.fatal) for p in found if says in p.finding] == [(line, True)], [str(p) for p in found]
    assert all(p.move for p in found)


def test_a_strength_that_a_language_lacks_is_told(tmp_path):
    found = told(corpus_with(tmp_path, names=NAMES.replace('must = {pl = "x", ', "must = {")))
    assert [str(p).startswith(f"vocabulary/{STRENGTHS}.toml:2: must: It is not said in “pl”.") for p in found] == [True]
