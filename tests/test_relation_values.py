"""What the rules say of texts so small that every answer can be counted by hand."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from corpus import address
from corpus.library import EditionInfo, Library
from corpus.model import NUMBERED, Node, NodeId, Pair, Piece, Reference, Table
from corpus.relation import proposal, spine
from corpus.relation.changes import changes, counts, moves
from corpus.relation.compare import Cell, Row, compare, read_in, redlined
from corpus.relation.compose import compose
from corpus.relation.concordance import Row as TableRow
from corpus.relation.concordance import Table as ReviewedTable
from corpus.relation.concordance import read_tables
from corpus.relation.lineage import lineage
from corpus.relation.redline import redline
from corpus.relation.summary import summary

A, B, C = "aa-1997", "aa-2007", "aa-2017"


def little(texts: dict[str, dict[str, str]], links=(), cites=None, extracts=(), tables=()) -> Library:
    """A library of texts {edition: {path: words}}; ``cites``: {id: paths}; ``tables``: ids of nodes that hold one."""
    nodes, infos = [], []
    for edition, paths in texts.items():
        lang, year = edition.split("-")
        for path, words in paths.items():
            above, id_ = address.parent(path), NodeId.of(edition, path)
            below = tuple(Piece(child=NodeId.of(edition, p)) for p in paths if address.parent(p) == path)
            references = tuple(
                Reference(0, 1, "text", "x", "absolute", (NodeId.of(edition, t),)) for t in (cites or {}).get(id_, ())
            )
            nodes.append(
                Node(
                    id=id_,
                    edition=edition,
                    lang=lang,
                    year=int(year),
                    path=path,
                    kind=NUMBERED[path.count("/")],
                    label=None,
                    citation=path,
                    heading=None,
                    parent=NodeId.of(edition, above) if above else None,
                    text=words,
                    content=below,
                    references=references,
                    tables=(Table(None, (("x",),)),) if id_ in tables else (),
                )
            )
        infos.append(
            EditionInfo(
                edition, lang, int(year), edition, edition, True, edition not in extracts, True, None, {"code": year}
            )
        )
    return Library(nodes, infos, list(links), [], [])


def link(
    a,
    b,
    relation="same",
    older=A,
    newer=B,
    reworded=False,
    basis="reviewed",
    remark="",
    cause=None,
    via=(),
    heading=False,
    score=1.0,
) -> Pair:
    full = lambda e, p: NodeId.of(e, p) if p else None
    return Pair(
        full(older, a), full(newer, b), relation, reworded, score, basis, remark, older, newer, cause, via, heading
    )


def said(rows) -> list[tuple]:
    return [(c.kind, c.older and c.older.path, c.newer and c.newer.path) for c in rows]


# ── changes ─────────────────────────────────────────────────────────────────────────────────────


def everything() -> Library:
    """One change of every kind."""
    old = dict.fromkeys(
        ("1", "1/A", "2", "2/A", "3", "4", "5", "6", "6/A", "6/B", "7", "8", "10", "11", "12", "13", "14", "15", "16"),
        "old",
    )
    new = dict.fromkeys(
        ("1", "1/A", "2", "2/A", "3", "4", "5", "6", "6/A", "6/C", "7", "8", "9", "10", "11", "12", "13", "14", "16"),
        "new",
    )
    return little(
        {A: old, B: new},
        [
            link("1", "2", "moved"),
            link("1/A", "2/A", "moved"),
            link("2", "1", "moved"),
            link("2/A", "1/A", "moved", reworded=True, cause="code"),
            link("3", "3", "reworded", reworded=True, cause="code"),
            link("4", "4", "reworded", reworded=True, cause="translation"),
            link("5", "5", heading=True, relation="moved"),
            link("6", "6"),
            link("6/A", "6/A"),
            link("6/B", None, "dropped"),
            link(None, "6/C", "new"),
            link("7", "7", "split"),
            link("7", "8", "split"),
            link("8", None, "dropped", cause="unknown"),
            link(None, "9", "new"),
            link("10", "10"),
            link("11", "12", "merged"),
            link("12", "12", "merged"),
            link("13", "13"),
            link("14", "14"),
            link("15", None, "dropped"),
            link("16", "16"),
        ],
        {
            NodeId.of(A, "13"): ["10"],
            NodeId.of(B, "13"): ["14"],
            NodeId.of(A, "16"): ["10"],
            NodeId.of(B, "16"): ["10"],
        },
    )


def test_every_kind_of_change_by_weight():
    rows = changes(everything(), A, B)
    assert said(rows) == [
        ("new-law", None, "9"),
        ("dropped-law", "15", None),
        ("reused", "1", "1"),
        ("reused", "2", "2"),
        ("new", None, "6/C"),
        ("dropped", "6/B", None),
        ("missing", "8", None),
        ("split", "7", "7"),
        ("split", "7", "8"),
        ("merged", "11", "12"),
        ("merged", "12", "12"),
        ("moved", "2", "1"),
        ("moved", "2/A", "1/A"),
        ("moved", "1", "2"),
        ("along", "1/A", "2/A"),
        ("reworded", "3", "3"),
        ("translation", "4", "4"),
        ("references", "13", "13"),
    ]
    assert counts(rows)[:3] == [("new-law", 1), ("dropped-law", 1), ("reused", 2)]


def test_a_reused_number_says_where_both_went():
    old, new = dict.fromkeys("123", "x"), dict.fromkeys("123", "x")
    library = little({A: old, B: new}, [link("1", "2", "moved"), link("2", "3", "moved"), link("3", "1", "moved")])
    assert [
        (c.older.path, [n.id for n in c.went], [n.id for n in c.came])
        for c in changes(library, A, B)
        if c.kind == "reused"
    ] == [
        ("1", [NodeId.of(B, "2")], [NodeId.of(A, "3")]),
        ("2", [NodeId.of(B, "3")], [NodeId.of(A, "1")]),
        ("3", [NodeId.of(B, "1")], [NodeId.of(A, "2")]),
    ]


def test_moves_are_counted_by_the_law():
    assert [(a.path, b.path, n) for a, b, n in moves(everything(), A, B)][:2] == [("1", "2", 2), ("2", "1", 2)]


# ── side by side ────────────────────────────────────────────────────────────────────────────────

nothing_beside = lambda node, edition: ()


def ids(result) -> list[list[list[str]]]:
    return [[[i.path for i in c.ids] for c in r.cells] for r in result.rows]


def test_what_is_new_stands_after_what_stands_before_it():
    library = little(
        {A: {"1": "", "1/A": "x", "1/B": "x"}, B: {"1": "", "1/A": "x", "1/B": "x", "1/C": "x"}},
        [link("1", "1"), link("1/A", "1/A"), link(None, "1/B", "new"), link("1/B", "1/C", "moved")],
    )
    assert ids(compare(library, library.nodes[NodeId.of(A, "1")], [A, B], nothing_beside)) == [
        [["1"], ["1"]],
        [["1/A"], ["1/A"]],
        [[], ["1/B"]],
        [["1/B"], ["1/C"]],
    ]


def test_what_two_editions_have_anew_stands_in_one_row():
    texts = {A: {"1": "", "1/A": "x"}, B: {"1": "", "1/A": "x", "1/B": "x"}, C: {"1": "", "1/A": "x", "1/C": "x"}}
    library = little(
        texts,
        [
            link("1", "1"),
            link("1/A", "1/A"),
            link(None, "1/B", "new"),
            link("1", "1", older=B, newer=C),
            link("1/A", "1/A", older=B, newer=C),
            link("1/B", "1/C", "moved", older=B, newer=C),
        ],
    )
    assert ids(compare(library, library.nodes[NodeId.of(A, "1")], [A, B, C], nothing_beside))[-1] == [
        [],
        ["1/B"],
        ["1/C"],
    ]


def test_decisions_stand_beside():
    library = little({A: {"1": "x"}, "zz-2020": {"5": "y"}})
    library.editions["zz-2020"].data["modifies"] = A
    library = Library(list(library.nodes.values()), list(library.editions.values()), [], [], [])
    point = library.nodes["zz-2020/5"]
    assert ids(compare(library, library.nodes[NodeId.of(A, "1")], [A, "zz-2020"], lambda node, edition: [point])) == [
        [["1"], ["5"]]
    ]


def test_a_cell_and_a_row_have_their_weightiest_relation_and_say_what_nobody_reviewed():
    heavy, light = (
        Cell((NodeId("x"),), (link("1", "1"), link("1", "2", "split", remark="why"))),
        Cell((NodeId("y"),), (link("1", "1", remark="why", basis="computed"), link("1", "1", "reworded"))),
    )
    assert (heavy.relation, light.relation, Row((light, heavy)).relation, Row((Cell(()),)).relation) == (
        "split",
        "reworded",
        "split",
        "same",
    )
    assert (Row((light,)).computed, Row((heavy,)).computed) == (True, False)
    assert Row((light, heavy)).remarks == ["why"]


def test_a_path_is_read_in_the_first_edition_that_has_it():
    library = little({A: {"1": "x"}, B: {"1": "x", "2": "x"}, C: {"1": "x", "2": "x"}})
    assert [read_in(library, p, [A, B, C]).edition for p in ("1", "2")] == [A, B] and read_in(
        library, "3", [A, B, C]
    ) is None


def test_the_second_part_of_a_split_is_compared_with_its_part_of_the_whole():
    library = little(
        {A: {"1": "one two"}, B: {"1": "one", "2": "two"}}, [link("1", "1", "split"), link("1", "2", "split")]
    )
    assert [redlined(library, library.nodes[NodeId.of(B, p)], A) for p in "12"] == [None, None]
    library = little(
        {A: {"1": "one two"}, B: {"1": "one", "2": "three"}}, [link("1", "1", "split"), link("1", "2", "split")]
    )
    assert redlined(library, library.nodes[NodeId.of(B, "2")], A)[-1] == ("+", "three")


@pytest.mark.parametrize(
    ("older", "tables", "heading", "shown"),
    [
        (A, (), False, True),
        ("bb-1997", (), False, False),
        (A, (NodeId.of(A, "1"),), False, False),
        (A, (NodeId.of(B, "1"),), False, False),
        (A, (), True, False),
    ],
)
def test_a_redline_is_of_one_language_of_words_and_of_no_table(older, tables, heading, shown):
    library = little(
        {older: {"1": "one"}, B: {"1": "two"}},
        [link("1", "1", "reworded", older=older, reworded=True, heading=heading)],
        tables=tables,
    )
    assert (redlined(library, library.nodes[NodeId.of(B, "1")], older) is not None) == shown


def test_blanks_are_no_difference_and_stand_as_in_the_newer():
    assert redline("one  two", "one two") == [("=", "one two")] and redline("one.\n\ntwo", "one. two") == [
        ("=", "one. two")
    ]


# ── sums ────────────────────────────────────────────────────────────────────────────────────────


def summed(*links) -> dict:
    library = little(
        {A: {"1": "", "1/A": "x", "1/B": "x", "1/C": "x"}, B: {"1": "", "1/A": "x", "1/B": "x"}},
        [link("1", "1"), *links],
    )
    return asdict(summary(library, library.nodes[NodeId.of(A, "1")], library.nodes[NodeId.of(B, "1")]))


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        (
            [link("1/A", "1/A", "reworded", reworded=True, cause="translation")],
            {"changed": 1, "translated": 1, "new": 1, "dropped": 2, "missing": 0},
        ),
        (
            [
                link("1/A", "1/A", "merged", reworded=True, cause="translation"),
                link("1/B", "1/A", "merged", reworded=True, cause="code"),
            ],
            {"changed": 1, "translated": 0, "dropped": 1},
        ),
        (
            [link("1/A", "1/A", "merged"), link("1/B", "1/A", "merged", reworded=True, cause="code")],
            {"changed": 1, "same": 0, "moved": 0},
        ),
        (
            [link("1/A", None, "dropped", cause="unknown"), link("1/B", None, "dropped", cause="code")],
            {"dropped": 3, "missing": 1},
        ),
        ([link("1/A", "1/A", "reworded", reworded=True, cause="unknown")], {"changed": 1, "dropped": 2, "missing": 0}),
        ([link(None, "1/A", "new", cause="unknown")], {"new": 2, "missing": 0}),
        ([link("1/A", "1/A", heading=True)], {"new": 2, "dropped": 3, "same": 0}),
    ],
)
def test_a_sum_counts(links, expected):
    made = summed(*links)
    assert {k: made[k] for k in expected} == expected


def test_a_sum_is_of_the_two_that_were_asked_for():
    library = little(
        {A: {"1": "", "1/A": "x"}, "aa-2000": {"1": "", "1/A": "x"}, B: {"1": "", "1/A": "x"}},
        [
            link("1", "1"),
            link("1/A", "1/A"),
            link("1", "1", older="aa-2000"),
            link("1/A", "1/A", "reworded", older="aa-2000", reworded=True, cause="code"),
        ],
    )
    newer = library.nodes[NodeId.of(B, "1")]
    assert [summary(library, library.nodes[NodeId.of(e, "1")], newer).changed for e in (A, "aa-2000")] == [0, 1]


# ── relations ───────────────────────────────────────────────────────────────────────────────────


def three(**more) -> Library:
    texts = {
        A: {"1": "", "1/A": "x"},
        B: {"1": "", "1/A": "x", "2": "x"},
        C: {"1": "", "1/A": "x", "1/B": "x", "2": "x"},
    }
    return little(
        texts,
        [
            link("1", "1"),
            link("1/A", "1/A", **more),
            link(None, "2", "new"),
            link("1", "1", older=B, newer=C),
            link("1/A", "1/A", "split", older=B, newer=C),
            link("1/A", "1/B", "split", older=B, newer=C),
            link("2", "2", older=B, newer=C),
        ],
    )


def test_a_counterpart_says_how_it_is_known_and_stands_in_its_order():
    relations = three().relations
    assert [(c.id, c.how, c.via) for c in relations.counterparts(NodeId.of(A, "1/A"))[C]] == [
        (NodeId.of(C, "1/A"), "third", (B,)),
        (NodeId.of(C, "1/B"), "third", (B,)),
    ]
    assert [(c.id, c.how, c.via) for c in relations.counterparts(NodeId.of(A, "1/A"))[B]] == [
        (NodeId.of(B, "1/A"), "row", ())
    ]


def test_the_nearest_is_that_of_what_stands_around_and_says_so():
    library = little({A: {"1": "", "1/A": "x"}, B: {"1": "x"}}, [link("1", "1")])
    assert [(c.id, c.of, c.how) for c in library.relations.nearest(NodeId.of(A, "1/A"), B)] == [
        (NodeId.of(B, "1"), NodeId.of(A, "1"), "parent")
    ]
    assert [(c.of, c.how) for c in library.relations.nearest(NodeId.of(A, "1"), B)] == [(NodeId.of(A, "1"), "row")]


def test_rows_stand_in_the_order_of_the_younger_text_whatever_the_table():
    library = little(
        {A: {"1": "x", "2": "x", "3": "x"}, B: {"1": "x", "2": "x"}},
        [link("3", None, "dropped"), link("1", "2", "moved"), link("2", "1", "moved")],
    )
    assert [(p.a, p.b) for p in library.relations.pairs(A, B)] == [
        (NodeId.of(A, "2"), NodeId.of(B, "1")),
        (NodeId.of(A, "1"), NodeId.of(B, "2")),
        (NodeId.of(A, "3"), None),
    ]


def test_an_extract_speaks_of_the_laws_of_both_ends():
    """Law 2 of the whole text went to law 3 of the extract: what is new in law 3 is new, what law 4 has nobody can say."""
    library = little(
        {A: {"2": "x", "4": "x"}, B: {"3": "", "3/A": "x"}},
        [link("2", "3", "moved"), link(None, "3/A", "new"), link("4", None, "dropped")],
        extracts=(B,),
    )
    assert [(p.a, p.b) for p in library.relations.pairs(A, B)] == [
        (NodeId.of(A, "2"), NodeId.of(B, "3")),
        (None, NodeId.of(B, "3/A")),
    ]


# ── composed ────────────────────────────────────────────────────────────────────────────────────


def over(first: list[Pair], second: list[Pair], exceptions=()) -> Pair:
    (made,) = compose(A, C, first, second, (B,), exceptions)
    return made


second_half = lambda a, b, relation="same", **more: link(a, b, relation, older=B, newer=C, **more)


def test_one_computed_half_makes_the_whole_computed_and_as_sure_as_the_less_sure_half():
    for first, second in (
        ("computed", "reviewed"),
        ("reviewed", "computed"),
        ("computed", "computed"),
        ("reviewed", "reviewed"),
    ):
        made = over(
            [link("1", "1", basis=first, score=0.4, remark="one")],
            [second_half("1", "1", basis=second, score=0.9, remark="two")],
        )
        assert (
            made.basis == ("computed" if "computed" in (first, second) else "reviewed")
            and made.score == 0.4
            and made.remark == "one; two"
        )


def test_a_cause_without_a_change_is_no_cause():
    """The halves say “code” where nothing is reworded: a fault of a table must not become the reason of another difference."""
    made = over([link("1", "1", reworded=True, cause="translation")], [second_half("1", "1", cause="code")])
    assert (made.reworded, made.cause) == (True, "translation")


def test_a_title_and_words_over_two_ways_are_words():
    (made,) = compose(
        A, C, [link("1", "1"), link("1", "2", heading=True)], [second_half("1", "1"), second_half("2", "1")], (B,)
    )
    assert not made.heading
    (made,) = compose(
        A, C, [link("1", "2", heading=True), link("1", "1")], [second_half("1", "1"), second_half("2", "1")], (B,)
    )
    assert not made.heading


def test_of_two_reworded_ways_the_first_gives_the_cause():
    made = over(
        [link("1", "1", "split"), link("1", "2", "split")],
        [second_half("1", "1", reworded=True, cause="code"), second_half("2", "1", reworded=True, cause="translation")],
    )
    assert made.cause == "code"


def test_an_exception_is_a_reviewed_row_with_its_note():
    made = over(
        [link("1", "1", basis="computed")],
        [second_half("1", "1")],
        [link("1", "1", "reworded", newer=C, reworded=True, cause="code", remark="why", via=(B,))],
    )
    assert (made.basis, made.remark, made.cause, made.relation) == ("reviewed", "why", "code", "reworded")


def test_the_way_over_two_joints_goes_by_the_short_one_of_a_ring():
    joined = [("a", "b"), ("b", "d"), ("a", "x"), ("x", "y"), ("y", "d")]
    assert spine.way("a", "d", joined) == ["a", "b", "d"] == spine.way("a", "d", joined[::-1])
    assert spine.way("d", "a", joined) == ["d", "b", "a"]


# ── years ───────────────────────────────────────────────────────────────────────────────────────


def years() -> Library:
    texts = {e: {"1": "x"} for e in ("aa-1997", "aa-2017", "bb-1997", "aa-2007", "bb-2007", "bb-2017")}
    joined = [
        ("aa-1997", "aa-2007"),
        ("aa-2007", "aa-2017"),
        ("aa-1997", "bb-1997"),
        ("aa-2007", "bb-2007"),
        ("aa-2017", "bb-2017"),
    ]
    texts = dict(sorted(texts.items(), key=lambda x: (x[0][3:], x[0])))
    return little(
        texts,
        [link("1", "1", older=o, newer=n, basis="computed" if "2017" in n else "reviewed") for o, n in joined],
        extracts=("aa-2017",),
    )


def test_a_lineage_is_one_text_a_year_the_readers_language_before_a_whole_one():
    library = years()
    stages = lambda id_: [(s.edition.id, s.here, s.computed) for s in lineage(library, library.nodes[f"{id_}/1"])]
    assert stages("aa-2007") == [("aa-1997", False, False), ("aa-2007", True, False), ("aa-2017", False, True)]
    assert stages("bb-2007") == [("bb-1997", False, False), ("bb-2007", True, False), ("bb-2017", False, True)]
    assert stages("bb-1997")[0] == ("bb-1997", True, False)


def test_a_lineage_takes_the_whole_text_of_a_foreign_language():
    library = little(
        {"aa-1997": {"1": "x"}, "bb-2017": {"1": "x"}, "cc-2017": {"1": "x"}},
        [link("1", "1", newer="cc-2017"), link("1", "1", older="bb-2017", newer="cc-2017")],
        extracts=("bb-2017",),
    )
    assert [s.edition.id for s in lineage(library, library.nodes["aa-1997/1"])] == ["aa-1997", "cc-2017"]


# ── joints and tables ───────────────────────────────────────────────────────────────────────────


def test_an_exception_of_two_codes_holds_for_every_text_of_them():
    texts = {e: {"1": "x"} for e in ("aa-1997", "bb-1997", "aa-2007", "aa-2017", "bb-2017")}
    joined = [("aa-1997", "bb-1997"), ("aa-1997", "aa-2007"), ("aa-2007", "aa-2017"), ("aa-2017", "bb-2017")]
    exception = link("1", "1", "reworded", newer=C, reworded=True, cause="code", remark="why", via=(B,))
    relations = little(texts, [*(link("1", "1", older=o, newer=n) for o, n in joined), exception]).relations
    for older in ("aa-1997", "bb-1997"):
        for newer in ("aa-2017", "bb-2017"):
            assert [(p.relation, p.cause, p.remark) for p in relations.pairs(older, newer)] == [
                ("reworded", "code", "why")
            ], (older, newer)


def test_what_the_columns_of_a_table_say(tmp_path):
    (tmp_path / "t.tsv").write_text(
        "aa-1997\taa-2007\trelation\treworded\tcause\tconfidence\tpart\tnote\n"
        "1\t1\treworded\t\tcode\tlow\t\twhy\n2\t2\tsame\t\t\thigh\theading\t\n3\t4\tmoved\tyes\tunknown\t\t\t\n",
        encoding="utf-8-sig",
    )
    codes = {A: "1997", B: "2007"}
    (table,), problems = read_tables(tmp_path, lambda e, p: True, frozenset(codes), codes)
    assert not problems and [(r.relation, r.reworded, r.cause, r.sure, r.heading, r.remark) for r in table.rows] == [
        ("reworded", True, "code", False, False, "why"),
        ("same", False, None, True, True, ""),
        ("moved", True, "unknown", True, False, ""),
    ]
    made = spine.joints(
        [spine.Listing(e, c, int(c), True, frozenset("1234")) for e, c in codes.items()], [table], lambda a, b: {}
    )
    assert [(p.score, p.cause, p.heading, p.basis, p.remark) for p in made] == [
        (0.6, "code", False, "reviewed", "why"),
        (1.0, None, True, "reviewed", ""),
        (1.0, "unknown", False, "reviewed", ""),
    ]


@pytest.mark.parametrize(("named", "filled"), [("1", {("3", "3")}), ("12", set())])
def test_a_begun_table_is_filled_up_and_half_a_table_is_the_answer(named, filled):
    rows = tuple(TableRow(p, p, "same", False, None, True, False, "", "", ("t.tsv", 2)) for p in named)
    texts = [spine.Listing(e, c, int(c), True, frozenset("1234")) for e, c in ((A, "1997"), (B, "2007"))]
    made = spine.joints(
        texts, [ReviewedTable(A, B, rows)], lambda a, b: {("1", "2"): 0.5, ("3", "3"): 0.5, ("4", "1"): 0.5}
    )
    assert {(p.a[8:], p.b[8:]) for p in made if p.basis == "computed"} == filled and sum(
        p.basis == "reviewed" for p in made
    ) == len(named)


def test_each_code_is_joined_to_the_one_before_it_and_two_codes_do_not_number_alike():
    texts = [spine.Listing(f"aa-{y}", str(y), y, True, frozenset("12")) for y in (1997, 2007, 2017)]
    made = spine.joints(texts, [], lambda a, b: {("1", "2"): 0.5})
    assert [(p.a, p.b, p.basis) for p in made] == [
        (NodeId.of(A, "1"), NodeId.of(B, "2"), "computed"),
        (NodeId.of(B, "1"), NodeId.of(C, "2"), "computed"),
    ]


# ── the proposal ────────────────────────────────────────────────────────────────────────────────


def test_numbers_tell_two_provisions_apart():
    library = little(
        {
            A: {"1": "", "1/A": "The side pays 50 points", "1/B": "The side pays 100 points"},
            B: {"1": "", "1/A": "The side pays 100 points", "1/B": "The side pays 50 points"},
        }
    )
    found = {(p.a[8:], p.b[8:]) for p in proposal.propose(library.of(A), library.of(B), {})}
    assert {("1/A", "1/B"), ("1/B", "1/A")} <= found


def test_a_provision_that_went_to_the_next_law_is_found_and_nothing_is_taken_twice():
    words = "declarer chooses whether dummy plays again", "defenders consult about their penalty options"
    library = little(
        {
            A: {"1": "", "1/A": words[0], "2": "", "2/A": words[1]},
            B: {"1": "", "1/A": "another thing entirely different", "2": "", "2/A": words[1], "2/B": words[0]},
        }
    )
    found = [(p.a[8:], p.b[8:]) for p in proposal.propose(library.of(A), library.of(B), {})]
    assert ("1/A", "2/B") in found and ("2/A", "2/A") in found
    assert len({a for a, _ in found}) == len({b for _, b in found}) == len(found)


# ── labels and parts of references ──────────────────────────────────────────────────────────────


def labels(code: str, sentence: str) -> list[str]:
    from reference_tree import load

    from corpus.reference.clean import clean
    from corpus.reference.find import find
    from corpus.reference.grammar import Grammar

    return [" ".join(label.steps) for found in find(clean(sentence), Grammar(load(code))) for label in found.labels]


@pytest.mark.parametrize(
    ("code", "sentence", "expected"),
    [
        ("en", "so +16B says", []),
        ("en", "so 9:16B says", []),
        ("en", "so -16B says", []),
        ("en", "so 10-16B says", []),
        ("en", "section C 3 NT", ["C"]),
        ("en", "section C 3 says", ["C 3"]),
        ("en", "Law 16 - 3 cards", ["16"]),
        ("sk", "PRAVIDLÁ 16 A 17", ["16", "17"]),
        ("sk", "pravidlo 16 A 2", ["16 A 2"]),
        ("sk", "pravidlo 12 C 1 a hráč", ["12 C 1"]),
        ("sk", "pravidlo 12 C 1 a. hráč", ["12 C 1 a"]),
    ],
)
def test_what_is_a_label_in_a_sentence_of_a_language(code, sentence, expected):
    assert labels(code, sentence) == expected


def test_every_letter_that_looks_latin_is_read_as_latin():
    from corpus.label.grammar import alike

    assert alike("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο АВСЕНІЈКМОРЅТХУасеіјорѕху １６Ｂ") == "ABEZHIKMNOPTYXo ABCEHIJKMOPSTXYaceijopsxy 16B"


@pytest.mark.parametrize(
    ("text", "at", "targets", "missing"),
    [
        ("12B2(b)(i)–(iii) applies", "12/B/2/b", ["12/B/2/b/i", "12/B/2/b/ii", "12/B/2/b/iii"], []),
        ("see section G", "12/B/2/b", ["12/G"], ["12/G"]),
        ("see section Z", "12/B/2/b", [], []),
        ("Laws 92 to 95", "12/B/2/b", ["92", "93", "94", "95"], ["94", "95"]),
        ("as in (a) above", "12/B/2/b", ["12/B/2/a"], []),
        ("item 2 above", "12/B/3", ["12/B/2"], []),
    ],
)
def test_where_a_reference_leads_and_what_is_missing(text, at, targets, missing):
    from reference_tree import load, references

    found = references(text, load("en"), at=at)
    path = lambda ids: [i.removeprefix("book/") for i in ids]
    assert path(t for r in found for t in r.targets) == targets and path(t for r in found for t in r.missing) == missing


def test_nothing_of_another_text_is_called_missing():
    from reference_tree import DECISIONS, load, references

    (reference,) = references("przepisy 41–99", load("pl"), edition=DECISIONS)
    assert len(reference.targets) == 59 and reference.missing == ()


@pytest.mark.parametrize("line", ["(a)word", "(a) word"])
def test_a_bracket_ends_a_label_also_where_the_blank_was_lost(line):
    from corpus.label.printed import LabelReader, Level

    found = LabelReader(Level("clause", ("(a)",))).read(line)
    assert found and found[0].ordinal == 1 and line[found[0].after :].strip() == "word"
