"""Sets editions side by side, aligned by content, and marks what changed in the words.

- :func:`redline`, :func:`redline_parts`, :func:`redline_of_node`: which words were removed and which were added.
- :func:`compare`: the provisions of a node beside those of other editions, as a :class:`Comparison`. Its rows are in
  the order of the base edition, the one of the node. A provision that another edition has and the base lacks stands
  after the provision that precedes it in its own edition. The columns keep the order of the request.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from corpus.library import Library
from corpus.model import CONTAINER_KINDS, LocalizedSentences, Node, NodeId, Pair
from corpus.time_limit import check_time

# -- Redlines of texts ---

# A word or a sign with the blanks after it. The blanks are kept in the output and ignored in the comparison.
_TOKEN = re.compile(r"\w+\s*|[^\w\s]\s*|^\s+")
_PARAGRAPH = "\n\n"

# (sign, words). The sign is ``=``, ``-`` (only in the older text) or ``+`` (only in the newer one).
RedlineChunk = tuple[str, str]


def redline(old: str, new: str) -> list[RedlineChunk]:
    """Return ``[(sign, words)]``; the ``=`` and ``+`` chunks joined give ``new``.

    >>> redline("a small penalty", "a penalty card")
    [('=', 'a '), ('-', 'small '), ('=', 'penalty '), ('+', 'card')]
    """
    a, b = _TOKEN.findall(old), _TOKEN.findall(new)
    out: list[RedlineChunk] = []
    matcher = SequenceMatcher(None, [t.rstrip() for t in a], [t.rstrip() for t in b], autojunk=False)
    for op, i1, i2, j1, j2 in matcher.get_opcodes():
        if op == "equal":
            out.append(("=", "".join(b[j1:j2])))
            continue
        for sign, words in (("-", "".join(a[i1:i2])), ("+", "".join(b[j1:j2]))):
            if words:
                out.append((sign, words))
    return out


def redline_parts(old: Sequence[str], new: Sequence[str]) -> list[list[RedlineChunk]]:
    """Return the redline of several texts against several, one list of chunks for each newer text.

    Each side is joined before it is compared. So a split provision is compared as a whole: words that moved into the
    second part are not shown as removed from the first.

    >>> redline_parts(["one two"], ["one", "two"])
    [[('=', 'one')], [('=', 'two')]]
    """
    out: list[list[RedlineChunk]] = [[] for _ in new]
    at, left = 0, len(new[0]) if new else 0
    for sign, stretch in redline(_PARAGRAPH.join(old), _PARAGRAPH.join(new)) if new else ():
        if sign == "-":
            out[at].append((sign, stretch))
            continue
        words = stretch
        while words:
            piece, words = words[:left], words[left:]
            if piece:
                out[at].append((sign, piece))
            left -= len(piece)
            if words and not left:
                # The blank line that joins two texts belongs to neither.
                words = words.removeprefix(_PARAGRAPH)
                at, left = (at + 1, len(new[at + 1])) if at + 1 < len(new) else (at, len(words))
                if not words:
                    break
    return out


# -- Editions in columns ---

# From what a director must know first to what hardly matters.
RELATIONS_BY_WEIGHT = ("new", "dropped", "split", "merged", "moved", "reworded", "same")

# (node, edition of decisions, not of laws) → the decisions of that edition on the node.
FindDecisions = Callable[[Node, str], Sequence[Node]]


@dataclass(frozen=True)
class Cell:
    """What an edition has in a row: the ids in its order, and the pairs that join them to the provision of the base."""

    ids: tuple[NodeId, ...]
    pairs: tuple[Pair, ...] = ()

    @property
    def relation(self) -> str | None:
        """The most important relation of the cell's pairs (:data:`RELATIONS_BY_WEIGHT`).

        None for the base, for decisions, and where nothing is known.
        """
        return min((p.relation for p in self.pairs), key=RELATIONS_BY_WEIGHT.index, default=None)


@dataclass(frozen=True)
class ComparedRow:
    """One row of a comparison; ``cells`` are in the order of the comparison's editions."""

    cells: tuple[Cell, ...]

    @property
    def relation(self) -> str:
        """The most important relation of the row's cells (:data:`RELATIONS_BY_WEIGHT`).

        It is ``same`` when no difference is known.
        """
        return min((c.relation for c in self.cells if c.relation), key=RELATIONS_BY_WEIGHT.index, default="same")

    @property
    def is_computed(self) -> bool:
        """Whether the row has a pair that nobody has reviewed."""
        return any(p.basis == "computed" for c in self.cells for p in c.pairs)

    @property
    def remarks(self) -> list[str]:
        """The remarks of the reviewers, each once."""
        return list(dict.fromkeys(p.remark for c in self.cells for p in c.pairs if p.remark))

    @property
    def difference_sentences(self) -> list[LocalizedSentences]:
        """The sentences on what differs, as pages show them, each once, by language."""
        return list(dict.fromkeys(n for c in self.cells for p in c.pairs for n in p.differences))

    def with_cell(self, column: int, cell: Cell) -> ComparedRow:
        """Return the row with another cell; ``column`` is the index of its column."""
        return ComparedRow((*self.cells[:column], cell, *self.cells[column + 1 :]))


@dataclass(frozen=True)
class Comparison:
    """Editions in the order of the request, the compared node, and one row for each provision inside it."""

    editions: tuple[str, ...]
    node: Node
    rows: tuple[ComparedRow, ...]

    @property
    def base_edition(self) -> str:
        """The id of the base edition; the rows follow its order."""
        return self.node.edition

    @property
    def base_column(self) -> int:
        """The index of the base edition in ``editions`` and in the cells of every row."""
        return self.editions.index(self.base_edition)


def find_compared_node(library: Library, path: str, editions: Sequence[str]) -> Node | None:
    """Return the node of a path in the first of ``editions`` that has it, or None. Its edition becomes the base."""
    return next((n for e in editions if (n := library.node_at(e, path)) is not None), None)


def compare(library: Library, node: Node, editions: Sequence[str], beside: FindDecisions) -> Comparison:
    """Return the provisions of a node beside those of other editions.

    ``editions`` contains the node's own edition, at any place. ``beside`` finds the decisions on a node.
    """
    table = _ComparisonBuilder(library, node, tuple(editions), beside)
    rows = table.base_rows()
    for i in range(len(editions)):
        if i != table.base_column:
            rows = table.with_new_rows(rows, i)
    return Comparison(table.editions, node, tuple(table.with_decisions(row) for row in rows))


class _ComparisonBuilder:
    """Makes the rows of a comparison. It holds what they are made from and no row itself."""

    def __init__(self, library: Library, node: Node, editions: tuple[str, ...], beside: FindDecisions):
        self.library, self.relations, self.beside = library, library.relations, beside
        self.node, self.editions = node, editions
        self.base_column = editions.index(node.edition)
        self.place = {n.id: i for e in editions for i, n in enumerate(library.nodes_of(e))}

    def base_rows(self) -> list[ComparedRow]:
        """Return the rows of the base's provisions, in its order."""
        return [self.base_row(n) for n in self.library.nodes_inside(self.node) if n.kind not in CONTAINER_KINDS] or [
            self.base_row(self.node)
        ]

    def base_row(self, node: Node) -> ComparedRow:
        """Return the row of one provision of the base."""
        return ComparedRow(
            tuple(
                Cell((node.id,)) if i == self.base_column else self.cell_of(node, e)
                for i, e in enumerate(self.editions)
            )
        )

    def cell_of(self, node: Node, edition: str) -> Cell:
        """Return the cell of an edition for a node of the base.

        Where the base does not hold laws, the cell has the decisions on the node.
        """
        check_time()
        if self.relations.code_of(node.edition) is None:
            return Cell(tuple(n.id for n in self.beside(node, edition)))
        pairs = self.relations.rows_of(node.id, edition)
        ids = {other for p in pairs if (other := p.other_id_of(node.id))}
        return Cell(tuple(sorted(ids, key=self.place.__getitem__)), tuple(pairs))

    def with_decisions(self, row: ComparedRow) -> ComparedRow:
        """Return the row with decisions added: those on any provision of the row, in whichever column it is."""
        check_time()
        nodes = [self.library.nodes[id_] for cell in row.cells for id_ in cell.ids]
        for i, edition in enumerate(self.editions):
            if i != self.base_column and self.relations.code_of(edition) is None:
                ids = dict.fromkeys(d.id for n in nodes for d in self.beside(n, edition))
                row = row.with_cell(i, Cell(tuple(ids)))
        return row

    def with_new_rows(self, rows: list[ComparedRow], column: int) -> list[ComparedRow]:
        """Return the rows with those provisions inserted that only the edition of a column has; ``column`` is its
        index.

        Each stands after the row of the provision that precedes it in that edition.
        """
        out = list(rows)
        anew = self.new_provisions(self.editions[column])
        for id_ in sorted(anew, key=self.place.__getitem__):
            shown = any(id_ in r.cells[column].ids for r in out)
            if not shown and (at := self.row_index_before(out, column, id_)) is not None:
                out.insert(at + 1, self.new_row(id_, column, anew[id_]))
        return out

    def new_provisions(self, edition: str) -> dict[NodeId, list[Pair]]:
        """Return id → pairs, for each provision that an edition has and the base lacks.

        The pairs are the rows that say so.
        """
        out: dict[NodeId, list[Pair]] = defaultdict(list)
        for p in self.relations.pairs(self.node.edition, edition):
            mine, theirs = (p.a, p.b) if p.older == self.node.edition else (p.b, p.a)
            if mine is None and theirs:
                out[theirs].append(p)
        return out

    def new_row(self, id_: NodeId, column: int, pairs: list[Pair]) -> ComparedRow:
        """Return the row of a provision that the base lacks, with its counterparts in the other editions.

        ``column`` is the index of the column of its edition; ``pairs`` are the rows of the alignment that name it.
        """
        found = self.relations.counterparts_of(id_)
        cells = [
            Cell(() if j == self.base_column else tuple(c.id for c in found.get(e, ())))
            for j, e in enumerate(self.editions)
        ]
        return ComparedRow(tuple(cells)).with_cell(column, Cell((id_,), tuple(pairs)))

    def row_index_before(self, rows: list[ComparedRow], column: int, id_: NodeId) -> int | None:
        """Return the index of the row after which a provision is inserted, or None; ``column`` is the index of its
        column.

        It is the last row whose provision stands before it in its edition. None means that the provision stands outside
        of what is compared.
        """
        shown = {c for r in rows for c in r.cells[column].ids}
        parent = next((n for n in self.library.ancestors_of(self.library.nodes[id_])[::-1] if n.id in shown), None)
        if parent is None:
            return None
        before = {n.id for n in self.library.nodes_inside(parent) if self.place[n.id] < self.place[id_]}
        return max((k for k, r in enumerate(rows) if before & set(r.cells[column].ids)), default=None)


# -- The redline of one node ---


def redline_of_node(library: Library, node: Node, edition: str) -> list[RedlineChunk] | None:
    """Return a node's text as a redline against its older counterpart in an edition of the same language.

    Return None where there is no such counterpart, no difference, an empty text or a table. Split and merged
    provisions are compared as a whole: all the older texts joined against all the newer ones.
    """
    check_time()
    if library.editions[edition].lang != node.lang:
        return None
    older, newer = _joined_nodes(library, node, edition)
    texts = [*older, *newer]
    if not older or any(n.tables for n in texts) or not all(n.text.strip() for n in texts):
        return None
    parts = redline_parts([n.text for n in older], [n.text for n in newer])[newer.index(node)]
    return parts if any(sign != "=" for sign, _ in parts) else None


def _joined_nodes(library: Library, node: Node, edition: str) -> tuple[list[Node], list[Node]]:
    """Return (nodes of the older edition, nodes of the node's own edition) that pairs join, also indirectly."""
    older: set[NodeId] = set()
    newer = {node.id}
    todo = [node.id]
    while todo:
        id_ = todo.pop()
        theirs, other = (older, edition) if id_ in newer else (newer, node.edition)
        for p in library.relations.rows_of(id_, other):
            far = p.other_id_of(id_)
            if p.joins_provisions and far and far not in theirs:
                theirs.add(far)
                todo.append(far)
    return library.nodes_in_order(older), library.nodes_in_order(newer)
