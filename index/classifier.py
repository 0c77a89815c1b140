"""The classifier: from the words of a query to the situations and laws that they describe.

:func:`extract_features` turns a sentence into features. :class:`ClassifierModel` holds the trained weights;
:mod:`index.train` makes it when the index is built. :class:`Classifier` predicts from these weights alone; its
``predict`` returns a :class:`Prediction`.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import sqrt
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from corpus.address import paths_overlap
from corpus.files import ReadablePath
from corpus.letters import Token, tokenize
from corpus.library import Library
from corpus.model import NodeId
from index.arrays import read_arrays, write_arrays
from index.concept import Concepts
from index.lexicon import Lexicon
from index.weights import CLASSIFIER_WEIGHTS, ClassifierWeights

# Letters of an n-gram. N-grams of 3, 4 and 5 letters find 1 % more and take twice as long to train.
NGRAM_LENGTH = 4
MOST_TOKENS_READ = 40  # words of a query that are read

# -- Features ---


def extract_features(
    text: str,
    lang: str,
    lexicons: Mapping[str, Lexicon],
    concepts: Concepts,
    weights: ClassifierWeights = CLASSIFIER_WEIGHTS,
) -> dict[str, float]:
    """Return feature → amount.

    A feature is a lemma, a letter n-gram, a pair of neighbouring lemmas, a concept, or a pair of concepts. For a
    language without a lexicon, words stand for their own lemmas and no concepts are found.
    """
    tokens = [t for t in tokenize(text)[:MOST_TOKENS_READ] if len(t.form) > 1 and not t.form.isdigit()]
    lexicon = lexicons.get(lang)
    out: dict[str, float] = defaultdict(float)
    lemmas = []
    for token in tokens:
        skipped = lexicon is not None and token.form in lexicon.stopwords
        weight = weights.skipped if skipped else 1.0
        lemma = lexicon.lemmas(token.form)[0] if lexicon else token.form
        out[f"w {lemma}"] += weight
        for part, share in _letter_ngrams(token.form):
            out[f"p {part}"] += weights.part * weight * share
        if not skipped:
            lemmas.append(lemma)
    for pair in pairwise(lemmas):
        out[f"b {' '.join(pair)}"] += weights.beside
    if lexicon:
        for feature, weight in _concept_features(tokens, lang, concepts, weights):
            out[feature] += weight
    return out


def _letter_ngrams(form: str) -> Iterator[tuple[str, float]]:
    """Yield the letter n-grams of a word with its ends marked, and the share of each."""
    whole = f"_{form}_"
    count = max(1, len(whole) - NGRAM_LENGTH + 1)
    yield from ((whole[at : at + NGRAM_LENGTH], 1 / sqrt(count)) for at in range(count))


def _concept_features(
    tokens: list[Token], lang: str, concepts: Concepts, weights: ClassifierWeights
) -> Iterator[tuple[str, float]]:
    """Yield (feature, amount) for each concept that a sentence names, and for every pair of them.

    The features are the same in all languages.
    """
    named = sorted({found.concept for found in concepts.find_in_query(lang, tokens)[0]})
    yield from ((f"c {concept}", weights.named) for concept in named)
    yield from ((f"t {' '.join(pair)}", weights.together) for pair in combinations(named, 2))


# -- The trained model ---

NO_LAW = NodeId("-")  # the label of what no law answers

FEATURES_FILE, WEIGHTS_FILE = "heard.json", "heard.arrays"  # the files of ``learned/``

_ARRAYS = {"bias": "<f4 1", "scale": "<f4 1", "weights": "<i1 2"}


class _ModelNames(msgspec.Struct):
    """The content of :data:`FEATURES_FILE`."""

    situations: tuple[str, ...]
    laws: tuple[str, ...]
    rarity: dict[str, float]


def weigh_features(
    features: Mapping[str, float], row: Mapping[str, int], rarity: Mapping[str, float]
) -> tuple[list[int], np.ndarray]:
    """Return the rows of a model's known features, and the tf-idf of each, as a vector of length 1.

    ``row`` maps a feature to its row, ``rarity`` to its idf. Both results are empty if no feature is known.
    """
    known = [(row[f], n * rarity[f]) for f, n in features.items() if f in row]
    length = sqrt(sum(n * n for _, n in known))
    if not length:
        return [], np.zeros(0, dtype=np.float32)
    return [r for r, _ in known], np.array([n for _, n in known], dtype=np.float32) / length


class ClassifierScores(NamedTuple):
    """The scores of a query: margins for each situation and each law."""

    situations: np.ndarray
    laws: np.ndarray


@dataclass(frozen=True, eq=False)
class ClassifierModel:
    """What was trained when the index was built.

    ``situations`` are sorted ids; ``laws`` are ids of pages, and perhaps :data:`NO_LAW`. ``weights`` has a column for
    each of them, in this order, in whole numbers up to 127. ``scale`` is the value of one such step in each column,
    ``bias`` the bias of each column. ``rarity`` maps each feature to its idf, in the order of the rows of ``weights``.
    """

    situations: tuple[str, ...]
    laws: tuple[NodeId, ...]
    rarity: Mapping[str, float]
    bias: np.ndarray
    scale: np.ndarray
    weights: np.ndarray

    def __post_init__(self) -> None:
        object.__setattr__(self, "_row", {feature: row for row, feature in enumerate(self.rarity)})

    def score(self, features: Mapping[str, float]) -> ClassifierScores | None:
        """Return the scores of a query's features (:func:`extract_features`), or None if no feature is known."""
        row: Mapping[str, int] = self._row  # type: ignore[attr-defined]  # set when made
        rows, amount = weigh_features(features, row, self.rarity)
        if not rows:
            return None
        sums = amount @ self.weights[rows].astype(np.float32) * self.scale + self.bias
        return ClassifierScores(sums[: len(self.situations)], sums[len(self.situations) :])

    def save(self, folder: Path) -> None:
        """Write the model into a folder."""
        data = {"situations": self.situations, "laws": self.laws, "rarity": dict(self.rarity)}
        (folder / FEATURES_FILE).write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
        # Sixteen digits are learned, and the last may differ between machines. Seven are stored and read. Measured:
        # no score of a judged query changes; with five, five of 1,200 queries have another order.
        arrays = {"bias": self.bias.astype(np.float32), "scale": self.scale.astype(np.float32), "weights": self.weights}
        write_arrays(folder / WEIGHTS_FILE, arrays)

    @classmethod
    def load(cls, folder: ReadablePath) -> ClassifierModel:
        """Read what :meth:`save` wrote.

        Raises :class:`ValueError` when the files do not fit each other, and :class:`OSError` when one cannot be read.
        """
        data = msgspec.json.decode((folder / FEATURES_FILE).read_bytes(), type=_ModelNames)
        arrays = read_arrays(folder / WEIGHTS_FILE, _ARRAYS)
        columns = len(data.situations) + len(data.laws)
        if arrays["weights"].shape != (len(data.rarity), columns) or any(
            len(arrays[name]) != columns for name in ("bias", "scale")
        ):
            raise ValueError(f"{folder / WEIGHTS_FILE} has not the rows and columns of {FEATURES_FILE}")
        laws = tuple(map(NodeId, data.laws))
        return cls(data.situations, laws, data.rarity, arrays["bias"], arrays["scale"], arrays["weights"])


# -- Prediction ---


class SituationMatch(NamedTuple):
    """A situation that the words describe. ``score`` is from 0 to 1; the scores of all situations sum to 1."""

    id: str
    score: float


class Prediction(NamedTuple):
    """What a query describes.

    ``situations`` are sorted, best first. ``laws`` maps the id of a page to its share; ``unanswered`` is the share of
    what no law answers. All these shares sum to 1.
    """

    situations: tuple[SituationMatch, ...] = ()
    laws: Mapping[NodeId, float] = {}
    unanswered: float = 0.0


MOST_SITUATIONS = 10  # situations that a prediction returns
NO_PREDICTION = Prediction()


def likely_situations(found: tuple[SituationMatch, ...], unanswered: float = 0.0) -> tuple[SituationMatch, ...]:
    """Return those of the situations that are probably meant.

    That is none if the first is unlikely, or if ``unanswered``, the share of what no law answers, is not small and the
    first has less than half of all shares. Else it is all whose score is a good part of the first one's.
    """
    if not found or found[0].score < CLASSIFIER_WEIGHTS.likely:
        return ()
    if unanswered >= CLASSIFIER_WEIGHTS.likely_unanswered and found[0].score < CLASSIFIER_WEIGHTS.likely_alone:
        return ()
    return tuple(d for d in found if d.score >= found[0].score * CLASSIFIER_WEIGHTS.beside_first)


def put_first(found: tuple[SituationMatch, ...], id_: str, limit: int) -> tuple[SituationMatch, ...]:
    """Return the situations with the one of ``id_``, which is certain, in the first place; ``limit`` at most.

    It keeps half of its score and gets half of the total; the scores of the others are halved.

    >>> put_first((SituationMatch("revoke", 0.8), SituationMatch("bid", 0.2)), "bid", 5)
    (SituationMatch(id='bid', score=0.6), SituationMatch(id='revoke', score=0.4))
    """
    total = sum(d.score for d in found)
    own = sum(d.score for d in found if d.id == id_)
    first = SituationMatch(id_, round((1 + own) / 2, 4) if total else 1.0)
    return (first, *(d._replace(score=round(d.score / 2, 4)) for d in found if d.id != id_))[:limit]


class Classifier:
    """Predicts with a trained model; nothing where there is none. Immutable; shared between threads."""

    def __init__(
        self,
        classifier_model: ClassifierModel | None,
        library: Library,
        lexicons: Mapping[str, Lexicon],
        concepts: Concepts,
        weights: ClassifierWeights = CLASSIFIER_WEIGHTS,
    ):
        self._model, self._library, self._lexicons, self._concepts = classifier_model, library, lexicons, concepts
        self._weights = weights

    def predict(self, text: str, lang: str, limit: int = MOST_SITUATIONS) -> Prediction:
        """Return what the words describe, with ``limit`` situations at most. Returns :data:`NO_PREDICTION` if no
        feature is known, or if there is no model.
        """
        model = self._model
        if model is None:
            return NO_PREDICTION
        sums = model.score(extract_features(text, lang, self._lexicons, self._concepts, self._weights))
        if sums is None:
            return NO_PREDICTION
        shares = _softmax(sums.situations, self._weights.sharpness)
        # A stable sort, so that equal shares stay in the order of the ids.
        best = np.argsort(-shares, kind="stable")[:limit]
        ranked = zip(best.tolist(), shares[best].tolist(), strict=True)
        situations = tuple([SituationMatch(model.situations[i], round(share, 4)) for i, share in ranked])
        law_shares = _softmax(sums.laws, self._weights.sharpness_of_laws)
        laws = {model.laws[i]: float(law_shares[i]) for i in np.flatnonzero(law_shares >= self._weights.least_share)}
        unanswered = laws.pop(NO_LAW, 0.0)
        return Prediction(situations, laws, unanswered)

    def situations_of_words(self, text: str, lang: str, limit: int) -> tuple[SituationMatch, ...]:
        """Return the situations that the words describe, best first; none if no word is known."""
        return self.predict(text, lang, limit).situations

    def situations_of_paths(self, paths: Iterable[str], limit: int) -> tuple[SituationMatch, ...]:
        """Return the situations that list a cited provision, one around it or one inside it.

        Those that list it earlier come first.
        """
        found: dict[str, list[int]] = {}
        for situation in self._library.situations.values():
            for listed in situation.provisions.values():
                for place, path in enumerate(listed):
                    if any(paths_overlap(path, p) for p in paths):
                        found.setdefault(situation.id, []).append(place)
        best = sorted(found, key=lambda id_: (min(found[id_]), -len(found[id_]), id_))[:limit]
        return tuple(SituationMatch(id_, round(1 / (2 + min(found[id_])), 4)) for id_ in best)


def _softmax(sums: np.ndarray, sharpness: float) -> np.ndarray:
    """Return margins as shares that sum to 1. With a higher ``sharpness`` the shares differ more."""
    if not len(sums):
        return sums
    shares = np.exp(sharpness * (sums - sums.max()))
    return shares / shares.sum()
