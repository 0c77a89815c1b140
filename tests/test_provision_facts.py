"""The facts that decide for a provision, and what a query that states one of them makes of its hits."""

from __future__ import annotations

from dataclasses import replace

import pytest
from invented import invented, lists  # noqa: F401

from corpus.files import LocalizedText
from corpus.model import NodeId, Quote
from corpus.situation.fact import FactPhrases
from corpus.situation.model import Answer, Ask, DecisionTable, Duty, Row, Situation, Slice
from index.rank.facts import ProvisionFacts
from index.weights import WEIGHTS, without_weight

FACTS = (
    FactPhrases("xa", "accepted-yes", "agreed", "not_agreed"),
    FactPhrases("xa", "accepted-no", "not_agreed", ""),
    FactPhrases("xa", "actor-dummy", "table", ""),
)


def says(*ids: str) -> tuple[Slice, ...]:
    """One slice for each provision."""
    return tuple(Slice(path=NodeId(i).path, quotes=(Quote(NodeId(i), "text", 0, 4),)) for i in ids)


def decided(rows: dict[str, list[str]], id_: str = "choice", yes=("accepted-yes",), no=("accepted-no",)) -> Situation:
    """A situation with one question; ``rows``: answer → the provisions that its row quotes, the last one decides."""
    words = lambda text: LocalizedText({"xa": text})
    answers = (Answer(id="yes", text=words("y"), facts=yes), Answer(id="no", text=words("n"), facts=no))
    ask = Ask(id="asked", kind="fact", question=words("q"), answer=answers)
    duty = Duty(do="adjusts", who="director")
    table = tuple(Row(id=f"row-{a}", if_={"asked": (a,)}, says=says(*ids), duties=(duty,)) for a, ids in rows.items())
    return Situation(
        id=id_, phase="play", name=words(id_), said={}, provisions={}, ask=(ask,),
        table={"2010": DecisionTable(asks=("asked",), row=table)},
    )  # fmt: skip


PROVISIONS = {f"new/{n}": ("", "card") for n in (1, 2, 3)} | {"old/7": ("", "card")}
SIDES = decided({"yes": ["new/3", "new/1"], "no": ["new/3", "new/2"]})


@pytest.mark.parametrize(
    "situations, stated, agreement",
    [
        ([SIDES], ["accepted-yes"], {"new/1": 1, "new/2": -1, "new/3": 0, "old/7": 1}),
        ([SIDES], ["accepted-no"], {"new/1": -1, "new/2": 1, "old/7": -1}),
        ([SIDES], [], {"new/1": 0, "new/2": 0}),
        ([SIDES], ["accepted-no", "accepted-yes"], {"new/1": 0, "new/2": 0}),  # it says both
        ([SIDES], ["found-no"], {"new/1": 0, "new/2": 0}),  # another kind
        # What both answers lead to turns on neither.
        ([decided({"yes": ["new/1"], "no": ["new/1"]})], ["accepted-no"], {"new/1": 0}),
        # Nor does what a row of another table turns on without the fact.
        ([SIDES, decided({"yes": ["new/1"]}, "more", yes=())], ["accepted-no"], {"new/1": 0, "new/2": 1}),
        # Who did it is often not the one whom the words name.
        ([decided({"yes": ["new/1"]}, yes=("actor-dummy",), no=("actor-lho",))], ["actor-lho"], {"new/1": 0}),
        # A question whose answers state one fact alone tells nothing apart.
        ([decided({"yes": ["new/1"], "no": ["new/2"]}, no=())], ["accepted-no"], {"new/1": 0}),
    ],
)
def test_a_provision_has_the_facts_of_the_rows_that_turn_on_it(invented, situations, stated, agreement):
    searcher = invented.search(PROVISIONS, [("old/7", "new/1")], decided=situations)
    facts = ProvisionFacts(searcher._index.library, searcher._table).agreement(stated)
    assert {id_: facts[searcher._table.number_of(NodeId(id_))] for id_ in agreement} == agreement


@pytest.mark.parametrize(
    "query, first, factors",
    [
        ("card agreed", "new/1", {"new/1": {"facts"}, "new/2": {"other facts"}, "new/3": set()}),
        ("card not agreed", "new/2", {"new/1": {"other facts"}, "new/2": {"facts"}, "new/3": set()}),
        ("card", "new/1", {"new/1": set(), "new/2": set(), "new/3": set()}),
    ],
)
def test_a_query_that_states_a_fact_finds_its_side_first(invented, query, first, factors):
    searcher = invented.search({f"new/{n}": ("", "card") for n in (1, 2, 3)}, decided=[SIDES], fact_phrases=FACTS)
    hits = searcher.search(query, qlang="xa").hits
    said = {hit.node.id: {f.name for f in hit.factors} & {"facts", "other facts"} for hit in hits}
    assert (hits[0].node.id, said) == (first, factors)


@pytest.mark.parametrize("weight, heading", [("same_fact", ""), ("other_fact", "card")])
def test_without_its_number_the_order_is_another(invented, weight, heading):
    """The provision of the other side stands first by its number or its heading, unless the fact counts."""
    provisions = {"new/2": (heading, "card"), "new/1": ("", "card")}
    other = WEIGHTS if heading else replace(WEIGHTS, other_fact=1.0)
    with_it, without = (
        invented.search(provisions, decided=[SIDES], fact_phrases=FACTS, weights=weights)
        .search("card agreed", qlang="xa")
        .hits[0]
        .node.id
        for weights in (other, without_weight(weight, other))
    )
    assert (with_it, without) == ("new/1", "new/2")
