"""What the manifest declares and the text never shows, and footnotes that nothing leads to."""

from __future__ import annotations

from collections.abc import Iterator

from corpus.checked.toml import At
from corpus.edition import Edition
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


def placed_in_notes(edition: Edition, notes: list[Note]) -> frozenset[At]:
    """Places in the manifest of what put a paragraph into the footnote that it names."""
    placed = {(note.path, number) for note in notes for number in note.begins}
    return frozenset(("placements", n) for n, p in enumerate(edition.placements) if (p.path, p.line) in placed)


def idle(
    edition: Edition, used: frozenset[At], dropped: set[str], notes: list[Note], paths: set[str], last_line: int
) -> Iterator[Problem]:
    """Declarations that met nothing; worth a look, not fatal. ``used``: places in the manifest of what was met;
    ``dropped``: names of drop rules that were.
    """
    defined = any(p.path == "def" for p in edition.parts)
    note = ("notes", "note" if edition.notes.note else "start")
    found: list[tuple[At, bool, str]] = [
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
    yield from (_idle(edition, at, finding) for at, met, finding in found if not met)
    yield from (_idle_table(edition, n, paths) for n in range(len(edition.tables)) if ("tables", n) not in used)
    unplaced = (n for n in range(len(edition.placements)) if ("placements", n) not in used)
    yield from (_idle_placement(edition, n, paths, last_line) for n in unplaced)


def _idle_table(edition: Edition, n: int, paths: set[str]) -> Problem:
    table = edition.tables[n]
    if table.path not in paths:
        finding = f"A table is declared for {table.path}, which the edition does not have."
        return _idle(edition, ("tables", n, "path"), finding, "Correct “path” of this [[tables]].")
    finding = f"There is no table in {table.path} for this rule: no line is left there that is like “{table.first}”."
    return _idle(edition, ("tables", n, "first"), finding)


def _idle_placement(edition: Edition, n: int, paths: set[str], last_line: int) -> Problem:
    placement, later = edition.placements[n], edition.placements[n + 1 :]
    if placement.path not in paths:
        finding = f"The placement of line {placement.line} names {placement.path}, which the edition does not have."
        return _idle(edition, ("placements", n, "path"), finding, "Correct its “path”, or remove it.")
    why = "no line of text stands there, or it was dropped or belongs to a table"
    if placement.line > last_line:
        why = "the text ends before"
    elif placement.in_note:
        why = "the line stands below another footnote, or below none"
    elif any(other.line == placement.line for other in later):
        why = "a later one places the line"
    finding = f"The placement of line {placement.line} places nothing: {why}."
    return _idle(edition, ("placements", n, "line"), finding, "Correct its “line”, or remove it.")


def _idle(edition: Edition, at: At, finding: str, move: str = "Correct the pattern, or remove it.") -> Problem:
    return edition.written.problem(at, finding, move, fatal=False)
