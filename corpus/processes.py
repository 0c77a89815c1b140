"""Work in several processes: :func:`run_in_processes` spreads the work of a build over the cores."""

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
Result = TypeVar("Result")

_shared: Any = None  # in a worker process: the data that all pieces share


@contextmanager
def run_in_processes(
    work: Callable[[Any, Piece], Result], shared: Any, pieces: Sequence[Piece], *, alone: bool = False
) -> Iterator[Callable[[], list[Result]]]:
    """Begin ``work(shared, piece)`` for every piece. Yields a function that waits for the results and returns them in
    order.

    ``shared`` is not copied, because the processes are forked with it. ``alone``: run in this process, when the results
    are requested. The same happens where there is only one core or where forking is not safe. Leaving the context early
    cancels the rest.
    """
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1
    if alone or cores < 2 or not pieces:
        yield lambda: [work(shared, piece) for piece in pieces]
        return
    pool = ProcessPoolExecutor(min(len(pieces), cores), get_context("fork"), _set_up_process, (shared,))
    try:
        begun: list[Future[Result]] = [pool.submit(_run_piece, work, piece) for piece in pieces]
        yield lambda: [future.result() for future in begun]
    finally:
        pool.shutdown(cancel_futures=True)


def _set_up_process(shared: Any) -> None:
    global _shared  # noqa: PLW0603 – a process of the pool has nothing else to keep it in
    _shared = shared
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when its parent ends. Else it would wait for pieces for ever and hold the lock of the build."""
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)


def _run_piece(work: Callable[[Any, Piece], Result], piece: Piece) -> Result:
    return work(_shared, piece)
