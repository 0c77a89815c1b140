"""Editions side by side, aligned by content: rows in the order of the base edition.

A cell holds the ids that an edition has for a row. What an edition has anew stands where it is printed there, between its
neighbours. The relation of a row is its weightiest one; ``relations`` says it for each edition.
"""
from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from app.atlas import Atlas
from app.words import BY_WEIGHT, CONTAINERS
from corpus.model import Node, Pair


@dataclass
class Row:
    """One row: ``cells[i]`` are ids of edition ``i``; ``relations[i]`` how it relates to the base (None for the base itself)."""

    cells: list[list[str]]
    relations: list[str | None]
    notes: list[str] = field(default_factory=list)
    basis: str = "reviewed"

    @property
    def relation(self) -> str:
        """The weightiest relation of the row; ``same`` when nothing is known to differ."""
        known = [r for r in self.relations if r]
        return min(known, key=BY_WEIGHT.index) if known else "same"


@dataclass(frozen=True)
class Comparison:
    """A comparison: editions in order, the base first, and the rows."""

    editions: tuple[str, ...]
    rows: tuple[Row, ...]

    def to_json(self) -> dict:
        """The object of the API."""
        return {"editions": list(self.editions),
                "rows": [{"cells": r.cells, "relation": r.relation, "relations": r.relations, "basis": r.basis, "notes": r.notes} for r in self.rows]}


def compare(atlas: Atlas, base: Node, others: list[str]) -> Comparison:
    """The provisions of a node of the base edition beside those of other editions."""
    return _Comparing(atlas, base, others).result()


class _Comparing:
    def __init__(self, atlas: Atlas, base: Node, others: list[str]):
        self.atlas, self.library, self.base, self.others = atlas, atlas.library, base, others
        self.editions = (base.edition, *others)
        self.pairs = {e: self._pairs(e) for e in others}
        self.place = {e: {n.id: i for i, n in enumerate(self.library.of(e))} for e in self.editions}

    def result(self) -> Comparison:
        rows = [self._row(n) for n in self._within(self.base) if not self._hollow(n)] or [self._row(self.base)]
        for i, edition in enumerate(self.others, 1):
            self._insert_new(rows, i, edition)
        return Comparison(self.editions, tuple(rows))

    def _pairs(self, edition: str) -> dict[str | None, list[tuple[str | None, Pair]]]:
        """Base id (None: nothing) → (id in the other edition or None, the row of the alignment)."""
        out = defaultdict(list)
        for p in self.library.pairs_of(self.base.edition, edition):
            mine, theirs = (p.a, p.b) if p.older == self.base.edition else (p.b, p.a)
            out[mine].append((theirs, p))
        return out

    def _row(self, node: Node) -> Row:
        cells, relations, notes, basis = [[node.id]], [None], [], "reviewed"
        for edition in self.others:
            found = self.pairs[edition].get(node.id, []) or self._modified(node, edition)
            ids = list(dict.fromkeys(t for t, _ in found if t and t in self.library.nodes))
            cells.append(sorted(ids, key=lambda t: self.place[edition].get(t, 0)))
            relations.append(self._relation(edition, found, ids))
            notes += [p.note for _, p in found if p.note and p.note not in notes]
            if any(p.basis == "computed" for _, p in found):
                basis = "computed"
        return Row(cells, relations, notes, basis)

    def _relation(self, edition: str, found, ids: list[str]) -> str | None:
        """How the base's node relates to what an edition has; read from the base: what only the base has is dropped or new."""
        if not found:
            return None
        if not ids:
            # Seen from the base, a provision that the other edition lacks: gone from a newer one, not yet in an older one.
            return "dropped" if found[0][1].older == self.base.edition else "new"
        return min((p.relation for t, p in found if t), key=BY_WEIGHT.index)

    def _modified(self, node: Node, edition: str):
        """Decisions have no place in the alignment: their points stand beside what they modify."""
        points = [d for d in self.atlas.decisions.get(node.id, ()) if d.edition == edition]
        return [(d.id, Pair(node.id, d.id, "same", False, 1.0, "reviewed", "", node.edition, edition)) for d in points]

    def _within(self, node: Node) -> list[Node]:
        """What is compared: the provisions of a law; those of all its laws when the base is a chapter."""
        if not self._hollow(node):
            return self.library.subtree(node)
        return [n for m in self.atlas.members.get(node.id, ()) for n in self._within(m)]

    def _hollow(self, node: Node) -> bool:
        """A chapter has no words of its own to compare."""
        return node.kind in CONTAINERS

    def _insert_new(self, rows: list[Row], i: int, edition: str) -> None:
        """Put what an edition has anew after the row of what stands before it there."""
        anew = sorted((t for t, _ in self.pairs[edition].get(None, ()) if t and t in self.library.nodes), key=lambda t: self.place[edition][t])
        for id_ in anew:
            if any(id_ in r.cells[i] for r in rows):
                continue
            at = self._after(rows, i, id_)
            if at is None:
                continue
            relation = next("new" if p.newer == edition else "dropped" for t, p in self.pairs[edition][None] if t == id_)
            twin = self._twin(rows, i, id_)
            if twin is not None:
                twin.cells[i].append(id_)
                twin.relations[i] = relation
                continue
            cells: list[list[str]] = [[] for _ in self.editions]
            relations: list[str | None] = [None] * len(self.editions)
            cells[i], relations[i] = [id_], relation
            notes = [p.note for t, p in self.pairs[edition][None] if t == id_ and p.note]
            rows.insert(at + 1, Row(cells, relations, notes))

    def _after(self, rows: list[Row], i: int, id_: str) -> int | None:
        """The index of the last row that stands before a provision in its own edition, within what is compared; or None."""
        parent = self.library.nodes[id_].parent
        while parent and not any(parent in r.cells[i] for r in rows):
            parent = self.library.nodes[parent].parent
        if parent is None:
            return None
        inside = {n.id for n in self.library.subtree(self.library.nodes[parent])}
        place = self.place[self.editions[i]]
        before = [k for k, r in enumerate(rows) if any(c in inside and place[c] < place[id_] for c in r.cells[i])]
        return max(before) if before else None

    def _twin(self, rows: list[Row], i: int, id_: str) -> Row | None:
        """A row that was inserted for another edition and means the same provision."""
        for j in range(1, i):
            mine = {t for t, _ in self.library.counterparts(id_).get(self.editions[j], ())}
            for row in rows:
                if not row.cells[0] and not row.cells[i] and mine & set(row.cells[j]):
                    return row
        return None
