"""Answers errors: for people a page that suggests where to go on, for programs ``{"error": {"code", "message"}}``.

:func:`init_app` registers a handler for HTTP errors, for a missing or broken build, for a request that takes too long,
and for unexpected errors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from flask import Flask, Response, current_app, jsonify, make_response, request
from flask_babel import gettext
from markupsafe import escape
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as BaseResponse

from app.site import addresses, http, reader
from app.site.answers import ErrorJson
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
from corpus.time_limit import TimeLimitError

# Endpoints for programs outside the API: their errors are the error object, too.
JSON_ENDPOINTS = frozenset({
    "home.healthz", "search.opensearch.suggestions",
    "rulings.list_rulings_data", "rulings.body_data", "rulings.show_ruling_data",
})  # fmt: skip
RETRY_SECONDS = "5"  # after which a request that got 503 may be sent again: a server looks twice a second
RETRY_SECONDS_OVER_BUDGET = "1"  # nothing has to be repaired first
ERROR_CODES = {400: "bad_request", 404: "not_found", 405: "method_not_allowed", 503: "index_missing"}


@dataclass(frozen=True)
class ErrorSuggestions:
    """What the reader may have wanted.

    - ``edition`` and ``requested_path``: the edition and the path of the address.
    - ``enclosing``: the nearest existing provision around the path.
    - ``others``: the same path in other editions.
    - ``situation``, ``term``: the one with the most similar name, when the address names one that does not exist.
    """

    edition: Identity | None
    requested_path: str
    enclosing: Node | None
    others: tuple[tuple[Identity, Node], ...]
    situation: Situation | None = None
    term: Term | None = None


@dataclass(frozen=True)
class ErrorPage(SitePage):
    """The error page.

    ``status`` of the answer; ``message``: what to do, in words of the application itself; ``ways``: suggestions where
    to go on, None when nothing can be guessed.
    """

    template: ClassVar[str] = "error.html"
    led: ClassVar[bool] = False
    status: int
    message: str = ""
    ways: ErrorSuggestions | None = None


def init_app(app: Flask) -> None:
    """Register one handler for each kind of failure."""
    app.register_error_handler(HTTPException, handle_http_error)
    app.register_error_handler(StoreError, handle_store_error)
    app.register_error_handler(TimeLimitError, handle_time_limit)
    app.register_error_handler(Exception, lambda error: handle_unexpected_error(app, error))


def handle_http_error(error: HTTPException) -> BaseResponse:
    """Return the answer to 404, 405, 400 and other HTTP errors."""
    status = error.code or 500
    response = _response_for_programs(status, error.description or error.name) or _error_page(status)
    for name, value in error.get_headers():
        if name.lower() == "allow":
            response.headers["Allow"] = value
    return response


def handle_store_error(error: StoreError) -> Response:
    """Return the answer 503, for when there is no usable generation."""
    if response := _response_for_programs(503, str(error), "corpus_missing"):
        return response
    return _response_with_status(f"<!doctype html><title>503</title><h1>503</h1><p>{escape(str(error))}</p>", 503)


def handle_time_limit(_error: TimeLimitError) -> Response:
    """Return 503 for a request that took too long: a sentence in the reader's language, which no cache stores."""
    reader.answer_in_reader_language()
    sentence = gettext("This takes too long to answer; ask for less, or try again in a moment.")
    response = _response_for_programs(503, sentence, "over_budget") or _response_with_status(
        f'<!doctype html><html lang="{reader.ui_language()}"><title>503</title><h1>503</h1><p>{sentence}</p>', 503
    )
    response.headers["Retry-After"] = RETRY_SECONDS_OVER_BUDGET
    response.headers["Cache-Control"] = "no-store"
    return response


def handle_unexpected_error(app: Flask, error: Exception) -> Response:
    """Return the answer 500 to a fault of ours. The traceback goes to the log and not onto the page."""
    app.logger.error("unhandled: %s", http.loggable_path(request.path), exc_info=error)
    response = _response_for_programs(500, "Something is wrong on our side.")
    return response or _response_with_status("<!doctype html><title>500</title><h1>500</h1>", 500)


def _response_for_programs(status: int, message: str, code: str = "") -> Response | None:
    """Return an error for a program: the error object of the API. None for people, who get a page.

    ``code``: the name of the error, where its status is not enough.
    """
    endpoint = _requested_endpoint()
    # An API address with a line break in it matches no endpoint, but its error is still an object.
    if not request.path.startswith("/api/") and endpoint not in JSON_ENDPOINTS:
        return None
    code = code or ERROR_CODES.get(status, f"http_{status}")
    answer: ErrorJson = {"error": {"code": code, "message": message}}
    return _response_with_status(jsonify(answer), status)


def _requested_endpoint() -> str:
    """Return the name of the view that the address belongs to, even when the view does not answer the method of the
    request; "" when there is none.
    """
    if request.endpoint:
        return request.endpoint
    try:
        return current_app.url_map.bind_to_environ(request.environ).match(method="GET")[0]
    except HTTPException:
        return ""


def _error_page(status: int, message: str = "") -> Response:
    """Return the error page in the reader's language, with suggestions that are guessed from the address."""
    reader.answer_in_reader_language()
    return _response_with_status(
        ErrorPage(status, message, _suggest_pages() if status == 404 else None).render(), status
    )


def _suggest_pages() -> ErrorSuggestions | None:
    """Guess from the address what the reader may have wanted; None when there is no generation."""
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
    path = path.strip("/")[: addresses.MAX_CITATION_LENGTH]
    read = path if address.is_path(path) else next(iter(possible_paths(library, path)), "")
    here = library.editions.get(edition)
    # The points of decisions have their own numbers, so the number of a law does not lead to one of them.
    enclosing = library.nearest_existing_node(edition, read) if here and read and not here.is_decisions else None
    others = ((e, n) for e in library.law_editions if read and e.id != edition and (n := library.node_at(e.id, read)))
    return ErrorSuggestions(here, path, enclosing, tuple(others))


def _requested_place(library: Library, atlas: Atlas) -> tuple[str, str]:
    """Return (id of the edition, path) that the address is about, as its page names them; "" for what the address does
    not name.
    """
    named = request.view_args or {}
    path = named.get("path") or named.get("typed") or ""
    if "code" in named:
        return next((e.id for e in atlas.editions_of_code(named["code"], reader.ui_language())), ""), path
    if edition := match_edition_id(library, named.get("edition", "")):
        return edition, path
    # An address without an edition may be a citation alone. Then the reader's own edition is meant.
    whole = request.path.strip("/")
    return (atlas.default_edition(reader.ui_language()).id, whole) if possible_paths(library, whole) else ("", path)


def _response_with_status(body: str | Response, status: int) -> Response:
    response = make_response(body)
    response.status_code = status
    if status == 503:
        response.headers["Retry-After"] = RETRY_SECONDS
    return response
