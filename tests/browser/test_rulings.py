"""Rulings in a browser: the list and its filters by keyboard, a ruling on a phone, one under a provision, axe."""

from __future__ import annotations

from itertools import pairwise

import pytest

from app import create_app
from app.site.snapshot import Snapshot
from tests.browser.conftest import Visitor
from tests.browser.test_accessibility import AXE, TAGS, violations
from tests.rulings import RULINGS, library_with
from tools.screenshots import serve_in_thread

TODAY = (RULINGS, '{from = "2030-06-01"}', '{from = "2020-06-01"}')


@pytest.fixture(scope="module")
def origin(ingest, searcher, tmp_path_factory):
    """The address of a site with a second body, which contradicts the first."""
    library = library_with(ingest, tmp_path_factory.mktemp("bodies"), TODAY)
    with serve_in_thread(create_app({"SNAPSHOT": Snapshot.from_library(library, searcher)})) as address:
        yield address


@pytest.fixture
def look(visit, origin):
    """``look(width, ui)``: a reader of that site."""

    def new(width: int, ui: str = "en", **options) -> Visitor:
        reader = visit(width, ui=ui, **options)
        reader.origin = origin
        return reader

    return new


def sound(page) -> None:
    """Nothing is wrong for axe, and nothing scrolls sideways."""
    page.evaluate(AXE)
    assert violations(page, {"type": "tag", "values": TAGS}) == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_the_list_is_narrowed_with_the_keyboard_alone(look, width):
    page = look(width, js=False).open("/rulings/")
    assert page.locator("li[data-ruling]").count() == 28
    chosen = page.locator("#f-condition")
    chosen.focus()
    chosen.press("b")  # “behind screens”
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/rulings/?*condition=screens*")
    shown = page.locator("li[data-ruling]")
    assert [shown.nth(n).get_attribute("data-ruling") for n in range(shown.count())] == ["pzbs/6", "pzbs/13"]


@pytest.mark.parametrize("address", ["/rulings/", "/rulings/xyz/", "/rulings/xyz/1", "/rulings/?condition=screens"])
def test_a_page_of_rulings_is_sound(look, width, address):
    sound(look(width).open(address))


def test_a_ruling_is_reached_from_the_list_by_keyboard_and_leads_to_its_provision(look, width):
    page = look(width).open("/rulings/?body=xyz")
    page.locator('[data-ruling="xyz/1"] a').first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/rulings/xyz/1*")
    assert "always 2 IMPs" in page.locator("article").inner_text()
    page.locator(".facts a").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/sk-2017/12/C/2/b*")


def test_two_bodies_stand_one_after_the_other_and_unfold_by_keyboard(look, width):
    page = look(width).open("/sk-2017/12/C/2/b")
    boxes = page.locator('[data-id="sk-2017/12/C/2/b"] > .decision')
    assert boxes.count() == 3
    places = [boxes.nth(n).bounding_box() for n in range(3)]
    assert all(a["y"] + a["height"] <= b["y"] + 1 for a, b in pairwise(places))
    polish = page.locator('[data-ruling="pzbs/3"]').first
    assert not polish.locator("div").is_visible()
    polish.locator("summary").focus()
    page.keyboard.press("Enter")
    assert polish.locator("div").is_visible() and "PZBS" in polish.locator("summary").inner_text()
    page.evaluate(AXE)
    only = {"type": "tag", "values": TAGS}
    assert violations(page, only, '[data-id="sk-2017/12/C/2/b"]') == []


def test_fingers_find_the_links_of_the_list(look):
    page = look(390, has_touch=True, is_mobile=True).open("/rulings/")
    small = page.locator(".choose select, .choose button, li[data-ruling] > p:first-child a").evaluate_all(
        "all => all.map(e => [e.getBoundingClientRect(), e.outerHTML]).filter(([r]) => r.height < 24 || r.width < 24)"
        ".map(([r, h]) => Math.round(r.height) + ' ' + h.slice(0, 80))"
    )
    assert not small, "\n".join(small)
