"""The states that a director passes, in two widths, two themes and every language: nothing overflows, nothing is
covered, and what is written can be read.
"""

from __future__ import annotations

import pytest

from app.site import reader
from tests.browser.test_accessibility import AXE, OF_COLOUR, violations
from tools.screenshots import SIZES_OF_STATES, STATES, THEMES

DECIDED = {"remedy", "remedy-bids", "penalty-card"}  # the states that are the sheet of a ruling
# What stands below the bars on the first screen: of a ruling its first sentence and its citation, else the heading.
FIRST = "[data-step=now] p, [data-step=now] .citation, h1"
COVERED = """selector => [...document.querySelectorAll(selector)].filter(e => {
    const r = e.getClientRects()[0];
    if (!r || r.bottom > innerHeight || r.top < 0 || e.closest('.sr') || e.matches('.sr')) return false;
    const top = document.elementFromPoint(r.left + Math.min(8, r.width / 2), r.top + r.height / 2);
    return !top || !(e.contains(top) || top.contains(e));
}).map(e => e.textContent.trim().slice(0, 60))"""


@pytest.mark.parametrize("pixels", SIZES_OF_STATES)
@pytest.mark.parametrize("lang", reader.LANGUAGES)
@pytest.mark.parametrize("state", STATES)
def test_a_state_can_be_read(visit, state, lang, pixels):
    visitor = visit(pixels, lang, viewport={"width": pixels, "height": SIZES_OF_STATES[pixels]})
    address = STATES[state]
    page = visitor.open(f"{address}{'&' if '?' in address else '?'}ui={lang}")
    wrong = []
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        page.evaluate(AXE)
        wrong += violations(page, {"type": "rule", "values": OF_COLOUR})
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        wrong.append("It scrolls sideways.")
    wrong += [f"Covered: {text}" for text in page.evaluate(COVERED, FIRST)]
    assert not wrong, "\n".join(wrong)


def test_states_are_what_they_are_called(visit):
    """Every answer of their addresses is known; the wrong one alone has a banner."""
    reader_ = visit(390, "en", js=False)
    for state, address in STATES.items():
        page = reader_.open(f"{address}{'&' if '?' in address else '?'}ui=en")
        assert (page.locator(".banner[role=status]").count() > 0) == (state == "wrong-answer"), state
        assert (page.locator("[data-outcome]").count() > 0) == (state in DECIDED), state
