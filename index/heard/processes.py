"""Work spread over processes: the same pieces, and the same answers, however many there are."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any, TypeVar

Piece = TypeVar("Piece")
Done = TypeVar("Done")

_shared: Any = None  # in a process of ours: what all pieces have in common


@contextmanager
def spread(
    work: Callable[[Any, Piece], Done], shared: Any, pieces: Sequence[Piece], *, alone: bool = False
) -> Iterator[Callable[[], list[Done]]]:
    """Begin ``work(shared, piece)`` for every piece; what is yielded waits for what comes of them, in their order.

    ``shared`` is not copied: the processes are forked with it. ``alone``: here, when it is asked for; so it is where
    there is but one core, and where a process must not be forked. Leaving early gives the rest up.
    """
    count = min(len(pieces), len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1)
    if alone or count < 2:
        yield lambda: [work(shared, piece) for piece in pieces]
        return
    pool = ProcessPoolExecutor(count, get_context("fork"), _begin, (shared,))
    try:
        begun: list[Future[Done]] = [pool.submit(_one, work, piece) for piece in pieces]
        yield lambda: [future.result() for future in begun]
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(shared: Any) -> None:
    global _shared  # noqa: PLW0603 – a process of the pool has nothing else to keep it in
    _shared = shared
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A process whose parent was killed would wait for pieces for ever, and keep the lock of the build."""
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)


def _one(work: Callable[[Any, Piece], Done], piece: Piece) -> Done:
    return work(_shared, piece)
