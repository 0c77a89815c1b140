"""What became of every character of a source: in a node, or dropped by a named rule."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from corpus.account import Reading
from corpus.checked import file
from corpus.edition import Edition
from corpus.reading import layout
from corpus.reading import markup as web_page
from corpus.reading.notes import HEADING_RULE


@dataclass(frozen=True)
class RuleCount:
    """What a rule dropped: how many characters in how many pieces; ``pattern``: what it looks for."""

    name: str
    pattern: str
    characters: int
    pieces: int


@dataclass(frozen=True)
class Audit:
    """Non-blank characters of a source: all, those in nodes, those that each rule dropped, and those left over."""

    total: int
    nodes: int
    rules: tuple[RuleCount, ...]
    unaccounted: int

    @property
    def dropped(self) -> int:
        """How many characters the rules dropped."""
        return sum(rule.characters for rule in self.rules)


def audit(edition: Edition, reading: Reading) -> Audit:
    """The three counts of a reading, and the total of the source beside them."""
    patterns = (
        web_page.RULES | layout.RULES | {HEADING_RULE: edition.notes.start} | {r.name: r.pattern for r in edition.drop}
    )
    characters: Counter[str] = Counter()
    pieces: Counter[str] = Counter()
    for d in reading.dropped:
        characters[d.rule] += d.size
        pieces[d.rule] += 1
    path = edition.folder / edition.source
    text = file.data(path, edition.file).decode("utf-8-sig") if reading.nodes else ""
    return Audit(
        total=sum(not c.isspace() and c != "\ufeff" for c in text),
        nodes=reading.owned,
        rules=tuple(
            RuleCount(name, patterns.get(name, "(rows of the correction files)"), n, pieces[name])
            for name, n in characters.items()
        ),
        unaccounted=len(reading.unaccounted),
    )
