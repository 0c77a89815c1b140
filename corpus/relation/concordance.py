"""What a reviewer of two editions looks at."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpus import files
from corpus.model import LocalizedSentences, Pair, Problem

RELATIONS = ("same", "reworded", "moved", "split", "merged", "new", "dropped")
CAUSES = ("code", "translation", "unknown")
NO_RELATION = "none"
HEADING = "heading"
# What the cells of a column may say; an empty one is the first.
ALLOWED_CELLS = {"reworded": ("no", "yes"), "confidence": ("high", "low"), "part": ("", HEADING)}
OTHER_COLUMNS = ("relation", "reworded", "cause", "confidence", "part", "note", "through")
NOTE_PREFIX = "note_"  # before the code of a language: the column of what pages say


@dataclass(frozen=True)
class ConcordanceRow:
    """One reviewed correspondence of ``older`` and ``newer``; ``place`` is file and line of the table."""

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
    difference: LocalizedSentences = ()

    @property
    def is_different(self) -> bool:
        """Whether words changed, came, went or stand elsewhere: then pages say what."""
        return self.reworded or self.relation not in ("same", NO_RELATION)


@dataclass(frozen=True)
class ConcordanceTable:
    """The rows of one file, between two editions; ``through`` when they are exceptions of the way over a third one."""

    older: str
    newer: str
    rows: tuple[ConcordanceRow, ...]
    through: str = ""


HasNode = Callable[[str, str], "bool | None"]


def read_tables(
    folder: Path, has_node: HasNode, known: frozenset[str], codes: dict[str, str]
) -> tuple[list[ConcordanceTable], list[Problem]]:
    """The reviewed rows between every two editions, without those that have a fault; each fault is a problem that is
    not fatal.

    ``has_node(edition, path)`` tells of a provision, None when the edition was not read; ``known`` are the ids of all
    editions; ``codes`` is the code of laws of each edition that was read, the older editions first.
    """
    rows: dict[tuple[str, str, str], list[ConcordanceRow]] = defaultdict(list)
    problems = []
    for path in sorted(folder.glob("*.tsv")):
        names, found, faults = _read_table(path, has_node, known, codes)
        problems += faults
        for row in found:
            rows[names[0], names[1], row.through].append(row)
    for (_, _, through), found in rows.items():
        problems += [] if through else _inconsistent_relations(found)
    return [
        ConcordanceTable(older, newer, tuple(found), through) for (older, newer, through), found in rows.items()
    ], problems


def _read_table(
    path: Path, has_node: HasNode, known: frozenset[str], codes: dict[str, str]
) -> tuple[tuple[str, ...], list[ConcordanceRow], list[Problem]]:
    sheet = files.read_tsv(path, f"concordances/{path.name}", fatal=False)
    if sheet.problems and not sheet.columns:
        return (), [], list(sheet.problems)
    spoken = tuple(c for c in sheet.columns if c.startswith(NOTE_PREFIX))
    named = tuple(c for c in sheet.columns if c not in (*OTHER_COLUMNS, *spoken))
    if wrong := _header_fault(named, known, codes):
        return (), [], [sheet.problem(1, *wrong)]
    rows, problems = [], list(sheet.problems)
    for number, cells in sheet.rows:
        row = _parse_row(cells, named, spoken, (sheet.name, number))
        if (
            fault := _fault_of_cells(cells)
            or _row_fault(row, named, has_node, codes)
            or _missing_languages(row, spoken)
        ):
            problems.append(sheet.problem(number, *fault))
        else:
            rows.append(row)
    return named, rows, problems


def _header_fault(named: tuple[str, ...], known: frozenset[str], codes: dict[str, str]) -> tuple[str, str] | None:
    """What is wrong with the columns of editions: (finding, next move), or None."""
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
        difference=tuple((c.removeprefix(NOTE_PREFIX), data[c]) for c in spoken if data.get(c, "").strip()),
    )


# A finding and the next move.
FindingAndMove = tuple[str, str]


def _fault_of_cells(cells: dict[str, str]) -> FindingAndMove | None:
    """The first cell that says what its column cannot say, or None."""
    for column, said in ALLOWED_CELLS.items():
        if (cell := cells.get(column, "")) not in ("", *said):
            return f"“{column}” is “{cell}”.", f"Write {' or '.join(filter(None, said))}, or nothing."
    return None


def _row_fault(
    row: ConcordanceRow, named: Sequence[str], has_node: HasNode, codes: dict[str, str]
) -> FindingAndMove | None:
    """What is wrong with a row by itself, or None."""
    for edition, path in zip(named, (row.older, row.newer), strict=True):
        if path and has_node(edition, path) is False:
            return f"{edition} has no {path}.", "Correct the path, or empty the cell."
    if row.through and not row.remark:
        return "An exception does not say why.", "Write the reason into the note."
    one_code = codes.get(named[0], named[0]) == codes.get(named[1], named[1])
    return _fault_of_relation(row) or _fault_of_cause(row, one_code)


def _missing_languages(row: ConcordanceRow, spoken: Sequence[str]) -> FindingAndMove | None:
    """The languages in which pages could not say what differs, or None."""
    said = {code for code, _ in row.difference}
    lacking = [c for c in spoken if c.removeprefix(NOTE_PREFIX) not in said]
    if lacking and (row.is_different or row.difference):
        return f"What differs is not said in {', '.join(lacking)}.", "Write it in every language of the table."
    return None


def _fault_of_relation(row: ConcordanceRow) -> FindingAndMove | None:
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
    if row.cause and row.cause not in CAUSES:
        return f"The cause is “{row.cause}”.", f"Write one of: {', '.join(CAUSES)}."
    if row.cause and not (row.reworded or row.relation in ("new", "dropped")):
        return f"The cause “{row.cause}” stands where nothing changed.", (
            "Write yes under reworded, or take the cause away."
        )
    if row.cause == "code" and one_code:
        return "Two texts of one code differ, and the cause is “code”.", "Write translation, or unknown."
    return None


def _inconsistent_relations(rows: Sequence[ConcordanceRow]) -> list[Problem]:
    """Rows whose relation says something else than how many partners their provisions have and where these stand."""
    pairs = [r for r in rows if r.older and r.newer and not r.heading]
    olders, newers = Counter(r.older for r in pairs), Counter(r.newer for r in pairs)
    twice = Counter((r.older, r.newer) for r in pairs)
    out = []
    for r in pairs:
        fits = relation_of(r.older or "", r.newer or "", olders[r.older], newers[r.newer], r.reworded)
        if twice[r.older, r.newer] > 1:
            out.append(
                Problem(
                    *r.place,
                    f"The pair {r.older} ~ {r.newer} stands in the table twice.",
                    "Keep one of the rows.",
                    False,
                )
            )
        elif r.relation != fits:
            out.append(
                Problem(
                    *r.place,
                    f"The relation of {r.older} ~ {r.newer} is “{r.relation}”, the table as a whole makes it “{fits}”.",
                    "Correct the relation, or the rows of these provisions.",
                    False,
                )
            )
    return out


def relation_of(older: str, newer: str, partners: int, back: int, reworded: bool) -> str:
    """The relation of two paths (contract, section 4). ``partners``: how many the older one has, ``back``: how many
    the newer.

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
    """(path, path, why): where the table of two editions and the computed alignment differ, or no table is."""
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
