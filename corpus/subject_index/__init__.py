"""The printed subject index of an edition: entry → sub-entry → provisions."""
from __future__ import annotations

from corpus.edition import Edition
from corpus.language import Language
from corpus.model import IndexEntry, Node, Problem


def parse(nodes: list[Node], edition: Edition, language: Language) -> tuple[list[Node], list[IndexEntry], list[Problem]]:
    """Nodes, index entries, problems; an edition without an index has none."""
    return nodes, [], []
