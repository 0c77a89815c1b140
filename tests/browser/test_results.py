"""The results of a search as they are seen and touched: chips or a side column, folded hits, why a word is marked."""

from __future__ import annotations

import pytest

from tests.browser.conftest import WIDTHS, in_view
from tests.browser.test_accessibility import AXE, OF_COLOUR, TAGS, violations

# What is asked → the address, and the language of the reader.
ASKED = {
    "situation": ("/search?q=partner długo myślał i spasował", "pl"),
    "jargon": ("/search?q=OLOOT", "en"),
    "changes": ("/search?q=co się zmieniło w 27", "pl"),
    "term": ("/search?q=revoke", "en"),
    "unsure": ("/search?q=stayman", "en"),
    "filtered": ("/search?q=renons&edition=hr-1997", "hr"),
    "filtered-away": ("/search?q=renons&edition=pzbs-2017&kind=law", "sk"),
}
NARROW = 390


@pytest.mark.parametrize("kind", ASKED)
def test_axe_finds_nothing_and_nothing_is_too_wide(visit, kind):
    address, ui = ASKED[kind]
    page = visit(ui=ui).open(address)
    page.evaluate(AXE)
    page.locator(".law-card details").evaluate_all("all => all.forEach(d => d.open = true)")
    wrong = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            only = {"type": "tag", "values": TAGS} if theme == "light" else {"type": "rule", "values": OF_COLOUR}
            wrong += [f"{kind} {width} {theme}: {v}" for v in violations(page, only)]
    assert not wrong, "\n".join(wrong)


def test_chips_on_a_phone_and_a_side_column_on_a_desk(visit, width):
    page = visit(width, "en", js=False).open("/search?q=revoke")
    chips, column = page.locator(".chips a"), page.locator(".facets .chipped")
    assert chips.first.is_visible() is (width == NARROW) and column.first.is_visible() is (width != NARROW)
    assert page.locator(".facets section:not(.chipped)").first.is_visible()
    if width == NARROW:
        assert all(chip.bounding_box()["height"] >= 44 for chip in chips.all())
        assert chips.first.bounding_box()["y"] < page.locator("ol.results").bounding_box()["y"]
    narrowing = chips.first if width == NARROW else column.first.locator("a").first
    count = narrowing.locator(".n").inner_text()
    with page.expect_navigation():
        narrowing.click()
    assert page.locator("main [role=status]").inner_text().startswith(count)
    chosen = page.locator(".chips a[aria-current]" if width == NARROW else ".chipped a[aria-current]")
    with page.expect_navigation():
        chosen.first.click()
    assert not page.locator("a[aria-current=true]:visible:is(.chips a, .chipped a)").count()


def test_what_is_folded_opens_without_javascript(visit, width):
    page = visit(width, "pl", js=False).open("/search?q=fałszywy renons")
    folded = page.locator(".law-card details").first
    hits = folded.locator("a.hit")
    assert not hits.first.is_visible() and str(hits.count()) in folded.locator("summary").inner_text()
    folded.locator("summary").click()
    assert hits.first.is_visible()


def test_a_tap_on_a_mark_says_what_it_is_another_name_of(visit):
    page = visit(NARROW, "en", has_touch=True, is_mobile=True).open("/search?q=OLOOT")
    mark = page.locator("mark.other").first
    told = "e => getComputedStyle(e, '::after').content"
    assert mark.get_attribute("title") == "another name of: OLOOT" and mark.evaluate(told) in ("none", "normal")
    mark.tap()
    assert "another name of: OLOOT" in mark.evaluate(told)
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW
    assert "another name of: OLOOT" in page.locator("ol.results").aria_snapshot()


def test_enter_on_a_citation_opens_the_provision_with_the_search_field(visit, width):
    reader = visit(width, "pl", js=False)
    page = reader.open("/")
    page.locator("#q").fill("16D2")
    page.locator("#q").press("Enter")
    page.wait_for_url("**/sk-2017/16/D/2*")
    assert in_view(page, '[data-id="sk-2017/16/D/2"][aria-current="true"]')
    assert page.locator("#q").is_visible()
    reader.open("/search?q=16D2&list=1")
    assert page.locator("ol.results a.hit").count() > 1


def test_who_asks_what_changed_sees_the_comparison_first(visit, width):
    page = visit(width, "pl", js=False).open(ASKED["changes"][0])
    link = page.locator(".way a")
    assert in_view(page, ".way a")
    assert link.bounding_box()["y"] < page.locator("ol.results").bounding_box()["y"]
    link.click()
    page.wait_for_url("**/compare/27?*")
    assert page.locator("table.laws-side").is_visible()
