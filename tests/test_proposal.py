"""The computed proposal agrees with what people reviewed, and each evidence earns its place."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from corpus.relation import alignment


def agreement(ingest, older: str, newer: str) -> tuple[float, float]:
    """Precision and recall of the computed pairs against the reviewed table of two editions, below the laws."""
    table = next(t for t in ingest.tables if (t.older, t.newer) == (older, newer) and not t.through)
    deep = lambda a, b: a and b and "/" in a and "/" in b and a[0].isdigit() and b[0].isdigit() and "fn" not in a + b
    wanted = {(r.older, r.newer) for r in table.rows if deep(r.older, r.newer) and not r.heading}
    headings = {(r.older, r.newer) for r in table.rows if r.heading}
    nodes = lambda e: list(ingest.readings[e].nodes)
    alphabets = {code: language.alphabet for code, language in ingest.languages.items()}
    got = {p for p in alignment.propose_pairs(nodes(older), nodes(newer), alphabets) if deep(*p)} - headings
    return len(got & wanted) / len(got), len(got & wanted) / len(wanted)


def spans(ingest) -> list[tuple[str, str]]:
    """Pairs of whole editions that a reviewed table joins."""
    whole = {e.id for e in ingest.editions.values() if e.complete and not e.modifies}
    return [(t.older, t.newer) for t in ingest.tables if {t.older, t.newer} <= whole and not t.through]


def mean(agreements: Iterable[tuple[float, float]]) -> float:
    """F1, the mean over pairs of editions."""
    found = [2 * p * r / (p + r) for p, r in agreements]
    return sum(found) / len(found)


@pytest.fixture(scope="module")
def agreements(ingest) -> dict[tuple[str, str], tuple[float, float]]:
    """Pair of editions → how far the proposal, with all its evidence, agrees."""
    return {span: agreement(ingest, *span) for span in spans(ingest)}


@pytest.mark.parametrize(("evidence", "earns"), [("words", 0.2), ("around", 0.03), ("place", 0.02), ("length", 0.008)])
def test_each_evidence_of_the_proposal_earns_its_place(ingest, agreements, monkeypatch, evidence, earns):
    """Without it the proposal agrees less with what people reviewed (F1, mean over the reviewed pairs of codes)."""
    whole = mean(agreements.values())
    monkeypatch.setitem(alignment._WEIGHTS, evidence, 0.0)
    assert whole > 0.84 and mean(agreement(ingest, *span) for span in agreements) < whole - earns


def test_the_proposal_is_precise(agreements):
    for span, (precision, recall) in agreements.items():
        assert precision > 0.93 and recall > 0.7, span
