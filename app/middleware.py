"""The middleware: it runs before the application, and itself answers requests that must not reach the application.

``wrap_in_middleware(app)`` returns what a server serves; ``create_app()`` stays the plain application. From the outside
in, the layers are :class:`ProxyMiddleware` (who sent the request), :class:`LimitsMiddleware` (limits and host names),
:class:`QueryMiddleware` (unknown parameters), :class:`StoredPagesMiddleware` (prerendered pages),
:class:`CacheMiddleware` (the response cache) and :class:`BudgetMiddleware` (the time and the turn of a request).

Never imported here: a kind of page (``app.home``, ``app.law`` …).
"""

from __future__ import annotations

import json
import logging
import os
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from ipaddress import ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit

from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.http import HTTP_STATUS_CODES
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import Map, RoutingException

from app.site import addresses, cache, http, reader
from app.site.cache import PageResponse, negotiate_coding, stored_response
from app.site.snapshot import SNAPSHOT_KEY, Snapshot, SnapshotHolder
from app.turns import Drawings, Turns
from corpus.generation import StoreError
from corpus.time_limit import limit_time

STARTED_KEY = "lexbridge.started"  # in the environment of a request: when it arrived, by the performance counter


def response_headers_of(environ: Mapping[str, Any], here: str) -> list[tuple[str, str]]:
    """Return the headers that every answer to a request has, as (name, value).

    ``here`` is the origin of the site, or empty if it has no name of its own.
    """
    return http.response_header_list(
        environ.get("PATH_INFO", ""), http.is_secure(environ.get("wsgi.url_scheme", ""), here)
    )


def log_request(logger: logging.Logger, environ: Mapping[str, Any], status: str) -> None:
    """Log a request that the application does not see. ``status`` begins with its number: ``304 Not Modified``."""
    started = environ.get(STARTED_KEY) or time.perf_counter()
    path, method = environ.get("PATH_INFO", ""), environ.get("REQUEST_METHOD", "")
    http.log_request(logger, method, path, int(status[:3]), started)


# -- The sender and the host of a request ---

# A host name or an address, and a port. Nothing else may get into a link on a page.
HOST_PATTERN = re.compile(r"(?:[A-Za-z0-9_.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?")
# The administrator of the server sends requests from the same machine.
LOCAL_HOSTS = frozenset({"127.0.0.1", "localhost", "[::1]"})
FORWARDED_HEADERS = ("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_X_FORWARDED_HOST", "HTTP_FORWARDED")

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class ProxyError(ValueError):
    """``LEXBRIDGE_PROXY`` has no valid value. The message says what it may be."""


@dataclass(frozen=True)
class Proxies:
    """The proxies whose ``X-Forwarded-…`` headers are trusted.

    There are ``count`` of them, one behind another. The nearest must have an address in ``networks``; without networks,
    any address is trusted.
    """

    count: int = 0
    networks: tuple[Any, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Proxies:
        """Parse ``LEXBRIDGE_PROXY``: a number of proxies, or addresses and networks of a single proxy.

        Raises :class:`ProxyError`.

        >>> Proxies.parse(""), Proxies.parse("2").count, Proxies.parse("10.0.0.0/8, ::1").count
        (Proxies(count=0, networks=()), 2, 1)
        """
        setting = text.strip()
        if setting.isascii() and setting.isdigit() and len(setting) < 3:
            return cls(int(setting))
        try:
            networks = tuple(ip_network(part.strip()) for part in setting.split(",") if part.strip())
        except ValueError as error:
            raise ProxyError(
                f"LEXBRIDGE_PROXY: {error}. Give a number of proxies, or addresses (127.0.0.1, 10.0.0.0/8)."
            ) from None
        return cls(1 if networks else 0, networks)

    def trusts(self, address: str) -> bool:
        """Whether the ``X-Forwarded-…`` headers from this sender are trusted."""
        if not self.networks:
            return self.count > 0
        try:
            sender = ip_address(address)
        except ValueError:
            return False
        return any(sender in network for network in self.networks)


class ProxyMiddleware:
    """Gives the application the true sender of a request, as far as the proxies are trusted."""

    def __init__(self, application: Application, proxies: Proxies):
        self._application, self._proxies = application, proxies
        self._proxy_fix = ProxyFix(application, proxies.count, proxies.count, proxies.count) if proxies.count else None

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Pass the request on. Forwarding headers from a sender that is not trusted are removed."""
        if self._proxy_fix and self._proxies.trusts(environ.get("REMOTE_ADDR", "")):
            return self._proxy_fix(environ, start_response)
        for name in FORWARDED_HEADERS:
            environ.pop(name, None)
        return self._application(environ, start_response)


def is_own_host(host: str, origin: str) -> bool:
    """Whether the site answers under a ``Host``. With an ``origin``, that is its name and the names of the local
    machine.

    >>> is_own_host("laws.example", ""), is_own_host("evil/", "")
    (True, False)
    >>> [is_own_host(h, "https://laws.example") for h in ("laws.example", "LAWS.example:443", "evil", "localhost:8000")]
    [True, True, False, True]
    """
    if not HOST_PATTERN.fullmatch(host):
        return False
    if not origin:
        return True
    own = urlsplit(origin)
    standard = {"https": ":443", "http": ":80"}.get(own.scheme, "")
    requested = host.lower()
    return requested.removesuffix(standard) == own.netloc.lower().removesuffix(standard) or (
        re.sub(r":\d+$", "", requested) in LOCAL_HOSTS
    )


# -- The limits of a request ---

# In bytes and counts, before anything is read. The limits on what an address says are in app/site/addresses.py.
LONGEST_PATH = 1024  # twenty times the longest path of a text
LONGEST_QUERY = 2048  # the answers and filters that a page can link to
# A query of 500 characters is answered whatever they are (docs/contract.md, section 5). Characters of four bytes,
# percent-encoded, take 6,000 bytes here.
LONGEST_QUESTION_QUERY = 8192
QUESTION_PATHS = frozenset({
    "/search", "/go", "/situations/", "/terms/", "/topics/", "/opensearch/suggestions",
    "/api/v1/search", "/api/v1/suggest", "/api/v1/situations", "/api/v1/terms",
})  # fmt: skip
MOST_PARAMETERS = 100  # more than links keep; the rest of an address from elsewhere is ignored
MOST_HEADERS = 60  # browsers send about twenty, and proxies add a few
LONGEST_HEADERS = 16 * 1024  # with the cookies of other sites under the same name
READ_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True)
class AcceptedBody:
    """What an address that takes a body accepts: a ``method`` that does not only read, and at most ``most`` bytes."""

    method: str = "POST"
    most: int = 64 * 1024


# Address → what it accepts. All other addresses accept no body.
ACCEPTED_BODIES: Mapping[str, AcceptedBody] = {"/settings": AcceptedBody(most=1024)}


@dataclass(frozen=True)
class Refusal:
    """Why a request is refused: the ``status``, a sentence for the sender, and further response headers."""

    status: int
    message: str
    headers: Mapping[str, str] = field(default_factory=dict)


def find_refusal(environ: Mapping[str, Any], bodies: Mapping[str, AcceptedBody] = ACCEPTED_BODIES) -> Refusal | None:
    """Return the first limit that a WSGI request exceeds, or None if it may pass.

    >>> find_refusal({"REQUEST_METHOD": "GET", "PATH_INFO": "/", "QUERY_STRING": "a" * 3000}).status
    414
    """
    return next(_find_refusals(environ, bodies), None)


def _find_refusals(environ: Mapping[str, Any], bodies: Mapping[str, AcceptedBody]) -> Iterator[Refusal]:
    path, query = environ.get("PATH_INFO", ""), environ.get("QUERY_STRING", "")
    yield from _header_refusals(environ)
    if len(path) > LONGEST_PATH:
        yield Refusal(414, f"The path of an address may have {LONGEST_PATH} bytes.")
    most = LONGEST_QUESTION_QUERY if path in QUESTION_PATHS else LONGEST_QUERY
    if len(query) > most:
        yield Refusal(414, f"What follows the question mark may have {most} bytes here.")
    if query.count("&") >= MOST_PARAMETERS:
        yield Refusal(400, f"An address may have {MOST_PARAMETERS} parameters.")
    if "\x00" in path:
        yield Refusal(400, "No address has a NUL in it.")
    yield from _body_refusals(environ, bodies.get(path))


def _header_refusals(environ: Mapping[str, Any]) -> Iterator[Refusal]:
    fields = [(k, v) for k, v in environ.items() if k.startswith(("HTTP_", "CONTENT_"))]
    if len(fields) > MOST_HEADERS:
        yield Refusal(431, f"A request may have {MOST_HEADERS} header fields.")
    # The size on the wire: the name without HTTP_, “: ” and the end of the line.
    if sum(len(name.removeprefix("HTTP_")) + len(value) + 4 for name, value in fields) > LONGEST_HEADERS:
        yield Refusal(431, f"The header fields of a request may have {LONGEST_HEADERS} bytes together.")


def _body_refusals(environ: Mapping[str, Any], takes: AcceptedBody | None) -> Iterator[Refusal]:
    method, length = environ.get("REQUEST_METHOD", ""), environ.get("CONTENT_LENGTH") or ""
    allowed = READ_METHODS | {takes.method} if takes else READ_METHODS
    if method not in allowed:
        yield Refusal(405, "This address does not do that.", {"Allow": ", ".join(sorted(allowed))})
    chunked = bool(environ.get("HTTP_TRANSFER_ENCODING"))
    if length and not (length.isascii() and length.isdigit() and len(length) < 19):
        yield Refusal(400, "Content-Length is a number.")
    elif takes is None or method != takes.method:
        if chunked or int(length or 0) > 0:
            yield Refusal(413, "This address takes no body.")
    elif chunked or not length:
        yield Refusal(411, "Say with Content-Length how long the body is.")
    elif int(length) > takes.most:
        yield Refusal(413, f"The body may have {takes.most} bytes.")


# -- Stored pages and the response cache ---

# The bytes that one process caches, and what an answer costs beside its body.
CACHE_BYTES, BYTES_BESIDE_BODY = 32 * 1024 * 1024, 1024


class ResponseCache:
    """Caches the answers of one generation. The answers that were requested longest ago are dropped first. Shared
    between threads.

    >>> cache, answer = ResponseCache(most=4000), PageResponse("200 OK", [], bytes(500))
    >>> for name in ("one", "two", "one", "three"):
    ...     if cache.get("build", name) is None:
    ...         cache.put("build", name, answer)
    >>> [cache.get("build", name) is not None for name in ("one", "two")], cache.get("other build", "one")
    ([True, False], None)
    """

    def __init__(self, most: int = CACHE_BYTES):
        """``most`` is the limit in bytes."""
        self._most, self._size = most, 0
        self._generation: Hashable = None
        self._answers: OrderedDict[Hashable, PageResponse] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, of: Hashable, key: Hashable) -> PageResponse | None:
        """Return the cached answer to ``key``, or None. ``of`` is the generation that the answer must come from."""
        with self._lock:
            if self._generation != of or key not in self._answers:
                return None
            self._answers.move_to_end(key)
            return self._answers[key]

    def put(self, of: Hashable, key: Hashable, answer: PageResponse) -> None:
        """Cache an answer under ``key``, for the generation ``of``.

        Answers of another generation are dropped. While the cache is too large, the answers that were requested longest
        ago are dropped, too.
        """
        with self._lock:
            if self._generation != of:
                self._generation, self._size = of, 0
                self._answers.clear()
            if key in self._answers or _size_of(answer) > self._most:
                return
            self._answers[key] = answer
            self._size += _size_of(answer)
            while self._size > self._most:
                _, gone = self._answers.popitem(last=False)
                self._size -= _size_of(gone)


def _size_of(answer: PageResponse) -> int:
    return len(answer.body) + BYTES_BESIDE_BODY


MATCHED_PATHS = 4096  # whose endpoints are cached


class QueryMiddleware:
    """Removes the parameters that no view reads, so that they are in the key of no cache.

    ``routes``: the addresses of the application. The answer is the same with and without such a parameter. The caches
    of others know only the whole address, so for them the answer to an address with one is private.
    """

    def __init__(self, application: Application, routes: Map):
        self._application, self._routes = application, routes.bind("")
        self._endpoint_of = lru_cache(MATCHED_PATHS)(self._match)

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Pass the request on without its unknown parameters."""
        query = environ["QUERY_STRING"]
        if not query or query in LANGUAGE_QUERIES or not (endpoint := self._endpoint_of(environ["PATH_INFO"])):
            return self._application(environ, start_response)
        known = addresses.known_part(endpoint, query)
        if known == query:
            return self._application(environ, start_response)
        environ["QUERY_STRING"] = known

        def start(status: str, headers: list[tuple[str, str]], *info: Any) -> Any:
            return start_response(status, [_as_private(*header) for header in headers], *info)

        return self._application(environ, start)

    def _match(self, path: str) -> str:
        """Return the endpoint of a path as WSGI gives it, or "" when it has none."""
        try:
            return self._routes.match(path.encode("latin-1").decode("utf-8", "replace"), "GET")[0]
        except (HTTPException, RoutingException):
            return ""


def _as_private(name: str, value: str) -> tuple[str, str]:
    return (name, cache.CACHE_PRIVATE if name == "Cache-Control" and value.startswith("public") else value)


# Queries that name a language and nothing else: “ui=pl”.
LANGUAGE_QUERIES: Mapping[str, str] = {f"ui={code}": code for code in reader.LANGUAGES}


class StoredPagesMiddleware:
    """Answers with stored pages.

    A request goes on to the application when its query has more than the language, or when it names no language and the
    reader may have one that differs from the page's. ``origin`` is the origin of the site; without one no stored page
    is used. ``log`` is called with the environment and the status of each answer.
    """

    def __init__(self, application: Application, state: SnapshotHolder, origin: str, log: Callable[..., None]):
        self._application, self._state, self._origin, self._log = application, state, origin, log

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer with the stored page, or with what the application answers."""
        found = self._find_page(environ) if environ["REQUEST_METHOD"] in ("GET", "HEAD") else None
        if found is None:
            return self._application(environ, start_response)
        start_response(found.status, [*found.headers, *response_headers_of(environ, self._origin)])
        self._log(environ, found.status)
        return [b"" if environ["REQUEST_METHOD"] == "HEAD" else found.body]

    def _find_page(self, environ: Mapping[str, Any]) -> PageResponse | None:
        if reader.may_redirect_to_code(environ.get("HTTP_COOKIE", ""), environ["PATH_INFO"], environ["QUERY_STRING"]):
            return None
        if not self._origin:  # without an origin, links use the host name of the request, and stored pages have none
            return None
        query, path = environ["QUERY_STRING"], environ["PATH_INFO"]
        ui = LANGUAGE_QUERIES.get(query)
        private = not query and not environ.get("HTTP_COOKIE") and not environ.get("HTTP_ACCEPT_LANGUAGE")
        if ui is None and not private:
            return None
        try:
            snapshot = self._state.snapshot()
        except StoreError:
            return None
        accepted, known = environ.get("HTTP_ACCEPT_ENCODING", ""), environ.get("HTTP_IF_NONE_MATCH", "")
        language = ui or reader.language_of_path(snapshot.library, path)
        return stored_response(snapshot.packs, snapshot.digest, language, path, accepted, known, private)


LONGEST_CACHED_QUERY = 1000  # a longer query is not cached: nobody sends it twice


class CacheMiddleware:
    """Caches the answers of an application, for the generation that ``state`` holds.

    ``log`` is called with the environment and the status of each answer from the cache.
    """

    def __init__(self, application: Application, state: SnapshotHolder, one_host: bool, log: Callable[..., None]):
        """``one_host``: the site has one name, so no answer depends on the host of the request."""
        self._application, self._state, self._one_host, self._log = application, state, one_host, log
        self._cache, self._drawings = ResponseCache(), Drawings()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer from the cache, or with what the application answers."""
        method, path, query = environ["REQUEST_METHOD"], environ["PATH_INFO"], environ["QUERY_STRING"]
        same = _is_same_for_all(path, query)
        # A program sends neither cookies nor a language, so all programs get the same answer.
        program = not (same or environ.get("HTTP_COOKIE") or environ.get("HTTP_ACCEPT_LANGUAGE"))
        own = reader.may_redirect_to_code(environ.get("HTTP_COOKIE", ""), path, query)
        cacheable = method in ("GET", "HEAD") and len(query) <= LONGEST_CACHED_QUERY and (same or program) and not own
        snapshot = self._current_snapshot() if cacheable else None
        if not snapshot:
            return self._application(environ, start_response)
        coding = negotiate_coding(environ.get("HTTP_ACCEPT_ENCODING", ""))
        key = (environ.get("HTTP_HOST", ""), environ.get("wsgi.url_scheme", ""), path, query, coding, program)
        key = ("", "", *key[2:]) if self._one_host else key
        found = self._cache.get(snapshot.version, key)
        if found is None:
            with self._drawings.join((snapshot.version, key)) as waited:
                found = self._cache.get(snapshot.version, key) if waited else None
                if found is None:
                    return self._answer_and_cache(snapshot, environ, start_response, key)
        if cache.matches_etag(environ.get("HTTP_IF_NONE_MATCH", ""), dict(found.headers).get("ETag", "-")):
            found = PageResponse("304 Not Modified", [h for h in found.headers if h[0] not in cache.BODY_HEADERS], b"")
        start_response(found.status, list(found.headers))
        self._log(environ, found.status)
        return [b"" if method == "HEAD" else found.body]

    def _answer_and_cache(
        self, snapshot: Snapshot, environ: dict[str, Any], start_response: Callable[..., Any], key: tuple
    ) -> list[bytes]:
        """Return the application's answer from a snapshot. Cache it under ``key`` if it is the same for everybody."""
        start: list[Any] = []
        snapshots = environ[SNAPSHOT_KEY] = [snapshot]
        body = b"".join(self._application(environ, lambda *head: start.extend(head)))
        snapshots.clear()  # the environment and its request refer to each other and would keep the snapshot alive
        status, fields = start[0], start[1]
        start_response(status, fields)
        named = dict(fields)
        same = key[-1] or named.get("Cache-Control", "").startswith("public")
        same = same and "no-store" not in named.get("Cache-Control", "") and "Set-Cookie" not in named
        if status.startswith("200") and same and environ["REQUEST_METHOD"] == "GET":
            self._cache.put(snapshot.version, key, PageResponse(status, fields, body))
        return [body]

    def _current_snapshot(self) -> Snapshot | None:
        try:
            return self._state.snapshot()
        except StoreError:
            return None


def _is_same_for_all(path: str, query: str) -> bool:
    """Whether the answer to an address may be the same for everybody: the address names a language or is one of the
    API. The headers of the answer then say whether it is.
    """
    return "ui=" in query or http.is_api(path)


# -- The time and the turn of a request ---


class BudgetMiddleware:
    """Ends a request that takes more of the processor than the site gives to one (``REQUEST_SECONDS``).

    The application answers it with 503. What is stored or cached costs nothing of it, and waits for no turn
    (:class:`Turns`). Opening a generation, which the first request of a process without a supervisor does, is no part
    of it.
    """

    def __init__(self, app: Flask, state: SnapshotHolder):
        self._app, self._state, self._turns = app, state, Turns()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Return the answer of the application, which is complete before it is sent."""
        with suppress(StoreError):
            self._state.snapshot()
        client = environ.get("REMOTE_ADDR", "")
        with self._turns.take(client) as pause, limit_time(self._app.config["REQUEST_SECONDS"], pause):
            return self._app(environ, start_response)


# -- Refusals, and all layers together ---

ERROR_CODES = {
    400: "bad_request",
    405: "method_not_allowed",
    411: "length_required",
    413: "body_too_long",
    414: "address_too_long",
    421: "misdirected",
    431: "headers_too_long",
}


class LimitsMiddleware:
    """Passes requests within the limits to ``application`` and refuses all others.

    ``origin`` is the one address of the site, ``https://laws.example``, or empty if the site answers to any name.
    """

    def __init__(self, application: Application, logger: logging.Logger, origin: str = ""):
        self._application, self._logger, self._origin = application, logger, origin

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Return the answer of the application, or a refusal."""
        environ[STARTED_KEY] = time.perf_counter()
        if found := find_refusal(environ) or self._host_refusal(environ):
            return self._refuse(found, environ, start_response)
        return self._application(environ, start_response)

    def _host_refusal(self, environ: dict[str, Any]) -> Refusal | None:
        """Return the refusal of a request whose ``Host`` is not a name of the site; None when it is one."""
        host = environ.get("HTTP_HOST", "")
        if is_own_host(host, self._origin):
            return None
        if self._origin and is_own_host(host, ""):
            return Refusal(421, f"This is {self._origin}.")
        return Refusal(400, "Host names the site that is asked.")

    def _refuse(self, found: Refusal, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        body, kind = _refusal_body(found, http.is_api(path))
        headers = {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            "Cache-Control": "no-store",
            **dict(response_headers_of(environ, self._origin)),
            **found.headers,
        }
        status = f"{found.status} {HTTP_STATUS_CODES[found.status]}"
        start_response(status, list(headers.items()))
        log_request(self._logger, environ, status)
        return [b"" if environ.get("REQUEST_METHOD") == "HEAD" else body]


def _refusal_body(found: Refusal, as_object: bool) -> tuple[bytes, str]:
    """Return the body of a refusal and its content type: the sentence, or for the API its error object."""
    if not as_object:
        return f"{found.message}\n".encode(), "text/plain; charset=utf-8"
    error = {"error": {"code": ERROR_CODES[found.status], "message": found.message}}
    return (json.dumps(error, ensure_ascii=False) + "\n").encode(), "application/json"


def wrap_in_middleware(app: Flask) -> Application:
    """Return the application as a server serves it. ``LEXBRIDGE_PROXY`` names the trusted proxies.

    Raises :class:`ProxyError` if that setting is not valid.
    """
    proxies = Proxies.parse(os.environ.get("LEXBRIDGE_PROXY", ""))
    state, origin = app.extensions["lexbridge"], app.config["ORIGIN"]
    log = partial(log_request, app.logger)
    cached = CacheMiddleware(BudgetMiddleware(app, state), state, bool(origin), log)
    stored = QueryMiddleware(StoredPagesMiddleware(cached, state, origin, log), app.url_map)
    return ProxyMiddleware(LimitsMiddleware(stored, app.logger, origin), proxies)
