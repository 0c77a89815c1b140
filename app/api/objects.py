"""JSON objects of the API (contract, section 5). Pages are made from the same functions of the library and the
atlas.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import Any

from app.site import addresses, answers, rulings
from app.site.atlas import Atlas
from app.site.ruling_data import under
from app.site.twins import Twin, between, twins
from corpus.checked.prose import Prose
from corpus.edition.identity import Identity
from corpus.exchange import Json, node_to_json, slip_to_json, to_json
from corpus.library import Library
from corpus.model import Node, NodeId
from corpus.relation.compare import Comparison, ComparedRow
from index.answer import Answer, Compared, Hit, Suggestion


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
        "rulings": [r.id for r in atlas.rulings.get(found.id, ())],
        "conditions": [under(u) for u in rulings.of_node(atlas, found.id)],
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
    return {
        "editions": list(found.editions),
        "read_in": found.read_in,
        "rows": [_row(library, row, found.own) for row in found.rows],
    }


def _row(library: Library, row: ComparedRow, own: int) -> dict:
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
        "differences": row.differences,
        "summaries": [asdict(t.summary) if t and t.summary else None for t in said],
    }


def suggestion(found: Suggestion) -> dict:
    """``{"text", "kind", "url"}``; to programs an entry of a printed subject index is a term, a situation a heading."""
    kind = {"topic": "term", "situation": "heading"}.get(found.kind, found.kind)
    return {"text": found.text, "kind": kind, "url": answers.address_of(found)}


def answer(found: Answer, explain: bool = False) -> dict:
    """The object of the API; ``explain``: with the factors of every score (docs/search.md)."""
    return {
        "query": found.query,
        "interpretation": {"kind": found.kind, "paths": list(found.paths), "lang": found.lang},
        "total": found.total,
        "confident": found.confident,
        "suggestion": found.suggestion,
        "results": [_result(hit, explain) for hit in found.hits],
        "groups": [{"law": card.law, "results": list(card.hits)} for card in found.cards],
        "facets": _facets(found),
        "capped": found.capped,
        **({"compare": _compared(found.compare)} if found.compare else {}),
    }


def _compared(found: Compared) -> Json:
    return {"url": addresses.compare(*found), "path": found.path, "editions": list(found.editions)}


def _facets(found: Answer) -> Json:
    """The facets of an answer; laws are counted by their path, over all editions."""
    laws: Counter[str] = Counter()
    for id_, count in found.facets.get("law", {}).items():
        laws[NodeId(id_).path] += count
    return {**found.facets, **({"law": dict(laws.most_common())} if laws else {})}


def _result(hit: Hit, explain: bool) -> dict:
    row: dict[str, Any] = {
        "id": hit.node.id,
        "edition": hit.node.edition,
        "path": hit.node.path,
        "citation": hit.node.citation,
        "heading": hit.node.heading,
        "score": round(hit.score, 4),
        "snippet": answers.snippet_html(hit.snippet),
        "counterparts": list(hit.counterparts),
        "notes": [slip_to_json(s) for s in hit.node.slips],
    }
    if explain:
        row["factors"] = [factor._asdict() for factor in hit.factors]
    return row
