"""The page models of provisions without the law around them: a preview, and a selection to print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from app.site.asked import canonical
from app.site.atlas import Atlas
from app.site.excerpt import Excerpt, excerpt
from app.site.page import Page
from corpus.edition.identity import Identity, Notice
from corpus.library import Library
from corpus.model import Node

# As many provisions as one prints at a time.
MOST = 40


@dataclass(frozen=True)
class PeekPage(Page):
    """An ``excerpt`` as a piece of a page: what a reference shows before one goes there."""

    template: ClassVar[str] = "peek.html"
    excerpt: Excerpt


@dataclass(frozen=True)
class SelectionPage(Page):
    """``excerpts`` of an ``edition`` with all ``notices`` on them; ``law``: where the reader came from."""

    template: ClassVar[str] = "selection.html"
    edition: Identity
    law: Node
    excerpts: tuple[Excerpt, ...]
    notices: tuple[Notice, ...]


def peek_page(atlas: Atlas, node: Node) -> PeekPage:
    """A node in a small window, which has no room for links to notes of its own."""
    return PeekPage(excerpt(atlas, node, tells=False))


def selection_page(atlas: Atlas, law: Node, chosen: Sequence[Node]) -> SelectionPage:
    """Some provisions alone, as one prints them, with the notes that they carry."""
    excerpts = tuple(excerpt(atlas, n) for n in chosen)
    notices: tuple[Notice, ...] = ()
    for n in (n for x in excerpts for n in x.notices):
        if n not in notices:
            notices += (n,)
    return SelectionPage(excerpts[0].edition, atlas.page_of(law), excerpts, notices)


def chosen(library: Library, edition: str, asked: Sequence[str]) -> list[Node]:
    """The provisions that ``?only=16/D,16/B`` names, in the order of the book; what stands in another is not named
    twice.
    """
    paths = {canonical(library, edition, p) for names in asked for p in names.split(",")[:MOST]}
    nodes = [n for n in library.of(edition) if n.path in paths]
    return [n for n in nodes if not any(a in nodes for a in library.ancestors(n))][:MOST]
