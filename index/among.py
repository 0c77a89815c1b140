"""Which documents are asked for: those of some editions and kinds that hold under the conditions of the table."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from corpus.library import Library
from index.document import Document
from index.loose import kept

FILTERS = 64  # that are kept


class Among:
    """Asks every document once for a filter: the same few are asked for again and again. Shared between threads."""

    def __init__(self, documents: list[Document], library: Library):
        self._documents, self._library = documents, library
        self._kept = kept(self._of, FILTERS)

    def of(self, editions: Collection[str], kinds: Collection[str], without: Collection[str]) -> np.ndarray:
        """Whether each document, by number, is of one of the ``editions`` and ``kinds`` (empty: of any kind), and holds
        where nobody plays under the conditions ``without``.
        """
        return self._kept(frozenset(editions), frozenset(kinds), frozenset(without))

    def _of(self, editions: frozenset[str], kinds: frozenset[str], without: frozenset[str]) -> np.ndarray:
        holds = self._library.conditions.holds
        nodes = (document.node for document in self._documents)
        return np.array(
            [n.edition in editions and (not kinds or n.kind in kinds) and holds(n.id, without) for n in nodes],
            dtype=bool,
        )
