"""The reader: one function from an edition's folder to its :class:`~corpus.model.Reading`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from corpus import corrected
from corpus.account import Dropped, Reading
from corpus.edition import Edition
from corpus.label.printed import LabelReader
from corpus.language import Language
from corpus.model import Correction, Node, Problem
from corpus.reading import html, layout, notes, published, source
from corpus.reading.assemble import Assembler
from corpus.reading.tree import Builder

# Characters that scanning or scraping damaged, and the few rows that mend structure (labels, marks, torn columns).
CORRECTIONS = ("corrections.tsv", "structure.tsv")


def read(edition: Edition, language: Language) -> Reading:
    """Read one edition. Problems are collected, not raised; with a fatal one the nodes must not be used."""
    lines, problems = source.load(edition.folder / edition.source, edition.sha256, edition.file)
    rows = []
    for name in CORRECTIONS:
        more, bad_rows = published.read_corrections(edition.folder / name, edition.id, f"editions/{edition.id}/{name}")
        rows, problems = sorted(rows + more, key=lambda c: (c.line, c.column)), problems + bad_rows
    if not lines:
        return Reading(edition.id, (), (), tuple(rows), (), tuple(problems))
    printed, removed, misfits = published.publish(lines, rows, edition.file)
    problems += misfits + source.strange(printed, edition.file)
    if edition.is_html:
        printed, markup, broken = html.read(printed, edition.drop, edition.file)
        removed, problems = removed + markup, problems + broken
        if broken:
            return Reading(edition.id, (), (), tuple(rows), (), tuple(problems))
    problems += [
        Problem(
            edition.file,
            line.number,
            f"The block “{rule.name}” begins here and never ends: no line is like “{rule.until}”.",
            "Correct “until” of this [[drop]] in edition.toml.",
        )
        for rule in edition.drop
        if rule.scope == "block" and (line := layout.endless(printed, rule))
    ]
    kept, dropped = layout.drop(printed, [r for r in edition.drop if r.scope != "element"])
    dropped += removed
    problems += [
        Problem(
            edition.manifest_file,
            edition.manifest_line(rule.pattern),
            f"The pattern of the split rule “{rule.name}” matches “{words}” in line {number}.",
            "It must match the empty place of the break: put what stands around it into (?<=…) and (?=…).",
        )
        for rule in edition.split
        for number, words in layout.eaten(kept, rule)
    ]
    kept = layout.split(kept, list(edition.split))
    kept, found_notes, notes_heading = notes.lift(kept, edition.notes, edition.paragraphs, _structural(edition))
    dropped += [(Dropped(notes.HEADING_RULE, l.number, l.text), l.places) for l in notes_heading]
    assembler = Assembler(edition, language, frozenset(n.number for n in found_notes))
    assembler.run(kept)
    problems += assembler.problems
    builder = Builder(edition, lines, found_notes, language.words("and") + language.words("or") + language.words("to"))
    nodes = builder.build(assembler.roots)
    problems += builder.problems
    problems += _unmarked(edition, found_notes)
    owned = [p for _, p in builder.owned]
    unaccounted, twice = _audit(lines, owned + [p for _, places in dropped for p in places])
    problems += [
        Problem(
            edition.file,
            line,
            f"Column {column}: the character “{char}” went into two nodes.",
            "Report this with the line: it is an error of the reader.",
        )
        for line, column, char in twice[:5]
    ]
    if not any(p.fatal for p in problems):
        problems += [
            Problem(
                edition.file,
                line,
                f"Column {column}: “{char}” is in no node and dropped by no rule.",
                "Does a pattern of edition.toml leave it out? Correct the pattern.",
            )
            for line, column, char in unaccounted[:5]
        ]
    problems += _idle(
        edition, assembler.used, {d.rule for d, _ in dropped}, found_notes, {n.path for n in nodes}, len(lines)
    )
    problems.sort(key=lambda p: (not p.fatal, p.file, p.line))
    return Reading(
        edition.id,
        tuple(nodes),
        (),
        tuple(_became(rows, nodes, builder, dropped)),
        tuple(replace(d, size=_size(lines, places)) for d, places in dropped),
        tuple(problems),
        tuple(unaccounted),
        owned=_size(lines, owned),
    )


def _structural(edition: Edition):
    """A test for lines that no footnote may swallow: ``law``, ``label``, ``head`` or False."""
    law, *others = [LabelReader(level) for level in edition.levels]
    heads = [re.compile(h.pattern) for h in edition.headed] + [re.compile(p.start) for p in edition.parts]

    def test(line):
        if law.read(line.text):
            return "law"
        if any(p.match(line.text.strip()) for p in heads):
            return "head"
        return "label" if any(r.read(line.text) for r in others) else False

    return test


def _unmarked(edition: Edition, found: list[notes.Note]) -> list[Problem]:
    return [
        Problem(
            edition.file,
            n.number,
            f"Footnote {n.sign} has no mark.",
            "Add the lost mark in corrections.tsv where the note belongs; if that cannot be known, name this line in “unmarked” of [notes].",
        )
        for n in found
        if not n.marked and n.number not in edition.notes.unmarked
    ]


def _became(rows: list[Correction], nodes: list[Node], builder: Builder, dropped: list) -> Iterator[Correction]:
    """The corrections, and what those became that are no words of a node."""
    drawn = {row.correction for row in corrected.drawn(nodes, rows)}
    signs = {(p.line, p.column + 1, p.width) for _, p in builder.owned}
    gone = {(p.line, column) for _, places in dropped for p in places for column in range(p.start + 1, p.end + 1)}
    for row in rows:
        if row not in drawn:
            sign = (row.line, row.column, len(row.source)) in signs
            left_out = any(
                (row.line, column) in gone for column in range(row.column, row.column + max(len(row.source), 1))
            )
            row = replace(row, became="sign" if sign else "dropped" if left_out else "layout")
        yield row


def _idle(
    edition: Edition, used: set, rules: set[str], found: list[notes.Note], paths: set[str], last_line: int
) -> list[Problem]:
    """What the manifest declares and the text never shows; worth a look, not fatal."""
    out = []

    def idle(finding: str, *words: str, move: str = "Correct the pattern, or remove it."):
        out.append(Problem(edition.manifest_file, edition.manifest_line(*words), finding, move, False))

    for rule in edition.drop:
        if rule.name not in rules:
            idle(f"The drop rule “{rule.name}” drops nothing.", rule.name)
    for part in edition.parts:
        if part not in used:
            idle(f"The part {part.path} never begins: no line is like “{part.start}”.", part.start)
    for headed in edition.headed:
        if headed not in used:
            idle(f"There is no {headed.kind}: no line is like “{headed.pattern}”.", headed.pattern)
    for table in edition.tables:
        if table not in used and table.path not in paths:
            idle(
                f"A table is declared for {table.path}, which the edition does not have.",
                f'path = "{table.path}"',
                move="Correct “path” of this [[tables]].",
            )
        elif table not in used:
            idle(f"There is no table in {table.path}: no line there is like “{table.first}”.", table.first)
    for placement in edition.placements:
        if placement.path not in paths:
            idle(
                f"The placement of line {placement.line} names {placement.path}, which the edition does not have.",
                f"line = {placement.line}",
                move="Correct its “path”, or remove it.",
            )
        elif placement.line not in used:
            why = (
                "the text ends before"
                if placement.line > last_line
                else "no line of text stands there, or it was dropped or belongs to a table"
            )
            idle(
                f"The placement of line {placement.line} places nothing: {why}.",
                f"line = {placement.line}",
                move="Correct its “line”, or remove it.",
            )
    if any(p.path == "def" for p in edition.parts) and edition.definitions not in used:
        idle("No definition is found: no line begins one.", edition.definitions.entry, "[definitions]")
    if edition.notes.numbering != "none" and not found:
        idle("No footnote is found: no line begins one.", edition.notes.note, edition.notes.start, "[notes]")
    return out


def _size(lines: list[str], places) -> int:
    """How many non-blank characters of the source some places answer for."""
    return sum(not c.isspace() and c != "\ufeff" for p in places for c in lines[p.line - 1][p.start : p.end])


def _audit(lines: list[str], account) -> tuple[list, list]:
    """Non-blank characters of the source that nobody owns, and those owned twice: (line, column, character)."""
    count: dict[tuple[int, int], int] = {}
    for line, start, end, *_ in account:
        for column in range(start, end):
            count[line, column] = count.get((line, column), 0) + 1
    missing, twice = [], []
    for number, line in enumerate(lines, 1):
        for column, char in enumerate(line):
            if char.isspace() or char == "\ufeff":
                continue
            n = count.get((number, column), 0)
            if n != 1:
                (missing if n == 0 else twice).append((number, column + 1, char))
    return missing, twice
