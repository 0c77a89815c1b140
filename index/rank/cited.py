"""The order of provisions for citations: by edition, the addresses alone; what no edition has is never guessed at."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

from corpus import address
from corpus.edition.identity import Identity
from corpus.library import Library
from corpus.model import Node, NodeId
from index.answer import Factor
from index.document import Document
from index.query.asked import Cited
from index.rank.candidate import Candidate
from index.weights import Weights


class ByAddress(NamedTuple):
    """Candidates in order; ``paths`` as the editions spell them; whether they are what was cited."""

    candidates: list[Candidate]
    paths: tuple[str, ...]
    sure: bool


class Addresses:
    """The provisions of all editions by what a person may type for their path."""

    def __init__(self, library: Library, by_id: Mapping[NodeId, Document], weights: Weights):
        self._library, self._by_id, self._weights = library, by_id, weights
        self._by_path = {e: {n.path.lower(): n for n in reversed(library.of(e))} for e in library.editions}

    def _about(self, path: str) -> list[Node]:
        """The decisions about a provision, about one inside it, and about one that it stands in; in this order."""
        found: list[tuple[int, Node]] = []
        for id_, ruling in self._library.points.items():
            near = [_nearness(path, other) for other in ruling.provisions]
            if near := [n for n in near if n is not None]:
                found.append((min(near), self._library.nodes[id_]))
        return [node for _, node in sorted(found, key=lambda pair: pair[0])]

    @cached_property
    def _pointed(self) -> frozenset[str]:
        """Editions whose provisions are points of decisions."""
        return frozenset(n.edition for n in self._library.nodes.values() if n.kind == "point")

    def rank(
        self, query: Cited, editions: Collection[Identity], among: Callable[[Node], bool], lang: str | None
    ) -> ByAddress:
        """For each path the provision in every edition, the reader's language and what is in force first; else the
        nearest above. Where decisions are meant: those about it, before it if that was said.
        """
        named = [e for e in editions if e.id in query.editions] if query.editions else list(editions)
        order, elsewhere = self._order(named, query, lang), False
        if query.editions and not self._has(query, order) and self._has(query, editions):
            # The edition named has no such provision: the others are offered, and the answer does not call itself sure.
            order, elsewhere = self._order((e for e in editions if e.id not in query.editions), query, lang), True
        found = {path: [n for e in order if (n := self._at(e, path))] for path in query.paths}
        paths = tuple(nodes[0].path if nodes else path for path, nodes in found.items())
        if query.points and (query.about or not self._has(query, [e for e in order if e.id in self._pointed])):
            ids = {e.id for e in editions}
            about = {path: [n for n in self._about(path) if n.edition in ids] for path in found}
            found = {p: about[p] + of if query.about else of + about[p] for p, of in found.items()}
        exact = [n for nodes in found.values() for n in nodes]
        factor = Factor("cited", 1.0, "+") if exact else Factor("the nearest that exists", self._weights.nearest, "+")
        nodes = exact or [n for path in query.paths for e in order if (n := self._nearest(e, path))]
        candidates = [
            Candidate.of(self._by_id.get(n.id) or Document.wordless(n, self._library), (factor,))
            for n in dict.fromkeys(nodes)
            if among(n)
        ]
        return ByAddress(candidates, paths, bool(exact) and not elsewhere)

    def _order(self, editions: Iterable[Identity], query: Cited, lang: str | None) -> list[Identity]:
        key = lambda e: (
            (e.id in self._pointed) != query.points,
            bool(lang) and e.lang != lang,
            not e.complete,
            e.force is False,
            -e.year,
            e.id,
        )
        return sorted(editions, key=key)

    def _at(self, edition: Identity, path: str) -> Node | None:
        return self._by_path[edition.id].get(path.lower())

    def _has(self, query: Cited, editions: Iterable[Identity]) -> bool:
        return any(self._at(e, path) for e in editions for path in query.paths)

    def _nearest(self, edition: Identity, path: str) -> Node | None:
        return next((n for above in address.ancestors(path) if (n := self._at(edition, above))), None)


def _nearness(path: str, other: str) -> int | None:
    """0 for the same path, 1 for one inside it, 2 for one that it stands in; None for another."""
    if path == other:
        return 0
    return 1 if other.startswith(f"{path}/") else 2 if path.startswith(f"{other}/") else None
