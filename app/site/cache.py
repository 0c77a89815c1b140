"""Answers that were given are kept, as they left the house, and given again: to the same address, of the same build.

Only what does not vary with who asks is kept: the API, and pages whose address names the language (``?ui=``).
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import NamedTuple

from flask import Flask, Response, g, request

from app.site import reader
from app.site.state import current

# Bytes of all that is kept, and what one costs beside its body.
MOST, BESIDE = 32 * 1024 * 1024, 1024
# An address so long is asked once.
LONGEST = 1000
# Pages that take long and are asked for again; and all of the API.
PAGES = frozenset(
    {
        "search.search",
        "situations.sheet",
        "compare.side_by_side",
        "changes.changed",
        "net.neighbourhood",
        "net.net",
        "topics.topics",
        "terms.term",
        "api.about",
    }
)
API = "api."


class Kept(NamedTuple):
    """An answer as it left the house: its headers and its body, compressed or not."""

    headers: tuple[tuple[str, str], ...]
    body: bytes


class Cache:
    """Answers of one snapshot by what was asked, those that were not asked for longest given up first. Shared between
    threads.

    >>> cache = Cache(most=4000)
    >>> for name in ("one", "two", "one", "three"):
    ...     if cache.get("build", name) is None:
    ...         cache.put("build", name, Kept((), bytes(500)))
    >>> [cache.get("build", name) is not None for name in ("one", "two")], cache.get("other build", "one")
    ([True, False], None)
    """

    def __init__(self, most: int = MOST):
        """``most``: bytes."""
        self._most, self._held = most, 0
        self._of: object = None
        self._kept: OrderedDict[Hashable, Kept] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, of: object, key: Hashable) -> Kept | None:
        """What is kept of an answer; ``of``: the snapshot that it must be of."""
        with self._lock:
            if self._of is not of or key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key]

    def put(self, of: object, key: Hashable, answer: Kept) -> None:
        """Keep an answer of a snapshot; what is kept of another is given up, and so is what there is no room for."""
        with self._lock:
            if self._of is not of:
                self._of, self._held = of, 0
                self._kept.clear()
            if key in self._kept or _size(answer) > self._most:
                return
            self._kept[key] = answer
            self._held += _size(answer)
            while self._held > self._most:
                _, gone = self._kept.popitem(last=False)
                self._held -= _size(gone)


def _size(answer: Kept) -> int:
    return len(answer.body) + BESIDE


def init_app(app: Flask) -> None:
    """Before every request and after it; to be told of before whatever finishes answers, so that it sees them last."""
    cache = Cache()

    @app.before_request
    def again() -> Response | None:
        key = _key()
        found = cache.get(current(), key) if key else None
        if found is None:
            g.asked_for = key
            return None
        response = Response(found.body, headers=list(found.headers))
        response.make_conditional(request)
        return response

    @app.after_request
    def keep(response: Response) -> Response:
        key = g.pop("asked_for", None)
        if key and response.status_code == 200 and not response.is_streamed:
            cache.put(current(), key, Kept(tuple(response.headers), response.get_data()))
        return response


def _key() -> Hashable:
    """What an answer depends on beside the build; empty for one that is not kept."""
    name = request.endpoint or ""
    kept = "ui" in request.args if name in PAGES else name.startswith(API)
    if request.method != "GET" or not kept or len(request.query_string) > LONGEST:
        return ()
    # In their order, in which links of a page name them again.
    asked = tuple(request.args.items(multi=True))
    drawn = (reader.ui(), *(reader.setting(name) for name in reader.SETTINGS)) if "ui" in request.args else ()
    return request.host_url, request.path, asked, drawn, request.accept_encodings["gzip"] > 0
