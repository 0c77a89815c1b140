"""The server behind ``lexbridge serve``: granian, made such that no death of a worker ends it, and no death of its own
leaves workers behind.

One process opens the site; its workers are forked from it and share its memory and its one listening socket, in which
connections wait while a worker is replaced. It leans on inner parts of granian 2.8.7, which is why that is pinned.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import logging
import multiprocessing
import os
import resource
import signal
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from logging.handlers import MemoryHandler
from typing import Any

from granian._granian import SocketHolder
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.mp import MPServer

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


BACKLOG = 1024
# Open connections of one worker. Most of them wait: for their next request, or for a slow line.
CONNECTIONS = 2048
# Descriptors of a worker that are no connections: its files, its event loop.
SPARE_DESCRIPTORS = 128
# Requests that Python works on at once in a worker. More of them hand its one lock to each other: with 2 or 4 the same
# pages come at 0.3 to 0.9 of the rate with 1, and never twice the same.
THREADS = 1
DRAIN_SECONDS = 10  # seconds that requests in flight have when the server is told to stop
HEAD_TIMEOUT_MS = 5_000  # milliseconds that the head of a request may take
# Longer heads are answered with 431 by granian itself; app/front says so from 16 KB on, in the words of the site.
HEAD_BUFFER_BYTES = 64 * 1024
# More deaths of each worker within a second are a fault of ours: then a second goes by before the next one begins.
MAX_DEATHS = 10
# Allocations between two looks for garbage, and how many of these are short: what a request leaves is small.
GC_THRESHOLDS = (10_000, 20, 50)
HANDLER = {"formatter": "generic", "class": "logging.StreamHandler", "stream": "ext://sys.stderr"}
LOG = {"handlers": {"console": HANDLER, "access": HANDLER}}
HELD_SIGNALS = {signal.SIGTERM, signal.SIGINT}
_PR_SET_PDEATHSIG = 1


class Server(MPServer):
    """Serves a WSGI application on a listening socket until it is told to stop."""

    def __init__(self, listening: socket.socket, workers: int):
        super().__init__(
            "lexbridge",
            interface=Interfaces.WSGI,
            workers=workers,
            blocking_threads=THREADS,
            backlog=BACKLOG,
            backpressure=_max_connections(),
            http=HTTPModes.http1,
            http1_settings=HTTP1Settings(header_read_timeout=HEAD_TIMEOUT_MS, max_buffer_size=HEAD_BUFFER_BYTES),
            log_level=LogLevels.error,
            log_dictconfig=LOG,
            respawn_failed_workers=True,
            workers_kill_timeout=DRAIN_SECONDS,
        )
        self._listening = listening
        self._deaths: deque[float] = deque(maxlen=MAX_DEATHS * workers)

    def run(self, application: Callable[..., Any], begin: Callable[[], None]) -> None:
        """Forks the workers, each of which calls ``begin`` before it serves, and returns when all have ended."""
        # Spawned or from a fork server, workers would open everything again, each for itself.
        multiprocessing.set_start_method("fork", force=True)
        main = os.getpid()
        # What is here now is here for good: the collector of a worker does not touch it, so that it stays shared.
        gc.collect()
        gc.freeze()
        super().serve(target_loader=lambda: _start_worker(main, application, begin), wrap_loader=False)

    def _init_shared_socket(self) -> None:
        # Granian's workers listen each on a socket of its own: one that dies takes its waiting connections along,
        # and a second server on the same port is not noticed.
        self._ssp: None = None
        self._sso: socket.socket | None = self._listening
        self._shd: Any = SocketHolder(self._listening.fileno(), False, BACKLOG)  # type: ignore[call-arg]

    def _spawn_workers(self, *args: Any, **options: Any) -> None:
        with _hold_signals():
            super()._spawn_workers(*args, **options)

    def _respawn_workers(self, *args: Any, **options: Any) -> None:
        with _hold_signals():
            super()._respawn_workers(*args, **options)

    def _serve_loop(self, spawn_target: Any, target_loader: Any) -> None:
        # Granian's own ends the server when a worker dies twice within 5.5 seconds.
        while not self.interrupt_signal:
            self.main_loop_interrupt.wait()
            self.main_loop_interrupt.clear()
            self.reload_signal = False
            while self.interrupt_children and not self.interrupt_signal:
                worker = self.interrupt_children.pop(0)
                self._pause_after_deaths()
                self._respawn_workers([worker], spawn_target, target_loader)
        # A worker that dies from here on ends with the server.
        self.interrupt_children.clear()

    def _pause_after_deaths(self) -> None:
        """A pause where workers die as soon as they begin."""
        now = time.monotonic()
        if len(self._deaths) == self._deaths.maxlen and now - self._deaths[0] < 1:
            time.sleep(1)
        self._deaths.append(time.monotonic())


def open_listening_socket(host: str, port: int) -> socket.socket:
    """A socket on which connections wait; raises OSError where there can be none."""
    family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[
        0
    ]
    made = socket.socket(family, kind, proto)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        made.bind(address)
        made.listen(BACKLOG)
    except OSError:
        made.close()
        raise
    return made


def available_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _max_connections() -> int:
    """How many connections a worker may hold; the limit of open files is raised to what the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + SPARE_DESCRIPTORS
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return CONNECTIONS if soft == resource.RLIM_INFINITY else max(1, min(CONNECTIONS, soft - SPARE_DESCRIPTORS))


@contextmanager
def _hold_signals() -> Iterator[None]:
    """A signal that comes while a worker is forked waits: the worker would take it for its parent's, and forget it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, HELD_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_worker(main: int, application: Callable[..., Any], begin: Callable[[], None]) -> Callable[..., Any]:
    """In a worker: what it is before it serves."""
    for number in HELD_SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, HELD_SIGNALS)
    # A group of its own: what is typed at a terminal is for the main process, which lets its workers finish.
    os.setpgid(0, 0)
    if sys.platform == "linux":
        # Without its main process a worker would hold the port, and nobody would replace it.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != main:
            os._exit(1)
    begin()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    return application
