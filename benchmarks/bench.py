"""``make bench``: how many answers a second, each beside what nginx or Datasette gives on the same two processors.

    PYTHONPATH=. python benchmarks/bench.py [--rounds 3] [--seconds 5] [--processors 0,1]

The site is set up by the commands of docs/deploy.md, as they stand (:mod:`guided`). nginx with a file, `lexbridge
serve` alone, the site behind its nginx, and wrk with eight connections share two processors. Each row is measured
beside the file in each round, and the median of the rounds counts: only ratios are compared, never rates of two runs.
`docs/performance.md` says what each row means; exit 1 when a bound is missed.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import signal
import ssl
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median

import guided

from tools import debian_packages as debian
from tools.soak.served import free_port

HOST = "lexbridge.test"
FRONT, SITE = f"https://{HOST}", f"http://{HOST}:8000"  # where the guide puts them
CERTIFICATE = Path("/etc/letsencrypt/live", HOST)
BUILT = "/srv/lexbridge/index/built"
EDITION, LAW = "pl-2007", "/pl-2007/27"
CONNECTIONS, THREADS, SEED = 8, 2, 7
ACCEPTED = "gzip, deflate, br, zstd"  # what browsers write
ALLOWED = 45  # new pages a second that deploy/nginx lets an address ask for
LUA = """
local paths, i = {}, math.random(0, 1000000)
for line in io.lines("PATHS") do paths[#paths + 1] = line end
local asked = { ["Host"] = "HOST", ["Accept-Encoding"] = "ACCEPTED", MORE }
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
worker_processes auto; daemon off; pid FOLDER/pid; error_log stderr crit; worker_rlimit_nofile 4096;
events { worker_connections 1024; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; default_type "text/html; charset=utf-8";
  open_file_cache max=100 inactive=60s; open_file_cache_valid 60s;
  client_body_temp_path FOLDER/t; proxy_temp_path FOLDER/t; fastcgi_temp_path FOLDER/t; uwsgi_temp_path FOLDER/t;
  scgi_temp_path FOLDER/t;
  ssl_certificate CERTIFICATE/fullchain.pem; ssl_certificate_key CERTIFICATE/privkey.pem;
  ssl_protocols TLSv1.2 TLSv1.3; ssl_session_cache shared:plain:10m;
  server { listen 127.0.0.1:PORT HOW; location / { root FOLDER/www; etag on; try_files /page =404; HEADERS } }
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
    """What is measured: ``paths`` asked in turn at ``base``; ``bound``: what the ratio must be at least, or None."""

    name: str
    base: str
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
    if not shutil.which("wrk") and not debian.install_packages("wrk"):
        print("wrk is not there, and could not be installed. Debian: apt install wrk")
        return 1
    guided.enter_namespaces()
    os.environ["LEXBRIDGE_BUILD"] = BUILT
    os.sched_setaffinity(0, {int(core) for core in asked.processors.split(",")})  # and of all that is started from here
    try:
        guided.set_up(HOST)
    except guided.CommandError as error:
        print(error)
        return 1
    table = _pages(asked.rounds, asked.seconds)
    if not asked.without_search:
        table += _search(asked.seconds, asked.processors)
    print("\n| what | beside | ratio | at least |\n|---|---|---|---|")
    for name, beside, ratio, bound in table:
        missed = " **missed**" if bound is not None and ratio < bound else ""
        print(f"| {name} | {beside} | {ratio:.2f} | {'' if bound is None else f'{bound:.2f}'}{missed} |")
    return int(any(bound is not None and ratio < bound for _, _, ratio, bound in table))


Line = tuple[str, str, float, float | None]


def _pages(rounds: int, seconds: int) -> list[Line]:
    """The rows of pages beside nginx: by http where the site is asked alone, by https where readers ask."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir="/var/tmp")))
        folder.chmod(0o755)  # workers of nginx are another user; /var, because the cache is there, too
        _wait_for(SITE)
        body, headers = _answer(SITE, f"{LAW}?ui=pl")
        plain = Row("file by http", stack.enter_context(_plain(folder / "http", "http", body, headers)), ["/"])
        safe = Row("file by https", stack.enter_context(_plain(folder / "https", "https", body, headers)), ["/"])
        provisions = _provisions(SITE)
        alone = [
            Row("law page", SITE, [f"{LAW}?ui=pl"], 0.12),
            Row("law page, bare address", SITE, [LAW]),
            Row(f"all {len(provisions)} provisions of {EDITION}, any order", SITE, provisions),
            Row("law page that the reader has (304)", SITE, [f"{LAW}?ui=pl"], known=headers["etag"]),
        ]
        behind = [
            Row("law page behind nginx", FRONT, [f"{LAW}?ui=pl"], 0.95),
            Row("provisions behind nginx, any order", FRONT, provisions),
            Row("law page that the reader has (304), behind nginx", FRONT, [f"{LAW}?ui=pl"], known=headers["etag"]),
        ]
        for path in provisions:  # what the cache has to take in is not what is measured
            _answer(FRONT, path)
            time.sleep(1 / ALLOWED)
        rate = lambda row: _rate(row, folder, seconds)
        return _measured(plain, alone, rounds, rate) + _measured(safe, behind, rounds, rate)


def _measured(static: Row, rows: list[Row], rounds: int, rate: Callable[[Row], float]) -> list[Line]:
    """Every row in every round, between two measurements of the file; their mean counts."""
    found: dict[str, list[float]] = {row.name: [] for row in rows}
    for number in range(rounds):
        before = rate(static)
        print(f"round {number + 1}: {static.name} {before:.0f} a second", flush=True)
        for row in rows:
            answered, after = rate(row), rate(static)
            found[row.name].append(2 * answered / (before + after))
            before = after
            print(f"  {row.name}: {found[row.name][-1]:.3f}", flush=True)
    return [(row.name, static.name, median(found[row.name]), row.bound) for row in rows]


def _search(seconds: int, processors: str) -> list[Line]:
    """The rows of searches beside Datasette."""
    import datasette

    ratios = datasette.ratios(seconds, processors, CONNECTIONS)
    return [(f"search, {name}", "Datasette", ratios[name], datasette.BOUNDS[name]) for name in datasette.BOUNDS]


def _wait_for(base: str) -> None:
    """Return when a server answers; raises :class:`OSError` when it does not for two minutes."""
    end = time.monotonic() + 120
    while True:
        try:
            _answer(base, "/")
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def _answer(base: str, path: str) -> tuple[bytes, dict[str, str]]:
    """The bytes of an answer as they came, and its headers by their names in lower case."""
    request = urllib.request.Request(base + path, headers={"Host": HOST, "Accept-Encoding": ACCEPTED})
    with urllib.request.urlopen(request, timeout=30, context=_trusting()) as answer:
        return answer.read(), {name.lower(): value for name, value in answer.getheaders()}


@cache
def _trusting() -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(CERTIFICATE / "fullchain.pem"))


@contextmanager
def _plain(folder: Path, scheme: str, body: bytes, headers: dict[str, str]) -> Iterator[str]:
    """nginx with these bytes as a file, answered with the same headers; where it answers."""
    (folder / "www").mkdir(parents=True)
    (folder / "www" / "page").write_bytes(body)
    port = free_port()
    same = " ".join(f'add_header {n} "{v}" always;' for n, v in headers.items() if n not in TAKEN_BY_NGINX)
    text = PLAIN.replace("HOW", "ssl" if scheme == "https" else "").replace("CERTIFICATE", str(CERTIFICATE))
    text = text.replace("FOLDER", str(folder)).replace("PORT", str(port)).replace("HEADERS", same)
    (folder / "nginx.conf").write_text(text, encoding="utf-8")
    server = subprocess.Popen(["/usr/sbin/nginx", "-c", str(folder / "nginx.conf")], stderr=subprocess.DEVNULL)
    try:
        _wait_for(f"{scheme}://{HOST}:{port}")
        yield f"{scheme}://{HOST}:{port}"
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(30)


def _provisions(base: str) -> list[str]:
    """The addresses of all provisions of an edition, in an order that means nothing: those of every law's page."""
    read = lambda path: _text(base, path)
    laws = sorted(set(re.findall(rf'href="(/{EDITION}/\d+)[?"#]', read(f"/{EDITION}/?ui=pl"))))
    found = {id_ for law in laws for id_ in re.findall(rf'data-id="({EDITION}/[^"]+)"', read(f"{law}?ui=pl"))}
    addresses = [f"/{id_}?ui=pl" for id_ in sorted(found)]
    random.Random(SEED).shuffle(addresses)
    return addresses


def _text(base: str, path: str) -> str:
    import brotli

    body, headers = _answer(base, path)
    return (brotli.decompress(body) if headers.get("content-encoding") == "br" else body).decode("utf-8")


def _rate(row: Row, folder: Path, seconds: int) -> float:
    """Answers a second; raises :class:`RuntimeError` when one was wrong."""
    (folder / "paths").write_text("\n".join(row.paths) + "\n", encoding="utf-8")
    more = f'["If-None-Match"] = [[{row.known}]]' if row.known else ""
    text = (
        LUA.replace("PATHS", str(folder / "paths"))
        .replace("HOST", HOST)
        .replace("ACCEPTED", ACCEPTED)
        .replace("MORE", more)
    )
    (folder / "asks.lua").write_text(text, encoding="utf-8")
    size = ["-t", str(THREADS), "-c", str(CONNECTIONS), "-d", str(seconds)]
    command = ["wrk", *size, "-s", str(folder / "asks.lua"), row.base]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    answered, took, wrong = map(int, re.search(r"answered (\d+) in (\d+), wrong (\d+)", said).groups())
    if wrong or not answered:
        raise RuntimeError(f"{row.name}: {wrong} of {answered} answers were wrong.\n{said}")
    return answered / (took / 1e6)


if __name__ == "__main__":
    raise SystemExit(main())
