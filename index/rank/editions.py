"""Between editions: the one that the reader reads first, then his language and what is in force; and what editions
agree on moves up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from corpus.edition.identity import Identity
from corpus.library import Library
from corpus.model import NodeId
from index.answer import Factor, counterparts
from index.document import Document
from index.query.asked import Asked
from index.rank.candidate import Candidate, by_score
from index.weights import Weights

SAME = ("same", "reworded", "moved")  # relations of what is one provision


def home(chosen: Iterable[Identity], reader: str | None) -> Identity | None:
    """The edition that a reader reads first, of those chosen: the newest whole text of the laws in his language, else
    the newest of all; None where no whole text is among them.
    """
    whole = [e for e in chosen if e.complete and not e.is_decisions]
    return max(whole, key=lambda e: (e.lang == reader, e.order), default=None)


def at_home(
    candidates: list[Candidate],
    edition: Identity | None,
    reader: str | None,
    library: Library,
    documents: Mapping[NodeId, Document],
    among: np.ndarray,
) -> list[Candidate]:
    """With what corresponds in the edition that the reader reads first: it says no less to the query than what was
    found in another. Who has no text in his language is led to what stands nearest there, too.
    """
    if edition is None:
        return candidates
    there = {c.document.node.id: c for c in candidates}
    best: dict[NodeId, Candidate] = {}
    for candidate in candidates:
        if candidate.document.node.edition != edition.id:
            rows = library.relations.nearest(candidate.node.id, edition.id)
            if rows and (rows[0].how != "parent" or edition.lang != reader) and _fits(rows[0].id, documents, among):
                best.setdefault(rows[0].id, candidate)
    for id_, other in best.items():
        own = there.get(id_) or Candidate(documents[id_], 0.0)
        if own.score < other.score:
            raised = own.with_factors((Factor("other editions", other.score - own.score, "+"),))
            there[id_] = raised._replace(raised=other)
    # Equal ones stand at home first.
    return by_score(sorted(there.values(), key=lambda c: c.document.node.edition != edition.id))


def _fits(id_: NodeId, documents: Mapping[NodeId, Document], among: np.ndarray) -> bool:
    return id_ in documents and bool(among[documents[id_].number])


def preferred(candidates: list[Candidate], query: Asked, library: Library, weights: Weights) -> list[Candidate]:
    """Each with what its edition is beside the others that were asked for."""
    said = {
        edition: _of_edition(library.editions[edition], query, library, weights)
        for edition in {c.document.node.edition for c in candidates}
    }
    if any(said.values()):
        candidates = [c.with_factors(more) if (more := said[c.document.node.edition]) else c for c in candidates]
    return by_score(candidates)


def _of_edition(edition: Identity, query: Asked, library: Library, weights: Weights) -> tuple[Factor, ...]:
    """A language without an edition says nothing of the others."""
    out = []
    if edition.lang != query.reader and any(e.lang == query.reader for e in library.editions.values()):
        out.append(Factor("language", weights.other_language))
    if edition.is_decisions and edition.lang != query.reader:
        out.append(Factor("decisions elsewhere", weights.elsewhere))
    if edition.force is False:
        out.append(Factor("not in force", weights.superseded))
        if not edition.complete:
            out.append(Factor("extract", weights.extract))
    return tuple(out)


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
    # None of them falls behind the rest: agreement only adds.
    return by_score(out) + candidates[weights.voters :]
