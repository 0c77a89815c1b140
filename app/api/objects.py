"""JSON objects of the API (contract, section 5), from the same functions of the library and the atlas as pages."""

from __future__ import annotations

from app.site import addresses
from app.site.atlas import Atlas
from app.site.twins import Twin, between, twins
from corpus.exchange import node_to_json
from corpus.library import EditionInfo, Library
from corpus.model import Node
from corpus.relation.compare import Comparison


def edition(info: EditionInfo) -> dict:
    """What is known of an edition."""
    own = {
        "id": info.id,
        "lang": info.lang,
        "year": info.year,
        "title": info.title,
        "short": info.short,
        "in_force": info.in_force,
        "complete": info.complete,
        "proofread": info.proofread,
        "superseded_by": info.superseded_by,
    }
    return own | {
        k: v
        for k, v in info.data.items()
        if k not in own and isinstance(v, (str, int, bool, list, tuple, dict, type(None)))
    }


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
        "summary": twin.summary.to_json() if twin.summary else None,
    }


def comparison(library: Library, found: Comparison) -> dict:
    """A comparison; ``summaries``: what is said of a row's counterparts with children, beside how their own words
    relate.
    """
    data = found.to_json()
    own = found.editions.index(found.read_in)
    for row, shown in zip(data["rows"], found.rows, strict=True):
        base = next(iter(shown.cells[own].ids), None)
        twins_ = [
            between(library, base, cell.ids[0]) if base and cell.ids and i != own else None
            for i, cell in enumerate(shown.cells)
        ]
        row["summaries"] = [t.summary.to_json() if t and t.summary else None for t in twins_]
    return data
