"""Which words of a question are only talk: “hi, sorry to bother you – he led out of turn – thanks in advance”.

Nobody can list all talk. So :func:`train_talk` compares the words of talk (``words/talk.tsv``) with those that people
tell a case in (the paraphrases, and the sentences of the situations), and :class:`TalkModel` finds the stretches of a
question that sound like talk.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import log
from pathlib import Path
from typing import NamedTuple

import msgspec

from corpus.files import ReadablePath
from corpus.letters import Token, read_word_list, tokenize
from index.weights import CLASSIFIER_WEIGHTS, ClassifierWeights

MODEL_FILE = "talk.json"  # in ``learned/``

LEAST_TOLD = 4  # a word of cases that was said less often says nothing
LEAST_WORDS = 3  # a shorter stretch is no talk, and so many words at least are left of the question

Spoken = Iterable[tuple[str, str]]  # (language, words)


def read_talk(corpus_dir: ReadablePath) -> list[tuple[str, str]]:
    """Return (language, words) of every row of ``words/talk.tsv``; nothing without that table.

    Raises :class:`corpus.files.InvalidFile` with a problem for every wrong line.
    """
    return [(row["lang"], row["talk"]) for row in read_word_list(corpus_dir, "talk.tsv")]


def train_talk(talk: Spoken, told: Spoken, weights: ClassifierWeights = CLASSIFIER_WEIGHTS) -> TalkModel:
    """Return the model that talk and the words of cases (``told``) train, for the languages of ``talk``."""
    talked, cases = _count_words(talk), _count_words(told)
    return TalkModel({lang: _odds(counts, cases.get(lang, Counter()), weights) for lang, counts in talked.items()})


def _count_words(spoken: Spoken) -> dict[str, Counter[str]]:
    out: dict[str, Counter[str]] = defaultdict(Counter)
    for lang, words in spoken:
        out[lang].update(_features([token.form for token in tokenize(words)]))
    return out


def _features(forms: Sequence[str]) -> Iterator[str]:
    """Yield each word, and each two side by side."""
    yield from forms
    yield from map(" ".join, pairwise(forms))


def _odds(talk: Counter[str], told: Counter[str], weights: ClassifierWeights) -> dict[str, float]:
    """Return word, or two side by side → the logarithm of the odds that it is talk."""
    known = [one for one in {*talk, *told} if talk[one] or told[one] >= LEAST_TOLD]
    words = sum(" " not in one for one in known)
    totals = [sum(n for one, n in counts.items() if " " not in one) for counts in (talk, told)]
    more = weights.talk_smoothing
    share = lambda count, total: (count + more) / (total + more * words)
    odds = {one: log(share(talk[one], totals[0]) / share(told[one], totals[1])) for one in sorted(known)}
    most = weights.talk_highest
    return {one: round(max(-most, min(most, value)), 2) for one, value in odds.items()}


class Stretch(NamedTuple):
    """A stretch of talk in a text, from ``start`` to ``end``."""

    start: int
    end: int


class TalkModel:
    """Finds talk in the languages of ``odds``: language → word, or two side by side → log odds that it is talk."""

    def __init__(self, odds: Mapping[str, Mapping[str, float]], weights: ClassifierWeights = CLASSIFIER_WEIGHTS):
        self._odds, self._weights = odds, weights

    def find(self, text: str, lang: str | None) -> tuple[Stretch, ...]:
        """Return the stretches of talk in a text; () where too little would be left, and in an unknown language."""
        tokens = tokenize(text)
        if lang is None or lang not in self._odds or len(tokens) < 2 * LEAST_WORDS:
            return ()
        is_talk = self._label(tokens, self._odds[lang])
        if is_talk.count(False) < LEAST_WORDS:
            return ()
        return tuple(Stretch(tokens[a].start, tokens[b - 1].end) for a, b in _runs(is_talk) if b - a >= LEAST_WORDS)

    def _label(self, tokens: Sequence[Token], odds: Mapping[str, float]) -> list[bool]:
        """Return for each token whether it is talk: the labelling with the best sum of odds, less what changes cost."""
        best = (0.0, 0.0)  # of the labellings whose last token belongs to the case, or to talk
        came: list[tuple[bool, bool]] = []  # whether the token before belongs to talk, for either
        for n, token in enumerate(tokens):
            cost = 0.0 if not n else self._change_cost(token, tokens[n - 1])
            case, talk = best
            came.append((talk - cost > case, talk >= case - cost))
            best = max(case, talk - cost), max(talk, case - cost) + self._value(tokens, n, odds)
        is_talk = best[1] > best[0]
        labels = []
        for from_case, from_talk in reversed(came):
            labels.append(is_talk)
            is_talk = from_talk if is_talk else from_case
        return labels[::-1]

    def _change_cost(self, token: Token, before: Token) -> float:
        same_clause = token.clause == before.clause
        return self._weights.talk_change if same_clause else self._weights.talk_change_at_sign

    def _value(self, tokens: Sequence[Token], n: int, odds: Mapping[str, float]) -> float:
        """Return the odds of a token: those of the word, or, where they are known, of it with its neighbours."""
        form = tokens[n].form
        pairs = [f"{tokens[n - 1].form} {form}"] if n else []
        pairs += [f"{form} {tokens[n + 1].form}"] if n + 1 < len(tokens) else []
        known = [odds[pair] for pair in pairs if pair in odds]
        alone = odds.get(form, -self._weights.talk_unknown)
        return (alone + sum(known)) / (1 + len(known))

    def save(self, folder: Path) -> None:
        """Write the model into a folder."""
        (folder / MODEL_FILE).write_text(json.dumps(self._odds, ensure_ascii=False), encoding="utf-8")

    @classmethod
    def load(cls, folder: ReadablePath) -> TalkModel:
        """Read what :meth:`save` wrote. Raises :class:`ValueError` or :class:`OSError` for a file that is damaged."""
        return cls(msgspec.json.decode((folder / MODEL_FILE).read_bytes(), type=dict[str, dict[str, float]]))


def _runs(labels: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Yield (first, after the last) of each run of true labels."""
    start = None
    for n, label in enumerate((*labels, False)):
        if label and start is None:
            start = n
        elif not label and start is not None:
            yield start, n
            start = None
