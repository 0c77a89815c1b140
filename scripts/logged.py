"""Lines of the log of a worker, written many at a time: each write lets another thread run, and pages wait for it."""

from __future__ import annotations

import atexit
import logging
import threading
import time
from logging.handlers import MemoryHandler

MOST = 500  # lines that wait
LATEST = 0.5  # seconds that a line waits; a worker that is killed takes so much of its log along


def together(logger: logging.Logger) -> None:
    """From now on this logger's lines wait for each other; a fault is written at once, with those before it."""
    for handler in [*logger.handlers]:
        waiting = MemoryHandler(MOST, logging.WARNING, handler)
        logger.removeHandler(handler)
        logger.addHandler(waiting)
        threading.Thread(target=_write, args=(waiting,), name="log", daemon=True).start()
        atexit.register(waiting.flush)


def _write(waiting: MemoryHandler) -> None:
    while True:
        time.sleep(LATEST)
        waiting.flush()
