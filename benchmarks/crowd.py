"""How much eight clients of a dear page slow a search: ``python -m benchmarks.crowd`` on what was built.

A server with two workers answers searches that nobody asked before, alone and while eight clients ask for one dear page
as fast as they can. The ratio of the medians must be below ``LIMIT``. Three more rows have no limit: each client adds
parameters that no page knows; each asks for another dear page; each searches, too.
"""

from __future__ import annotations

import http.client
import itertools
import os
import random
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from statistics import median
from urllib.parse import quote

from corpus.generation import CORPUS_PART, Generation, build_dir
from corpus.library import Library

LIMIT, CLIENTS, SEARCHES, PATIENCE = 3.0, 8, 40, 60


def main() -> int:
    """Print a row for each crowd; return 1 when the limit is missed."""
    library = Library.open(Generation.open(build_dir(), (CORPUS_PART,)))
    words = sorted({w for n in library.nodes.values() for w in n.text.split() if w.isalpha() and len(w) > 4})
    chosen = random.Random(1)
    fresh = lambda: f"/search?ui=en&q={quote(' '.join(chosen.sample(words, 3)))}"
    orders = itertools.cycle(itertools.permutations(library.editions))
    dear = lambda: "/compare/def?" + "&".join(f"e={e}" for e in next(orders)) + "&ui=en"
    one, count = dear(), itertools.count()
    crowds: dict[str, Callable[[], str]] = {
        "the same dear page": lambda: one,
        "the same, with unknown parameters": lambda: f"{one}&x={next(count)}",
        "other dear pages": lambda: f"{dear()}&e=x{next(count)}",
        "searches": fresh,
    }
    with server() as port:
        for _ in range(SEARCHES):
            took(port, fresh())
        alone = median(took(port, fresh()) for _ in range(SEARCHES))
        print(f"a fresh search alone: {alone * 1000:.1f} ms; {one}: {took(port, one) * 1000:.0f} ms", flush=True)
        ratios = {}
        for name, address in crowds.items():
            with crowd(port, address):
                ratios[name] = median(took(port, fresh()) for _ in range(SEARCHES)) / alone
            print(f"{ratios[name]:6.1f} ×  beside {CLIENTS} clients of {name}", flush=True)
    return int(max(list(ratios.values())[:2]) >= LIMIT)


@contextmanager
def server() -> Iterator[int]:
    """A context with the port of a server with two workers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "scripts.cli", "serve", "--port", str(port), "--workers", "2"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": "."}, **quiet)
    try:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with suppress(OSError, http.client.HTTPException):
                took(port, "/healthz")
                break
            time.sleep(0.2)
        yield port
    finally:
        process.terminate()
        process.wait()


@contextmanager
def crowd(port: int, address: Callable[[], str]) -> Iterator[None]:
    """A context in which clients ask for addresses as fast as they are answered."""
    ending = threading.Event()

    def ask() -> None:
        while not ending.is_set():
            took(port, address())

    clients = [threading.Thread(target=ask) for _ in range(CLIENTS)]
    for client in clients:
        client.start()
    time.sleep(1)
    try:
        yield
    finally:
        ending.set()
        for client in clients:
            client.join()


def took(port: int, address: str) -> float:
    """Return the seconds until an address was answered, on a connection of its own."""
    started = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", address, headers={"Accept-Encoding": "gzip"})
    connection.getresponse().read()
    connection.close()
    return time.perf_counter() - started


if __name__ == "__main__":
    raise SystemExit(main())
