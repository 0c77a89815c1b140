"""Aligns the words of two versions of a line, and finds the changes from one to the other."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache

from .tokens import PAGE_MARK

EDGE = set(".,;:()[]")
GAP = -0.15


@dataclass(frozen=True)
class TextChange:
    """At `column` (1-based, code points) of line `line`, `published` replaces `source`."""

    line: int
    column: int
    source: str
    published: str


@cache
def _likeness(a, b):
    return 1.0 if a == b else SequenceMatcher(None, a, b, autojunk=False).ratio()


def _words(line):
    start = PAGE_MARK.match(line)
    offset = start.end() if start else 0
    return [(m.start() + offset, m.group()) for m in re.finditer(r"\S+", line[offset:])]


def pair_words(a, b):
    """Return the pairs of indices of words that belong together in two lists, in order (dynamic programming)."""
    best = [[(0.0, "")] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) + 1):
        for j in range(len(b) + 1):
            if i and j:
                best[i][j] = max(
                    (best[i - 1][j - 1][0] + _likeness(a[i - 1], b[j - 1]) - 0.2, "both"),
                    (best[i - 1][j][0] + GAP, "a"),
                    (best[i][j - 1][0] + GAP, "b"),
                )
            elif i or j:
                best[i][j] = ((i + j) * GAP, "a" if i else "b")
    found, i, j = [], len(a), len(b)
    while i or j:
        step = best[i][j][1]
        i, j = i - (step != "b"), j - (step != "a")
        if step == "both":
            found.append((i, j))
    return found[::-1]


def _trim_punctuation(number, start, source, published):
    """Return a change without the punctuation that both sides share at their ends."""
    while source and published and source[0] == published[0] and source[0] in EDGE | {" "}:
        source, published, start = source[1:], published[1:], start + 1
    while source and published and source[-1] == published[-1] and source[-1] in EDGE | {" "}:
        source, published = source[:-1], published[:-1]
    return TextChange(number, start + 1, source, published)


def line_changes(source, published, number=1):
    """Return the changes that turn one line into the other: one for each word, in order, never overlapping."""
    if source == published:
        return []
    left, right = _words(source), _words(published)
    spans, done_a, done_b = [], 0, 0
    for i, j in pair_words([w for _, w in left], [w for _, w in right]):
        (a, word), (b, other) = left[i], right[j]
        gap_a, gap_b = source[done_a:a], published[done_b:b]
        start_a, start_b = a, b
        if gap_a != gap_b and gap_a.strip():
            spans.append((done_a, a, done_b, b))
        elif (gap_a != gap_b and spans and not gap_b.strip()) or (
            gap_a != gap_b and spans and source[slice(*spans[-1][:2])] != published[slice(*spans[-1][2:])]
        ):
            start_a, _, start_b, _ = spans.pop()
        elif gap_a != gap_b:
            start_a, start_b = done_a, done_b
        spans.append((start_a, a + len(word), start_b, b + len(other)))
        done_a, done_b = a + len(word), b + len(other)
    spans.append((done_a, len(source), done_b, len(published)))
    return [
        _trim_punctuation(number, a, source[a:b], published[c:d])
        for a, b, c, d in spans
        if source[a:b] != published[c:d]
    ]


def all_changes(source, published):
    """Return the changes between two texts.

    Raises:
        ValueError: the texts do not have equally many lines.
    """
    old, new = source.split("\n"), published.split("\n")
    if len(old) != len(new):
        raise ValueError(f"{len(old)} lines against {len(new)}: a reading must keep the lines of the source")
    return [c for n, (a, b) in enumerate(zip(old, new, strict=False), 1) for c in line_changes(a, b, n)]


def apply_changes(source, rows):
    """Return the published text.

    Raises:
        ValueError: the source of a row does not stand at its place.
    """
    lines = source.split("\n")
    for row in sorted(rows, key=lambda r: (r.line, r.column), reverse=True):
        line, start = lines[row.line - 1], row.column - 1
        if line[start : start + len(row.source)] != row.source:
            raise ValueError(f"{row.line}:{row.column}: {row.source!r} does not stand there")
        lines[row.line - 1] = line[:start] + row.published + line[start + len(row.source) :]
    return "\n".join(lines)
