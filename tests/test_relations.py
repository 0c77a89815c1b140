"""What holds between two texts: tables leave as reviewed, pairs are composed, one rule says what corresponds."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from itertools import combinations

import pytest

from corpus.export import alignment
from corpus.ingest import links
from corpus.model import NUMBERED, NodeId, Pair
from corpus.relation import proposal, spine
from corpus.relation.compose import compose
from corpus.relation.concordance import CAUSES, RELATIONS, Row, Table, read_tables, relation_of
from corpus.relation.redline import redline_parts
from corpus.relation.relations import Relations
from corpus.relation.summary import summary

# ── values by themselves ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("older", "newer", "partners", "back", "reworded", "relation"),
    [
        ("16/C", "16/C", 1, 1, False, "same"),
        ("16/C", "16/C", 1, 1, True, "reworded"),
        ("16/C", "16/D", 1, 1, False, "moved"),
        ("16/C", "16/D", 1, 1, True, "moved"),
        ("12/A", "12/A", 2, 1, False, "split"),
        ("12/A", "12/B", 1, 2, True, "merged"),
        ("12/A", "12/A", 2, 2, False, "split"),
    ],
)
def test_the_relation_of_two_paths(older, newer, partners, back, reworded, relation):
    assert relation_of(older, newer, partners, back, reworded) == relation


def rows(older: str, newer: str, *cells: tuple) -> list[Pair]:
    """Pairs from (path or "", path or "", changed?, cause)."""
    full = lambda e, p: NodeId.of(e, p) if p else None
    return [
        Pair(
            full(older, a),
            full(newer, b),
            "",
            bool(more and more[0]),
            1.0,
            "reviewed",
            "",
            older,
            newer,
            more[1] if len(more) > 1 else None,
        )
        for a, b, *more in cells
    ]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([("1", "1")], [("1", "1")], {("1", "1"): ("same", False, None)}),
        ([("1", "1", True, "code")], [("1", "1")], {("1", "1"): ("reworded", True, "code")}),
        ([("1", "1", True, "translation")], [("1", "1", True, "code")], {("1", "1"): ("reworded", True, "code")}),
        ([("1", "1", True, "translation")], [("1", "1", True, "unknown")], {("1", "1"): ("reworded", True, "unknown")}),
        ([("1", "2")], [("2", "3", True, "code")], {("1", "3"): ("moved", True, "code")}),
        ([("1", "2")], [("2", "1")], {("1", "1"): ("same", False, None)}),
        ([("1", "")], [], {("1", ""): ("dropped", False, None)}),
        ([("1", "1")], [("1", "", False, "unknown")], {("1", ""): ("dropped", False, "unknown")}),
        ([], [("", "1", False, "code")], {("", "1"): ("new", False, "code")}),
        ([("", "1", False, "code")], [("1", "2")], {("", "2"): ("new", False, "code")}),
        ([("", "1")], [("1", "")], {}),
        (
            [("1", "1"), ("1", "2")],
            [("1", "1"), ("2", "2")],
            {("1", "1"): ("split", False, None), ("1", "2"): ("split", False, None)},
        ),
        (
            [("1", "1"), ("2", "1")],
            [("1", "1")],
            {("1", "1"): ("merged", False, None), ("2", "1"): ("merged", False, None)},
        ),
        # Two ways between the same ends are one pair, changed when one of them is.
        ([("1", "1"), ("1", "2")], [("1", "1"), ("2", "1", True, "code")], {("1", "1"): ("reworded", True, "code")}),
        (
            [("1", "1", True, "translation"), ("1", "2", True, "code")],
            [("1", "1"), ("2", "1")],
            {("1", "1"): ("reworded", True, "code")},
        ),
        (
            [("1", "2", True, "code"), ("1", "1", True, "translation")],
            [("2", "1"), ("1", "1")],
            {("1", "1"): ("reworded", True, "code")},
        ),
        # One half drops it, the other half has it: it is not dropped.
        ([("1", "1"), ("1", "2")], [("1", ""), ("2", "2")], {("1", "2"): ("moved", False, None)}),
        # What a half does not speak of is left out, not called dropped.
        ([("1", "1")], [], {}),
    ],
)
def test_pairs_are_composed(first, second, expected):
    made = compose("a-1", "c-3", rows("a-1", "b-2", *first), rows("b-2", "c-3", *second), ("b-2",))
    path = lambda id_: id_.path if id_ else ""
    assert {(path(p.a), path(p.b)): (p.relation, p.reworded, p.cause) for p in made} == expected
    assert all((p.older, p.newer, p.via) == ("a-1", "c-3", ("b-2",)) for p in made)


def test_a_way_may_go_back_in_time():
    """Two extracts of one code are joined over its spine, which may be older or younger than both."""
    made = compose(
        "x-1", "y-1", rows("s-1", "x-1", ("1", "2")), rows("s-1", "y-1", ("1", "3", True, "translation")), ("s-1",)
    )
    assert [(p.a, p.b, p.relation, p.reworded) for p in made] == [("x-1/2", "y-1/3", "moved", True)]


def test_exceptions_are_laid_over_what_is_composed():
    first, second = rows("a-1", "b-2", ("1", "1"), ("2", "1")), rows("b-2", "c-3", ("1", "1"))
    taken = Pair(NodeId("a-1/2"), NodeId("c-3/1"), "none", False, 1.0, "reviewed", "why", "a-1", "c-3", None, ("b-2",))
    gone = Pair(NodeId("a-1/2"), None, "dropped", False, 1.0, "reviewed", "why", "a-1", "c-3", "code", ("b-2",))
    made = compose("a-1", "c-3", first, second, ("b-2",), [taken, gone])
    assert {(p.a, p.b): p.relation for p in made} == {("a-1/1", "c-3/1"): "same", ("a-1/2", None): "dropped"}


@pytest.mark.parametrize(
    ("joined", "expected"),
    [
        ([("a", "b")], None),
        ([("a", "b"), ("b", "c")], ["a", "b", "c"]),
        ([("a", "b"), ("b", "c"), ("a", "c")], ["a", "c"]),
        ([("c", "b"), ("b", "a")], ["a", "b", "c"]),
        ([], None),
    ],
)
def test_the_way_between_two_editions(joined, expected):
    assert spine.way("a", "c", joined) == expected


def text(id_: str, code: str, complete: bool = True, *paths: str) -> spine.Listing:
    return spine.Listing(id_, code, int(code), complete, frozenset(paths or ("1", "1/A")))


def test_editions_are_joined_to_the_spine_of_their_code_and_no_further():
    """With n editions n − 1 joints are computed, not n²."""
    texts = [
        text(f"{lang}-{year}", str(year))
        for year in (1997, 2007, 2017)
        for lang in ("aa", "bb", "cc", "dd", "ee", "ff")
    ]
    asked = []
    spine.joints(texts, [], lambda a, b: asked.append((a, b)) or {})
    assert len(asked) == len(texts) - 1
    made = spine.joints(texts, [], lambda a, b: {("1", "1"): 0.5})
    assert all(spine.way(a.id, b.id, {(p.older, p.newer) for p in made}) for a, b in combinations(texts, 2))


def test_two_texts_of_one_code_number_alike_and_say_that_nobody_reviewed_it():
    made = spine.joints(
        [text("aa-2017", "2017", True, "1", "1/A", "2"), text("bb-2017", "2017", True, "1", "1/A", "3")],
        [],
        lambda a, b: {("2", "3"): 0.4, ("1", "3"): 0.3},
    )
    assert {(p.a, p.b, p.basis) for p in made} == {
        ("aa-2017/1", "bb-2017/1", "computed"),
        ("aa-2017/1/A", "bb-2017/1/A", "computed"),
        ("aa-2017/2", "bb-2017/3", "computed"),
    }


def test_the_spine_of_a_code_is_a_whole_edition_that_a_table_joins_to_another_code():
    texts = [text("aa-1997", "1997"), text("bb-2017", "2017", False), text("cc-2017", "2017"), text("dd-2017", "2017")]
    table = Table("aa-1997", "dd-2017", (Row("1", "1", "same", False, None, True, False, "", "", ("x.tsv", 2)),))
    assert spine.spines(texts) == {"1997": "aa-1997", "2017": "cc-2017"}
    assert spine.spines(texts, [(table.older, table.newer)])["2017"] == "dd-2017"


HEADER = "aa-1997\tbb-2007\trelation\treworded\tcause\tnote\n"


@pytest.mark.parametrize(
    ("table", "line", "finding"),
    [
        (HEADER + "1\t9\tsame\tno\t\t\n", 2, "bb-2007 has no 9."),
        (HEADER + "1\t1\tsam\tno\t\t\n", 2, "The relation is “sam”."),
        (HEADER + "1\t1\tsame\tyes\t\t\n", 2, "“same” says"),
        (HEADER + "1\t1\treworded\tyes\tfate\t\n", 2, "The cause is “fate”."),
        (HEADER + "1\t1\tsame\tno\tcode\t\n", 2, "stands where nothing changed"),
        (HEADER + "1\t1\tsame\tYes\t\t\n", 2, "“reworded” is “Yes”."),
        ("aa-1997\tbb-2007\trelation\tconfidence\n1\t1\tsame\tLow\n", 2, "“confidence” is “Low”."),
        ("aa-1997\tbb-2007\trelation\tpart\n1\t1\tsame\ttext\n", 2, "“part” is “text”."),
        (HEADER + "1\t1\tnew\t\t\t\n", 2, "“new” stands beside two"),
        (HEADER + "1\t\tmoved\tno\t\t\n", 2, "needs a provision on both sides"),
        (HEADER + "1\t2\tsame\tno\t\t\n", 2, "makes it “moved”"),
        (HEADER + "1\t1\tsame\tno\t\t\n1\t2\tmoved\tno\t\t\n", 2, "makes it “split”"),
        (HEADER + "1\t1\tsame\tno\t\t\n1\t1\tsame\tno\t\t\n", 2, "stands in the table twice"),
        (HEADER + "1\t1\tsame\tno\t\t\ttoo much\n", 2, "7 cells, the header has 6"),
        ("aa-1997\tzz-2031\trelation\n", 1, "“zz-2031” is no edition"),
        ("aa-1997\trelation\n", 1, "1 columns of editions"),
        ("bb-2007\taa-1997\trelation\n", 1, "aa-1997 is older than bb-2007"),
        ("aa-1997\tcc-1997\trelation\tcause\n1\t1\treworded\tcode\n", 2, "Two texts of one code differ"),
        ("aa-1997\tbb-2007\tthrough\trelation\tnote\n1\t1\tcc-1997\tnone\t\n", 2, "does not say why"),
    ],
)
def test_a_fault_of_a_table_is_named_and_its_row_left_out(table, line, finding, tmp_path):
    (tmp_path / "t.tsv").write_text(table, encoding="utf-8")
    have = {"aa-1997": {"1", "2"}, "bb-2007": {"1", "2"}, "cc-1997": {"1"}}
    codes = {"aa-1997": "1997", "cc-1997": "1997", "bb-2007": "2007"}
    _found, problems = read_tables(tmp_path, lambda e, p: p in have[e] if e in have else None, frozenset(have), codes)
    assert (
        [(p.file, p.line) for p in problems][:1] == [("concordances/t.tsv", line)]
        and finding in problems[0].finding
        and not problems[0].fatal
    )


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (["one two"], ["one", "two"], [[("=", "one")], [("=", "two")]]),
        (["one", "two"], ["one two"], [[("=", "one "), ("=", "two")]]),
        (["a b"], ["a c", "b"], [[("=", "a "), ("+", "c")], [("=", "b")]]),
        ([], ["a"], [[("+", "a")]]),
        (["a"], [], []),
    ],
)
def test_a_split_is_compared_with_its_parts_joined(old, new, expected):
    joined = lambda parts: [[(s, w) for s, w in part] for part in parts]
    assert ["".join(w for s, w in p if s != "-") for p in redline_parts(old, new)] == new
    if len(old) <= 1:
        assert joined(redline_parts(old, new)) == expected


# ── the corpus ──────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="session")
def full(library, ingest) -> list[str]:
    """Ids of the whole editions of the laws that reviewed tables join, in time order."""
    reviewed = {e for t in ingest.tables for e in (t.older, t.newer)}
    ids = [e.id for e in library.codes if e.complete and e.id in reviewed]
    assert len(ids) >= 3
    return ids


@pytest.fixture(scope="session")
def exported(library) -> dict[tuple[str, str], list[Pair]]:
    """The rows that are exported, by the pair of editions."""
    out: dict[tuple[str, str], list[Pair]] = {}
    for p in alignment(library):
        out.setdefault((p.older, p.newer), []).append(p)
    return out


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
    kinds = {*NUMBERED, "definition", "footnote"}
    for older, newer in combinations(full, 2):
        named = {i for p in exported[older, newer] for i in (p.a, p.b)}
        for edition in (older, newer):
            left = [n.id for n in library.of(edition) if n.kind in kinds and n.text.strip() and n.id not in named]
            assert not left, (older, newer, left)


def test_counterparts_go_both_ways(library):
    seen = 0
    for node in library.nodes.values():
        for edition, found in library.relations.counterparts(node.id).items():
            for c in found:
                back = {k.id: k for k in library.relations.counterparts(c.id).get(node.edition, ())}
                assert node.id in back and back[node.id].pair == c.pair and c.edition == edition == c.id.edition
                seen += 1
    assert seen > 5000


def test_two_codes_agree_with_the_way_over_the_code_between_or_the_difference_has_its_reason(ingest, library):
    """1997 → 2007 → 2017 gives 1997 → 2017; each exception is needed, and says why."""
    plain = Relations(library.listings, library.nodes, [p for p in links(ingest) if not p.via])
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
    extracts = [e for e in library.codes if not e.complete]
    assert extracts
    for extract in extracts:
        laws = {n.path for n in library.laws(extract.id)}
        for other in library.relations.order:
            for p in library.relations.pairs(extract.id, other):
                if p.a is None or p.b is None:
                    assert (p.a or p.b).law in laws | {"fn", "def"}


# ── sums ────────────────────────────────────────────────────────────────────────────────────────


def counted(library, older, newer, rows_) -> dict[str, int]:
    """The sum of contract section 4, counted from the export alone."""

    def inside(top):
        ids = {top.id}
        for n in library.of(top.edition):
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


def test_a_sum_is_what_the_export_says_of_the_parts(library, full, exported):
    seen = 0
    for older, newer in combinations(full, 2):
        for law in library.laws(newer):
            for c in library.relations.counterparts(law.id).get(older, ()):
                made = asdict(summary(library, library.nodes[c.id], law))
                expected = counted(library, library.nodes[c.id], law, exported[older, newer])
                assert {k: made[k] for k in expected} == expected, (c.id, law.id)
                assert made["parts"] == made["same"] + made["changed"] + made["new"]
                seen += made["changed"] > 0
    assert seen > 60


# ── the computed proposal ───────────────────────────────────────────────────────────────────────


def agreement(ingest, older: str, newer: str) -> tuple[float, float]:
    """Precision and recall of the computed pairs against the reviewed table of two editions, below the laws."""
    table = next(t for t in ingest.tables if (t.older, t.newer) == (older, newer) and not t.through)
    deep = lambda a, b: a and b and "/" in a and "/" in b and a[0].isdigit() and b[0].isdigit() and "fn" not in a + b
    wanted = {(r.older, r.newer) for r in table.rows if deep(r.older, r.newer) and not r.heading}
    headings = {(r.older, r.newer) for r in table.rows if r.heading}
    nodes = lambda e: list(ingest.readings[e].nodes)
    alphabets = {code: language.alphabet for code, language in ingest.languages.items()}
    got = {p for p in proposal.propose(nodes(older), nodes(newer), alphabets) if deep(*p)} - headings
    return len(got & wanted) / len(got), len(got & wanted) / len(wanted)


def spans(ingest) -> list[tuple[str, str]]:
    """Pairs of whole editions that a reviewed table joins."""
    whole = {e.id for e in ingest.editions.values() if e.complete and not e.modifies}
    return [(t.older, t.newer) for t in ingest.tables if {t.older, t.newer} <= whole and not t.through]


@pytest.mark.parametrize(("evidence", "earns"), [("words", 0.2), ("around", 0.03), ("place", 0.02), ("length", 0.008)])
def test_each_evidence_of_the_proposal_earns_its_place(ingest, monkeypatch, evidence, earns):
    """Without it the proposal agrees less with what people reviewed (F1, mean over the reviewed pairs of codes)."""

    def mean() -> float:
        found = [agreement(ingest, *span) for span in spans(ingest)]
        return sum(2 * p * r / (p + r) for p, r in found) / len(found)

    whole = mean()
    monkeypatch.setitem(proposal._WEIGHTS, evidence, 0.0)
    assert whole > 0.84 and mean() < whole - earns


def test_the_proposal_is_precise(ingest):
    for span in spans(ingest):
        precision, recall = agreement(ingest, *span)
        assert precision > 0.93 and recall > 0.7, span
