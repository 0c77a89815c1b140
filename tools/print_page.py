"""Prints pages of docs/ that are made from the corpus; a test compares the printed page with the file."""

from __future__ import annotations

import sys
from collections.abc import Callable

from corpus import generation
from corpus.ingest import read_editions
from corpus.layers import IngestResult


def print_document(page_text: Callable[[IngestResult], str]) -> None:
    """Print a page made from the corpus; where the corpus has fatal problems, exit with these instead.

    ``page_text`` returns the page.
    """
    result = read_editions(generation.corpus_dir())
    if result.fatal_problems:
        sys.exit("\n".join(map(str, result.fatal_problems)))
    print(page_text(result), end="")
