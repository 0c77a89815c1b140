"""What was learned of sentences: the weight of every feature for each situation and each law, and the tellings
themselves, by what is compared of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from corpus.model import NodeId
from corpus.place import Place

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
