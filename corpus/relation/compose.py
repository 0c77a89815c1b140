"""The pairs of two editions that are joined over a third one, like a finger that goes over three columns."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from corpus.model import NodeId, Pair, Said
from corpus.relation.concordance import NONE, relation_of


@dataclass(frozen=True)
class _Step:
    """A pair as seen from where the way begins; an end that is None has no partner on the other side."""

    a: NodeId | None
    b: NodeId | None
    reworded: bool
    cause: str | None
    score: float
    basis: Literal["reviewed", "computed"]
    remark: str
    heading: bool
    differences: tuple[Said, ...] = ()


# The step between two ends.
_Ways = dict[tuple[NodeId | None, NodeId | None], _Step]


def compose(
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
    steps = _joined(_seen_from(older, first), _seen_to(newer, second))
    found = {(s.a, s.b): s for s in steps}
    for e in exceptions:
        found.pop((e.a, e.b), None)
        if e.relation != NONE:
            found[e.a, e.b] = _Step(e.a, e.b, e.reworded, e.cause, e.score, e.basis, e.remark, e.heading, e.differences)
    return _related(older, newer, _settled(found.values()), via)


def _seen_from(edition: str, pairs: Iterable[Pair]) -> list[_Step]:
    """The pairs with ``edition`` on the left, whichever is the older one."""
    return [_turned(p, p.older != edition) for p in pairs]


def _seen_to(edition: str, pairs: Iterable[Pair]) -> list[_Step]:
    """The pairs with ``edition`` on the right."""
    return [_turned(p, p.newer != edition) for p in pairs]


def _turned(p: Pair, turn: bool) -> _Step:
    a, b = (p.b, p.a) if turn else (p.a, p.b)
    return _Step(a, b, p.reworded, p.cause, p.score, p.basis, p.remark, p.heading, p.differences)


def _joined(first: list[_Step], second: list[_Step]) -> list[_Step]:
    """The steps from the beginning of the first to the end of the second; what a half does not speak of is left out."""
    onward = defaultdict(list)
    for t in second:
        onward[t.a].append(t)
    out: _Ways = {}
    for s in first:
        if s.b is None:
            _add(out, s)
            continue
        for t in onward[s.b]:
            if s.a:
                _add(out, _after(s, t))
            elif t.b:
                _add(out, replace(s, b=t.b))
    for t in onward[None]:
        _add(out, t)
    return list(out.values())


def _after(s: _Step, t: _Step) -> _Step:
    remark = "; ".join(dict.fromkeys(r for r in (s.remark, t.remark) if r))
    differences = tuple(
        dict.fromkeys(n for x in (s, t) if x.reworded or not (s.reworded or t.reworded) for n in x.differences)
    )
    basis: Literal["reviewed", "computed"] = "computed" if "computed" in (s.basis, t.basis) else "reviewed"
    if t.b is None:
        return replace(t, a=s.a, remark=remark, differences=differences, basis=basis)
    return _Step(
        s.a,
        t.b,
        s.reworded or t.reworded,
        _strongest(s, t),
        min(s.score, t.score),
        basis,
        remark,
        s.heading or t.heading,
        differences,
    )


def _strongest(s: _Step, t: _Step) -> str | None:
    """The cause of a difference that several steps make: the laws before a doubt before a translation."""
    causes = {x.cause for x in (s, t) if x.reworded and x.cause}
    return next((c for c in ("code", "unknown", "translation") if c in causes), None)


def _add(out: _Ways, step: _Step) -> None:
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
        out[key] = replace(known, cause=_strongest(known, step)) if known.reworded else step


def _settled(steps: Iterable[_Step]) -> list[_Step]:
    """Nothing is dropped or new that has a partner after all."""
    steps = list(steps)
    left, right = {s.a for s in steps if s.a and s.b}, {s.b for s in steps if s.a and s.b}
    return [s for s in steps if (s.a and s.b) or (s.a and s.a not in left) or (s.b and s.b not in right)]


def _related(older: str, newer: str, steps: list[_Step], via: tuple[str, ...]) -> list[Pair]:
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
