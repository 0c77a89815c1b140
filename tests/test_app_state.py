"""A running server: takes what was built anew, keeps the last good text, says what is missing."""

from __future__ import annotations

import shutil

import pytest
from app_site import client, site  # noqa: F401
from generations import published, with_editions

from app import create_app


@pytest.fixture
def own_build(build_dir, tmp_path):
    """A build of its own that a test may spoil."""
    published(tmp_path / "build", build_dir)
    return tmp_path / "build"


def test_a_new_build_is_taken_between_two_requests(own_build):
    client = create_app({"BUILD": own_build}).test_client()
    assert client.get("/pl-2007/").status_code == 200
    published(own_build, own_build, with_editions({"sk-2017": {"title": "A title changed by this test"}}))
    assert "A title changed by this test" in client.get("/api/v1/editions").text


def test_a_damaged_build_leaves_the_last_good_text(own_build):
    client = create_app({"BUILD": own_build}).test_client()
    assert client.get("/pl-2007/16").status_code == 200
    published(own_build, own_build, with_editions({"sk-2017": {"title": "A title changed by this test"}}))
    (own_build / "current" / "corpus" / "nodes.jsonl").write_text("broken")
    assert client.get("/pl-2007/16").status_code == 200


def test_without_an_index_texts_are_read_and_the_search_says_what_to_do(own_build):
    published(own_build, own_build, lambda folder: shutil.rmtree(folder / "search"))
    client = create_app({"BUILD": own_build}).test_client()
    assert client.get("/pl-2007/16").status_code == 200
    for url in ("/search?q=renons", "/api/v1/search?q=renons", "/api/v1/suggest?q=re", "/healthz"):
        response = client.get(url)
        assert response.status_code == 503 and "lexbridge build" in response.text, url
    assert client.get("/api/v1/search?q=a").get_json()["error"]["code"] == "index_missing"


def test_without_a_corpus_every_page_says_what_to_do(tmp_path):
    client = create_app({"BUILD": tmp_path}).test_client()
    for url in ("/", "/pl-2007/16", "/api/v1/editions", "/search?q=a", "/healthz"):
        response = client.get(url)
        assert response.status_code == 503 and "lexbridge build" in response.text, url


def test_what_programs_ask_is_answered_to_programs(tmp_path, client):
    nothing = create_app({"BUILD": tmp_path}).test_client()
    for url in ("/api/v1/editions", "/opensearch/suggestions?q=a"):
        assert nothing.get(url).get_json()["error"]["code"] == "corpus_missing", url
    assert nothing.get("/healthz").mimetype == "text/plain"
    for response in (client.get(f"/opensearch/suggestions?q={'a' * 501}"), client.post("/opensearch/suggestions")):
        assert response.get_json()["error"]["code"] in ("bad_request", "method_not_allowed")
    assert client.post("/healthz").mimetype == "text/plain" and client.post("/search").mimetype == "text/html"


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
