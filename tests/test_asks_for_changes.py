"""Who asks what changed, and who only says “changed”; what is left of the query; what is laid side by side."""

from __future__ import annotations

import pytest
from app_site import client, site  # noqa: F401
from hypothesis import given
from hypothesis import strategies as st

from index.query.model import CitationQuery


@pytest.fixture(scope="module")
def asked(searcher):
    """A query as it is parsed."""
    return searcher._parser.parse


# (query, its language, the years it names, what is left of it: the path cited, or the words)
ASKS = [
    ("co się zmieniło w 27", "pl", (), "27"),
    ("co się zmieniło w 27 od 1997", "pl", ("1997",), "27"),
    ("co nowego w 16", "pl", (), "16"),
    ("claim 1997 vs 2017", "en", ("1997", "2017"), "claim"),
    ("27 2017 vs 2007", "en", ("2017", "2007"), "27"),
    ("what changed in law 27", "en", (), "27"),
    ("renons 2007 2017", "pl", ("2007", "2017"), "renons"),
    ("is law 64 still the same", "en", (), "64"),
    ("differences between editions 45", "en", (), "45"),
    ("27 changes", "en", (), "27"),
    ("čo sa zmenilo v 61", "sk", (), "61"),
    ("zmeny 2007 a 2017 licitácia mimo poradia", "sk", ("2007", "2017"), "licitácia mimo poradia"),
    ("rozdiel medzi 1997 a 2017 64", "sk", ("1997", "2017"), "64"),
    ("što se promijenilo u 50", "hr", (), "50"),
    ("razlike 1997 2017 renons", "hr", ("1997", "2017"), "renons"),
]
# “Changed” is said of calls, cards and scores, too.
DOES_NOT = [
    ("changed call", "en"),
    ("zmiana zapowiedzi", "pl"),
    ("zmena hlášky", "sk"),
    ("promjena govora", "hr"),
    ("25 zmiany zapowiedzi", "pl"),
    ("can I change my bid", "en"),
    ("partner changed his card", "en"),
    ("chcem zmeniť hlášku", "sk"),
    ("různý výnos", "sk"),
    ("renons 2017", "pl"),
    ("27 2017", "en"),
    ("27", "en"),
    ("different lead", "en"),
    ("nowa talia kart", "pl"),
    ("stary wynik na zapisie", "pl"),
]


@pytest.mark.parametrize(("query", "lang", "years", "rest"), ASKS, ids=[row[0] for row in ASKS])
def test_who_asks_what_changed_is_heard_and_the_rest_is_the_query(asked, query, lang, years, rest):
    found = asked(query, lang)
    assert found.changes is not None and found.changes.years == years
    left = " ".join(found.paths) if isinstance(found, CitationQuery) else found.text
    assert left == rest


@pytest.mark.parametrize(("query", "lang"), DOES_NOT, ids=[row[0] for row in DOES_NOT])
def test_who_says_changed_of_something_else_asks_for_no_comparison(asked, searcher, query, lang):
    assert asked(query, lang).changes is None and searcher.search(query, qlang=lang).compare is None


def test_case_signs_and_order_do_not_matter(asked):
    for query in (
        "WHAT CHANGED in 27?",
        "27: what changed",
        "What’s changed, in law 27?!",
        "law 27 – what has changed",
    ):
        found = asked(query, "en")
        assert found.changes and found.paths == ("27",), query


@given(st.text(alphabet="27 1997 2017 what changed co się zmieniło -,?!„”", max_size=60))
def test_anything_beside_what_asks_is_read(asked, text):
    found = asked(f"what changed {text}", "en")
    assert found == asked(f"what changed {text}", "en")
    assert found.changes is None or len(set(found.changes.years)) == len(found.changes.years)


# ── what is laid side by side ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("query", "lang", "path", "editions"),
    [
        ("co się zmieniło w 27", "pl", "27", ("sk-2017", "pl-2007", "hr-1997")),
        ("co się zmieniło w 27 od 1997", "pl", "27", ("sk-2017", "pl-2007", "hr-1997")),
        ("27 1997 vs 2017", "en", "27", ("sk-2017", "hr-1997")),
        ("27 2017 vs 1997", "en", "27", ("sk-2017", "hr-1997")),
        ("27 2007 vs 1997", "hr", "27", ("pl-2007", "hr-1997")),
        ("what changed in 27B1", "en", "27/B/1", ("sk-2017", "pl-2007", "hr-1997")),
    ],
)
def test_the_newest_text_is_compared_with_those_named_else_with_all(searcher, query, lang, path, editions):
    found = searcher.search(query, qlang=lang).compare
    assert found is not None and found == (path, editions)


def test_words_are_compared_by_the_law_that_they_find(searcher, library):
    found = searcher.search("co się zmieniło: fałszywy renons", qlang="pl").compare
    assert found.path in {"61", "62", "63", "64"} and found.editions[0] == "sk-2017"
    for edition in found.editions:
        assert library.editions[edition].complete and not library.editions[edition].is_decisions


@pytest.mark.parametrize(
    "query, lang",
    [
        ("insufficient bid 1997 vs 2017", "en"),
        ("odzywka niewystarczająca 1997 a 2017", "pl"),
        ("nedostatočná ponuka 1997 vs 2017", "sk"),
        ("nedostatan licit 1997 i 2017", "hr"),
    ],
)
def test_a_term_is_compared_by_the_law_that_deals_with_it_and_not_by_its_meaning(searcher, query, lang):
    assert searcher.search(query, qlang=lang).compare.path == "27"


@pytest.mark.parametrize("query", ["what changed", "what changed in 99Z9", "what changed zzzzqq"])
def test_what_finds_nothing_compares_nothing(searcher, query):
    assert searcher.search(query, qlang="en").compare is None


@pytest.mark.parametrize(("query", "path"), [("what changed in law 27", "27"), ("claim 1997 vs 2017", None)])
def test_the_api_has_the_comparison_and_its_page(client, query, path):
    said = client.get("/api/v1/search", query_string={"q": query, "qlang": "en"}).get_json()["compare"]
    assert said.keys() == {"url", "path", "editions"} and said["path"] == (path or said["path"])
    assert len(said["editions"]) > 1 and client.get(said["url"]).status_code == 200
    assert "compare" not in client.get("/api/v1/search", query_string={"q": "changed call"}).get_json()
