"""The JSON API. Its description is data, ``openapi.json``; every answer is valid against it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, get_args

from flask import Blueprint, Response, abort, jsonify, request

from app.api import objects
from app.api.objects import description, languages, sheet_object, situation_object, situation_row, term_object, term_row
from app.site import addresses, reader, requests, rulings
from app.site.page import Page
from app.site.requests import known_filters, narrowed
from app.site.state import LONGEST, MOST_CALLS, current
from corpus.generation import StoreError
from corpus.model import Kind, NodeId
from corpus.relation.compare import compare, read_in
from corpus.situation.model import RESERVED, read_answers
from corpus.term.model import asked as named


@dataclass(frozen=True)
class ApiPage(Page):
    """``addresses``: (path, what it gives) of the API."""

    template: ClassVar[str] = "api.html"
    addresses: tuple[tuple[str, str], ...]


blueprint = Blueprint("api", __name__, template_folder="templates", url_prefix="/api")


@blueprint.get("/")
def about():
    """For people: what there is, with examples that can be followed."""
    paths = description(None)["paths"]
    return ApiPage(tuple((path, item["get"]["summary"]) for path, item in paths.items())).render()


@blueprint.get("/openapi.json")
@reader.for_programs
def described():
    """OpenAPI 3.1."""
    try:
        atlas = current().atlas
    except StoreError:
        atlas = None
    return jsonify(description(atlas))


@blueprint.get("/v1/editions")
@reader.for_programs
def editions():
    """All editions."""
    return jsonify({"editions": [objects.edition(e) for e in current().atlas.ordered]})


@blueprint.get("/v1/nodes/<edition>/<path:path>")
@reader.for_programs
def node(edition: str, path: str):
    """One node; canonical addresses only."""
    found = current().library.node(edition, path)
    if found is None:
        abort(404, f"There is no node “{NodeId.of(edition, path)[:80]}”.")
    return jsonify(objects.node(current().atlas, found))


@blueprint.get("/v1/search")
@reader.for_programs
def search():
    """Hits of the index."""
    q = _query()
    filters = search_filters()
    limit, offset = _number("limit", 20, 1, 100), _number("offset", 0, 0, 1_000_000)
    explain = bool(_number("explain", 0, 0, 1))
    atlas, found = current().atlas, current().search.answer(q, **filters, limit=limit, offset=offset)
    every, told = atlas.library.situations, found.situations[:MOST_CALLS]
    calls = [situation_row(atlas, every[d.id], d.score) for d in told]
    return jsonify(objects.answer(found, explain) | {"situations": calls})


@blueprint.get("/v1/suggest")
@reader.for_programs
def suggest():
    """What a person may be about to type."""
    q = _query()
    lang = _one_of("lang", languages(current().atlas))
    found = current().search.suggest(q, lang=lang[-1] if lang else None)
    return jsonify({"suggestions": [objects.suggestion(s) for s in found]})


@blueprint.get("/v1/compare")
@reader.for_programs
def comparison():
    """Rows aligned by content."""
    library = current().library
    base = request.args.get("base", "")
    if base not in library.editions:
        abort(400, f"“base” must be one of: {', '.join(library.editions)}.")
    others = [e for e in _one_of("edition", library.editions) if e != base]
    if not 1 <= len(others) < addresses.MOST_BESIDE:
        abort(400, f"“edition” must name 1 to {addresses.MOST_BESIDE - 1} editions beside the base.")
    found = read_in(library, request.args.get("path", ""), [base, *others])
    if found is None:
        abort(404, f"None of {', '.join([base, *others])} has a node “{request.args.get('path', '')[:80]}”.")
    return jsonify(objects.comparison(library, compare(library, found, [base, *others], current().atlas.beside)))


@blueprint.get("/v1/situations")
@reader.for_programs
def all_situations():
    """What words describe; without any, all situations."""
    atlas, every, q = current().atlas, current().library.situations, _query()
    lang, limit = _one_of("lang", languages(current().atlas)), _number("limit", 10, 1, 100)
    if not q.strip():
        return jsonify({"situations": [situation_row(atlas, s) for s in every.values()]})
    found = current().search.situations(q, lang[-1] if lang else None, limit)
    return jsonify({"situations": [situation_row(atlas, every[f.id], f.score) for f in found]})


@blueprint.get("/v1/situations/<id_>")
@reader.for_programs
def one_situation(id_: str):
    """A situation with its questions and tables."""
    return jsonify(situation_object(current().atlas, requests.situation_at(id_)))


@blueprint.get("/v1/situations/<id_>/outcome")
@reader.for_programs
def outcome(id_: str):
    """What the answers lead to, in the code named or in the one in force."""
    atlas, situation = current().atlas, requests.situation_at(id_)
    code = request.args.get("code") or next((c for c in atlas.codes if c in situation.table), "")
    if code not in situation.table:
        known = ", ".join(situation.table) or "none"
        abort(400, f"“{id_}” has no table for “{code[:40]}”. It has: {known}.")
    said = {name: request.args.getlist(name) for name in request.args if name not in RESERVED}
    given, wrong = read_answers(situation, code, said)
    if wrong:
        abort(
            400, f"“{wrong[0][:80]}” is no question of {code}, or its answer is none. /api/v1/situations/{id_} has all."
        )
    return jsonify(sheet_object(atlas, situation, code, given))


@blueprint.get("/v1/terms")
@reader.for_programs
def all_terms():
    """The terms that words ask for; without any, all of them."""
    atlas = current().atlas
    return jsonify({"terms": [term_row(atlas, t) for t in named(atlas.library.terms, _query())]})


@blueprint.get("/v1/terms/<slug>")
@reader.for_programs
def one_term(slug: str):
    """A term with where it is used."""
    return jsonify(term_object(current().atlas, requests.term_at(slug)))


@blueprint.get("/v1/rulings")
@reader.for_programs
def all_rulings():
    """All rulings, or those that the filters leave."""
    atlas = current().atlas
    filters = {name: _one_of(name, values) for name, values in known_filters(atlas).items()}
    return jsonify(rulings.several(atlas, narrowed(atlas, filters)))


@blueprint.get("/v1/rulings/<body>/<number>")
@reader.for_programs
def one_ruling(body: str, number: str):
    """A ruling."""
    return jsonify(rulings.ruling(current().atlas, requests.ruling_at(body, number)))


@blueprint.get("/<path:_rest>")
@reader.for_programs
def nothing(_rest: str) -> Response:
    """Unknown addresses of the API are answered in JSON, too."""
    abort(404, "There is no such address in the API; /api/openapi.json lists them.")


def search_filters() -> dict:
    """The filters of a search from the address; 400 for what does not exist."""
    library = current().library
    qlang = _one_of("qlang", languages(current().atlas))
    return {
        "langs": tuple(_one_of("lang", languages(current().atlas))),
        "editions": tuple(_one_of("edition", library.editions)),
        "kinds": tuple(_one_of("kind", get_args(Kind))),
        "without": tuple(_one_of("without", library.conditions.names)),
        "qlang": qlang[-1] if qlang else None,
    }


def _query() -> str:
    q = request.args.get("q", "")
    if len(q) > LONGEST:
        abort(400, f"“q” may have {LONGEST} characters; this one has {len(q)}.")
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
