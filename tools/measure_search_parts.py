"""Measures what each part of the search earns, by kind of query and by language.

``python -m tools.measure_search_parts`` prints a table for docs/search.md: the search with all parts, and without
each. It uses the held-out half of the blind queries, which nobody has looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import click

from corpus.generation import Generation, build_dir
from corpus.library import Library
from index import opening
from index.concept import Concepts
from index.engine import ArrayEngine
from index.opening import Index
from index.search import Searcher
from index.weights import WEIGHTS, RankingWeights
from scripts.evaluate import BLIND_QUERIES, QueryOutcome, make_api_search, read_queries, run_queries

IndexChange = Callable[[Index], Index]


class SearchPart(NamedTuple):
    """A part of the search, and how it is left out: by other ``weights``, or by a ``change`` of the index."""

    name: str
    weights: Mapping[str, float]
    change: IndexChange = lambda index: index


def _without_players(index: Index) -> Index:
    """Return the index without players' words that no term has: synonyms and loan words."""
    with TemporaryDirectory() as folder:
        return replace(index, concepts=Concepts.load(Path(folder), dict(index.lexicons), index.library.terms))


def _without_names_of_several_words(index: Index) -> Index:
    """Return the index without any name of several words, in texts or queries: neither terms nor players' words."""
    with TemporaryDirectory() as folder:
        return replace(index, concepts=Concepts.load(Path(folder), dict(index.lexicons), {}))


NOT_LEARNED = {"told_law": 0.0, "told_situation": 0.0, "told_section": 0.0, "other_section": 1.0}
PARTS = (
    SearchPart("all of them", {}),
    SearchPart("classifier: situations, laws, provisions", NOT_LEARNED),
    SearchPart("– the provisions of a law", {"told_section": 0.0, "other_section": 1.0}),
    SearchPart("– the situations", {"told_situation": 0.0}),
    SearchPart("– the laws", {"told_law": 0.0}),
    SearchPart("players' words: synonyms, loans", {}, _without_players),
    SearchPart("terms, and players' words", {}, _without_names_of_several_words),
    SearchPart("who and which card weigh little", {"aside": 1.0}),
    SearchPart("grouping: one law after another", {"same_law": 1.0}),
    SearchPart("what editions agree on", {"agreement": 0.0}),
)


def table_rows(library: Library, made: Generation) -> Iterator[str]:
    """Yield the rows of a Markdown table: its head, and a row for each part that is left out."""
    index = opening.open_index(made, library)
    engine = ArrayEngine.open(index.folder, len(index.documents))
    judged = [q for q in read_queries(BLIND_QUERIES) if q.is_held_out]
    groups: list[tuple[str, Callable[[QueryOutcome], bool]]] = [
        ("all", lambda o: o.judged.kind != "nothing"),
        *((kind, lambda o, kind=kind: o.judged.kind == kind) for kind in ("situation", "ruling", "jargon")),
        *((lang, lambda o, lang=lang: o.judged.lang == lang) for lang in sorted({q.lang for q in judged})),
    ]
    yield "| left out | " + " | ".join(f"{name} S@1 S@3" for name, _ in groups) + " |"
    yield "|---" * (len(groups) + 1) + "|"
    for part in PARTS:
        searcher = Searcher(part.change(index), engine, _changed_weights(part.weights))
        outcomes = [
            o for o in run_queries(make_api_search(searcher, library), judged, library) if o.judged.kind != "nothing"
        ]
        cells = (_score_cell([o for o in outcomes if of(o)]) for _, of in groups)
        yield f"| {part.name} | " + " | ".join(cells) + " |"


def _changed_weights(values: Mapping[str, Any]) -> RankingWeights:
    return replace(WEIGHTS, **values)


def _score_cell(outcomes: list[QueryOutcome]) -> str:
    share = lambda k: sum(o.within(k) for o in outcomes) / (len(outcomes) or 1)
    return f"{share(1):.3f} {share(3):.3f}"


@click.command()
def main() -> None:
    """Print the table."""
    made = Generation.open_latest(build_dir())
    for row in table_rows(Library.open(made), made):
        click.echo(row)


if __name__ == "__main__":
    main()
