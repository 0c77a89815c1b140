"""Choices that are remembered: set by an address, without a page of their own."""

from __future__ import annotations

from urllib.parse import parse_qsl, unquote, urlsplit

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from app.site import addresses, http, reader

blueprint = Blueprint("settings", __name__)
LED = ("GET", "HEAD")


@blueprint.get("/settings")
@reader.for_programs
def settings() -> BaseResponse:
    """Remembers ``?theme=``, ``?size=``, ``?ui=`` as far as there are such, and leads back to where one came from."""
    language = reader.named()
    said = http.chosen(request.args) | ({"ui": language} if language else {})
    return _remembered(_back(language), said)


@blueprint.get("/look.css")
@reader.for_programs
def looks() -> Response:
    """What this reader chose, for pages without JavaScript."""
    response = Response(http.sheet_of(request.cookies), mimetype="text/css")
    response.headers["Cache-Control"] = "private, no-cache"
    response.vary.add("Cookie")
    return response


@blueprint.before_app_request
def out_of_the_address() -> BaseResponse | None:
    """A theme or a size in the address of a page is remembered, and the page has one address."""
    said = http.chosen(request.args)
    if not said or request.method not in LED or request.endpoint is None or reader.asks_a_program():
        return None
    return _remembered(addresses.asked_as(addresses.plain(request.path)), said)


def _remembered(address: str, said: dict[str, str]) -> BaseResponse:
    response = http.remember(redirect(address, 303), said)
    response.headers["Cache-Control"] = "private, no-store"
    return response


def _back(language: str | None) -> str:
    """The page of this site from which one came, in the language chosen, if one was; else the first page."""
    try:
        came = urlsplit(request.referrer or "")
    except ValueError:
        came = urlsplit("")
    path, chosen = unquote(came.path), ("ui", language)
    ours = (addresses.origin(), request.host_url.rstrip("/"))
    if f"{came.scheme}://{came.netloc}" not in ours or path == request.path:
        return addresses.plain("", [chosen])
    query = parse_qsl(came.query, keep_blank_values=True)
    return addresses.plain(path, [*((k, v) for k, v in query if not (language and k == "ui")), chosen])
