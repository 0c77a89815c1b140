"""The tables of laws 2, 77 and 78 are right in every cell.

What a cell means is data (cases/tables.toml). From its own tables every full edition must give the same dealer,
vulnerability, score of every possible result and match points; some that everybody knows are written down.
"""

import re
import tomllib
from itertools import pairwise, product
from pathlib import Path

import pytest
from strangers import nodes_of

CASES = tomllib.loads((Path(__file__).parent / "cases" / "tables.toml").read_text(encoding="utf-8"))
EDITIONS = [name for name in CASES if name not in ("known", "imp")]
DENOMINATIONS = ("C", "D", "H", "S", "NT")
RESULTS = [
    (level, denomination, doubled, vulnerable, tricks)
    for level, denomination, doubled, vulnerable, tricks in product(
        range(1, 8), DENOMINATIONS, range(3), (False, True), range(14)
    )
]


@pytest.fixture(scope="module")
def tables(ingest):
    """Rows of the tables of a provision: ``tables(edition, path)[n][row][column]``, from 0."""

    def of(edition: str, path: str):
        node = next(n for n in ingest.readings[edition].nodes if n.path == path)
        return [t.rows for t in node.tables]

    return of


class Scorer:
    """Computes a score from the cells of law 77 that the mapping names."""

    def __init__(self, tables, cells):
        self.tables, self.cells = tables, cells

    def at(self, cell) -> int:
        table, row, column = cell[:3]
        return int(self.tables[table - 1][row - 1][column - 1])

    def tricks(self, denomination: str, number: int, doubled: int) -> int:
        if denomination == "NT":
            return self.at(self.cells["NT_first"][doubled]) + (number - 1) * self.at(self.cells["NT_next"][doubled])
        return number * self.at(self.cells[denomination][doubled])

    def score(self, level: int, denomination: str, doubled: int, vulnerable: bool, taken: int) -> int:
        over = taken - level - 6
        if over < 0:
            return -sum(self.undertrick(n, doubled, vulnerable) for n in range(1, 1 - over))
        points = self.tricks(denomination, level, doubled)
        total = points + self.at(self.cells["game"][vulnerable] if points >= 100 else self.cells["partscore"])
        if level >= 6:
            total += self.at(self.cells["small_slam" if level == 6 else "grand_slam"][vulnerable])
        if doubled == 0:
            worth = self.at(self.cells["NT_next"][0] if denomination == "NT" else self.cells[denomination][0])
            return total + over * worth
        total += self.at(self.cells["made_doubled" if doubled == 1 else "made_redoubled"])
        return total + over * self.at(
            self.cells["overtrick_doubled" if doubled == 1 else "overtrick_redoubled"][vulnerable]
        )

    def undertrick(self, number: int, doubled: int, vulnerable: bool) -> int:
        place = doubled + 3 * vulnerable
        if number == 1:
            return self.at(self.cells["down_first"][place])
        further, fourth = self.at(self.cells["down_next"][place]), self.at(self.cells["down_fourth"][place])
        if number < 4:
            return further
        return further + fourth if self.cells["down_fourth_on_top"] else fourth


def boards(tables, cells) -> dict[int, tuple[str, str]]:
    """Dealer and vulnerability of boards 1–32; the law says that 17–32 repeat 1–16."""
    first, second = tables
    numbers = lambda row, start: [int(n) for cell in row[start - 1 :] for n in re.findall(r"\d+", cell)]
    dealer = {n: name for name, row in cells["dealer"].items() for n in numbers(first[row - 1], cells["from"])}
    vulnerable = {
        n: name for name, row in cells["vulnerable"].items() for n in numbers(second[row - 1], cells["second_from"])
    }
    assert sorted(dealer) == sorted(vulnerable) == list(range(1, 17))
    return {n: (dealer[(n - 1) % 16 + 1], vulnerable[(n - 1) % 16 + 1]) for n in range(1, 33)}


def steps(rows) -> list[tuple[int, int | None, int]]:
    """The IMP scale: from, to (None: and more), points."""
    found = []
    for row in rows[1:]:
        for span, points in zip(row[::2], row[1::2], strict=False):
            ends = [int(n) for n in re.findall(r"\d+", span)]
            found.append((ends[0], ends[1] if len(ends) == 2 else None, int(points)))
    return sorted(found, key=lambda s: s[0])


def match_points(scale, difference: int) -> int:
    return next(
        (points for low, high, points in scale if low <= difference and (high is None or difference <= high)), 0
    )


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_rows_and_columns_say_what_the_mapping_takes_them_for(edition, tables):
    cells, law = CASES[edition]["score"], tables(edition, "77")
    assert [row[0] for table in law for row in table] == cells["columns"]
    for table, row, words in cells["heads"]:
        assert list(law[table - 1][row - 1]) == words
    for table, row, column, words in cells["overtrick_is_worth_a_trick"]:
        assert law[table - 1][row - 1][column - 1] == words
    for table, row, words in CASES[edition]["boards"]["words"]:
        assert tables(edition, "2")[table - 1][row - 1][0] == words


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_number_of_law_77_is_used(edition, tables):
    """A cell that no computation reads could be wrong unseen."""
    cells, law = CASES[edition]["score"], tables(edition, "77")
    used = set()

    def collect(value):
        if isinstance(value, list) and len(value) >= 3 and all(isinstance(v, int) for v in value[:3]):
            used.add(tuple(value[:3]))
        elif isinstance(value, list):
            [collect(v) for v in value]

    [collect(v) for key, v in cells.items() if key not in ("heads", "columns")]
    for name, cell in cells.get("also", {}).items():
        table, row, column = cell
        assert int(law[table - 1][row - 1][column - 1]) == Scorer(law, cells).at(cells[name][0])
        used.add(tuple(cell))
    numbers = {
        (t, r, c)
        for t, table in enumerate(law, 1)
        for r, row in enumerate(table, 1)
        for c, cell in enumerate(row, 1)
        if cell.isdigit()
    }
    assert numbers == {cell for cell in used if law[cell[0] - 1][cell[1] - 1][cell[2] - 1].isdigit()}


@pytest.mark.parametrize("edition", EDITIONS)
def test_dealer_and_vulnerability_follow_the_pattern_of_sixteen_boards(edition, tables):
    found = boards(tables(edition, "2"), CASES[edition]["boards"])
    order = ["none", "NS", "EW", "both"]
    for number, (dealer, vulnerable) in found.items():
        assert dealer == "NESW"[(number - 1) % 4]
        assert vulnerable == order[((number - 1) % 4 + (number - 1) // 4) % 4], number


@pytest.mark.parametrize("edition", EDITIONS)
def test_known_results_are_scored_as_everybody_knows(edition, tables):
    scorer = Scorer(tables(edition, "77"), CASES[edition]["score"])
    for case in CASES["known"]:
        for taken, score in case["scores"].items():
            assert scorer.score(*case["contract"], int(taken)) == score, (case["contract"], taken)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_scale_of_match_points_has_no_gap(edition, tables):
    scale = steps(tables(edition, "78/B")[0])
    assert [points for _, _, points in scale] == list(range(1, 25))
    for (_, high, _), (low, _, _) in pairwise(scale):
        assert low == high + 10
    for difference, points in CASES["imp"].items():
        assert match_points(scale, int(difference)) == points


def test_all_full_editions_score_every_result_alike(tables):
    assert len(EDITIONS) >= 3
    scorers = {edition: Scorer(tables(edition, "77"), CASES[edition]["score"]) for edition in EDITIONS}
    for result in RESULTS:
        scores = {edition: scorer.score(*result) for edition, scorer in scorers.items()}
        assert len(set(scores.values())) == 1, (result, scores)


def test_all_full_editions_have_the_same_boards_and_scale(tables):
    assert len({str(boards(tables(e, "2"), CASES[e]["boards"])) for e in EDITIONS}) == 1
    assert len({str(steps(tables(e, "78/B")[0])) for e in EDITIONS}) == 1


def test_every_table_stands_in_the_text_as_tabs(ingest):
    found = 0
    for reading in ingest.readings.values():
        for node in reading.nodes:
            for table in node.tables:
                found += 1
                assert node.text[table.start : table.end] == "\n".join("\t".join(row) for row in table.rows), node.id
    assert found >= 3 * len(EDITIONS)


def test_two_rules_that_say_the_same_are_two_tables(tmp_path):
    rule = "[[tables]]\npath = \"2\"\nfirst = '^Tricks'\nlast = '^7'\n"
    table = "Tricks  Points\n6  30\n7  90\n"
    source = f"LAW 1 — CARDS\n\nThere are cards.\n\nLAW 2 — SCORE\n\n{table}\nOr:\n\n{table}\nLAW 3 — END\n\nThe end.\n"
    read = nodes_of(tmp_path, source, 'laws = "1–3"\n' + 2 * rule)["2"]
    assert [t.rows for t in read.tables] == 2 * [(("Tricks", "Points"), ("6", "30"), ("7", "90"))]
