"""Beginnings of words → what has such words; where nothing has, the beginnings that it may have been mistyped for."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping
from typing import TypeVar

from index.lexicon import allowed, distance, letters

# After every word that begins so.
_LAST = "\U0010ffff"
K = TypeVar("K", bound=Hashable)


def numbered(having: Iterable[Iterable[K]]) -> Mapping[K, set[int]]:
    """What each thing has → the numbers of the things that have it.

    >>> numbered([["a", "b"], ["b"]])
    {'a': {0}, 'b': {0, 1}}
    """
    out: dict[K, set[int]] = {}
    for number, keys in enumerate(having):
        for key in keys:
            out.setdefault(key, set()).add(number)
    return out


class Beginnings:
    """Words → numbers of what has them. Immutable once made; shared between threads."""

    def __init__(self, having: Iterable[Collection[str]]):
        """``having``: the words of each thing, by its number."""
        self._having = numbered(having)
        self._words = sorted(self._having)
        # (first letter, length) → the beginnings of that length, or whole words: with a mask of their letters
        cut = {word[:end] for word in self._words for end in range(1, len(word) + 1)}
        self._cut: dict[tuple[str, int], list[tuple[int, str]]] = defaultdict(list)
        for beginning in sorted(cut):
            self._cut[beginning[0], len(beginning)].append((letters(beginning), beginning))

    def begun(self, typed: str) -> set[int]:
        """What has a word that begins so."""
        first, end = bisect_left(self._words, typed), bisect_left(self._words, typed + _LAST)
        return set().union(*(self._having[word] for word in self._words[first:end]))

    def mistyped(self, typed: str) -> set[int]:
        """What has a word that begins nearly so, and with the same letter; numbers are never changed."""
        most = 0 if any(c.isdigit() for c in typed) else allowed(len(typed))
        mask = letters(typed)
        for far in range(1, most + 1):
            near = [
                other
                for length in range(len(typed) - far, len(typed) + far + 1)
                for other_mask, other in self._cut.get((typed[0], length), ())
                if (mask ^ other_mask).bit_count() <= 2 * far and distance(typed, other, far) <= far
            ]
            if near:
                return set().union(*map(self.begun, near))
        return set()
