"""One page under the eyes: what one came for is in view, a reference is previewed, a law kept, a mistake followed."""

from __future__ import annotations

import pytest

from tests.browser.conftest import in_view
from tests.browser.steps import unfold


@pytest.mark.parametrize("js", [True, False], ids=["with-js", "without-js"])
@pytest.mark.parametrize("path", ["pl-2007/16/D/2", "sk-2017/12/C/1/e", "hr-1997/93/C", "pl-2007/fn/1"])
def test_the_provision_one_came_for_is_in_view_and_marked(visit, server, width, path, js):
    """A bookmarked address has no fragment; a link of the site has one. Both bring the provision into the window."""
    reader = visit(width, js=js)
    edition, _, rest = path.partition("/")
    if reader.page.request.get(f"{server[0]}/api/v1/nodes/{path}").status == 404:
        path, rest = f"{edition}/50/fn/1", "50/fn/1"
    for address in (f"/{path}", f"/{path}#{rest.replace('/', '-')}"):
        reader.page.goto("about:blank")
        page = reader.open(address)
        marked = page.locator("[aria-current=true][data-id]")
        assert marked.count() == 1 and marked.get_attribute("data-id") == path
        assert in_view(page, "[aria-current=true][data-id]"), f"{address}: {marked.bounding_box()}"
        ground = marked.evaluate("e => getComputedStyle(e).backgroundColor")
        assert ground not in (
            "rgba(0, 0, 0, 0)",
            page.evaluate("getComputedStyle(document.documentElement).backgroundColor"),
        )


def test_a_tap_shows_a_reference_and_a_second_tap_follows_it(visit):
    reader = visit(390, has_touch=True, is_mobile=True)
    page = reader.open("/pl-2007/62")
    ref = page.locator('article a.ref[data-to="pl-2007/16/D"]').first
    ref.scroll_into_view_if_needed()
    place = page.evaluate("scrollY")
    ref.tap()
    page.locator("#pop").wait_for()
    box = page.locator("#pop").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390
    assert (reader.path(), page.evaluate("scrollY")) == ("/pl-2007/62", place), "the reader is where he was"
    ref.tap()
    page.wait_for_url("**/pl-2007/16/D*")
    page.go_back()
    page.wait_for_url("**/pl-2007/62*")
    assert abs(page.evaluate("scrollY") - place) < 40, "back leads to the line one left"


def test_the_end_of_a_range_previews_the_range_and_counts_what_does_not_fit(visit):
    page = visit().open("/hr-1997/47")
    last = page.locator("article a.ref[data-more]")
    everything = last.get_attribute("data-more").split()
    assert len(everything) > 4 and last.get_attribute("data-to") == everything[-1]
    last.scroll_into_view_if_needed()
    last.hover()
    page.locator("#pop").wait_for()
    names = page.locator("#pop .peek .name a").evaluate_all(
        "all => all.map(e => e.getAttribute('href').split(/[?#]/)[0].slice(1))"
    )
    assert names == everything[:4]
    assert f"… + {len(everything) - 4}" in page.locator("#pop").inner_text()


def test_a_law_is_kept_on_this_device(visit):
    reader = visit(390)
    page = reader.open("/pl-2007/27")
    keep = page.locator("button[data-keep]")
    keep.click()
    assert keep.get_attribute("aria-pressed") == "true"
    reader.open("/sk-2017/40")
    reader.open("/")
    assert page.locator('#kept [data-kept] a[href="/pl-2007/27?ui=pl"]').is_visible()
    assert page.locator('#kept [data-recent] a[href="/sk-2017/40?ui=pl"]').is_visible()
    assert page.context.cookies() == [], "nothing about the reader leaves the device"
    page.locator("#kept [data-kept] a").click()
    page.locator("button[data-keep]").click()
    reader.open("/")
    assert page.locator("#kept [data-kept] a").count() == 0


def test_a_page_that_is_not_there_helps_on(visit, width):
    page = visit(width).open("/pl-2007/16/D/9", status=404)
    for way in ("/pl-2007/16/D", "/pl-2007/", "/"):
        assert page.locator(f'main a[href^="{way}?"]').first.is_visible(), way


@pytest.mark.parametrize("js", [True, False])
def test_a_mistake_is_followed_to_its_row(visit, js):
    """From the law to its scan, from a word of the text and from one of the lines to the row that changes it."""
    reader = visit(js=js)
    page = reader.open("/pl-2007/16/D/2")
    unfold(page, "pl-2007/16/D/2").locator('a[href^="/scan/"]').click()
    assert reader.path() == "/scan/pl-2007/16/D/2"

    word = page.locator(".text a.fixed").first
    published = word.inner_text()
    word.click()
    line, column, source, right, *_ = page.locator(".row").first.inner_text().split("\t")
    assert right and right in published and source != right
    shown = page.locator(f'.lines li[value="{line}"]')
    assert shown.inner_text()[int(column) - int(shown.get_attribute("data-column")) :].startswith(source)

    page.locator(f'.lines li[value="{line}"] a', has_text=source).first.click()
    assert page.locator(".row").first.inner_text().split("\t")[:4] == [line, column, source, right]
    page.locator(".text a:not(.fixed)").first.click()
    _, _, source, right, *_ = page.locator(".row").first.inner_text().split("\t")
    assert source == right and source
    assert page.locator(".rows button").count() == (page.locator(".row").count() if js else 0)
