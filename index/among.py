"""Which documents are asked for: those of some editions and kinds that hold under the conditions of the table."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from corpus.library import Library
from index.document import Document
from index.loose import kept

FILTERS = 64  # that are kept


class _Named:
    """What each document has of one kind of name, as places in an array: looked up for all of them at once."""

    def __init__(self, names: Sequence[str]):
        self._places: Mapping[str, int] = {name: place for place, name in enumerate(dict.fromkeys(names))}
        self._of = np.array([self._places[name] for name in names], dtype=np.intp)

    def one_of(self, names: Iterable[str]) -> np.ndarray:
        """Whether each document has one of the names."""
        chosen: np.ndarray = np.zeros(len(self._places), dtype=bool)
        chosen[[self._places[name] for name in names if name in self._places]] = True
        return chosen[self._of]


class Among:
    """Asks every document once for the conditions of a table, and for a filter all of them at once: a page asks for as
    many filters as it offers. Shared between threads.
    """

    def __init__(self, documents: list[Document], library: Library):
        self._documents, self._library = documents, library
        self._editions = _Named([d.node.edition for d in documents])
        self._kinds = _Named([d.node.kind for d in documents])
        self._kept, self._held = kept(self._of, FILTERS), kept(self._holding, FILTERS)

    def of(self, editions: Collection[str], kinds: Collection[str], without: Collection[str]) -> np.ndarray:
        """Whether each document, by number, is of one of the ``editions`` and ``kinds`` (empty: of any kind), and holds
        where nobody plays under the conditions ``without``.
        """
        return self._kept(frozenset(editions), frozenset(kinds), frozenset(without))

    def _of(self, editions: frozenset[str], kinds: frozenset[str], without: frozenset[str]) -> np.ndarray:
        among = self._editions.one_of(editions) & self._held(without)
        return among & self._kinds.one_of(kinds) if kinds else among

    def _holding(self, without: frozenset[str]) -> np.ndarray:
        holds = self._library.conditions.holds
        return np.array([holds(document.node.id, without) for document in self._documents], dtype=bool)
