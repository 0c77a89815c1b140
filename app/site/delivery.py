"""How answers leave the house: static files by digest, headers, compression, one line in the log."""

from __future__ import annotations

import hashlib
import logging
import re
import time
from base64 import b64encode
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path

from flask import Flask, Response, abort, current_app, g, request

from app.site import addresses, headers, look, origin, reader
from app.site.atlas import Atlas
from app.site.kept import answer
from app.site.kept.coded import compressed, taken
from app.site.kept.frame import fill
from app.site.kept.pack import Packs
from app.site.state import current
from corpus.store import StoreError

STATIC = Path(__file__).parent / "static"
TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
# Read once: a name with a digest gives what had that digest, whatever becomes of the file under a running server.
FILES = {path.name: path.read_bytes() for path in sorted(STATIC.iterdir()) if path.suffix in TYPES}
FILES[look.SHEET.name] = look.sheet().encode()
QUIET = "lexbridge.quiet"  # in the environment of a request that is nobody's
SHORT = 500  # bytes: what is shorter does not get much shorter
NAMED = re.compile(r"(?P<stem>[\w-]+)\.(?P<digest>[0-9a-f]{10})(?P<kind>\.\w+)")


def init_app(app: Flask) -> None:
    """Static files, headers and the log line."""

    @app.before_request
    def start():
        g.started = time.perf_counter()
        # A browser asks before it asks the API for another site: the answer is in the headers.
        if request.method == "OPTIONS" and headers.is_api(request.path):
            return Response(status=204)
        return None

    @app.get("/static/<name>")
    @reader.for_programs
    def static(name: str):
        return _static(name)

    app.before_request(_kept)
    # The last that is named here is asked first: the line tells the status that leaves the house.
    app.after_request(_log(app))
    app.after_request(_headers)


def _kept() -> Response | None:
    """The page that is kept for this address, if its reader is not led elsewhere."""
    if request.method not in ("GET", "HEAD") or not {*request.args} <= {"ui"} or "state" not in g:
        return None
    pack = _packs().of(reader.ui())
    page = pack.page(request.path) if pack and not reader.elsewhere() else None
    return Response(fill(page, {"origin": addresses.origin()}), mimetype="text/html") if page else None


def _packs() -> Packs:
    try:
        return current().packs
    except StoreError:
        return Packs()


def stored(app: Flask) -> list[Callable[[Atlas], Iterable[str]]]:
    """What each room says of its pages: the addresses of those that are made when the generation is built."""
    return app.extensions.setdefault("lexbridge.stored", [])


def _static(name: str) -> Response:
    """A file by its name, or by its name with the digest of what is in it, which is never another file's."""
    named = NAMED.fullmatch(name)
    plain = f"{named['stem']}{named['kind']}" if named else name
    if plain not in FILES or (named and named["digest"] != digest(plain)):
        abort(404)
    response = Response(FILES[plain], content_type=TYPES[Path(plain).suffix])
    response.headers["Cache-Control"] = "public, max-age=31536000, immutable" if named else "public, max-age=300"
    return response


@lru_cache
def digest(name: str) -> str:
    """The part of a file's address that changes with its content."""
    return hashlib.sha256(FILES[name]).hexdigest()[:10]


@lru_cache
def integrity(name: str) -> str:
    """What a browser holds a script or a stylesheet to before it runs it: ``sha384-…``."""
    return "sha384-" + b64encode(hashlib.sha384(FILES[name]).digest()).decode("ascii")


def asset(name: str) -> str:
    """The address of a file of the site by its name, new whenever its content is."""
    return addresses.static(name, digest(name))


def _headers(response: Response) -> Response:
    secure = origin.is_secure(request.scheme, current_app.config["ORIGIN"])
    for name, value in headers.headers(request.path, secure).items():
        response.headers.setdefault(name, value)
    # What says nothing of its own is the same for all where its language is in its address, or programs ask it.
    ours = "Cache-Control" not in response.headers
    same = bool(reader.named()) or reader.asks_a_program()
    if ours:
        found = answer.PUBLIC if response.status_code == 200 else answer.ANEW
        response.headers["Cache-Control"] = found if same and response.status_code < 500 else answer.PRIVATE
    if response.mimetype == "text/html" and not reader.named():
        response.vary.update(answer.BY_READER)
    return _coded(response, ours and same)


def _coded(response: Response, of_generation: bool) -> Response:
    """Compressed as the reader takes it, with a tag: by what it was asked of a generation, else by its content."""
    kind = response.mimetype or ""
    text = kind.startswith("text/") or kind.endswith(("json", "+xml"))
    if response.status_code != 200 or not text or response.direct_passthrough or "Content-Encoding" in response.headers:
        return response
    response.vary.add("Accept-Encoding")
    body, coding = response.get_data(), taken(request.headers.get("Accept-Encoding", ""))
    if "snapshot" in g and of_generation:
        asked = f"{request.path}?{request.query_string.decode('latin-1')}"
        response.headers["ETag"] = answer.tag(current().name, asked, coding)
    else:
        response.set_etag(hashlib.sha256(body).hexdigest()[:20], weak=True)
    if response.make_conditional(request).status_code == 304:
        return response
    if len(body) > SHORT and coding:
        response.set_data(compressed(body, coding))
        response.headers["Content-Encoding"] = coding
    return response


def _log(app: Flask):
    def line(response: Response) -> Response:
        if QUIET in request.environ:  # the house asks itself
            return response
        log(app.logger, request.method, request.path, response.status_code, g.get("started", time.perf_counter()))
        return response

    return line


def log(logger: logging.Logger, method: str, path: str, status: int, started: float) -> None:
    """One line of a request, ``started`` by the performance counter: who asked, and what for, stays out of it."""
    ms = (time.perf_counter() - started) * 1000
    shown = path.encode("unicode_escape").decode("ascii")[:200]
    logger.info("%s %s %s %.0f ms", method[:20], shown, status, ms)
