"""What becomes of build and answers when there are twenty times as many editions, and when there is one.

    python -m benchmarks.scale [--times 20] [--only 1 20 alone]

Copies of every edition stand under other ids, as if other federations had translated the same laws: `pl-2007` as
`pla-2007`, `plb-2007` … Terms are said of copies, too; concordances, paraphrases, conditions and rulings are not, so
that what corresponds to a copy is computed. Measured for each corpus: a build, a build after the words of one edition
changed, its size, the memory of a worker, the first answer of a server, and how long answers take that one reader asks
for. Ratios count; seconds stand beside them.
"""

from __future__ import annotations

import argparse
import hashlib
import http.client
import os
import random
import re
import shutil
import string
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import quote

from corpus.generation import corpus_dir
from corpus.inventory import FILE as INVENTORY
from tools.soak.served import ServerProcess, free_port
from tools.soak.texts import MarkedTexts

ASKED = 400  # answers of a kind
ALONE = "pl-2007"
DECISIONS = "pzbs-"  # belong to a body, which names them
SLIPS = "slips.toml"  # whose evidence is of other editions
LOANS = "loans.toml"  # which names terms
WORDS = "karta rozgrywający odzywka licytacja wist renons zgłoszenie roszczenie obrońca lewa".split()


def main() -> int:
    """Measure, print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--only", nargs="*", help="1, the number of --times, alone")
    asked = parser.parse_args()
    many = str(asked.times)
    corpora: dict[str, Callable[[Path], None]] = {
        "1": lambda _: None,
        many: lambda folder: multiply(folder, asked.times),
        "alone": leave_alone,
    }
    found: dict[str, dict[str, float]] = {}
    for name, change in corpora.items():
        if asked.only is None or name in asked.only:
            with tempfile.TemporaryDirectory(prefix="lexbridge-scale-") as folder:
                found[name] = {}
                for what, value in measured(Path(folder), change):
                    found[name][what] = value
                    print(f"{name}: {what}: {value:.3g}", flush=True)
    print(f"\n| what | ×1 | ×{many} | ratio | {ALONE} alone |\n|---|---|---|---|---|")
    for what in next(iter(found.values())):
        one, more, alone = (found.get(name, {}).get(what, float("nan")) for name in ("1", many, "alone"))
        print(f"| {what} | {one:.3g} | {more:.3g} | {more / one:.1f} | {alone:.3g} |")
    return 0


def multiply(corpus: Path, times: int) -> None:
    """Every edition stands in a corpus so many times, and every term says of each copy what it says of the edition."""
    editions = corpus / "editions"
    copies: dict[str, list[str]] = {}
    for edition in sorted(path for path in editions.iterdir() if not path.name.startswith(DECISIONS)):
        lang, year = edition.name.rsplit("-", 1)
        copies[edition.name] = [f"{lang}{letter}-{year}" for letter in string.ascii_lowercase[: times - 1]]
        for number, copy in enumerate(copies[edition.name], 1):
            _copy(edition, editions / copy, number)
    for term in (corpus / "terms").glob("*.toml"):
        text = term.read_text(encoding="utf-8")
        for id_, ids in copies.items():
            alike = lambda m, id_=id_, ids=ids: "".join(of + m[1] for of in [id_, *ids])
            text = re.sub(rf"^{id_}( = .*\n)", alike, text, flags=re.MULTILINE)
        term.write_text(text, encoding="utf-8")


def _copy(edition: Path, target: Path, number: int) -> None:
    """An edition under another id. Its source is longer by blank lines: no two editions may have the same."""
    shutil.copytree(edition, target)
    (target / SLIPS).unlink(missing_ok=True)
    source = target / "source.txt"
    source.write_bytes(source.read_bytes() + b"\n" * number)
    digest = hashlib.sha256(source.read_bytes()).hexdigest()
    manifest = (target / "edition.toml").read_text(encoding="utf-8")
    manifest = re.sub(r'^sha256 = ".*"$', f'sha256 = "{digest}"', manifest, flags=re.MULTILINE)
    (target / "edition.toml").write_text(manifest, encoding="utf-8")


def leave_alone(corpus: Path) -> None:
    """One edition stands in a corpus, without what was reviewed beside others."""
    for edition in (corpus / "editions").iterdir():
        if edition.name != ALONE:
            shutil.rmtree(edition)
    (corpus / "editions" / ALONE / SLIPS).unlink()
    (corpus / "words" / LOANS).unlink()
    (corpus / INVENTORY).unlink()
    for name in ("concordances", "paraphrases", "conditions", "rulings", "situations", "terms"):
        shutil.rmtree(corpus / name, ignore_errors=True)


def measured(work: Path, change: Callable[[Path], None]) -> Iterator[tuple[str, float]]:
    """What is measured of a corpus, with its unit; as it is found, for twenty times take an hour."""
    plain = work / "plain"
    shutil.copytree(corpus_dir(), plain, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    change(plain)
    texts = MarkedTexts(plain, work / "corpus", 1, only=(ALONE,))
    build, port = work / "build", free_port()
    env = os.environ | {
        "LEXBRIDGE_CORPUS": str(texts.folder),
        "LEXBRIDGE_BUILD": str(build),
        "LEXBRIDGE_URL": f"http://127.0.0.1:{port}",  # as on a server: kept pages are answered at the door
    }
    yield "check, s", _seconds_of("check", env)
    yield "build, s", _seconds_of("build", env)
    generation = (build / "current").resolve()
    yield "generation, MB", sum(p.stat().st_size for p in generation.rglob("*") if p.is_file()) / 1e6
    served = ServerProcess(env, port, 2, work / "log")
    began = time.monotonic()
    try:
        served.start()
        yield "start until the first answer, s", time.monotonic() - began
        for kind, addresses in _asked(served.port).items():
            took = [_took(served.port, address) * 1000 for address in addresses]
            yield f"{kind}, median ms", median(took)
            yield f"{kind}, p99 ms", quantiles(took, n=100)[98]
        yield "memory of a worker, MB", max(held.rss for held in served.worker_usages())
        served.stop()
    finally:
        served.kill()
    texts.change_marks(1)
    yield "build again with one edition changed, s", _seconds_of("build", env)


def _seconds_of(command: str, env: dict[str, str]) -> float:
    """Seconds of a command."""
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "scripts.cli", command], env=env, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{command} ended with {done.returncode}:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return time.monotonic() - began


def _asked(port: int) -> dict[str, list[str]]:
    """Addresses by kind, the same for every corpus: all are of one edition."""
    chosen = random.Random(1)
    laws = [f"/{ALONE}/{n}?ui=pl" for n in range(1, 90)]
    nodes = sorted(set(re.findall(rf'data-id="({ALONE}/[^"]+)"', "".join(_page(port, law) for law in laws))))
    said = lambda: "+".join(chosen.sample(WORDS, chosen.randint(1, 3))) + f"+{chosen.randrange(10_000)}"
    return {
        "law page": chosen.choices(laws, k=ASKED),
        "provision": [f"/{id_}?ui=pl" for id_ in chosen.choices(nodes, k=ASKED)],
        "search": [f"/api/v1/search?q={said()}&qlang=pl" for _ in range(ASKED)],
        "search page": [f"/search?q={said()}&ui=pl" for _ in range(ASKED)],
        "API node": [f"/api/v1/nodes/{id_}" for id_ in chosen.choices(nodes, k=ASKED)],
    }


def _page(port: int, address: str) -> str:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    line.request("GET", address)
    return line.getresponse().read().decode("utf-8")


def _took(port: int, address: str) -> float:
    """Seconds of an answer, on a connection of its own; raises :class:`RuntimeError` when it is none."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    began = time.perf_counter()
    line.request("GET", quote(address, safe="/?=&+"), headers={"Accept-Encoding": "br"})
    answer = line.getresponse()
    answer.read()
    took = time.perf_counter() - began
    line.close()
    if answer.status != 200:
        raise RuntimeError(f"{address} answers {answer.status}.")
    return took


if __name__ == "__main__":
    raise SystemExit(main())
