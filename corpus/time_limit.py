"""The time that a piece of work may take: :func:`limit_time` sets it, :func:`check_time` ends the work that passed it.

Only time on the processor counts, so that a busy machine ends nothing that is cheap. Nothing stops a running thread
from outside: whatever may take long calls :func:`check_time` now and then. What cannot is bounded by the limits of its
input. The same places let long work wait for short work, see ``pause``.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Pause = Callable[[float], None]
# The processor time of the thread at which its work ends, and what is called with this time at each check.
_limit: ContextVar[tuple[float, Pause | None]] = ContextVar("limit", default=(math.inf, None))


class TimeLimitError(Exception):
    """The work passed its limit."""


@contextmanager
def limit_time(seconds: float | None, pause: Pause | None = None) -> Iterator[None]:
    """A context whose work may take so many seconds of the processor; None: as many as it needs.

    ``pause``: called at each check with the processor time of the thread. It returns when the work may go on, and
    raises :class:`TimeLimitError` when it may not.

    >>> with limit_time(60):
    ...     check_time()
    """
    token = _limit.set((math.inf if seconds is None else time.thread_time() + seconds, pause))
    try:
        yield
    finally:
        _limit.reset(token)


def check_time() -> None:
    """Raise :class:`TimeLimitError` when the work of this thread has passed its limit."""
    deadline, pause = _limit.get()
    if deadline == math.inf and pause is None:
        return
    now = time.thread_time()
    if now > deadline:
        raise TimeLimitError
    if pause:
        pause(now)
