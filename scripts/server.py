"""The server behind ``lexbridge serve``: waitress, in workers that a small supervisor of ours forks and replaces.

The main process opens a generation once and forks the workers from it. So they share its memory and its only listening
socket; connections wait in that socket while a worker is replaced. A worker that dies is forked again from what the
main process holds, never opened from the disk. When another generation becomes current, it is first tried in a process
of its own. Then the main process opens it and forks new workers, and the old ones finish their requests and end.

Of waitress only the documented interface is used. It has no graceful end; the listening socket that we give it
(:class:`Entrance`) makes one. :class:`Supervisor` serves with processes, :func:`serve_requests` in this process alone.
"""

from __future__ import annotations

import atexit
import ctypes
import errno
import gc
import logging
import os
import select
import signal
import socket
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from logging.handlers import MemoryHandler
from typing import Any, Protocol
from weakref import WeakSet

import waitress

log = logging.getLogger(__name__)

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


# -- The listening socket ---

BACKLOG = 1024
DRAIN_SECONDS = 10  # seconds that requests in flight have when a worker is told to end
# Seconds in which a connection may still send a request when a worker is told to end.
GRACE_SECONDS = 1
# Seconds between two looks at a connection that another worker takes.
TURN_SECONDS = 0.01


class Entrance(socket.socket):
    """A listening socket that can be closed for a process without cutting off its connections.

    It shares the descriptor of another listening socket, and knows the connections that it accepted. ``is_closing``:
    the next answer on a connection is the last one.
    """

    def __init__(self, listening: socket.socket):
        super().__init__(listening.family, listening.type, listening.proto, listening.fileno())
        self.is_closing = False
        self._connections: WeakSet[socket.socket] = WeakSet()
        self._guard = threading.Lock()

    def accept(self) -> tuple[socket.socket, Any]:
        """Return a connection and the address of its sender.

        Raises :class:`BlockingIOError` when there is none, or when this process takes no more.
        """
        if self.is_closing:
            time.sleep(TURN_SECONDS)
            raise BlockingIOError(errno.EAGAIN, "another process takes the connection")
        connection, address = super().accept()
        with self._guard:
            self._connections.add(connection)
        return connection, address

    def finish(self) -> None:
        """Accept nothing more, and return when every accepted request was answered, at most after ``DRAIN_SECONDS``.

        A server reads a connection again only after it has sent the answer. So the end of input, set here on every
        connection that is left, ends an idle one now and a busy one after its answer.
        """
        self.is_closing = True
        end = time.monotonic() + DRAIN_SECONDS
        if self._open():
            time.sleep(GRACE_SECONDS)
        for connection in self._open():
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RD)
        while self._open() and time.monotonic() < end:
            time.sleep(TURN_SECONDS)

    def _open(self) -> list[socket.socket]:
        with self._guard:
            return [connection for connection in self._connections if connection.fileno() >= 0]


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
        made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, WHOLE_ANSWER_BYTES)
        made.bind(address)
        made.listen(BACKLOG)
    except OSError:
        made.close()
        raise
    return made


# -- One process that answers ---

# Open connections of one process. Most of them wait, for their next request or for a slow network.
CONNECTIONS = 2048
# Descriptors of a process that are no connections: its files, its event loop.
SPARE_DESCRIPTORS = 128
# Requests that a process has begun. One of them works at a time, others wait (app/turns.py); so there are more threads
# than requests that may wait for long.
THREADS = 48
IDLE_SECONDS = 5  # a connection without a sign of life for so long is closed
CLEANUP_SECONDS = 2  # between two looks for such connections
# Waitress itself answers longer heads with 431. From 16 KB on app/middleware.py does, in the words of the site.
HEAD_BYTES = 64 * 1024
# An answer leaves in one piece, if it is not longer: a worker that is killed has sent all of it or nothing. So a proxy
# can ask another worker. The kernel keeps so much of an answer for a slow reader (its usual maximum).
WHOLE_ANSWER_BYTES = 208 * 1024
# A longer body is answered by waitress; app/middleware.py refuses most shorter ones, in the words of the site.
BODY_BYTES = 1 << 20


def serve_requests(listening: socket.socket, application: Callable[..., Any]) -> None:
    """Answer requests in this process until SIGTERM or SIGINT; then finish those in flight, and return."""
    entrance = Entrance(listening)
    finished = threading.Event()

    def finish() -> None:
        entrance.finish()
        finished.set()
        os.kill(os.getpid(), signal.SIGTERM)

    def end(*_: object) -> None:
        if finished.is_set():
            raise SystemExit
        if ending.ident is None:
            ending.start()

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        # Without a body there is nothing to leave out.
        is_last = entrance.is_closing and environ["REQUEST_METHOD"] != "HEAD"
        return _answer_last(application, environ, start_response) if is_last else application(environ, start_response)

    ending = threading.Thread(target=finish, name="end", daemon=True)
    # That a request waits for a thread is no fault.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    server = waitress.create_server(
        answer,
        sockets=[entrance],
        threads=THREADS,
        backlog=BACKLOG,
        connection_limit=_max_connections(),
        channel_timeout=IDLE_SECONDS,
        cleanup_interval=CLEANUP_SECONDS,
        max_request_header_size=HEAD_BYTES,
        max_request_body_size=BODY_BYTES,
        send_bytes=WHOLE_ANSWER_BYTES,
        asyncore_use_poll=True,
        clear_untrusted_proxy_headers=False,  # app/middleware.py knows which proxies are trusted
        ident="",
    )
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    server.run()


def _answer_last(application: Callable[..., Any], environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
    """Yield the answer of an application without its length: then waitress announces that the connection ends."""

    def start(status: str, headers: list[tuple[str, str]], *info: Any) -> Any:
        return start_response(status, [(k, v) for k, v in headers if k.lower() != "content-length"], *info)

    body = application(environ, start)
    try:
        yield from body
    finally:
        if hasattr(body, "close"):
            body.close()


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _max_connections() -> int:
    """Return how many connections a process may hold. The limit of open files is raised first, as far as allowed."""
    try:
        import resource
    except ImportError:  # a system without such limits
        return CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + SPARE_DESCRIPTORS
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return CONNECTIONS if soft == resource.RLIM_INFINITY else max(1, min(CONNECTIONS, soft - SPARE_DESCRIPTORS))


# -- The supervisor ---

POLL_SECONDS = 0.5  # between two looks which generation is current
KILL_SECONDS = DRAIN_SECONDS + 5  # a worker that was told to end so long ago is killed
TRIAL_SECONDS = 300  # a generation that cannot be opened in this time is refused
MAX_TRIALS = 2  # trials of a generation that may be killed before it is refused
# More deaths of each worker within a second are a fault of ours: then the next start waits a second.
MAX_DEATHS = 10
# Thresholds for gc.set_threshold. Collections are rare, since a request leaves little garbage.
GC_THRESHOLDS = (10_000, 20, 50)
SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Generations(Protocol):
    """Where generations come from: :class:`app.site.snapshot.SnapshotHolder`."""

    @property
    def is_serving(self) -> bool:
        """Whether a generation is held."""

    def wanted(self) -> Any:
        """Return what should be opened now, or None."""

    def try_out(self, wanted: Any) -> str:
        """Open it and drop it; return why it must not be served, or ""."""

    def refuse(self, wanted: Any, why: str) -> None:
        """Record that it is not served."""

    def renew(self) -> bool:
        """Open and hold what is wanted; return whether something else is held now."""

    def stop_following(self) -> None:
        """In a worker: hold what is held for good."""


@dataclass
class Trial:
    """A process that opens a generation to see whether it can be served. It writes why not to a pipe."""

    wanted: Any
    pid: int
    said: int
    deadline: float
    count: int = 1


@dataclass
class Supervisor:
    """Keeps ``workers`` processes that answer on a ``listening`` socket, each forked from this one.

    - ``application``: what they serve; ``begin`` is called in each before it serves.
    - ``generations``: what this process holds for them; the workers are replaced whenever it changes.
    """

    listening: socket.socket
    workers: int
    application: Callable[..., Any]
    begin: Callable[[], None]
    generations: Generations
    _running: set[int] = field(default_factory=set)
    _ending: dict[int, float] = field(default_factory=dict)  # process → when it is killed
    _trial: Trial | None = None
    _stopping: bool = False

    def run(self, ready: Callable[[], None]) -> None:
        """Serve until SIGTERM or SIGINT; return when all workers have ended. ``ready`` is called after the start."""
        self._deaths: deque[float] = deque(maxlen=MAX_DEATHS * self.workers)
        self._not_before = 0.0
        self._lifeline = os.pipe()  # only this process has its writing end, so workers see when it is gone
        self.generations.renew()
        _compact_memory()
        with self._woken_by_signals() as woken:
            self._start_missing()
            ready()
            while not self._stopping:
                select.select([woken], [], [], POLL_SECONDS)
                _empty(woken)
                self._reap()
                self._follow()
                self._start_missing()
            self._end_workers(self._running)
            while self._running or self._ending:
                select.select([woken], [], [], POLL_SECONDS)
                _empty(woken)
                self._reap()
        if self._trial:
            os.kill(self._trial.pid, signal.SIGKILL)
            os.waitpid(self._trial.pid, 0)

    @contextmanager
    def _woken_by_signals(self) -> Iterator[socket.socket]:
        """A context with a socket that can be read after a signal."""
        woken, self._waker = socket.socketpair()
        woken.setblocking(False)
        self._waker.setblocking(False)
        before = signal.set_wakeup_fd(self._waker.fileno(), warn_on_full_buffer=False)
        handlers = {number: signal.signal(number, self._stop) for number in SIGNALS}
        handlers[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, lambda *_: None)
        try:
            yield woken
        finally:
            signal.set_wakeup_fd(before)
            for number, handler in handlers.items():
                signal.signal(number, handler)
            woken.close()
            self._waker.close()

    def _stop(self, *_: object) -> None:
        self._stopping = True

    # Workers

    def _start_missing(self) -> None:
        try:
            while not self._stopping and len(self._running) < self.workers and time.monotonic() >= self._not_before:
                self._running.add(self._fork(self._work))
        except OSError as error:
            log.error("No worker can be started (%s).", error.strerror)
            self._not_before = time.monotonic() + 1

    def _work(self) -> None:
        # A process group of its own: Ctrl-C at a terminal reaches only the main process, which lets its workers finish.
        os.setpgid(0, 0)
        self.generations.stop_following()
        self.begin()
        gc.freeze()
        gc.set_threshold(*GC_THRESHOLDS)
        serve_requests(self.listening, self.application)

    def _end_workers(self, pids: set[int]) -> None:
        """Let workers finish their requests and end."""
        for pid in [*pids]:
            self._running.discard(pid)
            self._ending[pid] = time.monotonic() + KILL_SECONDS
            os.kill(pid, signal.SIGTERM)

    def _reap(self) -> None:
        """Forget the workers that have ended, and kill those that should have."""
        for pid in [pid for pid in (*self._running, *self._ending) if _has_ended(pid)]:
            self._ending.pop(pid, None)
            if pid in self._running:
                self._running.discard(pid)
                self._count_death()
        for pid, deadline in self._ending.items():
            if time.monotonic() > deadline:
                os.kill(pid, signal.SIGKILL)

    def _count_death(self) -> None:
        """Let the next start wait a second when workers die as soon as they start."""
        now = time.monotonic()
        log.warning("A worker has died. Another takes its place.")
        if len(self._deaths) == self._deaths.maxlen and now - self._deaths[0] < 1:
            self._not_before = now + 1
        self._deaths.append(now)

    # Generations

    def _follow(self) -> None:
        """Take the generation that should be served, if there is another."""
        if self._trial:
            self._judge_trial(self._trial)
        elif self._stopping:
            return
        elif (wanted := self.generations.wanted()) and self.generations.is_serving:
            self._start_trial(wanted)
        elif self.generations.renew():
            self._exchange_workers()

    def _start_trial(self, wanted: Any, count: int = 1) -> None:
        said, says = os.pipe()

        def try_out() -> None:
            os.write(says, b"\n" + self.generations.try_out(wanted).encode())

        try:
            pid = self._fork(try_out)
        except OSError as error:
            os.close(said)
            self.generations.refuse(wanted, f"No process can be started that opens it ({error.strerror}).")
            return
        finally:
            os.close(says)
        self._trial = Trial(wanted, pid, said, time.monotonic() + TRIAL_SECONDS, count)

    def _judge_trial(self, trial: Trial) -> None:
        late = time.monotonic() > trial.deadline
        if late:
            os.kill(trial.pid, signal.SIGKILL)
            os.waitpid(trial.pid, 0)
        elif not _has_ended(trial.pid):
            return
        said = os.read(trial.said, 1 << 16).decode()  # a pipe holds this much
        os.close(trial.said)
        self._trial = None
        if not said and not late and trial.count < MAX_TRIALS:
            self._start_trial(trial.wanted, trial.count + 1)
        elif not said:
            how = f"took more than {TRIAL_SECONDS} seconds" if late else "was killed, perhaps for its memory"
            self.generations.refuse(trial.wanted, f"The process that opened it {how}.")
        elif why := said.strip():
            self.generations.refuse(trial.wanted, why)
        elif self.generations.wanted() == trial.wanted and self.generations.renew():
            self._exchange_workers()

    def _exchange_workers(self) -> None:
        """Start workers from what is held now, and let those before them end."""
        _compact_memory()
        before, self._running, self._not_before = self._running, set(), 0.0
        self._start_missing()
        self._running |= before
        self._end_workers(before)

    # Processes

    def _fork(self, run: Callable[[], None]) -> int:
        """Fork a process that calls a function and ends. It also ends when this process does."""
        sys.stdout.flush()
        # Held back meanwhile: the new process would take a signal for its parent's, and forget it.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        pid = -1
        try:
            pid = os.fork()
        finally:
            if pid:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if pid:
            return pid
        code = 1
        try:
            signal.set_wakeup_fd(-1)
            self._waker.close()
            for number in (*SIGNALS, signal.SIGCHLD):
                signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            reading, writing = self._lifeline
            os.close(writing)
            threading.Thread(target=lambda: os.read(reading, 1) or os._exit(1), name="lifeline", daemon=True).start()
            run()
            code = 0
        except Exception:  # noqa: BLE001 – whatever it is, the process ends here
            traceback.print_exc()
        finally:
            with suppress(Exception):
                logging.shutdown()
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(code)


def _has_ended(pid: int) -> bool:
    """Whether a child of this process has ended; then it is gone."""
    return os.waitpid(pid, os.WNOHANG)[0] == pid


def _empty(woken: socket.socket) -> None:
    with suppress(BlockingIOError):
        while woken.recv(4096):
            pass


def _compact_memory() -> None:
    """Free what the generation before left, and keep the rest from the garbage collectors of the workers.

    All objects up to here live until the next exchange. Frozen, they are not touched by collections, and their memory
    stays shared.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    # Glibc keeps freed memory until it is asked. Other libraries have no such call.
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
