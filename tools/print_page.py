"""Pages of docs/ that are made from the corpus: printed by a command, compared by a test."""

from __future__ import annotations

import sys
from collections.abc import Callable

from corpus import generation
from corpus.ingest import IngestResult, read_editions


def print_document(document: Callable[[IngestResult], str]) -> None:
    """Print a page; problems that keep the corpus from being read are printed instead."""
    result = read_editions(generation.corpus_dir())
    if result.fatal_problems:
        sys.exit("\n".join(map(str, result.fatal_problems)))
    print(document(result), end="")
