"""What the words of a query are: index terms for each word, the bids that they name, and their language.

Three entry points: :class:`QueryExpander` turns tokens into units; :func:`read_bids` finds a bid and the bid before it;
:func:`detect_language` returns the language of the words. What is known of the reader is only a hint.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from corpus.bid import BID_LEVELS, DENOMINATIONS, SUIT_SYMBOLS, Bid, Overcall
from corpus.language import Language
from corpus.letters import Token, fold, tokenize
from corpus.library import Library
from index.concept import ConceptMatch, Concepts, is_concept
from index.lexicon import SHORT_WORD, Lexicon
from index.query.model import (
    CORRECTED,
    KINDRED,
    NAME,
    NOT_MEANT,
    OTHER_LANGUAGE,
    PLAYERS,
    UNFINISHED,
    WORD,
    IndexTerm,
    Unit,
)
from index.weights import RankingWeights

# -- Index terms for each word ---

# Rules for reading corrections; their weights are in weights.py. An ending has at most LONGEST_ENDING letters. A word
# of LONG_WORD letters that differs from another in its ending only shares a stem with it, and not by chance.
LONGEST_ENDING, LONG_WORD = 3, 8
# In a shorter word, one letter too many or too few also makes another word (“wist”, “wista”). A changed letter in a
# word this short is never taken for a typing error (see the lexicon).
VERY_SHORT_WORD = SHORT_WORD - 1

NearForms = Sequence[tuple[str, int]]  # known forms nearest to a mistyped one, each with its distance


class QueryExpander:
    """Makes the units of a query: for each word, the index terms that stand for it in every language."""

    def __init__(self, library: Library, lexicons: Mapping[str, Lexicon], concepts: Concepts, weights: RankingWeights):
        self._lexicons, self._concepts, self._weights = lexicons, concepts, weights
        self._indexed = sorted({e.lang for e in library.editions.values()})
        self._titles = _heading_lemmas(library, lexicons)

    def expand(
        self,
        tokens: Sequence[Token],
        lang: str | None,
        required: Collection[int] = (),
        either: Iterable[tuple[int, int]] = (),
    ) -> tuple[Unit, ...]:
        """Return the units of the content words.

        ``required`` are the start offsets of tokens that a hit must have, ``either`` those of pairs joined by OR. Stop
        words are left out. So is a “not” beside other words, because it only says how they are meant.
        """
        if lang is None or lang not in self._lexicons:
            return tuple(
                self._unit_of_no_language(t, t.start in required) for t in {t.form: t for t in tokens}.values()
            )
        lexicon = self._lexicons[lang]
        kept = _content_tokens(tokens, lexicon)
        near = {t.form: others for t in kept if (others := self._spellings_of(t.form, lang, lexicon))}
        # Names are sought among all words, stop words too, because a “not” may be part of a name.
        names, unmeant = self._concepts.find_in_query(
            lang, [t._replace(form=near[t.form][0][0]) if t.form in near else t for t in tokens]
        )
        named: dict[str, list[ConceptMatch]] = {}
        for found in names:
            for token in tokens[found.first : found.last + 1]:
                named.setdefault(token.form, []).append(found)
        meant = {t.form for i, t in enumerate(tokens) if i not in unmeant}
        units = [
            self._make_unit(t, near.get(t.form, ()), lang, named.get(t.form, ()), t.form in meant, t.start in required)
            for t in kept
        ]
        if all(u.corrected for u in units):
            # Every word is a typing error, so the corrections are what the user means.
            units = [replace(u, trust=1.0) for u in units]
        units = _weigh_units(units, lexicon, self._weights)
        for first, second in either:
            units = _join_alternatives(units, kept, first, second)
        return tuple(units)

    def _unit_of_no_language(self, token: Token, required: bool) -> Unit:
        terms = (IndexTerm(token.form, self._weights.likely, OTHER_LANGUAGE),)
        return Unit(token.exact, token.form, dict.fromkeys(self._indexed, terms), known=False, required=required)

    def _spellings_of(self, form: str, lang: str, lexicon: Lexicon) -> NearForms:
        """Return (form, distance) for each known form that a mistyped word may be; () if the word is not mistyped.

        Only content words of headings or of the term lists are proposed.
        """
        if (
            lexicon.is_spelt_correctly(form)
            or self._concepts.has_name_with_word(lang, form)
            or lexicon.completions_of(form)
        ):
            return ()
        return tuple(found for found in lexicon.nearest_forms(form) if self._is_content_word(lang, lexicon, found[0]))

    def _is_content_word(self, lang: str, lexicon: Lexicon, form: str) -> bool:
        titles = self._titles.get(lang, ())
        return form not in lexicon.stopwords and any(
            lemma in titles or self._concepts.has_name_with_word(lang, lemma) for lemma in (form, *lexicon.lemmas(form))
        )

    def _make_unit(
        self, token: Token, near: NearForms, lang: str, named: Sequence[ConceptMatch], meant: bool, required: bool
    ) -> Unit:
        """Return the unit of a word. ``near`` are the known forms that a mistyped word may be, ``named`` the concepts
        that it names.

        ``meant`` is False if the word is denied or is part of a longer name with another meaning. Such a word has
        little weight, and a snippet does not mark it.
        """
        terms: dict[str, dict[str, IndexTerm]] = {code: {} for code in self._indexed}

        def add_term(code: str, term: str, strength: float, why: str) -> None:
            if not meant and why not in (NAME, PLAYERS):
                strength, why = min(strength, self._weights.not_meant), NOT_MEANT
            if strength > (terms[code][term].strength if term in terms[code] else 0.0):
                terms[code][term] = IndexTerm(term, strength, why)

        lexicon = self._lexicons[lang]
        beginning = (
            () if near or lexicon.is_spelt_correctly(token.form) or named else lexicon.completions_of(token.form)
        )
        if lang in terms:
            self._add_own_terms(add_term, token.form, lang, near, beginning)
        self._add_concepts(add_term, terms, lang, near, named)
        self._add_foreign_terms(add_term, token.form, lang)
        known = lexicon.knows_form(token.form) or bool(named or near or (beginning and lang in terms))
        is_sure = not near or not _may_be_other_word(token.form, *near[0])
        return Unit(
            token.exact,
            token.form,
            {code: tuple(found.values()) for code, found in terms.items()},
            known,
            near[0][0] if near else None,
            required,
            1.0 if is_sure else self._weights.guessed,
        )

    def _add_own_terms(self, put, form: str, lang: str, near: NearForms, beginning: Sequence[str]) -> None:
        """Add the terms that stand for a word in its own language.

        ``put(language, term, strength, why)`` adds a term. ``near`` are the corrections of the word, ``beginning`` its
        completions.
        """
        lexicon, weights = self._lexicons[lang], self._weights
        for other, _ in near:
            for lemma in lexicon.lemmas(other):
                put(lang, lemma, 1.0, CORRECTED)
        for lemma in beginning:
            put(lang, lemma, weights.likely, UNFINISHED)
        for lemma in lexicon.lemmas(form):
            put(lang, lemma, 1.0, WORD)
            for other in lexicon.kindred_lemmas(lemma, weights.kin_share):
                put(lang, other, weights.kin, KINDRED)

    def _add_concepts(
        self,
        put,
        terms: Mapping[str, Mapping[str, IndexTerm]],
        lang: str,
        near: NearForms,
        named: Sequence[ConceptMatch],
    ) -> None:
        """Add the concepts that the word names (``named``). A concept is the same term in every language.

        ``put`` is as in :meth:`_add_own_terms`. A player's word for a word of the laws leads to the lemma of that word.
        """
        weights = self._weights
        for concept, first, last, _ in named:
            strength = 1.0 if near else weights.term if first == last else weights.long_term
            if not is_concept(concept):
                if lang in terms:
                    put(lang, concept, strength, PLAYERS)
                continue
            for code in self._indexed:
                put(code, concept, strength, NAME)

    def _add_foreign_terms(self, put, form: str, lang: str) -> None:
        """Add the lemmas that other languages have for the same form. ``put`` is as in :meth:`_add_own_terms`."""
        for code in self._indexed:
            lexicon = self._lexicons[code]
            if code != lang and lexicon.counts.get(form) and form not in lexicon.stopwords:
                for lemma in lexicon.lemmas(form):
                    put(code, lemma, self._weights.likely, OTHER_LANGUAGE)


def _weigh_units(units: list[Unit], lexicon: Lexicon, weights: RankingWeights) -> list[Unit]:
    """Return the units with less weight for words that say who, or which card or bid.

    The weights change only if enough other words say what happened.
    """
    aside = [lexicon.names_person_or_card(u.form) for u in units]
    if aside.count(False) < weights.telling:
        return units
    return [replace(u, weight=weights.aside) if so else u for u, so in zip(units, aside, strict=True)]


def _content_tokens(tokens: Sequence[Token], lexicon: Lexicon) -> list[Token]:
    """Return each content word once, without stop words. Words that deny are kept only if nothing else is left."""
    counting = [t for t in tokens if t.form not in lexicon.stopwords and (len(t.form) > 1 or t.form.isdigit())]
    # A repeated word keeps its first token and takes the place of its last.
    kept = list({t.form: t for t in reversed(counting)}.values())[::-1]
    return [t for t in kept if t.form not in lexicon.denials] or kept


def _may_be_other_word(form: str, near: str, far: int) -> bool:
    """Whether ``near``, the known form that replaces a mistyped ``form``, may well be another word.

    ``far`` is the distance of the two. A long word that differs only in its ending is not a guess.
    """
    if near[: len(form) - LONGEST_ENDING] == form[:-LONGEST_ENDING] and len(form) >= LONG_WORD:
        return False
    return far > 1 or (len(form) < VERY_SHORT_WORD and len(near) != len(form))


def _heading_lemmas(library: Library, lexicons: Mapping[str, Lexicon]) -> dict[str, set[str]]:
    """Return, by language, the lemmas of the words in headings."""
    out: dict[str, set[str]] = {}
    for node in library.nodes.values():
        if node.heading and node.lang in lexicons:
            lexicon = lexicons[node.lang]
            forms = (t.form for t in tokenize(node.heading) if t.form not in lexicon.stopwords)
            out.setdefault(node.lang, set()).update(lemma for form in forms for lemma in lexicon.lemmas(form))
    return out


def _join_alternatives(units: list[Unit], tokens: Sequence[Token], first: int, second: int) -> list[Unit]:
    """Return the units with two of them, joined by OR, merged into one.

    ``first`` and ``second`` are the start offsets of their tokens.
    """
    at = {t.start: i for i, t in enumerate(tokens)}
    if first not in at or second not in at or max(at[first], at[second]) >= len(units):
        return units
    a, b = units[at[first]], units[at[second]]
    terms = {code: tuple({t.term: t for t in (*b.terms[code], *a.terms[code])}.values()) for code in a.terms}
    both = Unit(f"{a.typed} / {b.typed}", a.form, terms, a.known or b.known)
    return [both if u in (a, b) and u is not b else u for u in units if u is not b]


# -- Two bids in a query ---

_BID_TOKEN = re.compile(r"[^\W\d_]+|\d+|[^\w\s]")
# They only say how the sign before them is drawn: “♠️”.
_VARIATION_SELECTORS = re.compile("[\ufe0e\ufe0f]")


class BidToken(NamedTuple):
    """A word, a number or a sign, from ``start`` to ``end`` in its text. ``form`` is folded, ``exact`` is as typed.
    ``glued``: no blank stands before it.
    """

    form: str
    exact: str
    glued: bool
    start: int
    end: int

    @property
    def is_letters_or_digits(self) -> bool:
        """Whether the token consists of letters or of digits, and is no sign."""
        return self.exact.isalnum()

    @property
    def continues_citation(self) -> bool:
        """Whether the token goes on with what stands before it: 2C**1**, 2C**(**a)."""
        return self.glued and (self.is_letters_or_digits or self.exact in "([")


def bid_tokens(text: str) -> list[BidToken]:
    """Return the words, numbers and signs of a text in their order.

    >>> [(p.form, p.glued) for p in bid_tokens("1♠ po 2C")]
    [('1', False), ('♠', True), ('po', False), ('2', False), ('c', True)]
    """
    out: list[BidToken] = []
    end = -1
    for match in _BID_TOKEN.finditer(text):
        if _VARIATION_SELECTORS.fullmatch(match.group()):
            end = match.end() if match.start() == end else end
            continue
        out.append(BidToken(fold(match.group()), match.group(), match.start() == end, match.start(), match.end()))
        end = match.end()
    return out


# Some keyboards have the white suit signs (“2♡”). In print, the letter “N” is enough for notrump.
_SIGNS = {sign: d for d, sign in SUIT_SYMBOLS.items()} | dict(zip("♧♢♡♤", DENOMINATIONS, strict=False))
_LETTERS = {d.lower(): d for d in DENOMINATIONS} | {"n": "NT"}
_DIGITS = {str(level): level for level in BID_LEVELS}
# Signs before the next bid of an auction, and signs before a count of tricks.
_NEXT_BID_SIGNS = frozenset("-–—−→>")
_TRICK_SIGNS = frozenset("+-–−=")
# A word for the order counts if it stands at most this many pieces before the first bid (“after his partner’s 2♣”) and
# the second bid follows the first within fewer pieces.
MOST_TOKENS_BETWEEN = 5
OVER, THEN, INSTEAD = "over", "then", "instead"

Phrases = Mapping[tuple[str, ...], str]


def read_bids(text: str, lang: str | None, languages: Mapping[str, Language]) -> Overcall | None:
    """Return the bid made and the bid before it, if a text names exactly two bids and shows their order; else None.

    Two bids alone, or with a stroke between them, mean “the first over the second”. The words are read in every
    language. Only the languages that see most bids count, ``lang`` first.
    """
    pieces = bid_tokens(text)
    spoken = [_bid_words_of(languages[code]) for code in sorted(languages, key=lambda code: code != lang)]
    pairs = _most_bids(pieces, spoken)
    if not pairs or len(pairs[0][0]) != 2:
        return None
    words_before = pieces[: pairs[0][0][1].first]
    if any(INSTEAD in _bid_order_words(words_before, words) for words in spoken):
        return None
    return next(filter(None, (_order_bids(pieces, found, words) for found, words in pairs)), None)


def bids_in(text: str, lang: str | None, languages: Mapping[str, Language]) -> tuple[tuple[Bid, tuple[int, int]], ...]:
    """Return (bid, where it stands) for each bid that a text names, as :func:`read_bids` reads them."""
    pieces = bid_tokens(text)
    pairs = _most_bids(pieces, [_bid_words_of(languages[c]) for c in sorted(languages, key=lambda code: code != lang)])
    found = pairs[0][0] if pairs else []
    return tuple((one.bid, (pieces[one.first].start, pieces[one.end - 1].end)) for one in found)


def _most_bids(pieces: Sequence[BidToken], spoken: Sequence[_BidWords]) -> list[tuple[list[_FoundBid], _BidWords]]:
    """Return the bids that a text names, and the words by which they were read, in each language that sees most."""
    read = [(_find_bids(pieces, words), words) for words in spoken]
    most = max((len(found) for found, _ in read), default=0)
    return [(found, words) for found, words in read if found and len(found) == most]


@dataclass(frozen=True)
class _BidWords:
    """The bid words of one language, all folded.

    ``levels``: number word → level. ``names``: words → denomination. ``order_words``: words → the order of two bids.
    ``numbered``: words after which a number is that of a law.
    """

    levels: Mapping[str, int]
    names: Phrases
    order_words: Phrases
    numbered: frozenset[str]


@dataclass(frozen=True)
class _FoundBid:
    """A bid, and the pieces that name it: from ``first`` up to, not including, ``end``."""

    bid: Bid
    first: int
    end: int


@cache
def _bid_words_of(language: Language) -> _BidWords:
    bids, search, reference = language.bids, language.search, language.reference
    names = zip(DENOMINATIONS, bids.denomination_words, strict=True)
    numbered = (search.law, search.point, search.number, search.chapter, search.footnote, reference.law)
    return _BidWords(
        {fold(word): level for level, words in zip(BID_LEVELS, bids.bid_level_words, strict=True) for word in words},
        {_folded_words(word): denomination for denomination, words in names for word in words},
        {_folded_words(word): mark for mark in (OVER, THEN, INSTEAD) for word in getattr(bids, mark)},
        frozenset({"§", *(fold(word) for words in numbered for word in words)}),
    )


def _folded_words(words: str) -> tuple[str, ...]:
    return tuple(fold(words).split())


def _find_bids(pieces: Sequence[BidToken], words: _BidWords) -> list[_FoundBid]:
    """Return the bids among the pieces of a text, without those that belong to a result (“3NT+1”)."""
    out, at = [], 0
    while at < len(pieces):
        found = _read_bid(pieces, at, words)
        if found and not _is_trick_count(pieces, found.end, words):
            out.append(found)
        at = found.end if found else at + 1
    return out


def _read_bid(pieces: Sequence[BidToken], at: int, words: _BidWords) -> _FoundBid | None:
    """Return the bid that begins at the piece of index ``at``, or None.

    No bid is read inside a citation: “27B1 C”, “law 7C”, “2C1”, “2C(a)”.
    """
    number, before = pieces[at], pieces[at - 1] if at else None
    level = _DIGITS.get(number.form) or words.levels.get(number.form)
    if level is None or (before and (before.form in words.numbered or _continues_number(pieces, at))):
        return None
    named = _read_denomination(pieces, at + 1, words, digit=number.form in _DIGITS)
    if named is None:
        return None
    lettered = pieces[named[1] - 1].form not in _SIGNS
    if lettered and named[1] < len(pieces) and pieces[named[1]].continues_citation:
        return None
    return _FoundBid(Bid(level, named[0]), at, named[1])


def _continues_number(pieces: Sequence[BidToken], at: int) -> bool:
    """Whether the number at index ``at`` is the end of a longer one: B1, 27.1, 16/2."""
    before, two = pieces[at - 1], pieces[at - 2] if at > 1 else None
    if not pieces[at].glued:
        return False
    return before.is_letters_or_digits or (
        two is not None and before.glued and two.form.isdecimal() and before.form in "./,:-"
    )


def _read_denomination(pieces: Sequence[BidToken], at: int, words: _BidWords, *, digit: bool) -> tuple[str, int] | None:
    """Return (denomination that begins at index ``at``, index after it), or None if there is none.

    ``digit``: the level before it is a digit, so one letter is enough. A letter after a blank must be a capital.
    """
    if at >= len(pieces):
        return None
    piece = pieces[at]
    if piece.form in _SIGNS:
        return _SIGNS[piece.form], at + 1
    if found := _longest_phrase(pieces, at, words.names):
        return words.names[found], at + len(found)
    if digit and piece.form in _LETTERS and (piece.glued or (piece.exact.isupper() and piece.form != "n")):
        return _LETTERS[piece.form], at + 1
    return None


def _longest_phrase(pieces: Sequence[BidToken], at: int, phrases: Phrases) -> tuple[str, ...] | None:
    """Return the longest of the phrases that stands at index ``at``, as folded words, or None."""
    for length in range(max(map(len, phrases), default=0), 0, -1):
        forms = tuple(piece.form for piece in pieces[at : at + length])
        if forms in phrases:
            return forms
    return None


def _is_trick_count(pieces: Sequence[BidToken], at: int, words: _BidWords) -> bool:
    """Whether the piece of index ``at`` begins a count of tricks after a contract: “4S-1”, “3NT+1”, “4♠=”."""
    if at >= len(pieces) or pieces[at].form not in _TRICK_SIGNS:
        return False
    if pieces[at].form == "=":
        return True
    return at + 1 < len(pieces) and pieces[at + 1].form.isdecimal() and _read_bid(pieces, at + 1, words) is None


def _bid_order_words(pieces: Sequence[BidToken], words: _BidWords) -> Iterator[str]:
    """Yield :data:`OVER`, :data:`THEN` or :data:`INSTEAD` for each word that says in which order two bids were made."""
    at = 0
    while at < len(pieces):
        found = _longest_phrase(pieces, at, words.order_words)
        if found:
            yield words.order_words[found]
        at += len(found) if found else 1


def _order_bids(pieces: Sequence[BidToken], found: Sequence[_FoundBid], words: _BidWords) -> Overcall | None:
    """Return the two bids that were ``found``, in the order that words between or before them give; None if they give
    none.
    """
    left, right = found
    between, before = pieces[left.end : right.first], pieces[max(0, left.first - MOST_TOKENS_BETWEEN) : left.first]
    orders = set(_bid_order_words(between, words))
    if OVER in orders:
        return Overcall(left.bid, right.bid)
    first = OVER in _bid_order_words(before, words) and len(between) < MOST_TOKENS_BETWEEN
    if THEN in orders or any(piece.form in _NEXT_BID_SIGNS for piece in between) or first:
        return Overcall(right.bid, left.bid)
    return Overcall(left.bid, right.bid) if all(piece.form == "/" for piece in between) else None


# -- The language of a query ---

# Scores that differ by less count as equal, because sums of tenths are not exact.
_EQUAL_SCORES = 1e-9


def detect_language(
    tokens: list[Token], hint: str | None, lexicons: Mapping[str, Lexicon], concepts: Concepts, weights: RankingWeights
) -> str | None:
    """Return the language whose words and letters fit best, or None if nothing fits any.

    The hint wins if it knows a word, unless another language knows clearly more. A language that has no content word
    for the tokens gives way to one that has a name for them: “BIT” is neither “biti” nor “biť”.
    """
    scores = {
        code: sum(_language_score(t, code, lexicon, concepts, weights) for t in tokens)
        for code, lexicon in sorted(lexicons.items())
    }
    if hint in scores and scores[hint] > 0:
        scores[hint] += weights.hint
    best, lang = 0.0, hint
    for code, score in scores.items():
        if score > best + _EQUAL_SCORES:
            best, lang = score, code
    if (
        not lang
        or lang not in lexicons
        or not tokens
        or any(_has_content_word(t, lang, lexicons[lang], concepts) for t in tokens)
    ):
        return lang
    return next((code for code in scores if concepts.find_in_query(code, tokens)[0]), lang)


def _has_content_word(token: Token, lang: str, lexicon: Lexicon, concepts: Concepts) -> bool:
    """Whether a word is a content word that the language knows.

    The language knows it if its texts have the word or a completion of it, or if a name of a concept has it.
    """
    if token.form in lexicon.stopwords:
        return False
    in_texts = any(lexicon.forms_of(lemma) for lemma in lexicon.lemmas(token.form))
    return in_texts or concepts.has_name_with_word(lang, token.form) or bool(lexicon.completions_of(token.form))


def _language_score(token: Token, code: str, lexicon: Lexicon, concepts: Concepts, weights: RankingWeights) -> float:
    """Return how well a word fits a language, by the word and by its letters."""
    known = (
        lexicon.knows_form(token.form)
        or concepts.has_name_with_word(code, token.form)
        or lexicon.completions_of(token.form)
    )
    score = 1.0 if token.form in lexicon.stopwords else weights.known_word if known else 0.0
    letters = [c in lexicon.letters for c in token.exact if not c.isascii()]
    return score + weights.letter * (2 * sum(letters) - len(letters))
