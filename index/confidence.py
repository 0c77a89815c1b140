"""Whether the answer is one: an honest “the laws do not say” is worth more than a weak hit."""
from __future__ import annotations

from index.query import Query
from index.ranking import Hit

# Share of the query's words, weighted by rarity, that a hit must cover. The fewer the words, the more each of them means;
# a question of five words and more always has some that only tell the story.
ENOUGH = {1: 0.72, 2: 0.72, 3: 0.72, 4: 0.55}
ENOUGH_OF_MANY = 0.48
# How many hits may be the one that answers.
FIRST = 3


def confident(query: Query, hits: list[Hit], quoted: bool, verbatim: bool) -> bool:
    """True when something in the corpus really answers.

    ``quoted``: the words in quotation marks were found one after the other; ``verbatim``: as they were typed.
    """
    if hits and verbatim:
        return True
    if not hits or query.outside or not any(u.known for u in query.units):
        return False
    if query.phrases:
        return quoted
    return max(h.coverage for h in hits[:FIRST]) >= ENOUGH.get(len(query.units), ENOUGH_OF_MANY)
