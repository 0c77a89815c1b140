"""The reader: one function from an edition's folder to its :class:`~corpus.model.Reading`."""
from __future__ import annotations

import re

from corpus import edition as manifest
from corpus.edition import Edition
from corpus.language import Language
from corpus.model import Problem, Reading
from corpus.reading import layout, notes, published, source
from corpus.reading.assemble import Assembler
from corpus.reading.labels import LabelReader
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
    problems += misfits
    kept, dropped = layout.drop(printed, list(edition.drop))
    dropped += removed
    kept = layout.split(kept, list(edition.split))
    kept, found_notes = notes.lift(kept, edition.notes, _structural(edition))
    assembler = Assembler(edition, language.reference_word_before)
    assembler.run(kept)
    problems += assembler.problems
    builder = Builder(edition, lines, found_notes)
    nodes = builder.build(assembler.roots)
    problems += builder.problems
    problems += _unmarked(edition, found_notes)
    account = [p for _, p in builder.owned] + [p for _, places in dropped for p in places]
    unaccounted, twice = _audit(lines, account)
    problems += [Problem(edition.file, line, f"Column {column}: the character “{char}” went into two nodes.", "Report this with the line: it is an error of the reader.") for line, column, char in twice[:5]]
    last = assembler.expect_law - 1
    if last and edition.laws[1] > last:
        problems.append(Problem(edition.file, len(lines), f"The last law is {last}, the manifest promises {edition.laws[1]}.", "Is the text cut off? Else correct “laws” in edition.toml."))
    return Reading(edition.id, tuple(nodes), (), tuple(rows), tuple(d for d, _ in dropped), tuple(problems), tuple(unaccounted))


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
    return [Problem(edition.file, n.number, f"Footnote {n.sign} has no mark.", "Add the lost mark in corrections.tsv where the note belongs, if that can be known.", False)
            for n in found if not n.marked]


def _audit(lines: list[str], account) -> tuple[list, list]:
    """Non-blank characters of the source that nobody owns, and those owned twice: (line, column, character)."""
    count: dict[tuple[int, int], int] = {}
    for line, start, end in account:
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
