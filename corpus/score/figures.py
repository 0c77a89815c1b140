"""Figures: the numbers that a text prints and scores are computed from; ``scores/figures/<edition>.tsv``.

A row says what a figure is called, where the published text has it, and where the source prints it::

    figure                     node  table row cell words value place    printed mark
    trick/clubs/undoubled      77    1     3   2    20    20    1386:12  20      run-together

- ``table``, ``row`` and ``cell`` count from 1. Where ``table`` is 0, ``words`` stand once in the running text.
- ``words`` are the published ones, ``value`` is the number that they mean (``trick``: the value of a trick).
- ``place`` is the line and column of the source where ``printed`` stands.
- ``mark`` names an entry of ``scores/marks.toml``, the reason why the print is not read as it stands.

:func:`read_figures` proves every row by slicing: the published words, the printed ones, and that both are one place.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpus import files
from corpus.files import TsvTable, parse_number
from corpus.model import Node, NodeId, Problem, Text

FOLDER = "scores/figures"
COLUMNS = ("figure", "node", "table", "row", "cell", "words", "value", "place", "printed", "mark")
NO_PLACE = (0, 0)
TRICK_VALUE = "trick"  # a “value” that is no number: the text says “value of the trick”
# What a mark says of the print; only a marked figure may differ from it.
RUN_TOGETHER, MOVED, LOST, REPEATED, MISREAD = "run-together", "moved", "lost", "repeated", "misread"


@dataclass(frozen=True)
class Figure:
    """A number that a text prints. ``name``: what it is, ``undertrick/first/doubled/vulnerable``.

    ``start`` and ``end``: its words in the text of ``node``; ``value``: the number, None for “the value of the trick”.
    ``line`` and ``column``: where the source prints it; ``printed``: what stands there. ``mark``: why the print is not
    read as it stands, "" where it is.
    """

    name: str
    node: NodeId
    start: int
    end: int
    value: float | None
    line: int
    column: int
    printed: str
    mark: str = ""


def read_figures(
    corpus_dir: Path, edition: str, nodes: Mapping[NodeId, Node], source: Sequence[str], marks: Collection[str]
) -> tuple[tuple[Figure, ...], list[Problem]]:
    """Return the figures of an edition, and what is wrong with the table. Without a file there are none.

    ``nodes``: those of all editions; ``source``: the lines of the edition's source; ``marks``: the known marks.
    """
    path = corpus_dir / FOLDER / f"{edition}.tsv"
    sheet = files.read_tsv(path, f"{FOLDER}/{edition}.tsv", COLUMNS)
    figures, problems = list[Figure](), list(sheet.problems)
    seen = dict[str, int]()
    for line, cells in sheet.rows:
        found = _read_row(sheet, line, cells, edition, nodes, source, marks)
        if isinstance(found, Problem):
            problems.append(found)
            continue
        if found.name in seen:
            finding = f"“{found.name}” stands in line {seen[found.name]}, too."
            problems.append(sheet.problem(line, finding, "Remove one of the two."))
        seen[found.name] = line
        figures.append(found)
    return tuple(figures), problems


def _read_row(
    sheet: TsvTable,
    line: int,
    cells: Mapping[str, str],
    edition: str,
    nodes: Mapping[NodeId, Node],
    source: Sequence[str],
    marks: Collection[str],
) -> Figure | Problem:
    node = nodes.get(NodeId.of(edition, cells["node"]))
    if node is None:
        return sheet.problem(line, f"{edition} has no {cells['node']}.", "Correct the path.")
    span = _published_span(node, cells)
    if isinstance(span, str):
        return sheet.problem(line, f"{node.id}: {span}.", "Correct table, row, cell or words.")
    place = _place_of(cells["place"], source)
    for finding, move in _cell_faults(cells, place, marks):
        return sheet.problem(line, f"{cells['figure']}: {finding}", move)
    figure = Figure(cells["figure"], node.id, *span, _value_of(cells["value"]), *place, cells["printed"], cells["mark"])
    for finding, move in _place_faults(figure, node, cells, source):
        return sheet.problem(line, f"{figure.name}: {finding}", move)
    return figure


def _cell_faults(cells: Mapping[str, str], place: tuple[int, int], marks: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield (finding, next move) for a value, a mark or a place that is none."""
    if _value_of(cells["value"]) is None and cells["value"] != TRICK_VALUE:
        yield f"the value is “{cells['value']}”.", f"Write a number, or {TRICK_VALUE}."
    elif (digits := _digits_of(cells["words"])) and digits != _digits_of(cells["value"].partition(".")[0]):
        yield f"“{cells['words']}” is not {cells['value']}.", "Correct the value, or the words."
    if cells["mark"] and cells["mark"] not in marks:
        yield f"there is no mark “{cells['mark']}”.", f"Choose one of scores/marks.toml: {', '.join(marks)}."
    if place == NO_PLACE:
        yield f"“{cells['place']}” is no place of the source.", "Write line:column, from 1."


def _place_of(cell: str, source: Sequence[str]) -> tuple[int, int]:
    """Return the line and column of a place; :data:`NO_PLACE` where it is none of the source."""
    line, column = (parse_number(part) or 0 for part in (cell.partition(":")[0], cell.partition(":")[2]))
    return (line, column) if 1 <= line <= len(source) and column >= 1 else NO_PLACE


def _published_span(node: Node, cells: Mapping[str, str]) -> tuple[int, int] | str:
    """Return where the words of a row stand in the text of a node, or what is wrong, in a few words."""
    numbers = [parse_number(cells[name]) for name in ("table", "row", "cell")]
    start, end = 0, len(node.text)
    if numbers[0] is None:
        return f"table “{cells['table']}” is no number"
    if numbers[0]:
        table, row, cell = (number or 0 for number in numbers)
        if table > len(node.tables) or not 1 <= row <= len(node.tables[table - 1].rows):
            return f"there is no row {row} of table {table}"
        if not 1 <= cell <= len(node.tables[table - 1].rows[row - 1]):
            return f"row {row} of table {table} has no cell {cell}"
        start, end = _cell_span(node, table - 1, row - 1, cell - 1)
    spans = [
        (start + m.start(), start + m.end())
        for m in re.finditer(rf"(?<!\w){re.escape(cells['words'])}(?!\w)", node.text[start:end])
    ]
    if len(spans) != 1 or not cells["words"]:
        return f"“{cells['words']}” stands there {len(spans)} times"
    return spans[0]


def _cell_span(node: Node, table: int, row: int, cell: int) -> tuple[int, int]:
    """Return where a cell stands in the text of its node. Numbers are from 0."""
    at = node.tables[table].start
    for cells in node.tables[table].rows[:row]:
        at += len("\t".join(cells)) + 1
    cells = node.tables[table].rows[row]
    at += sum(len(before) + 1 for before in cells[:cell])
    return at, at + len(cells[cell])


def _value_of(cell: str) -> float | None:
    return float(cell) if re.fullmatch(r"-?[0-9]{1,5}(\.[0-9]+)?", cell) else None


def _place_faults(
    figure: Figure, node: Node, cells: Mapping[str, str], source: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Yield (finding, next move) where the place in the source is not that of the published words, or where the print
    is read otherwise without a mark.
    """
    line, at = source[figure.line - 1], figure.column - 1
    if line[at : at + len(figure.printed)] != figure.printed:
        yield f"line {figure.line} has “{line[at : at + 12]}” at {figure.column}.", "Correct the place, or the print."
        return
    published = node.text.place_at(figure.start) if isinstance(node.text, Text) else ()
    inserted = len(published) == 3 and not published[2]  # a correction put it there
    alike = _digits_of(figure.printed) == _digits_of(cells["words"])
    if figure.mark == LOST:
        if figure.printed or not inserted or published[0] != figure.line:
            yield "it is marked as lost, and the source has it.", "Remove the mark, or correct the place."
    elif figure.mark == MISREAD and alike:
        yield f"it is marked as {MISREAD}, and printed as it is published.", "Remove the mark."
    elif figure.mark != MISREAD and not alike:
        yield f"“{figure.printed}” is printed, “{cells['words']}” published.", f"Correct it, or mark it as {MISREAD}."
    elif figure.mark == MOVED:
        if not inserted:
            yield "it is marked as moved, and stands where it is printed.", "Remove the mark."
    elif published and not _is_at(published, figure):
        yield f"it is published from {published[0]}:{published[1]}.", "Correct the place."
    elif figure.mark in ("", RUN_TOGETHER) and _is_glued(figure, node, line) != bool(figure.mark):
        yield f"the mark “{RUN_TOGETHER}” does not fit the print.", "Set it where no blank parts the figure."


def _is_glued(figure: Figure, node: Node, line: str) -> bool:
    """Whether the source prints a figure without the blank that parts it in the published text from what is beside."""
    start, end = figure.column - 1, figure.column - 1 + len(figure.printed)
    beside = ((node.text[: figure.start][-1:], line[:start][-1:]), (node.text[figure.end :][:1], line[end:][:1]))
    return any(not ours.strip() and (printed.isalnum() or printed == "+") for ours, printed in beside)


def _digits_of(words: str) -> str:
    return re.sub(r"\D", "", words)


def _is_at(published: tuple[int, ...], figure: Figure) -> bool:
    """Whether a published place is that of a figure, or a corrected stretch that has it."""
    if len(published) == 2:
        return published == (figure.line, figure.column)
    line, column, width = published
    return line == figure.line and column <= figure.column < column + width
