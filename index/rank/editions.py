"""Between editions: the reader's language and what is in force come first, and what editions agree on moves up."""

from __future__ import annotations

from corpus.edition.identity import Identity
from corpus.library import Library
from index.answer import Factor, counterparts
from index.query.asked import Asked
from index.rank.candidate import Candidate, by_score
from index.weights import Weights


def preferred(candidates: list[Candidate], query: Asked, library: Library, weights: Weights) -> list[Candidate]:
    """Each with what its edition is beside the others that were asked for."""
    said = {
        edition: _of_edition(library.editions[edition], query, library, weights)
        for edition in {c.node.edition for c in candidates}
    }
    return by_score(c.with_factors(said[c.node.edition]) for c in candidates)


def _of_edition(edition: Identity, query: Asked, library: Library, weights: Weights) -> list[Factor]:
    """A language without an edition says nothing of the others."""
    out = []
    if edition.lang != query.reader and any(e.lang == query.reader for e in library.editions.values()):
        out.append(Factor("language", weights.other_language))
    if edition.force is False:
        out.append(Factor("not in force", weights.superseded))
        if not edition.complete:
            out.append(Factor("extract", weights.extract))
    return out


def agreed(candidates: list[Candidate], library: Library, weights: Weights) -> list[Candidate]:
    """What corresponds to good hits of other editions gains from the best of each."""
    voters = candidates[: weights.voters]
    scores = {c.node.id: c.score for c in voters}
    out = []
    for candidate in voters:
        best: dict[str, float] = {}
        for id_ in counterparts(library, candidate.node):
            if id_ in scores:
                best[id_.edition] = max(best.get(id_.edition, 0.0), scores[id_])
        gain = (Factor("other editions", weights.agreement * sum(best.values()), "+"),) if best else ()
        out.append(candidate.with_factors(gain))
    return by_score(out + candidates[weights.voters :])
