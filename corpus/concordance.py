"""The concordance: tables that a person has reviewed, and the alignment of every two editions made from them.

A table (``concordances/*.tsv``) has one column per edition, named by its id, and the columns ``relation``,
``confidence`` and ``note``; a row is one correspondence, an empty cell says that the edition has none. Editions
that share no table are aligned through one that both share a table with.
"""
from __future__ import annotations

import csv
from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from corpus.model import Pair, Problem

RELATIONS = ("same", "reworded", "moved", "split", "merged", "new", "dropped")
_OTHER_COLUMNS = ("relation", "confidence", "note")
HEADING_ONLY = "heading only"


@dataclass(frozen=True)
class Row:
    """One correspondence: edition id → path, the reviewer's relation, whether it was sure, and a note."""

    paths: dict[str, str]
    relation: str
    sure: bool
    note: str
    place: tuple[str, int]
    editions: tuple[str, ...] = ()

    @property
    def heading_only(self) -> bool:
        """Containers that correspond by their title alone; they lead a reader but are no provisions that answer."""
        return self.note.startswith(HEADING_ONLY)


def read_tables(folder: Path) -> tuple[list[Row], list[Problem]]:
    """All rows of all tables in a folder."""
    rows, problems = [], []
    for path in sorted(folder.glob("*.tsv")):
        name = f"concordances/{path.name}"
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            header = next(reader, [])
            editions = [c for c in header if c not in _OTHER_COLUMNS]
            for number, cells in enumerate(reader, 2):
                if not any(cells):
                    continue
                if len(cells) > len(header):
                    problems.append(Problem(name, number, f"{len(cells)} cells, the header has {len(header)}.", "Remove the surplus tab."))
                    continue
                data = dict(zip(header, cells + [""] * len(header)))
                rows.append(Row({e: data[e] for e in editions if data[e]}, data.get("relation", ""), data.get("confidence", "high") != "low",
                                data.get("note", ""), (name, number), tuple(editions)))
    return rows, problems


def check(rows: list[Row], has_node, known: frozenset[str] = frozenset()) -> list[Problem]:
    """Rows that name a provision an edition does not have, a relation or an edition that there is not.

    ``has_node(edition, path)`` tells of a provision; ``known`` are the ids of all editions.
    """
    note = lambda row, finding, move: Problem(*row.place, finding, move, False)
    out = [note(row, f"{edition} has no {path}.", "Correct the path, or empty the cell.")
           for row in rows for edition, path in row.paths.items() if has_node(edition, path) is False]
    out += [note(row, f"The relation is “{row.relation}”.", f"Write one of: {', '.join(RELATIONS)}.") for row in rows if row.relation and row.relation.split("-")[0] not in RELATIONS]  # a year may follow: new-2007
    columns = {(row.place[0], edition): row for row in reversed(rows) for edition in row.editions if known and edition not in known}
    return out + [Problem(file, 1, f"The column “{edition}” is no edition.", f"Name it by the id of one, or {', '.join(_OTHER_COLUMNS)}.", False) for file, edition in columns]


def align(rows: list[Row], years: dict[str, int], has_node, propose) -> list[Pair]:
    """The alignment of every two editions: reviewed pairs, pairs through a third edition, and what is new or dropped.

    ``propose(a, b)`` gives the computed pairs as {(path, path): score}; they stand in where nothing was reviewed,
    and each reviewed row says whether the computation agrees.
    """
    order = sorted(years, key=lambda e: (years[e], e))
    usable = [r for r in rows if not r.heading_only]
    direct: dict[tuple[str, str], dict[tuple[str, str], Row]] = defaultdict(dict)
    for row in usable:
        for a, b in combinations([e for e in order if e in row.paths], 2):
            key = (row.paths[a], row.paths[b])
            if has_node(a, key[0]) and has_node(b, key[1]) and (key not in direct[a, b] or row.sure):
                direct[a, b][key] = row
    shared = {frozenset(p) for row in rows for p in combinations([e for e in row.editions if e in years], 2)}
    out: list[Pair] = []
    for a, b in combinations(order, 2):
        if frozenset((a, b)) in shared:
            out += _pairs(a, b, direct[a, b]) + _alone(a, b, direct[a, b], usable, has_node) + _computed(a, b, _not_in_tables(a, b, rows, propose(a, b)))
        else:
            out += _pairs(a, b, _through_third(a, b, direct, order)) or _computed(a, b, propose(a, b))
            continue
        proposed = propose(a, b)
        path = lambda id_: id_.split("/", 1)[1]
        out = [replace(p, proposed=(path(p.a), path(p.b)) in proposed) if (p.older, p.newer) == (a, b) and p.a and p.b else p for p in out]
    return out


def _not_in_tables(a: str, b: str, rows: list[Row], proposed: dict[tuple[str, str], float]) -> dict[tuple[str, str], float]:
    """Proposals for provisions that no table of the two editions names: a table that is begun does not hide the rest.

    A table that names most provisions is taken for the reviewer's whole answer; what it leaves out, it leaves out.
    """
    named = {(e, row.paths[e]) for row in rows if {a, b} <= set(row.editions) for e in (a, b) if e in row.paths}
    rest = {(x, y): score for (x, y), score in proposed.items() if (a, x) not in named and (b, y) not in named}
    return rest if len(rest) > len(proposed) / 2 else {}


def _computed(a: str, b: str, proposed: dict[tuple[str, str], float]) -> list[Pair]:
    return [Pair(f"{a}/{x}", f"{b}/{y}", "same" if x == y else "moved", False, score, "computed", "", a, b, True)
            for (x, y), score in proposed.items()]


def to_review(pairs: list[Pair], proposed: dict[tuple[str, str], float], a: str, b: str) -> list[tuple[str, str, str]]:
    """What a reviewer of two editions looks at: (path, path, why), where table and computation differ or no table is."""
    path = lambda id_: id_.split("/", 1)[1] if id_ else ""
    here = [p for p in pairs if (p.older, p.newer) == (a, b)]
    reviewed = {(path(p.a), path(p.b)) for p in here if p.basis == "reviewed"}
    out = [(x, y, "computed, not reviewed" if not reviewed else "computed, the table has another decision")
           for (x, y) in proposed if (x, y) not in reviewed]
    return out + [(x, y, "in the table, not computed") for x, y in sorted(reviewed) if x and y and (x, y) not in proposed]


def _through_third(a: str, b: str, direct, order) -> dict[tuple[str, str], Row]:
    """Pairs of a and b that a third edition connects."""
    found = {}
    for third in order:
        left = _oriented(direct, a, third)
        right = defaultdict(list)
        for (path, other), row in _oriented(direct, third, b).items():
            right[path].append((other, row))
        for (path, middle), row in left.items():
            for other, second in right[middle]:
                if (path, other) not in found:
                    found[path, other] = Row({}, second.relation, row.sure and second.sure, f"through {third} {middle}", row.place)
    return found


def _oriented(direct, a: str, b: str) -> dict[tuple[str, str], Row]:
    if (a, b) in direct:
        return direct[a, b]
    return {(y, x): row for (x, y), row in direct.get((b, a), {}).items()}


def _pairs(a: str, b: str, pairs: dict[tuple[str, str], Row]) -> list[Pair]:
    firsts, seconds = defaultdict(int), defaultdict(int)
    for x, y in pairs:
        firsts[x] += 1
        seconds[y] += 1
    out = []
    for (x, y), row in pairs.items():
        if firsts[x] > 1:
            relation = "split"
        elif seconds[y] > 1:
            relation = "merged"
        elif x != y:
            relation = "moved"
        else:
            relation = "reworded" if row.relation == "reworded" else "same"
        reworded = row.relation == "reworded" or relation in ("split", "merged")
        out.append(Pair(f"{a}/{x}", f"{b}/{y}", relation, reworded, 1.0 if row.sure else 0.6, "reviewed", row.note, a, b))
    return out


def _alone(a: str, b: str, pairs, rows: list[Row], has_node) -> list[Pair]:
    """Provisions that a reviewer put in a row without a partner in the other edition."""
    with_a, with_b = {x for x, _ in pairs}, {y for _, y in pairs}
    gone, fresh = {}, {}
    for row in rows:
        if not {a, b} <= set(row.editions):
            continue
        x, y = row.paths.get(a), row.paths.get(b)
        if x and not y and x not in with_a and has_node(a, x):
            gone.setdefault(x, row)
        if y and not x and y not in with_b and has_node(b, y):
            fresh.setdefault(y, row)
    return ([Pair(f"{a}/{x}", None, "dropped", False, 1.0 if r.sure else 0.6, "reviewed", r.note, a, b) for x, r in gone.items()]
            + [Pair(None, f"{b}/{y}", "new", False, 1.0 if r.sure else 0.6, "reviewed", r.note, a, b) for y, r in fresh.items()])
