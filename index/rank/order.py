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
    # Only what some candidate is of can be shown twice.
    editions = {candidate.node.edition for candidate in candidates}
    if len(editions) < 2:
        return candidates[: weights.listed]
    for candidate in candidates:
        if len(kept) == weights.listed:
            break
        if candidate.node.id not in taken:
            kept.append(candidate)
            # Most have few counterparts among the editions found: the others are not looked at.
            found = library.relations.counterparts(candidate.node.id)
            for edition in editions & found.keys():
                taken.update([c.id for c in found[edition] if c.pair.relation in SAME])
    return kept


def spread(candidates: list[Candidate], weights: Weights) -> list[Candidate]:
    """The second hit of a law steps back behind the first of another."""
    seen: set[NodeId] = set()
    out, behind = [], (Factor("same law", weights.same_law),)
    for candidate in candidates:
        law = candidate.document.law
        out.append(candidate.with_factors(behind if law in seen else ()))
        seen.add(law)
    return by_score(out)
