"""The language of the site, apart from that of the texts: the one that the address names, else that of the page itself.

A page of an edition is in its edition's language, every other in the default one. A reader of another language who
asks a bare address is led to the same with his language in it; what he reads there depends on the address alone. His
language is the one that he chose, else the first of his browser's that the site speaks; without either, a program is
taken to ask, which gets the page as it is.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from babel import Locale
from flask import Flask, current_app, g, request
from flask_babel import Babel, refresh

from app.site.snapshot import current_snapshot
from corpus.edition import Identity
from corpus.generation import StoreError

View = TypeVar("View", bound=Callable)

TRANSLATIONS_FOLDER = Path(__file__).parents[1] / "translations"
_SITE_DATA = tomllib.loads((TRANSLATIONS_FOLDER / "site.toml").read_text(encoding="utf-8"))
LANGUAGES: tuple[str, ...] = tuple(_SITE_DATA["languages"])
DEFAULT_LANGUAGE: str = _SITE_DATA["default"]
EXAMPLES: dict[str, list[str]] = _SITE_DATA["examples"]


def init_app(app: Flask) -> None:
    """Tell Babel."""
    Babel(app, locale_selector=ui_language)


def ui_language() -> str:
    """The language in which this request is answered."""
    if "ui" not in g:
        g.ui = language_in_address() or _page_language()
    return g.ui


def language_in_address() -> str | None:
    """The language that the address names; one that the site does not speak is none."""
    asked = request.args.get("ui")
    return asked if asked in LANGUAGES else None


def reader_language() -> str | None:
    """The reader's language, who asked an address that names none: as he chose, else of his browser; None where nothing
    tells it, as of a program.
    """
    chosen = request.cookies.get("ui")
    return chosen if chosen in LANGUAGES else _browser_language()


def redirect_language() -> str:
    """The language to lead a reader by who is shown no page here: the address's, else his own, else the page's."""
    return language_in_address() or reader_language() or ui_language()


def language_to_redirect_to() -> str | None:
    """The reader's language, where this address names none and its page is in another; None where he may read on."""
    if language_in_address() or (wanted := reader_language()) == ui_language():
        return None
    return wanted


def answer_in_reader_language() -> None:
    """Answer in the reader's own language from here on: what has no page of its own, as an error."""
    g.ui = g.spoken = redirect_language()
    refresh()


def link_language() -> str | None:
    """The language that addresses name which are printed now: on a page, its own; to programs, the one that they asked
    for.
    """
    return language_in_address() if is_for_programs() and "spoken" not in g else ui_language()


def for_programs(view: View) -> View:
    """Marks what is asked for by programs: nobody is led on there, and without a language named it has the default."""
    view.for_programs = True  # type: ignore[attr-defined]
    return view


def is_for_programs() -> bool:
    """Whether what is asked for is marked so."""
    return hasattr(current_app.view_functions.get(request.endpoint or ""), "for_programs")


def page_edition() -> Identity | None:
    """The edition that this page is of, as its address names it."""
    id_ = (request.view_args or {}).get("edition")
    try:
        return current_snapshot().library.editions.get(id_) if id_ else None
    except StoreError:
        return None


def sort_languages(codes: Iterable[str]) -> list[str]:
    """Languages as a reader meets them: his own first, then those of the site, then the others by their codes."""
    known = [ui_language(), *(code for code in LANGUAGES if code != ui_language())]
    rank = {code: n for n, code in enumerate(known)}
    return sorted(set(codes), key=lambda code: (rank.get(code, len(known)), code))


def language_names() -> dict[str, str]:
    """Code → name of each site language in itself."""
    return {code: Locale.parse(code).get_display_name(code) or code for code in LANGUAGES}


def _page_language() -> str:
    """The language of the page that names none."""
    of = None if is_for_programs() else page_edition()
    return of.lang if of and of.lang in LANGUAGES else DEFAULT_LANGUAGE


def _browser_language() -> str | None:
    """The first of the browser's languages that is one of ours, or is near to one of ours (data in site.toml)."""
    near = _SITE_DATA.get("near", {})
    for tag, quality in request.accept_languages:
        code = tag.split("-")[0].lower()
        if quality > 0 and (found := near.get(code, code)) in LANGUAGES:
            return found
    return None
