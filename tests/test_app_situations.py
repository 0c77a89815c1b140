"""The sheet of a situation and the API of situations: every state has an address, and says whose words it quotes."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from app_site import client, page, site  # noqa: F401
from little import link, little

from app.site import reader
from app.site.atlas import Atlas
from app.situations.page import RemedyWriter
from corpus.model import Mark, Misprint, NodeId, Quote
from corpus.situation.model import next_ask

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


OLDER, NEWER = NodeId("aa-1997/1"), NodeId("bb-2017/1")
MISPRINT = Misprint(0, 3, "text", "misprint", (("en", "It should be another word."),), (), ())


def own(site, slips=(), **how):
    """What readers of “aa” are shown beside a quotation from a text in “bb”; ``slips``: ids with a misprint."""
    pair = link("1", "1", older="aa-1997", newer="bb-2017", **how)
    library = little({"aa-1997": {"1": "one word"}, "bb-2017": {"1": "two words"}}, [pair])
    for id_ in slips:
        library.nodes[id_] = replace(library.nodes[id_], misprints=(MISPRINT,))
    with site.test_request_context("/"):
        writer = RemedyWriter(Atlas(library), "2017", [library.editions["bb-2017"]], "aa")
        return writer.find_reader_text(writer.quote_whole_text(library.nodes[NEWER]))


@pytest.mark.parametrize("relation", ["same", "moved"])
def test_the_reader_s_own_words_are_shown_where_they_say_the_same(site, relation):
    found = own(site, relation=relation)
    assert found.statement.node.id == OLDER and found.body.node.id == OLDER


@pytest.mark.parametrize("slips", [[OLDER], [NEWER], [OLDER, NEWER]])
def test_the_reader_s_own_words_are_not_shown_where_a_misprint_changes_one_of_the_two(site, slips):
    found = own(site, slips)
    assert found.statement.node.id == OLDER and found.body is None


@pytest.mark.parametrize("relation", ["split", "merged", "reworded"])
def test_the_reader_s_own_words_are_not_shown_where_they_are_a_part_or_say_something_else(site, relation):
    found = own(site, relation=relation, reworded=relation == "reworded")
    assert found.statement.node.id == OLDER and found.body is None


def test_no_outcome_shows_own_words_that_are_not_those_of_the_law(site, library):
    """What decides a row, for readers of every language: shown is only what is the same and free of slips."""
    shown, atlas = {}, Atlas(library)
    with site.test_request_context("/"):
        for situation in library.situations.values():
            for code, table in situation.table.items():
                for lang in reader.LANGUAGES:
                    writer = RemedyWriter(atlas, code, atlas.editions_of_code(code, lang), lang)
                    for decides in (q for row in table.row for q in writer.quote_slices(row.says[-1:]).quotes):
                        if (lang, decides.node) not in shown:
                            shown[lang, decides.node] = writer.find_reader_text(decides)
    twins = [(node, found.statement) for (_, node), found in shown.items() if found and found.body]
    for node, twin in twins:
        assert not node.misprints and not twin.node.misprints, (node.id, twin.node.id)
        assert twin.counterpart.relation in ("same", "moved") and not twin.counterpart.pair.reworded, node.id
    assert len(twins) > 200 and len([o for o in shown.values() if o and not o.body]) > 100


@pytest.mark.parametrize(
    "start, end, noted",
    [
        (0, 9, True),  # its mark stands at the very end of “one words”, after the last letter
        (0, 8, False),
        (4, 9, True),
        (0, 12, True),
        (9, 12, False),  # a mark belongs to the words before it
        (10, 12, False),
    ],
)
def test_a_note_hangs_on_the_words_that_its_mark_stands_after(site, start, end, noted):
    library = little({"bb-2017": {"1": "one words more", "1/A": "the note"}})
    note = NodeId("bb-2017/1/A")
    library.nodes[note] = replace(library.nodes[note], kind="footnote")
    library.nodes[NEWER] = replace(library.nodes[NEWER], marks=(Mark(9, note, sign="1"),))
    with site.test_request_context("/"):
        writer = RemedyWriter(Atlas(library), "2017", [library.editions["bb-2017"]], "bb")
        found = writer.make_quotation(Quote(NEWER, "text", start, end))
    assert [n.node.id for n in found.notes] == [note] * noted


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
    assert page(client, f"{SHEET}?code=1850").select_one(".sheet-top [aria-current]").get_text().endswith("2017")
    assert "insufficient-bid" in page(client, "/situations/insuficient-bid", 404).get_text()
    assert "insufficient-bid" in api(client, "/insuficient-bid", 404)["error"]["message"]


def test_a_bundle_has_its_provisions_and_no_question(client, library):
    found = page(client, "/situations/procedural-penalty?code=2017")
    assert not found.select("[data-ask]") and found.select_one(".bundle a")["href"].startswith("/sk-2017/90")


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
                        sentences = [dict(s.sentences)["en"] for s in touched(library, quote)]
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
                for e in library.law_editions
                if e.code == code
                for p in situation.bundle.get(code, ())
                if (n := library.node_at(e.id, p)) and n.misprints
            ]
            if not noted or seen > 40:
                continue
            bundle = page(client, f"/situations/{situation.id}?code={code}&ui=en").select_one(".bundle")
            for node in noted:
                if bundle.select(f"a[data-to='{node.id}']"):
                    assert all(dict(s.sentences)["en"] in bundle.get_text() for s in node.misprints), (
                        situation.id,
                        node.id,
                    )
                    seen += 1
    assert seen > 20
    noted = library.nodes["sk-2017/26/B"]
    hits = client.get("/api/v1/search?q=26B&edition=sk-2017").get_json()["results"]
    assert next(h["notes"] for h in hits if h["id"] == noted.id)
    assert dict(noted.misprints[0].sentences)["en"] in page(client, "/search?q=26B&edition=sk-2017&ui=en").get_text()


def touched(library, quote):
    node = library.nodes[quote.node]
    return [s for s in node.misprints if s.where == quote.where and s.end > quote.start and s.start <= quote.end]


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
    assert page(client, f"/?ui={ui}").select_one(".codes").get_text().endswith("2017")


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


def test_of_a_situation_half_told_the_outcomes_still_open_are_those_that_no_answer_rules_out(client, library):
    """In the API and, where a player has the choice, on the sheet: after each first answer, and after each pair."""
    seen = ruled_out = 0
    for situation in filter(lambda s: s.tile, library.situations.values()):
        every = {row.id: row for row in situation.table["2017"].row}
        for given in half_told(situation, "2017"):
            query = "&".join(f"{ask}={answer}" for ask, answers in given.items() for answer in answers)
            outcome = api(client, f"/{situation.id}/outcome?{query}&code=2017")
            ticked = {ask.id for ask in situation.ask if ask.ticks}
            said = {a: "none" if v == ("none",) else "some" if a in ticked else v[0] for a, v in given.items()}
            left = [id_ for id_, row in every.items() if all(said.get(a, v[0]) in v for a, v in row.if_.items())]
            assert outcome["open"] == left, (situation.id, given)
            if next_ask(situation, "2017", given).kind == "choice" and seen < 20:
                found = page(client, f"/situations/{situation.id}?{query}&code=2017")
                shown = [e["data-option"] for e in found.select("[data-option]")]
                assert sorted(shown) == sorted(left), (situation.id, given)
                seen += 1
            ruled_out += len(left) < len(every)
    assert seen > 10 and ruled_out > 20


def half_told(situation, code):
    """One or two answers to what is asked first, after which something is still asked."""
    todo = [{}]
    for given in todo:
        ask = next_ask(situation, code, given)
        if ask is None:
            continue
        if given:
            yield given
        if len(given) < 2:
            answers = ["none", ask.ticks[code][0]] if ask.ticks else ask.answers(code)
            todo += [{**given, ask.id: (answer,)} for answer in answers]


def test_what_is_ticked_is_quoted_after_its_lead_in(client):
    row = api(client, "/revoke-established/outcome?won=partner&exception=64/B/2&exception=64/B/6&code=2017")["row"]
    assert [s["path"] for s in row["says"]][-3:] == ["64/B", "64/B/2", "64/B/6"]
    found = page(client, "/situations/revoke-established?won=partner&exception=64/B/6&code=2017&ui=sk")
    assert found.select_one("[data-outcome] [data-quote='sk-2017/64/B/6']")


@pytest.mark.parametrize(
    "query",
    ["?weather=fine", "?in-turn=perhaps", "?code=1850", "?in-turn=yes&in-turn=no", "?code=2007&replaced=comparable"],
)
def test_what_no_table_asks_is_a_bad_request(client, query):
    message = api(client, f"/insufficient-bid/outcome{query}", 400)["error"]["message"]
    assert re.search(r"[.]$", message)


def test_a_bundle_has_no_outcome(client):
    assert "none" in api(client, "/procedural-penalty/outcome", 400)["error"]["message"]


def test_every_outcome_of_the_api_is_the_row_of_the_table(client, library):
    """Each worked case, asked from outside."""
    for situation in library.situations.values():
        for scenario in situation.scenario:
            query = "&".join(f"{ask}={a}" for ask, answers in scenario.answers.items() for a in answers)
            row = api(client, f"/{situation.id}/outcome?{query}&code={scenario.code}")["row"]
            assert row["id"] == scenario.row, (situation.id, scenario.told)


def test_a_situation_without_a_table_opens_without_a_code(client, library):
    without = [s for s in library.situations.values() if not s.table]
    assert without
    for situation in without:
        assert situation.name["en"] in page(client, f"/situations/{situation.id}?ui=en").h1.get_text()
