"""A running server: takes a generation whole, between two requests, keeps the last good one, says what is missing."""

from __future__ import annotations

import gc
import shutil
import sys
import time
import weakref

import pytest
from app_site import client, site  # noqa: F401
from generations import published, with_editions
from werkzeug.test import Client

from app import create_app
from app.middleware import wrap_in_middleware
from app.site import snapshot as snapshot_module
from app.site.snapshot import Snapshot, current_snapshot
from corpus.generation import StoreError, current_digest

# One of every kind of page.
EVERY = (
    "/?ui=pl",
    "/pl-2007/16/D?ui=pl&fixes=1",
    "/pl-2007/?ui=sk",
    "/pl-2007/about?ui=hr",
    "/pl-2007/999?ui=hr",
    "/peek/sk-2017/27?ui=sk",
    "/scan/pl-2007/16?ui=pl",
    "/cite/pl-2007/16?ui=pl",
    "/search?q=renons&ui=pl",
    "/compare/27?ui=pl",
    "/changes/pl-2007/sk-2017?ui=en",
    "/net/sk-2017/27?ui=en",
    "/situations/?q=renons&ui=pl",
    "/situations/insufficient-bid?ui=pl",
    "/terms/revoke?ui=hr",
    "/topics/?ui=en",
    "/rulings/?ui=pl",
    "/api/v1/search?q=renons",
    "/api/v1/nodes/pl-2007/27",
    "/healthz",
)
TITLE = "A title changed by this test"
CHANGED = with_editions({"sk-2017": {"title": TITLE}})


@pytest.fixture
def own_build(build_dir, tmp_path):
    """A build of its own that a test may spoil."""
    published(tmp_path / "build", build_dir)
    return tmp_path / "build"


@pytest.fixture
def own(own_build):
    """A site on it, which has answered."""
    app = create_app({"BUILD": own_build})
    assert app.test_client().get("/pl-2007/").status_code == 200
    return app


def digest(app) -> str:
    """The generation that a site says it serves."""
    return app.test_client().get("/healthz").get_json()["served"]


def test_a_generation_is_taken_between_two_requests(own, own_build):
    before, fresh = digest(own), published(own_build, own_build, CHANGED)
    assert digest(own) == before, "nobody looked yet"
    assert own.extensions["lexbridge"].renew() and digest(own) == fresh != before
    assert TITLE in own.test_client().get("/api/v1/editions").text
    assert not own.extensions["lexbridge"].renew(), "it is held already"


def test_what_is_remembered_goes_with_its_generation(own, own_build):
    door = Client(wrap_in_middleware(own))
    asked = lambda: door.get("/api/v1/editions")
    before = asked()
    assert asked().text == before.text and TITLE not in before.text
    published(own_build, own_build, CHANGED)
    assert own.extensions["lexbridge"].renew()
    assert TITLE in asked().text and asked().headers["ETag"] != before.headers["ETag"]


def test_a_request_keeps_what_it_began_with(own, own_build):
    with own.test_request_context("/"):
        own.preprocess_request()
        held = current_snapshot()
        published(own_build, own_build, CHANGED)
        assert own.extensions["lexbridge"].renew()
        assert current_snapshot() is held
    with own.test_request_context("/"):
        own.preprocess_request()
        assert current_snapshot() is not held


def test_who_follows_takes_what_becomes_current(own, own_build, monkeypatch):
    monkeypatch.setattr(snapshot_module, "POLL_SECONDS", 0.05)
    own.extensions["lexbridge"].start_watching()
    fresh, until = published(own_build, own_build, CHANGED), time.monotonic() + 60
    while digest(own) != fresh:
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.parametrize(
    "name",
    ["corpus/nodes.jsonl", "corpus/sources.json", "search/documents.jsonl", "learned/heard.arrays", "manifest.json"],
)
def test_a_damaged_generation_leaves_the_last_good_one(own, own_build, name, caplog):
    before = digest(own)
    published(own_build, own_build, CHANGED)
    path = own_build / "current" / name
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    assert not own.extensions["lexbridge"].renew() and digest(own) == before
    assert "is not taken" in caplog.text and "lexbridge build" in caplog.text
    asked = own.test_client()
    assert asked.get("/pl-2007/16?ui=pl").status_code == 200 and TITLE not in asked.get("/api/v1/editions").text
    assert asked.get("/api/v1/search?q=renons").get_json()["total"]


def test_what_was_refused_is_opened_again_only_when_current_is_set_anew(own, own_build, monkeypatch):
    state, opened = own.extensions["lexbridge"], []
    good = published(own_build, own_build, CHANGED)
    said = StoreError("refused by this test")
    monkeypatch.setattr(state, "_ready", lambda _: opened.append(1) or (_ for _ in ()).throw(said))
    assert not state.renew() and not state.renew() and opened == [1]
    monkeypatch.setattr(state, "_ready", lambda _: opened.append(2))
    link = own_build / "current"
    link.unlink()
    link.symlink_to(f"generations/{good}")
    assert state.renew() and opened == [1, 2] and digest(own) == good


@pytest.mark.parametrize("fault", [MemoryError(), KeyError("a field of other code"), RecursionError("too\n deep")])
def test_whatever_goes_wrong_a_generation_is_refused_once_in_a_sentence(own, own_build, monkeypatch, fault):
    before, opened = digest(own), []
    fresh = published(own_build, own_build, CHANGED)
    monkeypatch.setattr(Snapshot, "open", lambda *_: opened.append(1) or (_ for _ in ()).throw(fault))
    state, asked = own.extensions["lexbridge"], own.test_client()
    assert asked.get("/healthz").get_json()["reason"] == "It is being opened."
    assert not state.renew() and not state.renew() and opened == [1]
    health = asked.get("/healthz")
    (refused,) = health.get_json()["refused"]
    assert refused["digest"] == fresh == health.get_json()["current"] and health.get_json()["served"] == before
    assert type(fault).__name__ in refused["why"] and refused["why"].endswith("Run: lexbridge build")
    assert "\n" not in refused["why"] and refused["since"].endswith("Z")
    assert health.status_code == 200 and health.get_json()["reason"] == refused["why"]
    strict = asked.get("/healthz?strict=1")
    assert strict.status_code == 503 and strict.get_json() == health.get_json() and strict.headers["Retry-After"]


def test_at_a_start_the_newest_sound_generation_takes_the_place_of_a_damaged_one(own_build, caplog):
    older = [current_digest(own_build)]
    older.append(published(own_build, own_build, CHANGED))
    newest = published(own_build, own_build, with_editions({"sk-2017": {"title": "Another"}}))
    (own_build / "generations" / newest / "corpus" / "nodes.jsonl").write_text("damaged")
    app = create_app({"BUILD": own_build})
    health = app.test_client().get("/healthz")
    assert health.status_code == 200 and health.get_json()["served"] == older[1]
    assert [r["digest"] for r in health.get_json()["refused"]] == [newest] == [health.get_json()["current"]]
    assert "nodes.jsonl is not the file that was built" in health.get_json()["reason"]
    assert f"{older[1]} is served instead of the current one" in caplog.text
    assert app.test_client().get("/healthz?strict=1").status_code == 503
    assert not app.extensions["lexbridge"].renew(), "until current changes"
    (own_build / "generations" / older[1] / "corpus" / "nodes.jsonl").write_text("damaged")
    (own_build / "current").unlink()
    assert create_app({"BUILD": own_build}).test_client().get("/healthz").get_json()["served"] == older[0]


def test_what_does_not_answer_rightly_is_not_taken(own, own_build, monkeypatch, caplog):
    before = digest(own)
    published(own_build, own_build, CHANGED)
    with monkeypatch.context() as wrong:
        wrong.setattr("app.home.find_search_faults", lambda *_: iter(["Law 1 is not found"]))
        assert not own.extensions["lexbridge"].renew()
    assert digest(own) == before and "503 SERVICE UNAVAILABLE at /healthz" in caplog.text


def test_without_a_part_nothing_of_it_is_served(own_build):
    """Texts of one build and an index of another would be wrong law."""
    whole = current_digest(own_build)
    published(own_build, own_build, lambda stage: shutil.rmtree(stage.folder / "search"))
    assert digest(create_app({"BUILD": own_build})) == whole, "the last whole build beside it"
    shutil.rmtree(own_build / "generations" / whole)
    client = create_app({"BUILD": own_build}).test_client()
    for url in ("/pl-2007/16", "/search?q=renons", "/api/v1/suggest?q=re", "/healthz"):
        response = client.get(url)
        assert response.status_code == 503 and "lexbridge build" in response.text, url


def test_a_folder_that_goes_away_is_not_missed(own, own_build):
    asked = own.test_client()
    shutil.rmtree(own_build)
    for url in ("/pl-2007/16?ui=pl", "/api/v1/search?q=renons", "/sk-2017/27?ui=sk", "/healthz"):
        assert asked.get(url).status_code == 200, url


def test_what_was_exchanged_is_freed_by_its_last_reader(own_build, monkeypatch, set_aside):
    """Servers do not look for garbage among what they froze: nothing that a request leaves, before or while the next
    generation is opened, may hold the one that it was asked of.
    """
    app = create_app({"BUILD": own_build})
    state, asked = app.extensions["lexbridge"], app.test_client()
    snapshot = state.snapshot()
    parts = [weakref.ref(part) for part in (snapshot, snapshot.library, snapshot.atlas, snapshot.search)]
    del snapshot
    gc.collect()
    gc.disable()
    monkeypatch.setattr(gc, "collect", lambda *_: 0)
    try:
        for url in EVERY:
            assert asked.get(url).status_code in (200, 404), url
        published(own_build, own_build, CHANGED)
        with app.test_request_context("/pl-2007/27?ui=pl"):
            app.preprocess_request()
            app.dispatch_request()
            assert state.renew(), "while a reader is answered"
            assert parts[0]() is current_snapshot()
        assert [part() for part in parts] == [None] * len(parts)
    finally:
        gc.enable()


def test_who_answers_meanwhile_is_not_kept_waiting(own, own_build, monkeypatch):
    """A search lets go of Python's lock hundreds of times, and waits for it as often."""
    usual, seen = (sys.getswitchinterval(), gc.get_threshold()), []
    opened = Snapshot.open
    look = lambda *of: seen.append((sys.getswitchinterval(), gc.get_threshold())) or opened(*of)
    monkeypatch.setattr(Snapshot, "open", look)
    published(own_build, own_build, CHANGED)
    assert own.extensions["lexbridge"].renew()
    (turn, (_, _, all_of_it)) = seen[0]
    assert turn < usual[0] / 10 and all_of_it > 10**6
    assert (sys.getswitchinterval(), gc.get_threshold()) == usual


def test_what_was_asked_of_a_generation_before_it_was_taken_does_not_stay(own_build, set_aside):
    """Pages leave circles, which hold what they told of; in what is set aside nobody would find them."""
    app = create_app({"BUILD": own_build})
    state = app.extensions["lexbridge"]
    library = state.snapshot().library
    told = [weakref.ref(one) for values in (library.nodes, library.situations) for one in values.values()]
    del library
    published(own_build, own_build, CHANGED)
    assert state.renew()
    assert len(told) > 2000 and [one() for one in told if one()] == []


def test_a_snapshot_can_be_given(library, searcher):
    app = create_app({"SNAPSHOT": Snapshot.from_library(library, searcher)})
    assert app.test_client().get("/pl-2007/16?ui=pl").status_code == 200
    assert not app.extensions["lexbridge"].renew()


def test_without_a_corpus_every_page_says_what_to_do(tmp_path):
    client = create_app({"BUILD": tmp_path}).test_client()
    for url in ("/", "/pl-2007/16", "/api/v1/editions", "/search?q=a", "/healthz"):
        response = client.get(url)
        assert response.status_code == 503 and "lexbridge build" in response.text, url


def test_what_programs_ask_is_answered_to_programs(tmp_path, client):
    nothing = create_app({"BUILD": tmp_path}).test_client()
    for url in ("/api/v1/editions", "/opensearch/suggestions?q=a"):
        assert nothing.get(url).get_json()["error"]["code"] == "corpus_missing", url
    health = nothing.get("/healthz")
    assert health.status_code == 503 and health.headers["Retry-After"]
    assert health.get_json() | {"reason": ""} == {
        "served": None, "current": None, "refused": [], "pages": "drawn", "search": None, "reason": "", "notice": None,
    }  # fmt: skip
    long = f"/opensearch/suggestions?q={'a' * 501}"
    for response in (client.get(long), client.post("/opensearch/suggestions"), client.post("/healthz")):
        assert response.get_json()["error"]["code"] in ("bad_request", "method_not_allowed")
    assert client.post("/search").mimetype == "text/html"


def test_the_log_tells_the_status_that_leaves_the_house(own_build, caplog):
    asking = create_app({"BUILD": own_build}).test_client()
    tag = asking.get("/pl-2007/16").headers["ETag"]
    with caplog.at_level("INFO"):
        assert asking.get("/pl-2007/16", headers={"If-None-Match": tag}).status_code == 304
    assert [r.getMessage().split()[2] for r in caplog.records if "/pl-2007/16" in r.getMessage()][-1:] == ["304"]


@pytest.mark.parametrize("url", ["/opensearch.xml", "/opensearch/suggestions?q=a", "/api/v1/editions", "/pl-2007/"])
def test_text_is_compressed(client, url):
    response = client.get(url, headers={"Accept-Encoding": "gzip"})
    assert "Accept-Encoding" in response.vary
    assert response.headers.get("Content-Encoding") == "gzip" or len(response.data) <= 500


def test_the_log_keeps_no_query(own_build, caplog):
    with caplog.at_level("INFO"):
        create_app({"BUILD": own_build}).test_client().get("/search?q=secret-words")
    lines = [r.getMessage() for r in caplog.records if "/search" in r.getMessage()]
    assert len(lines) == 1 and "secret" not in lines[0]
