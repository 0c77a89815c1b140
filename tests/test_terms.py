"""The terms of the laws as they are written: enough of them, in every language, and what the editions print beside."""

from __future__ import annotations

import re

import pytest

from app.site import reader
from corpus.letters import fold
from corpus.model import NodeId
from corpus.term.model import MAX_VARIANTS, Term, search_terms


@pytest.fixture(scope="session")
def complete(library):
    return [e for e in library.law_editions if e.complete]


def test_no_fault_is_found_in_them(ingest):
    """Names stand in texts and in what defines them, every definition has one concept, homonyms are told apart."""
    assert not [p for p in ingest.problems if p.file.startswith("terms") and p.fatal]


def test_there_are_enough_and_each_says_something_of_every_edition(library, complete):
    assert len(library.terms) >= 170
    for term in library.terms.values():
        assert all(term.is_known_in(e.id) for e in complete), term.slug
        assert all(len(names) <= MAX_VARIANTS + 1 for names in term.names.values()), term.slug
        assert term.name("en"), f"{term.slug}: English is the thread"


def test_every_definition_belongs_to_one_concept(library):
    owners: dict[NodeId, list[str]] = {}
    for term in library.terms.values():
        for edition in term.defined:
            for id_ in term.meaning(edition):
                owners.setdefault(id_, []).append(term.slug)
    definitions = [n.id for n in library.nodes.values() if n.kind == "definition"]
    assert len(definitions) > 150 and all(len(owners.get(id_, ())) == 1 for id_ in definitions)


def test_the_english_beside_a_definition_is_a_name_of_its_concept(library):
    """What the Slovak and Croatian books print in brackets is the thread through the languages."""
    seen = 0
    for node in library.nodes.values():
        if node.kind != "definition" or not node.aside or node.aside[:1].islower():
            continue  # “see also …” is no name
        seen += 1
        names = library.terms_by_definition[node.id].names["en"]
        printed = (node.aside, *node.aside.split(","))
        assert any(plain(x) == plain(n) or words(x) < words(n) for x in printed for n in names), (node.id, node.aside)
    assert seen > 100


def words(name: str) -> set[str]:
    """The words of a name: “Play” stands for the play of a card and for that of all of them."""
    return {word.removesuffix("s") for word in re.findall(r"\w+", name.casefold())}


def plain(name: str) -> str:
    """A name without what prints differ in: blanks, hyphens, the plural."""
    return re.sub(r"[\s-]", "", name.casefold()).removesuffix("s")


@pytest.mark.parametrize("lang", reader.LANGUAGES)
def test_a_term_is_asked_for_by_its_name_in_any_letters(library, lang):
    for term in library.terms.values():
        for name in term.names.get(lang, ()):
            found = search_terms(library.terms, name.upper())
            exact = [t for t in found if fold(name) in {fold(n) for names in t.names.values() for n in names}]
            assert term in exact and list(found[: len(exact)]) == exact, name


def test_what_is_nearer_comes_first_whatever_it_is_called():
    """The nearest has the last slug."""
    terms = [
        Term(slug="d", names={"en": ("Hand",)}),
        Term(slug="c", names={"en": ("cards",)}, wordings={"pl": ("hand",)}),
        Term(slug="b", names={"en": ("hand of a player",)}),
        Term(slug="a", names={"en": ("a hand",)}),
    ]
    assert [t.slug for t in search_terms({t.slug: t for t in terms}, "hand")] == ["d", "c", "b", "a"]


@pytest.mark.parametrize(
    "words, found",
    [
        ("", ["claim", "odd", "revoke"]),
        ("renons", ["revoke"]),
        ("RENONS", ["revoke"]),
        ("fałszywy", ["revoke"]),
        ("klejm", ["claim"]),
        ("  revoke ", ["revoke"]),
        ("e", ["revoke"]),
        ("claims", []),
    ],
)
def test_terms_are_asked_for_by_names_and_what_is_said_for_them(words, found):
    terms = {
        "claim": Term(slug="claim", names={"sk": ("nárok",)}, players={"pl": ("klejm",)}),
        "odd": Term(slug="odd", names={"sk": ("ďalší",)}),
        "revoke": Term(slug="revoke", names={"pl": ("fałszywy renons",), "hr": ("renons",), "en": ("revoke",)}),
    }
    assert [t.slug for t in search_terms(terms, words)] == found
