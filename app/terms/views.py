"""Terms: the list in the order of a language, and what every edition says of each."""

from __future__ import annotations

from collections.abc import Iterable

from flask import Blueprint, request

from app.site import addresses, reader
from app.site.asked import term_at
from app.site.atlas import Atlas
from app.site.searching import LONGEST
from app.site.state import current
from app.terms.page import languages, terms_page
from app.terms.term import term_page

blueprint = Blueprint("terms", __name__, template_folder="templates")


def stored(atlas: Atlas) -> Iterable[str]:
    """The addresses whose pages are made when the generation is built."""
    return [addresses.terms(), *map(addresses.term, atlas.library.terms)]


@blueprint.get("/terms/")
def terms() -> str:
    """All terms; ``?by=``: the language in whose order they stand, ``?q=``: words of a name."""
    atlas, by = current().atlas, request.args.get("by", "")
    q = request.args.get("q", "").strip()[:LONGEST]
    return terms_page(atlas, by if by in languages(atlas) else reader.ui(), q).render()


@blueprint.get("/terms/<term>")
def term(term: str) -> str:
    """A concept: its names, and what every edition says of it."""
    return term_page(current().atlas, term_at(term)).render()
