"""The points of an edition of decisions as rulings: what the edition states of each, nothing besides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corpus.checked.prose import Prose
from corpus.condition import Conditions
from corpus.edition.identity import Identity
from corpus.model import Node
from corpus.ruling.model import Force, Ruling, RulingBody, Source


def of_edition(body: RulingBody, edition: Identity, nodes: Sequence[Node], conditions: Conditions) -> Iterator[Ruling]:
    """A ruling for each point, in order.

    A point says in its title what it is about; what it only mentions further on it is not.
    """
    rank = next((r.rank for r in edition.precedence if r.text == edition.title), 0)
    source = Source(edition.title)
    for point in (n for n in nodes if n.kind == "point"):
        named = (r for r in point.references if r.kind == "external" and r.where == "heading")
        inside = [n.id for n in nodes if point.id.holds(n.id)]
        yield Ruling(
            id=body.ruling(point.path),
            body=body.id,
            number=point.path,
            code=edition.code,
            provisions=tuple(dict.fromkeys(t.path for r in named for t in r.targets)),
            kind=body.kind,
            effect="modifies" if edition.decisions.kinds.get(point.path) == "modifies" else "explains",
            date=edition.issued if len(edition.issued) == len("2018-01-01") else "",
            title=Prose({edition.lang: str(point.heading)} if point.heading else {}),
            text=Prose(),
            source=source,
            force=Force(edition.in_force_since),
            rank=rank,
            edition=edition.id,
            node=point.id,
            stands=edition.force,
            only=tuple(only for id_ in inside for only in conditions.only.get(id_, ())),
        )
