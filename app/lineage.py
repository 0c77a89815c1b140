"""One provision through the years: its counterparts in the other editions, as far as they are known."""
from __future__ import annotations

from dataclasses import dataclass

from app.atlas import Atlas
from corpus.library import EditionInfo
from corpus.model import Node


@dataclass(frozen=True)
class Counterpart:
    """What an edition has for a provision. ``near``: it belongs to the nearest higher provision that has one."""

    edition: EditionInfo
    nodes: tuple[tuple[Node, str], ...]
    near: bool = False


def counterparts(atlas: Atlas, node: Node) -> list[Counterpart]:
    """For every other edition of the laws what corresponds to a node, oldest first; editions without any are left out."""
    out = []
    chain = [node, *reversed(atlas.library.ancestors(node))]
    for edition in atlas.codes:
        if edition.id == node.edition:
            continue
        for step in chain:
            rows = [(atlas.library.nodes[i], relation) for i, relation in atlas.library.counterparts(step.id).get(edition.id, ())
                    if i in atlas.library.nodes]
            if rows:
                out.append(Counterpart(edition, tuple(rows), near=step is not node))
                break
    return out


@dataclass(frozen=True)
class Stage:
    """A year in a provision's life: the nodes it is then, and whether it is where the reader stands."""

    edition: EditionInfo
    nodes: tuple[Node, ...]
    here: bool


def lineage(atlas: Atlas, node: Node) -> list[Stage]:
    """1997 → 2007 → 2017: one edition a year (the reader's language first, then whole ones), the node's own included.

    Empty when nothing is known of the other years.
    """
    found: dict[int, list[Counterpart]] = {}
    for c in counterparts(atlas, node):
        if not c.near and c.edition.year != node.year:
            found.setdefault(c.edition.year, []).append(c)
    if not found:
        return []
    own = atlas.library.editions[node.edition]
    stages = [Stage(own, (node,), True)]
    for rows in found.values():
        best = min(rows, key=lambda c: (c.edition.lang != node.lang, not c.edition.complete))
        stages.append(Stage(best.edition, tuple(n for n, _ in best.nodes), False))
    return sorted(stages, key=lambda s: s.edition.year)
