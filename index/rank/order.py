"""The last order: one hit for one provision, and one law after another."""

from __future__ import annotations

import numpy as np

from index.rank.candidate import Standing
from index.rank.table import Table
from index.weights import Weights


def merged(standing: Standing, table: Table, weights: Weights) -> Standing:
    """What corresponds to a better hit is among its counterparts and is not shown twice."""
    order = standing.order
    # Nothing corresponds within an edition.
    if not (table.edition[order] != table.edition[order[:1]]).any():
        return standing._replace(order=order[: weights.listed])
    kept: list[int] = []
    taken: set[int] = set()
    for number in order.tolist():
        if len(kept) == weights.listed:
            break
        if number not in taken:
            kept.append(number)
            taken.update(table.same[number])
    return standing._replace(order=np.array(kept, dtype=np.intp))


def spread(standing: Standing, table: Table, weights: Weights) -> Standing:
    """The second hit of a law steps back behind the first of another."""
    _, first = np.unique(table.law[standing.order], return_index=True)
    return standing.said("same law", np.delete(standing.order, first), weights.same_law).sorted()
