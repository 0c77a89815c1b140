"""A redline as what is drawn of it."""

from __future__ import annotations

from collections.abc import Sequence

from app.site.drawn import Run
from corpus.relation.redline import Stretch


def runs(parts: Sequence[Stretch]) -> tuple[Run, ...]:
    """The stretches of a redline, those that both texts have and those that one of them has."""
    return tuple(Run(words, change="" if sign == "=" else sign) for sign, words in parts)
