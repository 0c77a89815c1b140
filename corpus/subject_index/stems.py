"""Words of terms and provisions as stems: how alike two texts are."""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import lru_cache

from corpus.alphabet import Alphabet, fold

# Enough to keep the terms of one index apart, few enough to bring their forms together: one less than for whole texts.
LETTERS = 5


@lru_cache(maxsize=8192)
def stems(text: str, alphabet: Alphabet) -> frozenset[str]:
    """The first letters of the words without their endings: “odsłonięcie”, “odsłonięta” → odslo; “lewy”, “lewa” →
    lew.
    """
    return frozenset(alphabet.stem_of(word, LETTERS) for word in re.findall(r"\w+", fold(text)))


class Weights:
    """How telling a stem is among texts: the rarer, the more."""

    def __init__(self, texts: list[frozenset[str]]):
        self.count = Counter(stem for text in texts for stem in text)
        self.total = len(texts) + 1

    def of(self, common: frozenset[str]) -> float:
        """The weight of stems that two texts have in common."""
        return sum(math.log(self.total / (1 + self.count[s])) for s in common)
