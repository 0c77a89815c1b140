"""The page model of a search: what is on it, in its order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

from app.site import addresses, excerpt, reader, rulings, wording
from app.site.atlas import Atlas
from app.site.page import Page
from app.site.requests import Call
from corpus.edition import Identity
from corpus.model import Node, NodeId
from index.answer import Answer, Compared, Factor, OtherName, Run, Suggestion, counterparts, score_of
from index.answer import Card as Of
from index.answer import Hit as Found

# Filter → the values chosen.
Filters = Mapping[str, Sequence[str]]
# The answer to the same words under other filters, without its hits.
Ask = Callable[[Filters], Answer]


@dataclass(frozen=True)
class Asked:
    """A ``query`` and the ``filters`` of its answer; ``qlang``: the language that the address says it is in;
    ``listed``: a list is asked for, even where the query is the number of a provision.
    """

    query: str
    filters: Filters
    qlang: str | None = None
    listed: bool = False

    @property
    def filtered(self) -> bool:
        """Whether the reader narrowed it down."""
        return any(self.filters.values())

    def values(self, name: str, values: Sequence[str]) -> Filters:
        """The filters with other values of one of them."""
        return {**self.filters, name: values}

    def only(self, name: str, *values: str) -> Filters:
        """No filters but one; none at all without values."""
        return {**dict.fromkeys(self.filters, ()), name: values}

    def address(self, filters: Filters) -> str:
        """The address of the same words with other filters."""
        said = {"qlang": [self.qlang] if self.qlang else [], "list": ["1"] if self.listed else []}
        return addresses.search(self.query, {**filters, **said})


@dataclass(frozen=True)
class Piece:
    """A stretch of a snippet. ``other``: the words of the query that it is another name of; ``told``: they are said
    aloud here, which is done once in a snippet.
    """

    text: str
    marked: bool
    other: str = ""
    told: bool = False


def pieces(runs: Sequence[Run], query: str) -> tuple[Piece, ...]:
    """A snippet as it is shown."""
    out: list[Piece] = []
    for run in runs:
        other = _other(run, query)
        out.append(Piece(run.text, run.matched, other, bool(other) and other not in {p.other for p in out}))
    return tuple(out)


def _other(run: Run, query: str) -> str:
    """Empty where a word of the query stands in the run."""
    words = tuple(word for why in run.why if isinstance(why, OtherName) for word in why.words)
    alone = all(isinstance(why, OtherName) for why in run.why)
    return stretch(query, tuple(dict.fromkeys(words))) if words and alone else ""


def stretch(query: str, words: Sequence[str]) -> str:
    """The part of a query from the first to the last of some words; the words where they do not stand there.

    >>> stretch("a lead out of turn, twice", ["lead", "turn"])
    'lead out of turn'
    """
    low = query.lower()
    starts = [low.find(word.lower()) for word in words]
    if -1 in starts or len(low) != len(query):
        return " ".join(words)
    return query[min(starts) : max(start + len(word) for start, word in zip(starts, words, strict=True))]


# Hits of a card that are open; the rest is folded.
OPEN = 3


@dataclass(frozen=True)
class Hit:
    """A provision that answers; ``url`` marks the words found after opening, ``under`` which conditions it holds;
    ``told``: it has no word of the query, what the query tells of led to it.
    """

    node: Node
    edition: Identity
    url: str
    snippet: tuple[Piece, ...]
    under: tuple[rulings.Under, ...] = ()
    told: bool = False


@dataclass(frozen=True)
class Also:
    """Provisions of another ``edition`` that correspond."""

    edition: Identity
    nodes: tuple[Node, ...]


@dataclass(frozen=True)
class Card:
    """A ``law`` in the edition that is read first. ``own``: the law itself where it is the first hit; ``open`` and
    ``folded``: the other hits as they stand under it; ``also``: where the same stands elsewhere.
    """

    law: Node
    edition: Identity
    own: Hit | None
    open: tuple[Hit, ...]
    folded: tuple[Hit, ...]
    also: tuple[Also, ...]

    @property
    def hits(self) -> tuple[Hit, ...]:
        """All of them, in their order."""
        return (*((self.own,) if self.own else ()), *self.open, *self.folded)


def cards(atlas: Atlas, answer: Answer) -> Iterator[Card]:
    """What was found, law by law."""
    found = {hit.node.id: hit for hit in answer.hits}
    return (_card(atlas, of, found, answer.query) for of in answer.cards)


def _card(atlas: Atlas, of: Of, found: Mapping[NodeId, Found], query: str) -> Card:
    law = atlas.library.nodes[of.law]
    hits = [_hit(atlas, found[id_], query) for id_ in of.hits]
    shown, first = hits[:OPEN], found[of.hits[0]]
    own = shown.pop(0) if first.node.id == law.id else None
    also = tuple(_also(atlas, law, first, {law.id, *(h.node.id for h in shown)}))
    return Card(law, atlas.library.editions[law.edition], own, tuple(shown), tuple(hits[OPEN:]), also)


def _hit(atlas: Atlas, found: Found, query: str) -> Hit:
    node, shown = found.node, pieces(found.snippet, query)
    return Hit(
        node,
        atlas.library.editions[node.edition],
        addresses.law(node.id, hl=" ".join(excerpt.marked_words(found.snippet)) or None),
        shown,
        rulings.around(atlas, node.id),
        not any(piece.marked for piece in shown) and _led(found.factors),
    )


def _led(factors: Sequence[Factor]) -> bool:
    """Whether what the query tells of said more for a hit than its words did."""
    at = next((i for i, factor in enumerate(factors) if factor.name == "told"), None)
    return at is not None and factors[at].value > score_of(factors[:at])


def _also(atlas: Atlas, law: Node, first: Found, shown: Collection[NodeId]) -> Iterator[Also]:
    """What corresponds to a law, and to the first of its hits under another number, by edition; nothing that the card
    shows already.
    """
    moved = (id_ for id_ in first.counterparts if id_.path != first.node.path)
    ids = [id_ for id_ in dict.fromkeys([*counterparts(atlas.library, law), *moved]) if id_ not in shown]
    for edition in atlas.ordered:
        if nodes := tuple(atlas.library.nodes[id_] for id_ in ids if id_.edition == edition.id):
            yield Also(edition, nodes)


# Laws that the last facet counts.
MOST_LAWS = 12


@dataclass(frozen=True)
class Choice:
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
    choices: tuple[Choice, ...]


def facets(atlas: Atlas, asked: Asked, answer: Answer, ask: Ask) -> Iterator[Facet]:
    """The facets that have values; that of laws only counts, and what holds under a condition is counted where it is
    left out from.
    """
    counted = answer.facets
    chosen_from = {name: _chosen_from(asked, answer, ask, name, of, names) for name, of, names in _named(atlas, answer)}
    rows = {
        **chosen_from,
        "edition": (*_in_force(atlas, asked, answer, ask), *chosen_from["edition"]),
        "without": _left_out(atlas, asked, counted.get("condition") or {}),
        "law": _laws(atlas, counted.get("law") or {}),
    }
    return (Facet(name, choices) for name, choices in rows.items() if choices)


def elsewhere(atlas: Atlas, asked: Asked, ask: Ask) -> Iterator[Choice]:
    """Where the same words find something: without filters, then in each language and in each edition alone."""
    none = asked.only("edition")
    alone = [(names(v), asked.only(name, v)) for name, of, names in _named(atlas, None) for v in of]
    for text, filters in [("", none), *alone]:
        there = ask(filters)
        if there.total:
            yield Choice(text, there.total, False, asked.address(filters), there.capped)


def _named(atlas: Atlas, answer: Answer | None) -> Iterator[tuple[str, Iterable[str], Callable[[str], str]]]:
    """(facet, values that may be chosen, what they are called)."""
    editions = atlas.library.editions
    yield "edition", [e.id for e in atlas.ordered], lambda value: editions[value].short
    yield "lang", dict.fromkeys(e.lang for e in atlas.ordered), wording.language
    if answer:
        yield "kind", answer.facets.get("kind") or {}, wording.kind


def _in_force(atlas: Atlas, asked: Asked, answer: Answer, ask: Ask) -> Iterator[Choice]:
    """The editions in force, all at once; nothing where all are, or none is."""
    values = [e.id for e in atlas.ordered if e.force]
    if not 0 < len(values) < len(atlas.ordered):
        return
    on = set(asked.filters["edition"]) == set(values)
    there = answer if on else ask(asked.values("edition", values))
    if there.total or on:
        url = asked.address(asked.values("edition", [] if on else values))
        yield Choice("", there.total, on, url, there.capped)


def _chosen_from(
    asked: Asked, answer: Answer, ask: Ask, name: str, of: Iterable[str], names: Callable[[str], str]
) -> tuple[Choice, ...]:
    """The values that have hits, the most first; chosen ones stay, also where they have none."""
    chosen = asked.filters[name]
    out = []
    for value in dict.fromkeys([*of, *chosen]):
        on = value in chosen
        values = [v for v in chosen if v != value] if on else [*chosen, value]
        there = answer if on else ask(asked.values(name, values))
        of_value = (there.facets.get(name) or {}).get(value, 0)
        if on or of_value:
            count = of_value if on else there.total
            out.append(Choice(names(value), count, on, asked.address(asked.values(name, values)), there.capped))
    return tuple(sorted(out, key=lambda choice: -choice.count))


def _left_out(atlas: Atlas, asked: Asked, counted: Mapping[str, int]) -> tuple[Choice, ...]:
    names, chosen = atlas.library.conditions.names, asked.filters["without"]

    def choice(value: str) -> Choice:
        on = value in chosen
        values: Sequence[str] = [v for v in chosen if v != value] if on else [*chosen, value]
        url = asked.address(asked.values("without", values))
        return Choice(wording.named(names[value]), counted.get(value, 0), on, url)

    return tuple(choice(value) for value in dict.fromkeys([*counted, *chosen]))


def _laws(atlas: Atlas, counted: Mapping[str, int]) -> tuple[Choice, ...]:
    laws: Counter[str] = Counter()
    for id_, count in counted.items():
        laws[_page_name(atlas, NodeId(id_))] += count
    return tuple(Choice(text, count) for text, count in laws.most_common(MOST_LAWS))


def _page_name(atlas: Atlas, id_: NodeId) -> str:
    """What a page is counted under: its law in whichever edition; a point of decisions is no law of that number."""
    edition, cited = atlas.library.editions[id_.edition], wording.cited(atlas.library.nodes[id_])
    return f"{edition.short}, {cited}" if edition.is_decisions else cited


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
            tuple(Near(s.text, excerpt.address_of(s)) for s in near),
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
