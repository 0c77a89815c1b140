"""What every request and answer gets: headers, static files, themes, compression, ETags, the log line.

Entry points:

- :func:`init_app` registers the hooks on the application.
- :func:`parse_origin` reads the setting of the site's origin.
- :func:`response_headers` gives the headers of an answer; :func:`response_header_list` serves ``app.middleware``.
- :func:`asset_address` and :func:`file_integrity` are for templates.
- :func:`page_version_of` says what prerendered pages depend on.
- :func:`make_warm_up` requests pages from a generation before it is served. So the first reader does not wait, and a
  broken generation is refused.
"""

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
from app.site.cache import PagePacks, PageVersion, compress_on_demand, fill_placeholders, negotiate_coding
from app.site.snapshot import SNAPSHOT_KEY, Snapshot, current_snapshot
from corpus.generation import StoreError

# -- The origin of the site ---

ORIGIN_VARIABLE = "LEXBRIDGE_URL"
_ORIGIN_PATTERN = re.compile(r"https?://(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?", re.IGNORECASE)


class OriginError(ValueError):
    """The setting is not an origin."""


def parse_origin(text: str) -> str:
    """Return the origin that a setting names, or "" when it is empty. A slash at its end is dropped.

    Raises :class:`OriginError` when the setting is not an origin.

    >>> parse_origin("https://laws.example/")
    'https://laws.example'
    """
    asked = text.strip().removesuffix("/").lower()
    if asked and not _ORIGIN_PATTERN.fullmatch(asked):
        raise OriginError(
            f"{ORIGIN_VARIABLE}={text!r} does not say where the site is. Give scheme and host alone, like https://laws.example."
        )
    return asked


def is_secure(scheme: str, origin: str) -> bool:
    """Whether readers reach the site by https: this request came by it (``scheme``), or the site's origin says so."""
    return scheme == "https" or origin.startswith("https:")


# -- Headers of every answer ---

# Pages have no inline script or style. So only files of this host may run.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'"
)
# Features that pages of this site alone use: a spoken question, a screen that stays on, and one without frames.
OWN_BROWSER_FEATURES = ("fullscreen", "microphone", "screen-wake-lock")
# Features that the site never uses. They are denied, so that an injected script could not use them either.
DENIED_BROWSER_FEATURES = (
    "accelerometer", "autoplay", "camera", "display-capture", "encrypted-media", "geolocation",
    "gyroscope", "hid", "idle-detection", "local-fonts", "magnetometer", "midi", "payment",
    "picture-in-picture", "publickey-credentials-get", "serial", "usb", "xr-spatial-tracking",
)  # fmt: skip
COMMON_HEADERS: dict[str, str] = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Permissions-Policy": ", ".join(
        [f"{name}=(self)" for name in OWN_BROWSER_FEATURES] + [f"{name}=()" for name in DENIED_BROWSER_FEATURES]
    ),
}
RESOURCE_POLICY_HEADER = "Cross-Origin-Resource-Policy"
# What pages of other sites may load: data, the script that links citations there, and the previews that it shows.
SHARED_PATH_PREFIXES = ("/api/", "/peek/", "/link.js")
# Two years: browsers require this before they add a host to their preload list.
HTTPS_HEADERS = {"Strict-Transport-Security": "max-age=63072000; includeSubDomains"}
# Any site may request the API, without cookies: the API has no users.
CORS_HEADERS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
    "Access-Control-Allow-Headers": "Accept, Accept-Language, Content-Type, If-None-Match",
    "Access-Control-Expose-Headers": "ETag",
    "Access-Control-Max-Age": "86400",
}


def response_headers(path: str, secure: bool) -> dict[str, str]:
    """Return the headers that the answer of an address always has. ``secure``: the site is reached by https.

    >>> response_headers("/pl-2007/16", False)["Cross-Origin-Resource-Policy"]
    'same-origin'
    >>> response_headers("/api/v1/search", True).keys() > {"Access-Control-Allow-Origin", "Strict-Transport-Security"}
    True
    """
    return _security_headers(path.startswith(SHARED_PATH_PREFIXES), is_api(path), secure)


def _security_headers(shared: bool, api: bool, secure: bool) -> dict[str, str]:
    return {
        **COMMON_HEADERS,
        RESOURCE_POLICY_HEADER: "cross-origin" if shared else "same-origin",
        **(HTTPS_HEADERS if secure else {}),
        **(CORS_HEADERS if api else {}),
    }


def response_header_list(path: str, secure: bool) -> list[tuple[str, str]]:
    """Return what :func:`response_headers` returns, as a list. It is made once for all addresses with the
    same headers.
    """
    return _cached_header_list(path.startswith(SHARED_PATH_PREFIXES), is_api(path), secure)


@cached
def _cached_header_list(shared: bool, api: bool, secure: bool) -> list[tuple[str, str]]:
    return [*_security_headers(shared, api, secure).items()]


def is_api(path: str) -> bool:
    """Whether an address is one of the API. Its errors are objects, and any site may request it."""
    return path.startswith("/api/")


# -- Themes and sizes ---

LOOKS_FOLDER = Path(__file__).parent / "looks"
SITE_STYLESHEET = Path(__file__).parent / "static" / "site.css"
# The choices, by the name of their cookie. The first of each is the look without a choice, and has no file.
THEMES: tuple[str, ...] = ("auto", "light", "dark", "contrast")
SIZES: tuple[str, ...] = ("normal", "large")
LOOKS = {"theme": THEMES, "size": SIZES}
DEFAULT_THEME = "light"  # for readers who chose none, and whose browser asks for none of the following
THEME_BY_MEDIA_QUERY = {"(prefers-color-scheme: dark)": "dark", "(prefers-contrast: more)": "more"}
LONGEST_CODE = 20  # characters of the name of a code, as a year
_YEAR_SECONDS = 365 * 24 * 3600


@lru_cache(1)
def combined_stylesheet() -> str:
    """Return the style sheet of the site, with every theme and size."""
    asked = [f"@media {query} {{ {_scoped_rules(file, 'theme')} }}" for query, file in THEME_BY_MEDIA_QUERY.items()]
    looks = [_scoped_rules(value, name, value) for name, values in LOOKS.items() for value in values[1:]]
    return "\n".join([_scoped_rules(DEFAULT_THEME), *asked, *looks, SITE_STYLESHEET.read_text(encoding="utf-8")])


def valid_choices(said: Mapping[str, str]) -> dict[str, str]:
    """Return ``theme`` and ``size`` → chosen value, for the known values in a query or in cookies (``said``)."""
    return {name: value for name, values in LOOKS.items() if (value := said.get(name)) in values}


def stylesheet_for_choices(said: Mapping[str, str]) -> str:
    """Return, as text, the style rules for the looks that cookies (``said``) choose, for a page without JavaScript.

    The links to the chosen looks are highlighted, too.
    """
    rules = []
    code = re.sub(r"\W", "", said.get(reader.CODE_COOKIE, ""))[:LONGEST_CODE]
    if code:
        rules.append(f'button[data-look="code={code}"] {{ background: var(--ink); color: var(--paper) }}')
    for name, value in valid_choices(said).items():
        if value != LOOKS[name][0]:
            rules.append(_scoped_rules(value, name))
        rules.append(f'button[data-look="{name}={value}"] {{ background: var(--ink); color: var(--paper) }}')
    return "\n".join(rules)


def set_choice_cookies(response: BaseResponse, choices: Mapping[str, str]) -> BaseResponse:
    """Set a cookie for each choice, and return the response. A script reads the cookies. None of them identifies the
    reader.

    ``choices``: name → value.
    """
    secure = is_secure(request.scheme, current_app.config["ORIGIN"])
    for name, value in choices.items():
        response.set_cookie(name, value, max_age=_YEAR_SECONDS, samesite="Lax", secure=secure)
    return response


@lru_cache
def _scoped_rules(file: str, name: str = "", value: str = "") -> str:
    """Return the rules of a theme or size file, scoped to pages on which ``name`` has the ``value``.

    Without a value: pages on which ``name`` has none. Without a name: all pages.
    """
    where = f":root[data-{name}={value}]" if value else f":root:not([data-{name}])" if name else ":root"
    return (LOOKS_FOLDER / f"{file}.css").read_text(encoding="utf-8").strip().replace(":root", where)


# -- Static files ---

STATIC_FOLDER = Path(__file__).parent / "static"
STATIC_CONTENT_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
# Read once: a name with a digest must give the same content, even when the file changes under a running server.
STATIC_FILES = {
    path.name: path.read_bytes() for path in sorted(STATIC_FOLDER.iterdir()) if path.suffix in STATIC_CONTENT_TYPES
}
STATIC_FILES[SITE_STYLESHEET.name] = combined_stylesheet().encode()
DIGEST_NAME_PATTERN = re.compile(r"(?P<stem>[\w-]+)\.(?P<digest>[0-9a-f]{10})(?P<kind>\.\w+)")


def _static_response(name: str) -> Response:
    """Return the answer with a static file, requested by its name or by its name with the digest of its content.

    A name with a digest never gives another content: a wrong digest is 404.
    """
    named = DIGEST_NAME_PATTERN.fullmatch(name)
    plain = f"{named['stem']}{named['kind']}" if named else name
    if plain not in STATIC_FILES or (named and named["digest"] != file_digest(plain)):
        abort(404)
    response = Response(STATIC_FILES[plain], content_type=STATIC_CONTENT_TYPES[Path(plain).suffix])
    response.headers["Cache-Control"] = "public, max-age=31536000, immutable" if named else "public, max-age=300"
    return response


@lru_cache
def file_digest(name: str) -> str:
    """Return the part of a static file's address that changes with its content: ten hexadecimal digits."""
    return hashlib.sha256(STATIC_FILES[name]).hexdigest()[:10]


@lru_cache
def file_integrity(name: str) -> str:
    """Return the hash against which a browser checks a script or a style sheet: ``sha384-…``."""
    return "sha384-" + b64encode(hashlib.sha384(STATIC_FILES[name]).digest()).decode("ascii")


def asset_address(name: str) -> str:
    """Return the address of a static file. It changes whenever the content does."""
    return addresses.static(name, file_digest(name))


# -- Handling of requests ---

UNLOGGED_KEY = "lexbridge.quiet"  # in the environment of a request that the application makes itself
MIN_COMPRESSED_BYTES = 500  # a shorter body does not get much shorter


def init_app(app: Flask) -> None:
    """Register static files, headers, prerendered pages and the log line."""

    @app.before_request
    def start_request():
        g.started = time.perf_counter()
        # The preflight request of a page on another site. The answer is in the headers.
        if request.method == "OPTIONS" and is_api(request.path):
            return Response(status=204)
        return None

    @app.get("/static/<name>")
    @reader.for_programs
    def static(name: str):
        return _static_response(name)

    app.before_request(_prerendered_response)
    # The hook that is registered last runs first. So the log line has the final status.
    app.after_request(_make_log_hook(app))
    app.after_request(_finish_response)


def _prerendered_response() -> Response | None:
    """Return the stored page of this address. None when there is none, or when its reader is redirected."""
    if request.method not in ("GET", "HEAD") or not {*request.args} <= {"ui"} or "state" not in g:
        return None
    pack = _current_packs().for_language(reader.ui_language())
    query, cookies = request.query_string.decode("latin-1"), request.headers.get("Cookie", "")
    led = reader.language_to_redirect_to() or reader.may_redirect_to_code(cookies, request.path, query)
    page = pack.decompressed_page(request.path) if pack and not led else None
    return Response(fill_placeholders(page, {"origin": addresses.origin()}), mimetype="text/html") if page else None


def _current_packs() -> PagePacks:
    try:
        return current_snapshot().packs
    except StoreError:
        return PagePacks()


def prerender_sources(app: Flask) -> list[Callable[[Atlas], Iterable[str]]]:
    """Return the list of functions that give the addresses to prerender, one for each kind of page that has some.

    The list belongs to the application; ``create_app`` fills it.
    """
    return app.extensions.setdefault("lexbridge.prerender_sources", [])


def _finish_response(response: Response) -> Response:
    secure = is_secure(request.scheme, current_app.config["ORIGIN"])
    for name, value in response_headers(request.path, secure).items():
        response.headers.setdefault(name, value)
    # An answer without its own ``Cache-Control`` is the same for all readers when its language is in its address, or
    # when programs request it.
    ours = "Cache-Control" not in response.headers
    same = bool(reader.language_in_address()) or reader.is_for_programs()
    if ours:
        found = cache.CACHE_PUBLIC if response.status_code == 200 else cache.CACHE_REVALIDATE
        response.headers["Cache-Control"] = found if same and response.status_code < 500 else cache.CACHE_PRIVATE
    if response.mimetype == "text/html" and not reader.language_in_address():
        response.vary.update(cache.VARY_BY_READER)
    return _compress_and_tag(response, ours and same)


def _compress_and_tag(response: Response, of_generation: bool) -> Response:
    """Compress an answer as the reader accepts it, give it an ETag, and return it.

    ``of_generation``: the answer depends on its address and the generation alone, so the ETag is made from these. Else
    it is made from the content.
    """
    kind = response.mimetype or ""
    text = kind.startswith("text/") or kind.endswith(("json", "+xml"))
    if response.status_code != 200 or not text or response.direct_passthrough or "Content-Encoding" in response.headers:
        return response
    response.vary.add("Accept-Encoding")
    body, coding = response.get_data(), negotiate_coding(request.headers.get("Accept-Encoding", ""))
    if "snapshot" in g and of_generation:
        asked = f"{request.path}?{request.query_string.decode('latin-1')}"
        response.headers["ETag"] = cache.make_etag(current_snapshot().version, asked, coding)
    else:
        response.set_etag(hashlib.sha256(body).hexdigest()[:20], weak=True)
    if response.make_conditional(request).status_code == 304:
        return response
    if len(body) > MIN_COMPRESSED_BYTES and coding:
        response.set_data(compress_on_demand(body, coding))
        response.headers["Content-Encoding"] = coding
    return response


def _make_log_hook(app: Flask):
    def log_response(response: Response) -> Response:
        if UNLOGGED_KEY in request.environ:
            return response
        log_request(
            app.logger, request.method, request.path, response.status_code, g.get("started", time.perf_counter())
        )
        return response

    return log_response


def log_request(logger: logging.Logger, method: str, path: str, status: int, started: float) -> None:
    """Write the log line of a request; ``started`` is a value of the performance counter.

    The line has neither the reader nor the query.
    """
    ms = (time.perf_counter() - started) * 1000
    logger.info("%s %s %s %.0f ms", method[:LONGEST_LOGGED_METHOD], loggable_path(path), status, ms)


# Characters of a log line: it stays one line of a terminal or two, whatever is requested.
LONGEST_LOGGED_METHOD, LONGEST_LOGGED_PATH = 20, 200


def loggable_path(path: str) -> str:
    """Return the path of a request in ASCII, without line breaks and not too long, for the log."""
    return path.encode("unicode_escape").decode("ascii")[:LONGEST_LOGGED_PATH]


# -- The version of prerendered pages ---

PROJECT_ROOT = Path(__file__).parents[2]


def page_version_of(app: Flask) -> PageVersion:
    """Return what the pages of this site depend on besides the texts."""
    return PageVersion(app.config["ORIGIN"] or "", _code_digest())


@lru_cache
def _code_digest() -> str:
    """Return the digest of the code that draws pages, and of its templates, words and files, as they were at the
    start.
    """
    drawn = (p for p in (PROJECT_ROOT / "app").rglob("*") if p.suffix not in (".py", ".pyc", ".po") and p.is_file())
    code = (p for floor in ("app", "corpus", "index") for p in (PROJECT_ROOT / floor).rglob("*.py"))
    out = hashlib.sha256()
    for path in sorted((*drawn, *code)):
        out.update(f"{path.relative_to(PROJECT_ROOT)} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return out.hexdigest()


# -- Warming up a generation ---

WARM_UP_QUERY = "revoke renons"


def make_warm_up(app: Flask) -> Callable[[Snapshot], None]:
    """Return a function that requests pages of every kind from a snapshot.

    It raises :class:`corpus.generation.StoreError` when one of them is not answered with 200.
    """

    def request_pages(snapshot: Snapshot) -> None:
        client, asked_of = app.test_client(), [snapshot]
        with app.test_request_context():
            wanted = [*_warm_up_addresses(snapshot)]
        try:
            for address in wanted:
                response = client.get(address, environ_overrides={SNAPSHOT_KEY: asked_of, UNLOGGED_KEY: True})
                if response.status_code != 200:
                    raise StoreError(f"{snapshot.digest} answers {response.status} at {address}. Run: lexbridge build")
        finally:
            # An environment and its request refer to each other. That cycle would hold the snapshot for good.
            asked_of.clear()

    return request_pages


def _warm_up_addresses(snapshot: Snapshot) -> Iterator[str]:
    """Yield one address of every kind of page that takes work. Needs a request context, as addresses do."""
    library = snapshot.library
    yield addresses.search(WARM_UP_QUERY)
    yield addresses.situations(WARM_UP_QUERY)
    for edition in library.editions:
        if laws := library.laws_of(edition):
            # With a parameter, so that the page is drawn and not taken from the packs.
            yield addresses.law(laws[len(laws) // 2].id, decisions="0")
            yield addresses.data(laws[0].id)
    yield addresses.health()
