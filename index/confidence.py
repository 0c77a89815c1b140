"""Whether the answer is one: an honest “the laws do not say” is worth more than a weak hit."""
from __future__ import annotations

from index.query import Query
from index.ranking import Hit

# Share of the query's words, weighted by rarity, that the best hit must cover.
ENOUGH = 0.55


def confident(query: Query, hits: list[Hit], quoted: bool) -> bool:
    """True when something in the corpus really answers."""
    if not hits or query.outside:
        return False
    if query.phrases:
        return quoted
    if not any(u.known for u in query.units):
        return False
    return max(h.coverage for h in hits[:3]) >= ENOUGH
