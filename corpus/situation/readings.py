"""Who worked a row through against the texts, ``situations/readings.tsv``: a digest of what was read, the role of the
reader and the day. A row whose digest is another one changed since; two readers beside the writer read each.

A row's digest covers its conditions (with the words of question and answers), provisions, quoted words, duties and
sentences. The closed lists are read entry by entry: ``vocabulary``, the list, the id.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from corpus.checked import tsv
from corpus.model import Node, NodeId, Problem
from corpus.situation.model import Duty, Row, Situation, Slice
from corpus.situation.vocabulary import Vocabulary

FILE = "situations/readings.tsv"
COLUMNS = ("situation", "code", "row", "digest", "reader", "date")
READERS = ("second", "third")  # the first one wrote the row
VOCABULARY = "vocabulary"  # stands in place of a situation where an entry of a closed list was read


class ReadingKey(NamedTuple):
    """What is read: a row of a code of a situation; of a closed list an entry."""

    situation: str
    code: str
    row: str


def reading_digests(situations: Iterable[Situation], vocabulary: Vocabulary, nodes: Mapping[NodeId, Node]) -> dict[ReadingKey, str]:
    """What there is to read, each with the digest of what stands there now."""
    out = {
        ReadingKey(s.id, code, row.id): _digest(_row(s, code, row, nodes))
        for s in situations
        for code, table in s.table.items()
        for row in table.row
    }
    for name, entries in vars(vocabulary).items():
        out |= {ReadingKey(VOCABULARY, name, id_): _digest(dict(words)) for id_, words in entries.items()}
    return out


def reading_problems(corpus_dir: Path, now: Mapping[ReadingKey, str], lines: Mapping[ReadingKey, tuple[str, int]]) -> Iterator[Problem]:
    """Faults of the file, and a note for each row that changed since two readers read it; no file is no note.

    ``lines``: file and line of each row.
    """
    sheet = tsv.read_tsv(corpus_dir / FILE, FILE, COLUMNS)
    yield from sheet.problems
    read: dict[ReadingKey, set[str]] = defaultdict(set)
    for line, cells in sheet.rows:
        key = ReadingKey(cells["situation"], cells["code"], cells["row"])
        if cells["reader"] not in READERS:
            yield sheet.problem(line, f"The reader is “{cells['reader']}”.", f"Write {' or '.join(READERS)}.")
        if key not in now:
            finding = f"There is no row “{key.row}” of {key.code} in “{key.situation}”."
            yield sheet.problem(line, finding, "Remove the line.")
        elif cells["digest"] == now[key]:
            read[key].add(cells["reader"])
    for key in now if sheet.columns else ():
        if missing := [r for r in READERS if r not in read[key]]:
            finding = f"“{key.row}” of {key.code} is not read by the {' and the '.join(missing)} reader as it stands."
            move = "Read it against the texts, then record it: python -m scripts.readings."
            yield Problem(*lines.get(key, (FILE, 1)), finding, move, False)


def _digest(value: Any) -> str:
    said = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def _row(situation: Situation, code: str, row: Row, nodes: Mapping[NodeId, Node]) -> Any:
    asks = {ask.id: ask for ask in situation.ask}
    return {
        "if": [_condition(asks[id_], answers, code) for id_, answers in row.if_.items()],
        "says": _says(row.says, nodes),
        "duties": _duties(row.duties),
        "off": row.off,
        "then": [[x.when, x.kind, x.by, _says(x.says, nodes), _duties(x.duties)] for x in row.then],
        "also": [[_met(x.if_), _says(x.says, nodes), _duties(x.duties), x.off] for x in row.also],
        "goto": row.goto and [row.goto.situation, row.goto.answers, _met(row.goto.closed), _duties(row.goto.duties)],
        "none": row.none,
        "differs": row.differs,
    }


def _condition(ask: Any, answers: Collection[str], code: str) -> Any:
    texts = {answer.id: answer.text for answer in ask.answer}
    return [ask.id, ask.question, ask.ticks.get(code, ()), [[a, texts.get(a, {})] for a in answers]]


def _met(conditions: Mapping[str, Collection[str]]) -> Any:
    return {ask: list(answers) for ask, answers in conditions.items()}


def _says(slices: Iterable[Slice], nodes: Mapping[NodeId, Node]) -> Any:
    return [[s.path, [[q.node, nodes[q.node].words_of(q)] for q in s.quotes]] for s in slices]


def _duties(duties: Iterable[Duty]) -> Any:
    return [[*d.order, d.words, [[m.slip, m.state, m.reason] for m in d.misprints]] for d in duties]
