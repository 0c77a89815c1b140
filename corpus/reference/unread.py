"""What looks like a reference where none was found: a word that the language file lacks, or a form that none reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from corpus.label.grammar import CAPITAL, NO_LETTER, NUMBER, SMALL, START
from corpus.model import Node, Reference, Where
from corpus.reference.clean import TWO_WAYS
from corpus.reference.grammar import Grammar

# A citation by its form alone: 16 D 2, 27B(a), C2, (C 2), and 62 D where the phrase ends; not 2 NT, 5-3 or 60%.
_CITATION = re.compile(
    rf"{START}(?:{NUMBER} ?{CAPITAL} ?(?:{NUMBER}|\({SMALL}\))(?!\w)|(?:[89]|\d\d) ?{CAPITAL}(?=[).;]))|"
    rf"(?<![\w♠♥♦♣]){CAPITAL}\d(?!\w)|\({CAPITAL} \d\)"
)
# What goes on as a label right after a reference: "Law 12:C", "Law 80, A", "Law 12/C", "Law 12 A 1), 2)", "(C) 2.)".
_REST = re.compile(rf"[:/,-]? ?\(?(?:[A-Z{TWO_WAYS}]{NO_LETTER}|{SMALL}\)|{NUMBER}\))|\) ?{NUMBER}\.?\)")


def unread(
    node: Node, references: Iterable[Reference], grammar: Grammar, noted: Iterable[tuple[Where, int, int]] = ()
) -> Iterator[tuple[Where, int, int]]:
    """Stretches of a node's text and heading that look like a reference or the rest of one, and are none; without
    those that are ``noted`` otherwise.
    """
    where: Where
    for where, published in (("heading", node.heading), ("text", node.text)):
        if not published:
            continue
        text = grammar.clean(published)
        found = [(r.start, r.end) for r in references if r.where == where]
        taken = bytearray(len(text) + 1)
        tables = [(t.start, t.end) for t in node.tables if where == "text"]
        for start, end in [*found, *tables, *((s, e) for w, s, e in noted if w == where)]:
            taken[start:end] = b"\1" * (end - start)
        for pattern in (grammar.law_with_number, grammar.part_of_law, _CITATION):
            for match in pattern.finditer(text):
                if not taken[match.start()] and not taken[match.end() - 1]:
                    yield where, match.start(), match.end()
        for start, end in found:
            rest = _REST.match(text, end)
            if rest and not taken[rest.end() - 1]:
                yield where, start, rest.end()
