"""A language: what the code knows about it, from ``languages/<code>.toml`` (docs/add-a-language.md).

:func:`load_language` reads the file into a :class:`Language`.
"""

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
    """Yield a fault if a word is empty. ``key`` is the name of its list."""
    if not value:
        yield Fault(f"A word of “{key}” is empty.", "Remove it, or write it.")


def check_letter_name(key: str, value: str) -> Iterator[Fault]:
    """Yield a fault unless the value is the name of a letter, a colon, and the letter: “ef:F”."""
    name, _, letter = value.partition(":")
    if not name or not re.fullmatch("[A-Za-z]", letter):
        yield Fault(f"“{value}” of “{key}” is no name of a letter with the letter.", "Write it like “ef:F”.")


def check_numeral(key: str, value: str) -> Iterator[Fault]:
    """Yield a fault unless the value is the beginning of a word, a colon, and its number: “sixt:60”."""
    stem, _, number = value.partition(":")
    if not stem or not number.isdecimal():
        yield Fault(f"“{value}” of “{key}” is no beginning of a word with its number.", "Write it like “sixt:60”.")


WordList = Annotated[tuple[Annotated[str, ValueHint(_WORD_LIST_HINT), check_word], ...], ValueHint(_WORD_LIST_HINT)]


@dataclass(frozen=True)
class ReferenceWords:
    """``[reference]``: the words that announce references, in every inflected form."""

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
    """``[search]``: words that the search knows: in texts of the language, and in what users type."""

    letters: SignSet = ""
    dictionary: str = ""
    aspects: WordList = ()
    law: WordList = ()
    point: WordList = ()
    level: WordList = ()
    number: WordList = ()
    numbers: Annotated[tuple[Annotated[str, check_numeral], ...], ValueHint(_WORD_LIST_HINT)] = ()
    letter_names: Annotated[tuple[Annotated[str, check_letter_name], ...], ValueHint(_WORD_LIST_HINT)] = ()
    spelled: WordList = ()
    roman: WordList = ()
    thousand: WordList = ()
    counted: WordList = ()
    footnote: WordList = ()
    chapter: WordList = ()
    cited_joiners: WordList = ()
    about: WordList = ()
    changes: WordList = ()
    changed: WordList = ()
    code: WordList = ()
    since: WordList = ()
    before: WordList = ()
    define: WordList = ()
    and_: Annotated[WordList, KeyName("and")] = ()
    or_: Annotated[WordList, KeyName("or")] = ()
    not_: Annotated[WordList, KeyName("not")] = ()
    aside: WordList = ()
    negations: WordList = ()
    without: WordList = ()
    conditional: WordList = ()
    talk: WordList = ()
    stopwords: WordList = ()


@dataclass(frozen=True)
class BidWords:
    """``[bids]``: the names of bids in every inflected form, and the words between two bids that give their order."""

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
    def bid_level_words(self) -> tuple[WordList, ...]:
        """The words for the levels of bids, 1 to 7: seven lists, each with the names of one number."""
        return self.one, self.two, self.three, self.four, self.five, self.six, self.seven

    @property
    def denomination_words(self) -> tuple[WordList, ...]:
        """The words for the denominations, from the lowest to the highest: five lists."""
        return self.clubs, self.diamonds, self.hearts, self.spades, self.notrump


@dataclass(frozen=True)
class Language:
    """The content of a language file."""

    code: Annotated[str, NOT_IN_FILE]
    name: Annotated[str, ValueHint("the name of the language in itself"), check_not_empty]
    reference: ReferenceWords = ReferenceWords()
    search: SearchWords = SearchWords()
    bids: BidWords = BidWords()
    alphabet: Alphabet = field(default_factory=Alphabet)

    def reference_words(self, key: str) -> tuple[str, ...]:
        """The words of the key ``key`` in ``[reference]``, e.g. ``law`` (law words in every inflected form)."""
        return self._words_by_key.get(key, ())

    @cached_property
    def _words_by_key(self) -> dict[str, tuple[str, ...]]:
        return schema.values_by_key(self.reference)

    @cached_property
    def reference_word_end_pattern(self) -> re.Pattern[str] | None:
        """Matches a text that ends in a word after which a label is a reference, no item: “punkcie”, “see”, “a”.

        None when the language has no such words.
        """
        return self._ending_pattern("law", "provision", "see", "and", "or", "to", "in")

    @cached_property
    def law_word_end_pattern(self) -> re.Pattern[str] | None:
        """Matches a text that ends in a law word, a word for a provision, or “see”; None without such words.

        Unlike :attr:`reference_word_end_pattern` it has no small words like “a”, after which an item may begin.
        """
        return self._ending_pattern("law", "provision", "see")

    @cached_property
    def word_after_label_pattern(self) -> re.Pattern[str] | None:
        """Matches a text that begins with a word that stands after its label: “§”, “punktu”. None when the language has
        none.
        """
        words = self.reference_words("law_after") + self.reference_words("provision_after")
        found = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
        return re.compile(rf"\s*(?:{found})(?!\w)") if found else None

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
    """Read ``folder/<code>.toml``. Raises :class:`corpus.files.InvalidFile` when it is missing or wrong."""
    missing = (f"There is no file for the language “{code}”.", f"Write it; {LANGUAGE_DOCS} shows how.")
    return schema.build_from_file(
        Language, files.read_toml(folder / f"{code}.toml", f"languages/{code}.toml", missing), LANGUAGE_DOCS, code=code
    )
