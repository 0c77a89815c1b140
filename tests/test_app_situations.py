"""The sheet of a situation and the API of situations: every state has an address, and says whose words it quotes."""

from __future__ import annotations

import re

import pytest
from app_site import client, page, site  # noqa: F401

from app.site import reader

SHEET = "/situations/insufficient-bid"
LOWEST = f"{SHEET}?in-turn=yes&accepted=no&replaced=lowest-same&code=2017"


def api(client, path: str, status: int = 200):
    response = client.get(f"/api/v1/situations{path}")
    assert response.status_code == status, (path, response.get_json())
    return response.get_json()


def test_the_list_has_every_situation_in_every_language(client, library):
    for ui in reader.LANGUAGES:
        found = page(client, f"/situations/?ui={ui}")
        links = {a["data-situation"]: a.get_text() for a in found.select("a[data-situation]")}
        assert links.keys() == library.situations.keys()
        assert all(text == library.situations[id_].name[ui] for id_, text in links.items())


def test_an_answer_is_a_link_that_keeps_the_others(client):
    found = page(client, f"{SHEET}?in-turn=yes")
    (ask,) = found.select("[data-ask=accepted]")
    links = {a["data-answer"]: a["href"] for a in ask.select("a[data-answer]")}
    assert links["no"] == f"{SHEET}?in-turn=yes&accepted=no&code=2017#now"
    assert [a["data-ask"] for a in found.select("[data-ask].answered")] == ["in-turn"]
    assert not found.select("[data-outcome]")


def test_a_choice_shows_every_outcome_still_open(client, library):
    found = page(client, f"{SHEET}?in-turn=yes")
    rows = {row.id for row in library.situations["insufficient-bid"].table["2017"].row}
    assert {e["data-option"] for e in found.select("[data-option]")} == rows - {"out-of-turn"}


@pytest.mark.parametrize("ui", reader.LANGUAGES)
def test_a_decided_sheet_has_duties_words_and_citation_in_one_element(client, library, ui):
    found = page(client, f"{LOWEST}&ui={ui}")
    (remedy,) = found.select("[data-outcome]")
    assert remedy["data-outcome"] == "lowest-same" and not found.select("[data-option]")
    assert library.nodes["sk-2017/27/B/1/a"].text in " ".join(remedy.get_text().split()).replace("\xa0", " ")
    assert remedy.select_one(".quoted[lang=sk] a.citation[href='/sk-2017/27/B/1/a#27-B-1-a']").get_text() == "27B1(a)"
    duties = library.vocabulary.duties
    row = next(r for r in library.situations["insufficient-bid"].table["2017"].row if r.id == "lowest-same")
    assert all(duties[d.do][ui] in remedy.select_one(".duties").get_text() for d in row.duties)
    assert "26B" in remedy.select_one(".off").get_text() and "16C" in remedy.select_one(".off").get_text()
    assert found.select("[data-then=end-of-play]") and found.select_one(".ruling a")["href"].startswith("/sk-2017/81/C")


def test_the_words_quoted_and_their_force_are_named(client):
    line = page(client, f"{LOWEST}&ui=en").select_one(".code").get_text()
    assert "PSB 2017" in line and "in force" in line


def test_the_reader_s_own_text_stands_below_only_where_it_says_the_same(client, library):
    """27A1 of 2017 and 2007 are the same; 27B1(a) is not, and only its number is named."""
    same = page(client, f"{SHEET}?in-turn=yes&accepted=yes&code=2017&ui=pl").select_one(".own")
    assert library.nodes["pl-2007/27/A/1"].text in " ".join(same.get_text().split()).replace("\xa0", " ")
    assert same.select_one("[data-relation]")["data-b"] == "sk-2017/27/A/1"
    differs = page(client, f"{LOWEST}&ui=pl").select_one(".own")
    assert library.nodes["pl-2007/27/B/1/a"].text[:40] not in differs.get_text() and differs.select(
        "a[href^='/compare/']"
    )
    assert not page(client, f"{LOWEST}&ui=sk").select(".own"), "his own language is quoted already"


def test_the_other_codes_are_told_with_how_they_correspond(client):
    found = page(client, f"{SHEET}?in-turn=yes&accepted=yes&code=2017&ui=en").select_one(".elsewhere")
    assert [a.get_text() for a in found.select("li > a:first-child")] == ["2007", "1997"]
    assert found.select("[data-relation][data-b='sk-2017/27/A/1']")


def test_words_that_do_not_count_are_left_out(client):
    """27C speaks of a replacement before the ruling: open until that is said, then told or left out."""
    after = lambda answer: page(client, f"{LOWEST}{answer}&ui=en").select(".besides [data-quote='sk-2017/27/C']")
    assert after("") and after("&premature=yes") and not after("&premature=no")


@pytest.mark.parametrize("bad", ["in-turn=perhaps", "weather=fine", "in-turn=yes&in-turn=no"])
def test_an_answer_that_is_none_leaves_the_question_open_with_a_sentence(client, bad):
    found = page(client, f"{SHEET}?{bad}&code=2017")
    assert found.select_one("[role=status]") and found.select_one("[data-ask=in-turn]:not(.answered)")


def test_unknown_codes_and_situations(client):
    assert page(client, f"{SHEET}?code=1850").select_one(".code [aria-current]").get_text() == "2017"
    assert "insufficient-bid" in page(client, "/situations/insuficient-bid", 404).get_text()
    assert "insufficient-bid" in api(client, "/insuficient-bid", 404)["error"]["message"]


def test_a_bundle_has_its_provisions_and_no_question(client, library):
    found = page(client, "/situations/look-at-quitted-trick?code=2017")
    assert not found.select("[data-ask]") and found.select_one(".bundle a")["href"].startswith("/sk-2017/66/")


def test_no_quotation_stands_without_what_is_said_of_its_slips(client, library):
    """On the sheet that quotes it, and in the API: every row of every table whose words a note hangs on."""
    seen = 0
    for situation in library.situations.values():
        for code in situation.table:
            rows = {r["id"]: r for r in api(client, f"/{situation.id}")["tables"][code]["rows"]}
            for row in situation.table[code].row:
                noted = [q for piece in row.says for q in piece.quotes if touched(library, q)]
                told = [q for s in rows[row.id]["says"] for q in s["quotes"] if q["notes"]]
                assert {q["node"] for q in told} == {q.node for q in noted}
                if not noted or seen > 60:
                    continue
                scenario = next((s for s in situation.scenario if (s.code, s.row) == (code, row.id)), None)
                if scenario is None:
                    continue
                query = "&".join(f"{ask}={a}" for ask, answers in scenario.answers.items() for a in answers)
                found = page(client, f"/situations/{situation.id}?{query}&code={code}&ui=en").select_one(
                    "[data-outcome]"
                )
                for quote in noted:
                    if found.select(f"[data-quote='{quote.node}']"):
                        sentences = [dict(s.remark)["en"] for s in touched(library, quote)]
                        assert all(s in found.get_text() for s in sentences), (situation.id, code, row.id)
                        seen += 1
    assert seen > 10


def test_no_piece_of_a_provision_stands_without_what_is_said_of_its_slips(client, library):
    """In the bundle of a sheet, in its tick list, in a snippet of the search and of the API."""
    seen = 0
    for situation in library.situations.values():
        for code in ("2017", "2007", "1997"):
            noted = [
                n
                for e in library.codes
                if e.code == code
                for p in situation.bundle.get(code, ())
                if (n := library.node(e.id, p)) and n.slips
            ]
            if not noted or seen > 40:
                continue
            bundle = page(client, f"/situations/{situation.id}?code={code}&ui=en").select_one(".bundle")
            for node in noted:
                if bundle.select(f"a[data-to='{node.id}']"):
                    assert all(dict(s.remark)["en"] in bundle.get_text() for s in node.slips), (situation.id, node.id)
                    seen += 1
    assert seen > 20
    noted = library.nodes["sk-2017/26/B"]
    hits = client.get("/api/v1/search?q=26B&edition=sk-2017").get_json()["results"]
    assert next(h["notes"] for h in hits if h["id"] == noted.id)
    assert dict(noted.slips[0].remark)["en"] in page(client, "/search?q=26B&edition=sk-2017&ui=en").get_text()


def touched(library, quote):
    node = library.nodes[quote.node]
    return [s for s in node.slips if s.where == quote.where and s.end > quote.start and s.start <= quote.end]


def test_what_switches_off_is_never_something_to_check(client, library):
    """26B and 16C do not apply: no part of what comes later quotes them."""
    for situation in library.situations.values():
        for code, table in situation.table.items():
            for row in table.row:
                later = {s.path for t in row.then for s in t.says}
                assert not any(f"{p}/".startswith(f"{off}/") for off in row.off for p in later), (
                    situation.id,
                    code,
                    row.id,
                )


def test_law_pages_lead_to_their_situations(client):
    calls = page(client, "/sk-2017/64?ui=en").select(".calls a")
    assert calls[0]["href"].startswith("/situations/revoke-established?code=2017")
    assert "/situations/insufficient-bid?code=1997" in [
        a["href"] for a in page(client, "/hr-1997/27").select(".calls a")
    ]


@pytest.mark.parametrize("ui", reader.LANGUAGES)
def test_home_has_the_commonest_calls_of_the_code_chosen(client, library, ui):
    found = page(client, f"/?ui={ui}&code=2007")
    tiles = found.select(".tiles a[data-situation]")
    assert [a["data-situation"] for a in tiles] == [
        s.id for s in sorted(filter(lambda s: s.tile, library.situations.values()), key=lambda s: s.tile)
    ]
    assert all(a["href"].endswith("?code=2007") for a in tiles)
    assert page(client, f"/?ui={ui}").select_one(".codes [aria-current]").get_text().endswith("2017")


def test_a_search_leads_with_what_happened(client):
    found = page(client, "/search?q=dropped+a+card+face+up&ui=en")
    assert "exposed-card" in [a["data-situation"] for a in found.select(".first-calls a")]
    for query in ("27b1", "weather tomorrow"):
        assert not page(client, f"/search?q={query}&list=1&ui=en").select(".first-calls"), query


# ── the API ───────────────────────────────────────────────────────────────────────────────────────


def test_the_list_is_the_same_with_and_without_words(client):
    plain = {s["id"]: s["provisions"] for s in api(client, "")["situations"]}
    assert len(plain) > 120
    found = api(client, "?q=revoke&limit=10")["situations"]
    assert len(found) == 10 and all(plain[s["id"]] == s["provisions"] for s in found)
    assert [s["score"] for s in found] == sorted((s["score"] for s in found), reverse=True)


def test_without_words_it_is_by_phase_whatever_the_limit(client, library):
    phases = [s["phase"] for s in api(client, "?limit=1")["situations"]]
    assert len(phases) > 120 and phases == sorted(phases, key=list(library.vocabulary.phases).index)


@pytest.mark.parametrize("query", ["?limit=0", "?limit=101", "?limit=x", "?q=" + "x" * 501, "?q=a&lang=xx"])
def test_bad_parameters(client, query):
    assert api(client, query, 400)["error"]["code"] == "bad_request"


@pytest.mark.parametrize("query", ["?q=%00", "?q=%20", "?q=%27%22%3C", "?q=zzzqqq", "?q=" + "a%20" * 160, "?q=♠♥"])
def test_any_words_are_answered(client, query):
    api(client, query)


def test_an_outcome_by_answers(client):
    row = api(client, "/insufficient-bid/outcome?in-turn=yes&accepted=no&replaced=lowest-same")["row"]
    assert row["id"] == "lowest-same" and row["off"] == ["26/B", "16/C"] and row["none"] is None
    asked = api(client, "/insufficient-bid/outcome?in-turn=yes")
    assert asked["next"]["id"] == "accepted" and asked["next"]["by"] == "lho" and "lowest-same" in asked["open"]


def test_what_is_ticked_is_quoted_after_its_lead_in(client):
    row = api(client, "/revoke-established/outcome?tricks=partner&exception=64/B/2&exception=64/B/6&code=2017")["row"]
    assert [s["path"] for s in row["says"]][-3:] == ["64/B", "64/B/2", "64/B/6"]
    found = page(client, "/situations/revoke-established?tricks=partner&exception=64/B/6&code=2017&ui=sk")
    assert found.select_one("[data-outcome] [data-quote='sk-2017/64/B/6']")


@pytest.mark.parametrize(
    "query",
    ["?weather=fine", "?in-turn=perhaps", "?code=1850", "?in-turn=yes&in-turn=no", "?code=2007&replaced=comparable"],
)
def test_what_no_table_asks_is_a_bad_request(client, query):
    message = api(client, f"/insufficient-bid/outcome{query}", 400)["error"]["message"]
    assert re.search(r"[.]$", message)


def test_a_bundle_has_no_outcome(client):
    assert "none" in api(client, "/look-at-quitted-trick/outcome", 400)["error"]["message"]


def test_every_outcome_of_the_api_is_the_row_of_the_table(client, library):
    """Each worked case, asked from outside."""
    for situation in library.situations.values():
        for scenario in situation.scenario:
            query = "&".join(f"{ask}={a}" for ask, answers in scenario.answers.items() for a in answers)
            row = api(client, f"/{situation.id}/outcome?{query}&code={scenario.code}")["row"]
            assert row["id"] == scenario.row, (situation.id, scenario.told)
