"""The terms of the laws and the words of players, and what reads them, on the session's build."""

from __future__ import annotations

import tomllib

import pytest

from corpus.letters import Token, tokenize
from index import build
from index.concept import Concepts, concept_of, flatten_names
from index.lexicon import read_lexicons
from index.query.parse import QueryParser


@pytest.fixture(scope="session")
def lexicons(build_dir):
    return read_lexicons(build_dir / "current" / "search", {})


@pytest.fixture(scope="session")
def concepts(build_dir, lexicons, library):
    return Concepts.load(build_dir / "current" / "search", lexicons, library.terms)


@pytest.fixture(scope="session")
def indexed(build_dir, library):
    """Lexicons that know the words of the texts."""
    counts: dict[str, dict] = {}
    for node in filter(build.is_document, library.nodes.values()):
        here = counts.setdefault(node.lang, {})
        for word in (*tokenize(node.heading or ""), *tokenize(node.text)):
            here[word.form] = here.get(word.form, 0) + 1
    return read_lexicons(build_dir / "current" / "search", counts)


@pytest.fixture(scope="session")
def parser(library, indexed, concepts):
    return QueryParser(library, indexed, concepts)


@pytest.fixture(scope="session")
def terms(library) -> list[tuple[str, str, str]]:
    """(concept, language, words) of every name and wording of a term."""
    return [
        (concept_of(slug), lang, words)
        for slug, term in library.terms.items()
        if not term.common
        for lang, words in flatten_names(term.names, term.wordings)
    ]


@pytest.fixture(scope="session")
def listed(corpus_dir) -> list[tuple[str, str, str]]:
    """(language, term or word of the laws, what players say) of the lists."""
    lists = {
        p.stem.removeprefix("synonyms-"): tomllib.loads(p.read_text(encoding="utf-8"))
        for p in sorted((corpus_dir / "words").glob("synonyms-*.toml"))
    }
    return [
        (lang, name, other)
        for lang, data in lists.items()
        for name, others in data["synonyms"].items()
        for other in others
    ]


@pytest.fixture(scope="session")
def players(library, listed) -> list[tuple[str, str, str]]:
    """The same, with those of the terms."""
    of_terms = [
        (lang, next(iter((*term.names.get(lang, ()), *term.wordings.get(lang, ())))), other)
        for term in library.terms.values()
        for lang, other in flatten_names(term.players)
        if term.names.get(lang) or term.wordings.get(lang)
    ]
    return of_terms + listed


def marked(answer) -> set[str]:
    """What the snippets of an answer mark, in lower case."""
    return {run.text.lower() for hit in answer.hits for run in hit.snippet if run.is_match}


def content(lexicon, name: str) -> list[Token]:
    """The words of a name that it cannot be without; all of them where nothing else is left."""
    said = [w for w in tokenize(name) if w.form not in lexicon.denials]
    kept = [w for w in said if w.form not in lexicon.stopwords]
    return said if len(said) > 1 and len(kept) < 2 else kept
