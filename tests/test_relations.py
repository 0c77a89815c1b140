"""What holds between the texts of the corpus: tables leave as reviewed, one rule says what corresponds."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from itertools import combinations

from exported import counted, exported, full  # noqa: F401

from corpus.changes import summary
from corpus.model import NUMBERED_KINDS, NodeId
from corpus.relation.concordance import CAUSES, RELATIONS, relation_of
from corpus.relation.relations import Relations


def test_the_tables_of_the_corpus_have_no_fault(ingest):
    assert [str(p) for p in ingest.problems if p.file.startswith("concordances/")] == []
    assert sum(len(t.rows) for t in ingest.tables) > 1500


def test_every_reviewed_pair_leaves_with_its_relation(ingest, exported):
    """As the table says it: relation, whether the substance changed, and why."""
    left = {(p.a, p.b): p for rows in exported.values() for p in rows}
    seen = 0
    for table in ingest.tables:
        for row in table.rows:
            if row.heading or table.through:
                continue
            key = (
                f"{table.older}/{row.older}" if row.older else None,
                f"{table.newer}/{row.newer}" if row.newer else None,
            )
            if key in left:  # an extract leaves out what is new in laws that it does not have
                p = left[key]
                assert (p.relation, p.reworded, p.cause, p.basis) == (
                    row.relation,
                    row.reworded,
                    row.cause,
                    "reviewed",
                ), row.place
                seen += 1
    assert seen > 1500


def test_relations_say_what_the_contract_says(exported):
    for rows_ in exported.values():
        olders, newers = Counter(p.a for p in rows_ if p.b), Counter(p.b for p in rows_ if p.a)
        for p in rows_:
            assert p.relation in RELATIONS and (p.cause is None or p.cause in CAUSES)
            if p.a is None or p.b is None:
                assert p.relation == ("new" if p.a is None else "dropped") and not p.reworded
                continue
            same_path = p.a.path == p.b.path
            assert p.relation == relation_of(
                *("x", "x") if same_path else ("x", "y"), olders[p.a], newers[p.b], p.reworded
            ), p
            assert p.cause is None or p.reworded


def test_what_is_dropped_or_new_has_no_partner(exported):
    for rows_ in exported.values():
        paired = {i for p in rows_ if p.a and p.b for i in (p.a, p.b)}
        alone = {p.a or p.b for p in rows_ if not (p.a and p.b)}
        assert not paired & alone


def test_every_provision_with_words_has_a_row_in_every_whole_edition(library, full, exported):
    """A false “nothing changed” begins with a provision that nobody looked at."""
    kinds = {*NUMBERED_KINDS, "definition", "footnote"}
    for older, newer in combinations(full, 2):
        named = {i for p in exported[older, newer] for i in (p.a, p.b)}
        for edition in (older, newer):
            left = [n.id for n in library.nodes_of(edition) if n.kind in kinds and n.text.strip() and n.id not in named]
            assert not left, (older, newer, left)


def test_counterparts_go_both_ways(library):
    seen = 0
    for node in library.nodes.values():
        for edition, found in library.relations.counterparts_of(node.id).items():
            for c in found:
                back = {k.id: k for k in library.relations.counterparts_of(c.id).get(node.edition, ())}
                assert node.id in back and back[node.id].pair == c.pair and c.edition == edition == c.id.edition
                seen += 1
    assert seen > 5000


def test_two_codes_agree_with_the_way_over_the_code_between_or_the_difference_has_its_reason(ingest, library):
    """1997 → 2007 → 2017 gives 1997 → 2017; each exception is needed, and says why."""
    plain = Relations(library.editions_to_align, library.nodes, [p for p in ingest.links if not p.via])
    for table in ingest.tables:
        if not table.through:
            continue
        composed, told = (
            {(p.a, p.b): (p.relation, p.reworded, p.cause, p.heading) for p in r.pairs(table.older, table.newer)}
            for r in (plain, library.relations)
        )
        full = lambda edition, path: NodeId.of(edition, path) if path else None
        named = {(full(table.older, r.older), full(table.newer, r.newer)) for r in table.rows}
        touched = {i for key in named for i in key}
        # A row that differs is an exception, or has a partner more or less because of one.
        assert all(
            key in named or touched & set(key)
            for key in composed.keys() | told.keys()
            if composed.get(key) != told.get(key)
        )
        for row in table.rows:
            key = full(table.older, row.older), full(table.newer, row.newer)
            assert row.remark and composed.get(key) != told.get(key), row.place


def test_what_an_extract_leaves_out_is_not_new_in_another_text(library):
    extracts = [e for e in library.law_editions if not e.complete]
    assert extracts
    for extract in extracts:
        laws = {n.path for n in library.laws_of(extract.id)}
        for other in library.relations.edition_ids:
            for p in library.relations.pairs(extract.id, other):
                if p.a is None or p.b is None:
                    assert (p.a or p.b).law in laws | {"fn", "def"}


def test_a_sum_is_what_the_export_says_of_the_parts(library, full, exported):
    seen = 0
    for older, newer in combinations(full, 2):
        for law in library.laws_of(newer):
            for c in library.relations.counterparts_of(law.id).get(older, ()):
                made = asdict(summary(library, library.nodes[c.id], law))
                expected = counted(library, library.nodes[c.id], law, exported[older, newer])
                assert {k: made[k] for k in expected} == expected, (c.id, law.id)
                assert made["parts"] == made["same"] + made["changed"] + made["new"]
                seen += made["changed"] > 0
    assert seen > 60
