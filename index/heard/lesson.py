"""What was learned of the sentences of all situations: the weight of every feature for each of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

FEATURES, WEIGHTS = "heard.json", "heard.npy"  # files of the index


@dataclass(frozen=True, eq=False)
class Lesson:
    """``situations``: ids, a column of ``weights`` each · ``rarity``: feature → how much it tells (idf), in the order
    of the rows of ``weights`` · ``bias`` of each situation.
    """

    situations: tuple[str, ...]
    rarity: Mapping[str, float]
    bias: np.ndarray
    weights: np.ndarray

    def save(self, folder: Path) -> None:
        """Write it into the folder of an index."""
        said = {"situations": self.situations, "rarity": dict(self.rarity), "bias": [float(x) for x in self.bias]}
        (folder / FEATURES).write_text(json.dumps(said, ensure_ascii=False), encoding="utf-8")
        np.save(folder / WEIGHTS, self.weights)

    @classmethod
    def load(cls, folder: Path) -> Lesson:
        """Read what :meth:`save` wrote; the manifest of the index vouches for the files."""
        said: dict[str, Any] = json.loads((folder / FEATURES).read_text(encoding="utf-8"))
        bias = np.array(said["bias"], dtype=np.float32)
        return cls(tuple(said["situations"]), said["rarity"], bias, np.load(folder / WEIGHTS))
