"""The codes as a check of each other: where the same answers lead to other orders in another code, the row says what
is ordered otherwise.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from corpus.files import TomlFile
from corpus.model import Node, NodeId, Pair, Problem, StrengthMark
from corpus.relation.relations import Relations
from corpus.schema import Fault
from corpus.situation.model import Duty, Row, Situation, answer_combinations, open_rows
from corpus.strength import StrengthFile, StrengthKind, kind_of_strength

StrengthFiles = Mapping[str, tuple[StrengthFile, TomlFile]]  # edition → its strength.toml


@dataclass(frozen=True)
class StrengthFinding:
    """Two provisions that say the same, and the marks of each that the other has nothing of the same strength for."""

    older: Node
    newer: Node
    marks: tuple[tuple[StrengthMark, ...], tuple[StrengthMark, ...]]


def unchanged_counterparts(id_: NodeId, edition: str, relations: Relations) -> Iterator[NodeId]:
    """What a reviewer joined with a provision in another edition, with nothing of substance changed."""
    for p in relations.rows_of(id_, edition):
        if (other := p.partner_of(id_)) and _is_unchanged(p):
            yield other


def ranked_marks_elsewhere(
    node: Node, mark: StrengthMark, editions: Iterable[str], nodes: Mapping[NodeId, Node], relations: Relations
) -> Iterator[tuple[Node, StrengthMark]]:
    """What the same provision has in other editions for a loose mark: their marks of its kind, where all are of one
    strength and none is missing, so that there is no doubt which of them stands for it.
    """
    for edition in editions if mark.loose else ():
        for id_ in unchanged_counterparts(node.id, edition, relations):
            marks = _marks_of_kind(nodes[id_], kind_of_strength(mark.strength))
            one = len({(m.strength, m.loose) for m in marks}) == 1
            if one and len(marks) >= len(_marks_of_kind(node, kind_of_strength(mark.strength))):
                yield from ((nodes[id_], m) for m in marks if not m.loose)


def strength_findings(
    editions: Sequence[str], nodes: Mapping[NodeId, Node], relations: Relations
) -> Iterator[StrengthFinding]:
    """Every pair in which each text has a mark that disagrees with the other.

    Where one text says more than the other, in words that are not ranked there, nothing disagrees.
    """
    for older, newer in combinations(editions, 2):
        for p in relations.pairs(older, newer):
            if p.a and p.b and _is_unchanged(p):
                a, b = nodes[p.a], nodes[p.b]
                marks = (
                    tuple(_unmatched_marks(a.strengths, b.strengths)),
                    tuple(_unmatched_marks(b.strengths, a.strengths)),
                )
                if all(marks):
                    yield StrengthFinding(a, b, marks)


def strength_problems(
    files: StrengthFiles, nodes: Mapping[NodeId, Node], relations: Relations, unread: bool = False
) -> list[Problem]:
    """A problem for each finding that no row gives a reason for, and for each such row that nothing differs at.

    ``unread``: some edition could not be read, so that nobody knows of every row whether it is needed.
    """
    excused = {(NodeId.of(id_, row.node), row.other) for id_, (rows, _) in files.items() for row in rows.differs}
    found = list(strength_findings([id_ for id_ in relations.order if id_ in files], nodes, relations))
    needed = {end for f in found for end in ((f.newer.id, f.older.edition), (f.older.id, f.newer.edition))}
    out = [
        _strength_problem(f, *files[f.newer.edition])
        for f in found
        if not {(f.newer.id, f.older.edition), (f.older.id, f.newer.edition)} & excused
    ]
    for id_, (rows, written) in () if unread else files.items():
        for n, row in enumerate(rows.differs):
            if (NodeId.of(id_, row.node), row.other) not in needed:
                finding = f"The marks of {NodeId.of(id_, row.node)} do not differ from those of {row.other}."
                move = "Take the row out, or correct the path or the edition."
                out.append(written.problem(("differs", n), finding, move))
    return out


def _marks_of_kind(node: Node, which: StrengthKind) -> list[StrengthMark]:
    return [m for m in node.strengths if kind_of_strength(m.strength) == which]


def _is_unchanged(p: Pair) -> bool:
    return p.joins_provisions and p.basis == "reviewed" and not p.reworded


def _unmatched_marks(marks: Sequence[StrengthMark], others: Sequence[StrengthMark]) -> Iterator[StrengthMark]:
    """Marks with a rank that the others have no like of; a loose one may be of any strength of its kind."""
    ranked = Counter(m.strength for m in others if not m.loose)
    loose = Counter(kind_of_strength(m.strength) for m in others if m.loose)
    for mark in marks:
        if mark.loose:
            continue
        if ranked[mark.strength]:
            ranked[mark.strength] -= 1
        elif loose[kind_of_strength(mark.strength)]:
            loose[kind_of_strength(mark.strength)] -= 1
        else:
            yield mark


def _strength_problem(found: StrengthFinding, rows: StrengthFile, written: TomlFile) -> Problem:
    """At the form of the newer text that disagrees."""
    (mark, *_), word = found.marks[1], " ".join(found.newer.words_of_span(found.marks[1][0]).split()).casefold()
    step, form = next((n, f) for n, s in enumerate(rows.step) for f in s.forms if f.casefold() == word)
    said = ", ".join(f"“{found.older.words_of_span(m)}” ({m.strength})" for m in found.marks[0])
    return written.problem(
        ("step", step, "forms"),
        f"{found.newer.id} has “{form}” ({mark.strength}) where {found.older.id}, not reworded, has {said}.",
        "Read both. Write [[not]] where a word orders nothing; “loose” in the step of a word that its text uses "
        f'otherwise than it ranks it; or [[differs]] with node = "{found.newer.path}", from = "{found.older.edition}".',
        form,
    )


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
            met = _rows_met_in_other_code(situation, code, other)
            for row in table.row:
                ways = met[row.id].values()
                what = dict.fromkeys(w for rows in ways for w in _row_differences(row, rows, (code, other), relations))
                if what:
                    yield AgreementFinding(code, row, other, tuple(what))


def agreement_faults(situation: Situation, relations: Relations) -> Iterator[Fault]:
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


OpenRows = tuple[Row, ...]


def _rows_met_in_other_code(
    situation: Situation, code: str, other: str
) -> Mapping[str, dict[tuple[str, ...], OpenRows]]:
    """Row of a code → the rows of the other, by their ids, that each combination of its answers leaves open there."""
    known = {ask.id: ask.answers(other) for ask in situation.asks(other)}
    met: dict[str, dict[tuple[str, ...], OpenRows]] = defaultdict(dict)
    for combination in answer_combinations(situation, code):
        given = {ask: (answer,) for ask, answer in combination.items()}
        carried = {ask: answer for ask, answer in given.items() if answer[0] in known.get(ask, ())}
        left = open_rows(situation, other, carried)
        for row in open_rows(situation, code, given):
            met[row.id][tuple(r.id for r in left)] = left
    return met


def _row_differences(row: Row, rows: OpenRows, codes: tuple[str, str], relations: Relations) -> Iterator[str]:
    """In what a row differs from those that the other code leaves open."""
    if len(rows) != 1:
        yield "what is asked"
    for other in rows:
        yield from _differing_parts(row, other, codes, relations)


def _differing_parts(a: Row, b: Row, codes: tuple[str, str], relations: Relations) -> Iterator[str]:
    """In which of duties, ``off``, ``then``, ``also`` and ``goto`` two rows differ."""
    if _orders(a.duties) != _orders(b.duties):
        yield "duties"
    if _counterpart_provisions(a.off, codes, relations) != {
        NodeId.of(relations.code_outlines[codes[1]], path) for path in b.off
    }:
        yield "off"
    if _later_orders(a) != _later_orders(b):
        yield "then"
    if {_orders(x.duties) for x in a.also} != {_orders(x.duties) for x in b.also}:
        yield "also"
    if (a.goto and (a.goto.situation, _orders(a.goto.duties))) != (
        b.goto and (b.goto.situation, _orders(b.goto.duties))
    ):
        yield "goto"


def _orders(duties: Iterable[Duty]) -> frozenset[tuple[str, ...]]:
    return frozenset(duty.order for duty in duties)


def _later_orders(row: Row) -> set[tuple[object, ...]]:
    return {(x.when, x.kind, x.by, _orders(x.duties)) for x in row.then}


def _counterpart_provisions(paths: tuple[str, ...], codes: tuple[str, str], relations: Relations) -> set[NodeId]:
    """Provisions of the first code as the second one numbers them."""
    one, other = (relations.code_outlines[code] for code in codes)
    return {c.id for path in paths for c in relations.nearest_counterparts(NodeId.of(one, path), other)}
