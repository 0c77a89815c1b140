"""The page model of a search: what is on it, in its order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

from app.site import addresses, excerpt, reader, ruling_view, wording
from app.site.atlas import Atlas
from app.site.lookup import SituationLink
from app.site.page import SitePage
from corpus.edition import Identity
from corpus.model import Node, NodeId
from index.answer import (
    ComparisonTarget,
    Factor,
    Hit,
    LawHits,
    OtherName,
    SearchAnswer,
    SnippetRun,
    Suggestion,
    counterparts_of,
    score_of,
)

# Filter → the values chosen.
Filters = Mapping[str, Sequence[str]]
# The answer to the same words under other filters, without its hits.
AskIndex = Callable[[Filters], SearchAnswer]


@dataclass(frozen=True)
class SearchRequest:
    """A ``query`` and the ``filters`` of its answer; ``qlang``: the language that the address says it is in;
    ``listed``: a list is asked for, even where the query is the number of a provision.
    """

    query: str
    filters: Filters
    qlang: str | None = None
    listed: bool = False

    @property
    def is_filtered(self) -> bool:
        """Whether the reader narrowed it down."""
        return any(self.filters.values())

    def with_values(self, name: str, values: Sequence[str]) -> Filters:
        """The filters with other values of one of them."""
        return {**self.filters, name: values}

    def with_only(self, name: str, *values: str) -> Filters:
        """No filters but one; none at all without values."""
        return {**dict.fromkeys(self.filters, ()), name: values}

    def address_with(self, filters: Filters) -> str:
        """The address of the same words with other filters."""
        said = {"qlang": [self.qlang] if self.qlang else [], "list": ["1"] if self.listed else []}
        return addresses.search(self.query, {**filters, **said})


@dataclass(frozen=True)
class SnippetPiece:
    """A stretch of a snippet. ``other``: the words of the query that it is another name of; ``told``: they are said
    aloud here, which is done once in a snippet.
    """

    text: str
    marked: bool
    other: str = ""
    told: bool = False


def snippet_pieces(runs: Sequence[SnippetRun], query: str) -> tuple[SnippetPiece, ...]:
    """A snippet as it is shown."""
    out: list[SnippetPiece] = []
    for run in runs:
        other = _other_name(run, query)
        out.append(SnippetPiece(run.text, run.is_match, other, bool(other) and other not in {p.other for p in out}))
    return tuple(out)


def _other_name(run: SnippetRun, query: str) -> str:
    """Empty where a word of the query stands in the run."""
    words = tuple(word for why in run.why if isinstance(why, OtherName) for word in why.words)
    alone = all(isinstance(why, OtherName) for why in run.why)
    return query_stretch(query, tuple(dict.fromkeys(words))) if words and alone else ""


def query_stretch(query: str, words: Sequence[str]) -> str:
    """The part of a query from the first to the last of some words; the words where they do not stand there.

    >>> query_stretch("a lead out of turn, twice", ["lead", "turn"])
    'lead out of turn'
    """
    low = query.lower()
    starts = [low.find(word.lower()) for word in words]
    if -1 in starts or len(low) != len(query):
        return " ".join(words)
    return query[min(starts) : max(start + len(word) for start, word in zip(starts, words, strict=True))]


# Hits of a card that are open; the rest is folded.
OPEN_HITS = 3


@dataclass(frozen=True)
class HitView:
    """A provision that answers; ``url`` marks the words found after opening, ``under`` which conditions it holds;
    ``told``: it has no word of the query, what the query tells of led to it.
    """

    node: Node
    edition: Identity
    url: str
    snippet: tuple[SnippetPiece, ...]
    under: tuple[ruling_view.ConditionNote, ...] = ()
    told: bool = False


@dataclass(frozen=True)
class CounterpartLinks:
    """Provisions of another ``edition`` that correspond."""

    edition: Identity
    nodes: tuple[Node, ...]


@dataclass(frozen=True)
class LawCard:
    """A ``law`` in the edition that is read first. ``own``: the law itself where it is the first hit; ``open`` and
    ``folded``: the other hits as they stand under it; ``also``: where the same stands elsewhere.
    """

    law: Node
    edition: Identity
    own: HitView | None
    open: tuple[HitView, ...]
    folded: tuple[HitView, ...]
    also: tuple[CounterpartLinks, ...]

    @property
    def hits(self) -> tuple[HitView, ...]:
        """All of them, in their order."""
        return (*((self.own,) if self.own else ()), *self.open, *self.folded)


def law_cards(atlas: Atlas, answer: SearchAnswer) -> Iterator[LawCard]:
    """What was found, law by law."""
    found = {hit.node.id: hit for hit in answer.hits}
    return (_make_card(atlas, of, found, answer.query) for of in answer.cards)


def _make_card(atlas: Atlas, of: LawHits, found: Mapping[NodeId, Hit], query: str) -> LawCard:
    law = atlas.library.nodes[of.law]
    hits = [_make_hit(atlas, found[id_], query) for id_ in of.hits]
    shown, first = hits[:OPEN_HITS], found[of.hits[0]]
    own = shown.pop(0) if first.node.id == law.id else None
    also = tuple(_counterpart_links(atlas, law, first, {law.id, *(h.node.id for h in shown)}))
    return LawCard(law, atlas.library.editions[law.edition], own, tuple(shown), tuple(hits[OPEN_HITS:]), also)


def _make_hit(atlas: Atlas, found: Hit, query: str) -> HitView:
    node, shown = found.node, snippet_pieces(found.snippet, query)
    return HitView(
        node,
        atlas.library.editions[node.edition],
        addresses.law(node.id, hl=" ".join(excerpt.marked_words(found.snippet)) or None),
        shown,
        ruling_view.conditions_around_node(atlas, node.id),
        not any(piece.marked for piece in shown) and _is_found_by_prediction(found.factors),
    )


def _is_found_by_prediction(factors: Sequence[Factor]) -> bool:
    """Whether what the query tells of said more for a hit than its words did."""
    at = next((i for i, factor in enumerate(factors) if factor.name == "told"), None)
    return at is not None and factors[at].value > score_of(factors[:at])


def _counterpart_links(atlas: Atlas, law: Node, first: Hit, shown: Collection[NodeId]) -> Iterator[CounterpartLinks]:
    """What corresponds to a law, and to the first of its hits under another number, by edition; nothing that the card
    shows already.
    """
    moved = (id_ for id_ in first.counterparts if id_.path != first.node.path)
    ids = [id_ for id_ in dict.fromkeys([*counterparts_of(atlas.library, law), *moved]) if id_ not in shown]
    for edition in atlas.editions_in_order:
        if nodes := tuple(atlas.library.nodes[id_] for id_ in ids if id_.edition == edition.id):
            yield CounterpartLinks(edition, nodes)


# Laws that the last facet counts.
MOST_LAWS = 12


@dataclass(frozen=True)
class FacetValue:
    """A value of a facet with its ``count``, which is the least number where ``more`` may be found; ``url`` puts it on
    or takes it off, None where it cannot be chosen. What is no value of a list has no ``text``.
    """

    text: str
    count: int
    on: bool = False
    url: str | None = None
    more: bool = False


@dataclass(frozen=True)
class Facet:
    """A facet by ``name`` with its values."""

    name: str
    choices: tuple[FacetValue, ...]


def make_facets(atlas: Atlas, asked: SearchRequest, answer: SearchAnswer, ask: AskIndex) -> Iterator[Facet]:
    """The facets that have values; that of laws only counts, and what holds under a condition is counted where it is
    left out from.
    """
    counted = answer.facets
    chosen_from = {
        name: _values_with_hits(asked, answer, ask, name, of, names)
        for name, of, names in _facets_to_choose(atlas, answer)
    }
    rows = {
        **chosen_from,
        "edition": (*_in_force_values(atlas, asked, answer, ask), *chosen_from["edition"]),
        "without": _condition_values(atlas, asked, counted.get("condition") or {}),
        "law": _law_values(atlas, counted.get("law") or {}),
    }
    return (Facet(name, choices) for name, choices in rows.items() if choices)


def find_elsewhere(atlas: Atlas, asked: SearchRequest, ask: AskIndex) -> Iterator[FacetValue]:
    """Where the same words find something: without filters, then in each language and in each edition alone."""
    none = asked.with_only("edition")
    alone = [(names(v), asked.with_only(name, v)) for name, of, names in _facets_to_choose(atlas, None) for v in of]
    for text, filters in [("", none), *alone]:
        there = ask(filters)
        if there.total:
            yield FacetValue(text, there.total, False, asked.address_with(filters), there.capped)


def _facets_to_choose(
    atlas: Atlas, answer: SearchAnswer | None
) -> Iterator[tuple[str, Iterable[str], Callable[[str], str]]]:
    """(facet, values that may be chosen, what they are called)."""
    editions = atlas.library.editions
    yield "edition", [e.id for e in atlas.editions_in_order], lambda value: editions[value].short
    yield "lang", dict.fromkeys(e.lang for e in atlas.editions_in_order), wording.language_name
    if answer:
        yield "kind", answer.facets.get("kind") or {}, wording.kind_name


def _in_force_values(atlas: Atlas, asked: SearchRequest, answer: SearchAnswer, ask: AskIndex) -> Iterator[FacetValue]:
    """The editions in force, all at once; nothing where all are, or none is."""
    values = [e.id for e in atlas.editions_in_order if e.is_in_force]
    if not 0 < len(values) < len(atlas.editions_in_order):
        return
    on = set(asked.filters["edition"]) == set(values)
    there = answer if on else ask(asked.with_values("edition", values))
    if there.total or on:
        url = asked.address_with(asked.with_values("edition", [] if on else values))
        yield FacetValue("", there.total, on, url, there.capped)


def _values_with_hits(
    asked: SearchRequest, answer: SearchAnswer, ask: AskIndex, name: str, of: Iterable[str], names: Callable[[str], str]
) -> tuple[FacetValue, ...]:
    """The values that have hits, the most first; chosen ones stay, also where they have none."""
    chosen = asked.filters[name]
    out = []
    for value in dict.fromkeys([*of, *chosen]):
        on = value in chosen
        values = [v for v in chosen if v != value] if on else [*chosen, value]
        there = answer if on else ask(asked.with_values(name, values))
        of_value = (there.facets.get(name) or {}).get(value, 0)
        if on or of_value:
            count = of_value if on else there.total
            out.append(
                FacetValue(names(value), count, on, asked.address_with(asked.with_values(name, values)), there.capped)
            )
    return tuple(sorted(out, key=lambda choice: -choice.count))


def _condition_values(atlas: Atlas, asked: SearchRequest, counted: Mapping[str, int]) -> tuple[FacetValue, ...]:
    names, chosen = atlas.library.conditions.names, asked.filters["without"]

    def make_value(value: str) -> FacetValue:
        on = value in chosen
        values: Sequence[str] = [v for v in chosen if v != value] if on else [*chosen, value]
        url = asked.address_with(asked.with_values("without", values))
        return FacetValue(wording.in_reader_language(names[value]), counted.get(value, 0), on, url)

    return tuple(make_value(value) for value in dict.fromkeys([*counted, *chosen]))


def _law_values(atlas: Atlas, counted: Mapping[str, int]) -> tuple[FacetValue, ...]:
    laws: Counter[str] = Counter()
    for id_, count in counted.items():
        laws[_page_name(atlas, NodeId(id_))] += count
    return tuple(FacetValue(text, count) for text, count in laws.most_common(MOST_LAWS))


def _page_name(atlas: Atlas, id_: NodeId) -> str:
    """What a page is counted under: its law in whichever edition; a point of decisions is no law of that number."""
    edition, cited = atlas.library.editions[id_.edition], wording.citation_of(atlas.library.nodes[id_])
    return f"{edition.short}, {cited}" if edition.is_decisions else cited


# Hits on a page.
HITS_PER_PAGE = 20


@dataclass(frozen=True)
class ComparisonLink:
    """The comparison that answers who asks what changed: of ``what``, in the laws of which ``years``."""

    url: str
    what: str
    years: tuple[int, ...]


class NearSuggestion(NamedTuple):
    """A provision, or words to search for, that is written much like what was asked."""

    text: str
    url: str


@dataclass(frozen=True)
class Alternatives:
    """What is offered where nothing was found. ``near``; ``elsewhere``: what the same words find with other filters,
    without any first; ``home``: the edition that the reader reads first.
    """

    near: tuple[NearSuggestion, ...]
    elsewhere: tuple[FacetValue, ...]
    home: Identity


@dataclass(frozen=True)
class SearchPage(SitePage):
    """``query`` and the ``answer`` of the index to it, None where nothing was asked.

    ``filtered``: whether the reader narrowed it down; ``number`` of the page (from 0) of ``count``; ``comparison``;
    ``calls``: situations that the words describe; ``cards`` of this page; ``facets``; ``ways_on`` where nothing was
    found.
    """

    template: ClassVar[str] = "search.html"
    query: str = ""
    answer: SearchAnswer | None = None
    filtered: bool = False
    number: int = 0
    count: int = 0
    comparison: ComparisonLink | None = None
    calls: tuple[SituationLink, ...] = ()
    cards: tuple[LawCard, ...] = ()
    facets: tuple[Facet, ...] = ()
    ways_on: Alternatives | None = None

    @property
    def has_no_query_word(self) -> bool:
        """Whether an answer that is not sure has no word of the query."""
        if self.answer is None or self.answer.confident:
            return False
        return not any(piece.marked for card in self.cards for hit in card.hits for piece in hit.snippet)


def search_page(
    atlas: Atlas,
    asked: SearchRequest,
    number: int,
    answer: SearchAnswer,
    ask: AskIndex,
    calls: tuple[SituationLink, ...],
) -> SearchPage:
    """What the index answered to what was asked, for people; ``calls``: situations, best first."""
    # Who takes a filter off a list wants the list.
    asked = replace(asked, listed=asked.listed or answer.kind == "citation")
    return SearchPage(
        query=asked.query,
        answer=answer,
        filtered=asked.is_filtered,
        number=number,
        count=page_count(answer),
        comparison=_comparison_link(atlas, answer.compare) if answer.compare and not number else None,
        calls=calls,
        cards=tuple(law_cards(atlas, answer)),
        facets=tuple(make_facets(atlas, asked, answer, ask)),
    )


def nothing_page(
    atlas: Atlas,
    asked: SearchRequest,
    answer: SearchAnswer,
    ask: AskIndex,
    near: Iterable[Suggestion],
    calls: tuple[SituationLink, ...],
) -> SearchPage:
    """What is offered where the index found no provision; ``near``: what is written alike."""
    return SearchPage(
        query=asked.query,
        answer=answer,
        filtered=asked.is_filtered,
        comparison=_comparison_link(atlas, answer.compare) if answer.compare else None,
        calls=calls,
        ways_on=Alternatives(
            tuple(NearSuggestion(s.text, excerpt.suggestion_address(s)) for s in near),
            tuple(find_elsewhere(atlas, asked, ask)) if asked.is_filtered else (),
            atlas.default_edition(reader.ui_language()),
        ),
    )


def page_count(answer: SearchAnswer) -> int:
    """How many pages the hits of an answer fill."""
    return (answer.total + HITS_PER_PAGE - 1) // HITS_PER_PAGE


def _comparison_link(atlas: Atlas, found: ComparisonTarget) -> ComparisonLink:
    base, *_ = found.editions
    node = atlas.library.node_at(base, found.path)
    years = sorted({atlas.library.editions[id_].year for id_ in found.editions})
    return ComparisonLink(addresses.compare(*found), wording.citation_of(node) if node else found.path, tuple(years))
