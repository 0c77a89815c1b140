"""Linear support vector machines over tf-idf (scikit-learn), each class against all others.

:mod:`index.train` imports this module late, while worker processes are busy, because importing scikit-learn takes a
second.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.svm import LinearSVC

# Training stops when the solution changes less than this. Measured: a quarter faster than the default.
TOLERANCE = 1 / 10
LEAST_CLASSES = 2  # a single class is told apart from nothing
# Weights are stored as whole numbers up to this one: a quarter of the space, the same answers.
HIGHEST_STEP = 127


def fit_tfidf(matrix: Any) -> tuple[Any, np.ndarray]:
    """Return the matrix of counted features as tf-idf, each sentence of length 1, and the idf of each feature."""
    tfidf = TfidfTransformer()
    return tfidf.fit_transform(matrix), tfidf.idf_


class TrainingData(NamedTuple):
    """What one kind of label is trained with: the situations of sentences, or their laws.

    ``classes`` are the values of the label. ``matrix`` has a row for each sentence with a label, ``numbers`` the index
    of its class. ``slack`` is the parameter C of the machine.
    """

    classes: tuple[str, ...]
    matrix: Any
    numbers: np.ndarray
    slack: float

    @classmethod
    def of(cls, matrix: Any, labels: Sequence[str], slack: float) -> TrainingData:
        """Return the training data of one kind of label; without classes if there are fewer than :data:`LEAST_CLASSES`.

        ``matrix`` has a row for each sentence. ``labels`` holds the class of each sentence, "" for none.
        """
        chosen = [i for i, label in enumerate(labels) if label]
        classes = tuple(sorted({labels[i] for i in chosen}))
        if len(classes) < LEAST_CLASSES:
            return cls((), matrix, np.zeros(0), slack)
        number = {name: i for i, name in enumerate(classes)}
        return cls(classes, matrix[chosen], np.array([number[labels[i]] for i in chosen]), slack)


class LinearWeights(NamedTuple):
    """The weights of some classes, with a column for each.

    ``steps`` are whole numbers, ``scale`` is the value of one step in each column, ``bias`` the bias of each column.
    """

    steps: np.ndarray
    scale: np.ndarray
    bias: np.ndarray


def train_svm(training_data: Sequence[TrainingData], index: int) -> LinearWeights:
    """Return the weights for ``training_data[index]``: each class is trained against all others."""
    classes, matrix, numbers, slack = training_data[index]
    if not classes:
        nothing = np.zeros(0)
        return LinearWeights(np.zeros((matrix.shape[1], 0), dtype=np.int8), nothing, nothing)
    coefficients, bias = _row_of_each_class(LinearSVC(random_state=0, tol=TOLERANCE, C=slack).fit(matrix, numbers))
    steps, scale = _in_steps(coefficients)
    return LinearWeights(steps.T, scale, bias)


def _row_of_each_class(fitted: LinearSVC) -> tuple[np.ndarray, np.ndarray]:
    """Return (weights, bias) with a row for each class. Of two classes, a machine has only the row of the second."""
    if len(fitted.classes_) > LEAST_CLASSES:
        return fitted.coef_, fitted.intercept_
    return np.concatenate([-fitted.coef_, fitted.coef_]), np.concatenate([-fitted.intercept_, fitted.intercept_])


def _in_steps(coefficients: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return weights as whole numbers up to :data:`HIGHEST_STEP`, and the value of one step in each row."""
    scale = np.abs(coefficients).max(axis=1, initial=1 / HIGHEST_STEP) / HIGHEST_STEP
    return np.round(coefficients / scale[:, None]).astype(np.int8), scale


class LawWeights(NamedTuple):
    """The weights of the provisions of a law, ``classes``: a sparse row of ``steps`` for each, over the features."""

    classes: tuple[str, ...]
    steps: Any
    scale: np.ndarray
    bias: np.ndarray


def train_law(shared: tuple[Any, Sequence[str], float], sentences: range) -> LawWeights:
    """Return the weights for the provisions of a law: each is trained against the others of the law.

    ``shared``: a matrix with a row for each sentence, the label of each, and the parameter C. ``sentences`` are the
    rows of the law.
    """
    matrix, labels, slack = shared
    rows, of_law = matrix[sentences.start : sentences.stop], labels[sentences.start : sentences.stop]
    if len(set(of_law)) == 1:  # nothing to tell apart
        return LawWeights((of_law[0],), csr_matrix((1, matrix.shape[1]), dtype=np.int8), np.ones(1), np.zeros(1))
    present = np.flatnonzero(np.bincount(rows.indices, minlength=matrix.shape[1]))
    fitted = LinearSVC(random_state=0, tol=TOLERANCE, C=slack).fit(rows[:, present], np.array(of_law))
    coefficients, bias = _row_of_each_class(fitted)
    whole, scale = _in_steps(coefficients)
    steps = csr_matrix(whole)
    placed = csr_matrix((steps.data, present[steps.indices], steps.indptr), (len(fitted.classes_), matrix.shape[1]))
    return LawWeights(tuple(map(str, fitted.classes_)), placed, scale, bias)
