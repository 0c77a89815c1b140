"""The terms of the laws and the words of players, and what reads them, on the session's build."""

from __future__ import annotations

import tomllib

import pytest

from index import build
from corpus.word.token import Token, analyse
from index.concept import Concepts
from index.lexicon import read_all
from index.query.parse import QueryParser


@pytest.fixture(scope="session")
def lexicons(build_dir):
    return read_all(build_dir / "search", {})


@pytest.fixture(scope="session")
def concepts(build_dir, lexicons):
    return Concepts.read(build_dir / "search" / "terms", lexicons)


@pytest.fixture(scope="session")
def indexed(build_dir, library):
    """Lexicons that know the words of the texts."""
    counts: dict[str, dict] = {}
    for node in filter(build.is_document, library.nodes.values()):
        here = counts.setdefault(node.lang, {})
        for word in (*analyse(node.heading or ""), *analyse(node.text)):
            here[word.form] = here.get(word.form, 0) + 1
    return read_all(build_dir / "search", counts)


@pytest.fixture(scope="session")
def parser(library, indexed, concepts):
    return QueryParser(library, indexed, concepts, {})


@pytest.fixture(scope="session")
def terms(corpus_dir) -> list[tuple[str, str, str]]:
    """(concept, language, name) of every term."""
    head, *rows = [
        line.split("\t")
        for line in (corpus_dir / "terms" / "terms.tsv").read_text(encoding="utf-8").splitlines()
        if line[:1] != "#"
    ]
    return [
        (f"#{number}", lang, name)
        for number, row in enumerate(rows)
        for lang, cell in zip(head, row, strict=True)
        for name in cell.split("|")
    ]


@pytest.fixture(scope="session")
def players(corpus_dir) -> list[tuple[str, str, str]]:
    """(language, term or word of the laws, what players say) of every player's word."""
    lists = {
        p.stem.removeprefix("synonyms-"): tomllib.loads(p.read_text(encoding="utf-8"))
        for p in sorted((corpus_dir / "terms").glob("synonyms-*.toml"))
    }
    return [
        (lang, name, other)
        for lang, data in lists.items()
        for name, others in data["synonyms"].items()
        for other in others
    ]


def marked(answer) -> set[str]:
    """What the snippets of an answer mark, in lower case."""
    return {run.text.lower() for hit in answer.hits for run in hit.snippet if run.matched}


def content(lexicon, name: str) -> list[Token]:
    """The words of a name that it cannot be without; all of them where nothing else is left."""
    said = [w for w in analyse(name) if w.form not in lexicon.denials]
    kept = [w for w in said if w.form not in lexicon.stopwords]
    return said if len(said) > 1 and len(kept) < 2 else kept
