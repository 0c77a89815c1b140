"""When something is not there: a page that helps on for people, ``{"error": …}`` for programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from flask import Flask, Response, jsonify, make_response, request
from markupsafe import escape
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as BaseResponse

from app.site import reader
from app.site.asked import cited
from app.site.atlas import Atlas
from app.site.page import Page
from app.site.searching import SearchMissingError
from app.site.state import current
from corpus import address
from corpus.edition.identity import Identity
from corpus.library import Library
from corpus.model import Node
from corpus.store import StoreError


@dataclass(frozen=True)
class Ways:
    """What the reader may have wanted: ``asked`` of an ``edition``, the ``nearest`` provision, the same in
    ``others``.
    """

    edition: Identity | None
    asked: str
    nearest: Node | None
    others: list[tuple[Identity, Node]]


@dataclass(frozen=True)
class ErrorPage(Page):
    """``status`` of the answer; ``message``: what to do, from the house itself; ``ways`` on, where some can be
    guessed.
    """

    template: ClassVar[str] = "error.html"
    status: int
    message: str = ""
    ways: Ways | None = None


def init_app(app: Flask) -> None:
    """One handler for each way to fail."""
    app.register_error_handler(HTTPException, http_error)
    app.register_error_handler(SearchMissingError, search_missing)
    app.register_error_handler(StoreError, corpus_missing)
    app.register_error_handler(Exception, lambda error: crashed(app, error))


def http_error(error: HTTPException) -> BaseResponse:
    """404, 405, 400 and their like."""
    status = error.code or 500
    if isinstance(error.response, BaseResponse) and status < 400:
        return error.response
    response = as_json(status, error.description or error.name) if wants_json() else _page(status)
    for name, value in error.get_headers():
        if name.lower() == "allow":
            response.headers["Allow"] = value
    return response


def search_missing(error: SearchMissingError) -> Response:
    """The index is missing or damaged: the one 503 of the site."""
    if wants_json():
        return as_json(503, str(error))
    return _response(ErrorPage(503, str(error)).render(), 503)


def corpus_missing(error: StoreError) -> Response:
    """Nothing was built yet."""
    if wants_json():
        return as_json(503, str(error))
    return _response(f"<!doctype html><title>503</title><h1>503</h1><p>{escape(str(error))}</p>", 503)


def crashed(app: Flask, error: Exception) -> Response:
    """A fault of ours: in the log with its trace, on the page without."""
    path = request.path.encode("unicode_escape").decode("ascii")[:200]
    app.logger.error("unhandled: %s", path, exc_info=error)
    if wants_json():
        return as_json(500, "Something is wrong on our side.")
    return _response("<!doctype html><title>500</title><h1>500</h1>", 500)


def wants_json() -> bool:
    """Programs are answered in their own tongue."""
    return request.path.startswith("/api/")


def as_json(status: int, message: str) -> Response:
    """The error object of the API."""
    names = {400: "bad_request", 404: "not_found", 405: "method_not_allowed", 503: "index_missing"}
    return _response(jsonify({"error": {"code": names.get(status, f"http_{status}"), "message": message}}), status)


def _page(status: int) -> Response:
    """The error page, with the ways on that can be guessed from the address."""
    return _response(ErrorPage(status, ways=_ways() if status == 404 else None).render(), status)


def _ways() -> Ways | None:
    """What the reader may have wanted: the nearest provision, the same in other editions, the contents."""
    try:
        library, atlas = current().library, current().atlas
    except StoreError:
        return None
    edition, path = _asked(library, atlas)
    path = path.strip("/")[:200]
    read = path if address.is_path(path) else next(iter(cited(library, path)), "")
    here = library.editions.get(edition)
    # The points of decisions have numbers of their own: the law that is cited says nothing of them.
    nearest = library.enclosing(edition, read) if here and read and not here.is_decisions else None
    others = [(e, n) for e in atlas.library.codes if read and e.id != edition and (n := library.node(e.id, read))]
    return Ways(here, path, nearest, others)


def _asked(library: Library, atlas: Atlas) -> tuple[str, str]:
    """The edition and the path that the address was about; empty where it names none."""
    whole = request.path.strip("/")
    first, _, rest = whole.partition("/")
    if first == "compare":
        return "", rest
    if first == "id":
        code, _, path = rest.partition("/")
        return next((e.id for e in atlas.of_code(code, reader.ui())), ""), path
    if first in ("card", "cite", "net", "peek", "scan", "changes"):
        first, _, rest = rest.partition("/")
    elif cited(library, whole):
        return atlas.home_edition(reader.ui()).id, whole
    return first.lower(), rest


def _response(body: str | Response, status: int) -> Response:
    response = make_response(body)
    response.status_code = status
    return response
