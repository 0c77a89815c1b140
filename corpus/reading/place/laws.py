"""Laws: which line begins one, and whether it is the one that comes next."""

from __future__ import annotations

import re

from corpus.checked.patience import compiled
from corpus.label.printed import Label
from corpus.model import Problem
from corpus.reading.action import BeginLaws, OpenLaw
from corpus.reading.book import Book
from corpus.reading.cursor import LAWS, Cursor, Rest
from corpus.reading.draft import depth, strip
from corpus.reading.published import Line

_TWO_LETTERS = re.compile(r"\w.*\w")
_NAMED = re.compile(r"[^\W\d_]{2,}|§")  # a label that has a word or a section sign cannot be mistaken


def may_begin(book: Book, cursor: Cursor, rest: Rest) -> BeginLaws | None:
    """After other parts, laws begin only from the line that the manifest tells."""
    if rest.after or cursor.laws_open or cursor.part in (None, LAWS):
        return None
    if not compiled(book.edition.laws_start).match(rest.text):
        return None
    return BeginLaws(rest=rest, reason=f"the line is like “{book.edition.laws_start}”")


def among_laws(cursor: Cursor) -> bool:
    """Whether a container or a law may begin here: never in the subject index, which prints their labels too."""
    return cursor.part in (None, LAWS) or (cursor.laws_open and cursor.part != "index")


def stands_as_law(book: Book, line: Line) -> Label | None:
    """The label of a law that a line begins with; where no title shares its line, it must stand alone."""
    parser = book.heads.labels[0]
    label = parser.parse(line.text)
    return label if label and (parser.titled or not _TWO_LETTERS.search(line.text[label.after :])) else None


def decide_law(book: Book, cursor: Cursor, rest: Rest) -> OpenLaw | None:
    """A law is known by its template and its number; a label that is not the next is told."""
    if rest.after or not among_laws(cursor):
        return None
    line = rest.line
    label = stands_as_law(book, line)
    if not label or not _is_law(book, cursor, label, rest):
        return None
    level, own = book.edition.levels[0], strip(line.cut(label.after))
    # Beside a label that stands alone, words are no title but the mark of a footnote.
    titled = bool(own.text) and (level.heading != "next-line" or book.heads.labels[0].titled)
    below = [] if titled or level.heading != "next-line" else title_below(book, rest)
    expected, problems = _sequence(book, cursor, label.ordinal, line)
    return OpenLaw(
        path=str(label.ordinal),
        kind=level.kind,
        parent=cursor.containers[-1] if cursor.containers else None,
        label=line.cut(label.start, label.end),
        heading=(*([own] if own.text else []), *(strip(rest.lines[at]) for at in below)),
        number=label.ordinal,
        expected=expected,
        title_open=titled and level.heading != "next-line",
        skip=below[-1] - rest.index if below else 0,
        problems=problems,
        reason=problems[0].finding if problems else f"law {label.ordinal} comes next",
    )


def _is_law(book: Book, cursor: Cursor, label: Label, rest: Rest) -> bool:
    """Whether a law label is one: the next number; another one only where its print cannot be mistaken."""
    if not cursor.laws_open:
        return False
    template = book.edition.levels[0].labels[0]
    titled = "HEADING" in template
    named = bool(_NAMED.search(re.sub("HEADING|Heading", "", template)))
    inside = goes_on_with_sentence(book, cursor)
    if cursor.expected and label.ordinal == cursor.expected[0]:
        if not (named or titled):
            return cursor.blank or not (inside or _is_item(book, cursor, rest.line))
        cited = inside and cursor.last and book.numbering.is_reference(cursor.last[1].text)
        return book.edition.paragraphs == "lines" or not cited
    if depth(rest.line) or inside:
        return False
    return named or (titled and (cursor.blank or book.edition.scheme == "indented"))


def goes_on_with_sentence(book: Book, cursor: Cursor) -> bool:
    """Whether the line goes on with a sentence, so that a label at its start is only a look-alike."""
    if not cursor.last or (cursor.blank and book.edition.paragraphs != "wrapped"):
        return False
    return book.sentences.goes_on_after(cursor.last[1].text.rstrip())


def _is_item(book: Book, cursor: Cursor, line: Line) -> bool:
    """Whether the line could as well be the next item of an open list ("2." where laws are numbered "2." too)."""
    draft = cursor.draft
    return draft is not None and any(
        book.numbering.continues(draft, level, label, True) for level, label in book.numbering.found(line.text)
    )


def _sequence(book: Book, cursor: Cursor, number: int, line: Line) -> tuple[tuple[int, ...], tuple[Problem, ...]]:
    """The numbers that are still to come after this law, and what is wrong with its own."""
    expected = cursor.expected
    if expected and number == expected[0]:
        return expected[1:], ()
    if first := cursor.tree.find(str(number)):
        finding = f"Law {number} comes a second time (first in line {first.label.number if first.label else 0})."
        move = "Correct the label in corrections.tsv, or drop the repetition by a rule."
    elif number not in book.edition.law_numbers:
        finding = f"Law {number} is none of the laws {book.edition.laws} that the manifest promises."
        move = "Correct “laws” in edition.toml, or the label in corrections.tsv."
    else:
        gone = [n for n in expected if n < number]
        expected = tuple(n for n in expected if n > number)
        finding = f"Law {number} follows {f'law {cursor.last_law}' if cursor.last_law else 'nothing'}."
        move = (
            f"Is law {_range(gone)} missing, or printed otherwise? Correct the label in corrections.tsv, "
            "the template or “laws” in edition.toml."
            if gone
            else "The laws are out of order: correct the label in corrections.tsv."
        )
    return expected, (book.problem(line, finding, move),)


def _range(numbers: list[int]) -> str:
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"


def title_below(book: Book, rest: Rest) -> list[int]:
    """Indices of the lines after a law's label that are its title."""
    below = rest.next_line()
    if below is None or stands_as_law(book, below[1]) or book.heads.is_head(below[1].text.strip()):
        return []
    if book.edition.scheme == "typed" and book.numbering.found(below[1].text):
        return []
    out = [below[0]]
    for at in range(below[0] + 1, len(rest.lines)):
        text = rest.lines[at].text
        if not text.strip() or not book.sentences.goes_on_in_capitals(rest.lines[at - 1].text.strip(), text):
            break
        out.append(at)
    return out
