"""The page models of a citation and of a card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from markupsafe import Markup

from app.cite.citation import forms, qr
from app.site import addresses, twins
from app.site.atlas import Atlas
from app.site.citing import Citation
from app.site.excerpt import Excerpt, excerpt
from app.site.page import Page
from corpus.edition.identity import Identity
from corpus.library import Library
from corpus.model import Node


@dataclass(frozen=True)
class CitePage(Page):
    """The ``forms`` in which ``node`` of ``edition`` is cited, the reader's language first; ``link``: its address,
    also as ``qr``.
    """

    template: ClassVar[str] = "cite.html"
    node: Node
    edition: Identity
    forms: tuple[Citation, ...]
    link: str
    qr: Markup


@dataclass(frozen=True)
class CardPage(Page):
    """An ``excerpt`` in large type, its ``counterparts``, whose cards are one step away; its ``link``, also as
    ``qr``.
    """

    template: ClassVar[str] = "card.html"
    excerpt: Excerpt
    counterparts: tuple[twins.Twins, ...]
    link: str
    qr: Markup


def cite_page(library: Library, node: Node) -> CitePage:
    """How a node is cited."""
    link = addresses.link(node.id)
    return CitePage(node, library.editions[node.edition], tuple(forms(library, node)), link, qr(link))


def card_page(atlas: Atlas, node: Node) -> CardPage:
    """A node as a card. A decision has no counterparts of its own."""
    link = addresses.link(node.id)
    decides = atlas.library.editions[node.edition].is_decisions
    return CardPage(excerpt(atlas, node), () if decides else tuple(twins.twins(atlas.library, node)), link, qr(link))
