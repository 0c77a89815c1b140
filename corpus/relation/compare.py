"""Editions side by side, aligned by content: rows in the order of the base edition.

A cell holds the pairs that an edition has with the row's provision. What an edition has anew stands where it is printed
there, between its neighbours. Columns stand as they were asked for; who shows them orders them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from corpus.library import Library
from corpus.model import CONTAINERS, Node, Pair
from corpus.relation.redline import Stretch, redline_parts

# From what a director must know first to what hardly matters.
BY_WEIGHT = ("new", "dropped", "split", "merged", "moved", "reworded", "same")

# (node, edition) → the nodes of an edition that is no text of the laws which stand beside it: decisions.
Beside = Callable[[Node, str], Sequence[Node]]


@dataclass
class Cell:
    """What an edition has in a row: ids in its order, and the rows that join them to the base's provision.

    ``relation`` is None for the base, for decisions, and where nothing is known.
    """

    ids: list[str]
    pairs: list[Pair] = field(default_factory=list)

    @property
    def relation(self) -> str | None:
        """The weightiest relation of the cell's rows."""
        return min((p.relation for p in self.pairs), key=BY_WEIGHT.index, default=None)


@dataclass
class Row:
    """One row; ``cells`` in the order of the comparison's editions."""

    cells: list[Cell]

    @property
    def relation(self) -> str:
        """The weightiest relation of the row; ``same`` when nothing is known to differ."""
        return min((c.relation for c in self.cells if c.relation), key=BY_WEIGHT.index, default="same")

    @property
    def computed(self) -> bool:
        """Whether a pair of the row was reviewed by nobody."""
        return any(p.basis == "computed" for c in self.cells for p in c.pairs)

    @property
    def notes(self) -> list[str]:
        """The reviewers' notes, each once."""
        return list(dict.fromkeys(p.note for c in self.cells for p in c.pairs if p.note))


@dataclass(frozen=True)
class Comparison:
    """Editions as asked for, the node whose parts are the rows, and the rows; ``read_in`` is that node's edition."""

    editions: tuple[str, ...]
    node: Node
    rows: tuple[Row, ...]

    @property
    def read_in(self) -> str:
        """The edition that rules the order of the rows."""
        return self.node.edition

    def to_json(self) -> dict:
        """The object of the API (contract, section 5)."""
        rows = [
            {
                "cells": [c.ids for c in r.cells],
                "relation": r.relation,
                "relations": [c.relation for c in r.cells],
                "basis": "computed" if r.computed else "reviewed",
                "notes": r.notes,
            }
            for r in self.rows
        ]
        return {"editions": list(self.editions), "read_in": self.read_in, "rows": rows}


def read_in(library: Library, path: str, editions: Sequence[str]) -> Node | None:
    """The node of a path in the base, which stands first, or else in the first edition that has it; None when none has."""
    return next((n for e in editions if (n := library.node(e, path)) is not None), None)


def compare(library: Library, node: Node, editions: Sequence[str], beside: Beside) -> Comparison:
    """The provisions of a node beside those of other editions; ``editions`` holds the node's own, in any place."""
    return _Comparing(library, node, tuple(editions), beside).result()


class _Comparing:
    def __init__(self, library: Library, node: Node, editions: tuple[str, ...], beside: Beside):
        self.library, self.relations, self.node, self.editions, self.beside = (
            library,
            library.relations,
            node,
            editions,
            beside,
        )
        self.own = editions.index(node.edition)
        self.place = {n.id: i for e in editions for i, n in enumerate(library.of(e))}

    def result(self) -> Comparison:
        rows = [self.row(n) for n in self.library.inside(self.node) if n.kind not in CONTAINERS] or [
            self.row(self.node)
        ]
        for i, edition in enumerate(self.editions):
            if i != self.own:
                self.insert_new(rows, i, edition)
        for row in rows:
            self.put_beside(row)
        return Comparison(self.editions, self.node, tuple(rows))

    def row(self, node: Node) -> Row:
        return Row([Cell([node.id]) if i == self.own else self.cell(node, e) for i, e in enumerate(self.editions)])

    def cell(self, node: Node, edition: str) -> Cell:
        if self.relations.code_of(node.edition) is None:
            return Cell([n.id for n in self.beside(node, edition)])
        pairs = self.relations.rows_of(node.id, edition)
        ids = {other for p in pairs if (other := p.b if p.a == node.id else p.a)}
        return Cell(sorted(ids, key=lambda id_: self.place[id_]), pairs)

    def put_beside(self, row: Row) -> None:
        """Decisions stand beside what they are about, in whichever column of the row it is."""
        nodes = [self.library.nodes[id_] for cell in row.cells for id_ in cell.ids]
        for i, edition in enumerate(self.editions):
            if i != self.own and self.relations.code_of(edition) is None:
                row.cells[i] = Cell(list(dict.fromkeys(d.id for n in nodes for d in self.beside(n, edition))))

    def insert_new(self, rows: list[Row], i: int, edition: str) -> None:
        """Put what an edition has anew after the row of what stands before it there."""
        anew: dict[str, list[Pair]] = defaultdict(list)
        for p in self.relations.pairs(self.node.edition, edition):
            mine, theirs = (p.a, p.b) if p.older == self.node.edition else (p.b, p.a)
            if mine is None and theirs:
                anew[theirs].append(p)
        for id_ in sorted(anew, key=lambda t: self.place[t]):
            at = None if any(id_ in r.cells[i].ids for r in rows) else self.after(rows, i, id_)
            if at is None:
                continue
            twin = self.twin(rows, i, id_)
            if twin is not None:
                twin.cells[i] = Cell([*twin.cells[i].ids, id_], [*twin.cells[i].pairs, *anew[id_]])
                continue
            found = self.relations.counterparts(id_)
            cells = [
                Cell([c.id for c in found.get(e, ())]) if j != self.own else Cell([])
                for j, e in enumerate(self.editions)
            ]
            cells[i] = Cell([id_], anew[id_])
            rows.insert(at + 1, Row(cells))

    def after(self, rows: list[Row], i: int, id_: str) -> int | None:
        """The index of the last row that stands before a provision in its own edition, within what is compared; or None."""
        parent = self.library.nodes[id_].parent
        while parent and not any(parent in r.cells[i].ids for r in rows):
            parent = self.library.nodes[parent].parent
        if parent is None:
            return None
        inside = {n.id for n in self.library.inside(self.library.nodes[parent])}
        before = [
            k
            for k, r in enumerate(rows)
            if any(c in inside and self.place[c] < self.place[id_] for c in r.cells[i].ids)
        ]
        return max(before) if before else None

    def twin(self, rows: list[Row], i: int, id_: str) -> Row | None:
        """A row that was inserted for another edition and means the same provision."""
        found = self.relations.counterparts(id_)
        for j, edition in enumerate(self.editions[:i]):
            mine = {c.id for c in found.get(edition, ())}
            for row in rows:
                if not row.cells[self.own].ids and not row.cells[i].ids and mine & set(row.cells[j].ids):
                    return row
        return None


def redlined(library: Library, node: Node, edition: str) -> list[Stretch] | None:
    """A node's text as a redline against what an older edition of its language has for it; None where there is nothing to show.

    What was split or merged is compared whole: all the older texts joined against all the newer ones.
    """
    if library.editions[edition].lang != node.lang:
        return None
    older, newer = _together(library, node, edition)
    texts = [*older, *newer]
    if not older or any(n.tables for n in texts) or not all(n.text.strip() for n in texts):
        return None
    parts = redline_parts([n.text for n in older], [n.text for n in newer])[newer.index(node)]
    return parts if any(sign != "=" for sign, _ in parts) else None


def _together(library: Library, node: Node, edition: str) -> tuple[list[Node], list[Node]]:
    """The nodes of the older edition and of the node's own that its rows join, directly or through each other."""
    older: set[str] = set()
    newer = {node.id}
    todo = [node.id]
    while todo:
        id_ = todo.pop()
        mine, theirs, other = (newer, older, edition) if id_ in newer else (older, newer, node.edition)
        for p in library.relations.rows_of(id_, other):
            far = p.b if p.a == id_ else p.a
            if p.a and p.b and not p.heading and far and far not in theirs:
                theirs.add(far)
                todo.append(far)
    ordered = lambda ids: [n for n in library.nodes.values() if n.id in ids]
    return ordered(older), ordered(newer)
