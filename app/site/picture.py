"""A picture drawn on the server: coordinates only, a template makes the SVG. Behind each picture there is a table."""

from __future__ import annotations

from dataclasses import dataclass

from corpus.model import Node


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
    """A law in a picture. ``side``: where its number is written, ``start``, ``end`` or ``middle`` of the text at (tx,
    ty).
    """

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
    threads: tuple[Thread, ...]
    dots: tuple[Dot, ...]
