"""How long a reader waits at the first start and at a later one: ``python -m benchmarks.starts [--processors 0,1]``.

The first start has an empty build folder. A row has the seconds from the command to what it names, and how many times
the reference loop runs in them: a loop of plain Python, timed before and after. Seconds depend on the machine and on
other work on it, ratios less.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent
TURNS = 1_000_000  # of the reference loop
PAUSE = 0.05  # seconds between two requests
PATIENCE = 1800  # seconds
# What is asked, and how its answer is known.
ANSWERS: dict[str, tuple[str, Callable[[dict], object]]] = {
    "a law": ("/api/v1/nodes/sk-2017/27", lambda said: said["id"] == "sk-2017/27"),
    "a reference": ("/api/v1/search?q=27b1", lambda said: said["results"][0]["path"] == "27/B/1"),
    "a search for words": ("/api/v1/search?q=renons", lambda said: said["total"]),
}
WHOLE = ("/healthz", lambda said: (said["search"], said["pages"]) == ("learned", "built"))


def main() -> int:
    """Measure both starts, print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--processors", help="numbers of those that are used: 0,1")
    asked = parser.parse_args()
    if asked.processors:
        os.sched_setaffinity(0, {int(number) for number in asked.processors.split(",")})
    before = reference_seconds()
    with tempfile.TemporaryDirectory(prefix="lexbridge-starts-") as folder:
        with started(Path(folder)) as (port, begun):
            rows = [("first start", what, wait_for(port, *how) - begun) for what, how in ANSWERS.items()]
            rows.append(("first start", "everything", wait_for(port, *WHOLE) - begun))
        with started(Path(folder)) as (port, begun):
            rows += [("later start", what, wait_for(port, *how) - begun) for what, how in ANSWERS.items()]
    reference = median((before, reference_seconds()))
    print(f"reference loop: {reference:.3f} s")
    print("| start | answers | seconds | reference loops |\n|---|---|---|---|")
    for start, what, seconds in rows:
        print(f"| {start} | {what} | {seconds:.1f} | {seconds / reference:.0f} |")
    return 0


def reference_seconds() -> float:
    """Return the seconds that the reference loop takes: the median of five."""
    found = []
    for _ in range(5):
        begun, total = time.perf_counter(), 0
        for number in range(TURNS):
            total += number % 7
        found.append(time.perf_counter() - begun)
    return median(found)


@contextmanager
def started(build: Path) -> Iterator[tuple[int, float]]:
    """Run ``lexbridge serve --build`` with a build folder; yield its port and when it was started."""
    begun = time.perf_counter()
    command = (sys.executable, "-m", "scripts.cli", "serve", "--build", "--port", "0")
    own = {**os.environ, "LEXBRIDGE_BUILD": str(build), "PYTHONUNBUFFERED": "1"}
    server = subprocess.Popen(command, cwd=ROOT, env=own, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        line = next(line for line in server.stdout if line.startswith("Lexbridge at "))
        yield int(line.rsplit(":", 1)[1]), begun
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()


def wait_for(port: int, path: str, is_right: Callable[[dict], object]) -> float:
    """Ask until the answer is right; return when it was.

    Raises:
        TimeoutError: it was not right in ``PATIENCE`` seconds.
    """
    end = time.perf_counter() + PATIENCE
    while time.perf_counter() < end:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        with suppress(OSError, http.client.HTTPException):
            connection.request("GET", path)
            answer = connection.getresponse()
            said = answer.read()
            if answer.status == 200 and is_right(json.loads(said)):
                return time.perf_counter()
        connection.close()
        time.sleep(PAUSE)
    raise TimeoutError(f"{path} was not answered rightly.")


if __name__ == "__main__":
    sys.exit(main())
