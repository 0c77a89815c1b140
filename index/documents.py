"""The documents of an index, and the names of its fields.

:func:`read_documents` returns the :class:`Document` values that ranking and snippets use. :func:`field_names` lists the
fields that the engine stores.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from corpus.files import ReadablePath
from corpus.library import Library
from corpus.model import Node, NodeId

# Word or concept → its places: (first, last) positions among the words.
Spans = Mapping[str, tuple[tuple[int, int], ...]]


@dataclass(frozen=True, slots=True)
class TokenizedText:
    """The words of a heading or a text as ``printed``.

    ``forms`` are the folded words. ``offsets`` are their (start, end) in the text, in code points. ``places`` are the
    positions of each word and of each concept that the words name.
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
    ) -> TokenizedText:
        """Return the tokenized text. ``tokens``: form, start and end of each word. ``concepts``: concept, first and
        last word.
        """
        tokens = tuple(tokens)
        places: dict[str, list[tuple[int, int]]] = {}
        for key, first, last in (*((form, i, i) for i, (form, *_) in enumerate(tokens)), *concepts):
            places.setdefault(key, []).append((first, last))
        spans = {key: tuple(where) for key, where in places.items()}
        return cls(printed or "", tuple(t[0] for t in tokens), tuple((t[1], t[2]) for t in tokens), spans)


@dataclass(frozen=True, slots=True)
class Document:
    """A provision as the ranking sees it, and the page (``law``) that it is on.

    ``conditions`` are the conditions without which it does not hold; each is necessary by itself. ``number`` is its
    place among the documents, as the postings use it. It is -1 for a node without words of its own, which is not in the
    index.
    """

    node: Node
    law: NodeId
    heading: TokenizedText
    text: TokenizedText
    conditions: tuple[str, ...] = ()
    number: int = -1

    @classmethod
    def wordless(cls, node: Node, library: Library) -> Document:
        """Return the document of a node that is not in the index. Only a citation finds it."""
        heading, text = TokenizedText.of(node.heading), TokenizedText.of(node.text)
        return cls(node, library.page_node_of(node).id, heading, text, library.conditions.required_conditions(node.id))


def read_documents(path: ReadablePath, library: Library) -> list[Document]:
    """Return the documents of an index in the order of their numbers."""
    out = []
    for number, line in enumerate(path.read_bytes().splitlines()):
        row = json.loads(line)
        node = library.nodes[row["id"]]
        heading = TokenizedText.of(node.heading, row["heading"], row["heading_concepts"])
        text = TokenizedText.of(node.text, row["text"], row["text_concepts"])
        conditions = library.conditions.required_conditions(node.id)
        out.append(Document(node, library.page_node_of(node).id, heading, text, conditions, number))
    return out


# -- The fields of the index ---


def own_field(lang: str) -> str:
    """Return the name of the field with the lemmas and concepts of a provision's own heading and text."""
    return f"own_{lang}"


def context_field(lang: str) -> str:
    """Return the name of the field with the lemmas and concepts of the headings above and the provisions below."""
    return f"around_{lang}"


def forms_field(lang: str) -> str:
    """Return the name of the field with the words as printed, without diacritics. Quoted phrases are sought in it."""
    return f"forms_{lang}"


def field_names(langs: Iterable[str]) -> list[str]:
    """Return the names of all fields: three for each language of the corpus."""
    return [name(lang) for lang in langs for name in (own_field, context_field, forms_field)]
