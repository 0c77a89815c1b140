"""Finds in a text the words of a scale: the longest form wins, and what is said not to have the strength has none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple


class Found(NamedTuple):
    """``text[start:end]`` is one of the forms, in whatever letters."""

    start: int
    end: int
    form: str


def find(
    text: str, forms: Iterable[str], apart: Iterable[str] = (), taken: Iterable[tuple[int, int]] = ()
) -> list[Found]:
    """Where forms stand as whole words, in their order; not inside words of ``apart``, nor in the spans ``taken``.

    >>> find("Nie może zagrać, ale może pasować.", ["może", "nie może"])
    [Found(start=0, end=8, form='nie może'), Found(start=21, end=25, form='może')]
    >>> find("Dołożenie może być błędem.", ["nie może"], ["może być"])
    []
    """
    closed = [*taken, *(match.span() for words in apart for match in _spans(text, (words,)))]
    by_fold = {form.casefold(): form for form in forms}
    return [
        Found(*match.span(), by_fold[_plain(match[0])])
        for match in _spans(text, by_fold)
        if not any(start < match.end() and match.start() < end for start, end in closed)
    ]


def stands(text: str, words: str) -> bool:
    """Whether words stand in a text."""
    return any(_spans(text, (words,)))


def _spans(text: str, phrases: Mapping[str, str] | tuple[str, ...]) -> Iterator[re.Match[str]]:
    longest_first = sorted(phrases, key=len, reverse=True)
    choice = "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in longest_first)
    return re.finditer(rf"(?<!\w)(?:{choice})(?!\w)", text, re.IGNORECASE) if choice else iter(())


def _plain(words: str) -> str:
    return " ".join(words.split()).casefold()
