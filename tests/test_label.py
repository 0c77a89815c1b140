"""One grammar of printed labels in three modes: the spellings of cases/labels.toml, every path of every edition."""

from __future__ import annotations

import tomllib
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_tree import made

from app.site.lookup import canonical_path
from corpus import address, language
from corpus.json_values import from_json, to_json
from corpus.label import (
    ROMAN_STEPS,
    CitationWords,
    LabelParser,
    Level,
    paths_strictly_between,
    read_citation_paths,
    read_range,
    replace_lookalikes,
)
from corpus.reference.find import find_phrases
from corpus.reference.grammar import Grammar, clean_text, read_label
from index.query.citation import CitationParser

HERE = Path(__file__).parent
LANGUAGES = [
    language.load_language(HERE.parent / "corpus" / "languages", p.stem)
    for p in sorted((HERE.parent / "corpus" / "languages").glob("*.toml"))
]
WORDS = CitationWords.from_languages(LANGUAGES)
ENGLISH = Grammar(next(x for x in LANGUAGES if x.reference_words("law")[0] == "law"))
GROUPS = tomllib.loads((HERE / "cases" / "labels.toml").read_text(encoding="utf-8"))
CASES = list(chain.from_iterable(GROUPS.values()))
TEMPLATES = {
    t: LabelParser(Level("section", (t,)))
    for t in ("1.", "A.", "A)", "a)", "(a)", "(i)", "I.", "^1.", "^A.", "^(i)", "LAW 1 — HEADING")
}
PROVISIONS = ("law", "point", "section", "subsection", "clause", "subclause")
each = pytest.mark.parametrize("case", CASES, ids=lambda c: c["says"] or "nothing at all")


def in_text(sentence: str) -> list[str]:
    return [" ".join(label.steps) for found in find_phrases(clean_text(sentence), ENGLISH) for label in found.labels]


def in_query(spelling: str) -> tuple[str, ...]:
    return read_citation_paths(spelling, WORDS) or read_range(spelling, WORDS)


def at_line(line: str) -> dict[str, str]:
    read = {
        template: parser.parse(line if parser.has_title else f"{line} Word") for template, parser in TEMPLATES.items()
    }
    return {template: f"{found.prefix} {found.ordinal}".strip() for template, found in read.items() if found}


@pytest.fixture(scope="module")
def citations(library) -> CitationParser:
    return CitationParser(library, names=lambda words, lang: ())


def test_there_are_cases():
    assert len(GROUPS) == 8 and all(len(rows) > 5 for rows in GROUPS.values()) and len({c["says"] for c in CASES}) > 110
    assert all(any(mode in c for c in CASES) for mode in ("query", "search", "text", "bare", "print"))
    assert sum("query" not in c for c in CASES) > 30 and not any(
        set(c) - {"says", "query", "search", "text", "bare", "print"} for c in CASES
    )


@each
def test_what_a_person_types(case):
    assert list(in_query(case["says"])) == case.get("query", [])


@each
def test_what_the_search_field_reads(case, citations):
    """The same as the address bar, but for lists."""
    read = citations.parse(case["says"])
    found, wanted = list(read.paths) if read else [], case.get("query", [])
    if "search" in case:
        assert found == case["search"] != wanted
    else:
        assert found == wanted or [p.lower() for p in found] in [[p.lower()] for p in wanted]


@each
def test_what_stands_in_a_text_after_a_law_word(case):
    assert in_text(f"so Law {case['says']} says") == case.get("text", [])


@each
def test_what_stands_in_a_text_without_a_word(case):
    assert in_text(f"so {case['says']} says") == case.get("bare", [])


@each
def test_what_begins_a_line(case):
    assert at_line(case["says"]) == case.get("print", {})


@pytest.mark.parametrize("line", ["(a)word", "(a) word"])
def test_a_bracket_parts_a_label_from_its_words(line):
    label = TEMPLATES["(a)"].parse(line)
    assert label and line[label.after :].strip() == "word"


@pytest.mark.parametrize(
    ("title", "capitals"),
    [("THE BID", True), ("THE BID and THE PLAY", True), ("THE BID¹", True), ("The Bid", False), ("The NT Bid", False)],
)
def test_a_title_in_capitals_is_told_from_words(title, capitals):
    assert bool(TEMPLATES["LAW 1 — HEADING"].parse(f"LAW 7 — {title}")) == capitals


@pytest.mark.parametrize(
    ("text", "label"), [("see 3) above", "3)"), ("(see 12C1) above", "12C1"), ("see b) above", "b)")]
)
def test_a_label_in_a_text_ends_with_its_bracket(text, label):
    at = text.index(label)
    found = read_label(text, at, ENGLISH, "provision")
    assert found and text[found.start : found.end] == label


@pytest.mark.parametrize(
    ("sentence", "labels"),
    [
        ("Law 27 says", ["27"]),
        ("Law 27% says", []),
        ("section C 2", ["C 2"]),
        ("section C 2♠", ["C"]),
        ("section C 3 NT", ["C"]),
        ("section C 3% of it", ["C"]),
        ("Law 12 C 1 e, and", ["12 C 1 e"]),
        ("Law 12 C 1 a.", ["12 C 1 a"]),
    ],
)
def test_a_label_ends_where_a_word_a_count_or_a_bid_begins(sentence, labels):
    assert in_text(f"so {sentence}") == labels


def test_a_letter_that_is_a_word_of_the_language_is_a_label_only_at_the_end_of_its_sentence():
    words = next(x for x in LANGUAGES if "i" in Grammar(x).letters)
    for after, label in ((", w", "12 C 1"), (".", "12 C 1 i"), ("; w", "12 C 1 i"), (" w", "12 C 1")):
        (found,) = find_phrases(clean_text(f"{words.reference_words('law')[0]} 12 C 1 i{after}"), Grammar(words))
        assert [" ".join(label.steps) for label in found.labels] == [label]


# ── every path of every edition ─────────────────────────────────────────────────────────────────

LOOKS = str.maketrans("ABCEHKMPTXaceopxy(–", "АВСЕНКМРТХасеорху（-")
FULL_WIDTH = {n: n + 0xFEE0 for n in range(ord("0"), ord("z") + 1) if chr(n).isalnum()}


def spellings(path: str) -> dict[str, str]:
    """Ways to type the citation of a path, by what is done to it."""
    steps, cited = path.split("/"), address.cite(path)
    points = len(steps) > 1 and steps[1].isdigit()
    plain = "".join(cited.replace("(", "").replace(")", ""))
    out = {
        "cited": cited,
        "dotted": address.cite(path, dotted=True),
        "a path": path,
        "blanks": " ".join(steps),
        "small": cited.lower(),
        "no brackets": plain,
        "all capitals": cited.upper(),
        "brackets": steps[0] + "".join(f"({s})" for s in steps[1:]),
        "stops": ".".join(steps),
        "Cyrillic": cited.translate(LOOKS),
        "full width": cited.translate(FULL_WIDTH),
        "no-break": "\u00a0".join(steps),
        "sentence": f" {cited}. ",
    }
    if not points:
        out |= {
            "colons": ":".join(steps),
            "dashes": "-".join(steps),
            "long dashes": "–".join(steps),
            "together": "".join(steps),
        }
    return out | {f"after {word}": f"{word}{cited}" for word in ("Law ", "§", "P", "čl. ", "przepis nr ")}


def test_every_path_of_every_edition_is_read_in_any_spelling(library, citations):
    """In an address and in the search field; what has another case or two readings is told by the editions."""
    seen = 0
    for edition in library.editions:
        for node in library.nodes_of(edition):
            if node.kind not in PROVISIONS:
                continue
            for how, spelling in spellings(node.path).items():
                assert canonical_path(library, edition, spelling) == node.path, f"{how}: {spelling!r}"
                read = citations.parse(spelling)
                assert read and node.path.lower() in [p.lower() for p in read.paths], f"{how}: {spelling!r}"
                seen += 1
    assert seen > 40_000


def test_every_path_of_every_edition_is_read_in_a_text_that_names_its_law(library):
    paths = sorted({n.path for n in library.nodes.values() if n.kind in PROVISIONS})
    assert len(paths) > 1000
    for path in paths:
        steps, cited = path.split("/"), address.cite(path)
        forms = {cited, cited.translate(LOOKS), address.cite(path, dotted=True)}
        if len(steps) > 1 and not steps[1].isdigit():
            forms |= {
                f"{''.join(steps[:3])}{''.join(f'({s})' for s in steps[3:])}",
                " ".join(steps[:3]) + "".join(f" ({s})" for s in steps[3:]),
                "".join(steps),
            }
        for form in forms:
            assert in_text(f"so Law {form} says") == [" ".join(steps)], form


# ── properties ──────────────────────────────────────────────────────────────────────────────────

STEPS = st.lists(st.sampled_from(["27", "1", "2", "93", "B", "C", "a", "b", "i", "ii", "h"]), min_size=1, max_size=6)


@given(
    st.text(max_size=40) | st.lists(st.sampled_from([*"12BCaiv.:-–/() §", "law", "пт", "ii"]), max_size=12).map("".join)
)
def test_whatever_is_typed_is_paths_or_nothing(text):
    for path in (*read_citation_paths(text, WORDS), *read_range(text, WORDS)):
        assert address.is_path(path)


@given(STEPS, st.sampled_from([" ", ".", "/", "-", ":", "", ", ", " ("]))
def test_no_number_is_changed(steps, gap):
    text = gap.join(steps)
    for path in read_citation_paths(text, WORDS):
        assert [c for c in path if c.isdigit()] == [c for c in text if c.isdigit()]


@given(st.text(max_size=60))
def test_what_looks_alike_keeps_its_place(text):
    assert len(replace_lookalikes(text)) == len(text) and replace_lookalikes(
        replace_lookalikes(text)
    ) == replace_lookalikes(text)


@pytest.mark.parametrize(
    "steps",
    [[str(n) for n in range(1, 94)], list("ABCDEFGH"), list("abcdefgh"), list(ROMAN_STEPS[:12])],
    ids=lambda s: s[0],
)
@pytest.mark.parametrize("above", ["", "12/", "12/C/1/e/"])
def test_a_range_has_its_ends_and_all_between(above, steps):
    for i, first in enumerate(steps):
        for j, last in enumerate(steps[i + 1 :], i + 1):
            assert paths_strictly_between(above + first, above + last) == [above + s for s in steps[i + 1 : j]]
            assert paths_strictly_between(above + last, above + first) == []


def test_a_law_word_after_its_number_is_one_of_a_citation_too():
    words = CitationWords.from_languages([made("xx", reference={"law": ["lag"], "law_after": ["kap."]})])
    assert words.law == {"lag", "kap"}


def test_words_are_kept_whole(tmp_path):
    assert from_json(CitationWords, to_json(WORDS)) == WORDS and WORDS.law and WORDS.level and WORDS.joiner
