"""The picture of moves: where the provisions of one edition went in another."""

from __future__ import annotations

import math

from app.site.atlas import Atlas
from app.site.picture import Dot, Picture, Thread
from corpus.relation.changes import moves as moved

STEP, LEFT, RIGHT, TOP = 13, 60, 560, 30


def moves(atlas: Atlas, older: str, newer: str) -> Picture:
    """The laws of two editions, each in a column, and where their provisions went."""
    left, right = atlas.library.laws(older), atlas.library.laws(newer)
    y = {n.id: TOP + i * STEP for column in (left, right) for i, n in enumerate(column)}
    # An extract stands beside the laws it is an extract of.
    if not all(atlas.library.editions[e].complete for e in (older, newer)):
        number = lambda n: int(n.path) if n.path.isdigit() else 0
        low = min(map(number, [*left, *right]), default=1)
        y = {n.id: TOP + (number(n) - low) * STEP for n in [*left, *right]}
    threads = []
    for a, b, count in moved(atlas.library, older, newer):
        ya, yb = y[a.id], y[b.id]
        middle = (LEFT + RIGHT) / 2
        d = f"M{LEFT + 6} {ya}C{middle} {ya} {middle} {yb} {RIGHT - 6} {yb}"
        threads.append(Thread(d, a, b, count, round(1 + math.log2(count), 1), a.path == b.path))
    dots = [Dot(n, LEFT, y[n.id], LEFT - 9, y[n.id] + 4, "end") for n in left] + [
        Dot(n, RIGHT, y[n.id], RIGHT + 9, y[n.id] + 4, "start") for n in right
    ]
    threads.sort(key=lambda t: not t.same)
    return Picture(RIGHT + LEFT, max(y.values(), default=0) + TOP, tuple(threads), tuple(dots))
