"""Terms and topics in a browser: the list, the popover of a term, the page of one, by mouse and by keyboard."""

from __future__ import annotations

from tests.browser.conftest import in_view
from tests.browser.test_accessibility import AXE, TAGS, violations

ALL = {"type": "tag", "values": TAGS}


def test_from_the_list_to_a_term_by_keyboard(visit, width, ui):
    reader = visit(width, ui, js=False)
    page = reader.open("/terms/")
    page.locator("#name").fill("renons")
    page.keyboard.press("Enter")
    page.locator('.glossary a[href^="/terms/revoke?"]').focus()
    page.keyboard.press("Enter")
    page.locator(".meaning").first.wait_for()
    assert reader.path() == "/terms/revoke" and in_view(page, "h1")
    assert page.locator("body").bounding_box()["width"] <= width
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_term_in_the_text_opens_its_definition(visit, width):
    page = visit(width).open("/hr-1997/62")
    term = page.locator("article a.term").first
    term.focus()
    page.locator("#pop").wait_for()
    to = term.get_attribute("data-to")
    assert page.locator(f'#pop [href^="/{to}"]').count() and page.locator('#pop a[href^="/terms/"]').count() == 1
    box = page.locator("#pop").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= width
    page.evaluate(AXE)
    assert not violations(page, ALL, "#pop")
    page.keyboard.press("Escape")
    assert page.locator("#pop").count() == 0
    term.press("Enter")
    page.wait_for_url(f"**/{to}*")


def test_without_javascript_a_term_is_a_link(visit):
    reader = visit(390, js=False)
    page = reader.open("/pl-2007/62")
    term = page.locator("article a.term").first
    to = term.get_attribute("data-to")
    term.click()
    page.wait_for_load_state()
    assert reader.path() == f"/{to}" and in_view(page, "[data-id][aria-current=true]")


def test_topics_lead_to_every_edition(visit, width, ui):
    reader = visit(width, ui, js=False)
    page = reader.open("/topics/?q=renons")
    for edition in ("pl-2007", "sk-2017", "hr-1997"):
        assert page.locator(f'.carried[data-edition="{edition}"] a').first.is_visible()
    page.locator('#topic-falszywy-renons > .carried[data-edition="sk-2017"] a').first.click()
    page.wait_for_load_state()
    assert reader.path().startswith("/sk-2017/6")
    assert page.locator("article").is_visible()
