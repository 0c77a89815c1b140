"""Understanding what was typed: citations alone, or words. Whatever is typed, the work stays small."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from corpus import address
from corpus.bid import Overcall
from corpus.letters import Token, fold, tokenize
from corpus.library import Library
from index.concept import Concepts, slug_of
from index.lexicon import Lexicon, cached_method, weak_method
from index.query.citation import CitationParser
from index.query.facts import QueryExpander, detect_language, read_bids
from index.query.model import ChangePhrases, ChangesRequest, CitationQuery, WordQuery
from index.weights import WEIGHTS, RankingWeights


class SortedTokens(NamedTuple):
    """Tokens by what was said of them; ``either``: pairs joined by OR, by where they start."""

    required: list[Token]
    excluded: list[Token]
    loose: list[Token]
    either: list[tuple[int, int]]


class Operators:
    """The operators of all languages."""

    def __init__(self, lexicons: Iterable[Lexicon]):
        self._kinds: dict[str, str] = {}
        for said in (x.language.search for x in lexicons):
            for kind, words in (("and", said.and_), ("not", said.not_), ("or", said.or_)):
                self._kinds |= dict.fromkeys(words, kind)

    def sort(self, text: str, most: int) -> SortedTokens:
        """The first ``most`` words of a text. An operator stands between words, and is none where all are capitals."""
        tokens = tokenize(text)[:most]
        out = SortedTokens([], [], [], [])
        between = range(1, len(tokens) - 1) if not all(text[t.start : t.end].isupper() for t in tokens) else ()
        said = None
        for i, token in enumerate(tokens):
            kind = self._kinds.get(text[token.start : token.end]) if i in between else None
            # A capital letter alone is a label sooner than an AND: “12 A”.
            if kind and not (kind == "and" and token.end - token.start < 2):
                if kind == "and" and out.loose and out.loose[-1] is tokens[i - 1]:
                    out.required.append(out.loose.pop())
                said = kind
                continue
            before = text[token.start - 1 : token.start]
            sign = before if before and (token.start < 2 or text[token.start - 2].isspace()) else ""
            if said == "not" or (sign == "-" and i > 0):
                out.excluded.append(token)
            elif said == "and" or sign == "+":
                out.required.append(token)
            else:
                if said == "or" and out.loose:
                    out.either.append((out.loose[-1].start, token.start))
                out.loose.append(token)
            said = None
        return out


CACHED_QUERIES = 64  # queries that were read
MOST_CHARACTERS, MOST_TOKENS, MOST_PHRASES = 500, 32, 4
# One word and a number with single letters: “pravidelko 40 B 2” may be a citation that was not understood.
_NUMBERED_QUERY = re.compile(r"[^\W\d_]{2,}\W*\d+(?:[\W_]*(?:\d+|[^\W\d_](?![^\W\d_])))*\W*")
# What parts the number, the name and the edition of a suggestion: a browser searches for the whole line.
SUGGESTION_SEPARATOR = " · "
_QUOTATION = re.compile(r"[\"„”“«»‟]([^\"„”“«»‟]*)[\"„”“«»‟]")


def clean(raw: str) -> str:
    """Composed characters, no control or direction marks, single blanks, bounded length."""
    text = unicodedata.normalize("NFC", raw[:MOST_CHARACTERS])
    return " ".join("".join(" " if unicodedata.category(c)[0] in "CZ" else c for c in text).split())


class QueryParser:
    """Parses queries against one library and its lists of words."""

    def __init__(
        self,
        library: Library,
        lexicons: Mapping[str, Lexicon],
        concepts: Concepts,
        printed: Mapping[str, Collection[str]],
        weights: RankingWeights = WEIGHTS,
    ):
        """``printed``: language → the concepts that its texts name."""
        self._lexicons, self._concepts, self._weights = lexicons, concepts, weights
        suits = (w for x in lexicons.values() for names in x.language.bids.denomination_words for w in names)
        self._citations = CitationParser(library, weak_method(self._terms_named_by), {fold(w) for w in suits})
        self._operators = Operators(lexicons.values())
        self._widener = QueryExpander(library, lexicons, concepts, printed, weights)
        self._years = {str(e.year) for e in library.editions.values()}
        self._change_phrases = ChangePhrases((x.language for x in lexicons.values()), self._years)
        # The same words are asked of several languages, for several readers.
        self._parse_in_language_cached = cached_method(self._parse_in_language, CACHED_QUERIES)
        self._define = {code: sorted(x.define, key=len, reverse=True) for code, x in lexicons.items()}

    def parse(self, raw: str, lang: str | None = None, among: Collection[str] = ()) -> CitationQuery | WordQuery:
        """``lang`` is a language that the reader is known to use: a hint, for the words decide; ``among``: the only
        other languages that they may be in, any where it is empty.
        """
        text, hint = clean(raw), lang if lang in self._lexicons else None
        quoted = _quoted_phrases(text)
        if _is_reported_speech(text, quoted):
            text, quoted = " ".join(_QUOTATION.sub(r" \1 ", text).split()), ()
        if not quoted:
            if cited := self._parse_only_citations(text, hint):
                return cited
            if changed := self._parse_change_request(text, hint, among):
                return changed
            if cited := self._citations.parse_among_words(text, hint):
                return cited
        return self._parse_words(text, quoted, hint, among)

    def parse_citation(self, raw: str, lang: str | None = None) -> CitationQuery | None:
        """What a text cites that is nothing but citations; None for any other."""
        text = clean(raw)
        return (
            None
            if _quoted_phrases(text)
            else self._parse_only_citations(text, lang if lang in self._lexicons else None)
        )

    def _parse_only_citations(self, text: str, hint: str | None) -> CitationQuery | None:
        """A citation, be it that of a suggestion: “27 · Odzywka niewystarczająca · MPB 2007”."""
        *names, edition = text.split(SUGGESTION_SEPARATOR)
        lines = (f"{number} {edition}" for number in dict.fromkeys((*names[:1], *names[-1:])))
        found = (self._citations.parse(line, hint) for line in (text, *lines))
        return next((cited for cited in found if cited), None)

    def _parse_change_request(
        self, text: str, hint: str | None, among: Collection[str]
    ) -> CitationQuery | WordQuery | None:
        """What is left of a query that asks for changes; None for one that does not."""
        cut = self._change_phrases.remove_from(text)
        if cut is None:
            return None
        changes, asks = ChangesRequest(cut.years), cut.asks or cut.years
        cited = self._citations.parse(cut.rest, hint)
        if not asks and not cited and self._citations.names_heading(text, hint):
            return None
        cited = cited or self._citations.parse_among_words(cut.rest, hint)
        if cited := cited or (self._citations.parse_ignoring_words(cut.rest, hint) if cut.asks else None):
            return replace(cited, changes=changes)
        # What changed is asked of the law that deals with a thing, not of what gives its meaning.
        asked = self._parse_words(cut.rest, (), hint, among) if asks else None
        return replace(asked, changes=changes, named=frozenset()) if asked else None

    def _terms_named_by(self, words: str, lang: str | None) -> frozenset[str]:
        """The slugs of the terms that words name and nothing else, in the reader's language or in the one they are
        in.
        """
        tokens = tokenize(words)
        spoken_in = lang or detect_language(tokens, lang, self._lexicons, self._concepts, self._weights)
        return (
            frozenset(map(slug_of, self._concepts.concepts_named_alone(spoken_in, tokens)))
            if spoken_in
            else frozenset()
        )

    def parse_overcall(self, raw: str, lang: str | None = None) -> Overcall | None:
        """The bid made and the one before it, where two bids are told; none in citations of what some edition has."""
        text = clean(raw)
        told = read_bids(text, lang, {code: lexicon.language for code, lexicon in self._lexicons.items()})
        cited = self._citations.parse(text, lang if lang in self._lexicons else None) if told else None
        if told is None or cited is None:
            return told
        paths = [*cited.paths, *(address.join_path(str(bid.level), bid.denomination) for bid in (told.made, told.over))]
        return None if any(map(self._citations.has_path, paths)) else told

    def _parse_words(self, text: str, quoted: tuple[str, ...], hint: str | None, among: Collection[str]) -> WordQuery:
        """Words: their language, what is said of them, what stands for them."""
        known = {code: x for code, x in self._lexicons.items() if not among or code in among or code == hint}
        lang = detect_language(tokenize(text)[:MOST_TOKENS], hint, known, self._concepts, self._weights)
        return replace(self._parse_in_language_cached(text, quoted, lang), reader=hint or lang)

    def _parse_in_language(self, text: str, quoted: tuple[str, ...], lang: str | None) -> WordQuery:
        """Words in a language; who reads is not known."""
        every = tokenize(text)[:MOST_TOKENS]
        rest, define = self._without_define(_QUOTATION.sub(" ", text), lang)
        required, excluded, loose, either = self._operators.sort(rest, MOST_TOKENS)
        years = frozenset(t.form for t in loose if t.form in self._years) if len(loose) > 1 else frozenset()
        tokens = sorted([*required, *(t for t in loose if t.form not in years)], key=lambda t: t.start)
        units = self._widener.expand(tokens, lang, {t.start for t in required}, either)
        phrases = tuple(tuple(tokenize(q)[:MOST_TOKENS]) for q in quoted)
        if phrases:
            units += self._widener.expand([t for p in phrases for t in p], lang)
        return WordQuery(
            text,
            lang,
            None,
            units[:MOST_TOKENS],
            self._widener.expand(excluded, lang),
            phrases,
            quoted,
            define,
            years,
            numbered=_NUMBERED_QUERY.fullmatch(text) is not None,
            forms=tuple(t.form for t in every),
            named=self._concepts.concepts_named_alone(lang, tokens) if lang and not phrases else frozenset(),
        )

    def _without_define(self, text: str, lang: str | None) -> tuple[str, bool]:
        """The text without “what is …”, and whether that was asked."""
        plain = text.strip(" ?!.")
        folded = fold(plain)
        if len(folded) != len(plain):
            return text, False
        for code in [lang] if lang else sorted(self._define):
            for pattern in self._define.get(code, ()):
                if folded.startswith(pattern + " "):
                    return plain[len(pattern) + 1 :], True
                if folded.endswith(" " + pattern):
                    return plain[: -len(pattern) - 1], True
        return text, False


def _quoted_phrases(text: str) -> tuple[str, ...]:
    """What stands in quotation marks, if there are words in it or signs that are no punctuation: “♠”, “½”."""
    has_symbol = lambda said: any(unicodedata.category(c)[0] == "S" or unicodedata.category(c) == "No" for c in said)
    said = (m.group(1).strip() for m in list(_QUOTATION.finditer(text))[:MOST_PHRASES])
    return tuple(s for s in said if tokenize(s) or has_symbol(s))


def _is_reported_speech(text: str, quoted: tuple[str, ...]) -> bool:
    """“powiedział «mała» ze stołu” quotes what was said, it does not look for a passage."""
    return all(len(tokenize(q)) == 1 for q in quoted) and len(tokenize(text)) > len(quoted) + 1
