"""A query → the situations, laws and provisions that it tells of, by what was learned when the index was built."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from corpus.library import Library
from corpus.model import NodeId
from index.concept import Concepts
from index.heard.features import features
from index.heard.lesson import Lesson
from index.lexicon import Lexicon
from index.weights import TOLD, ToldWeights


class Described(NamedTuple):
    """A situation that words describe; ``score``: from 0 to 1, of all situations together 1."""

    id: str
    score: float


class Heard(NamedTuple):
    """What a query tells of: ``situations``, best first; ``laws``: the share of each page, of all together 1;
    ``provisions``: how like a telling of each provision it is, from 0 to 1.
    """

    situations: tuple[Described, ...] = ()
    laws: Mapping[NodeId, float] = {}
    provisions: Mapping[NodeId, float] = {}


LISTED = 10  # situations that words may describe
LIKEST = 60  # tellings that are looked at
SILENCE = Heard()


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
    """Asks what a built index learned. Immutable; shared between threads."""

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

    def hear(self, text: str, lang: str, limit: int = LISTED) -> Heard:
        """What words tell of, so many situations at most; silence where none of them is known."""
        lesson = self._lesson
        sums = lesson.hear(features(text, lang, self._lexicons, self._concepts, self._weights))
        if sums is None:
            return SILENCE
        shares = _shares(sums.situations, self._weights.sharpness)
        # Equal ones by their ids, which is their order in a lesson.
        best = np.argsort(-shares, kind="stable")[:limit]
        told = zip(best.tolist(), shares[best].tolist(), strict=True)
        situations = tuple([Described(lesson.situations[i], round(share, 4)) for i, share in told])
        of_laws = _shares(sums.laws, self._weights.sharpness_of_laws)
        laws = {lesson.laws[i]: float(of_laws[i]) for i in np.flatnonzero(of_laws >= self._weights.least_share)}
        return Heard(situations, laws, self._likest(sums.tellings))

    def _likest(self, alike: np.ndarray) -> dict[NodeId, float]:
        """The provisions of the likest tellings."""
        out: dict[NodeId, float] = {}
        # Only those are sorted that may be among them: a few of thousands.
        some = np.flatnonzero(alike > 0)
        if len(some) > LIKEST:
            some = some[alike[some] >= np.partition(alike[some], -LIKEST)[-LIKEST]]
        likest = some[np.argsort(-alike[some], kind="stable")[:LIKEST]]
        for i, like in zip(likest.tolist(), alike[likest].tolist(), strict=True):
            # Kept in half precision, the same words may be a little more than alike.
            out.setdefault(self._lesson.tellings.of[i], min(like, 1.0))
        return out

    def of_words(self, text: str, lang: str, limit: int) -> tuple[Described, ...]:
        """The situations that words describe, best first; none where no word is known."""
        return self.hear(text, lang, limit).situations

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


def _shares(sums: np.ndarray, sharpness: float) -> np.ndarray:
    """Margins as shares of 1."""
    if not len(sums):
        return sums
    shares = np.exp(sharpness * (sums - sums.max()))
    return shares / shares.sum()
