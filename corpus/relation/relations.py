"""What corresponds to what, in every two editions: the one place that page, search, comparison, changes and API ask.

Everything is worked out when it is first asked and kept; a Relations is immutable and may be shared
between threads.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from corpus.model import LocalizedSentences, Node, NodeId, Pair
from corpus.relation import alignment
from corpus.relation.concordance import NO_RELATION, relation_of


@dataclass(frozen=True)
class _PairStep:
    """A pair as seen from where the way begins; an end that is None has no partner on the other side."""

    a: NodeId | None
    b: NodeId | None
    reworded: bool
    cause: str | None
    score: float
    basis: Literal["reviewed", "computed"]
    remark: str
    heading: bool
    differences: tuple[LocalizedSentences, ...] = ()


# The step between two ends.
_StepsByEnds = dict[tuple[NodeId | None, NodeId | None], _PairStep]


def compose_pairs(
    older: str,
    newer: str,
    first: Iterable[Pair],
    second: Iterable[Pair],
    via: tuple[str, ...],
    exceptions: Iterable[Pair] = (),
) -> list[Pair]:
    """The pairs of ``older`` and ``newer`` read over a third edition.

    ``first`` are those of older and third, ``second`` of third and newer.
    A pair is reworded when one of its halves is, for the strongest cause of these; what a half drops is dropped, what
    only the second half has is new. ``exceptions`` are laid over the result. ``via``: the editions between.
    """
    steps = _join_steps(_steps_from(older, first), _steps_to(newer, second))
    found = {(s.a, s.b): s for s in steps}
    for e in exceptions:
        found.pop((e.a, e.b), None)
        if e.relation != NO_RELATION:
            found[e.a, e.b] = _PairStep(
                e.a, e.b, e.reworded, e.cause, e.score, e.basis, e.remark, e.heading, e.differences
            )
    return _pairs_from_steps(older, newer, _without_contradicted(found.values()), via)


def _steps_from(edition: str, pairs: Iterable[Pair]) -> list[_PairStep]:
    """The pairs with ``edition`` on the left, whichever is the older one."""
    return [_oriented_step(p, p.older != edition) for p in pairs]


def _steps_to(edition: str, pairs: Iterable[Pair]) -> list[_PairStep]:
    """The pairs with ``edition`` on the right."""
    return [_oriented_step(p, p.newer != edition) for p in pairs]


def _oriented_step(p: Pair, turn: bool) -> _PairStep:
    a, b = (p.b, p.a) if turn else (p.a, p.b)
    return _PairStep(a, b, p.reworded, p.cause, p.score, p.basis, p.remark, p.heading, p.differences)


def _join_steps(first: list[_PairStep], second: list[_PairStep]) -> list[_PairStep]:
    """The steps from the beginning of the first to the end of the second; what a half does not speak of is left out."""
    onward = defaultdict(list)
    for t in second:
        onward[t.a].append(t)
    out: _StepsByEnds = {}
    for s in first:
        if s.b is None:
            _add_step(out, s)
            continue
        for t in onward[s.b]:
            if s.a:
                _add_step(out, _chain_steps(s, t))
            elif t.b:
                _add_step(out, replace(s, b=t.b))
    for t in onward[None]:
        _add_step(out, t)
    return list(out.values())


def _chain_steps(s: _PairStep, t: _PairStep) -> _PairStep:
    remark = "; ".join(dict.fromkeys(r for r in (s.remark, t.remark) if r))
    differences = tuple(
        dict.fromkeys(n for x in (s, t) if x.reworded or not (s.reworded or t.reworded) for n in x.differences)
    )
    basis: Literal["reviewed", "computed"] = "computed" if "computed" in (s.basis, t.basis) else "reviewed"
    if t.b is None:
        return replace(t, a=s.a, remark=remark, differences=differences, basis=basis)
    return _PairStep(
        s.a,
        t.b,
        s.reworded or t.reworded,
        _strongest_cause(s, t),
        min(s.score, t.score),
        basis,
        remark,
        s.heading or t.heading,
        differences,
    )


def _strongest_cause(s: _PairStep, t: _PairStep) -> str | None:
    """The cause of a difference that several steps make: the laws before a doubt before a translation."""
    causes = {x.cause for x in (s, t) if x.reworded and x.cause}
    return next((c for c in ("code", "unknown", "translation") if c in causes), None)


def _add_step(out: _StepsByEnds, step: _PairStep) -> None:
    """Two ways between the same ends are one pair: words before titles, reworded when one is, for the strongest
    cause.
    """
    key = step.a, step.b
    known = out.get(key)
    if known is None or (known.heading and not step.heading):
        out[key] = step
    elif step.heading and not known.heading:
        return
    elif step.reworded:
        out[key] = replace(known, cause=_strongest_cause(known, step)) if known.reworded else step


def _without_contradicted(steps: Iterable[_PairStep]) -> list[_PairStep]:
    """Nothing is dropped or new that has a partner after all."""
    steps = list(steps)
    left, right = {s.a for s in steps if s.a and s.b}, {s.b for s in steps if s.a and s.b}
    return [s for s in steps if (s.a and s.b) or (s.a and s.a not in left) or (s.b and s.b not in right)]


def _pairs_from_steps(older: str, newer: str, steps: list[_PairStep], via: tuple[str, ...]) -> list[Pair]:
    """The steps as pairs, with the relation that the whole makes of them."""
    pairs = [s for s in steps if s.a and s.b and not s.heading]
    olders, newers = Counter(s.a for s in pairs), Counter(s.b for s in pairs)
    out = []
    for s in steps:
        if not (s.a and s.b):
            relation = "dropped" if s.a else "new"
        else:
            partners = (1, 1) if s.heading else (olders[s.a], newers[s.b])
            relation = relation_of(s.a.path, s.b.path, *partners, s.reworded)
        out.append(
            Pair(
                a=s.a,
                b=s.b,
                relation=relation,
                reworded=s.reworded,
                score=s.score,
                basis=s.basis,
                remark=s.remark,
                older=older,
                newer=newer,
                cause=s.cause,
                via=via,
                heading=s.heading,
                differences=s.differences,
            )
        )
    return out


@dataclass(frozen=True)
class Counterpart:
    """A provision of another edition that corresponds to a node, and how that is known.

    ``of`` is the node that the statement is about: the one that was asked for or, where ``how`` is ``parent``, the
    nearest provision around it that has a counterpart. ``how``: ``row`` (the two texts are joined directly),
    ``third`` (read over the editions ``via``), ``parent``. ``pair`` is the row itself, the older edition's id as
    ``a``.
    """

    id: NodeId
    edition: str
    of: NodeId
    how: str
    pair: Pair

    @property
    def relation(self) -> str:
        """The relation of the row."""
        return self.pair.relation

    @property
    def via(self) -> tuple[str, ...]:
        """The editions that the row was read over."""
        return self.pair.via


class Relations:
    """The relations of all editions of the laws; what only modifies a code has no part in them."""

    def __init__(self, listings: Sequence[alignment.Listing], nodes: Mapping[NodeId, Node], links: Iterable[Pair]):
        """``listings``: the editions of the laws in time order; ``links``: the joints and exceptions of the spine."""
        self._listings, self._nodes = {x.id: x for x in listings}, nodes
        self._order = list(self._listings)
        self._links: dict[tuple[str, str], list[Pair]] = defaultdict(list)
        self._exceptions: dict[tuple[str, str], list[Pair]] = defaultdict(list)
        for p in links:
            (self._exceptions if p.via else self._links)[p.older, p.newer].append(p)
        self._pair_cache: dict[tuple[str, str], tuple[Pair, ...]] = {}
        self._reviewed_cache: dict[tuple[str, str], bool] = {}
        self._rows_by_node: dict[tuple[str, str], dict[NodeId | None, list[Pair]]] = {}
        self._counterpart_cache: dict[NodeId, Mapping[str, tuple[Counterpart, ...]]] = {}
        self._id_cache: dict[tuple[NodeId, tuple[str, ...]], tuple[NodeId, ...]] = {}
        self._nearest_cache: dict[tuple[NodeId, str], tuple[Counterpart, ...]] = {}

    # ── editions and codes ──────────────────────────────────────────────────────────────────────

    @property
    def order(self) -> list[str]:
        """Ids of the editions in time order."""
        return self._order

    @cached_property
    def code_outlines(self) -> dict[str, str]:
        """Code → the edition whose provisions are its list."""
        return alignment.code_outlines(self._listings.values(), self._links)

    def code_of(self, edition: str) -> str | None:
        """The code of laws that an edition is a text of; None for one that is none."""
        return self._listings[edition].code if edition in self._listings else None

    def editions_by_nearness(self, edition: str) -> list[str]:
        """The other editions: those of the same code first, then by years, the nearest first."""
        own = self._listings[edition]
        others = (x for x in self._listings.values() if x.id != edition)
        return [x.id for x in sorted(others, key=lambda x: (x.code != own.code, abs(x.year - own.year), x.id))]

    # ── pairs ───────────────────────────────────────────────────────────────────────────────────

    def pairs(self, one: str, other: str) -> tuple[Pair, ...]:
        """The rows between two editions, in the order of the younger text; empty when nothing is known of them."""
        if one not in self._listings or other not in self._listings or one == other:
            return ()
        older, newer = sorted((one, other), key=self._order.index)
        if (older, newer) not in self._pair_cache:
            self._pair_cache[older, newer] = tuple(self._compute_pairs(older, newer))
        return self._pair_cache[older, newer]

    def is_reviewed(self, one: str, other: str) -> bool:
        """Whether reviewed tables lead from one edition to another; else nobody has looked for what one of them
        lacks.
        """
        key = min(one, other), max(one, other)
        if key not in self._reviewed_cache:
            pairs = self.pairs(one, other)
            self._reviewed_cache[key] = bool(pairs) and all(p.basis == "reviewed" for p in pairs)
        return self._reviewed_cache[key]

    def _compute_pairs(self, older: str, newer: str) -> list[Pair]:
        stations = alignment.find_route(older, newer, self._links)
        if stations is None:
            return []
        via = tuple(stations[1:-1])
        if not via:
            rows = self._links.get((older, newer)) or self._links[newer, older]
        else:
            # First to the spine of the code and from there through the years: so that what a reviewer decided of two
            # codes holds for every text of them.
            third = via[-1] if older in self.code_outlines.values() else via[0]
            rows = compose_pairs(
                older, newer, self.pairs(older, third), self.pairs(third, newer), via, self._exceptions[older, newer]
            )
        rows = [p for p in rows if (p.a is None or p.a in self._nodes) and (p.b is None or p.b in self._nodes)]
        return sorted(self._limit_to_extracts(older, newer, rows), key=self._sort_key)

    def _limit_to_extracts(self, older: str, newer: str, rows: list[Pair]) -> list[Pair]:
        """An extract says nothing of laws that it leaves out: there nothing is new in the other text, and nothing
        dropped.
        """
        if self._listings[older].complete and self._listings[newer].complete:
            return rows
        speaks = {id_.law for p in rows for id_ in p.both_ids or ()}
        return [p for p in rows if p.both_ids or any(id_.law in speaks for id_ in (p.a, p.b) if id_)]

    def _sort_key(self, p: Pair) -> tuple[int, int]:
        """Where a row stands: at its provision of the younger text, else at that of the older one."""
        return (0, self._position[p.b]) if p.b else (1, self._position[p.a] if p.a else 0)

    @cached_property
    def _position(self) -> dict[NodeId, int]:
        return {id_: i for i, id_ in enumerate(self._nodes)}

    def rows_of(self, id_: NodeId, edition: str) -> list[Pair]:
        """The rows of a node with another edition, those without a partner too."""
        own = id_.edition
        if (own, edition) not in self._rows_by_node:
            side: dict[NodeId | None, list[Pair]] = defaultdict(list)
            for p in self.pairs(own, edition):
                side[p.a if p.older == own else p.b].append(p)
            self._rows_by_node[own, edition] = side
        return self._rows_by_node[own, edition].get(id_, [])

    # ── the rule ────────────────────────────────────────────────────────────────────────────────

    def counterparts_of(self, id_: NodeId) -> Mapping[str, tuple[Counterpart, ...]]:
        """THE rule of “corresponds”: edition → what a row of the node itself names there, editions without any left
        out.

        A row is one of a table or of the computed proposal where the two editions are joined directly, else one that is
        read over the editions between them. What only stands inside something that corresponds does not correspond
        itself; :meth:`nearest_counterparts` says where it would be looked for.
        """
        # A search asks for hundreds: what a node of ours was found to have is kept.
        if id_ in self._counterpart_cache:
            return self._counterpart_cache[id_]
        found = {e: self._counterparts_in(id_, e) for e in self._order if e != id_.edition}
        rows_by_edition = {e: rows for e, rows in found.items() if rows}
        if id_ in self._nodes:
            self._counterpart_cache[id_] = rows_by_edition
        return rows_by_edition

    def counterpart_ids(self, id_: NodeId, relations: tuple[str, ...] = ()) -> tuple[NodeId, ...]:
        """The ids of the counterparts in every edition that has one; by rows of some ``relations``, empty for any."""
        key = id_, relations
        if key in self._id_cache:
            return self._id_cache[key]
        found = (c for rows in self.counterparts_of(id_).values() for c in rows)
        ids = tuple(c.id for c in found if not relations or c.relation in relations)
        if id_ in self._nodes:
            self._id_cache[key] = ids
        return ids

    def nearest_counterparts(self, id_: NodeId, edition: str) -> tuple[Counterpart, ...]:
        """The counterparts in one edition or, without any, those of the nearest provision around the node with some."""
        if (id_, edition) in self._nearest_cache:
            return self._nearest_cache[id_, edition]
        found = self._find_nearest(id_, edition)
        if id_ in self._nodes and edition in self._listings:
            self._nearest_cache[id_, edition] = found
        return found

    def _find_nearest(self, id_: NodeId, edition: str) -> tuple[Counterpart, ...]:
        node = self._nodes.get(id_)
        while node is not None:
            if rows := self._counterparts_in(node.id, edition):
                return rows if node.id == id_ else tuple(replace(c, how="parent") for c in rows)
            node = self._nodes.get(node.parent) if node.parent else None
        return ()

    def _counterparts_in(self, id_: NodeId, edition: str) -> tuple[Counterpart, ...]:
        made = [
            Counterpart(far, edition, id_, "third" if p.via else "row", p)
            for p in self.rows_of(id_, edition)
            if (far := p.partner_of(id_))
        ]
        return tuple(sorted(made, key=lambda c: self._position[c.id]))
