"""Suggestions: what may be about to be typed – citations, terms, headings, topics –, and the query without its typing
errors.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from corpus.alphabet import fold
from corpus.library import Library
from corpus.model import TITLED
from index.answer import Suggestion
from index.document import Document
from index.query.asked import Asked, Cited

MOST, MOST_TYPED, MOST_CITED = 8, 6, 2
# One letter alone suggests everything.
LEAST = 2
_ORDER = ("term", "heading", "topic")


class _Row(NamedTuple):
    """A suggestion, its language, and how it is compared: as a whole and word by word."""

    suggestion: Suggestion
    lang: str
    key: str
    words: list[str]


class Suggester:
    """Beginnings of terms, headings and subject index entries; every word may be unfinished."""

    def __init__(self, library: Library):
        self._library = library
        rows: dict[tuple[str, str], _Row] = {}
        for row in (*_headings(library), *_topics(library)):
            rows.setdefault((row.key, row.lang), row)
        self._rows = list(rows.values())

    def of_citation(self, query: Cited, lang: str | None) -> tuple[Suggestion, ...]:
        """The provision cited in every edition, the reader's language and whole editions first."""
        key = lambda e: (bool(lang) and e.lang != lang, not e.complete, -e.year)
        editions = sorted(self._library.editions.values(), key=key)
        nodes = ((e, self._library.node(e.id, path)) for path in query.paths[:MOST_CITED] for e in editions)
        texts = ((n, " · ".join(filter(None, (n.citation, e.short, n.heading)))) for e, n in nodes if n)
        return tuple(Suggestion(text, "citation", node=n.id) for n, text in texts)[:MOST]

    def of_words(self, query: Asked, lang: str | None) -> tuple[Suggestion, ...]:
        """What holds words that begin as those typed, the reader's language first."""
        typed = fold(query.text).split()[:MOST_TYPED]
        if not typed or (len(typed) == 1 and len(typed[0]) < LEAST):
            return ()
        found = [r for r in self._rows if all(any(w.startswith(t) for w in r.words) for t in typed)]
        key = lambda r: (
            bool(lang) and r.lang != lang,
            not r.key.startswith(" ".join(typed)),
            _ORDER.index(r.suggestion.kind),
            len(r.key),
        )
        return tuple(row.suggestion for row in sorted(found, key=key)[:MOST])


def _headings(library: Library) -> Iterable[_Row]:
    """Terms that are defined, and headings; what is in force first."""
    order: dict[str, tuple[Any, ...]] = {
        e.id: (e.force is False, not e.complete, -e.year) for e in library.editions.values()
    }
    for node in sorted(library.nodes.values(), key=lambda n: order[n.edition]):
        if node.heading and node.kind in TITLED:
            text = node.citation if node.kind == "definition" else node.heading
            kind: Literal["term", "heading"] = "term" if node.kind == "definition" else "heading"
            yield _row(text, node.lang, Suggestion(_calm(text), kind, node=node.id))


def _topics(library: Library) -> Iterable[_Row]:
    for entry in library.index:
        lang = library.editions[entry.edition].lang
        yield _row(entry.entry, lang, Suggestion(_calm(entry.entry), "topic", query=entry.entry))


def _row(text: str, lang: str, suggestion: Suggestion) -> _Row:
    key = fold(text)
    return _Row(suggestion, lang, key, key.split())


def _calm(text: str) -> str:
    """Capitals throughout shout."""
    return text.capitalize() if text.isupper() else text


def corrected(query: Asked, documents: Iterable[Document]) -> str | None:
    """The query without its typing errors, spelt as the texts spell it; None when there is nothing to correct."""
    out = query.text
    for unit in query.units:
        if unit.corrected:
            out = re.sub(rf"(?i)\b{re.escape(unit.typed)}\b", _printed(unit.corrected, documents), out)
    return out if out != query.text else None


def _printed(form: str, documents: Iterable[Document]) -> str:
    """A folded form as it is printed most often, in lower case."""
    seen = Counter(
        doc.text.printed[slice(*doc.text.offsets[first])].lower()
        for doc in documents
        for first, _ in doc.text.places.get(form, ())
    )
    return seen.most_common(1)[0][0] if seen else form
