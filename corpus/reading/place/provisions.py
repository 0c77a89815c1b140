"""Labelled provisions of a law: at the start of a line, several on one too, and those that run on in a sentence."""

from __future__ import annotations

from dataclasses import replace

from corpus.address import under
from corpus.label.printed import Label
from corpus.reading.action import Action, AddText, OpenProvision
from corpus.reading.book import Book
from corpus.reading.cursor import LAWS, Cursor, Rest
from corpus.reading.draft import Draft, depth, indentation, strip
from corpus.reading.numbering import LookAlike, parent_for
from corpus.reading.place.laws import goes_on_with_sentence
from corpus.reading.place.paragraphs import begins, owner, words


def at_start(book: Book, cursor: Cursor, rest: Rest) -> Action | None:
    """Typed schemes tell the level by the label's form and its place in the sequence, indented ones by its depth."""
    if cursor.part != LAWS or rest.after == "item" or not cursor.draft:
        return None
    if book.edition.scheme == "indented":
        return _indented(book, cursor.draft, rest)
    return _typed(book, cursor, cursor.draft, rest)


def _typed(book: Book, cursor: Cursor, draft: Draft, rest: Rest) -> Action | None:
    first = not rest.after
    repeated = not cursor.blank and rest.line.text == cursor.before
    inside = first and goes_on_with_sentence(book, cursor) and not repeated
    before = cursor.last[1].text.rstrip() if cursor.last and book.edition.paragraphs != "lines" else ""
    found = book.numbering.next_label(draft, rest.line, rest.following, first, inside, before)
    if found is None:
        return None
    if isinstance(found, LookAlike):
        text = inside_sentence(book, cursor, rest) or words(book, cursor, draft, rest)
        remark = (book.problem(rest.line, *found.remark, False),) if found.remark else ()
        return replace(text, problems=text.problems + remark, reason=found.reason)
    return open_provision(
        book,
        parent_for(draft, found.level),
        found.level,
        found.label,
        rest,
        column=indentation(rest.whole),
        problem=found.problem,
    )


def _indented(book: Book, draft: Draft, rest: Rest) -> Action | None:
    """Depth tells the level; every depth numbers from 1."""
    deep = depth(rest.line, book.edition.indent)
    label = book.heads.labels[deep].parse(rest.line.text) if 0 < deep < len(book.edition.levels) else None
    if rest.after or not label:
        return None
    above = next(d for d in draft.upwards() if d.level < deep)
    last = above.count.get(deep, 0)
    problem = None
    if above.level != deep - 1 or label.ordinal != last + 1:
        printed = rest.line.text[label.start : label.end]
        problem = (
            f"{printed} at depth {deep} follows {last or 'nothing'} in {above.path}.",
            "Correct the label or its indentation in corrections.tsv.",
        )
    return open_provision(book, parent_for(draft, deep), deep, label, rest, problem=problem)


def inside_sentence(book: Book, cursor: Cursor, rest: Rest) -> OpenProvision | None:
    """The next item that runs on inside the line: "He may (a) stand, (b) sit or (c) lie"."""
    if cursor.part != LAWS or not cursor.draft or (book.edition.scheme == "indented" and not rest.after):
        return None
    draft, line = owner(book, cursor.draft, rest), strip(rest.line)
    found = book.numbering.inline_start(draft, line, rest.lines[rest.index + 1 : rest.index + 12])
    if not found:
        return None
    # An item is sought behind a blank, so words stand before it.
    before, own = strip(line.cut(0, found.at)), replace(rest, line=line).cut(found.at, "item")
    action = open_provision(book, parent_for(draft, found.level), found.level, found.label, own, problem=found.problem)
    printed = line.text[found.at :][: found.label.end]
    reason = found.problem[0] if found.problem else f"“{printed}” runs on inside the sentence"
    new = bool(rest.after or begins(book, cursor, draft, before))
    lead = AddText(draft=draft, line=before, new=new, reason="an item runs on behind it")
    return replace(action, lead=lead, reason=reason)


def open_provision(
    book: Book,
    parent: Draft,
    level: int,
    label: Label,
    rest: Rest,
    column: int = 0,
    problem: tuple[str, str] | None = None,
) -> OpenProvision:
    """The action that opens a provision by the label where the rest begins; ``problem``: finding and next move."""
    spec, printed = book.edition.levels[level], rest.line.text[label.start : label.end]
    last = parent.count.get(level, 0)
    continues = f"continues {spec.printed(last)}" if last else "begins a list"
    return OpenProvision(
        path=under(parent.path, spec.step(label.ordinal)),
        kind=spec.kind,
        parent=parent,
        level=level,
        ordinal=label.ordinal,
        label=rest.line.cut(label.start, label.end),
        column=column,
        rest=rest.cut(label.after, rest.after if rest.after == "item" else "label"),
        problems=(book.problem(rest.line, *problem),) if problem else (),
        reason=problem[0] if problem else f"“{printed}” {continues}",
    )
