"""The printed subject index of an edition: entry → sub-entry → provisions.

``printed`` what each line is · ``entries`` entry or sub-entry · ``columns`` terms and numbers that the scan tore
apart · ``targets`` what the numbers mean. What the rules cannot decide is in the edition's ``index.tsv``, with the
reason.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from corpus.alphabet import fold
from corpus.checked import tsv
from corpus.edition import Edition
from corpus.language import Language
from corpus.model import IndexEntry, Node, NodeId, Problem
from corpus.subject_index.columns import blocks, pair
from corpus.subject_index.entries import entries
from corpus.subject_index.printed import Row, remarks, rows
from corpus.subject_index.targets import Provisions

REVIEWED = "index.tsv"
_COLUMNS = ("line", "is", "numbers", "reason")
_ROLES = ("entry", "subentry", "")


@dataclass(frozen=True)
class Reviewed:
    """What a reviewer decided: which lines are entries (or not), and on which line the numbers of a term stand (None:
    it has none).
    """

    is_entry: dict[int, bool]
    numbers: dict[int, int | None]


def parse(
    nodes: list[Node], edition: Edition, language: Language
) -> tuple[list[Node], list[IndexEntry], list[Problem]]:
    """Nodes, index entries, problems; an edition without an index has none."""
    node = next((n for n in nodes if n.path == "index"), None)
    if node is None or not (edition.index.see or edition.index.definition):
        return nodes, [], []
    printed = rows(node, edition)
    if printed is None:
        return (
            nodes,
            [],
            [
                Problem(
                    edition.file,
                    node.source_spans[0][0],
                    "The lines of the index run together.",
                    "Set “lines = true” for its part in edition.toml.",
                )
            ],
        )
    reviewed, problems = _reviewed(edition.folder / REVIEWED, f"editions/{edition.id}/{REVIEWED}")
    provisions = Provisions(nodes, edition, language.alphabet)
    heads = entries(printed, set(provisions.names), reviewed.is_entry, language.alphabet)
    under = _entry_of_each(printed, heads)
    printed, more = _joined(printed, heads, under, provisions, reviewed, edition)
    found, missing = _rows_of_entries(printed, heads, under, provisions, edition)
    read = replace(node, remarks=remarks(node, edition.index))
    nodes = [read if n is node else n for n in nodes]
    return nodes, found, problems + more + missing


def _reviewed(path: Path, name: str) -> tuple[Reviewed, list[Problem]]:
    out, sheet = Reviewed({}, {}), tsv.read_tsv(path, name, _COLUMNS)
    problems = list(sheet.problems)
    for number, row in sheet.rows:
        line, is_, numbers, reason = row.values()
        at, numbers_at = tsv.number(line), tsv.number(numbers)
        if not at or is_ not in _ROLES or not (numbers_at or numbers in ("", "-")) or not reason:
            move = "Write line, “entry” or “subentry” or nothing, the line of its numbers or “-” or nothing, and why."
            problems.append(sheet.problem(number, f"Not a decision: {list(row.values())}.", move))
            continue
        if is_:
            out.is_entry[at] = is_ == "entry"
        if numbers:
            out.numbers[at] = numbers_at or None
    return out, problems


def _entry_of_each(printed: list[Row], heads: set[int]) -> dict[int, str]:
    """Line of a term → the entry that it is or stands under."""
    out, entry = {}, ""
    for row in printed:
        if row.term:
            entry = row.term if row.line in heads else entry
            out[row.line] = entry
    return out


def _joined(
    printed: list[Row],
    heads: set[int],
    under: dict[int, str],
    provisions: Provisions,
    reviewed: Reviewed,
    edition: Edition,
) -> tuple[list[Row], list[Problem]]:
    """The rows with torn numbers back at their terms."""
    terms = [r for r in printed if r.term]
    over = {a.line for a, b in pairwise(terms) if a.line in heads and b.line not in heads}
    over |= {a.line for a, b in pairwise(printed) if a.kind == "term" and b.kind == "see" and not b.term}
    numbers_of: dict[int, Row] = {}
    problems = []
    for names, numbers in blocks(printed):
        fixed = {line: at for line, at in reviewed.numbers.items() if any(t.line == line for t in names)}
        paired = pair(names, numbers, lambda t, n: provisions.suits(n.numbers, t.term, under[t.line]), over, fixed)
        if not paired:
            problems.append(
                Problem(
                    edition.file,
                    numbers[0].line,
                    f"{len(numbers)} lines of numbers for {len(names)} terms of the index.",
                    "Is a number read as two lines, or a page number among them? "
                    f"Say in {REVIEWED} which numbers belong to which term.",
                    False,
                )
            )
        numbers_of |= paired
    return [
        replace(r, numbers=numbers_of[r.line].numbers) if r.line in numbers_of else r
        for r in printed
        if r.kind != "numbers"
    ], problems


def _rows_of_entries(
    printed: list[Row], heads: set[int], under: dict[int, str], provisions: Provisions, edition: Edition
) -> tuple[list[IndexEntry], list[Problem]]:
    claimed = {path for r in printed if r.term for path in provisions.exact(r.term)}
    names = {fold(r.term): r.term for r in printed if r.line in heads}
    out: list[IndexEntry] = []
    problems = []
    for row in printed:
        see = (names.get(fold(row.entry), row.entry),) if row.kind == "see" else ()
        if not row.term:
            if out:
                out[-1] = replace(out[-1], see=out[-1].see + see)
            continue
        targets = []
        for number in row.numbers:
            for path in provisions.paths(number, row.term, under[row.line], claimed):
                if path not in provisions.by_path:
                    problems.append(
                        Problem(
                            edition.file,
                            row.line,
                            f"The index leads to {number}, which this edition does not have.",
                            "Correct a misread number in corrections.tsv; a misprint of the book stays.",
                            False,
                        )
                    )
                elif (id_ := NodeId.of(edition.id, path)) not in targets:
                    targets.append(id_)
        entry = under[row.line]
        out.append(
            IndexEntry(
                edition=edition.id,
                entry=entry,
                subentry=None if row.line in heads else row.term,
                targets=tuple(targets),
                see=see,
                line=row.line,
            )
        )
    return out, problems
