"""Two bids in the words typed, and which of them followed the other: “1♠ over 2♣”, “po 2 trefach 1 pik”, “2C–1S”.

The signs and letters of bids are understood in every language; names of numbers and denominations, and what tells the
order, are words of the languages (``[bids]`` of their files).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from corpus.alphabet import fold
from corpus.bid import DENOMINATIONS, LEVELS, SIGNS, Bid, Overcall
from corpus.language import Language
from index.query.pieces import Piece, pieces

# “2♡” as some keyboards have it; one letter is enough for notrump in print.
_SIGNS = {sign: d for d, sign in SIGNS.items()} | dict(zip("♧♢♡♤", DENOMINATIONS, strict=False))
_LETTERS = {d.lower(): d for d in DENOMINATIONS} | {"n": "NT"}
_DIGITS = {str(level): level for level in LEVELS}
# Signs after which the next bid of an auction stands; those after which a number counts tricks.
_NEXT = frozenset("-–—−→>")
_TRICKS = frozenset("+-–−=")
# So near before the first bid a word tells the order, its own pieces counted: “after his partner’s 2♣”; and the second
# bid is nearer than that to the first.
REACH = 5
OVER, THEN, INSTEAD = "over", "then", "instead"

Phrases = Mapping[tuple[str, ...], str]


def read_bids(text: str, lang: str | None, languages: Mapping[str, Language]) -> Overcall | None:
    """The bid made and the one before it, where a text names two bids and tells which is which; else None.

    Two bids alone, or parted by a stroke, are “this over that”. A language that sees more bids is believed, among
    equals first ``lang``.
    """
    every = pieces(text)
    spoken = [_words(languages[code]) for code in sorted(languages, key=lambda code: code != lang)]
    read = [(_found(every, words), words) for words in spoken]
    most = max((len(found) for found, _ in read), default=0)
    if most != 2:
        return None
    pairs = [(found, words) for found, words in read if len(found) == most]
    told = every[: pairs[0][0][1].first]
    if any(INSTEAD in _marks(told, words) for words in spoken):
        return None
    return next(filter(None, (_ordered(every, found, words) for found, words in pairs)), None)


@dataclass(frozen=True)
class _Words:
    """The words of one language, folded: number → level, name → denomination, what tells the order, and what says that
    a number is that of a law.
    """

    levels: Mapping[str, int]
    names: Phrases
    marks: Phrases
    numbered: frozenset[str]


@dataclass(frozen=True)
class _Found:
    """A bid, and the pieces that name it: from ``first`` up to ``end``."""

    bid: Bid
    first: int
    end: int


@cache
def _words(language: Language) -> _Words:
    bids, search, reference = language.bids, language.search, language.reference
    names = zip(DENOMINATIONS, bids.denominations, strict=True)
    numbered = (search.law, search.point, search.number, search.chapter, search.footnote, reference.law)
    return _Words(
        {fold(word): level for level, words in zip(LEVELS, bids.levels, strict=True) for word in words},
        {_phrase(word): denomination for denomination, words in names for word in words},
        {_phrase(word): mark for mark in (OVER, THEN, INSTEAD) for word in getattr(bids, mark)},
        frozenset({"§", *(fold(word) for words in numbered for word in words)}),
    )


def _phrase(words: str) -> tuple[str, ...]:
    return tuple(fold(words).split())


def _found(every: Sequence[Piece], words: _Words) -> list[_Found]:
    """The bids, without those that are a result (“3NT+1”)."""
    out, at = [], 0
    while at < len(every):
        found = _bid(every, at, words)
        if found and not _is_result(every, found.end, words):
            out.append(found)
        at = found.end if found else at + 1
    return out


def _bid(every: Sequence[Piece], at: int, words: _Words) -> _Found | None:
    """The bid that begins at a piece; none inside a citation: “27B1 C”, “law 7C”, “2C1”, “2C(a)”."""
    number, before = every[at], every[at - 1] if at else None
    level = _DIGITS.get(number.form) or words.levels.get(number.form)
    if level is None or (before and (before.form in words.numbered or _runs_on(every, at))):
        return None
    named = _named(every, at + 1, words, digit=number.form in _DIGITS)
    if named is None:
        return None
    lettered = every[named[1] - 1].form not in _SIGNS
    if lettered and named[1] < len(every) and every[named[1]].goes_on:
        return None
    return _Found(Bid(level, named[0]), at, named[1])


def _runs_on(every: Sequence[Piece], at: int) -> bool:
    """Whether a number is the end of a longer one: B1, 27.1, 16/2."""
    before, two = every[at - 1], every[at - 2] if at > 1 else None
    if not every[at].glued:
        return False
    return before.is_word or (two is not None and before.glued and two.form.isdecimal() and before.form in "./,:-")


def _named(every: Sequence[Piece], at: int, words: _Words, *, digit: bool) -> tuple[str, int] | None:
    """The denomination at a place, and where it ends; a letter after a blank is a capital."""
    if at >= len(every):
        return None
    piece = every[at]
    if piece.form in _SIGNS:
        return _SIGNS[piece.form], at + 1
    if found := _longest(every, at, words.names):
        return words.names[found], at + len(found)
    if digit and piece.form in _LETTERS and (piece.glued or (piece.exact.isupper() and piece.form != "n")):
        return _LETTERS[piece.form], at + 1
    return None


def _longest(every: Sequence[Piece], at: int, phrases: Phrases) -> tuple[str, ...] | None:
    """The longest phrase of a list that stands at a place."""
    for length in range(max(map(len, phrases), default=0), 0, -1):
        said = tuple(piece.form for piece in every[at : at + length])
        if said in phrases:
            return said
    return None


def _is_result(every: Sequence[Piece], at: int, words: _Words) -> bool:
    """Whether tricks are counted after a contract: “4S-1”, “3NT+1”, “4♠=”."""
    if at >= len(every) or every[at].form not in _TRICKS:
        return False
    if every[at].form == "=":
        return True
    return at + 1 < len(every) and every[at + 1].form.isdecimal() and _bid(every, at + 1, words) is None


def _marks(said: Sequence[Piece], words: _Words) -> Iterator[str]:
    """What words of an order say, from left to right."""
    at = 0
    while at < len(said):
        found = _longest(said, at, words.marks)
        if found:
            yield words.marks[found]
        at += len(found) if found else 1


def _ordered(every: Sequence[Piece], found: Sequence[_Found], words: _Words) -> Overcall | None:
    """The two bids in the order that the words between and before them tell; None where they tell none."""
    one, two = found
    between, before = every[one.end : two.first], every[max(0, one.first - REACH) : one.first]
    told = set(_marks(between, words))
    if OVER in told:
        return Overcall(one.bid, two.bid)
    first = OVER in _marks(before, words) and len(between) < REACH
    if THEN in told or any(piece.form in _NEXT for piece in between) or first:
        return Overcall(two.bid, one.bid)
    return Overcall(one.bid, two.bid) if all(piece.form == "/" for piece in between) else None
