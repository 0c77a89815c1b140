"""A provision carried to another edition: what an index of one text names, found in the others, or why it is not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from corpus import address
from corpus.library import Library
from corpus.model import ALONE, FRAMES, Node, NodeId, Pair

How = Literal["row", "parts", "term", "near", "none"]


@dataclass(frozen=True)
class Carried:
    """What an ``edition`` has for a ``target``. ``how``: "row" – the concordance names it, or it is a part of the book
    that both have; "parts" – the concordance names its parts; "term" – it gives the meaning of the same term; "near" –
    it is the nearest provision around, or deals with the term that the target defines; "none" – ``nodes`` are empty.

    ``pair``: the row that says what became of the target, where nothing corresponds to it; ``term``: the slug of the
    term that the target defines, where somebody has looked for it in the edition;
    ``reviewed``: whether a person has compared the two texts.
    """

    target: NodeId
    edition: str
    how: How
    nodes: tuple[Node, ...] = ()
    pair: Pair | None = None
    term: str = ""
    reviewed: bool = True

    @property
    def sure(self) -> bool:
        """Whether the edition has what the index names."""
        return self.how in ("row", "parts", "term")


def carry(library: Library, target: NodeId, edition: str) -> Carried:
    """A target of one edition in another one; in its own it is itself.

    The concordance first, of a provision without words of its own for its parts; then what defines the term that the
    target defines; else what comes near.
    """
    node = library.get(target)
    if target.edition == edition or node is None:
        return Carried(target, edition, "row" if node else "none", (node,) if node else ())
    if rows := library.relations.counterparts(target).get(edition, ()):
        return Carried(target, edition, "row", tuple(library.nodes[c.id] for c in rows))
    reviewed = library.relations.is_reviewed(target.edition, edition)
    alone = _alone(library, node, edition) if reviewed else None
    if alone is None and (whole := _whole(library, node, edition)):
        return Carried(target, edition, "row" if node.kind in (*FRAMES, *ALONE) else "parts", whole)
    term = library.meant.get(target) if node.kind == "definition" else None
    if term and (meaning := term.meaning(edition)):
        return Carried(target, edition, "term", tuple(library.nodes[id_] for id_ in meaning), term=term.slug)
    about = term.places(edition) if term else tuple(c.id for c in library.relations.nearest(target, edition))
    near = tuple(library.nodes[id_] for id_ in about)
    known = term.slug if term and term.has(edition) else ""
    return Carried(target, edition, "near" if near else "none", near, alone, known, reviewed)


def _alone(library: Library, node: Node, edition: str) -> Pair | None:
    """The row that says that an edition has nothing for a node; of one without a row, the first of its parts if all of
    them have such a row.
    """
    rows = library.relations.rows_of(node.id, edition)
    if not rows and node.kind not in (*FRAMES, *ALONE):
        rows = [
            p for part in library.subtree(node, notes=False)[1:] for p in library.relations.rows_of(part.id, edition)
        ]
    return rows[0] if rows and not any(p.ends for p in rows) else None


def _whole(library: Library, node: Node, edition: str) -> tuple[Node, ...]:
    """What an edition has for a node that no row names: the same part of the book, or what holds what its parts are."""
    if node.kind in (*FRAMES, *ALONE):
        same = library.node(edition, node.path)
        return (same,) if same else ()
    parts = {
        c.id: library.nodes[c.id]
        for part in library.subtree(node, notes=False)[1:]
        for c in library.relations.counterparts(part.id).get(edition, ())
    }
    outer = [id_ for id_ in parts if not any(other != id_ and other.holds(id_) for other in parts)]
    above = address.ancestors(outer[0].path) if len(outer) > 1 else []
    around = next((path for path in above if all(NodeId.of(edition, path).holds(id_) for id_ in outer)), "")
    # What only the law has in common says less than its parts.
    held = library.node(edition, around) if address.above(around) else None
    return (held,) if held else tuple(parts[id_] for id_ in outer)
