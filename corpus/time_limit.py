"""The time that a piece of work may take: :func:`limit_time` sets it, :func:`check_time` ends the work that passed it.

Only time on the processor counts, so that a busy machine ends nothing that is cheap. Nothing stops a running thread
from outside: whatever may take long calls :func:`check_time` now and then. What cannot is bounded by the limits of its
input.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

# The processor time of the thread at which its work ends; None: never.
_deadline: ContextVar[float | None] = ContextVar("deadline", default=None)


class TimeLimitError(Exception):
    """The work passed its limit."""


@contextmanager
def limit_time(seconds: float | None) -> Iterator[None]:
    """A context whose work may take so many seconds of the processor; None: as many as it needs.

    >>> with limit_time(60):
    ...     check_time()
    """
    token = _deadline.set(None if seconds is None else time.thread_time() + seconds)
    try:
        yield
    finally:
        _deadline.reset(token)


def check_time() -> None:
    """Raise :class:`TimeLimitError` when the work of this thread has passed its limit."""
    deadline = _deadline.get()
    if deadline is not None and time.thread_time() > deadline:
        raise TimeLimitError
