"""The page model of the first page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from app.site import reader
from app.site.atlas import Atlas
from app.site.page import Page
from corpus import address
from corpus.edition.identity import Identity
from corpus.model import Node
from corpus.situation.model import Situation


@dataclass(frozen=True)
class HomePage(Page):
    """``matrix``: (year, for each of ``langs`` its editions); the ``laws`` of the ``chosen`` one of ``all`` editions,
    and its ``definitions``; ``examples`` of what one may type; the ``tiles`` of the commonest calls, each with the
    laws that rule it in the ``code`` chosen of ``codes``; ``count`` of all situations.
    """

    template: ClassVar[str] = "home.html"
    langs: tuple[str, ...]
    matrix: tuple[tuple[int, tuple[tuple[Identity, ...], ...]], ...]
    chosen: Identity
    all: tuple[Identity, ...]
    laws: tuple[Node, ...]
    definitions: Node | None
    examples: tuple[str, ...]
    codes: tuple[str, ...]
    code: str
    tiles: tuple[tuple[Situation, tuple[str, ...]], ...]
    count: int


def home_page(atlas: Atlas, chosen: Identity, code: str) -> HomePage:
    """The commonest calls in a code, editions by year and language, and a grid of the laws of one."""
    every = atlas.library.situations.values()
    tiles = sorted((s for s in every if s.tile), key=lambda s: s.tile)
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
        codes=atlas.codes,
        code=code,
        tiles=tuple((s, laws(s, code)) for s in tiles),
        count=len(every),
    )


MOST_LAWS = 3  # on a tile


def laws(situation: Situation, code: str) -> tuple[str, ...]:
    """The numbers of the laws that decide a situation in a code, by number."""
    first = dict.fromkeys(address.steps(path)[0] for path in situation.provisions.get(code, ()))
    return tuple(sorted(list(first)[:MOST_LAWS], key=lambda n: (len(n), n)))
