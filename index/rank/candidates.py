"""From a query to candidates: every word of it brings the documents that hold one of its terms, in their own words or
around them.
"""

from __future__ import annotations

import math

import numpy as np

from index.query.asked import Asked, Unit
from index.rank.candidate import Evidence, Found
from index.rank.postings import Postings
from index.rank.table import Table
from index.weights import Weights


def find(query: Asked, postings: Postings, table: Table, weights: Weights) -> Found:
    """What the words of a query find in all languages."""
    words = tuple(_evidence(u, postings, table, weights) for u in query.units)
    least, nothing = weights.uncovered, np.zeros(table.size)
    by_lang = [np.array(e.rarities)[table.lang] for e in words]
    covered = sum((rarity * e.covers for rarity, e in zip(by_lang, words, strict=True)), nothing)
    coverage = least + (1 - least) * (covered / sum(by_lang, nothing)) if words else nothing
    scores = sum((e.values for e in words), nothing) * coverage
    whole = np.logical_and.reduce([e.covers >= 1 for e in words]) if words else nothing.astype(bool)
    found = np.logical_or.reduce([e.found for e in words]) if words else whole
    allowed = _allowed(query, postings, table, found)
    order = allowed[np.argsort(-scores[allowed], kind="stable")]
    return Found(words, scores, coverage, whole, order, table.lang)


def _evidence(unit: Unit, postings: Postings, table: Table, weights: Weights) -> Evidence:
    """A document has of a word what its best term gives; a word is as rare as the commonest term meant by it, and
    counts for as much as it tells.
    """
    found, values, covers = np.zeros(table.size, dtype=bool), np.zeros(table.size), np.zeros(table.size)
    rarities = []
    for code, lang in enumerate(table.langs):
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
        count, there = postings.count(lang), table.lang == code
        some = 0 if held else int(found[there].sum())
        if not held and not some:
            rarities.append(unit.weight * math.log(1 + count))
        else:
            # As in BM25: log(1 + (count - held + ½) / (held + ½)).
            rarities.append(unit.weight * math.log(2 * (count + 1) / (2 * (held or some) + 1)))
            values[there] *= rarities[-1]
    return Evidence(unit.typed, tuple(rarities), found, values, covers)


def _allowed(query: Asked, postings: Postings, table: Table, found: np.ndarray) -> np.ndarray:
    """The numbers of what is found, in their order, that have every required word, and in their own words none that is
    excluded.
    """
    required = [_holding(u, postings, table) for u in query.units if u.required]
    excluded = [_holding(u, postings, table, own_only=True) for u in query.excluded]
    numbers = np.flatnonzero(found)
    if not required and not excluded:
        return numbers
    return np.array(sorted(set(numbers.tolist()).intersection(*required).difference(*excluded)), dtype=np.intp)


def _holding(unit: Unit, postings: Postings, table: Table, own_only: bool = False) -> set[int]:
    return {number for lang in table.langs for number in postings.holding_unit(unit, lang, own_only)}
