"""Queries that people judged are answered rightly, and what the search says of itself is so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.api.objects import answer_object as answer_json
from scripts import evaluate

CASES = Path(__file__).parent / "cases" / "queries"
CITATIONS = [line.split("\t") for line in (CASES / "citations.tsv").read_text(encoding="utf-8").splitlines()[1:]]


@pytest.fixture(scope="session")
def outcomes(searcher, library):
    return evaluate.run_queries(evaluate.make_api_search(searcher, library), evaluate.read_queries(), library)


def test_there_are_cases():
    assert len(CITATIONS) > 25 and len(evaluate.read_queries()) >= 220
    assert {q.kind for q in evaluate.read_queries()} == {
        "citation",
        "keyword",
        "inflected",
        "plain",
        "typo",
        "question",
        "term",
        "ocr",
        "phrase",
        "crosslingual",
        "nothing",
    }


@pytest.mark.parametrize("query, kind, paths", CITATIONS, ids=[row[0] for row in CITATIONS])
def test_a_citation_is_read_in_any_spelling(searcher, query, kind, paths):
    answer = searcher.search(query)
    assert (answer.kind, " ".join(answer.paths)) == (kind, paths)


def test_judged_queries_are_answered(outcomes):
    real = [o for o in outcomes if o.judged.kind != "nothing"]
    share = lambda rows, f: sum(map(f, rows)) / len(rows)
    assert share(real, lambda o: o.within(3)) >= 0.95
    assert share(real, lambda o: o.confident) >= 0.9
    for kind in {o.judged.kind for o in outcomes}:
        rows = [o for o in outcomes if o.judged.kind == kind]
        least = {"citation": 1.0, "phrase": 1.0, "crosslingual": 0.9, "nothing": 0.85, "question": 0.82}.get(kind, 0.88)
        assert share(rows, lambda o: o.within(3)) >= least, kind


@pytest.fixture(scope="session")
def of_concepts(searcher, library):
    """(thing, half, language of asking, edition, whether it is there at all, whether the first three have it, whether
    the search is sure).
    """
    head, *rows = [line.split("\t") for line in (CASES / "concepts.tsv").read_text(encoding="utf-8").splitlines()]
    out = []
    for row in (dict(zip(head, r, strict=True)) for r in rows):
        for lang in head[2:6]:
            for edition in head[6:]:
                about = row[edition].split()
                assert all(library.node_at(edition, path) for path in about), row
                answer = searcher.search(row[lang], editions=[edition], qlang=lang, limit=3)
                # As in lexbridge evaluate: the provision, what stands under it, or its parent.
                right = any(
                    evaluate._counts_as_right((edition, hit.node.path), (edition, path))
                    for hit in answer.hits
                    for path in about
                )
                out.append((row["concept"], row["half"], lang, edition, bool(about), right, answer.confident))
    return out


def test_a_thing_leads_to_the_laws_about_it_in_every_edition_and_language(of_concepts):
    there = [o for o in of_concepts if o[4]]
    assert len(there) > 700
    assert sum(o[5] for o in there) / len(there) >= 0.975
    assert sum(o[6] and o[5] for o in there) / len(there) >= 0.95
    for edition in {o[3] for o in there}:
        here = [o for o in there if o[3] == edition]
        assert sum(o[5] for o in here) / len(here) >= 0.955, edition
    leading = (
        "unauthorized information",
        "out of turn",
        "call out of turn",
        "lead out of turn",
        "opening lead out of turn",
        "hesitation",
        "change of tempo",
        "revoke",
        "suit not followed",
        "insufficient bid",
        "penalty card",
        "claim",
        "misinformation",
        "dummy's limitations",
    )
    assert {o[0] for o in there} >= set(leading)
    assert not [o for o in there if o[0] in leading and not o[5]]


def test_what_a_code_does_not_have_is_not_answered_surely(of_concepts):
    absent = [o for o in of_concepts if not o[4]]
    assert absent and not [o for o in absent if o[6]]
    assert sum(o[6] and not o[5] for o in of_concepts) <= 0.02 * len(of_concepts)


def test_every_score_follows_from_the_factors_that_the_api_shows(searcher):
    """As docs/search.md says: from 0, + adds and × multiplies, in their order; then four places."""
    seen = 0
    for query in (*evaluate.read_queries(), *evaluate.read_queries(evaluate.FRESH_QUERIES)):
        answer = searcher.search(query.query, qlang=query.lang, limit=10)
        for row in json.loads(json.dumps(answer_json(answer, explain=True)))["results"]:
            score = 0.0
            for factor in row["factors"]:
                score = score + factor["value"] if factor["how"] == "+" else score * factor["value"]
            assert round(score, 4) == row["score"], (query.query, row)
            seen += 1
    assert seen > 6_000
