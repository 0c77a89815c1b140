"""What one takes from a law page without JavaScript: a selection to print, the index."""

from __future__ import annotations

from app_site import client, page, site  # noqa: F401


def test_a_selection_prints_what_was_chosen_in_the_order_of_the_book(client):
    soup = page(client, "/pl-2007/16?only=16/D,16/B/1&only=16d2")
    assert [h.get_text().split(" ")[0] for h in soup.select("article h2")] == ["16B1", "16D"]
    assert "pl-2007/16/D" in soup.select_one(".source-line").get_text()
    # The note that 16B1 carries is printed with it.
    assert soup.select_one("article .note") and not soup.select("article details")


def test_a_law_offers_its_provisions_as_boxes(client):
    boxes = page(client, "/pl-2007/16").select(".pick input[name=only]")
    assert {"16/A", "16/D", "16/D/2"} <= {b["value"] for b in boxes}


def test_the_index_is_a_list_of_links(client):
    soup = page(client, "/pl-2007/index")
    letters = [a["href"][1:] for a in soup.select(".letters a")]
    assert len(letters) > 15 and all(soup.find(id=i) for i in letters)
    assert len(soup.select(".subject a.ref")) > 600
    assert all(soup.find(id=a["href"][1:]) for a in soup.select(".subject a[href^='#']"))


def test_a_chapter_is_compared_by_its_laws(client):
    rows = page(client, "/compare/chapter/V?e=hr-1997&e=sk-2017").select("tbody tr")
    assert len(rows) > 20
