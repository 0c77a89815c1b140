"""What a query is understood as: citations (``Cited``), or words with what stands for them in every language
(``Asked``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from corpus.word.token import Token
from index.query.changes import Changes

# Why a term stands for a word of the query.
WORD, NAME, CORRECTED, UNFINISHED = "the word", "a term", "a typing error", "an unfinished word"
OTHER_LANGUAGE = "a word of another language"
KIN, PLAYERS, OF_UNNAMED = "a kindred word", "a player’s word", "a word of a term that no text has"
NOT_MEANT = "a word that is denied or means something else here"
# What may be marked in a text: reviewed terms and the query’s own words. Whatever only widens the query is not.
MARKED = frozenset((WORD, NAME, CORRECTED, UNFINISHED, OTHER_LANGUAGE))


class Term(NamedTuple):
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
    terms: Mapping[str, tuple[Term, ...]] = field(compare=False)
    known: bool = True
    corrected: str | None = None
    required: bool = False
    trust: float = 1.0
    weight: float = 1.0


@dataclass(frozen=True)
class Cited:
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
    changes: Changes | None = None


@dataclass(frozen=True)
class Asked:
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
    changes: Changes | None = None
