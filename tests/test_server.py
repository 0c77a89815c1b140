"""A running server: nothing that happens to its workers or connections keeps it from answering, and it ends clean."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from scripts.cli import main
from tools.structure import ROOT

PATIENCE = 30  # seconds after which something that was waited for will not come; nothing is measured by it
HALF = b"GET / HTTP/1.1\r\nHost: a\r\nX-"

# The server of the site with an application that needs no build: who answers, one that waits for a file, and much. What
# it serves is named in a file, and what that says is done when it is opened. It looks often what is named there.
LITTLE = """
import logging, signal, sys, os, time
from pathlib import Path
from app.middleware import LimitsMiddleware
from app.turns import Turns
from scripts import server
from scripts.server import Supervisor, open_listening_socket, serve_requests

server.POLL_SECONDS = 0.05
here = Path(sys.argv[1])

class Named:
    is_serving, held, refused = True, "first", []

    def wanted(self):
        named = (here / "current").read_text() if (here / "current").exists() else "first"
        return named if named not in (self.held, *self.refused) else None

    def try_out(self, named):
        with (here / "tried").open("a") as trace:
            trace.write(f"{named}\\n")
        if named == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        return "It is bad." if named == "bad" else ""

    def refuse(self, named, why):
        self.refused.append(named)
        print(f"refused: {named}: {why}", file=sys.stderr, flush=True)

    def renew(self):
        before, self.held = self.held, self.wanted() or self.held
        return self.held != before

    def stop_following(self):
        pass

def application(environ, start):
    path = environ["PATH_INFO"]
    if path.startswith("/wait/"):
        Path(path.removeprefix("/wait")).touch()
        while not Path(path.removeprefix("/wait") + ".go").exists():
            time.sleep(0.01)
    body = b"much " * 200_000 if path == "/much" else f"{os.getpid()} {generations.held}".encode()
    start("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))])
    return [body]

def begin():
    with (here / "begun").open("a") as trace:
        trace.write(f"{time.monotonic()}\\n")
    if (here / "broken").exists():
        raise RuntimeError("a worker that cannot begin")

def in_turn(environ, start):
    with turns.take(environ["REMOTE_ADDR"]):
        return application(environ, start)

sock, generations, turns = open_listening_socket("127.0.0.1", 0), Named(), Turns()
limited = LimitsMiddleware(in_turn, logging.getLogger())
ready = lambda: print(f"at http://127.0.0.1:{sock.getsockname()[1]}", flush=True)
if sys.argv[2] == "alone":
    ready()
    serve_requests(sock, limited)
else:
    Supervisor(sock, int(sys.argv[2]), limited, begin, generations).run(ready)
"""


class Served:
    """A server of a test: its process, its port, and what it said."""

    def __init__(self, process: subprocess.Popen, log: Path):
        self.process, self._log = process, log
        line = process.stdout.readline()
        assert "http://127.0.0.1:" in line, line + self.said()
        self.port = int(line.rsplit(":", 1)[1])

    def get(self, path: str = "/") -> tuple[int, bytes]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def connect(self, said: bytes) -> socket.socket:
        made = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        made.sendall(said)
        return made

    def workers(self) -> list[int]:
        return [
            int(pid) for pid in Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        ]

    def said(self) -> str:
        return self._log.read_text(encoding="utf-8")


def until(true: Callable[[], object], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, what
        time.sleep(0.01)


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def refused(server: Served) -> bool:
    try:
        server.connect(b"").close()
    except ConnectionRefusedError:
        return True
    return False


@contextmanager
def running(folder: Path, *command: str, **environment: str) -> Iterator[Served]:
    log = folder / "said"
    own = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", **environment}
    with log.open("w") as err:
        process = subprocess.Popen(
            [sys.executable, *command], stdout=subprocess.PIPE, stderr=err, text=True, cwd=folder, env=own
        )
    try:
        yield Served(process, log)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def little(folder: Path, workers: int | str = 2):
    (folder / "little.py").write_text(LITTLE, encoding="utf-8")
    return running(folder, "little.py", str(folder), str(workers))


@pytest.fixture(scope="module")
def one_worker(tmp_path_factory) -> Iterator[Served]:
    """A server with one worker, for tests that leave it as it was."""
    with little(tmp_path_factory.mktemp("one"), 1) as server:
        yield server


def test_workers_that_are_killed_are_replaced_again_and_again(tmp_path):
    with little(tmp_path) as server:
        for _ in range(4):
            until(lambda: len(server.workers()) == 2, "two workers")
            for pid in (before := server.workers()):
                os.kill(pid, signal.SIGKILL)
            status, said = server.get()
            assert status == 200 and int(said.split()[0]) not in before
        until(lambda: len(server.workers()) == 2, "two workers")
        one, other = server.workers()
        os.kill(one, signal.SIGKILL)
        answers = [server.get() for _ in range(20)]
        assert {status for status, _ in answers} == {200}
        assert server.process.poll() is None and alive(other)


def test_workers_that_cannot_begin_do_not_spin_and_those_that_can_go_on(tmp_path):
    with little(tmp_path, 1) as server:
        assert server.get()[0] == 200
        (tmp_path / "broken").touch()
        os.kill(server.workers()[0], signal.SIGKILL)
        begun = lambda: [float(at) for at in (tmp_path / "begun").read_text().split()]
        until(lambda: len(begun()) > 16, "tries")
        times = begun()[1:]
        assert any(b - a >= 1 for a, b in pairwise(times)), "no pause"
        (tmp_path / "broken").unlink()
        assert server.get()[0] == 200 and server.process.poll() is None


@pytest.mark.parametrize("workers", [1, "alone"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_told_to_stop_answers_what_it_was_asked(tmp_path, number, workers):
    # One request is worked on, and the others wait for their turn.
    with little(tmp_path, workers) as server, ThreadPoolExecutor(5) as pool:
        answers = [pool.submit(server.get, f"/wait{tmp_path / 'wait'}") for _ in range(5)]
        until((tmp_path / "wait").exists, "requests in flight")
        time.sleep(0.3)  # by then all five were accepted
        server.process.send_signal(number)
        assert not any(answer.done() for answer in answers)
        (tmp_path / "wait.go").touch()
        assert [answer.result()[0] for answer in answers] == [200] * 5
        assert server.process.wait(PATIENCE) == 0
        with pytest.raises(ConnectionRefusedError):
            server.connect(b"")


def test_ctrl_c_at_a_terminal_is_told_to_all_and_ends_clean(tmp_path):
    """A terminal tells every process of its group; the workers are in groups of their own."""
    with little(tmp_path) as server:
        assert server.get()[0] == 200
        own = os.getpgid(server.process.pid)
        until(lambda: [os.getpgid(pid) != own for pid in server.workers()] == [True, True], "groups of their own")


def test_workers_end_with_their_server(tmp_path):
    with little(tmp_path) as server:
        assert server.get()[0] == 200
        until(lambda: len(server.workers()) == 2, "two workers")
        workers = server.workers()
        server.process.kill()
        server.process.wait()
        until(lambda: not any(map(alive, workers)), "no worker without its server")
        # The last thread of a process closes what it had open, a moment after the first is gone.
        until(lambda: refused(server), "a port that others may have")


@pytest.mark.parametrize("said, rest", [(b"", HALF), (HALF, b""), (b"GET /much HTTP/1.1\r\nHost: a\r\n\r\n", None)])
def test_slow_connections_keep_nobody_waiting(one_worker, said, rest):
    """Those that say nothing, half of what they want, or do not read what they are answered."""
    slow = [one_worker.connect(said) for _ in range(400)]
    # The slow ones are still there when all of these were answered: none of them waited for any of those.
    assert {one_worker.get()[0] for _ in range(10)} == {200}
    for connection in slow[-40::10]:
        if rest is not None:
            connection.sendall(rest + b"a: 1\r\nConnection: close\r\n\r\n")
        assert connection.recv(12) == b"HTTP/1.1 200"
    for connection in slow:
        connection.close()


class Reader:
    """Asks again and again on one connection, as long as the server keeps it; ``seen``: when, and what it was told."""

    def __init__(self, server: Served):
        self.server, self.seen, self.lost, self.stop = server, [], [], False

    def __call__(self) -> None:
        connection = None
        while not self.stop:
            connection = connection or HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
            began = time.monotonic()
            try:
                connection.request("GET", "/")
                answer = connection.getresponse()
                self.seen.append((began, answer.read().split()[1].decode()))
                time.sleep(0.005)
            except OSError as error:
                self.lost.append(repr(error))
                connection = None


@contextmanager
def reading(server: Served, count: int) -> Iterator[list[Reader]]:
    readers = [Reader(server) for _ in range(count)]
    with ThreadPoolExecutor(count) as pool:
        running = [pool.submit(reader) for reader in readers]
        try:
            yield readers
        finally:
            for reader in readers:
                reader.stop = True
    assert [each.exception() for each in running] == [None] * count


def test_an_exchange_loses_no_answer_and_leaves_no_old_one(tmp_path):
    with little(tmp_path) as server, reading(server, 4) as readers:
        until(lambda: all(reader.seen for reader in readers), "readers")
        for name in ("second", "third"):
            before = set(server.workers())
            (tmp_path / "current").write_text(name)
            until(lambda old=before: not old & set(server.workers()), "old workers that end")
            settled = time.monotonic()
            since = lambda moment=settled: [[told for at, told in r.seen if at > moment] for r in readers]
            until(lambda since=since: all(len(told) > 5 for told in since()), "answers of the new ones")
            assert {each for told in since() for each in told} == {name}
        assert [reader.lost for reader in readers] == [[]] * 4
        until(lambda: len(server.workers()) == 2, "two workers")


def test_a_request_in_flight_is_answered_from_what_it_began_with(tmp_path):
    with little(tmp_path, 1) as server, ThreadPoolExecutor(1) as pool:
        asked = pool.submit(server.get, f"/wait{tmp_path / 'wait'}")
        until((tmp_path / "wait").exists, "a request in flight")
        (tmp_path / "current").write_text("second")
        until(lambda: len((tmp_path / "begun").read_text().split()) == 2, "a new worker beside the old one")
        time.sleep(0.3)  # by then the old one takes no more
        assert server.get()[1].endswith(b" second")
        (tmp_path / "wait.go").touch()
        assert asked.result()[0] == 200 and asked.result()[1].endswith(b" first")
        until(lambda: len(server.workers()) == 1, "the new one alone")


def test_what_is_refused_is_tried_once_and_who_dies_then_is_followed_by_what_was_held(tmp_path):
    with little(tmp_path) as server:
        for name, tries, why in (("bad", 1, "It is bad."), ("killed", 2, "was killed, perhaps for its memory.")):
            (tmp_path / "current").write_text(name)
            until(lambda name=name: f"refused: {name}: " in server.said(), f"{name} is refused")
            assert f"{why}\n" in server.said()
            time.sleep(0.3)  # it looks six times meanwhile
            assert (tmp_path / "tried").read_text().split().count(name) == tries
            for pid in server.workers():
                os.kill(pid, signal.SIGKILL)
            assert {server.get()[1].split()[1] for _ in range(10)} == {b"first"}


@pytest.mark.parametrize(
    "said, status",
    [
        (b"GET / HTTP/1.1\r\nHost: a\r\n" + b"".join(b"X-%d: a\r\n" % i for i in range(200)), 431),
        (b"GET /\x00 HTTP/1.1\r\nHost: a\r\n", 400),
        (b"nonsense\r\n", 400),
    ],
)
def test_what_no_server_can_take_in_is_refused(one_worker, said, status):
    answer = one_worker.connect(said + b"\r\n").recv(12)
    assert answer.decode().split()[1:] == [str(status)]
    assert one_worker.get()[0] == 200


# ── lexbridge serve ───────────────────────────────────────────────────────────────────────────────


def serving(folder: Path, build: Path, *options: str, **environment: str):
    return running(
        folder, "-m", "scripts.cli", "serve", "--port", "0", *options, LEXBRIDGE_BUILD=str(build), **environment
    )


def test_the_site_is_served_and_a_port_that_is_taken_is_said(build_dir, tmp_path):
    with serving(tmp_path, build_dir, LEXBRIDGE_WORKERS="3") as server:
        assert server.get("/healthz")[0] == 200
        status, page = server.get("/pl-2007/16?ui=en")
        assert status == 200 and b'id="16-D-2"' in page
        assert server.get("/?" + "a" * 3000)[0] == 414
        until(lambda: len(server.workers()) == 3, "three workers")
        second = subprocess.run(
            [sys.executable, "-m", "scripts.cli", "serve", "--port", str(server.port)],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            timeout=PATIENCE,
            check=False,
        )
        assert second.returncode == 1
        assert second.stderr.startswith("Error: 127.0.0.1:") and "Name another --host or --port." in second.stderr
        until(lambda: "GET /pl-2007/16" in server.said(), "its line in the log")
        for pid in server.workers():
            os.kill(pid, signal.SIGKILL)
        assert server.get("/api/v1/search?q=renons")[0] == 200
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(PATIENCE) == 0
        asked = [line for line in server.said().splitlines() if "GET /pl-2007/16" in line]
        assert len(asked) == 1 and "127.0.0.1" not in server.said()


def test_without_anything_built_the_server_says_what_to_do_until_there_is(build_dir, tmp_path):
    build = tmp_path / "build"
    with serving(tmp_path, build, "--workers", "1") as server:
        for address in ("/", "/healthz", "/api/v1/editions"):
            status, said = server.get(address)
            assert status == 503 and b"Run: lexbridge" in said, address
        assert json.loads(said)["error"]["code"] == "corpus_missing"
        build.symlink_to(build_dir)
        until(lambda: server.get("/healthz")[0] == 200, "what was built")


@pytest.mark.parametrize(
    "options, environment, finding",
    [
        (("--host", "no.such.host.invalid"), {}, "no.such.host.invalid:0 cannot be listened on"),
        (("--host", "203.0.113.7"), {}, "203.0.113.7:0 cannot be listened on"),
        ((), {"LEXBRIDGE_PROXY": "nginx"}, "LEXBRIDGE_PROXY: 'nginx'"),
        (("--workers", "0"), {}, "'--workers'"),
        ((), {"LEXBRIDGE_WORKERS": "many"}, "'many' is not"),
    ],
)
def test_what_cannot_be_served_is_said_in_a_sentence(tmp_path, options, environment, finding):
    ran = CliRunner().invoke(
        main, ["serve", "--port", "0", *options], env={"LEXBRIDGE_BUILD": str(tmp_path), **environment}
    )
    assert ran.exit_code in (1, 2) and finding in ran.output and "Traceback" not in ran.output
