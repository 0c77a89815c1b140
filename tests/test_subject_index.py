"""The printed subject index: what its lines are, which terms are entries, torn columns, and the whole of it."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from corpus import language
from corpus.edition import SubjectIndexRules, load_edition
from corpus.language import Language
from corpus.letters import Alphabet
from corpus.model import IndexEntry, Node, NodeId, Text
from corpus.reading.read import read_source
from corpus.subject_index import IndexRow, entry_lines, name_entries, number_blocks, pair_numbers, parse_index
from corpus.term.model import LanguageForms, Term

CORPUS = Path(__file__).parent.parent / "corpus"
GOLD = Path(__file__).parent / "cases" / "gold"
# An invented language whose words end in vowels when inflected.
LANGUAGE = Language("xx", "Xx", {"alphabet": {"endings": "aeiouy"}})
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
def parsed():
    """Reading, entries and problems of every edition with a gold index."""
    out = {}
    for name in INDEXED:
        edition = load_edition(CORPUS / "editions" / name)
        words = language.load_language(CORPUS / "languages", edition.lang)
        reading = read_source(edition, words)
        out[name] = (reading, *parse_index(list(reading.nodes), edition, words)[1:])
    return out


def test_there_is_an_index():
    assert INDEXED


@pytest.mark.parametrize("name", INDEXED)
def test_pairs_of_the_index_are_those_read_by_hand(name, parsed):
    wanted = {(r["entry"], r["subentry"] or None, t) for r in gold(name) for t in r["targets"].split(";") if t}
    found = {(e.entry, e.subentry, t) for e in parsed[name][1] for t in e.targets}
    assert len(wanted & found) >= 0.99 * len(wanted), sorted(wanted - found, key=str)
    assert found <= wanted, "invented"


@pytest.mark.parametrize("name", INDEXED)
def test_lines_and_see_lines_of_the_index_are_those_read_by_hand(name, parsed):
    wanted = [(int(r["line"]), tuple(filter(None, r["see"].split(";")))) for r in gold(name)]
    assert [(e.line, e.see) for e in parsed[name][1]] == wanted


@pytest.mark.parametrize("name", INDEXED)
def test_the_index_leads_to_provisions_only_and_its_entries_to_entries(name, parsed):
    reading, found, problems = parsed[name]
    assert not problems
    assert {t for e in found for t in e.targets} <= {n.id for n in reading.nodes}
    assert not reading.unaccounted


@pytest.mark.parametrize("name", INDEXED)
def test_a_page_number_is_no_number_of_the_index(name, parsed):
    kept = {
        n
        for node in parsed[name][0].nodes
        if node.path == "index"
        for a, _, b, _ in node.source_spans
        for n in range(a, b + 1)
    }
    assert not kept & {d.line for d in parsed[name][0].dropped if d.rule == "page number"}


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


def index_of(lines: list[str], tmp_path, decisions: str = ""):
    """The parsed index whose printed lines are these; an empty string is a blank line."""
    edition = replace(load_edition(CORPUS / "editions" / INDEXED[0]), id="xx", folder=tmp_path, index=HOW)
    if decisions:
        (tmp_path / "index.tsv").write_text("line\tis\tnumbers\treason\n" + decisions, encoding="utf-8")
    numbered = [(n, text) for n, text in enumerate(lines, 1) if text]
    places = [run for n, text in numbered for run in ((2,), (len(text), n, 1))][1:]
    index = node(
        "index",
        "index",
        None,
        Text("\n\n".join(text for _, text in numbered), tuple(places)),
        source_spans=tuple((n, 1, n, len(text)) for n, text in numbered),
    )
    _, found, problems = parse_index([*PROVISIONS, index], edition, LANGUAGE)
    return [(e.entry, e.subentry, tuple(t.path for t in e.targets), e.see) for e in found], problems


def test_lines_with_numbers_words_for_definitions_and_see(tmp_path):
    found, problems = index_of(
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
        ("Deck", None, ("def/deck", "6"), ()),
        ("Deck", "Cutting", ("6/A",), ()),
        ("Deck", "Dealing", (), ("Dealing",)),
        ("Dealing", None, ("7",), ("Deck",)),
        ("Must", None, ("intro",), ()),
        ("Umpire", None, ("9", "9/fn/1"), ()),
    ]
    assert not problems


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


def test_torn_columns_are_joined_by_sense_and_a_heading_has_no_number(tmp_path):
    found, problems = index_of(
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
        ("Deck", ("def/deck",)),
        ("Cutting", ("6/A",)),
        ("Shuffling", ("6",)),
        ("Game", ()),
        ("Dealing", ("7",)),
        ("Umpire", ("9",)),
    ]
    assert not problems


def test_a_reviewer_decides_what_rules_cannot(tmp_path):
    lines = ["Deck DEFINITIONS", "Dealing 7", "Turn DEFINITIONS"]
    assert [s for _, s, *_ in index_of(lines, tmp_path, "2\tsubentry\t\tunder the deck\n")[0]] == [
        None,
        "Dealing",
        None,
    ]
    torn = ["Deck", "Umpire", "6", "9"]
    assert [t for *_, t, _ in index_of([*torn, "9"], tmp_path)[0]] == [(), ()]
    assert index_of(torn[:3], tmp_path, "1\t\t-\tno number in print\n")[0][1][2] == ("6",)


def test_numbers_without_terms_and_provisions_that_are_not_there_are_told(tmp_path):
    found, problems = index_of(["Deck", "6", "7"], tmp_path)
    assert "2 lines of numbers for 1 terms" in problems[0].finding and problems[0].line == 2
    found, problems = index_of(["Deck 6Z", "Turn 7"], tmp_path)
    assert found[0][2] == () and "6Z" in problems[0].finding and not problems[0].fatal


@pytest.mark.parametrize("row", ["1\tperhaps\t\t", "²\tentry\t\twhy", "0\tentry\t\twhy", "1\t\t²\twhy", "1\tentry\t\t"])
def test_a_broken_decision_is_told_with_its_line(row, tmp_path):
    _, problems = index_of(["Deck 6"], tmp_path, f"{row}\n")
    assert problems[0].line == 2 and problems[0].file.endswith("index.tsv")


def test_an_edition_without_an_index_has_none(tmp_path):
    edition = replace(load_edition(CORPUS / "editions" / INDEXED[0]), id="xx", folder=tmp_path)
    assert parse_index(PROVISIONS, edition, LANGUAGE)[1:] == ([], [])


def test_every_number_goes_to_a_term_in_order():
    terms, numbers = (
        [IndexRow("term", n, t) for n, t in enumerate("abc", 1)],
        [IndexRow("numbers", 10, numbers=("1",)), IndexRow("numbers", 11, numbers=("2",))],
    )
    assert number_blocks(terms + numbers) == [(terms, numbers)]
    likes = {("a", "1"): 5.0, ("c", "2"): 5.0}
    joined = pair_numbers(terms, numbers, lambda t, n: likes.get((t.term, n.numbers[0]), 0.0), {2}, {})
    assert {line: row.line for line, row in joined.items()} == {1: 10, 3: 11}


def test_entries_and_subentries_are_both_in_alphabetical_order():
    terms = [
        IndexRow("term", n, t)
        for n, t in enumerate(["Bidding", "After a pass", "Open", "Cards", "Ace", "Two", "Deck", "Face up"], 1)
    ]
    assert entry_lines(terms, set(), {}, Alphabet()) >= {1, 4, 7} and not entry_lines(terms, set(), {}, Alphabet()) & {
        2,
        3,
        5,
        6,
    }
