"""The values that a query is parsed into: :class:`CitationQuery` for citations, :class:`WordQuery` for words.

A ``WordQuery`` holds a :class:`Unit` for each word, with the index terms that stand for it in every language.
:class:`ChangePhrases` recognises the phrases that ask what changed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from corpus.language import Language
from corpus.letters import Token, fold, tokenize


class ChangesRequest(NamedTuple):
    """The query asks what changed. ``years`` are the codes that it names, in the order typed; () if it names none."""

    years: tuple[str, ...]


class StrippedQuery(NamedTuple):
    """A query without the phrases that ask for changes.

    ``rest`` is what is left. ``years`` are the years named. ``asks``: the phrases ask for changes ``by_themselves``, or
    they stand beside the name of a code.
    """

    rest: str
    years: tuple[str, ...]
    asks: bool
    by_themselves: bool


class ChangePhrases:
    """The phrases of all languages that ask for changes. ``years`` are the years of the editions in the corpus."""

    def __init__(self, languages: Iterable[Language], years: Collection[str]):
        searches = [language.search for language in languages]
        self._sufficient = {_phrase_forms(p) for search in searches for p in search.changes}
        self._beside_code = {_phrase_forms(p) for search in searches for p in search.changed}
        self._code = {_phrase_forms(p) for search in searches for p in search.code}
        self._since = {_phrase_forms(p) for search in searches for p in search.since}
        self._longest = max(
            (len(p) for p in (*self._sufficient, *self._beside_code, *self._code, *self._since)), default=0
        )
        self._years = frozenset(years)

    def remove_from(self, text: str) -> StrippedQuery | None:
        """Return the query without the phrases that ask for changes, or None if it asks for none. Two years alone ask
        for changes.

        ``"co się zmieniło w 27 od 1997"`` → ``StrippedQuery("w 27", ("1997",), True, True)``
        """
        tokens = tokenize(text)
        years = tuple(dict.fromkeys(t.form for t in tokens if t.form in self._years))
        asking, beside = (
            self._positions_in_phrases(tokens, self._sufficient),
            self._positions_in_phrases(tokens, self._beside_code),
        )
        if not asking and not beside and len(years) < 2:
            return None
        code, dates = (
            self._positions_in_phrases(tokens, self._code),
            {i for i, t in enumerate(tokens) if t.form in years},
        )
        since = self._positions_in_phrases(tokens, self._since) if dates or code else set()
        asks = bool(asking) or (bool(beside) and bool(code))
        removed = asking | beside | code | dates | since
        # “w 2017 a w 2007”: a letter that leads in to a removed word would be taken for a label.
        for i in range(len(tokens) - 1, -1, -1):
            alone = text[max(0, tokens[i].start - 1) : tokens[i].start].isspace() and tokens[i].form.isalpha()
            if i + 1 in removed and alone and len(tokens[i].form) == 1:
                removed.add(i)
        return StrippedQuery(_remove_tokens(text, tokens, removed), years, asks, bool(asking))

    def _positions_in_phrases(self, tokens: list[Token], phrases: Collection[tuple[str, ...]]) -> set[int]:
        """Return the positions, in ``tokens``, of all tokens that belong to one of the phrases."""
        found: set[int] = set()
        for at in range(len(tokens)):
            for size in range(1, min(self._longest, len(tokens) - at) + 1):
                if tuple(t.form for t in tokens[at : at + size]) in phrases:
                    found.update(range(at, at + size))
        return found


def _phrase_forms(words: str) -> tuple[str, ...]:
    return tuple(t.form for t in tokenize(fold(words)))


def _remove_tokens(text: str, tokens: list[Token], gone: Collection[int]) -> str:
    """Return the text without some of its tokens. The characters between the others stay, because labels depend on
    them.
    """
    out, at = [], 0
    for i in sorted(gone):
        out.append(text[at : tokens[i].start])
        at = tokens[i].end
    return " ".join("".join([*out, text[at:]]).split()).strip(" ?!.,;:–—-/")


# The reasons why an index term stands for a word of the query. Pages show them.
WORD, NAME, CORRECTED, UNFINISHED = "the word", "a term", "a typing error", "an unfinished word"
OTHER_LANGUAGE = "a word of another language"
KINDRED, PLAYERS = "a kindred word", "a player’s word"
NOT_MEANT = "a word that is denied or means something else here"
# The reasons whose terms are marked in a snippet: reviewed terms and the query's own words, not terms that only widen
# the query.
MARKED_REASONS = frozenset((WORD, NAME, CORRECTED, UNFINISHED, OTHER_LANGUAGE))


class IndexTerm(NamedTuple):
    """A term of the index (a lemma or a concept) that stands for a word of the query.

    ``strength`` says how well, where the word itself has 1; ``why`` gives the reason.
    """

    term: str
    strength: float
    why: str


@dataclass(frozen=True)
class Unit:
    """A word of the query, as ``typed``. ``terms`` maps each language to the index terms that stand for the word.

    ``known``: the word is in the texts or lists. ``corrected`` is the word without its typing error. ``required``: a
    hit must have the word. ``trust`` says how much finding the word proves, because a guessed correction may be another
    word. ``weight`` says how much the word counts beside the others.
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
    """A query of citations only.

    ``lang`` is the language of the reader. ``paths`` are in the order typed. ``editions`` are the editions named beside
    them. ``points``: the query means points of decisions. ``about``: it means decisions about what is cited.
    ``changes`` is set if it asks what changed there.
    """

    lang: str | None
    paths: tuple[str, ...]
    editions: tuple[str, ...] = ()
    points: bool = False
    about: bool = False
    changes: ChangesRequest | None = None


@dataclass(frozen=True)
class WordQuery:
    """A query of words.

    ``lang`` is the language of the words; ``reader`` is the language of the reader, whose editions come first.
    ``units`` is empty if only stop words were typed; ``excluded`` are the words that a hit must not have. ``quoted``
    are the quoted phrases as typed, ``phrases`` their tokens. ``define``: the query asks for a definition. ``years``
    are the years of editions named. ``numbered``: a word with a number, perhaps a citation that was not understood.
    ``named`` are the concepts that the whole query names. ``forms`` are all its words in order. ``changes`` is set if
    the query asks what changed.
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
