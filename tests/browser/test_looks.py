"""Themes and sizes of letters: chosen below any page, seen on every page, with JavaScript and without."""

from __future__ import annotations

import pytest

PAPER = {
    "auto": "rgb(251, 250, 246)",
    "light": "rgb(251, 250, 246)",
    "dark": "rgb(20, 23, 26)",
    "contrast": "rgb(0, 0, 0)",
}
LETTERS = {"normal": "16px", "large": "20.8px"}


def seen(page) -> tuple[str, str]:
    """(colour of the paper, size of the letters)."""
    return tuple(page.evaluate("(s => [s.backgroundColor, s.fontSize])(getComputedStyle(document.documentElement))"))


@pytest.mark.parametrize("js", [True, False])
def test_a_look_is_chosen_on_any_page_and_kept_on_all(visit, width, js):
    reader = visit(width, ui="sk", js=js)
    page = reader.open("/pl-2007/16/D/2?hl=a")
    for theme, size in (("dark", "large"), ("contrast", "normal"), ("light", "large"), ("auto", "normal")):
        for choice in (f"theme={theme}", f"size={size}"):
            with page.expect_navigation(url="**/pl-2007/16/D/2?hl=a&ui=sk"):
                page.locator(f'[data-look="{choice}"]').click()
        assert seen(page) == (PAPER[theme], LETTERS[size])
        marked = page.locator(".looks [data-look]").evaluate_all(
            "all => all.filter(a => !/0, 0, 0, 0/.test(getComputedStyle(a).backgroundColor)).map(a => a.dataset.look)"
        )
        assert marked == [f"theme={theme}", f"size={size}"]
        if js:
            said = page.locator(".looks [aria-current]").evaluate_all("all => all.map(a => a.dataset.look)")
            assert said == marked
        reader.open("/terms/")
        assert seen(page) == (PAPER[theme], LETTERS[size])
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        reader.open("/pl-2007/16/D/2?hl=a")


@pytest.mark.parametrize("js", [True, False])
def test_a_chosen_look_comes_before_what_the_browser_asks_for(visit, js):
    reader = visit(ui="en", js=js, color_scheme="dark")
    page = reader.open("/")
    assert seen(page)[0] == PAPER["dark"]
    with page.expect_navigation(url="**/"):
        page.locator('[data-look="theme=light"]').click()
    assert seen(page)[0] == PAPER["light"]
