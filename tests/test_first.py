"""The first start: what can be served is built first, the rest meanwhile, and what cannot be built is told."""

from __future__ import annotations

import time

import click
import pytest
from click.testing import CliRunner
from strangers import write_edition

from corpus.generation import PARTS, Generation, current_digest
from corpus.library import Library
from index.search import Searcher
from scripts import serve
from scripts.cli import main
from tests.broken import KEYS, WITH_BREAK

NAMED_BY_CHANCE = "search/postings/"  # Whoosh gives its files new names in every build


@pytest.fixture
def place(tmp_path, monkeypatch):
    """The build folder of a small corpus."""
    monkeypatch.setenv("LEXBRIDGE_CORPUS", str(write_edition(tmp_path / "corpus", WITH_BREAK, KEYS)))
    monkeypatch.setenv("LEXBRIDGE_BUILD", str(tmp_path / "build"))
    return tmp_path / "build"


def test_texts_and_search_are_there_first_and_the_rest_follows(place, tmp_path, monkeypatch, capfd):
    called = []
    with serve.background_build(place, lambda: called.append(current_digest(place))):
        assert called == [None]
        early = Generation.open(place)
        assert early.file_names("search/") and not early.file_names("pages/") and not early.has_part("learned")
        library = Library.open(early)
        searcher = Searcher.open(early, library)
        law = library.laws_of("xx-2030")[1]
        word = max(law.text.split(), key=len).strip(".")
        cited, found = searcher.search(law.citation), searcher.search(word)
        assert [hit.node.id for hit in cited.hits] == [law.id] and cited.confident
        assert law.id in [hit.node.id for hit in found.hits] and not searcher.has_learned
        while current_digest(place) == early.digest:
            time.sleep(0.05)
    whole = Generation.open(place)
    assert Searcher.open(whole, library).has_learned
    monkeypatch.setenv("LEXBRIDGE_BUILD", str(tmp_path / "another"))
    assert CliRunner().invoke(main, ["build"]).exit_code == 0
    by_build, by_start = (
        {name: digest for name, digest in made.manifest.files.items() if not name.startswith(NAMED_BY_CHANCE)}
        for made in (Generation.open(tmp_path / "another"), whole)
    )
    assert by_start == by_build and {name.partition("/")[0] for name in by_build} == set(PARTS)
    steps = [line.strip() for line in capfd.readouterr().err.splitlines() if line.endswith("…")]
    assert steps == ["corpus (1 of 2) …", "search (2 of 2) …", "learned (3 of 4) …", "pages (4 of 4) …"]


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
