"""The server behind ``lexbridge serve``: granian. A worker that ends is replaced; no worker outlives the server.

The death of a worker does not end the server, and the death of the server ends its workers. One process opens the
site. Its workers are forked from it and share its memory and its only listening socket; connections wait in that
socket while a worker is replaced. The module uses inner parts of granian 2.8.7, so that version is pinned.

:class:`Server` serves, :func:`open_listening_socket` opens the socket, :func:`buffer_log_lines` makes logging cheap.
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

# -- The log ---

MAX_LINES = 500  # lines in the buffer
MAX_DELAY = 0.5  # seconds that a line waits; a killed worker loses this much of its log


def buffer_log_lines(logger: logging.Logger) -> None:
    """Write the lines of a logger in batches from now on; a warning or an error is written at once, with those before
    it.
    """
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


# -- The server ---

BACKLOG = 1024
# Open connections of one worker. Most of them wait, for their next request or for a slow network.
CONNECTIONS = 2048
# Descriptors of a worker that are no connections: its files, its event loop.
SPARE_DESCRIPTORS = 128
# Requests that Python works on at once in a worker. More of them compete for its one lock: with 2 or 4 the same pages
# come at 0.3 to 0.9 of the rate with 1, and the rate varies from run to run.
THREADS = 1
DRAIN_SECONDS = 10  # seconds that requests in flight have when the server is told to stop
HEAD_TIMEOUT_MS = 5_000  # milliseconds that the head of a request may take
# Granian itself answers longer heads with 431. From 16 KB on app/middleware.py does, in the words of the site.
HEAD_BUFFER_BYTES = 64 * 1024
# More deaths of each worker within a second are a fault of ours: then the server waits a second before the next start.
MAX_DEATHS = 10
# Thresholds for gc.set_threshold. Collections are rare, since a request leaves little garbage.
GC_THRESHOLDS = (10_000, 20, 50)
HANDLER = {"formatter": "generic", "class": "logging.StreamHandler", "stream": "ext://sys.stderr"}
LOG = {"handlers": {"console": HANDLER, "access": HANDLER}}
HELD_SIGNALS = {signal.SIGTERM, signal.SIGINT}
_PR_SET_PDEATHSIG = 1


class Server(MPServer):
    """Serves a WSGI application on a listening socket until a signal ends it."""

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
        """Fork the workers, each of which calls ``begin`` before it serves; return when all have ended."""
        # With another start method each worker would open the whole site again.
        multiprocessing.set_start_method("fork", force=True)
        main = os.getpid()
        # All objects up to here live as long as the process. Frozen, the collectors of the workers do not touch them,
        # and their memory stays shared.
        gc.collect()
        gc.freeze()
        super().serve(target_loader=lambda: _start_worker(main, application, begin), wrap_loader=False)

    def _init_shared_socket(self) -> None:
        # Granian gives each worker a listening socket of its own. Then a worker that dies loses its waiting
        # connections, and a second server on the same port is not noticed.
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
        # Granian's own loop ends the server when a worker dies twice within 5.5 seconds.
        while not self.interrupt_signal:
            self.main_loop_interrupt.wait()
            self.main_loop_interrupt.clear()
            self.reload_signal = False
            while self.interrupt_children and not self.interrupt_signal:
                worker = self.interrupt_children.pop(0)
                self._pause_after_deaths()
                self._respawn_workers([worker], spawn_target, target_loader)
        # The server is stopping: a worker that dies from here on is not replaced.
        self.interrupt_children.clear()

    def _pause_after_deaths(self) -> None:
        """Wait a second when workers die as soon as they start."""
        now = time.monotonic()
        if len(self._deaths) == self._deaths.maxlen and now - self._deaths[0] < 1:
            time.sleep(1)
        self._deaths.append(time.monotonic())


def open_listening_socket(host: str, port: int) -> socket.socket:
    """Return a listening socket.

    Raises:
        OSError: there can be none at this address.
    """
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
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _max_connections() -> int:
    """Return how many connections a worker may hold. The limit of open files is raised first, as far as allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + SPARE_DESCRIPTORS
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return CONNECTIONS if soft == resource.RLIM_INFINITY else max(1, min(CONNECTIONS, soft - SPARE_DESCRIPTORS))


@contextmanager
def _hold_signals() -> Iterator[None]:
    """Hold back signals while a worker is forked.

    The worker would take such a signal for its parent's, and forget it.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, HELD_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_worker(main: int, application: Callable[..., Any], begin: Callable[[], None]) -> Callable[..., Any]:
    """Prepare a worker process before it serves: signals, process group, and garbage collection. Call ``begin``, and
    return the application. ``main``: the id of the main process.
    """
    for number in HELD_SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, HELD_SIGNALS)
    # A process group of its own: Ctrl-C at a terminal reaches only the main process, which lets its workers finish.
    os.setpgid(0, 0)
    if sys.platform == "linux":
        # A worker without its main process would hold the port, and nobody would replace it.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != main:
            os._exit(1)
    begin()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    return application
