"""What the manifest declares and the text never shows, and footnotes that nothing leads to."""

from __future__ import annotations

from collections.abc import Iterator

from corpus.edition import Edition
from corpus.edition.print import Placement
from corpus.model import Node, NodeId, Problem
from corpus.reading.notes import Note


def without_place(edition: Edition, notes: list[Note]) -> Iterator[Problem]:
    """Settled notes that stand before anything could own them."""
    for note in notes:
        if not note.path:
            yield Problem(
                edition.file,
                note.number,
                f"A note {note.sign} before the first part or law.",
                "Correct its sign in corrections.tsv, or drop it by a rule.",
            )


def unmarked(edition: Edition, notes: list[Note], nodes: tuple[Node, ...]) -> Iterator[Problem]:
    """Settled notes that no mark leads to."""
    targets = {mark.target for node in nodes for mark in node.marks}
    for note in notes:
        if NodeId.of(edition.id, note.path) not in targets and note.number not in edition.notes.unmarked:
            yield Problem(
                edition.file,
                note.number,
                f"Footnote {note.sign} has no mark.",
                "Add the lost mark in corrections.tsv where the note belongs; if that cannot be known, "
                "name this line in “unmarked” of [notes].",
            )


def idle(
    edition: Edition, used: frozenset[object], dropped: set[str], notes: list[Note], paths: set[str], last_line: int
) -> Iterator[Problem]:
    """Declarations that met nothing; worth a look, not fatal. ``used``: rules and lines of placements that were met;
    ``dropped``: names of drop rules that were.
    """
    found = [
        *((rule.name in dropped, f"The drop rule “{rule.name}” drops nothing.", rule.name) for rule in edition.drop),
        *(
            (part in used, f"The part {part.path} never begins: no line is like “{part.start}”.", part.start)
            for part in edition.parts
        ),
        *(
            (headed in used, f"There is no {headed.kind}: no line is like “{headed.pattern}”.", headed.pattern)
            for headed in edition.headed
        ),
    ]
    for met, finding, words in found:
        if not met:
            yield _idle(edition, finding, words)
    yield from _idle_tables(edition, used, paths)
    for placement in edition.placements:
        yield from _idle_placement(edition, placement, used, paths, last_line)
    if any(p.path == "def" for p in edition.parts) and edition.definitions not in used:
        yield _idle(edition, "No definition is found: no line begins one.", edition.definitions.entry, "[definitions]")
    if edition.notes.numbering != "none" and not notes:
        yield _idle(
            edition, "No footnote is found: no line begins one.", edition.notes.note, edition.notes.start, "[notes]"
        )


def _idle_tables(edition: Edition, used: frozenset[object], paths: set[str]) -> Iterator[Problem]:
    for table in edition.tables:
        if table not in used and table.path not in paths:
            yield _idle(
                edition,
                f"A table is declared for {table.path}, which the edition does not have.",
                f'path = "{table.path}"',
                move="Correct “path” of this [[tables]].",
            )
        elif table not in used:
            yield _idle(
                edition, f"There is no table in {table.path}: no line there is like “{table.first}”.", table.first
            )


def _idle_placement(
    edition: Edition, placement: Placement, used: frozenset[object], paths: set[str], last_line: int
) -> Iterator[Problem]:
    if placement.path not in paths:
        finding = f"The placement of line {placement.line} names {placement.path}, which the edition does not have."
        yield _idle(edition, finding, f"line = {placement.line}", move="Correct its “path”, or remove it.")
    elif placement.line not in used:
        why = (
            "the text ends before"
            if placement.line > last_line
            else "no line of text stands there, or it was dropped or belongs to a table"
        )
        finding = f"The placement of line {placement.line} places nothing: {why}."
        yield _idle(edition, finding, f"line = {placement.line}", move="Correct its “line”, or remove it.")


def _idle(edition: Edition, finding: str, *words: str, move: str = "Correct the pattern, or remove it.") -> Problem:
    """``words``: what to look for in the manifest, the first that stands there tells the line."""
    return Problem(edition.written.name, edition.written.naming(*words), finding, move, False)
