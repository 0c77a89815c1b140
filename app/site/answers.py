"""What the search hands out, as a page and the API give it: escaped text with marks, addresses, JSON (contract, 5)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Any

from app.site import addresses
from index.answer import Answer, Hit, Run, Suggestion

# Words to mark in a provision that is opened from an answer.
MOST_MARKED = 12


def snippet_html(runs: Sequence[Run]) -> str:
    """Escaped text with ``<mark>``."""
    return "".join(f"<mark>{escape(run.text)}</mark>" if run.matched else escape(run.text) for run in runs)


def marked_words(runs: Sequence[Run]) -> list[str]:
    """The words of the runs that are marked, in lower case, each once."""
    words = (w.lower() for run in runs if run.matched for w in re.findall(r"\w+", run.text))
    return list(dict.fromkeys(words))[:MOST_MARKED]


def address_of(suggestion: Suggestion) -> str:
    """The provision, or the search for its words."""
    return addresses.provision(suggestion.node) if suggestion.node else addresses.search(suggestion.query or "")


def suggestion_json(suggestion: Suggestion) -> dict:
    """``{"text", "kind", "url"}``."""
    return {"text": suggestion.text, "kind": suggestion.kind, "url": address_of(suggestion)}


def answer_json(answer: Answer, explain: bool = False) -> dict:
    """The object of the API; ``explain``: with the factors of every score (docs/search.md)."""
    return {
        "query": answer.query,
        "interpretation": {"kind": answer.kind, "paths": list(answer.paths), "lang": answer.lang},
        "total": answer.total,
        "confident": answer.confident,
        "suggestion": answer.suggestion,
        "results": [_result(hit, explain) for hit in answer.hits],
        "facets": answer.facets,
        "capped": answer.capped,
    }


def _result(hit: Hit, explain: bool) -> dict:
    row: dict[str, Any] = {
        "id": hit.node.id,
        "edition": hit.node.edition,
        "path": hit.node.path,
        "citation": hit.node.citation,
        "heading": hit.node.heading,
        "score": round(hit.score, 4),
        "snippet": snippet_html(hit.snippet),
        "counterparts": list(hit.counterparts),
    }
    if explain:
        row["factors"] = [factor._asdict() for factor in hit.factors]
    return row
