"""How many searches a second the site answers, beside Datasette over SQLite FTS5 with the same provisions.

    python benchmarks/datasette.py [--seconds 10] [--processors 0,1] [--connections 8]

Both run on the same processors and are asked the same queries by the same client (wrk), one after the other: JSON
(`/api/v1/search` beside `/db/provisions.json?_search=`) and pages (`/search` beside `/db/provisions?_search=`), first
queries that never come again, then a few that do. The queries are made of words of the texts, two to five, in each of
the site's languages, some with a typing error; they are the same in every run. Datasette is installed into
`benchmarks/.venv` when it is first needed; what is asked is that of ours `BOUNDS` of its rate at least.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote_plus

from corpus.library import Library

HERE = Path(__file__).parent
DATASETTE = "0.65.5"
# What is asked of our rate beside Datasette's.
BOUNDS = {"json": 0.4, "page": 0.4, "json again": 1.0, "page again": 1.5}
# Queries of one run: more than are asked in any; and those that come again and again.
QUERIES, AGAIN, SEED = 40_000, 50, 7
# One address after the other: with one thread of wrk none comes twice before all have come.
LUA = """
local paths, i = {}, 0
for line in io.lines("PATHS") do paths[#paths + 1] = line end
function request()
  i = i % #paths + 1
  return wrk.format("GET", paths[i], { ["Accept-Encoding"] = "gzip" })
end
function done(summary)
  io.write(string.format("answered %d in %d, wrong %d\\n", summary.requests, summary.duration, summary.errors.status))
end
"""


def database(path: Path, library: Library) -> None:
    """An SQLite file with one FTS5 table of all provisions, as one would make it for Datasette."""
    from index.build import is_document

    with contextlib.closing(sqlite3.connect(path)) as db, db:
        db.execute(
            "CREATE TABLE provisions (id TEXT PRIMARY KEY, edition TEXT, citation TEXT, heading TEXT, text TEXT)"
        )
        db.executemany(
            "INSERT INTO provisions VALUES (?, ?, ?, ?, ?)",
            [(n.id, n.edition, n.citation, n.heading or "", n.text) for n in library.nodes.values() if is_document(n)],
        )
        db.execute(
            "CREATE VIRTUAL TABLE provisions_fts USING fts5(heading, text, "
            "tokenize = 'unicode61 remove_diacritics 2', content = 'provisions')"
        )
        db.execute("INSERT INTO provisions_fts (rowid, heading, text) SELECT rowid, heading, text FROM provisions")


def queries(library: Library, count: int = QUERIES) -> list[tuple[str, str]]:
    """(language, query): two to five words that follow each other in a text, now and then one of them mistyped."""
    rnd = random.Random(SEED)
    texts: dict[str, list[list[str]]] = {}
    for node in library.nodes.values():
        words = re.findall(r"[^\W\d_]+", node.text)
        if len(words) >= 5:
            texts.setdefault(node.lang, []).append(words)
    names = [name.split() for term in library.terms.values() for name in term.names.get("en", ())]
    texts["en"] = [[*rnd.choice(names), *rnd.choice(names), *rnd.choice(names)] for _ in range(2000)]
    out: dict[tuple[str, str], None] = {}
    while len(out) < count:
        lang = rnd.choice(sorted(texts))
        words, size = rnd.choice(texts[lang]), rnd.randint(2, 5)
        start = rnd.randrange(max(1, len(words) - size + 1))
        picked = [w.lower() for w in words[start : start + size]]
        if rnd.random() < 0.15:
            place = rnd.randrange(len(picked))
            picked[place] = _mistyped(picked[place], rnd)
        out[lang, " ".join(picked)] = None
    return list(out)


def _mistyped(word: str, rnd: random.Random) -> str:
    """Two neighbours swapped, as fingers do."""
    if len(word) < 4:
        return word
    at = rnd.randrange(1, len(word) - 1)
    return f"{word[:at]}{word[at + 1]}{word[at]}{word[at + 2 :]}"


# What is measured → the address of ours, the address of theirs.
ASKED = {
    "json": ("/api/v1/search?q={q}&qlang={lang}", "/db/provisions.json?_search={q}&_shape=objects&_size=20"),
    "page": ("/search?q={q}&ui={lang}", "/db/provisions?_search={q}"),
}


def ratios(seconds: int = 10, processors: str = "0,1", connections: int = 8) -> dict[str, float]:
    """What is measured (those of :data:`BOUNDS`) → our rate beside Datasette's, each in answers a second; the rates
    are printed as they come. Raises :class:`RuntimeError` where wrk is missing or a server answers with errors.
    """
    if not shutil.which("wrk"):
        raise RuntimeError("wrk is missing, which asks the questions. Debian and Ubuntu: apt install wrk")
    library = Library.open()
    asked = queries(library)
    out = {}
    with tempfile.TemporaryDirectory() as folder:
        database(Path(folder) / "db.db", library)
        rates = {}
        for who, command in (("ours", _ours), ("theirs", _theirs)):
            with _serving(command(Path(folder), port := _free()), port, processors) as base:
                for name in ("warm", *BOUNDS):
                    form = ASKED["json" if name == "warm" else name.split()[0]][who == "theirs"]
                    some = asked[:AGAIN] if "again" in name else asked[::-1] if name == "warm" else asked
                    paths = [form.format(q=quote_plus(q), lang=lang) for lang, q in some]
                    rates[who, name] = _rate(base, paths, Path(folder), seconds, connections)
                    print(f"{who:7} {name:11} {rates[who, name]:8.1f} a second", flush=True)
        for name in BOUNDS:
            out[name] = rates["ours", name] / rates["theirs", name]
    return out


def _ours(_folder: Path, port: int) -> list[str]:
    return [sys.executable, "-m", "scripts.cli", "serve", "--port", str(port)]


def _theirs(folder: Path, port: int) -> list[str]:
    """Datasette, installed when it is first needed."""
    environment = HERE / ".venv"
    program = environment / "bin" / "datasette"
    if not program.exists():
        subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
        pip = [str(environment / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check"]
        # It asks for pkg_resources, which newer setuptools no longer have.
        subprocess.run([*pip, f"datasette=={DATASETTE}", "setuptools<81"], check=True)
    return [str(program), "serve", str(folder / "db.db"), "--port", str(port)]


def _free() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@contextlib.contextmanager
def _serving(command: list[str], port: int, processors: str) -> Iterator[str]:
    """A server on some processors, ready to answer; its address."""
    bound = ["taskset", "-c", processors, *command] if shutil.which("taskset") else command
    quiet = subprocess.DEVNULL
    server = subprocess.Popen(bound, stdout=quiet, stderr=quiet, start_new_session=True)
    base = f"http://127.0.0.1:{port}"
    try:
        _wait(base, server)
        yield base
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait()


def _wait(base: str, server: subprocess.Popen) -> None:
    for _ in range(600):
        if server.poll() is not None:
            raise RuntimeError(f"The server ended with {server.returncode} before it answered. Is there a build?")
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"{base}/", timeout=60).read()
            return
        time.sleep(0.1)
    raise RuntimeError(f"{base} did not answer for a minute.")


def _rate(base: str, paths: list[str], folder: Path, seconds: int, connections: int) -> float:
    """Right answers a second."""
    (folder / "paths.txt").write_text("".join(f"{path}\n" for path in paths), encoding="ascii")
    script = folder / "ask.lua"
    script.write_text(LUA.replace("PATHS", str(folder / "paths.txt")), encoding="ascii")
    wrk = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "30s", "-s", str(script), base]
    said = subprocess.run(wrk, capture_output=True, text=True, check=True).stdout
    answered, micros, wrong = map(int, re.search(r"answered (\d+) in (\d+), wrong (\d+)", said).groups())
    if wrong > answered // 100:
        raise RuntimeError(f"{wrong} of {answered} answers of {base} are errors: {paths[0]}")
    return (answered - wrong) / (micros / 1e6)


def main() -> int:
    """Measures, prints a row for each; 0 when ours keeps within the bounds, else 1."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--processors", default="0,1")
    parser.add_argument("--connections", type=int, default=8)
    found = ratios(**vars(parser.parse_args()))
    for name, ratio in found.items():
        print(f"ratio   {name:11} {ratio:8.2f}   (at least {BOUNDS[name]})")
    return 0 if all(found[name] >= least for name, least in BOUNDS.items()) else 1


if __name__ == "__main__":
    raise SystemExit(main())
