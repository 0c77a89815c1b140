"""From text to tokens: what is one word, and how it is compared."""

from __future__ import annotations

import re
from typing import NamedTuple

from corpus.alphabet import fold

_WORD = re.compile(r"[^\W_]+")
# A sign after which another statement may begin: a “not” does not reach over it.
_CLAUSE = re.compile(r"(?<!\d)\.|[,;:?!()\[\]–—\n]|\s-\s")
# A word longer than any in a dictionary is noise; it is cut so that nothing downstream grows with it.
MOST_LETTERS = 40


class Token(NamedTuple):
    """A word of a text, ``text[start:end]``, as it is compared: ``form`` is lower case without diacritics, ``exact``
    is lower case; ``clause`` counts the clauses of the text, as far as signs part them.
    """

    form: str
    exact: str
    start: int
    end: int
    clause: int = 0


def analyse(text: str) -> list[Token]:
    """The tokens of a text in order.

    >>> [t.form for t in analyse("Fałszywy renons, 12. lewa")]
    ['falszywy', 'renons', '12', 'lewa']
    """
    out: list[Token] = []
    clause = end = 0
    for match in _WORD.finditer(text):
        exact = match.group()[:MOST_LETTERS].lower()
        clause += bool(out) and _CLAUSE.search(text, end, match.start()) is not None
        end = match.end()
        out.append(Token(fold(exact), exact, match.start(), end, clause))
    return out
