"""Terms on the site: the list in every language's order, a page for each, marks in the texts, the API, the index."""

from __future__ import annotations

from itertools import pairwise

import pytest
from app_site import client, page, site  # noqa: F401

from app.site import reader
from app.site.atlas import Atlas
from app.topics import MAX_FOUND_IN_FULL
from corpus import address
from corpus.changes import map_target
from corpus.model import NodeId


@pytest.mark.parametrize("by", reader.LANGUAGES)
def test_the_list_stands_in_the_order_of_its_language(client, library, by):
    found = page(client, f"/terms/?ui=en&by={by}")
    links = found.select(".glossary th a")
    assert {a["href"] for a in links} == {addresses_of(slug) for slug in library.terms}
    names = [a.get_text() for a in links if library.terms[a["href"].rpartition("/")[2]].name(by)]
    alphabet = library.alphabet_of(by)
    assert len(names) > 150 and names == sorted(names, key=alphabet.sort_key)


def addresses_of(slug: str) -> str:
    return f"/terms/{slug}"


def test_slovak_ch_comes_after_h(client):
    letters = [a.get_text() for a in page(client, "/terms/?ui=sk").select(".letters a")]
    assert letters.index("Ch") == letters.index("H") + 1


def test_the_list_is_searched_in_any_language(client):
    for q, slug in (("renons", "revoke"), ("falszywy renons", "revoke"), ("nepriznanie", "revoke")):
        found = page(client, f"/terms/?ui=en&q={q}").select(".glossary th a")
        assert addresses_of(slug) in [a["href"] for a in found] and len(found) < 20
    assert not page(client, "/terms/?q=qwxz").select(".glossary")


def test_a_page_has_every_edition_side_by_side(client, library):
    for slug, term in library.terms.items():
        found = page(client, f"/terms/{slug}?ui=hr")
        assert len(found.select(".meaning:not([data-unreviewed])")) == sum(
            term.is_known_in(e) for e in library.editions
        )
        unreviewed = [s.h3["id"] for s in found.select(".meaning[data-unreviewed]")]
        assert all(not term.is_known_in(id_.removeprefix("in-")) for id_ in unreviewed)
        for edition in term.defined:
            for id_ in term.meaning(edition):
                assert found.select(f'.meaning .citation[href^="/{id_}"]'), (slug, id_)
        assert len(found.select(".meaning .gone")) == len(term.none), slug


def test_what_changed_is_said_as_everywhere(client, library):
    """Of a definition and the one in the edition before it that has one."""
    rows = page(client, "/terms/revoke?ui=en").select(".meaning [data-relation]")
    assert rows and all(r["data-a"] and r["data-b"] for r in rows)
    defined = [e.id for e in library.law_editions if e.id in library.terms["revoke"].defined]
    assert len(defined) > 2
    joined = [tuple(NodeId(r[key]).edition for key in ("data-a", "data-b")) for r in rows]
    assert list(dict.fromkeys(joined)) == [*pairwise(defined)]


def test_an_unknown_term_has_the_nearest_one(client):
    assert page(client, "/terms/revok?ui=en", 404).select('main a[href="/terms/revoke"]')
    error = client.get("/api/v1/terms/revok")
    assert error.status_code == 404 and "revoke" in error.get_json()["error"]["message"]


def test_marks_open_the_meaning_in_the_same_edition(client, library):
    seen = 0
    for law in ("pl-2007/62", "sk-2017/62", "hr-1997/62"):
        for a in page(client, f"/{law}").select("article a.term"):
            slug, edition = a["data-term"].rpartition("/")[2], law.partition("/")[0]
            assert a["data-to"] in library.terms[slug].meaning(edition) and a["href"].startswith(f"/{a['data-to']}")
            assert not a.find_parent("a") and a.get_text().strip()
            seen += 1
    assert seen > 30


def test_the_api_has_what_the_contract_says(client, library):
    every = client.get("/api/v1/terms").get_json()["terms"]
    assert [t["id"] for t in every] == sorted(library.terms)
    for row in every:
        term = library.terms[row["id"]]
        assert row["names"] == {lang: list(names) for lang, names in term.names.items()}
        for edition, ids in row["defined"].items():
            assert ids is None or all(id_ in library.nodes and id_.startswith(f"{edition}/") for id_ in ids)
    assert client.get("/api/v1/terms?q=Revoke").get_json()["terms"][0]["id"] == "revoke"
    one = client.get("/api/v1/terms/revoke").get_json()
    assert one["used"]["hr-1997"] and one["situations"]
    assert client.get("/api/v1/terms?q=" + "x" * 501).status_code == 400


# ── topics ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("ui", reader.LANGUAGES)
def test_every_entry_of_the_printed_index_is_a_topic(client, library, ui):
    found = page(client, f"/topics/?ui={ui}")
    topics = found.select("ul.topics > li")
    assert len(topics) == len({r.entry for r in library.index}) > 150
    lines = sum(bool(r.targets) for r in library.index)
    whole = [e for e in library.law_editions if e.complete]
    assert len(found.select(".carried")) == lines * len(whole)
    # Every place is a link, or says why there is none.
    assert all(c.select("a") or c.select("[data-missing]") for c in found.select(".carried"))


def test_nearly_every_entry_is_carried_to_every_edition(library):
    whole = [e for e in library.law_editions if e.complete]
    rows = [r for r in library.index if r.targets]
    carried = [
        all(c.nodes or c.pair or c.term for t in r.targets for e in whole for c in [map_target(library, t, e.id)])
        for r in rows
    ]
    assert sum(carried) >= 0.98 * len(rows)


def test_a_topic_without_a_name_keeps_its_own_and_says_so(client, library):
    found = page(client, "/topics/?ui=en")
    assert found.select("#printed") and found.select("#printed-D ~ ul b span[lang=pl]")
    named = found.select("ul.topics > li b > span[lang=en] a")
    assert len(named) > 60


def test_topics_are_searched_and_lead_to_situations(client):
    found = page(client, "/topics/?ui=sk&q=renons")
    topics = found.select("ul.topics > li")
    assert 0 < len(topics) < 12 and found.select("ul.topics a[data-situation]")
    assert not page(client, "/topics/?q=qwxz").select("ul.topics")


def test_words_that_find_too_many_topics_list_their_names(client):
    """Each name leads to its place on the whole page, which has everything about it."""
    whole = page(client, "/topics/?ui=pl")
    found = page(client, "/topics/?q=a&ui=pl").select("ul.topics > li")
    assert len(found) > MAX_FOUND_IN_FULL and not [li for li in found if li.get("id") or li.select(".carried")]
    ends = [li.a["href"] for li in found]
    assert all(end.startswith("/topics/#") and whole.find(id=end.partition("#")[2]) for end in ends)
    few = page(client, "/topics/?q=renons&ui=pl").select("ul.topics > li")
    assert 0 < len(few) <= MAX_FOUND_IN_FULL and all(li.get("id") for li in few)


def test_what_readers_of_a_language_share_is_made_once(library):
    made: list[str] = []
    atlas = Atlas(library)
    make = lambda _atlas, lang: made.append(lang) or lang
    assert [atlas.cached_for_language(make, lang) for lang in ("pl", "en", "pl")] == ["pl", "en", "pl"]
    assert made == ["pl", "en"]
    assert [Atlas(library).cached_for_language(make, "pl"), *made] == ["pl", "pl", "en", "pl"], (
        "another atlas keeps what it made"
    )


@pytest.mark.parametrize(
    "ui, order",
    [
        ("pl", ["pl-2007", "sk-2017", "hr-1997"]),
        ("sk", ["sk-2017", "pl-2007", "hr-1997"]),
        ("hr", ["hr-1997", "sk-2017", "pl-2007"]),
        ("en", ["sk-2017", "pl-2007", "hr-1997"]),
    ],
)
def test_the_reader_s_own_text_stands_first_and_then_the_newest(client, ui, order):
    places = [c["data-edition"] for c in page(client, f"/topics/?ui={ui}").select(".carried")]
    assert places and places == order * (len(places) // len(order))


def test_the_situations_of_a_topic_are_those_that_its_provisions_decide_first(client, library):
    seen = 0
    for topic in page(client, "/topics/?ui=en").select("ul.topics > li"):
        targets = [t for r in library.index if f"topic-{address.slugify(r.entry)}" == topic["id"] for t in r.targets]
        for link in topic.select("a[data-situation]"):
            provisions = library.situations[link["data-situation"]].provisions
            first = [NodeId.of(t.edition, provisions[library.editions[t.edition].code][0]) for t in targets]
            assert any(t.contains(f) for t, f in zip(targets, first, strict=True)), (
                topic["id"],
                link["data-situation"],
            )
            seen += 1
    assert seen > 100
