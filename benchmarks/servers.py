"""How servers bear slow clients, and what an answer costs them: ``python -m benchmarks.servers VENV``.

``VENV``: a virtual environment with ``granian gunicorn waitress cheroot hypercorn uvicorn a2wsgi``. Each server is one
process. A row says how much processor time an answer of 12 KB takes, how many of ten requests are answered while 400
clients are slow in one way, and whether a request in flight is answered when the server is told to stop.
"""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

PORT, SLOW, PATIENCE, ANSWERS = 8765, 400, 8, 1500
APPLICATIONS = """
import time
from a2wsgi import WSGIMiddleware

def wsgi(environ, start):
    path = environ["PATH_INFO"]
    if path == "/wait":
        time.sleep(2)
    body = b"x" * (1 << 20 if path == "/much" else 12288)
    start("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))])
    return [body]

asgi = WSGIMiddleware(wsgi, workers=4)
"""
SERVERS = {
    "granian": "granian --interface wsgi --port {port} --http 1 --no-ws --log-level error ready:wsgi",
    "waitress": "waitress-serve --listen=127.0.0.1:{port} --connection-limit=2048 --asyncore-use-poll ready:wsgi",
    "cheroot": "cheroot --bind 127.0.0.1:{port} --threads 4 --request-queue-size 1024 ready:wsgi",
    "gunicorn, ASGI": "gunicorn -k asgi -b 127.0.0.1:{port} --log-level error ready:asgi",
    "gunicorn, threads": "gunicorn -k gthread --threads 4 -b 127.0.0.1:{port} --log-level error ready:wsgi",
    "uvicorn, a2wsgi": "uvicorn --port {port} --no-access-log --log-level error ready:asgi",
    "hypercorn": "hypercorn -w 0 -b 127.0.0.1:{port} --backlog 1024 --log-level error wsgi:ready:wsgi",
}
WAYS = {
    "silent": b"",
    "half a head": b"GET / HTTP/1.1\r\nHost: a\r\nX-",
    "not reading": b"GET /much HTTP/1.1\r\nHost: a\r\n\r\n",
}


def is_answered(path: str = "/") -> bool:
    """Whether a request is answered with 200 in time."""
    connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=PATIENCE)
    with suppress(OSError, http.client.HTTPException):
        connection.request("GET", path)
        answer = connection.getresponse()
        return bool(answer.read()) and answer.status == 200
    return False


def connected(said: bytes) -> socket.socket:
    """A connection with a small buffer, on which something was said."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    made.settimeout(PATIENCE)
    made.connect(("127.0.0.1", PORT))
    made.sendall(said)
    return made


def processes(pid: int) -> list[int]:
    """A process and all that it started."""
    children = [int(p) for t in Path(f"/proc/{pid}/task").iterdir() for p in (t / "children").read_text().split()]
    return [pid, *(p for child in children for p in processes(child))]


def processor_time(pid: int) -> float:
    """Seconds of processor time that a process and all that it started have used."""
    fields = [Path(f"/proc/{p}/stat").read_text().rpartition(")")[2].split() for p in processes(pid)]
    return sum(int(f[11]) + int(f[12]) for f in fields) / os.sysconf("SC_CLK_TCK")


@contextmanager
def running(command: list[str], folder: Path) -> Iterator[subprocess.Popen]:
    """A server, from when it answers."""
    server = subprocess.Popen(command, cwd=folder, stderr=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": "."})
    try:
        end = time.monotonic() + PATIENCE
        while not is_answered() and time.monotonic() < end:
            time.sleep(0.1)
        yield server
    finally:
        server.kill()
        server.wait()


def row(command: list[str], folder: Path) -> list[str]:
    """What one server does."""
    with running(command, folder) as server:
        before, connection = processor_time(server.pid), http.client.HTTPConnection("127.0.0.1", PORT)
        for _ in range(ANSWERS):
            connection.request("GET", "/")
            connection.getresponse().read()
        out = [f"{(processor_time(server.pid) - before) / ANSWERS * 1000:.2f} ms"]
        connection.close()
        for way, said in WAYS.items():
            try:
                slow = [connected(said) for _ in range(SLOW)]
            except OSError as error:
                out.append(f"{way}: {error}")
                continue
            out.append(f"{way}: {sum(is_answered() for _ in range(10))}/10")
            for each in slow:
                each.close()
        waiting = connected(b"GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
        time.sleep(0.5)
        server.send_signal(signal.SIGTERM)
        with suppress(OSError):
            out.append("answers at its end" if waiting.recv(8) else "cuts off at its end")
        return out


def main() -> None:
    """Prints a row for each server that the environment has."""
    binaries = Path(sys.argv[1]).resolve() / "bin"
    with TemporaryDirectory() as name:
        (Path(name) / "ready.py").write_text(APPLICATIONS)
        for server, command in SERVERS.items():
            program, *rest = command.format(port=PORT).split()
            if (binaries / program).exists():
                print(f"{server:20}", "; ".join(row([str(binaries / program), *rest], Path(name))), flush=True)


if __name__ == "__main__":
    main()
