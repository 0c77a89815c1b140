"""Whether the answer is one: an honest “the laws do not say” is worth more than a weak hit."""

from __future__ import annotations

from index.query import NEAR, Query
from index.ranking import Hit

# Share of the query's words, weighted by rarity, that a hit must cover. The fewer the words, the more each of them means;
# a question of five words and more always has some that only tell the story.
ENOUGH = {1: 0.72, 2: 0.72, 3: 0.72, 4: 0.55}
ENOUGH_OF_MANY = 0.48
# The share of a word that stands in the hit itself and not around it.
HELD = 0.8
# How many hits may be the one that answers.
FIRST = 3


def confident(query: Query, hits: list[Hit], quoted: bool, verbatim: bool) -> bool:
    """True when something in the corpus really answers.

    ``quoted``: the words in quotation marks were found one after the other; ``verbatim``: as they were typed.
    """
    if hits and verbatim:
        return True
    if not hits or not any(u.known for u in query.units):
        return False
    if query.phrases:
        return quoted and not query.outside
    if query.numbered:
        return False
    if query.outside:
        return not query.only_outside and any(_holds_all(query, h) for h in hits[:FIRST])
    return max(_share(query, h) for h in hits[:FIRST]) >= ENOUGH.get(len(query.units), ENOUGH_OF_MANY)


def _share(query: Query, hit: Hit) -> float:
    """How much of the query a hit has, weighted by rarity; a word that was guessed counts for less."""
    total = sum(weight / unit.trust for unit, (weight, _) in zip(query.units, hit.found))
    return (
        sum(
            weight * unit.trust * (min(1.0, share / NEAR) if unit.corrected else share)
            for unit, (weight, share) in zip(query.units, hit.found)
        )
        / total
        if total
        else 0.0
    )


def _holds_all(query: Query, hit: Hit) -> bool:
    """Whether a hit itself has every word as it was typed, or another name of it."""
    return bool(hit.found) and all(
        share >= HELD and not unit.corrected for unit, (_, share) in zip(query.units, hit.found)
    )
