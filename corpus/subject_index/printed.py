"""The lines of a printed index: what each of them is by its own characters."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from corpus.edition import Edition
from corpus.edition.print import SubjectIndex
from corpus.label.grammar import COMPACT
from corpus.model import Node


@dataclass(frozen=True)
class Row:
    """A printed line: a ``term`` (with its numbers, if they stand on the line), ``numbers`` alone, or a ``see`` to
    ``entry``.
    """

    kind: Literal["term", "numbers", "see"]
    line: int
    term: str = ""
    numbers: tuple[str, ...] = ()
    entry: str = ""
    gap: bool = False  # whether a blank line stands before it


def rows(node: Node, edition: Edition) -> list[Row] | None:
    """The rows of an index node; None when its paragraphs are not its lines. Remarks are left out."""
    paragraphs = [p for p in node.text.split("\n\n") if p]
    numbers = _line_numbers(node, len((node.heading or "").splitlines()))
    if len(paragraphs) != len(numbers):
        return None
    how, out, before = edition.index, [], 0
    ending = _ending(how)
    for text, line in zip(paragraphs, numbers, strict=True):
        if not is_remark(text, how):
            out.append(_row(text, line, line > before + 1, how, ending))
        before = line
    return out


def remarks(node: Node, how: SubjectIndex) -> tuple[str, ...]:
    """The paragraphs of an index node that its maker says, and that are no entries."""
    return tuple(p for p in node.text.split("\n\n") if is_remark(p, how))


def is_remark(paragraph: str, how: SubjectIndex) -> bool:
    """Whether the manifest says so of a paragraph."""
    return bool(how.note and re.match(how.note, paragraph))


def _line_numbers(node: Node, heading: int) -> list[int]:
    """Source lines on which the paragraphs begin; a line in lower case goes on with the one before."""
    numbers = [n for first, _, last, _ in node.source_spans for n in range(first, last + 1)]
    begun = list(zip(numbers, node.source_text.split("\n"), strict=False))[heading:]
    return [n for n, text in begun if not text.lstrip()[:1].islower()]


def _ending(how: SubjectIndex) -> re.Pattern:
    """Matches a line; group ``numbers`` is the list of provisions that it ends with."""
    words = "|".join(re.escape(w) for w in (how.definition, how.intro) if w)
    one = (
        (rf"(?:{words}|" if words else "(?:")
        + COMPACT
        + (f"(?: {re.escape(how.footnote)})?" if how.footnote else "")
        + ")"
    )
    return re.compile(rf"(?P<term>.*?)(?:^|(?<=\s))(?P<numbers>{one}(?:, ?{one})*)$")


def _row(text: str, line: int, gap: bool, how: SubjectIndex, ending: re.Pattern) -> Row:
    for pattern in how.see:
        if match := re.match(pattern, text):
            return Row("see", line, match.groupdict().get("term") or "", (), match["entry"], gap)
    match = ending.match(text)
    if not match:
        return Row("term", line, text, gap=gap)
    numbers, term = tuple(re.split(r", ?", match["numbers"])), match["term"].strip()
    return Row("term" if term else "numbers", line, term, numbers, gap=gap)
