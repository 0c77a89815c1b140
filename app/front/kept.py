"""Kept pages, answered at the door: nobody behind it is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from app.front.common import headers_of
from app.front.hosts import Application
from app.site import reader
from app.site.kept.answer import Answer, answer
from app.site.state import Snapshot, State
from corpus.model import NodeId
from corpus.store import StoreError

# A language in an address, with nothing else that is asked: “ui=pl”.
LANGUAGES: Mapping[str, str] = {f"ui={code}": code for code in reader.LANGUAGES}


class Kept:
    """Answers kept pages, and hands on what asks for more, for something else, or as a reader whose own language may be
    another than the page's. ``origin``: as the application knows it; ``tell``: told of each answer.
    """

    def __init__(self, application: Application, state: State, origin: str, tell: Callable[..., None]):
        self._application, self._state, self._origin, self._tell = application, state, origin, tell

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """The kept page, or what the application answers."""
        found = self._kept(environ) if environ["REQUEST_METHOD"] in ("GET", "HEAD") else None
        if found is None:
            return self._application(environ, start_response)
        start_response(found.status, [*found.headers, *headers_of(environ, self._origin)])
        self._tell(environ, found.status)
        return [b"" if environ["REQUEST_METHOD"] == "HEAD" else found.body]

    def _kept(self, environ: Mapping[str, Any]) -> Answer | None:
        if not self._origin:  # what is kept leaves open under which name it is read
            return None
        query, path = environ["QUERY_STRING"], environ["PATH_INFO"]
        ui = LANGUAGES.get(query)
        private = not query and not environ.get("HTTP_COOKIE") and not environ.get("HTTP_ACCEPT_LANGUAGE")
        if ui is None and not private:
            return None
        try:
            snapshot = self._state.snapshot()
        except StoreError:
            return None
        accepted, known = environ.get("HTTP_ACCEPT_ENCODING", ""), environ.get("HTTP_IF_NONE_MATCH", "")
        language = ui or _own(snapshot, path)
        return answer(snapshot.packs, snapshot.name, language, path, accepted, known, private)


def _own(snapshot: Snapshot, path: str) -> str:
    """The language of a page itself: that of its edition, else the default one."""
    edition = snapshot.library.editions.get(NodeId(path.removeprefix("/")).edition)
    return edition.lang if edition and edition.lang in reader.LANGUAGES else reader.DEFAULT
