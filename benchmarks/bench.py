"""``make bench``: how many answers a second, each beside what nginx or Datasette gives on the same two processors.

    python benchmarks/bench.py [--rounds 3] [--seconds 5] [--processors 0,1]

nginx with a file, `lexbridge serve` alone, `lexbridge serve` behind the nginx of `deploy/`, and wrk with eight
connections share two processors; all are measured in each round, one after the other, and the median of the rounds
counts. Only ratios are compared, never rates of two runs. `docs/performance.md` says what each row means; exit 1 when a
bound is missed.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tools import debian_packages as debian
from tools.soak.served import free_port
from tools.structure import ROOT

HOST = "bridge.example.org"  # the name in the files of deploy/
ORIGIN = f"https://{HOST}"
EDITION, LAW = "pl-2007", "/pl-2007/27"
CONNECTIONS, THREADS, SEED = 8, 2, 7
ALLOWED = 45  # new pages a second that deploy/nginx lets an address ask for
STATIC = "nginx, a file with the same bytes"
LUA = """
local paths, i = {}, math.random(0, 1000000)
for line in io.lines("PATHS") do paths[#paths + 1] = line end
local asked = { ["Host"] = "HOST", ["Accept-Encoding"] = "br", MORE }
local seed = 0
function setup(thread) thread:set("start", seed); seed = seed + 7919 end
function init() i = start end
function request()
  i = i % #paths + 1
  return wrk.format("GET", paths[i], asked)
end
function done(summary)
  local wrong = summary.errors
  io.write(string.format("answered %d in %d, wrong %d\\n", summary.requests, summary.duration,
    wrong.status + wrong.connect + wrong.read + wrong.timeout))
end
"""
# nginx at its best, for one file.
PLAIN = """
worker_processes 2; daemon off; pid FOLDER/pid; error_log stderr crit; worker_rlimit_nofile 4096;
events { worker_connections 1024; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; default_type "text/html; charset=utf-8";
  open_file_cache max=100 inactive=60s; open_file_cache_valid 60s;
  client_body_temp_path FOLDER/t; proxy_temp_path FOLDER/t; fastcgi_temp_path FOLDER/t; uwsgi_temp_path FOLDER/t;
  scgi_temp_path FOLDER/t;
  server { listen 127.0.0.1:PORT; location / { root FOLDER/www; etag on; try_files /page =404; HEADERS } }
}
"""
TAKEN_BY_NGINX = {
    "content-type",
    "content-length",
    "etag",
    "date",
    "server",
    "connection",
    "last-modified",
    "accept-ranges",
}


@dataclass(frozen=True)
class Row:
    """What is measured: ``paths`` asked in turn at a port; ``bound``: what the ratio must be at least, or None."""

    name: str
    port: int
    paths: list[str]
    bound: float | None = None
    known: str = ""


def main() -> int:
    """Measure, print the table; 0 when every bound is kept."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--processors", default="0,1")
    parser.add_argument("--without-search", action="store_true", help="leave Datasette out")
    asked = parser.parse_args()
    if missing := [name for name in ("nginx", "wrk") if not _there(name)]:
        print(f"Not there, and could not be installed: {', '.join(missing)}. Debian: apt install {' '.join(missing)}")
        return 1
    with tempfile.TemporaryDirectory(prefix="lexbridge-built-") as folder:
        os.environ["LEXBRIDGE_BUILD"] = folder
        table = _pages(asked.rounds, asked.seconds, asked.processors)
        if not asked.without_search:
            table += _search(asked.seconds, asked.processors)
    print("\n| what | beside | ratio | at least |\n|---|---|---|---|")
    for name, beside, ratio, bound in table:
        missed = " **missed**" if bound is not None and ratio < bound else ""
        print(f"| {name} | {beside} | {ratio:.2f} | {'' if bound is None else f'{bound:.2f}'}{missed} |")
    return int(any(bound is not None and ratio < bound for _, _, ratio, bound in table))


Line = tuple[str, str, float, float | None]


def _pages(rounds: int, seconds: int, processors: str) -> list[Line]:
    """The rows of pages beside nginx."""
    sys.path.append(str(ROOT / "tests"))
    from proxied import Proxy

    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="lexbridge-bench-")))
        folder.chmod(0o755)  # workers of nginx are another user
        env = os.environ | {"LEXBRIDGE_URL": ORIGIN, "LEXBRIDGE_PROXY": "1"}
        subprocess.run([sys.executable, "-m", "scripts.cli", "build"], env=env, check=True, stdout=subprocess.DEVNULL)
        os.sched_setaffinity(0, {int(core) for core in processors.split(",")})  # and of all that is started from here
        port = free_port()
        stack.enter_context(_running([sys.executable, "-m", "scripts.cli", "serve", "--port", str(port)], port, env))
        body, headers = _answer(port, f"{LAW}?ui=pl")
        plain = _plain(folder / "plain", body, headers)
        stack.enter_context(_running([_there("nginx"), "-c", str(folder / "plain" / "nginx.conf")], plain, env))
        front = stack.enter_context(Proxy(folder / "front", port)).port
        provisions = _provisions(port)
        rows = [
            Row("law page", port, [f"{LAW}?ui=pl"], 0.12),
            Row("law page, bare address", port, [LAW]),
            Row(f"all {len(provisions)} provisions of {EDITION}, any order", port, provisions),
            Row("law page that the reader has (304)", port, [f"{LAW}?ui=pl"], known=headers["etag"]),
            Row("law page behind nginx", front, [f"{LAW}?ui=pl"], 0.9),
            Row("provisions behind nginx, any order", front, provisions),
            Row("law page that the reader has (304), behind nginx", front, [f"{LAW}?ui=pl"], known=headers["etag"]),
        ]
        for path in provisions:  # what the cache has to take in is not what is measured
            _answer(front, path)
            time.sleep(1 / ALLOWED)
        return _measured(Row(STATIC, plain, ["/"]), rows, rounds, lambda row: _rate(row, folder, seconds))


def _measured(static: Row, rows: list[Row], rounds: int, rate: Callable[[Row], float]) -> list[Line]:
    """Every row in every round, beside the file in the same round."""
    found: dict[str, list[float]] = {row.name: [] for row in rows}
    for number in range(rounds):
        file = rate(static)
        print(f"round {number + 1}: {static.name} {file:.0f} a second", flush=True)
        for row in rows:
            found[row.name].append(rate(row) / file)
            print(f"  {row.name}: {found[row.name][-1]:.3f}", flush=True)
    return [(row.name, static.name, median(found[row.name]), row.bound) for row in rows]


def _search(seconds: int, processors: str) -> list[Line]:
    """The rows of searches beside Datasette."""
    import datasette

    ratios = datasette.ratios(seconds, processors, CONNECTIONS)
    return [(f"search, {name}", "Datasette", ratios[name], datasette.BOUNDS[name]) for name in datasette.BOUNDS]


def _there(name: str) -> str:
    """The path of a program, which is installed where that can be; else ""."""
    find = lambda: shutil.which(name) or shutil.which(name, path="/usr/sbin") or ""
    return find() or (find() if debian.install_packages(name) else "")


@contextmanager
def _running(command: list[str], port: int, env: dict[str, str]) -> Iterator[None]:
    """A server for the time, from when it answers."""
    server = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 120
        while time.monotonic() < end:
            try:
                _answer(port, "/")
                break
            except OSError:
                time.sleep(0.1)
        yield
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(30)


def _answer(port: int, path: str, **more: str) -> tuple[bytes, dict[str, str]]:
    """The bytes of an answer as they came, and its headers by their names in lower case."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}", headers={"Host": HOST, "Accept-Encoding": "br"} | more
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.read(), {name.lower(): value for name, value in answer.getheaders()}


def _plain(folder: Path, body: bytes, headers: dict[str, str]) -> int:
    """nginx with these bytes as a file, answered with the same headers; its port."""
    (folder / "www").mkdir(parents=True)
    (folder / "www" / "page").write_bytes(body)
    port = free_port()
    same = " ".join(f'add_header {n} "{v}" always;' for n, v in headers.items() if n not in TAKEN_BY_NGINX)
    text = PLAIN.replace("FOLDER", str(folder)).replace("PORT", str(port)).replace("HEADERS", same)
    (folder / "nginx.conf").write_text(text, encoding="utf-8")
    return port


def _provisions(port: int) -> list[str]:
    """The addresses of all provisions of an edition, in an order that means nothing: those of every law's page."""
    read = lambda path: _text(port, path)
    laws = sorted(set(re.findall(rf'href="(/{EDITION}/\d+)[?"#]', read(f"/{EDITION}/?ui=pl"))))
    found = {id_ for law in laws for id_ in re.findall(rf'data-id="({EDITION}/[^"]+)"', read(f"{law}?ui=pl"))}
    addresses = [f"/{id_}?ui=pl" for id_ in sorted(found)]
    random.Random(SEED).shuffle(addresses)
    return addresses


def _text(port: int, path: str) -> str:
    import brotli

    body, headers = _answer(port, path)
    return (brotli.decompress(body) if headers.get("content-encoding") == "br" else body).decode("utf-8")


def _rate(row: Row, folder: Path, seconds: int) -> float:
    """Answers a second; raises :class:`RuntimeError` when one was wrong."""
    (folder / "paths").write_text("\n".join(row.paths) + "\n", encoding="utf-8")
    more = f'["If-None-Match"] = [[{row.known}]]' if row.known else ""
    text = LUA.replace("PATHS", str(folder / "paths")).replace("HOST", HOST).replace("MORE", more)
    (folder / "asks.lua").write_text(text, encoding="utf-8")
    size = ["-t", str(THREADS), "-c", str(CONNECTIONS), "-d", str(seconds)]
    command = ["wrk", *size, "-s", str(folder / "asks.lua"), f"http://127.0.0.1:{row.port}"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    answered, took, wrong = map(int, re.search(r"answered (\d+) in (\d+), wrong (\d+)", said).groups())
    if wrong or not answered:
        raise RuntimeError(f"{row.name}: {wrong} of {answered} answers were wrong.\n{said}")
    return answered / (took / 1e6)


if __name__ == "__main__":
    raise SystemExit(main())
