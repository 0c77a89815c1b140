"""The first start: what can be served is built first, the rest meanwhile, and what cannot be built is told."""

from __future__ import annotations

import time

import click
import pytest
from strangers import write_edition

from corpus.generation import Generation, current_digest
from scripts import serve
from tests.broken import KEYS, WITH_BREAK


@pytest.fixture
def place(tmp_path, monkeypatch):
    """The build folder of a small corpus."""
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(write_edition(tmp_path / "corpus", WITH_BREAK, KEYS)))
    monkeypatch.setenv("LEXBRIDGE_BUILD", str(tmp_path / "build"))
    return tmp_path / "build"


def test_texts_and_search_are_there_first_and_the_rest_follows(place):
    with serve.background_build(place):
        early = Generation.open(place)
        assert early.file_names("search/") and not early.file_names("pages/")
        while current_digest(place) == early.digest:
            time.sleep(0.05)
    assert "pages" in Generation.open(place).manifest.parts


def test_what_is_there_is_served_at_once_and_the_build_ends_with_the_server(place):
    with serve.background_build(place):
        pass
    before = current_digest(place)
    with serve.background_build(place):
        assert current_digest(place) == before


def test_what_cannot_be_built_is_told(place, tmp_path):
    (tmp_path / "corpus" / "editions" / "xx-2030" / "edition.toml").write_text("title = ", encoding="utf-8")
    with pytest.raises(click.ClickException, match="nothing to serve"), serve.background_build(place):
        pytest.fail("nothing is served")
    assert current_digest(place) is None
