"""Slips on the pages that show the words: the sign, the note with its evidence, what takes them along."""

from __future__ import annotations

import re

import pytest
from app_site import client, page, site  # noqa: F401
from placed import placed, text_of

from app.site import reader


def flat(element) -> str:
    return re.sub(r"\s+", " ", element.get_text()).strip()


SHOWN = [
    "sk-2017/26/B",
    "sk-2017/47/F/1",
    "hr-1997/42/A/1",
    "sk-2017/40/B/2",
    "hr-1997/30/A",
    "sk-2017/intro",
    "hr-1997/fn/16",
]


@pytest.mark.parametrize("lang", ["pl", "sk", "hr", "en"])
@pytest.mark.parametrize("id_", SHOWN)
@pytest.mark.parametrize("kind", ["", "/peek", "/card"])
def test_a_page_tells_the_slip_at_the_words_with_the_evidence_beside_it(client, library, id_, lang, kind):
    node = library.nodes[id_]
    soup = page(client, f"{kind}/{id_}?ui={lang}")
    for s in node.misprints:
        if s.kind == "misprint":
            assert text_of(node, s.where)[s.start : s.end].replace(" ", "") in "".join(
                flat(e) for e in soup.select(".slip")
            ).replace(" ", "").replace("\u00a0", "")
        note = dict(s.sentences)[lang]
        assert any(note in flat(a) for a in soup.select("a.sic")), "the sign does not say it"
        listed = next(li for li in soup.select(".slips li") if note in flat(li))
        for quote in s.quotes:
            other = library.nodes[quote.node]
            beside = [
                b
                for b in listed.select("blockquote")
                if b.q.get_text() == text_of(other, quote.where)[quote.start : quote.end]
            ]
            assert (
                beside
                and beside[0].q["lang"] == other.lang
                and beside[0].select_one(f'a[href^="/{other.id}"], a[href*="#"]') is not None
            )


def test_signs_and_notes_lead_to_each_other_and_no_link_stands_in_a_link(client, library):
    for law in {
        library.page_node_of(n).id if n.parent or n.kind != "footnote" else "hr-1997/53" for n, _ in placed(library)
    }:
        soup = page(client, f"/{law}")
        ids = {e["id"] for e in soup.select("[id]")}
        signs = [a["href"][1:] for a in soup.select("article a.sic")]
        assert signs and set(signs) <= ids and {a["href"][1:] for a in soup.select(".slips a.back")} <= ids, law
        assert not soup.select("a a")


def test_a_page_without_slips_has_none(client):
    assert not page(client, "/sk-2017/1").select(".slips, .slip, .sic, .lacking")


def test_a_selection_brings_the_notes_of_its_own_words_only(client, library):
    soup = page(client, "/sk-2017/16?only=16/A,16/B&ui=en")
    assert (
        len(soup.select(".slips li"))
        == sum(n.id.startswith(("sk-2017/16/A", "sk-2017/16/B")) for n, _ in placed(library))
        > 0
    )
    assert not page(client, "/sk-2017/16?only=16/B").select(".slips")


@pytest.mark.parametrize("lang", reader.LANGUAGES)
def test_a_quotation_brings_the_note_along_outside_of_the_quoted_words(client, library, lang):
    node = library.nodes["sk-2017/26/B"]
    quoted = page(client, f"/cite/{node.id}?ui={lang}").select("blockquote[data-copy]")[2].get_text()
    note = dict(node.misprints[0].sentences)[lang]
    assert note in quoted and quoted.index(node.text[-20:]) < quoted.index("[26B") < quoted.index(note) < quoted.index(
        "http"
    )


def test_the_law_that_holds_the_provision_brings_it_too(client, library):
    assert "46B2" in page(client, "/cite/sk-2017/46?ui=en").select("blockquote[data-copy]")[2].get_text().split("[")[-1]


def test_columns_of_a_comparison_carry_the_sign(client):
    sign = page(client, "/compare/46/B/2?e=pl-2007&e=sk-2017&ui=en").select_one("a.sic")
    assert (
        sign["href"].startswith("/sk-2017/46/B/2")
        and sign["href"].endswith("#slip-46-B-2-1")
        and "so printed" in sign.get_text()
    )


@pytest.mark.parametrize("lang", reader.LANGUAGES)
def test_the_editions_page_lists_spelling_with_reasons_in_the_sites_language(client, library, lang):
    soup = page(client, f"/sk-2017/about?ui={lang}")
    rows = soup.select("details table tr")
    table = next(r for r in rows if "kontrolou" in r.get_text())
    reason = re.sub(r"\s*\(.*", "", flat(table.select("td")[3]))
    assert reason == {"pl": "inny wyraz", "sk": "iné slovo", "hr": "druga riječ", "en": "another word"}[lang]
    assert soup.select_one('li a[href*="#slip-26-B-1"]') is not None
    assert not page(client, f"/pl-2007/about?ui={lang}").select("#slips + details")


def test_the_api_has_the_notes(client, library):
    data = client.get("/api/v1/nodes/sk-2017/46/B/2").get_json()
    note = data["notes"][0]
    assert (
        data["text"][note["start"] : note["end"]] == "vo farbe výnosu"
        and "pl-2007/46/B/2" in note["see"]
        and note["kind"] == "misprint"
    )
