"""The concordance as a check of the tables: where the deciding provisions of two codes are one pair that is not
reworded, their rows order the same, or the row says why not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from corpus.checked.rule import Fault
from corpus.model import NodeId, Quote
from corpus.relation.relations import Relations
from corpus.situation.model import Duty, Row, Situation


@dataclass(frozen=True)
class Finding:
    """Two rows of two codes that the same words decide, and that order different things; ``why``, if a row says."""

    situation: str
    older: tuple[str, Row]
    newer: tuple[str, Row]
    what: tuple[str, ...]
    why: str


def findings(situation: Situation, relations: Relations) -> Iterator[Finding]:
    """Every row without a row that agrees, where rows of another code are decided by the same provision."""
    codes = [code for code in relations.spines if code in situation.table]
    for older, newer in combinations(codes, 2):
        spines = relations.spines[older], relations.spines[newer]
        same = [
            (one, other)
            for one in situation.table[older].row
            for other in situation.table[newer].row
            if _same(one.decides.in_edition(spines[0]), other.decides.in_edition(spines[1]), relations)
        ]
        agreed = [(a, b) for a, b in same if not any(_differences(a, b, spines, relations))]
        told: set[str] = set()
        for a, b in same:
            alone = all(a is not x for x, _ in agreed) or all(b is not y for _, y in agreed)
            if alone and not {f"{older} {a.id}", f"{newer} {b.id}"} & told:
                told |= {f"{older} {a.id}", f"{newer} {b.id}"}
                why = b.differs.get(older) or a.differs.get(newer) or ""
                what = tuple(_differences(a, b, spines, relations))
                yield Finding(situation.id, (older, a), (newer, b), what, why)


def faults(situation: Situation, relations: Relations) -> Iterator[Fault]:
    """A fault for each finding that no row gives a reason for."""
    for finding in findings(situation, relations):
        if not finding.why:
            (older, a), (newer, b) = finding.older, finding.newer
            said = f"“{a.id}” of {older} and “{b.id}” of {newer} are decided by the same words and differ in"
            at = ("table", newer, "row", situation.table[newer].row.index(b))
            move = f'Correct one of them, or write differs = {{{older} = "why"}} in the row of {newer}.'
            yield Fault(f"{said} {', '.join(finding.what)}.", move, at)


def _same(a: Quote | None, b: Quote | None, relations: Relations) -> bool:
    """Whether two quotations are of provisions that correspond with nothing of substance changed."""
    if a is None or b is None:
        return False
    one, other = a.node, b.node
    rows = relations.rows_of(other, one.edition)
    return any(p.joins_words and p.other(other) == one and not p.reworded for p in rows)


def _differences(a: Row, b: Row, spines: tuple[str, str], relations: Relations) -> Iterator[str]:
    """In which of duties, ``off`` and ``then`` two rows differ."""
    if _duties(a.duties) != _duties(b.duties):
        yield "duties"
    if _newer(a.off, spines, relations) != {NodeId.of(spines[1], path) for path in b.off}:
        yield "off"
    if _later(a) != _later(b):
        yield "then"


def _duties(duties: tuple[Duty, ...]) -> set[tuple[str, ...]]:
    return {(d.do, d.who, d.what, d.until, d.if_) for d in duties}


def _later(row: Row) -> set[tuple[object, ...]]:
    return {(x.when, x.kind, x.by, frozenset(_duties(x.duties))) for x in row.then}


def _newer(paths: tuple[str, ...], spines: tuple[str, str], relations: Relations) -> set[NodeId]:
    """Provisions of the older text as the newer one numbers them."""
    return {c.id for path in paths for c in relations.nearest(NodeId.of(spines[0], path), spines[1])}
