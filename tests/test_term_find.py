"""Where terms stand in a provision: a table of cases, some of which expect nothing; what holds for every edition."""

from __future__ import annotations

from dataclasses import replace

import pytest
from little import little

from corpus.letters import Alphabet, tokenize
from corpus.model import NodeId, Quote, Reference, Table
from corpus.term.model import EverydayPlaces, LanguageForms, NameIndex, Term, UnlikeWords
from corpus.term.read import TITLED_KINDS, TermMarker

EDITION = "aa-2017"
FORMS = {form: (lemma,) for lemma in ("card", "trick") for form in (lemma, f"{lemma}s")} | {
    "penalty": ("penalty",),
    "penalties": ("penalty",),
}
SPOKEN = LanguageForms(FORMS, Alphabet(endings="s"))
TERMS = (
    Term(slug="card", names={"aa": ("card",)}, defined={EDITION: ("def/card",)}),
    Term(slug="penalty", names={"aa": ("penalty",)}, defined={EDITION: ("def/penalty",)}),
    Term(slug="penalty-card", names={"aa": ("penalty card",)}, defined={EDITION: ("50/B",)}),
    Term(
        slug="trick",
        names={"aa": ("trick",)},
        defined={EDITION: ("def/trick",)},
        unlike=(UnlikeWords(lang="aa", words="dirty trick", reason="conduct"),),
    ),
    Term(slug="claim", names={"aa": ("claim",)}, about={EDITION: ("68",)}),
    Term(slug="elsewhere", names={"aa": ("contract",)}, defined={"bb-2017": ("def/contract",)}),
)


def marks(text: str, path: str = "12/C", heading: str | None = None, kind: str = "section", **more) -> list[str]:
    """What is marked in a provision, as “words → concept”, in the order of its marks."""
    node = replace(
        little({"aa-2017": {path: text}}).nodes[NodeId.of(EDITION, path)], heading=heading, kind=kind, **more
    )
    at = text.find("wild card")
    places = EverydayPlaces({(node.id, "card"): (Quote(node.id, "text", at, at + 9),)} if at >= 0 else {})
    marked = TermMarker.of(EDITION, "aa", SPOKEN, TERMS, places).mark(node)
    return [f"{node.words_of_span(m)} → {m.concept}" for m in marked.terms]


@pytest.mark.parametrize(
    "text, found",
    [
        ("The card is led.", ["card → card"]),
        ("Two cards are led.", ["cards → card"]),
        ("A card, then a card.", ["card → card"]),
        ("A penalty card.", ["penalty card → penalty-card"]),
        ("Cards of penalties.", ["Cards → card", "penalties → penalty"]),
        ("A penalty; card.", ["penalty → penalty", "card → card"]),
        ("A penalty card and a card.", ["penalty card → penalty-card", "card → card"]),
        ("He wins the trick.", ["trick → trick"]),
        ("A dirty trick.", []),
        ("A dirty trick, then a trick.", ["trick → trick"]),
        ("A wild card.", []),
        ("A wild card and a card.", ["card → card"]),
        ("A claim.", []),
        ("A contract.", []),
        ("discarding cardinals", []),
        ("", []),
    ],
)
def test_the_first_use_of_a_term_is_marked(text, found):
    assert marks(text) == found


def test_a_heading_is_read_first_and_a_title_is_no_use():
    assert marks("The card of a trick.", heading="Cards") == ["Cards → card", "trick → trick"]
    assert marks("The card.", "12", heading="Cards", kind="law") == ["card → card"]


def test_what_gives_the_meaning_is_not_marked_with_it():
    assert marks("A card is a card of a trick.", "def/card", kind="definition") == ["trick → trick"]
    assert marks("A penalty card is a card.", "50/B") == ["card → card"]
    assert marks("A penalty card is a card.", "50/B/1") == ["card → card"]


@pytest.mark.parametrize(
    "where, end, found", [("heading", 6, ["Cards → card"]), ("text", 5, ["card → card"]), ("text", 14, ["card → card"])]
)
def test_a_place_of_the_heading_says_nothing_of_the_text(where, end, found):
    node = replace(little({EDITION: {"12/C": "Cards are led."}}).nodes[NodeId.of(EDITION, "12/C")], heading="A card")
    places = EverydayPlaces({(node.id, "card"): (Quote(node.id, where, 0, end),)})
    marked = TermMarker.of(EDITION, "aa", SPOKEN, TERMS, places).mark(node)
    assert [f"{node.words_in(m.where)[m.start : m.end]} → {m.concept}" for m in marked.terms] == found


@pytest.mark.parametrize(
    "name, text, stands",
    [
        ("penalty card", "Cards, penalties.", False),
        ("penalty card", "The card penalty.", True),
        ("card to card", "Card to cards.", True),
        ("card to card", "A trick to card.", False),
        ("cards card", "A penalty card.", False),
        ("cards card", "A card.", False),
    ],
)
def test_each_word_of_a_name_is_a_word_of_the_text_of_its_own(name, text, stands):
    assert [m.meant for m in NameIndex(SPOKEN, [(name, "it")]).find(tokenize(text))] == ["it"] * stands


def test_nothing_is_marked_in_a_reference_or_a_table_or_a_preface():
    text = "See the card of 12; a card."
    reference = Reference(4, 18, "text", text[4:18], "absolute", ())
    assert marks(text, references=(reference,)) == ["card → card"]
    table = Table(None, (("card",),), 0, 4)
    assert marks("card\n\nA trick.", tables=(table,)) == ["trick → trick"]
    assert marks("A card.", kind="preface") == []


def test_in_every_edition_marks_are_what_they_are_said_to_be(library):
    seen = 0
    for node in library.nodes.values():
        taken: set[tuple[str, int]] = set()
        assert len({m.concept for m in node.terms}) == len(node.terms), node.id
        for mark in node.terms:
            term, words = library.terms[mark.concept], node.words_in(mark.where)
            meaning = term.meaning(node.edition)
            assert meaning and not any(id_.contains(node.id) for id_ in meaning), (node.id, mark)
            assert mark.where == "text" or node.kind not in TITLED_KINDS
            assert (
                0 <= mark.start < mark.end <= len(words)
                and words[mark.start : mark.end].strip() == words[mark.start : mark.end]
            )
            here = {(mark.where, i) for i in range(mark.start, mark.end)}
            in_references = {(r.where, i) for r in node.references for i in range(r.start, r.end)}
            assert not here & (taken | in_references), (node.id, mark)
            taken |= here
            seen += 1
    assert seen > 5_000


def test_a_name_that_no_list_knows_is_found_by_its_stem():
    spoken = LanguageForms({}, Alphabet(endings="ayou"))
    terms = (Term(slug="lewa", names={"aa": ("lewa",)}, defined={EDITION: ("def/lewa",)}),)
    node = little({"aa-2017": {"12": "Bierze lewy."}}).nodes[NodeId.of(EDITION, "12")]
    assert [m.concept for m in TermMarker.of(EDITION, "aa", spoken, terms, EverydayPlaces()).mark(node).terms] == [
        "lewa"
    ]
