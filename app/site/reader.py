"""Who is reading: the language of the site (apart from that of the texts), the theme, the size of the letters.

Each is asked of the address (``?ui=``), then of a cookie, then of the browser; a choice made in the address is
remembered.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from babel import Locale
from flask import Flask, g, request
from flask_babel import Babel

FOLDER = Path(__file__).parents[1] / "translations"
_DATA = tomllib.loads((FOLDER / "site.toml").read_text(encoding="utf-8"))
LANGUAGES: tuple[str, ...] = tuple(_DATA["languages"])
DEFAULT: str = _DATA["default"]
EXAMPLES: dict[str, list[str]] = _DATA["examples"]
THEMES: tuple[str, ...] = ("auto", "light", "dark", "contrast")
SIZES: tuple[str, ...] = ("normal", "large")
SETTINGS = {"ui": LANGUAGES, "theme": THEMES, "size": SIZES}
_YEAR = 365 * 24 * 3600


def ui() -> str:
    """The site's language for this request."""
    if "ui" not in g:
        asked = _asked("ui")
        g.ui = asked or _of_browser() or DEFAULT
    return g.ui


def setting(name: str) -> str:
    """``theme`` or ``size`` of this request."""
    return _asked(name) or SETTINGS[name][0]


def chosen() -> dict[str, str]:
    """The settings that the address names, for the address that the reader is led on to."""
    return {name: value for name, allowed in SETTINGS.items() if (value := request.args.get(name)) in allowed}


def names() -> dict[str, str]:
    """Code → name of each site language in itself."""
    return {code: Locale.parse(code).get_display_name(code) or code for code in LANGUAGES}


def init_app(app: Flask) -> None:
    """Tell Babel; remember what was chosen."""
    Babel(app, locale_selector=ui)

    @app.after_request
    def remember(response):
        for name, allowed in SETTINGS.items():
            value = request.args.get(name)
            if value in allowed:
                response.set_cookie(name, value, max_age=_YEAR, samesite="Lax", httponly=True, secure=request.is_secure)
        return response


def _asked(name: str) -> str | None:
    for value in (request.args.get(name), request.cookies.get(name)):
        if value in SETTINGS[name]:
            return value
    return None


def _of_browser() -> str | None:
    """The first of the browser's languages that is one of ours, or is near to one of ours (data in site.toml)."""
    near = _DATA.get("near", {})
    for tag, _quality in request.accept_languages:
        code = tag.split("-")[0].lower()
        if (found := near.get(code, code)) in LANGUAGES:
            return found
    return None
