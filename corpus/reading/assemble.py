"""Step 6: lines become a tree of drafts. The deciders are asked in their order, the first that answers decides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from corpus.account import Placing
from corpus.checked.toml import At
from corpus.model import Problem
from corpus.reading.action import Action
from corpus.reading.book import Book
from corpus.reading.cursor import Cursor, Rest
from corpus.reading.draft import Draft, Tree
from corpus.reading.place import DECIDERS
from corpus.reading.published import Line
from corpus.reading.second_look import second_look


@dataclass(frozen=True)
class Assembled:
    """The drafts of one edition, why each line is where it is, what was found wrong, places of what was used of the
    manifest.
    """

    roots: tuple[Draft, ...]
    placings: tuple[Placing, ...]
    problems: tuple[Problem, ...]
    used: frozenset[At]


def assemble(book: Book, lines: list[Line]) -> Assembled:
    """Place every line that holds text."""
    cursor = Cursor(Tree(), book.edition.law_numbers, not book.edition.laws_start)
    placings: list[Placing] = []
    problems: list[Problem] = []
    taken = 0  # lines below this index are done with
    for index, line in enumerate(lines):
        if index < taken:
            continue
        if not line.text.strip():
            cursor = replace(cursor, blank=True)
            continue
        rest: Rest | None = Rest(lines, index, line)
        while rest and rest.text:
            action = decide(book, cursor, rest)
            cursor = action.apply(cursor)
            placings += _said(action, rest)
            problems += action.problems
            taken, rest = index + 1 + action.skip, action.rest
        cursor = replace(cursor, blank=False, before=line.text)
    roots = tuple(cursor.tree.roots)
    problems += [*unfinished(book, cursor, lines), *second_look(book, roots)]
    return Assembled(roots, tuple(placings), tuple(problems), cursor.used)


def decide(book: Book, cursor: Cursor, rest: Rest) -> Action:
    """What to do with a line, or with what is left of it."""
    return next(action for decider in DECIDERS if (action := decider(book, cursor, rest)))


def _said(action: Action, rest: Rest) -> Iterator[Placing]:
    """What became of a line, and of the lines below that it used up."""
    yield from action.placings(rest.line.number)
    for line in rest.lines[rest.index + 1 : rest.index + 1 + action.skip]:
        if line.text.strip():
            yield Placing(line.number, "title of", action.what[1], "it stands below the label")


def unfinished(book: Book, cursor: Cursor, lines: list[Line]) -> Iterator[Problem]:
    """What is still open when the text has ended."""
    if cursor.table:
        yield book.problem(
            cursor.table.first,
            f"The table that begins here has no line like “{cursor.table.rule.last}”.",
            "Correct “last” of this [[tables]] in edition.toml.",
        )
    if cursor.expected:
        yield book.problem(
            next((line for line in reversed(lines) if line.text.strip()), Line(1, "", ())),
            f"The text ends without law {cursor.expected[0]}.",
            "Is it cut off, or is the label of that law printed otherwise? Else correct “laws” in edition.toml.",
        )
