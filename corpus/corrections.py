"""Where the corrections of an edition are in its nodes. They are found by the places of characters, never by search.

:func:`find_corrected_spans` returns the stretches, :func:`corrected_spans_by_node` all corrections by node.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from corpus.model import Correction, Node, NodeId, Text


@dataclass(frozen=True)
class CorrectedSpan:
    """A stretch of a node that a correction published: characters ``start`` to ``end`` of its label, heading or text.

    A deletion leaves a point (``start == end``). A correction that crosses from a label into the text makes two
    stretches. ``where`` is empty when the node's lines have the correction and its words do not
    (:data:`corpus.model.CORRECTION_RESULTS`).
    """

    node: NodeId
    correction: Correction
    where: str = ""
    start: int = 0
    end: int = 0


@dataclass(frozen=True)
class _TextRun:
    """A run of a node's words (offsets ``start`` to ``end``), and the columns of the source ``first`` to ``last``.

    Both are half open; columns are 1-based.
    """

    first: int
    last: int
    node: NodeId
    where: str
    start: int
    end: int


def find_corrected_spans(nodes: Iterable[Node], corrections: Sequence[Correction]) -> list[CorrectedSpan]:
    """The stretches of nodes that corrections published, and the points of deletions, for one edition."""
    rows = {(c.line, c.column, len(c.source)): c for c in corrections if c.published}
    lines: dict[int, list[_TextRun]] = defaultdict(list)
    out = []
    for node in nodes:
        for where in ("label", "heading", "text"):
            words = getattr(node, where)
            for start, end, place in words.runs() if isinstance(words, Text) else ():
                if not place:
                    continue
                line, column = place[:2]
                width = place[2] if len(place) == 3 else end - start
                lines[line].append(_TextRun(column, column + width, node.id, where, start, end))
                if len(place) == 3 and place in rows:
                    out.append(CorrectedSpan(node.id, rows[place], where, start, end))
    for runs in lines.values():
        runs.sort(key=lambda run: (run.first, run.last))
    points = (_deletion_point(lines[c.line], c) for c in corrections if not c.published)
    return out + [point for point in points if point]


def _deletion_point(line: list[_TextRun], c: Correction) -> CorrectedSpan | None:
    """Return the point where the correction ``c`` deleted characters; None if its line has no words of a node.

    The point is after the words before the deleted characters, else before the words after them. ``line``: the runs on
    that line, in order.
    """
    before = next((run for run in reversed(line) if run.last <= c.column), None)
    if before:
        return CorrectedSpan(before.node, c, before.where, before.end, before.end)
    after = next((run for run in line if run.first >= c.column + len(c.source)), None)
    return CorrectedSpan(after.node, c, after.where, after.start, after.start) if after else None


def corrected_spans_by_node(
    nodes: Sequence[Node], corrections: Sequence[Correction]
) -> dict[NodeId, list[CorrectedSpan]]:
    """Id of a node → its corrections in the order of the source.

    A correction that is not in any words belongs to the node whose lines have it.
    """
    found = find_corrected_spans(nodes, corrections)
    seen = {(row.correction.line, row.correction.column, row.correction.source) for row in found}
    spans = sorted((tuple(s), n.id) for n in nodes for s in n.source_spans)
    starts = [(s[0], s[1]) for s, _ in spans]
    for c in corrections:
        i = bisect_right(starts, (c.line, c.column)) - 1
        if (
            (c.line, c.column, c.source) not in seen
            and i >= 0
            and (c.line, c.column) <= (spans[i][0][2], spans[i][0][3] + 1)
        ):
            found.append(CorrectedSpan(spans[i][1], c))
    out = defaultdict(list)
    for row in sorted(found, key=lambda row: (row.correction.line, row.correction.column)):
        out[row.node].append(row)
    return dict(out)
