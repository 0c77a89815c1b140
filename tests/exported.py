"""What the export says of two texts, as tests count it."""

from __future__ import annotations

import pytest

from corpus.export import exported_pairs
from corpus.model import Pair


@pytest.fixture(scope="session")
def full(library, ingest) -> list[str]:
    """Ids of the whole editions of the laws that reviewed tables join, in time order."""
    reviewed = {e for t in ingest.tables for e in (t.older, t.newer)}
    ids = [e.id for e in library.law_editions if e.complete and e.id in reviewed]
    assert len(ids) >= 3
    return ids


@pytest.fixture(scope="session")
def exported(library) -> dict[tuple[str, str], list[Pair]]:
    """The rows that are exported, by the pair of editions."""
    out: dict[tuple[str, str], list[Pair]] = {}
    for p in exported_pairs(library):
        out.setdefault((p.older, p.newer), []).append(p)
    return out


def counted(library, older, newer, rows_) -> dict[str, int]:
    """The sum of contract section 4, counted from the export alone."""

    def inside(top):
        ids = {top.id}
        for n in library.nodes_of(top.edition):
            if n.parent in ids:
                ids.add(n.id)
        return [library.nodes[i] for i in ids if library.nodes[i].text.strip()]

    by_b, with_a = {}, {p.a for p in rows_ if p.a and p.b}
    for p in rows_:
        if p.a and p.b:
            by_b.setdefault(p.b, []).append(p)
    parts = inside(newer)
    old = [by_b[n.id] for n in parts if n.id in by_b]
    changed = sum(any(p.reworded for p in ps) for ps in old)
    moved = sum(all(p.a.path != p.b.path for p in ps) for ps in old)
    return {
        "parts": len(parts),
        "same": len(old) - changed,
        "changed": changed,
        "new": len(parts) - len(old),
        "dropped": sum(n.id not in with_a for n in inside(older)),
        "moved": moved,
    }
