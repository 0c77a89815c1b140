"""The addresses of the search: ``/search`` and the OpenSearch description and suggestions."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import get_args

from flask import Blueprint, Response, abort, redirect, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from app.search.page import (
    HITS_PER_PAGE,
    AskIndex,
    SearchPage,
    SearchRequest,
    SnippetOf,
    no_hits_page,
    page_count,
    search_page,
)
from app.site import addresses, excerpt, reader
from app.site.atlas import Atlas
from app.site.lookup import possible_paths, situation_links
from app.site.snapshot import MAX_SITUATIONS_IN_SEARCH, current_snapshot
from corpus.model import Kind, NodeId
from index.answer import SearchAnswer, Suggestion


def cited_provision(atlas: Atlas, search_request: SearchRequest, answer: SearchAnswer) -> NodeId | None:
    """Return the provision that the query cites, in the edition that the reader reads first.

    Returns None if the address asks for a list, if that edition does not have the provision, or if the query has more
    than the number.
    """
    lang = search_request.qlang or reader.redirect_language()
    if (
        search_request.listed
        or answer.kind != "citation"
        or len(answer.paths) != 1
        or answer.compare
        or answer.overcall
    ):
        return None
    id_ = NodeId.of(atlas.default_edition(lang, search_request.code).id, answer.paths[0])
    alone = answer.paths[0].lower() in {path.lower() for path in possible_paths(atlas.library, search_request.query)}
    first = answer.hits[0].node.id if answer.hits else None
    return id_ if answer.confident and alone and first == id_ else None


opensearch = Blueprint("opensearch", __name__)


@opensearch.get("/opensearch.xml")
@reader.for_programs
def description():
    """Return the OpenSearch description, which lets a browser search here from its address bar."""
    return Response(render_template("opensearch.xml"), mimetype="application/opensearchdescription+xml")


@opensearch.get("/opensearch/suggestions")
@reader.for_programs
def suggestions():
    """Return what a browser offers under its address bar, in the form of the OpenSearch suggestions extension:
    ``["27b", ["27B · MPB 2007", …], ["", …], ["https://…/pl-2007/27/B", …]]``.
    """
    q = request.args.get("q", "")
    if len(q) > addresses.MAX_QUERY_LENGTH:
        abort(400, f"“q” may have {addresses.MAX_QUERY_LENGTH} characters; this one has {len(q)}.")
    found = current_snapshot().search.suggest(q, lang=reader.ui_language())
    links = [addresses.absolute_url(excerpt.suggestion_address(s)) for s in found]
    body = [q, [s.text for s in found], ["" for _ in found], links]
    return Response(json.dumps(body, ensure_ascii=False), mimetype="application/x-suggestions+json")


blueprint = Blueprint("search", __name__, template_folder="templates")
blueprint.register_blueprint(opensearch)


@blueprint.get("/search")
def search() -> str | BaseResponse:
    """Show the hits with facets. A single citation opens the cited provision, unless the address asks for a list.

    Provisions of the code that the address names come first, else those of the one that the reader chose, else those of
    the one in force.
    """
    atlas = current_snapshot().atlas
    q = request.args.get("q", "").strip()[: addresses.MAX_QUERY_LENGTH]
    if not q:
        return SearchPage(codes=atlas.codes).render()
    search_request = SearchRequest(
        q,
        _known_filters(),
        request.args.get("qlang"),
        listed="list" in request.args,
        code=reader.code_to_redirect_to(atlas.codes) or reader.code_in_address(atlas.codes),
        code_named=request.args.get(reader.CODE_COOKIE) in atlas.codes,
        ignored=_ignored_kinds(),
    )
    number = _page_number()
    answer = _find_answer(search_request, number)
    if number >= page_count(answer) > 0:
        number = page_count(answer) - 1
        answer = _find_answer(search_request, number)
    if (
        not search_request.is_filtered
        and "page" not in request.args
        and (id_ := cited_provision(atlas, search_request, answer))
    ):
        response = redirect(addresses.redirect_address(addresses.law(id_)), 303)
        response.headers["Cache-Control"] = "private, no-store"  # it depends on the code that the reader chose
        return response
    ask: AskIndex = lambda filters: _find_answer(replace(search_request, filters=filters), 0, 0)
    first = not number and (not search_request.is_filtered or not answer.total)
    found = answer.situations[:MAX_SITUATIONS_IN_SEARCH] if first else ()
    code = search_request.code if search_request.code_named else ""
    situations = situation_links(q, answer.lang, found, code, search_request.ignored)
    if answer.total:
        snippet_of: SnippetOf = lambda id_: current_snapshot().search.snippet_of(q, id_, answer.lang)
        return search_page(atlas, search_request, number, answer, ask, situations, snippet_of).render()
    return no_hits_page(atlas, search_request, answer, ask, _suggest(search_request), situations).render()


def _suggest(search_request: SearchRequest) -> tuple[Suggestion, ...]:
    return current_snapshot().search.suggest(search_request.query, reader.ui_language(), search_request.code)


def _find_answer(search_request: SearchRequest, number: int, limit: int = HITS_PER_PAGE) -> SearchAnswer:
    """Return the answer of the index. ``number``: the page of hits, from 0; ``limit``: hits on a page.

    If the address names a language, the query is read in it, as in the API. The reader's own language is only a guess:
    it is a hint if some edition is in it, and if the answer is not confident, the query is tried without the hint.
    """
    spoken = {e.lang for e in current_snapshot().library.editions.values()}
    hint = search_request.qlang or reader.redirect_language()
    answer = _query_index(search_request, number, limit, hint if hint in spoken else None)
    if not search_request.qlang and hint in spoken and not answer.confident:
        unhinted = _query_index(search_request, number, limit, None)
        return unhinted if unhinted.confident else answer
    return answer


def _query_index(search_request: SearchRequest, number: int, limit: int, qlang: str | None) -> SearchAnswer:
    return current_snapshot().search.answer(
        search_request.query,
        langs=tuple(search_request.filters["lang"]),
        editions=tuple(search_request.filters["edition"]),
        kinds=tuple(search_request.filters["kind"]),
        without=tuple(search_request.filters["without"]),
        qlang=qlang,
        code=search_request.code,
        ignored=search_request.ignored,
        limit=limit,
        offset=number * HITS_PER_PAGE,
    )


def _known_filters() -> dict[str, list[str]]:
    """Return the filters of the address. Unknown values are dropped without an error, because this is a page for
    people.
    """
    library = current_snapshot().library
    known = {
        "edition": set(library.editions),
        "lang": {e.lang for e in library.editions.values()},
        "kind": set(get_args(Kind)),
        "without": set(library.conditions.names),
    }
    return {
        name: [v for v in dict.fromkeys(request.args.getlist(name)) if v in allowed] for name, allowed in known.items()
    }


def _ignored_kinds() -> tuple[str, ...]:
    """Return the kinds of facts that the address leaves out, each once; unknown ones are dropped."""
    known = current_snapshot().library.vocabulary.fact_kinds
    return tuple(kind for kind in dict.fromkeys(request.args.getlist("nofact")) if kind in known)


def _page_number() -> int:
    """Return the page number from the address, from 0. Anything that is not a number means the first page."""
    text = request.args.get("page", "0")
    return min(int(text), addresses.LAST_SEARCH_PAGE) if text.isascii() and text.isdigit() and len(text) < 6 else 0
