"""A fault of a term is told with its file and line, what was found and the next move; a sound one has none."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from little import little

from corpus.layers import read_layers
from corpus.letters import Alphabet
from corpus.model import Misprint, NodeId
from corpus.term.model import EverydayPlaces, Term
from corpus.term.read import TermTexts, read_terms

NODES = {
    "aa-2007": {"12": "A revoke is a trick lost.", "def/trick": "A trick has four cards.", "14": "the trick of it"},
    "aa-2017": {"12": "A revoke, again.", "12/C": "revoking is bad"},
    "aa-1997": {"12": "nothing"},
}
TRICK = """\
broader = []
[names]
aa = ["trick"]
en = ["trick"]
[defined]
aa-2007 = ["def/trick"]
[none]
aa-2017 = "earlier"
"""
REVOKE = """\
related = ["trick"]
[names]
aa = ["revoke"]
en = ["revoke", "renounce"]
[players]
aa = ["oops"]
[defined]
aa-2007 = ["12"]
[about]
aa-2017 = ["12"]
"""


@pytest.fixture(scope="module")
def texts() -> TermTexts:
    nodes = dict(little(NODES).nodes)
    definition = next(id_ for id_ in nodes if id_.path == "def/trick")
    nodes[definition] = replace(nodes[definition], kind="definition", heading="Trick", parent=None)
    langs = dict.fromkeys(NODES, "aa")
    return TermTexts(nodes, langs, frozenset({"aa-2007", "aa-2017"}), {"aa": {}}, {"aa": Alphabet(endings="s")})


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / "terms").mkdir()
    (tmp_path / "terms" / "trick.toml").write_text(TRICK, encoding="utf-8")
    (tmp_path / "terms" / "revoke.toml").write_text(REVOKE, encoding="utf-8")
    return tmp_path


def test_sound_terms_have_no_fault(folder, texts):
    terms, problems = read_terms(folder, texts)
    assert not problems and list(terms) == ["revoke", "trick"]
    assert terms["revoke"].places("aa-2007") == ("aa-2007/12",) and terms["trick"].name("aa") == "trick"
    assert read_terms(folder / "nowhere", texts) == ({}, [])


@pytest.mark.parametrize(
    "old, new, line, finding",
    [
        ('aa = ["revoke"]', 'aa = ["revoke", "gone"]', 3, "“gone” stands in no text of “aa”."),
        ('aa = ["revoke"]', 'aa = ["revoke", "cards"]', 3, "“cards”: “cards” does not stand in its provisions."),
        ('aa = ["revoke"]', 'aa = ["a", "b", "c", "d", "e", "f"]', 3, "There are 6 names in “aa”."),
        ('aa = ["oops"]', 'aa = ["revoke"]', 6, "“revoke” is said twice in “aa”."),
        ('aa = ["revoke"]', 'aa = ["trick"]', 3, "names “revoke”, too"),
        ('aa-2007 = ["12"]', 'aa-2007 = ["13"]', 8, "aa-2007 has no 13."),
        ('aa-2007 = ["12"]', 'bb-2007 = ["12"]', 8, "There is no edition “bb-2007”."),
        ('aa-2007 = ["12"]', 'aa-2007 = ["12", "def/trick"]', 6, "aa-2007/def/trick defines “revoke”, too."),
        ('[about]\naa-2017 = ["12"]\n', "", 1, "Nothing is said of aa-2017."),
        (
            'aa-2017 = ["12"]',
            'aa-2017 = ["12"]\n[none]\naa-2017 = "later"',
            12,
            "“aa-2017” has provisions and has none.",
        ),
        ('aa-2017 = ["12"]', '[none]\naa-2017 = "lost"', 11, "“none.aa-2017”"),
        ('related = ["trick"]', 'related = ["trump"]', 1, "There is no other concept “trump”."),
        ('related = ["trick"]', 'broader = ["revoke"]', 1, "There is no other concept “revoke”."),
        ('related = ["trick"]', 'kin = ["trick"]', 1, "Unknown key “kin”."),
        (
            'aa-2017 = ["12"]',
            'aa-2017 = ["12"]\n[[everyday]]\nat = "aa-2007/14"\nwords = "a dog"\nreason = "x"',
            13,
            "“a dog”",
        ),
        (
            'aa-2017 = ["12"]',
            'aa-2017 = ["12"]\n[[everyday]]\nat = "aa-2007/99"\nwords = "a"\nreason = "x"',
            12,
            "There is no",
        ),
        (
            'aa-2017 = ["12"]',
            'aa-2017 = ["12"]\n[[apart]]\nterm = "trump"\nwhy = {en = "x"}',
            12,
            "no other concept “trump”",
        ),
        (
            'aa-2017 = ["12"]',
            'aa-2017 = ["12"]\n[[unlike]]\nlang = "aa"\nwords = "a"',
            11,
            "The key “reason” is missing",
        ),
        ("[names]\n", "[names\n", 2, "Not TOML"),
        (
            'aa-2017 = ["12"]',
            'aa-2017 = ["12"]\n[[split]]\nname = "revoke"\nat = "aa-2007/99"\nwords = "a"',
            13,
            "There is no aa-2007/99.",
        ),
    ],
)
def test_a_fault_is_told_with_its_place(folder, texts, old, new, line, finding):
    path = folder / "terms" / "revoke.toml"
    assert REVOKE.count(old) == 1
    path.write_text(REVOKE.replace(old, new), encoding="utf-8")
    _, problems = read_terms(folder, texts)
    found = [(p.file, p.line) for p in problems if finding in p.finding]
    assert found and found[0][0] in ("terms/revoke.toml", "terms/trick.toml"), problems
    assert found[0][1] == line, problems
    assert all(p.move and p.fatal for p in problems)


def test_a_circle_of_broader_terms_and_a_definition_without_a_concept(folder, texts):
    path = folder / "terms" / "trick.toml"
    path.write_text(TRICK.replace("broader = []", 'broader = ["revoke"]'), encoding="utf-8")
    (folder / "terms" / "revoke.toml").write_text(REVOKE.replace("related", "broader"), encoding="utf-8")
    assert {p.finding for p in read_terms(folder, texts)[1]} == {
        "“revoke” is broader than itself.",
        "“trick” is broader than itself.",
    }
    path.unlink()
    (problem,) = [p for p in read_terms(folder, texts)[1] if "def/trick" in p.finding]
    assert problem.finding == "No concept has the definition aa-2007/def/trick (“Trick”)."


def test_a_name_of_two_concepts_needs_a_word_that_tells_them_apart(folder, texts):
    shared = TRICK.replace("broader = []", "").replace('["def/trick"]', '["14"]')
    (folder / "terms" / "ruse.toml").write_text(shared, encoding="utf-8")
    assert [p.finding for p in read_terms(folder, texts)[1]] == ["“trick” names “ruse”, too."] * 2
    told = shared + '[[apart]]\nterm = "trick"\nwhy = {en = "not the cards"}\n'
    (folder / "terms" / "ruse.toml").write_text(told, encoding="utf-8")
    assert not read_terms(folder, texts)[1]


@pytest.mark.parametrize(
    "headword, names, is_name",
    [
        ("Trick", ["trick"], True),
        ("Tricks (of cards)", ["trick"], True),
        ("Cards, four", ["four cards"], True),
        ("Cards, four", ["a trick", "card"], True),
        ("Trick", ["a trick"], False),
        ("Cards, four", ["has four", "a trick"], False),
        ("Cards, four", ["trick"], False),
    ],
)
def test_a_headword_has_all_the_words_of_a_name(folder, texts, headword, names, is_name):
    id_ = NodeId("aa-2007/def/trick")
    headed = replace(texts, nodes={**texts.nodes, id_: replace(texts.nodes[id_], heading=headword)})
    listed = ", ".join(f'"{name}"' for name in names)
    path = folder / "terms" / "trick.toml"
    path.write_text(TRICK.replace('aa = ["trick"]', f"aa = [{listed}]"), encoding="utf-8")
    printed = headword.partition(" (")[0].replace(",", "")
    told = [(p.file, p.line, p.finding) for p in read_terms(folder, headed)[1]]
    fault = ("terms/trick.toml", 3, f"The headword “{printed}” of {id_} is no name.")
    assert told == ([] if is_name else [fault])


def test_places_of_everyday_words_are_found(folder, texts):
    row = '[[everyday]]\nat = "aa-2007/14"\nwords = "the trick of it"\nreason = "a knack"\n'
    (folder / "terms" / "trick.toml").write_text(TRICK + row, encoding="utf-8")
    terms, problems = read_terms(folder, texts)
    (quote,) = EverydayPlaces.of(terms.values(), texts.nodes).quotes["aa-2007/14", "trick"]
    assert not problems and (quote.start, quote.end) == (0, 15)
    assert EverydayPlaces.of([Term(slug="x", names={})], texts.nodes) == EverydayPlaces()


def slip(texts: TermTexts, id_: str, words: str, **more) -> TermTexts:
    """The texts with a misprint of these words of a node."""
    node = texts.nodes[NodeId(id_)]
    start = node.text.index(words)
    its = {"start": start, "end": start + len(words), "where": "text", "kind": "misprint", "sentences": (), "see": ()}
    slips = (Misprint(**(its | {"quotes": ()} | more)),)
    return replace(texts, nodes={**texts.nodes, node.id: replace(node, misprints=slips)})


IN_A_MISPRINT = "stands in a misprint alone, in aa-2017/12/C."


@pytest.mark.parametrize(
    "name, misprint, more, elsewhere, finding",
    [
        ("bad", "bad", {}, "nothing", f"“bad” {IN_A_MISPRINT}"),
        ("is bad", "revoking is", {}, "nothing", f"“is bad” {IN_A_MISPRINT}"),
        ("bad", "ba", {}, "nothing", f"“bad” {IN_A_MISPRINT}"),
        ("bad", "bad", {}, "a bad one", "“bad”: “bad” stands in its provisions in a misprint alone."),
        ("is bad", "revoking", {}, "nothing", None),
        ("bad", "bad", {"kind": "lost"}, "nothing", None),
        ("bad", "bad", {"where": "heading"}, "nothing", None),
    ],
)
def test_a_misprint_proves_no_name(folder, texts, name, misprint, more, elsewhere, finding):
    other = NodeId("aa-1997/12")
    texts = replace(texts, nodes={**texts.nodes, other: replace(texts.nodes[other], text=elsewhere)})
    path = folder / "terms" / "revoke.toml"
    path.write_text(REVOKE.replace('["revoke"]', f'["revoke", "{name}"]'), encoding="utf-8")
    assert not read_terms(folder, texts)[1] or not finding
    told = [(p.file, p.line, p.finding) for p in read_terms(folder, slip(texts, "aa-2017/12/C", misprint, **more))[1]]
    assert told == ([("terms/revoke.toml", 3, finding)] if finding else [])


def test_a_name_that_stands_soundly_too_and_a_wording_may_stand_in_a_misprint(folder, texts):
    assert not read_terms(folder, slip(texts, "aa-2007/12", "revoke"))[1]
    path = folder / "terms" / "revoke.toml"
    path.write_text(REVOKE.replace("[players]", '[wordings]\naa = ["bad"]\n[players]'), encoding="utf-8")
    assert not read_terms(folder, slip(texts, "aa-2017/12/C", "bad"))[1]


@pytest.mark.parametrize(
    "name, words, misprint, finding",
    [
        ("lost revoke", "revoke is a trick lost", "A ", None),
        ("lost revoke", "revoke is a trick lost", "trick", "“revoke is a trick lost” is a misprint in aa-2007/12."),
        ("lost revoke", "revoke is a trick", "A ", "“revoke is a trick” has not all the words of “lost revoke”."),
        ("lost", "revoke is a trick lost", "A ", "“lost” stands side by side."),
        (
            "a revoke lost",
            "A revoke is a trick lost.",
            "A ",
            "“A revoke is a trick lost.” is a misprint in aa-2007/12.",
        ),
    ],
)
def test_the_words_of_a_name_may_stand_apart_at_a_place_that_is_named(folder, texts, name, words, misprint, finding):
    row = f'[[split]]\nname = "{name}"\nat = "aa-2007/12"\nwords = "{words}"\n'
    path = folder / "terms" / "revoke.toml"
    path.write_text(REVOKE.replace('["revoke"]', f'["revoke", "{name}"]') + row, encoding="utf-8")
    told = [(p.file, p.finding) for p in read_terms(folder, slip(texts, "aa-2007/12", misprint))[1]]
    assert told == ([("terms/revoke.toml", finding)] if finding else [])
    path.write_text(REVOKE + row, encoding="utf-8")
    assert [(p.line, p.finding) for p in read_terms(folder, texts)[1]] == [(12, f"“{name}” is no name in “aa”.")]


def test_words_of_a_name_that_stand_far_apart_prove_nothing(folder, texts):
    row = '[[split]]\nname = "a lost"\nat = "aa-2007/12"\nwords = "A revoke is, not a trick, nor two, lost"\n'
    id_ = NodeId("aa-2007/12")
    node = replace(texts.nodes[id_], text="A revoke is, not a trick, nor two, lost")
    path = folder / "terms" / "revoke.toml"
    path.write_text(REVOKE.replace('["revoke"]', '["revoke", "a lost"]') + row, encoding="utf-8")
    (problem,) = read_terms(folder, replace(texts, nodes={**texts.nodes, id_: node}))[1]
    assert problem.finding.endswith("is more than 3 words longer than the name.") and problem.line == 14


def test_the_misprints_of_the_editions_are_known_when_the_terms_are_read(ingest, corpus_dir, tmp_path):
    for name in ("editions", "languages", "terms", "words"):
        shutil.copytree(corpus_dir / name, tmp_path / name)
    term, name = tmp_path / "terms" / "comparable-call.toml", "porovnateľná ponuka"
    moved = term.read_text(encoding="utf-8").replace(f'[wordings]\nsk = ["{name}"]\n', "")
    term.write_text(moved.replace('["porovnateľná hláška"]', f'["porovnateľná hláška", "{name}"]'), encoding="utf-8")
    before = replace(ingest, problems=[])
    (problem,) = read_layers(before, tmp_path, ("terms",)).problems
    assert str(problem).startswith(
        f"terms/{term.name}:5: “{name}” stands in a misprint alone, in sk-2017/27/B/1/b. Write"
    )
