"""Whether the answer is one: an honest “the laws do not say” is worth more than a weak hit."""

from __future__ import annotations

from index.query.asked import Asked
from index.rank.candidate import Candidate
from index.weights import Weights


def is_sure(query: Asked, candidates: list[Candidate], verbatim: bool, weights: Weights) -> bool:
    """True when something in the corpus really answers. ``verbatim``: what was quoted stands there as it was typed."""
    first = candidates[: weights.first]
    if not first:
        return False
    if verbatim:
        return True
    if not any(u.known for u in query.units) or query.numbered:
        return False
    if query.phrases:
        return first[0].quoted is not None and not query.outside
    if query.outside:
        return not query.only_outside and any(_holds_all(query, c, weights) for c in first)
    return max(_share(query, c) for c in first) >= _enough(len(query.units), weights)


def _enough(units: int, weights: Weights) -> float:
    """The fewer the words, the more each of them means; a question of five words and more always has some that only
    tell the story.
    """
    return weights.enough_few if units < 4 else weights.enough_four if units == 4 else weights.enough_many


def _share(query: Asked, candidate: Candidate) -> float:
    """How much of the query a candidate has, weighted by rarity; a word that was guessed counts for less."""
    total = held = 0.0
    for unit, (rarity, cover) in zip(query.units, candidate.shares, strict=True):
        total += rarity / unit.trust
        held += rarity * unit.trust * cover
    return held / total if total else 0.0


def _holds_all(query: Asked, candidate: Candidate, weights: Weights) -> bool:
    """Whether it has every word itself, as it was typed or by another name."""
    pairs = list(zip(query.units, candidate.shares, strict=True))
    return bool(pairs) and all(share.cover >= weights.held and not unit.corrected for unit, share in pairs)
