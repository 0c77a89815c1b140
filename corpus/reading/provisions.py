"""Deciders for provisions and paragraphs; the list of all. Each takes (book, cursor, rest), returns an action or None.

A decider reads and never changes anything. :data:`DECIDERS` lists them in the order in which they are tried; the last
one always answers. This module has the deciders of placements, paragraphs, definitions, labels and inline items;
``corpus.reading.laws`` has those of laws, containers, titles, parts and tables.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import islice

from corpus.address import join_path, slugify
from corpus.label import Label
from corpus.reading import laws
from corpus.reading.actions import Action, AddText, LeaveOut, OpenDefinition, OpenProvision, ReadingContext
from corpus.reading.draft import LAWS_PART, Cursor, Draft, LineRest, indentation_depth, indentation_of, strip_line
from corpus.reading.flow import DASH_START, FULL_STOP_END, SENTENCE_END, ends_sentence
from corpus.reading.labels import LookAlike, find_parent_draft
from corpus.reading.laws import (
    continues_sentence,
    decide_container,
    decide_part,
    decide_table,
    decide_table_continuation,
    decide_title,
    decide_title_continuation,
)
from corpus.reading.source import TERM_ROLE, Line


def decide_before_first_head(book: ReadingContext, cursor: Cursor, rest: LineRest) -> LeaveOut | None:
    """Return the action that leaves out a line before the first part or law; None for later lines.

    Only the first such line is reported.
    """
    if cursor.draft:
        return None
    finding = f"“{rest.stripped_text[:60]}” stands before the first part or law."
    problem = book.problem(rest.line, finding, "Describe it in edition.toml: as a part, a container or a drop rule.")
    return LeaveOut(problems=() if cursor.lost else (problem,), reason="it stands before the first part or law")


def decide_by_placement(book: ReadingContext, cursor: Cursor, rest: LineRest) -> AddText | None:
    """Return the action that adds a paragraph where the manifest places it by the number of its line; else None.

    A line may begin with the label of the very path that the placement names. Then the words beside the label are text
    and no title.
    """
    place, path = book.placements_by_line.get(rest.line.number, ((), ""))
    if not path or place in cursor.used or not cursor.draft:
        return None
    if rest.after and not (rest.after == "label" and cursor.draft.path == path):
        return None
    draft = cursor.tree.find(path)
    if draft is None and book.numbering.find_labels(rest.stripped_text):
        return None  # decide_label_at_start opens the draft first
    finding = f"A placement names {path}, which is not open here."
    wrong = () if draft else (book.problem(rest.line, finding, "Correct the path in [[placements]]."),)
    draft = draft or cursor.draft
    before = cursor.last[1].text.rstrip() if cursor.last and cursor.last[0] is draft else ""
    # A citation that a line break split continues with a number or a capital: "Law / 16 B".
    small = rest.stripped_text[0].islower()
    pause = rest.after or (cursor.blank and book.edition.paragraphs != "wrapped")
    cut = not pause and (
        book.numbering.is_reference_after(before)
        or (book.edition.paragraphs != "lines" and before != "" and book.sentences.continues_after(before))
    )
    goes_on = before and not ends_sentence(before, rest.stripped_text) and (small or cut)
    return AddText(
        draft=draft,
        line=strip_line(rest.line),
        new=not goes_on,
        problems=wrong,
        uses=frozenset({place}),
        reason=wrong[0].finding if wrong else "[[placements]] says so",
    )


def decide_paragraph(book: ReadingContext, cursor: Cursor, rest: LineRest) -> AddText | None:
    """Return the action that adds words to the open draft; None only when no draft is open. It is tried last."""
    return add_text_action(book, cursor, cursor.draft, rest) if cursor.draft else None


def add_text_action(book: ReadingContext, cursor: Cursor, draft: Draft, rest: LineRest) -> AddText:
    """Return the action that adds words to a draft.

    Words that follow a label belong to the draft of the label. A line without a label continues a paragraph, begins
    one, or ends the sentence that a list is in.
    """
    line = strip_line(rest.line)
    if rest.after:
        return AddText(draft=draft, line=line, new=True, reason="the words beside the label")
    if cursor.by_line:
        new = not line.text[0].islower()
        why = "every line is a paragraph" if new else "it goes on in small letters"
        return AddText(draft=draft, line=line, new=new, reason=why)
    if cursor.part == LAWS_PART:
        draft = owner_of_line(book, draft, rest)
        if (
            book.edition.scheme != "indented"
            and draft.level > 1
            and draft.parent
            and _ends_list_sentence(book, cursor, draft, line)
        ):
            return AddText(
                draft=draft.parent, line=line, new=True, reason=f"it ends the sentence that {draft.path} is in"
            )
    why = why_paragraph_begins(book, cursor, draft, line)
    return AddText(draft=draft, line=line, new=bool(why), reason=why or "the paragraph goes on")


def owner_of_line(book: ReadingContext, draft: Draft, rest: LineRest) -> Draft:
    """Return the open draft that an unlabelled line belongs to: ``draft`` or one around it.

    The indentation of the line decides, where the print shows levels by indentation.
    """
    if rest.after:
        return draft
    if book.edition.scheme == "indented":
        deepest = max(indentation_depth(rest.line, book.edition.indent) - 1, 0)
        return next(d for d in draft.self_and_ancestors() if d.level <= deepest)
    if not book.has_hanging_items:
        return draft
    # Where the lines of an item hang deeper than its label, a line that does not is outside the item.
    column = indentation_of(rest.whole_line)
    return next(d for d in draft.self_and_ancestors() if d.level <= 0 or not column <= d.column > 0)


def why_paragraph_begins(book: ReadingContext, cursor: Cursor, draft: Draft, line: Line) -> str:
    """Why a line begins a paragraph of a draft; empty when it continues the paragraph before."""
    if not cursor.last or cursor.last[0] is not draft or not draft.last_paragraph:
        return "no words of it stand right before"
    return book.sentences.why_paragraph_begins(cursor.last[1], line, cursor.blank)


def _ends_list_sentence(book: ReadingContext, cursor: Cursor, draft: Draft, line: Line) -> bool:
    """Whether ``line``, which stands after the item ``draft``, ends the sentence that the list of this item is in."""
    if not cursor.last or cursor.last[0] is not draft:
        return False
    ends = bool(why_paragraph_begins(book, cursor, draft, line)) and _ends_parent_sentence(cursor.last[1], draft, line)
    return ends or _ends_bare_list(book, draft, line)


def _ends_parent_sentence(last: Line, draft: Draft, line: Line) -> bool:
    """Whether an unlabelled paragraph after an item ends the sentence that the parent began.

    ``last`` is the last line of the item ``draft``, ``line`` the first line of the paragraph.
    """
    if not last.text.rstrip() or SENTENCE_END.search(last.text.rstrip()):
        return False
    dashes = any(DASH_START.match(p.lines[0].text) for p in draft.paragraphs())
    return line.text[0].islower() or (bool(DASH_START.match(line.text)) and not dashes)


def _ends_bare_list(book: ReadingContext, draft: Draft, line: Line) -> bool:
    """Like :func:`_ends_parent_sentence`, where every line is a paragraph and the items end without any sign.

    Example: “a) the player / b) his partner / has seen the card.” The lead-in must not be a full sentence, and the
    items must be short, with one line each.
    """
    parent = draft.parent
    if book.edition.paragraphs != "lines" or not line.text[0].islower() or not parent or not parent.lead_paragraph:
        return False
    items = [d for d in parent.children if d.level == draft.level]
    lines = [[line.text.rstrip() for p in d.paragraphs() for line in p.lines] for d in items]
    return (
        len(items) > 1
        and not FULL_STOP_END.search(parent.lead_paragraph.lines[-1].text.rstrip())
        and all(
            len(own) == 1 and not d.children and own[0][-1].isalnum() and book.sentences.is_short(own[0])
            for d, own in zip(items, lines, strict=True)
        )
    )


_SIGNS_BEFORE, _SIGNS_AFTER = re.compile(r"^[^\w(\[]*"), re.compile(r"[^\w()\[\]]*$")


def decide_definition(book: ReadingContext, cursor: Cursor, rest: LineRest) -> OpenDefinition | None:
    """Return the action that opens a definition where a line matches the pattern of entries, or None.

    Groups of the pattern: ``term`` names the definition. ``extra`` (another language, "see also") stays in its heading,
    and so do words outside the groups. Signs before the term (a bullet) and ``separator`` are left out. The rest of the
    line is its text.
    """
    chapter = cursor.tree.find("def")
    if cursor.part != "def" or rest.after or not chapter:
        return None
    line = strip_line(rest.line)
    match = book.definition_pattern.match(line.text)
    if not match or not _is_definition_start(book, cursor, rest, match):
        return None
    first, title_end, after = _definition_title_span(match)
    return OpenDefinition(
        path=_definition_path(chapter, match["term"]),
        kind="definition",
        parent=chapter,
        term=match["term"],
        aside=(match.groupdict().get("extra") or "").strip(" ()"),
        label=line.cut(0, first) if first else None,
        heading=(strip_line(line.cut(first, title_end)),),
        separator=line.cut(title_end, after),
        rest=LineRest(rest.lines, rest.index, line.cut(after), "label"),
        uses=frozenset({("definitions",)}),
        reason=f"“{match['term']}” begins a definition",
    )


def _is_definition_start(book: ReadingContext, cursor: Cursor, rest: LineRest, match: re.Match[str]) -> bool:
    """Whether a line that matches the pattern of definitions begins one, and is not in the middle of a sentence.

    ``match`` is the match of the pattern in the line.
    """
    declared = book.edition.definitions
    if not declared.entry and match["term"][0].islower() and not cursor.blank:
        return False
    if rest.line.role == TERM_ROLE:
        return True
    before = cursor.last[1].text.rstrip() if cursor.last else "."
    if declared.style == "headword":
        below = [line.text.strip() for line in islice(rest.lines_below(), 2)]
        apart = cursor.blank or (bool(below) and not below[0])
        return book.sentences.is_headword(rest.stripped_text, before, apart) and any(below)
    return (
        book.edition.paragraphs == "lines"
        or cursor.blank
        or bool(SENTENCE_END.search(before))
        or book.sentences.is_short(before)
    )


def _definition_title_span(match: re.Match[str]) -> tuple[int, int, int]:
    """Return (title start, title end, text start) of a definition, as offsets in its line.

    Only signs are left out: those before the first word, and the separator. The separator is the group ``separator`` of
    the pattern, or else the signs at the end of the match.
    """
    groups, words = match.groupdict(), match.string[: match.end()]
    leading = words[: match.start("term")]
    first = len(leading) - len(_SIGNS_BEFORE.sub("", leading, count=1))
    last = len(_SIGNS_AFTER.sub("", words, count=1))
    title_end = match.end("extra" if groups.get("extra") else "term")
    if groups.get("separator") is not None and match.start("separator") >= title_end:
        return first, *match.span("separator")
    return first, max(title_end, last), match.end()


def _definition_path(chapter: Draft, term: str) -> str:
    """Return the path for a new definition. Further ones with the same name are counted: ``def/bid``, ``def/bid-2``."""
    name = slugify(term)
    count = 1 + sum(slugify(d.term) == name for d in chapter.children if d.kind == "definition")
    return f"def/{name}" + (f"-{count}" if count > 1 else "")


def decide_label_at_start(book: ReadingContext, cursor: Cursor, rest: LineRest) -> Action | None:
    """Return the action that opens a provision where a line begins with a label; None where it begins with none.

    In typed schemes the form of the label and its place in the sequence give the level; in indented schemes the depth
    of indentation does. Words that only look like a label are added as text.
    """
    if cursor.part != LAWS_PART or rest.after == "item" or not cursor.draft:
        return None
    if book.edition.scheme == "indented":
        return _decide_indented_label(book, cursor.draft, rest)
    return _decide_typed_label(book, cursor, cursor.draft, rest)


def _decide_typed_label(book: ReadingContext, cursor: Cursor, draft: Draft, rest: LineRest) -> Action | None:
    first = not rest.after
    repeated = not cursor.blank and rest.line.text == cursor.before
    inside = first and continues_sentence(book, cursor) and not repeated
    before = cursor.last[1].text.rstrip() if cursor.last and book.edition.paragraphs != "lines" else ""
    found = book.numbering.next_label(draft, rest.line, rest.lines_below, first, inside, before)
    if found is None:
        return None
    if isinstance(found, LookAlike):
        text = decide_inline_item(book, cursor, rest) or add_text_action(book, cursor, draft, rest)
        remark = (book.problem(rest.line, *found.doubt, False),) if found.doubt else ()
        return replace(text, problems=text.problems + remark, reason=found.reason)
    return open_provision_action(
        book,
        find_parent_draft(draft, found.level),
        found.level,
        found.label,
        rest,
        column=indentation_of(rest.whole_line),
        problem=found.problem,
    )


def _decide_indented_label(book: ReadingContext, draft: Draft, rest: LineRest) -> Action | None:
    """Return the action for a label in an indented scheme, or None without a label.

    The depth gives the level, and every list is numbered from 1.
    """
    deep = indentation_depth(rest.line, book.edition.indent)
    label = book.heads.labels[deep].parse(rest.line.text) if 0 < deep < len(book.edition.levels) else None
    if rest.after or not label:
        return None
    above = next(d for d in draft.self_and_ancestors() if d.level < deep)
    last = above.count.get(deep, 0)
    problem = None
    if above.level != deep - 1 or label.ordinal != last + 1:
        printed = rest.line.text[label.start : label.end]
        problem = (
            f"{printed} at depth {deep} follows {last or 'nothing'} in {above.path}.",
            "Correct the label or its indentation in corrections.tsv.",
        )
    return open_provision_action(book, find_parent_draft(draft, deep), deep, label, rest, problem=problem)


def decide_inline_item(book: ReadingContext, cursor: Cursor, rest: LineRest) -> OpenProvision | None:
    """Return the action that opens the next item that runs on inside the line, or None where there is none.

    Example: "He may (a) stand, (b) sit or (c) lie".
    """
    if cursor.part != LAWS_PART or not cursor.draft or (book.edition.scheme == "indented" and not rest.after):
        return None
    draft, line = owner_of_line(book, cursor.draft, rest), strip_line(rest.line)
    found = book.numbering.find_inline_label(draft, line, rest.lines[rest.index + 1 : rest.index + 12])
    if not found:
        return None
    # An inline label is searched after a blank, so words stand before it.
    before, own = strip_line(line.cut(0, found.at)), replace(rest, line=line).rest_from(found.at, "item")
    action = open_provision_action(
        book, find_parent_draft(draft, found.level), found.level, found.label, own, problem=found.problem
    )
    printed = line.text[found.at :][: found.label.end]
    reason = found.problem[0] if found.problem else f"“{printed}” runs on inside the sentence"
    new = bool(rest.after or why_paragraph_begins(book, cursor, draft, before))
    lead = AddText(draft=draft, line=before, new=new, reason="an item runs on behind it")
    return replace(action, lead=lead, reason=reason)


def open_provision_action(
    book: ReadingContext,
    parent: Draft,
    level: int,
    label: Label,
    rest: LineRest,
    column: int = 0,
    problem: tuple[str, str] | None = None,
) -> OpenProvision:
    """Return the action that opens a provision under ``parent`` at ``label``, which is in ``rest``.

    ``level`` is the depth of the provision among the numbered levels, ``column`` the indentation of the line.
    ``problem``: (finding, next move) of a label that is out of order.
    """
    spec, printed = book.edition.levels[level], rest.line.text[label.start : label.end]
    last = parent.count.get(level, 0)
    continues = f"continues {spec.format_label(last)}" if last else "begins a list"
    return OpenProvision(
        path=join_path(parent.path, spec.path_step(label.ordinal)),
        kind=spec.kind,
        parent=parent,
        level=level,
        ordinal=label.ordinal,
        label=rest.line.cut(label.start, label.end),
        column=column,
        rest=rest.rest_from(label.after, rest.after if rest.after == "item" else "label"),
        problems=(book.problem(rest.line, *problem),) if problem else (),
        reason=problem[0] if problem else f"“{printed}” {continues}",
    )


DECIDERS: tuple[Callable[[ReadingContext, Cursor, LineRest], Action | None], ...] = (
    decide_table_continuation,  # a table ends only with its last line
    decide_part,
    laws.decide_laws_start,
    decide_container,
    laws.decide_law,
    decide_before_first_head,
    decide_by_placement,  # a placement by hand comes before the rules for the words of provisions
    decide_table,
    decide_definition,
    decide_title_continuation,
    decide_label_at_start,
    decide_title,
    decide_inline_item,
    decide_paragraph,
)
