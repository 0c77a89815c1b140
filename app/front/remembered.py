"""What was worked out once is given again, and who has it already is told so before anything is worked out.

Only answers that are the same for everybody: the application says so of them (``Cache-Control: public``); and what is
answered to programs, who say nothing of themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from app.front.cache import Cache
from app.front.hosts import Application
from app.site import headers
from app.site.kept import answer as kept
from app.site.kept.answer import Answer
from app.site.kept.coded import taken
from app.site.state import ASKED_OF, Snapshot, State
from corpus.store import StoreError

LONGEST = 1000  # an address so long is asked once


class Remembered:
    """The answers of an application, of the generation that ``state`` holds; ``tell``: told of what it gives again."""

    def __init__(self, application: Application, state: State, one_host: bool, tell: Callable[..., None]):
        """``one_host``: the site has one name, so that no answer depends on the one that it was asked under."""
        self._application, self._state, self._one_host, self._tell = application, state, one_host, tell
        self._cache = Cache()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """An answer given before, or the application's."""
        method, path, query = environ["REQUEST_METHOD"], environ["PATH_INFO"], environ["QUERY_STRING"]
        same = _is_for_all(path, query)
        # A program says nothing of itself: what one gets, all get.
        program = not (same or environ.get("HTTP_COOKIE") or environ.get("HTTP_ACCEPT_LANGUAGE"))
        asked = method in ("GET", "HEAD") and len(query) <= LONGEST and (same or program)
        snapshot = self._snapshot() if asked else None
        if not snapshot:
            return self._application(environ, start_response)
        coding = taken(environ.get("HTTP_ACCEPT_ENCODING", ""))
        key = (environ.get("HTTP_HOST", ""), environ.get("wsgi.url_scheme", ""), path, query, coding, program)
        key = ("", "", *key[2:]) if self._one_host else key
        found = self._cache.get(snapshot.name, key)
        if found is None:
            return self._asked(snapshot, environ, start_response, key)
        if kept.has(environ.get("HTTP_IF_NONE_MATCH", ""), dict(found.headers).get("ETag", "-")):
            found = Answer("304 Not Modified", [h for h in found.headers if h[0] not in kept.OF_A_BODY], b"")
        start_response(found.status, list(found.headers))
        self._tell(environ, found.status)
        return [b"" if method == "HEAD" else found.body]

    def _asked(
        self, snapshot: Snapshot, environ: dict[str, Any], start_response: Callable[..., Any], key: tuple
    ) -> list[bytes]:
        """What the application answers from a snapshot, kept where it is the same for everybody."""
        said: list[Any] = []
        asked_of = environ[ASKED_OF] = [snapshot]
        body = b"".join(self._application(environ, lambda *head: said.extend(head)))
        asked_of.clear()  # the environment stands in a circle with its request, which would hold the snapshot
        status, fields = said[0], said[1]
        start_response(status, fields)
        named = dict(fields)
        same = key[-1] or named.get("Cache-Control", "").startswith("public")
        same = same and "no-store" not in named.get("Cache-Control", "") and "Set-Cookie" not in named
        if status.startswith("200") and same and environ["REQUEST_METHOD"] == "GET":
            self._cache.put(snapshot.name, key, Answer(status, fields, body))
        return [body]

    def _snapshot(self) -> Snapshot | None:
        try:
            return self._state.snapshot()
        except StoreError:
            return None


def _is_for_all(path: str, query: str) -> bool:
    """Whether the answer of an address may be the same for everybody: the application is asked only of these."""
    return "ui=" in query or headers.is_api(path)
