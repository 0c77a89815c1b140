"""Subject lines: what provisions are about, in a few words of every language; ``subject-lines.tsv``.

A page that lists provisions of a text in another language shows a reader the line in his own. A line is ours: it names
the subject, as a heading does, and rules nothing. Its row names the provisions that it is of, one of each edition at
most, and has a cell for each language::

    nodes                                     pl                     sk            hr              en
    sk-2017/92/B pl-2007/92/B hr-1997/92/B    Termin odwołania       Lehota …      Rok za žalbu    Time for an appeal

A reader of the laws writes a line, and two others read it against the texts of all its provisions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from corpus import files
from corpus.files import LocalizedText
from corpus.model import Node, NodeId, Problem

FILE = "subject-lines.tsv"
NODES_COLUMN = "nodes"
MAX_LENGTH = 60  # characters: a line of a phone, or two


@dataclass(frozen=True)
class SubjectLine:
    """What the provisions ``nodes`` are about: language → a few words."""

    nodes: tuple[NodeId, ...]
    text: LocalizedText


def read_subject_lines(
    corpus_dir: Path, nodes: Mapping[NodeId, Node], editions: Collection[str]
) -> tuple[tuple[SubjectLine, ...], list[Problem]]:
    """Return every sound row of the table, checked against the texts, and the problems. Without a file there is none.

    ``nodes`` are those of the editions that were read; a provision of another of the ``editions`` is left out.
    """
    sheet = files.read_tsv(corpus_dir / FILE, FILE)
    problems, lines, places = list(sheet.problems), list[SubjectLine](), dict[NodeId, int]()
    languages = [column for column in sheet.columns if column != NODES_COLUMN]
    if sheet.columns and (sheet.columns[0] != NODES_COLUMN or not languages):
        move = f"Write {NODES_COLUMN}, then codes of languages, TAB between."
        return (), [*problems, sheet.problem(1, f"The header is “{' '.join(sheet.columns)}”.", move)]
    read_here = {id_.edition for id_ in nodes}
    for line, row in sheet.rows:
        named = [NodeId(name) for name in row[NODES_COLUMN].split()]
        text = LocalizedText({lang: row[lang].strip() for lang in languages})
        faults = [*_node_faults(named, nodes, editions, read_here, places), *_text_faults(text)]
        problems += (sheet.problem(line, *fault) for fault in faults)
        if not faults:
            places |= dict.fromkeys(named, line)
            lines.append(SubjectLine(tuple(id_ for id_ in named if id_ in nodes), text))
    return tuple(lines), problems


def _node_faults(
    named: Collection[NodeId],
    nodes: Mapping[NodeId, Node],
    editions: Collection[str],
    read_here: Collection[str],
    places: Mapping[NodeId, int],
) -> Iterator[tuple[str, str]]:
    """Yield (finding, move) for what is wrong with the provisions of a row. ``places``: provision → its line above."""
    if not named:
        yield "No provision is named.", "Write its id, the edition and the path."
    for id_ in named:
        if id_.edition not in editions or (id_.edition in read_here and id_ not in nodes):
            yield f"There is no {id_}.", "Correct the id."
        if id_ in places:
            yield f"{id_} has a line before (line {places[id_]}).", "Remove one of the two."
    if len({id_.edition for id_ in named}) < len(named):
        yield "Two provisions are of one edition.", "Give each a row, so that a reader can tell them apart."


def _text_faults(text: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield (finding, move) for what is wrong with the words of a row."""
    for lang, words in text.items():
        if not words:
            yield f"There is no line in “{lang}”.", "Write what the provision is about."
        elif len(words) > MAX_LENGTH:
            yield f"“{words}” ({lang}) has {len(words)} characters.", f"Write {MAX_LENGTH} at most."


def lines_by_node(lines: Iterable[SubjectLine]) -> dict[NodeId, LocalizedText]:
    """Return provision → its line."""
    return {id_: line.text for line in lines for id_ in line.nodes}
