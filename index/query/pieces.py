"""A query cut into words, numbers and single signs that know whether a blank stands before them."""

from __future__ import annotations

import re
from typing import NamedTuple

from corpus.alphabet import fold

_PIECE = re.compile(r"[^\W\d_]+|\d+|[^\w\s]")
# Says only how the sign before it is to be drawn: “♠️”.
_DRAWN = re.compile("[\ufe0e\ufe0f]")


class Piece(NamedTuple):
    """A word, a number or a sign; ``form``: folded, ``glued``: no blank stands before it."""

    form: str
    exact: str
    glued: bool

    @property
    def is_word(self) -> bool:
        """Whether it is letters or digits."""
        return self.exact.isalnum()

    @property
    def goes_on(self) -> bool:
        """Whether what stands before it is not at its end: 2C**1**, 2C**(**a)."""
        return self.glued and (self.is_word or self.exact in "([")


def pieces(text: str) -> list[Piece]:
    """The pieces of a text in order.

    >>> [(p.form, p.glued) for p in pieces("1♠ po 2C")]
    [('1', False), ('♠', True), ('po', False), ('2', False), ('c', True)]
    """
    out: list[Piece] = []
    end = -1
    for match in _PIECE.finditer(_DRAWN.sub("", text)):
        out.append(Piece(fold(match.group()), match.group(), match.start() == end))
        end = match.end()
    return out
