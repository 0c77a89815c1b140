"""Finds what an address names: a node, situation, term, ruling or body, also when the address is written carelessly.

The functions ``…_or_404`` are for views. They return the thing, or they raise what Flask answers with: 404, or a
redirect to the right address. :func:`situation_links` and :func:`filter_rulings` serve the lists of several pages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeVar

from flask import abort
from werkzeug.routing import RequestRedirect

from app.site import addresses
from app.site.addresses import MAX_CITATION_LENGTH, MAX_QUOTED_LENGTH
from app.site.atlas import Atlas
from app.site.snapshot import current_snapshot
from corpus import address, label
from corpus.bid import Overcall
from corpus.library import Library
from corpus.model import Node, NodeId
from corpus.ruling import RULING_KINDS, Ruling, RulingBody
from corpus.situation.model import Situation
from corpus.term.model import Term
from index.classifier import SituationMatch

# -- What an address names ---

V = TypeVar("V")


def node_or_404(page: Callable[[NodeId], str], edition: str, path: str) -> Node:
    """Return the node that a page is about. ``page`` makes the address of that kind of page from an id.

    Raises what Flask answers with: 308 to the right address when this one is a careless form of it (the query is kept),
    else 404.
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
    """Return the situation of an id. Else raise 404, which names the nearest id."""
    return _entry_or_404(current_snapshot().library.situations, id_, "situation")


def term_or_404(slug: str) -> Term:
    """Return the term of a slug. Else raise 404, which names the nearest slug."""
    return _entry_or_404(current_snapshot().library.terms, slug, "term")


def _entry_or_404(known: Mapping[str, V], name: str, kind: str) -> V:
    if name not in known:
        near = nearest_name(known, name)
        abort(404, f"There is no {kind} “{name[:MAX_QUOTED_LENGTH]}”." + (f" The nearest is “{near}”." if near else ""))
    return known[name]


def nearest_name(known: Iterable[str], name: str) -> str:
    """Return the known name that is spelled most like ``name``; "" when no names are known."""
    return next(iter(get_close_matches(name[:MAX_QUOTED_LENGTH], [*known], 1, 0)), "")


def body_or_404(id_: str) -> RulingBody:
    """Return the body of an id. Else raise 404, which lists the ids."""
    bodies = current_snapshot().library.bodies
    if id_ not in bodies:
        abort(404, f"There is no body “{id_[:MAX_QUOTED_LENGTH]}”. There are: {', '.join(bodies) or 'none'}.")
    return bodies[id_]


def ruling_or_404(body: str, number: str) -> Ruling:
    """Return the ruling of a body by its number, else raise 404."""
    ruling = current_snapshot().library.rulings.get(body_or_404(body).ruling_id(number))
    return ruling or abort(404, f"“{body}” has no ruling “{number[:MAX_QUOTED_LENGTH]}”.")


def match_edition_id(library: Library, name: str) -> str | None:
    """Return the edition id that a name in an address means, whatever the case of its letters; None when it is none.

    ``PL-2007`` means ``pl-2007``.
    """
    meant = name.strip().lower()
    return next((e for e in library.editions if e.lower() == meant), None)


def canonical_path(library: Library, edition: str, typed: str) -> str | None:
    """Return the path in an edition that a careless address (``typed``) means, or None.

    ``16d2``, ``16/d/2``, ``16 D 2``, ``law 16.D.2`` and ``16/D/2/`` all mean ``16/D/2`` when the edition has it. A
    range means its first provision.
    """
    wanted = re.sub(r"/+", "/", typed.strip().strip("/"))
    if not wanted or len(wanted) > MAX_CITATION_LENGTH:
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
    """Return the paths that a citation in an address may mean, whether or not they exist; () when it is no citation."""
    text = typed[:MAX_CITATION_LENGTH]
    return label.read_citation_paths(text, library.citation_words) or label.read_range(text, library.citation_words)[:1]


# -- Links to situations ---


@dataclass(frozen=True)
class SituationLink:
    """A situation and the ``address`` of its sheet. ``answers``: question → answer, as far as the words of the query
    state them. ``overcall``: the two bids that it is about, if the words name them.
    """

    situation: Situation
    address: str
    answers: Mapping[str, str]
    overcall: Overcall | None = None


def situation_links(
    query: str, lang: str | None, described: Sequence[SituationMatch], code: str = "", ignored: Collection[str] = ()
) -> tuple[SituationLink, ...]:
    """Return links to the situations that were found for the words of a query, in their order.

    ``lang``: a hint at the language of the query. The addresses have the answers that the words state, and the two bids
    if the situation takes them. ``code``: the laws that the addresses name, "" for none; those of a year that the query
    names take their place. ``ignored``: kinds of facts that answer nothing.
    """
    atlas = current_snapshot().atlas
    named = "" if "year" in ignored else current_snapshot().search.named_code(query, lang)
    code = named if named in atlas.codes else code
    return tuple(_situation_link(query, lang, atlas.library.situations[found.id], code, ignored) for found in described)


def _situation_link(
    query: str, lang: str | None, situation: Situation, code: str, ignored: Collection[str]
) -> SituationLink:
    atlas, search = current_snapshot().atlas, current_snapshot().search
    laws = code or code_of_sheet(atlas, situation)
    answers = search.stated_answers(query, situation, laws, lang, ignored)
    taken = search.overcall(query, lang) if situation.takes == "bids" and "bid" not in ignored else None
    said = [*answers.items(), *((name, value) for name, value in (("bid", taken), ("code", code)) if value)]
    return SituationLink(situation, addresses.situation(situation.id, said), answers, taken)


def code_of_sheet(atlas: Atlas, situation: Situation) -> str:
    """Return the code of a sheet whose address names none: the first that knows the situation; "" if none does."""
    return next(filter(situation.is_known_in, atlas.codes), "")


# -- Filters of the rulings ---

RulingFilters = Mapping[str, Sequence[str]]


def ruling_filter_values(atlas: Atlas) -> dict[str, list[str]]:
    """Return name of a filter → the values that it may have."""
    every = atlas.library.rulings.values()
    under = {c for ruling in every for c in ruling.conditions}
    return {
        "body": list(atlas.library.bodies),
        "kind": [kind for kind in RULING_KINDS if any(r.kind == kind for r in every)],
        "code": sorted({r.code for r in every}, reverse=True),
        "condition": [c for c in atlas.library.conditions.names if c in under],
    }


def filter_rulings(atlas: Atlas, filters: RulingFilters) -> list[Ruling]:
    """Return the rulings that have one of the wanted values for each filter, in the order of the library. A filter
    without values excludes nothing.
    """
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
