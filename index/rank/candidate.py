"""Provisions on their way to an answer, and what speaks for each, step by step.

Hundreds are weighed, a page of them is shown: until then they are numbers in arrays (:class:`Standing`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from corpus.model import Node
from index.answer import Factor, score_of
from index.document import Document


class Places(NamedTuple):
    """Positions of words in a heading and in a text."""

    heading: frozenset[int]
    text: frozenset[int]


class Candidate(NamedTuple):
    """A document and what speaks for it; ``score`` is that of its ``factors``; ``quoted``: where the words in
    quotation marks stand.
    """

    document: Document
    score: float
    factors: tuple[Factor, ...]
    quoted: Places | None = None

    @classmethod
    def of(cls, document: Document, factors: tuple[Factor, ...]) -> Candidate:
        """The candidate that factors speak for."""
        return cls(document, score_of(factors), factors)

    @property
    def node(self) -> Node:
        """The provision."""
        return self.document.node


class Step(NamedTuple):
    """What one step says: its factor for every document by number, NaN where it says nothing."""

    name: str
    values: np.ndarray
    how: Literal["+", "×"] = "×"


class Evidence(NamedTuple):
    """What one word of a query, as ``typed``, finds: its rarity in each language, by its place; and for every document,
    by number, whether it is found, its evidence (0 or more) and how much of it is there (0 to 1).
    """

    typed: str
    rarities: tuple[float, ...]
    found: np.ndarray
    values: np.ndarray
    covers: np.ndarray


class Found(NamedTuple):
    """What the words of a query find, whatever is asked for: for every document its score, how much of the query is
    there, and whether the whole of it is. ``order``: those that have words of the query and none that it excludes, the
    best first; ``lang``: the place of the language of each document.
    """

    words: tuple[Evidence, ...]
    scores: np.ndarray
    coverage: np.ndarray
    whole: np.ndarray
    order: np.ndarray
    lang: np.ndarray

    @property
    def steps(self) -> list[Step]:
        """What the words say for every document."""
        said = [Step(f"“{e.typed}”", np.where(e.found, e.values, np.nan), "+") for e in self.words]
        return [*said, Step("coverage", self.coverage)]

    def rarities(self, number: int) -> list[float]:
        """How rare each word is in the language of a document."""
        return [e.rarities[self.lang[number]] for e in self.words]

    def covers(self, number: int) -> list[float]:
        """How much of each word a document has."""
        return [float(e.covers[number]) for e in self.words]


class Standing(NamedTuple):
    """The candidates by number, in their ``order``, and for every document its score so far and the ``steps`` that led
    there; what the words ``found`` counts where it is ``worded``, and nothing was said of it before the first step.

    ``printed``: whether all words of the query stand there in their order; ``raised``: document → the one that it takes
    its shares of the query from; ``quoted``: where the words in quotation marks stand. Frozen; every step makes a new
    one.
    """

    found: Found
    order: np.ndarray
    scores: np.ndarray
    worded: np.ndarray
    printed: np.ndarray
    steps: tuple[Step, ...] = ()
    raised: Mapping[int, int] = {}
    quoted: Mapping[int, Places] = {}

    @classmethod
    def of(cls, found: Found, order: np.ndarray) -> Standing:
        """Some documents that the words found."""
        scores, worded = np.zeros(len(found.scores)), np.zeros(len(found.scores), dtype=bool)
        scores[order], worded[order] = found.scores[order], True
        return cls(found, order, scores, worded, np.zeros(len(scores), dtype=bool))

    def shares(self, number: int) -> tuple[list[float], list[float]]:
        """How rare each word of the query is, and how much of it a document has, or the one that raised it (0 to 1);
        both empty where it has none of them.
        """
        number = self.raised.get(number, number)
        return (self.found.rarities(number), self.found.covers(number)) if self.worded[number] else ([], [])

    def said(
        self, name: str, numbers: np.ndarray, values: np.ndarray | float, how: Literal["+", "×"] = "×"
    ) -> Standing:
        """The same with a factor more for some documents, each with its own value or all with one; their order
        stays.
        """
        if not len(numbers):
            return self
        scores, said = self.scores.copy(), np.full(len(self.scores), np.nan)
        said[numbers] = values
        scores[numbers] = scores[numbers] + values if how == "+" else scores[numbers] * values
        return self._replace(scores=scores, steps=(*self.steps, Step(name, said, how)))

    def sorted(self) -> Standing:
        """The best first; equal ones in the order that they have."""
        return self._replace(order=self.order[np.argsort(-self.scores[self.order], kind="stable")])


def candidates(standing: Standing, numbers: np.ndarray, documents: Sequence[Document]) -> list[Candidate]:
    """Some candidates with all that speaks for each."""
    if not len(numbers):
        return []
    said: list[list[Factor]] = [[] for _ in numbers]
    worded = standing.worded[numbers]
    for steps, here in ((standing.found.steps, worded), (standing.steps, np.ones_like(worded))):
        for name, values, how in steps:
            of = values[numbers]
            for place in np.flatnonzero(here & ~np.isnan(of)).tolist():
                said[place].append(Factor(name, float(of[place]), how))
    shown = zip(numbers.tolist(), standing.scores[numbers].tolist(), said, strict=True)
    return [Candidate(documents[n], score, tuple(of), standing.quoted.get(n)) for n, score, of in shown]
