"""The search: what a query is understood as, what it finds, what it says of itself, and that nothing breaks it."""

from __future__ import annotations

import html
import json
import re
import shutil
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.site.answers import answer_json
from index import IndexMissing
from index.answer import Run
from index.lexicon import distance
from index.rank.look import Match
from index.search import Searcher
from index.snippet import WIDTH, snippet
from scripts import evaluate

CASES = Path(__file__).parent / "cases" / "queries"
CITATIONS = [line.split("\t") for line in (CASES / "citations.tsv").read_text(encoding="utf-8").splitlines()[1:]]
BAD = [
    "",
    " ",
    "***",
    '"',
    '""',
    '"""',
    '"niezamknięty',
    "\x00",
    "\x00\x01",
    "\u202e\u200f",
    "a" * 10_000,
    "a " * 5_000,
    "* " * 5_000,
    "12C1(e)" * 1_500,
    '"a" ' * 200,
    "- -",
    "-a -b",
    "AND",
    "OR OR",
    "NOT NOT x",
    "(((((",
    "?" * 10_000,
    "karta " * 2_000,
    "%",
    "\\",
    "😀",
    "ﬁ",
    "ß" * 500,
    "٣",
    "\ud800",
    "a AND b OR c NOT d " * 400,
    "x ANDNOT y " * 900,
]


@pytest.fixture(scope="session")
def searcher(build_dir, library) -> Searcher:
    return Searcher.open(build_dir, library)


def marked(answer) -> set[str]:
    """What the snippets of an answer mark, in lower case."""
    return {run.text.lower() for hit in answer.hits for run in hit.snippet if run.matched}


@pytest.fixture(scope="session")
def outcomes(searcher, library):
    return evaluate.run(evaluate.ours(searcher, library), evaluate.read(), library)


def test_there_are_cases():
    assert len(CITATIONS) > 25 and len(evaluate.read()) >= 220
    assert {q.kind for q in evaluate.read()} == {
        "citation",
        "keyword",
        "inflected",
        "plain",
        "typo",
        "question",
        "term",
        "ocr",
        "phrase",
        "crosslingual",
        "nothing",
    }


@pytest.mark.parametrize("query, kind, paths", CITATIONS, ids=[row[0] for row in CITATIONS])
def test_a_citation_is_read_in_any_spelling(searcher, query, kind, paths):
    answer = searcher.search(query)
    assert (answer.kind, " ".join(answer.paths)) == (kind, paths)


def test_every_path_of_every_edition_is_found_by_its_citation(searcher, library):
    for node in library.nodes.values():
        if node.kind in ("law", "section", "subsection", "clause", "subclause", "footnote"):
            first = searcher.search(node.citation, editions=[node.edition]).hits[:1]
            assert first and first[0].node.id == node.id, node.citation


def test_a_number_is_never_corrected(searcher):
    answer = searcher.search("99Z9")
    assert answer.paths == ("99/Z/9",) and not answer.confident


def test_an_edition_without_the_law_is_said_and_the_others_are_offered(searcher):
    answer = searcher.search("27B pl-1997")
    assert not answer.confident and answer.hits[0].node.path == "27/B"


def test_judged_queries_are_answered(outcomes):
    real = [o for o in outcomes if o.judged.kind != "nothing"]
    share = lambda rows, f: sum(map(f, rows)) / len(rows)
    assert share(real, lambda o: o.within(3)) >= 0.95
    assert share(real, lambda o: o.confident) >= 0.9
    for kind in {o.judged.kind for o in outcomes}:
        rows = [o for o in outcomes if o.judged.kind == kind]
        least = {"citation": 1.0, "phrase": 1.0, "crosslingual": 0.9, "nothing": 0.85, "question": 0.82}.get(kind, 0.88)
        assert share(rows, lambda o: o.within(3)) >= least, kind


@pytest.fixture(scope="session")
def of_concepts(searcher, library):
    """(thing, half, language of asking, edition, whether it is there at all, whether the first three have it, whether the search is sure)."""
    head, *rows = [line.split("\t") for line in (CASES / "concepts.tsv").read_text(encoding="utf-8").splitlines()]
    out = []
    for row in (dict(zip(head, r)) for r in rows):
        for lang in head[2:6]:
            for edition in head[6:]:
                about = row[edition].split()
                assert all(library.node(edition, path) for path in about), row
                answer = searcher.search(row[lang], editions=[edition], qlang=lang, limit=3)
                # As in lexbridge evaluate: the provision, what stands under it, or its parent.
                right = any(
                    evaluate._near((edition, hit.node.path), (edition, path)) for hit in answer.hits for path in about
                )
                out.append((row["concept"], row["half"], lang, edition, bool(about), right, answer.confident))
    return out


def test_a_thing_leads_to_the_laws_about_it_in_every_edition_and_language(of_concepts):
    there = [o for o in of_concepts if o[4]]
    assert len(there) > 700
    assert sum(o[5] for o in there) / len(there) >= 0.975
    assert sum(o[6] and o[5] for o in there) / len(there) >= 0.95
    for edition in {o[3] for o in there}:
        here = [o for o in there if o[3] == edition]
        assert sum(o[5] for o in here) / len(here) >= 0.955, edition
    leading = (
        "unauthorized information",
        "out of turn",
        "call out of turn",
        "lead out of turn",
        "opening lead out of turn",
        "hesitation",
        "change of tempo",
        "revoke",
        "suit not followed",
        "insufficient bid",
        "penalty card",
        "claim",
        "misinformation",
        "dummy's limitations",
    )
    assert {o[0] for o in there} >= set(leading)
    assert not [o for o in there if o[0] in leading and not o[5]]


def test_what_a_code_does_not_have_is_not_answered_surely(of_concepts):
    absent = [o for o in of_concepts if not o[4]]
    assert absent and not [o for o in absent if o[6]]
    assert sum(o[6] and not o[5] for o in of_concepts) <= 0.02 * len(of_concepts)


@pytest.mark.parametrize("query", BAD, ids=lambda q: repr(q[:12]))
def test_bad_input_is_answered_in_bounded_time(searcher, query):
    start = time.perf_counter()
    json.dumps(answer_json(searcher.search(query)))
    searcher.suggest(query)
    assert time.perf_counter() - start < 3


@settings(max_examples=150)
@given(st.text(max_size=80))
def test_any_text_is_answered(searcher, query):
    answer = searcher.search(query)
    assert answer.query == query and answer.total >= len(answer.hits)


def test_snippets_are_escaped_pieces_of_the_provision(searcher, library):
    seen = 0
    for query in ("fałszywy renons", "nepriznanie farby", "kaznena karta", "bez"):
        for row in answer_json(searcher.search(query, limit=50))["results"]:
            node = library.nodes[row["id"]]
            plain = html.unescape(re.sub(r"</?mark>", "", row["snippet"])).strip("…").strip()
            words = (
                " ".join(node.text.split())
                + " "
                + (node.heading or "")
                + " "
                + " ".join(library.full_text(node).split())
            )
            assert plain.strip("… ")[:80] in words or not node.text, row
            assert "<" not in re.sub(r"</?mark>", "", row["snippet"])
            seen += 1
    assert seen > 50


def test_a_hit_names_its_counterparts(searcher):
    first = searcher.search("nepriznanie farby v dvanástom zdvihu", langs=["sk"]).hits[0]
    assert {c.edition for c in first.counterparts} >= {"pl-2007", "hr-1997"}


def test_one_provision_is_one_hit(searcher, library):
    hits = searcher.search("simultani govori", qlang="hr").hits
    ids = [hit.node.id for hit in hits]
    first = {
        c
        for c in hits[0].counterparts
        if any(c == k.id for v in library.relations.counterparts(ids[0]).values() for k in v if k.relation == "same")
    }
    assert not first.intersection(ids)


def test_filters(searcher):
    for filters, holds in (
        ({"langs": ["pl"]}, lambda n: n.lang == "pl"),
        ({"editions": ["hr-1997"]}, lambda n: n.edition == "hr-1997"),
        ({"kinds": ["definition"]}, lambda n: n.path.startswith("def/")),
    ):
        hits = searcher.search("kontra", **filters).hits
        assert hits and all(holds(hit.node) for hit in hits)


def test_pages_of_results_do_not_overlap(searcher):
    whole = [hit.node.id for hit in searcher.search("karta", limit=40).hits]
    parts = [
        hit.node.id for offset in (0, 10, 20, 30) for hit in searcher.search("karta", limit=10, offset=offset).hits
    ]
    assert whole == parts and len(set(whole)) == len(whole)


@pytest.mark.parametrize("hint", ["en", "pl", "sk", "hr"])
@pytest.mark.parametrize("query", ["BIT", "bit"])
def test_what_is_a_name_in_one_language_is_no_word_to_skip_of_another(searcher, query, hint):
    assert {hit.node.id.law for hit in searcher.search(query, qlang=hint, limit=5).hits} & {"16", "73"}
    assert not marked(searcher.search(query, qlang=hint, limit=200)) & {"bit", "bile", "jeste", "b"}


@pytest.mark.parametrize("first, last", [(WIDTH - 1, WIDTH), (WIDTH - 3, WIDTH + 2)])
def test_a_mark_is_not_cut_in_two(searcher, first, last):
    doc = next(d for d in searcher._index.documents if len(d.text.forms) > 100)
    wanted = doc.text.printed[doc.text.offsets[first][0] : doc.text.offsets[last][1]]
    # The window begins at the beginning for the first word, and ends within the second mark.
    piece = snippet(doc, {}, dict.fromkeys((3, *range(first, last + 1)), Match(frozenset((0,)), "the word")))
    assert Run(" ".join(wanted.split()), ("the word",)) in piece


def test_operators(searcher):
    has = lambda q: {hit.node.id for hit in searcher.search(q, langs=["pl"], limit=100).hits}
    assert has("roszczenie -zrzeczenie") < has("roszczenie zrzeczenie")
    assert has("roszczenie AND odwołanie") <= has("roszczenie odwołanie")
    assert "pl-2007/33" in has("jednoczesne OR równoczesne")


def test_quoted_words_stand_side_by_side(searcher, library):
    hits = searcher.search('"bez przerwy na namysł"', langs=["pl"]).hits
    assert hits and all("bez przerwy na namysł" in " ".join(hit.node.text.split()) for hit in hits)


@pytest.mark.parametrize("query", ['"2♦"', '"♠"', '"K.O."', '"N otworzył 1BA"'])
def test_signs_in_a_quotation_are_those_of_the_text(searcher, library, query):
    answer = searcher.search(query)
    assert answer.confident and answer.hits
    for node in (hit.node for hit in answer.hits):
        assert query.strip('"') in f"{node.heading or ''} {' '.join(node.text.split())}"


@pytest.mark.parametrize("query, hint", [("hesitation", "pl"), ("fałszywy renons", "sk"), ("nepriznanie farby", "hr")])
def test_the_language_of_the_reader_filters_nothing(searcher, query, hint):
    found = lambda lang: {hit.node.id for hit in searcher.search(query, qlang=lang, limit=200).hits}
    assert found(hint) and len(found(hint) & found(None)) > 0.5 * len(found(None))


def test_a_typing_error_is_named(searcher):
    assert searcher.search("niewystraczająca odzywka", langs=["pl"]).suggestion == "niewystarczająca odzywka"


def test_suggestions(searcher, library):
    kinds = {s.kind for q in ("16d", "kar", "fałszywy") for s in searcher.suggest(q, "pl")}
    assert {"citation", "term", "heading"} <= kinds
    for suggestion in searcher.suggest("kar", "pl"):
        assert suggestion.node in library.nodes or searcher.search(suggestion.query, langs=["pl"]).total


def test_every_score_follows_from_the_factors_that_the_api_shows(searcher):
    """As docs/search.md says: from 0, + adds and × multiplies, in their order; then four places."""
    seen = 0
    for query in (*evaluate.read(), *evaluate.read(evaluate.FRESH)):
        answer = searcher.search(query.query, qlang=query.lang, limit=10)
        for row in json.loads(json.dumps(answer_json(answer, explain=True)))["results"]:
            score = 0.0
            for factor in row["factors"]:
                score = score + factor["value"] if factor["how"] == "+" else score * factor["value"]
            assert round(score, 4) == row["score"], (query.query, row)
            seen += 1
    assert seen > 6_000


def test_threads_get_the_same_answers(searcher):
    queries = ["fałszywy renons", "kaznena karta", "nepriznanie farby", "revoke", '"bez pauze"'] * 4
    expected = [searcher.search(q) for q in queries]
    got: dict[int, list] = {}
    threads = [
        threading.Thread(target=lambda n=n: got.__setitem__(n, [searcher.search(q) for q in queries])) for n in range(4)
    ]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(got) == 4 and all(g == expected for g in got.values())


@pytest.mark.parametrize("harm", ["missing", "damaged", "no manifest", "other corpus", "other schema"])
def test_a_bad_index_is_refused_with_the_next_move(build_dir, library, tmp_path, harm):
    shutil.copytree(build_dir, tmp_path / "build")
    search = tmp_path / "build" / "search"
    manifest = search / "manifest.json"
    if harm == "missing":
        shutil.rmtree(search)
    elif harm == "damaged":
        block = max((search / "postings").iterdir(), key=lambda p: p.stat().st_size)
        data = bytearray(block.read_bytes())
        data[len(data) // 2] ^= 255
        block.write_bytes(data)
    elif harm == "no manifest":
        manifest.unlink()
    elif harm == "other corpus":
        (tmp_path / "build" / "corpus" / "manifest.json").write_text("{}")
    else:
        manifest.write_text(manifest.read_text().replace('"schema": ', '"schema": 9'))
    with pytest.raises(IndexMissing, match="lexbridge index"):
        Searcher.open(tmp_path / "build", library)


@settings(max_examples=300)
@given(st.text("abcd", max_size=8), st.text("abcd", max_size=8))
def test_the_distance_is_symmetric_and_bounded(a, b):
    assert distance(a, b, 2) == distance(b, a, 2) <= 3
    assert (distance(a, b, 2) == 0) == (a == b)


def test_the_table_of_terms_names_each_thing_in_each_language(corpus_dir):
    head, *rows = [
        line.split("\t")
        for line in (corpus_dir / "terms" / "terms.tsv").read_text(encoding="utf-8").splitlines()
        if line[:1] != "#"
    ]
    assert (
        len(rows) > 200 and set(head) <= {p.stem for p in (corpus_dir / "languages").glob("*.toml")} and len(head) >= 4
    )
    for row in rows:
        assert len(row) == len(head) and all(cell.strip() for cell in row), row
