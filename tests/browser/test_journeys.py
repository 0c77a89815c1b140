"""What a director does at the table: search, open, follow, compare, cite –
by hand, by thumb, by keyboard, without JavaScript.
"""

from __future__ import annotations

import re

import pytest

from tests.browser.conftest import in_view
from tests.browser.steps import columns, hit, search, unfold

# Language of the site → what its reader types, the provision that is opened, the edition that the reader goes over to.
READERS = {
    "pl": ("falszywy renons", "pl-2007/62/B", "sk-2017"),
    "sk": ("16C2", "sk-2017/16/C/2", "pl-2007"),
    "hr": ("16C2", "hr-1997/16/C/2", "sk-2017"),
    "en": ("64A1", "sk-2017/64/A/1", "hr-1997"),
}


def test_from_a_word_to_three_editions_side_by_side(visit, width):
    """Search "falszywy renons", open the provision, follow a reference, go
    over to Slovak and Croatian, compare 16D with 16C.
    """
    reader = visit(width)
    page = reader.open("/")
    search(page, "falszywy renons")
    assert page.locator("ol.results mark").first.is_visible()
    hit(page, "pl-2007/62/B").click()
    assert reader.path() == "/pl-2007/62/B"
    assert in_view(page, '[data-id="pl-2007/62/B"][aria-current="true"]')

    page.locator('article a.ref[data-to="pl-2007/16/D"]').first.click()
    page.wait_for_url("**/pl-2007/16/D*")
    assert in_view(page, '[data-id="pl-2007/16/D"][aria-current="true"]')

    for edition in ("sk-2017", "hr-1997"):
        unfold(page, "pl-2007/16/D").locator(f'.twins a[href^="/{edition}/16/C"]').click()
        page.wait_for_url(f"**/{edition}/16/C*")
        assert in_view(page, f'[data-id="{edition}/16/C"][aria-current="true"]')
        assert page.locator("article").get_attribute("lang") == edition[:2]
        page.go_back()
        page.wait_for_url("**/pl-2007/16/D*")

    unfold(page, "pl-2007/16/D").locator('.tools a[href^="/compare/16/D?"]').click()
    page.wait_for_url("**/compare/16/D?*")
    for edition, on in {"hr-1997": True, "sk-2017": True, "pl-1997": False}.items():
        page.locator(f'form.choose input[value="{edition}"]').set_checked(on)
    page.locator("form.choose button").click()
    page.wait_for_url("**/compare/16/D?e=pl-2007&e=hr-1997&e=sk-2017&ui=*")
    assert columns(page, "pl-2007/16/D") == [["hr-1997/16/C"], ["pl-2007/16/D"], ["sk-2017/16/C"]]
    assert columns(page, "pl-2007/16/D/2") == [["hr-1997/16/C/2"], ["pl-2007/16/D/2"], ["sk-2017/16/C/2"]]

    boxes = [cell.bounding_box() for cell in page.locator('tr:has([data-id="pl-2007/16/D/2"]) td').all()]
    if width < 640:
        tops = [b["y"] for b in boxes]
        assert tops == sorted(tops) and len(set(tops)) == 3, "on a phone the editions stand under each other"
        assert all(b["x"] >= 0 and b["x"] + b["width"] <= width for b in boxes)
    else:
        assert len({b["y"] for b in boxes}) == 1, "on a desk the editions stand beside each other"
    assert "16C" in page.locator('tr:has([data-id="pl-2007/16/D"])').inner_text()


def test_every_language_of_the_site_from_search_to_a_copied_citation(visit, ui):
    """Search → provision, at once where its number is typed → popover of a reference → counterpart → comparison → the
    citation is in the clipboard.
    """
    words, wanted, over = READERS[ui]
    reader = visit(ui=ui)
    reader.choose(code=wanted.partition("/")[0].rpartition("-")[2])
    page = reader.open("/")
    assert page.locator("html").get_attribute("lang") == ui
    search(page, words)
    if not words[0].isdigit():
        hit(page, wanted).click()
    page.wait_for_url(f"**/{wanted}*")

    ref = page.locator("article a[data-to]").first
    ref.scroll_into_view_if_needed()
    ref.hover()
    popover = page.locator("#pop")
    popover.wait_for()
    target = ref.get_attribute("data-to")
    assert popover.locator(f'a[href^="/{target}"]').count() >= 1 and len(popover.inner_text()) > 20
    page.keyboard.press("Escape")
    popover.wait_for(state="detached")

    unfold(page, wanted).locator(f'.twins a[href^="/{over}/"]').first.click()
    page.wait_for_url(f"**/{over}/**")
    twin = page.locator("article [aria-current=true]").get_attribute("data-id")
    assert twin.startswith(over + "/")

    unfold(page, twin).locator('.tools a[href^="/compare/"]').first.click()
    page.wait_for_url("**/compare/**")
    assert wanted in {id_ for cell in columns(page, twin) for id_ in cell}

    page.locator(f'[data-id="{wanted}"] a.addr').first.click()
    page.wait_for_url(f"**/{wanted}*")
    unfold(page, wanted).locator("a[data-cite]").click()
    dialog = page.locator("dialog[open]")
    dialog.wait_for()
    quoted = dialog.locator("[data-copy]")
    for n, form in ((0, "short"), (2, "with quotation")):
        text = quoted.nth(n).inner_text()
        quoted.nth(n).locator("+ button").click()
        page.wait_for_function("() => document.querySelector('#says').textContent")
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied.replace("\r", "") == text, form
    assert f"/{wanted}" in copied and len(copied.splitlines()) >= 3
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    assert page.evaluate("document.activeElement.matches('a[data-cite]')"), "one is back where one was"


def test_the_site_speaks_four_languages(visit):
    """The same button says four different words, and the language that was chosen is remembered."""
    words = set()
    reader = visit(ui="de")
    for code in READERS:
        page = reader.open("/sk-2017/16")
        page.locator(f'.tongues a[hreflang="{code}"]').click()
        page.wait_for_url(f"**/sk-2017/16?ui={code}")
        words.add(page.locator("form.find button").inner_text())
        reader.open("/sk-2017/17")
        assert page.locator("html").get_attribute("lang") == code
        assert page.locator("article").get_attribute("lang") == "sk", "the text keeps its own language"
        assert page.locator('link[hreflang="sk"]').get_attribute("href").endswith("/sk-2017/17"), (
            "what a text is in does not change with the buttons"
        )
    assert len(words) == len(READERS), words


def test_keyboard_only_from_the_first_page_to_a_copied_citation(visit):
    """No mouse: suggestions by arrows, skip link, a reference read and
    followed, what hangs on a provision, the citation.
    """
    reader = visit()
    page = reader.open("/")
    key = page.keyboard
    assert page.evaluate("document.activeElement.id") == "q", "the first page begins in the search field"
    key.type("16D2")
    page.locator("#suggestions li").first.wait_for()
    key.press("ArrowDown")
    assert page.locator("#suggestions [aria-selected=true]").count() == 1
    assert page.locator("#q").get_attribute("aria-activedescendant") == "s0"
    key.press("Escape")
    assert not page.locator("#suggestions").is_visible()
    key.press("ArrowDown")
    page.locator("#suggestions li").first.wait_for()
    key.press("ArrowDown")
    key.press("Enter")
    page.wait_for_url(re.compile(r"/(pl-2007|sk-2017|hr-1997)/16/D/2|/search\?q=16D2"))
    reader.open("/pl-2007/62")

    key.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    key.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"

    seen = []
    for _step in range(120):
        key.press("Tab")
        now = page.evaluate("""() => { const e = document.activeElement, s = getComputedStyle(e),
            r = e.getBoundingClientRect();
            return {to: e.dataset.to || null, ring: s.outlineStyle != 'none' && parseFloat(s.outlineWidth) >= 2,
                    tall: r.height > 0, what: e.outerHTML.slice(0, 90),
                    inside: r.bottom > 0 && r.top < innerHeight} }""")
        assert now["ring"] and now["tall"] and now["inside"], f"the focus cannot be seen: {now['what']}"
        seen.append(now)
        if now["to"] == "pl-2007/16/D":
            break
    else:
        pytest.fail("the reference cannot be reached with Tab")
    page.locator("#pop").wait_for()
    assert "16D" in page.locator("#pop .name").inner_text()
    key.press("Escape")
    assert page.locator("#pop").count() == 0
    assert page.evaluate("document.activeElement.dataset.to") == "pl-2007/16/D", "one's place is not lost"
    key.press("Enter")
    page.wait_for_url("**/pl-2007/16/D*")

    page.locator('[data-id="pl-2007/16/D/2"] > details.more > summary').focus()
    key.press("Enter")
    cite = page.locator('[data-id="pl-2007/16/D/2"] > details.more a[data-cite]')
    cite.focus()
    key.press("Enter")
    page.locator("dialog[open]").wait_for()
    for _step in range(6):
        if page.evaluate("document.activeElement.previousElementSibling?.matches('[data-copy]') ?? false"):
            break
        key.press("Tab")
    key.press("Enter")
    page.wait_for_function("() => document.querySelector('#says').textContent")
    assert "16D2" in page.evaluate("navigator.clipboard.readText()")
    key.press("Escape")
    page.locator("dialog").wait_for(state="detached")

    for shortcut in ("/", "Control+k"):
        page.locator("#main").focus()
        key.press(shortcut)
        assert page.evaluate("document.activeElement.id") == "q", shortcut
    key.type("renons")
    key.press("Enter")
    page.wait_for_url("**/search?q=renons&ui=*")


def test_without_javascript_everything_can_be_read_followed_compared_and_cited(visit, width):
    reader = visit(width, js=False)
    page = reader.open("/")
    page.locator("#q").fill("falszywy renons")
    page.locator("form.find button").click()
    hit(page, "pl-2007/62/B").click()
    assert reader.path() == "/pl-2007/62/B"
    assert in_view(page, '[data-id="pl-2007/62/B"][aria-current="true"]')
    page.locator('article a.ref[data-to="pl-2007/16/D"]').first.click()
    assert reader.path() == "/pl-2007/16/D"

    page.locator("article a.mark[href]").first.click()
    assert page.url.partition("#")[2]
    assert in_view(page, f'[id="{page.url.partition("#")[2]}"]')

    reader.open("/pl-2007/16/D/2")
    assert in_view(page, '[data-id="pl-2007/16/D/2"][aria-current="true"]')
    more = unfold(page, "pl-2007/16/D/2")
    more.locator("a[data-cite]").click()
    assert reader.path() == "/cite/pl-2007/16/D/2"
    assert "16D2" in page.locator("[data-copy]").first.inner_text()
    page.go_back()
    unfold(page, "pl-2007/16/D/2").locator('a[href^="/compare/"]').first.click()
    assert reader.path() == "/compare/16/D/2"
    assert len(columns(page, "pl-2007/16/D/2")) >= 3

    reader.open("/pl-2007/16")
    page.locator('.tongues a[hreflang="sk"]').click()
    page.locator('footer button[name="ui"][value="sk"]').click()
    assert reader.path() == "/pl-2007/16"
    reader.open("/hr-1997/16")
    assert page.locator("html").get_attribute("lang") == "sk"
