"""The words found, marked; what stands there by another name than the query's says of which it is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from index.answer import OtherName, Run


@dataclass(frozen=True)
class Piece:
    """A stretch of a snippet. ``other``: the words of the query that it is another name of; ``told``: they are said
    aloud here, which is done once in a snippet.
    """

    text: str
    marked: bool
    other: str = ""
    told: bool = False


def pieces(runs: Sequence[Run], query: str) -> tuple[Piece, ...]:
    """A snippet as it is shown."""
    out: list[Piece] = []
    for run in runs:
        other = _other(run, query)
        out.append(Piece(run.text, run.matched, other, bool(other) and other not in {p.other for p in out}))
    return tuple(out)


def _other(run: Run, query: str) -> str:
    """Empty where a word of the query stands in the run."""
    words = tuple(word for why in run.why if isinstance(why, OtherName) for word in why.words)
    alone = all(isinstance(why, OtherName) for why in run.why)
    return stretch(query, tuple(dict.fromkeys(words))) if words and alone else ""


def stretch(query: str, words: Sequence[str]) -> str:
    """The part of a query from the first to the last of some words; the words where they do not stand there.

    >>> stretch("a lead out of turn, twice", ["lead", "turn"])
    'lead out of turn'
    """
    low = query.lower()
    starts = [low.find(word.lower()) for word in words]
    if -1 in starts or len(low) != len(query):
        return " ".join(words)
    return query[min(starts) : max(start + len(word) for start, word in zip(starts, words, strict=True))]
