"""The proposed table of a printed index: what its lines are, which terms are entries, torn columns, and the command."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from strangers import write_edition
from test_subject_index import CORPUS, GOLD, INDEXED, PROVISIONS, edition_in, printed

from corpus import language
from corpus.edition import load_edition
from corpus.ingest import read_editions
from corpus.language import Language
from corpus.letters import Alphabet
from corpus.reading.read import read_source
from corpus.subject_index import COLUMNS, TABLE_FILE, index_node, read_index
from scripts.cli import main as lexbridge
from tools.propose_index import PrintedIndexLine, entry_lines, main, number_blocks, pair_numbers, propose_rows

# An invented language whose words end in vowels when inflected.
LANGUAGE = Language("xx", "Xx", {"alphabet": {"endings": "aeiouy"}})


def write_table(folder: Path, rows: list[dict[str, str]]) -> None:
    lines = ["\t".join(COLUMNS), *("\t".join(row.values()) for row in rows)]
    (folder / TABLE_FILE).write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.mark.parametrize("name", INDEXED)
def test_of_a_real_index_most_is_proposed_as_it_was_reviewed_and_all_is_proved(name, tmp_path):
    edition = load_edition(CORPUS / "editions" / name)
    words = language.load_language(CORPUS / "languages", edition.lang)
    nodes = list(read_source(edition, words).nodes)
    rows, remarks = propose_rows(index_node(nodes), nodes, edition, words.alphabet)
    assert not remarks
    write_table(tmp_path, rows)
    _, _, problems = read_index(nodes, replace(edition, folder=tmp_path))
    assert not problems
    with (GOLD / name / "index.tsv").open(encoding="utf-8", newline="") as file:
        gold = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    wanted = {(r["entry"], r["subentry"], t) for r in gold for t in r["targets"].split(";") if t}
    found = {(r["entry"], r["subentry"], f"{name}/{t}") for r in rows for t in r["targets"].split()}
    assert len(wanted & found) >= 0.95 * len(wanted), sorted(wanted - found)


def proposal_of(lines: list[str], tmp_path):
    """The proposed rows of an index with these printed lines, and the remarks. What needs no remark is proved."""
    edition, index = edition_in(tmp_path), printed(lines)
    nodes = [*PROVISIONS, index]
    rows, remarks = propose_rows(index, nodes, edition, LANGUAGE.alphabet)
    write_table(tmp_path, rows)
    assert remarks or not read_index(nodes, edition)[2]
    return [(r["entry"], r["subentry"], r["targets"], r["see"]) for r in rows], remarks


def test_lines_with_numbers_words_for_definitions_and_see(tmp_path):
    found, remarks = proposal_of(
        [
            "NB the index is short",
            "Deck DEFINITIONS, 6",
            "Cutting 6A",
            "Dealing - see Dealing",
            "Dealing 7",
            "See also deck",
            "Must PREAMBLE",
            "Umpire 9, 9 note",
        ],
        tmp_path,
    )
    assert found == [
        ("Deck", "", "def/deck 6", ""),
        ("Deck", "Cutting", "6/A", ""),
        ("Deck", "Dealing", "", "Dealing"),
        ("Dealing", "", "7", "Deck"),
        ("Must", "", "intro", ""),
        ("Umpire", "", "9 9/fn/1", ""),
    ]
    assert not remarks


def test_torn_columns_are_joined_by_sense_and_a_heading_has_no_number(tmp_path):
    found, remarks = proposal_of(
        [
            "Deck",
            "See also Turn",
            "Cutting",
            "Shuffling",
            "",
            "Game",
            "Dealing",
            "",
            "Umpire",
            "",
            "DEFINITIONS",
            "6A",
            "6",
            "",
            "7",
            "9",
        ],
        tmp_path,
    )
    assert [(s or e, t) for e, s, t, _ in found] == [
        ("Deck", "def/deck"),
        ("Cutting", "6/A"),
        ("Shuffling", "6"),
        ("Game", ""),
        ("Dealing", "7"),
        ("Umpire", "9"),
    ]
    assert not remarks


def test_numbers_without_terms_are_a_remark(tmp_path):
    found, remarks = proposal_of(["Deck", "6", "7"], tmp_path)
    assert found == [("Deck", "", "", "")] and remarks[0].startswith("Line 2: 2 lines of numbers for 1 terms.")


def test_what_leads_to_nothing_is_named_as_missing(tmp_path):
    assert proposal_of(["Deck 6Z, 7", "See also Score"], tmp_path) == ([("Deck", "", "7", "Score")], [])
    assert "\tScore; 6Z\t" in (tmp_path / TABLE_FILE).read_text(encoding="utf-8")


def test_every_number_goes_to_a_term_in_order():
    terms, numbers = (
        [PrintedIndexLine("term", n, t) for n, t in enumerate("abc", 1)],
        [PrintedIndexLine("numbers", 10, numbers=("1",)), PrintedIndexLine("numbers", 11, numbers=("2",))],
    )
    assert number_blocks(terms + numbers) == [(terms, numbers)]
    likes = {("a", "1"): 5.0, ("c", "2"): 5.0}
    joined = pair_numbers(terms, numbers, lambda t, n: likes.get((t.term, n.numbers[0]), 0.0), {2})
    assert {line: row.line for line, row in joined.items()} == {1: 10, 3: 11}


def test_entries_and_subentries_are_both_in_alphabetical_order():
    terms = [
        PrintedIndexLine("term", n, t)
        for n, t in enumerate(["Bidding", "After a pass", "Open", "Cards", "Ace", "Two", "Deck", "Face up"], 1)
    ]
    assert entry_lines(terms, set(), Alphabet()) >= {1, 4, 7} and not entry_lines(terms, set(), Alphabet()) & {
        2,
        3,
        5,
        6,
    }


# ── the command ─────────────────────────────────────────────────────────────────────────────────────

LAWS = "LAW 1 — ONE\n\nA. x.\n\nLAW 2 — TWO\n\nx.\n\nLAW 3 — THREE\n\nx.\n"
SOURCE = LAWS + "\nINDEX\nBids 1A\nCards 2, 3\nSee also Bids\n"
KEYS = """laws = "1–3"
parts = [{path = "index", start = '^INDEX$', lines = true}]
index = {see = ['^See also (?P<entry>.+)$']}
"""
FOLDER = "editions/xx-2030"


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    folder = write_edition(tmp_path / "corpus", SOURCE, KEYS)
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(folder))
    return folder


def test_an_index_without_a_table_is_open_work_until_its_table_is_proposed(corpus):
    before = CliRunner().invoke(lexbridge, ["check", "xx-2030", "--todo"])
    assert before.exit_code == 0 and "python -m tools.propose_index xx-2030" in before.output, before.output
    assert not read_editions(corpus).readings["xx-2030"].index
    done = CliRunner().invoke(main, ["xx-2030"])
    assert done.exit_code == 0 and "2 rows" in done.output and "lexbridge check xx-2030" in done.output
    after = CliRunner().invoke(lexbridge, ["check", "xx-2030", "--todo"])
    assert after.exit_code == 0 and "propose_index" not in after.output, after.output
    found = read_editions(corpus).readings["xx-2030"].index
    assert [(e.entry, [t.path for t in e.targets], e.see) for e in found] == [
        ("Bids", ["1/A"], ()),
        ("Cards", ["2", "3"], ("Bids",)),
    ]


def test_a_row_that_is_not_proved_stops_the_check_and_the_audit_goes_on_without_the_table(corpus):
    CliRunner().invoke(main, ["xx-2030"])
    table = corpus / FOLDER / TABLE_FILE
    table.write_text(table.read_text(encoding="utf-8").replace("Cards", "Cads"), encoding="utf-8")
    said = CliRunner().invoke(lexbridge, ["check", "xx-2030"])
    assert said.exit_code == 1 and f"{FOLDER}/{TABLE_FILE}:3: Line 15 of the source has “Cards 2, 3”" in said.output
    table.unlink()
    assert CliRunner().invoke(lexbridge, ["audit"]).exit_code == 0


def test_a_table_that_is_there_is_only_replaced_by_force(corpus, tmp_path):
    table = corpus / FOLDER / TABLE_FILE
    table.write_text("reviewed", encoding="utf-8")
    refused = CliRunner().invoke(main, ["xx-2030"])
    assert refused.exit_code == 1 and "--force" in refused.output and table.read_text(encoding="utf-8") == "reviewed"
    assert CliRunner().invoke(main, ["xx-2030", "--out", str(tmp_path / "other.tsv")]).exit_code == 0
    assert table.read_text(encoding="utf-8") == "reviewed"
    assert CliRunner().invoke(main, ["xx-2030", "--force"]).exit_code == 0
    assert table.read_bytes() == (tmp_path / "other.tsv").read_bytes()


@pytest.mark.parametrize(
    ("keys", "finding"),
    [
        ("", "has no printed index. Declare it under [[parts]]"),
        (KEYS.replace(", lines = true", ""), "run together. Set “lines = true”"),
    ],
)
def test_without_lines_of_an_index_there_is_no_proposal(keys, finding, tmp_path, monkeypatch):
    corpus = write_edition(tmp_path / "corpus", SOURCE if keys else LAWS, keys or 'laws = "1–3"\n')
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(corpus))
    refused = CliRunner().invoke(main, ["xx-2030"])
    assert refused.exit_code == 1 and finding in refused.output, refused.output
    assert not (corpus / FOLDER / TABLE_FILE).exists()
