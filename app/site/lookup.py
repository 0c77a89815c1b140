"""What an address asks for: the node that it names, or the one that a sloppy form of it means."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeVar

from flask import abort
from werkzeug.routing import RequestRedirect

from app.site import addresses
from app.site.atlas import Atlas
from app.site.snapshot import current_snapshot
from corpus import address, label
from corpus.bid import Overcall
from corpus.library import Library
from corpus.model import Node, NodeId
from corpus.ruling import RULING_KINDS, Ruling, RulingBody
from corpus.situation.model import INSUFFICIENT_BID, Situation
from corpus.term.model import Term
from index.classifier import SituationMatch


@dataclass(frozen=True)
class SituationLink:
    """A situation and the ``address`` of its sheet; ``overcall``: the two bids that it is about, if the words tell."""

    situation: Situation
    address: str
    overcall: Overcall | None = None


def situation_links(
    atlas: Atlas, described: Sequence[SituationMatch], overcall: Overcall | None
) -> tuple[SituationLink, ...]:
    """What was found, in its order; the sheet of an insufficient bid is led to with the bids."""
    return tuple(
        _situation_link(atlas, found.id, overcall if found.id == INSUFFICIENT_BID else None) for found in described
    )


def _situation_link(atlas: Atlas, id_: str, overcall: Overcall | None) -> SituationLink:
    carried = [("bid", overcall)] if overcall else []
    return SituationLink(atlas.library.situations[id_], addresses.situation(id_, carried), overcall)


RulingFilters = Mapping[str, Sequence[str]]


def ruling_filter_values(atlas: Atlas) -> dict[str, list[str]]:
    """The values that a filter may have, of each filter by name."""
    every = atlas.library.rulings.values()
    under = {c for ruling in every for c in ruling.conditions}
    return {
        "body": list(atlas.library.bodies),
        "kind": [kind for kind in RULING_KINDS if any(r.kind == kind for r in every)],
        "code": sorted({r.code for r in every}, reverse=True),
        "condition": [c for c in atlas.library.conditions.names if c in under],
    }


def filter_rulings(atlas: Atlas, filters: RulingFilters) -> list[Ruling]:
    """The rulings that have one of the values of each filter, in their order; of an empty filter, all."""
    return [
        r
        for r in atlas.library.rulings.values()
        if all(
            not wanted or set(wanted) & set(values)
            for wanted, values in (
                (filters["body"], (r.body,)),
                (filters["kind"], (r.kind,)),
                (filters["code"], (r.code,)),
                (filters["condition"], r.conditions),
            )
        )
    ]


V = TypeVar("V")


def node_or_404(page: Callable[[NodeId], str], edition: str, path: str) -> Node:
    """The node that a page of a kind is about; ``page`` makes the address of that kind of page from an id.

    Raises what Flask answers with: 308 to the right address where this one is a sloppy form of it, with the query
    kept, else 404.
    """
    library = current_snapshot().library
    if (node := library.node_at(edition, path)) is not None:
        return node
    named = match_edition_id(library, edition)
    meant = canonical_path(library, named, path) if named else None
    if named is None or meant is None:
        abort(404)
    raise RequestRedirect(addresses.add_request_query(page(NodeId.of(named, meant))))


def situation_or_404(id_: str) -> Situation:
    """The situation of an id; else 404, with the nearest one."""
    return _entry_or_404(current_snapshot().library.situations, id_, "situation")


def term_or_404(slug: str) -> Term:
    """The term of a slug; else 404, with the nearest one."""
    return _entry_or_404(current_snapshot().library.terms, slug, "term")


def _entry_or_404(known: Mapping[str, V], name: str, kind: str) -> V:
    if name not in known:
        near = nearest_name(known, name)
        abort(404, f"There is no {kind} “{name[:80]}”." + (f" The nearest is “{near}”." if near else ""))
    return known[name]


def nearest_name(known: Iterable[str], name: str) -> str:
    """The name that is written most like another; empty where there are none."""
    return next(iter(get_close_matches(name[:80], [*known], 1, 0)), "")


def body_or_404(id_: str) -> RulingBody:
    """The body of an id; else 404, with those that there are."""
    bodies = current_snapshot().library.bodies
    if id_ not in bodies:
        abort(404, f"There is no body “{id_[:80]}”. There are: {', '.join(bodies) or 'none'}.")
    return bodies[id_]


def ruling_or_404(body: str, number: str) -> Ruling:
    """The ruling of a body and a number; else 404."""
    ruling = current_snapshot().library.rulings.get(body_or_404(body).ruling_id(number))
    return ruling or abort(404, f"“{body}” has no ruling “{number[:80]}”.")


def match_edition_id(library: Library, name: str) -> str | None:
    """The id that a name in an address means, in whatever letters: ``PL-2007`` is ``pl-2007``; None for no edition."""
    meant = name.strip().lower()
    return next((e for e in library.editions if e.lower() == meant), None)


def canonical_path(library: Library, edition: str, typed: str) -> str | None:
    """The path that a sloppy address means, or None.

    ``16d2``, ``16/d/2``, ``16 D 2``, ``law 16.D.2`` and ``16/D/2/`` all mean ``16/D/2`` where the edition has it; a
    range, its first.
    """
    wanted = re.sub(r"/+", "/", typed.strip().strip("/"))
    if not wanted or len(wanted) > 200:
        return None
    if library.node_at(edition, wanted):
        return wanted
    by_lower = library.paths_by_lower_case(edition)
    if (path := by_lower.get(wanted.lower())) is not None:
        return path
    head, _, rest = wanted.partition("/")
    if head.lower() == "def" and rest:
        return by_lower.get("def/" + address.slugify(rest))
    return next((by_lower[p.lower()] for p in possible_paths(library, wanted) if p.lower() in by_lower), None)


def possible_paths(library: Library, typed: str) -> tuple[str, ...]:
    """The paths that a citation in an address may mean, whether or not they exist; () when it is none."""
    text = typed[:200]
    return label.read_citation(text, library.citation_words) or label.read_range(text, library.citation_words)[:1]
