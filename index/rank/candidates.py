"""From a query to candidates: every word of it brings the documents that hold one of its terms, in their own words or
around them.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection
from typing import NamedTuple

from corpus.model import Node
from index.answer import Factor
from index.document import Document
from index.query.asked import Asked, Unit
from index.rank.candidate import Candidate, Share, by_score
from index.rank.postings import Postings
from index.weights import Weights


class Evidence(NamedTuple):
    """What one word of a query finds: its rarity, and by document its evidence (0 or more) and how much of it is there
    (0 to 1).
    """

    rarity: float
    values: dict[int, float]
    covers: dict[int, float]


def candidates(
    query: Asked,
    lang: str,
    postings: Postings,
    documents: list[Document],
    accept: Callable[[Node], bool],
    weights: Weights,
) -> list[Candidate]:
    """The documents of a language that have words of the query and none that it excludes, the best first."""
    found = [_evidence(u, lang, postings, weights) for u in query.units]
    total = sum(e.rarity for e in found)
    covered: dict[int, float] = defaultdict(float)
    scores: dict[int, float] = defaultdict(float)
    for rarity, values, covers in found:
        for number, value in values.items():
            scores[number] += value
            covered[number] += rarity * covers[number]
    least = weights.uncovered
    coverage: Callable[[int], float] = lambda number: least + (1 - least) * (covered[number] / total)
    allowed = _allowed(query, lang, postings, scores.keys())
    best = sorted(((-score * coverage(n), n) for n, score in scores.items() if n in allowed))
    chosen = [n for _, n in best if accept(documents[n].node)][: weights.ranked]
    out = []
    for number in chosen:
        words = (
            Factor(f"“{unit.typed}”", e.values[number], "+")
            for unit, e in zip(query.units, found, strict=True)
            if number in e.values
        )
        shares = tuple(Share(e.rarity, e.covers.get(number, 0.0)) for e in found)
        out.append(Candidate(documents[number], (*words, Factor("coverage", coverage(number))), shares))
    return by_score(out)


def _evidence(unit: Unit, lang: str, postings: Postings, weights: Weights) -> Evidence:
    """A document has of a word what its best term gives; a word is as rare as the commonest term meant by it, and
    counts for as much as it tells.
    """
    values: dict[int, float] = {}
    covers: dict[int, float] = {}
    held = 0
    for term, strength, _ in unit.terms.get(lang, ()):
        own = postings.own(lang, term)
        if strength >= weights.meant:
            held = max(held, len(own))
        around = postings.around(lang, term)
        for rows, value, cover in (
            (own, strength, strength),
            (around, weights.around * strength, weights.around_cover * strength),
        ):
            for number, weight in rows:
                values[number] = max(values.get(number, 0.0), weight * value)
                covers[number] = max(covers.get(number, 0.0), cover)
    count = postings.count(lang)
    if not values:
        return Evidence(unit.weight * math.log(1 + count), values, covers)
    # As in BM25: log(1 + (count - held + ½) / (held + ½)).
    rarity = unit.weight * math.log(2 * (count + 1) / (2 * (held or len(values)) + 1))
    return Evidence(rarity, {n: rarity * v for n, v in values.items()}, covers)


def _allowed(query: Asked, lang: str, postings: Postings, found: Collection[int]) -> Collection[int]:
    """What has every required word, and in its own words none that is excluded."""
    required = [postings.holding_unit(u, lang) for u in query.units if u.required]
    excluded = [postings.holding_unit(u, lang, own_only=True) for u in query.excluded]
    if not required and not excluded:
        return found
    return set(found).intersection(*required).difference(*excluded)
