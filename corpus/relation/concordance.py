"""Reads the reviewed concordance tables, ``concordances/*.tsv``, and checks them.

A row says how a provision of an older edition corresponds to one of a newer edition. :func:`read_tables` returns the
sound rows and a problem for each fault. :func:`relation_of` is the rule which relation two paths have.
:func:`pairs_to_review` lists where a table and the computed alignment differ.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from corpus import files
from corpus.model import LocalizedSentences, Pair, Problem

RELATIONS = ("same", "reworded", "moved", "split", "merged", "new", "dropped")
CAUSES = ("code", "translation", "unknown")
NO_RELATION = "none"
HEADING = "heading"
# Column → the values that its cells may have; an empty cell means the first.
ALLOWED_CELLS = {"reworded": ("no", "yes"), "confidence": ("high", "low"), "part": ("", HEADING)}
OTHER_COLUMNS = ("relation", "reworded", "cause", "confidence", "part", "note", "through")
NOTE_PREFIX = "note_"  # followed by a language code: the column with the sentence that pages show on a difference


@dataclass(frozen=True)
class ConcordanceRow:
    """One reviewed correspondence of ``older`` and ``newer``, two paths; None where the edition has nothing.

    ``place`` is (file, line) of the table. ``heading`` says that only the headings correspond. ``through`` names a
    third edition when the row contradicts what the alignments through that edition yield. ``difference`` is what pages
    say on the difference, by language.
    """

    older: str | None
    newer: str | None
    relation: str
    reworded: bool
    cause: str | None
    confident: bool
    heading: bool
    remark: str
    through: str
    place: tuple[str, int]
    difference: LocalizedSentences = field(default_factory=LocalizedSentences)

    @property
    def is_different(self) -> bool:
        """Whether words changed, were added, were dropped or moved: then pages say what differs."""
        return self.reworded or self.relation not in ("same", NO_RELATION)


@dataclass(frozen=True)
class ConcordanceTable:
    """The rows of one file, between two editions.

    ``through`` names a third edition when the rows are exceptions to what the alignments through that edition yield.
    """

    older: str
    newer: str
    rows: tuple[ConcordanceRow, ...]
    through: str = ""


# (edition, path) → whether the edition has it; None when the edition was not read.
HasNode = Callable[[str, str], "bool | None"]


def read_tables(
    folder: Path, has_node: HasNode, known: frozenset[str], codes: dict[str, str]
) -> tuple[list[ConcordanceTable], list[Problem]]:
    """Return the reviewed rows between any two editions, without faulty ones, and a problem for each fault.

    A table that names an edition without a folder is left out, with a problem that is not fatal. ``known`` holds the
    ids of all editions. ``codes`` maps each edition that was read to its code of laws, the older editions first.
    """
    rows: dict[tuple[str, str, str], list[ConcordanceRow]] = defaultdict(list)
    problems = []
    for path in sorted(folder.glob("*.tsv")):
        names, found, faults = _read_table(path, has_node, known, codes)
        problems += faults
        for row in found:
            rows[names[0], names[1], row.through].append(row)
    for (_, _, through), found in rows.items():
        problems += [] if through else _inconsistent_relation_problems(found)
    return [
        ConcordanceTable(older, newer, tuple(found), through) for (older, newer, through), found in rows.items()
    ], problems


def _read_table(
    path: Path, has_node: HasNode, known: frozenset[str], codes: dict[str, str]
) -> tuple[tuple[str, ...], list[ConcordanceRow], list[Problem]]:
    """Return (the two editions of the header, the sound rows, the problems) of one file.

    ``known`` and ``codes`` are as in :func:`read_tables`.
    """
    sheet = files.read_tsv(path, f"concordances/{path.name}")
    if sheet.problems and not sheet.columns:
        return (), [], list(sheet.problems)
    spoken = tuple(c for c in sheet.columns if c.startswith(NOTE_PREFIX))
    named = tuple(c for c in sheet.columns if c not in (*OTHER_COLUMNS, *spoken))
    if wrong := _header_fault(named, known, codes):
        gone = len(named) == 2 and not known.issuperset(named)
        return (), [], [replace(sheet.problem(1, *wrong), fatal=not gone)]
    rows, problems = [], list(sheet.problems)
    for number, cells in sheet.rows:
        row = _parse_row(cells, named, spoken, (sheet.name, number))
        if (
            fault := _fault_of_cells(cells)
            or _row_fault(row, named, has_node, codes)
            or _missing_language_fault(row, spoken)
        ):
            problems.append(sheet.problem(number, *fault))
        else:
            rows.append(row)
    return named, rows, problems


def _header_fault(named: tuple[str, ...], known: frozenset[str], codes: dict[str, str]) -> tuple[str, str] | None:
    """Return (finding, next move) when the columns of editions are wrong; None when they are right.

    ``named`` are these columns, ``known`` the ids of all editions. ``codes`` maps an edition to its code, the older
    first.
    """
    for edition in named:
        if edition not in known:
            return f"The column “{edition}” is no edition.", f"Name it by the id of one, or {', '.join(OTHER_COLUMNS)}."
    if len(named) != 2:
        return f"The table has {len(named)} columns of editions.", "A table is of two editions: make one for each pair."
    order = list(codes)
    if all(e in codes for e in named) and order.index(named[0]) > order.index(named[1]):
        return (
            f"{named[1]} is older than {named[0]}.",
            "The older edition stands first; exchange the columns, and new with dropped.",
        )
    return None


def _parse_row(
    data: dict[str, str], named: Sequence[str], spoken: Sequence[str], place: tuple[str, int]
) -> ConcordanceRow:
    """Return a line of the table as a row. ``data`` maps column to cell; ``place`` is (file, line).

    ``named`` are the columns of the two editions, ``spoken`` the columns of sentences that pages show.
    """
    relation = data.get("relation", "")
    reworded = data.get("reworded", "") == "yes" or relation == "reworded"
    return ConcordanceRow(
        older=data[named[0]] or None,
        newer=data[named[1]] or None,
        relation=relation,
        reworded=reworded,
        cause=data.get("cause") or None,
        confident=data.get("confidence") != "low",
        heading=data.get("part") == HEADING,
        remark=data.get("note", ""),
        through=data.get("through", ""),
        place=place,
        difference=LocalizedSentences(
            {c.removeprefix(NOTE_PREFIX): data[c] for c in spoken if data.get(c, "").strip()}
        ),
    )


# (finding, next move)
FindingAndMove = tuple[str, str]


def _fault_of_cells(cells: dict[str, str]) -> FindingAndMove | None:
    """Return the fault of the first cell with a value that its column does not allow, or None."""
    for column, allowed in ALLOWED_CELLS.items():
        if (cell := cells.get(column, "")) not in ("", *allowed):
            return f"“{column}” is “{cell}”.", f"Write {' or '.join(filter(None, allowed))}, or nothing."
    return None


def _row_fault(
    row: ConcordanceRow, named: Sequence[str], has_node: HasNode, codes: dict[str, str]
) -> FindingAndMove | None:
    """Return what is wrong with a row, judged without the other rows, or None. ``named`` are the two editions."""
    for edition, path in zip(named, (row.older, row.newer), strict=True):
        if path and has_node(edition, path) is False:
            return f"{edition} has no {path}.", "Correct the path, or empty the cell."
    if row.through and not row.remark:
        return "An exception does not say why.", "Write the reason into the note."
    one_code = codes.get(named[0], named[0]) == codes.get(named[1], named[1])
    return _fault_of_relation(row) or _fault_of_cause(row, one_code)


def _missing_language_fault(row: ConcordanceRow, spoken: Sequence[str]) -> FindingAndMove | None:
    """Return a fault naming the languages that lack the sentence on the difference, or None.

    ``spoken`` are the columns of these sentences, one for each language.
    """
    written = set(row.difference)
    lacking = [c for c in spoken if c.removeprefix(NOTE_PREFIX) not in written]
    if lacking and (row.is_different or row.difference):
        return f"What differs is not said in {', '.join(lacking)}.", "Write it in every language of the table."
    return None


def _fault_of_relation(row: ConcordanceRow) -> FindingAndMove | None:
    """Return what is wrong with the relation of a row, or None."""
    allowed = (*RELATIONS, NO_RELATION) if row.through else RELATIONS
    if row.relation not in allowed:
        return f"The relation is “{row.relation}”.", f"Write one of: {', '.join(allowed)}."
    if row.relation in ("new", "dropped") and bool(row.older) == bool(row.newer):
        return (
            f"“{row.relation}” stands beside two provisions or none.",
            "Leave one of the cells empty, or write the relation of the two.",
        )
    if row.relation not in ("new", "dropped", NO_RELATION) and not (row.older and row.newer):
        return f"“{row.relation}” needs a provision on both sides.", "Write new or dropped, or fill in the empty cell."
    if row.relation == "same" and row.reworded:
        return (
            "“same” says that nothing of substance changed, “reworded” says yes.",
            "Write the relation reworded, or take the yes away.",
        )
    return None


def _fault_of_cause(row: ConcordanceRow, one_code: bool) -> FindingAndMove | None:
    """Return what is wrong with the cause of a row, or None. ``one_code``: both editions have the same code of laws."""
    if row.cause and row.cause not in CAUSES:
        return f"The cause is “{row.cause}”.", f"Write one of: {', '.join(CAUSES)}."
    if row.cause and not (row.reworded or row.relation in ("new", "dropped")):
        return f"The cause “{row.cause}” stands where nothing changed.", (
            "Write yes under reworded, or take the cause away."
        )
    if row.cause == "code" and one_code:
        return "Two texts of one code differ, and the cause is “code”.", "Write translation, or unknown."
    return None


def _inconsistent_relation_problems(rows: Sequence[ConcordanceRow]) -> list[Problem]:
    """Return a problem for each row whose relation does not follow from the whole table.

    The relation follows from how many partners the two provisions have, and from their paths (:func:`relation_of`).
    """
    pairs = [r for r in rows if r.older and r.newer and not r.heading]
    olders, newers = Counter(r.older for r in pairs), Counter(r.newer for r in pairs)
    twice = Counter((r.older, r.newer) for r in pairs)
    out = []
    for r in pairs:
        fits = relation_of(r.older or "", r.newer or "", olders[r.older], newers[r.newer], r.reworded)
        if twice[r.older, r.newer] > 1:
            out.append(
                Problem(*r.place, f"The pair {r.older} ~ {r.newer} stands in the table twice.", "Keep one of the rows.")
            )
        elif r.relation != fits:
            out.append(
                Problem(
                    *r.place,
                    f"The relation of {r.older} ~ {r.newer} is “{r.relation}”, the table as a whole makes it “{fits}”.",
                    "Correct the relation, or the rows of these provisions.",
                )
            )
    return out


def relation_of(older: str, newer: str, partners: int, back: int, reworded: bool) -> str:
    """Return the relation of two corresponding paths (contract, section 4).

    ``partners`` is how many counterparts the provision of the older edition has, ``back`` how many that of the newer
    one.

    >>> relation_of("16/C", "16/D", 1, 1, True), relation_of("12/A", "12/A", 2, 1, False)
    ('moved', 'split')
    """
    if partners > 1:
        return "split"
    if back > 1:
        return "merged"
    if older != newer:
        return "moved"
    return "reworded" if reworded else "same"


def pairs_to_review(
    links: Iterable[Pair], proposed: dict[tuple[str, str], float], older: str, newer: str
) -> list[tuple[str, str, str]]:
    """Return (older path, newer path, reason) where the table of two editions and the computed alignment differ.

    Without a table every proposed pair is returned.
    """
    reviewed = {
        (p.a.path if p.a else "", p.b.path if p.b else "")
        for p in links
        if (p.older, p.newer, p.basis) == (older, newer, "reviewed") and not p.via
    }
    why = "computed, the table has another decision" if reviewed else "computed, not reviewed"
    out = [(x, y, why) for (x, y) in proposed if (x, y) not in reviewed]
    return out + [
        (x, y, "in the table, not computed") for x, y in sorted(reviewed) if x and y and (x, y) not in proposed
    ]
