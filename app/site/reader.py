"""Decides the language of the site for each request. It is independent of the language of the texts.

The language is the one that the address names (``?ui=``), else that of the page: a page of an edition is in its
edition's language, every other page in the default language. When the address names none, a reader of another language
is redirected to the same address with his language. So what is on a page depends on its address alone.

The reader's language is the one that he chose (a cookie), else the first of his browser's languages that the site has.
A request with neither is treated as a program's: it gets the page as it is.

Entry points: :func:`ui_language`, the language of this answer; :func:`language_to_redirect_to`; :func:`for_programs`,
which marks views that programs request.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from babel import Locale
from flask import Flask, current_app, g, request
from flask_babel import Babel, refresh

from app.site.snapshot import current_snapshot
from corpus.edition import Identity
from corpus.generation import StoreError
from corpus.library import Library
from corpus.model import NodeId

View = TypeVar("View", bound=Callable)

TRANSLATIONS_FOLDER = Path(__file__).parents[1] / "translations"
_SITE_DATA = tomllib.loads((TRANSLATIONS_FOLDER / "site.toml").read_text(encoding="utf-8"))
LANGUAGES: tuple[str, ...] = tuple(_SITE_DATA["languages"])
DEFAULT_LANGUAGE: str = _SITE_DATA["default"]
READ_BY_NATIVE_SPEAKERS: frozenset[str] = frozenset(_SITE_DATA["read_by_native_speakers"])
EXAMPLES: dict[str, list[str]] = _SITE_DATA["examples"]
CODE_COOKIE = "code"  # the code of laws that the reader chose; also the name of the parameter that rules one page
PATHS_WITH_CODE = ("/situations/", "/search")  # and the home page


def init_app(app: Flask) -> None:
    """Register Babel with the language of each request."""
    Babel(app, locale_selector=ui_language)


def ui_language() -> str:
    """Return the language in which this request is answered."""
    if "ui" not in g:
        g.ui = language_in_address() or _page_language()
    return g.ui


def language_in_address() -> str | None:
    """Return the language that the address names; None for a language that the site does not have."""
    asked = request.args.get("ui")
    return asked if asked in LANGUAGES else None


def reader_language() -> str | None:
    """Return the language that the reader chose, else that of his browser; None when neither says one, as for a
    program.
    """
    chosen = request.cookies.get("ui")
    return chosen if chosen in LANGUAGES else _browser_language()


def redirect_language() -> str:
    """Return the language for a redirect from an address that shows no page itself: the one that the address names,
    else the reader's, else the one in which this request is answered.
    """
    return language_in_address() or reader_language() or ui_language()


def language_to_redirect_to() -> str | None:
    """Return the reader's language when this address names none and its page is in another one; else None."""
    if language_in_address() or (wanted := reader_language()) == ui_language():
        return None
    return wanted


def chosen_code() -> str:
    """Return the code of laws that the reader chose by the switch of the site, "" when he chose none. It may be one
    that the corpus does not have.
    """
    return request.cookies.get(CODE_COOKIE, "")


def code_in_address(codes: Sequence[str]) -> str:
    """Return the code that the address names, if it is one of ``codes``; else the first of them, "" without any."""
    asked = request.args.get(CODE_COOKIE, "")
    return asked if asked in codes else next(iter(codes), "")


def code_to_redirect_to(codes: Sequence[str]) -> str:
    """Return the code that the reader chose when this address names none and its page shows another; else "".

    ``codes``: those that the page knows, the one that it shows first.
    """
    chosen = chosen_code()
    return chosen if CODE_COOKIE not in request.args and chosen in codes[1:] else ""


def may_redirect_to_code(cookies: str, path: str, query: str) -> bool:
    """Whether the page of an address may depend on the code that its reader chose. Then it is not taken from what is
    stored or cached. ``cookies``: the header of the request.

    >>> may_redirect_to_code("theme=dark; code=1997", "/", "ui=pl"), may_redirect_to_code("code=1997", "/", "code=2007")
    (True, False)
    """
    depends = path == "/" or path.startswith(PATHS_WITH_CODE)
    return depends and f"{CODE_COOKIE}=" in cookies and f"{CODE_COOKIE}=" not in query


def answer_in_reader_language() -> None:
    """Switch to the reader's own language. This is for answers that are not a page of the site, such as errors."""
    g.ui = g.spoken = redirect_language()
    refresh()


def link_language() -> str | None:
    """Return the language of the addresses that are printed now.

    On a page it is the page's language. For programs it is the one that the request names, or None.
    """
    return language_in_address() if is_for_programs() and "spoken" not in g else ui_language()


def for_programs(view: View) -> View:
    """Mark a view that programs request, and return it. Nobody is redirected there. When the address names no language,
    the view uses the default.
    """
    view.for_programs = True  # type: ignore[attr-defined]
    return view


def is_for_programs() -> bool:
    """Whether the requested view is marked by :func:`for_programs`."""
    return hasattr(current_app.view_functions.get(request.endpoint or ""), "for_programs")


def page_edition() -> Identity | None:
    """Return the edition that the address of this page names, or None."""
    id_ = (request.view_args or {}).get("edition")
    try:
        return current_snapshot().library.editions.get(id_) if id_ else None
    except StoreError:
        return None


def sort_languages(codes: Iterable[str]) -> list[str]:
    """Return languages in the reader's order: his own first, then those of the site, then the others by code."""
    known = [ui_language(), *(code for code in LANGUAGES if code != ui_language())]
    rank = {code: n for n, code in enumerate(known)}
    return sorted(set(codes), key=lambda code: (rank.get(code, len(known)), code))


def language_names() -> dict[str, str]:
    """Return code → name of each site language in that language."""
    return {code: Locale.parse(code).get_display_name(code) or code for code in LANGUAGES}


def language_of_path(library: Library, path: str) -> str:
    """Return the language of the page at a path that names none: that of its edition, else the default language."""
    edition = library.editions.get(NodeId(path.removeprefix("/")).edition)
    return edition.lang if edition and edition.lang in LANGUAGES else DEFAULT_LANGUAGE


def _page_language() -> str:
    """Return the language of the page of this request when its address names none: that of the edition, else the
    default.
    """
    of = None if is_for_programs() else page_edition()
    return of.lang if of and of.lang in LANGUAGES else DEFAULT_LANGUAGE


def _browser_language() -> str | None:
    """Return the first of the browser's languages that the site has, or for which it has a near one (``near`` in
    site.toml). None when there is none.
    """
    near = _SITE_DATA.get("near", {})
    for tag, quality in request.accept_languages:
        code = tag.split("-")[0].lower()
        if quality > 0 and (found := near.get(code, code)) in LANGUAGES:
            return found
    return None
