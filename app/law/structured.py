"""What a law page says of itself to programs: schema.org's Legislation as JSON-LD, as far as the manifest knows."""

from __future__ import annotations

import json

from app.site import addresses, wording
from app.site.atlas import Atlas
from corpus.edition.identity import Identity
from corpus.model import Node

FORCE = {True: "https://schema.org/InForce", False: "https://schema.org/NotInForce"}


def structured_law(atlas: Atlas, node: Node, noticed: bool) -> str:
    """JSON-LD of a provision, safe inside a script element; ``noticed``: the manifest has something to say on its
    law.
    """
    library, edition = atlas.library, atlas.library.editions[node.edition]
    whole = {"@id": addresses.known_as(addresses.contents(edition.id)), **_text(edition)}
    parent = library.nodes[node.parent] if node.parent else None
    data = {
        "@context": "https://schema.org",
        "@type": "Legislation",
        **_named(node),
        "name": f"{edition.short}, {wording.title(node)}",
        "legislationIdentifier": node.citation,
        "inLanguage": node.lang,
        # A notice on this law ("amended from …") says more of its force than one word could.
        **({} if noticed else force(edition)),
        "isPartOf": [whole, *([{"@type": "Legislation", **_named(parent)}] if parent else [])],
        "hasPart": [{"@type": "Legislation", **_named(child)} for child in library.children(node)],
    }
    return (
        json.dumps({k: v for k, v in data.items() if v}, ensure_ascii=False)
        .replace("<", "\\u003c")
        .replace("&", "\\u0026")
    )


def force(edition: Identity) -> dict:
    """Whether it is in force, as far as a page says so or a later code is here: a program reads no “not stated”."""
    if edition.force is None or (edition.force and edition.in_force_source is None):
        return {}
    return {"legislationLegalForce": FORCE[edition.force]}


def _named(node: Node) -> dict:
    return dict.fromkeys(("@id", "url"), addresses.link(node.id))


def _text(edition: Identity) -> dict:
    """The edition as a whole. The year of a code is that of its laws; decisions on it do not say when they were
    made.
    """
    known = {
        "name": edition.title,
        "inLanguage": edition.lang,
        "legislationDate": "" if edition.is_decisions else str(edition.year),
        "legislationDateOfApplicability": edition.in_force_since,
        "citation": edition.in_force_source and edition.in_force_source.url,  # the page that says it is in force
        **force(edition),
        "legislationJurisdiction": edition.country
        and {"@type": "Country", "identifier": edition.country, "name": wording.country(edition.country)},
        "datePublished": edition.issued,
        "translator": edition.translator and {"@type": "Person", "name": edition.translator},
        "publisher": edition.body and {"@type": "Organization", "name": edition.body},
    }
    return {"@type": "Legislation"} | {k: v for k, v in known.items() if v}
