"""References are found where a reader sees them, lead where he would look, and nothing else is taken for one."""

import csv
import itertools
import re
import time
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_tree import DECISIONS, EDITION, HERE, NODES, PATHS, load, made, references, targets

from corpus import address, language
from corpus.edition import manifest
from corpus.reference import annotate
from corpus.reference.clean import clean
from corpus.reference.grammar import KEYS
from corpus.text import Text

ROOT = Path(__file__).parent.parent
CASES = Path(__file__).parent / "cases"
CORPUS = ROOT / "corpus"
EDITIONS = manifest.list_editions(CORPUS)
GOLD = sorted(p.parent.name for p in (CASES / "gold").glob("*/refs.tsv"))
LAWS = [p for p in PATHS if p[0].isdigit()]
ENGLISH = load("en")
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


PHRASES = rows(CASES / "references" / "phrases.tsv")
# Languages that the corpus has no edition in, as a stranger wrote them; "xii" numbers its laws I, II, III.
FURTHER = {code: language.load(CASES / "references" / "languages", code) for code in ("sv", "it")}
FURTHER["xii"] = made("xii", reference={"law": ["Article", "Articles"], "provision": ["section"], "and": ["and"]})
ROMAN = replace(EDITION, levels=(replace(EDITION.levels[0], labels=("Article I",)),))


@pytest.fixture(scope="module")
def annotated(ingest):
    """Every edition with its references, by id: (edition, nodes, problems, seconds)."""
    out = {}
    for name, edition in ingest.editions.items():
        words = language.load(CORPUS / "languages", edition.lang)
        start = time.perf_counter()
        out[name] = (edition, *annotate(list(ingest.readings[name].nodes), edition, words), time.perf_counter() - start)
    return out


# ── the real texts ──────────────────────────────────────────────────────────────────────────────


def test_there_are_editions_and_gold():
    assert len(EDITIONS) >= 5 and len(GOLD) >= 4 and len(PHRASES) > 50


@pytest.mark.parametrize("name", GOLD)
def test_an_edition_has_the_references_that_a_reader_found(name, annotated):
    _, nodes, _, _ = annotated[name]
    wanted, either = set(), set()
    for row in rows(CASES / "gold" / name / "refs.tsv"):
        if row["kind"] != "footnote":
            edges = {(row["source_path"], t) for t in row["targets"].split(";")}
            (wanted if row["confidence"] == "high" else either).update(edges)
    named = lambda target: (
        target.removeprefix(f"{name}/") if target.startswith(f"{name}/") else target.replace("/", ":", 1)
    )
    found = {(n.path, named(t)) for n in nodes for r in n.references for t in r.targets} - either
    assert wanted
    assert sorted(found - wanted) == [] and sorted(wanted - found) == []


@pytest.mark.parametrize("name", EDITIONS)
def test_every_span_is_proved_by_slicing(name, annotated):
    edition, nodes, _, _ = annotated[name]
    ids = {n.id for n in nodes}
    seen = 0
    for node in nodes:
        ends = {"text": 0, "heading": 0}
        for r in node.references:
            published = node.text if r.where == "text" else node.heading
            assert published[r.start : r.end] == r.surface and r.surface.strip() == r.surface != ""
            assert r.start >= ends[r.where], f"{node.id}: {r.surface!r} overlaps the reference before"
            ends[r.where] = r.end
            assert r.targets and len(set(r.targets)) == len(r.targets)
            assert set(r.missing) == {t for t in r.targets if t not in ids} - {
                t for t in r.targets if edition.modifies and t.startswith(edition.modifies + "/")
            }
            assert (r.kind == "external") <= all(t.startswith(edition.modifies + "/") for t in r.targets)
            seen += 1
    assert seen


def test_a_dangling_reference_is_a_problem_with_place_and_next_move(annotated):
    edition, nodes, problems, _ = annotated["hr-1997"]
    missing = [(n, r) for n in nodes for r in n.references if r.missing]
    assert len(problems) == len(missing) > 10
    lines = edition.folder.joinpath(edition.source).read_text(encoding="utf-8").split("\n")
    for problem, (_, reference) in zip(problems, missing, strict=False):
        assert not problem.fatal and reference.surface in lines[problem.line - 1]
        assert reference.surface in problem.finding and "The nearest is 23;" in problem.move


def test_what_lies_outside_an_extract_is_missing_but_no_problem(annotated):
    _, nodes, problems, _ = annotated["pl-1997"]
    assert any(r.missing for n in nodes for r in n.references) and not problems


@pytest.mark.parametrize(
    "text, surface",
    [
        ("utom enligt 62 C, som", None),
        ("(utom mot 62 C).", "62 C"),
        ("lag 12:C gäller", "lag 12:C"),
        ("§ 80, A.", "§ 80, A"),
        ("mot (N 2) och", "(N 2)"),
        ("för 2 NT, 13 kart, 5♦, 60 % och klockan 14.30", None),
        ("spader A, K och 5", None),
    ],
)
def test_what_looks_like_a_reference_and_is_none_is_noted_with_its_line(text, surface):
    node = replace(NODES[HERE], text=text, source_text=text, source_spans=((7, 0, 7, len(text)),))
    _, problems = annotate([node if p == HERE else n for p, n in NODES.items()], EDITION, FURTHER["sv"])
    assert [p.finding.split("”")[0][1:] for p in problems] == ([surface] if surface else [])
    assert all(not p.fatal and p.line == 7 and p.move for p in problems)


def test_words_that_stand_twice_are_noted_in_the_line_of_each():
    text = Text("mot (N 2) och (N 2) mot", ((10, 7, 1), (13, 9, 1)))
    node = replace(NODES[HERE], text=text, source_text=str(text), source_spans=((7, 1, 9, 13),))
    _, problems = annotate([node if p == HERE else n for p, n in NODES.items()], EDITION, FURTHER["sv"])
    assert [p.line for p in problems] == [7, 9]


def test_no_edition_has_what_looks_like_a_reference_and_is_none(annotated):
    assert [str(p) for _, _, problems, _ in annotated.values() for p in problems if "looks like" in p.finding] == []


def test_annotating_again_changes_nothing(annotated, ingest):
    for name, (_, nodes, *_) in annotated.items():
        assert tuple(nodes) == ingest.readings[name].nodes


def test_all_texts_are_annotated_in_less_than_three_seconds(annotated):
    assert sum(seconds for *_, seconds in annotated.values()) < 3


# ── phrases ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("row", PHRASES, ids=lambda r: f"{r['lang']} {r['phrase']}")
def test_a_phrase_leads_where_the_table_says(row):
    words = load(row["lang"])
    phrase, wanted = row["phrase"], row["targets"].split()
    for text in (phrase, f"Xx {phrase} xx.", f"({phrase})" if phrase.count("(") == phrase.count(")") else f"{phrase};"):
        assert targets(text, words, at=row["at"]) == wanted, text


@pytest.mark.parametrize(
    "row", rows(CASES / "references" / "phrases-further.tsv"), ids=lambda r: f"{r['lang']} {r['phrase']}"
)
def test_a_phrase_of_a_further_language_leads_where_the_table_says(row):
    phrase, wanted = row["phrase"], row["targets"].split()
    for text in (phrase, f"Xx {phrase} xx.", f"Xx\u00a0{phrase};"):
        assert (
            targets(text, FURTHER[row["lang"]], at=row["at"], edition=ROMAN if row["lang"] == "xii" else EDITION)
            == wanted
        ), text


@pytest.mark.parametrize(
    "text, wanted",
    [
        ("Hans uppgifter framgår av B 2.", ["12/B/2"]),
        ("Arrangören får ändra metoderna i A–C; det kungörs.", ["12/A", "12/B", "12/C"]),
        ("Detta får inte rättas (utom enligt 62 C).", ["62/C"]),
        ("se även § 16 B 1 b.", ["16/B/1/b"]),
        ("gäller lag 12 C 1 a.", ["12/C/1/a"]),
    ],
)
def test_what_may_be_a_word_is_a_label_where_the_phrase_ends(text, wanted):
    assert targets(text, FURTHER["sv"]) == wanted


@pytest.mark.parametrize("code", ["sv", "it"])
def test_nothing_is_found_in_plain_sentences_of_further_languages(code):
    for sentence in (CASES / "references" / f"nothing-{code}.txt").read_text(encoding="utf-8").splitlines():
        assert [r.surface for r in references(sentence, FURTHER[code])] == [], sentence


PLAIN = sorted(
    p.stem for p in (CORPUS / "languages").glob("*.toml") if (CASES / "references" / f"nothing-{p.stem}.txt").exists()
)


def test_there_are_plain_sentences():
    assert len(PLAIN) >= 4


@pytest.mark.parametrize("code", PLAIN)
def test_nothing_is_found_where_there_is_nothing(code):
    sentences = (CASES / "references" / f"nothing-{code}.txt").read_text(encoding="utf-8").splitlines()
    assert len(set(sentences)) >= 50
    words = load(code)
    found = {s: [r.surface for r in references(s, words)] for s in sentences}
    assert {s: f for s, f in found.items() if f} == {}


@pytest.mark.parametrize(
    "phrase, wanted",
    [
        ("przepisy 12C2b i 12C2d", ["laws:12/C/2/b", "laws:12/C/2/d"]),
        ("przepis 40B2a(i)", ["laws:40/B/2/a/i"]),
        ("przepisy 41–43", ["laws:41", "laws:42", "laws:43"]),
        ("przepisem 93 i punktem 13", ["laws:93", "13"]),
        ("pkt. 16 niniejszego dokumentu", ["16"]),
        ("punkcie 25.C.1 i 25.C.2", ["25/C/1", "25/C/2"]),
        ("(patrz 27.B.1.(b))", ["27/B/1/b"]),
    ],
)
def test_decisions_on_other_laws_cite_those_by_law_and_themselves_by_point(phrase, wanted):
    assert targets(phrase, load("pl"), edition=DECISIONS) == wanted


def test_a_heading_may_name_the_definition_that_a_decision_modifies():
    assert targets("Alert – definicje", load("pl"), at="13", edition=DECISIONS, heading=True) == ["laws:def/alert"]
    assert targets("Alert – definicje", load("pl"), at="13", heading=True) == []


def test_a_heading_is_searched_like_a_text():
    (reference,) = references("Non-application of Laws 23 and 26", ENGLISH, heading=True)
    assert (reference.where, reference.targets) == ("heading", ("book/23", "book/26"))


def test_missing_targets_stay_listed():
    (reference,) = references("Laws 92 to 95", ENGLISH)
    assert reference.targets == ("book/92", "book/93", "book/94", "book/95") and reference.missing == (
        "book/94",
        "book/95",
    )


# ── round trips ─────────────────────────────────────────────────────────────────────────────────


def printed(path: str, style: str) -> str:
    """A path as translators print it."""
    steps = path.split("/")
    if style == "cited":
        return address.cite(path)
    if style == "close":
        return "".join(s if len(steps) < 5 or i < 4 else f"({s})" for i, s in enumerate(steps))
    if style == "dotted":
        return ".".join(steps)
    return " ".join(steps[:3]) + "".join(f" ({s})" for s in steps[3:])


PRINTED = st.sampled_from(LAWS).flatmap(
    lambda p: st.tuples(st.just(p), st.sampled_from(("cited", "close", "dotted", "spaced")))
)
AROUND = st.sampled_from(
    [
        ("see ", ""),
        ("(", ")"),
        ("According to ", " a player may call."),
        ("", "."),
        ("as in ", ", unless 13 cards"),
        ("", "; then"),
    ]
)


@given(PRINTED, st.sampled_from(ENGLISH.words("law")), AROUND)
def test_a_printed_citation_leads_to_its_path(citation, word, around):
    path, style = citation
    assert targets(f"{around[0]}{word} {printed(path, style)}{around[1]}", ENGLISH) == [path]


@given(st.lists(st.sampled_from(LAWS), min_size=2, max_size=4, unique=True), st.sampled_from(("and", "or")))
def test_a_list_of_citations_leads_to_all(paths, word):
    cited = [address.cite(p) for p in paths]
    # "12C1 or 2": a number that can go on from the one before is read as going on.
    if any(b.isdigit() and a[-1].isdigit() and not a.isdigit() for a, b in itertools.pairwise(cited)):
        return
    assert targets(f"Laws {', '.join(cited[:-1])} {word} {cited[-1]}.", ENGLISH) == paths


@given(
    st.sampled_from([(a, b) for a in range(1, 94) for b in (a + 1, a + 2, a + 7) if b < 94]),
    st.sampled_from(("–", "-", " to ", " — ")),
)
def test_a_range_leads_to_all_between(ends, dash):
    first, last = ends
    assert targets(f"Laws {first}{dash}{last}", ENGLISH) == [str(n) for n in range(first, last + 1)]


@given(
    st.sampled_from([p for p in LAWS if p.count("/") in (1, 2, 3, 4)]),
    st.sampled_from(("section {}", "see {}", "{} below", "{} above")),
)
def test_a_label_from_its_section_on_is_sought_in_the_law_where_it_stands(path, frame):
    law, _, rest = path.partition("/")
    steps = rest.split("/")
    label = "".join(steps[:2]) + "".join(f"({s})" for s in steps[2:])
    assert targets(frame.format(label), ENGLISH, at=law) == [path]


@given(st.sampled_from([p for p in LAWS if p.count("/") == 3 and p != HERE]))
def test_a_bracket_is_a_sibling(path):
    letter = path.rpartition("/")[2]
    for at in (p for p in NODES if p.rpartition("/")[0] == path.rpartition("/")[0] and p != path):
        assert targets(f"as in ({letter})", ENGLISH, at=at) == [path]


PIECES = st.sampled_from(
    [
        "Law",
        "Laws",
        "section",
        "see",
        "in",
        "and",
        "or",
        "to",
        "above",
        "below",
        "16",
        "12C1",
        "27B1(b)",
        "(a)",
        "(ii)",
        "A",
        "C2",
        "b.",
        "3",
        "13 cards",
        "2♦",
        "1NT",
        "40%",
        ",",
        ".",
        ";",
        "–",
        "-",
        "(",
        ")",
        "„",
        "”",
        '"',
        "Honour",
        "a",
        "i",
        "\n\n",
        "\t",
        "/",
        "№",
        "§",
    ]
)


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=14), st.sampled_from((" ", "\u00a0", "")))
def test_any_text_is_annotated_and_sliced(pieces, gap):
    text = gap.join(pieces)
    end = 0
    for r in references(text, ENGLISH):
        assert text[r.start : r.end] == r.surface and r.start >= end and r.targets
        end = r.end


@given(st.text())
def test_cleaning_keeps_every_offset(text):
    assert len(clean(text)) == len(text) and clean(clean(text)) == clean(text)


@given(st.text(max_size=60))
def test_no_text_breaks_the_search(text):
    for r in references(text, ENGLISH):
        assert text[r.start : r.end] == r.surface


# ── what the documents show ─────────────────────────────────────────────────────────────────────


def test_the_example_of_the_documents_works():
    page = (ROOT / "docs" / "add-a-language.md").read_text(encoding="utf-8")
    (toml,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    (example,) = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    words = made("de", **tomllib.loads(toml))
    lines = [line.split("→") for line in example.splitlines() if "→" in line]
    assert len(lines) >= 10
    for phrase, wanted in lines:
        assert targets(phrase.strip(), words) == wanted.split(), phrase


def test_the_documents_explain_every_key():
    page = (ROOT / "docs" / "add-a-language.md").read_text(encoding="utf-8")
    assert [k for k in KEYS if f"`{k}`" not in page] == []
