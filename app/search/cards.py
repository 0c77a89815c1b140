"""Cards: a law with the best of its provisions, and where the same stands in other editions."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.search.marks import Piece, pieces
from app.site import addresses, answers, rulings
from app.site.atlas import Atlas
from corpus.edition.identity import Identity
from corpus.model import Node, NodeId
from index.answer import Answer, Factor, counterparts, score_of
from index.answer import Card as Of
from index.answer import Hit as Found

# Hits of a card that are open; the rest is folded.
OPEN = 3


@dataclass(frozen=True)
class Hit:
    """A provision that answers; ``url`` marks the words found after opening, ``under`` which conditions it holds;
    ``told``: it has no word of the query, what the query tells of led to it.
    """

    node: Node
    edition: Identity
    url: str
    snippet: tuple[Piece, ...]
    under: tuple[rulings.Under, ...] = ()
    told: bool = False


@dataclass(frozen=True)
class Also:
    """Provisions of another ``edition`` that correspond."""

    edition: Identity
    nodes: tuple[Node, ...]


@dataclass(frozen=True)
class Card:
    """A ``law`` in the edition that is read first. ``own``: the law itself where it is the first hit; ``open`` and
    ``folded``: the other hits as they stand under it; ``also``: where the same stands elsewhere.
    """

    law: Node
    edition: Identity
    own: Hit | None
    open: tuple[Hit, ...]
    folded: tuple[Hit, ...]
    also: tuple[Also, ...]

    @property
    def hits(self) -> tuple[Hit, ...]:
        """All of them, in their order."""
        return (*((self.own,) if self.own else ()), *self.open, *self.folded)


def cards(atlas: Atlas, answer: Answer) -> Iterator[Card]:
    """What was found, law by law."""
    found = {hit.node.id: hit for hit in answer.hits}
    return (_card(atlas, of, found, answer.query) for of in answer.cards)


def _card(atlas: Atlas, of: Of, found: Mapping[NodeId, Found], query: str) -> Card:
    law = atlas.library.nodes[of.law]
    hits = [_hit(atlas, found[id_], query) for id_ in of.hits]
    shown, first = hits[:OPEN], found[of.hits[0]]
    own = shown.pop(0) if first.node.id == law.id else None
    also = tuple(_also(atlas, law, first, {law.id, *(h.node.id for h in shown)}))
    return Card(law, atlas.library.editions[law.edition], own, tuple(shown), tuple(hits[OPEN:]), also)


def _hit(atlas: Atlas, found: Found, query: str) -> Hit:
    node, shown = found.node, pieces(found.snippet, query)
    return Hit(
        node,
        atlas.library.editions[node.edition],
        addresses.law(node.id, hl=" ".join(answers.marked_words(found.snippet)) or None),
        shown,
        rulings.around(atlas, node.id),
        not any(piece.marked for piece in shown) and _led(found.factors),
    )


def _led(factors: Sequence[Factor]) -> bool:
    """Whether what the query tells of said more for a hit than its words did."""
    at = next((i for i, factor in enumerate(factors) if factor.name == "told"), None)
    return at is not None and factors[at].value > score_of(factors[:at])


def _also(atlas: Atlas, law: Node, first: Found, shown: Collection[NodeId]) -> Iterator[Also]:
    """What corresponds to a law, and to the first of its hits under another number, by edition; nothing that the card
    shows already.
    """
    moved = (id_ for id_ in first.counterparts if id_.path != first.node.path)
    ids = [id_ for id_ in dict.fromkeys([*counterparts(atlas.library, law), *moved]) if id_ not in shown]
    for edition in atlas.ordered:
        if nodes := tuple(atlas.library.nodes[id_] for id_ in ids if id_.edition == edition.id):
            yield Also(edition, nodes)
