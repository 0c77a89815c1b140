"""How people say the facts that an answer states; ``facts/<language>.tsv``.

``vocabulary/facts.toml`` names the facts: a kind and a value, ``time-after-lead``. A row of the language says by which
words a sentence states one::

    fact             phrases                                  not
    established-no   not_established | before_the_next_trick  established_already

The cells are those of ``spoken/phrases``: see :mod:`corpus.situation.phrases`. A fact whose row is missing is never
read from words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from corpus import files
from corpus.model import Problem
from corpus.situation.model import NamesById
from corpus.situation.phrases import phrase_cell_faults

FOLDER = "facts"
COLUMNS = ("fact", "phrases", "not")


@dataclass(frozen=True)
class FactPhrases:
    """The phrases of a ``fact`` in a language, and those that mean something else; cells as they are written."""

    lang: str
    fact: str
    phrases: str
    excluded: str = ""


def kind_of(fact: str) -> str:
    """Return the kind of a fact.

    >>> kind_of("time-after-lead")
    'time'
    """
    return fact.partition("-")[0]


def read_fact_phrases(corpus_dir: Path, facts: NamesById) -> tuple[tuple[FactPhrases, ...], list[Problem]]:
    """Return the rows of all languages, and what is wrong with them. Without a list of ``facts`` there are none."""
    if not facts:
        return (), []
    rows, problems = list[FactPhrases](), list[Problem]()
    for path in sorted((corpus_dir / FOLDER).glob("*.tsv")):
        sheet = files.read_tsv(path, path.relative_to(corpus_dir).as_posix(), COLUMNS)
        problems += sheet.problems
        seen = set[str]()
        for line, cells in sheet.rows:
            row = FactPhrases(path.stem, cells["fact"], cells["phrases"], cells["not"])
            problems += (sheet.problem(line, *fault) for fault in _row_faults(row, facts, seen))
            seen.add(row.fact)
            rows.append(row)
    return tuple(rows), problems


def _row_faults(row: FactPhrases, facts: NamesById, seen: Iterable[str]) -> Iterator[tuple[str, str]]:
    languages = next(iter(facts.values()))
    if row.lang not in languages:
        yield f"“{row.lang}” is no language of the vocabulary.", f"Choose: {', '.join(languages)}."
    if row.fact not in facts:
        yield f"“{row.fact}” is not among the facts.", "Choose one of vocabulary/facts.toml, or name it there."
    if row.fact in seen:
        yield f"“{row.fact}” has a row before.", "Write its phrases in one row."
    yield from phrase_cell_faults(row.phrases, row.excluded)
