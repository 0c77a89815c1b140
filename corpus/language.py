"""A language: everything the code knows about it is in ``languages/<code>.toml`` (docs/add-a-language.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated

from corpus.alphabet import Alphabet, Signs
from corpus.checked import table, toml
from corpus.checked.rule import MADE, Fault, Key, Wanted, filled
from corpus.place import Place

DOCS = "docs/add-a-language.md"
_LIST = 'a list of words: ["…", "…"]'


def a_word(key: str, value: str) -> Iterator[Fault]:
    """A rule: a word is not empty."""
    if not value:
        yield Fault(f"A word of “{key}” is empty.", "Remove it, or write it.")


def a_numeral(key: str, value: str) -> Iterator[Fault]:
    """A rule: the beginning of a word, and its number."""
    stem, _, number = value.partition(":")
    if not stem or not number.isdecimal():
        yield Fault(f"“{value}” of “{key}” is no beginning of a word with its number.", "Write it like “sixt:60”.")


Words = Annotated[tuple[Annotated[str, Wanted(_LIST), a_word], ...], Wanted(_LIST)]


@dataclass(frozen=True)
class References:
    """``[reference]``: the words that announce a reference, in every inflected form."""

    law: Words = ()
    law_after: Words = ()
    footnote: Words = ()
    provision: Words = ()
    provision_after: Words = ()
    see: Words = ()
    also: Words = ()
    in_: Annotated[Words, Key("in")] = ()
    lead: Words = ()
    ordinal: Words = ()
    of: Words = ()
    above: Words = ()
    below: Words = ()
    and_: Annotated[Words, Key("and")] = ()
    or_: Annotated[Words, Key("or")] = ()
    to: Words = ()
    definition: Words = ()
    same: Words = ()
    elsewhere: Words = ()


@dataclass(frozen=True)
class Search:
    """``[search]``: how texts of the language are searched, and what is typed to do so."""

    letters: Signs = ""
    dictionary: str = ""
    aspects: Words = ()
    law: Words = ()
    point: Words = ()
    level: Words = ()
    number: Words = ()
    numbers: Annotated[tuple[Annotated[str, a_numeral], ...], Wanted(_LIST)] = ()
    counted: Words = ()
    footnote: Words = ()
    chapter: Words = ()
    cited_joiners: Words = ()
    about: Words = ()
    changes: Words = ()
    changed: Words = ()
    code: Words = ()
    since: Words = ()
    define: Words = ()
    and_: Annotated[Words, Key("and")] = ()
    or_: Annotated[Words, Key("or")] = ()
    not_: Annotated[Words, Key("not")] = ()
    aside: Words = ()
    negations: Words = ()
    without: Words = ()
    conditional: Words = ()
    stopwords: Words = ()


@dataclass(frozen=True)
class Bids:
    """``[bids]``: what bids are called, in every inflected form, and which words tell the order of two of them."""

    one: Words = ()
    two: Words = ()
    three: Words = ()
    four: Words = ()
    five: Words = ()
    six: Words = ()
    seven: Words = ()
    clubs: Words = ()
    diamonds: Words = ()
    hearts: Words = ()
    spades: Words = ()
    notrump: Words = ()
    over: Words = ()
    then: Words = ()
    instead: Words = ()

    @property
    def levels(self) -> tuple[Words, ...]:
        """The names of the numbers 1 to 7."""
        return self.one, self.two, self.three, self.four, self.five, self.six, self.seven

    @property
    def denominations(self) -> tuple[Words, ...]:
        """The names of the denominations, from the lowest to the highest."""
        return self.clubs, self.diamonds, self.hearts, self.spades, self.notrump


@dataclass(frozen=True)
class Language:
    """A language file."""

    code: Annotated[str, MADE]
    name: Annotated[str, Wanted("the name of the language in itself"), filled]
    reference: References = References()
    search: Search = Search()
    bids: Bids = Bids()
    alphabet: Alphabet = field(default_factory=Alphabet)

    def words(self, key: str) -> tuple[str, ...]:
        """The words of ``[reference] key``, e.g. ``law`` (law words in every inflected form)."""
        return self._words.get(key, ())

    @cached_property
    def _words(self) -> dict[str, tuple[str, ...]]:
        return table.keyed(self.reference)

    @cached_property
    def reference_word_before(self) -> re.Pattern[str] | None:
        """Matches a text that ends in a word after which a label is a reference, not an item: “punkcie”, “see”, “a”."""
        return self._ending("law", "provision", "see", "and", "or", "to", "in")

    @cached_property
    def law_word_before(self) -> re.Pattern[str] | None:
        """The same without the small words, after which an item of a list may well begin: “punkcie”, “see”."""
        return self._ending("law", "provision", "see")

    def _ending(self, *keys: str) -> re.Pattern[str] | None:
        words = sorted((w for key in keys for w in self.words(key)), key=len, reverse=True)
        after = sorted(self.words("law_after"), key=len, reverse=True)
        ways = [
            start + "(?:" + "|".join(map(re.escape, found)) + ")$"
            for start, found in ((r"(?:^|[\s(\[„“\"])", words), (r"(?:^|[\s(\[„“\"])\d{1,3}\.?\s?", after))
            if found
        ]
        return re.compile("|".join(ways), re.IGNORECASE) if ways else None


def load(folder: Place, code: str) -> Language:
    """Read ``folder/<code>.toml``; raises :class:`corpus.checked.Refused` when it is missing or broken."""
    missing = (f"There is no file for the language “{code}”.", f"Write it; {DOCS} shows how.")
    return table.build(Language, toml.read(folder / f"{code}.toml", f"languages/{code}.toml", missing), DOCS, code=code)
