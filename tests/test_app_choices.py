"""What the site decides for a reader: which edition, in which order, in whose language, and what is a link."""

from __future__ import annotations

from dataclasses import replace

import pytest
from app_site import client, page, site  # noqa: F401
from generations import published, with_editions

from app import create_app
from app.changes import moves_picture
from app.site.atlas import Atlas
from corpus.model import Mark, NodeId, Reference
from corpus.ruling import rulings_of_edition


@pytest.fixture
def asked(build_dir, tmp_path):
    """A client of a site whose manifests say something else: ``asked({"pl-1997": {"complete": True}})``."""

    def altered(changes: dict[str, dict]):
        published(tmp_path / "build", build_dir, with_editions(changes))
        return create_app({"BUILD": tmp_path / "build"}).test_client()

    return altered


@pytest.mark.parametrize(
    "changes, edition",
    [
        ({}, "pl-2007"),
        ({"pl-1997": {"complete": True}}, "pl-2007"),
        ({"pl-1997": {"complete": True, "year": 2019}}, "pl-1997"),
        ({"pl-2007": {"complete": False}, "pl-1997": {"complete": True}}, "pl-1997"),
    ],
)
def test_of_two_whole_editions_in_a_language_the_newest_is_home(asked, changes, edition):
    assert asked(changes).get("/net/?ui=pl").headers["Location"].startswith(f"/net/{edition}/")


@pytest.mark.parametrize(
    "changes, edition",
    [
        ({}, "sk-2017"),
        ({"sk-2017": {"in_force": False}, "hr-1997": {"in_force": True}}, "hr-1997"),
        ({"sk-2017": {"in_force": False}}, "sk-2017"),
    ],
)
def test_who_reads_no_language_of_the_texts_gets_the_one_in_force_else_the_newest(asked, changes, edition):
    assert asked(changes).get("/12?ui=en").headers["Location"].startswith(f"/{edition}/12")


@pytest.mark.parametrize(
    "changes, links",
    [
        ({}, ["/sk-2017/16/C/2#16-C-2"]),
        ({"sk-2017": {"in_force": False}, "hr-1997": {"in_force": True}}, ["/hr-1997/16/C/2#16-C-2"]),
        ({"sk-2017": {"in_force": False}}, []),
    ],
)
def test_the_way_out_of_a_superseded_text_leads_to_one_in_force_only(asked, changes, links):
    banner = page(asked(changes), "/pl-2007/16/D/2?ui=en").select_one(".banner")
    assert "Not in force" in banner.text
    assert [a["href"] for a in banner.select("a[hreflang]")] == links


@pytest.mark.parametrize("url, citation", [("/pl-2007/16/D/2?ui=en", "16C2"), ("/pl-2007/12/C/2/b?ui=en", "12C2(b)")])
def test_the_way_out_says_in_whose_words_it_leads(client, url, citation):
    link = page(client, url).select_one(".banner a[hreflang]")
    assert link["hreflang"] == "sk" and "Slovak" in link.text and citation in link.text


def test_what_is_nowhere_is_no_link_and_says_so(client, site, monkeypatch):
    """A reference to a law that no text has; what the other labels of its list name stays a link."""
    nodes = site.extensions["lexbridge"].snapshot().library.nodes
    node = next(n for n in nodes.values() if any(len(r.parts) == 3 and r.where == "text" for r in n.references))
    listed = next(r for r in node.references if len(r.parts) == 3 and r.where == "text")
    lost = replace(listed.parts[1], targets=(NodeId.of(node.edition, "999"),))
    parts = (listed.parts[0], lost, listed.parts[2])
    torn = replace(listed, parts=parts, targets=tuple(t for p in parts for t in p.targets), missing=lost.targets)
    monkeypatch.setitem(nodes, node.id, replace(node, references=(torn,)))
    shown = page(client, f"/{node.id}?ui=en&decisions=0").find(attrs={"data-id": node.id}).select(".ref")
    words = [node.text[p.start : p.end] for p in parts]
    assert [bool(r.get("href")) for r in shown[:3]] == [True, False, True]
    assert all(r.get_text().endswith(w) for r, w in zip(shown, words, strict=False))
    assert shown[1].name == "span" and "no such provision" in shown[1].find_next(class_="why").text


def test_each_printed_label_is_a_link_to_what_it_names(client, library):
    """The first takes the words before it along, and each is of the text that it stands in."""
    node = next(
        n for n in library.nodes_of("pl-2007") if any(len(r.parts) == 3 and r.where == "text" for r in n.references)
    )
    listed = next(r for r in node.references if len(r.parts) == 3 and r.where == "text")
    shown = page(client, f"/{node.id}").find(attrs={"data-id": node.id}).select("a.ref")
    led = [(a["data-to"], " ".join(a.get_text().split())) for a in shown]
    for at, part in enumerate(listed.parts):
        text = node.text[(part.start if at else listed.start) : part.end]
        assert (part.targets[-1 if at else 0], " ".join(text.split())) in led


@pytest.mark.parametrize("base, heads", [("pl-2007", [1]), ("sk-2017", [2]), ("hr-1997", [0])])
def test_the_base_is_marked_wherever_it_stands(client, base, heads):
    others = [e for e in ("hr-1997", "pl-2007", "sk-2017") if e != base]
    columns = page(client, f"/compare/12?ui=en&e={base}&e={others[0]}&e={others[1]}").select("thead th")
    assert [i for i, th in enumerate(columns) if "base" in th.get("class", ())] == heads
    assert [i for i, th in enumerate(columns) if th.select_one(".base-mark")] == heads


def test_a_decision_is_open_for_readers_of_its_country_only_and_names_its_own_order(client):
    for ui, opened in (("pl", True), ("sk", False), ("hr", False), ("en", False)):
        box = page(client, f"/sk-2017/40/B/1?ui={ui}").select_one(".decision")
        assert box.has_attr("open") is opened
        who = box.select_one(".who").get_text()
        assert who.rstrip().endswith("Międzynarodowe Prawo Brydżowe 2017"), (
            "the text before it in the order of its country"
        )


def test_a_quotation_keeps_the_labels_and_the_order_of_the_parts(client, library):
    quoted = page(client, "/cite/sk-2017/16/A?ui=sk").select("blockquote")[2].text
    node = library.node_at("sk-2017", "16/A")
    at = [
        quoted.index(f"{n.label} {(n.heading or n.text)[:20]}")
        for n in library.subtree_of(node)
        if n.kind != "footnote"
    ]
    assert len(at) > 4 and at == sorted(at)


@pytest.mark.parametrize("ui", ["pl", "sk", "hr", "en"])
def test_a_text_is_marked_as_being_in_its_own_language(client, ui):
    for edition, lang in (("pl-2007", "pl"), ("sk-2017", "sk"), ("hr-1997", "hr")):
        soup = page(client, f"/{edition}/12?ui={ui}")
        assert (soup.html["lang"], soup.article["lang"]) == (ui, lang)
        cells = page(client, f"/compare/12?e={edition}&e=pl-1997&ui={ui}").select("tbody tr:first-child td")
        assert {c["lang"] for c in cells} == {lang, "pl"}


def test_a_decision_is_on_what_its_title_names_and_not_on_what_it_mentions(library):
    point = next(n for n in library.nodes.values() if n.kind == "point" and n.text)
    named = Reference(0, 1, "heading", "x", "external", (NodeId("mpb-2017/16"),))
    told = Reference(0, 1, "text", "x", "external", (NodeId("mpb-2017/93"),))
    body, edition = next(iter(library.bodies.values())), library.editions[point.edition]
    (ruling,) = rulings_of_edition(body, edition, [replace(point, references=(named, told))], library.conditions)
    assert ruling.provisions == ("16",)


def test_a_decision_inside_a_law_leads_to_its_own_page_for_notes_and_slips(site, client, monkeypatch):
    """A mark and a slip put on a point: what they lead to is on the point's page, and not on that of the law."""
    library = site.extensions["lexbridge"].snapshot().library
    slip = next(s for n in library.nodes.values() for s in n.misprints if s.kind == "misprint" and s.where == "text")
    atlas = site.extensions["lexbridge"].snapshot().atlas
    ruled = [(library.nodes[id_], r) for id_, found in atlas.rulings_by_node.items() for r in found]
    decided = [(on, library.nodes[r.node]) for on, r in ruled]
    on, point = next((on, n) for on, d in decided for n in library.subtree_of(d)[1:] if len(n.text) > 9)
    note = next(n for n in library.nodes_of("sk-2017") if n.kind == "footnote")
    changed = replace(point, misprints=(replace(slip, start=0, end=5),), marks=(Mark(3, note.id, "text", "*"),))
    monkeypatch.setitem(library.nodes, point.id, changed)
    html = page(client, f"/{on.id}?ui=en")
    signs = html.select("details.decision a.sic, details.decision a.mark")
    assert len(signs) == 2
    for sign in signs:
        assert not sign["href"].startswith("#") and not sign.get("id"), sign


def test_an_extract_stands_beside_its_laws_in_the_picture_of_moves(library):
    """Whether a text is an extract is said in its manifest; two of the same length may both be one."""
    atlas = Atlas(library)
    places = {d.node.id: d.y for d in moves_picture(atlas, "pl-1997", "pl-2007").dots}
    assert all(places[f"pl-1997/{n.path}"] == places[f"pl-2007/{n.path}"] for n in library.laws_of("pl-1997"))
