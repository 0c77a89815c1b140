"""Read the source of one edition. :func:`read_source` runs all steps and returns the ``Reading``.

:func:`prepare_text` makes the lines, :func:`assemble_drafts` places them, ``nodes.build_nodes`` makes the nodes.
The other functions report problems: lists that look wrong, and declarations of the manifest that no line matched.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from corpus.edition import DropRule, Edition
from corpus.files import KeyPath, compile_pattern
from corpus.language import Language
from corpus.model import Correction, Node, NodeId, Problem
from corpus.reading import flow, footnotes, html, source
from corpus.reading.actions import Action, HeadPatterns, ReadingContext
from corpus.reading.checks import UncheckedReading, find_misfits
from corpus.reading.draft import Cursor, Draft, LineRest, Tree
from corpus.reading.flow import FULL_STOP_END, Hyphens
from corpus.reading.footnotes import Note
from corpus.reading.nodes import (
    build_nodes,
    corrections_with_results,
    count_characters,
    find_unaccounted_and_repeated,
    unaccounted_problems,
)
from corpus.reading.provisions import DECIDERS
from corpus.reading.result import DroppedText, Placing, Reading
from corpus.reading.source import Line, RemovedText, apply_corrections, read_corrections

# ── Problems of lists ───────────────────────────────────────────────────────────────────────────


def problems_of_lists(book: ReadingContext, roots: tuple[Draft, ...]) -> Iterator[Problem]:
    """Yield the problems of lists in the laws and everything below them. None of these problems is fatal."""
    drafts = [d for root in roots for d in root.walk() if d.level >= 0]
    yield from report_paragraphs_after_lists(book, drafts)
    yield from report_items_in_sentences(book, drafts)


def report_paragraphs_after_lists(book: ReadingContext, drafts: list[Draft]) -> Iterator[Problem]:
    """Report an unlabelled paragraph in the last item of a list when the other items have none.

    An unlabelled paragraph belongs to the item before it. After the last item it may belong to the provision that
    introduces the list.
    """
    for draft in drafts:
        items = [d for d in draft.children if d.level == draft.children[-1].level]
        if (
            len(items) < 2
            or not draft.lead_paragraph
            or FULL_STOP_END.search(draft.lead_paragraph.lines[-1].text.rstrip())
        ):
            continue
        own = [[p for p in item.paragraphs() if not p.is_table] for item in items]
        if len(own[-1]) > 1 and all(len(o) < 2 for o in own[:-1]):
            yield book.problem(
                own[-1][1].lines[0],
                f"An unlabelled paragraph after the list stands in its last item, {items[-1].path}.",
                f"Does it belong to {draft.path}? Then say so in [[placements]].",
                False,
            )


def report_items_in_sentences(book: ReadingContext, drafts: list[Draft]) -> Iterator[Problem]:
    """Report labels inside a sentence that may be items of a list: "he may (a) stand, (b) sit".

    Such labels are read as items only where the manifest declares it (``inline``). At the level of the provision itself
    one label is reported, at deeper levels two labels or more.
    """
    for draft in drafts:
        for paragraph in (p for p in draft.paragraphs() if not p.is_table):
            text = " ".join(line.text for line in paragraph.lines)
            for level, labels in book.numbering.labels_running_on(text, draft):
                yield book.problem(
                    paragraph.lines[0],
                    f"{' and '.join(labels)} stand inside the text of {draft.path}.",
                    "Are they items? Then write “inline = true” at the "
                    f"{book.edition.levels[level].kind} in edition.toml.",
                    False,
                )


# ── From lines to drafts ────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class AssembledDrafts:
    """The drafts of one edition, the placings of its lines, and the problems.

    ``used`` holds the places in the manifest of the declarations that a line matched.
    """

    roots: tuple[Draft, ...]
    placings: tuple[Placing, ...]
    problems: tuple[Problem, ...]
    used: frozenset[KeyPath]


def assemble_drafts(book: ReadingContext, lines: list[Line]) -> AssembledDrafts:
    """Place every line that holds text in a draft. Return the drafts, the placings of the lines and the problems."""
    cursor = Cursor(Tree(), book.edition.law_numbers, not book.edition.laws_start)
    placings: list[Placing] = []
    problems: list[Problem] = []
    taken = 0  # lines below this index are placed already
    for index, line in enumerate(lines):
        if index < taken:
            continue
        if not line.text.strip():
            cursor = replace(cursor, blank=True)
            continue
        rest: LineRest | None = LineRest(lines, index, line)
        while rest and rest.stripped_text:
            action = decide_action(book, cursor, rest)
            cursor = action.apply(cursor)
            placings += _placings_of_action(action, rest)
            problems += action.problems
            taken, rest = index + 1 + action.skip, action.rest
        cursor = replace(cursor, blank=False, before=line.text)
    roots = tuple(cursor.tree.roots)
    problems += [*open_end_problems(book, cursor, lines), *problems_of_lists(book, roots)]
    return AssembledDrafts(roots, tuple(placings), tuple(problems), cursor.used)


def decide_action(book: ReadingContext, cursor: Cursor, rest: LineRest) -> Action:
    """Return the action of the first decider that answers for a line, or for the rest of a line."""
    return next(action for decider in DECIDERS if (action := decider(book, cursor, rest)))


def _placings_of_action(action: Action, rest: LineRest) -> Iterator[Placing]:
    """Yield a placing for a line and for each line below it that belongs to the same action (:attr:`Action.skip`)."""
    yield from action.placings(rest.line.number)
    for line in rest.lines[rest.index + 1 : rest.index + 1 + action.skip]:
        if line.text.strip():
            yield Placing(line.number, "title of", action.did_and_path[1], "it stands below the label")


def open_end_problems(book: ReadingContext, cursor: Cursor, lines: list[Line]) -> Iterator[Problem]:
    """Report what is still open when the text ends: a table without its last line, laws that did not come."""
    if cursor.table:
        yield book.problem(
            cursor.table.first,
            f"The table that begins here has no line like “{cursor.table.rule.last}”.",
            "Correct “last” of this [[tables]] in edition.toml.",
        )
    if cursor.expected:
        yield book.problem(
            next((line for line in reversed(lines) if line.text.strip()), Line(1, "", ())),
            f"The text ends without law {cursor.expected[0]}.",
            "Is it cut off, or is the label of that law printed otherwise? Else correct “laws” in edition.toml.",
        )


# ── Declarations of the manifest that no line matched ───────────────────────────────────────────


def unplaced_note_problems(edition: Edition, notes: list[Note]) -> Iterator[Problem]:
    """Report notes that stand before the first part or law, so that nothing can own them."""
    for note in notes:
        if not note.path:
            yield Problem(
                edition.source_name,
                note.number,
                f"A note {note.sign} before the first part or law.",
                "Correct its sign in corrections.tsv, or drop it by a rule.",
            )


def unmarked_note_problems(edition: Edition, notes: list[Note], nodes: tuple[Node, ...]) -> Iterator[Problem]:
    """Report notes that no mark leads to, unless ``unmarked`` of ``[notes]`` names their line."""
    targets = {mark.target for node in nodes for mark in node.marks}
    for note in notes:
        if NodeId.of(edition.id, note.path) not in targets and note.number not in edition.notes.unmarked:
            yield Problem(
                edition.source_name,
                note.number,
                f"Footnote {note.sign} has no mark.",
                "Add the lost mark in corrections.tsv where the note belongs; if that cannot be known, "
                "name this line in “unmarked” of [notes].",
            )


def placements_used_by_notes(edition: Edition, notes: list[Note]) -> frozenset[KeyPath]:
    """Return the places in the manifest of the placements that put a paragraph into a footnote.

    A place is like ``("placements", 0)``.
    """
    placed = {(note.path, number) for note in notes for number in note.begins}
    return frozenset(("placements", n) for n, p in enumerate(edition.placements) if (p.path, p.line) in placed)


def unused_rule_problems(
    edition: Edition, used: frozenset[KeyPath], dropped: set[str], notes: list[Note], paths: set[str], last_line: int
) -> Iterator[Problem]:
    """Report declarations of the manifest that matched nothing. These problems are not fatal.

    ``used`` holds the places in the manifest of what was matched, ``dropped`` the names of drop rules that dropped
    something. ``paths`` are the paths of all nodes, ``last_line`` is the number of the last line of the source.
    """
    defined = any(p.path == "def" for p in edition.parts)
    note = ("notes", "note" if edition.notes.note else "start")
    found: list[tuple[KeyPath, bool, str]] = [
        *(
            (("drop", n, "name"), rule.name in dropped, f"The drop rule “{rule.name}” drops nothing.")
            for n, rule in enumerate(edition.drop)
        ),
        *(
            (
                ("parts", n, "start"),
                ("parts", n) in used,
                f"The part {p.path} never begins: no line is like “{p.start}”.",
            )
            for n, p in enumerate(edition.parts)
        ),
        *(
            (("headed", n, "pattern"), ("headed", n) in used, f"There is no {h.kind}: no line is like “{h.pattern}”.")
            for n, h in enumerate(edition.headed)
        ),
        (
            ("definitions", "entry"),
            not defined or ("definitions",) in used,
            "No definition is found: no line begins one.",
        ),
        (note, edition.notes.numbering == "none" or bool(notes), "No footnote is found: no line begins one."),
    ]
    yield from (_unused_rule_problem(edition, at, finding) for at, met, finding in found if not met)
    yield from (
        _unused_table_problem(edition, n, paths) for n in range(len(edition.tables)) if ("tables", n) not in used
    )
    unplaced = (n for n in range(len(edition.placements)) if ("placements", n) not in used)
    yield from (_unused_placement_problem(edition, n, paths, last_line) for n in unplaced)


def _unused_table_problem(edition: Edition, n: int, paths: set[str]) -> Problem:
    table = edition.tables[n]
    if table.path not in paths:
        finding = f"A table is declared for {table.path}, which the edition does not have."
        return _unused_rule_problem(edition, ("tables", n, "path"), finding, "Correct “path” of this [[tables]].")
    finding = f"There is no table in {table.path} for this rule: no line is left there that is like “{table.first}”."
    return _unused_rule_problem(edition, ("tables", n, "first"), finding)


def _unused_placement_problem(edition: Edition, n: int, paths: set[str], last_line: int) -> Problem:
    placement, later = edition.placements[n], edition.placements[n + 1 :]
    if placement.path not in paths:
        finding = f"The placement of line {placement.line} names {placement.path}, which the edition does not have."
        return _unused_rule_problem(edition, ("placements", n, "path"), finding, "Correct its “path”, or remove it.")
    why = "no line of text stands there, or it was dropped or belongs to a table"
    if placement.line > last_line:
        why = "the text ends before"
    elif placement.is_in_note:
        why = "the line stands below another footnote, or below none"
    elif any(other.line == placement.line for other in later):
        why = "a later one places the line"
    finding = f"The placement of line {placement.line} places nothing: {why}."
    return _unused_rule_problem(edition, ("placements", n, "line"), finding, "Correct its “line”, or remove it.")


def _unused_rule_problem(
    edition: Edition, at: KeyPath, finding: str, move: str = "Correct the pattern, or remove it."
) -> Problem:
    return edition.written.problem(at, finding, move, fatal=False)


# ── The whole reading ───────────────────────────────────────────────────────────────────────────

# The first file corrects characters that scanning or scraping damaged; the second repairs structure (labels, marks,
# torn columns) in a few rows.
CORRECTION_FILES = ("corrections.tsv", "structure.tsv")


def read_source(edition: Edition, language: Language) -> Reading:
    """Read one edition: its nodes, corrections, dropped characters, placings and problems.

    Problems are collected, not raised. When one of them is fatal, the nodes must not be used.
    """
    lines, problems = source.load_source_lines(edition)
    rows, faults = read_all_corrections(edition)
    problems += faults
    text = prepare_text(edition, lines, rows)
    problems += text.problems
    if text.unreadable:
        return Reading(
            edition=edition.id, nodes=(), index=(), corrections=tuple(rows), dropped=(), problems=tuple(problems)
        )
    heads = HeadPatterns.of(edition)
    kept, found, heading = footnotes.take_out_notes(
        text.lines,
        edition.notes,
        edition.paragraphs,
        heads.kind_of_start,
        frozenset(p.line for p in edition.placements if p.is_in_note),
        language.law_word_end_pattern,
        language.word_after_label_pattern,
    )
    removed = text.removed + [
        RemovedText(footnotes.NOTES_HEADING_RULE, line.number, line.text, line.places) for line in heading
    ]
    book = ReadingContext.of(edition, language, heads, kept, frozenset(n.number for n in found))
    assembled = assemble_drafts(book, kept)
    conjunctions = language.reference_words("and") + language.reference_words("or") + language.reference_words("to")
    hyphens = Hyphens(lines, conjunctions) if edition.hyphens == "join" else None
    settled = footnotes.assign_note_paths(found, assembled.roots, edition.notes, hyphens)
    built = build_nodes(edition, lines, assembled.roots, settled, hyphens)
    missing, twice = find_unaccounted_and_repeated(lines, [*built.owned, *(p for r in removed for p in r.places)])
    problems += [
        *assembled.problems,
        *built.problems,
        *unplaced_note_problems(edition, settled),
        *unmarked_note_problems(edition, settled, built.nodes),
    ]
    problems += unaccounted_problems(edition, missing, twice, any(p.fatal for p in problems))
    paths, rules = {n.path for n in built.nodes}, {r.rule for r in removed}
    used = assembled.used | placements_used_by_notes(edition, settled)
    problems += unused_rule_problems(edition, used, rules, settled, paths, len(lines))
    problems += find_misfits(
        UncheckedReading(
            edition=edition,
            book=book,
            conjunctions=frozenset(word.casefold() for word in conjunctions),
            printed=text.printed,
            lines=kept,
            removed=[r for r in text.removed if r.rule in {rule.name for rule in edition.drop}],
            notes=settled,
            roots=assembled.roots,
            placings=assembled.placings,
        )
    )
    return Reading(
        edition=edition.id,
        nodes=built.nodes,
        index=(),
        corrections=tuple(corrections_with_results(rows, built.nodes, built.owned, removed)),
        dropped=tuple(DroppedText(r.rule, r.line, r.text, count_characters(lines, r.places)) for r in removed),
        problems=tuple(sorted(problems, key=lambda p: (not p.fatal, p.file, p.line))),
        unaccounted=tuple(missing),
        owned=count_characters(lines, built.owned),
        placings=_sort_placings(assembled.placings, footnotes.note_placings(settled)),
    )


def read_all_corrections(edition: Edition) -> tuple[list[Correction], list[Problem]]:
    """Return the rows of both correction files in the order of the text, and the problems of the files."""
    rows: list[Correction] = []
    problems: list[Problem] = []
    for name in CORRECTION_FILES:
        more, faults = read_corrections(edition.folder / name, edition.id, f"editions/{edition.id}/{name}")
        rows += more
        problems += faults
    return sorted(rows, key=lambda c: (c.line, c.column)), problems


@dataclass(frozen=True)
class PreparedText:
    """The lines of a text before its footnotes are taken out, what was removed, and the problems.

    ``printed`` holds the lines before the drop rules. ``unreadable`` says that the reading cannot go on.
    """

    lines: list[Line]
    removed: list[RemovedText]
    problems: list[Problem]
    printed: tuple[Line, ...] = ()
    unreadable: bool = False


def prepare_text(edition: Edition, lines: list[str], rows: list[Correction]) -> PreparedText:
    """Return the lines of a source after corrections (``rows``), markup, drop rules and line splits."""
    if not lines:
        return PreparedText([], [], [], unreadable=True)
    printed, removed, problems = apply_corrections(lines, rows, edition.source_name)
    problems += source.control_character_problems(printed, edition.source_name)
    if edition.is_html:
        printed, markup, broken = html.read_markup(printed, edition.drop, edition.source_name)
        removed, problems = removed + markup, problems + broken
        if broken:
            return PreparedText([], [], problems, unreadable=True)
    printed, soft = flow.remove_soft_hyphens(printed)
    removed += soft
    kept = printed
    for rule in edition.drop:
        if rule.scope != "element":
            problems += _endless_block_problems(edition, kept, removed, rule)
            kept, dropped = flow.drop_by_rules(kept, [rule])
            removed = [*removed, *dropped]
    problems += _overlong_split_problems(edition, kept)
    return PreparedText(flow.split_lines(kept, list(edition.split)), removed, problems, tuple(printed))


def _endless_block_problems(
    edition: Edition, lines: list[Line], removed: list[RemovedText], rule: DropRule
) -> Iterator[Problem]:
    """Report a block that no line ends, among the lines that earlier rules left."""
    if rule.scope != "block" or not (line := flow.find_endless_block(lines, rule)):
        return
    before = (r for r in removed if r.line > line.number and compile_pattern(rule.until).fullmatch(r.text.strip()))
    if gone := next(before, None):
        yield Problem(
            edition.source_name,
            line.number,
            f"The block “{rule.name}” begins here and never ends: the line that is like “{rule.until}”, line "
            f"{gone.line}, is dropped by “{gone.rule}” before.",
            "Put this [[drop]] above the other one in edition.toml, or let “until” be the next line that stays.",
        )
        return
    yield Problem(
        edition.source_name,
        line.number,
        f"The block “{rule.name}” begins here and never ends: no line is like “{rule.until}”.",
        "Correct “until” of this [[drop]] in edition.toml.",
    )


def _overlong_split_problems(edition: Edition, lines: list[Line]) -> Iterator[Problem]:
    for n, rule in enumerate(edition.split):
        for number, text in flow.find_overlong_split(lines, rule):
            yield edition.written.problem(
                ("split", n, "pattern"),
                f"The pattern of the split rule “{rule.name}” matches “{text}” in line {number}.",
                "It must match the empty place of the break: put what stands around it into (?<=…) and (?=…).",
            )


def _sort_placings(placed: tuple[Placing, ...], noted: Iterator[Placing]) -> tuple[Placing, ...]:
    return tuple(sorted([*placed, *noted], key=lambda placing: placing.line))
