"""What was told or typed → the situations that it describes.

``features`` a sentence → what is compared of it · ``learn`` the sentences of all situations → weights, when the index
is built (scikit-learn) · ``finder`` a query → situations, best first, from those weights alone.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from itertools import combinations, pairwise
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from corpus.files import ReadablePath
from corpus.letters import Token, tokenize
from corpus.library import Library
from corpus.model import NodeId
from index.concept import Concepts
from index.lexicon import Lexicon
from index.weights import CLASSIFIER_WEIGHTS, ClassifierWeights

NGRAM_LENGTH = (
    4  # letters of the parts of a word; parts of 3, 4 and 5 letters find 1 % more and take twice as long to learn
)
MOST_TOKENS_READ = 40  # words of a query that are looked at


def extract_features(
    text: str,
    lang: str,
    lexicons: Mapping[str, Lexicon],
    concepts: Concepts,
    weights: ClassifierWeights = CLASSIFIER_WEIGHTS,
) -> dict[str, float]:
    """Feature → how much of it there is. A language without a lexicon is compared by its letters alone."""
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
    """Parts of a word with its ends marked, and what each counts."""
    whole = f"_{form}_"
    count = max(1, len(whole) - NGRAM_LENGTH + 1)
    yield from ((whole[at : at + NGRAM_LENGTH], 1 / sqrt(count)) for at in range(count))


def _concept_features(
    tokens: list[Token], lang: str, concepts: Concepts, weights: ClassifierWeights
) -> Iterator[tuple[str, float]]:
    """Concepts that a sentence names, and every two of them: the same in all languages."""
    named = sorted({found.concept for found in concepts.find_in_query(lang, tokens)[0]})
    yield from ((f"c {concept}", weights.named) for concept in named)
    yield from ((f"t {' '.join(pair)}", weights.together) for pair in combinations(named, 2))


FEATURES_FILE, WEIGHTS_FILE = "heard.json", "heard.npz"  # files of the index


class ParaphraseMatrix(NamedTuple):
    """Tellings by feature: those of row ``r`` are ``sentences[begins[r]:begins[r + 1]]``, with how much of it each has
    (``amounts``); ``of``: the provision that each sentence is told of.
    """

    provisions: tuple[NodeId, ...]
    begins: np.ndarray
    sentences: np.ndarray
    amounts: np.ndarray


class ClassifierScores(NamedTuple):
    """What a query has in common with each situation and each law (margins), and with each telling (cosines)."""

    situations: np.ndarray
    laws: np.ndarray
    paraphrases: np.ndarray


@dataclass(frozen=True, eq=False)
class ClassifierModel:
    """``situations``: ids, sorted, and ``laws``: ids of pages; a column of ``weights`` each, in this order ·
    ``rarity``: feature → how much it tells (idf), in the order of the rows of ``weights`` · ``bias`` of each column ·
    ``scale``: what one step of its weights is worth, which are whole numbers up to 127 · ``tellings``.
    """

    situations: tuple[str, ...]
    laws: tuple[NodeId, ...]
    rarity: Mapping[str, float]
    bias: np.ndarray
    scale: np.ndarray
    weights: np.ndarray
    paraphrases: ParaphraseMatrix

    def __post_init__(self) -> None:
        object.__setattr__(self, "_row", {feature: row for row, feature in enumerate(self.rarity)})
        begins = self.paraphrases.begins.tolist()
        # Slices are made of whole numbers faster than of those of an array.
        object.__setattr__(self, "_parts", [slice(*ends) for ends in pairwise(begins)])

    def score(self, features: Mapping[str, float]) -> ClassifierScores | None:
        """What the features of a query (:func:`extract_features`) sum up to; None where none is known."""
        row: Mapping[str, int] = self._row  # type: ignore[attr-defined]  # set when made
        known = [(row[f], n * self.rarity[f]) for f, n in features.items() if f in row]
        length = sqrt(sum(n * n for _, n in known))
        if not length:
            return None
        rows = [r for r, _ in known]
        amount = np.array([n for _, n in known], dtype=np.float32) / length
        sums = amount @ self.weights[rows].astype(np.float32) * self.scale + self.bias
        return ClassifierScores(
            sums[: len(self.situations)], sums[len(self.situations) :], self._paraphrase_similarity(rows, amount)
        )

    def _paraphrase_similarity(self, rows: list[int], amount: np.ndarray) -> np.ndarray:
        """The cosine of the query with every telling."""
        of, _, sentences, amounts = self.paraphrases
        every: list[slice] = self._parts  # type: ignore[attr-defined]  # set when made
        parts = [every[r] for r in rows]
        where = np.concatenate([sentences[part] for part in parts])
        counts = [part.stop - part.start for part in parts]
        found = np.concatenate([amounts[part] for part in parts]).astype(np.float32) * np.repeat(amount, counts)
        return np.bincount(where, weights=found, minlength=len(of))

    def save(self, folder: Path) -> None:
        """Write it into the folder of an index."""
        said = {
            "situations": self.situations,
            "laws": self.laws,
            "told": self.paraphrases.provisions,
            "rarity": dict(self.rarity),
        }
        (folder / FEATURES_FILE).write_text(json.dumps(said, ensure_ascii=False), encoding="utf-8")
        _, begins, sentences, amounts = self.paraphrases
        np.savez(
            folder / WEIGHTS_FILE,
            bias=self.bias,
            scale=self.scale,
            weights=self.weights,
            begins=begins,
            sentences=sentences,
            amounts=amounts,
        )

    @classmethod
    def load(cls, folder: ReadablePath) -> ClassifierModel:
        """Read what :meth:`save` wrote; the manifest of the index vouches for the files."""
        said: dict[str, Any] = json.loads((folder / FEATURES_FILE).read_bytes())
        with np.load(BytesIO((folder / WEIGHTS_FILE).read_bytes())) as kept:
            told = ParaphraseMatrix(
                tuple(map(NodeId, said["told"])), kept["begins"], kept["sentences"], kept["amounts"]
            )
            laws = tuple(map(NodeId, said["laws"]))
            bias, scale = kept["bias"].astype(np.float32), kept["scale"].astype(np.float32)
            return cls(tuple(said["situations"]), laws, said["rarity"], bias, scale, kept["weights"], told)


class SituationMatch(NamedTuple):
    """A situation that words describe; ``score``: from 0 to 1, of all situations together 1."""

    id: str
    score: float


class Prediction(NamedTuple):
    """What a query tells of: ``situations``, best first; ``laws``: the share of each page, of all together 1;
    ``provisions``: how like a telling of each provision it is, from 0 to 1.
    """

    situations: tuple[SituationMatch, ...] = ()
    laws: Mapping[NodeId, float] = {}
    provisions: Mapping[NodeId, float] = {}


MOST_SITUATIONS = 10  # situations that words may describe
MOST_PARAPHRASES = 60  # tellings that are looked at
NO_PREDICTION = Prediction()


def likely_situations(found: tuple[SituationMatch, ...]) -> tuple[SituationMatch, ...]:
    """Those that may be meant: none where the first is unlikely, else all that have a good part of its score."""
    if not found or found[0].score < CLASSIFIER_WEIGHTS.likely:
        return ()
    return tuple(d for d in found if d.score >= found[0].score * CLASSIFIER_WEIGHTS.beside_first)


def put_first(found: tuple[SituationMatch, ...], id_: str, limit: int) -> tuple[SituationMatch, ...]:
    """The same with one first that is told for certain: it takes half of what all have, and what it had.

    >>> put_first((SituationMatch("revoke", 0.8), SituationMatch("bid", 0.2)), "bid", 5)
    (Described(id='bid', score=0.6), Described(id='revoke', score=0.4))
    """
    total = sum(d.score for d in found)
    own = sum(d.score for d in found if d.id == id_)
    first = SituationMatch(id_, round((1 + own) / 2, 4) if total else 1.0)
    return (first, *(d._replace(score=round(d.score / 2, 4)) for d in found if d.id != id_))[:limit]


class Classifier:
    """Asks what a built index learned. Immutable; shared between threads."""

    def __init__(
        self,
        lesson: ClassifierModel,
        library: Library,
        lexicons: Mapping[str, Lexicon],
        concepts: Concepts,
        weights: ClassifierWeights = CLASSIFIER_WEIGHTS,
    ):
        self._model, self._library, self._lexicons, self._concepts = lesson, library, lexicons, concepts
        self._weights = weights

    def predict(self, text: str, lang: str, limit: int = MOST_SITUATIONS) -> Prediction:
        """What words tell of, so many situations at most; silence where none of them is known."""
        lesson = self._model
        sums = lesson.score(extract_features(text, lang, self._lexicons, self._concepts, self._weights))
        if sums is None:
            return NO_PREDICTION
        shares = _softmax(sums.situations, self._weights.sharpness)
        # Equal ones by their ids, which is their order in a lesson.
        best = np.argsort(-shares, kind="stable")[:limit]
        told = zip(best.tolist(), shares[best].tolist(), strict=True)
        situations = tuple([SituationMatch(lesson.situations[i], round(share, 4)) for i, share in told])
        of_laws = _softmax(sums.laws, self._weights.sharpness_of_laws)
        laws = {lesson.laws[i]: float(of_laws[i]) for i in np.flatnonzero(of_laws >= self._weights.least_share)}
        return Prediction(situations, laws, self._most_similar(sums.paraphrases))

    def _most_similar(self, alike: np.ndarray) -> dict[NodeId, float]:
        """The provisions of the likest tellings."""
        out: dict[NodeId, float] = {}
        # Only those are sorted that may be among them: a few of thousands.
        some = np.flatnonzero(alike > 0)
        if len(some) > MOST_PARAPHRASES:
            some = some[alike[some] >= np.partition(alike[some], -MOST_PARAPHRASES)[-MOST_PARAPHRASES]]
        likest = some[np.argsort(-alike[some], kind="stable")[:MOST_PARAPHRASES]]
        for i, like in zip(likest.tolist(), alike[likest].tolist(), strict=True):
            # Kept in half precision, the same words may be a little more than alike.
            out.setdefault(self._model.paraphrases.provisions[i], min(like, 1.0))
        return out

    def situations_of_words(self, text: str, lang: str, limit: int) -> tuple[SituationMatch, ...]:
        """The situations that words describe, best first; none where no word is known."""
        return self.predict(text, lang, limit).situations

    def situations_of_paths(self, paths: Iterable[str], limit: int) -> tuple[SituationMatch, ...]:
        """The situations that cited provisions rule, those first where they decide most."""
        found: dict[str, list[int]] = {}
        for situation in self._library.situations.values():
            for listed in situation.provisions.values():
                for place, path in enumerate(listed):
                    if any(f"{path}/".startswith(f"{p}/") or p.startswith(f"{path}/") for p in paths):
                        found.setdefault(situation.id, []).append(place)
        best = sorted(found, key=lambda id_: (min(found[id_]), -len(found[id_]), id_))[:limit]
        return tuple(SituationMatch(id_, round(1 / (2 + min(found[id_])), 4)) for id_ in best)


def _softmax(sums: np.ndarray, sharpness: float) -> np.ndarray:
    """Margins as shares of 1."""
    if not len(sums):
        return sums
    shares = np.exp(sharpness * (sums - sums.max()))
    return shares / shares.sum()
