"""Citations as they are spoken: “sixty four A two”, “dvadsiate tretie pravidlo A prvý bod”, “prawo 45 C cztery be”.

:class:`SpokenCitations` writes one with digits and letters, as :class:`index.query.citation.CitationParser` reads it.
The words of all languages are known at once: numbers, names of letters, words for a law and for the steps below it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import NamedTuple

from corpus.label import CitationWords
from corpus.letters import fold
from index.query.numbers import NumberWords, value_by_word

MOST_WORDS = 16  # of a citation that is spoken
MOST_STEPS = 5  # of a path
LEAST_STEPS_BEFORE_ROMAN = 3  # “25-1-A-iii”
ROMAN_STEP = 4  # from this one on, a number is written as a Roman numeral: 12C1(e)(ii)
ROMAN = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")
_WORD = re.compile(r"[^\W\d_]+|\d+|[^\w\s]")
_SIGNS_BETWEEN = frozenset(".,-/§()[]:?!'\"")


class _Step(NamedTuple):
    """A step of a path, as it is written.

    ``word`` is the number of its first word, ``said``: it was in words, ``roman``: it was called a Roman numeral.
    """

    text: str
    word: int
    said: bool
    roman: bool = False


class SpokenCitations:
    """Writes spoken citations. ``names``: folded words that name editions."""

    def __init__(self, words: CitationWords, names: Collection[str]):
        self._words, self._names = words, names
        self._letters = value_by_word(words.letter_names)
        # “Be” is a letter here, and no English verb.
        self._numbers = NumberWords(words.numbers, words.joiner - self._letters.keys())

    def write(self, query: str) -> tuple[str, bool] | None:
        """Return the citation that a query says, with digits and letters, and whether some of it was said in words.

        None for a query that has other words, or says no citation.
        """
        words = [fold(word) for word in _WORD.findall(query)]
        if not 1 < len(words) <= MOST_WORDS:
            return None
        steps, kept, law_at = list[_Step](), list[str](), set[int]()
        at = 0
        while at < len(words):
            step, after = self._read_step(words, at, steps)
            if step:
                beside = {*words[max(at - 1, 0) : at], *words[after : after + 1]}
                if not _repeats(step, steps):
                    steps.append(step._replace(roman=not beside.isdisjoint(self._words.roman)))
                at = after
                continue
            word = words[at]
            if word in self._names or (word in self._words.point and word not in self._words.level):
                kept.append(word)
            elif word in self._words.law and word not in self._words.level:
                law_at.add(at)
            elif not self._is_between(word) and not self._leads_to_name(words, at):
                return None
            at += 1
        path = _path_of(steps, law_at)
        said = any(step.said for step in steps)
        if path is None or (len(path) < 2 and not law_at):
            return None
        if not (said or law_at or any(step.isalpha() for step in path)):
            return None  # “7-2” is a result, or two cards
        # A dot parts two numbers: “25.1.C” of decisions, “35.1” of a law without letters.
        joined = "".join(f".{b}" if a.isdecimal() and b.isdecimal() else b for a, b in pairwise(("", *path)))
        return " ".join([*kept, joined]), said

    def _leads_to_name(self, words: list[str], at: int) -> bool:
        """Whether a word only joins the name of an edition to the citation: “16B1b z 2007”."""
        return words[at] in self._words.joiner and words[at + 1 : at + 2] != [] and words[at + 1] in self._names

    def _is_between(self, word: str) -> bool:
        """Whether a word may stand between the steps of a citation and says nothing of it."""
        known = self._words.level | self._words.number | self._words.joiner | self._words.about | self._words.point
        known |= self._words.spelled | self._words.roman | self._words.code
        return word in known or word in self._words.law or word in _SIGNS_BETWEEN

    def _read_step(self, words: list[str], at: int, before: list[_Step]) -> tuple[_Step | None, int]:
        """Return the step that begins at a word, and where the next word stands; (None, …) where there is none."""
        word = words[at]
        if word in self._names or self._leads_to_name(words, at):
            return None, at
        if word.isdecimal():
            return _Step(str(int(word)), at, False), at + 1
        may_be_letter = before or words[max(at - 1, 0)] in self._words.level | self._words.spelled | self._words.law
        if may_be_letter and word in self._letters:
            return _Step(self._letters[word], at, said=True), at + 1
        if may_be_letter and len(word) == 1 and word.isalpha():
            return _Step(word.upper() if len(before) == 1 else word, at, said=False), at + 1
        if len(before) >= LEAST_STEPS_BEFORE_ROMAN and word in ROMAN[1:]:
            return _Step(word, at, said=False), at + 1
        value, end = self._numbers.read(words, at)
        return (_Step(str(value), at, True), end) if value else (None, at)


def _repeats(step: _Step, steps: list[_Step]) -> bool:
    """Whether a step is the letter before it once more: “bee as in bravo”."""
    return bool(steps) and step.text.isalpha() and step.text.lower() == steps[-1].text.lower()


def _path_of(steps: list[_Step], law_at: Collection[int]) -> list[str] | None:
    """Return the steps of a path in order; None where they are none.

    The number at a word for a law is the first step, also where a lower one was said before it (“drugi podpunkt prawa
    68”).
    """
    if not 0 < len(steps) <= MOST_STEPS:
        return None
    first = next(_law_steps(steps, law_at), 0)
    ordered = [*steps[first:], *steps[:first]]
    path = [_written(step, n) for n, step in enumerate(ordered)]
    return path if path[0].isdecimal() else None


def _written(step: _Step, n: int) -> str:
    """Return the ``n``-th step of a path as it is written, a number perhaps as a Roman numeral."""
    is_roman = n and step.text.isdecimal() and (step.roman or n >= ROMAN_STEP) and int(step.text) < len(ROMAN)
    return ROMAN[int(step.text)] if is_roman else step.text


def _law_steps(steps: list[_Step], law_at: Collection[int]) -> Iterator[int]:
    """Yield the places of the numbers after a word for a law, then of those before one."""
    for n, step in enumerate(steps):
        if step.text.isdecimal() and step.word - 1 in law_at:
            yield n
    for law in sorted(law_at):
        before = [n for n, step in enumerate(steps) if step.word < law]
        if before and steps[before[-1]].text.isdecimal():
            yield before[-1]
