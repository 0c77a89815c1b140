"""The page model of an edition's contents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from app.site.page import Page
from corpus.edition.identity import Identity
from corpus.library import Library
from corpus.model import OUTLINED, Node


@dataclass(frozen=True)
class ContentsPage(Page):
    """All that an ``edition`` has; ``rows``: (depth, node), in its order."""

    template: ClassVar[str] = "contents.html"
    edition: Identity
    rows: tuple[tuple[int, Node], ...]


def contents_page(library: Library, edition: str) -> ContentsPage:
    """The contents of an edition of the library."""
    rows = ((len(library.ancestors(n)), n) for n in library.of(edition) if n.kind in OUTLINED)
    return ContentsPage(library.editions[edition], tuple(rows))
