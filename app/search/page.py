"""The page model of a search: what is on it, in its order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

from app.search.asked import Ask, Asked
from app.search.cards import Card, cards
from app.search.facets import Choice, Facet, elsewhere, facets
from app.site import addresses, answers, reader, wording
from app.site.atlas import Atlas
from app.site.calls import Call
from app.site.page import Page
from corpus.edition.identity import Identity
from index.answer import Answer, Compared, Suggestion

# Hits on a page.
PAGE = 20


@dataclass(frozen=True)
class Comparison:
    """The comparison that answers who asks what changed: of ``what``, in the laws of which ``years``."""

    url: str
    what: str
    years: tuple[int, ...]


class Near(NamedTuple):
    """A provision, or words to search for, that is written much like what was asked."""

    text: str
    url: str


@dataclass(frozen=True)
class WaysOn:
    """What is offered where nothing was found. ``near``; ``elsewhere``: what the same words find with other filters,
    without any first; ``home``: the edition that the reader reads first.
    """

    near: tuple[Near, ...]
    elsewhere: tuple[Choice, ...]
    home: Identity


@dataclass(frozen=True)
class SearchPage(Page):
    """``query`` and the ``answer`` of the index to it, None where nothing was asked.

    ``filtered``: whether the reader narrowed it down; ``number`` of the page (from 0) of ``count``; ``comparison``;
    ``calls``: situations that the words describe; ``cards`` of this page; ``facets``; ``ways_on`` where nothing was
    found.
    """

    template: ClassVar[str] = "search.html"
    query: str = ""
    answer: Answer | None = None
    filtered: bool = False
    number: int = 0
    count: int = 0
    comparison: Comparison | None = None
    calls: tuple[Call, ...] = ()
    cards: tuple[Card, ...] = ()
    facets: tuple[Facet, ...] = ()
    ways_on: WaysOn | None = None

    @property
    def wordless(self) -> bool:
        """Whether an answer that is not sure has no word of the query."""
        if self.answer is None or self.answer.confident:
            return False
        return not any(piece.marked for card in self.cards for hit in card.hits for piece in hit.snippet)


def search_page(
    atlas: Atlas, asked: Asked, number: int, answer: Answer, ask: Ask, calls: tuple[Call, ...]
) -> SearchPage:
    """What the index answered to what was asked, for people; ``calls``: situations, best first."""
    # Who takes a filter off a list wants the list.
    asked = replace(asked, listed=asked.listed or answer.kind == "citation")
    return SearchPage(
        query=asked.query,
        answer=answer,
        filtered=asked.filtered,
        number=number,
        count=pages(answer),
        comparison=_comparison(atlas, answer.compare) if answer.compare and not number else None,
        calls=calls,
        cards=tuple(cards(atlas, answer)),
        facets=tuple(facets(atlas, asked, answer, ask)),
    )


def nothing_page(
    atlas: Atlas, asked: Asked, answer: Answer, ask: Ask, near: Iterable[Suggestion], calls: tuple[Call, ...]
) -> SearchPage:
    """What is offered where the index found no provision; ``near``: what is written alike."""
    return SearchPage(
        query=asked.query,
        answer=answer,
        filtered=asked.filtered,
        comparison=_comparison(atlas, answer.compare) if answer.compare else None,
        calls=calls,
        ways_on=WaysOn(
            tuple(Near(s.text, answers.address_of(s)) for s in near),
            tuple(elsewhere(atlas, asked, ask)) if asked.filtered else (),
            atlas.home_edition(reader.ui()),
        ),
    )


def pages(answer: Answer) -> int:
    """How many pages the hits of an answer fill."""
    return (answer.total + PAGE - 1) // PAGE


def _comparison(atlas: Atlas, found: Compared) -> Comparison:
    base, *_ = found.editions
    node = atlas.library.node(base, found.path)
    years = sorted({atlas.library.editions[id_].year for id_ in found.editions})
    return Comparison(addresses.compare(*found), wording.cited(node) if node else found.path, tuple(years))
