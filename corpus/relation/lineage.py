"""One provision through the years: 1997 → 2007 → 2017."""

from __future__ import annotations

from dataclasses import dataclass

from corpus.edition.identity import Identity
from corpus.library import Library
from corpus.model import Node
from corpus.relation.relations import Counterpart


@dataclass(frozen=True)
class Stage:
    """A year in a provision's life: what it is then. ``counterparts`` is empty for the provision itself."""

    edition: Identity
    nodes: tuple[Node, ...]
    counterparts: tuple[Counterpart, ...]

    @property
    def here(self) -> bool:
        """Whether this is the provision itself."""
        return not self.counterparts

    @property
    def computed(self) -> bool:
        """Whether nobody reviewed that it corresponds."""
        return any(c.pair.basis == "computed" for c in self.counterparts)


def lineage(library: Library, node: Node) -> list[Stage]:
    """One edition a year (one in the node's language first, then whole ones), the node's own included.

    Empty when nothing is known of the other years.
    """
    by_year: dict[int, list[tuple[Identity, tuple[Counterpart, ...]]]] = {}
    for id_, found in library.relations.counterparts(node.id).items():
        edition = library.editions[id_]
        if edition.year != node.year:
            by_year.setdefault(edition.year, []).append((edition, found))
    if not by_year:
        return []
    stages = [Stage(library.editions[node.edition], (node,), ())]
    for rows in by_year.values():
        edition, found = min(rows, key=lambda r: (r[0].lang != node.lang, not r[0].complete))
        stages.append(Stage(edition, tuple(library.nodes[c.id] for c in found), found))
    return sorted(stages, key=lambda s: s.edition.year)
