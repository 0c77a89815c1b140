"""What one takes from a law page without JavaScript: a selection to print, the scan's lines, rows for corrections, the index."""
from __future__ import annotations

from app_site import client, page, site  # noqa: F401
from corpus import store


def test_a_selection_prints_what_was_chosen_in_the_order_of_the_book(client):
    soup = page(client, "/pl-2007/16?only=16/D,16/B/1&only=16d2")
    assert [h.get_text().split(" ")[0] for h in soup.select("article h2")] == ["16B1", "16D"]
    assert "pl-2007/16/D" in soup.select_one(".source-line").get_text()
    # The note that 16B1 carries is printed with it.
    assert soup.select_one("article .note") and not soup.select("article details")


def test_a_law_offers_its_provisions_as_boxes(client):
    boxes = page(client, "/pl-2007/16").select(".pick input[name=only]")
    assert {"16/A", "16/D", "16/D/2"} <= {b["value"] for b in boxes}


def test_a_correction_has_its_row_and_the_lines_their_numbers(client):
    source = (store.corpus_dir() / "editions/pl-2007/source.txt").read_text(encoding="utf-8").split("\n")
    box = page(client, "/pl-2007/16/D/2").find(id="16-D-2").select_one("details.scan")
    for line in box.select(".lines li"):
        assert source[int(line["value"]) - 1][int(line["data-column"]) - 1:].startswith(line.get_text())
    rows = [r.get_text().split("\t") for r in box.select(".rows .row")]
    assert rows and all(len(r) == 6 for r in rows)
    for line, column, wrong, *_rest in rows:
        assert source[int(line) - 1][int(column) - 1:].startswith(wrong)


def test_the_index_is_a_list_of_links(client):
    soup = page(client, "/pl-2007/index")
    letters = [a["href"][1:] for a in soup.select(".letters a")]
    assert len(letters) > 15 and all(soup.find(id=i) for i in letters)
    assert len(soup.select(".subject a.ref")) > 600
    assert all(soup.find(id=a["href"][1:]) for a in soup.select(".subject a[href^='#']"))


def test_a_chapter_is_compared_by_its_laws(client):
    rows = page(client, "/compare/chapter/V?e=hr-1997&e=sk-2017").select("tbody tr")
    assert len(rows) > 20
