"""The pages of scores: taps are links, what is wrong stands at its field, and the chain of a board survives."""

from __future__ import annotations

import pytest
from app_site import client, page, site  # noqa: F401

CONTRACT = "level=3&denomination=NT&doubled=1&vulnerable=1&tricks=6"
GROUPS = ("contract", "imps", "matchpoints", "revoke", "artificial", "weighted")


def result(soup) -> str:
    return soup.select_one("[data-result]").get_text(" ", strip=True)


def test_the_list_leads_to_every_kind_of_score(client):
    soup = page(client, "/score")
    assert [a["data-score"] for a in soup.select("a[data-score]")] == list(GROUPS)
    for a in soup.select("a[data-score]"):
        assert page(client, a["href"]).select_one("[data-field]"), a["href"]


@pytest.mark.parametrize("ui", ["pl", "sk", "hr", "en"])
@pytest.mark.parametrize("code", ["1997", "2007", "2017"])
@pytest.mark.parametrize(
    "query, words",
    [
        (f"contract?{CONTRACT}", "800"),
        ("imps?ours=620&theirs=-100", "+12"),
        ("imps?difference=-50", "−2"),
        ("matchpoints?scores=420,450,420,-50", "450"),
        ("revoke?won_by=offender&later=2", "2"),
        ("artificial?ns=none&ew=full&board=24", "60"),
        ("artificial?ns=none&ew=full&scoring=imps", "+3"),
    ],
)
def test_a_score_is_shown_with_its_provisions(client, ui, code, query, words):
    soup = page(client, f"/score/{query}&code={code}&ui={ui}")
    assert words in result(soup)
    assert soup.select("[data-result] .cites a"), "the provisions stand beside the result"
    assert all(f"-{code}/" in a["data-to"] for a in soup.select("[data-result] .cites a"))
    assert not soup.select(".fault")


def test_each_tap_is_a_link_that_keeps_what_is_known(client):
    soup = page(client, "/score/contract?code=2007")
    for name, value in (("level", "4"), ("denomination", "S"), ("vulnerable", "1"), ("tricks", "10")):
        assert not soup.select("[data-result]")
        soup = page(client, soup.select_one(f"[data-field={name}] [data-value='{value}']")["href"])
    assert "+620" in result(soup)
    held = {
        s["data-field"]: s.select_one("[aria-current]")["data-value"]
        for s in soup.select(".taps")
        for s in [s.parent]
        if s.select_one("[aria-current]")
    }
    assert held["level"] == "4" and held["denomination"] == "S" and held["doubled"] == "0" and held["tricks"] == "10"


def test_the_board_and_the_seat_say_who_is_vulnerable(client):
    for board, seat, score in (
        (4, "N", "+620"),
        (1, "N", "+420"),
        (2, "E", "+420"),
        (2, "S", "+620"),
        (18, "S", "+620"),
    ):
        address = f"/score/contract?level=4&denomination=S&tricks=10&board={board}&declarer={seat}"
        assert score in result(page(client, address)), address
    assert "+420" in result(
        page(client, "/score/contract?level=4&denomination=S&tricks=10&board=4&declarer=N&vulnerable=0")
    )


def test_tricks_of_a_revoke_are_added_up_on_the_contract(client):
    first = page(client, "/score/revoke?won_by=offender&later=2&code=2017")
    onward = next(a["href"] for a in first.select(".onward-links a") if "/score/contract" in a["href"])
    assert "transfer=2" in onward
    base = f"{onward}&level=4&denomination=H&tricks=10"
    soup = page(client, base)
    assert not soup.select("[data-result]") and soup.select_one("[data-field=offenders].wanted")
    assert "−100" in result(page(client, f"{base}&offenders=declarer"))
    assert "+480" in result(page(client, f"{base}&offenders=defenders"))
    one = page(client, "/score/contract?level=4&denomination=H&tricks=10")
    assert any("transfer=1" in a["href"] for a in one.select(".onward-links a")), "one trick over is one tap away"


@pytest.mark.parametrize(
    "query, field",
    [
        ("contract?level=8&denomination=S&tricks=10", "level"),
        ("contract?level=4&denomination=X&tricks=10", "denomination"),
        ("contract?level=4&level=5&denomination=S&tricks=10", "level"),
        ("contract?level=4&denomination=S&tricks=1&transfer=2&offenders=declarer", "transfer"),
        ("imps?difference=45", "difference"),
        ("imps?difference=many", "difference"),
        ("matchpoints?scores=420,,450", "scores"),
        ("revoke?won_by=offender&later=1&by_card=2&code=1997", "by_card"),
        ("revoke?won_by=offender&later=1&also=repeat,whatever", "also"),
        ("artificial?ns=guilty&ew=none", "ns"),
        ("artificial?ns=none&ew=none&session_ns=101", "session_ns"),
        ("artificial?ns=none&ew=none&authority=pzbs&code=2007", "authority"),
        ("weighted?scores=620:0.5,-100:0.4", "scores"),
        ("weighted?scores=620:1.5,-100:-0.5", "scores"),
        ("weighted?scores=620:0.5,-100:0.5&scoring=imps&field=1,2", "field"),
    ],
)
def test_what_is_wrong_stands_at_its_field_and_in_the_answer_of_the_api(client, query, field):
    response = client.get(f"/score/{query}&ui=en")
    assert response.status_code == 200 and response.headers["Cache-Control"] == "no-store"
    soup = page(client, f"/score/{query}")
    at_field = soup.select_one(f"[data-field={field}] .fault")
    assert at_field and at_field.get_text(strip=True) and not soup.select("[data-result]")
    refused = client.get(f"/api/v1/score/{query}")
    assert refused.status_code == 400 and f"“{field}”" in refused.get_json()["error"]["message"]


@pytest.mark.parametrize(
    "query, named",
    [
        ("contract?denomination=S&tricks=10", "level"),
        ("contract?level=4&denomination=S&tricks=10&trumps=S", "trumps"),
        ("contract?level=4&denomination=S&tricks=10&code=2031", "code"),
        ("weighted?scores=620:1&scoring=matchpoints", "field"),
        ("weighted?scores=620:1&code=1997", "12C3"),
        ("weighted?scores=620:1&code=2007&regulation=12C1e", "12C1(e)"),
        ("contract?level=4&denomination=S&tricks=10&transfer=1", "offenders"),
    ],
)
def test_the_api_names_what_it_refuses(client, query, named):
    refused = client.get(f"/api/v1/score/{query}")
    assert refused.status_code == 400 and named in refused.get_json()["error"]["message"]


def test_weights_are_refused_with_the_law_where_the_code_has_none(client):
    soup = page(client, "/score/weighted?scores=620:0.5,-100:0.5&code=1997")
    assert "12C2" in soup.select_one("[role=alert]").get_text() and not soup.select("[data-result]")


@pytest.mark.parametrize("weights", ["620:1/2,-100:1/2", "620:50%,-100:50%", "620:0.5, -100:0.5", "620:0.5,−100:0.5"])
def test_weights_are_written_in_several_ways(client, weights):
    found = client.get("/api/v1/score/weighted", query_string={"scores": weights}).get_json()
    assert found["result"] == 260 and found["unit"] == "points"


@pytest.mark.parametrize("group", ["bridge", "contracts", "<b>", "x" * 200])
def test_an_unknown_score_is_not_found_with_the_nearest(client, group):
    assert client.get(f"/score/{group}?ui=en").status_code == 404
    assert client.get(f"/api/v1/score/{group}").status_code == 404


def test_the_lost_figure_says_so_where_it_counts(client):
    soup = page(client, "/score/contract?level=4&denomination=S&doubled=2&vulnerable=1&tricks=5&code=2007")
    assert "−2800" in result(soup) and "The scan lost this figure" in result(soup)


# ── The chain of a board ──

REVOKE = "/situations/revoke-established?exception=none&won=offender&later=yes&code=2017"


def test_a_remedy_leads_on_with_what_was_ruled(client):
    soup = page(client, REVOKE)
    links = {li["data-next"]: li.a["href"] for li in soup.select("[data-next]")}
    assert {"adjusted-score", "score/contract", "score"} <= set(links)
    assert all("from=revoke-established%2Cwon-and-later" in href for href in links.values())
    assert "transfer=2" in links["score/contract"]
    there = page(client, links["adjusted-score"])
    assert [li["data-ruled"] for li in there.select("[data-ruled]")] == ["revoke-established,won-and-later"]
    assert "one of the tricks" in there.select_one("[data-board]").get_text(" ")
    assert "/situations/revoke-established?" in there.select_one(".sheet-top .back")["href"], "the way back"


def test_the_chain_is_kept_by_answers_printing_and_the_card(client):
    chain = "from=bid-out-of-turn,rho-passes&from=revoke-established,won-and-later"
    soup = page(client, f"/situations/exposed-card?code=2017&{chain}")
    answer = soup.select_one("[data-answer=yes]")["href"]
    assert answer.count("from=") == 2
    card = page(client, f"/score/contract?{CONTRACT}&{chain}&show=players")
    assert len(card.select(".ruling-card [data-ruled]")) == 2
    assert card.select_one(".address").get_text().count("from=") == 2
    players = page(client, f"{REVOKE}&from=bid-out-of-turn,rho-passes&show=players")
    assert len(players.select(".ruling-card [data-ruled]")) == 1


@pytest.mark.parametrize(
    "chain, ruled",
    [
        ("from=nobody,row", 0),
        ("from=revoke-established,nothing", 0),
        ("from=revoke-established", 0),
        ("from=,", 0),
        ("from=revoke-established,won-only&from=x,y", 1),
        ("&".join(["from=revoke-established,won-only"] * 6), 4),
        ("from=<script>,alert", 0),
    ],
)
@pytest.mark.parametrize("address", [REVOKE, "/score?code=2017", f"/score/contract?{CONTRACT}&code=2017"])
def test_a_broken_chain_is_ignored_with_one_sentence(client, address, chain, ruled):
    soup = page(client, f"{address}&{chain}")
    assert len(soup.select("[data-ruled]")) == ruled
    assert [b.get_text() for b in soup.select(".banner[role=status]")].count(
        "The address names a ruling that does not exist; the ruling is left out."
    ) == 1
    assert client.get(f"{address}&{chain}&ui=en").headers["Cache-Control"] != "public"


def test_a_chain_is_at_most_four_sheets_deep(client):
    chain = "&".join(
        f"from={s}" for s in ("bid-out-of-turn,rho-passes", "exposed-card,major", "unauthorised-information,acted")
    )
    three = page(client, f"{REVOKE}&{chain}")
    nexts = {li["data-next"]: li.a["href"] for li in three.select("[data-next]")}
    assert "adjusted-score" not in nexts, "a fifth sheet is not offered"
    assert nexts["score"].count("from=") == 4
    assert len(page(client, nexts["score"]).select("[data-ruled]")) == 4


def test_what_was_said_under_a_condition_stands_in_the_list(client, site):
    """A sentence whose condition no answer has settled is part of the ruling."""
    from app.site.snapshot import current_snapshot
    from app.site.speech import spoken_steps

    with site.test_request_context("/"):
        client.get("/")  # opens the build
        library = current_snapshot().library
        rows = ((s, r) for s in library.situations.values() if "2017" in s.table for r in s.table["2017"].row)
        situation, row, said = next(
            (s, r, step.conditional[0])
            for s, r in rows
            for step in spoken_steps(r, {a: (v[0],) for a, v in r.if_.items()}, "en", library.vocabulary)
            if step.conditional
        )
    listed = page(client, f"/score?code=2017&from={situation.id},{row.id}").select_one("[data-ruled]")
    assert " ".join(said.split()) in " ".join(listed.get_text(" ").split())


def test_back_from_the_list_of_scores_leads_to_the_last_ruling(client):
    soup = page(client, "/score?code=2017&from=exposed-card,major&from=revoke-established,won-only")
    assert "/situations/revoke-established?" in soup.select_one(".sheet-top .back")["href"]


def test_rulings_of_another_code_are_not_taken_along(client):
    soup = page(client, f"{REVOKE}&from=exposed-card,major")
    other = next(a["href"] for a in soup.select(".sheet-top .tabs a") if "code=1997" in a["href"])
    assert "from=" not in other


def test_the_api_gives_the_next_steps_of_a_row(client):
    row = client.get(
        "/api/v1/situations/revoke-established/outcome?exception=none&won=offender&later=yes&code=2017"
    ).get_json()["row"]
    assert {"leaves": "two-tricks", "situation": None, "score": "contract", "answers": {"transfer": "2"}}.items() <= (
        next(n for n in row["next"] if n["score"] == "contract").items()
    )
    assert all(set(n["name"]) == {"pl", "sk", "hr", "en"} for n in row["next"])


def test_the_api_says_whether_a_revoke_stands(client):
    ask = lambda query: client.get(f"/api/v1/score/revoke?won_by=partner&later=1&{query}").get_json()["established"]
    assert ask("code=2017") and ask("code=1997&defective=holds")
    assert not ask("established=no") and not ask("established=partner_asked&code=2007")
    assert ask("established=partner_asked&code=1997")


def test_a_form_keeps_the_code_and_the_chain_beside_what_is_written(client):
    soup = page(client, "/score/matchpoints?scores=420,450&scale=1&code=2007&from=exposed-card,major&from=passed-out,x")
    hidden = [(i["name"], i["value"]) for i in soup.select(".written input[type=hidden]")]
    assert ("code", "2007") in hidden and ("from", "exposed-card,major") in hidden and ("scale", "1") in hidden
    assert "scores" not in dict(hidden) and soup.select_one("#w-scores")["value"] == "420,450"


@pytest.mark.parametrize("code, offered", [("1997", False), ("2007", True), ("2017", True)])
def test_a_weighted_score_is_offered_where_the_code_knows_one(client, code, offered):
    soup = page(client, f"/score/revoke?won_by=partner&later=1&also=damage&code={code}")
    assert any("/score/weighted" in a["href"] for a in soup.select(".onward-links a")) is offered


@pytest.mark.parametrize("ui, edition", [("pl", "pl-1997"), ("hr", "hr-1997"), ("en", "hr-1997")])
def test_of_two_texts_of_a_code_the_reader_s_own_is_cited(client, ui, edition):
    soup = page(client, f"/score/artificial?ns=none&ew=full&code=1997&ui={ui}")
    assert [a["data-to"] for a in soup.select("[data-result] .cites a")] == [f"{edition}/12/C/1"]


def test_the_players_are_shown_no_card_without_a_score(client):
    soup = page(client, "/score/contract?level=3&show=players")
    assert not soup.select(".ruling-card") and soup.select_one("[data-field=tricks].wanted")


def test_an_earlier_ruling_leads_back_with_what_was_ruled_before_it(client):
    soup = page(client, "/score?code=2017&from=exposed-card,major&from=revoke-established,won-only")
    first, second = (li.a["href"] for li in soup.select("[data-ruled]"))
    assert "from=" not in first and "from=exposed-card%2Cmajor" in second


def test_a_row_that_orders_nothing_and_says_something_is_in_the_chain(client):
    soup = page(client, "/situations/ask-about-revoke?asked=dummy-declarer&rights=lost&revoke=yes&code=2017")
    onward = soup.select_one(".onward a")["href"]
    assert "from=ask-about-revoke%2Clost-revoke" in onward


def test_a_row_is_renamed_in_the_codes_in_which_it_was(monkeypatch):
    from types import SimpleNamespace

    from app.site.board import _find_row
    from corpus.situation.model import DecisionTable, Retired, Row, Situation, Slice

    rows = tuple(Row(id=id_, says=(Slice(path="12/A/1"),)) for id_ in ("new", "old"))
    situation = Situation(
        id="s", phase="play", name={}, said={}, provisions={},
        retired=(Retired(row="old", row_now="new", codes=("2007",)),),
        table={code: DecisionTable(asks=(), row=rows) for code in ("2007", "2017")},
    )  # fmt: skip
    atlas = SimpleNamespace(library=SimpleNamespace(situations={"s": situation}))
    assert [_find_row(atlas, code, "s", "old")[1].id for code in ("2007", "2017")] == ["new", "old"]
