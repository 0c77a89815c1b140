"""What the search hands out, as a page gives it: escaped text with marks, addresses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from app.site import addresses
from index.answer import Run, Suggestion

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
    """The provision, the situation, or the search for its words."""
    if suggestion.situation:
        return addresses.situation(suggestion.situation)
    return addresses.provision(suggestion.node) if suggestion.node else addresses.search(suggestion.query or "")
