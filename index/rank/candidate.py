"""A provision on its way to an answer: what speaks for it, step by step. Frozen; every step makes a new one."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from corpus.model import Node
from index.answer import Factor, score_of
from index.document import Document

_SCORE = attrgetter("score")


class Places(NamedTuple):
    """Positions of words in a heading and in a text."""

    heading: frozenset[int]
    text: frozenset[int]


class Shares(NamedTuple):
    """The words of the query in a provision: how rare each word is, and how much of it the provision has (0 to 1);
    empty where it has none of them.
    """

    rarities: tuple[float, ...] = ()
    covers: tuple[float, ...] = ()


class Evidence(NamedTuple):
    """What one word of a query, as ``typed``, finds: its rarity; and for every document, by number, whether it is
    found, its evidence (0 or more) and how much of it is there (0 to 1).
    """

    typed: str
    rarity: float
    found: np.ndarray
    values: np.ndarray
    covers: np.ndarray


class Found(NamedTuple):
    """What the words of a query find in a language, and for every document how much of the query is there, and whether
    the whole of it is. It is kept as numbers: few of the hundreds that are ranked are ever asked for their factors.
    """

    words: tuple[Evidence, ...]
    coverage: np.ndarray
    whole: np.ndarray

    def factors(self, number: int) -> tuple[Factor, ...]:
        """What the words say for a document."""
        said = (Factor(f"“{e.typed}”", float(e.values[number]), "+") for e in self.words if e.found[number])
        return (*said, Factor("coverage", float(self.coverage[number])))

    def shares(self, number: int) -> Shares:
        """How much of each word a document has."""
        return Shares(tuple(e.rarity for e in self.words), tuple(float(e.covers[number]) for e in self.words))


class Candidate(NamedTuple):
    """A document and what speaks for it; ``score`` is that of its ``factors``, counted once: hits are sorted by it
    again and again. A plain tuple, for a query makes hundreds of them.

    ``found``: what the words of the query say for it, ``more``: what is said beside that; ``raised``: the candidate
    that it takes its shares of the query from; ``quoted``: where the words in quotation marks stand;
    ``printed``: whether all words of the query stand there in their order.
    """

    document: Document
    score: float
    found: Found | None = None
    more: tuple[Factor, ...] = ()
    raised: Candidate | None = None
    quoted: Places | None = None
    printed: bool = False

    @classmethod
    def of(cls, document: Document, factors: tuple[Factor, ...]) -> Candidate:
        """The candidate that factors speak for, and no word of a query."""
        return cls(document, score_of(factors), None, factors)

    @property
    def node(self) -> Node:
        """The provision."""
        return self.document.node

    @property
    def factors(self) -> tuple[Factor, ...]:
        """All that speaks for it, step by step."""
        return (*(self.found.factors(self.document.number) if self.found else ()), *self.more)

    @property
    def shares(self) -> Shares:
        """How much of each word of the query it has, or the one that raised it."""
        if self.raised:
            return self.raised.shares
        return self.found.shares(self.document.number) if self.found else Shares()

    def with_factors(self, more: tuple[Factor, ...]) -> Candidate:
        """The same with more said of it."""
        if not more:
            return self
        document, score, found, before, raised, quoted, printed = self
        return Candidate(document, score_of(more, score), found, before + more, raised, quoted, printed)


def by_score(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The best first; equal ones in the order given."""
    return sorted(candidates, key=_SCORE, reverse=True)
