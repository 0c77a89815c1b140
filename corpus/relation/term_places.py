"""Where an edition probably deals with a concept, in which nobody has looked for it: what corresponds to its provisions
in an edition that was gone through. A proposal for a person, and marked as one where it is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from corpus.alphabet import fold
from corpus.model import Node, NodeId
from corpus.relation.relations import Relations
from corpus.term.model import Slug, Term


@dataclass(frozen=True)
class Proposal:
    """Where a concept may stand in an edition: paths of definitions and of provisions about it; ``names``: the
    headwords of the definitions; ``source``: the edition whose provisions they correspond to, empty where a definition
    alone was found.
    """

    slug: Slug
    defined: tuple[str, ...]
    about: tuple[str, ...]
    names: tuple[str, ...]
    source: str


def places_by_alignment(relations: Relations, term: Term, edition: str) -> tuple[tuple[NodeId, ...], str]:
    """The provisions of an edition that correspond to those on a term in the nearest edition that names some, and that
    edition; ``((), "")`` where nothing does, or where another text of the same laws has no such concept.
    """
    for source in relations.by_nearness(edition):
        if source in term.none and relations.code_of(source) == relations.code_of(edition):
            break  # these laws do not have it
        rows = (c.id for id_ in term.places(source) for c in relations.counterparts(id_).get(edition, ()))
        if found := tuple(dict.fromkeys(rows)):
            return found, source
    return (), ""


def proposals(terms: Iterable[Term], nodes: Iterable[Node], relations: Relations, edition: str) -> Iterator[Proposal]:
    """A proposal for each term of which nothing is said in an edition, as far as something was found.

    A definition is proposed for the term whose name it bears: in its own language, or in the foreign name beside it.
    """
    definitions = [n for n in nodes if n.edition == edition and n.kind == "definition"]
    for term in terms:
        if term.has(edition):
            continue
        defined = [n for n in definitions if _names(term, n)]
        about, source = places_by_alignment(relations, term, edition)
        if defined or about:
            names = tuple(dict.fromkeys((n.heading or "").partition("(")[0].strip() for n in defined))
            yield Proposal(term.slug, tuple(n.path for n in defined), tuple(id_.path for id_ in about), names, source)


def _names(term: Term, node: Node) -> bool:
    """Whether a definition bears a name of a term."""
    own = fold((node.heading or "").partition("(")[0]).strip()
    foreign = {fold(x).strip() for x in node.aside.split(",") if x.strip()}
    by_lang: Mapping[str, set[str]] = {lang: {fold(n) for n in names} for lang, names in term.names.items()}
    return own in by_lang.get(node.lang, ()) or any(foreign & names for names in by_lang.values())
