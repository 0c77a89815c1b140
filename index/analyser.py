"""From text to words: what is one word, and how it is compared."""
from __future__ import annotations

import re
from typing import NamedTuple

from corpus.address import fold

_WORD = re.compile(r"[^\W_]+")
# A word longer than any in a dictionary is noise; it is cut so that nothing downstream grows with it.
LONGEST = 40


class Word(NamedTuple):
    """``text[start:end]`` as a reader compares it: ``form`` is lower case without diacritics, ``exact`` is lower case."""

    form: str
    exact: str
    start: int
    end: int


def analyse(text: str) -> list[Word]:
    """The words of a text in order.

    >>> [w.form for w in analyse("Fałszywy renons, 12. lewa")]
    ['falszywy', 'renons', '12', 'lewa']
    """
    out = []
    for match in _WORD.finditer(text):
        exact = match.group()[:LONGEST].lower()
        out.append(Word(fold(exact), exact, match.start(), match.end()))
    return out


def words(text: str) -> list[str]:
    """Lower-case words with their diacritics."""
    return [w.exact for w in analyse(text)]
