"""A fault of a term is told with its file and line, what was found and the next move; a sound one has none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from little import little

from corpus.alphabet import Alphabet
from corpus.model import NodeId
from corpus.term.everyday import Places
from corpus.term.model import Term
from corpus.term.proof import Texts
from corpus.term.read import read

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
def texts() -> Texts:
    nodes = dict(little(NODES).nodes)
    definition = next(id_ for id_ in nodes if id_.path == "def/trick")
    nodes[definition] = replace(nodes[definition], kind="definition", heading="Trick", parent=None)
    langs = dict.fromkeys(NODES, "aa")
    return Texts(nodes, langs, frozenset({"aa-2007", "aa-2017"}), {"aa": {}}, {"aa": Alphabet(endings="s")})


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / "terms").mkdir()
    (tmp_path / "terms" / "trick.toml").write_text(TRICK, encoding="utf-8")
    (tmp_path / "terms" / "revoke.toml").write_text(REVOKE, encoding="utf-8")
    return tmp_path


def test_sound_terms_have_no_fault(folder, texts):
    terms, problems = read(folder, texts)
    assert not problems and list(terms) == ["revoke", "trick"]
    assert terms["revoke"].places("aa-2007") == ("aa-2007/12",) and terms["trick"].name("aa") == "trick"
    assert read(folder / "nowhere", texts) == ({}, [])


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
    ],
)
def test_a_fault_is_told_with_its_place(folder, texts, old, new, line, finding):
    path = folder / "terms" / "revoke.toml"
    assert REVOKE.count(old) == 1
    path.write_text(REVOKE.replace(old, new), encoding="utf-8")
    _, problems = read(folder, texts)
    found = [(p.file, p.line) for p in problems if finding in p.finding]
    assert found and found[0][0] in ("terms/revoke.toml", "terms/trick.toml"), problems
    assert found[0][1] == line, problems
    assert all(p.move and p.fatal for p in problems)


def test_a_circle_of_broader_terms_and_a_definition_without_a_concept(folder, texts):
    path = folder / "terms" / "trick.toml"
    path.write_text(TRICK.replace("broader = []", 'broader = ["revoke"]'), encoding="utf-8")
    (folder / "terms" / "revoke.toml").write_text(REVOKE.replace("related", "broader"), encoding="utf-8")
    assert {p.finding for p in read(folder, texts)[1]} == {
        "“revoke” is broader than itself.",
        "“trick” is broader than itself.",
    }
    path.unlink()
    (problem,) = [p for p in read(folder, texts)[1] if "def/trick" in p.finding]
    assert problem.finding == "No concept has the definition aa-2007/def/trick (“Trick”)."


def test_a_name_of_two_concepts_needs_a_word_that_tells_them_apart(folder, texts):
    shared = TRICK.replace("broader = []", "").replace('["def/trick"]', '["14"]')
    (folder / "terms" / "ruse.toml").write_text(shared, encoding="utf-8")
    assert [p.finding for p in read(folder, texts)[1]] == ["“trick” names “ruse”, too."] * 2
    told = shared + '[[apart]]\nterm = "trick"\nwhy = {en = "not the cards"}\n'
    (folder / "terms" / "ruse.toml").write_text(told, encoding="utf-8")
    assert not read(folder, texts)[1]


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
    told = [(p.file, p.line, p.finding) for p in read(folder, headed)[1]]
    fault = ("terms/trick.toml", 3, f"The headword “{printed}” of {id_} is no name.")
    assert told == ([] if is_name else [fault])


def test_places_of_everyday_words_are_found(folder, texts):
    row = '[[everyday]]\nat = "aa-2007/14"\nwords = "the trick of it"\nreason = "a knack"\n'
    (folder / "terms" / "trick.toml").write_text(TRICK + row, encoding="utf-8")
    terms, problems = read(folder, texts)
    (quote,) = Places.of(terms.values(), texts.nodes).quotes["aa-2007/14", "trick"]
    assert not problems and (quote.start, quote.end) == (0, 15)
    assert Places.of([Term(slug="x", names={})], texts.nodes) == Places()
