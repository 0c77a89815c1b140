"""The printed subject index: its reviewed table is proved against the source, and its entries have names."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from hostile import mutations

from corpus import language
from corpus.edition import SubjectIndexRules, load_edition
from corpus.files import MOST_PROBLEMS
from corpus.ingest import read_edition
from corpus.letters import Alphabet
from corpus.model import IndexEntry, Node, NodeId, Text
from corpus.subject_index import COLUMNS, TABLE_FILE, name_entries, read_index
from corpus.term.model import LanguageForms, Term

CORPUS = Path(__file__).parent.parent / "corpus"
GOLD = Path(__file__).parent / "cases" / "gold"
HOW = SubjectIndexRules(
    see=("^See (?:also )?(?P<entry>.+)$", "^(?P<term>.+?) - see (?P<entry>.+)$"),
    note="^NB ",
    definition="DEFINITIONS",
    intro="PREAMBLE",
    footnote="note",
)
INDEXED = sorted(p.parent.name for p in GOLD.glob("*/index.tsv"))


def gold(name: str) -> list[dict]:
    with (GOLD / name / "index.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.fixture(scope="module")
def readings():
    """The reading of every edition with a gold index."""
    editions = [load_edition(CORPUS / "editions" / name) for name in INDEXED]
    return {e.id: read_edition(e, language.load_language(CORPUS / "languages", e.lang)) for e in editions}


def test_there_is_an_index_and_every_table_has_a_gold_one():
    assert INDEXED == sorted(p.parent.name for p in CORPUS.glob(f"editions/*/{TABLE_FILE}")) != []


@pytest.mark.parametrize("name", INDEXED)
def test_pairs_of_the_index_are_those_read_by_hand(name, readings):
    wanted = {(r["entry"], r["subentry"] or None, t) for r in gold(name) for t in r["targets"].split(";") if t}
    assert {(e.entry, e.subentry, t) for e in readings[name].index for t in e.targets} == wanted


@pytest.mark.parametrize("name", INDEXED)
def test_lines_and_see_lines_of_the_index_are_those_read_by_hand(name, readings):
    wanted = [(int(r["line"]), tuple(filter(None, r["see"].split(";")))) for r in gold(name)]
    assert [(e.line, e.see) for e in readings[name].index] == wanted


@pytest.mark.parametrize("name", INDEXED)
def test_the_index_leads_to_provisions_only_and_its_entries_to_entries(name, readings):
    reading = readings[name]
    assert not [p for p in reading.problems if p.file.endswith(TABLE_FILE)]
    assert {t for e in reading.index for t in e.targets} <= {n.id for n in reading.nodes}
    assert not reading.unaccounted


@pytest.mark.parametrize("name", INDEXED)
def test_a_page_number_is_no_number_of_the_index(name, readings):
    kept = {
        n
        for node in readings[name].nodes
        if node.path == "index"
        for a, _, b, _ in node.source_spans
        for n in range(a, b + 1)
    }
    assert not kept & {d.line for d in readings[name].dropped if d.rule == "page number"}


# ── small invented indexes ──────────────────────────────────────────────────────────────────────────


def node(path: str, kind: str, heading: str, text: str, **more) -> Node:
    return Node(f"xx/{path}", "xx", "xx", 2000, path, kind, None, path, heading, None, text, **more)


PROVISIONS = [
    node("intro", "intro", "Preamble", "Words like must and may."),
    node("def", "definitions", "Definitions", ""),
    node("def/deck", "definition", "Deck", "Fifty-two cards."),
    node("def/turn", "definition", "Turn", "When a player acts."),
    node("6", "law", "Shuffling the deck", ""),
    node("6/A", "section", "Cutting the deck", "Who cuts."),
    node("7", "law", "Dealing", "Cards are dealt."),
    node("9", "law", "Calling the umpire", ""),
    node("9/fn/1", "footnote", None, "Umpires too."),
]


def printed(lines: list[str], *, on_line=lambda n: n) -> Node:
    """The node of an index whose printed lines are these; an empty string is a blank line.

    ``on_line``: number of a printed line → number of the line of the source.
    """
    numbered = [(n, text) for n, text in enumerate(lines, 1) if text]
    places = [run for n, text in numbered for run in ((2,), (len(text), on_line(n), 10 * n))][1:]
    return node("index", "index", None, Text("\n\n".join(text for _, text in numbered), tuple(places)))


def edition_in(folder: Path):
    return replace(load_edition(CORPUS / "editions" / INDEXED[0]), id="xx", folder=folder, index=HOW)


def read_table(rows: list[str], lines: list[str], folder: Path, **how):
    """(nodes, entries, problems) of an index with these printed lines and a table with these rows; “|” is a tab."""
    cells = [(row.split("|") + [""] * len(COLUMNS))[: len(COLUMNS)] for row in rows]
    text = "\n".join("\t".join(row) for row in (COLUMNS, *cells))
    (folder / TABLE_FILE).write_text(text + "\n", encoding="utf-8")
    return read_index([*PROVISIONS, printed(lines, **how)], edition_in(folder))


LINES = [
    "NB the index is short",
    "Deck DEFINITIONS, 6",
    "Cutting 6A",
    "Dealing - see Dealing",
    "Dealing 7",
    "See also deck",
    "Must",
    "Umpire 9, 9 note",
    "PREAMBLE",
    "Vulnerable 6Z",
    "See Score",
]
# line | entry | subentry | targets | see | more_lines | missing | remark
ROWS = [
    "2|Deck||def/deck 6",
    "3|Deck|Cutting|6/A",
    "4|Deck|Dealing||Dealing",
    "5|Dealing||7|Deck|6",
    "7|Must||intro||9",
    "8|Umpire||9 9/fn/1||||why",
    "10|Vulnerable|||Score|11|6Z; Score",
]


def test_a_table_that_is_proved_gives_the_entries(tmp_path):
    nodes, found, problems = read_table(ROWS, LINES, tmp_path)
    assert not problems
    assert [(e.line, e.entry, e.subentry, tuple(t.path for t in e.targets), e.see) for e in found] == [
        (2, "Deck", None, ("def/deck", "6"), ()),
        (3, "Deck", "Cutting", ("6/A",), ()),
        (4, "Deck", "Dealing", (), ("Dealing",)),
        (5, "Dealing", None, ("7",), ("Deck",)),
        (7, "Must", None, ("intro",), ()),
        (8, "Umpire", None, ("9", "9/fn/1"), ()),
        (10, "Vulnerable", None, (), ("Score",)),
    ]
    assert nodes[-1].remarks == ("NB the index is short",)


ENDLESS = ("\t".join(COLUMNS) + "\n" + "2\tDeck\t\tdef/deck\t\t\t\t\n" * 20_000).encode()
FAULTS = [
    # what is wrong, the row as it is, as it should not be, words of the finding
    ("words", ROWS[1], "3|Deck|Cuting|6/A", "has “Cutting 6A”, not “Cuting”"),
    ("only the beginning of the words", ROWS[5], "8|Ump||9 9/fn/1", "has “Umpire 9, 9 note”, not “Ump”"),
    ("no words", ROWS[5], "8|||9 9/fn/1", "not “” alone"),
    ("words of a see line", ROWS[2], "4|Deck|Deal||Dealing", "has “Dealing - see Dealing”, not “Deal”"),
    ("no line of the index", ROWS[6], "12|Vulnerable|||Score|11|6Z; Score", "begins on line “12”"),
    ("a remark is no entry", ROWS[0], "1|Deck||def/deck 6", "begins on line “1”"),
    ("no number of a line", ROWS[6], "²|Vulnerable|||Score|11|6Z; Score", "begins on line “²”"),
    ("no such further line", ROWS[4], "7|Must||intro||9 77", "begins on line “77”"),
    ("a line of two rows", ROWS[5], "8|Umpire||9 9/fn/1 intro||9", "Line 9 of the source belongs to the row of line 7"),
    ("an entry as a further line", ROWS[4], "7|Must||intro 9 9/fn/1||9 8", "“Umpire 9, 9 note”, is no list of numbers"),
    ("another entry above", ROWS[1], "3|Dealing|Cutting|6/A", "stands below the entry “Deck”, not below “Dealing”"),
    ("a provision that is not there", ROWS[1], "3|Deck|Cutting|6/B", "no provision 6/B"),
    ("a provision that is not printed", ROWS[1], "3|Deck|Cutting|6/A 7", "7 is none of the places"),
    ("another definition is one, a law is none", ROWS[0], "2|Deck||7 6", "7 is none of the places"),
    ("the order of print", ROWS[0], "2|Deck||6 def/deck", "do not stand in the order of print"),
    ("a target twice", ROWS[1], "3|Deck|Cutting|6/A 6/A", "each of them once"),
    ("a target that is left out", ROWS[3], "5|Dealing|||Deck|6", "7 leads to 7, which is not in targets"),
    ("a definition that is left out", ROWS[0], "2|Deck||6", "DEFINITIONS leads to nothing"),
    ("a misprint that is not named", ROWS[6], "10|Vulnerable|||Score|11|Score", "6Z leads to nothing"),
    ("what is there named as missing", ROWS[1], "3|Deck|Cutting||||6A", "6A leads to 6/A"),
    ("missing and there", ROWS[1], "3|Deck|Cutting|6/A|||6A", "6A leads to a target, so it is not missing"),
    ("missing and not printed", ROWS[1], "3|Deck|Cutting|6/A|||8B", "“8B” stands under missing and is not printed"),
    ("another see", ROWS[3], "5|Dealing||7|Umpire|6", "lead to “Deck”, the column see to “Umpire”"),
    ("no see", ROWS[2], "4|Deck|Dealing", "lead to “Dealing”, the column see to nothing"),
    (
        "a see that is not printed",
        ROWS[1],
        "3|Deck|Cutting|6/A|Dealing",
        "lead to nothing, the column see to “Dealing”",
    ),
    ("a see that leads nowhere", ROWS[6], "10|Vulnerable|||Score|11|6Z", "“Score” is no entry"),
    ("a see that leads somewhere", ROWS[3], "5|Dealing||7|Deck|6|deck", "“deck” is an entry or a definition"),
]


@pytest.mark.parametrize("row, wrong, finding", [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_a_row_that_the_source_does_not_prove_is_refused_with_its_line(row, wrong, finding, tmp_path):
    rows = [wrong if r == row else r for r in ROWS]
    assert rows != ROWS
    _, _, problems = read_table(rows, LINES, tmp_path)
    (fault,) = [p for p in problems if finding in p.finding]
    assert (fault.file, fault.line, fault.fatal) == ("editions/xx/index.tsv", ROWS.index(row) + 2, True)
    assert fault.move.endswith(".")


def test_rows_stand_in_the_order_of_print(tmp_path):
    _, _, problems = read_table([*ROWS[:4], ROWS[5], ROWS[4], ROWS[6]], LINES, tmp_path)
    assert [(p.line, p.finding) for p in problems] == [(7, "Line 7 is printed above line 8.")]


@pytest.mark.parametrize("left_out", range(len(ROWS)))
def test_a_line_of_the_source_in_no_row_is_a_problem_of_the_source(left_out, tmp_path):
    _, _, problems = read_table(ROWS[:left_out] + ROWS[left_out + 1 :], LINES, tmp_path)
    line = int(ROWS[left_out].split("|")[0])
    (fault,) = [p for p in problems if p.file.endswith("source.txt") and p.line == line]
    assert fault.fatal and f"“{LINES[line - 1]}”" in fault.finding and "more_lines" in fault.move


def test_each_line_belongs_to_one_row(tmp_path):
    _, _, problems = read_table([ROWS[0], *ROWS], LINES, tmp_path)
    assert [(p.line, p.finding) for p in problems] == [
        (3, "Line 2 of the source belongs to the row of line 2 already.")
    ]


def test_lines_that_begin_on_one_line_of_the_source_are_told_apart_by_their_columns(tmp_path):
    rows = ["2|Deck||6", "2:20|Dealing||7", "2:30|Umpire||9"]
    _, found, problems = read_table(rows, ["Deck 6", "Dealing 7", "Umpire 9"], tmp_path, on_line=lambda n: 2)
    assert not problems and [(e.entry, e.line) for e in found] == [("Deck", 2), ("Dealing", 2), ("Umpire", 2)]


def test_what_is_a_number_and_what_is_a_name_the_table_says(tmp_path):
    _, found, problems = read_table(["1|Rule 6||7"], ["Rule 6 7"], tmp_path)
    assert not problems and found[0].entry == "Rule 6"


@pytest.mark.parametrize(
    "pattern, row, lines",
    [
        (r"^(?P<term>\w)\w+, see (?P<entry>.+)$", "1|T|||Deck", ["Turn, see Deck"]),
        (r"^(?P<term>.+), see (?P<entry>\w+).*$", "1|Turn|||Deck", ["Turn, see Deck or tricks"]),
        (r"^.*see \w(?P<entry>.+)$", "1|Turn|||eck|2", ["Turn", "see Deck"]),
    ],
)
def test_a_pattern_that_leaves_words_out_proves_nothing(pattern, row, lines, tmp_path):
    read_table([row], [], tmp_path)
    edition = replace(edition_in(tmp_path), index=replace(HOW, see=(pattern,)))
    _, _, problems = read_index([*PROVISIONS, printed(lines)], edition)
    assert [p.line for p in problems] == [2] and f"“{lines[-1]}”" in problems[0].finding


def test_whatever_stands_in_a_table_is_a_problem_or_is_read(tmp_path):
    read_table(ROWS, LINES, tmp_path)
    nodes, edition = [*PROVISIONS, printed(LINES)], edition_in(tmp_path)
    for data in [*mutations(TABLE_FILE, (tmp_path / TABLE_FILE).read_bytes(), 300), ENDLESS]:
        (tmp_path / TABLE_FILE).write_bytes(data)
        _, found, problems = read_index(nodes, edition)
        assert found or problems
        assert len(problems) <= MOST_PROBLEMS and all(p.fatal and p.line > 0 and p.move for p in problems)


def test_a_table_of_another_form_is_refused_and_no_line_is_missed(tmp_path):
    (tmp_path / TABLE_FILE).write_text("line\tentry\n1\tDeck\n", encoding="utf-8")
    _, found, problems = read_index([*PROVISIONS, printed(LINES)], edition_in(tmp_path))
    assert not found and [(p.file, p.line) for p in problems] == [("editions/xx/index.tsv", 1)]


def test_a_table_without_an_index_is_refused(tmp_path):
    (tmp_path / TABLE_FILE).write_text("\t".join(COLUMNS) + "\n", encoding="utf-8")
    _, _, problems = read_index(PROVISIONS, edition_in(tmp_path))
    assert [(p.file, p.line) for p in problems] == [("editions/xx/index.tsv", 1)]


def test_an_index_without_a_table_has_no_entries_and_is_no_fault(tmp_path):
    nodes = [*PROVISIONS, printed(LINES)]
    assert read_index(nodes, edition_in(tmp_path)) == (nodes, [], [])
    assert read_index([*PROVISIONS, printed([])], edition_in(tmp_path))[1:] == ([], [])


@pytest.mark.parametrize(
    "entry, subentry, term, heading",
    [
        ("Deck", None, "deck", None),
        ("Deck", "Turn", "turn", None),
        ("Deck", "Dealing", "", "xx/7"),
        ("Dealing", "Cuts", "", None),
        ("Silent hand", None, "hand", None),  # in whatever order
        ("Deck", "Paket", "", None),  # a name of another language
        ("Deck", "Shuffle", "", None),  # a term of another law
    ],
)
def test_a_line_is_called_by_its_own_words(entry, subentry, term, heading):
    terms = {
        "deck": Term(slug="deck", names={"xx": ("deck",), "yy": ("paket",)}, about={"xx": ("9",)}),
        "turn": Term(slug="turn", names={"xx": ("turn",)}, defined={"xx": ("7/A",)}),
        "hand": Term(slug="hand", names={"xx": ("hand silent",)}, about={"xx": ("9",)}),
        "shuffle": Term(slug="shuffle", names={"xx": ("shuffle",)}, about={"xx": ("6",)}),
    }
    line = IndexEntry("xx", entry, subentry, (NodeId("xx/9"), NodeId("xx/7")))
    (found,) = name_entries([line], {n.id: n for n in PROVISIONS}, terms, "xx", LanguageForms({}, Alphabet()))
    assert (found.term, found.heading) == (term, heading)
