"""What ``explain=1`` says of a score is all that it was made from, as docs/search.md has it: whatever is asked, however
it is filtered and paged.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.api.objects import answer_object as answer_json
from tests.budget import examples

ROOT = Path(__file__).parent.parent
# Words of every language: terms, words of stories, words to skip, negations, outsiders, typing errors, a year.
WORDS = (
    "renons fałszywy lewa karta przerwa kolejnością poza nie na bez kto co revoke trick card claim out of turn what is "
    "nepriznanie farby zdvih karta vo rade nie je definícia pozeransko štih boja zahtjev kaznena karta krivi red izvan "
    "hesitation bit stayman renosn kartaa alert 1997 2007 sędzia director sudac rozhodca odvolanie žalba odwołanie kara"
).split()
CITATIONS = ("16D2", "27B1, 30 i 31", "§ 70 C", "99Z9", "16C 1997", "law 20 f", "fn 7", "27B1a9", "rozdział IV", "12 A")
PHRASES = ("bez przerwy na namysł", "lewa", "kaznena karta", "w tej lewie", "na", "2♦", "of the", "Karta karna")
quoted = st.sampled_from(PHRASES).map('"{}"'.format)
words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
operated = st.tuples(words, st.sampled_from([" AND ", " OR ", " NOT ", " -", " +"]), words).map("".join)
queries = st.one_of(words, operated, st.sampled_from(CITATIONS), quoted, st.tuples(words, quoted).map(" ".join))
filters = st.fixed_dictionaries(
    {},
    optional={
        "langs": st.lists(st.sampled_from(["pl", "sk", "hr"]), min_size=1, max_size=2, unique=True),
        "editions": st.lists(st.sampled_from(["pl-2007", "sk-2017", "hr-1997"]), min_size=1, max_size=2, unique=True),
        "kinds": st.lists(st.sampled_from(["law", "section", "definition", "footnote"]), min_size=1, unique=True),
        "qlang": st.sampled_from(["pl", "sk", "hr", "en"]),
    },
)


@pytest.fixture(scope="module")
def documented() -> dict[str, tuple[int, str]]:
    """Factor → its row in the table of docs/search.md, and how it counts."""
    said = (ROOT / "docs" / "search.md").read_text(encoding="utf-8").split("| factor | | |\n")[1].split("\n\n")[0]
    rows = re.findall(r"^\| (.+?) \| ([+×]) \| .+ \|$", said, re.MULTILINE)
    return {name: (row, how) for row, (names, how) in enumerate(rows) for name in names.split(", ")}


def results(answer) -> list[dict]:
    """As the API sends them."""
    return json.loads(json.dumps(answer_json(answer, explain=True)))["results"]


@settings(max_examples=examples(150))
@given(queries, filters, st.integers(1, 30), st.integers(0, 40))
def test_a_score_is_what_its_factors_give(searcher, documented, library, query, chosen, limit, offset):
    whole = searcher.search(query, **chosen, limit=1_000)
    every = results(whole)
    for result in every:
        score, at = 0.0, 0
        for factor in result["factors"]:
            row, how = documented["“word”" if factor["name"][0] == "“" else factor["name"]]
            assert how == factor["how"] and row >= at, (query, result["factors"])
            score, at = (score + factor["value"] if how == "+" else score * factor["value"]), row
        assert result["factors"] and round(score, 4) == result["score"] > 0, (query, result)
    assert [r["score"] for r in every] == sorted((r["score"] for r in every), reverse=True)
    assert len({r["id"] for r in every}) == len(every) == whole.total
    page = searcher.search(query, **chosen, limit=limit, offset=offset)
    assert results(page) == every[offset : offset + limit] and page.total == whole.total
    if whole.kind == "text":
        alike = {
            c.id
            for hit in whole.hits
            for rows in library.relations.counterparts_of(hit.node.id).values()
            for c in rows
            if c.relation in ("same", "reworded", "moved")
        }
        assert alike.isdisjoint(hit.node.id for hit in whole.hits), query
