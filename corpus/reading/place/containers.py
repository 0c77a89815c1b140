"""Chapters, parts and divisions that hold laws."""

from __future__ import annotations

import re

from corpus.address import under
from corpus.label.grammar import read_roman, roman
from corpus.reading.action import OpenContainer
from corpus.reading.book import Book
from corpus.reading.cursor import Cursor, Rest
from corpus.reading.draft import strip
from corpus.reading.place.laws import among_laws, stands_as_law
from corpus.reading.published import Line

_DASH_AT_END = re.compile(r"\s*[-–—]?\s*$")


def decide_container(book: Book, cursor: Cursor, rest: Rest) -> OpenContainer | None:
    """A container is known by its pattern; its title stands in the pattern's group, else in the next line."""
    if rest.after or not among_laws(cursor):
        return None
    for depth, (pattern, headed) in enumerate(book.heads.headed):
        match = pattern.match(rest.text)
        if not match:
            continue
        outer = [h.kind for _, h in book.heads.headed[:depth]]
        inside = tuple(c for c in cursor.containers if c.kind in outer)
        parent = inside[-1] if inside else None
        siblings = [c for c in (parent.children if parent else cursor.tree.roots) if c.kind == headed.kind]
        groups = match.groupdict()
        number = _number((groups.get("n") or "").strip())
        if not number or any(c.path.endswith(f"/{number}") for c in siblings):
            number = roman(len(siblings) + 1).upper()
        label, separator, heading, skip = strip(rest.line), None, list[Line](), 0
        if groups.get("heading"):
            label, separator, *heading = _parted(label, match.start("heading"))
        elif (below := rest.next_line()) and not begins_something(book, below[1]):
            heading, skip = [strip(below[1])], below[0] - rest.index
        return OpenContainer(
            path=under(parent.path if parent else "", headed.kind, number),
            kind=headed.kind,
            parent=parent,
            label=label,
            separator=separator,
            heading=tuple(heading),
            inside=inside,
            skip=skip,
            uses=frozenset({("headed", depth)}),
            reason=f"the line is like “{headed.pattern}”",
        )
    return None


def begins_something(book: Book, line: Line) -> bool:
    """Whether a line opens a part, a container or a law, and so cannot be the title of what stands before it."""
    return stands_as_law(book, line) is not None or book.heads.is_head(line.text.strip())


def _parted(line: Line, title: int) -> tuple[Line, Line, Line]:
    """The label before a title, the dash that parts the two, and the title."""
    end = len(_DASH_AT_END.sub("", line.text[:title]))
    return line.cut(0, end), line.cut(end, title), line.cut(title)


def _number(printed: str) -> str:
    """A container's number as its path has it: capital roman; empty for one in words."""
    if printed.isdigit():
        return roman(int(printed)).upper() if 0 < int(printed) < 400 else ""
    return printed.upper() if read_roman(printed) else ""
