"""Deciders, functions that decide what a line is, for laws, containers, titles, parts and tables.

Each decider takes (book, cursor, rest) and returns an action, or None when the line is not its concern. Tables are
those that the manifest declares, and rows that the markup of a web page marks as such.
"""

from __future__ import annotations

import re
from typing import cast

from corpus import address
from corpus.address import join_path
from corpus.edition import TableRule
from corpus.files import compile_pattern
from corpus.label import Label, read_roman, write_roman
from corpus.model import Kind, Problem
from corpus.reading.actions import AddHeading, AddRow, AllowLaws, OpenContainer, OpenLaw, OpenPart, ReadingContext
from corpus.reading.draft import LAWS_PART, Cursor, Draft, LineRest, indentation_depth, strip_line
from corpus.reading.source import ROW_ROLE, Line

_TWO_LETTERS = re.compile(r"\w.*\w")
_NAMED_LABEL = re.compile(r"[^\W\d_]{2,}|§")  # a label with a word or a section sign is unmistakable

# ── Laws ────────────────────────────────────────────────────────────────────────────────────────


def decide_laws_start(book: ReadingContext, cursor: Cursor, rest: LineRest) -> AllowLaws | None:
    """Return the action after which laws may begin, or None.

    After other parts, laws may begin only from the line that the manifest declares (``laws_start``).
    """
    if rest.after or cursor.laws_open or cursor.part in (None, LAWS_PART):
        return None
    if not compile_pattern(book.edition.laws_start).match(rest.stripped_text):
        return None
    return AllowLaws(rest=rest, reason=f"the line is like “{book.edition.laws_start}”")


def may_begin_law_or_container(cursor: Cursor) -> bool:
    """Whether a container or a law may begin at this cursor. None may in the subject index, which prints such labels
    too.
    """
    return cursor.part in (None, LAWS_PART) or (cursor.laws_open and cursor.part != "index")


def law_label_of(book: ReadingContext, line: Line) -> Label | None:
    """Return the label of a law that a line begins with, or None.

    Where the title does not share the line with the label, the label must stand alone.
    """
    parser = book.heads.labels[0]
    label = parser.parse(line.text)
    return label if label and (parser.has_title or not _TWO_LETTERS.search(line.text[label.after :])) else None


def decide_law(book: ReadingContext, cursor: Cursor, rest: LineRest) -> OpenLaw | None:
    """Return the action that opens a law at a line with the label of a law, or None for any other line.

    A label that is not the next one is a problem of the action.
    """
    if rest.after or not may_begin_law_or_container(cursor):
        return None
    line = rest.line
    label = law_label_of(book, line)
    if not label or not _opens_law(book, cursor, label, rest):
        return None
    level, own = book.edition.levels[0], strip_line(line.cut(label.after))
    # Beside a label that stands alone, words are the mark of a footnote and no title.
    titled = bool(own.text) and (level.heading != "next-line" or book.heads.labels[0].has_title)
    below = [] if titled or level.heading != "next-line" else title_indices_below(book, rest)
    expected, problems = _laws_expected_after(book, cursor, label.ordinal, line)
    return OpenLaw(
        path=str(label.ordinal),
        kind=level.kind,
        parent=cursor.containers[-1] if cursor.containers else None,
        label=line.cut(label.start, label.end),
        heading=(*([own] if own.text else []), *(strip_line(rest.lines[at]) for at in below)),
        number=label.ordinal,
        expected=expected,
        title_open=titled and level.heading != "next-line",
        skip=below[-1] - rest.index if below else 0,
        problems=problems,
        reason=problems[0].finding if problems else f"law {label.ordinal} comes next",
    )


def _opens_law(book: ReadingContext, cursor: Cursor, label: Label, rest: LineRest) -> bool:
    """Whether ``label``, with which the line begins, opens a law and is no number in a sentence or a list.

    A number that is not the next one opens a law only where the print of the label is unmistakable.
    """
    if not cursor.laws_open:
        return False
    template = book.edition.levels[0].labels[0]
    titled = "HEADING" in template
    named = bool(_NAMED_LABEL.search(re.sub("HEADING|Heading", "", template)))
    inside = continues_sentence(book, cursor)
    if cursor.expected and label.ordinal == cursor.expected[0]:
        if not (named or titled):
            return cursor.blank or not (inside or _may_be_item(book, cursor, rest.line))
        cited = inside and cursor.last and book.numbering.is_reference_after(cursor.last[1].text)
        return book.edition.paragraphs == "lines" or not cited
    if indentation_depth(rest.line) or inside:
        return False
    return named or (titled and (cursor.blank or book.edition.scheme == "indented"))


def continues_sentence(book: ReadingContext, cursor: Cursor) -> bool:
    """Whether the line to be placed continues the sentence before it. Then a label at its start only looks like one."""
    if not cursor.last or (cursor.blank and book.edition.paragraphs != "wrapped"):
        return False
    return book.sentences.continues_after(cursor.last[1].text.rstrip())


def _may_be_item(book: ReadingContext, cursor: Cursor, line: Line) -> bool:
    """Whether the line could be the next item of an open list ("2." where laws are numbered "2." too)."""
    draft = cursor.draft
    return draft is not None and any(
        book.numbering.continues_list(draft, level, label, True)
        for level, label in book.numbering.find_labels(line.text)
    )


def _laws_expected_after(
    book: ReadingContext, cursor: Cursor, number: int, line: Line
) -> tuple[tuple[int, ...], tuple[Problem, ...]]:
    """Return (the numbers of the laws still to come after the law ``number``, the problems of that number itself)."""
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
            f"Is law {_format_range(gone)} missing, or printed otherwise? Correct the label in corrections.tsv, "
            "the template or “laws” in edition.toml."
            if gone
            else "The laws are out of order: correct the label in corrections.tsv."
        )
    return expected, (book.problem(line, finding, move),)


def _format_range(numbers: list[int]) -> str:
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"


def title_indices_below(book: ReadingContext, rest: LineRest) -> list[int]:
    """Return the indices in ``rest.lines`` of the lines below a law's label that are its title; empty for none."""
    below = rest.next_text_line()
    if below is None or law_label_of(book, below[1]) or book.heads.begins_part_or_container(below[1].text.strip()):
        return []
    if book.edition.scheme == "typed" and book.numbering.find_labels(below[1].text):
        return []
    out = [below[0]]
    for at in range(below[0] + 1, len(rest.lines)):
        text = rest.lines[at].text
        if not text.strip() or not book.sentences.title_continues_in_capitals(rest.lines[at - 1].text.strip(), text):
            break
        out.append(at)
    return out


# ── Containers ──────────────────────────────────────────────────────────────────────────────────

_DASH_AT_END = re.compile(r"\s*[-–—]?\s*$")


def decide_container(book: ReadingContext, cursor: Cursor, rest: LineRest) -> OpenContainer | None:
    """Return the action that opens a container (a chapter, part or division of laws), or None.

    A container begins where a line matches its pattern. Its title is in the group ``heading`` of the pattern, or in the
    next line.
    """
    if rest.after or not may_begin_law_or_container(cursor):
        return None
    for level, (pattern, headed) in enumerate(book.heads.headed):
        match = pattern.match(rest.stripped_text)
        if not match:
            continue
        outer = [h.kind for _, h in book.heads.headed[:level]]
        inside = tuple(c for c in cursor.containers if c.kind in outer)
        parent = inside[-1] if inside else None
        siblings = [c for c in (parent.children if parent else cursor.tree.roots) if c.kind == headed.kind]
        groups = match.groupdict()
        number = _container_number((groups.get("n") or "").strip())
        if not number or any(c.path.endswith(f"/{number}") for c in siblings):
            number = write_roman(len(siblings) + 1).upper()
        label, separator, heading, skip = strip_line(rest.line), None, list[Line](), 0
        if groups.get("heading"):
            label, separator, *heading = _split_container_title(label, match.start("heading"))
        elif (below := rest.next_text_line()) and not begins_part_container_or_law(book, below[1]):
            heading, skip = [strip_line(below[1])], below[0] - rest.index
        return OpenContainer(
            path=join_path(parent.path if parent else "", headed.kind, number),
            kind=headed.kind,
            parent=parent,
            label=label,
            separator=separator,
            heading=tuple(heading),
            inside=inside,
            skip=skip,
            uses=frozenset({("headed", level)}),
            reason=f"the line is like “{headed.pattern}”",
        )
    return None


def begins_part_container_or_law(book: ReadingContext, line: Line) -> bool:
    """Whether a line opens a part, a container or a law, and so cannot be the title of what stands before it."""
    return law_label_of(book, line) is not None or book.heads.begins_part_or_container(line.text.strip())


def _split_container_title(line: Line, title: int) -> tuple[Line, Line, Line]:
    """Return (label, dash between label and title, title) of a container's line.

    ``title`` is the column where the title begins.
    """
    end = len(_DASH_AT_END.sub("", line.text[:title]))
    return line.cut(0, end), line.cut(end, title), line.cut(title)


def _container_number(printed: str) -> str:
    """A container's number as in its path, in capital roman numerals; empty for a number in words."""
    if printed.isdigit():
        return write_roman(int(printed)).upper() if 0 < int(printed) < 400 else ""
    return printed.upper() if read_roman(printed) else ""


# ── Titles ──────────────────────────────────────────────────────────────────────────────────────

_LEAD_IN_END = re.compile(r"[,:;]$")


def decide_title_continuation(book: ReadingContext, cursor: Cursor, rest: LineRest) -> AddHeading | None:
    """Return the action that adds a further line to the title of a law, or None where the title has ended.

    An empty line ends a title.
    """
    draft = cursor.draft
    if (
        rest.after
        or cursor.part != LAWS_PART
        or not cursor.title_open
        or cursor.blank
        or not draft
        or not draft.heading
    ):
        return None
    title, text = draft.heading[-1].text, rest.line.text
    small = book.sentences.title_continues_in_small_letters(title, text) and not book.numbering.may_have_label(text)
    if not (title and (small or book.sentences.title_continues_in_capitals(title, text))):
        return None
    return AddHeading(
        draft=draft,
        line=strip_line(rest.line),
        title_open=rest.stripped_text[0].islower(),
        reason="the title above goes on",
    )


def decide_title(book: ReadingContext, cursor: Cursor, rest: LineRest) -> AddHeading | None:
    """Return the action that makes the words on a label's own line its title, or None where they are no title."""
    if rest.after != "label" or cursor.part != LAWS_PART or not cursor.draft:
        return None
    is_title = _is_indented_title if book.edition.scheme == "indented" else _is_title
    if not is_title(book, cursor.draft, rest):
        return None
    return AddHeading(draft=cursor.draft, line=strip_line(rest.line), reason="the words beside the label are a title")


def _is_title(book: ReadingContext, draft: Draft, rest: LineRest) -> bool:
    """Whether words beside a label are a title.

    They are when they are no full sentence, and text or children of the provision ``draft`` follow.
    """
    level, below, text = book.edition.levels[draft.level], rest.next_text_line(), rest.stripped_text
    if level.heading == "none" or below is None:
        return False
    at, after = below
    gap, following = at > rest.index + 1, after.text.strip()
    finished = text.endswith(".") and not (level.sign == "A" and len(text) < 60 and gap)
    law_follows = book.heads.labels[0].parse(after.text) and not indentation_depth(after)
    if (
        finished
        or _LEAD_IN_END.search(text)
        or text[0].islower()
        or book.heads.begins_container(following)
        or law_follows
    ):
        return False
    labels = book.numbering.find_labels(after.text)
    if any(label.ordinal == 1 and deep > draft.level for deep, label in labels):
        return level.heading != "with-text"
    if any(d <= draft.level and book.numbering.continues_list(draft, d, label, True) for d, label in labels):
        return False
    if gap or book.edition.paragraphs == "lines":
        return not following[0].islower()
    return book.sentences.is_short(text) and following[0].isupper()


def _is_indented_title(book: ReadingContext, draft: Draft, rest: LineRest) -> bool:
    """Whether words beside a label are a title in an indented scheme.

    They are when deeper lines follow, and the words do not end like a lead-in (in a comma, colon or semicolon).
    """
    below = rest.next_text_line()
    deeper = below and indentation_depth(below[1], book.edition.indent) > draft.level
    return bool(deeper) and not _LEAD_IN_END.search(rest.whole_line.text.strip())


# ── Parts ───────────────────────────────────────────────────────────────────────────────────────


def decide_part(book: ReadingContext, cursor: Cursor, rest: LineRest) -> OpenPart | None:
    """Return the action that opens a part at the first line that matches its pattern, or None.

    This line is the title of the part, or its first text.
    """
    if rest.after:
        return None
    line = strip_line(rest.line)
    for n, (pattern, part) in enumerate(book.heads.parts):
        match = pattern.match(line.text)
        if not match or cursor.tree.find(part.path):
            continue
        above = address.without_last_step(part.path)
        title = match.start("heading") if match.groupdict().get("heading") else 0
        return OpenPart(
            path=part.path,
            kind="container" if part.path == "def" else cast(Kind, address.split_path(part.path)[0]),
            parent=cursor.tree.find(above) if above else None,
            label=line.cut(0, len(line.text[:title].rstrip())) if part.heading and title else None,
            heading=(line.cut(title),) if part.heading else (),
            by_line=part.lines and part.path != "def",  # definitions have paragraphs
            uses=frozenset({("parts", n)}),
            rest=None if part.heading else rest.rest_from(0, "label"),
            reason=f"the line is like “{part.start}”",
        )
    return None


# ── Tables ──────────────────────────────────────────────────────────────────────────────────────

_TAB_CELLS = TableRule("", "", "")  # cells with tabs between them


def decide_table_continuation(_book: ReadingContext, cursor: Cursor, rest: LineRest) -> AddRow | None:
    """Return the action that adds a row to the open table; None when no table is open.

    Every line is a row, up to the line that matches the pattern of the last row.
    """
    if not cursor.table or not cursor.draft:
        return None
    rule = cursor.table.rule
    ends = bool(compile_pattern(rule.last).search(rest.stripped_text))
    why = f"the line is like “{rule.last}”, the last of the table" if ends else "the table goes on"
    return AddRow(draft=cursor.draft, line=_strip_row(rest.line), rule=rule, new=False, ends=ends, reason=why)


def decide_table(book: ReadingContext, cursor: Cursor, rest: LineRest) -> AddRow | None:
    """Return the action for a row that begins a table or continues the table right above it; None for other lines."""
    if rest.after or cursor.part != LAWS_PART or not cursor.draft:
        return None
    return (
        _decide_markup_row(cursor, cursor.draft, rest)
        if rest.line.role == ROW_ROLE
        else _decide_declared_row(book, cursor, cursor.draft, rest)
    )


def _decide_markup_row(cursor: Cursor, draft: Draft, rest: LineRest) -> AddRow:
    above = draft.last_paragraph
    new = cursor.blank or not above or not above.is_table
    return AddRow(draft=draft, line=rest.line, rule=_TAB_CELLS, new=new, ends=True, reason="the markup makes it a row")


def _decide_declared_row(book: ReadingContext, cursor: Cursor, draft: Draft, rest: LineRest) -> AddRow | None:
    """Return the action for the first row of a table that a rule declares for an open provision, or None.

    Each rule makes one table. A further line like its first belongs to the next rule.
    """
    open_drafts = {d.path: d for d in draft.self_and_ancestors() if d.level >= 0}
    for n, rule in enumerate(book.edition.tables):
        place = ("tables", n)
        if (
            rule.path in open_drafts
            and place not in cursor.used
            and compile_pattern(rule.first).search(rest.stripped_text)
        ):
            return AddRow(
                draft=open_drafts[rule.path],
                line=_strip_row(rest.line),
                rule=rule,
                new=True,
                ends=bool(compile_pattern(rule.last).search(rest.stripped_text)),
                uses=frozenset({place}),
                reason=f"the line is like “{rule.first}”, the first of a table",
            )
    return None


def _strip_row(line: Line) -> Line:
    """Return the line without the blanks around it. A tab at the edge stays, because it marks an empty cell."""
    start = len(line.text) - len(line.text.lstrip(" "))
    return line.cut(start, max(start, len(line.text.rstrip(" "))))
