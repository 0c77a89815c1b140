"""On paper: a law, a comparison and the table card without what belongs to a screen."""

from __future__ import annotations

import re

import pytest

SCREEN_ONLY = "header.site, footer.site, nav.crumbs, nav.turn, aside.side, nav.strip, form, details.more, button"


@pytest.mark.parametrize(
    "address", ["/pl-2007/16/D/2", "/compare/16/D?e=pl-2007&e=hr-1997&e=sk-2017", "/card/pl-2007/16/D/2"]
)
def test_paper_carries_the_text_and_its_source_and_no_navigation(visit, address):
    page = visit().open(address)
    page.emulate_media(media="print")
    left = page.locator(SCREEN_ONLY).evaluate_all(
        "all => all.filter(e => e.checkVisibility()).map(e => e.outerHTML.slice(0, 80))"
    )
    assert not left, left
    assert page.locator("h1").is_visible()
    source = page.locator(".card .foot" if "/card/" in address else ".source-line")
    assert source.is_visible() and "http://127.0.0.1" in source.inner_text()
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"


def test_dark_readers_print_black_on_white(visit):
    reader = visit(color_scheme="dark")
    reader.choose(theme="dark")
    page = reader.open("/pl-2007/16/D/2")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator("article p").first.evaluate("e => getComputedStyle(e).color") == "rgb(0, 0, 0)"


def test_the_table_card_is_one_large_sheet_of_a5(visit):
    page = visit().open("/card/pl-2007/16/D/2")
    letters = float(page.locator(".card .prov p").first.evaluate("e => parseFloat(getComputedStyle(e).fontSize)"))
    assert letters >= 22
    assert page.locator(".card .qr").bounding_box()["width"] >= 90
    assert "16D2" in page.locator(".card h1").inner_text()
    sheets = re.findall(rb"/MediaBox\s*\[([^\]]+)\]", page.pdf(prefer_css_page_size=True))
    sizes = [[round(float(n)) for n in box.split()[2:]] for box in sheets]
    assert [s for s in sizes if abs(s[0] - 420) <= 2 and abs(s[1] - 595) <= 2] == sizes and len(sizes) == 1, sizes


def test_the_card_can_be_turned_to_the_language_of_the_players(visit):
    page = visit(390).open("/card/pl-2007/16/D/2")
    page.locator('a[href^="/card/sk-2017/16/C/2?"]').click()
    page.wait_for_url("**/card/sk-2017/16/C/2*")
    assert page.locator(".card").get_attribute("lang") == "sk"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
