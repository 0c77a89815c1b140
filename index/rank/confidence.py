"""Whether the answer is one: an honest “the laws do not say” is worth more than a weak hit.

It is weighed from evidence alone: how much of the query the first hits hold, how surely its words are told of one
law, how like a telling it is. What the laws do not treat has little of each. The numbers are fitted (``python -m
scripts.sure``).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import NamedTuple

from index.query.asked import NOT_MEANT, Asked, Unit
from index.rank.candidate import Standing
from index.rank.told import Told
from index.weights import Weights

FEW = 2  # up to so many words are few


class Evidence(NamedTuple):
    """What speaks for an answer. ``cover``: the share of the query, by rarity, that one of the first hits holds;
    ``few`` and ``few_cover``: 1 and ``cover`` for few words, else 0; ``law``: the odds of the likeliest law, as a
    logarithm; ``alike``: the likeness of the nearest telling; ``words``: how many words there are, 1 for many.
    """

    cover: float
    few: float
    few_cover: float
    law: float
    alike: float
    words: float


def evidence(query: Asked, standing: Standing, told: Told, weights: Weights) -> Evidence:
    """That of a query and its first hits."""
    cover = max((_share(query, *standing.shares(n)) for n in standing.order[: weights.first].tolist()), default=0.0)
    count = len(query.units)
    few = float(count <= FEW)
    law = min(max(told.surest, weights.least_odds), 1 - weights.least_odds)
    return Evidence(
        cover, few, few * cover, log(law / (1 - law)), told.likest, min(count, weights.sure_many) / weights.sure_many
    )


def is_sure(query: Asked, standing: Standing, verbatim: bool, told: Told, weights: Weights) -> bool:
    """True when something in the corpus really answers. ``verbatim``: what was quoted stands there as it was typed."""
    if not len(standing.order):
        return False
    if verbatim or standing.printed[standing.order[: weights.first]].any():
        return True
    if not any(u.known and _is_meant(u) for u in query.units) or query.numbered:
        return False
    if query.phrases:
        return int(standing.order[0]) in standing.quoted
    return is_enough(evidence(query, standing, told, weights), weights)


def is_enough(found: Evidence, weights: Weights) -> bool:
    """Whether evidence, weighed, makes an answer sure."""
    return weights.sure + sum(weight * value for weight, value in zip(weighed(weights), found, strict=True)) >= 0


def _is_meant(unit: Unit) -> bool:
    """Whether a word is neither denied nor something else within a longer name."""
    return {t.why for terms in unit.terms.values() for t in terms} != {NOT_MEANT}


def weighed(weights: Weights) -> Evidence:
    """What each of the evidence weighs."""
    return Evidence(
        weights.sure_cover,
        weights.sure_few,
        weights.sure_few_cover,
        weights.sure_law,
        weights.sure_alike,
        weights.sure_words,
    )


def _share(query: Asked, rarities: Sequence[float], covers: Sequence[float]) -> float:
    """How much of the query a provision has, weighted by rarity; a word that was guessed counts for less. 0 where it
    has no word of it.
    """
    total = held = 0.0
    for unit, rarity, cover in zip(query.units, rarities, covers, strict=False):
        total += rarity / unit.trust
        held += rarity * unit.trust * cover
    return held / total if total else 0.0
