"""What an address asks for: the node that it names, or the right address of what it means."""

from __future__ import annotations

from flask import abort
from werkzeug.routing import RequestRedirect

from app.site import addresses
from app.site.state import current
from corpus.model import Node


def node_at(page: str, edition: str, path: str) -> Node:
    """The node of an address of a kind of page (``cite``, ``card`` …).

    Raises what Flask answers with: 308 to the right address where this one is a sloppy form of it, else 404.
    """
    library = current().library
    if edition not in library.editions:
        abort(404)
    if (node := library.node(edition, path)) is not None:
        return node
    if (meant := addresses.canonical(library, edition, path)) is None:
        abort(404)
    raise RequestRedirect(f"/{page}/{edition}/{meant}")
