"""What changed from one edition to another, by kind and weight."""
from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

from app.atlas import Atlas
from app.words import CHANGES
from corpus.model import Node, Pair


@dataclass(frozen=True)
class Change:
    """One change: its kind (a key of ``words.CHANGES``), what the older and the newer edition have, and a note.

    Of a reused number: where the older provision went, where the newer one came from.
    """

    kind: str
    older: Node | None
    newer: Node | None
    note: str = ""
    basis: str = "reviewed"
    went: tuple[Node, ...] = ()
    came: tuple[Node, ...] = ()


def changes(atlas: Atlas, older: str, newer: str) -> list[Change]:
    """All changes, the weightiest kind first, within a kind in the order of the newer edition."""
    library = atlas.library
    pairs = library.pairs_of(older, newer)
    nodes = library.nodes
    moved = {(p.a, p.b) for p in pairs if p.relation == "moved"}
    out = []
    for p in pairs:
        a, b = nodes.get(p.a or ""), nodes.get(p.b or "")
        if not (a or b):
            continue
        if (kind := _kind(atlas, p, a, b, moved)) is not None:
            out.append(Change(kind, a, b, p.note, p.basis))
    out += _reused(atlas, pairs, older, newer)
    order = {kind: i for i, kind in enumerate(CHANGES)}
    place = {n.id: i for i, n in enumerate([*library.of(older), *library.of(newer)])}
    return sorted(out, key=lambda c: (order[c.kind], place.get((c.newer or c.older).id, 0)))


def counts(rows: list[Change]) -> list[tuple[str, int]]:
    """(kind, number) of the kinds that occur, by weight."""
    found = Counter(c.kind for c in rows)
    return [(kind, found[kind]) for kind in CHANGES if found[kind]]


def _kind(atlas: Atlas, p: Pair, a: Node | None, b: Node | None, moved: set) -> str | None:
    if p.relation in ("new", "dropped"):
        node = b or a
        return f"{p.relation}-law" if node.kind == "law" else p.relation
    if p.relation == "moved":
        # 16D1 → 16C1 says nothing once one knows 16D → 16C.
        return "along" if a and b and (a.parent, b.parent) in moved and a.path.split("/")[-1] == b.path.split("/")[-1] else "moved"
    if p.relation == "same":
        return "references" if a and b and _references_differ(atlas, a, b) else None
    return p.relation


def _references_differ(atlas: Atlas, a: Node, b: Node) -> bool:
    """Whether two provisions that say the same point to different places, as far as all places are aligned."""
    theirs = {t for r in b.references for t in r.targets if t in atlas.library.nodes}
    mine = {t for r in a.references for t in r.targets if t in atlas.library.nodes}
    if len(mine) != len(theirs):
        return bool(mine) and bool(theirs)
    for target in mine:
        found = {t for t, _ in atlas.library.counterparts(target).get(b.edition, ())}
        if found and not found & theirs:
            return True
    return False


def _reused(atlas: Atlas, pairs: list[Pair], older: str, newer: str) -> list[Change]:
    """Numbers that both editions have and that mean something else in each: what a director trips over."""
    library, forth, back = atlas.library, defaultdict(set), defaultdict(set)
    for p in pairs:
        if p.a and p.b:
            forth[p.a].add(p.b)
            back[p.b].add(p.a)
    out = []
    for new in library.of(newer):
        old = library.node(older, new.path)
        if old is None or new.kind not in ("law", "section", "subsection", "clause", "subclause"):
            continue
        if new.id in forth[old.id] or not (forth[old.id] and back[new.id]):
            continue
        # A provision inside one that is itself another one needs no line of its own.
        above = library.node(older, new.parent.partition("/")[2]) if new.parent else None
        if above and new.parent not in forth[above.id] and forth[above.id]:
            continue
        out.append(Change("reused", old, new, went=tuple(library.nodes[i] for i in sorted(forth[old.id]) if i in library.nodes),
                          came=tuple(library.nodes[i] for i in sorted(back[new.id]) if i in library.nodes)))
    return out


def moves(atlas: Atlas, older: str, newer: str) -> list[tuple[Node, Node, int]]:
    """(law of the older, law of the newer, how many provisions went that way), in the order of the older edition."""
    library, found = atlas.library, Counter()
    for p in library.pairs_of(older, newer):
        if p.a in library.nodes and p.b in library.nodes:
            a, b = library.law_of(library.nodes[p.a]), library.law_of(library.nodes[p.b])
            if a.kind == b.kind == "law":
                found[a.id, b.id] += 1
    place = {n.id: i for i, n in enumerate([*library.laws(older), *library.laws(newer)])}
    return [(library.nodes[a], library.nodes[b], n) for (a, b), n in sorted(found.items(), key=lambda x: (place[x[0][0]], place[x[0][1]]))]
