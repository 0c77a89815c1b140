"""Linear support vector machines over tf-idf (scikit-learn): what is learned of some classes, each against all others.

Whoever learns imports this while others count: scikit-learn takes a second.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.svm import LinearSVC

TOLERANCE = 1 / 10  # learning stops as soon as what is found changes no more: measured, a quarter faster
LEAST_CLASSES = 3  # classes that can be told apart
HIGHEST_STEP = 127  # weights are kept as whole numbers up to this one: a quarter of the room, and the same answers


def fit_tfidf(matrix: Any) -> tuple[Any, np.ndarray]:
    """The matrix of counted features as tf-idf, each sentence of length 1; and how much each feature tells (idf)."""
    tfidf = TfidfTransformer()
    return tfidf.fit_transform(matrix), tfidf.idf_


class TrainingClasses(NamedTuple):
    """What is learned of: the classes, the sentences that are of one, and the number of its class for each."""

    classes: tuple[str, ...]
    matrix: Any
    numbers: np.ndarray
    slack: float

    @classmethod
    def of(cls, matrix: Any, labels: Sequence[str], slack: float) -> TrainingClasses:
        """Of too few classes nothing is learned."""
        chosen = [i for i, label in enumerate(labels) if label]
        classes = tuple(sorted({labels[i] for i in chosen}))
        if len(classes) < LEAST_CLASSES:
            return cls((), matrix, np.zeros(0), slack)
        number = {name: i for i, name in enumerate(classes)}
        return cls(classes, matrix[chosen], np.array([number[labels[i]] for i in chosen]), slack)


class LinearWeights(NamedTuple):
    """The weights of some classes, a column for each, in whole steps; what a step is worth, and the bias."""

    steps: np.ndarray
    scale: np.ndarray
    bias: np.ndarray


def train_svm(asked: Sequence[TrainingClasses], which: int) -> LinearWeights:
    """Learns the classes of one of the labels, each against all others."""
    classes, matrix, numbers, slack = asked[which]
    if not classes:
        nothing = np.zeros(0)
        return LinearWeights(np.zeros((matrix.shape[1], 0), dtype=np.int8), nothing, nothing)
    fitted = LinearSVC(random_state=0, tol=TOLERANCE, C=slack).fit(matrix, numbers)
    learned = fitted.coef_.T
    scale = np.abs(learned).max(axis=0, initial=1 / HIGHEST_STEP) / HIGHEST_STEP
    return LinearWeights(np.round(learned / scale).astype(np.int8), scale, fitted.intercept_)
