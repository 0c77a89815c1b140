"""What another code orders otherwise, what changed in a provision, what the print and what the law says: in the
reader's language on every page that speaks of it, and the same in the API.
"""

from __future__ import annotations

import pytest
from app_site import client, page, site  # noqa: F401
from little import A, B, C, link

from app.site import reader
from corpus.model import NodeId
from corpus.relation.relations import compose_pairs
from corpus.situation.model import answer_combinations, rows_still_possible


def sheets(library):
    """(situation, code, answers, the row that they meet), one for each row of every table."""
    for situation in library.situations.values():
        for code in situation.table:
            seen = set()
            for answers in answer_combinations(situation, code):
                (row,) = rows_still_possible(situation, code, {k: (v,) for k, v in answers.items()})
                if row.id not in seen and "some" not in answers.values():
                    seen.add(row.id)
                    yield situation, code, answers, row


def address(situation, code: str, answers, **more) -> str:
    return f"/situations/{situation.id}?" + "&".join(f"{k}={v}" for k, v in (answers | {"code": code} | more).items())


def test_a_sheet_says_what_another_code_orders_otherwise_or_that_it_orders_the_same(client, library):
    told = same = 0
    for n, (situation, code, answers, row) in enumerate(sheets(library)):
        if n % 7:
            continue
        ui = reader.LANGUAGES[n % len(reader.LANGUAGES)]
        found = page(client, address(situation, code, answers, ui=ui))
        shown = {e["data-differs"]: e.get_text() for e in found.select(".elsewhere [data-differs]")}
        wanted = {other: said[ui].removeprefix(f"{other}: ") for other, said in row.differs.items()}
        assert shown == wanted, (situation.id, code, row.id)
        told, same = told + len(wanted), same + len(situation.table) - 1 - len(wanted)
    assert told > 40 and same > 20


def test_the_api_gives_every_row_what_every_other_code_orders(client, library):
    for situation in library.situations.values():
        whole = client.get(f"/api/v1/situations/{situation.id}").get_json()
        for code, table in whole["tables"].items():
            rows = {row.id: row for row in situation.table[code].row}
            for row in table["rows"]:
                assert set(row["differs"]) == set(situation.table) - {code}
                for other, said in row["differs"].items():
                    assert said == (dict(rows[row["id"]].differs[other]) if other in rows[row["id"]].differs else None)
                    assert said is None or set(said) == set(reader.LANGUAGES)


@pytest.mark.parametrize("ui", reader.LANGUAGES)
def test_a_duty_that_follows_the_law_says_what_is_printed_and_what_the_law_is(client, library, ui):
    slip = next(s for s in library.nodes["sk-2017/26/B"].misprints if s.id == "26B-defenders")
    found = page(client, f"/situations/insufficient-bid?in-turn=yes&accepted=no&replaced=other&code=2017&ui={ui}")
    (told,) = found.select(".then [data-misprint='26B-defenders']")
    assert dict(slip.printed)[ui] in told.get_text() and dict(slip.law)[ui] in told.get_text()
    assert "class" in told.attrs and "hint" not in told["class"], "the same size as the duties"


def test_a_misprint_of_a_duty_has_its_place_and_its_evidence(client, library):
    states = set()
    for situation in library.situations.values():
        whole = client.get(f"/api/v1/situations/{situation.id}").get_json()
        for table in whole["tables"].values():
            for row in table["rows"]:
                for part in (row, *row["then"], *row["also"]):
                    for duty in part["duties"]:
                        for misprint in duty["misprints"]:
                            node = library.nodes[misprint["node"]]
                            assert any(
                                (s.start, s.end, s.where) == (misprint["start"], misprint["end"], misprint["in"])
                                for s in node.misprints
                            )
                            assert misprint["evidence"], (situation.id, row["id"])
                            states.add(misprint["state"])
                        for given in duty["given"]:
                            words = library.nodes[given["node"]].words_in(given["in"])[given["start"] : given["end"]]
                            quoted = " ".join(q["text"] for s in part["says"] for q in s["quotes"])
                            assert words and words in quoted
    assert {"harmless", "corrected"} <= states


CHANGED = "/changes/hr-1997/sk-2017"


@pytest.mark.parametrize("ui", reader.LANGUAGES)
def test_every_change_has_a_note_in_the_reader_s_language(client, library, ui):
    found = page(client, f"{CHANGED}?ui={ui}").select(".laws-changed li > a")
    laws = [page(client, f"{a['href']}?ui={ui}") for a in found]
    notes = [row.select_one(".difference") for law in laws for row in law.select("table.changes tbody tr")]
    assert len([n for n in notes if n]) > 550
    assert all(n["lang"] == ui for n in notes if n and n.has_attr("lang"))
    assert not any(law.select(".difference [lang=en]" if ui != "en" else ".nothing") for law in laws)


def test_the_table_of_two_codes_says_what_differs_in_every_language(library):
    told = 0
    for one, other in zip(library.relations.edition_ids, library.relations.edition_ids[1:], strict=False):
        for pair in library.relations.pairs(one, other):
            for said in pair.differences:
                assert set(dict(said)) == set(reader.LANGUAGES)
                told += 1
            assert pair.differences or not (pair.reworded and pair.basis == "reviewed"), (pair.a, pair.b)
    assert told > 500


@pytest.mark.parametrize("address", ["/compare/27/B/1/a?e=pl-2007&e=sk-2017", "/pl-2007/27/B/1/a"])
@pytest.mark.parametrize("ui", reader.LANGUAGES)
def test_the_note_stands_where_the_provision_is_compared(client, library, address, ui):
    (pair,) = library.relations.rows_of(NodeId("pl-2007/27/B/1/a"), "sk-2017")
    found = page(client, f"{address}{'&' if '?' in address else '?'}ui={ui}")
    assert dict(pair.differences[0])[ui] in " ".join(found.get_text().split())


def said(text: str):
    return (("pl", text), ("en", text))


def test_over_a_third_text_the_notes_of_the_steps_that_change_words_follow_each_other():
    first, second, idle = said("a"), said("b"), said("moved")
    one = [link("1", "1", "reworded", A, B, reworded=True, differences=(first,))]
    two = [link("1", "2", "moved", B, C, reworded=True, differences=(second,))]
    plain = [link("1", "2", "moved", B, C, differences=(idle,))]
    assert compose_pairs(A, C, one, two, (B,))[0].differences == (first, second)
    assert compose_pairs(A, C, one, plain, (B,))[0].differences == (first,), "a step that changes nothing is not told"
    unchanged = [link("1", "1", "same", A, B)]
    assert compose_pairs(A, C, unchanged, plain, (B,))[0].differences == (idle,)
