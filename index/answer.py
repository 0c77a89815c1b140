"""The values that a search returns: answers, hits, score factors, snippets and suggestions.

They hold no markup. The site decides how they look on a page or in the API.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from corpus.bid import Overcall
from corpus.library import Library
from corpus.model import Node, NodeId
from index.branch import BranchQuestion
from index.classifier import SituationMatch
from index.query.stated import StatedFact


class Factor(NamedTuple):
    """One step of a score. ``value`` is added to the score of the steps before it (``how`` is ``+``) or multiplies it
    (``×``).
    """

    name: str
    value: float
    how: Literal["+", "×"] = "×"


def score_of(factors: Iterable[Factor], score: float = 0.0) -> float:
    """Return the score that results when the factors are applied to ``score`` in their order.

    >>> score_of([Factor("“revoke”", 2.0, "+"), Factor("“card”", 1.0, "+"), Factor("heading", 1.5)])
    4.5
    """
    for _, value, how in factors:
        score = score + value if how == "+" else score * value
    return score


class MatchByOtherName(NamedTuple):
    """The reason why words of a text match a query: they are another name of the thing that ``words`` of the query
    name.
    """

    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"another name of “{' '.join(self.words)}”"


class SnippetRun(NamedTuple):
    """A stretch of a snippet. ``why`` gives the reasons why it answers the query (a term, the word itself, …); it is
    empty where the stretch does not answer.
    """

    text: str
    why: tuple[str | MatchByOtherName, ...] = ()

    @property
    def is_match(self) -> bool:
        """Whether the stretch answers the query."""
        return bool(self.why)


@dataclass(frozen=True)
class Hit:
    """A provision that was found. ``counterparts`` are the ids of its counterparts in every other edition."""

    node: Node
    factors: tuple[Factor, ...]
    snippet: tuple[SnippetRun, ...]
    counterparts: tuple[NodeId, ...]

    @property
    def score(self) -> float:
        """The score that the factors give."""
        return score_of(self.factors)


class LawHits(NamedTuple):
    """A law and the ids of its hits, in the order in which they are shown under it."""

    law: NodeId
    hits: tuple[NodeId, ...]


class ComparisonTarget(NamedTuple):
    """The comparison that answers a query: a path and the ids of the editions. The edition whose path it is comes
    first.
    """

    path: str
    editions: tuple[str, ...]


@dataclass(frozen=True)
class SearchAnswer:
    """The hits, highest score first, and what is known about the query.

    ``total`` counts all hits; ``hits`` is the page of them that was requested. ``capped``: there may be more hits than
    ``total`` counts. ``confident``: the first hits really answer the query. ``paths`` are the cited paths.
    ``suggestion`` is the query without its typing errors. ``facets`` maps name → value → count. ``cards`` are the hits
    grouped by law. ``compare`` is the comparison that answers a request for changes. ``situations`` are the likely
    situations, best first. ``overcall`` holds the two bids that the words name, if the later one is insufficient.
    ``facts`` are those that the query states and that count; ``ignored`` are those that the reader left out. ``asks``
    is the question that decides between the two best hits.
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
    facts: tuple[StatedFact, ...] = ()
    ignored: tuple[StatedFact, ...] = ()
    asks: BranchQuestion | None = None

    @property
    def state(self) -> Literal["sure", "probably", "nothing"]:
        """Whether the hits answer the query surely, perhaps, or there are none."""
        return "sure" if self.confident else "probably" if self.total else "nothing"


@dataclass(frozen=True)
class Suggestion:
    """A completion of what a person is typing: a provision (``node``), a situation (its id in ``situation``), or words
    to search for (``query``).
    """

    text: str
    kind: Literal["citation", "term", "heading", "situation", "topic"]
    node: NodeId | None = None
    query: str | None = None
    situation: str | None = None


def counterparts_of(library: Library, node: Node) -> tuple[NodeId, ...]:
    """Return the ids of the provisions that correspond to ``node``, in every edition that has one."""
    return library.relations.counterpart_ids(node.id)
