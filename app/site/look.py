"""How the site looks: themes and sizes of letters, each a file of ``looks/`` that speaks of ``:root``.

A page is the same for all readers. With JavaScript, ``look.js`` writes the choice into ``<html>`` before the page is
painted, and the style sheet of the site has every look under its attribute; without, the page asks for a sheet of the
looks that its reader chose.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from flask import current_app, request
from werkzeug.wrappers import Response as BaseResponse

from app.site import origin

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
    secure = origin.is_secure(request.scheme, current_app.config["ORIGIN"])
    for name, value in said.items():
        response.set_cookie(name, value, max_age=_YEAR, samesite="Lax", secure=secure)
    return response


@lru_cache
def _written(file: str, name: str = "", value: str = "") -> str:
    """The rules of a look: where ``name`` has the ``value``, or none; without a name, everywhere."""
    where = f":root[data-{name}={value}]" if value else f":root:not([data-{name}])" if name else ":root"
    return (FOLDER / f"{file}.css").read_text(encoding="utf-8").strip().replace(":root", where)
