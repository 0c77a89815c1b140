"""Answers what corresponds to what in any two editions.

Pages, search, comparison, changes and API all ask :class:`Relations`. It is given the editions of the laws and
the aligned pairs (``alignment.alignment_pairs`` and ``exception_pairs``). Editions that are not aligned directly are
composed through the editions between them: :func:`compose_pairs` joins their pairs.

Everything is computed on first use and cached. A ``Relations`` is immutable for its users and may be shared between
threads.
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

# -- Pairs over a third edition ---


@dataclass(frozen=True)
class _PairStep:
    """A pair seen in one direction, from ``a`` to ``b``; an end that is None has no partner on the other side."""

    a: NodeId | None
    b: NodeId | None
    reworded: bool
    cause: str | None
    score: float
    basis: Literal["reviewed", "computed"]
    remark: str
    heading: bool
    differences: tuple[LocalizedSentences, ...] = ()


# Two ends → the step between them.
_StepsByEnds = dict[tuple[NodeId | None, NodeId | None], _PairStep]


def compose_pairs(
    older: str,
    newer: str,
    first: Iterable[Pair],
    second: Iterable[Pair],
    via: tuple[str, ...],
    exceptions: Iterable[Pair] = (),
) -> list[Pair]:
    """Return the pairs of ``older`` and ``newer``, composed through a third edition.

    ``first`` holds the pairs of older and third, ``second`` those of third and newer. A pair is reworded when one of
    its halves is, for the strongest cause of the two. What one half drops is dropped; what only the second half has is
    new. An exception replaces the pair of the same two provisions, or removes it when its relation is ``none``. ``via``
    names the editions between.
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
    """Return the pairs as steps with ``edition`` on the left, whether it is the older one or not."""
    return [_oriented_step(p, p.older != edition) for p in pairs]


def _steps_to(edition: str, pairs: Iterable[Pair]) -> list[_PairStep]:
    """Return the pairs as steps with ``edition`` on the right."""
    return [_oriented_step(p, p.newer != edition) for p in pairs]


def _oriented_step(p: Pair, is_reversed: bool) -> _PairStep:
    a, b = (p.b, p.a) if is_reversed else (p.a, p.b)
    return _PairStep(a, b, p.reworded, p.cause, p.score, p.basis, p.remark, p.heading, p.differences)


def _join_steps(first: list[_PairStep], second: list[_PairStep]) -> list[_PairStep]:
    """Return the steps from the start of the first half to the end of the second.

    A step is left out when the other half has no row for its middle end.
    """
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
    """Return one step for two steps in a row: reworded if one is, with the lower score and the strongest cause."""
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


def _strongest_cause(first: _PairStep, second: _PairStep) -> str | None:
    """Return the cause of a difference that two steps in a row make: ``code`` before ``unknown`` before
    ``translation``.
    """
    causes = {x.cause for x in (first, second) if x.reworded and x.cause}
    return next((c for c in ("code", "unknown", "translation") if c in causes), None)


def _add_step(out: _StepsByEnds, step: _PairStep) -> None:
    """Add a step; two steps between the same ends become one.

    A step of the words replaces one of headings only. The result is reworded when one of them is, for the strongest
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
    """Return the steps without a drop or an addition of a node that has a partner in another step."""
    steps = list(steps)
    left, right = {s.a for s in steps if s.a and s.b}, {s.b for s in steps if s.a and s.b}
    return [s for s in steps if (s.a and s.b) or (s.a and s.a not in left) or (s.b and s.b not in right)]


def _pairs_from_steps(older: str, newer: str, steps: list[_PairStep], via: tuple[str, ...]) -> list[Pair]:
    """Return the steps as pairs. The relation of each follows from all the steps together."""
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


# -- What corresponds to what ---


@dataclass(frozen=True)
class Counterpart:
    """A provision of another edition that corresponds to a node, and how that is known.

    ``of`` is the node that the pair is about. That is the requested node or, where ``how`` is ``parent``, the nearest
    provision around it that has a counterpart. ``how`` is ``row`` (the two editions are aligned directly), ``third``
    (composed through the editions ``via``) or ``parent``. ``pair`` is the row itself; its ``a`` belongs to the older
    edition.
    """

    id: NodeId
    edition: str
    of: NodeId
    how: str
    pair: Pair

    @property
    def relation(self) -> str:
        """The relation of the pair."""
        return self.pair.relation

    @property
    def via(self) -> tuple[str, ...]:
        """The editions through which the pair was composed; empty if the two editions are aligned directly."""
        return self.pair.via


class Relations:
    """The relations between all editions of the laws.

    Editions of other things, such as decisions, have none.
    """

    def __init__(
        self, editions: Sequence[alignment.EditionToAlign], nodes: Mapping[NodeId, Node], links: Iterable[Pair]
    ):
        """``editions``: the editions of the laws in time order; ``links``: the aligned pairs and the exceptions."""
        self._editions, self._nodes = {x.id: x for x in editions}, nodes
        self._order = list(self._editions)
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

    # -- Editions and codes ---

    @property
    def edition_ids(self) -> list[str]:
        """The ids of the editions of the laws, in time order."""
        return self._order

    @cached_property
    def code_outlines(self) -> dict[str, str]:
        """Code → id of the edition that is its code outline (``alignment.code_outlines``)."""
        return alignment.code_outlines(self._editions.values(), self._links)

    def code_of(self, edition: str) -> str | None:
        """Return the code of laws of an edition; None for an edition that does not hold laws."""
        return self._editions[edition].code if edition in self._editions else None

    def editions_by_nearness(self, edition: str) -> list[str]:
        """Return the other editions: those of the same code first, then by distance in years."""
        own = self._editions[edition]
        others = (x for x in self._editions.values() if x.id != edition)
        return [x.id for x in sorted(others, key=lambda x: (x.code != own.code, abs(x.year - own.year), x.id))]

    # -- Pairs ---

    def pairs(self, one: str, other: str) -> tuple[Pair, ...]:
        """Return the rows between two editions, in the order of the newer one; empty when none are known."""
        if one not in self._editions or other not in self._editions or one == other:
            return ()
        older, newer = sorted((one, other), key=self._order.index)
        if (older, newer) not in self._pair_cache:
            self._pair_cache[older, newer] = tuple(self._compute_pairs(older, newer))
        return self._pair_cache[older, newer]

    def is_reviewed(self, one: str, other: str) -> bool:
        """Whether there are rows between two editions and every one is reviewed.

        Where it is not so, nobody has looked for what one of the editions lacks.
        """
        key = min(one, other), max(one, other)
        if key not in self._reviewed_cache:
            pairs = self.pairs(one, other)
            self._reviewed_cache[key] = bool(pairs) and all(p.basis == "reviewed" for p in pairs)
        return self._reviewed_cache[key]

    def _compute_pairs(self, older: str, newer: str) -> list[Pair]:
        """Return the pairs of two editions: as aligned, or composed through the editions between them."""
        stations = alignment.find_route(older, newer, self._links)
        if stations is None:
            return []
        via = tuple(stations[1:-1])
        if not via:
            rows = self._links.get((older, newer)) or self._links[newer, older]
        else:
            # First to the outline of the code, and from there through the years. So what a reviewer decided for two
            # codes holds for every text of them.
            third = via[-1] if older in self.code_outlines.values() else via[0]
            rows = compose_pairs(
                older, newer, self.pairs(older, third), self.pairs(third, newer), via, self._exceptions[older, newer]
            )
        rows = [p for p in rows if (p.a is None or p.a in self._nodes) and (p.b is None or p.b in self._nodes)]
        return sorted(self._without_laws_outside_extracts(older, newer, rows), key=self._sort_key)

    def _without_laws_outside_extracts(self, older: str, newer: str, rows: list[Pair]) -> list[Pair]:
        """Return the rows without new and dropped provisions in laws that an extract leaves out.

        An extract says nothing about these laws, so nothing in them is new or dropped.
        """
        if self._editions[older].complete and self._editions[newer].complete:
            return rows
        speaks = {id_.law for p in rows for id_ in p.both_ids or ()}
        return [p for p in rows if p.both_ids or any(id_.law in speaks for id_ in (p.a, p.b) if id_)]

    def _sort_key(self, p: Pair) -> tuple[int, int]:
        """Return the key of a row: the position of its provision in the newer edition.

        Rows without one come after these, by their provision in the older edition.
        """
        return (0, self._position_by_id[p.b]) if p.b else (1, self._position_by_id[p.a] if p.a else 0)

    @cached_property
    def _position_by_id(self) -> dict[NodeId, int]:
        return {id_: i for i, id_ in enumerate(self._nodes)}

    def rows_of(self, id_: NodeId, edition: str) -> list[Pair]:
        """Return the rows of a node with another edition, including those without a partner."""
        own = id_.edition
        if (own, edition) not in self._rows_by_node:
            side: dict[NodeId | None, list[Pair]] = defaultdict(list)
            for p in self.pairs(own, edition):
                side[p.a if p.older == own else p.b].append(p)
            self._rows_by_node[own, edition] = side
        return self._rows_by_node[own, edition].get(id_, [])

    # -- Counterparts ---

    def counterparts_of(self, id_: NodeId) -> Mapping[str, tuple[Counterpart, ...]]:
        """THE rule of “corresponds”: return edition → counterparts of a node there, without editions that have none.

        A counterpart comes from a row of the node itself. The row is one of a table or of the computed proposal where
        the two editions are aligned directly; otherwise it is composed through the editions between them. A node whose
        parent corresponds does not correspond for that reason; :meth:`nearest_counterparts` says where to look for
        it.
        """
        # A search asks for hundreds of nodes. Unknown ids are not cached, so the cache cannot grow without limit.
        if id_ in self._counterpart_cache:
            return self._counterpart_cache[id_]
        found = {e: self._counterparts_in(id_, e) for e in self._order if e != id_.edition}
        rows_by_edition = {e: rows for e, rows in found.items() if rows}
        if id_ in self._nodes:
            self._counterpart_cache[id_] = rows_by_edition
        return rows_by_edition

    def counterpart_ids(self, id_: NodeId, relations: tuple[str, ...] = ()) -> tuple[NodeId, ...]:
        """Return the ids of the counterparts in every edition; only those by one of ``relations``, if any are given."""
        key = id_, relations
        if key in self._id_cache:
            return self._id_cache[key]
        found = (c for rows in self.counterparts_of(id_).values() for c in rows)
        ids = tuple(c.id for c in found if not relations or c.relation in relations)
        if id_ in self._nodes:
            self._id_cache[key] = ids
        return ids

    def nearest_counterparts(self, id_: NodeId, edition: str) -> tuple[Counterpart, ...]:
        """Return the counterparts in one edition; without any, those of the nearest provision around the node."""
        if (id_, edition) in self._nearest_cache:
            return self._nearest_cache[id_, edition]
        found = self._find_nearest(id_, edition)
        if id_ in self._nodes and edition in self._editions:
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
        """Return the counterparts of a node in one edition, in the order of that edition."""
        made = [
            Counterpart(far, edition, id_, "third" if p.via else "row", p)
            for p in self.rows_of(id_, edition)
            if (far := p.other_id_of(id_))
        ]
        return tuple(sorted(made, key=lambda c: self._position_by_id[c.id]))
