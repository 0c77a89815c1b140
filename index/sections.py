"""Which provision of a law words are about: “the trick was lost” is 64A2, “he won it himself” 64A1.

Provisions of one law share nearly all of their words; what tells them apart are a “not”, an order, a person. So the
classifier of laws is not enough. :class:`SectionModel` compares each provision with the others of its law alone.
:mod:`index.train` trains it from the paraphrases when the index is built.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from corpus.files import ReadablePath
from corpus.letters import tokenize
from corpus.model import NodeId
from index.arrays import read_arrays, write_arrays
from index.classifier import MOST_TOKENS_READ, extract_features, weigh_features
from index.concept import Concepts
from index.lexicon import Lexicon
from index.query.stated import FactReader
from index.weights import CLASSIFIER_WEIGHTS, ClassifierWeights


def extract_section_features(
    text: str,
    lang: str,
    lexicons: Mapping[str, Lexicon],
    concepts: Concepts,
    facts: FactReader,
    weights: ClassifierWeights = CLASSIFIER_WEIGHTS,
) -> dict[str, float]:
    """Return feature → amount: those of the classifier, small words in full, alone and beside their neighbours, and the
    facts that are stated.
    """
    out = dict(extract_features(text, lang, lexicons, concepts, weights))
    lexicon = lexicons.get(lang)
    if lexicon is not None:
        tokens = tokenize(text)[:MOST_TOKENS_READ]
        is_small = [token.form in lexicon.stopwords for token in tokens]
        lemmas = [lexicon.lemmas(token.form)[0] for token in tokens]
        for (one, small), (other, also_small) in pairwise(zip(lemmas, is_small, strict=True)):
            if small or also_small:
                out[f"n {one} {other}"] = weights.beside
        out |= {f"w {lemma}": 1.0 for lemma, small in zip(lemmas, is_small, strict=True) if small}
    for stated in facts.read(text, lang):
        out[f"f {stated.fact}"] = 1.0
    return out


NAMES_FILE, WEIGHTS_FILE = "sections.json", "sections.arrays"  # in ``learned/``

_ARRAYS = {"bias": "<f4 1", "scale": "<f4 1", "begins": "<i4 1", "columns": "<i4 1", "steps": "<i1 1"}


class _SectionNames(msgspec.Struct):
    """The content of :data:`NAMES_FILE`; ``law``: the law of each provision."""

    provisions: tuple[str, ...]
    law: tuple[str, ...]
    rarity: dict[str, float]


@dataclass(frozen=True, eq=False)
class SectionModel:
    """What was trained of the provisions of each law.

    ``provisions`` are the columns, those of a law side by side; ``law`` is the law of each. The weights of the feature
    in row ``r`` of ``rarity`` (feature → idf) are ``steps[begins[r]:begins[r + 1]]``, in the columns ``columns``: whole
    numbers up to 127. ``scale`` is the value of one such step in each column, ``bias`` the bias of each column.
    """

    provisions: tuple[NodeId, ...]
    law: tuple[NodeId, ...]
    rarity: Mapping[str, float]
    bias: np.ndarray
    scale: np.ndarray
    begins: np.ndarray
    columns: np.ndarray
    steps: np.ndarray

    def __post_init__(self) -> None:
        object.__setattr__(self, "_row", {feature: row for row, feature in enumerate(self.rarity)})
        first = [i for i, law in enumerate(self.law) if i == 0 or law != self.law[i - 1]]
        object.__setattr__(self, "_groups", np.array(first, dtype=np.intp))

    def shares(self, features: Mapping[str, float], sharpness: float) -> Mapping[NodeId, float]:
        """Return provision → its share among the provisions of its law, for the features of a query
        (:func:`extract_section_features`). The shares of a law sum to 1. Empty if no feature is known.

        With a higher ``sharpness`` the shares differ more.
        """
        row: Mapping[str, int] = self._row  # type: ignore[attr-defined]  # set when made
        groups: np.ndarray = self._groups  # type: ignore[attr-defined]  # set when made
        rows, amount = weigh_features(features, row, self.rarity)
        if not rows or not len(groups):
            return {}
        parts = [slice(self.begins[r], self.begins[r + 1]) for r in rows]
        columns = np.concatenate([self.columns[part] for part in parts])
        amounts = np.repeat(amount, [part.stop - part.start for part in parts])
        steps = np.concatenate([self.steps[part] for part in parts])
        sums = np.bincount(columns, weights=amounts * steps, minlength=len(self.provisions)) * self.scale + self.bias
        sizes = np.diff([*groups.tolist(), len(self.provisions)])
        shares = np.exp(sharpness * (sums - np.repeat(np.maximum.reduceat(sums, groups), sizes)))
        shares /= np.repeat(np.add.reduceat(shares, groups), sizes)
        return dict(zip(self.provisions, shares.tolist(), strict=True))

    def save(self, folder: Path) -> None:
        """Write the model into a folder."""
        names = {"provisions": self.provisions, "law": self.law, "rarity": dict(self.rarity)}
        (folder / NAMES_FILE).write_text(json.dumps(names, ensure_ascii=False), encoding="utf-8")
        types = {name: np.dtype(kind.split()[0]) for name, kind in _ARRAYS.items()}
        write_arrays(folder / WEIGHTS_FILE, {name: getattr(self, name).astype(kind) for name, kind in types.items()})

    @classmethod
    def load(cls, folder: ReadablePath) -> SectionModel:
        """Read what :meth:`save` wrote.

        Raises :class:`ValueError` when the files do not fit each other, and :class:`OSError` when one cannot be read.
        """
        names = msgspec.json.decode((folder / NAMES_FILE).read_bytes(), type=_SectionNames)
        arrays = read_arrays(folder / WEIGHTS_FILE, _ARRAYS)
        count, begins, columns = len(names.provisions), arrays["begins"], arrays["columns"]
        if (
            any(len(of) != count for of in (names.law, arrays["bias"], arrays["scale"]))
            or len(begins) != len(names.rarity) + 1
            or (begins[0], begins[-1]) != (0, len(columns))
            or (np.diff(begins) < 0).any()
            or len(columns) != len(arrays["steps"])
            or ((columns < 0) | (columns >= count)).any()
        ):
            raise ValueError(f"{folder / WEIGHTS_FILE} does not fit {NAMES_FILE}")
        return cls(tuple(map(NodeId, names.provisions)), tuple(map(NodeId, names.law)), names.rarity, **arrays)


class SectionShares(NamedTuple):
    """How the words of a query fit the provisions.

    ``in_law`` is the share of each provision among those of its law, ``overall`` its share among all provisions: that
    of the law times ``in_law``.
    """

    in_law: Mapping[NodeId, float] = {}
    overall: Mapping[NodeId, float] = {}


class SectionClassifier:
    """Predicts with a trained model; nothing where there is none. Immutable; shared between threads."""

    def __init__(
        self,
        model: SectionModel | None,
        lexicons: Mapping[str, Lexicon],
        concepts: Concepts,
        facts: FactReader,
        weights: ClassifierWeights = CLASSIFIER_WEIGHTS,
    ):
        self._model, self._lexicons, self._concepts, self._facts = model, lexicons, concepts, facts
        self._weights = weights

    def predict(self, text: str, lang: str, laws: Mapping[NodeId, float]) -> SectionShares:
        """Return the shares of the provisions for the words of a query. ``laws``: the share of each law."""
        if self._model is None:
            return SectionShares()
        features = extract_section_features(text, lang, self._lexicons, self._concepts, self._facts, self._weights)
        in_law = self._model.shares(features, self._weights.sharpness_of_sections)
        law_of = zip(in_law.items(), self._model.law, strict=False)
        return SectionShares(in_law, {id_: share * laws.get(law, 0.0) for (id_, share), law in law_of})
