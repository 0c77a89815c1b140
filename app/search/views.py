"""The search page."""

from __future__ import annotations

from flask import Blueprint, request

from app.search import opensearch
from app.search.page import PAGE, Filters, SearchPage, search_page
from app.site import reader, wording
from app.site.searching import LONGEST
from app.site.state import current
from index.answer import Answer

blueprint = Blueprint("search", __name__, template_folder="templates")
blueprint.register_blueprint(opensearch.blueprint)


@blueprint.get("/search")
def search() -> str:
    """Results with facets. A citation alone that one edition answers in full is still a page of results."""
    q = request.args.get("q", "").strip()[:LONGEST]
    if not q:
        return SearchPage().render()
    filters, number = _filters(), _number()
    return search_page(current().atlas, q, filters, number, _answer(q, filters, number)).render()


def _answer(q: str, filters: Filters, number: int) -> Answer:
    """What the index answers. A language that the address names is taken as the API takes it; the reader's own is only
    a guess at the query's, and only one that texts here are in is a hint.
    """
    spoken = {e.lang for e in current().library.editions.values()}
    named = request.args.get("qlang")
    hint = named or reader.ui()
    answer = _ask(q, filters, number, hint if hint in spoken else None)
    if not named and hint in spoken and not answer.confident:
        freely = _ask(q, filters, number, None)
        return freely if freely.confident else answer
    return answer


def _ask(q: str, filters: Filters, number: int, qlang: str | None) -> Answer:
    return current().search.answer(
        q,
        langs=tuple(filters["lang"]),
        editions=tuple(filters["edition"]),
        kinds=tuple(filters["kind"]),
        qlang=qlang,
        limit=PAGE,
        offset=number * PAGE,
    )


def _filters() -> dict[str, list[str]]:
    """The filters of the address; unknown values are dropped, a page for people does not scold."""
    library = current().library
    known = {
        "edition": set(library.editions),
        "lang": {e.lang for e in library.editions.values()},
        "kind": set(wording.KINDS),
    }
    return {
        name: [v for v in dict.fromkeys(request.args.getlist(name)) if v in allowed] for name, allowed in known.items()
    }


def _number() -> int:
    """The page asked for, from 0; what is no number means the first."""
    text = request.args.get("page", "0")
    return min(int(text), 5000) if text.isascii() and text.isdigit() and len(text) < 6 else 0
