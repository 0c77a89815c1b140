"""How long an answer takes, beside a bare SQLite FTS5 query with ``snippet()`` over the same provisions.

    python benchmarks/search.py [--rounds 3]

Ours is the whole answer in process, uncached: understanding, engine, ranking, snippets of 20 hits, counterparts,
facets. SQLite gets the words of the query joined by OR (unicode61, remove_diacritics 2), ordered by rank, 20 rows
with ``snippet()``. The two are asked in turn and timed by the processor: who else works on the machine counts for
little. Bounds: median ≤ 8×, 99th percentile ≤ 10×.
"""

from __future__ import annotations

import argparse
import re
import sqlite3
import statistics
import time

from app.api.objects import answer_object as answer_json
from corpus.generation import Generation, build_dir
from corpus.library import Library
from index.search import Searcher
from scripts.evaluate import read_queries

MEDIAN_BOUND, P99_BOUND = 8, 10


def fts5(library: Library) -> sqlite3.Connection:
    """Headings and texts of the same provisions in an in-memory FTS5 table."""
    from index.build import is_document

    db = sqlite3.connect(":memory:")
    db.execute(
        "CREATE VIRTUAL TABLE provision USING fts5("
        "id UNINDEXED, lang UNINDEXED, heading, text, tokenize = 'unicode61 remove_diacritics 2')"
    )
    db.executemany(
        "INSERT INTO provision VALUES (?, ?, ?, ?)",
        [(n.id, n.lang, n.heading or "", n.text) for n in library.nodes.values() if is_document(n)],
    )
    return db


def ask_fts5(db: sqlite3.Connection, query: str) -> list:
    """The first 20 rows with snippets; a query without a word finds nothing."""
    match = " OR ".join(f'"{w}"' for w in re.findall(r"\w+", query))
    if not match:
        return []
    return db.execute(
        "SELECT id, snippet(provision, 3, '<mark>', '</mark>', '…', 24) FROM provision WHERE provision MATCH ? "
        "ORDER BY rank LIMIT 20",
        (match,),
    ).fetchall()


def percentile(times: list[float], share: float) -> float:
    """The value that this share of the times does not exceed."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def measure(searcher, db, queries, rounds: int) -> tuple[list[float], list[float]]:
    """Seconds of the processor for every question, ours and theirs."""
    ours, theirs = [], []
    for _ in range(rounds):
        for q in queries:
            filters = {"qlang": q.lang} if q.kind == "crosslingual" else {"langs": (q.lang,)}
            start = time.process_time()
            answer_json(searcher.search(q.query, **filters))
            middle = time.process_time()
            ask_fts5(db, q.query)
            ours.append(middle - start)
            theirs.append(time.process_time() - middle)
    return ours, theirs


def main() -> int:
    """Measures, prints a row for each; 0 when ours keeps within the bounds, else 1."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    made = Generation.open_latest(build_dir())
    library = Library.open(made)
    searcher, db, queries = Searcher.open(made, library), fts5(library), read_queries()
    measure(searcher, db, queries[:20], 1)
    ours, theirs = measure(searcher, db, queries, rounds)
    rows = {
        name: (statistics.median(t) * 1000, percentile(t, 0.99) * 1000)
        for name, t in (("lexbridge", ours), ("SQLite FTS5", theirs))
    }
    for name, (median, p99) in rows.items():
        print(f"{name:12} median {median:7.2f} ms   p99 {p99:7.2f} ms   ({len(ours)} questions)")
    median, p99 = (rows["lexbridge"][i] / rows["SQLite FTS5"][i] for i in (0, 1))
    print(f"ratio        median {median:7.1f} ×    p99 {p99:7.1f} ×    (bounds {MEDIAN_BOUND} × and {P99_BOUND} ×)")
    return 0 if median <= MEDIAN_BOUND and p99 <= P99_BOUND else 1


if __name__ == "__main__":
    raise SystemExit(main())
