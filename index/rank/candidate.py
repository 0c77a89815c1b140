"""A provision on its way to an answer: what speaks for it, step by step. Frozen; every step makes a new one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from corpus.model import Node
from index.answer import Factor, score_of
from index.document import Document


class Places(NamedTuple):
    """Positions of words in a heading and in a text."""

    heading: frozenset[int]
    text: frozenset[int]


class Share(NamedTuple):
    """A word of the query in a provision: how rare the word is, and how much of it the provision has (0 to 1)."""

    rarity: float
    cover: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """A document and what speaks for it; ``score`` is that of its ``factors``.

    ``shares``: one for each unit of the query; ``quoted``: where the words in quotation marks stand;
    ``printed``: whether all words of the query stand there in their order.
    """

    document: Document
    factors: tuple[Factor, ...]
    shares: tuple[Share, ...] = ()
    quoted: Places | None = None
    printed: bool = False
    score: float = field(init=False, compare=False)

    def __post_init__(self) -> None:
        # Counted once: hits are sorted by it again and again.
        object.__setattr__(self, "score", score_of(self.factors))

    @property
    def node(self) -> Node:
        """The provision."""
        return self.document.node

    def with_factors(self, factors: Iterable[Factor]) -> Candidate:
        """The same with more said of it."""
        more = tuple(factors)
        return replace(self, factors=self.factors + more) if more else self


def by_score(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The best first; equal ones in the order given."""
    return sorted(candidates, key=lambda c: -c.score)
