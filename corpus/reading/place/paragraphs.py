"""Unlabelled words: whose they are, and whether they begin a paragraph."""

from __future__ import annotations

from corpus.reading.action import AddText, LeaveOut
from corpus.reading.book import Book
from corpus.reading.cursor import LAWS, Cursor, Rest
from corpus.reading.draft import Draft, depth, indentation, strip
from corpus.reading.published import Line
from corpus.reading.sentences import DASH, FINISHED, SENTENCE_END


def before_all(book: Book, cursor: Cursor, rest: Rest) -> LeaveOut | None:
    """A line before the first part or law has no place; one of them is enough said."""
    if cursor.draft:
        return None
    finding = f"“{rest.text[:60]}” stands before the first part or law."
    told = book.problem(rest.line, finding, "Describe it in edition.toml: as a part, a container or a drop rule.")
    return LeaveOut(problems=() if cursor.lost else (told,), reason="it stands before the first part or law")


def by_hand(book: Book, cursor: Cursor, rest: Rest) -> AddText | None:
    """A paragraph that the manifest places by the number of its line; with the path of the label that the line begins
    with, the words beside the label are text and no title.
    """
    place, path = book.placements.get(rest.line.number, ((), ""))
    if not path or place in cursor.used or not cursor.draft:
        return None
    if rest.after and not (rest.after == "label" and cursor.draft.path == path):
        return None
    draft = cursor.tree.find(path)
    if draft is None and book.numbering.found(rest.text):
        return None  # the label comes first
    finding = f"A placement names {path}, which is not open here."
    wrong = () if draft else (book.problem(rest.line, finding, "Correct the path in [[placements]]."),)
    draft = draft or cursor.draft
    before = cursor.last[1].text.rstrip() if cursor.last and cursor.last[0] is draft else ""
    # A citation that a line break cut goes on with a number or a capital: "Law / 16 B".
    small, pause = rest.text[0].islower(), rest.after or (cursor.blank and book.edition.paragraphs != "wrapped")
    cut = not pause and (
        book.numbering.is_reference(before)
        or (book.edition.paragraphs != "lines" and before != "" and book.sentences.goes_on_after(before))
    )
    goes_on = before and not SENTENCE_END.search(before) and (small or cut)
    return AddText(
        draft=draft,
        line=strip(rest.line),
        new=not goes_on,
        problems=wrong,
        uses=frozenset({place}),
        reason=wrong[0].finding if wrong else "[[placements]] says so",
    )


def decide(book: Book, cursor: Cursor, rest: Rest) -> AddText | None:
    """Words of what is open; where something is, the last of the deciders always has an answer."""
    return words(book, cursor, cursor.draft, rest) if cursor.draft else None


def words(book: Book, cursor: Cursor, draft: Draft, rest: Rest) -> AddText:
    """Words that follow a label are its own; a line without any goes on, begins a paragraph, or closes a list."""
    line = strip(rest.line)
    if rest.after:
        return AddText(draft=draft, line=line, new=True, reason="the words beside the label")
    if cursor.by_line:
        new = not line.text[0].islower()
        why = "every line is a paragraph" if new else "it goes on in small letters"
        return AddText(draft=draft, line=line, new=new, reason=why)
    if cursor.part == LAWS:
        draft = owner(book, draft, rest)
        if (
            book.edition.scheme != "indented"
            and draft.level > 1
            and draft.parent
            and _closes(book, cursor, draft, line)
        ):
            return AddText(
                draft=draft.parent, line=line, new=True, reason=f"it ends the sentence that {draft.path} is in"
            )
    why = begins(book, cursor, draft, line)
    return AddText(draft=draft, line=line, new=bool(why), reason=why or "the paragraph goes on")


def owner(book: Book, draft: Draft, rest: Rest) -> Draft:
    """The open draft that an unlabelled line belongs to, by how deep it stands where the print tells that."""
    if rest.after:
        return draft
    if book.edition.scheme == "indented":
        deepest = max(depth(rest.line, book.edition.indent) - 1, 0)
        return next(d for d in draft.upwards() if d.level <= deepest)
    if not book.hanging:
        return draft
    # Where the lines of an item hang deeper than its label, one that does not is no longer the item's.
    column = indentation(rest.whole)
    return next(d for d in draft.upwards() if d.level <= 0 or not column <= d.column > 0)


def begins(book: Book, cursor: Cursor, draft: Draft, line: Line) -> str:
    """Why a line begins a paragraph of a draft; empty when it goes on with the one before."""
    if not cursor.last or cursor.last[0] is not draft or not draft.last_paragraph:
        return "no words of it stand right before"
    return book.sentences.begins_paragraph(cursor.last[1], line, cursor.blank)


def _closes(book: Book, cursor: Cursor, draft: Draft, line: Line) -> bool:
    """Whether a line after an item closes the list that the item is in."""
    if not cursor.last or cursor.last[0] is not draft:
        return False
    ends = bool(begins(book, cursor, draft, line)) and _closes_list(cursor.last[1], draft, line)
    return ends or _closes_bare_list(book, draft, line)


def _closes_list(last: Line, draft: Draft, line: Line) -> bool:
    """Whether an unlabelled paragraph after an item ends the sentence that the parent began."""
    if not last.text.rstrip() or SENTENCE_END.search(last.text.rstrip()):
        return False
    dashes = any(DASH.match(p.lines[0].text) for p in draft.paragraphs())
    return line.text[0].islower() or (bool(DASH.match(line.text)) and not dashes)


def _closes_bare_list(book: Book, draft: Draft, line: Line) -> bool:
    """The same where every line is a paragraph and the items end without any sign: “a) the player / b) his partner /
    has seen the card.” It takes a lead-in that is no sentence, and short items of one line each.
    """
    parent = draft.parent
    if book.edition.paragraphs != "lines" or not line.text[0].islower() or not parent or not parent.lead:
        return False
    items = [d for d in parent.children if d.level == draft.level]
    lines = [[line.text.rstrip() for p in d.paragraphs() for line in p.lines] for d in items]
    return (
        len(items) > 1
        and not FINISHED.search(parent.lead.lines[-1].text.rstrip())
        and all(
            len(own) == 1 and not d.children and own[0][-1].isalnum() and book.sentences.is_short(own[0])
            for d, own in zip(items, lines, strict=True)
        )
    )
