"""What the ranking asks of every document again and again, by its number: arrays that a whole list is weighed by at
once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

import numpy as np

from corpus.model import ALONE, FRAMES, NodeId
from index.answer import counterparts
from index.document import Document
from index.opening import Index

SAME = ("same", "reworded", "moved")  # relations of what is one provision
NOWHERE = -1  # in place of a number: no document


class Nearest(NamedTuple):
    """Of every document the one that stands nearest to it in an edition, :data:`NOWHERE` without one; and whether it is
    only nearest to what the document stands in.
    """

    numbers: np.ndarray
    around: np.ndarray


class Table:
    """Facts of the documents of an index, none of them a weight. What compares editions is worked out when it is first
    asked for. Shared between threads.

    ``edition``, ``kind``, ``lang``, ``law``: the place of each in ``editions``, ``kinds``, ``langs``, ``laws``;
    ``titled``: whether it has a heading, ``defines``, ``frames``: whether it is a definition, or a part of the book
    that frames the provisions.
    """

    def __init__(self, index: Index):
        self._index, self._library = index, index.library
        nodes = [d.node for d in index.documents]
        self.size = len(nodes)
        self.editions = list(index.library.editions)
        self.kinds = sorted({n.kind for n in nodes})
        self.langs = sorted({e.lang for e in index.library.editions.values()})
        self.laws = {law: i for i, law in enumerate(dict.fromkeys(d.law for d in index.documents))}
        every = (self.editions, self.kinds, self.langs)
        places, kinds, spoken = ({name: i for i, name in enumerate(names)} for names in every)
        self.edition = np.array([places[n.edition] for n in nodes], dtype=np.intp)
        self.kind = np.array([kinds[n.kind] for n in nodes], dtype=np.intp)
        self.lang = np.array([spoken[n.lang] for n in nodes], dtype=np.intp)
        self.law = np.array([self.laws[d.law] for d in index.documents], dtype=np.intp)
        self.titled = np.array([bool(d.heading.forms) for d in index.documents], dtype=bool)
        self.defines = np.array([n.kind == "definition" for n in nodes], dtype=bool)
        self.frames = np.array([n.kind in (*FRAMES, *ALONE) for n in nodes], dtype=bool)
        self.year = np.array([n.year for n in nodes])
        self._nearest: dict[str, Nearest] = {}

    @property
    def ids(self) -> tuple[list[NodeId], list[NodeId]]:
        """Of every document its id and that of its law."""
        return [d.node.id for d in self._index.documents], [d.law for d in self._index.documents]

    def number(self, id_: NodeId) -> int | None:
        """The document of a node; None for one that is none."""
        document = self._index.by_id.get(id_)
        return document.number if document else None

    def numbers(self, ids: Iterable[NodeId]) -> np.ndarray:
        """The documents of some nodes; what is none is left out."""
        by_id = self._index.by_id
        return np.array([by_id[id_].number for id_ in ids if id_ in by_id], dtype=np.intp)

    @cached_property
    def headed(self) -> dict[tuple[str, str], np.ndarray]:
        """(language, word or concept) → the documents that have it in their heading."""
        out: dict[tuple[str, str], list[int]] = defaultdict(list)
        for document in self._index.documents:
            for key in document.heading.places:
                out[document.node.lang, key].append(document.number)
        return {key: np.array(numbers, dtype=np.intp) for key, numbers in out.items()}

    def holding(self, form: str) -> list[Document]:
        """The documents that have a form in their text."""
        return [self._index.documents[number] for number in self.texts.get(form, ())]

    @cached_property
    def texts(self) -> dict[str, list[int]]:
        """Word or concept → the documents that have it in their text."""
        out: dict[str, list[int]] = defaultdict(list)
        for document in self._index.documents:
            for key in document.text.places:
                out[key].append(document.number)
        return dict(out)

    @cached_property
    def topics(self) -> dict[tuple[str, str], np.ndarray]:
        """(language, lemma) → the documents that the printed subject index names under it."""
        every = self._index.topics.items()
        return {(lang, lemma): self.numbers(ids) for lang, of in every for lemma, ids in of.items()}

    @cached_property
    def same(self) -> list[tuple[int, ...]]:
        """Of each document those that are the same provision in other editions."""
        found = self._library.relations.corresponding
        return [tuple(self.numbers(found(d.node.id, SAME)).tolist()) for d in self._index.documents]

    @cached_property
    def corresponding(self) -> np.ndarray:
        """Document, edition in time order → what corresponds to it there, filled up with :data:`NOWHERE`."""
        rows = [self.numbers(counterparts(self._library, d.node)) for d in self._index.documents]
        codes = [self.editions.index(id_) for id_ in self._library.relations.order]
        of = [[row[self.edition[row] == code] for code in codes] for row in rows]
        most = max((len(there) for row in of for there in row), default=0) or 1
        out = np.full((self.size, len(codes), most), NOWHERE, dtype=np.intp)
        for number, row in enumerate(of):
            for edition, there in enumerate(row):
                out[number, edition, : len(there)] = there
        return out

    def nearest(self, edition: str) -> Nearest:
        """What stands nearest in an edition to each document of the others."""
        if edition not in self._nearest:
            numbers, around = np.full(self.size, NOWHERE, dtype=np.intp), np.zeros(self.size, dtype=bool)
            for document in self._index.documents:
                rows = self._library.relations.nearest(document.node.id, edition)
                if document.node.edition != edition and rows and rows[0].id in self._index.by_id:
                    numbers[document.number] = self._index.by_id[rows[0].id].number
                    around[document.number] = rows[0].how == "parent"
            self._nearest[edition] = Nearest(numbers, around)
        return self._nearest[edition]
