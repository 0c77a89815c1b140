"""The page model of a search: hits with their counterparts, and facets that narrow it down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from markupsafe import Markup

from app.site import addresses, answers, wording
from app.site.atlas import Atlas
from app.site.page import Page
from corpus.edition.identity import Identity
from corpus.model import Node
from index.answer import Answer
from index.answer import Hit as Found

# Hits on a page.
PAGE = 20
# Laws that the last facet counts.
LAWS = 12

Filters = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Hit:
    """A provision that answers; ``url`` marks the words found after opening."""

    node: Node
    edition: Identity
    law: Node
    url: str
    snippet: Markup
    counterparts: list[Node]


@dataclass(frozen=True)
class Choice:
    """A value of a facet with its count; ``url`` puts it on or takes it off, None where it cannot be chosen."""

    text: str
    count: int
    on: bool = False
    url: str | None = None


@dataclass(frozen=True)
class Facet:
    """A facet by ``name`` with its values."""

    name: str
    choices: list[Choice]


@dataclass(frozen=True)
class SearchPage(Page):
    """``query`` and the ``answer`` of the index to it, None where nothing was asked.

    ``filtered``: whether the reader narrowed it down; ``hits`` of this page, which is ``number`` (from 0) of ``count``;
    ``start``: the place of its first hit; ``facets``.
    """

    template: ClassVar[str] = "search.html"
    query: str = ""
    answer: Answer | None = None
    filtered: bool = False
    number: int = 0
    count: int = 0
    hits: list[Hit] = field(default_factory=list)
    facets: list[Facet] = field(default_factory=list)

    @property
    def start(self) -> int:
        """The place of the first hit, from 1."""
        return self.number * PAGE + 1


def search_page(atlas: Atlas, q: str, filters: Filters, number: int, answer: Answer) -> SearchPage:
    """What the index answered to a query, for people."""
    return SearchPage(
        query=q,
        answer=answer,
        filtered=any(filters.values()),
        number=number,
        count=(answer.total + PAGE - 1) // PAGE,
        hits=[_hit(atlas, hit) for hit in answer.hits],
        facets=_facets(atlas, q, filters, answer.facets),
    )


def _hit(atlas: Atlas, found: Found) -> Hit:
    """A hit with the words to mark after opening and its counterparts as nodes."""
    library, node = atlas.library, found.node
    return Hit(
        node,
        library.editions[node.edition],
        library.law_of(node),
        addresses.law(node.id, hl=" ".join(answers.marked_words(found.snippet)) or None),
        Markup(answers.snippet_html(found.snippet)),  # noqa: S704 – escaped but for its mark elements
        [library.nodes[i] for i in found.counterparts],
    )


def _facets(atlas: Atlas, q: str, filters: Filters, counted: Mapping[str, Mapping[str, int]]) -> list[Facet]:
    """The facets that have values; that of laws only counts."""
    names = {"edition": lambda v: atlas.library.editions[v].short, "lang": wording.language, "kind": wording.kind}
    facets = [
        Facet(name, _choices(q, filters, name, name_of, counted.get(name) or {})) for name, name_of in names.items()
    ]
    notes = {
        n.path: wording.cited(n)
        for e in reversed(atlas.library.codes)
        for n in atlas.library.of(e.id)
        if n.kind == "footnote"
    }
    laws = list((counted.get("law") or {}).items())[:LAWS]
    facets.append(Facet("law", [Choice(notes.get(path, path), count) for path, count in laws]))
    return [f for f in facets if f.choices]


def _choices(q: str, filters: Filters, name: str, name_of: Any, counted: Mapping[str, int]) -> list[Choice]:
    """Each value as a link that puts it on or takes it off; chosen ones stay, also where none has any hit."""
    out = [_choice(q, filters, name, value, name_of(value), count) for value, count in counted.items()]
    if not any(c.on for c in out):
        out += [_choice(q, filters, name, value, name_of(value), 0) for value in filters[name][:1]]
    return out


def _choice(q: str, filters: Filters, name: str, value: str, text: str, count: int) -> Choice:
    on = value in filters[name]
    values = [v for v in filters[name] if v != value] if on else [*filters[name], value]
    return Choice(text, count, on, addresses.search(q, {**filters, name: values}))
