"""Pictures drawn on the server: coordinates only, a template makes the SVG. Behind each picture there is a table."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from app.atlas import Atlas
from corpus.model import Node
from corpus.relation.changes import moves as moved

STEP, LEFT, RIGHT, TOP = 13, 60, 560, 30


@dataclass(frozen=True)
class Thread:
    """A line between two laws: SVG path, its ends, how many provisions or references it stands for."""

    d: str
    a: Node
    b: Node
    count: int
    width: float
    same: bool


@dataclass(frozen=True)
class Dot:
    """A law in a picture. ``side``: where its number is written, ``start``, ``end`` or ``middle`` of the text at (tx, ty)."""

    node: Node
    x: float
    y: float
    tx: float
    ty: float
    side: str
    size: float = 3.2


@dataclass(frozen=True)
class Picture:
    """A drawing ``width`` × ``height`` with its threads and dots."""

    width: float
    height: float
    threads: list[Thread]
    dots: list[Dot]


def moves(atlas: Atlas, older: str, newer: str) -> Picture:
    """The laws of two editions, each in a column, and where their provisions went."""
    left, right = atlas.library.laws(older), atlas.library.laws(newer)
    y = {n.id: TOP + i * STEP for column in (left, right) for i, n in enumerate(column)}
    # An extract stands beside the laws it is an extract of.
    if len(left) != len(right):
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
    return Picture(RIGHT + LEFT, max(y.values(), default=0) + TOP, threads, dots)


def law_references(atlas: Atlas, edition: str) -> Counter:
    """(law that refers, law referred to) → how often, between different laws of an edition."""
    library, found = atlas.library, Counter()
    for node in library.of(edition):
        here = atlas.page_of(node)
        for ref in node.references:
            for target in atlas.reached(ref):
                there = atlas.page_of(target)
                if there.id != here.id:
                    found[here.id, there.id] += 1
    return found


def net(atlas: Atlas, edition: str) -> Picture:
    """All laws of an edition on a circle, a thread for every pair of which one refers to the other."""
    laws = atlas.library.laws(edition)
    radius, middle = 330, 370
    angle = {n.id: 2 * math.pi * i / max(1, len(laws)) - math.pi / 2 for i, n in enumerate(laws)}
    at = {id_: (middle + radius * math.cos(t), middle + radius * math.sin(t)) for id_, t in angle.items()}
    refs = {k: c for k, c in law_references(atlas, edition).items() if k[0] in at and k[1] in at}
    cited = Counter()
    for (_, b), count in refs.items():
        cited[b] += count
    threads = []
    for (a, b), count in sorted(refs.items(), key=lambda x: x[1]):
        (xa, ya), (xb, yb) = at[a], at[b]
        pull = 0.35
        cx, cy = middle + (xa + xb - 2 * middle) * pull / 2, middle + (ya + yb - 2 * middle) * pull / 2
        threads.append(
            Thread(
                f"M{xa:.1f} {ya:.1f}Q{cx:.1f} {cy:.1f} {xb:.1f} {yb:.1f}",
                atlas.library.nodes[a],
                atlas.library.nodes[b],
                count,
                round(0.7 + math.log2(count) * 0.6, 1),
                False,
            )
        )
    dots = []
    for n in laws:
        x, y = at[n.id]
        tx, ty = middle + (radius + 16) * math.cos(angle[n.id]), middle + (radius + 16) * math.sin(angle[n.id]) + 4
        dots.append(
            Dot(
                n,
                round(x, 1),
                round(y, 1),
                round(tx, 1),
                round(ty, 1),
                "middle",
                round(2.5 + math.sqrt(cited[n.id]), 1),
            )
        )
    return Picture(2 * middle, 2 * middle, threads, dots)


def neighbourhood(atlas: Atlas, law: Node) -> Picture:
    """A law in the middle, on the left the laws that refer to it, on the right those it refers to."""
    refs, nodes = law_references(atlas, law.edition), atlas.library.nodes
    place = {n.id: i for i, n in enumerate(atlas.library.of(law.edition))}
    left = sorted((a for a, b in refs if b == law.id), key=lambda i: place.get(i, 0))
    right = sorted((b for a, b in refs if a == law.id), key=lambda i: place.get(i, 0))
    step, middle, ends = 24, 320, (110, 530)
    height = TOP * 2 + step * max(len(left), len(right), 1)
    dots, threads = [Dot(law, middle, height / 2, middle, height / 2 - 16, "middle", 9)], []
    for side, column, x in (("end", left, ends[0]), ("start", right, ends[1])):
        first = (height - step * (len(column) - 1)) / 2
        for i, id_ in enumerate(column):
            y = first + i * step
            sign = -1 if side == "end" else 1
            dots.append(Dot(nodes[id_], x, y, x + sign * 11, y + 4, side, 4.5))
            a, b = (id_, law.id) if side == "end" else (law.id, id_)
            count = refs[a, b]
            edge = middle + sign * 9
            d = f"M{edge} {height / 2}C{(edge + x) / 2} {height / 2} {(edge + x) / 2} {y} {x - sign * 5} {y}"
            threads.append(Thread(d, nodes[a], nodes[b], count, round(1.2 + math.log2(count), 1), False))
    return Picture(640, height, threads, dots)
