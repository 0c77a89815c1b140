"""What a law page says of itself to programs: schema.org's Legislation as JSON-LD, nothing that the manifest does not know."""

from __future__ import annotations

import json

from app.law.page import LawPage
from app.site import wording
from corpus.edition.identity import Identity
from corpus.library import Library
from corpus.model import Node

FORCE = {True: "https://schema.org/InForce", False: "https://schema.org/NotInForce"}


def law(page: LawPage, library: Library, origin: str) -> str:
    """JSON-LD of the provision asked for, safe inside a script element."""
    edition, node = page.edition, page.asked
    whole = {"@id": f"{origin}/{edition.id}/", **_text(edition)}
    parent = library.nodes[node.parent] if node.parent else None
    data = {
        "@context": "https://schema.org",
        "@type": "Legislation",
        **_named(node, origin),
        "name": f"{edition.short}, {wording.title(node)}",
        "legislationIdentifier": node.citation,
        "inLanguage": node.lang,
        # A notice on this law ("amended from …") says more of its force than one word could.
        **(
            {"legislationLegalForce": FORCE[edition.force]}
            if edition.force is not None and not any(n.paths for n in page.notices)
            else {}
        ),
        "isPartOf": [whole, *([{"@type": "Legislation", **_named(parent, origin)}] if parent else [])],
        "hasPart": [{"@type": "Legislation", **_named(child, origin)} for child in library.children(node)],
    }
    return (
        json.dumps({k: v for k, v in data.items() if v}, ensure_ascii=False)
        .replace("<", "\\u003c")
        .replace("&", "\\u0026")
    )


def _named(node: Node, origin: str) -> dict:
    return {"@id": f"{origin}/{node.id}", "url": f"{origin}/{node.id}"}


def _text(edition: Identity) -> dict:
    """The edition as a whole. The year of a code is that of its laws; decisions on it do not say when they were made."""
    known = {
        "name": edition.title,
        "inLanguage": edition.lang,
        "legislationDate": "" if edition.is_decisions else str(edition.year),
        "legislationDateOfApplicability": edition.in_force_since,
        "legislationLegalForce": FORCE[edition.force] if edition.force is not None else "",
        "legislationJurisdiction": edition.country
        and {"@type": "Country", "identifier": edition.country, "name": wording.country(edition.country)},
        "datePublished": edition.issued,
        "translator": edition.translator and {"@type": "Person", "name": edition.translator},
        "publisher": edition.body and {"@type": "Organization", "name": edition.body},
    }
    return {"@type": "Legislation"} | {k: v for k, v in known.items() if v}
