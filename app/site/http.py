"""A generation is asked what readers will ask before it is taken: the first of them does not wait, and it is proved."""

from __future__ import annotations

import hashlib
import logging
import re
import time
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache as cached
from functools import lru_cache
from pathlib import Path

from flask import Flask, Response, abort, current_app, g, request
from werkzeug.wrappers import Response as BaseResponse

from app.site import addresses, cache, reader
from app.site.atlas import Atlas
from app.site.cache import MadeBy, Packs, compressed, fill, taken
from app.site.state import ASKED_OF, Snapshot, current
from corpus.generation import StoreError

NAME = "LEXBRIDGE_URL"
_ORIGIN = re.compile(r"https?://(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?", re.IGNORECASE)


class OriginError(ValueError):
    """What is set is not an origin."""


def read(text: str) -> str:
    """The origin that a setting names, empty where it names none; a stroke at its end is dropped.

    >>> read("https://laws.example/")
    'https://laws.example'
    """
    asked = text.strip().removesuffix("/").lower()
    if asked and not _ORIGIN.fullmatch(asked):
        raise OriginError(
            f"{NAME}={text!r} does not say where the site is. Give scheme and host alone, like https://laws.example."
        )
    return asked


def is_secure(scheme: str, origin: str) -> bool:
    """Whether readers reach the site by https: a request by this ``scheme`` did, or the site's own address says so."""
    return scheme == "https" or origin.startswith("https:")


# No inline script or style anywhere: what is not from this host does not run.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'"
)
# What the site never asks a browser for, so that nothing that got onto a page could.
UNUSED = (
    "accelerometer", "autoplay", "camera", "display-capture", "encrypted-media", "fullscreen", "geolocation",
    "gyroscope", "hid", "idle-detection", "local-fonts", "magnetometer", "microphone", "midi", "payment",
    "picture-in-picture", "publickey-credentials-get", "screen-wake-lock", "serial", "usb", "xr-spatial-tracking",
)  # fmt: skip
ALWAYS: dict[str, str] = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Permissions-Policy": ", ".join(f"{name}=()" for name in UNUSED),
}
RESOURCE = "Cross-Origin-Resource-Policy"
# What pages of other sites may load: data, the script that links citations there, and what that shows.
SHARED = ("/api/", "/peek/", "/link.js")
# Two years: what browsers ask for before they take a host into the list that they are delivered with.
TRANSPORT = {"Strict-Transport-Security": "max-age=63072000; includeSubDomains"}
# Any site may ask the API, without cookies: it knows nobody.
ANYBODY = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
    "Access-Control-Allow-Headers": "Accept, Accept-Language, Content-Type, If-None-Match",
    "Access-Control-Expose-Headers": "ETag",
    "Access-Control-Max-Age": "86400",
}


def headers(path: str, secure: bool) -> dict[str, str]:
    """What stands on the answer of an address; ``secure``: the site is reached by https.

    >>> headers("/pl-2007/16", False)["Cross-Origin-Resource-Policy"], headers("/api/v1/search", True).keys() > {
    ...     "Access-Control-Allow-Origin", "Strict-Transport-Security"}
    ('same-origin', True)
    """
    return _security_headers(path.startswith(SHARED), is_api(path), secure)


def _security_headers(shared: bool, api: bool, secure: bool) -> dict[str, str]:
    return {
        **ALWAYS,
        RESOURCE: "cross-origin" if shared else "same-origin",
        **(TRANSPORT if secure else {}),
        **(ANYBODY if api else {}),
    }


def ready_headers(path: str, secure: bool) -> list[tuple[str, str]]:
    """The same as a list, made once for all addresses that have the same."""
    return _listed(path.startswith(SHARED), is_api(path), secure)


@cached
def _listed(shared: bool, api: bool, secure: bool) -> list[tuple[str, str]]:
    return [*_security_headers(shared, api, secure).items()]


def is_api(path: str) -> bool:
    """Whether programs ask this address: its errors are objects, and any site may ask."""
    return path.startswith("/api/")


FOLDER = Path(__file__).parent / "looks"
SHEET = Path(__file__).parent / "static" / "site.css"
# What can be chosen, by the name of its cookie; the first is how the site looks without a choice, and has no file.
THEMES: tuple[str, ...] = ("auto", "light", "dark", "contrast")
SIZES: tuple[str, ...] = ("normal", "large")
LOOKS = {"theme": THEMES, "size": SIZES}
PAPER = "light"  # the look of who chose none, and asks his browser for none of these
BY_BROWSER = {"(prefers-color-scheme: dark)": "dark", "(prefers-contrast: more)": "more"}
_YEAR = 365 * 24 * 3600


@lru_cache(1)
def sheet() -> str:
    """The style sheet of the site, with every look."""
    asked = [f"@media {query} {{ {_written(file, 'theme')} }}" for query, file in BY_BROWSER.items()]
    looks = [_written(value, name, value) for name, values in LOOKS.items() for value in values[1:]]
    return "\n".join([_written(PAPER), *asked, *looks, SHEET.read_text(encoding="utf-8")])


def chosen(said: Mapping[str, str]) -> dict[str, str]:
    """Of an address's query or a browser's cookies what chooses a look that there is."""
    return {name: value for name, values in LOOKS.items() if (value := said.get(name)) in values}


def sheet_of(said: Mapping[str, str]) -> str:
    """The looks that cookies choose, for a page without JavaScript; what is chosen is marked among the choices."""
    rules = []
    for name, value in chosen(said).items():
        if value != LOOKS[name][0]:
            rules.append(_written(value, name))
        rules.append(f'.looks a[data-look="{name}={value}"] {{ background: var(--ink); color: var(--paper) }}')
    return "\n".join(rules)


def remember(response: BaseResponse, said: Mapping[str, str]) -> BaseResponse:
    """Set a cookie for each choice; a script reads them, and none of them tells who the reader is."""
    secure = is_secure(request.scheme, current_app.config["ORIGIN"])
    for name, value in said.items():
        response.set_cookie(name, value, max_age=_YEAR, samesite="Lax", secure=secure)
    return response


@lru_cache
def _written(file: str, name: str = "", value: str = "") -> str:
    """The rules of a look: where ``name`` has the ``value``, or none; without a name, everywhere."""
    where = f":root[data-{name}={value}]" if value else f":root:not([data-{name}])" if name else ":root"
    return (FOLDER / f"{file}.css").read_text(encoding="utf-8").strip().replace(":root", where)


STATIC = Path(__file__).parent / "static"
TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
# Read once: a name with a digest gives what had that digest, whatever becomes of the file under a running server.
FILES = {path.name: path.read_bytes() for path in sorted(STATIC.iterdir()) if path.suffix in TYPES}
FILES[SHEET.name] = sheet().encode()
QUIET = "lexbridge.quiet"  # in the environment of a request that is nobody's
SHORT = 500  # bytes: what is shorter does not get much shorter
NAMED = re.compile(r"(?P<stem>[\w-]+)\.(?P<digest>[0-9a-f]{10})(?P<kind>\.\w+)")


def init_app(app: Flask) -> None:
    """Static files, headers and the log line."""

    @app.before_request
    def start():
        g.started = time.perf_counter()
        # A browser asks before it asks the API for another site: the answer is in the headers.
        if request.method == "OPTIONS" and is_api(request.path):
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
    secure = is_secure(request.scheme, current_app.config["ORIGIN"])
    for name, value in headers(request.path, secure).items():
        response.headers.setdefault(name, value)
    # What says nothing of its own is the same for all where its language is in its address, or programs ask it.
    ours = "Cache-Control" not in response.headers
    same = bool(reader.named()) or reader.asks_a_program()
    if ours:
        found = cache.PUBLIC if response.status_code == 200 else cache.ANEW
        response.headers["Cache-Control"] = found if same and response.status_code < 500 else cache.PRIVATE
    if response.mimetype == "text/html" and not reader.named():
        response.vary.update(cache.BY_READER)
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
        response.headers["ETag"] = cache.tag(current().name, asked, coding)
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


ROOT = Path(__file__).parents[2]


def made_by(app: Flask) -> MadeBy:
    """What pages of this site are made by."""
    return MadeBy(app.config["ORIGIN"] or "", _code())


@lru_cache
def _code() -> str:
    """The digest of the code that draws a page, and of its templates, words and files; as it was at the start."""
    drawn = (p for p in (ROOT / "app").rglob("*") if p.suffix not in (".py", ".pyc", ".po") and p.is_file())
    code = (p for floor in ("app", "corpus", "index") for p in (ROOT / floor).rglob("*.py"))
    out = hashlib.sha256()
    for path in sorted((*drawn, *code)):
        out.update(f"{path.relative_to(ROOT)} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return out.hexdigest()


ASKED = "revoke renons"


def warm_up(app: Flask) -> Callable[[Snapshot], None]:
    """Asks a snapshot through the site; raises :class:`corpus.store.StoreError` when it does not answer."""

    def ask(snapshot: Snapshot) -> None:
        client, asked_of = app.test_client(), [snapshot]
        with app.test_request_context():
            wanted = [*_asked(snapshot)]
        try:
            for address in wanted:
                response = client.get(address, environ_overrides={ASKED_OF: asked_of, QUIET: True})
                if response.status_code != 200:
                    raise StoreError(f"{snapshot.digest} answers {response.status} at {address}. Run: lexbridge build")
        finally:
            # An environment stands in a circle with its request, which would hold the snapshot for good.
            asked_of.clear()

    return ask


def _asked(snapshot: Snapshot) -> Iterator[str]:
    """Addresses of every kind that has something to work out; asked within a request, as addresses are."""
    library = snapshot.library
    yield addresses.search(ASKED)
    yield addresses.situations(ASKED)
    for edition in library.editions:
        if laws := library.laws(edition):
            # Not as it is kept, so that it is drawn.
            yield addresses.law(laws[len(laws) // 2].id, decisions="0")
            yield addresses.data(laws[0].id)
    yield addresses.health()
