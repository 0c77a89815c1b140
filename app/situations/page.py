"""The list of situations: by phase, or those that words describe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from app.site.atlas import Atlas
from app.site.calls import Call
from app.site.page import Page
from corpus.checked.prose import Prose
from corpus.situation.model import Situation


@dataclass(frozen=True)
class SituationsPage(Page):
    """``phases``: (id, name, situations) in their order; ``found``: what the words of ``query`` describe, best first,
    None where nothing was asked.
    """

    template: ClassVar[str] = "situations.html"
    phases: tuple[tuple[str, Prose, tuple[Situation, ...]], ...]
    query: str = ""
    found: tuple[Call, ...] | None = None


def situations_page(atlas: Atlas, query: str = "", found: tuple[Call, ...] | None = None) -> SituationsPage:
    """All situations of the library."""
    every = atlas.library.situations.values()
    return SituationsPage(
        phases=tuple(
            (id_, name, tuple(s for s in every if s.phase == id_))
            for id_, name in atlas.library.vocabulary.phases.items()
        ),
        query=query,
        found=found,
    )
