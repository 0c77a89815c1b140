"""Where a line belongs: deciders by subject, each ``(book, cursor, rest)`` → an action, or None if it is not theirs.

They read and never change anything. The order below is the order in which they are asked; the last always answers.
"""

from __future__ import annotations

from collections.abc import Callable

from corpus.reading.action import Action
from corpus.reading.book import Book
from corpus.reading.cursor import Cursor, Rest
from corpus.reading.place import containers, definitions, laws, paragraphs, parts, provisions, tables, titles

DECIDERS: tuple[Callable[[Book, Cursor, Rest], Action | None], ...] = (
    tables.continues_table,  # nothing but its last line ends a table
    parts.decide_part,
    laws.may_begin,
    containers.decide_container,
    laws.decide_law,
    paragraphs.before_all,
    paragraphs.by_hand,  # what a person placed, before any rule for what stands inside
    tables.decide_table,
    definitions.decide_definition,
    titles.continues_title,
    provisions.at_start,
    titles.decide_title,
    provisions.inside_sentence,
    paragraphs.decide_paragraph,
)
