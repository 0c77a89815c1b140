"""The last order: one hit for one provision, and one law after another."""

from __future__ import annotations

from corpus.library import Library
from corpus.model import NodeId
from index.answer import Factor
from index.rank.candidate import Candidate, by_score
from index.rank.editions import SAME
from index.weights import Weights


def merged(candidates: list[Candidate], library: Library, weights: Weights) -> list[Candidate]:
    """What corresponds to a better hit is among its counterparts and is not shown twice."""
    kept: list[Candidate] = []
    taken: set[str] = set()
    # Nothing corresponds within an edition.
    if len({candidate.node.edition for candidate in candidates}) < 2:
        return candidates[: weights.listed]
    for candidate in candidates:
        if len(kept) == weights.listed:
            break
        if candidate.node.id not in taken:
            kept.append(candidate)
            taken.update(library.relations.corresponding(candidate.node.id, SAME))
    return kept


def spread(candidates: list[Candidate], weights: Weights) -> list[Candidate]:
    """The second hit of a law steps back behind the first of another."""
    seen: set[NodeId] = set()
    out, behind = [], (Factor("same law", weights.same_law),)
    for candidate in candidates:
        law = candidate.document.law
        out.append(candidate.with_factors(behind) if law in seen else candidate)
        seen.add(law)
    return by_score(out)
