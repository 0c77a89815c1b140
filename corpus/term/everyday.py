"""Where names of terms stand in their everyday sense: the places that records state, found in the texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from corpus import quoting
from corpus.model import Node, NodeId, Quote, Where
from corpus.term.model import Place, Slug, Term


@dataclass(frozen=True)
class Places:
    """``quotes``: (node, slug) → words there that name the term and do not mean it."""

    quotes: Mapping[tuple[NodeId, Slug], tuple[Quote, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, terms: Iterable[Term], nodes: Mapping[NodeId, Node]) -> Places:
        """Those that the records state and the texts have."""
        out: dict[tuple[NodeId, Slug], list[Quote]] = defaultdict(list)
        for term in terms:
            for place in term.everyday:
                found = find(place, nodes)
                if isinstance(found, Quote):
                    out[place.at, term.slug].append(found)
        return cls({at: tuple(quotes) for at, quotes in out.items()})

    def touch(self, id_: NodeId, slug: Slug, where: Where, start: int, end: int) -> bool:
        """Whether ``[start:end]`` of a node are, or overlap, such words."""
        quotes = self.quotes.get((id_, slug), ())
        return any(q.where == where and q.start < end and start < q.end for q in quotes)


def find(place: Place, nodes: Mapping[NodeId, Node]) -> Quote | tuple[str, str]:
    """The words of a place, or (finding, move)."""
    if place.at not in nodes:
        return f"There is no {place.at}.", "Write the id of a node, with its edition."
    return quoting.find(nodes[place.at], place.where, place.words, place.occurrence)
