"""The concordance as a check of the marks of strength: where two provisions are one pair that is not reworded, their
words are as strong in one text as in the other, or the data of one of them says why not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from corpus.checked.toml import Written
from corpus.model import Node, NodeId, Pair, Problem, StrengthMark
from corpus.relation.relations import Relations
from corpus.strength.model import Kind, kind
from corpus.strength.read import Rows

Files = Mapping[str, tuple[Rows, Written]]  # edition → its strength.toml


@dataclass(frozen=True)
class StrengthFinding:
    """Two provisions that say the same, and the marks of each that the other has nothing of the same strength for."""

    older: Node
    newer: Node
    marks: tuple[tuple[StrengthMark, ...], tuple[StrengthMark, ...]]


def same_words(id_: NodeId, edition: str, relations: Relations) -> Iterator[NodeId]:
    """What a reviewer joined with a provision in another edition, with nothing of substance changed."""
    for p in relations.rows_of(id_, edition):
        if (other := p.other(id_)) and _same(p):
            yield other


def beside(
    node: Node, mark: StrengthMark, editions: Iterable[str], nodes: Mapping[NodeId, Node], relations: Relations
) -> Iterator[tuple[Node, StrengthMark]]:
    """What the same provision has in other editions for a loose mark: their marks of its kind, where all are of one
    strength and none is missing, so that there is no doubt which of them stands for it.
    """
    for edition in editions if mark.loose else ():
        for id_ in same_words(node.id, edition, relations):
            marks = _of_kind(nodes[id_], kind(mark.strength))
            one = len({(m.strength, m.loose) for m in marks}) == 1
            if one and len(marks) >= len(_of_kind(node, kind(mark.strength))):
                yield from ((nodes[id_], m) for m in marks if not m.loose)


def strength_findings(editions: Sequence[str], nodes: Mapping[NodeId, Node], relations: Relations) -> Iterator[StrengthFinding]:
    """Every pair in which each text has a mark that disagrees with the other.

    Where one text says more than the other, in words that are not ranked there, nothing disagrees.
    """
    for older, newer in combinations(editions, 2):
        for p in relations.pairs(older, newer):
            if p.a and p.b and _same(p):
                a, b = nodes[p.a], nodes[p.b]
                marks = tuple(_left(a.strengths, b.strengths)), tuple(_left(b.strengths, a.strengths))
                if all(marks):
                    yield StrengthFinding(a, b, marks)


def problems(files: Files, nodes: Mapping[NodeId, Node], relations: Relations, unread: bool = False) -> list[Problem]:
    """A problem for each finding that no row gives a reason for, and for each such row that nothing differs at.

    ``unread``: some edition could not be read, so that nobody knows of every row whether it is needed.
    """
    excused = {(NodeId.of(id_, row.node), row.other) for id_, (rows, _) in files.items() for row in rows.differs}
    found = list(strength_findings([id_ for id_ in relations.order if id_ in files], nodes, relations))
    needed = {end for f in found for end in ((f.newer.id, f.older.edition), (f.older.id, f.newer.edition))}
    out = [
        _problem(f, *files[f.newer.edition])
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


def _of_kind(node: Node, which: Kind) -> list[StrengthMark]:
    return [m for m in node.strengths if kind(m.strength) == which]


def _same(p: Pair) -> bool:
    return p.joins_words and p.basis == "reviewed" and not p.reworded


def _left(marks: Sequence[StrengthMark], others: Sequence[StrengthMark]) -> Iterator[StrengthMark]:
    """Marks with a rank that the others have no like of; a loose one may be of any strength of its kind."""
    ranked = Counter(m.strength for m in others if not m.loose)
    loose = Counter(kind(m.strength) for m in others if m.loose)
    for mark in marks:
        if mark.loose:
            continue
        if ranked[mark.strength]:
            ranked[mark.strength] -= 1
        elif loose[kind(mark.strength)]:
            loose[kind(mark.strength)] -= 1
        else:
            yield mark


def _problem(found: StrengthFinding, rows: Rows, written: Written) -> Problem:
    """At the form of the newer text that disagrees."""
    (mark, *_), word = found.marks[1], " ".join(found.newer.words_of(found.marks[1][0]).split()).casefold()
    step, form = next((n, f) for n, s in enumerate(rows.step) for f in s.forms if f.casefold() == word)
    said = ", ".join(f"“{found.older.words_of(m)}” ({m.strength})" for m in found.marks[0])
    return written.problem(
        ("step", step, "forms"),
        f"{found.newer.id} has “{form}” ({mark.strength}) where {found.older.id}, not reworded, has {said}.",
        "Read both. Write [[not]] where a word orders nothing; “loose” in the step of a word that its text uses "
        f'otherwise than it ranks it; or [[differs]] with node = "{found.newer.path}", from = "{found.older.edition}".',
        form,
    )
