"""The page model of an edition's contents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from app.site.page import Page
from corpus.library import EditionInfo, Library
from corpus.model import CONTAINERS, Node

# Kinds that have a line in the contents: containers, laws, and the parts beside them.
LISTED = {*CONTAINERS, "law", "point", "container", "preface", "intro", "index", "example"}


@dataclass(frozen=True)
class ContentsPage(Page):
    """All that an ``edition`` has; ``rows``: (depth, node), in its order."""

    template: ClassVar[str] = "contents.html"
    edition: EditionInfo
    rows: list[tuple[int, Node]]


def contents_page(library: Library, edition: str) -> ContentsPage:
    """The contents of an edition of the library."""
    rows = [(len(library.ancestors(n)), n) for n in library.of(edition) if n.kind in LISTED]
    return ContentsPage(library.editions[edition], rows)
