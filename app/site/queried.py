"""What of a request's query goes on into the addresses that its page prints: what the page knows, and no more of it
than it can use. Anything else that stands in an address is never said back.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import parse_qsl

from flask import request

from app.site.searching import LONGEST
from app.site.state import current

MOST = 60  # more provisions, answers and filters than one reader chooses
SITUATION = "situations.sheet"
# Page → the parameters that it reads; the reader's settings are not among them.
KNOWN: dict[str, frozenset[str]] = {
    page: frozenset(names.split())
    for page, names in {
        "home.home": "edition code",
        "search.search": "q lang edition kind without qlang list page",
        SITUATION: "code closed bid",
        "situations.situations": "q",
        "terms.terms": "by q",
        "topics.topics": "q",
        "compare.side_by_side": "e",
        "changes.changed": "kind",
        "rulings.every": "body kind code condition",
        "rulings.one": "hl decisions fixes strength",
        "cite.cite": "piece",
        "law.provision": "only hl decisions fixes strength",
        "law.scanned": "word",
    }.items()
}


def queried(more: Iterable[str] = ()) -> list[tuple[str, str]]:
    """The parameters of this request that its page knows, and ``more`` of them, in their order; at most ``MOST``."""
    names = known_query() | frozenset(more)
    said = parse_qsl(request.query_string.decode("utf-8", "replace"), keep_blank_values=True)
    return [(name, value) for name, value in said if name in names and len(value) <= LONGEST][:MOST]


def known_query() -> frozenset[str]:
    """The names of the parameters that the page of this request reads; a situation's are its questions, too."""
    page = request.endpoint or ""
    names = KNOWN.get(page, frozenset())
    if page == SITUATION and (situation := current().library.situations.get((request.view_args or {})["situation"])):
        return names | {ask.id for ask in situation.ask}
    return names
