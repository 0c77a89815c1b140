"""The references of the real texts: those that a reader found, each proved by slicing, the dangling ones told."""

import time
from pathlib import Path

import pytest
from reference_tree import CASES, rows

from corpus import language
from corpus.edition import list_editions
from corpus.reference.resolve import annotate_references

CORPUS = Path(__file__).parent.parent / "corpus"
EDITIONS = list_editions(CORPUS)
GOLD = sorted(p.parent.name for p in (CASES / "gold").glob("*/refs.tsv"))


@pytest.fixture(scope="module")
def annotated(ingest):
    """Every edition with its references, by id: (edition, nodes, problems, seconds)."""
    out = {}
    for name, edition in ingest.editions.items():
        words = language.load_language(CORPUS / "languages", edition.lang)
        start = time.process_time()
        out[name] = (
            edition,
            *annotate_references(list(ingest.readings[name].nodes), edition, words),
            time.process_time() - start,
        )
    return out


def test_there_are_editions_and_gold():
    assert len(EDITIONS) >= 5 and len(GOLD) >= 4 and len(rows(CASES / "references" / "phrases.tsv")) > 50


@pytest.mark.parametrize("name", GOLD)
def test_an_edition_has_the_references_that_a_reader_found(name, annotated):
    _, nodes, _, _ = annotated[name]
    wanted, either = set(), set()
    for row in rows(CASES / "gold" / name / "refs.tsv"):
        if row["kind"] != "footnote":
            edges = {(row["source_path"], t) for t in row["targets"].split(";")}
            (wanted if row["confidence"] == "high" else either).update(edges)
    named = lambda target: (
        target.removeprefix(f"{name}/") if target.startswith(f"{name}/") else target.replace("/", ":", 1)
    )
    found = {(n.path, named(t)) for n in nodes for r in n.references for t in r.targets} - either
    assert wanted
    assert sorted(found - wanted) == [] and sorted(wanted - found) == []


@pytest.mark.parametrize("name", EDITIONS)
def test_every_span_is_proved_by_slicing(name, annotated):
    edition, nodes, _, _ = annotated[name]
    ids = {n.id for n in nodes}
    seen = 0
    for node in nodes:
        ends = {"text": 0, "heading": 0}
        for r in node.references:
            published = node.text if r.where == "text" else node.heading
            assert published[r.start : r.end] == r.surface and r.surface.strip() == r.surface != ""
            assert r.start >= ends[r.where], f"{node.id}: {r.surface!r} overlaps the reference before"
            ends[r.where] = r.end
            assert r.targets and len(set(r.targets)) == len(r.targets)
            assert set(r.missing) == {t for t in r.targets if t not in ids} - {
                t for t in r.targets if edition.modifies and t.startswith(edition.modifies + "/")
            }
            assert (r.kind == "external") <= all(t.startswith(edition.modifies + "/") for t in r.targets)
            seen += 1
    assert seen


def test_a_dangling_reference_is_a_problem_with_place_and_next_move(annotated):
    edition, nodes, problems, _ = annotated["hr-1997"]
    missing = [(n, r) for n in nodes for r in n.references if r.missing]
    assert len(problems) == len(missing) > 10
    lines = edition.folder.joinpath(edition.source).read_text(encoding="utf-8").split("\n")
    for problem, (_, reference) in zip(problems, missing, strict=False):
        assert not problem.fatal and reference.surface in lines[problem.line - 1]
        assert reference.surface in problem.finding and "The nearest is 23;" in problem.move


def test_what_lies_outside_an_extract_is_missing_but_no_problem(annotated):
    _, nodes, problems, _ = annotated["pl-1997"]
    assert any(r.missing for n in nodes for r in n.references) and not problems


def test_no_edition_has_what_looks_like_a_reference_and_is_none(annotated):
    assert [str(p) for _, _, problems, _ in annotated.values() for p in problems if "looks like" in p.finding] == []


def test_annotating_again_changes_nothing(annotated, ingest):
    for name, (_, nodes, *_) in annotated.items():
        assert tuple(nodes) == ingest.readings[name].nodes


def test_all_texts_are_annotated_in_less_than_three_seconds(annotated):
    assert sum(seconds for *_, seconds in annotated.values()) < 3
