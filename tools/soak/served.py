"""The server of a run: a real ``lexbridge serve``, its processes, the resources that they use, and how it is killed."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

PATIENCE = 120  # seconds until a server answers, or all its workers have what is current
CONFIRMATIONS = 16  # answers in a row that name a generation, after which every worker is assumed to have it
RECOVERY_SECONDS = 2.0  # seconds after a kill in which an answer may still have been lost
_MAPPED = re.compile(r"generations/([0-9a-f]{64})")


class WorkerUsage(NamedTuple):
    """The resources of a process.

    ``rss`` is in MB. ``files`` are open files that are neither sockets nor pipes. ``mapped`` is the number of
    generations that it has files of in memory.
    """

    pid: int
    rss: float
    files: int
    mapped: int


class ServerGoneError(Exception):
    """The server does not answer; the message has the end of its log."""


class ServerProcess:
    """The server of a run. ``lost``: (from, to, how) for each time in which answers may be lost; how: ``reset`` or
    ``refused``.
    """

    def __init__(self, env: dict[str, str], port: int, workers: int, log: Path):
        self.port, self._env, self._workers, self.log = port, env, workers, log
        self.lost: list[tuple[float, float, str]] = []
        self._running: subprocess.Popen | None = None

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        command = [sys.executable, "-m", "scripts.cli", "serve", "--port", str(self.port)]
        with self.log.open("ab") as log:
            self._running = subprocess.Popen(  # noqa: S603 – our own command
                [*command, "--workers", str(self._workers)],
                env=self._env,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._wait_until(lambda: self.health()[0] == 200, "does not answer /healthz with 200")

    def stop(self) -> int:
        """Send SIGTERM; return the exit code. After 30 s without an end the server is killed."""
        running = self._process()
        running.send_signal(signal.SIGTERM)
        try:
            return running.wait(30)
        except subprocess.TimeoutExpired:
            self.kill()
            return -signal.SIGKILL

    def kill(self) -> None:
        """Kill the main process, and any worker that outlives it by five seconds."""
        if self._running and self._running.poll() is None:
            workers = self.workers()
            self._running.kill()
            self._running.wait()
            left = time.monotonic() + 5
            while any(_alive(pid) for pid in workers) and time.monotonic() < left:
                time.sleep(0.02)
            for pid in workers:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    @property
    def main(self) -> int:
        """The id of the main process, the parent of all others."""
        return self._process().pid

    def _process(self) -> subprocess.Popen:
        if self._running is None:
            raise ServerGoneError("The server was never started.")
        return self._running

    def workers(self) -> list[int]:
        """Return the ids of the processes that answer."""
        found = []
        with suppress(OSError):
            for task in Path(f"/proc/{self.main}/task").iterdir():
                found += (task / "children").read_text(encoding="ascii").split()
        return sorted(map(int, found))

    @contextmanager
    def allow_losses(self, how: str) -> Iterator[None]:
        """Allow that answers are lost in the block and shortly after. ``how``: ``reset`` or ``refused``."""
        began = time.monotonic()
        try:
            yield
        finally:
            self.lost.append((began, time.monotonic() + RECOVERY_SECONDS, how))

    def kill_workers(self, count: int) -> None:
        """Kill this many workers at once."""
        for pid in self.workers()[:count]:
            os.kill(pid, signal.SIGKILL)

    def read_health(self, query: str = "") -> tuple[int, dict[str, Any]]:
        """Return the status of /healthz on a new connection, and what it says. Without an answer that is (0, {})."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            line.request("GET", f"/healthz{query}")
            answer = line.getresponse()
            return answer.status, json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError):
            return 0, {}
        finally:
            line.close()

    def health(self) -> tuple[int, str]:
        """Return the status of /healthz on a new connection, and the digest of the generation that is served.

        Without an answer that is (0, "").
        """
        status, said = self.read_health()
        return status, said.get("served") or ""

    def wait_until_taken(self, digest: str) -> float:
        """Wait until every worker answers with the generation of a digest; return the seconds it took."""
        began, in_row = time.monotonic(), 0

        def all_have_it() -> bool:
            nonlocal in_row
            in_row = in_row + 1 if self.health() == (200, digest) else 0
            return in_row >= CONFIRMATIONS

        self._wait_until(all_have_it, f"does not take {digest[:16]}")
        return time.monotonic() - began

    def wait_until_complete(self) -> None:
        """Wait until there are as many workers as there should be, and they answer."""
        self._wait_until(
            lambda: len(self.workers()) >= self._workers and self.health()[0] == 200, "has lost its workers"
        )

    def worker_usages(self) -> list[WorkerUsage]:
        """Return the resources of each worker."""
        return [h for h in map(_usage_of, self.workers()) if h]

    def _wait_until(self, there: Callable[[], bool], otherwise: str) -> None:
        """Wait until ``there()`` holds. ``otherwise``: what the server failed to do, for the message.

        Raises:
            ServerGoneError: the server has ended, or ``there()`` does not hold within ``PATIENCE``.
        """
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self._running and self._running.poll() is not None:
                raise ServerGoneError(f"The server has ended with {self._running.returncode}:\n{self.log_end()}")
            if there():
                return
            time.sleep(0.02)
        raise ServerGoneError(f"The server {otherwise} within {PATIENCE} s:\n{self.log_end()}")

    def count_refusals(self, digest: str) -> int:
        """Return how often the log says that a generation is not taken."""
        return self.log.read_text(encoding="utf-8", errors="replace").count(f"Generation {digest} is not taken")

    def log_end(self) -> str:
        """Return the end of its log, without the lines of requests."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        return "\n".join([line for line in lines if not re.search(r" \d{3} \d+ ms", line)][-20:])


def free_port() -> int:
    """Return a port of this machine where nothing listens."""
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return asked.getsockname()[1]


def _alive(pid: int) -> bool:
    """Whether a process exists and is no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _usage_of(pid: int) -> WorkerUsage | None:
    """Return the resources of a process, or None where it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
        rss = int(re.search(r"VmRSS:\s*(\d+)", status)[1]) / 1024  # type: ignore[index]
        links = [str(path.readlink()) for path in Path(f"/proc/{pid}/fd").iterdir()]
        maps = Path(f"/proc/{pid}/maps").read_text(encoding="utf-8")
    except (OSError, TypeError):
        return None
    files = [link for link in links if link.startswith("/") and not link.startswith("/dev/")]
    return WorkerUsage(pid, rss, len(files), len(set(_MAPPED.findall(maps))))
