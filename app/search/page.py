"""The page model of a search.

:func:`search_page` and :func:`no_hits_page` build a :class:`SearchPage` from the answer of the index: the cards of the
laws with their hits, the facets, and what is offered where nothing was found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

from app.site import addresses, excerpt, phrases, reader, ruling_view, wording
from app.site.atlas import Atlas
from app.site.lookup import SituationLink
from app.site.page import SitePage
from corpus.edition import Identity
from corpus.files import LocalizedText
from corpus.model import Node, NodeId
from corpus.situation.model import Ask
from index.answer import (
    ComparisonTarget,
    Factor,
    Hit,
    LawHits,
    MatchByOtherName,
    SearchAnswer,
    SnippetRun,
    Suggestion,
    counterparts_of,
    score_of,
)
from index.query.stated import NOT_ANSWERING

# -- The request ---

# Name of a filter → the chosen values.
Filters = Mapping[str, Sequence[str]]
# Returns the answer to the same query under other filters, without its hits.
AskIndex = Callable[[Filters], SearchAnswer]


@dataclass(frozen=True)
class SearchRequest:
    """A ``query`` and the ``filters`` for its answer.

    ``qlang`` is the language of the query that the address states. ``listed``: show a list, even if the query is the
    number of a provision. ``code``: the laws whose provisions come first; ``code_named``: the address names them.
    ``ignored``: kinds of facts that do not count.
    """

    query: str
    filters: Filters
    qlang: str | None = None
    listed: bool = False
    code: str = ""
    code_named: bool = False
    ignored: tuple[str, ...] = ()

    @property
    def is_filtered(self) -> bool:
        """Whether the reader chose a filter."""
        return any(self.filters.values())

    def with_values(self, name: str, values: Sequence[str]) -> Filters:
        """Return the filters of the request with ``values`` for the filter ``name``."""
        return {**self.filters, name: values}

    def with_only(self, name: str, *values: str) -> Filters:
        """Return filters of which only ``name`` has values. Without ``values`` no filter is set."""
        return {**dict.fromkeys(self.filters, ()), name: values}

    def address_with(self, filters: Filters) -> str:
        """Return the address of the same query with other filters."""
        others = {"qlang": [self.qlang] if self.qlang else [], "list": ["1"] if self.listed else []}
        others |= {reader.CODE_COOKIE: [self.code]} if self.code_named else {}
        others |= {"nofact": list(self.ignored)} if self.ignored else {}
        return addresses.search(self.query, {**filters, **others})


# -- Snippets and the cards of the laws ---


@dataclass(frozen=True)
class SnippetPiece:
    """A stretch of a snippet. ``marked``: it matches the query.

    ``other``: the words of the query for which this stretch is another name, or "". ``read_aloud``: a screen reader
    reads ``other`` here; it does so only once in a snippet.
    """

    text: str
    marked: bool
    other: str = ""
    read_aloud: bool = False


def snippet_pieces(runs: Sequence[SnippetRun], query: str) -> tuple[SnippetPiece, ...]:
    """Return the pieces of a snippet as the page shows it, one for each run. ``query``: what the reader typed."""
    out: list[SnippetPiece] = []
    for run in runs:
        other = _words_named_otherwise(run, query)
        out.append(SnippetPiece(run.text, run.is_match, other, bool(other) and other not in {p.other for p in out}))
    return tuple(out)


def _words_named_otherwise(run: SnippetRun, query: str) -> str:
    """Return the words of the query that name the thing for which a snippet's run is another name.

    The result is "" if a word of the query itself stands in the run.
    """
    words = tuple(word for why in run.why if isinstance(why, MatchByOtherName) for word in why.words)
    alone = all(isinstance(why, MatchByOtherName) for why in run.why)
    return query_stretch(query, tuple(dict.fromkeys(words))) if words and alone else ""


def query_stretch(query: str, words: Sequence[str]) -> str:
    """Return the part of a query from the first to the last of some words, or just the words if the query does not have
    them.

    >>> query_stretch("a lead out of turn, twice", ["lead", "turn"])
    'lead out of turn'
    """
    low = query.lower()
    starts = [low.find(word.lower()) for word in words]
    if -1 in starts or len(low) != len(query):
        return " ".join(words)
    return query[min(starts) : max(start + len(word) for start, word in zip(starts, words, strict=True))]


# The number of hits that a card shows at once. The others are folded.
OPEN_HITS = 3


@dataclass(frozen=True)
class HitView:
    """A hit on the page.

    ``url`` opens the provision with the found words marked. ``under`` are the conditions under which it holds.
    ``predicted``: the hit has no word of the query; the classifier found it. ``other``: the provision that was found,
    where the hit shows the same law in the reader's language; else None.
    """

    node: Node
    edition: Identity
    url: str
    snippet: tuple[SnippetPiece, ...]
    under: tuple[ruling_view.ConditionNote, ...] = ()
    predicted: bool = False
    other: Node | None = None


@dataclass(frozen=True)
class CounterpartLinks:
    """Provisions of another ``edition`` that correspond to a law or a hit."""

    edition: Identity
    nodes: tuple[Node, ...]


@dataclass(frozen=True)
class LawCard:
    """A law with its hits, in the edition that the reader reads first. ``title``: the node whose heading it has.

    ``own`` is the law itself, if it is the first hit. ``open`` and ``folded`` are the other hits in order. ``also``
    links the counterparts in other editions.
    """

    law: Node
    title: Node
    edition: Identity
    own: HitView | None
    open: tuple[HitView, ...]
    folded: tuple[HitView, ...]
    also: tuple[CounterpartLinks, ...]

    @property
    def hits(self) -> tuple[HitView, ...]:
        """All hits of the card in order."""
        return (*((self.own,) if self.own else ()), *self.open, *self.folded)


# Returns the snippet of a provision for the query of the page.
SnippetOf = Callable[[NodeId], tuple[SnippetRun, ...]]


def law_cards(atlas: Atlas, answer: SearchAnswer, snippet_of: SnippetOf) -> Iterator[LawCard]:
    """Return a card for each law of an answer: the law with its hits."""
    found = {hit.node.id: hit for hit in answer.hits}
    return (_make_card(atlas, of, found, answer.query, snippet_of) for of in answer.cards)


def _make_card(atlas: Atlas, of: LawHits, found: Mapping[NodeId, Hit], query: str, snippet_of: SnippetOf) -> LawCard:
    law, first = atlas.library.nodes[of.law], found[of.hits[0]]
    hits = [_make_hit(atlas, found[id_], query, snippet_of) for id_ in of.hits]
    shown = hits[:OPEN_HITS]
    own = shown.pop(0) if first.node.id == law.id else None
    also = tuple(_counterpart_links(atlas, law, first, {law.id, *(h.node.id for h in hits[:OPEN_HITS])}))
    title = phrases.same_in_language(atlas.library, law, reader.ui_language(), whole=False) or law
    return LawCard(law, title, atlas.library.editions[law.edition], own, tuple(shown), tuple(hits[OPEN_HITS:]), also)


def _make_hit(atlas: Atlas, found: Hit, query: str, snippet_of: SnippetOf) -> HitView:
    """Return a hit as the page shows it: the same law in the reader's language, where an edition has it."""
    own = phrases.same_in_language(atlas.library, found.node, reader.ui_language())
    node, runs = (own, snippet_of(own.id)) if own else (found.node, found.snippet)
    shown = snippet_pieces(runs, query)
    return HitView(
        node,
        atlas.library.editions[node.edition],
        addresses.law(node.id, hl=" ".join(excerpt.marked_words(runs)) or None),
        shown,
        ruling_view.conditions_around_node(atlas, found.node.id),
        not any(piece.marked for piece in shown) and _is_found_by_prediction(found.factors),
        found.node if own else None,
    )


def _is_found_by_prediction(factors: Sequence[Factor]) -> bool:
    """Whether the prediction of the classifier gave a hit more score than its words did."""
    at = next((i for i, factor in enumerate(factors) if factor.name == "told"), None)
    return at is not None and factors[at].value > score_of(factors[:at])


def _counterpart_links(atlas: Atlas, law: Node, first: Hit, shown: Collection[NodeId]) -> Iterator[CounterpartLinks]:
    """Yield, by edition, the counterparts of a law, and those of its first hit that have another number.

    Provisions that the card already shows are left out.
    """
    moved = (id_ for id_ in first.counterparts if id_.path != first.node.path)
    ids = [id_ for id_ in dict.fromkeys([*counterparts_of(atlas.library, law), *moved]) if id_ not in shown]
    for edition in atlas.editions_in_order:
        if nodes := tuple(atlas.library.nodes[id_] for id_ in ids if id_.edition == edition.id):
            yield CounterpartLinks(edition, nodes)


# -- Facets ---

# The number of laws that the last facet counts.
MOST_LAWS = 12


@dataclass(frozen=True)
class FacetValue:
    """A value of a facet with the ``count`` of its hits.

    ``text``: its name; "" for a choice of no value or of several together. ``more``: there may be more hits than
    ``count``. ``on``: the value is chosen. ``url`` turns it on or off; None if it cannot be chosen.
    """

    text: str
    count: int
    on: bool = False
    url: str | None = None
    more: bool = False


@dataclass(frozen=True)
class Facet:
    """A facet with its ``name`` and its values."""

    name: str
    choices: tuple[FacetValue, ...]


def make_facets(atlas: Atlas, search_request: SearchRequest, answer: SearchAnswer, ask: AskIndex) -> Iterator[Facet]:
    """Yield the facets that have values. ``ask`` searches for the same query with other filters.

    The values of the facet of laws cannot be chosen. The facet of conditions counts the hits that would be left out.
    """
    counted = answer.facets
    chosen_from = {
        name: _values_with_hits(search_request, answer, ask, name, of, names)
        for name, of, names in _facets_to_choose(atlas, answer)
    }
    rows = {
        **chosen_from,
        "edition": (*_in_force_values(atlas, search_request, answer, ask), *chosen_from["edition"]),
        "without": _condition_values(atlas, search_request, counted.get("condition") or {}),
        "law": _law_values(atlas, counted.get("law") or {}),
    }
    return (Facet(name, choices) for name, choices in rows.items() if choices)


def find_with_other_filters(atlas: Atlas, search_request: SearchRequest, ask: AskIndex) -> Iterator[FacetValue]:
    """Yield what the same words find without filters, then in each language and in each edition alone.

    A choice that finds nothing is left out. ``ask`` searches for the query with the filters that it is given.
    """
    none = search_request.with_only("edition")
    alone = [
        (names(v), search_request.with_only(name, v)) for name, of, names in _facets_to_choose(atlas, None) for v in of
    ]
    for text, filters in [("", none), *alone]:
        there = ask(filters)
        if there.total:
            yield FacetValue(text, there.total, False, search_request.address_with(filters), there.capped)


def _facets_to_choose(
    atlas: Atlas, answer: SearchAnswer | None
) -> Iterator[tuple[str, Iterable[str], Callable[[str], str]]]:
    """Yield (name of a facet, its values that may be chosen, function that names a value)."""
    editions = atlas.library.editions
    yield "edition", [e.id for e in atlas.editions_in_order], lambda value: editions[value].short
    yield "lang", dict.fromkeys(e.lang for e in atlas.editions_in_order), wording.language_name
    if answer:
        yield "kind", answer.facets.get("kind") or {}, wording.kind_name


def _in_force_values(
    atlas: Atlas, search_request: SearchRequest, answer: SearchAnswer, ask: AskIndex
) -> Iterator[FacetValue]:
    """Yield one value for all editions in force together; nothing if all editions are in force, or none is."""
    values = [e.id for e in atlas.editions_in_order if e.is_in_force]
    if not 0 < len(values) < len(atlas.editions_in_order):
        return
    on = set(search_request.filters["edition"]) == set(values)
    there = answer if on else ask(search_request.with_values("edition", values))
    if there.total or on:
        url = search_request.address_with(search_request.with_values("edition", [] if on else values))
        yield FacetValue("", there.total, on, url, there.capped)


def _values_with_hits(
    search_request: SearchRequest,
    answer: SearchAnswer,
    ask: AskIndex,
    name: str,
    of: Iterable[str],
    names: Callable[[str], str],
) -> tuple[FacetValue, ...]:
    """Return those values of a facet that have hits, those with most hits first. Chosen values stay even without hits.

    ``name``: the facet; ``of``: its values; ``names``: a function that returns the name of a value; ``ask``: a function
    that searches with other filters.
    """
    chosen = search_request.filters[name]
    out = []
    for value in dict.fromkeys([*of, *chosen]):
        on = value in chosen
        values = [v for v in chosen if v != value] if on else [*chosen, value]
        there = answer if on else ask(search_request.with_values(name, values))
        of_value = (there.facets.get(name) or {}).get(value, 0)
        if on or of_value:
            count = of_value if on else there.total
            out.append(
                FacetValue(
                    names(value),
                    count,
                    on,
                    search_request.address_with(search_request.with_values(name, values)),
                    there.capped,
                )
            )
    return tuple(sorted(out, key=lambda choice: -choice.count))


def _condition_values(
    atlas: Atlas, search_request: SearchRequest, counted: Mapping[str, int]
) -> tuple[FacetValue, ...]:
    names, chosen = atlas.library.conditions.names, search_request.filters["without"]

    def make_value(value: str) -> FacetValue:
        on = value in chosen
        values: Sequence[str] = [v for v in chosen if v != value] if on else [*chosen, value]
        url = search_request.address_with(search_request.with_values("without", values))
        return FacetValue(wording.in_reader_language(names[value]), counted.get(value, 0), on, url)

    return tuple(make_value(value) for value in dict.fromkeys([*counted, *chosen]))


def _law_values(atlas: Atlas, counted: Mapping[str, int]) -> tuple[FacetValue, ...]:
    laws: Counter[str] = Counter()
    for id_, count in counted.items():
        laws[_page_name(atlas, NodeId(id_))] += count
    return tuple(FacetValue(text, count) for text, count in laws.most_common(MOST_LAWS))


def _page_name(atlas: Atlas, id_: NodeId) -> str:
    """Return the name under which the facet of laws counts the hits of a page.

    A law is counted together in all editions. The name of a decision includes its edition, because its number is not
    that of a law.
    """
    edition, cited = atlas.library.editions[id_.edition], wording.citation_of(atlas.library.nodes[id_])
    return f"{edition.short}, {cited}" if edition.is_decisions else cited


# -- Facts ---

NAMED_BY_VALUE = frozenset({"year", "bid"})  # kinds of facts whose value is their name


@dataclass(frozen=True)
class FactChip:
    """A fact that the query states. ``counts``: it is not left out. ``url`` leaves it out, or takes it back."""

    text: str
    counts: bool
    url: str


def fact_chips(atlas: Atlas, search_request: SearchRequest, answer: SearchAnswer) -> Iterator[FactChip]:
    """Yield a chip for each fact of a query that orders the hits, in the order of the list."""
    names = atlas.library.vocabulary.facts
    for fact in sorted(
        (*answer.facts, *answer.ignored), key=lambda f: atlas.library.vocabulary.fact_kinds.index(f.kind)
    ):
        if fact.kind in NOT_ANSWERING:
            continue
        counts = fact.kind not in search_request.ignored
        others = tuple(kind for kind in search_request.ignored if kind != fact.kind)
        changed = replace(search_request, ignored=(*others, fact.kind) if counts else others)
        text = fact.value if fact.kind in NAMED_BY_VALUE else wording.in_reader_language(names[fact.fact])
        yield FactChip(text, counts, changed.address_with(search_request.filters))


# -- The question that decides ---


@dataclass(frozen=True)
class DecidingAnswer:
    """An answer to the question that decides: its words, and the ``address`` of the sheet with this answer."""

    id: str
    text: LocalizedText
    address: str


@dataclass(frozen=True)
class DecidingQuestion:
    """The question ``ask`` whose answers lead to one of the two best hits or to the other."""

    ask: Ask
    answers: tuple[DecidingAnswer, ...]


def deciding_question(answer: SearchAnswer) -> DecidingQuestion | None:
    """Return the question that decides between the two best hits of an answer, with the addresses of its sheet."""
    if answer.asks is None:
        return None
    situation, code, ask, possible = answer.asks
    address = lambda id_: addresses.situation(situation.id, [(ask.id, id_), (reader.CODE_COOKIE, code)])
    texts = ask.answer_texts
    return DecidingQuestion(ask, tuple(DecidingAnswer(one.id, texts[one.id], address(one.id)) for one in possible))


# -- The page ---

# The number of hits on a page.
HITS_PER_PAGE = 20


@dataclass(frozen=True)
class ComparisonLink:
    """A link to the comparison that answers “what changed”: of ``what``, in the laws of which ``years``."""

    url: str
    what: str
    years: tuple[int, ...]


class NearSuggestion(NamedTuple):
    """A provision, or words to search for, with a name much like the query."""

    text: str
    url: str


@dataclass(frozen=True)
class Alternatives:
    """What the page offers where nothing was found.

    ``near``: provisions or words with a name like the query. ``elsewhere``: what the same words find, first without
    filters, then with others. ``home``: the edition that the reader reads first.
    """

    near: tuple[NearSuggestion, ...]
    elsewhere: tuple[FacetValue, ...]
    home: Identity


@dataclass(frozen=True)
class SearchPage(SitePage):
    """The search page. ``answer`` is the answer of the index to ``query``, or None if there was no query.

    ``filtered``: the reader chose filters. ``number`` is the page number (from 0) of ``count`` pages. ``comparison``
    answers a request for changes. ``situations`` are those that the words describe. ``deciding`` asks which of the two
    best hits is meant. ``cards`` and ``facets`` are those of this page; ``facts`` are those that the query states.
    ``ways_on`` is set where nothing was found. ``codes``: the codes of laws of which one comes first.
    """

    template: ClassVar[str] = "search.html"
    query: str = ""
    answer: SearchAnswer | None = None
    filtered: bool = False
    number: int = 0
    count: int = 0
    comparison: ComparisonLink | None = None
    situations: tuple[SituationLink, ...] = ()
    deciding: DecidingQuestion | None = None
    cards: tuple[LawCard, ...] = ()
    facets: tuple[Facet, ...] = ()
    facts: tuple[FactChip, ...] = ()
    ways_on: Alternatives | None = None
    codes: tuple[str, ...] = ()

    @property
    def codes_shown(self) -> tuple[str, ...]:
        """The codes of laws of which one comes first."""
        return self.codes


def search_page(
    atlas: Atlas,
    search_request: SearchRequest,
    number: int,
    answer: SearchAnswer,
    ask: AskIndex,
    situations: tuple[SituationLink, ...],
    snippet_of: SnippetOf,
) -> SearchPage:
    """Build the page for an answer with hits. ``situations`` are those that the words describe, best first.

    ``snippet_of`` returns the snippet of a provision for the same query.
    """
    # A reader who removes a filter from a list still wants a list, not the cited provision.
    search_request = replace(search_request, listed=search_request.listed or answer.kind == "citation")
    return SearchPage(
        query=search_request.query,
        answer=answer,
        filtered=search_request.is_filtered,
        number=number,
        count=page_count(answer),
        comparison=_comparison_link(atlas, answer.compare) if answer.compare and not number else None,
        situations=situations,
        deciding=None if number else deciding_question(answer),
        cards=tuple(law_cards(atlas, answer, snippet_of)),
        facets=tuple(make_facets(atlas, search_request, answer, ask)),
        facts=tuple(fact_chips(atlas, search_request, answer)),
        codes=atlas.codes,
    )


def no_hits_page(
    atlas: Atlas,
    search_request: SearchRequest,
    answer: SearchAnswer,
    ask: AskIndex,
    near: Iterable[Suggestion],
    situations: tuple[SituationLink, ...],
) -> SearchPage:
    """Build the page for an answer without provisions. ``near`` are suggestions with similar names."""
    return SearchPage(
        query=search_request.query,
        answer=answer,
        filtered=search_request.is_filtered,
        comparison=_comparison_link(atlas, answer.compare) if answer.compare else None,
        situations=situations,
        ways_on=Alternatives(
            tuple(NearSuggestion(s.text, excerpt.suggestion_address(s)) for s in near),
            tuple(find_with_other_filters(atlas, search_request, ask)) if search_request.is_filtered else (),
            atlas.default_edition(reader.ui_language(), search_request.code),
        ),
        codes=atlas.codes,
    )


def page_count(answer: SearchAnswer) -> int:
    """Return how many pages the hits of an answer fill."""
    return (answer.total + HITS_PER_PAGE - 1) // HITS_PER_PAGE


def _comparison_link(atlas: Atlas, found: ComparisonTarget) -> ComparisonLink:
    base, *_ = found.editions
    node = atlas.library.node_at(base, found.path)
    years = sorted({atlas.library.editions[id_].year for id_ in found.editions})
    return ComparisonLink(addresses.compare(*found), wording.citation_of(node) if node else found.path, tuple(years))
