"""A provision carried to another edition: what an index of one text names, found in the others, or why it is not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from corpus.library import Library
from corpus.model import Node, NodeId, Pair


@dataclass(frozen=True)
class Carried:
    """What an ``edition`` has for a ``target``. ``how``: "row" – the concordance names it; "term" – it gives the
    meaning of the same term; "near" – it is the nearest provision around; "none" – ``nodes`` are empty.

    ``pair``: the row that says what became of the target, where nothing corresponds to it; ``term``: the slug of the
    term that the target defines.
    """

    target: NodeId
    edition: str
    how: Literal["row", "term", "near", "none"]
    nodes: tuple[Node, ...] = ()
    pair: Pair | None = None
    term: str = ""


def carry(library: Library, target: NodeId, edition: str) -> Carried:
    """A target of one edition in another one; in its own it is itself.

    The concordance first; of a definition, the term that it belongs to; else the nearest provision around it.
    """
    node = library.get(target)
    if target.edition == edition or node is None:
        return Carried(target, edition, "row" if node else "none", (node,) if node else ())
    if rows := library.relations.counterparts(target).get(edition, ()):
        return Carried(target, edition, "row", tuple(library.nodes[c.id] for c in rows))
    alone = next((p for p in library.relations.rows_of(target, edition) if not p.ends), None)
    if term := library.meant.get(target):
        found = tuple(library.nodes[id_] for id_ in term.places(edition))
        return Carried(target, edition, "term" if found else "none", found, alone, term.slug)
    near = tuple(library.nodes[c.id] for c in library.relations.nearest(target, edition))
    return Carried(target, edition, "near" if near else "none", near, alone)
