"""The query without its typing errors."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable

from index.document import Document
from index.query.asked import Asked


def corrected(query: Asked, holding: Callable[[str], Iterable[Document]]) -> str | None:
    """The query spelt as the texts spell it; None when there is nothing to correct. ``holding``: the documents that
    have a form in their text.
    """
    out = query.text
    for unit in query.units:
        if unit.corrected:
            out = re.sub(rf"(?i)\b{re.escape(unit.typed)}\b", _printed(unit.corrected, holding(unit.corrected)), out)
    return out if out != query.text else None


def _printed(form: str, documents: Iterable[Document]) -> str:
    """A folded form as it is printed most often, in lower case."""
    seen = Counter(
        doc.text.printed[slice(*doc.text.offsets[first])].lower()
        for doc in documents
        for first, _ in doc.text.places.get(form, ())
    )
    return seen.most_common(1)[0][0] if seen else form
