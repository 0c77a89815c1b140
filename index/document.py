"""What is kept in memory of every indexed provision: its words with their offsets, for ranking and for snippets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from corpus.library import Library
from corpus.model import Node, NodeId

# Word or concept → where it stands: (first, last) positions among the words.
Spans = Mapping[str, tuple[tuple[int, int], ...]]


@dataclass(frozen=True, slots=True)
class Document:
    """A provision as the ranking sees it, and the page (``law``) that it is read on.

    ``heading`` and ``text`` are its words; ``…_offsets`` where they stand, in code points of ``node.heading`` and
    ``node.text``.
    """

    node: Node
    law: NodeId
    heading: tuple[str, ...]
    text: tuple[str, ...]
    heading_offsets: tuple[tuple[int, int], ...]
    text_offsets: tuple[tuple[int, int], ...]
    heading_places: Spans
    text_places: Spans


def read(path: Path, library: Library) -> list[Document]:
    """The documents of an index in the order of their numbers."""
    out = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        node = library.nodes[row["id"]]
        heading, text = tuple(w[0] for w in row["heading"]), tuple(w[0] for w in row["text"])
        out.append(
            Document(
                node,
                library.law_of(node).id,
                heading,
                text,
                tuple((w[1], w[2]) for w in row["heading"]),
                tuple((w[1], w[2]) for w in row["text"]),
                _places(heading, row["heading_concepts"]),
                _places(text, row["text_concepts"]),
            )
        )
    return out


def _places(forms: tuple[str, ...], concepts: list) -> Spans:
    out: dict[str, list[tuple[int, int]]] = {}
    for i, form in enumerate(forms):
        out.setdefault(form, []).append((i, i))
    for concept, first, last in concepts:
        out.setdefault(concept, []).append((first, last))
    return {k: tuple(v) for k, v in out.items()}
