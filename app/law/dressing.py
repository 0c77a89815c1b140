"""What a law page hangs on its provisions: who cites them, their counterparts, what bodies ruled on them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from app.site import addresses, rulings, twins
from app.site.atlas import Atlas
from app.site.drawing import Drawer, Sentence, sentence
from app.site.drawn import Body
from app.site.rulings import RulingView, Under
from corpus.model import Node, NodeId
from corpus.relation.lineage import Stage, lineage
from corpus.ruling.model import Ruling
from corpus.term.model import Term


@dataclass(frozen=True)
class Dressing:
    """All that hangs on one provision.

    ``citing``: who refers to it, with the words around; ``counterparts`` by edition; ``lineage`` through the years;
    ``rulings`` on it and, ``elsewhere``, on what corresponds to it in another code (without what they say);
    ``ruled``: whether there are any; ``concerns``: what a point of decisions is about and ``decides`` of it; ``only``:
    under which conditions it holds, with the words; ``corrections``: how many there are in it; ``marks``: elements of
    the marks of a note; ``term``: that it gives the meaning of.
    """

    node: Node
    citing: tuple[tuple[Node, Sentence], ...] = ()
    counterparts: tuple[twins.Twins, ...] = ()
    lineage: tuple[Stage, ...] = ()
    rulings: tuple[RulingView, ...] = ()
    elsewhere: tuple[RulingView, ...] = ()
    ruled: bool = False
    concerns: tuple[Node, ...] = ()
    decides: str = ""
    only: tuple[Under, ...] = ()
    corrections: int = 0
    marks: tuple[str, ...] = ()
    term: Term | None = None

    @property
    def beside(self) -> list[str]:
        """The editions that it can be compared with, its own first."""
        others = [t.edition.id for t in self.counterparts] + [m.edition for m in self.concerns[:1]]
        return [self.node.edition, *others][: addresses.MOST_BESIDE]


def dressings(atlas: Atlas, bodies: Iterable[Body], drawer: Drawer, ruled: bool = True) -> dict[NodeId, Dressing]:
    """Id → what hangs on it, for what ``drawer`` drew; ``ruled``: whether rulings are told."""
    return {n.id: _dressing(atlas, n, drawer, ruled) for body in bodies for n in _nodes(body)}


def _nodes(body: Body) -> Iterable[Node]:
    yield body.node
    for child in body.children:
        yield from _nodes(child)


def _dressing(atlas: Atlas, node: Node, drawer: Drawer, ruled: bool) -> Dressing:
    library, edition = atlas.library, atlas.library.editions[node.edition]
    # A decision is about a provision; it is none that a code took over from another.
    decides = edition.is_decisions
    found = _ruled(atlas, node)
    told = found if ruled else []
    own = (rulings.told(atlas, r, on) for r, on in told if on.year == node.year)
    far = (rulings.told(atlas, r, on, words=False) for r, on in told if on.year != node.year)
    point = atlas.library.points.get(node.id)
    return Dressing(
        node,
        citing=tuple((n, sentence(n, r)) for n, r in atlas.citing.get(node.id, ())),
        counterparts=() if decides else tuple(twins.twins(library, node)),
        lineage=() if decides else tuple(lineage(library, node)),
        rulings=rulings.in_order(atlas, own, node.lang),
        elsewhere=rulings.in_order(atlas, far, node.lang),
        ruled=bool(found),
        concerns=tuple(atlas.concerns[point.id]) if point else (),
        decides=point.effect if point else "",
        only=rulings.of_node(atlas, node.id),
        corrections=len({c.correction for c in atlas.corrections.get(node.id, ())}),
        marks=drawer.marks_of(node),
        term=library.meant.get(node.id),
    )


def _ruled(atlas: Atlas, node: Node) -> list[tuple[Ruling, Node]]:
    """(ruling, the provision it is about) of what bodies ruled on a node itself, else on what corresponds to it."""
    own = [(r, node) for r in atlas.rulings.get(node.id, ())]
    if own or atlas.library.editions[node.edition].is_decisions:
        return own
    found = atlas.library.relations.counterparts(node.id).values()
    others = [atlas.library.nodes[c.id] for rows in found for c in rows]
    return list({r.id: (r, m) for m in others for r in atlas.rulings.get(m.id, ())}.values())
