"""A redline as what is drawn of it."""

from __future__ import annotations

from collections.abc import Sequence

from app.site.drawn import Paragraph, Piece, Run
from corpus.relation.redline import Stretch


def paragraphs(parts: Sequence[Stretch], signs: tuple[Piece, ...] = ()) -> tuple[Paragraph, ...]:
    """The paragraphs of a redline: stretches that both texts have and those that one of them has; ``signs`` stand at
    its end.
    """
    out: list[list[Piece]] = [[]]
    for sign, words in parts:
        first, *further = words.split("\n\n")
        for text, paragraph in [(first, out[-1]), *((text, []) for text in further)]:
            if paragraph is not out[-1]:
                out.append(paragraph)
            if text:
                paragraph.append(Run(text, change="" if sign == "=" else sign))
    out[-1] += signs
    return tuple(Paragraph(tuple(pieces)) for pieces in out if pieces)
