"""The addresses of the JSON API.

``openapi.json`` describes the API, and every answer is valid against it. :mod:`app.api.objects` builds the answers. A
request for something unknown gets 400 or 404 with a sentence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, get_args

from flask import Blueprint, Response, abort, jsonify, request

from app.api import objects
from app.api.objects import description, languages, sheet_object, situation_object, situation_row, term_object, term_row
from app.site import addresses, lookup, reader, ruling_view
from app.site.lookup import filter_rulings, ruling_filter_values
from app.site.page import SitePage
from app.site.snapshot import MAX_SITUATIONS_IN_SEARCH, current_snapshot
from corpus.compare import compare, find_compared_node
from corpus.generation import StoreError
from corpus.model import Kind, NodeId
from corpus.situation.model import RESERVED, read_answers
from corpus.term.model import search_terms


@dataclass(frozen=True)
class ApiPage(SitePage):
    """The page about the API. ``addresses`` holds (path, summary) of each address."""

    template: ClassVar[str] = "api.html"
    addresses: tuple[tuple[str, str], ...]


blueprint = Blueprint("api", __name__, template_folder="templates", url_prefix="/api")


@blueprint.get("/")
def about():
    """Show the page for people: all addresses, with examples that can be followed."""
    paths = description(None)["paths"]
    return ApiPage(tuple((path, item["get"]["summary"]) for path, item in paths.items())).render()


@blueprint.get("/openapi.json")
@reader.for_programs
def openapi():
    """Return the OpenAPI 3.1 description. It works also where nothing was built yet."""
    try:
        atlas = current_snapshot().atlas
    except StoreError:
        atlas = None
    return jsonify(description(atlas))


@blueprint.get("/v1/editions")
@reader.for_programs
def editions():
    """Return all editions."""
    return jsonify({"editions": [objects.edition_object(e) for e in current_snapshot().atlas.editions_in_order]})


@blueprint.get("/v1/nodes/<edition>/<path:path>")
@reader.for_programs
def node(edition: str, path: str):
    """Return one node. Only canonical addresses are accepted."""
    found = current_snapshot().library.node_at(edition, path)
    if found is None:
        abort(404, f"There is no node “{NodeId.of(edition, path)[:80]}”.")
    return jsonify(objects.node_object(current_snapshot().atlas, found))


@blueprint.get("/v1/search")
@reader.for_programs
def search():
    """Return the hits of a search, with the situations that the words describe."""
    q = _query()
    filters = search_filters()
    limit, offset = _number("limit", 20, 1, 100), _number("offset", 0, 0, 1_000_000)
    explain = bool(_number("explain", 0, 0, 1))
    atlas, found = current_snapshot().atlas, current_snapshot().search.answer(q, **filters, limit=limit, offset=offset)
    situations, likely = atlas.library.situations, found.situations[:MAX_SITUATIONS_IN_SEARCH]
    calls = [situation_row(atlas, situations[d.id], d.score) for d in likely]
    return jsonify(objects.answer_object(found, explain) | {"situations": calls})


@blueprint.get("/v1/suggest")
@reader.for_programs
def suggest():
    """Return completions of what a person types."""
    q = _query()
    lang = _one_of("lang", languages(current_snapshot().atlas))
    found = current_snapshot().search.suggest(q, lang=lang[-1] if lang else None)
    return jsonify({"suggestions": [objects.suggestion_object(s) for s in found]})


@blueprint.get("/v1/compare")
@reader.for_programs
def comparison():
    """Return the rows of a comparison of editions. A row holds provisions that correspond, not those of one number."""
    library = current_snapshot().library
    base = request.args.get("base", "")
    if base not in library.editions:
        abort(400, f"“base” must be one of: {', '.join(library.editions)}.")
    others = [e for e in _one_of("edition", library.editions) if e != base]
    if not 1 <= len(others) < addresses.MAX_COMPARED_EDITIONS:
        abort(400, f"“edition” must name 1 to {addresses.MAX_COMPARED_EDITIONS - 1} editions beside the base.")
    found = find_compared_node(library, request.args.get("path", ""), [base, *others])
    if found is None:
        abort(404, f"None of {', '.join([base, *others])} has a node “{request.args.get('path', '')[:80]}”.")
    return jsonify(
        objects.comparison_object(
            library, compare(library, found, [base, *others], current_snapshot().atlas.decision_counterparts)
        )
    )


@blueprint.get("/v1/situations")
@reader.for_programs
def all_situations():
    """Return the situations that the words describe, or all situations if there are no words."""
    atlas, situations, q = current_snapshot().atlas, current_snapshot().library.situations, _query()
    lang, limit = _one_of("lang", languages(current_snapshot().atlas)), _number("limit", 10, 1, 100)
    if not q.strip():
        return jsonify({"situations": [situation_row(atlas, s) for s in situations.values()]})
    found = current_snapshot().search.situations(q, lang[-1] if lang else None, limit)
    return jsonify({"situations": [situation_row(atlas, situations[f.id], f.score) for f in found]})


@blueprint.get("/v1/situations/<id_>")
@reader.for_programs
def one_situation(id_: str):
    """Return a situation with its questions and tables."""
    return jsonify(situation_object(current_snapshot().atlas, lookup.situation_or_404(id_)))


@blueprint.get("/v1/situations/<id_>/outcome")
@reader.for_programs
def outcome(id_: str):
    """Return what the answers lead to, in the code named, or else in the first code with a table: the one in force
    comes first.
    """
    atlas, situation = current_snapshot().atlas, lookup.situation_or_404(id_)
    code = request.args.get("code") or next((c for c in atlas.codes if c in situation.table), "")
    if code not in situation.table:
        known = ", ".join(situation.table) or "none"
        abort(400, f"“{id_}” has no table for “{code[:40]}”. It has: {known}.")
    typed = {name: request.args.getlist(name) for name in request.args if name not in RESERVED}
    given, wrong = read_answers(situation, code, typed)
    if wrong:
        abort(
            400, f"“{wrong[0][:80]}” is no question of {code}, or its answer is none. /api/v1/situations/{id_} has all."
        )
    return jsonify(sheet_object(atlas, situation, code, given))


@blueprint.get("/v1/terms")
@reader.for_programs
def all_terms():
    """Return the terms that match the words, or all terms if there are no words."""
    atlas = current_snapshot().atlas
    return jsonify({"terms": [term_row(atlas, t) for t in search_terms(atlas.library.terms, _query())]})


@blueprint.get("/v1/terms/<slug>")
@reader.for_programs
def one_term(slug: str):
    """Return a term with the provisions that use it."""
    return jsonify(term_object(current_snapshot().atlas, lookup.term_or_404(slug)))


@blueprint.get("/v1/rulings")
@reader.for_programs
def all_rulings():
    """Return the rulings that pass the filters."""
    atlas = current_snapshot().atlas
    filters = {name: _one_of(name, values) for name, values in ruling_filter_values(atlas).items()}
    return jsonify(ruling_view.rulings_json(atlas, filter_rulings(atlas, filters)))


@blueprint.get("/v1/rulings/<body>/<number>")
@reader.for_programs
def one_ruling(body: str, number: str):
    """Return a ruling."""
    return jsonify(ruling_view.ruling_json(current_snapshot().atlas, lookup.ruling_or_404(body, number)))


@blueprint.get("/<path:_rest>")
@reader.for_programs
def unknown_address(_rest: str) -> Response:
    """Answer unknown addresses of the API with 404 in JSON."""
    abort(404, "There is no such address in the API; /api/openapi.json lists them.")


def search_filters() -> dict:
    """Return the filters of a search from the address. Aborts with 400 if a value does not exist."""
    library = current_snapshot().library
    qlang = _one_of("qlang", languages(current_snapshot().atlas))
    return {
        "langs": tuple(_one_of("lang", languages(current_snapshot().atlas))),
        "editions": tuple(_one_of("edition", library.editions)),
        "kinds": tuple(_one_of("kind", get_args(Kind))),
        "without": tuple(_one_of("without", library.conditions.names)),
        "qlang": qlang[-1] if qlang else None,
    }


def _query() -> str:
    q = request.args.get("q", "")
    if len(q) > addresses.MAX_QUERY_LENGTH:
        abort(400, f"“q” may have {addresses.MAX_QUERY_LENGTH} characters; this one has {len(q)}.")
    return q


def _one_of(name: str, known) -> list[str]:
    values = list(dict.fromkeys(v for v in request.args.getlist(name) if v))
    for value in values:
        if value not in known:
            abort(400, f"“{name}” must be one of: {', '.join(dict.fromkeys(known))}.")
    return values


def _number(name: str, default: int, low: int, high: int) -> int:
    text = request.args.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 9 and low <= int(text) <= high):
        abort(400, f"“{name}” must be a number from {low} to {high}.")
    return int(text)
