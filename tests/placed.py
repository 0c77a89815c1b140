"""Where slips are placed: on the words of a node, in its text or its heading."""

from __future__ import annotations

from corpus.library import Library
from corpus.model import Misprint, Node


def placed(library: Library) -> list[tuple[Node, Misprint]]:
    """Every slip there is, with its node."""
    return [(n, s) for n in library.nodes.values() for s in n.misprints]


def text_of(node: Node, where: str) -> str:
    """The words that offsets of a slip or a quotation count in."""
    return (node.heading or "") if where == "heading" else node.text
