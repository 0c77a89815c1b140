"""Which editions are joined directly, so that any two can be read one through the other.

Each code of laws (1997, 2007, 2017 …) has a **spine**: the list of provisions of one whole edition, to which the
other editions of that code are joined; the spines of neighbouring codes are joined to each other. With n editions there
are n − 1 joints and not n²; what stands between two editions that are not joined is composed along the way
(``compose``).

A joint is a reviewed table where there is one. Else two editions of one code are joined by the numbers that both have,
two codes by the computed proposal; such pairs say that they are computed.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from corpus.edition.identity import Identity
from corpus.model import NUMBERED, Node, NodeId, Pair
from corpus.relation.concordance import Row, Table, relation_of

# Computed pairs of two editions: {(path of the older, path of the newer): score}.
Propose = Callable[[str, str], dict[tuple[str, str], float]]


@dataclass(frozen=True)
class Listing:
    """What the spine must know of an edition: its code of laws, whether it is whole, the paths that the laws number.

    The printer numbers notes and chapters: what bears the same number in two texts need not be the same.
    """

    id: str
    code: str
    year: int
    complete: bool
    numbered: frozenset[str]

    @classmethod
    def of(cls, edition: Identity, nodes: Iterable[Node]) -> Listing:
        """An edition with these nodes."""
        numbered = frozenset(n.path for n in nodes if n.kind in NUMBERED)
        return cls(edition.id, edition.code, edition.year, edition.complete, numbered)


def spines(listings: Iterable[Listing], bridges: Iterable[tuple[str, str]] = ()) -> dict[str, str]:
    """Code → the edition whose provisions are its list; the codes by year.

    A whole edition before an extract; of several the one that a table joins to another code (``bridges``: older and
    newer of each), then by id.
    """
    by_code: dict[str, list[Listing]] = defaultdict(list)
    for listing in sorted(listings, key=lambda t: (t.year, t.id)):
        by_code[listing.code].append(listing)
    code_of = {t.id: t.code for several in by_code.values() for t in several}
    bridging = {e for a, b in bridges if code_of.get(a) != code_of.get(b) for e in (a, b)}
    return {
        code: min(several, key=lambda t: (not t.complete, t.id not in bridging, t.id)).id
        for code, several in by_code.items()
    }


def joints(listings: Sequence[Listing], tables: Sequence[Table], propose: Propose) -> list[Pair]:
    """The pairs of all editions that are joined directly; ``listings`` in time order."""
    order = [t.id for t in listings]
    by_id = {t.id: t for t in listings}
    reviewed = {(t.older, t.newer): t.rows for t in tables if not t.through and t.older in by_id and t.newer in by_id}
    out: list[Pair] = []
    for (older, newer), rows in reviewed.items():
        out += [_pair(older, newer, row) for row in rows] + _begun(by_id[older], by_id[newer], rows, propose)
    joined = list(reviewed)
    for a, b in _wanted(listings, spines(listings, [(t.older, t.newer) for t in tables])):
        if way(a, b, joined) is None:
            older, newer = sorted((a, b), key=order.index)
            joined.append((older, newer))
            out += _computed(by_id[older], by_id[newer], propose(older, newer))
    return out


def exceptions(tables: Sequence[Table]) -> list[Pair]:
    """What a reviewer reads otherwise than the way over a third edition says: ``via`` is that edition."""
    return [_pair(t.older, t.newer, row, (t.through,)) for t in tables if t.through for row in t.rows]


def way(a: str, b: str, joined: Iterable[tuple[str, str]]) -> list[str] | None:
    """The shortest way from one edition to another along the joints, both ends included; None where there is none.

    >>> way("a", "c", [("a", "b"), ("b", "c")])
    ['a', 'b', 'c']
    """
    beside: dict[str, list[str]] = defaultdict(list)
    for x, y in joined:
        beside[x].append(y)
        beside[y].append(x)
    came: dict[str, str] = {a: a}
    todo = deque([a])
    while todo:
        here = todo.popleft()
        if here == b:
            steps = [b]
            while steps[-1] != a:
                steps.append(came[steps[-1]])
            return steps[::-1]
        for other in beside[here]:
            if other not in came:
                came[other] = here
                todo.append(other)
    return None


def _wanted(listings: Sequence[Listing], spine: Mapping[str, str]) -> list[tuple[str, str]]:
    """The joints that there must be: each edition with its spine, each spine with the one before it."""
    ends = list(spine.values())
    return [(spine[t.code], t.id) for t in listings if t.id != spine[t.code]] + list(pairwise(ends))


def _pair(older: str, newer: str, row: Row, via: tuple[str, ...] = ()) -> Pair:
    return Pair(
        a=NodeId.of(older, row.older) if row.older else None,
        b=NodeId.of(newer, row.newer) if row.newer else None,
        relation=row.relation,
        reworded=row.reworded,
        score=1.0 if row.sure else 0.6,
        basis="reviewed",
        remark=row.remark,
        older=older,
        newer=newer,
        cause=row.cause,
        via=via,
        heading=row.heading,
        differences=(row.difference,) if row.difference else (),
    )


def _begun(older: Listing, newer: Listing, rows: Sequence[Row], propose: Propose) -> list[Pair]:
    """Proposals for provisions that a table does not name: a table that is begun does not hide the rest.

    A table that names at least half of the numbered provisions of one of its editions is the reviewer's whole answer.
    """
    left, right = {r.older for r in rows}, {r.newer for r in rows}
    if any(
        2 * len(numbered & named) >= len(numbered)
        for numbered, named in ((older.numbered, left), (newer.numbered, right))
    ):
        return []
    return [
        _made(older.id, newer.id, x, y, score)
        for (x, y), score in propose(older.id, newer.id).items()
        if x not in left and y not in right
    ]


def _computed(older: Listing, newer: Listing, proposed: dict[tuple[str, str], float]) -> list[Pair]:
    """Two texts of one code number alike; what is left over, and two codes, correspond as the proposal says."""
    found: dict[tuple[str, str], float] = {}
    if older.code == newer.code:
        found = {(path, path): 1.0 for path in older.numbered & newer.numbered}
    left, right = {x for x, _ in found}, {y for _, y in found}
    found |= {(x, y): score for (x, y), score in proposed.items() if x not in left and y not in right}
    return [_made(older.id, newer.id, x, y, score) for (x, y), score in sorted(found.items())]


def _made(older: str, newer: str, x: str, y: str, score: float) -> Pair:
    return Pair(
        a=NodeId.of(older, x),
        b=NodeId.of(newer, y),
        relation=relation_of(x, y, 1, 1, False),
        reworded=False,
        score=score,
        basis="computed",
        older=older,
        newer=newer,
    )
