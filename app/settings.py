"""The reader's choices (theme, size, language): addresses that store them in cookies and have no page of their own."""

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
    """Store ``?theme=``, ``?size=`` and ``?ui=`` if they are valid, and redirect to the page that the reader came
    from.
    """
    language = reader.language_in_address()
    choices = http.valid_choices(request.args) | ({"ui": language} if language else {})
    return _redirect_with_cookies(_return_address(language), choices)


@blueprint.get("/look.css")
@reader.for_programs
def look_stylesheet() -> Response:
    """Return the style sheet of this reader's choices, for pages without JavaScript."""
    response = Response(http.stylesheet_for_choices(request.cookies), mimetype="text/css")
    response.headers["Cache-Control"] = "private, no-cache"
    response.vary.add("Cookie")
    return response


@blueprint.before_app_request
def store_choices_from_query() -> BaseResponse | None:
    """Store a theme or size from the address of a page, and redirect to the page's plain address."""
    choices = http.valid_choices(request.args)
    if not choices or request.method not in REDIRECTED_METHODS or request.endpoint is None or reader.is_for_programs():
        return None
    return _redirect_with_cookies(addresses.add_request_query(addresses.build_address(request.path)), choices)


def _redirect_with_cookies(address: str, said: dict[str, str]) -> BaseResponse:
    response = http.set_choice_cookies(redirect(address, 303), said)
    response.headers["Cache-Control"] = "private, no-store"
    return response


def _return_address(language: str | None) -> str:
    """Return the address of the page of this site that the reader came from, else of the home page. ``language``: the
    language that it gets; None leaves it as it was.
    """
    try:
        referrer = urlsplit(request.referrer or "")
    except ValueError:
        referrer = urlsplit("")
    path, chosen = unquote(referrer.path), ("ui", language)
    own_origins = (addresses.origin(), request.host_url.rstrip("/"))
    if f"{referrer.scheme}://{referrer.netloc}" not in own_origins or path == request.path:
        return addresses.build_address("", [chosen])
    query = parse_qsl(referrer.query, keep_blank_values=True)
    return addresses.build_address(path, [*((k, v) for k, v in query if not (language and k == "ui")), chosen])
