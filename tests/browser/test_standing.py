"""On a deep address one sees what is read, whether it is in force, and the remedy
itself – on a phone and on a desk, with and without JavaScript.
"""

from __future__ import annotations

import pytest

from tests.browser.conftest import in_view

# Address → what the line says, in the site's language of that reader.
LINES = {
    "/pl-2007/16/D/2?ui=pl": ("16D2", "MPB 2007", "nie obowiązuje", "2017: 16C2"),
    "/pl-2007/64/A?ui=sk": ("64A", "MPB 2007", "nie je v platnosti", "2017: 64A"),
    "/hr-1997/27/B/1?ui=hr": ("27B1", "Kodeks 1997", "nije na snazi", "2017: 27B1"),
    "/pl-1997/16/A?ui=en": ("16A", "MPBP 1997", "not in force", "2017: 16"),
    "/sk-2017/27/B?ui=en": ("27B", "PSB 2017", "in force"),
}
# The address, and where the words of the remedy stand that must be seen at once.
REMEDIES = {
    "/pl-2007/64/A": "pl-2007/64/A/1",
    "/sk-2017/64/A": "sk-2017/64/A/1",
    "/pl-2007/27/B": "pl-2007/27/B/1",
    "/sk-2017/27/B": "sk-2017/27/B/1",
    "/hr-1997/27/B": "hr-1997/27/B/1",
}


@pytest.mark.parametrize("js", [True, False])
@pytest.mark.parametrize("address", LINES)
def test_the_line_stays_in_view_and_covers_nothing(visit, width, address, js):
    page = visit(width, js=js).open(address)
    target = page.locator('article [aria-current="true"]')
    line = page.locator(".standing")
    for at in (None, 100_000):
        if at:
            page.evaluate("y => scrollTo(0, y)", at)
        else:
            page.wait_for_function(
                "document.querySelector('article [aria-current=true]').getBoundingClientRect().top < innerHeight"
            )
            assert target.bounding_box()["y"] >= line.bounding_box()["y"] + line.bounding_box()["height"], (
                "the line covers what was asked for"
            )
        said = " ".join(line.inner_text().split())
        assert all(words in said for words in LINES[address]), said
        if at is None or page.evaluate(
            "innerHeight + scrollY < document.querySelector('.page').getBoundingClientRect().bottom + scrollY"
        ):
            assert in_view(page, ".standing") and line.bounding_box()["height"] < 60


@pytest.mark.parametrize("address", REMEDIES)
def test_the_remedy_is_in_view_and_nothing_stands_before_it(visit, width, address):
    page = visit(width).open(address)
    remedy = page.locator(f'[data-id="{REMEDIES[address]}"]')
    assert in_view(page, f'[data-id="{REMEDIES[address]}"]')
    current = page.locator('article [aria-current="true"]')
    own = current.evaluate(
        "e => [...e.children].filter(c => !c.matches('.prov, details, .decision'))"
        ".map(c => c.getBoundingClientRect().bottom)"
    )
    assert remedy.bounding_box()["y"] - max(own) < 60, (
        "something stands between a provision’s own words and its first part"
    )


def test_the_way_out_is_one_tap_away(visit):
    reader = visit(390, has_touch=True, is_mobile=True)
    page = reader.open("/pl-2007/16/D/2")
    page.locator(".standing .out a").tap()
    page.wait_for_url("**/sk-2017/16/C/2*")
    assert in_view(page, '[data-id="sk-2017/16/C/2"]')


def test_the_line_is_not_printed(visit):
    page = visit().open("/pl-2007/16/D/2")
    page.emulate_media(media="print")
    assert not page.locator(".standing").is_visible()


def test_what_a_mark_means_is_one_tap_away(visit, width, ui):
    """The chip of a corresponding provision leads to the legend, which opens, with and without JavaScript."""
    for js in (True, False):
        page = visit(width, js=js).open(f"/pl-2007/3?ui={ui}")
        chip = page.locator("aside .rel[data-relation]").first
        chip.click()
        page.wait_for_function("document.querySelector('#legend').getClientRects().length")
        assert in_view(page, "#legend")
        assert chip.inner_text() in page.locator("#legend").inner_text()
