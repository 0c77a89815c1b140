"""The door: limits and names are looked at before Flask is, and a refusal has the headers of every other answer."""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from flask import Flask
from werkzeug.http import HTTP_STATUS_CODES

from app.front.common import STARTED, headers_of, told
from app.front.hosts import Application, Believed, Proxies, answers_to
from app.front.kept import Kept
from app.front.limits import Refusal, refused
from app.front.remembered import Remembered
from app.site import headers

CODES = {
    400: "bad_request",
    405: "method_not_allowed",
    411: "length_required",
    413: "body_too_long",
    414: "address_too_long",
    421: "misdirected",
    431: "headers_too_long",
}


class Front:
    """What a server serves: lets in what may come in to ``application``, and answers the rest itself.

    ``origin``: the one address of the site, ``https://laws.example``, or empty where it answers to any name.
    """

    def __init__(self, application: Application, logger: logging.Logger, origin: str = ""):
        self._application, self._logger, self._origin = application, logger, origin

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """The answer of the application, or a refusal."""
        environ[STARTED] = time.perf_counter()
        if found := refused(environ) or self._misdirected(environ):
            return self._refuse(found, environ, start_response)
        return self._application(environ, start_response)

    def _misdirected(self, environ: dict[str, Any]) -> Refusal | None:
        host = environ.get("HTTP_HOST", "")
        if answers_to(host, self._origin):
            return None
        if self._origin and answers_to(host, ""):
            return Refusal(421, f"This is {self._origin}.")
        return Refusal(400, "Host names the site that is asked.")

    def _refuse(self, found: Refusal, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        body, kind = _body(found, headers.is_api(path))
        said = {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            "Cache-Control": "no-store",
            # What is left of the request is not read: nothing that follows it on this connection is one.
            "Connection": "close",
            **dict(headers_of(environ, self._origin)),
            **found.headers,
        }
        status = f"{found.status} {HTTP_STATUS_CODES[found.status]}"
        start_response(status, list(said.items()))
        told(self._logger, environ, status)
        return [b"" if environ.get("REQUEST_METHOD") == "HEAD" else body]


def _body(found: Refusal, as_object: bool) -> tuple[bytes, str]:
    """The sentence for who asked, or the error object of the API; and its type."""
    if not as_object:
        return f"{found.message}\n".encode(), "text/plain; charset=utf-8"
    said = {"error": {"code": CODES[found.status], "message": found.message}}
    return (json.dumps(said, ensure_ascii=False) + "\n").encode(), "application/json"


def front(app: Flask) -> Application:
    """The application as a server serves it. ``LEXBRIDGE_PROXY``: whose word on who asked is taken.

    Raises :class:`app.front.hosts.ProxyError`.
    """
    proxies = Proxies.read(os.environ.get("LEXBRIDGE_PROXY", ""))
    state, origin = app.extensions["lexbridge"], app.config["ORIGIN"]
    tell = partial(told, app.logger)
    remembered = Remembered(app, state, bool(origin), tell)
    return Believed(Front(Kept(remembered, state, origin, tell), app.logger, origin), proxies)
