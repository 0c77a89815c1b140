"""Budgets in the real browser: bytes over the wire, requests, layout shift, and text before scripts."""

from __future__ import annotations

import re

import pytest

from app.site import http
from tests.browser.conftest import WIDTHS

KILOBYTES = 60
REQUESTS = 5  # page, style, script, the look that comes before it, icon
SHIFT = 0.1


def heaviest(library, edition: str) -> str:
    """The law with the most to show: nodes and characters."""
    law = max(
        library.laws_of(edition),
        key=lambda law: sum(len(n.text) + 900 for n in library.nodes_of(edition) if n.id.startswith(law.id + "/")),
    )
    return f"/{law.id}"


@pytest.fixture
def measured(visit):
    """Opens an address in a fresh window and gives (bytes over the wire, number of requests, page)."""

    def measure(address: str, width: int = 1280):
        reader = visit(width)
        wire = reader.page.context.new_cdp_session(reader.page)
        wire.send("Network.enable")
        sizes: list[float] = []
        wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
        page = reader.open(address)
        page.wait_for_load_state("networkidle")
        return sum(sizes), len(sizes), page

    return measure


@pytest.mark.parametrize("edition", ["pl-2007", "sk-2017", "hr-1997", "pl-1997", "pzbs-2017"])
def test_the_heaviest_law_of_each_edition_weighs_little(measured, library, edition):
    address = heaviest(library, edition)
    size, requests, _page = measured(address)
    assert 5_000 < size <= KILOBYTES * 1024, f"{address}: {size / 1024:.1f} KB"
    assert requests <= REQUESTS


@pytest.mark.parametrize(
    "address", ["/", "/pl-2007/16/D/2", "/sk-2017/77", "/compare/12?e=pl-1997&e=pl-2007", "/search?q=renons"]
)
def test_nothing_jumps_while_a_page_arrives(measured, address):
    for width in WIDTHS:
        _size, _requests, page = measured(address, width)
        shift = page.evaluate("""() => new Promise(done => { let sum = 0;
            new PerformanceObserver(list => list.getEntries().forEach(e => { if (!e.hadRecentInput) sum += e.value; }))
                .observe({type: 'layout-shift', buffered: true});
            setTimeout(() => done(sum), 150); })""")
        assert shift < SHIFT, f"{address} at {width} px: {shift:.3f}"


def test_nothing_stands_between_the_reader_and_the_text(visit):
    """One style sheet, no font, scripts that wait but for the few lines that must come before the first colour; a
    second law costs only itself.
    """
    page = visit().open("/sk-2017/40")
    assert page.locator("link[rel=stylesheet]").count() == 1
    waited_for = page.locator("script[src]").evaluate_all(
        "all => all.filter(s => !s.defer && !s.async).map(s => s.src)"
    )
    assert [re.sub(r"\.[0-9a-f]{10}\.", ".", url.rpartition("/")[2]) for url in waited_for] == ["look.js"]
    assert len(http.STATIC_FILES["look.js"]) < 1500
    assert page.evaluate("document.fonts.size") == 0
    page.goto(page.url.replace("/40", "/41"))
    again = page.evaluate(
        "performance.getEntriesByType('resource').filter(e => /site.*(css|js)$/.test(e.name)).map(e => e.transferSize)"
    )
    assert again and not any(again), "style and script come from the browser's own store"
