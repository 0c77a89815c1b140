"""A body's decision inside a law: never taken for the law, told at length only to those whom it concerns."""

from __future__ import annotations

NAMES = {
    "pl": "Decyzja PZBS",
    "sk": "Rozhodnutie poľského zväzu (PZBS), platí v Poľsku",
    "hr": "Odluka poljskog saveza (PZBS), na snazi u Poljskoj",
    "en": "Decision of the Polish federation (PZBS), in force in Poland",
}


def test_a_decision_stands_after_the_words_of_the_law_and_is_open_for_its_own_country_only(visit, ui, width):
    page = visit(width, ui=ui).open("/sk-2017/16/B/2")
    box = page.locator('[data-id="sk-2017/16/B/2"] > .decision')
    assert NAMES[ui] in box.locator("summary").inner_text()
    words = page.locator('[data-id="sk-2017/16/B/2"] > .first').bounding_box()
    assert box.bounding_box()["y"] >= words["y"] + words["height"]
    told = box.locator("div")
    assert told.is_visible() is (ui == "pl")
    if ui != "pl":
        assert box.bounding_box()["height"] < 3 * 24, "folded, it is a line"
        box.locator("summary").click()
        assert told.is_visible()


def test_under_a_superseded_text_it_is_one_line_with_the_way_there(visit, ui):
    page = visit(390, ui=ui).open("/pl-2007/16/B/2")
    box = page.locator('[data-id="pl-2007/16/B/2"] > .decision')
    assert NAMES[ui] in box.inner_text() and "2017" in box.inner_text() and box.bounding_box()["height"] < 4 * 24
    box.locator("summary").click()
    box.locator('a[href^="/pzbs-2017/4"]').click()
    page.wait_for_url("**/pzbs-2017/4?*")
