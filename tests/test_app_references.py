"""References on pages: a link for every printed label, and never a link that does not say where it leads."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from app_site import client, page, site, url_of  # noqa: F401
from bs4 import Tag

from app.site import drawing
from app.site.atlas import Atlas
from corpus.model import NodeId
from tests.budget import IS_FULL, least, sampled


@pytest.fixture(scope="module")
def atlas(library):
    return Atlas(library)


@pytest.fixture(scope="module")
def pages(site, library):
    """(law, its page without decisions and without what hangs on provisions) of every edition."""
    asker, out = site.test_client(), []
    for edition in library.editions:
        others = filter(None, [library.node_at(edition, p) for p in ("def", "preface", "intro")])
        for law in [*sampled(library.laws_of(edition)), *others]:
            soup = page(asker, f"/{law.id}?decisions=0&ui=en")
            for hung in soup.select("article details"):
                hung.decompose()
            out.append((law, soup))
    assert len(out) > least(300)
    return out


def plain(text: str) -> str:
    return " ".join(text.replace("\u00a0", " ").split())


def said_of(link: Tag) -> str:
    """What stands in brackets behind a link, or behind a later link of the same list."""
    said = link.find_next(class_="why")
    return said.get_text() if said else ""


def shown_nodes(soup, library):
    return [library.nodes[e["data-id"]] for e in soup.select("article [data-id]")]


def test_every_printed_label_is_a_link_of_its_own(pages, library, atlas):
    several = 0
    for law, soup in pages:
        wanted = Counter()
        for node in shown_nodes(soup, library):
            for r in node.references:
                text = node.text if r.where == "text" else node.heading
                for i, part in enumerate(r.parts):
                    start, end = (r.start if i == 0 else part.start), (r.end if len(r.parts) == 1 else part.end)
                    wanted[plain(text[start:end])] += any(atlas.resolve(t).node for t in part.targets)
                several += len(r.parts) > 1
        assert Counter(plain(a.get_text()) for a in soup.select("article a.ref")) == +wanted, law.id
    assert several > least(70)


def test_a_link_leads_to_what_its_label_names_or_says_where_it_leads(pages, library):
    """Seen from the page alone: what a link leads to is a target of a
    reference there, or words behind it say what it is.
    """
    others = 0
    for law, soup in pages:
        named = {t for n in shown_nodes(soup, library) for r in n.references for t in r.targets}
        for link in soup.select("article a.ref"):
            to = link["data-to"]
            assert link["href"] == url_of(NodeId(to))
            if to in named:
                assert to.startswith(law.edition + "/") and not link.get("title")
                continue
            year, text = str(library.nodes[to].year), said_of(link)
            assert text and text.strip(" []") in link["title"], f"{law.id}: {link}"
            if library.nodes[to].edition != law.edition:
                assert year in text and library.editions[library.nodes[to].edition].title in link["title"], text
                assert link.get("hreflang") == (library.nodes[to].lang if library.nodes[to].lang != law.lang else None)
            others += 1
    assert others > least(50)


def test_the_ends_of_a_range_lead_to_its_ends_and_the_last_shows_all(pages, library):
    ranges = 0
    for _, soup in pages:
        for node in shown_nodes(soup, library):
            for r in node.references:
                for before, part in pairwise(r.parts):
                    if len(part.targets) > 1:
                        links = soup.find(attrs={"data-id": node.id}).select("a.ref")
                        (first,) = (
                            a
                            for a in links
                            if a["data-to"] == before.targets[0]
                            and plain(a.get_text()).endswith(node.text[before.start : before.end])
                        )
                        (last,) = (a for a in links if a.get("data-more"))
                        assert (
                            last["data-more"].split() == list(part.targets)
                            and last["data-to"] == part.targets[-1]
                            and not first.get("data-more")
                        )
                        ranges += 1
    assert ranges or not IS_FULL


@pytest.mark.parametrize(
    "target, found, node",
    [
        ("pl-2007/16/D/2", "here", "pl-2007/16/D/2"),
        ("pl-1997/12/C/2", "here", "pl-1997/12/C/2"),
        ("pl-1997/42/B/2", "text", "hr-1997/42/B/2"),
        ("mpb-2017/12/C/2/b", "text", "sk-2017/12/C/2/b"),
        ("mpb-2017/def/alert", "text", "sk-2017/def/alertovanie"),
        ("mpb-2017/40/B/2/d", "nearest", "sk-2017/40/B/2"),
        ("hr-1997/23/A", "nearest", "hr-1997/23"),
        ("pl-1997/12/C/9", "nearest", "pl-1997/12/C"),
        ("pl-1997/42/B/9", "nearest", "hr-1997/42/B"),
        ("pl-1997/16/fn/9", "nearest", "pl-1997/16"),
        ("pzbs-2017/25/9", "nearest", "pzbs-2017/25"),
        ("pzbs-2017/27/B/1/b", "nowhere", None),
        ("pl-2007/fn/7", "nowhere", None),
        ("pl-1997/fn/7", "nowhere", None),
        ("pl-2007/999", "nowhere", None),
        ("laws-1900/1", "nowhere", None),
        ("laws/1", "nowhere", None),
    ],
)
def test_a_target_leads_to_a_value_with_its_reason(atlas, target, found, node):
    way = atlas.resolve(NodeId(target))
    assert (way.found, way.node and way.node.id) == (found, node)
    assert way.node is None or way.found_edition.id == way.node.edition


@pytest.mark.parametrize(
    "targets, ends_range, leads_to",
    [
        (["pl-2007/90", "pl-2007/91", "pl-2007/92"], True, "pl-2007/92"),
        (["pl-2007/92", "pl-2007/93", "pl-2007/94"], True, None),
        (["hr-1997/22/A", "hr-1997/22/B", "hr-1997/22/C"], True, "hr-1997/22"),
        (["pl-2007/50/fn/1", "pl-2007/50/fn/2"], False, "pl-2007/50/fn/1"),
    ],
)
def test_a_label_never_leads_to_what_stands_beside_what_it_names(atlas, targets, ends_range, leads_to):
    way = drawing.link_target([atlas.resolve(NodeId(t)) for t in targets], ends_range)
    assert (way.node and way.node.id) == leads_to


def test_no_target_of_any_text_is_a_dead_end(atlas, library):
    ways = [atlas.resolve(t) for n in library.nodes.values() for r in n.references for t in r.targets]
    assert {w.found for w in ways} == {"here", "text", "nearest"}


@pytest.mark.parametrize(
    "url, surface, href, said",
    [
        ("/pl-1997/9", "przepisach 42", "/hr-1997/42", "not in this edition; Croatian text of 1997"),
        ("/pl-1997/9", "43", "/hr-1997/43", "not in this edition; Croatian text of 1997"),
        ("/hr-1997/24", "član 23A", "/hr-1997/23", "no text here of the laws of 1997 has 23A; the nearest is 23"),
        ("/pzbs-2017/3", "Przepisy 12C2b", "/sk-2017/12/C/2/b#12-C-2-b", "Slovak text of 2017"),
        ("/pzbs-2017/3", "12C2d", "/sk-2017/12/C/2/d#12-C-2-d", "Slovak text of 2017"),
        (
            "/pzbs-2017/18",
            "Przepis 40B2d",
            "/sk-2017/40/B/2#40-B-2",
            "no text here of the laws of 2017 has 40B2(d); the nearest is Slovak text of 2017, 40B2",
        ),
    ],
)
def test_what_leads_on_says_so(client, url, surface, href, said):
    links = [a for a in page(client, f"{url}?ui=en").select("article a.ref") if plain(a.get_text()) == surface]
    assert links and {a["href"] for a in links} == {href} and {said_of(a).strip() for a in links} == {f"[{said}]"}


def test_a_list_says_once_where_it_leads(client):
    headline = page(client, "/pzbs-2017/3?ui=en").select_one("h1")
    assert [w.get_text() for w in headline.select(".why")] == [" [Slovak text of 2017]"] and headline.select_one(
        ".why"
    )["lang"] == "en"


def test_a_note_of_a_law_is_what_the_words_lead_to(client):
    for url, surface, note in (("/pl-2007/49", "przypis do przepisu 68", "pl-2007/68/fn/1"),):
        (link,) = (a for a in page(client, url).select("article a.ref") if plain(a.get_text()) == surface)
        assert link["href"] == url_of(NodeId(note))


def test_lost_references_say_where_each_leads_on(client, library, atlas):
    listed = 0
    for edition in library.editions:
        lost = [
            (n, r)
            for n in library.nodes_of(edition)
            for r in n.references
            if r.missing or any(atlas.resolve(t).found in ("nearest", "nowhere") for t in r.targets)
        ]
        rows = [li for li in page(client, f"/{edition}/about?ui=en").select("h2#missing ~ ul li") if li.find("q")]
        assert [li.q.get_text() for li in rows] == [r.surface for _, r in lost]
        for li, (_, r) in zip(rows, lost, strict=True):
            assert (
                len(li.select("a")) == 1 + len([t for t in r.targets if atlas.resolve(t).found != "here"])
                and "(" in li.get_text()
            )
        listed += len(lost)
    assert listed > 20


def test_cited_by_names_editions_and_not_their_ids(client, library):
    named = 0
    for id_ in ("sk-2017/12/C/2/b", "sk-2017/40", "sk-2017/def/alertovanie"):
        for link in page(client, f"/{id_}").select(".citing a"):
            assert not any(edition in link.get_text() for edition in library.editions)
            other = link["href"].split("/")[1]
            if other != "sk-2017":
                assert link.get_text().startswith(library.editions[other].short + ", ")
                named += 1
    assert named
