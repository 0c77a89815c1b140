"""What is kept in memory of every indexed provision: its words with their offsets, for ranking and for snippets."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from corpus.library import Library
from corpus.model import Node, NodeId
from corpus.place import Place

# Word or concept → where it stands: (first, last) positions among the words.
Spans = Mapping[str, tuple[tuple[int, int], ...]]


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a heading or a text as ``printed``: their forms, their offsets in it (code points), and where each
    of them, and each concept that they name, stands among them.
    """

    printed: str
    forms: tuple[str, ...]
    offsets: tuple[tuple[int, int], ...]
    places: Spans

    @classmethod
    def of(
        cls,
        printed: str | None,
        tokens: Iterable[tuple[str, int, int]] = (),
        concepts: Iterable[tuple[str, int, int]] = (),
    ) -> Words:
        """``tokens``: form, start and end of each word; ``concepts``: the first and the last word that name each."""
        tokens = tuple(tokens)
        places: dict[str, list[tuple[int, int]]] = {}
        for key, first, last in (*((form, i, i) for i, (form, *_) in enumerate(tokens)), *concepts):
            places.setdefault(key, []).append((first, last))
        spans = {key: tuple(where) for key, where in places.items()}
        return cls(printed or "", tuple(t[0] for t in tokens), tuple((t[1], t[2]) for t in tokens), spans)


@dataclass(frozen=True, slots=True)
class Document:
    """A provision as the ranking sees it, and the page (``law``) that it is read on.

    ``alone``: the conditions without which it does not hold, each of itself. ``number``: its place among the documents,
    as postings name it; -1 for a node without words of its own, which has none.
    """

    node: Node
    law: NodeId
    heading: Words
    text: Words
    alone: tuple[str, ...] = ()
    number: int = -1

    @classmethod
    def wordless(cls, node: Node, library: Library) -> Document:
        """A node that is no document of the index: only who knows its address finds it."""
        heading, text = Words.of(node.heading), Words.of(node.text)
        return cls(node, library.law_of(node).id, heading, text, library.conditions.alone(node.id))


def read_documents(path: Place, library: Library) -> list[Document]:
    """The documents of an index in the order of their numbers."""
    out = []
    for number, line in enumerate(path.read_bytes().splitlines()):
        row = json.loads(line)
        node = library.nodes[row["id"]]
        heading = Words.of(node.heading, row["heading"], row["heading_concepts"])
        text = Words.of(node.text, row["text"], row["text_concepts"])
        alone = library.conditions.alone(node.id)
        out.append(Document(node, library.law_of(node).id, heading, text, alone, number))
    return out
