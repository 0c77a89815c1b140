"""Five boards from the first tap to the final score, on a phone: by taps, by keys alone, and by what is read out."""

from __future__ import annotations

import re

import pytest

from tools.screenshots import SIZES

PHONE = 390
TAP = "[data-field={}] [data-value='{}']"
ONWARD = "[data-next='{}'] a"
# What happened: the first page; the answers; where the sheet leads on; what is tapped there; the final score.
BOARDS = {
    "a revoke that costs two tricks": (
        "/situations/revoke-established?code=2017&exception=none",
        "offender yes",
        ["score/contract"],
        [("level", "4"), ("denomination", "S"), ("tricks", "10"), ("offenders", "declarer")],
        "−100",
    ),
    "a bid out of turn, then a doubled contract": (
        "/situations/bid-out-of-turn?code=2017",
        "lho-first no not-comparable",
        ["score"],
        [
            ("contract", ""), ("level", "3"), ("denomination", "NT"), ("doubled", "1"), ("vulnerable", "1"),
            ("tricks", "6"),
        ],
        "−800",
    ),
    "an insufficient bid that barred partner, then damage by the pass": (
        "/situations/insufficient-bid?code=2007",
        "yes no other",
        ["enforced-pass-damage", "score"],
        [("contract", ""), ("level", "2"), ("denomination", "H"), ("tricks", "8")],
        "+110",
    ),
    "a board that could not be played": (
        "/situations/average-artificial-score?code=2007",
        "",
        ["score/artificial"],
        [("ns", "none"), ("ew", "full")],
        "60 %",
    ),
    "a penalty card, then the contract, vulnerable by the number of the board": (
        "/situations/exposed-card?code=1997",
        "yes honour-or-played",
        ["score"],
        [("contract", ""), ("level", "4"), ("denomination", "H"), ("tricks", "10"), ("board", "2"), ("declarer", "N")],
        "+620",
    ),
}  # fmt: skip


class Hand:
    """Somebody who follows links of a page: by taps."""

    def __init__(self, page):
        self.page = page

    def act(self, selector: str) -> None:
        """Follow the first link of a selector."""
        link = self.page.locator(selector).first
        if not link.is_visible():
            self.open_more()
        with self.page.expect_navigation():
            self.follow(link)

    def follow(self, link) -> None:
        """Follow a link."""
        link.click()

    def open_more(self) -> None:
        """Open the fields that are folded away."""
        self.page.locator("details.seldom > summary").click()


class Keys(Hand):
    """The same by keys alone: Tab until the link has the focus, then Enter."""

    def reach(self, element) -> None:
        """Move the focus to an element."""
        handle = element.element_handle()
        for _ in range(150):
            self.page.keyboard.press("Tab")
            if self.page.evaluate("e => document.activeElement === e", handle):
                return
        raise AssertionError(f"No key leads to {element}.")

    def follow(self, link) -> None:
        """Follow a link."""
        self.reach(link)
        self.page.keyboard.press("Enter")

    def open_more(self) -> None:
        """Open the fields that are folded away."""
        self.reach(self.page.locator("details.seldom > summary"))
        self.page.keyboard.press("Enter")


def play(hand: Hand, answers: str, onward: list[str], taps: list[tuple[str, str]]) -> None:
    """Answer the sheet, go on, and tap the score. Without answers the first one that is offered is given."""
    wanted = answers.split()
    for place in onward:
        while not hand.page.locator("[data-outcome]").count():
            offered = hand.page.locator("section.ask [data-answer]")
            ids = [link.get_attribute("data-answer") for link in offered.all()]
            answer = next((a for a in wanted if a in ids), ids[0])
            if answer in wanted:
                wanted.remove(answer)
            hand.act(f"section.ask [data-answer='{answer}']")
        hand.act(ONWARD.format(place))
    for name, value in taps:
        hand.act(TAP.format(name, value) if value else f"a[data-score={name}]")


@pytest.mark.parametrize("board", BOARDS)
def test_a_board_from_the_first_tap_to_the_final_score(visit, board):
    first, answers, onward, taps, score = BOARDS[board]
    reader = visit(PHONE, "en", js=False)
    reader.open(f"{first}&ui=en")
    play(Hand(reader.page), answers, onward, taps)
    result, bar = reader.page.locator("[data-result]"), reader.page.locator(".thumb").bounding_box()
    assert score in result.inner_text()
    box = result.locator(".say p").first.bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= bar["y"], "the score is on the first screen"
    assert reader.page.locator("body").bounding_box()["width"] <= PHONE
    ruled = reader.page.locator("[data-ruled]")
    assert ruled.count() == len(onward), "the last screen lists what was ruled"
    assert all(item.locator(".citation").count() for item in ruled.all())
    for link in reader.page.locator(".tap").filter(visible=True).all():
        size = link.bounding_box()
        assert size["width"] >= 44 and size["height"] >= 44, "a thumb can hit it"


def test_a_board_by_keys_alone(visit):
    first, answers, onward, taps, score = BOARDS["a bid out of turn, then a doubled contract"]
    reader = visit(PHONE, "en")
    reader.open(f"{first}&ui=en")
    play(Keys(reader.page), answers, onward, taps)
    assert score in reader.page.locator("[data-result]").inner_text()
    assert reader.page.evaluate("document.activeElement.dataset.result") == "contract", "the result is read out"


def test_a_board_by_what_a_screen_reader_is_given(visit):
    """Nothing is found by its place or look: only by roles and names."""
    reader = visit(PHONE, "en")
    page = reader.open("/situations/revoke-established?code=2017&exception=none&ui=en")
    follow = lambda role, name: page.get_by_role(role, name=name, exact=True).first.click()
    follow("link", "the offender")
    follow("link", "yes")
    page.get_by_role("region", name="Next on this board").get_by_role("link", name="Score of a contract").click()
    for field, value in (
        ("Level", "4"),
        ("Denomination", "spades"),
        ("All tricks won by declarer’s side", "10"),
        ("Which side gives them?", "declarer’s side"),
    ):
        page.get_by_role("region", name=field).get_by_role("link", name=value, exact=True).click()
    tree = page.locator("main").aria_snapshot()
    assert re.search(r"paragraph: −100", tree) and "4♠, not vulnerable, 2 down: 100 points to the defenders." in tree
    order = [
        tree.index(words) for words in ("−100", "First undertrick", 'region "Level"', 'region "Ruled on this board"')
    ]
    assert order == sorted(order), "the result comes first, what was ruled last"
    assert "2 tricks were transferred: declarer’s side has 8." in tree
    assert re.search(r'table[\s\S]*rowheader "First undertrick', tree) and 'link "77"' in tree


@pytest.mark.parametrize("field, query", [("level", "level=9&denomination=S"), ("scores", "")])
def test_what_is_wrong_is_read_out_at_its_field(visit, field, query):
    reader = visit(PHONE, "en")
    address = f"/score/contract?{query}" if query else "/score/matchpoints?scores=many"
    page = reader.open(f"{address}&ui=en")
    fault = page.locator(f"[data-field={field}] [role=alert]")
    assert fault.is_visible() and fault.inner_text().startswith("Write")


def test_the_last_screen_is_shown_and_printed(visit):
    reader = visit(PHONE, "en")
    page = reader.open(
        "/score/contract?level=3&denomination=NT&doubled=1&vulnerable=1&tricks=6&code=2017"
        "&from=bid-out-of-turn,rho-passes&from=revoke-established,won-and-later&ui=en"
    )
    assert page.locator("[data-send]").is_visible()
    with page.expect_navigation():
        page.locator(".thumb a", has_text="Show").click()
    card = page.locator(".ruling-card")
    assert "−800" in card.inner_text() and card.locator("[data-ruled]").count() == 2
    assert card.get_by_role("img", name="QR code of the address").is_visible()
    assert page.locator("[data-print]").is_visible()
    page.emulate_media(media="print")
    assert card.is_visible() and not page.locator(".tools").first.is_visible()
    assert page.locator("body").bounding_box()["width"] <= SIZES[PHONE] + PHONE
