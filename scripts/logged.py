"""Lines of the log of a worker, written many at a time: each write lets another thread run, and pages wait for it."""

from __future__ import annotations

import atexit
import logging
import threading
import time
from logging.handlers import MemoryHandler

MAX_LINES = 500  # lines that wait
MAX_DELAY = 0.5  # seconds that a line waits; a worker that is killed takes so much of its log along


def buffer_log_lines(logger: logging.Logger) -> None:
    """From now on this logger's lines wait for each other; a fault is written at once, with those before it."""
    for handler in [*logger.handlers]:
        waiting = MemoryHandler(MAX_LINES, logging.WARNING, handler)
        logger.removeHandler(handler)
        logger.addHandler(waiting)
        threading.Thread(target=_flush_forever, args=(waiting,), name="log", daemon=True).start()
        atexit.register(waiting.flush)


def _flush_forever(waiting: MemoryHandler) -> None:
    while True:
        time.sleep(MAX_DELAY)
        waiting.flush()
