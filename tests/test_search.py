"""The search: what a query is understood as, what it finds and what a hit shows."""

from __future__ import annotations

import html
import re
from types import SimpleNamespace

import pytest
from vocabulary import concepts, indexed, lexicons, marked, parser  # noqa: F401

from app.api.objects import answer_object as answer_json
from index.answer import SnippetRun
from index.lexicon import Lexicon
from index.query.citation import Footnotes
from index.rank.factors import MarkedWord
from index.snippet import WIDTH, make_snippet


def test_every_path_of_every_edition_is_found_by_its_citation(searcher, library):
    for node in library.nodes.values():
        if node.kind in ("law", "section", "subsection", "clause", "subclause", "footnote"):
            first = searcher.search(node.citation, editions=[node.edition]).hits[:1]
            assert first and first[0].node.id == node.id, node.citation


def test_a_number_is_never_corrected(searcher):
    answer = searcher.search("99Z9")
    assert answer.paths == ("99/Z/9",) and not answer.confident


def test_an_edition_without_the_law_is_said_and_the_others_are_offered(searcher):
    answer = searcher.search("27B pl-1997")
    assert not answer.confident and answer.hits[0].node.path == "27/B"


def test_snippets_are_escaped_pieces_of_the_provision(searcher, library):
    seen = 0
    for query in ("fałszywy renons", "nepriznanie farby", "kaznena karta", "bez"):
        for row in answer_json(searcher.search(query, limit=50))["results"]:
            node = library.nodes[row["id"]]
            plain = html.unescape(re.sub(r"</?mark>", "", row["snippet"])).strip("…").strip()
            words = (
                " ".join(node.text.split())
                + " "
                + (node.heading or "")
                + " "
                + " ".join(library.full_text_of(node).split())
            )
            assert plain.strip("… ")[:80] in words or not node.text, row
            assert "<" not in re.sub(r"</?mark>", "", row["snippet"])
            seen += 1
    assert seen > 50


def test_a_hit_names_its_counterparts(searcher):
    first = searcher.search("nepriznanie farby v dvanástom zdvihu", langs=["sk"]).hits[0]
    assert {c.edition for c in first.counterparts} >= {"pl-2007", "hr-1997"}


def test_one_provision_is_one_hit(searcher, library):
    hits = searcher.search("simultani govori", qlang="hr").hits
    ids = [hit.node.id for hit in hits]
    first = {
        c
        for c in hits[0].counterparts
        if any(c == k.id for v in library.relations.counterparts_of(ids[0]).values() for k in v if k.relation == "same")
    }
    assert not first.intersection(ids)


def test_filters(searcher):
    for filters, holds in (
        ({"langs": ["pl"]}, lambda n: n.lang == "pl"),
        ({"editions": ["hr-1997"]}, lambda n: n.edition == "hr-1997"),
        ({"kinds": ["definition"]}, lambda n: n.path.startswith("def/")),
    ):
        hits = searcher.search("kontra", **filters).hits
        assert hits and all(holds(hit.node) for hit in hits)


def test_pages_of_results_do_not_overlap(searcher):
    whole = [hit.node.id for hit in searcher.search("karta", limit=40).hits]
    parts = [
        hit.node.id for offset in (0, 10, 20, 30) for hit in searcher.search("karta", limit=10, offset=offset).hits
    ]
    assert whole == parts and len(set(whole)) == len(whole)


@pytest.mark.parametrize("hint", ["en", "pl", "sk", "hr"])
@pytest.mark.parametrize("query", ["BIT", "bit"])
def test_what_is_a_name_in_one_language_is_no_word_to_skip_of_another(searcher, query, hint):
    assert {hit.node.id.law for hit in searcher.search(query, qlang=hint, limit=5).hits} & {"16", "73"}
    assert not marked(searcher.search(query, qlang=hint, limit=200)) & {"bit", "bile", "jeste", "b"}


@pytest.mark.parametrize("first, last", [(WIDTH - 1, WIDTH), (WIDTH - 3, WIDTH + 2)])
def test_a_mark_is_not_cut_in_two(searcher, first, last):
    doc = next(d for d in searcher._index.documents if len(d.text.forms) > 100)
    wanted = doc.text.printed[doc.text.offsets[first][0] : doc.text.offsets[last][1]]
    # The window begins at the beginning for the first word, and ends within the second mark.
    piece = make_snippet(doc, {}, dict.fromkeys((3, *range(first, last + 1)), MarkedWord(frozenset((0,)), "the word")))
    assert SnippetRun(" ".join(wanted.split()), ("the word",)) in piece


def test_operators(searcher):
    has = lambda q: {hit.node.id for hit in searcher.search(q, langs=["pl"], limit=100).hits}
    assert has("roszczenie -zrzeczenie") < has("roszczenie zrzeczenie")
    assert has("roszczenie AND odwołanie") <= has("roszczenie odwołanie")
    assert "pl-2007/33" in has("jednoczesne OR równoczesne")


@pytest.mark.parametrize(
    "query, lang, required",
    [
        ("karta AJ zdvih", "sk", ["karta", "zdvih"]),
        ("karta A zdvih", "sk", []),  # a capital letter alone is a label sooner
        ("karta a zdvih", "sk", []),
        ("lewa ORAZ karta", "pl", ["lewa", "karta"]),
        ("lewa I karta", "pl", []),
        ("karta I štih", "hr", []),
        ("karta TE štih", "hr", ["karta", "štih"]),
        ("revoke AND claim", "en", ["revoke", "claim"]),
        ("revoke AND claim trick", "en", ["revoke", "claim"]),
        ("AND revoke claim", "en", []),
        ("REVOKE AND CLAIM", "en", []),
    ],
)
def test_a_capital_and_between_words_requires_both_a_letter_alone_requires_nothing(parser, query, lang, required):
    assert [u.typed.lower() for u in parser.parse(query, lang).units if u.required] == required


@pytest.mark.parametrize(
    "query, excluded",
    [("revoke NOT dummy trick", ["dummy"]), ("revoke -dummy trick", ["dummy"]), ("revoke dummy trick", [])],
)
def test_a_not_denies_the_word_after_it_alone(parser, query, excluded):
    assert [u.typed for u in parser.parse(query, "en").excluded] == excluded


@pytest.mark.parametrize(
    "query, lang, left",
    [
        ("co to jest lewa", "pl", ["lewa"]),
        ("lewa co to jest?", "pl", ["lewa"]),
        ("LEWA CO TO", "pl", ["lewa"]),
        ("nepriznanie farby definícia", "sk", ["nepriznanie", "farby"]),
        ("štih što je to", "hr", ["štih"]),
        ("revoke what is", "en", ["revoke"]),
        ("revoke what is it", "en", None),  # the words stand inside
        ("revoke meanings", "en", None),
    ],
)
def test_the_words_that_ask_for_a_meaning_stand_first_or_last(parser, query, lang, left):
    asked = parser.parse(query, lang)
    assert asked.define == (left is not None) and (left is None or [u.typed for u in asked.units] == left)


def test_quoted_words_stand_side_by_side(searcher, library):
    hits = searcher.search('"bez przerwy na namysł"', langs=["pl"]).hits
    assert hits and all("bez przerwy na namysł" in " ".join(hit.node.text.split()) for hit in hits)


@pytest.mark.parametrize("query", ['"2♦"', '"♠"', '"K.O."', '"N otworzył 1BA"'])
def test_signs_in_a_quotation_are_those_of_the_text(searcher, library, query):
    answer = searcher.search(query)
    assert answer.confident and answer.hits
    for node in (hit.node for hit in answer.hits):
        assert query.strip('"') in f"{node.heading or ''} {' '.join(node.text.split())}"


@pytest.mark.parametrize("query, hint", [("hesitation", "pl"), ("fałszywy renons", "sk"), ("nepriznanie farby", "hr")])
def test_the_language_of_the_reader_filters_nothing(searcher, library, query, hint):
    """It says in which edition a provision, or what stands around it, is shown."""
    every, hinted = (searcher.search(query, qlang=lang, limit=200).hits for lang in (None, hint))
    editions = {hit.node.edition for hit in every}
    there = {hit.node.id for hit in hinted}
    there |= {c.id for hit in hinted for e in editions for c in library.relations.nearest_counterparts(hit.node.id, e)}
    assert len(every) > 40 and there.issuperset(hit.node.id for hit in every)


def test_a_typing_error_is_named(searcher):
    assert searcher.search("niewystraczająca odzywka", langs=["pl"]).suggestion == "niewystarczająca odzywka"


@pytest.mark.parametrize(
    "numbers, of_law, paths",
    [
        ([7], False, ["fn/7"]),
        ([7], True, ["7/fn/1", "fn/9"]),
        ([50], True, ["50/fn/1"]),
        ([50], False, ["50/fn/1"]),
        ([9], True, ["fn/9"]),
        ([8], False, ["fn/8"]),
        ([50, 1], False, ["50/fn/1"]),
        ([1, 50], False, ["50/fn/1"]),
        ([1, 2, 3], False, [None]),
    ],
)
def test_a_footnote_is_that_of_the_book_unless_the_law_is_named(numbers, of_law, paths):
    """Note 7 of the book exists, and law 7 has two footnotes; no note 50 exists, and law 50 has one."""
    marked = {"7/A": ["7/fn/1", "fn/9"], "50": ["50/fn/1"]}
    nodes = [
        SimpleNamespace(lang="xx", path=path, marks=[SimpleNamespace(target=f"xx-2030/{to}") for to in targets])
        for path, targets in marked.items()
    ]
    library = SimpleNamespace(nodes=dict(enumerate(nodes)))
    known = {"7", "7/A", "50", "fn/7", "fn/9", "7/fn/1", "50/fn/1"}
    assert Footnotes(library, known).find_paths(numbers, of_law, "xx") == paths


def test_of_words_that_are_equally_near_the_commoner_is_proposed(indexed):
    language = indexed["pl"].language
    for counts in ({"renons": 5, "renont": 1}, {"renons": 1, "renont": 5}):
        near = Lexicon(language, {}, counts).nearest_forms("renonk")
        assert near[0] == (max(counts, key=counts.get), 1) and len(near) == 2
