"""Numbers in words, in all languages at once: “sixty four”, “dvadsiate tretie”, “šesťdesiatštyri”."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from index.lexicon import cached_method

CACHED_WORDS = 512
MOST_LETTERS_OF_ENDING = 1  # of tens, before the unit in the same word: “šesťdesiaT-štyri”


class NumberWords:
    """The words for numbers. ``written`` has the beginning of each with its number: “sixt:60”.

    ``joiners``: words that may stand between tens and units. All words are folded.
    """

    def __init__(self, written: Collection[str], joiners: Collection[str]):
        self._numbers = value_by_word(written)
        self._joiners = {*joiners, "-"}
        self._number_cached = cached_method(self._number, CACHED_WORDS)

    def number(self, word: str) -> int:
        """Return the number that one word says; 0 for other words."""
        return self._number_cached(word)

    def _number(self, word: str) -> int:
        known = [stem for stem in self._numbers if word.startswith(stem)]
        if not known or not word.isalpha():
            return 0
        stem = max(known, key=len)
        value = int(self._numbers[stem])
        if value < 20:
            return value
        # “šesťdesiatštyri”, “dvadesetsedam”: the unit stands in the same word, after the end of the tens.
        rests = (word[len(stem) + end :] for end in range(MOST_LETTERS_OF_ENDING + 1))
        units = (int(of) for rest in rests for unit, of in self._numbers.items() if rest.startswith(unit))
        return value + next((unit for unit in units if unit < 10), 0)

    def read(self, words: Sequence[str], at: int) -> tuple[int, int]:
        """Return a number that begins at a word, and the place after it: tens, then perhaps units. The number is 0 if
        none begins there.
        """
        value = self.number(words[at])
        if not value or value % 10 or value < 20:
            return value, at + 1
        for place in (at + 1, at + 2):  # “dvadeset sedmi”, “dvadeset i sedmi”, “sixty-four”
            units = self.number(words[place]) if place < len(words) else 0
            if 0 < units < 10:
                return value + units, place + 1
            if place < len(words) and words[place] not in self._joiners:
                break
        return value, at + 1


def value_by_word(written: Collection[str]) -> Mapping[str, str]:
    """Return the words of a list with their values.

    >>> value_by_word(["ef:F", "sixt:60"])
    {'ef': 'F', 'sixt': '60'}
    """
    return {word: value for word, _, value in (one.partition(":") for one in written)}
