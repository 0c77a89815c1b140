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

from corpus.files import Place
from corpus.letters import Token, analyse
from corpus.library import Library
from corpus.model import NodeId
from index.concept import Concepts
from index.lexicon import Lexicon
from index.weights import TOLD, ToldWeights

LENGTH = 4  # letters of the parts of a word; parts of 3, 4 and 5 letters find 1 % more and take twice as long to learn
LONGEST = 40  # words of a query that are looked at


def features(
    text: str, lang: str, lexicons: Mapping[str, Lexicon], concepts: Concepts, weights: ToldWeights = TOLD
) -> dict[str, float]:
    """Feature → how much of it there is. A language without a lexicon is compared by its letters alone."""
    tokens = [t for t in analyse(text)[:LONGEST] if len(t.form) > 1 and not t.form.isdigit()]
    lexicon = lexicons.get(lang)
    out: dict[str, float] = defaultdict(float)
    lemmas = []
    for token in tokens:
        skipped = lexicon is not None and token.form in lexicon.stopwords
        weight = weights.skipped if skipped else 1.0
        lemma = lexicon.lemmas(token.form)[0] if lexicon else token.form
        out[f"w {lemma}"] += weight
        for part, share in _parts(token.form):
            out[f"p {part}"] += weights.part * weight * share
        if not skipped:
            lemmas.append(lemma)
    for pair in pairwise(lemmas):
        out[f"b {' '.join(pair)}"] += weights.beside
    if lexicon:
        for feature, weight in _names(tokens, lang, concepts, weights):
            out[feature] += weight
    return out


def _parts(form: str) -> Iterator[tuple[str, float]]:
    """Parts of a word with its ends marked, and what each counts."""
    whole = f"_{form}_"
    count = max(1, len(whole) - LENGTH + 1)
    yield from ((whole[at : at + LENGTH], 1 / sqrt(count)) for at in range(count))


def _names(tokens: list[Token], lang: str, concepts: Concepts, weights: ToldWeights) -> Iterator[tuple[str, float]]:
    """Concepts that a sentence names, and every two of them: the same in all languages."""
    named = sorted({found.concept for found in concepts.asked(lang, tokens)[0]})
    yield from ((f"c {concept}", weights.named) for concept in named)
    yield from ((f"t {' '.join(pair)}", weights.together) for pair in combinations(named, 2))


FEATURES, WEIGHTS = "heard.json", "heard.npz"  # files of the index


class Tellings(NamedTuple):
    """Tellings by feature: those of row ``r`` are ``sentences[begins[r]:begins[r + 1]]``, with how much of it each has
    (``amounts``); ``of``: the provision that each sentence is told of.
    """

    of: tuple[NodeId, ...]
    begins: np.ndarray
    sentences: np.ndarray
    amounts: np.ndarray


class Sums(NamedTuple):
    """What a query has in common with each situation and each law (margins), and with each telling (cosines)."""

    situations: np.ndarray
    laws: np.ndarray
    tellings: np.ndarray


@dataclass(frozen=True, eq=False)
class Lesson:
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
    tellings: Tellings

    def __post_init__(self) -> None:
        object.__setattr__(self, "_row", {feature: row for row, feature in enumerate(self.rarity)})
        begins = self.tellings.begins.tolist()
        # Slices are made of whole numbers faster than of those of an array.
        object.__setattr__(self, "_parts", [slice(*ends) for ends in pairwise(begins)])

    def hear(self, features: Mapping[str, float]) -> Sums | None:
        """What the features of a query (:func:`index.heard.features.features`) sum up to; None where none is known."""
        row: Mapping[str, int] = self._row  # type: ignore[attr-defined]  # set when made
        known = [(row[f], n * self.rarity[f]) for f, n in features.items() if f in row]
        length = sqrt(sum(n * n for _, n in known))
        if not length:
            return None
        rows = [r for r, _ in known]
        amount = np.array([n for _, n in known], dtype=np.float32) / length
        sums = amount @ self.weights[rows].astype(np.float32) * self.scale + self.bias
        return Sums(sums[: len(self.situations)], sums[len(self.situations) :], self._alike(rows, amount))

    def _alike(self, rows: list[int], amount: np.ndarray) -> np.ndarray:
        """The cosine of the query with every telling."""
        of, _, sentences, amounts = self.tellings
        every: list[slice] = self._parts  # type: ignore[attr-defined]  # set when made
        parts = [every[r] for r in rows]
        where = np.concatenate([sentences[part] for part in parts])
        counts = [part.stop - part.start for part in parts]
        found = np.concatenate([amounts[part] for part in parts]).astype(np.float32) * np.repeat(amount, counts)
        return np.bincount(where, weights=found, minlength=len(of))

    def save(self, folder: Path) -> None:
        """Write it into the folder of an index."""
        said = {"situations": self.situations, "laws": self.laws, "told": self.tellings.of, "rarity": dict(self.rarity)}
        (folder / FEATURES).write_text(json.dumps(said, ensure_ascii=False), encoding="utf-8")
        _, begins, sentences, amounts = self.tellings
        np.savez(
            folder / WEIGHTS,
            bias=self.bias,
            scale=self.scale,
            weights=self.weights,
            begins=begins,
            sentences=sentences,
            amounts=amounts,
        )

    @classmethod
    def load(cls, folder: Place) -> Lesson:
        """Read what :meth:`save` wrote; the manifest of the index vouches for the files."""
        said: dict[str, Any] = json.loads((folder / FEATURES).read_bytes())
        with np.load(BytesIO((folder / WEIGHTS).read_bytes())) as kept:
            told = Tellings(tuple(map(NodeId, said["told"])), kept["begins"], kept["sentences"], kept["amounts"])
            laws = tuple(map(NodeId, said["laws"]))
            bias, scale = kept["bias"].astype(np.float32), kept["scale"].astype(np.float32)
            return cls(tuple(said["situations"]), laws, said["rarity"], bias, scale, kept["weights"], told)


class Described(NamedTuple):
    """A situation that words describe; ``score``: from 0 to 1, of all situations together 1."""

    id: str
    score: float


class Heard(NamedTuple):
    """What a query tells of: ``situations``, best first; ``laws``: the share of each page, of all together 1;
    ``provisions``: how like a telling of each provision it is, from 0 to 1.
    """

    situations: tuple[Described, ...] = ()
    laws: Mapping[NodeId, float] = {}
    provisions: Mapping[NodeId, float] = {}


LISTED = 10  # situations that words may describe
LIKEST = 60  # tellings that are looked at
SILENCE = Heard()


def likely(found: tuple[Described, ...]) -> tuple[Described, ...]:
    """Those that may be meant: none where the first is unlikely, else all that have a good part of its score."""
    if not found or found[0].score < TOLD.likely:
        return ()
    return tuple(d for d in found if d.score >= found[0].score * TOLD.beside_first)


def led(found: tuple[Described, ...], id_: str, limit: int) -> tuple[Described, ...]:
    """The same with one first that is told for certain: it takes half of what all have, and what it had.

    >>> led((Described("revoke", 0.8), Described("bid", 0.2)), "bid", 5)
    (Described(id='bid', score=0.6), Described(id='revoke', score=0.4))
    """
    total = sum(d.score for d in found)
    own = sum(d.score for d in found if d.id == id_)
    first = Described(id_, round((1 + own) / 2, 4) if total else 1.0)
    return (first, *(d._replace(score=round(d.score / 2, 4)) for d in found if d.id != id_))[:limit]


class Finder:
    """Asks what a built index learned. Immutable; shared between threads."""

    def __init__(
        self,
        lesson: Lesson,
        library: Library,
        lexicons: Mapping[str, Lexicon],
        concepts: Concepts,
        weights: ToldWeights = TOLD,
    ):
        self._lesson, self._library, self._lexicons, self._concepts = lesson, library, lexicons, concepts
        self._weights = weights

    def hear(self, text: str, lang: str, limit: int = LISTED) -> Heard:
        """What words tell of, so many situations at most; silence where none of them is known."""
        lesson = self._lesson
        sums = lesson.hear(features(text, lang, self._lexicons, self._concepts, self._weights))
        if sums is None:
            return SILENCE
        shares = _shares(sums.situations, self._weights.sharpness)
        # Equal ones by their ids, which is their order in a lesson.
        best = np.argsort(-shares, kind="stable")[:limit]
        told = zip(best.tolist(), shares[best].tolist(), strict=True)
        situations = tuple([Described(lesson.situations[i], round(share, 4)) for i, share in told])
        of_laws = _shares(sums.laws, self._weights.sharpness_of_laws)
        laws = {lesson.laws[i]: float(of_laws[i]) for i in np.flatnonzero(of_laws >= self._weights.least_share)}
        return Heard(situations, laws, self._likest(sums.tellings))

    def _likest(self, alike: np.ndarray) -> dict[NodeId, float]:
        """The provisions of the likest tellings."""
        out: dict[NodeId, float] = {}
        # Only those are sorted that may be among them: a few of thousands.
        some = np.flatnonzero(alike > 0)
        if len(some) > LIKEST:
            some = some[alike[some] >= np.partition(alike[some], -LIKEST)[-LIKEST]]
        likest = some[np.argsort(-alike[some], kind="stable")[:LIKEST]]
        for i, like in zip(likest.tolist(), alike[likest].tolist(), strict=True):
            # Kept in half precision, the same words may be a little more than alike.
            out.setdefault(self._lesson.tellings.of[i], min(like, 1.0))
        return out

    def of_words(self, text: str, lang: str, limit: int) -> tuple[Described, ...]:
        """The situations that words describe, best first; none where no word is known."""
        return self.hear(text, lang, limit).situations

    def of_paths(self, paths: Iterable[str], limit: int) -> tuple[Described, ...]:
        """The situations that cited provisions rule, those first where they decide most."""
        found: dict[str, list[int]] = {}
        for situation in self._library.situations.values():
            for listed in situation.provisions.values():
                for place, path in enumerate(listed):
                    if any(f"{path}/".startswith(f"{p}/") or p.startswith(f"{path}/") for p in paths):
                        found.setdefault(situation.id, []).append(place)
        best = sorted(found, key=lambda id_: (min(found[id_]), -len(found[id_]), id_))[:limit]
        return tuple(Described(id_, round(1 / (2 + min(found[id_])), 4)) for id_ in best)


def _shares(sums: np.ndarray, sharpness: float) -> np.ndarray:
    """Margins as shares of 1."""
    if not len(sums):
        return sums
    shares = np.exp(sharpness * (sums - sums.max()))
    return shares / shares.sum()
