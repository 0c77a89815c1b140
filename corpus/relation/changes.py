"""What changed from one edition to another, by kind and weight."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from corpus.address import last
from corpus.library import Library
from corpus.model import NUMBERED, Node, NodeId, Pair

# From what a director must know first to what hardly matters. “translation”: the substance differs, but only a text
# does, not the laws; “missing”: words that one of the two prints lacks, and the laws are not known to.
KINDS = (
    "new-law",
    "dropped-law",
    "reused",
    "new",
    "dropped",
    "missing",
    "split",
    "merged",
    "moved",
    "along",
    "reworded",
    "translation",
    "references",
)


@dataclass(frozen=True)
class Change:
    """One change: its kind, what the older and the newer edition have, and the row that says so (None for a reused
    number).

    Of a reused number: where the older provision went, where the newer one came from.
    """

    kind: str
    older: Node | None
    newer: Node | None
    pair: Pair | None = None
    went: tuple[Node, ...] = ()
    came: tuple[Node, ...] = ()


def changes(library: Library, older: str, newer: str) -> list[Change]:
    """All changes, the weightiest kind first, within a kind in the order of the newer edition."""
    pairs = [p for p in library.relations.pairs(older, newer) if not p.heading]
    moved = {(p.a, p.b) for p in library.relations.pairs(older, newer) if p.relation == "moved"}
    out = []
    for p in pairs:
        a, b = library.get(p.a), library.get(p.b)
        if (kind := _kind(library, p, a, b, moved)) is not None:
            out.append(Change(kind, a, b, p))
    out += _reused(library, pairs, older, newer)
    order = {kind: i for i, kind in enumerate(KINDS)}
    place = {n.id: i for i, n in enumerate([*library.of(older), *library.of(newer)])}
    return sorted(out, key=lambda c: (order[c.kind], place[(c.newer or c.older).id]))  # type: ignore[union-attr]


def counts(rows: Sequence[Change]) -> list[tuple[str, int]]:
    """(kind, number) of the kinds that occur, by weight."""
    found = Counter(c.kind for c in rows)
    return [(kind, found[kind]) for kind in KINDS if found[kind]]


def _kind(
    library: Library, p: Pair, a: Node | None, b: Node | None, moved: set[tuple[NodeId | None, NodeId | None]]
) -> str | None:
    if p.relation in ("new", "dropped"):
        node = b or a
        if p.of_a_print:
            return "missing"
        return f"{p.relation}-law" if node and node.kind == "law" else p.relation
    if p.relation == "moved" and a and b and a.kind in NUMBERED:
        # 16D1 → 16C1 says nothing once one knows 16D → 16C.
        along = (a.parent, b.parent) in moved and last(a.path) == last(b.path)
        return "along" if along and not p.reworded else "moved"
    if p.relation in ("split", "merged"):
        return p.relation
    if p.reworded:
        return "translation" if p.cause == "translation" else "reworded"
    return "references" if a and b and _references_differ(library, a, b) else None


def _references_differ(library: Library, a: Node, b: Node) -> bool:
    """Whether two provisions that say the same point to different places, as far as all places are aligned."""
    theirs = {t for r in b.references for t in r.targets if t in library.nodes}
    mine = {t for r in a.references for t in r.targets if t in library.nodes}
    if len(mine) != len(theirs):
        return bool(mine) and bool(theirs)
    for target in mine:
        found = {c.id for c in library.relations.counterparts(target).get(b.edition, ())}
        if found and not found & theirs:
            return True
    return False


def _reused(library: Library, pairs: Sequence[Pair], older: str, newer: str) -> list[Change]:
    """Numbers that both editions have and that mean something else in each: what a director trips over."""
    forth, back = defaultdict(set), defaultdict(set)
    for p in pairs:
        if p.ends:
            a, b = p.ends
            forth[a].add(b)
            back[b].add(a)
    out = []
    for new in library.of(newer):
        old = library.node(older, new.path)
        if old is None or new.kind not in NUMBERED:
            continue
        if new.id in forth[old.id] or not (forth[old.id] and back[new.id]):
            continue
        # A provision inside one that is itself another one needs no line of its own.
        above = library.node(older, new.parent.path) if new.parent else None
        if above and new.parent not in forth[above.id] and forth[above.id]:
            continue
        went, came = (tuple(library.nodes[i] for i in sorted(ids)) for ids in (forth[old.id], back[new.id]))
        out.append(Change("reused", old, new, went=went, came=came))
    return out


def moves(library: Library, older: str, newer: str) -> list[tuple[Node, Node, int]]:
    """(law of the older, law of the newer, how many provisions went that way), in the order of the older edition."""
    found: Counter[tuple[NodeId, NodeId]] = Counter()
    for p in library.relations.pairs(older, newer):
        if p.ends:
            a, b = (library.law_of(library.nodes[id_]) for id_ in p.ends)
            if a.kind == b.kind == "law":
                found[a.id, b.id] += 1
    place = {n.id: i for i, n in enumerate([*library.laws(older), *library.laws(newer)])}
    return [
        (library.nodes[a], library.nodes[b], n)
        for (a, b), n in sorted(found.items(), key=lambda x: (place[x[0][0]], place[x[0][1]]))
    ]
