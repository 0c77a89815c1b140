"""/healthz says whether the site answers rightly, not whether it runs: it sees whatever is wrong with a build."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from app_site import client, site  # noqa: F401

from app.home import HealthChecks, find_search_faults
from app.site.snapshot import Snapshot
from corpus.model import LAW_KINDS


class Answers:
    """The search of a build, with what a test makes of its hits; counts how often it was asked."""

    def __init__(self, search, made=lambda hits: hits):
        self.search, self.made, self.asked = search, made, 0

    def answer(self, q, **filters):
        self.asked += 1
        found = self.search.answer(q, **filters)
        return replace(found, hits=tuple(self.made(found.hits)))


@pytest.fixture
def snapshot(site) -> Snapshot:
    return site.extensions["lexbridge"].snapshot()


def broken(hits):
    raise RuntimeError("an index that cannot be read")


def of_another(library):
    """Hits on a node of another edition, as of an index that was made from another corpus."""
    other = next(n for n in library.nodes.values() if n.kind not in LAW_KINDS)
    return lambda hits: [replace(hit, node=other) for hit in hits]


def test_a_build_that_answers_rightly_is_named(client, snapshot):
    response = client.get("/healthz")
    assert response.status_code == 200 and response.get_json() == {
        "served": snapshot.digest, "current": snapshot.digest, "refused": [], "pages": "drawn", "search": "learned",
        "reason": None, "notice": None,
    }  # fmt: skip
    assert client.get("/healthz?strict=1").get_json() == response.get_json()
    assert len(snapshot.digest) == 64 and response.headers["Cache-Control"] == "no-store"


def test_what_is_wrong_is_seen(snapshot):
    library, search = snapshot.library, snapshot.search
    assert list(find_search_faults(library, search)) == []
    for made in (lambda hits: (), lambda hits: hits[1:2], of_another(library)):
        found = list(find_search_faults(library, Answers(search, made)))
        for edition in library.editions:
            assert any(f.startswith(f"{edition}/") and f.endswith("is not found by its number") for f in found), found


def test_a_fault_says_what_to_do_whatever_it_is(snapshot):
    wrong = HealthChecks().find_fault(replace(snapshot, search=Answers(snapshot.search, lambda hits: ())))
    assert "is not found by its number. Run: lexbridge" in wrong
    assert "RuntimeError. Run: lexbridge" in HealthChecks().find_fault(
        replace(snapshot, search=Answers(snapshot.search, broken))
    )


def test_a_finding_holds_a_while_and_for_one_build_alone(snapshot, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr("app.home.time.monotonic", lambda: now[0])
    search, checks = Answers(snapshot.search), HealthChecks()
    seen = replace(snapshot, search=search)
    assert [checks.find_fault(seen) for _ in range(3)] == ["", "", ""]
    once = search.asked
    assert once >= len(snapshot.library.editions)
    assert checks.find_fault(replace(seen, digest="another")) == "" and search.asked == 2 * once
    now[0] += 60
    assert checks.find_fault(replace(seen, digest="another")) == "" and search.asked == 3 * once


def test_an_edition_without_words_is_seen(snapshot):
    library = snapshot.library
    edition = next(iter(library.editions))
    of = lambda id_: [replace(n, text="") if id_ == edition else n for n in library.nodes_of(id_)]
    emptied = SimpleNamespace(editions=library.editions, nodes_of=of, laws_of=library.laws_of)
    assert list(find_search_faults(emptied, snapshot.search)) == [f"{edition} has no words"]
