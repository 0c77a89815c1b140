"""What a server adds to an answer that is ready, beside nginx: ``python -m benchmarks.servers VENV``.

Needs nginx and wrk, and a virtual environment with ``granian==2.8.7 uvicorn[standard] gunicorn waitress``. Each server
runs two workers on two cores and answers 12 KB that it holds; a row is its rate as a part of nginx's. All take turns,
and of each the best turn counts: what else the machine does only takes away.
"""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

BODY = b"x" * 12_288
SECONDS, CONNECTIONS, PORT, TURNS = 3, 8, 8765, 4
APPLICATIONS = """
BODY = b"x" * 12288
HEAD = [("Content-Type", "text/plain"), ("Content-Length", str(len(BODY)))]

def wsgi(environ, start):
    start("200 OK", HEAD)
    return [BODY]

PLAIN = [(k.encode().lower(), v.encode()) for k, v in HEAD]

async def asgi(scope, receive, send):
    if scope["type"] == "lifespan":
        return
    await send({"type": "http.response.start", "status": 200, "headers": PLAIN})
    await send({"type": "http.response.body", "body": BODY})
"""
NGINX = """
worker_processes 2; daemon off; pid {folder}/pid; error_log {folder}/error;
events {{ worker_connections 1024; }}
http {{ access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; open_file_cache max=10;
client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c; uwsgi_temp_path {folder}/d;
scgi_temp_path {folder}/e; server {{ listen 127.0.0.1:{port} reuseport; root {folder}; }} }}
"""
GRANIAN = "granian --interface wsgi --workers 2 --port {port} --http 1 --no-ws --log-level error ready:wsgi"
SERVERS = {
    **{f"granian, WSGI, {n} threads": f"{GRANIAN} --blocking-threads {n}" for n in (1, 2, 4, 8)},
    "uvicorn": "uvicorn --workers 2 --port {port} --no-access-log --log-level error ready:asgi",
    "gunicorn, ASGI": "gunicorn -w 2 -k asgi -b 127.0.0.1:{port} --log-level error ready:asgi",
    "gunicorn, threads": "gunicorn -w 2 -k gthread --threads 4 -b 127.0.0.1:{port} --log-level error ready:wsgi",
    "waitress (one process)": "waitress-serve --host 127.0.0.1 --port {port} --threads 8 ready:wsgi",
}


@contextmanager
def running(command: list[str], folder: Path) -> Iterator[None]:
    """A server on the first two cores, from when it listens."""
    process = subprocess.Popen(["taskset", "-c", "0,1", *command], cwd=folder, stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", PORT)) == 0:
                    break
            time.sleep(0.05)
        time.sleep(0.5)
        yield
    finally:
        process.terminate()
        process.wait()


def rate() -> float:
    """Answers a second."""
    cores = ["taskset", "-c", "2,3"]
    wrk = [*cores, "wrk", "-t2", f"-c{CONNECTIONS}", f"-d{SECONDS}s", f"http://127.0.0.1:{PORT}/ready"]
    said = subprocess.run(wrk, capture_output=True, text=True, check=True).stdout
    failed = re.search(r"Non-2xx.*", said)
    return 0.0 if failed else float(re.search(r"Requests/sec:\s*([\d.]+)", said)[1])


def main() -> None:
    """Prints a row for each server that the environment has."""
    binaries = Path(sys.argv[1]).resolve() / "bin"
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "ready").write_bytes(BODY)
        (folder / "ready.py").write_text(APPLICATIONS)
        (folder / "conf").write_text(NGINX.format(folder=folder, port=PORT))
        commands = {"nginx, a file": ["nginx", "-c", str(folder / "conf")]}
        for server, command in SERVERS.items():
            program, *rest = command.format(port=PORT).split()
            if (binaries / program).exists():
                commands[server] = [str(binaries / program), *rest]
        best = dict.fromkeys(commands, 0.0)
        for _ in range(TURNS):
            for server, line in commands.items():
                with running(line, folder):
                    best[server] = max(best[server], rate())
    whole = best["nginx, a file"]
    for server, answers in best.items():
        print(f"{server:28} {answers:9,.0f} answers a second  {answers / whole:.2f}")


if __name__ == "__main__":
    main()
