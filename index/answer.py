"""What a search hands out: values only. How they look on a page or in the API is the site's affair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from corpus.bid import Overcall
from corpus.library import Library
from corpus.model import Node, NodeId
from index.classifier import SituationMatch


class Factor(NamedTuple):
    """One step of a score: ``value`` is added to what the steps before it gave, or multiplies it."""

    name: str
    value: float
    how: Literal["+", "×"] = "×"


def score_of(factors: Iterable[Factor], score: float = 0.0) -> float:
    """The score that factors give, taken in their order from 0, or from what others before them gave.

    >>> score_of([Factor("“revoke”", 2.0, "+"), Factor("“card”", 1.0, "+"), Factor("heading", 1.5)])
    4.5
    """
    for _, value, how in factors:
        score = score + value if how == "+" else score * value
    return score


class OtherName(NamedTuple):
    """A reason: a text has another name of what these ``words`` of the query name."""

    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"another name of “{' '.join(self.words)}”"


class SnippetRun(NamedTuple):
    """A stretch of a snippet. ``why`` it answers the query: a term, the word itself, …; empty where it does not."""

    text: str
    why: tuple[str | OtherName, ...] = ()

    @property
    def is_match(self) -> bool:
        """Whether it answers the query."""
        return bool(self.why)


@dataclass(frozen=True)
class Hit:
    """A provision found. ``counterparts`` are those of every other edition."""

    node: Node
    factors: tuple[Factor, ...]
    snippet: tuple[SnippetRun, ...]
    counterparts: tuple[NodeId, ...]

    @property
    def score(self) -> float:
        """That of its factors."""
        return score_of(self.factors)


class LawHits(NamedTuple):
    """A law with the hits that are of it, as they stand under it."""

    law: NodeId
    hits: tuple[NodeId, ...]


class ComparisonTarget(NamedTuple):
    """A comparison that answers: a path, and the editions, the one that it is read in first."""

    path: str
    editions: tuple[str, ...]


@dataclass(frozen=True)
class SearchAnswer:
    """Hits by falling score, and what the search says of itself.

    ``paths``: what was cited; ``total``: how many hits there are, of which ``hits`` are the ones asked for;
    ``capped``: whether more may be found than are counted; ``suggestion``: the query without its typing errors;
    ``facets``: name → value → count; ``cards``: the hits by law; ``compare``: what answers who asks for changes;
    ``situations`` that are likely told of, best first; ``overcall``: the two bids that the words tell, where the
    later one is insufficient.
    """

    query: str
    kind: Literal["citation", "text"]
    lang: str | None
    total: int
    confident: bool
    hits: tuple[Hit, ...]
    paths: tuple[str, ...] = ()
    suggestion: str | None = None
    facets: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    capped: bool = False
    cards: tuple[LawHits, ...] = ()
    compare: ComparisonTarget | None = None
    situations: tuple[SituationMatch, ...] = ()
    overcall: Overcall | None = None


@dataclass(frozen=True)
class Suggestion:
    """What a person may be about to type: a provision (``node``), a ``situation`` (its id), or words to search for
    (``query``).
    """

    text: str
    kind: Literal["citation", "term", "heading", "situation", "topic"]
    node: NodeId | None = None
    query: str | None = None
    situation: str | None = None


def counterparts_of(library: Library, node: Node) -> tuple[NodeId, ...]:
    """Ids of the provisions that correspond, in every edition that has one."""
    return library.relations.counterpart_ids(node.id)
