"""Steps that readers take on many ways: search, a hit, what hangs on a provision, the columns of a comparison."""

from __future__ import annotations

from urllib.parse import urlsplit


def hit(page, id_: str):
    """The result that leads to a node, shown."""
    page.locator("ol.results").wait_for()
    folded = page.locator("ol.results details:not([open]) > summary")
    while folded.count():
        folded.first.click()
    return page.locator("ol.results a.hit").filter(visible=True).and_(page.locator(f'[href^="/{id_}?"]')).first


def unfold(page, id_: str):
    """What hangs on a provision, opened; gives its element."""
    more = page.locator(f'article [data-id="{id_}"] > details.more')
    if more.get_attribute("open") is None:
        more.locator("> summary").click()
    return more


def search(page, words: str):
    """Typed and entered; a citation opens the provision at once."""
    field = page.locator("#q")
    field.fill(words)
    field.press("Enter")
    page.wait_for_url(lambda address: urlsplit(address).path != "/")


def columns(page, id_: str) -> list[list[str]]:
    """The ids in each cell of the row that shows a node."""
    row = page.locator(f'table.laws-side tr:has([data-id="{id_}"])').first
    row.wait_for()
    return [
        cell.locator("[data-id]").evaluate_all("all => all.map(e => e.dataset.id)") for cell in row.locator("td").all()
    ]
