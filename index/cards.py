"""What a page shows of an answer: one card for each law, in the edition that its reader reads first."""

from __future__ import annotations

from collections.abc import Sequence

from corpus.edition.identity import Identity
from corpus.library import Library
from corpus.model import Node, NodeId
from index.answer import Card
from index.rank.candidate import Candidate


def cards(found: Sequence[Candidate], home: Identity | None, library: Library) -> tuple[Card, ...]:
    """The hits by the law that they are of, in the order of the best of each; those of the edition that is read first
    come before those of others. Decisions are on the card of the law that they are about, and before a text that is not
    in force if they answer half as well.
    """
    by_law: dict[NodeId, list[Candidate]] = {}
    for candidate in found:
        by_law.setdefault(_law(candidate.node, home, library), []).append(candidate)
    out = []
    for law, hits in by_law.items():
        order = sorted(hits, key=lambda c: (not _stands_before(c, hits[0], library), c.node.edition != law.edition))
        out.append(Card(law, tuple(c.node.id for c in order)))
    return tuple(out)


def _law(node: Node, home: Identity | None, library: Library) -> NodeId:
    """The law that a node is of, or is about, in the edition that is read first; else its own page."""
    own = library.law_of(node)
    if home is None:
        return own.id
    ruling = library.points.get(own.id)
    about = [_in_code(path, ruling.code, library) for path in ruling.provisions] if ruling else []
    pages = (library.page_in(start, home.id) for start in [id_ for id_ in about if id_] or [node.id])
    return next((page.id for page in pages if page), own.id)


def _in_code(path: str, code: str, library: Library) -> NodeId | None:
    """A path in a text of a code, the newest; None where there is none."""
    ids = (NodeId.of(e.id, path) for e in reversed(library.codes) if e.code == code)
    return next((id_ for id_ in ids if id_ in library.nodes), None)


def _stands_before(candidate: Candidate, first: Candidate, library: Library) -> bool:
    """Whether it is a decision in force and the first of the card is no text in force."""
    ours, other = (library.editions[c.node.edition] for c in (candidate, first))
    if not ours.is_decisions or ours.force is False or other.is_decisions or other.force is not False:
        return False
    return candidate.score * 2 >= first.score
