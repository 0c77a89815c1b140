"""Which documents are asked for: those of some editions and kinds that hold under the conditions of the table."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from corpus.condition import Conditions
from index.document import Document
from index.loose import kept
from index.rank.table import Table

FILTERS = 64  # that are kept


class Among:
    """Asks every document once for the conditions of a table, and for a filter all of them at once: a page asks for as
    many filters as it offers. Shared between threads.
    """

    def __init__(self, documents: Sequence[Document], conditions: Conditions, table: Table):
        self._documents, self._conditions, self._table = documents, conditions, table
        self._kept, self._held = kept(self._of, FILTERS), kept(self._holding, FILTERS)

    def of(self, editions: Collection[str], kinds: Collection[str], without: Collection[str]) -> np.ndarray:
        """Whether each document, by number, is of one of the ``editions`` and ``kinds`` (empty: of any kind), and holds
        where nobody plays under the conditions ``without``.
        """
        return self._kept(frozenset(editions), frozenset(kinds), frozenset(without))

    def _of(self, editions: frozenset[str], kinds: frozenset[str], without: frozenset[str]) -> np.ndarray:
        table = self._table
        among = _one_of(editions, table.editions)[table.edition] & self._held(without)
        return among & _one_of(kinds, table.kinds)[table.kind] if kinds else among

    def _holding(self, without: frozenset[str]) -> np.ndarray:
        holds = self._conditions.holds
        return np.array([holds(document.node.id, without) for document in self._documents], dtype=bool)


def _one_of(chosen: Collection[str], names: Sequence[str]) -> np.ndarray:
    """Whether each name is among those that were chosen."""
    return np.array([name in chosen for name in names], dtype=bool)
