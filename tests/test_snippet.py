"""The piece of a provision that a hit shows: it has the ruling, not only what it is about."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from little import node

from corpus.letters import tokenize
from corpus.model import NodeId
from index.answer import SnippetRun
from index.documents import Document, TokenizedText
from index.rank.factors import MarkedWord
from index.snippet import MOST_WIDTH, WIDTH, WIDTH_BELOW, TextBelow, make_snippet, opening_snippet
from tests.budget import examples

IF = frozenset({"jezeli", "gdy", "ak", "ked", "ako", "kada", "if"})
FAR = " ".join(f"dalej{i}" for i in range(WIDTH))


def words(text: str) -> TokenizedText:
    """A text as the index keeps it."""
    return TokenizedText.of(text, [(t.form, t.start, t.end) for t in tokenize(text)])


def marks(text: TokenizedText, *marked: str) -> dict[int, MarkedWord]:
    """The words that answer, by position."""
    return {i: MarkedWord(frozenset((0,)), "the word") for i, form in enumerate(text.forms) if form in marked}


def document(text: str, heading: str = "") -> Document:
    """A provision."""
    id_ = NodeId("aa-2000/1")
    return Document(node(id_, "aa", 2000, "law", heading or None, text), id_, words(heading), words(text))


def items(*labelled: tuple[str, str]) -> list[TextBelow]:
    """What stands under it."""
    return [TextBelow(label, words(text), marks(words(text), "renons", "renonsu", "farby")) for label, text in labelled]


def shown(runs: tuple[SnippetRun, ...]) -> str:
    """As a page shows it, with what is marked in brackets."""
    return "".join(f"[{run.text}]" if run.is_match else run.text for run in runs)


@pytest.mark.parametrize(
    "heading, text, under, expected",
    [
        # A lead-in goes on into what stands under it.
        (
            "",
            "Gdy nastąpiło uprawomocnienie renonsu:",
            [("1.", "lewę przekazuje się."), ("2.", "renons zostaje.")],
            "Gdy nastąpiło uprawomocnienie [renonsu]: 1. lewę przekazuje się. 2. [renons] zostaje.",
        ),
        (
            "",
            "Ak bolo nepriznanie farby dokonané:",
            [("1.", "zdvih sa prevedie."), ("2.", "Potom. A viac farby.")],
            "Ak bolo nepriznanie [farby] dokonané: 1. zdvih sa prevedie. 2. Potom. …",
        ),
        (
            "",
            "Nakon što je renons utvrđen",
            [("1.", "štih se prenosi.")],
            "Nakon što je [renons] utvrđen 1. štih se prenosi.",
        ),
        # A text with an end has said what it says.
        ("", "Renons jest wykroczeniem.", [], "[Renons] jest wykroczeniem."),
        # The heading alone only where nothing is under it.
        ("FAŁSZYWY RENONS", "", [("A.", "Gracz dodaje do koloru.")], "A. Gracz dodaje do koloru."),
        ("FAŁSZYWY RENONS", "", [], "FAŁSZYWY [RENONS]"),
        ("FAŁSZYWY RENONS", "Gracz dodaje do koloru.", [], "Gracz dodaje do koloru."),
        # There is an end to it, and it shows.
        (
            "",
            "Renons:",
            [("1.", "Raz. D" + FAR[1:]), ("2.", "dwa " * (WIDTH_BELOW - 3)), ("3.", "trzy cztery pięć sześć")],
            "[Renons]: 1. Raz. … 2. " + "dwa " * (WIDTH_BELOW - 3) + "…",
        ),
    ],
)
def test_a_hit_shows_the_ruling(heading, text, under, expected):
    doc, wanted = document(text, heading), ("renons", "renonsu", "farby")
    found = make_snippet(doc, marks(doc.heading, *wanted), marks(doc.text, *wanted), items(*under), IF)
    assert re.sub(r"\s+…", " …", shown(found)) == expected


@pytest.mark.parametrize(
    "text, ends",
    [
        # A condition is not parted from what follows from it …
        (f"Jeżeli gracz spasował, {FAR} to musi spasować. Koniec tego.", "to musi spasować. …"),
        (f"Ak hráč pasoval, {FAR} musí pasovať. Koniec toho.", "musí pasovať. …"),
        (f"Ako je igrač pasirao, {FAR} mora pasirati. Kraj toga.", "mora pasirati. …"),
        (f"Pierwsze zdanie. Gdy gracz spasował, {FAR} to musi.", "to musi."),
        # … but for one that goes on and on.
        (f"Jeżeli gracz spasował, {FAR} {FAR} to musi spasować.", f"{FAR} {FAR}".split()[MOST_WIDTH - 4] + "…"),
        # What orders without a condition is cut where it is long.
        (f"Gracz zawsze pasował, {FAR} bo musi spasować.", f"dalej{WIDTH - 4}…"),
        # An abbreviation, a number and a bracket end no sentence.
        (f"Jeżeli gracz spasował, np. raz (p. 3. punkt), {FAR} to musi. Koniec tego.", "to musi. …"),
    ],
)
def test_a_condition_is_shown_with_its_consequence(text, ends):
    doc = document(text)
    assert shown(make_snippet(doc, {}, {}, (), IF)).endswith(ends)


def test_a_window_within_such_a_sentence_begins_where_it_begins():
    text = f"Pierwsze zdanie {FAR}. Jeżeli gracz spasował poza swoją kolejnością wcześniej, to renons zostaje. {FAR}"
    doc = document(text)
    assert shown(make_snippet(doc, {}, marks(doc.text, "renons"), (), IF)).startswith("…Jeżeli gracz")


@pytest.mark.parametrize(
    "id_, has",
    [
        ("pl-2007/64/A", "przekazuje się stronie niewykraczającej"),
        ("sk-2017/64/A", "prevedený v prospech neprevinivšej strany"),
        ("hr-1997/64/A", "prenose se nedužnoj strani"),
        ("sk-2017/27/A", "môže byť prijatá"),
        ("pl-2007/64", "przekazuje się stronie niewykraczającej"),
    ],
)
def test_the_provision_cited_shows_its_ruling(searcher, library, id_, has):
    hit = next(h for h in searcher.search(library.nodes[id_].citation, editions=[NodeId(id_).edition]).hits)
    assert hit.node.id == id_ and has in shown(hit.snippet)


@pytest.mark.parametrize(
    "query, lang", [("uprawomocniony fałszywy renons", "pl"), ("nepriznanie farby", "sk"), ("kaznena karta", "hr")]
)
def test_no_lead_in_stands_alone(searcher, library, query, lang):
    for hit in searcher.search(query, qlang=lang, limit=100).hits:
        if hit.node.children and hit.node.text.rstrip().endswith(":") and not shown(hit.snippet).endswith("…"):
            assert not shown(hit.snippet).endswith(":"), hit.node.id


def test_every_provision_has_a_beginning_that_is_its_own(searcher, library):
    """Its words, those under it and their labels, in this order, and nothing else."""
    for doc in searcher._index.documents:
        text = "".join(run.text for run in opening_snippet(doc, searcher._index))
        own = iter(library.full_text_of(doc.node).split())
        assert text and all(word in own for word in text.replace("…", " ").split()[:-1]), doc.node.id


@settings(max_examples=examples(200))
@given(st.lists(st.sampled_from(["Jeżeli", "gracz", "renons.", "Renons", "(patrz", "3)", "to:"]), max_size=150))
def test_marks_are_the_words_that_answer_wherever_the_window_is(said):
    text = words(" ".join(said))
    doc = Document(
        node(NodeId("aa-2000/1"), "aa", 2000, "law", None, text.printed), NodeId("aa-2000/1"), words(""), text
    )
    found = make_snippet(doc, {}, marks(text, "renons"), (), IF)
    assert all({t.form for t in tokenize(run.text)} == {"renons"} for run in found if run.is_match)
    size = len([t for run in found for t in tokenize(run.text)])
    assert size <= max(MOST_WIDTH, WIDTH) + sum(len(tokenize(run.text)) for run in found if run.is_match)
    assert "".join(run.text for run in found).strip("…") in " ".join(text.printed.split())
