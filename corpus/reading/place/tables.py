"""Tables: those that the manifest declares, and rows that the markup of a web page marks as such."""

from __future__ import annotations

from corpus.checked.patience import compiled
from corpus.edition.print import TableRule
from corpus.reading.action import AddRow
from corpus.reading.book import Book
from corpus.reading.cursor import LAWS, Cursor, Rest
from corpus.reading.draft import Draft
from corpus.reading.published import ROW, Line

_CELLS = TableRule("", "", "")  # cells parted by tabs


def continues_table(_book: Book, cursor: Cursor, rest: Rest) -> AddRow | None:
    """Inside a table every line is a row, up to the one that is like its last."""
    if not cursor.table or not cursor.draft:
        return None
    rule = cursor.table.rule
    ends = bool(compiled(rule.last).search(rest.text))
    why = f"the line is like “{rule.last}”, the last of the table" if ends else "the table goes on"
    return AddRow(draft=cursor.draft, line=_row(rest.line), rule=rule, new=False, ends=ends, reason=why)


def decide_table(book: Book, cursor: Cursor, rest: Rest) -> AddRow | None:
    """A row begins a table, or goes on with the one that it touches."""
    if rest.after or cursor.part != LAWS or not cursor.draft:
        return None
    return _marked(cursor, cursor.draft, rest) if rest.line.role == ROW else _declared(book, cursor, cursor.draft, rest)


def _marked(cursor: Cursor, draft: Draft, rest: Rest) -> AddRow:
    above = draft.last_paragraph
    new = cursor.blank or not above or not above.table
    return AddRow(draft=draft, line=rest.line, rule=_CELLS, new=new, ends=True, reason="the markup makes it a row")


def _declared(book: Book, cursor: Cursor, draft: Draft, rest: Rest) -> AddRow | None:
    """The table that a rule declares for an open provision, when this is its first line.

    One rule, one table: the next with the same first line is the next rule's.
    """
    open_drafts = {d.path: d for d in draft.upwards() if d.level >= 0}
    for n, rule in enumerate(book.edition.tables):
        place = ("tables", n)
        if rule.path in open_drafts and place not in cursor.used and compiled(rule.first).search(rest.text):
            return AddRow(
                draft=open_drafts[rule.path],
                line=_row(rest.line),
                rule=rule,
                new=True,
                ends=bool(compiled(rule.last).search(rest.text)),
                uses=frozenset({place}),
                reason=f"the line is like “{rule.first}”, the first of a table",
            )
    return None


def _row(line: Line) -> Line:
    """The line without the blanks around it; a tab at the edge is an empty cell."""
    start = len(line.text) - len(line.text.lstrip(" "))
    return line.cut(start, max(start, len(line.text.rstrip(" "))))
