"""What a query states of the facts that decide a ruling, and the answers of a sheet that follow from it.

:class:`FactReader` finds the facts of the closed list in the words of a query; :func:`stated_answers` gives the answers
that state one of them. What is not clear is left open: a sheet asks then.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from corpus.letters import Token, fold, tokenize
from corpus.situation.fact import FactPhrases, kind_of
from corpus.situation.model import Situation
from corpus.situation.phrases import parse_row

MOST_TOKENS_READ = 60  # words of a query
# Kinds of facts that answer no question: words name several people and seldom say who of them did what, and “yes” and
# “no” belong to another question.
NOT_ANSWERING = frozenset({"actor", "polarity"})
_END_OF_CLAUSE = re.compile(r"[.,;:?!]")
MOST_WORDS_BETWEEN = 3  # that may stand between two words of a phrase


class StatedFact(NamedTuple):
    """A fact that a text states. ``spans``: where its words stand in the text."""

    fact: str
    spans: tuple[tuple[int, int], ...]

    @property
    def kind(self) -> str:
        """The kind of the fact: “accepted” of “accepted-no”."""
        return kind_of(self.fact)

    @property
    def value(self) -> str:
        """What is stated of the kind: “no” of “accepted-no”."""
        return self.fact.removeprefix(f"{self.kind}-")


class _Word(NamedTuple):
    """A word of a phrase. ``has_ending``: any ending may follow. ``is_joined``: it stands directly after the word
    before.
    """

    form: str
    has_ending: bool
    is_joined: bool

    def fits(self, token: Token) -> bool:
        """Whether a token is this word."""
        return token.form.startswith(self.form) if self.has_ending else token.form == self.form


_Phrase = tuple[_Word, ...]


class _FactPhrase(NamedTuple):
    """A phrase of the row of a ``fact``. ``is_excluded``: it means something else."""

    fact: str
    phrase: _Phrase
    is_excluded: bool


class FactReader:
    """Reads facts from texts in the languages of ``rows``."""

    def __init__(self, rows: Iterable[FactPhrases]):
        self._facts: dict[str, list[str]] = defaultdict(list)
        # Language → form and ending of the first word → phrases.
        self._by_first: dict[str, dict[tuple[str, bool], list[_FactPhrase]]] = defaultdict(lambda: defaultdict(list))
        for row in rows:
            self._facts[row.lang].append(row.fact)
            parsed = parse_row(row.phrases, row.excluded)
            for is_excluded, its in enumerate((parsed.phrases, parsed.excluded)):
                for phrase in map(_folded, its):
                    first = phrase[0].form, phrase[0].has_ending
                    self._by_first[row.lang][first].append(_FactPhrase(row.fact, phrase, bool(is_excluded)))

    def read(self, text: str, lang: str) -> tuple[StatedFact, ...]:
        """Return the facts that a text states, in the order of the list; () in a language without phrases.

        What a clause asks (“does he accept it?”) is not stated.
        """
        if lang not in self._facts:
            return ()
        tokens = tokenize(text)[:MOST_TOKENS_READ]
        matches: dict[str, list[tuple[int, ...]]] = defaultdict(list)
        otherwise: dict[str, set[int]] = defaultdict(set)
        for n, token in enumerate(tokens):
            for fact, phrase, is_excluded in self._beginning_with(token.form, lang):
                match = _match_after(phrase, 1, n, tokens)
                if match and is_excluded:
                    otherwise[fact].update(match)
                elif match and not _is_asked(match, tokens, text):
                    matches[fact].append(match)
        found = []
        for fact in self._facts[lang]:
            stated = [match for match in matches[fact] if otherwise[fact].isdisjoint(match)]
            if stated:
                spans = {(tokens[match[0]].start, tokens[match[-1]].end) for match in stated}
                found.append(StatedFact(fact, tuple(sorted(spans))))
        return tuple(found)

    def _beginning_with(self, form: str, lang: str) -> Iterator[_FactPhrase]:
        """Yield the phrases whose first word fits a word of a text."""
        by_first = self._by_first[lang]
        yield from by_first.get((form, False), ())
        for end in range(1, len(form) + 1):
            yield from by_first.get((form[:end], True), ())


def _is_asked(match: Sequence[int], tokens: Sequence[Token], text: str) -> bool:
    """Whether the clause in which a match stands ends with a question mark."""
    end = _END_OF_CLAUSE.search(text, tokens[match[-1]].end)
    return end is not None and end.group() == "?"


def _folded(phrase: Sequence[tuple[str, bool]]) -> _Phrase:
    words = []
    for word, is_joined in phrase:
        forms = [token.form for token in tokenize(word.removesuffix("*"))] or [fold(word.removesuffix("*"))]
        for n, form in enumerate(forms):
            last = n == len(forms) - 1
            words.append(_Word(form, last and word.endswith("*"), is_joined or n > 0))
    return tuple(words)


def _match_after(phrase: _Phrase, word: int, at: int, tokens: Sequence[Token]) -> tuple[int, ...] | None:
    """Return the match of a phrase whose words before ``word`` end at the token ``at``."""
    if word == len(phrase):
        return (at,)
    last = at + 1 if phrase[word].is_joined else at + 1 + MOST_WORDS_BETWEEN
    for n in range(at + 1, min(last + 1, len(tokens))):
        if tokens[n].clause != tokens[at].clause:
            return None
        if phrase[word].fits(tokens[n]) and (match := _match_after(phrase, word + 1, n, tokens)):
            return (at, *match)
    return None


def stated_answers(situation: Situation, code: str, facts: Iterable[str]) -> dict[str, str]:
    """Return question → answer, for the questions of a code of which just one answer is stated.

    An answer is stated if it states one of ``facts``, and if of each kind of fact that it states nothing else is read.
    Kinds of :data:`NOT_ANSWERING` are left out.
    """
    if code not in situation.table:
        return {}
    read: dict[str, set[str]] = defaultdict(set)
    for fact in facts:
        if kind_of(fact) not in NOT_ANSWERING:
            read[kind_of(fact)].add(fact)
    stated: dict[str, str] = {}
    for ask in (ask for ask in situation.asks(code) if ask.stated):
        known = ask.answers(code)
        fitting = [a.id for a in ask.answer if a.id in known and a.facts and _is_stated(a.facts, read)]
        if len(fitting) == 1:
            stated[ask.id] = fitting[0]
    return stated


def _is_stated(facts: Iterable[str], read: dict[str, set[str]]) -> bool:
    by_kind: dict[str, set[str]] = defaultdict(set)
    for fact in facts:
        by_kind[kind_of(fact)].add(fact)
    named = [(its, read[kind]) for kind, its in by_kind.items() if read.get(kind)]
    return bool(named) and all(len(found) == 1 and found <= its for its, found in named)
