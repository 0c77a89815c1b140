"""What pages say of the same provision in other editions, by the rule of ``corpus.relation``."""

from __future__ import annotations

from dataclasses import dataclass

from corpus.edition.identity import Identity
from corpus.library import Library
from corpus.model import Node, NodeId
from corpus.relation.relations import Counterpart
from corpus.relation.summary import Summary, summary


@dataclass(frozen=True)
class Twin:
    """One statement that two provisions correspond. ``a`` and ``b`` are their ids, the older edition's first.

    ``summary`` is there when one of the two has children: then its sum is what is said, and not the row of its own
    words. ``of_one_code``: both are texts of the same laws, or one is an extract; then what one lacks is not new or
    dropped. ``reviewed``: a person has compared what is said to correspond. ``older`` and ``newer`` are their editions,
    ``via`` those that the statement was read over.
    """

    node: Node
    counterpart: Counterpart
    a: NodeId
    b: NodeId
    summary: Summary | None
    older: Identity
    newer: Identity
    of_one_code: bool
    reviewed: bool
    via: tuple[Identity, ...]


@dataclass(frozen=True)
class Twins:
    """What an edition has for a provision; ``near``: it belongs to the nearest provision around it that has
    something.
    """

    edition: Identity
    twins: tuple[Twin, ...]

    @property
    def near(self) -> bool:
        """Whether it is that of the nearest provision around."""
        return any(t.counterpart.how == "parent" for t in self.twins)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The provisions alone."""
        return tuple(t.node for t in self.twins)


def twins(library: Library, node: Node) -> list[Twins]:
    """For every other edition of the laws what corresponds to a node, oldest first; editions without any are left
    out.
    """
    return [_made(library, e, found) for e, found in library.relations.counterparts(node.id).items()]


def nearest(library: Library, node: Node, edition: str) -> Twins | None:
    """What corresponds in one edition to a node or to the nearest provision around it."""
    found = library.relations.nearest(node.id, edition)
    return _made(library, edition, found) if found else None


def sayings_of(library: Library, counterpart: Counterpart) -> Twin:
    """A counterpart with what is said of it."""
    a, b = (library.nodes[id_] for id_ in (counterpart.pair.a, counterpart.pair.b) if id_)
    parted = bool(a.children or b.children)
    older, newer = library.editions[a.edition], library.editions[b.edition]
    one_code = library.relations.code_of(older.id) == library.relations.code_of(newer.id)
    return Twin(
        node=library.nodes[counterpart.id],
        counterpart=counterpart,
        a=a.id,
        b=b.id,
        summary=summary(library, a, b) if parted else None,
        older=older,
        newer=newer,
        of_one_code=one_code or not (older.complete and newer.complete),
        reviewed=library.relations.is_reviewed(older.id, newer.id) if parted else counterpart.pair.basis == "reviewed",
        via=tuple(library.editions[e] for e in counterpart.via) if counterpart.how == "third" else (),
    )


def between(library: Library, one: NodeId, other: NodeId) -> Twin | None:
    """What is said of two provisions, read from the first; None where no row joins them."""
    found = library.relations.counterparts(one).get(other.edition, ())
    return next((sayings_of(library, c) for c in found if c.id == other), None)


def _made(library: Library, edition: str, found: tuple[Counterpart, ...]) -> Twins:
    return Twins(library.editions[edition], tuple(sayings_of(library, c) for c in found))
