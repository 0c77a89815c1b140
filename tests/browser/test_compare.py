"""The comparison in a real browser: two texts of one language word by
word; an address that holds whatever is rebuilt.
"""

from __future__ import annotations

import shutil

from app import create_app
from corpus.ingest import write_corpus
from tests.generations import published
from tools.screenshots import serve_in_thread

SIDE_BY_SIDE = "/compare/16/D?e=pl-2007&e=hr-1997&e=sk-2017&ui=en"
# What a cell says, once what was removed is taken out.
PUBLISHED = """cell => { const c = cell.cloneNode(true);
    c.querySelectorAll('del, p:first-child').forEach(e => e.remove());
                          return c.textContent.replace(/\\s+/g, ' ').trim(); }"""


def test_the_redline_of_law_12_between_the_polish_texts_of_1997_and_2007(visit, library, width):
    page = visit(width).open("/compare/12?e=pl-1997&e=pl-2007")
    added, removed = page.locator("table.laws-side ins"), page.locator("table.laws-side del")
    assert added.count() > 20 and removed.count() > 20
    for words, line in ((added, "underline"), (removed, "line-through")):
        assert line in words.first.evaluate("e => getComputedStyle(e).textDecorationLine"), "told apart without colour"
    signs = [e.first.evaluate("e => getComputedStyle(e, '::before').content") for e in (added, removed)]
    assert signs == ['"+"', '"−"']
    redlined = page.locator("td[lang=pl]:last-child .cell:has(ins, del)").all()
    assert len(redlined) > 5
    for cell in redlined:
        node = library.nodes[cell.get_attribute("data-id")]
        assert cell.evaluate(PUBLISHED) == " ".join(node.text.split()), (
            f"{node.id}: without what was removed it is the text of 2007"
        )


def rows(page) -> list:
    """Every row as (relation, ids of each cell)."""
    return page.locator("table.laws-side tbody tr").evaluate_all(
        "all => all.map(tr => [tr.className, "
        "[...tr.cells].map(td => [...td.querySelectorAll('[data-id]')].map(e => e.dataset.id))])"
    )


def test_the_address_of_a_comparison_survives_a_rebuild(chromium, build_dir, ingest, corpus_dir, tmp_path):
    """The same address shows the same rows after the corpus was built anew, in a server that was never restarted."""
    folder = tmp_path / "build"
    published(folder, build_dir)
    with serve_in_thread(create_app({"BUILD": folder})) as origin:
        page = chromium.new_page()
        page.goto(origin + SIDE_BY_SIDE)
        before = rows(page)
        published(folder, folder, lambda stage: shutil.rmtree(stage.folder / "corpus") or write_corpus(ingest, stage))
        page.reload()
        assert rows(page) == before and len(before) >= 3
        assert page.url == origin + SIDE_BY_SIDE
        page.close()


def test_page_api_and_counterparts_agree(visit):
    """Shown rows are those of the API, and a provision's counterparts are those it stands beside."""
    reader = visit()
    page = reader.open(SIDE_BY_SIDE)
    shown = [cells for _class, cells in rows(page)]
    asked = page.request.get(
        f"{reader.origin}/api/v1/compare?path=16/D&base=pl-2007&edition=hr-1997&edition=sk-2017"
    ).json()
    # The page stands in time order, the API as it was asked.
    order = [asked["editions"].index(e) for e in ("hr-1997", "pl-2007", "sk-2017")]
    assert shown == [[row["cells"][i] for i in order] for row in asked["rows"]]
    node = page.request.get(f"{reader.origin}/api/v1/nodes/pl-2007/16/D/2").json()
    beside = next(row["cells"] for row in asked["rows"] if "pl-2007/16/D/2" in row["cells"][0])
    assert [[c["id"] for c in node["counterparts"][e]] for e in asked["editions"][1:]] == beside[1:]
