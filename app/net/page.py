"""The page model of how laws refer to each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from app.net import picture
from app.site.atlas import Atlas
from app.site.page import Page
from app.site.picture import Picture
from corpus.edition.identity import Identity
from corpus.model import Node


@dataclass(frozen=True)
class NetPage(Page):
    """The references of a ``law``, or of all laws of an ``edition``, as a ``picture``; ``all``: the editions to choose
    from.
    """

    template: ClassVar[str] = "net.html"
    edition: Identity
    law: Node | None
    picture: Picture
    all: tuple[Identity, ...]


def net_page(atlas: Atlas, edition: str) -> NetPage:
    """All laws of an edition."""
    return NetPage(atlas.library.editions[edition], None, picture.net_picture(atlas, edition), atlas.ordered)


def law_net_page(atlas: Atlas, node: Node) -> NetPage:
    """The law that a node is in."""
    law = atlas.page_of(node)
    return NetPage(atlas.library.editions[node.edition], law, picture.neighbourhood_picture(atlas, law), atlas.ordered)
