"""Words of terms and provisions, compared by their stems: how alike two texts are, and how an index sorts them."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from functools import lru_cache

from corpus.address import fold

_LETTERS = 5  # enough to keep words apart that differ in meaning, few enough to bring inflected forms together


@lru_cache(maxsize=8192)
def stems(text: str) -> frozenset[str]:
    """First letters of the words without their last vowels: “odsłonięcie”, “odsłonięta” → odslo; “lewy”, “lewa” →
    lew.
    """
    return frozenset(re.sub(r"[aeiouy]+$", "", word)[:_LETTERS] or word for word in re.findall(r"\w+", fold(text)))


class Weights:
    """How telling a stem is among texts: the rarer, the more."""

    def __init__(self, texts: list[frozenset[str]]):
        self.count = Counter(stem for text in texts for stem in text)
        self.total = len(texts) + 1

    def of(self, common: frozenset[str]) -> float:
        """The weight of stems that two texts have in common."""
        return sum(math.log(self.total / (1 + self.count[s])) for s in common)


def sort_key(term: str) -> tuple:
    """Alphabetical order of an index: letters only, endings of long words aside; a letter with a mark after the plain
    one.
    """
    words = [re.sub(r"[aeiouyąęó]+$", "", w) if len(w) > 4 else w for w in re.findall(r"\w+", term.lower())]
    return tuple((fold(c), unicodedata.normalize("NFD", c)[1:] or c if fold(c) != c else "") for c in "".join(words))
