"""A maintainer's page: the provision as its source has it; every word
leads to the rows of corrections.tsv that change it.
"""

from __future__ import annotations

import re

import pytest
from app_site import client, page, site  # noqa: F401

from app.law import views
from app.site import drawing
from app.site.atlas import Atlas
from corpus import generation


@pytest.fixture(scope="module")
def atlas(library):
    return Atlas(library)


def cells(row: str) -> tuple[int, int, str, str]:
    line, column, source, published, *_ = row.split("\t")
    return int(line), int(column), source, published


def test_there_is_a_scan(atlas):
    assert [e for e in atlas.editions_in_order if atlas.is_scanned(e)]


def test_every_word_of_every_provision_has_rows_that_fit_the_source_and_make_the_word(atlas):
    """From the text as from the lines; the right one also where the same
    word stands twice, and in a title or a label.
    """
    words = corrected = 0
    for edition in atlas.editions_in_order:
        source = atlas.library.source_lines(edition.id)
        for node in atlas.library.nodes_of(edition.id):
            own = atlas.corrections_by_node.get(node.id, ())
            found = views.scan_page(atlas.library, node, own)
            published = [w for p in found.published for w in p if w.text.strip()]
            assert [w.text for w in published] == " ".join(filter(None, (node.label, node.heading, node.text))).split()
            for number, word in enumerate(
                [*published, *(w for line in found.lines for w in line.words if w.text.strip())]
            ):
                rows = [
                    cells(r)
                    for s in word.spans
                    for r in views.correction_tsv_rows(source[s.line - 1], s, found.corrections)
                ]
                assert rows, (node.id, word)
                assert all(source[line - 1][column - 1 :].startswith(wrong) for line, column, wrong, _ in rows), (
                    node.id,
                    word,
                )
                words += 1
                if number < len(published):  # its characters in their order; the sign of a note may stand among them
                    made = iter("".join("".join(right.split()) for *_, right in rows))
                    assert all(c in made for c in word.text), (node.id, word, rows)
                    corrected += word.fixed
    assert words > 100_000 and corrected > 5_000, (words, corrected)


def test_every_correction_of_a_provision_can_be_reached_from_a_word(atlas):
    """From the lines always; from the text wherever it is drawn."""
    for edition in (e for e in atlas.editions_in_order if atlas.is_scanned(e)):
        source = atlas.library.source_lines(edition.id)
        for node in atlas.library.nodes_of(edition.id):
            own = atlas.corrections_by_node.get(node.id, ())
            found = views.scan_page(atlas.library, node, own)
            reached = [
                {
                    cells(r)
                    for w in part
                    for s in w.spans
                    for r in views.correction_tsv_rows(source[s.line - 1], s, found.corrections)
                }
                for part in ([w for line in found.lines for w in line.words], [w for p in found.published for w in p])
            ]
            for c in own:
                row = (c.correction.line, c.correction.column, c.correction.source, c.correction.published)
                assert row in reached[0] or not found.lines, (node.id, row)
                assert row in reached[1] or not c.where, (node.id, row)


def test_the_page_says_the_rows_of_the_word_that_was_followed(client):
    source = (generation.corpus_dir() / "editions/pl-2007/source.txt").read_text(encoding="utf-8").split("\n")
    soup = page(client, "/scan/pl-2007/16/D/2")
    for line in soup.select(".lines li"):
        assert source[int(line["value"]) - 1][int(line["data-column"]) - 1 :].startswith(line.get_text())
    assert not soup.select(".row")
    fixed = soup.select(".text a.fixed")
    assert len(fixed) > 5
    for word in fixed:
        rows = [cells(r.get_text()) for r in page(client, word["href"]).select(".row")]
        assert rows and all(source[line - 1][column - 1 :].startswith(wrong) for line, column, wrong, _ in rows)
        assert word.get_text() in "".join(published for *_, published in rows)
    assert soup.select_one("meta[name=robots]")["content"] == "noindex, nofollow"


@pytest.mark.parametrize(
    "asked",
    [
        "word=",
        "word=x",
        "word=1.1-5",
        "word=826.9-5",
        "word=826.1-99999",
        "word=0.0-0",
        "word=99999.1-2",
        "word=826.15",
    ],
)
def test_what_is_no_place_of_the_provision_has_no_row(asked, client):
    assert not page(client, f"/scan/pl-2007/16/D/2?{asked}").select(".row")


def test_a_sloppy_address_leads_to_the_page_and_an_unknown_one_nowhere(client):
    assert client.get("/scan/pl-2007/16d2").headers["Location"].endswith("/scan/pl-2007/16/D/2")
    assert client.get("/scan/pl-2007/99").status_code == client.get("/scan/xx-1900/1").status_code == 404


def test_a_law_page_leads_to_the_scan_of_what_was_corrected(client):
    links = page(client, "/pl-2007/16/D/2").select('[data-id="pl-2007/16/D/2"] > details.more a[href^="/scan/"]')
    assert [a["href"] for a in links] == ["/scan/pl-2007/16/D/2"] and re.search(r"\d", links[0].get_text())


# ── corrections on the law page ───────────────────────────────────────────────────────────────────


def fixed_in(pieces) -> set[tuple[int, int]]:
    """Line and column of the corrections that runs are marked with."""
    runs = [
        p for piece in pieces for p in (piece.pieces if piece.form in ("arrow", "term") else [piece]) if p.form == "run"
    ]
    return {(fix.line, fix.column) for run in runs for fix in run.corrections}


def test_every_correction_in_the_words_is_marked_on_the_page(atlas):
    """In label, heading, text and table: all editions, all nodes, as pages draw them."""
    drawer, count = drawing.Drawer(atlas, corrected=atlas.corrections_by_node), 0
    for node in atlas.library.nodes.values():
        blocks = drawer.blocks(node, 0, len(node.text))
        cells = [cell for b in blocks if b.form == "table" for row in b.rows for cell in row]
        paragraphs = [b.pieces for b in blocks if b.form == "paragraph"]
        found = [fixed_in(p) for p in (drawer.label(node), drawer.heading(node), *paragraphs, *cells)]
        wanted = {
            (c.correction.line, c.correction.column) for c in atlas.corrections_by_node.get(node.id, ()) if c.where
        }
        assert set().union(*found) == wanted, node.id
        count += len(wanted)
    assert count > 0.99 * len(atlas.library.corrections)


@pytest.mark.parametrize("law", ["2", "16", "25", "77"])
def test_a_law_page_marks_them_on_demand(law, client, atlas):
    tree = atlas.library.subtree_of(atlas.library.nodes[f"pl-2007/{law}"])
    wanted = {
        f"{c.correction.line}:{c.correction.column}"
        for n in tree
        for c in atlas.corrections_by_node.get(n.id, ())
        if c.where
    }
    assert wanted <= {e["data-at"] for e in page(client, f"/pl-2007/{law}?fixes=1").select(".fixed")}
    assert wanted and not page(client, f"/pl-2007/{law}").select(".fixed")
