"""When something is not there: a page that helps on for people, ``{"error": …}`` for programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from flask import Flask, Response, current_app, jsonify, make_response, request
from markupsafe import escape
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as BaseResponse

from app.site import reader
from app.site.atlas import Atlas
from app.site.lookup import match_edition_id, nearest_name, possible_paths
from app.site.page import SitePage
from app.site.snapshot import current_snapshot
from corpus import address
from corpus.edition import Identity
from corpus.generation import StoreError
from corpus.library import Library
from corpus.model import Node
from corpus.situation.model import Situation
from corpus.term.model import Term

# What programs ask beside the API, and how they are told of an error: in plain words, or with its object.
PLAIN_TEXT_ENDPOINTS = frozenset({"home.healthz"})
JSON_ENDPOINTS = frozenset(
    {"search.opensearch.suggestions", "rulings.list_rulings_data", "rulings.body_data", "rulings.show_ruling_data"}
)
ERROR_CODES = {400: "bad_request", 404: "not_found", 405: "method_not_allowed", 503: "index_missing"}


@dataclass(frozen=True)
class ErrorSuggestions:
    """What the reader may have wanted: ``asked`` of an ``edition``, the provision ``enclosing`` it, the same in
    ``others``; the ``situation`` or ``term`` nearest to one that there is not.
    """

    edition: Identity | None
    asked: str
    enclosing: Node | None
    others: tuple[tuple[Identity, Node], ...]
    situation: Situation | None = None
    term: Term | None = None


@dataclass(frozen=True)
class ErrorPage(SitePage):
    """``status`` of the answer; ``message``: what to do, from the house itself; ``ways`` on, where some can be
    guessed.
    """

    template: ClassVar[str] = "error.html"
    led: ClassVar[bool] = False
    status: int
    message: str = ""
    ways: ErrorSuggestions | None = None


def init_app(app: Flask) -> None:
    """One handler for each way to fail."""
    app.register_error_handler(HTTPException, handle_http_error)
    app.register_error_handler(StoreError, handle_store_error)
    app.register_error_handler(Exception, lambda error: handle_unexpected_error(app, error))


def handle_http_error(error: HTTPException) -> BaseResponse:
    """404, 405, 400 and their like."""
    status = error.code or 500
    response = _response_for_programs(status, error.description or error.name) or _error_page(status)
    for name, value in error.get_headers():
        if name.lower() == "allow":
            response.headers["Allow"] = value
    return response


def handle_store_error(error: StoreError) -> Response:
    """Nothing was built yet."""
    if said := _response_for_programs(503, str(error), "corpus_missing"):
        return said
    return _response_with_status(f"<!doctype html><title>503</title><h1>503</h1><p>{escape(str(error))}</p>", 503)


def handle_unexpected_error(app: Flask, error: Exception) -> Response:
    """A fault of ours: in the log with its trace, on the page without."""
    path = request.path.encode("unicode_escape").decode("ascii")[:200]
    app.logger.error("unhandled: %s", path, exc_info=error)
    said = _response_for_programs(500, "Something is wrong on our side.")
    return said or _response_with_status("<!doctype html><title>500</title><h1>500</h1>", 500)


def _response_for_programs(status: int, message: str, code: str = "") -> Response | None:
    """An error as a program reads it, a line or the error object of the API; None for people, who get a page.

    ``code``: the name of the error, where its status does not tell it.
    """
    endpoint = _requested_endpoint()
    if endpoint in PLAIN_TEXT_ENDPOINTS:
        return _response_with_status(Response(f"{message}\n", mimetype="text/plain"), status)
    # An address with a line break in it is of no page, but still the API's.
    if not request.path.startswith("/api/") and endpoint not in JSON_ENDPOINTS:
        return None
    code = code or ERROR_CODES.get(status, f"http_{status}")
    return _response_with_status(jsonify({"error": {"code": code, "message": message}}), status)


def _requested_endpoint() -> str:
    """The page that was asked for, also where it was asked in a way that it does not answer; empty where there is
    none.
    """
    if request.endpoint:
        return request.endpoint
    try:
        return current_app.url_map.bind_to_environ(request.environ).match(method="GET")[0]
    except HTTPException:
        return ""


def _error_page(status: int, message: str = "") -> Response:
    """The error page in the reader's language, with the ways on that can be guessed from the address."""
    reader.answer_in_reader_language()
    return _response_with_status(
        ErrorPage(status, message, _suggest_pages() if status == 404 else None).render(), status
    )


def _suggest_pages() -> ErrorSuggestions | None:
    """What the reader may have wanted: the provision around it, the same in other editions, the contents."""
    try:
        library, atlas = current_snapshot().library, current_snapshot().atlas
    except StoreError:
        return None
    named = request.view_args or {}
    if "situation" in named:
        near = nearest_name(library.situations, named["situation"])
        return ErrorSuggestions(None, "", None, (), situation=library.situations.get(near))
    if "term" in named:
        return ErrorSuggestions(None, "", None, (), term=library.terms.get(nearest_name(library.terms, named["term"])))
    edition, path = _requested_place(library, atlas)
    path = path.strip("/")[:200]
    read = path if address.is_path(path) else next(iter(possible_paths(library, path)), "")
    here = library.editions.get(edition)
    # The points of decisions have numbers of their own: the law that is cited says nothing of them.
    enclosing = library.nearest_existing(edition, read) if here and read and not here.is_decisions else None
    others = ((e, n) for e in library.law_editions if read and e.id != edition and (n := library.node_at(e.id, read)))
    return ErrorSuggestions(here, path, enclosing, tuple(others))


def _requested_place(library: Library, atlas: Atlas) -> tuple[str, str]:
    """The edition and the path that the address was about, as its page names them; empty where it names none."""
    named = request.view_args or {}
    path = named.get("path") or named.get("typed") or ""
    if "code" in named:
        return next((e.id for e in atlas.editions_of_code(named["code"], reader.ui_language())), ""), path
    if edition := match_edition_id(library, named.get("edition", "")):
        return edition, path
    # An address that names no edition may be a citation alone, which the reader's own edition was asked for.
    whole = request.path.strip("/")
    return (atlas.default_edition(reader.ui_language()).id, whole) if possible_paths(library, whole) else ("", path)


def _response_with_status(body: str | Response, status: int) -> Response:
    response = make_response(body)
    response.status_code = status
    return response
