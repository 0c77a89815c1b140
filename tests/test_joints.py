"""How small texts are joined: the spine of a code, reviewed tables, and the computed proposal."""

from __future__ import annotations

from itertools import combinations

import pytest
from little import A, B, C, link, little

from corpus.model import Node, NodeId
from corpus.relation import alignment
from corpus.relation.concordance import ConcordanceRow, ConcordanceTable, read_tables


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
    assert not problems and [
        (r.relation, r.reworded, r.cause, r.confident, r.heading, r.remark) for r in table.rows
    ] == [
        ("reworded", True, "code", False, False, "why"),
        ("same", False, None, True, True, ""),
        ("moved", True, "unknown", True, False, ""),
    ]
    made = alignment.alignment_pairs(
        [alignment.EditionToAlign(e, c, int(c), True, frozenset("1234")) for e, c in codes.items()],
        [table],
        lambda a, b: {},
    )
    assert [(p.score, p.cause, p.heading, p.basis, p.remark) for p in made] == [
        (0.6, "code", False, "reviewed", "why"),
        (1.0, None, True, "reviewed", ""),
        (1.0, "unknown", False, "reviewed", ""),
    ]


@pytest.mark.parametrize(("named", "filled"), [("1", {("3", "3")}), ("12", set())])
def test_a_begun_table_is_filled_up_and_half_a_table_is_the_answer(named, filled):
    rows = tuple(ConcordanceRow(p, p, "same", False, None, True, False, "", "", ("t.tsv", 2)) for p in named)
    texts = [alignment.EditionToAlign(e, c, int(c), True, frozenset("1234")) for e, c in ((A, "1997"), (B, "2007"))]
    made = alignment.alignment_pairs(
        texts, [ConcordanceTable(A, B, rows)], lambda a, b: {("1", "2"): 0.5, ("3", "3"): 0.5, ("4", "1"): 0.5}
    )
    assert {(p.a[8:], p.b[8:]) for p in made if p.basis == "computed"} == filled and sum(
        p.basis == "reviewed" for p in made
    ) == len(named)


def test_each_code_is_joined_to_the_one_before_it_and_two_codes_do_not_number_alike():
    texts = [alignment.EditionToAlign(f"aa-{y}", str(y), y, True, frozenset("12")) for y in (1997, 2007, 2017)]
    made = alignment.alignment_pairs(texts, [], lambda a, b: {("1", "2"): 0.5})
    assert [(p.a, p.b, p.basis) for p in made] == [
        (NodeId.of(A, "1"), NodeId.of(B, "2"), "computed"),
        (NodeId.of(B, "1"), NodeId.of(C, "2"), "computed"),
    ]


def test_two_texts_of_a_code_number_their_laws_alike_and_not_their_notes():
    library = little({e: {"1": "x", "1/A": "y"} for e in ("aa-1997", "bb-1997")})
    nodes = {e: [*library.nodes_of(e), *_notes(e)] for e in library.editions}
    texts = [alignment.EditionToAlign.of(library.editions[e], found) for e, found in nodes.items()]
    made = alignment.alignment_pairs(texts, [], lambda a, b: {})
    assert [(p.a.path, p.b.path) for p in made] == [("1", "1"), ("1/A", "1/A")]


def _notes(edition: str) -> list[Node]:
    of = {
        "edition": edition,
        "lang": "aa",
        "year": 1997,
        "label": "1",
        "citation": "x",
        "heading": None,
        "parent": None,
    }
    kinds = {"1/fn/1": "footnote", "fn/2": "footnote", "chapter/I": "chapter"}
    return [Node(id=NodeId.of(edition, p), path=p, kind=kind, text="x", **of) for p, kind in kinds.items()]


def test_two_texts_of_one_code_take_no_provision_twice():
    """What is left over corresponds as the proposal says, but not with what its number has already joined."""
    texts = [alignment.EditionToAlign(e, "1997", 1997, True, frozenset(p)) for e, p in ((A, "123"), ("bb-1997", "124"))]
    proposed = {("1", "4"): 0.9, ("3", "2"): 0.9, ("3", "4"): 0.5}
    made = alignment.alignment_pairs(texts, [], lambda a, b: proposed)
    assert sorted((p.a.path, p.b.path, p.score) for p in made) == [("1", "1", 1.0), ("2", "2", 1.0), ("3", "4", 0.5)]


# ── the proposal ──
def test_numbers_tell_two_provisions_apart():
    library = little(
        {
            A: {"1": "", "1/A": "The side pays 50 points", "1/B": "The side pays 100 points"},
            B: {"1": "", "1/A": "The side pays 100 points", "1/B": "The side pays 50 points"},
        }
    )
    found = alignment.propose_pairs(library.nodes_of(A), library.nodes_of(B), {}).keys()
    assert {("1/A", "1/B"), ("1/B", "1/A")} <= found


def test_a_provision_that_went_to_the_next_law_is_found_and_nothing_is_taken_twice():
    words = "declarer chooses whether dummy plays again", "defenders consult about their penalty options"
    library = little(
        {
            A: {"1": "", "1/A": words[0], "2": "", "2/A": words[1]},
            B: {"1": "", "1/A": "another thing entirely different", "2": "", "2/A": words[1], "2/B": words[0]},
        }
    )
    found = list(alignment.propose_pairs(library.nodes_of(A), library.nodes_of(B), {}))
    assert ("1/A", "2/B") in found and ("2/A", "2/A") in found
    assert len({a for a, _ in found}) == len({b for _, b in found}) == len(found)


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
    assert alignment.find_route("a", "c", joined) == expected


def text(id_: str, code: str, complete: bool = True, *paths: str) -> alignment.EditionToAlign:
    return alignment.EditionToAlign(id_, code, int(code), complete, frozenset(paths or ("1", "1/A")))


def test_editions_are_joined_to_the_spine_of_their_code_and_no_further():
    """With n editions n − 1 joints are computed, not n²."""
    texts = [
        text(f"{lang}-{year}", str(year))
        for year in (1997, 2007, 2017)
        for lang in ("aa", "bb", "cc", "dd", "ee", "ff")
    ]
    asked = []
    alignment.alignment_pairs(texts, [], lambda a, b: asked.append((a, b)) or {})
    assert len(asked) == len(texts) - 1
    made = alignment.alignment_pairs(texts, [], lambda a, b: {("1", "1"): 0.5})
    assert all(alignment.find_route(a.id, b.id, {(p.older, p.newer) for p in made}) for a, b in combinations(texts, 2))


def test_two_texts_of_one_code_number_alike_and_say_that_nobody_reviewed_it():
    made = alignment.alignment_pairs(
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
    table = ConcordanceTable(
        "aa-1997", "dd-2017", (ConcordanceRow("1", "1", "same", False, None, True, False, "", "", ("x.tsv", 2)),)
    )
    assert alignment.code_outlines(texts) == {"1997": "aa-1997", "2017": "cc-2017"}
    assert alignment.code_outlines(texts, [(table.older, table.newer)])["2017"] == "dd-2017"
