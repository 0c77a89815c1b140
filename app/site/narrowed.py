"""What a list of rulings is narrowed down to by its address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.site.atlas import Atlas
from corpus.ruling.model import KINDS, Ruling

Filters = Mapping[str, Sequence[str]]


def known_filters(atlas: Atlas) -> dict[str, list[str]]:
    """The values that a filter may have, of each filter by name."""
    every = atlas.library.rulings.values()
    under = {c for ruling in every for c in ruling.conditions}
    return {
        "body": list(atlas.library.bodies),
        "kind": [kind for kind in KINDS if any(r.kind == kind for r in every)],
        "code": sorted({r.code for r in every}, reverse=True),
        "condition": [c for c in atlas.library.conditions.names if c in under],
    }


def narrowed(atlas: Atlas, filters: Filters) -> list[Ruling]:
    """The rulings that have one of the values of each filter, in their order; of an empty filter, all."""
    return [
        r
        for r in atlas.library.rulings.values()
        if all(
            not wanted or set(wanted) & set(values)
            for wanted, values in (
                (filters["body"], (r.body,)),
                (filters["kind"], (r.kind,)),
                (filters["code"], (r.code,)),
                (filters["condition"], r.conditions),
            )
        )
    ]
