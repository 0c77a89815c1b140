"""What an answer may be narrowed down by: how many of its provisions have each value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from index.document import Document


def counted(documents: Sequence[Document]) -> dict[str, dict[str, int]]:
    """How many are of each edition, language and kind, hold only under each condition, and are on each page (``law``:
    its id); the most first.
    """
    nodes = [d.node for d in documents]
    values: dict[str, list[str]] = {
        "edition": [n.edition for n in nodes],
        "lang": [n.lang for n in nodes],
        "kind": [n.kind for n in nodes],
        "condition": [c for d in documents for c in d.alone],
        "law": [d.law for d in documents],
    }
    return {name: dict(Counter(of).most_common()) for name, of in values.items()}
