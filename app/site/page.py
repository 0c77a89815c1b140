"""The base of all page models, the pictures that pages draw, and what every template knows besides its page.

A page model is a frozen dataclass that derives from :class:`SitePage`. Its template gets it as ``page``.
:func:`init_app` gives the templates :data:`TEMPLATE_GLOBALS` and the fields of :class:`TemplateContext`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, cast

from flask import Flask, abort, g, redirect, render_template, request
from werkzeug.local import LocalProxy

from app.site import addresses, http, phrases, reader, wording
from app.site.atlas import Atlas
from app.site.cache import part_prefix, placeholder_characters
from app.site.snapshot import current_snapshot
from corpus.edition import Identity
from corpus.generation import StoreError
from corpus.model import LAW_KINDS, Node


@dataclass(frozen=True)
class PictureLine:
    """A line between two laws.

    ``d``: the SVG path; ``a``, ``b``: the two laws; ``count``: how many provisions or references it stands for;
    ``same``: both laws have the same number.
    """

    d: str
    a: Node
    b: Node
    count: int
    width: float
    same: bool


@dataclass(frozen=True)
class PictureDot:
    """A dot for a law (``node``), drawn at (x, y) in a :class:`Picture`.

    (tx, ty) is where its number is written. ``side``: whether the number has its ``start``, ``middle`` or ``end``
    there.
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
    """Laws, drawn as ``dots``, and what joins two of them, drawn as lines (``threads``).

    ``width`` and ``height`` are in units of the SVG picture.
    """

    width: float
    height: float
    threads: tuple[PictureLine, ...]
    dots: tuple[PictureDot, ...]


@dataclass(frozen=True)
class SitePage:
    """What one template shows, as ``page``. Each subclass says in its docstring what its fields hold.

    ``led``: a reader of another language whose address names no language is redirected to the page in his own.
    ``codes_shown``: the codes of laws that the page can show, the one that it shows first; a reader who chose another
    one, and whose address names none, is redirected to the page in his.
    """

    template: ClassVar[str]
    led: ClassVar[bool] = True

    @property
    def codes_shown(self) -> Sequence[str]:
        """The codes of laws that the page can show; none where it does not depend on a code."""
        return ()

    @property
    def code_of_address(self) -> str:
        """The code of laws that the address names and the page shows, else ""."""
        named = request.args.get(reader.CODE_COOKIE, "")
        return named if named in self.codes_shown else ""

    def render(self, template: str = "") -> str:
        """Return the rendered page. ``template``: another template than that of the whole page, such as that of a
        piece.

        Raises what Flask answers with: 302 to the same address in the reader's language.
        """
        language = reader.language_to_redirect_to() if self.led else None
        code = reader.code_to_redirect_to(self.codes_shown)
        if language or code:
            changes = {reader.CODE_COOKIE: code} if code else {}
            response = redirect(addresses.current_address(ui=language, **changes))
            response.headers["Cache-Control"] = "private, no-store"
            abort(response)
        return render_template(template or self.template, page=self)


@dataclass(frozen=True)
class TemplateContext:
    """What every template knows besides its page.

    - ``ui``: the site's language; ``site_languages``: code → name of each language of the site.
    - ``looks``: the themes and sizes that can be chosen.
    - ``of_edition``: the edition that the page belongs to, or None.
    - ``atlas``, ``editions``: the texts; empty when nothing was built yet.
    """

    ui: str
    site_languages: Mapping[str, str]
    looks: Mapping[str, tuple[str, ...]]
    of_edition: Identity | None
    atlas: Atlas | None
    editions: Mapping[str, Identity]


# Modules, functions and sets of kinds that every template may use.
TEMPLATE_GLOBALS: dict[str, Any] = {
    "url": addresses,
    "wording": wording,
    "phrases": phrases,
    "asset": http.asset_address,
    "place": placeholder_characters,
    "part": part_prefix,
    "integrity": http.file_integrity,
    "READ_BY_NATIVE_SPEAKERS": reader.READ_BY_NATIVE_SPEAKERS,
    "LAWS": LAW_KINDS,
    "LONGEST": addresses.MAX_QUERY_LENGTH,
}


def init_app(app: Flask) -> None:
    """Give every template :data:`TEMPLATE_GLOBALS` and the fields of :class:`TemplateContext`."""
    app.jinja_env.globals.update(TEMPLATE_GLOBALS)
    app.context_processor(_template_context)


def _template_context() -> dict[str, Any]:
    # A template's context is part of reference cycles. A snapshot held by it would stay in memory after its exchange.
    atlas = cast(Atlas | None, LocalProxy(_current_atlas))
    editions = cast(Mapping[str, Identity], LocalProxy(_current_editions))
    shared = TemplateContext(
        ui=reader.ui_language(),
        site_languages=reader.language_names(),
        looks=http.LOOKS,
        of_edition=reader.page_edition(),
        atlas=atlas,
        editions=editions,
    )
    return {f.name: getattr(shared, f.name) for f in fields(TemplateContext)}


def _current_editions() -> Mapping[str, Identity]:
    atlas = _current_atlas()
    return atlas.library.editions if atlas else {}


def _current_atlas() -> Atlas | None:
    """Return the atlas of this request; None on an error page that has no generation."""
    try:
        return current_snapshot().atlas if "state" in g else None
    except StoreError:
        return None
