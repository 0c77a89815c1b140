"""A language: everything the code knows about it is in ``languages/<code>.toml`` (docs/add-a-language.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated

from corpus import files, schema
from corpus.files import ReadablePath
from corpus.letters import Alphabet, SignSet
from corpus.schema import NOT_IN_FILE, Fault, KeyName, ValueHint, check_not_empty

LANGUAGE_DOCS = "docs/add-a-language.md"
_WORD_LIST_HINT = 'a list of words: ["…", "…"]'


def check_word(key: str, value: str) -> Iterator[Fault]:
    """A rule: a word is not empty."""
    if not value:
        yield Fault(f"A word of “{key}” is empty.", "Remove it, or write it.")


def check_numeral(key: str, value: str) -> Iterator[Fault]:
    """A rule: the beginning of a word, and its number."""
    stem, _, number = value.partition(":")
    if not stem or not number.isdecimal():
        yield Fault(f"“{value}” of “{key}” is no beginning of a word with its number.", "Write it like “sixt:60”.")


WordList = Annotated[tuple[Annotated[str, ValueHint(_WORD_LIST_HINT), check_word], ...], ValueHint(_WORD_LIST_HINT)]


@dataclass(frozen=True)
class ReferenceWords:
    """``[reference]``: the words that announce a reference, in every inflected form."""

    law: WordList = ()
    law_after: WordList = ()
    footnote: WordList = ()
    provision: WordList = ()
    provision_after: WordList = ()
    see: WordList = ()
    also: WordList = ()
    in_: Annotated[WordList, KeyName("in")] = ()
    lead: WordList = ()
    ordinal: WordList = ()
    of: WordList = ()
    above: WordList = ()
    below: WordList = ()
    and_: Annotated[WordList, KeyName("and")] = ()
    or_: Annotated[WordList, KeyName("or")] = ()
    to: WordList = ()
    definition: WordList = ()
    same: WordList = ()
    elsewhere: WordList = ()


@dataclass(frozen=True)
class SearchWords:
    """``[search]``: how texts of the language are searched, and what is typed to do so."""

    letters: SignSet = ""
    dictionary: str = ""
    aspects: WordList = ()
    law: WordList = ()
    point: WordList = ()
    level: WordList = ()
    number: WordList = ()
    numbers: Annotated[tuple[Annotated[str, check_numeral], ...], ValueHint(_WORD_LIST_HINT)] = ()
    counted: WordList = ()
    footnote: WordList = ()
    chapter: WordList = ()
    cited_joiners: WordList = ()
    about: WordList = ()
    changes: WordList = ()
    changed: WordList = ()
    code: WordList = ()
    since: WordList = ()
    define: WordList = ()
    and_: Annotated[WordList, KeyName("and")] = ()
    or_: Annotated[WordList, KeyName("or")] = ()
    not_: Annotated[WordList, KeyName("not")] = ()
    aside: WordList = ()
    negations: WordList = ()
    without: WordList = ()
    conditional: WordList = ()
    stopwords: WordList = ()


@dataclass(frozen=True)
class BidWords:
    """``[bids]``: what bids are called, in every inflected form, and which words tell the order of two of them."""

    one: WordList = ()
    two: WordList = ()
    three: WordList = ()
    four: WordList = ()
    five: WordList = ()
    six: WordList = ()
    seven: WordList = ()
    clubs: WordList = ()
    diamonds: WordList = ()
    hearts: WordList = ()
    spades: WordList = ()
    notrump: WordList = ()
    over: WordList = ()
    then: WordList = ()
    instead: WordList = ()

    @property
    def level_words(self) -> tuple[WordList, ...]:
        """The names of the numbers 1 to 7."""
        return self.one, self.two, self.three, self.four, self.five, self.six, self.seven

    @property
    def denomination_words(self) -> tuple[WordList, ...]:
        """The names of the denominations, from the lowest to the highest."""
        return self.clubs, self.diamonds, self.hearts, self.spades, self.notrump


@dataclass(frozen=True)
class Language:
    """A language file."""

    code: Annotated[str, NOT_IN_FILE]
    name: Annotated[str, ValueHint("the name of the language in itself"), check_not_empty]
    reference: ReferenceWords = ReferenceWords()
    search: SearchWords = SearchWords()
    bids: BidWords = BidWords()
    alphabet: Alphabet = field(default_factory=Alphabet)

    def reference_words(self, key: str) -> tuple[str, ...]:
        """The words of ``[reference] key``, e.g. ``law`` (law words in every inflected form)."""
        return self._words_by_key.get(key, ())

    @cached_property
    def _words_by_key(self) -> dict[str, tuple[str, ...]]:
        return schema.values_by_key(self.reference)

    @cached_property
    def reference_word_ending(self) -> re.Pattern[str] | None:
        """Matches a text that ends in a word after which a label is a reference, not an item: “punkcie”, “see”, “a”."""
        return self._ending_pattern("law", "provision", "see", "and", "or", "to", "in")

    @cached_property
    def law_word_ending(self) -> re.Pattern[str] | None:
        """The same without the small words, after which an item of a list may well begin: “punkcie”, “see”."""
        return self._ending_pattern("law", "provision", "see")

    def _ending_pattern(self, *keys: str) -> re.Pattern[str] | None:
        words = sorted((w for key in keys for w in self.reference_words(key)), key=len, reverse=True)
        after = sorted(self.reference_words("law_after"), key=len, reverse=True)
        ways = [
            start + "(?:" + "|".join(map(re.escape, found)) + ")$"
            for start, found in ((r"(?:^|[\s(\[„“\"])", words), (r"(?:^|[\s(\[„“\"])\d{1,3}\.?\s?", after))
            if found
        ]
        return re.compile("|".join(ways), re.IGNORECASE) if ways else None


def load_language(folder: ReadablePath, code: str) -> Language:
    """Read ``folder/<code>.toml``; raises :class:`corpus.checked.Refused` when it is missing or broken."""
    missing = (f"There is no file for the language “{code}”.", f"Write it; {LANGUAGE_DOCS} shows how.")
    return schema.build_from_file(
        Language, files.read_toml(folder / f"{code}.toml", f"languages/{code}.toml", missing), LANGUAGE_DOCS, code=code
    )
