"""The search page."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from app.search import opensearch
from app.search.asked import Ask, Asked
from app.search.cited import cited
from app.search.page import PAGE, SearchPage, nothing_page, pages, search_page
from app.site import addresses, reader
from app.site.calls import calls
from app.site.searching import LONGEST, MOST_CALLS
from app.site.state import current
from corpus.model import Kind
from index.answer import Answer

blueprint = Blueprint("search", __name__, template_folder="templates")
blueprint.register_blueprint(opensearch.opensearch)


@blueprint.get("/search")
def search() -> str | BaseResponse:
    """Results with facets; a citation alone opens what it cites, unless the address asks for a list."""
    q = request.args.get("q", "").strip()[:LONGEST]
    if not q:
        return SearchPage().render()
    asked, number = Asked(q, _filters(), request.args.get("qlang"), "list" in request.args), _number()
    answer = _answer(asked, number)
    if number >= pages(answer) > 0:
        number = pages(answer) - 1
        answer = _answer(asked, number)
    atlas = current().atlas
    if not asked.filtered and "page" not in request.args and (id_ := cited(atlas, asked, answer)):
        return redirect(addresses.onward(addresses.law(id_)), 303)
    ask: Ask = lambda filters: _answer(replace(asked, filters=filters), 0, 0)
    first = not number and (not asked.filtered or not answer.total)
    told = calls(atlas, answer.situations[:MOST_CALLS], answer.overcall) if first else ()
    if answer.total:
        return search_page(atlas, asked, number, answer, ask, told).render()
    return nothing_page(atlas, asked, answer, ask, current().search.suggest(q, lang=reader.ui()), told).render()


def _answer(asked: Asked, number: int, limit: int = PAGE) -> Answer:
    """What the index answers. A language that the address names is taken as the API takes it; the reader's own is only
    a guess at the query's, and only one that texts here are in is a hint.
    """
    spoken = {e.lang for e in current().library.editions.values()}
    hint = asked.qlang or reader.language()
    answer = _ask(asked, number, limit, hint if hint in spoken else None)
    if not asked.qlang and hint in spoken and not answer.confident:
        freely = _ask(asked, number, limit, None)
        return freely if freely.confident else answer
    return answer


def _ask(asked: Asked, number: int, limit: int, qlang: str | None) -> Answer:
    return current().search.answer(
        asked.query,
        langs=tuple(asked.filters["lang"]),
        editions=tuple(asked.filters["edition"]),
        kinds=tuple(asked.filters["kind"]),
        without=tuple(asked.filters["without"]),
        qlang=qlang,
        limit=limit,
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
