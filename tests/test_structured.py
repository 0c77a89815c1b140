"""What a page tells programs: the same provision in other languages, and
schema.org's Legislation – nothing that is not so.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from app_site import asking, client, page, site  # noqa: F401
from little import link, little

from app.law.provision import requested_provision_page
from app.site.atlas import Atlas
from corpus.model import NodeId
from tests.budget import least, sampled

EDITIONS = ["pl-2007", "sk-2017", "hr-1997", "pl-1997", "pzbs-2017"]
DATE = r"\d{4}(-\d\d(-\d\d)?)?"
TEXT = r"(?s).+"
URL = r"https?://\S+"
# schema.org, version 29: properties that our types have (own and inherited) and what they hold – a pattern, or the
# types of a thing.
TYPES = {
    "Legislation": {
        "@id": URL,
        "url": URL,
        "name": TEXT,
        "legislationIdentifier": TEXT,
        "inLanguage": r"[a-z]{2,3}",
        "legislationDate": DATE,
        "datePublished": DATE,
        "legislationDateOfApplicability": r"\d{4}-\d\d-\d\d",
        "legislationLegalForce": r"https://schema\.org/(InForce|NotInForce|PartiallyInForce)",
        "citation": r"https?://\S+",
        "legislationJurisdiction": {"Country"},
        "isPartOf": {"Legislation"},
        "hasPart": {"Legislation"},
        "publisher": {"Organization"},
        "translator": {"Person"},
    },
    "Organization": {"name": TEXT},
    "Person": {"name": TEXT},
    "Country": {"name": TEXT, "identifier": r"[A-Z]{2}"},
}


def told(soup) -> dict:
    return json.loads(soup.select_one('script[type="application/ld+json"]').string)


def valid(thing: dict) -> None:
    known = TYPES[thing["@type"]]
    for key, value in thing.items():
        if key == "@type" or (key == "@context" and value == "https://schema.org"):
            continue
        assert key in known, f"{thing['@type']} has no property {key}"
        for one in value if isinstance(value, list) else [value]:
            assert one, key
            if isinstance(known[key], set):
                assert one["@type"] in known[key], key
                valid(one)
            else:
                assert isinstance(one, str) and re.fullmatch(known[key], one), f"{key}: {one}"


def nodes_of(library, edition: str) -> list:
    """Some of every kind."""
    kinds: dict[str, list] = {}
    for node in library.nodes_of(edition):
        kinds.setdefault(node.kind, []).append(node)
    return [n for rows in kinds.values() for n in rows[:: max(1, len(rows) // 9)]]


def linked(soup) -> dict[str, str]:
    """Language → the address of the same provision in it."""
    return {a["hreflang"]: a["href"] for a in soup.select('link[rel="alternate"][hreflang]')}


@pytest.fixture(scope="module")
def pages(site, library) -> dict[str, list[tuple]]:
    """Edition → (node, what its page tells of the law, what of other languages): each page is asked for once."""

    def asked(client, node) -> tuple:
        soup = page(client, f"/{node.id}?ui=en")
        return node, told(soup), linked(soup)

    with asking(site) as client:
        return {edition: [asked(client, n) for n in sampled(nodes_of(library, edition))] for edition in EDITIONS}


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_page_is_valid_legislation_and_says_what_the_manifest_knows(pages, library, edition):
    info = library.editions[edition]
    assert len(pages[edition]) > least(15)
    for node, data, _ in pages[edition]:
        valid(data)
        assert (
            data["@id"].endswith(f"/{node.id}")
            and data["inLanguage"] == node.lang
            and data["legislationIdentifier"] == node.citation
        )
        noticed = any(library.page_node_of(node).path in n.paths for n in info.notices)
        # Of a law that a notice says was amended, no one word tells the force.
        assert (
            data.get("legislationLegalForce", "").endswith(
                "" if noticed else "/InForce" if info.is_in_force else "/NotInForce"
            )
            and ("legislationLegalForce" in data) is not noticed
        )
        whole = data["isPartOf"][0]
        assert whole["name"] == info.title and whole.get("datePublished", "") == info.issued
        assert whole.get("legislationDateOfApplicability", "") == info.in_force_since
        assert whole.get("publisher", {}).get("name", "") == info.body
        assert whole.get("translator", {}).get("name", "") == info.translator
        assert ("legislationDate" in whole) is (not info.is_decisions)
        assert [p["@id"].partition("//")[2].partition("/")[2] for p in data["isPartOf"][1:]] == [node.parent] * bool(
            node.parent
        )
        assert [p["@id"].partition("//")[2].partition("/")[2] for p in data.get("hasPart", ())] == list(node.children)


@pytest.mark.parametrize("edition", EDITIONS)
def test_another_language_is_another_text_and_a_real_counterpart(pages, library, edition):
    """hreflang names for each language a provision whose words are in it;
    never this text with other buttons around it.
    """
    atlas, named = Atlas(library), 0
    for node, _, links in pages[edition]:
        if not links:
            continue
        assert all("?" not in href for href in links.values())
        ids = {lang: href.partition("//")[2].partition("/")[2] for lang, href in links.items()}
        real = {c.id for rows in atlas.library.relations.counterparts_of(node.id).values() for c in rows} | {node.id}
        assert set(ids.values()) <= real and ids[node.lang] == node.id, node.id
        assert all(library.nodes[id_].lang == lang for lang, id_ in ids.items() if lang != "x-default")
        default = library.editions[library.nodes[ids["x-default"]].edition]
        assert default.is_in_force or ids["x-default"] == node.id
        named += len(ids) > 2
    assert (named > least(5)) is (edition != "pzbs-2017")


@pytest.mark.parametrize(
    "url, links",
    [
        (
            "/pl-2007/16/D/2",
            {"pl": "pl-2007/16/D/2", "hr": "hr-1997/16/C/2", "sk": "sk-2017/16/C/2", "x-default": "sk-2017/16/C/2"},
        ),
        (
            "/sk-2017/16/C/2",
            {"pl": "pl-2007/16/D/2", "hr": "hr-1997/16/C/2", "sk": "sk-2017/16/C/2", "x-default": "sk-2017/16/C/2"},
        ),
        ("/pl-2007/", {}),
        ("/pzbs-2017/3", {}),
        ("/card/pl-2007/16", {}),
        ("/cite/pl-2007/16", {}),
    ],
)
def test_alternates(client, url, links):
    found = linked(page(client, url))
    assert {lang: href.partition("//")[2].partition("/")[2] for lang, href in found.items()} == links


TEXTS = {"aa-1997": {"1": "one"}, "bb-2017": {"1": "two"}, "cc-2018": {"1": "three"}}


@pytest.mark.parametrize(
    "asked, in_force, default",
    [
        ("aa-1997", ["cc-2018"], "cc-2018"),
        ("aa-1997", ["bb-2017"], "bb-2017"),
        ("aa-1997", ["bb-2017", "cc-2018"], "aa-1997"),  # neither of two texts in force is preferred
        ("aa-1997", [], "aa-1997"),
        ("bb-2017", ["bb-2017", "cc-2018"], "bb-2017"),
        ("cc-2018", ["bb-2017", "cc-2018"], "cc-2018"),
        ("bb-2017", ["aa-1997", "cc-2018"], "bb-2017"),
    ],
)
def test_the_default_of_the_alternates_is_the_one_text_in_force_else_the_one_asked_for(site, asked, in_force, default):
    older = [link("1", "1", older="aa-1997", newer=e) for e in ("bb-2017", "cc-2018")]
    library = little(TEXTS, [*older, link("1", "1", older="bb-2017", newer="cc-2018")])
    library.editions.update({e: replace(i, in_force=e in in_force) for e, i in library.editions.items()})
    node = library.nodes[NodeId.of(asked, "1")]
    with site.test_request_context("/"):
        tongues = requested_provision_page(Atlas(library), node, node).tongues
    assert {lang: n.edition for lang, n in tongues.items()} == {e[:2]: e for e in TEXTS} | {"x-default": default}
