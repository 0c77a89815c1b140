"""Kept pages, answered at the door: nobody behind it is asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.site import reader
from app.site.kept.answer import Answer, answer
from app.site.state import Snapshot, State
from corpus.store import StoreError

# A language in an address, with nothing else that is asked: “ui=pl”.
LANGUAGES: Mapping[str, str] = {f"ui={code}": code for code in reader.LANGUAGES}


def kept(state: State, environ: Mapping[str, Any]) -> Answer | None:
    """The kept page that a request asks for; None where the application has to look into it: it asks for more, for
    something else, or as a reader whose own language may be another than the page's.
    """
    if environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
        return None
    try:
        snapshot = state.snapshot()
    except StoreError:
        return None
    query, path = environ["QUERY_STRING"], environ["PATH_INFO"]
    ui = LANGUAGES.get(query)
    private = not query and not environ.get("HTTP_COOKIE") and not environ.get("HTTP_ACCEPT_LANGUAGE")
    if ui is None:
        if not private:
            return None
        ui = _own(snapshot, path)
    accepted, known = environ.get("HTTP_ACCEPT_ENCODING", ""), environ.get("HTTP_IF_NONE_MATCH", "")
    return answer(snapshot.packs, snapshot.name, ui, path, accepted, known, private)


def _own(snapshot: Snapshot, path: str) -> str:
    """The language of a page itself: that of its edition, else the default one."""
    edition = snapshot.library.editions.get(path.split("/", 2)[1] if path.startswith("/") else "")
    return edition.lang if edition and edition.lang in reader.LANGUAGES else reader.DEFAULT
