"""The search page."""

from __future__ import annotations

from typing import get_args

from flask import Blueprint, request

from app.search import opensearch
from app.search.page import PAGE, Asked, SearchPage, pages, search_page
from app.site import reader
from app.site.calls import calls
from app.site.searching import LONGEST, MOST_CALLS
from app.site.state import current
from corpus.model import Kind
from index.answer import Answer

blueprint = Blueprint("search", __name__, template_folder="templates")
blueprint.register_blueprint(opensearch.blueprint)


@blueprint.get("/search")
def search() -> str:
    """Results with facets. A citation alone that one edition answers in full is still a page of results."""
    q = request.args.get("q", "").strip()[:LONGEST]
    if not q:
        return SearchPage().render()
    asked, number = Asked(q, _filters(), request.args.get("qlang")), _number()
    answer = _answer(asked, number)
    if number >= pages(answer) > 0:
        number = pages(answer) - 1
        answer = _answer(asked, number)
    first = not number and not any(asked.filters.values())
    told = calls(current().atlas, answer.situations[:MOST_CALLS], answer.overcall) if first else ()
    return search_page(current().atlas, asked, number, answer, told).render()


def _answer(asked: Asked, number: int) -> Answer:
    """What the index answers. A language that the address names is taken as the API takes it; the reader's own is only
    a guess at the query's, and only one that texts here are in is a hint.
    """
    spoken = {e.lang for e in current().library.editions.values()}
    hint = asked.qlang or reader.ui()
    answer = _ask(asked, number, hint if hint in spoken else None)
    if not asked.qlang and hint in spoken and not answer.confident:
        freely = _ask(asked, number, None)
        return freely if freely.confident else answer
    return answer


def _ask(asked: Asked, number: int, qlang: str | None) -> Answer:
    return current().search.answer(
        asked.query,
        langs=tuple(asked.filters["lang"]),
        editions=tuple(asked.filters["edition"]),
        kinds=tuple(asked.filters["kind"]),
        without=tuple(asked.filters["without"]),
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
        "kind": set(get_args(Kind)),
        "without": set(library.conditions.names),
    }
    return {
        name: [v for v in dict.fromkeys(request.args.getlist(name)) if v in allowed] for name, allowed in known.items()
    }


def _number() -> int:
    """The page asked for, from 0; what is no number means the first."""
    text = request.args.get("page", "0")
    return min(int(text), 5000) if text.isascii() and text.isdigit() and len(text) < 6 else 0
