"""The lines of a printed index: what each of them is by its own characters."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from corpus.checked.patience import compiled
from corpus.edition import Edition
from corpus.edition.print import SubjectIndex
from corpus.label.grammar import COMPACT
from corpus.model import Node
from corpus.text import Text


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
    paragraphs = _paragraphs(node.text) if isinstance(node.text, Text) else None
    if paragraphs is None:
        return None
    how, out, before = edition.index, [], 0
    ending = _ending(how)
    for text, line in paragraphs:
        if not is_remark(text, how):
            out.append(_row(text, line, line > before + 1, how, ending))
        before = line
    return out


def remarks(node: Node, how: SubjectIndex) -> tuple[str, ...]:
    """The paragraphs of an index node that its maker says, and that are no entries."""
    return tuple(p for p in node.text.split("\n\n") if is_remark(p, how))


def is_remark(paragraph: str, how: SubjectIndex) -> bool:
    """Whether the manifest says so of a paragraph."""
    return bool(how.note and compiled(how.note).match(paragraph))


def _paragraphs(text: Text) -> list[tuple[str, int]] | None:
    """Each paragraph and the line of the source that it begins on; None when one holds several lines.

    A line in lower case goes on with the one before.
    """
    begun: dict[int, int] = {}  # where in the text a line of the source begins → its number
    line = 0
    for start, _, place in text.runs():
        if place and place[0] != line:
            begun[start] = line = place[0]
    out, at = [], 0
    for paragraph in text.split("\n\n"):
        if at in begun:
            out.append((paragraph, begun.pop(at)))
        at += len(paragraph) + 2
    return out if all(text[start].islower() for start in begun) else None


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
        if match := compiled(pattern).match(text):
            return Row("see", line, match.groupdict().get("term") or "", (), match["entry"], gap)
    match = ending.match(text)
    if not match:
        return Row("term", line, text, gap=gap)
    numbers, term = tuple(re.split(r", ?", match["numbers"])), match["term"].strip()
    return Row("term" if term else "numbers", line, term, numbers, gap=gap)
