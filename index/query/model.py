"""What a query is understood as: citations (``Cited``), or words with what stands for them in every language
(``Asked``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from corpus.language import Language
from corpus.letters import Token, fold, tokenize


class ChangesRequest(NamedTuple):
    """That a query asks what changed. ``years``: the codes it names, in the order typed; () where it names none."""

    years: tuple[str, ...]


class StrippedQuery(NamedTuple):
    """A query without what asks for changes: the ``rest``, the years named, and whether the words ask by themselves or
    beside the name of a code.
    """

    rest: str
    years: tuple[str, ...]
    asks: bool


class ChangePhrases:
    """What asks for changes, in all languages; ``years``: those that texts here are of."""

    def __init__(self, languages: Iterable[Language], years: Collection[str]):
        said = [language.search for language in languages]
        self._sufficient = {_phrase_forms(p) for search in said for p in search.changes}
        self._beside_code = {_phrase_forms(p) for search in said for p in search.changed}
        self._code = {_phrase_forms(p) for search in said for p in search.code}
        self._since = {_phrase_forms(p) for search in said for p in search.since}
        self._longest = max(
            (len(p) for p in (*self._sufficient, *self._beside_code, *self._code, *self._since)), default=0
        )
        self._years = frozenset(years)

    def remove_from(self, text: str) -> StrippedQuery | None:
        """The query without what asks for changes; None where nothing in it does. Two years ask by themselves.

        ``"co się zmieniło w 27 od 1997"`` → ``Cut("w 27 od", ("1997",), True)``
        """
        tokens = tokenize(text)
        years = tuple(dict.fromkeys(t.form for t in tokens if t.form in self._years))
        asking, beside = self._phrase_places(tokens, self._sufficient), self._phrase_places(tokens, self._beside_code)
        if not asking and not beside and len(years) < 2:
            return None
        code, dates = self._phrase_places(tokens, self._code), {i for i, t in enumerate(tokens) if t.form in years}
        since = self._phrase_places(tokens, self._since) if dates or code else set()
        asks = bool(asking) or (bool(beside) and bool(code))
        gone = asking | beside | code | dates | since
        # “w 2017 a w 2007”: what leads in to a word that goes would be taken for a label.
        for i in range(len(tokens) - 1, -1, -1):
            alone = text[max(0, tokens[i].start - 1) : tokens[i].start].isspace() and tokens[i].form.isalpha()
            if i + 1 in gone and alone and len(tokens[i].form) == 1:
                gone.add(i)
        return StrippedQuery(_remove_tokens(text, tokens, gone), years, asks)

    def _phrase_places(self, tokens: list[Token], phrases: Collection[tuple[str, ...]]) -> set[int]:
        """The places of the words of every phrase that stands there."""
        found: set[int] = set()
        for at in range(len(tokens)):
            for size in range(1, min(self._longest, len(tokens) - at) + 1):
                if tuple(t.form for t in tokens[at : at + size]) in phrases:
                    found.update(range(at, at + size))
        return found


def _phrase_forms(words: str) -> tuple[str, ...]:
    return tuple(t.form for t in tokenize(fold(words)))


def _remove_tokens(text: str, tokens: list[Token], gone: Collection[int]) -> str:
    """The text without some of its words; what stands between the others stays, for labels are told by it."""
    out, at = [], 0
    for i in sorted(gone):
        out.append(text[at : tokens[i].start])
        at = tokens[i].end
    return " ".join("".join([*out, text[at:]]).split()).strip(" ?!.,;:–—-/")


# Why a term stands for a word of the query.
WORD, NAME, CORRECTED, UNFINISHED = "the word", "a term", "a typing error", "an unfinished word"
OTHER_LANGUAGE = "a word of another language"
KINDRED, PLAYERS, OF_UNNAMED = "a kindred word", "a player’s word", "a word of a term that no text has"
NOT_MEANT = "a word that is denied or means something else here"
# What may be marked in a text: reviewed terms and the query’s own words. Whatever only widens the query is not.
MARKED_REASONS = frozenset((WORD, NAME, CORRECTED, UNFINISHED, OTHER_LANGUAGE))


class IndexTerm(NamedTuple):
    """A term of the index (a lemma or a concept) that stands for a word: how well, and why."""

    term: str
    strength: float
    why: str


@dataclass(frozen=True)
class Unit:
    """A word of the query, as ``typed``. ``terms``: language → what stands for it in the index.

    ``known``: whether it is a word of the texts or lists; ``trust``: how much finding it says about the query, for a
    word guessed from typing errors may be another word; ``weight``: how much it tells beside the others.
    """

    typed: str
    form: str
    terms: Mapping[str, tuple[IndexTerm, ...]] = field(compare=False)
    known: bool = True
    corrected: str | None = None
    required: bool = False
    trust: float = 1.0
    weight: float = 1.0


@dataclass(frozen=True)
class CitationQuery:
    """Nothing but citations: paths in the order typed, the editions named with them, whether points of decisions are
    meant.

    ``lang`` is the language that the reader is known to use; ``about``: decisions about what is cited are meant;
    ``changes``: what changed there.
    """

    lang: str | None
    paths: tuple[str, ...]
    editions: tuple[str, ...] = ()
    points: bool = False
    about: bool = False
    changes: ChangesRequest | None = None


@dataclass(frozen=True)
class WordQuery:
    """Words. ``lang``: the language they are in; ``reader``: that of the reader, whose editions come first.

    ``units`` are empty when nothing but words to skip was typed; ``quoted`` are the phrases as typed, ``phrases``
    their tokens. ``numbered``: a word with a number that may be a citation not understood. ``named``: the concepts
    that all of it names; ``forms``: all its words in their order; ``changes``: what changed there is asked.
    """

    text: str
    lang: str | None
    reader: str | None
    units: tuple[Unit, ...]
    excluded: tuple[Unit, ...]
    phrases: tuple[tuple[Token, ...], ...]
    quoted: tuple[str, ...]
    define: bool
    years: frozenset[str]
    numbered: bool
    named: frozenset[str] = frozenset()
    forms: tuple[str, ...] = ()
    changes: ChangesRequest | None = None
