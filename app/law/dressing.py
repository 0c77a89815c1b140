"""What a law page hangs on its provisions: who cites them, their counterparts, what a body decided on them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from app.site import addresses, twins
from app.site.atlas import Atlas
from app.site.drawing import Drawer, Sentence, sentence
from app.site.drawn import Body, Paragraph, Piece
from corpus.edition.identity import Identity
from corpus.model import Node, NodeId
from corpus.relation.lineage import Stage, lineage

# Label and words of each of its paragraphs.
Rows = tuple[tuple[str | None, tuple[Piece, ...]], ...]


@dataclass(frozen=True)
class Decision:
    """A point of a body's decisions as it hangs on a provision; what it says (``rows``: label, words) as the body
    prints it.

    ``on`` is the provision that it is about: another text's where the reader's is not of that code (then without rows).
    """

    point: Node
    edition: Identity
    kind: str
    on: Node
    rows: Rows = ()

    @property
    def after(self) -> str:
        """The text that comes before the decisions in their order of precedence; empty where none does."""
        titles = [r.text for r in sorted(self.edition.precedence, key=lambda r: r.rank)]
        at = titles.index(self.edition.title) if self.edition.title in titles else 0
        return titles[at - 1] if at else ""


@dataclass(frozen=True)
class Dressing:
    """All that hangs on one provision.

    ``citing``: who refers to it, with the words around; ``counterparts`` by edition; ``lineage`` through the years;
    ``decisions`` on it and, ``elsewhere``, on what corresponds to it in another code; ``concerns``: what a decision is
    about and ``decides`` of it; ``corrections``: how many there are in it; ``marks``: elements of the marks of a note.
    """

    node: Node
    citing: tuple[tuple[Node, Sentence], ...] = ()
    counterparts: tuple[twins.Twins, ...] = ()
    lineage: tuple[Stage, ...] = ()
    decisions: tuple[Decision, ...] = ()
    elsewhere: tuple[Decision, ...] = ()
    decided: bool = False
    concerns: tuple[Node, ...] = ()
    decides: str = ""
    corrections: int = 0
    marks: tuple[str, ...] = ()

    @property
    def beside(self) -> list[str]:
        """The editions that it can be compared with, its own first."""
        others = [t.edition.id for t in self.counterparts] + [m.edition for m in self.concerns[:1]]
        return [self.node.edition, *others][: addresses.MOST_BESIDE]


def dressings(atlas: Atlas, bodies: Iterable[Body], drawer: Drawer, decisions: bool = True) -> dict[NodeId, Dressing]:
    """Id → what hangs on it, for what ``drawer`` drew; ``decisions``: whether those of a body are told."""
    return {n.id: _dressing(atlas, n, drawer, decisions) for body in bodies for n in _nodes(body)}


def _nodes(body: Body) -> Iterable[Node]:
    yield body.node
    for child in body.children:
        yield from _nodes(child)


def _dressing(atlas: Atlas, node: Node, drawer: Drawer, decisions: bool) -> Dressing:
    library, edition = atlas.library, atlas.library.editions[node.edition]
    # A decision is about a provision; it is none that a code took over from another.
    decides = edition.is_decisions
    decided = _decided(atlas, node)
    told = decided if decisions else []
    return Dressing(
        node,
        citing=tuple((n, sentence(n, r)) for n, r in atlas.citing.get(node.id, ())),
        counterparts=() if decides else tuple(twins.twins(library, node)),
        lineage=() if decides else tuple(lineage(library, node)),
        decisions=tuple(_decision(atlas, d, on, _rows(atlas, d)) for d, on in told if on.year == node.year),
        elsewhere=tuple(_decision(atlas, d, on) for d, on in told if on.year != node.year),
        decided=bool(decided),
        concerns=tuple(atlas.concerns.get(node.id, ())) if decides else (),
        decides=edition.decisions.kinds.get(node.path, "") if decides else "",
        corrections=len({c.correction for c in atlas.corrections.get(node.id, ())}),
        marks=drawer.marks_of(node),
    )


def _decided(atlas: Atlas, node: Node) -> list[tuple[Node, Node]]:
    """(point, the provision it is about) of what a body decided on a node itself, else on what corresponds to it."""
    own = [(d, node) for d in atlas.decisions.get(node.id, ())]
    if own or atlas.library.editions[node.edition].is_decisions:
        return own
    found = atlas.library.relations.counterparts(node.id).values()
    others = [atlas.library.nodes[c.id] for rows in found for c in rows]
    return list({d.id: (d, m) for m in others for d in atlas.decisions.get(m.id, ())}.values())


def _decision(atlas: Atlas, point: Node, on: Node, rows: Rows = ()) -> Decision:
    edition = atlas.library.editions[point.edition]
    return Decision(point, edition, edition.decisions.kinds[point.path], on, rows)


def _rows(atlas: Atlas, point: Node) -> Rows:
    """(label, words) of a point and what stands in it, for showing it inside another page."""
    out = []
    # Its notes and what is said of its slips stand on its own page, and so do the elements that they lead to.
    drawer = Drawer(atlas, tells=False, notes=False)
    for n in atlas.library.subtree(point):
        for i, block in enumerate(drawer.blocks(n, 0, len(n.text))):
            if isinstance(block, Paragraph) and block.pieces:
                out.append((n.label if i == 0 and n is not point else None, block.pieces))
    return tuple(out)
