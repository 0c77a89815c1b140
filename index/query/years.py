"""Years of the laws in a query, however they are said: “1997”, “’97”, “07”, “dwa tysiące siedem”.

:class:`YearWords` finds them. Only a year of some laws is one. Two digits, or a number below a hundred in words, must
be more than the number of the last law, have a zero or an apostrophe in front, or stand behind the word for a century
(“dwa tysiące siedem”): else they are the number of a law.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import count, takewhile
from typing import NamedTuple

from corpus.label import CitationWords
from corpus.letters import fold
from index.query.numbers import NumberWords, value_by_word

_PIECE = re.compile(r"[^\W\d_]+|\d+|[^\w\s]")
_APOSTROPHES = frozenset("'’‘`")
CENTURIES = (19, 20)  # “nineteen ninety seven”, “twenty seventeen”
MOST_WORDS = 5  # of a year, after the word for a thousand


class SpokenYear(NamedTuple):
    """A year of some laws, and where it stands in a text."""

    year: str
    start: int
    end: int


class YearWords:
    """Finds the ``years`` of the laws in texts. ``last_law``: the highest number of a law."""

    def __init__(self, words: CitationWords, years: Collection[str], last_law: int):
        letters = value_by_word(words.letter_names).keys()
        self._numbers = NumberWords(words.numbers, words.joiner - letters)
        self._thousand, self._joiners = tuple(words.thousand), words.joiner | {"-"}
        self._years, self._last_law = frozenset(years), last_law
        self._by_ending = {year[-2:]: year for year in years}

    def find(self, text: str) -> Iterator[SpokenYear]:
        """Yield the years that a text names, in their order."""
        found = list(_PIECE.finditer(text))
        words = [fold(piece.group()) for piece in found]
        at = 0
        while at < len(words):
            year, end = self._year_in_digits(words, at) or self._year_in_words(words, at) or ("", at + 1)
            if year:
                yield SpokenYear(year, found[at].start(), found[end - 1].end())
            at = end

    def write(self, text: str) -> str:
        """Return a text with its years in four digits."""
        out, done = [], 0
        for year, start, end in self.find(text):
            out += [text[done:start], year]
            done = end
        return "".join([*out, text[done:]])

    def _year_in_digits(self, words: list[str], at: int) -> tuple[str, int] | None:
        word, begins = words[at], words[at] in _APOSTROPHES and at + 1 < len(words)
        if word in self._years:
            return word, at + 1
        if begins and words[at + 1] in self._by_ending:
            return self._by_ending[words[at + 1]], at + 2
        if word in self._by_ending and (word[0] == "0" or int(word) > self._last_law):
            return self._by_ending[word], at + 1
        return None

    def _year_in_words(self, words: list[str], at: int) -> tuple[str, int] | None:
        value, end = self._numbers.read(words, at)
        if value > self._last_law:
            return self._with_ending(value, end)
        if value in CENTURIES and end < len(words):
            return self._with_ending(*self._numbers.read(words, end))
        # “dwa tysiące”, “dvetisíc”
        thousand = next((n for n in (at, at + bool(value)) if words[n : n + 1] and self._is_thousand(words[n])), None)
        if thousand is None:
            return None
        places = takewhile(lambda place: place < len(words) and self._may_follow(words[place]), count(thousand + 1))
        for place in [*places][:MOST_WORDS]:
            if found := self._with_ending(*self._numbers.read(words, place)):
                return found
        return None

    def _may_follow(self, word: str) -> bool:
        """Whether a word may stand in a number after the word for a thousand: “tysiąc dziewięćset …”."""
        return word in self._joiners or self._is_thousand(word) or bool(self._numbers.number(word))

    def _is_thousand(self, word: str) -> bool:
        return word.startswith(self._thousand)

    def _with_ending(self, value: int, end: int) -> tuple[str, int] | None:
        """Return the year that ends with a number, and the place ``end`` after it; None if no laws have it."""
        year = self._by_ending.get(f"{value:02}") if value else None
        return (year, end) if year else None
