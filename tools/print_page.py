"""Pages of docs/ that are made from the corpus: printed by a command, compared by a test."""

from __future__ import annotations

import sys
from collections.abc import Callable

from corpus import generation
from corpus.ingest import Ingest, read_all


def print_document(document: Callable[[Ingest], str]) -> None:
    """Print a page; problems that keep the corpus from being read are printed instead."""
    result = read_all(generation.corpus_dir())
    if result.fatal:
        sys.exit("\n".join(map(str, result.fatal)))
    print(document(result), end="")
