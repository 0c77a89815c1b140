"""A director at the table, with a phone and without JavaScript: from the tile to the remedy."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.browser.conftest import in_view
from tools.screenshots import SIZES

PHONE = 390
# What happened, the tile, and the answers to what is asked: those of the players stand in brackets.
CALLS = {
    "a revoke that is not established": ("revoke-not-established", "nothing defender [no]"),
    "an insufficient bid, the lowest in its place": ("insufficient-bid", "yes [no] [lowest-same]"),
    "an insufficient bid, another one in its place": ("insufficient-bid", "yes [no] [other]"),
    "a bid out of turn, the left-hand opponent to call": ("bid-out-of-turn", "lho-first [no] [not-comparable]"),
    "a pass out of turn": ("pass-out-of-turn", "no rho [no]"),
    "an opening lead out of turn": ("opening-lead-out-of-turn", "face-up nothing [require]"),
    "an exposed card": ("exposed-card", "yes honour-or-played"),
    "a card taken back": ("card-taken-back", "defender mind"),
    "a hesitation": ("unauthorised-information", "over gain"),
    "a wrong board": ("wrong-board", "pairs no"),
    "a contested claim": ("claim-contested", "stopped trump-at-all-likely"),
}


def solve(reader, tile: str, answers: str) -> int:
    """Tap the tile and the answers; how many taps it took, the players' choices apart."""
    page = reader.open("/")
    with page.expect_navigation():
        page.locator(f'.tiles a[data-situation="{tile}"]').click()
    taps, left = 1, answers.split()
    while not page.locator("[data-outcome]").count():
        offered = page.locator("[data-ask]:not(.answered) [data-answer]")
        ids = [link.get_attribute("data-answer") for link in offered.all()]
        answer = next(a for a in left if a.strip("[]") in ids)
        left.remove(answer)
        with page.expect_navigation():
            offered.nth(ids.index(answer.strip("[]"))).click()
        taps += not answer.startswith("[")
    assert not left, f"nothing asked for {left}"
    return taps


@pytest.mark.parametrize("call", CALLS)
def test_from_the_tile_to_the_remedy_in_three_taps(visit, ui, call):
    reader = visit(PHONE, ui, js=False)
    assert solve(reader, *CALLS[call]) <= 3
    remedy = reader.page.locator("[data-outcome]")
    bar = reader.page.locator(".thumb").bounding_box()
    for part in ("[data-step=now] p", ".cites"):  # what is ruled now, and where it stands: on one screen
        box = remedy.locator(part).first.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= bar["y"], (part, box, reader.page.url)
    assert remedy.locator(".cites .citation").last.is_visible() and remedy.locator(".quoted").count()
    assert reader.page.locator("body").bounding_box()["width"] <= PHONE


# Words of tiles, headings, questions and answers on the screen, before the first word of the ruling of a row.
COUNT_WORDS = """row => {
  const ruling = document.querySelector(`[data-outcome="${row}"], [data-option="${row}"]`);
  const counted = "main :is(h1, h2, h3), .tiles a, [data-ask] h2, [data-answer], .ask.answered";
  const seen = r => r.width > 1 && r.height > 1 && r.top < innerHeight && r.bottom > 0;
  const before = e => !ruling ||
    !(ruling.contains(e) || ruling.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING);
  return [...document.querySelectorAll(counted)]
    .filter(e => seen(e.getBoundingClientRect()) && before(e) && !e.parentElement.closest(counted) && !e.closest(".sr"))
    .flatMap(e => e.innerText.split(/\\s+/).filter(w => /[\\p{L}\\d]/u.test(w))).length;
}"""
WORDS = Path(__file__).parents[1] / "cases" / "situations" / "words-passed.tsv"


def words_passed(reader, tile: str, answers: str) -> int:
    """Count the words that a director passes from the home page to the ruling of the last row."""
    solve(reader, tile, answers)
    row = reader.page.locator("[data-outcome]").get_attribute("data-outcome")
    page, left = reader.open("/"), [answer.strip("[]") for answer in answers.split()]
    passed = page.evaluate(COUNT_WORDS, row)
    with page.expect_navigation():
        page.locator(f'.tiles a[data-situation="{tile}"]').click()
    while True:
        passed += page.evaluate(COUNT_WORDS, row)
        if page.locator(f'[data-outcome], [data-option="{row}"]').count():
            return passed
        offered = [
            a.get_attribute("data-answer") for a in page.locator("[data-ask]:not(.answered) [data-answer]").all()
        ]
        answer = next(a for a in left if a in offered)
        left.remove(answer)
        with page.expect_navigation():
            page.locator(f'[data-ask]:not(.answered) [data-answer="{answer}"]').click()


WORDS_PASSED = {(r["language"], r["call"]): r for r in csv.DictReader(WORDS.open(encoding="utf-8"), delimiter="\t")}


def test_the_words_of_every_call_are_counted():
    assert {call for _, call in WORDS_PASSED} == set(CALLS) and len(WORDS_PASSED) == 4 * len(CALLS)
    assert all(int(row["now"]) < int(row["before"]) for row in WORDS_PASSED.values())


@pytest.mark.parametrize("call", CALLS)
def test_few_words_are_passed_before_the_ruling(visit, ui, call):
    """At most those of the table, which has what release 0.2.0 had beside it."""
    assert words_passed(visit(PHONE, ui), *CALLS[call]) <= int(WORDS_PASSED[ui, call]["now"])


@pytest.mark.parametrize("call", CALLS)
def test_a_call_is_solved_by_keyboard_alone(visit, ui, call):
    """Tab leads to the tile and to each answer, Enter takes it; then the ruling has the focus or follows it."""
    tile, answers = CALLS[call]
    page = visit(PHONE, ui).open("/")
    press_to(page, f'.tiles a[data-situation="{tile}"]')
    left = answers.replace("[", "").replace("]", "").split()
    while not page.locator("[data-outcome]").count():
        offered = page.locator("[data-ask]:not(.answered) [data-answer]").all()
        answer = next(a for a in left if a in [link.get_attribute("data-answer") for link in offered])
        left.remove(answer)
        press_to(page, f'[data-ask]:not(.answered) [data-answer="{answer}"]')
    assert page.evaluate("document.activeElement.closest('[data-outcome]') !== null || location.hash === '#now'")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('[data-outcome]') !== null"), "Tab goes on in the ruling"


def press_to(page, selector: str) -> None:
    """Press Tab until the element has the focus, and Enter there."""
    at = f"document.activeElement.matches({selector!r})"
    for _ in range(60):
        if page.evaluate(at):
            with page.expect_navigation():
                page.keyboard.press("Enter")
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {selector}")


def test_what_a_screen_reader_hears_first_comes_first(visit, ui):
    """The name, the questions with their answers, then what is said, its citations, and the words of the law."""
    reader = visit(PHONE, ui, js=False)
    solve(reader, *CALLS["an insufficient bid, the lowest in its place"])
    order = [".sheet h1", ".ask.answered", "[data-step=now]", ".cites", "details.law", ".tools", ".ruling", ".bundle"]
    page = reader.page
    places = [
        page.evaluate("s => [...document.querySelectorAll('*')].indexOf(document.querySelector(s))", s) for s in order
    ]
    assert places == sorted(places) and min(places) > 0


def test_home_fits_a_phone(visit, ui):
    """The field, the code, twelve tiles and the ways to the rest, without scrolling."""
    page = visit(PHONE, ui).open("/")
    for selector in ("#q", ".code-switch button", ".ways a"):
        assert in_view(page, selector), selector
    last = page.locator(".tiles a").last.bounding_box()
    assert last["y"] + last["height"] <= SIZES[PHONE] and page.locator(".tiles a").count() == 12


def test_what_was_open_last_is_in_view(visit):
    reader = visit(PHONE)
    for address in ("/sk-2017/64", "/sk-2017/27"):
        reader.open(address)
    page = reader.open("/")
    assert in_view(page, "#kept li a") and page.locator("#kept li a").count() == 2


def test_answers_are_large_and_keys_reach_them(visit, width):
    reader = visit(width)
    page = reader.open("/situations/insufficient-bid?code=2017")
    for answer in page.locator(".answer").all():
        assert answer.bounding_box()["height"] >= 44
    page.locator(".answer").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-ask=in-turn].answered")


def test_the_choice_of_a_player_is_read_out_and_then_taken(visit):
    page = visit(PHONE).open("/situations/insufficient-bid?in-turn=yes&code=2017")
    assert page.locator("[data-option]").count() == 6
    page.locator('[data-answer="yes"]').click()
    assert page.locator("[data-outcome]").get_attribute("data-outcome") == "accepted"


def test_what_one_remembers_of_a_sheet_is_its_address(visit):
    """Back takes the last answer back; “change” opens a question anew."""
    reader = visit(PHONE, js=False)
    solve(reader, *CALLS["an exposed card"])
    page = reader.page
    with page.expect_navigation():
        page.locator("a.ask.answered").first.click()
    assert page.locator("[data-ask]:not(.answered)").count() == 1 and not page.locator("[data-outcome]").count()
    page.go_back()
    assert page.locator("[data-outcome]").count() == 1


def test_the_players_are_shown_what_is_said_whole(visit, ui):
    reader = visit(PHONE, ui)
    solve(reader, *CALLS["an exposed card"])
    said = reader.page.locator("[data-outcome] [data-say] p").all_inner_texts()
    with reader.page.expect_navigation():
        reader.page.locator(".thumb a[href*=show]").click()
    shown = reader.page.locator(".card [data-say] p").all_inner_texts()
    assert shown == said and len(said) > 2


def test_what_holds_now_stands_above_a_question_about_later(visit):
    """2017, a bid out of turn at partner's turn, not accepted: partner is free until the offender has called."""
    page = visit(PHONE, "en").open("/situations/bid-out-of-turn?turn=partner&accepted=no&code=2017")
    now, ask = page.locator(".ruled [data-step=now]"), page.locator("[data-ask=replaced]")
    assert now.bounding_box()["y"] < ask.bounding_box()["y"] and not page.locator("[data-outcome]").count()
    assert "pass" not in now.inner_text() and "any legal call" in now.inner_text()


def test_the_bars_cover_nothing_that_has_the_focus(visit):
    page = visit(PHONE).open("/situations/insufficient-bid?in-turn=yes&accepted=no&replaced=other&code=2017")
    bar, top = page.locator(".thumb").bounding_box(), page.locator(".sheet-top").bounding_box()
    for _ in range(25):
        page.keyboard.press("Tab")
        box = page.evaluate(
            "(() => { const e = document.activeElement, r = e.getBoundingClientRect();"
            " return e.closest('.thumb, .sheet-top, header') ? null : [r.top, r.bottom]; })()"
        )
        if box:
            assert box[0] >= top["height"] - 1 or box[0] < 0 or page.evaluate("scrollY") == 0, box
            assert box[1] <= bar["y"] + 1, box


# Words that stand on two lines, and the share of the window that the narrowest paragraph has.
READABLE = """() => {
  const broken = [], share = p => p.getBoundingClientRect().width / innerWidth;
  const boxes = [...document.querySelectorAll("[data-say] p")].map(share);
  for (const p of document.querySelectorAll("[data-say] p, [data-option], .answer")) {
    for (let walk = document.createTreeWalker(p, NodeFilter.SHOW_TEXT), node; (node = walk.nextNode());) {
      for (const word of node.data.matchAll(/[\\p{L}\\d]+/gu)) {
        const range = document.createRange();
        range.setStart(node, word.index); range.setEnd(node, word.index + word[0].length);
        const tops = new Set([...range.getClientRects()].map(r => Math.round(r.top)));
        if (tops.size > 1) broken.push(word[0]);
      }
    }
  }
  return {broken, narrowest: Math.min(1, ...boxes)};
}"""


@pytest.mark.parametrize("letters", ["100%", "200%"])
def test_a_ruling_can_be_read_in_a_narrow_window(visit, ui, letters):
    """320 px, also with letters twice as large: no word is broken, and the text has three fifths of the width."""
    reader = visit(320, ui, viewport={"width": 320, "height": 568})
    for answers in ("in-turn=yes", "in-turn=yes&accepted=no&replaced=other"):
        page = reader.open(f"/situations/insufficient-bid?{answers}&code=2017&ui={ui}")
        page.evaluate("size => document.documentElement.style.fontSize = size", letters)
        found = page.evaluate(READABLE)
        assert found["broken"] == [] and found["narrowest"] >= 0.6, (answers, found)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), answers
