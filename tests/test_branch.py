"""The question that decides between the two best hits, and an honest “nothing”."""

from __future__ import annotations

from itertools import combinations

import pytest
from app_site import client, page, site  # noqa: F401

from corpus.model import NodeId
from index.branch import BranchQuestions


@pytest.fixture(scope="module")
def questions(library) -> BranchQuestions:
    return BranchQuestions(library)


@pytest.mark.parametrize(
    ("one", "other", "ask"),
    [
        ("sk-2017/64/A/1", "sk-2017/64/A/2", ("revoke-established", "2017", "won")),
        ("pl-2007/58/B/1", "pl-2007/58/B/2", ("simultaneous-leads-or-plays", "2007", "visible")),
        ("sk-2017/27/A/1", "sk-2017/27/B/1/a", ("insufficient-bid", "2017", "accepted")),
        ("sk-2017/63/A/1", "sk-2017/62/A", ("revoke-not-established", "2017", "since")),
    ],
)
def test_two_sides_of_a_branch_are_parted_by_their_question(questions, one, other, ask):
    for a, b in ((one, other), (other, one)):
        found = questions.between(NodeId(a), NodeId(b))
        assert (found.situation.id, found.code, found.ask.id) == ask and len(found.answers) >= 2


def test_provisions_that_no_table_parts_have_no_question(questions):
    assert questions.between(NodeId("sk-2017/1"), NodeId("sk-2017/2")) is None
    assert questions.between(NodeId("sk-2017/64/A/1"), NodeId("sk-2017/64/A/1")) is None


def test_no_answer_leads_to_both_and_either_has_one(questions, library):
    """For every pair of provisions that the rows of one table quote."""
    tried = 0
    for situation in library.situations.values():
        for code, table in situation.table.items():
            quoting: dict[NodeId, list] = {}
            for row in table.row:
                for id_ in {quote.node for piece in row.says for quote in piece.quotes}:
                    quoting.setdefault(id_, []).append(row)
            for one, other in list(combinations(sorted(quoting), 2))[:40]:
                found = questions.between(one, other, [situation.id])
                if found is None or (found.situation.id, found.code) != (situation.id, code):
                    continue
                tried += 1
                leads = {
                    side: {a for row in quoting[side] for a in row.if_.get(found.ask.id, ())} for side in (one, other)
                }
                assert leads[one] and leads[other] and not leads[one] & leads[other], found
                assert [answer.id for answer in found.answers] == [*found.ask.answers(code)]
                for answer in found.answers:
                    met = [row.id for row in table.row if answer.id in row.if_.get(found.ask.id, (answer.id,))]
                    assert answer.row == (met[0] if len(met) == 1 else None)
    assert tried > 300


def asking(client) -> tuple[str, dict]:
    """A question that leaves the deciding fact open, and the answer of the API."""
    for q in (
        "insufficient bid by my RHO, what can he do now",
        "two cards fell out together what now",
        "he played a card before his partner did",
    ):
        found = client.get("/api/v1/search", query_string={"q": q, "qlang": "en", "code": "2017"}).json
        if found["ask"]:
            return q, found
    raise AssertionError("None of the questions leaves a fact open.")


def test_where_one_fact_decides_the_api_and_the_page_ask_for_it(client):
    q, found = asking(client)
    assert found["state"] == "probably" and not found["confident"]
    situation = client.get(f"/api/v1/situations/{found['ask']['situation']}").json
    ask = next(ask for ask in situation["asks"] if ask["id"] == found["ask"]["ask"])
    assert ask["question"] == found["ask"]["question"]
    rows = {row["id"] for table in situation["tables"].values() for row in table["rows"]}
    assert all(a["row"] is None or a["row"] in rows for a in found["ask"]["answers"])
    section = page(client, f"/search?q={q}&qlang=en&ui=en&code=2017").select_one("section.asked")
    assert section["data-ask"] == ask["id"] and section.h2.text == ask["question"]["en"]
    links = {a["data-answer"]: a["href"] for a in section.select("a[data-answer]")}
    assert [*links] == [a["id"] for a in found["ask"]["answers"]]
    for answer, href in links.items():
        assert f"{ask['id']}={answer}" in href and client.get(href).status_code == 200


def test_an_answer_that_is_sure_asks_nothing(client):
    found = client.get("/api/v1/search?q=27b1&qlang=en").json
    assert found["state"] == "sure" and found["ask"] is None


@pytest.mark.parametrize(
    ("q", "lang"),
    [
        ("recipe for cheesecake with raisins", "en"),
        ("recept na sernik z rodzynkami", "pl"),
        ("ako nastaviť budík na telefóne", "sk"),
        ("vremenska prognoza za vikend", "hr"),
    ],
)
def test_what_no_law_answers_has_no_provision(client, q, lang):
    found = client.get("/api/v1/search", query_string={"q": q, "qlang": lang}).json
    assert (found["state"], found["total"], found["results"], found["confident"]) == ("nothing", 0, [], False)
