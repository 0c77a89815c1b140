"""JSON objects of the API (contract, section 5). Pages are made from the same functions of the library and the
atlas.
"""

from __future__ import annotations

from dataclasses import asdict

from app.site import addresses
from app.site.atlas import Atlas
from app.site.twins import Twin, between, twins
from corpus.checked.prose import Prose
from corpus.edition.identity import Identity
from corpus.exchange import Json, node_to_json, to_json
from corpus.library import Library
from corpus.model import Node
from corpus.relation.compare import Comparison, Row


def edition(info: Identity) -> Json:
    """What is known of an edition. A program gets the first text of what is said in prose; ``prose`` has it by
    language.
    """
    prose = {name: texts for name, texts in vars(info).items() if isinstance(texts, Prose)}
    return (
        to_json(info)
        | {name: next(iter(texts.values()), "") for name, texts in prose.items()}
        | {"prose": prose, "decisions": info.decisions.kinds}
        | {"in_force": bool(info.force), "in_force_stated": info.force is not None}
    )


def node(atlas: Atlas, found: Node) -> dict:
    """A node as exported, with what hangs on it."""
    library = atlas.library
    return node_to_json(found) | {
        "children": list(found.children),
        "cited_by": [{"id": n.id, "surface": r.surface} for n, r in atlas.citing.get(found.id, ())],
        "counterparts": {t.edition.id: [_counterpart(twin) for twin in t.twins] for t in twins(library, found)},
        "url": addresses.provision(found.id),
    }


def _counterpart(twin: Twin) -> dict:
    """A counterpart: the relation is that of the row of its own words, the summary that of its parts."""
    found = twin.counterpart
    return {
        "id": found.id,
        "relation": found.relation,
        "reworded": found.pair.reworded,
        "cause": found.pair.cause,
        "basis": found.pair.basis,
        "how": found.how,
        "via": list(found.via),
        "summary": asdict(twin.summary) if twin.summary else None,
    }


def comparison(library: Library, found: Comparison) -> dict:
    """A comparison; ``summaries``: what is said of a row's counterparts with children, beside their own words'
    relation.
    """
    own = found.editions.index(found.read_in)
    return {
        "editions": list(found.editions),
        "read_in": found.read_in,
        "rows": [_row(library, row, own) for row in found.rows],
    }


def _row(library: Library, row: Row, own: int) -> dict:
    base = next(iter(row.cells[own].ids), None)
    said = [
        between(library, base, cell.ids[0]) if base and cell.ids and i != own else None
        for i, cell in enumerate(row.cells)
    ]
    return {
        "cells": [list(c.ids) for c in row.cells],
        "relation": row.relation,
        "relations": [c.relation for c in row.cells],
        "basis": "computed" if row.computed else "reviewed",
        "notes": row.remarks,
        "summaries": [asdict(t.summary) if t and t.summary else None for t in said],
    }
