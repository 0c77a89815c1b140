"""What a provision corresponds to, and what only stands around it: the answers that pages, search and API build on."""

from dataclasses import replace

import pytest
from little import A, B, C, link, little

from app.site.atlas import Atlas
from app.site.phrases import counterparts_by_edition, nearest_counterparts
from corpus.changes import count_by_kind, find_changes, map_target
from corpus.library import Library
from corpus.model import NodeId, Reference


def two_laws():
    """12 corresponds, 12A stands in it and has nothing of its own; 13A has a partner."""
    return little(
        {A: {"12": "x", "12/A": "y", "13": "x", "13/A": "z"}, B: {"12": "x", "13": "x", "13/A": "z"}},
        [link("12", "12"), link("13", "13"), link("13/A", "13/A")],
    )


def test_what_only_stands_inside_something_that_corresponds_has_no_counterpart():
    library = two_laws()
    assert library.relations.counterparts_of(NodeId.of(A, "12/A")) == {}
    assert [c.id for c in library.relations.counterparts_of(NodeId.of(A, "13/A"))[B]] == [NodeId.of(B, "13/A")]


@pytest.mark.parametrize("path, to, near", [("12/A", "12", True), ("12", "12", False), ("13/A", "13/A", False)])
def test_a_page_says_when_what_it_leads_to_is_that_of_a_provision_around(path, to, near):
    library = two_laws()
    found = nearest_counterparts(library, library.nodes[NodeId.of(A, path)], B)
    assert found and ([n.path for n in found.nodes], found.is_near) == ([to], near)


@pytest.mark.parametrize(
    "rows, how, found",
    [
        ([("12", "14")], "row", ["14"]),
        ([("12/A", "14/A/1"), ("12/B", "14/A/2")], "parts", ["14/A"]),
        ([("12/A", "14/A/1"), ("12/B", "14/A/1")], "parts", ["14/A/1"]),
        ([("12/A", "14/A/1"), ("12/B", "15")], "parts", ["14/A/1", "15"]),
        ([("12/A", None), ("12/B", "14/A/1")], "parts", ["14/A/1"]),
        ([("12/A", "14/A/1")], "parts", ["14/A/1"]),
        ([("12/A", None), ("12/B", None)], "none", []),
        ([("12/A", None)], "none", []),
        ([], "none", []),
    ],
)
def test_a_provision_without_words_is_carried_to_what_its_parts_are(rows, how, found):
    """What nothing corresponds to has the row that says so; none where a part has a counterpart, or no row."""
    library = little(
        {A: {"12": "", "12/A": "x", "12/B": "y"}, B: {"14": "", "14/A": "", "14/A/1": "x", "14/A/2": "y", "15": "y"}},
        [link(a, b, "same" if b else "dropped") for a, b in rows],
    )
    carried = map_target(library, NodeId.of(A, "12"), B)
    assert (carried.how, [n.path for n in carried.nodes]) == (how, found)
    assert (carried.pair and carried.pair.a) == (NodeId.of(A, "12/A") if rows and not found else None)


def test_a_provision_with_children_is_summed_up_and_one_without_is_not():
    library = two_laws()
    said = {
        path: counterparts_by_edition(library, library.nodes[NodeId.of(A, path)])[0].statements[0].summary
        for path in ("13", "13/A")
    }
    assert said["13"] and (said["13"].parts, said["13"].same) == (2, 2) and said["13/A"] is None


@pytest.mark.parametrize("divided", [A, B])
def test_a_provision_that_one_edition_divides_is_summed_up_from_either_side(divided):
    texts = {e: {"1": "x"} | ({"1/A": "y"} if e == divided else {}) for e in (A, B)}
    library = little(texts, [link("1", "1")])
    for edition in (A, B):
        ((said,),) = [t.statements for t in counterparts_by_edition(library, library.nodes[NodeId.of(edition, "1")])]
        assert said.summary and (said.summary.same, said.summary.new, said.summary.dropped) == (
            1,
            int(divided == B),
            int(divided == A),
        )


def one_code() -> Library:
    """Three texts of 2017; the second, which is cited, lacks law 5."""
    made = little({"aa-2017": {"1": "x", "5": "x"}, "bb-2017": {"1": "x"}, "bb-2018": {"1": "x", "5": "x"}})
    nodes = list(made.nodes.values())
    return Library(nodes, [replace(e, code="2017") for e in made.editions.values()], [], [], [])


def test_what_a_text_lacks_is_read_in_another_text_of_the_code_its_own_language_first():
    atlas = Atlas(one_code())
    assert [e.id for e in atlas.editions_to_search("bb-2017")] == ["bb-2017", "bb-2018", "aa-2017"]
    way = atlas.resolve(NodeId("bb-2017/5"))
    assert (way.found, way.node.id) == ("text", "bb-2018/5")


def test_a_number_that_the_citing_text_does_not_have_cites_nothing_elsewhere():
    """A misprint is no reference to what another translation has under that number."""
    atlas, target = Atlas(one_code()), NodeId("bb-2017/5")
    cites = lambda missing: Reference(0, 1, "text", "5", "absolute", (target,), missing)
    assert [n.id for n in atlas.nodes_referenced_by(cites(()))] == ["bb-2018/5"] and atlas.nodes_referenced_by(
        cites((target,))
    ) == []


@pytest.mark.parametrize(
    "older, newer, found",
    [
        (["10"], ["10"], []),
        (["10"], ["11"], [("references", 1)]),
        (["10", "11"], ["10"], [("references", 1)]),
        (["10"], [], []),  # the other text may say so in words
        (["99"], ["10"], []),  # what is not aligned tells nothing
    ],
)
def test_provisions_that_say_the_same_may_point_elsewhere(older, newer, found):
    paths = {"10": "t", "11": "u", "12": "same"}
    library = little(
        {A: paths, B: paths}, [link(p, p) for p in paths], cites={NodeId.of(A, "12"): older, NodeId.of(B, "12"): newer}
    )
    assert count_by_kind(find_changes(library, A, B)) == found


def test_the_way_to_a_third_text_is_said():
    library = little({e: {"1": "x"} for e in (A, B, C)}, [link("1", "1"), link("1", "1", older=B, newer=C)])
    (found,) = library.relations.counterparts_of(NodeId.of(A, "1"))[C]
    assert (found.how, found.via, found.edition) == ("third", (B,), C)
