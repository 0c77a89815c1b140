"""Titles: which words beside a label are one, and when it goes on in the next line."""

from __future__ import annotations

import re

from corpus.reading.action import AddHeading
from corpus.reading.book import Book
from corpus.reading.cursor import LAWS, Cursor, Rest
from corpus.reading.draft import Draft, depth, strip

_LEADS_IN = re.compile(r"[,:;]$")


def continues_title(book: Book, cursor: Cursor, rest: Rest) -> AddHeading | None:
    """The title of a law may need a second line; an empty line ends it."""
    draft = cursor.draft
    if rest.after or cursor.part != LAWS or not cursor.title_open or cursor.blank or not draft or not draft.heading:
        return None
    title, text = draft.heading[-1].text, rest.line.text
    small = book.sentences.goes_on_in_small_letters(title, text) and not book.numbering.is_structural(text)
    if not (title and (small or book.sentences.goes_on_in_capitals(title, text))):
        return None
    return AddHeading(
        draft=draft, line=strip(rest.line), title_open=rest.text[0].islower(), reason="the title above goes on"
    )


def decide_title(book: Book, cursor: Cursor, rest: Rest) -> AddHeading | None:
    """The words on a label's own line may be a title."""
    if rest.after != "label" or cursor.part != LAWS or not cursor.draft:
        return None
    is_title = _is_indented_title if book.edition.scheme == "indented" else _is_title
    if not is_title(book, cursor.draft, rest):
        return None
    return AddHeading(draft=cursor.draft, line=strip(rest.line), reason="the words beside the label are a title")


def _is_title(book: Book, draft: Draft, rest: Rest) -> bool:
    """Whether words are a title: no full sentence, and own text or children follow."""
    level, below, text = book.edition.levels[draft.level], rest.next_line(), rest.text
    if level.heading == "none" or below is None:
        return False
    at, after = below
    gap, following = at > rest.index + 1, after.text.strip()
    finished = text.endswith(".") and not (level.sign == "A" and len(text) < 60 and gap)
    law_follows = book.heads.labels[0].parse(after.text) and not depth(after)
    if finished or _LEADS_IN.search(text) or text[0].islower() or book.heads.is_container(following) or law_follows:
        return False
    labels = book.numbering.found(after.text)
    if any(label.ordinal == 1 and deep > draft.level for deep, label in labels):
        return level.heading != "with-text"
    if any(d <= draft.level and book.numbering.continues(draft, d, label, True) for d, label in labels):
        return False
    if gap or book.edition.paragraphs == "lines":
        return not following[0].islower()
    return book.sentences.is_short(text) and following[0].isupper()


def _is_indented_title(book: Book, draft: Draft, rest: Rest) -> bool:
    """A label's own line is a title when deeper lines follow and it does not end like a sentence."""
    below = rest.next_line()
    deeper = below and depth(below[1], book.edition.indent) > draft.level
    return bool(deeper) and not _LEADS_IN.search(rest.whole.text.strip())
