"""Checks reviewed data of the editions against each other: strength marks, and the decision tables of situations.

Where the wordings of two provisions are the same, their strength marks must agree, or a ``[[differs]]`` of
strength.toml gives the reason (:func:`strength_problems`). Where the same answers lead to other orders in another
code, the row of the situation must say so under ``differs`` (:func:`disagreement_faults`).
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
from corpus.situation.model import Duty, Row, Situation, answer_combinations, rows_still_possible
from corpus.strength import StrengthFile, StrengthKind, kind_of_strength

# -- Strength marks ---

StrengthFiles = Mapping[str, tuple[StrengthFile, TomlFile]]  # edition → its strength.toml


@dataclass(frozen=True)
class StrengthFinding:
    """Two provisions that are not reworded, with the strength marks of each that have no equal in the other."""

    older: Node
    newer: Node
    marks: tuple[tuple[StrengthMark, ...], tuple[StrengthMark, ...]]


def unchanged_counterparts(id_: NodeId, edition: str, relations: Relations) -> Iterator[NodeId]:
    """Yield the provisions of another edition that a reviewer paired with this one without a change of substance."""
    for p in relations.rows_of(id_, edition):
        if (other := p.other_id_of(id_)) and _is_reviewed_as_unchanged(p):
            yield other


def strict_marks_elsewhere(
    node: Node, mark: StrengthMark, editions: Iterable[str], nodes: Mapping[NodeId, Node], relations: Relations
) -> Iterator[tuple[Node, StrengthMark]]:
    """Yield (node, mark) for the marks that other editions have in place of a loose mark of ``node``.

    Nothing is yielded for a mark that is not loose. An edition counts only where there is no doubt which mark
    corresponds: in the same provision, its marks of that kind all have one strength, none of them is loose, and there
    are at least as many as here.
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
    """Yield a finding for each pair of provisions in which each side has a mark that disagrees with the other.

    A provision that only says more, in words that the other edition does not rank, does not disagree.
    """
    for older, newer in combinations(editions, 2):
        for p in relations.pairs(older, newer):
            if p.a and p.b and _is_reviewed_as_unchanged(p):
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
    """Return a problem for each finding that no ``[[differs]]`` explains, and one for each ``[[differs]]`` without a
    finding.

    ``files`` maps an edition to its strength.toml, as rows and as written. ``unread`` says that some edition could not
    be read. Then no ``[[differs]]`` is reported as superfluous.
    """
    excused = {(NodeId.of(id_, row.node), row.other) for id_, (rows, _) in files.items() for row in rows.differs}
    found = list(strength_findings([id_ for id_ in relations.edition_ids if id_ in files], nodes, relations))
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


def _is_reviewed_as_unchanged(p: Pair) -> bool:
    """Whether a reviewer paired two provisions without a change of substance."""
    return p.joins_provisions and p.basis == "reviewed" and not p.reworded


def _unmatched_marks(marks: Sequence[StrengthMark], others: Sequence[StrengthMark]) -> Iterator[StrengthMark]:
    """Yield those of ``marks`` that are not loose and have no equal among ``others``.

    A loose mark among the others equals any strength of its kind.
    """
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
    """Return the problem of a finding. It is placed in strength.toml, at the form that the newer text has.

    ``rows`` and ``written`` are that file, as rows and as written.
    """
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


# -- Decision tables of two codes ---


@dataclass(frozen=True)
class DisagreementFinding:
    """A ``row`` of a ``code`` for whose answers the ``other`` code orders something else or asks more.

    ``what`` names the parts that differ, in English.
    """

    code: str
    row: Row
    other: str
    what: tuple[str, ...]


def disagreement_findings(situation: Situation, relations: Relations) -> Iterator[DisagreementFinding]:
    """Yield a finding for each row that another code does not agree with."""
    for code, table in situation.table.items():
        for other in situation.table:
            if other == code:
                continue
            met = _rows_met_in_other_code(situation, code, other)
            for row in table.row:
                ways = met[row.id].values()
                what = dict.fromkeys(w for rows in ways for w in _row_differences(row, rows, (code, other), relations))
                if what:
                    yield DisagreementFinding(code, row, other, tuple(what))


def disagreement_faults(situation: Situation, relations: Relations) -> Iterator[Fault]:
    """Yield a fault for each finding that its row does not state, and for each ``differs`` that names a wrong code."""
    for finding in disagreement_findings(situation, relations):
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


PossibleRows = tuple[Row, ...]


def _rows_met_in_other_code(
    situation: Situation, code: str, other: str
) -> Mapping[str, dict[tuple[str, ...], PossibleRows]]:
    """Return, for each row of ``code``, which rows of ``other`` its answers leave possible there.

    The result maps the row id to {(ids of these rows): these rows}. It has an entry for each different set of rows that
    a combination of answers leads to. Answers that the other code does not know are left out.
    """
    known = {ask.id: ask.answers(other) for ask in situation.asks(other)}
    met: dict[str, dict[tuple[str, ...], PossibleRows]] = defaultdict(dict)
    left_by_answers: dict[tuple[tuple[str, str], ...], PossibleRows] = {}
    for combination in answer_combinations(situation, code):
        given = {ask: (answer,) for ask, answer in combination.items()}
        mapped = tuple((ask, answer) for ask, answer in combination.items() if answer in known.get(ask, ()))
        if mapped not in left_by_answers:
            left_by_answers[mapped] = rows_still_possible(situation, other, {ask: (answer,) for ask, answer in mapped})
        left = left_by_answers[mapped]
        for row in rows_still_possible(situation, code, given):
            met[row.id][tuple(r.id for r in left)] = left
    return met


def _row_differences(row: Row, rows: PossibleRows, codes: tuple[str, str], relations: Relations) -> Iterator[str]:
    """Yield in what ``row`` differs from ``rows``, which the other code leaves open, in English words.

    ``codes`` are the code of the row and the other code.
    """
    if len(rows) != 1:
        yield "what is asked"
    for other in rows:
        yield from _differing_parts(row, other, codes, relations)


def _differing_parts(a: Row, b: Row, codes: tuple[str, str], relations: Relations) -> Iterator[str]:
    """Yield which of duties, ``off``, ``then``, ``also`` and ``goto`` differ between two rows.

    ``codes`` are the codes of ``a`` and of ``b``. ``relations`` leads from the provisions of one to those of the other.
    """
    if _orders_of_duties(a.duties) != _orders_of_duties(b.duties):
        yield "duties"
    if _counterpart_provisions(a.off, codes, relations) != {
        NodeId.of(relations.code_outlines[codes[1]], path) for path in b.off
    }:
        yield "off"
    if _later_orders(a) != _later_orders(b):
        yield "then"
    if {_orders_of_duties(x.duties) for x in a.also} != {_orders_of_duties(x.duties) for x in b.also}:
        yield "also"
    if (a.goto and (a.goto.situation, _orders_of_duties(a.goto.duties))) != (
        b.goto and (b.goto.situation, _orders_of_duties(b.goto.duties))
    ):
        yield "goto"


def _orders_of_duties(duties: Iterable[Duty]) -> frozenset[tuple[str, ...]]:
    """Return the order (do, who, what, until, if) of each duty, without the words that give it."""
    return frozenset(duty.order for duty in duties)


def _later_orders(row: Row) -> set[tuple[object, ...]]:
    """Return what a row orders for later moments."""
    return {(x.when, x.kind, x.by, _orders_of_duties(x.duties)) for x in row.then}


def _counterpart_provisions(paths: tuple[str, ...], codes: tuple[str, str], relations: Relations) -> set[NodeId]:
    """Return provisions of the first code as ids in the outline edition of the second."""
    one, other = (relations.code_outlines[code] for code in codes)
    return {c.id for path in paths for c in relations.nearest_counterparts(NodeId.of(one, path), other)}
