"""The page model of a search: hits with their counterparts, and facets that narrow it down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from markupsafe import Markup

from app.site import addresses, answers, rulings, wording
from app.site.atlas import Atlas
from app.site.calls import Call
from app.site.page import Page
from corpus.edition.identity import Identity
from corpus.model import Node, NodeId
from index.answer import Answer
from index.answer import Hit as Found

# Hits on a page.
PAGE = 20
# Laws that the last facet counts.
MOST_LAWS = 12

Filters = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Asked:
    """A ``query`` and the ``filters`` of its answer; ``qlang``: the language that the address says it is in."""

    query: str
    filters: Filters
    qlang: str | None = None

    def with_values(self, name: str, values: Sequence[str]) -> str:
        """The address of the same with other values of a filter."""
        said = {"qlang": [self.qlang]} if self.qlang else {}
        return addresses.search(self.query, {**self.filters, name: values, **said})


@dataclass(frozen=True)
class Hit:
    """A provision that answers; ``url`` marks the words found after opening, ``under`` which conditions it holds."""

    node: Node
    edition: Identity
    law: Node
    url: str
    snippet: Markup
    counterparts: tuple[Node, ...]
    under: tuple[rulings.Under, ...] = ()


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
    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class SearchPage(Page):
    """``query`` and the ``answer`` of the index to it, None where nothing was asked.

    ``filtered``: whether the reader narrowed it down; ``hits`` of this page, which is ``number`` (from 0) of ``count``;
    ``start``: the place of its first hit; ``facets``; ``calls``: situations that the words describe.
    """

    template: ClassVar[str] = "search.html"
    query: str = ""
    answer: Answer | None = None
    filtered: bool = False
    number: int = 0
    count: int = 0
    hits: tuple[Hit, ...] = ()
    facets: tuple[Facet, ...] = ()
    calls: tuple[Call, ...] = ()

    @property
    def start(self) -> int:
        """The place of the first hit, from 1."""
        return self.number * PAGE + 1


def search_page(atlas: Atlas, asked: Asked, number: int, answer: Answer, calls: tuple[Call, ...] = ()) -> SearchPage:
    """What the index answered to what was asked, for people; ``calls``: situations, best first."""
    return SearchPage(
        query=asked.query,
        answer=answer,
        filtered=any(asked.filters.values()),
        number=number,
        count=pages(answer),
        hits=tuple(_hit(atlas, hit) for hit in answer.hits),
        facets=tuple(_facets(atlas, asked, answer.facets)),
        calls=calls,
    )


def pages(answer: Answer) -> int:
    """How many pages the hits of an answer fill."""
    return (answer.total + PAGE - 1) // PAGE


def _hit(atlas: Atlas, found: Found) -> Hit:
    """A hit with the words to mark after opening and its counterparts as nodes."""
    library, node = atlas.library, found.node
    return Hit(
        node,
        library.editions[node.edition],
        library.law_of(node),
        addresses.law(node.id, hl=" ".join(answers.marked_words(found.snippet)) or None),
        Markup(answers.snippet_html(found.snippet)),  # noqa: S704 – escaped but for its mark elements
        tuple(library.nodes[i] for i in found.counterparts),
        rulings.around(atlas, node.id),
    )


def _facets(atlas: Atlas, asked: Asked, counted: Mapping[str, Mapping[str, int]]) -> Iterator[Facet]:
    """The facets that have values; that of laws only counts."""
    names = {"edition": lambda v: atlas.library.editions[v].short, "lang": wording.language, "kind": wording.kind}
    for name, name_of in names.items():
        if choices := _choices(asked, name, name_of, counted.get(name) or {}):
            yield Facet(name, choices)
    conditions = atlas.library.conditions.names
    if choices := _choices(asked, "without", lambda v: wording.named(conditions[v]), counted.get("condition") or {}):
        yield Facet("without", choices)
    laws: Counter[str] = Counter()
    for id_, count in (counted.get("law") or {}).items():
        laws[_page_name(atlas, NodeId(id_))] += count
    if laws:
        yield Facet("law", tuple(Choice(text, count) for text, count in laws.most_common(MOST_LAWS)))


def _page_name(atlas: Atlas, id_: NodeId) -> str:
    """What a page is counted under: its law in whichever edition; a point of decisions is no law of that number."""
    edition, cited = atlas.library.editions[id_.edition], wording.cited(atlas.library.nodes[id_])
    return f"{edition.short}, {cited}" if edition.is_decisions else cited


def _choices(asked: Asked, name: str, name_of: Callable[[str], str], counted: Mapping[str, int]) -> tuple[Choice, ...]:
    """Each value as a link that puts it on or takes it off; chosen ones stay, also where they have no hit."""
    lone = {value: 0 for value in asked.filters[name] if value not in counted}
    return tuple(_choice(asked, name, value, name_of(value), count) for value, count in {**counted, **lone}.items())


def _choice(asked: Asked, name: str, value: str, text: str, count: int) -> Choice:
    chosen = asked.filters[name]
    on = value in chosen
    values = [v for v in chosen if v != value] if on else [*chosen, value]
    return Choice(text, count, on, asked.with_values(name, values))
