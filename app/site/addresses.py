"""Addresses on the web: of a node, inside a page, and from what a person typed."""

from __future__ import annotations

import re
from urllib.parse import quote

from corpus import address
from corpus.label import typed as label
from corpus.library import Library
from corpus.model import NodeId


def dom_id(path: str) -> str:
    """The id of the element that shows a path.

    >>> dom_id("16/D/2")
    '16-D-2'
    """
    return path.replace("/", "-")


def url_of(id_: NodeId, at: str = "") -> str:
    """The address of a node, with the fragment that brings it into view without JavaScript; ``at``: another place of that page."""
    # A law is the top of its own page: no jump is needed.
    jump = f"#{at}" if at else f"#{dom_id(id_.path)}" if id_.law != id_.path or id_.law == "fn" else ""
    return f"/{quote(id_.edition)}/{quote(id_.path)}{jump}"


def canonical(library: Library, edition: str, typed: str) -> str | None:
    """The path that a sloppy address means, or None.

    ``16d2``, ``16/d/2``, ``16 D 2``, ``law 16.D.2`` and ``16/D/2/`` all mean ``16/D/2`` where the edition has it; a range, its first.
    """
    wanted = re.sub(r"/+", "/", typed.strip().strip("/"))
    if not wanted or len(wanted) > 200:
        return None
    if library.node(edition, wanted):
        return wanted
    by_lower = {n.path.lower(): n.path for n in reversed(library.of(edition))}
    if (path := by_lower.get(wanted.lower())) is not None:
        return path
    head, _, rest = wanted.partition("/")
    if head.lower() == "def" and rest:
        return by_lower.get("def/" + address.slug(rest))
    return next((by_lower[p.lower()] for p in cited(library, wanted) if p.lower() in by_lower), None)


def cited(library: Library, typed: str) -> tuple[str, ...]:
    """The paths that a citation in an address may mean, whether or not they exist; () when it is none."""
    text = typed[:200]
    return label.readings(text, library.words) or label.span(text, library.words)[:1]
