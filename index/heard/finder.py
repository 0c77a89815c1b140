"""A query → the situations that it describes, by weights that were learned when the index was built."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import sqrt
from typing import NamedTuple

import numpy as np

from corpus.library import Library
from index.concept import Concepts
from index.heard.features import features
from index.heard.lesson import Lesson
from index.lexicon import Lexicon
from index.weights import TOLD, ToldWeights


class Described(NamedTuple):
    """A situation that words describe; ``score``: from 0 to 1, of all situations together 1."""

    id: str
    score: float


LISTED = 10  # situations that words may describe


def likely(found: tuple[Described, ...]) -> tuple[Described, ...]:
    """Those that may be meant: none where the first is unlikely, else all that have a good part of its score."""
    if not found or found[0].score < TOLD.likely:
        return ()
    return tuple(d for d in found if d.score >= found[0].score * TOLD.beside_first)


def led(found: tuple[Described, ...], id_: str, limit: int) -> tuple[Described, ...]:
    """The same with one first that is told for certain: it takes half of what all have, and what it had.

    >>> led((Described("revoke", 0.8), Described("bid", 0.2)), "bid", 5)
    (Described(id='bid', score=0.6), Described(id='revoke', score=0.4))
    """
    total = sum(d.score for d in found)
    own = sum(d.score for d in found if d.id == id_)
    first = Described(id_, round((1 + own) / 2, 4) if total else 1.0)
    return (first, *(d._replace(score=round(d.score / 2, 4)) for d in found if d.id != id_))[:limit]


class Finder:
    """Asks the weights of a built index. Immutable; shared between threads."""

    def __init__(
        self,
        lesson: Lesson,
        library: Library,
        lexicons: Mapping[str, Lexicon],
        concepts: Concepts,
        weights: ToldWeights = TOLD,
    ):
        self._lesson, self._library, self._lexicons, self._concepts = lesson, library, lexicons, concepts
        self._weights = weights
        self._row = {feature: row for row, feature in enumerate(lesson.rarity)}

    def of_words(self, text: str, lang: str, limit: int) -> tuple[Described, ...]:
        """The situations that words describe, best first; none where no word is known."""
        found = features(text, lang, self._lexicons, self._concepts, self._weights)
        known = [(self._row[f], n * self._lesson.rarity[f]) for f, n in found.items() if f in self._row]
        length = sqrt(sum(n * n for _, n in known))
        if not length:
            return ()
        rows, amounts = zip(*known, strict=True)
        amount = np.array(amounts, dtype=np.float32) / length
        sums = amount @ self._lesson.weights[list(rows)].astype(np.float32) + self._lesson.bias
        shares = np.exp(self._weights.sharpness * (sums - sums.max()))
        shares /= shares.sum()
        ids = self._lesson.situations
        best = sorted(range(len(ids)), key=lambda i: (-shares[i], ids[i]))[:limit]
        return tuple(Described(ids[i], round(float(shares[i]), 4)) for i in best)

    def of_paths(self, paths: Iterable[str], limit: int) -> tuple[Described, ...]:
        """The situations that cited provisions rule, those first where they decide most."""
        found: dict[str, list[int]] = {}
        for situation in self._library.situations.values():
            for listed in situation.provisions.values():
                for place, path in enumerate(listed):
                    if any(f"{path}/".startswith(f"{p}/") or p.startswith(f"{path}/") for p in paths):
                        found.setdefault(situation.id, []).append(place)
        best = sorted(found, key=lambda id_: (min(found[id_]), -len(found[id_]), id_))[:limit]
        return tuple(Described(id_, round(1 / (2 + min(found[id_])), 4)) for id_ in best)
