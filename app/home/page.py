"""The page model of the first page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from app.site import reader
from app.site.atlas import Atlas
from app.site.page import Page
from corpus.edition.identity import Identity
from corpus.model import Node


@dataclass(frozen=True)
class HomePage(Page):
    """``matrix``: (year, for each of ``langs`` its editions); the ``laws`` of the ``chosen`` one of ``all`` editions,
    and its ``definitions``; ``examples`` of what one may type.
    """

    template: ClassVar[str] = "home.html"
    langs: tuple[str, ...]
    matrix: tuple[tuple[int, tuple[tuple[Identity, ...], ...]], ...]
    chosen: Identity
    all: tuple[Identity, ...]
    laws: tuple[Node, ...]
    definitions: Node | None
    examples: tuple[str, ...]


def home_page(atlas: Atlas, chosen: Identity) -> HomePage:
    """Editions by year and language, and a grid of the laws of one."""
    langs = tuple(dict.fromkeys(e.lang for e in atlas.library.codes))
    years = sorted({e.year for e in atlas.ordered})
    cell = lambda year, lang: tuple(e for e in atlas.ordered if (e.year, e.lang) == (year, lang))
    return HomePage(
        langs=langs,
        matrix=tuple((year, tuple(cell(year, lang) for lang in langs)) for year in years),
        chosen=chosen,
        all=atlas.ordered,
        laws=tuple(atlas.library.laws(chosen.id)),
        definitions=atlas.library.node(chosen.id, "def"),
        examples=tuple(reader.EXAMPLES.get(reader.ui(), ())),
    )
