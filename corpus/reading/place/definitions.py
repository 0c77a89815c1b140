"""Entries of the chapter of definitions; lines before the first belong to the chapter."""

from __future__ import annotations

import re
from itertools import islice

from corpus.address import slug
from corpus.reading.action import OpenDefinition
from corpus.reading.book import Book
from corpus.reading.cursor import Cursor, Rest
from corpus.reading.draft import Draft, strip
from corpus.reading.published import TERM
from corpus.reading.sentences import SENTENCE_END

_SIGNS_BEFORE, _SIGNS_AFTER = re.compile(r"^[^\w(\[]*"), re.compile(r"[^\w()\[\]]*$")


def decide_definition(book: Book, cursor: Cursor, rest: Rest) -> OpenDefinition | None:
    """Groups of the pattern: ``term`` names the definition; ``extra`` (another language, "see also") stays in its
    heading, and so do words outside the groups. Signs before the term (a bullet) and ``separator`` are no words, the
    rest is its text.
    """
    chapter = cursor.tree.find("def")
    if cursor.part != "def" or rest.after or not chapter:
        return None
    line = strip(rest.line)
    match = book.entry.match(line.text)
    if not match or not _begins(book, cursor, rest, match):
        return None
    first, title_end, after = _title_of(match)
    return OpenDefinition(
        path=_path(chapter, match["term"]),
        kind="definition",
        parent=chapter,
        term=match["term"],
        aside=(match.groupdict().get("extra") or "").strip(" ()"),
        label=line.cut(0, first) if first else None,
        heading=(strip(line.cut(first, title_end)),),
        separator=line.cut(title_end, after),
        rest=Rest(rest.lines, rest.index, line.cut(after), "label"),
        uses=frozenset({("definitions",)}),
        reason=f"“{match['term']}” begins a definition",
    )


def _begins(book: Book, cursor: Cursor, rest: Rest, match: re.Match[str]) -> bool:
    """Whether a line that looks like an entry is one, and not the middle of a sentence that looks alike."""
    declared = book.edition.definitions
    if not declared.entry and match["term"][0].islower() and not cursor.blank:
        return False
    if rest.line.role == TERM:
        return True
    before = cursor.last[1].text.rstrip() if cursor.last else "."
    if declared.style == "headword":
        below = [line.text.strip() for line in islice(rest.following(), 2)]
        apart = cursor.blank or (bool(below) and not below[0])
        return book.sentences.is_headword(rest.text, before, apart) and any(below)
    return (
        book.edition.paragraphs == "lines"
        or cursor.blank
        or bool(SENTENCE_END.search(before))
        or book.sentences.is_short(before)
    )


def _title_of(match: re.Match[str]) -> tuple[int, int, int]:
    """Where the title of a definition begins and ends, and where its text begins.

    Only signs are left out: those before the first word, and the separator – the group, else the signs at the end.
    """
    groups, words = match.groupdict(), match.string[: match.end()]
    leading = words[: match.start("term")]
    first = len(leading) - len(_SIGNS_BEFORE.sub("", leading, count=1))
    last = len(_SIGNS_AFTER.sub("", words, count=1))
    title_end = match.end("extra" if groups.get("extra") else "term")
    if groups.get("separator") is not None and match.start("separator") >= title_end:
        return first, *match.span("separator")
    return first, max(title_end, last), match.end()


def _path(chapter: Draft, term: str) -> str:
    """The term as a path; of several with one name each further one counts: ``def/bid``, ``def/bid-2``."""
    name = slug(term)
    count = 1 + sum(slug(d.term) == name for d in chapter.children if d.kind == "definition")
    return f"def/{name}" + (f"-{count}" if count > 1 else "")
