"""The query parser: typed text becomes a ``CitationQuery`` or a ``WordQuery``.

:class:`QueryParser` is the entry point. :func:`clean` normalises raw input. The length of a query, its words and its
phrases are bounded, so the work stays small whatever is typed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from corpus import address
from corpus.bid import Bid, Overcall
from corpus.letters import Token, fold, tokenize
from corpus.library import Library
from index.concept import Concepts, slug_of
from index.lexicon import Lexicon, cached_method, weak_method
from index.query.citation import CitationParser
from index.query.facts import QueryExpander, bids_in, detect_language, read_bids
from index.query.model import ChangePhrases, ChangesRequest, CitationQuery, WordQuery
from index.query.talk import TalkRemover
from index.query.years import YearWords
from index.talk_model import TalkModel
from index.weights import WEIGHTS, RankingWeights


class SortedTokens(NamedTuple):
    """The tokens of a query by their operators.

    ``optional`` are those that are neither required nor excluded. ``either`` holds pairs joined by OR, each token by
    its start offset.
    """

    required: list[Token]
    excluded: list[Token]
    optional: list[Token]
    either: list[tuple[int, int]]


class Operators:
    """The operators (and, or, not) of all languages."""

    def __init__(self, lexicons: Iterable[Lexicon]):
        self._kinds: dict[str, str] = {}
        for said in (x.language.search for x in lexicons):
            for kind, words in (("and", said.and_), ("not", said.not_), ("or", said.or_)):
                self._kinds |= dict.fromkeys(words, kind)

    def sort(self, text: str, most: int) -> SortedTokens:
        """Sort the first ``most`` words of a text by their operators.

        An operator must stand between words. Where the whole text is in capitals, no word is an operator.
        """
        tokens = tokenize(text)[:most]
        out = SortedTokens([], [], [], [])
        between = range(1, len(tokens) - 1) if not all(text[t.start : t.end].isupper() for t in tokens) else ()
        operator = None
        for i, token in enumerate(tokens):
            kind = self._kinds.get(text[token.start : token.end]) if i in between else None
            # A single capital letter is a label rather than an AND: “12 A”.
            if kind and not (kind == "and" and token.end - token.start < 2):
                if kind == "and" and out.optional and out.optional[-1] is tokens[i - 1]:
                    out.required.append(out.optional.pop())
                operator = kind
                continue
            before = text[token.start - 1 : token.start]
            sign = before if before and (token.start < 2 or text[token.start - 2].isspace()) else ""
            if operator == "not" or (sign == "-" and i > 0):
                out.excluded.append(token)
            elif operator == "and" or sign == "+":
                out.required.append(token)
            else:
                if operator == "or" and out.optional:
                    out.either.append((out.optional[-1].start, token.start))
                out.optional.append(token)
            operator = None
        return out


CACHED_QUERIES = 64
MOST_CHARACTERS, MOST_TOKENS, MOST_PHRASES = 500, 32, 4
# One word, a number and single letters: “pravidelko 40 B 2” may be a citation that was not understood.
_NUMBERED_QUERY = re.compile(r"[^\W\d_]{2,}\W*\d+(?:[\W_]*(?:\d+|[^\W\d_](?![^\W\d_])))*\W*")
# Separates the number, the name and the edition in a suggestion. A browser sends the whole line as the query.
SUGGESTION_SEPARATOR = " · "
_QUOTATION = re.compile(r"[\"„”“«»‟]([^\"„”“«»‟]*)[\"„”“«»‟]")


def clean(raw: str) -> str:
    """Return the text in composed characters (NFC), without control or direction marks, with single blanks and bounded
    length.
    """
    text = unicodedata.normalize("NFC", raw[:MOST_CHARACTERS])
    return " ".join("".join(" " if unicodedata.category(c)[0] in "CZ" else c for c in text).split())


class QueryParser:
    """Parses queries against one library and its word lists."""

    def __init__(
        self,
        library: Library,
        lexicons: Mapping[str, Lexicon],
        concepts: Concepts,
        weights: RankingWeights = WEIGHTS,
        talk_model: TalkModel | None = None,
    ):
        """``talk_model`` knows what talk sounds like; without it only the phrases of the languages are talk."""
        self._lexicons, self._concepts, self._weights = lexicons, concepts, weights
        suits = (w for x in lexicons.values() for names in x.language.bids.denomination_words for w in names)
        self._citations = CitationParser(library, weak_method(self._terms_named_by), {fold(w) for w in suits})
        self._operators = Operators(lexicons.values())
        self._widener = QueryExpander(library, lexicons, concepts, weights)
        self._years = {str(e.year) for e in library.editions.values()}
        self._before = {word for x in lexicons.values() for word in map(fold, x.language.search.before)}
        self._talk = TalkRemover(lexicons, talk_model)
        self._beside_year = {fold(w) for x in lexicons.values() for w in (*x.language.search.since, *x.stopwords)}
        self._beside_year -= self._before
        self._year_words = YearWords(library.citation_words, self._years, _last_law(library))
        self._change_phrases = ChangePhrases((x.language for x in lexicons.values()), self._years)
        # The same words are parsed for several languages and several readers.
        self._parse_in_language_cached = cached_method(self._parse_in_language, CACHED_QUERIES)
        self._define = {code: sorted(x.define, key=len, reverse=True) for code, x in lexicons.items()}

    def parse(self, raw: str, lang: str | None = None, only_langs: Collection[str] = ()) -> CitationQuery | WordQuery:
        """Return the parsed query. ``lang`` is the language of the reader: a hint only, because the words decide.

        If ``only_langs`` is not empty, only those languages and the hint are considered.
        """
        text, hint = self._year_words.write(clean(raw)), lang if lang in self._lexicons else None
        quoted = _quoted_phrases(text)
        if _is_reported_speech(text, quoted):
            text, quoted = " ".join(_QUOTATION.sub(r" \1 ", text).split()), ()
        if not quoted:
            if cited := self._parse_only_citations(text, hint):
                return cited
            question = self._talk.remove_from(text, self._detect(text, hint, only_langs))
            if question != text and (cited := self._parse_only_citations(question, hint)):
                return cited
            text = question
            if changed := self._parse_change_request(text, hint, only_langs):
                return changed
            if cited := self._citations.parse_among_words(text, hint):
                return cited
        return self._parse_words(text, quoted, hint, only_langs)

    def without_talk(self, text: str, lang: str | None) -> str:
        """Return a text in a language with blanks in the place of talk around the question."""
        return self._talk.blank_out(text, lang)

    def years_in(self, text: str) -> Iterator[tuple[str, tuple[int, int]]]:
        """Yield (year of the laws that is meant, where it stands in a text) for each year of some laws in a text."""
        tokens = tokenize(self._year_words.write(text))
        for year, start, end in self._year_words.find(text):
            yield self._meant_year(year, tokens), (start, end)

    def parse_citation(self, raw: str, lang: str | None = None) -> CitationQuery | None:
        """Return the citations if the text is nothing but citations, else None."""
        text = self._year_words.write(clean(raw))
        return (
            None
            if _quoted_phrases(text)
            else self._parse_only_citations(text, lang if lang in self._lexicons else None)
        )

    def _parse_only_citations(self, text: str, hint: str | None) -> CitationQuery | None:
        """Parse a citation, also in the form of a suggestion: “27 · Odzywka niewystarczająca · MPB 2007”."""
        if cited := self._citations.parse_spoken(text, hint, in_words=True):
            return cited
        *names, edition = text.split(SUGGESTION_SEPARATOR)
        lines = (f"{number} {edition}" for number in dict.fromkeys((*names[:1], *names[-1:])))
        found = (self._citations.parse(line, hint) for line in (text, *lines))
        return next((cited for cited in found if cited), None) or self._citations.parse_spoken(
            text, hint, in_words=False
        )

    def _parse_change_request(
        self, text: str, hint: str | None, only_langs: Collection[str]
    ) -> CitationQuery | WordQuery | None:
        """Parse what is left of a query that asks for changes; None if it asks for none."""
        stripped = self._change_phrases.remove_from(text)
        if stripped is None:
            return None
        changes, asks = ChangesRequest(stripped.years), stripped.asks or stripped.years
        cited = self._citations.parse(stripped.rest, hint)
        if not asks and not cited and self._citations.other_words_are_in_headings(text, hint):
            return None
        cited = cited or self._citations.parse_among_words(stripped.rest, hint)
        if cited := cited or (self._citations.parse_ignoring_words(stripped.rest, hint) if stripped.asks else None):
            return replace(cited, changes=changes)
        # The question is about the law that treats the subject, not about its definition, so ``named`` is dropped.
        word_query = self._parse_words(stripped.rest, (), hint, only_langs) if asks else None
        if word_query is None:
            return None
        # “The old laws of 1997” says which laws are meant; “what is new since 1997” asks about two.
        meant = frozenset() if stripped.by_themselves else frozenset(year for year, _ in self.years_in(text))
        years = meant if len(meant) == 1 else frozenset()
        return replace(word_query, changes=changes, named=frozenset(), years=years)

    def _terms_named_by(self, words: str, lang: str | None) -> frozenset[str]:
        """Return the slugs of the terms that the words name, if they name nothing else.

        The words are read in the reader's language, or in their own if there is no hint.
        """
        tokens = tokenize(words)
        spoken_in = lang or detect_language(tokens, lang, self._lexicons, self._concepts, self._weights)
        return (
            frozenset(map(slug_of, self._concepts.concepts_named_alone(spoken_in, tokens)))
            if spoken_in
            else frozenset()
        )

    def bids_in(self, text: str, lang: str | None = None) -> tuple[tuple[Bid, tuple[int, int]], ...]:
        """Return (bid, where it stands) for each bid that a text names."""
        return bids_in(text, lang, {code: lexicon.language for code, lexicon in self._lexicons.items()})

    def parse_overcall(self, raw: str, lang: str | None = None) -> Overcall | None:
        """Return the bid made and the bid before it, if the text names two bids.

        Returns None if the text is a citation of paths that some edition has.
        """
        text = clean(raw)
        overcall = read_bids(text, lang, {code: lexicon.language for code, lexicon in self._lexicons.items()})
        cited = self._citations.parse(text, lang if lang in self._lexicons else None) if overcall else None
        if overcall is None or cited is None:
            return overcall
        paths = [
            *cited.paths,
            *(address.join_path(str(bid.level), bid.denomination) for bid in (overcall.made, overcall.over)),
        ]
        return None if any(map(self._citations.has_path, paths)) else overcall

    def _parse_words(
        self, text: str, quoted: tuple[str, ...], hint: str | None, only_langs: Collection[str]
    ) -> WordQuery:
        """Parse words: detect their language, sort them by operators, find the index terms for each."""
        lang = self._detect(text, hint, only_langs)
        return replace(self._parse_in_language_cached(text, quoted, lang), reader=hint or lang)

    def _detect(self, text: str, hint: str | None, only_langs: Collection[str]) -> str | None:
        known = {code: x for code, x in self._lexicons.items() if not only_langs or code in only_langs or code == hint}
        return detect_language(tokenize(text)[:MOST_TOKENS], hint, known, self._concepts, self._weights)

    def _parse_in_language(self, text: str, quoted: tuple[str, ...], lang: str | None) -> WordQuery:
        """Parse words in a known language. The reader does not matter here, so the result can be cached for all
        readers.
        """
        all_tokens = tokenize(text)[:MOST_TOKENS]
        rest, define = self._split_definition_request(_QUOTATION.sub(" ", text), lang)
        required, excluded, optional, either = self._operators.sort(rest, MOST_TOKENS)
        stated = {t.form for t in optional if t.form in self._years} if len(optional) > 1 else set()
        years = frozenset(self._meant_year(year, all_tokens) for year in stated)
        tokens = sorted([*required, *(t for t in optional if t.form not in stated)], key=lambda t: t.start)
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
            forms=tuple(t.form for t in all_tokens),
            named=self._concepts.concepts_named_alone(lang, tokens) if lang and not phrases else frozenset(),
        )

    def _meant_year(self, year: str, tokens: list[Token]) -> str:
        """Return the year of the laws that a year in a query means: the one before it in “before 2007”."""
        earlier = [other for other in self._years if other < year]
        forms = [token.form for token in tokens if token.form not in self._beside_year]  # “before the year 2007”
        before = any(a in self._before and b == year for a, b in pairwise(forms))
        return max(earlier) if before and earlier else year

    def _split_definition_request(self, text: str, lang: str | None) -> tuple[str, bool]:
        """Return (text without the words that ask for a definition, such as “what is”; whether it had them)."""
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


def _last_law(library: Library) -> int:
    """Return the highest number of a law in any edition; 0 if there is none."""
    first_steps = (address.split_path(path)[0] for path in {node.path for node in library.nodes.values()})
    return max((int(step) for step in first_steps if step.isdecimal()), default=0)


def _quoted_phrases(text: str) -> tuple[str, ...]:
    """Return the quoted phrases that hold words, or symbols that are not punctuation: “♠”, “½”."""
    has_symbol = lambda phrase: any(
        unicodedata.category(c)[0] == "S" or unicodedata.category(c) == "No" for c in phrase
    )
    phrases = (m.group(1).strip() for m in list(_QUOTATION.finditer(text))[:MOST_PHRASES])
    return tuple(phrase for phrase in phrases if tokenize(phrase) or has_symbol(phrase))


def _is_reported_speech(text: str, quoted: tuple[str, ...]) -> bool:
    """Whether the quotation marks report speech and do not search for a passage: “powiedział «mała» ze stołu”.

    That is so if every quotation is one word and the text has more words around them.
    """
    return all(len(tokenize(q)) == 1 for q in quoted) and len(tokenize(text)) > len(quoted) + 1
