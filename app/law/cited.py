"""Addresses that name no edition, ``/27b1`` and, of one code, ``/id/2017/27/B/1``: the reader's edition answers."""

from __future__ import annotations

from flask import Blueprint, abort, redirect
from werkzeug.wrappers import Response

from app.site import addresses, reader
from app.site.asked import canonical, readings
from app.site.state import current
from corpus.model import NodeId

citations = Blueprint("cited", __name__)


@citations.get("/id/<code>/")
@citations.get("/id/<code>/<path:typed>")
def of_code(code: str, typed: str = "") -> Response:
    """The provision in the reader's edition of a code, else in another edition of it; without one, the contents."""
    atlas = current().atlas
    found = ((e.id, canonical(atlas.library, e.id, typed)) for e in atlas.of_code(code, reader.language()))
    edition, path = next(((e, path) for e, path in found if path or not typed), (None, None))
    return _see_other(edition, path or "") if edition else abort(404)


def anywhere(typed: str) -> Response:
    """A citation alone, in the reader's own edition, else in a text of the code in force; 404 for what is none. Asked
    when an address is no page and no edition.
    """
    atlas, lang = current().atlas, reader.language()
    texts = [atlas.home_edition(lang), *(atlas.of_code(atlas.codes[0], lang) if atlas.codes else ())]
    ways = ((e.id, canonical(atlas.library, e.id, typed)) for e in texts if readings(atlas.library, typed))
    edition, path = next(((e, path) for e, path in ways if path), ("", ""))
    return _see_other(edition, path) if path else abort(404)


def _see_other(edition: str, path: str) -> Response:
    """303, for another reader is led elsewhere. Of the query only the language goes on."""
    return redirect(addresses.onward(addresses.provision(NodeId.of(edition, path))), 303)
