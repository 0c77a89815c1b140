"""Methods that are held without their owner: who is handed his own method back would be a circle.

A server collects no circles – its processes share what was made before they were forked –, so that it would never be
rid of what it replaced.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar, cast
from weakref import WeakMethod

Answer = TypeVar("Answer")


def loose(method: Callable[..., Answer]) -> Callable[..., Answer]:
    """The method of somebody who lives as long as it is asked."""
    weak = WeakMethod(method)

    def asked(*question: object) -> Answer:
        return cast(Callable[..., Answer], weak())(*question)

    return asked


def kept(method: Callable[..., Answer], most: int) -> Callable[..., Answer]:
    """The same with the answers to the last questions kept, so many of them; may be asked from any thread."""
    return lru_cache(maxsize=most)(loose(method))
