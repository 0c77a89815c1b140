"""What is known of a book before its first line is placed: the manifest's patterns, its labels, its sentences."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from corpus.checked.patience import Limited, compiled
from corpus.checked.toml import At
from corpus.edition import Edition
from corpus.edition.print import Headed, Part
from corpus.label.printed import LabelParser
from corpus.language import Language
from corpus.model import Problem
from corpus.reading.numbering import Numbering
from corpus.reading.published import Line
from corpus.reading.sentences import Sentences


@dataclass(frozen=True)
class Heads:
    """What lines begin with that open something: labels by level (the law's first), parts, containers."""

    labels: tuple[LabelParser, ...]
    parts: tuple[tuple[Limited, Part], ...]
    headed: tuple[tuple[Limited, Headed], ...]

    @classmethod
    def of(cls, edition: Edition) -> Heads:
        """As the manifest declares them."""
        return cls(
            tuple(LabelParser(level) for level in edition.levels),
            tuple((compiled(part.start), part) for part in edition.parts),
            tuple((compiled(headed.pattern), headed) for headed in edition.headed),
        )

    def is_head(self, text: str) -> bool:
        """Whether a part or container begins with a line of this text."""
        return any(p.match(text) for p, _ in self.parts) or self.is_container(text)

    def is_container(self, text: str) -> bool:
        """Whether a chapter, part or division of laws begins with a line of this text."""
        return any(p.match(text) for p, _ in self.headed)

    def begins(self, line: Line) -> Literal["law", "head", "label", ""]:
        """What a line could begin, by its looks alone; empty for none of these."""
        if self.labels[0].parse(line.text):
            return "law"
        if self.is_head(line.text.strip()):
            return "head"
        return "label" if any(parser.parse(line.text) for parser in self.labels) else ""


@dataclass(frozen=True)
class Book:
    """All that deciders know beside the cursor."""

    edition: Edition
    heads: Heads
    numbering: Numbering
    sentences: Sentences

    @classmethod
    def of(
        cls, edition: Edition, language: Language, heads: Heads, lines: list[Line], interruptions: frozenset[int]
    ) -> Book:
        """``lines``: those that will be placed; ``interruptions``: numbers of lines where a footnote was lifted out."""
        numbering = Numbering(
            edition, heads.labels, language.reference_word_before, language.law_word_before, language.words("law_after")
        )
        return cls(edition, heads, numbering, Sentences(edition.paragraphs, lines, interruptions))

    @cached_property
    def entry(self) -> Limited:
        """Matches a line that begins a definition."""
        return compiled(self.edition.definitions.entry_pattern)

    @cached_property
    def placements(self) -> dict[int, tuple[At, str]]:
        """Number of a line → what places it by hand, and in which path."""
        return {p.line: (("placements", n), p.path) for n, p in enumerate(self.edition.placements)}

    @property
    def hanging(self) -> bool:
        """Whether the lines of an item hang deeper than its label."""
        return self.edition.hanging or self.edition.is_html

    def problem(self, line: Line, finding: str, move: str, fatal: bool = True) -> Problem:
        """Something wrong in a line of the source."""
        return Problem(self.edition.file, line.number, finding, move, fatal)
