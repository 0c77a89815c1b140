"""The account of a source: each character that is no blank is in one node, or dropped by a named rule, or told."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from corpus import corrected
from corpus.edition import Edition
from corpus.model import Correction, Node, Problem
from corpus.reading.published import Place, Removed

_SOFT_HYPHENS = re.compile(r"(?:&(?:shy|#173|#xad);|\u00ad)+", re.IGNORECASE)
_TOLD = 5  # problems of one kind; more say nothing new

Character = tuple[int, int, str]  # line, 1-based column, character
Span = tuple[int, int, int, int]  # line, first column, line, last column


def _counts(char: str) -> bool:
    return not char.isspace() and char != "\ufeff"


def size(lines: list[str], places: Iterable[Place]) -> int:
    """How many non-blank characters of the source some places answer for."""
    return sum(_counts(c) for p in places for c in lines[p.line - 1][p.start : p.end])


def audit(lines: list[str], places: Iterable[Place]) -> tuple[list[Character], list[Character]]:
    """Non-blank characters of the source that nobody answers for, and those that two places do."""
    count = Counter((p.line, column) for p in places for column in range(p.start, p.end))
    chars = [
        ((number, column + 1, char), count[number, column])
        for number, line in enumerate(lines, 1)
        for column, char in enumerate(line)
        if _counts(char)
    ]
    return [where for where, n in chars if not n], [where for where, n in chars if n > 1]


def tally_problems(edition: Edition, missing: list[Character], twice: list[Character], broken: bool) -> Iterator[Problem]:
    """What the audit found, as problems; ``broken``: fatal ones are known, which explain what is missing."""
    for line, column, char in twice[:_TOLD]:
        yield Problem(
            edition.file,
            line,
            f"Column {column}: the character “{char}” went into two nodes.",
            "Report this with the line: it is an error of the program.",
        )
    if broken or twice:
        return
    for line, column, char in missing[:_TOLD]:
        yield Problem(
            edition.file,
            line,
            f"Column {column}: “{char}” is in no node and dropped by no rule.",
            "Does a pattern of edition.toml leave it out? Correct the pattern.",
        )


def became(
    rows: list[Correction], nodes: Iterable[Node], owned: Iterable[Place], removed: list[Removed]
) -> Iterator[Correction]:
    """The corrections, and what those became that are no words of a node."""
    drawn = {row.correction for row in corrected.drawn(nodes, rows)}
    signs = {(p.line, p.column + 1, p.width) for p in owned}
    gone = {(p.line, column) for r in removed for p in r.places for column in range(p.start + 1, p.end + 1)}
    for row in rows:
        columns = range(row.column, row.column + max(len(row.source), 1))
        if row in drawn:
            yield row
        elif (row.line, row.column, len(row.source)) in signs:
            yield replace(row, became="sign")
        else:
            yield replace(row, became="dropped" if any((row.line, c) in gone for c in columns) else "layout")


def text_of(lines: list[str], places: Iterable[Place]) -> str:
    """The source's characters of some places, line by line."""
    return "\n".join(lines[line - 1][start:end] for line, start, _, end in _by_line(places, lines))


def spans(places: Iterable[Place], lines: list[str]) -> tuple[Span, ...]:
    """Stretches of the source, 1-based, both ends inclusive; whole lines run together."""
    out: list[Span] = []
    for line, start, _, end in _by_line(places, lines):
        if out and line - out[-1][2] == 1 and start <= 12:
            out[-1] = (*out[-1][:2], line, max(end, 1))
        else:
            out.append((line, start + 1, line, max(end, 1)))
    return tuple(out)


def _by_line(places: Iterable[Place], lines: list[str]) -> list[Span]:
    """Stretches of places, one per line and run, columns 0-based half open. Soft hyphens part no run."""
    out: list[Span] = []
    for line, start, end, *_ in places:
        near = out and out[-1][0] == line and start >= out[-1][1]
        if near and (start - out[-1][3] <= 3 or _SOFT_HYPHENS.fullmatch(lines[line - 1], out[-1][3], start)):
            out[-1] = (*out[-1][:3], max(out[-1][3], end))
        else:
            out.append((line, start, line, end))
    return out
