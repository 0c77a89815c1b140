"""The drawing of a table on a sheet: seats as data, words for who does not see it, and none where nothing is known."""

from __future__ import annotations

from copy import copy
from dataclasses import replace

import pytest
from app_site import page, site  # noqa: F401
from flask_babel import force_locale

from app import create_app
from app.site import reader
from app.site.snapshot import Snapshot
from app.situations.page import HEIGHT, seating_plan
from corpus import files, schema
from corpus.files import InvalidFile
from corpus.situation import problems
from corpus.situation.model import OPPOSITE, SEATS, Drawing

SHEET = "/situations/insufficient-bid"
BASE = Drawing(offender="S", turn="W")
AFTER = {("accepted", "no"): Drawing(turn="S")}


def drawn(situation, base: Drawing | None, after=AFTER):
    """A situation with a drawing, which some answers change."""
    return replace(
        situation,
        drawing=base,
        ask=tuple(
            replace(ask, answer=tuple(replace(a, drawing=after.get((ask.id, a.id))) for a in ask.answer))
            for ask in situation.ask
        ),
    )


@pytest.fixture(scope="module")
def client(library, searcher):
    """The site on a library in which one situation has a drawing."""
    library = copy(library)
    library.situations = library.situations | {
        "insufficient-bid": drawn(library.situations["insufficient-bid"], BASE),
        "exposed-card": drawn(library.situations["exposed-card"], None, {}),
    }
    return create_app({"SNAPSHOT": Snapshot.from_library(library, searcher)}).test_client()


def said(client, address: str) -> str:
    return page(client, address).select_one("svg.seats desc").get_text()


def test_the_drawing_is_told_in_words(client):
    svg = page(client, f"{SHEET}?ui=en").select_one("svg.seats")
    assert svg["role"] == "img"
    named = {e["id"]: e.get_text() for e in svg.select("title, desc")}
    assert [named[id_] for id_ in svg["aria-labelledby"].split()] == [
        "The table",
        "offender; LHO: to act; partner; RHO.",
    ]
    assert len(svg.select("circle.seat")) == 4 and len(svg.select("circle.ring")) == len(svg.select(".sign")) == 1


def test_answers_change_whose_turn_it_is(client):
    assert said(client, f"{SHEET}?ui=en&in-turn=yes") == "offender; LHO: to act; partner; RHO."
    assert said(client, f"{SHEET}?ui=en&in-turn=yes&accepted=no") == "offender: to act; LHO; partner; RHO."


def test_an_open_question_shows_the_table_at_the_moment_that_it_asks_about(library, searcher):
    library = copy(library)
    base = drawn(library.situations["insufficient-bid"], BASE)
    asks = tuple(replace(a, drawing=Drawing(turn="N")) if a.id == "accepted" else a for a in base.ask)
    library.situations = library.situations | {base.id: replace(base, ask=asks)}
    there = create_app({"SNAPSHOT": Snapshot.from_library(library, searcher)}).test_client()
    assert said(there, f"{SHEET}?ui=en") == "offender; LHO: to act; partner; RHO."
    assert said(there, f"{SHEET}?ui=en&in-turn=yes") == "offender; LHO; partner: to act; RHO."
    assert said(there, f"{SHEET}?ui=en&in-turn=yes&accepted=no") == "offender: to act; LHO; partner; RHO."


@pytest.mark.parametrize("ui", reader.LANGUAGES)
def test_it_speaks_the_language_of_the_site(client, ui):
    words = {"pl": "wykraczający", "sk": "previnivší", "hr": "prekršitelj", "en": "offender"}
    assert said(client, f"{SHEET}?ui={ui}").startswith(words[ui])


def test_once_decided_the_drawing_steps_aside_on_a_phone(client):
    found = page(client, f"{SHEET}?in-turn=yes&accepted=no&replaced=lowest-same&code=2017")
    assert found.select("[data-outcome]") and found.select(".at-table.decided svg")
    assert page(client, SHEET).select(".at-table:not(.decided) svg")


def test_a_situation_without_a_drawing_shows_none(client):
    assert not page(client, "/situations/exposed-card").select("svg.seats")


def test_colours_are_those_of_the_theme(client):
    svg = page(client, SHEET).select_one("svg.seats")
    assert not [e for e in (svg, *svg.find_all()) if e.has_attr("fill") or e.has_attr("stroke") or e.has_attr("style")]


def test_it_is_small_and_no_seat_lies_on_another(site):
    with site.test_request_context(), force_locale("en"):
        seats = seating_plan(Drawing(offender="E", turn="E", dealer="N")).seats
    assert len({(s.x, s.y) for s in seats}) == 4
    assert all(13 <= s.y <= HEIGHT - 13 for s in seats) and HEIGHT <= 120


@pytest.mark.parametrize(
    "drawing, words",
    [
        (Drawing(offender="S"), "offender; LHO; partner; RHO."),
        (Drawing(offender="S", turn="E", dealer="E"), "offender; LHO; partner; RHO: to act, dealer."),
        (
            Drawing(offender="W", turn="N", declarer="N", dummy="S"),
            "offender; LHO: to act, declarer; partner; RHO: dummy.",
        ),
        (Drawing(declarer="S", dummy="N"), "South: declarer; West; North: dummy; East."),
        (Drawing(dealer="W"), "South; West: dealer; North; East."),
    ],
)
def test_seats_are_named_from_the_offender_else_by_the_compass(site, drawing, words):
    with site.test_request_context(), force_locale("en"):
        assert seating_plan(drawing).description == words


def test_a_later_drawing_changes_only_what_it_names():
    assert BASE.updated_with(Drawing(turn="S", dealer="N")) == Drawing(offender="S", turn="S", dealer="N")
    assert BASE.updated_with(Drawing()) == BASE


def test_partners_sit_opposite():
    assert OPPOSITE == {"S": "N", "N": "S", "W": "E", "E": "W"} and set(SEATS) == set(OPPOSITE)


@pytest.mark.parametrize(
    "base, after, finding",
    [
        (BASE, AFTER, ""),
        (None, {}, ""),
        (Drawing(), {}, "The drawing says nothing."),
        (None, AFTER, "It changes a drawing that there is not."),
        (Drawing(declarer="S", dummy="N"), {("accepted", "no"): Drawing(declarer="W")}, "Dummy is N."),
        (Drawing(declarer="S", dummy="N"), {("accepted", "no"): Drawing(declarer="W", dummy="E")}, ""),
    ],
)
def test_a_drawing_that_cannot_be_is_a_fault(library, base, after, finding):
    faults = list(problems.drawing_faults(drawn(library.situations["insufficient-bid"], base, after)))
    assert [f.finding for f in faults] == ([finding] if finding else [])
    assert all(f.move and f.at for f in faults)


@pytest.mark.parametrize(
    "base, finding",
    [
        (Drawing(declarer="S", dummy="N"), "Dummy is N."),
        (Drawing(declarer="E", dummy="W"), ""),
        (None, "It changes a drawing that there is not."),
    ],
)
def test_a_drawing_of_a_question_that_cannot_be_is_a_fault(library, base, finding):
    situation = drawn(library.situations["insufficient-bid"], base, {})
    asks = (replace(situation.ask[0], drawing=Drawing(declarer="E")), *situation.ask[1:])
    faults = list(problems.drawing_faults(replace(situation, ask=asks)))
    assert [(f.finding, f.at) for f in faults] == ([(finding, ("ask", 0, "drawing"))] if finding else [])


@pytest.mark.parametrize(
    "written, finding",
    [
        ('offender = "S"\nturn = ""', ""),
        ('offender = "South"', "“offender” is “South”."),
        ('declarer = "S"\ndummy = "E"', "Dummy is E."),
        ('lead = "S"', "Unknown key “lead”."),
    ],
)
def test_seats_of_a_file_are_checked(tmp_path, written, finding):
    (tmp_path / "a.toml").write_text(written, encoding="utf-8")
    read = files.read_toml(tmp_path / "a.toml", "a.toml", ("", ""))
    if not finding:
        assert schema.build_from_file(Drawing, read, "docs").offender == "S"
        return
    with pytest.raises(InvalidFile) as refused:
        schema.build_from_file(Drawing, read, "docs")
    assert [p.finding for p in refused.value.problems] == [finding]
