"""How a name is found among words: in whatever form and order its words stand, one beside the other, in one clause."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from corpus.alphabet import Alphabet
from corpus.word.lists import Forms
from corpus.word.token import Token, analyse

Meant = TypeVar("Meant", bound=Hashable)
NameKey = tuple[frozenset[str], ...]  # the readings of each word of a name


class Spoken(NamedTuple):
    """A language as far as names need it: forms → lemmas, and how its words end."""

    forms: Forms
    alphabet: Alphabet

    def readings(self, token: Token) -> frozenset[str]:
        """What a word may be a form of; one that no table knows is known by its stem."""
        return frozenset(self.forms.get(token.form) or (f"{self.alphabet.stem_of(token.form)}-",))

    def key(self, words: str) -> NameKey:
        """How a name is sought."""
        return tuple(self.readings(token) for token in analyse(words))

    def known(self, token: Token) -> frozenset[str]:
        """What a word may be a form of, and its stem: two words that have one of these in common are kin."""
        return self.readings(token) | {f"{self.alphabet.stem_of(token.form)}-"}


class Match(NamedTuple, Generic[Meant]):
    """Words ``first`` to ``last`` (inclusive) of a text say what is ``meant``."""

    meant: Meant
    first: int
    last: int

    def within(self, other: Match) -> bool:
        """Whether its words are among those of another."""
        return other.first <= self.first and self.last <= other.last


class NameIndex(Generic[Meant]):
    """Names of a language with what each of them means, sought in sequences of words."""

    def __init__(self, spoken: Spoken, named: Iterable[tuple[str, Meant]]):
        self._spoken = spoken
        self._by_word: Mapping[str, list[tuple[NameKey, Meant]]] = defaultdict(list)
        for words, meant in dict.fromkeys(named):
            # A text is searched for the longest word of a name first: it is the rarest.
            if key := spoken.key(words):
                for reading in max(key, key=lambda readings: len(min(readings))):
                    self._by_word[reading].append((key, meant))

    def find(self, tokens: Sequence[Token]) -> Iterator[Match[Meant]]:
        """Every name that stands among words, longer and shorter ones."""
        readings = [self._spoken.readings(token) for token in tokens]
        found: set[Match[Meant]] = set()
        for at, here in enumerate(readings):
            for key, meant in (entry for reading in here for entry in self._by_word.get(reading, ())):
                size = len(key)
                for first in range(max(0, at - size + 1), min(at, len(tokens) - size) + 1):
                    last = first + size - 1
                    match = Match(meant, first, last)
                    if match in found or tokens[first].clause != tokens[last].clause:
                        continue
                    if covers(key, readings[first : last + 1]):
                        found.add(match)
                        yield match


def covers(key: NameKey, window: Sequence[Collection[str]]) -> bool:
    """Whether each word of a name is one of the words of a window, given by their readings, in any order."""
    left = list(window)
    for wanted in key:
        for i, have in enumerate(left):
            if not wanted.isdisjoint(have):
                del left[i]
                break
        else:
            return False
    return True
