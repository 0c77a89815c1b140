"""Sentences of situations → what is learned of them: a linear support vector machine over tf-idf, each situation
against all others (scikit-learn; docs/why/finding-situations.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.svm import LinearSVC

from corpus.library import Library
from index.concept import Concepts
from index.heard.features import features
from index.heard.lesson import Lesson
from index.lexicon import Lexicon
from index.weights import TOLD, ToldWeights

TOLERANCE = 1 / 10  # learning stops as soon as what is found changes no more: measured, a quarter faster
RARE = 2  # a feature of fewer sentences tells that sentence again, and nothing of another one
LEADING, LETTERS = 4, 400  # so many provisions of a situation, and letters of each, are read as told of it


class Sentence(NamedTuple):
    """Words told of a situation."""

    situation: str
    lang: str
    text: str


def learn(
    told: Iterable[Sentence], lexicons: Mapping[str, Lexicon], concepts: Concepts, weights: ToldWeights = TOLD
) -> Lesson:
    """What sentences teach; of fewer than three situations nothing."""
    told = list(told)
    known = tuple(sorted({s.situation for s in told}))
    if len(known) < 3:
        return Lesson(known, {}, np.zeros(len(known)), np.zeros((0, len(known)), dtype=np.float16))
    counted = [features(s.text, s.lang, lexicons, concepts, weights) for s in told]
    often = Counter(feature for one in counted for feature in one)
    kept = [{f: n for f, n in one.items() if often[f] >= RARE} for one in counted]
    vectors, tfidf = DictVectorizer(sort=False), TfidfTransformer()
    matrix = tfidf.fit_transform(vectors.fit_transform(kept))
    machine = LinearSVC(random_state=0, tol=TOLERANCE).fit(matrix, [s.situation for s in told])
    order = sorted(vectors.vocabulary_)
    rows = [vectors.vocabulary_[feature] for feature in order]
    rarity = {feature: round(float(tfidf.idf_[row]), 4) for feature, row in zip(order, rows, strict=True)}
    bias = np.round(machine.intercept_, 5)
    return Lesson(tuple(map(str, machine.classes_)), rarity, bias, machine.coef_.T[rows].astype(np.float16))


def sentences(library: Library, weights: ToldWeights = TOLD) -> Iterator[Sentence]:
    """What is said of each situation, its name, and the law's own words on it."""
    for situation in library.situations.values():
        for lang, said in situation.said.items():
            yield from (Sentence(situation.id, lang, text) for text in (situation.name.get(lang, ""), *said) if text)
        for edition in library.codes if weights.law else ():
            for path in situation.provisions.get(edition.code, ())[:LEADING]:
                node = library.node(edition.id, path)
                if node is not None:
                    yield Sentence(situation.id, node.lang, f"{node.heading or ''} {node.text}"[:LETTERS])
