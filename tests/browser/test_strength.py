"""The strength of words on its one switch: by mouse and keys, narrow and wide, for who sees it and who hears it."""

from __future__ import annotations

import pytest

from tests.browser.test_accessibility import AXE, OF_COLOUR, TAGS, violations

SWITCH = '.side .tools a[href*="strength=1"]'


def test_the_switch_is_reached_and_turned_by_keys(visit, width):
    page = visit(width, ui="en").open("/sk-2017/9")
    assert page.locator(".order, .scale").count() == 0
    switch = page.locator(SWITCH)
    page.locator(".side a").filter(visible=True).first.focus()
    for _ in range(60):
        if switch.evaluate("e => e === document.activeElement"):
            break
        page.keyboard.press("Tab")
    assert switch.evaluate("e => e === document.activeElement")
    page.keyboard.press("Enter")
    page.wait_for_url("**strength=1**")
    assert page.locator(".order").count() > 5 and page.locator(".scale").is_visible()
    assert page.locator('[data-id="sk-2017/9/A/4"] .order').first.inner_text() == "nesmie"
    page.get_by_role("link", name="Do not mark the strength of words").press("Enter")
    page.wait_for_url(lambda url: "strength" not in url)
    assert page.locator(".order, .scale").count() == 0


@pytest.mark.parametrize("address", ["/sk-2017/9?strength=1", "/pl-2007/16?strength=1", "/hr-1997/16?strength=1"])
def test_axe_finds_nothing_in_marked_words_and_the_page_keeps_its_width(visit, address, width):
    page = visit(width).open(address)
    page.evaluate(AXE)
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        only = {"type": "tag", "values": TAGS} if theme == "light" else {"type": "rule", "values": OF_COLOUR}
        assert not violations(page, only)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_the_strength_is_heard_and_seen_without_colour(visit, width):
    page = visit(width, ui="en").open("/pl-2007/9?strength=1")
    place = page.locator('[data-id="pl-2007/9/A/3"]')
    assert "nie wolno ✕✕ [stronger prohibition]" in " ".join(place.locator("> .first").inner_text().split()).replace(
        "wolno✕", "wolno ✕"
    ).replace("✕[", "✕ [")
    assert "[stronger prohibition]" in place.aria_snapshot() and "✕" not in place.aria_snapshot()
    sign = place.locator(".rank [aria-hidden]").first.bounding_box()
    assert sign and sign["width"] > 3
    assert "underline" in place.locator(".order").first.evaluate("e => getComputedStyle(e).textDecorationLine")


def test_the_scale_is_printed_with_the_law(visit):
    page = visit(1280).open("/pl-2007/9?strength=1")
    page.emulate_media(media="print")
    assert page.locator(".scale").is_visible() and page.locator(".rank").first.is_visible()
