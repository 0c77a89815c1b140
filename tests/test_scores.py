"""Scores by the laws: every figure has its place, every row of the tables and every arm of the revoke laws is asked."""

from __future__ import annotations

import csv
import json
import shutil
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from app_site import client, site  # noqa: F401
from hypothesis import given
from hypothesis import strategies as st

from corpus.layers import read_layers
from corpus.library import Library
from corpus.score import compute
from corpus.score.compute import RevokeFacts, contract_score, imps_for, matchpoints_for, rule_on_revoke
from corpus.score.model import ALSO, DEFECTIVE, ESTABLISHED, WON_BY, Scores, read_scores

ROOT = Path(__file__).parent.parent
CASES = Path(__file__).parent / "cases" / "scores"
CODES = ("1997", "2007", "2017")
# Figures on which no score turns: what a print repeats, a bound that says the same as another, a board without play.
TURNS_ON_NOTHING = ("/caption", "partscore/below", "passed-out", "artificial/none/pairs")


def rows_of(name: str) -> list[dict[str, str]]:
    with (CASES / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


CONTRACTS, IMPS, ASKED_ONCE = rows_of("contracts.tsv"), rows_of("imps.tsv"), rows_of("asked-once.tsv")


@pytest.fixture(scope="module")
def library(build_dir) -> Library:
    from corpus.generation import Generation

    return Library.open(Generation.open_latest(build_dir))


@pytest.fixture(scope="module")
def scores(library) -> Scores:
    return library.scores


# ── Figures and their places ──


def test_every_figure_is_what_the_source_prints_at_its_place(library, scores):
    """The published words and the printed ones are one place, and both are the number that is computed with."""
    marks, count = Counter(), 0
    for rules in scores.codes:
        for edition, figures in rules.figures.items():
            lines = library.source_lines(edition)
            for figure in figures:
                count += 1
                marks[figure.mark] += 1
                published = library.nodes[figure.node].text[figure.start : figure.end]
                printed = lines[figure.line - 1][figure.column - 1 :][: len(figure.printed)]
                assert printed == figure.printed, figure
                digits = "".join(c for c in published if c.isdigit())
                if digits and figure.value is not None and figure.mark != "misread":
                    assert int(digits) == abs(figure.value), figure
                    assert not figure.printed or digits == "".join(c for c in printed if c.isdigit()), figure
    assert count > 450 and set(marks) == {"", "run-together", "moved", "lost", "repeated", "misread"}
    assert marks["lost"] == 1 and marks["moved"] == 2


def test_the_lost_figure_is_that_of_the_last_premium(scores):
    lost = [f for rules in scores.codes for figures in rules.figures.values() for f in figures if f.mark == "lost"]
    assert [(f.name, f.value, f.printed) for f in lost] == [("undertrick/fourth-premium/redoubled/vulnerable", 0, "")]


def test_every_mark_says_its_reason_in_every_language(scores):
    assert all(set(text) == {"pl", "sk", "hr", "en"} and all(text.values()) for text in scores.marks.values())


@pytest.mark.parametrize(
    "change, finding",
    [
        (("20\t20\t2665:12\t20", "20\t30\t2665:12\t20"), "“20” is not 30"),
        (("\t2665:12\t20", "\t2665:13\t20"), "line 2665 has"),
        (("\t2665:12\t20", "\t9999:12\t20"), "no place of the source"),
        (("\t2665:12\t20\t", "\t2665:12\t20\trun-together"), "does not fit the print"),
        (("\t2665:12\t20\t", "\t2665:12\t20\tmisread"), "printed as it is published"),
        (("\t2718:37\t\tlost", "\t2717:37\t\tlost"), "marked as lost"),
        (("\t2721:1\t400\tmoved", "\t2721:1\t400\t"), "published from 2715:42"),
        (("\t2718:37\t\tlost", "\t2718:37\t\t"), "“” is printed"),
        (("\tmoved", "\tshifted"), "no mark “shifted”"),
        (("trick/clubs/undoubled\t77\t1\t4", "trick/clubs/undoubled\t77\t1\t9"), "no row 9 of table 1"),
        (("trick/clubs/undoubled\t77", "trick/clubs/undoubled\t95"), "has no 95"),
        (("trick/clubs/undoubled", "trick/clubs/doubled"), "stands in line"),
        (("100 lub więcej\t100\t2674:7\t100 lub wiecej", "100\t100\t2674:7\t100"), "times"),
        (("20\t20\t2665:12", "20\tmany\t2665:12"), "the value is “many”"),
    ],
)
def test_a_figure_that_is_not_where_it_should_be_is_reported(change, finding, library, tmp_path):
    folder = tmp_path / "corpus"
    shutil.copytree(ROOT / "corpus" / "scores", folder / "scores")
    file = folder / "scores" / "figures" / "pl-2007.tsv"
    text = file.read_text(encoding="utf-8")
    assert change[0] in text
    file.write_text(text.replace(*change, 1), encoding="utf-8")
    sources = {e: library.source_lines(e) for e in library.editions}
    codes = {e.id: e.code for e in library.law_editions}
    _, problems = read_scores(folder, library.nodes, sources, codes)
    assert any(finding in p.finding and p.file.endswith("pl-2007.tsv") and p.fatal and p.move for p in problems)


@pytest.mark.parametrize(
    "file, change, finding",
    [
        ("codes/2017.toml", ("sk-2017/64/A/1", "sk-2017/64/A/7"), "There is no sk-2017/64/A/7."),
        ("codes/2017.toml", ('if = {also = "repeat"}', 'if = {also = "again"}'), "“also = again” is no fact."),
        ("codes/2017.toml", ('percent = "artificial/none"', 'percent = "artificial/any"'), "“artificial/any”"),
        ("codes/2007.toml", ('editions = ["pl-2007"]', 'editions = ["sk-2017"]'), "is of the laws of 2017"),
        ("codes/2007.toml", ('kind = "transfer"', 'kind = "exception"'), "belongs to a transfer"),
        ("codes/2007.toml", ('tricks = "one"\n', ""), "belongs to a transfer"),
        ("codes/2017.toml", ('imps_says = ["sk-2017/12/C/2/b"]', 'imps_says = ["sk-2017/12/C/2/z"]'), "12/C/2/z."),
        ("figures/hr-1997.tsv", ("partscore\t", "partial\t"), "has the figure “partscore”"),
        ("figures/hr-1997.tsv", ("undertrick/further/", "undertrick/more/"), "has the further undertricks"),
        ("marks.toml", ('hr = "Sken je ovaj broj izgubio', 'xx = "Sken je ovaj broj izgubio'), "lacks a language"),
    ],
)  # fmt: skip
def test_a_fault_in_the_rules_is_reported(file, change, finding, library, tmp_path):
    folder = tmp_path / "corpus"
    shutil.copytree(ROOT / "corpus" / "scores", folder / "scores")
    changed = folder / "scores" / file
    text = changed.read_text(encoding="utf-8")
    assert change[0] in text
    changed.write_text(text.replace(change[0], change[1]), encoding="utf-8")
    sources = {e: library.source_lines(e) for e in library.editions}
    codes = {e.id: e.code for e in library.law_editions}
    _, problems = read_scores(folder, library.nodes, sources, codes)
    assert any(finding in p.finding and p.fatal and p.move for p in problems), [str(p) for p in problems]


def test_a_code_without_texts_here_has_no_scores(library):
    codes = {e.id: e.code for e in library.law_editions}
    sources = {"sk-2017": library.source_lines("sk-2017")}
    found, problems = read_scores(ROOT / "corpus", library.nodes, sources, codes)
    assert [rules.code for rules in found.codes] == ["2017"] and not problems


def test_a_figure_is_that_of_the_first_text_of_its_code(scores):
    rules = scores.of_code("1997")
    assert rules.editions == ("hr-1997", "pl-1997")
    assert rules.figure("artificial/none").node.edition == "hr-1997"


def test_the_layer_reads_what_the_library_has(ingest, scores):
    assert read_layers(ingest, ROOT / "corpus", ("scores",)).layer("scores") == scores


# ── Tables of cases ──


@pytest.mark.parametrize("code", CODES)
def test_every_contract_of_the_table(code, scores):
    for row in CONTRACTS:
        level, doubled, vulnerable, tricks = (int(row[n]) for n in ("level", "doubled", "vulnerable", "tricks"))
        found = contract_score(scores.of_code(code), level, row["denomination"], doubled, vulnerable, tricks)
        assert found.score == int(row["score"]) == sum(part.points for part in found.parts), row
    assert len(CONTRACTS) > 100


@pytest.mark.parametrize("code", CODES)
def test_every_step_of_the_imp_table(code, scores):
    for row in IMPS:
        assert imps_for(scores.of_code(code), int(row["difference"])).imps == int(row["imps"]), row
    assert len(IMPS) == 50


def test_cases_of_a_stranger_who_read_the_texts_alone(client, library):
    """Written by somebody who saw neither this program nor its data, and asked once. First figure: 321 of 321."""
    for row in ASKED_ONCE:
        response = client.get(f"/api/v1/score/{row['group']}?{row['query']}")
        assert response.status_code == int(row["status"]), row
        found = response.get_json()
        if row["status"] == "400":
            message = found["error"]["message"]
            assert any(name in message for name in row["names"].split("|")), (row, message)
            continue
        for field, value in json.loads(row["expect"]).items():
            assert found[field] == pytest.approx(value) if isinstance(value, float) else found[field] == value, row
        under = lambda id_, wanted: id_ == wanted or id_.startswith(wanted + "/")
        for wanted in filter(None, row["provisions"].split(";")):
            assert any(under(id_, one) for id_ in found["provisions"] for one in wanted.split("|")), (row, found)
        assert len(found["provisions"]) <= compute.MAX_PROVISIONS
        assert all(id_ in library.nodes for id_ in found["provisions"])
    assert len(ASKED_ONCE) == 321


def test_every_figure_and_every_rule_decides_a_case(client, scores, library):
    """Of every row of laws 77 and 78 and every arm of 62 to 64 there is a case, in each code."""
    from app.site.score_request import GROUPS, compute_score, read_request

    used, decided = set(), set()

    def note(code: str, score) -> None:
        figures = getattr(score, "figures", ())
        figures = [f for p in getattr(score, "parts", ()) for f in p.figures] or figures
        figures = [f for s in getattr(score, "sides", ()) for f in s.figures] or figures
        used.update((f.node.edition, f.name) for f in figures)
        decided.update((code, scores.of_code(code).revoke.index(r)) for r in getattr(score, "rules", ()))

    for rules in scores.codes:
        for r in CONTRACTS:
            numbers = [int(r[n]) for n in ("doubled", "vulnerable", "tricks")]
            note(rules.code, contract_score(rules, int(r["level"]), r["denomination"], *numbers))
        for r in IMPS:
            note(rules.code, imps_for(rules, int(r["difference"])))
        for board in range(1, 17):
            who = compute.vulnerability_of_board(rules, board)
            used.add((rules.editions[0], f"board/{board:02}/{who}"))
    with client.application.test_request_context("/"):
        for r in (r for r in ASKED_ONCE if r["status"] == "200"):
            query = parse_qs(r["query"])
            rules = scores.of_code(query.pop("code", ["2017"])[0])
            note(rules.code, compute_score(read_request(GROUPS[r["group"]], rules, query, library)))
    for rules in scores.codes:
        assert {(rules.code, n) for n in range(len(rules.revoke))} <= decided
        for edition, figures in rules.figures.items():
            names = {f.name for f in figures if not f.name.endswith(TURNS_ON_NOTHING)}
            others = {n for e, n in used if e in rules.figures and e != edition}  # a second text of the code
            assert names <= {n for e, n in used if e == edition} | others, (edition, names)


@pytest.mark.parametrize("code", CODES)
def test_the_vulnerability_of_a_board_repeats_after_sixteen(code, scores):
    rules = scores.of_code(code)
    named = lambda board: compute.vulnerability_of_board(rules, board)
    expected = "nobody north-south east-west everybody north-south east-west everybody nobody".split()
    assert [named(board) for board in range(1, 9)] == expected
    assert named(16) == "east-west" and named(17) == "nobody" and named(36) == named(4) == "everybody"


# ── Properties ──

CODE = st.sampled_from(CODES)
CONTRACT = st.tuples(
    st.integers(1, 7), st.sampled_from(("C", "D", "H", "S", "NT")), st.integers(0, 2), st.integers(0, 1)
)
FACTS = st.builds(
    lambda won_by, later, share, twelve, established, defective, also: RevokeFacts(
        won_by, later, share % (later + 1), twelve, established, defective, tuple(sorted(also))
    ),
    st.sampled_from(WON_BY),
    st.integers(0, 12),
    st.integers(0, 12),
    st.integers(0, 1),
    st.sampled_from(ESTABLISHED),
    st.sampled_from(DEFECTIVE),
    st.sets(st.sampled_from(ALSO), max_size=3),
)


@given(code=CODE, contract=CONTRACT, tricks=st.integers(0, 12))
def test_one_trick_more_never_scores_less(code, contract, tricks, scores):
    rules = scores.of_code(code)
    assert contract_score(rules, *contract, tricks + 1).score > contract_score(rules, *contract, tricks).score


@given(code=CODE, contract=CONTRACT, tricks=st.integers(0, 13))
def test_doubling_never_makes_a_made_contract_cheaper_nor_a_penalty_smaller(code, contract, tricks, scores):
    rules, (level, denomination, _, vulnerable) = scores.of_code(code), contract
    undoubled, doubled, redoubled = (
        contract_score(rules, level, denomination, d, vulnerable, tricks).score for d in (0, 1, 2)
    )
    if tricks >= level + 6:
        assert undoubled < doubled < redoubled
    else:
        assert undoubled > doubled > redoubled


@given(contract=CONTRACT, tricks=st.integers(0, 13))
def test_the_texts_give_the_same_numbers(contract, tricks, scores):
    assert len({contract_score(rules, *contract, tricks).score for rules in scores.codes}) == 1


@given(code=CODE, facts=FACTS)
def test_a_transfer_never_exceeds_what_was_won_from_the_revoke_trick_on(code, facts, scores):
    ruling = rule_on_revoke(scores.of_code(code), facts)
    assert 0 <= ruling.transfer <= min(2, facts.won)
    assert 0 < len(ruling.provisions) <= compute.MAX_PROVISIONS
    assert not ruling.adjusted or "damage" in facts.also


@given(code=CODE, facts=FACTS)
def test_an_exception_never_adds_a_trick(code, facts, scores):
    rules = scores.of_code(code)
    assert rule_on_revoke(rules, facts).transfer <= rule_on_revoke(rules, replace(facts, also=())).transfer


@given(code=CODE, difference=st.integers(0, 1200).map(lambda n: 10 * n))
def test_imps_rise_with_the_difference_and_keep_its_sign(code, difference, scores):
    rules = scores.of_code(code)
    imps = imps_for(rules, difference).imps
    assert imps_for(rules, -difference).imps == -imps and imps <= imps_for(rules, difference + 10).imps <= imps + 1


@given(code=CODE, points=st.lists(st.integers(-60, 60).map(lambda n: 10 * n), min_size=1, max_size=12))
def test_matchpoints_are_shared_out_whole(code, points, scores):
    rules, n = scores.of_code(code), len(points)
    whole, half = (matchpoints_for(rules, points, scale).matchpoints for scale in (2, 1))
    assert sum(whole) == n * (n - 1) and [2 * m for m in half] == list(whole)
    best = max(range(n), key=points.__getitem__)
    assert whole[best] == max(whole)


@given(code=st.sampled_from(("2007", "2017")), points=st.lists(st.integers(-90, 90), min_size=1, max_size=5))
def test_a_weighted_score_lies_between_its_results(code, points, scores):
    weights = [Fraction(1, len(points))] * len(points)
    found = compute.weighted_score(scores.of_code(code), [*zip(points, weights, strict=True)])
    assert min(points) <= found.result <= max(points)
