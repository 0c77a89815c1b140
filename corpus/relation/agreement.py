"""The codes as a check of each other: where the same answers lead to other orders in another code, the row says what
is ordered otherwise.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from corpus.checked.rule import Fault
from corpus.model import NodeId
from corpus.relation.relations import Relations
from corpus.situation.model import Duty, Row, Situation
from corpus.situation.table import answer_combinations, open_rows


@dataclass(frozen=True)
class AgreementFinding:
    """A ``row`` of a ``code``, and that ``other`` code orders something else, or asks further, for its answers;
    ``what`` of the two differs.
    """

    code: str
    row: Row
    other: str
    what: tuple[str, ...]


def agreement_findings(situation: Situation, relations: Relations) -> Iterator[AgreementFinding]:
    """Every row that another code does not agree with."""
    for code, table in situation.table.items():
        for other in situation.table:
            if other == code:
                continue
            met = _met(situation, code, other)
            for row in table.row:
                ways = met[row.id].values()
                what = dict.fromkeys(w for rows in ways for w in _between(row, rows, (code, other), relations))
                if what:
                    yield AgreementFinding(code, row, other, tuple(what))


def faults(situation: Situation, relations: Relations) -> Iterator[Fault]:
    """A fault for each finding that its row does not tell, and for each ``differs`` of a code that is not asked."""
    for finding in agreement_findings(situation, relations):
        if finding.other not in finding.row.differs:
            at = ("table", finding.code, "row", situation.table[finding.code].row.index(finding.row))
            said = f"For the answers of “{finding.row.id}” {finding.other} differs in {', '.join(finding.what)}."
            move = f'Write differs = {{{finding.other} = {{pl = "…", …}}}}: what is ordered there, in every language.'
            yield Fault(said, move, at)
    for code, table in situation.table.items():
        for n, row in enumerate(table.row):
            for other in row.differs:
                if other == code or other not in situation.table:
                    move = f"Name another code of the situation: {', '.join(c for c in situation.table if c != code)}."
                    yield Fault(f"“differs” names {other}.", move, ("table", code, "row", n, "differs"), other)


RowsByKey = tuple[Row, ...]


def _met(situation: Situation, code: str, other: str) -> Mapping[str, dict[tuple[str, ...], RowsByKey]]:
    """Row of a code → the rows of the other, by their ids, that each combination of its answers leaves open there."""
    known = {ask.id: ask.answers(other) for ask in situation.asks(other)}
    met: dict[str, dict[tuple[str, ...], RowsByKey]] = defaultdict(dict)
    for combination in answer_combinations(situation, code):
        given = {ask: (answer,) for ask, answer in combination.items()}
        carried = {ask: answer for ask, answer in given.items() if answer[0] in known.get(ask, ())}
        left = open_rows(situation, other, carried)
        for row in open_rows(situation, code, given):
            met[row.id][tuple(r.id for r in left)] = left
    return met


def _between(row: Row, rows: RowsByKey, codes: tuple[str, str], relations: Relations) -> Iterator[str]:
    """In what a row differs from those that the other code leaves open."""
    if len(rows) != 1:
        yield "what is asked"
    for other in rows:
        yield from _differences(row, other, codes, relations)


def _differences(a: Row, b: Row, codes: tuple[str, str], relations: Relations) -> Iterator[str]:
    """In which of duties, ``off``, ``then``, ``also`` and ``goto`` two rows differ."""
    if _orders(a.duties) != _orders(b.duties):
        yield "duties"
    if _same_provisions(a.off, codes, relations) != {NodeId.of(relations.spines[codes[1]], path) for path in b.off}:
        yield "off"
    if _later(a) != _later(b):
        yield "then"
    if {_orders(x.duties) for x in a.also} != {_orders(x.duties) for x in b.also}:
        yield "also"
    if (a.goto and (a.goto.situation, _orders(a.goto.duties))) != (
        b.goto and (b.goto.situation, _orders(b.goto.duties))
    ):
        yield "goto"


def _orders(duties: Iterable[Duty]) -> frozenset[tuple[str, ...]]:
    return frozenset(duty.order for duty in duties)


def _later(row: Row) -> set[tuple[object, ...]]:
    return {(x.when, x.kind, x.by, _orders(x.duties)) for x in row.then}


def _same_provisions(paths: tuple[str, ...], codes: tuple[str, str], relations: Relations) -> set[NodeId]:
    """Provisions of the first code as the second one numbers them."""
    one, other = (relations.spines[code] for code in codes)
    return {c.id for path in paths for c in relations.nearest(NodeId.of(one, path), other)}
