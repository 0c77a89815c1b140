"""From a query to candidates: every word of it brings the documents that hold one of its terms, in their own words or
around them.
"""

from __future__ import annotations

import math

import numpy as np

from index.document import Document
from index.query.asked import Asked, Unit
from index.rank.candidate import Candidate, Evidence, Found
from index.rank.postings import Postings
from index.weights import Weights


def candidates(
    query: Asked, lang: str, postings: Postings, documents: list[Document], among: np.ndarray, weights: Weights
) -> list[Candidate]:
    """The documents of a language, ``among`` those asked for, that have words of the query and none that it excludes,
    the best first.
    """
    words = tuple(_evidence(u, lang, postings, len(documents), weights) for u in query.units)
    least, total, nothing = weights.uncovered, sum(e.rarity for e in words), np.zeros(len(documents))
    covered = sum((e.rarity * e.covers for e in words), nothing)
    whole = np.logical_and.reduce([e.covers >= 1 for e in words])
    found = Found(words, least + (1 - least) * (covered / total), whole)
    scores = sum((e.values for e in words), nothing) * found.coverage
    allowed = _allowed(query, lang, postings, np.logical_or.reduce([e.found for e in words]) & among)
    best = allowed[np.argsort(-scores[allowed], kind="stable")][: weights.ranked]
    return [
        Candidate(documents[n], score, found) for n, score in zip(best.tolist(), scores[best].tolist(), strict=True)
    ]


def _evidence(unit: Unit, lang: str, postings: Postings, size: int, weights: Weights) -> Evidence:
    """A document has of a word what its best term gives; a word is as rare as the commonest term meant by it, and
    counts for as much as it tells. ``size``: how many documents there are.
    """
    found, values, covers = np.zeros(size, dtype=bool), np.zeros(size), np.zeros(size)
    held = 0
    for term, strength, _ in unit.terms.get(lang, ()):
        own = postings.own(lang, term)
        if strength >= weights.meant:
            held = max(held, len(own.numbers))
        around = postings.around(lang, term)
        for rows, value, cover in (
            (own, strength, strength),
            (around, weights.around * strength, weights.around_cover * strength),
        ):
            here = rows.numbers
            found[here] = True
            values[here] = np.maximum(values[here], rows.weights * value)
            covers[here] = np.maximum(covers[here], cover)
    count = postings.count(lang)
    if not found.any():
        return Evidence(unit.typed, unit.weight * math.log(1 + count), found, values, covers)
    # As in BM25: log(1 + (count - held + ½) / (held + ½)).
    rarity = unit.weight * math.log(2 * (count + 1) / (2 * (held or int(found.sum())) + 1))
    return Evidence(unit.typed, rarity, found, rarity * values, covers)


def _allowed(query: Asked, lang: str, postings: Postings, found: np.ndarray) -> np.ndarray:
    """The numbers of what is found, in their order, that have every required word, and in their own words none that is
    excluded.
    """
    required = [postings.holding_unit(u, lang) for u in query.units if u.required]
    excluded = [postings.holding_unit(u, lang, own_only=True) for u in query.excluded]
    numbers = np.flatnonzero(found)
    if not required and not excluded:
        return numbers
    return np.array(sorted(set(numbers.tolist()).intersection(*required).difference(*excluded)), dtype=np.intp)
