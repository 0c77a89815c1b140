"""Parts outside the laws: the preface, the definitions, the subject index …"""

from __future__ import annotations

from typing import cast

from corpus import address
from corpus.model import Kind
from corpus.reading.action import OpenPart
from corpus.reading.book import Book
from corpus.reading.cursor import Cursor, Rest
from corpus.reading.draft import strip


def decide_part(book: Book, cursor: Cursor, rest: Rest) -> OpenPart | None:
    """A part begins with the first line that is like its pattern; that line is its title, or its first text."""
    if rest.after:
        return None
    line = strip(rest.line)
    for n, (pattern, part) in enumerate(book.heads.parts):
        match = pattern.match(line.text)
        if not match or cursor.tree.find(part.path):
            continue
        above = address.above(part.path)
        title = match.start("heading") if match.groupdict().get("heading") else 0
        return OpenPart(
            path=part.path,
            kind="container" if part.path == "def" else cast(Kind, address.steps(part.path)[0]),
            parent=cursor.tree.find(above) if above else None,
            label=line.cut(0, len(line.text[:title].rstrip())) if part.heading and title else None,
            heading=(line.cut(title),) if part.heading else (),
            by_line=part.lines and part.path != "def",  # definitions have paragraphs
            uses=frozenset({("parts", n)}),
            rest=None if part.heading else rest.cut(0, "label"),
            reason=f"the line is like “{part.start}”",
        )
    return None
