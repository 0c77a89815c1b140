"""What a law page says of itself to programs: schema.org's Legislation as JSON-LD."""
from __future__ import annotations

import json

from app import words
from app.lawpage import LawPage


def law(page: LawPage, in_force: bool | None, origin: str) -> str:
    """JSON-LD of the provision asked for, safe inside a script element; ``in_force`` is None where it is not stated."""
    edition, node = page.edition, page.asked
    force = {True: "InForce", False: "NotInForce"}.get(in_force)
    data = {
        "@context": "https://schema.org", "@type": "Legislation", "@id": f"{origin}/{node.id}", "url": f"{origin}/{node.id}",
        "name": f"{edition.short}, {words.title(node)}", "legislationIdentifier": node.citation, "inLanguage": node.lang,
        "legislationDate": str(edition.year), **({"legislationLegalForce": force} if force else {}),
        "isPartOf": {"@type": "Legislation", "@id": f"{origin}/{edition.id}/", "name": edition.title, "publisher": edition.data.get("publisher")},
    }
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c").replace("&", "\\u0026")
