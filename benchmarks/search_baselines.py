"""Our judged queries answered by Whoosh with default settings and by SQLite FTS5, on the same provisions.

    python benchmarks/search_baselines.py

Whoosh: TEXT fields with the standard analyser, MultifieldParser (heading, text), first with its default (all words),
then with any word. SQLite: FTS5, unicode61, remove_diacritics 2, words joined by OR, ordered by rank. Filtered by
language as ours; across languages without a filter. They have no counterparts, and an empty answer is their only
honesty.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from whoosh.fields import ID, TEXT, Schema
from whoosh.filedb.filestore import RamStorage
from whoosh.qparser import MultifieldParser, OrGroup
from whoosh.query import Term

sys.path.insert(0, str(Path(__file__).parent))
from search import fts5

from corpus.generation import Generation, build_dir
from corpus.library import Library
from index.answer import Hit, SearchAnswer
from index.build import is_document
from index.search import Searcher
from scripts.evaluate import make_api_search, read_queries, report_lines, run_queries


def answer(library: Library, query: str, ids: list[str]) -> SearchAnswer:
    """Hits without anything else."""
    hits = tuple(Hit(library.nodes[id_], (), (), ()) for id_ in ids)
    return SearchAnswer(query, "text", None, len(ids), bool(ids), hits)


def whoosh_default(library: Library, group=None):
    """``search(query, lang, across)`` over an index with Whoosh's own analyser, parser and ranking."""
    ix = RamStorage().create_index(Schema(id=ID(stored=True), lang=ID, heading=TEXT, text=TEXT))
    writer = ix.writer()
    for node in library.nodes.values():
        if is_document(node):
            writer.add_document(id=node.id, lang=node.lang, heading=node.heading or "", text=node.text)
    writer.commit()
    searcher = ix.searcher()
    parser = MultifieldParser(["heading", "text"], ix.schema, **({"group": group} if group else {}))

    def search(query: str, lang: str, across: bool) -> SearchAnswer:
        hits = searcher.search(parser.parse(query), limit=20, filter=None if across else Term("lang", lang))
        return answer(library, query, [h["id"] for h in hits])

    return search


def sqlite_default(library: Library):
    """The same over SQLite FTS5."""
    db = fts5(library)

    def search(query: str, lang: str, across: bool) -> SearchAnswer:
        match = " OR ".join(f'"{w}"' for w in re.findall(r"\w+", query))
        rows = db.execute(
            "SELECT id FROM provision WHERE provision MATCH ? AND (? OR lang = ?) ORDER BY rank LIMIT 20",
            (match, across, lang),
        ).fetchall()
        return answer(library, query, [r[0] for r in rows])

    return search


def main() -> None:
    """Prints a report for each engine."""
    made = Generation.open_latest(build_dir())
    library, queries = Library.open(made), read_queries()
    engines = {
        "lexbridge": make_api_search(Searcher.open(made, library), library),
        "Whoosh, default": whoosh_default(library),
        "Whoosh, any word": whoosh_default(library, OrGroup),
        "SQLite FTS5": sqlite_default(library),
    }
    for name, search in engines.items():
        print(f"\n{name}\n" + "\n".join(report_lines(run_queries(search, queries, library))))


if __name__ == "__main__":
    main()
