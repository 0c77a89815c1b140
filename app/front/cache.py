"""Answers that were worked out, kept as they left the application, so many bytes of them."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable

from app.site.kept.answer import Answer

# Bytes of all that is kept in a process, and what one costs beside its body.
MOST, BESIDE = 32 * 1024 * 1024, 1024


class Cache:
    """Answers of one generation by what was asked; those that were not asked for longest are given up first. Shared
    between threads.

    >>> cache, answer = Cache(most=4000), Answer("200 OK", [], bytes(500))
    >>> for name in ("one", "two", "one", "three"):
    ...     if cache.get("build", name) is None:
    ...         cache.put("build", name, answer)
    >>> [cache.get("build", name) is not None for name in ("one", "two")], cache.get("other build", "one")
    ([True, False], None)
    """

    def __init__(self, most: int = MOST):
        """``most``: bytes."""
        self._most, self._held = most, 0
        self._of: Hashable = None
        self._kept: OrderedDict[Hashable, Answer] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, of: Hashable, key: Hashable) -> Answer | None:
        """What is kept of an answer; ``of``: the name of the generation that it must be of."""
        with self._lock:
            if self._of != of or key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key]

    def put(self, of: Hashable, key: Hashable, answer: Answer) -> None:
        """Keep an answer of a generation; what is kept of another is given up, and so is what there is no room for."""
        with self._lock:
            if self._of != of:
                self._of, self._held = of, 0
                self._kept.clear()
            if key in self._kept or _size(answer) > self._most:
                return
            self._kept[key] = answer
            self._held += _size(answer)
            while self._held > self._most:
                _, gone = self._kept.popitem(last=False)
                self._held -= _size(gone)


def _size(answer: Answer) -> int:
    return len(answer.body) + BESIDE
