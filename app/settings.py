"""The reader's choices (theme, size, language): the address that stores them, and the style sheet for them."""

from __future__ import annotations

from urllib.parse import parse_qsl, unquote, urlsplit

from flask import Blueprint, Response, abort, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from app.site import addresses, http, reader
from app.site.snapshot import current_snapshot
from corpus.generation import StoreError

blueprint = Blueprint("settings", __name__)


@blueprint.post("/settings")
@reader.for_programs
def settings() -> BaseResponse:
    """Store ``theme``, ``size``, ``ui`` and ``code`` of the form if they are valid, and redirect to the page that the
    reader came from.

    Only a form or a script of the site itself may do that: no other site changes what its visitors chose here.
    """
    if not _is_from_this_site():
        abort(403)
    asked = request.form.get("ui")
    language = asked if asked in reader.LANGUAGES else None
    code = request.form.get(reader.CODE_COOKIE)
    code = code if code in _known_codes() else None
    choices = http.valid_choices(request.form) | ({"ui": language} if language else {})
    choices |= {reader.CODE_COOKIE: code} if code else {}
    response = http.set_choice_cookies(redirect(_return_address(language, code), 303), choices)
    response.headers["Cache-Control"] = "private, no-store"
    return response


@blueprint.get("/look.css")
@reader.for_programs
def look_stylesheet() -> Response:
    """Return the style sheet of this reader's choices, for pages without JavaScript."""
    response = Response(http.stylesheet_for_choices(request.cookies), mimetype="text/css")
    response.headers["Cache-Control"] = "private, no-cache"
    response.vary.add("Cookie")
    return response


def _is_from_this_site() -> bool:
    """Whether a page of this site sent the request, as its browser says. What a page of another site cannot change
    decides: ``Sec-Fetch-Site``, else ``Origin``, else the referrer.
    """
    if site := request.headers.get("Sec-Fetch-Site"):
        return site == "same-origin"
    return _is_own(request.headers.get("Origin") or request.referrer or "")


def _is_own(url: str) -> bool:
    """Whether a URL has an origin of this site."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return f"{parts.scheme}://{parts.netloc}" in (addresses.origin(), request.host_url.rstrip("/"))


def _known_codes() -> tuple[str, ...]:
    try:
        return current_snapshot().atlas.codes
    except StoreError:
        return ()


def _return_address(language: str | None, code: str | None) -> str:
    """Return the address of the page of this site that the reader came from, else of the home page. ``language``: the
    language that it gets; None leaves it as it was. A chosen ``code`` takes the place of that of the address.
    """
    referrer, chosen = request.referrer or "", ("ui", language)
    if not _is_own(referrer) or (path := unquote(urlsplit(referrer).path)) == request.path:
        return addresses.build_address("", [chosen])
    gone = {name for name, value in (("ui", language), (reader.CODE_COOKIE, code)) if value}
    query = parse_qsl(urlsplit(referrer).query, keep_blank_values=True)
    return addresses.build_address(path, [*((k, v) for k, v in query if k not in gone), chosen])
