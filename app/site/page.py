"""A page: one frozen value that its template shows, and what every template knows besides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, cast

from flask import Flask, abort, g, redirect, render_template
from werkzeug.local import LocalProxy

from app.site import addresses, http, reader, statements, wording
from app.site import statements as statements_module
from app.site.atlas import Atlas
from app.site.cache import part, place
from app.site.state import LONGEST, current
from corpus.edition import Identity
from corpus.generation import StoreError
from corpus.model import LAWS, Node


@dataclass(frozen=True)
class Thread:
    """A line between two laws: SVG path, its ends, how many provisions or references it stands for."""

    d: str
    a: Node
    b: Node
    count: int
    width: float
    same: bool


@dataclass(frozen=True)
class Dot:
    """A law in a picture. ``side``: where its number is written, ``start``, ``end`` or ``middle`` of the text at (tx,
    ty).
    """

    node: Node
    x: float
    y: float
    tx: float
    ty: float
    side: str
    size: float = 3.2


@dataclass(frozen=True)
class Picture:
    """A drawing ``width`` × ``height`` with its threads and dots."""

    width: float
    height: float
    threads: tuple[Thread, ...]
    dots: tuple[Dot, ...]


@dataclass(frozen=True)
class Page:
    """What one template shows, as ``page``. Each kind says in its docstring what its fields hold.

    ``led``: a reader of another language, who asked for it without naming one, is led to it in his own.
    """

    template: ClassVar[str]
    led: ClassVar[bool] = True

    def render(self, template: str = "") -> str:
        """The answer; ``template``: another one than the whole page's.

        Raises what Flask answers with: 302 to the same address in the reader's language.
        """
        if self.led and (language := reader.elsewhere()):
            response = redirect(addresses.here(ui=language))
            response.headers["Cache-Control"] = "private, no-store"
            abort(response)
        return render_template(template or self.template, page=self)


@dataclass(frozen=True)
class Shared:
    """What every template knows besides its page.

    ``ui``: the site's language, ``site_languages``: code → name of all of them · ``looks``: what can be chosen of
    themes and sizes · ``of_edition``: the one that the page is of, if it is of one · ``atlas``, ``editions``: the
    texts; none of them where nothing was built yet.
    """

    ui: str
    site_languages: Mapping[str, str]
    looks: Mapping[str, tuple[str, ...]]
    of_edition: Identity | None
    atlas: Atlas | None
    editions: Mapping[str, Identity]


# Modules, functions and sets of kinds that every template may use.
TOOLS: dict[str, Any] = {
    "url": addresses,
    "wording": wording,
    "statements": statements,
    "slips": statements_module,
    "reasons": statements_module,
    "asset": http.asset,
    "place": place,
    "part": part,
    "integrity": http.integrity,
    "LAWS": LAWS,
    "LONGEST": LONGEST,
}


def init_app(app: Flask) -> None:
    """Tell the templates."""
    app.jinja_env.globals.update(TOOLS)
    app.context_processor(_shared)


def _shared() -> dict[str, Any]:
    # A context of a template stands in circles: what it held of a snapshot would outlast its exchange.
    atlas = cast(Atlas | None, LocalProxy(_atlas))
    editions = cast(Mapping[str, Identity], LocalProxy(_editions))
    shared = Shared(
        ui=reader.ui(),
        site_languages=reader.names(),
        looks=http.LOOKS,
        of_edition=reader.edition(),
        atlas=atlas,
        editions=editions,
    )
    return {f.name: getattr(shared, f.name) for f in fields(Shared)}


def _editions() -> Mapping[str, Identity]:
    atlas = _atlas()
    return atlas.library.editions if atlas else {}


def _atlas() -> Atlas | None:
    """The texts; a page for an error must do without."""
    try:
        return current().atlas if "state" in g else None
    except StoreError:
        return None
