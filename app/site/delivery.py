"""How answers leave the house: static files by digest, headers, compression, one line in the log."""

from __future__ import annotations

import gzip
import hashlib
import time
from functools import lru_cache
from pathlib import Path

from flask import Flask, Response, abort, g, request

from app.site import addresses, look, reader

STATIC = Path(__file__).parent / "static"
TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
# No inline script or style anywhere: what is not from this host does not run.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'"
)


def init_app(app: Flask) -> None:
    """Static files, headers and the log line."""

    @app.before_request
    def start():
        g.started = time.perf_counter()

    @app.get("/static/<name>")
    @reader.for_programs
    def static(name: str):
        body = content(name)
        if body is None:
            abort(404)
        response = Response(body, content_type=TYPES[Path(name).suffix])
        known = request.args.get("v") == digest(name)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable" if known else "public, max-age=300"
        return response

    # The last that is named here is asked first: the line tells the status that leaves the house.
    app.after_request(_log(app))
    app.after_request(_headers)


def content(name: str) -> bytes | None:
    """A file of the site; None where there is none of that name."""
    path = STATIC / name
    if path.suffix not in TYPES or path.parent != STATIC or not path.is_file():
        return None
    return look.sheet().encode() if path == look.SHEET else path.read_bytes()


@lru_cache
def digest(name: str) -> str:
    """The part of an asset's address that changes with its content."""
    body = content(name)
    return hashlib.sha256(body).hexdigest()[:10] if body is not None else ""


def asset(name: str) -> str:
    """The address of a file of the site, new whenever its content is."""
    return addresses.static(name, digest(name))


def _headers(response: Response) -> Response:
    response.headers.setdefault("Content-Security-Policy", POLICY)
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "same-origin")
    if response.mimetype == "text/html":
        # With a language in its address a page is the same for everybody; without, it is a reader's own.
        same = reader.named() and response.status_code < 500
        response.headers.setdefault("Cache-Control", "public, no-cache" if same else "private, no-cache")
        if not reader.named():
            response.vary.update(("Cookie", "Accept-Language"))
    return _compressed(response)


def _compressed(response: Response) -> Response:
    kind = response.mimetype or ""
    text = kind.startswith("text/") or kind.endswith(("json", "+xml"))
    if response.status_code != 200 or not text or response.direct_passthrough or "Content-Encoding" in response.headers:
        return response
    response.vary.add("Accept-Encoding")
    body = response.get_data()
    if request.method == "GET":
        response.set_etag(hashlib.sha256(body).hexdigest()[:20], weak=True)
        if response.make_conditional(request).status_code == 304:
            return response
    if len(body) > 500 and request.accept_encodings["gzip"] > 0:
        response.set_data(gzip.compress(body, 6, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
    return response


def _log(app: Flask):
    def line(response: Response) -> Response:
        # What a person searched for and who they are stay out of the log.
        ms = (time.perf_counter() - g.get("started", time.perf_counter())) * 1000
        path = request.path.encode("unicode_escape").decode("ascii")[:200]
        app.logger.info("%s %s %s %.0f ms", request.method, path, response.status_code, ms)
        return response

    return line
