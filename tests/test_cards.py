"""One card for each law, in the edition that its reader reads first."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from invented import invented, lists  # noqa: F401
from little import identity

from corpus import files
from corpus.model import NodeId
from index.rank.rank import home_edition
from index.weights import WEIGHTS
from scripts import evaluate

CASES = Path(__file__).parent / "cases" / "queries"


def decided(library) -> set[NodeId]:
    """Every provision of decisions."""
    return {n.id for n in library.nodes.values() if library.editions[n.edition].is_decisions}


@pytest.fixture(scope="module")
def english() -> list[str]:
    """Questions in English that the laws answer, and the names of things that the newest code has."""
    every = (*evaluate.read_queries(CASES / "queries.tsv"), *evaluate.read_queries(CASES / "fresh.tsv"))
    things = [row for _, row in files.read_tsv(CASES / "concepts.tsv", "concepts.tsv").rows if row["sk-2017"]]
    return [*(q.query for q in every if q.lang == "en" and q.kind != "nothing"), *(row["en"] for row in things)]


def test_who_has_no_text_in_his_language_sees_the_newest_first(searcher, library, english):
    assert len(english) > 60
    newest = max((e for e in library.law_editions if e.complete), key=lambda e: e.sort_key)
    first = {q: next(iter(searcher.search(q, qlang="en").cards), None) for q in english}
    assert not {q: card for q, card in first.items() if card is None or card.law.edition != newest.id}


@pytest.mark.parametrize("lang, edition", [("pl", "pl-2007"), ("sk", "sk-2017"), ("hr", "hr-1997"), ("en", "sk-2017")])
@pytest.mark.parametrize(
    "query", ["27", "claim", "revoke", "renons", "alert", "what changed in 27", "insufficient bid"]
)
def test_every_hit_is_on_one_card_and_cards_stand_in_the_order_of_their_best(searcher, library, query, lang, edition):
    answer = searcher.search(query, qlang=lang, limit=40)
    hits = [hit.node.id for hit in answer.hits]
    assert sorted(h for card in answer.cards for h in card.hits) == sorted(hits)
    assert len({card.law for card in answer.cards}) == len(answer.cards)
    best = [min(map(hits.index, card.hits)) for card in answer.cards]
    assert best == sorted(best)
    assert {card.law for card in answer.cards} == {
        library.page_node_of(library.nodes[card.law]).id for card in answer.cards
    }
    assert answer.cards[0].law.edition == edition
    for card in answer.cards:
        texts = [id_.edition == card.law.edition for id_ in card.hits if id_ not in decided(library)]
        assert texts == sorted(texts, reverse=True), "what is read first stands first"


def test_the_edition_read_first_is_whole_and_in_the_readers_language_else_the_newest():
    old, new, own, part, ruled = (
        identity("xa-2007", "xa", 2007, complete=True),
        identity("xa-2017", "xa", 2017, complete=True),
        identity("xb-1997", "xb", 1997, complete=True),
        identity("xc-2018", "xc", 2018, complete=False),
        identity("xd-2018", "xd", 2018, complete=True, modifies="2017"),
    )
    every = [old, new, own, part, ruled]
    assert [home_edition(every, lang) for lang in ("xa", "xb", "xc", "xd", None)] == [new, own, new, new, new]
    assert home_edition([part, ruled], "xc") is None and home_edition([], "xa") is None


def test_who_reads_another_edition_first_gets_the_provision_there(invented):
    """As good as where it was found."""
    texts = {"new/1": ("", "card"), "new/2": ("", "hand"), "other/2": ("", "karta")}
    searcher = invented.search(texts, [("new/2", "other/2")])
    assert [h.node.id for h in searcher.search("hand", qlang="xa").hits] == ["new/2"]
    for query in ("hand -card", '"hand"'):
        assert "other/2" not in {h.node.id for h in searcher.search(query, qlang="xb").hits}
    (first, *_) = searcher.search("hand", qlang="xb").hits
    assert first.node.id == "other/2" and [f.name for f in first.factors] == ["other editions"]
    assert "other/2" not in {h.node.id for h in searcher.search("hand", qlang="xb", editions=["new"]).hits}


@pytest.mark.parametrize(
    "lang, raised",
    [
        ("xa", []),  # who reads both is answered by “old/1/A” alone
        ("xb", ["new/1"]),  # who has no text in his language is led to what stands nearest
    ],
)
def test_what_stands_around_a_counterpart_is_raised_for_none_but_who_has_no_text_in_his_language(
    invented, lang, raised
):
    texts = {"new/1": ("", "card"), "old/1": ("", "stone"), "old/1/A": ("", "hand")}
    weights = replace(WEIGHTS, around=0.0, around_cover=0.0, told_law=0.0)
    searcher = invented.search(texts, [("old/1", "new/1")], weights=weights)
    hits = searcher.search("hand", qlang=lang, editions=["old", "new"]).hits
    assert [h.node.id for h in hits if h.score] == [*raised, "old/1/A"]


@pytest.mark.parametrize("query", ["zachowanie przy stole decyzja PZBS", "decyzja do 12C"])
def test_decisions_are_on_the_card_of_the_law_that_they_are_about(searcher, library, query):
    """In the edition that is read first, where that has it."""
    seen = 0
    for card in searcher.search(query, qlang="pl", limit=40).cards:
        for ruling in (library.rulings_by_point[hit] for hit in card.hits if hit in library.rulings_by_point):
            about = [NodeId.of("sk-2017", path) for path in ruling.provisions]
            near = [c.id.law for id_ in about for c in library.relations.nearest_counterparts(id_, "pl-2007")]
            if near:
                assert card.law.edition == "pl-2007" and card.law.law in near, ruling.id
                seen += 1
    assert seen
