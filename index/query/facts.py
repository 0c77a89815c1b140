"""Which language a query is in. The words decide; what is known of the reader is a hint."""

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
    OF_UNNAMED,
    OTHER_LANGUAGE,
    PLAYERS,
    UNFINISHED,
    WORD,
    IndexTerm,
    Unit,
)
from index.weights import RankingWeights

# How a correction is read, not what it is worth. Endings have so many letters at most; a word of so many shares a stem
# with what differs in them only, and not by chance.
LONGEST_ENDING, LONG_WORD = 3, 8
# In a shorter word a letter too many or too few makes another word as well (“wist”, “wista”); a change of letters is
# no slip there at all (lexicon).
VERY_SHORT_WORD = SHORT_WORD - 1

NearForms = Sequence[tuple[str, int]]  # known forms nearest to a mistyped one, with their distance


class QueryExpander:
    """Makes units. ``printed``: language → the concepts that its texts name."""

    def __init__(
        self,
        library: Library,
        lexicons: Mapping[str, Lexicon],
        concepts: Concepts,
        printed: Mapping[str, Collection[str]],
        weights: RankingWeights,
    ):
        self._lexicons, self._concepts, self._printed, self._weights = lexicons, concepts, printed, weights
        self._indexed = sorted({e.lang for e in library.editions.values()})
        self._titles = _heading_lemmas(library, lexicons)

    def expand(
        self,
        tokens: Sequence[Token],
        lang: str | None,
        required: Collection[int] = (),
        either: Iterable[tuple[int, int]] = (),
    ) -> tuple[Unit, ...]:
        """Units of the words that count; ``required`` and ``either`` name tokens by where they start.

        Words to skip are left out, and so is a “not” beside others: it says how they are meant.
        """
        if lang is None or lang not in self._lexicons:
            return tuple(
                self._unit_of_no_language(t, t.start in required) for t in {t.form: t for t in tokens}.values()
            )
        lexicon = self._lexicons[lang]
        kept = _content_tokens(tokens, lexicon)
        near = {t.form: others for t in kept if (others := self._corrections_of(t.form, lang, lexicon))}
        # Names are sought among all words: those to skip, too, for a “not” may be among them.
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
            # Nothing but typing errors: then they are what was asked for.
            units = [replace(u, trust=1.0) for u in units]
        units = _weigh_units(units, lexicon, self._weights)
        for first, second in either:
            units = _join_alternatives(units, kept, first, second)
        return tuple(units)

    def _unit_of_no_language(self, token: Token, required: bool) -> Unit:
        terms = (IndexTerm(token.form, self._weights.likely, OTHER_LANGUAGE),)
        return Unit(token.exact, token.form, dict.fromkeys(self._indexed, terms), known=False, required=required)

    def _corrections_of(self, form: str, lang: str, lexicon: Lexicon) -> NearForms:
        """What a mistyped word may be: only a word of content, one of a heading or of the lists of terms."""
        if lexicon.is_word(form) or self._concepts.names_word(lang, form) or lexicon.completions_of(form):
            return ()
        return tuple(found for found in lexicon.nearest_forms(form) if self._is_content(lang, lexicon, found[0]))

    def _is_content(self, lang: str, lexicon: Lexicon, form: str) -> bool:
        titles = self._titles.get(lang, ())
        return form not in lexicon.stopwords and any(
            lemma in titles or self._concepts.names_word(lang, lemma) for lemma in (form, *lexicon.lemmas(form))
        )

    def _make_unit(
        self, token: Token, near: NearForms, lang: str, named: Sequence[ConceptMatch], meant: bool, required: bool
    ) -> Unit:
        """``meant``: whether the word means here what it means alone; else it is worth little and no text is marked
        with it.
        """
        terms: dict[str, dict[str, IndexTerm]] = {code: {} for code in self._indexed}

        def add_term(code: str, term: str, strength: float, why: str) -> None:
            if not meant and why not in (NAME, PLAYERS):
                strength, why = min(strength, self._weights.not_meant), NOT_MEANT
            if strength > (terms[code][term].strength if term in terms[code] else 0.0):
                terms[code][term] = IndexTerm(term, strength, why)

        lexicon = self._lexicons[lang]
        beginning = () if near or lexicon.is_word(token.form) or named else lexicon.completions_of(token.form)
        if lang in terms:
            self._add_own_terms(add_term, token.form, lang, near, beginning)
        self._add_concepts(add_term, terms, lang, near, named)
        self._add_foreign_terms(add_term, token.form, lang)
        known = lexicon.knows(token.form) or bool(named or near or (beginning and lang in terms))
        sure = not near or not _is_guess(token.form, *near[0])
        return Unit(
            token.exact,
            token.form,
            {code: tuple(found.values()) for code, found in terms.items()},
            known,
            near[0][0] if near else None,
            required,
            1.0 if sure else self._weights.guessed,
        )

    def _add_own_terms(self, put, form: str, lang: str, near: NearForms, beginning: Sequence[str]) -> None:
        """What stands for a word in its own language."""
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
        """Names of a concept are the same term in every language; a player's word for a word of the laws leads to that
        one.
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
                # Where no text has a name of it, the words of its names must do, unless they are what was typed.
                lemmas = self._concepts.lemmas(code, concept)
                if concept not in self._printed.get(code, ()) and terms[code].keys().isdisjoint(lemmas):
                    for lemma in lemmas:
                        put(code, lemma, weights.unnamed, OF_UNNAMED)

    def _add_foreign_terms(self, put, form: str, lang: str) -> None:
        """The same word where another language has it."""
        for code in self._indexed:
            lexicon = self._lexicons[code]
            if code != lang and lexicon.counts.get(form) and form not in lexicon.stopwords:
                for lemma in lexicon.lemmas(form):
                    put(code, lemma, self._weights.likely, OTHER_LANGUAGE)


def _weigh_units(units: list[Unit], lexicon: Lexicon, weights: RankingWeights) -> list[Unit]:
    """The same, where words that tell who, and which card or bid, stand beside enough that tell what happened."""
    aside = [lexicon.is_aside(u.form) for u in units]
    if aside.count(False) < weights.telling:
        return units
    return [replace(u, weight=weights.aside) if so else u for u, so in zip(units, aside, strict=True)]


def _content_tokens(tokens: Sequence[Token], lexicon: Lexicon) -> list[Token]:
    """Each word once, without those to skip; those that deny only where nothing else is left."""
    counting = [t for t in tokens if t.form not in lexicon.stopwords and (len(t.form) > 1 or t.form.isdigit())]
    # A word said twice stands where it was said first, in the order of where it was said last.
    kept = list({t.form: t for t in reversed(counting)}.values())[::-1]
    return [t for t in kept if t.form not in lexicon.denials] or kept


def _is_guess(form: str, near: str, far: int) -> bool:
    """Whether a correction may well be another word; what differs in its ending only is a form of the same one."""
    if near[: len(form) - LONGEST_ENDING] == form[:-LONGEST_ENDING] and len(form) >= LONG_WORD:
        return False
    return far > 1 or (len(form) < VERY_SHORT_WORD and len(near) != len(form))


def _heading_lemmas(library: Library, lexicons: Mapping[str, Lexicon]) -> dict[str, set[str]]:
    """Language → lemmas of the words of headings."""
    out: dict[str, set[str]] = {}
    for node in library.nodes.values():
        if node.heading and node.lang in lexicons:
            lexicon = lexicons[node.lang]
            forms = (t.form for t in tokenize(node.heading) if t.form not in lexicon.stopwords)
            out.setdefault(node.lang, set()).update(lemma for form in forms for lemma in lexicon.lemmas(form))
    return out


def _join_alternatives(units: list[Unit], tokens: Sequence[Token], first: int, second: int) -> list[Unit]:
    """Two units joined by OR become one."""
    at = {t.start: i for i, t in enumerate(tokens)}
    if first not in at or second not in at or max(at[first], at[second]) >= len(units):
        return units
    a, b = units[at[first]], units[at[second]]
    terms = {code: tuple({t.term: t for t in (*b.terms[code], *a.terms[code])}.values()) for code in a.terms}
    both = Unit(f"{a.typed} / {b.typed}", a.form, terms, a.known or b.known)
    return [both if u in (a, b) and u is not b else u for u in units if u is not b]


_BID_TOKEN = re.compile(r"[^\W\d_]+|\d+|[^\w\s]")
# Says only how the sign before it is to be drawn: “♠️”.
_VARIATION_SELECTORS = re.compile("[\ufe0e\ufe0f]")


class BidToken(NamedTuple):
    """A word, a number or a sign; ``form``: folded, ``glued``: no blank stands before it."""

    form: str
    exact: str
    glued: bool

    @property
    def is_word(self) -> bool:
        """Whether it is letters or digits."""
        return self.exact.isalnum()

    @property
    def continues_citation(self) -> bool:
        """Whether what stands before it is not at its end: 2C**1**, 2C**(**a)."""
        return self.glued and (self.is_word or self.exact in "([")


def bid_tokens(text: str) -> list[BidToken]:
    """The pieces of a text in order.

    >>> [(p.form, p.glued) for p in bid_tokens("1♠ po 2C")]
    [('1', False), ('♠', True), ('po', False), ('2', False), ('c', True)]
    """
    out: list[BidToken] = []
    end = -1
    for match in _BID_TOKEN.finditer(_VARIATION_SELECTORS.sub("", text)):
        out.append(BidToken(fold(match.group()), match.group(), match.start() == end))
        end = match.end()
    return out


# “2♡” as some keyboards have it; one letter is enough for notrump in print.
_SIGNS = {sign: d for d, sign in SUIT_SYMBOLS.items()} | dict(zip("♧♢♡♤", DENOMINATIONS, strict=False))
_LETTERS = {d.lower(): d for d in DENOMINATIONS} | {"n": "NT"}
_DIGITS = {str(level): level for level in BID_LEVELS}
# Signs after which the next bid of an auction stands; those after which a number counts tricks.
_NEXT_BID_SIGNS = frozenset("-–—−→>")
_TRICK_SIGNS = frozenset("+-–−=")
# So near before the first bid a word tells the order, its own pieces counted: “after his partner’s 2♣”; and the second
# bid is nearer than that to the first.
MOST_TOKENS_BETWEEN = 5
OVER, THEN, INSTEAD = "over", "then", "instead"

Phrases = Mapping[tuple[str, ...], str]


def read_bids(text: str, lang: str | None, languages: Mapping[str, Language]) -> Overcall | None:
    """The bid made and the one before it, where a text names two bids and tells which is which; else None.

    Two bids alone, or parted by a stroke, are “this over that”. A language that sees more bids is believed, among
    equals first ``lang``.
    """
    every = bid_tokens(text)
    spoken = [_bid_words_of(languages[code]) for code in sorted(languages, key=lambda code: code != lang)]
    read = [(_find_bids(every, words), words) for words in spoken]
    most = max((len(found) for found, _ in read), default=0)
    if most != 2:
        return None
    pairs = [(found, words) for found, words in read if len(found) == most]
    told = every[: pairs[0][0][1].first]
    if any(INSTEAD in _order_marks(told, words) for words in spoken):
        return None
    return next(filter(None, (_order_bids(every, found, words) for found, words in pairs)), None)


@dataclass(frozen=True)
class _BidWords:
    """The words of one language, folded: number → level, name → denomination, what tells the order, and what says that
    a number is that of a law.
    """

    levels: Mapping[str, int]
    names: Phrases
    marks: Phrases
    numbered: frozenset[str]


@dataclass(frozen=True)
class _FoundBid:
    """A bid, and the pieces that name it: from ``first`` up to ``end``."""

    bid: Bid
    first: int
    end: int


@cache
def _bid_words_of(language: Language) -> _BidWords:
    bids, search, reference = language.bids, language.search, language.reference
    names = zip(DENOMINATIONS, bids.denomination_words, strict=True)
    numbered = (search.law, search.point, search.number, search.chapter, search.footnote, reference.law)
    return _BidWords(
        {fold(word): level for level, words in zip(BID_LEVELS, bids.level_words, strict=True) for word in words},
        {_folded_words(word): denomination for denomination, words in names for word in words},
        {_folded_words(word): mark for mark in (OVER, THEN, INSTEAD) for word in getattr(bids, mark)},
        frozenset({"§", *(fold(word) for words in numbered for word in words)}),
    )


def _folded_words(words: str) -> tuple[str, ...]:
    return tuple(fold(words).split())


def _find_bids(every: Sequence[BidToken], words: _BidWords) -> list[_FoundBid]:
    """The bids, without those that are a result (“3NT+1”)."""
    out, at = [], 0
    while at < len(every):
        found = _read_bid(every, at, words)
        if found and not _is_result(every, found.end, words):
            out.append(found)
        at = found.end if found else at + 1
    return out


def _read_bid(every: Sequence[BidToken], at: int, words: _BidWords) -> _FoundBid | None:
    """The bid that begins at a piece; none inside a citation: “27B1 C”, “law 7C”, “2C1”, “2C(a)”."""
    number, before = every[at], every[at - 1] if at else None
    level = _DIGITS.get(number.form) or words.levels.get(number.form)
    if level is None or (before and (before.form in words.numbered or _continues_number(every, at))):
        return None
    named = _read_denomination(every, at + 1, words, digit=number.form in _DIGITS)
    if named is None:
        return None
    lettered = every[named[1] - 1].form not in _SIGNS
    if lettered and named[1] < len(every) and every[named[1]].continues_citation:
        return None
    return _FoundBid(Bid(level, named[0]), at, named[1])


def _continues_number(every: Sequence[BidToken], at: int) -> bool:
    """Whether a number is the end of a longer one: B1, 27.1, 16/2."""
    before, two = every[at - 1], every[at - 2] if at > 1 else None
    if not every[at].glued:
        return False
    return before.is_word or (two is not None and before.glued and two.form.isdecimal() and before.form in "./,:-")


def _read_denomination(every: Sequence[BidToken], at: int, words: _BidWords, *, digit: bool) -> tuple[str, int] | None:
    """The denomination at a place, and where it ends; a letter after a blank is a capital."""
    if at >= len(every):
        return None
    piece = every[at]
    if piece.form in _SIGNS:
        return _SIGNS[piece.form], at + 1
    if found := _longest_phrase(every, at, words.names):
        return words.names[found], at + len(found)
    if digit and piece.form in _LETTERS and (piece.glued or (piece.exact.isupper() and piece.form != "n")):
        return _LETTERS[piece.form], at + 1
    return None


def _longest_phrase(every: Sequence[BidToken], at: int, phrases: Phrases) -> tuple[str, ...] | None:
    """The longest phrase of a list that stands at a place."""
    for length in range(max(map(len, phrases), default=0), 0, -1):
        said = tuple(piece.form for piece in every[at : at + length])
        if said in phrases:
            return said
    return None


def _is_result(every: Sequence[BidToken], at: int, words: _BidWords) -> bool:
    """Whether tricks are counted after a contract: “4S-1”, “3NT+1”, “4♠=”."""
    if at >= len(every) or every[at].form not in _TRICK_SIGNS:
        return False
    if every[at].form == "=":
        return True
    return at + 1 < len(every) and every[at + 1].form.isdecimal() and _read_bid(every, at + 1, words) is None


def _order_marks(said: Sequence[BidToken], words: _BidWords) -> Iterator[str]:
    """What words of an order say, from left to right."""
    at = 0
    while at < len(said):
        found = _longest_phrase(said, at, words.marks)
        if found:
            yield words.marks[found]
        at += len(found) if found else 1


def _order_bids(every: Sequence[BidToken], found: Sequence[_FoundBid], words: _BidWords) -> Overcall | None:
    """The two bids in the order that the words between and before them tell; None where they tell none."""
    one, two = found
    between, before = every[one.end : two.first], every[max(0, one.first - MOST_TOKENS_BETWEEN) : one.first]
    told = set(_order_marks(between, words))
    if OVER in told:
        return Overcall(one.bid, two.bid)
    first = OVER in _order_marks(before, words) and len(between) < MOST_TOKENS_BETWEEN
    if THEN in told or any(piece.form in _NEXT_BID_SIGNS for piece in between) or first:
        return Overcall(two.bid, one.bid)
    return Overcall(one.bid, two.bid) if all(piece.form == "/" for piece in between) else None


# Scores that differ by less are equal: sums of tenths are not exact.
_EQUAL_SCORES = 1e-9


def detect_language(
    tokens: list[Token], hint: str | None, lexicons: Mapping[str, Lexicon], concepts: Concepts, weights: RankingWeights
) -> str | None:
    """The language whose words and letters fit best; the hint, where it knows a word, unless another knows clearly
    more; None when nothing speaks for one.

    A language that would skip every word, or has it in no text, gives way to one that has a name for them: “BIT” is
    neither “biti” nor “biť”.
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
    """Whether a word is one of content, and the texts of a language have it, or the beginning of one, or a name."""
    if token.form in lexicon.stopwords:
        return False
    said = any(lexicon.forms_of(lemma) for lemma in lexicon.lemmas(token.form))
    return said or concepts.names_word(lang, token.form) or bool(lexicon.completions_of(token.form))


def _language_score(token: Token, code: str, lexicon: Lexicon, concepts: Concepts, weights: RankingWeights) -> float:
    """How well a word fits a language."""
    known = lexicon.knows(token.form) or concepts.names_word(code, token.form) or lexicon.completions_of(token.form)
    score = 1.0 if token.form in lexicon.stopwords else weights.known_word if known else 0.0
    letters = [c in lexicon.letters for c in token.exact if not c.isascii()]
    return score + weights.letter * (2 * sum(letters) - len(letters))
