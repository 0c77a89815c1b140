"""Everyday words for what a provision decides: ``tellings/<edition>.tsv`` (docs/add-a-telling.md).

They are written by a reader of the laws and read again blind by two others. A row names a provision and says in each
language, in a column of its own, how somebody tells or asks of what it decides. Nothing of it is law, and no page
prints it: the search alone reads it, and what corresponds to the provision in other editions is found by the same
words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from corpus.alphabet import fold
from corpus.checked import tsv
from corpus.model import Node, NodeId, Problem

PARAPHRASES = "tellings"
PATH = "path"


@dataclass(frozen=True)
class Telling:
    """What is told where the provision ``of`` decides: language → a sentence or a few words."""

    of: NodeId
    said: Mapping[str, str]


def read_paraphrases(
    corpus_dir: Path, nodes: Mapping[NodeId, Node], editions: Collection[str], languages: Collection[str]
) -> tuple[tuple[Telling, ...], list[Problem]]:
    """Every row of the tables, checked against the texts. ``nodes``: of the editions that were read; ``editions``: ids
    of all that there is a folder for.
    """
    tellings: list[Telling] = []
    problems: list[Problem] = []
    told: dict[tuple[str, str], tuple[str, NodeId]] = {}
    read_here = {id_.edition for id_ in nodes}
    for path in sorted((corpus_dir / PARAPHRASES).glob("*.tsv")):
        sheet = tsv.read_tsv(path, path.relative_to(corpus_dir).as_posix())
        problems += sheet.problems
        if path.stem not in editions:
            problems.append(sheet.problem(1, f"There is no edition “{path.stem}”.", "Name the file after an edition."))
        if sheet.columns and (sheet.columns[0] != PATH or unknown_of(sheet.columns, languages)):
            known = ", ".join(sorted(languages))
            finding = f"The header is “{' '.join(sheet.columns)}”."
            problems.append(sheet.problem(1, finding, f"Write {PATH}, then codes of languages ({known}), TAB between."))
            continue
        for line, row in sheet.rows if path.stem in read_here else ():
            id_ = NodeId.of(path.stem, row[PATH])
            said = {lang: words.strip() for lang, words in row.items() if lang != PATH}
            faults = list(_faults(id_, said, nodes, told))
            problems += (sheet.problem(line, *fault) for fault in faults)
            if not faults:
                place = f"{sheet.name}:{line}"
                told |= {(lang, fold(words)): (place, id_) for lang, words in said.items()}
                tellings.append(Telling(id_, said))
    return tuple(tellings), problems


def unknown_of(columns: Collection[str], languages: Collection[str]) -> list[str]:
    """The columns that are neither the path nor a language."""
    return [c for c in columns if c != PATH and c not in languages]


def _faults(
    id_: NodeId,
    said: Mapping[str, str],
    nodes: Mapping[NodeId, Node],
    told: Mapping[tuple[str, str], tuple[str, NodeId]],
) -> Iterator[tuple[str, str]]:
    """(finding, move) for what is wrong with a row; ``told``: what was said before it, and where."""
    if id_ not in nodes:
        yield f"There is no {id_}.", "Correct the path."
    for lang, words in said.items():
        if not words:
            yield f"Nothing is said in “{lang}”.", "Write how it is told there."
        elif before := told.get((lang, fold(words))):
            place, other = before
            yield f"“{words}” was said of {other} before ({place}).", "Keep one of the two, or tell them apart."
