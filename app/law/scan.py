"""A provision as its source has it, and for each word the rows of corrections.tsv that change it.

What a word is published from is known by the places that its characters keep (:class:`corpus.text.Text`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from app.site.page import Page
from corpus.corrected import Corrected
from corpus.edition.identity import Identity
from corpus.library import Library
from corpus.model import Correction, Node
from corpus.text import Text

_SPAN = re.compile(r"(\d{1,7})\.(\d{1,6})-(\d{1,6})")


@dataclass(frozen=True)
class Span:
    """Characters of a line of the source: columns ``start`` to ``end``, 1-based, half open."""

    line: int
    start: int
    end: int

    def __str__(self) -> str:
        return f"{self.line}.{self.start}-{self.end}"


@dataclass(frozen=True)
class Word:
    """A word, or the blanks between two; where its characters stand in the source; whether a correction changed
    them.
    """

    text: str
    spans: tuple[Span, ...] = ()
    fixed: bool = False


@dataclass(frozen=True)
class Line:
    """A line of the source, or the part of it that is a node's; ``column`` is where that part begins."""

    number: int
    column: int
    text: str

    @property
    def words(self) -> list[Word]:
        """The line in words and the blanks between them."""
        return [
            Word(m[0], (Span(self.number, self.column + m.start(), self.column + m.end()),) if m[0].strip() else ())
            for m in re.finditer(r"\s+|\S+", self.text)
        ]


@dataclass(frozen=True)
class ScanPage(Page):
    """A ``node`` of an ``edition``: ``published``: paragraphs of label, heading and text; ``lines`` of its source;
    ``corrections`` of it; ``rows``: those of the word that was asked for.
    """

    template: ClassVar[str] = "scan.html"
    node: Node
    edition: Identity
    published: tuple[tuple[Word, ...], ...]
    lines: tuple[Line, ...]
    corrections: tuple[Correction, ...]
    rows: tuple[str, ...]


def scan_page(library: Library, node: Node, corrections: Sequence[Corrected], asked: Sequence[str] = ()) -> ScanPage:
    """All that the page of a provision's scan shows; ``asked`` are spans of its lines (“580.12-18”), others mean
    nothing.
    """
    edition, source = library.editions[node.edition], library.source(node.edition)
    own = tuple(dict.fromkeys(c.correction for c in corrections))
    shown = lines(source, node)
    spans = [Span(*map(int, m.groups())) for a in asked[:20] if (m := _SPAN.fullmatch(a))]
    inside = [
        s
        for s in spans
        if any(s.line == at.number and at.column <= s.start <= s.end <= at.column + len(at.text) for at in shown)
    ]
    published = (tuple(p) for where in ("label", "heading", "text") for p in _paragraphs(node, where, corrections))
    return ScanPage(
        node,
        edition,
        tuple(published),
        tuple(shown),
        own,
        tuple(dict.fromkeys(r for s in inside for r in rows(source[s.line - 1], s, own))),
    )


def lines(source: Sequence[str], node: Node) -> list[Line]:
    """The node's lines; empty when the source is not at hand."""
    out = []
    for first, start, last, end in node.source_spans:
        for number in range(first, min(last, len(source)) + 1):
            text = source[number - 1]
            begin = start - 1 if number == first else 0
            part = text[begin : end if number == last else len(text)]
            if part.strip():
                blank = len(part) - len(part.lstrip())
                out.append(Line(number, begin + blank + 1, part.strip()))
    return out


def rows(line: str, span: Span, corrections: Sequence[Correction]) -> list[str]:
    """The rows of corrections.tsv for some characters of a line: those there are, and one for each stretch without.

    >>> found = rows("a pl4yerbids", Span(1, 3, 13), [Correction("x", 1, 5, "4", "a", "rule", "")])
    >>> [row.split()[:4] for row in found]
    [['1', '3', 'pl', 'pl'], ['1', '5', '4', 'a'], ['1', '6', 'yerbids', 'yerbids']]
    """
    out, at = [], span.start
    for c in sorted((c for c in corrections if c.line == span.line), key=lambda c: c.column):
        end = c.column + len(c.source)
        if (c.column < span.end and end > span.start) or (not c.source and span.start <= c.column <= span.end):
            out += [*_as_printed(line, span.line, at, c.column), _row(c.line, c.column, c.source, c.published)]
            at = max(at, end)
    return out + _as_printed(line, span.line, at, span.end)


def _as_printed(line: str, number: int, start: int, end: int) -> list[str]:
    words = line[start - 1 : end - 1] if start < end else ""
    at = start + len(words) - len(words.lstrip())
    return [_row(number, at, words.strip(), words.strip())] if words.strip() else []


def _row(*cells: object) -> str:
    return "\t".join((*map(str, cells), "proofread", "seen by a reader"))


def _paragraphs(node: Node, where: str, corrections: Sequence[Corrected]) -> list[list[Word]]:
    text = node.words(where)
    fixed = [c for c in corrections if c.where == where]
    places = list(text.each()) if isinstance(text, Text) and text.places else [()] * len(text)
    out, at = [], 0
    for paragraph in re.split(r"(\n\n)", text):
        if paragraph.strip():
            out.append([_word(m[0], at + m.start(), places, fixed) for m in re.finditer(r"\s+|\S+", paragraph)])
        at += len(paragraph)
    return out


def _word(word: str, start: int, places: list[tuple], fixed: list[Corrected]) -> Word:
    """A published word with what it stands for in each line of the source (one broken by a hyphen stands in two).

    What is gone at its edge, or inside it, is part of what it stands for.
    """
    end = start + len(word)
    if not word.strip():
        return Word(word)
    reach: dict[int, list[int]] = {}
    for line, column, *width in filter(None, places[start:end]):
        reach.setdefault(line, []).extend((column, column + (width[0] if width else 1)))
    gone = [c.correction for c in fixed if c.start == c.end and start <= c.end <= end]
    for c in gone:
        reach.setdefault(c.line, []).extend((c.column, c.column + len(c.source)))
    changed = bool(gone) or any(c.start < end and c.end > start for c in fixed)
    return Word(
        word,
        tuple(
            Span(line, min(columns), max(columns))
            for line, columns in reach.items()
            if changed or min(columns) < max(columns)
        ),
        changed,
    )
