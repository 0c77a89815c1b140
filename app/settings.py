"""Choices that are remembered: set by an address, without a page of their own."""

from __future__ import annotations

from urllib.parse import parse_qsl, unquote, urlsplit

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from app.site import addresses, http, reader

blueprint = Blueprint("settings", __name__)
REDIRECTED_METHODS = ("GET", "HEAD")


@blueprint.get("/settings")
@reader.for_programs
def settings() -> BaseResponse:
    """Remembers ``?theme=``, ``?size=``, ``?ui=`` as far as there are such, and leads back to where one came from."""
    language = reader.language_in_address()
    said = http.valid_choices(request.args) | ({"ui": language} if language else {})
    return _redirect_with_cookies(_return_address(language), said)


@blueprint.get("/look.css")
@reader.for_programs
def look_stylesheet() -> Response:
    """What this reader chose, for pages without JavaScript."""
    response = Response(http.stylesheet_for_choices(request.cookies), mimetype="text/css")
    response.headers["Cache-Control"] = "private, no-cache"
    response.vary.add("Cookie")
    return response


@blueprint.before_app_request
def store_choices_from_query() -> BaseResponse | None:
    """A theme or a size in the address of a page is remembered, and the page has one address."""
    said = http.valid_choices(request.args)
    if not said or request.method not in REDIRECTED_METHODS or request.endpoint is None or reader.is_for_programs():
        return None
    return _redirect_with_cookies(addresses.add_request_query(addresses.build_address(request.path)), said)


def _redirect_with_cookies(address: str, said: dict[str, str]) -> BaseResponse:
    response = http.set_choice_cookies(redirect(address, 303), said)
    response.headers["Cache-Control"] = "private, no-store"
    return response


def _return_address(language: str | None) -> str:
    """The page of this site from which one came, in the language chosen, if one was; else the first page."""
    try:
        came = urlsplit(request.referrer or "")
    except ValueError:
        came = urlsplit("")
    path, chosen = unquote(came.path), ("ui", language)
    ours = (addresses.origin(), request.host_url.rstrip("/"))
    if f"{came.scheme}://{came.netloc}" not in ours or path == request.path:
        return addresses.build_address("", [chosen])
    query = parse_qsl(came.query, keep_blank_values=True)
    return addresses.build_address(path, [*((k, v) for k, v in query if not (language and k == "ui")), chosen])
