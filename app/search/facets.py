"""Facets: what narrows an answer down, each value with the number of hits that stand there when it is chosen.

A search with a filter weighs other candidates than one without, so what is counted here was asked for. Of a value that
is chosen, its own hits are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.search.asked import Ask, Asked
from app.site import wording
from app.site.atlas import Atlas
from corpus.model import NodeId
from index.answer import Answer

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
