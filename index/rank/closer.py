"""A closer look at the best candidates: what only the words themselves, and the kind of the provision, tell.

A factor is a function of what is seen; 1 says nothing. A new one is a function and its row in :data:`FACTORS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from corpus.model import ALONE, FRAMES, NodeId
from index.answer import Factor
from index.document import Document
from index.query.asked import Asked
from index.rank.candidate import Candidate
from index.rank.look import Look
from index.weights import Weights

# Parts of the book that frame the provisions.
_FRAMES = (*FRAMES, *ALONE)

Named = Sequence[tuple[int, frozenset[NodeId]]]  # unit of the query → what the printed subject index names under it


class Seen(NamedTuple):
    """A document beside a query. ``of_query``: the share of the query, by rarity, that its heading answers;
    ``of_heading``: the share of the heading's words of content that answer it; ``topic``: the share of the query under
    which the printed subject index names it; ``treated``: how much it is what a term is, that the query names;
    ``printed``: whether it has the words as they were typed.
    """

    query: Asked
    document: Document
    of_query: float
    of_heading: float
    topic: float
    treated: float
    heads_definition: bool
    printed: bool


def closer(
    candidates: Sequence[Candidate],
    query: Asked,
    look: Look,
    topics: Sequence[frozenset[NodeId]],
    treated: Mapping[NodeId, float],
    weights: Weights,
) -> list[Candidate]:
    """The first candidates with their factors, then those that are not looked at. ``topics``: for each unit
    the provisions that the printed subject index names under it; ``treated``: those that a term named by the query is
    about.
    """
    first = [
        c._replace(printed=True) if _is_said(c, query, look, weights) else c for c in candidates[: weights.looked_at]
    ]
    named = [(unit, ids) for unit, ids in enumerate(topics) if ids]
    rarities = first[0].shares.rarities if first else ()
    total = sum(rarities)
    looked = [c.with_factors(_factors(_seen(c, query, look, rarities, total, named, treated), weights)) for c in first]
    return [*looked, *candidates[weights.looked_at :]]


def _factors(seen: Seen, weights: Weights) -> tuple[Factor, ...]:
    return tuple([Factor(name, value) for name, factor in FACTORS if (value := factor(seen, weights)) != 1.0])


def _seen(
    candidate: Candidate,
    query: Asked,
    look: Look,
    rarities: Sequence[float],
    total: float,
    topics: Named,
    treated: Mapping[NodeId, float],
) -> Seen:
    document, id_ = candidate.document, candidate.document.node.id
    forms = document.heading.forms
    of_query = of_heading = 0.0
    # Most headings have no word of the query: then nothing of them is looked at.
    if heading := look.answering(document.heading.places):
        best: dict[int, float] = {}
        for here in heading.values():
            for unit, strength in here.items():
                best[unit] = max(best.get(unit, 0.0), strength)
        content = [i for i, form in enumerate(forms) if form not in look.skipped]
        of_query = sum(rarities[u] * strength for u, strength in sorted(best.items())) / total
        of_heading = sum(i in heading for i in content) / (len(content) or 1)
    return Seen(
        query,
        document,
        of_query,
        of_heading,
        sum([rarities[unit] for unit, named in topics if id_ in named]) / total if topics else 0.0,
        treated.get(id_, 0.0),
        forms[:1] != () and forms[0] in look.defining,
        candidate.printed,
    )


def _is_said(candidate: Candidate, query: Asked, look: Look, weights: Weights) -> bool:
    """Whether a text says what was typed: word for word, or all its words side by side in whatever form."""
    if _is_printed(query.forms, candidate.document, weights):
        return True
    if len(query.units) < weights.phrase or not (candidate.found and candidate.found.whole[candidate.document.number]):
        return False
    found = sorted(look.answering(candidate.document.text.places).items())
    last: dict[int, int] = {}
    for place, units in found:
        last |= {unit: place for unit, strength in units.items() if strength >= 1}
        if len(last) == len(query.units) and place - min(last.values()) < 2 * len(query.units):
            return True
    return False


def _is_printed(forms: Sequence[str], document: Document, weights: Weights) -> bool:
    """Whether a text holds words as they were typed, one after the other; of few it means nothing."""
    if len(forms) < weights.phrase:
        return False
    said, sought = document.text.forms, tuple(forms)
    starts = document.text.places.get(sought[0], ())
    return any(said[i : i + len(sought)] == sought for i, _ in starts)


def _kind(seen: Seen, weights: Weights) -> float:
    kind = seen.document.node.kind
    if kind == "definition":
        return weights.mentioned if not seen.query.define and len(seen.query.units) > 2 else 1.0
    return weights.frame if kind in _FRAMES else 1.0


def _heading(seen: Seen, weights: Weights) -> float:
    return 1 + weights.heading * seen.of_query * (weights.heading_part + (1 - weights.heading_part) * seen.of_heading)


def _definition(seen: Seen, weights: Weights) -> float:
    """A definition, or what a heading calls one: “Definicja fałszywego renonsu” heads a section."""
    if not seen.query.define:
        return 1.0
    if seen.document.node.kind == "definition":
        return 1 + weights.definition * seen.of_query * seen.of_heading
    return 1 + weights.definition * seen.of_query if seen.heads_definition else 1.0


def _topic(seen: Seen, weights: Weights) -> float:
    return 1 + weights.topic * seen.topic


def _term(seen: Seen, weights: Weights) -> float:  # noqa: ARG001 – weighed where the term is looked up
    return 1 + seen.treated


def _printed(seen: Seen, weights: Weights) -> float:
    return weights.printed if seen.printed else 1.0


def _year(seen: Seen, weights: Weights) -> float:
    return weights.year if str(seen.document.node.year) in seen.query.years else 1.0


FACTORS: tuple[tuple[str, Callable[[Seen, Weights], float]], ...] = (
    ("kind", _kind),
    ("heading", _heading),
    ("definition", _definition),
    ("subject index", _topic),
    ("term", _term),
    ("as printed", _printed),
    ("year", _year),
)
