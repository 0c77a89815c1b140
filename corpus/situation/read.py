"""Reads ``situations/*.toml`` and ``situations/readings.tsv``, and checks them.

:func:`read_situations` returns the situations whose quotations were found, and every fault with file and line. It
runs the checks of ``placement`` and ``problems``.

``readings.tsv`` records who worked through a row with the texts: a digest of what was read, the role of the reader,
and the day. Two readers besides the author read each row. A row with another digest has changed since. The digest
covers the conditions (with the words of question and answers), provisions, quoted words, duties and sentences. The
closed lists are read entry by entry; such a line names ``vocabulary``, the list and the id.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from corpus import files, schema
from corpus.files import InvalidFile, TomlFile
from corpus.model import Node, NodeId, Problem
from corpus.schema import Fault
from corpus.score.model import GROUPS as SCORE_GROUPS
from corpus.situation import placement
from corpus.situation.model import DOCS, Duty, Row, Situation, Situations, Slice, Vocabulary, read_vocabulary
from corpus.situation.next_step import read_next_steps, row_faults, target_faults
from corpus.situation.phrases import phrase_problems
from corpus.situation.placement import QuotedTexts
from corpus.situation.problems import coverage_problems, drawing_faults, path_faults, table_faults, wording_faults
from corpus.situation.spoken import read_sentences, sentence_problems, with_steps

# -- Who has read each row ---

FILE = "situations/readings.tsv"
COLUMNS = ("situation", "code", "row", "digest", "reader", "date")
READERS = ("second", "third")  # the first one wrote the row
VOCABULARY = "vocabulary"  # in the column of the situation: an entry of a closed list was read


class ReadingKey(NamedTuple):
    """Names what reviewers read and confirm: a row of a situation's table for one code, or an entry of a closed list.

    For an entry the three fields hold the word ``vocabulary``, the name of the list, and the id of the entry.
    """

    situation: str
    code: str
    row: str


def reading_digests(
    situations: Iterable[Situation], vocabulary: Vocabulary, nodes: Mapping[NodeId, Node]
) -> dict[ReadingKey, str]:
    """Return key → digest of the present content, for every row of every table and every entry of the closed lists."""
    out = {
        ReadingKey(s.id, code, row.id): _digest(_row_content(s, code, row, nodes))
        for s in situations
        for code, table in s.table.items()
        for row in table.row
    }
    for name, entries in vars(vocabulary).items():
        out |= {ReadingKey(VOCABULARY, name, id_): _digest(dict(words)) for id_, words in entries.items()}
    return out


def reading_problems(
    corpus_dir: Path, now: Mapping[ReadingKey, str], place_of: Callable[[ReadingKey], tuple[str, int]]
) -> Iterator[Problem]:
    """Yield the problems of ``readings.tsv``, and one for each row or entry that not both reviewers read as it is now.

    The problems of rows and entries are not fatal. They are left out when the file is missing. ``now`` comes from
    :func:`reading_digests`; ``place_of`` returns the file and line of a row or entry.
    """
    sheet = files.read_tsv(corpus_dir / FILE, FILE, COLUMNS)
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
            move = "Read it against the texts, then record it: python -m tools.record_readings."
            yield Problem(*place_of(key), finding, move, False)


def _digest(value: Any) -> str:
    """Return the first 16 hexadecimal digits of the SHA-256 of a value as JSON."""
    said = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def _row_content(situation: Situation, code: str, row: Row, nodes: Mapping[NodeId, Node]) -> Any:
    """Return what the digest of a row covers, as a value for JSON."""
    asks = {ask.id: ask for ask in situation.ask}
    return {
        "if": [_condition_content(asks[id_], answers, code) for id_, answers in row.if_.items()],
        "says": _slices_content(row.says, nodes),
        "duties": _duties_content(row.duties),
        "off": row.off,
        "then": [
            [x.when, x.kind, x.by, _slices_content(x.says, nodes), _duties_content(x.duties), x.off] for x in row.then
        ],
        "steps": [[step.when, [[s.clause, s.text] for s in step.say]] for step in row.steps],
        "also": [
            [_answers_content(x.if_), _slices_content(x.says, nodes), _duties_content(x.duties), x.off]
            for x in row.also
        ],
        "goto": row.goto
        and [row.goto.situation, row.goto.answers, _answers_content(row.goto.closed), _duties_content(row.goto.duties)],
        "none": row.none,
        "differs": row.differs,
    }


def _condition_content(ask: Any, answers: Collection[str], code: str) -> Any:
    texts = {answer.id: answer.text for answer in ask.answer}
    ticks = [[path, ask.tick_texts.get(code, {}).get(path)] for path in ask.ticks.get(code, ())]
    return [ask.id, ask.when, ask.question, ticks, [[a, texts.get(a, {})] for a in answers]]


def _answers_content(conditions: Mapping[str, Collection[str]]) -> Any:
    return {ask: list(answers) for ask, answers in conditions.items()}


def _slices_content(slices: Iterable[Slice], nodes: Mapping[NodeId, Node]) -> Any:
    return [[s.path, [[q.node, nodes[q.node].words_of_span(q)] for q in s.quotes]] for s in slices]


def _duties_content(duties: Iterable[Duty]) -> Any:
    return [[*d.order, d.words, [[m.slip, m.state, m.reason] for m in d.misprints]] for d in duties]


# -- Reading the folder ---

FOLDER = "situations"
FurtherChecks = Callable[[Situation], Iterable[Fault]]


def read_situations(corpus_dir: Path, texts: QuotedTexts, further: FurtherChecks) -> tuple[Situations, list[Problem]]:
    """Return every situation of the folder, and what is wrong with them. No folder means no situations.

    They are checked against the texts and against each other. ``further`` yields more faults of a situation whose
    quotations were found and whose tables are sound. Situations are in the order of the phases, then of their tiles,
    then of their ids.
    """
    paths = sorted((corpus_dir / FOLDER).glob("*.toml"))
    if not paths:
        return Situations(), []
    vocabulary, problems = read_vocabulary(corpus_dir / "vocabulary")
    rules, faults = placement.read_rules(corpus_dir / "vocabulary", vocabulary)
    problems += faults
    files: dict[str, tuple[TomlFile, Situation]] = {}
    for path in paths:
        try:
            files[path.stem] = schema.read_named_file(Situation, path, DOCS, "id")
        except InvalidFile as refused:
            problems += refused.problems
    sentences, faults = read_sentences(corpus_dir, vocabulary, (path.stem for path in paths))
    problems += [*faults, *phrase_problems(corpus_dir, sentences, vocabulary)]
    texts = replace(texts, quoted=_quoted_editions(s for _, s in files.values()) & frozenset(texts.codes))
    every = {id_: situation for id_, (_, situation) in files.items()}
    steps, steps_file, faults = read_next_steps(corpus_dir / "vocabulary", vocabulary)
    problems += faults
    if steps_file and len(every) == len(paths):  # a target may be in a file that could not be read
        misled = target_faults(steps, every, SCORE_GROUPS)
        wrong = [steps_file.problem(("leaves", n, "next", m), f.finding, f.move) for n, m, f in misled]
        problems += wrong
        steps_file = None if wrong else steps_file
    placed = []
    for written, situation in files.values():
        unsound = list(table_faults(situation))
        found = [*wording_faults(situation, vocabulary), *unsound, *path_faults(situation, every)]
        found += drawing_faults(situation)
        found += row_faults(steps, situation, every) if steps_file and len(every) == len(paths) else ()
        done, unplaced = placement.place_quotations(situation, texts)
        if unplaced:
            found += () if texts.unread else unplaced
        elif not texts.unread:
            done, disordered = placement.place_orders(done, texts, rules.orders)
            done, unspoken = with_steps(done, sentences) if not unsound else (done, [])
            found += (*disordered, *unspoken, *(() if unsound else further(done)))
        problems += [written.problem(f.at, f.finding, f.move, f.words) for f in found]
        placed.append(replace(done, bundle={code: tuple(_bundle_paths(done, code, every)) for code in done.provisions}))
    problems += [*_duplicate_claim_problems(files), *coverage_problems(corpus_dir / FOLDER, every, texts, paths)]
    problems += sentence_problems(sentences) if not texts.unread else ()
    problems += placement.companion_problems(every, rules, {id_: written for id_, (written, _) in files.items()})
    if not texts.unread and not any(p.fatal for p in problems):
        place_of = lambda key: _place_of_row(key, files)
        problems += reading_problems(corpus_dir, reading_digests(placed, vocabulary, texts.nodes), place_of)
    order = {phase: n for n, phase in enumerate(vocabulary.phases)}
    placed.sort(key=lambda s: (order.get(s.phase, len(order)), s.tile or len(placed) + 1, s.id))
    return Situations(tuple(placed), vocabulary, steps), problems


def _place_of_row(key: ReadingKey, files: Mapping[str, tuple[TomlFile, Situation]]) -> tuple[str, int]:
    """The file and line of a row; an entry of a closed list has that of the readings."""
    if key.situation not in files:
        return FILE, 1
    written, situation = files[key.situation]
    number = next(n for n, row in enumerate(situation.table[key.code].row) if row.id == key.row)
    return written.name, written.line_of(("table", key.code, "row", number))


def _quoted_editions(situations: Iterator[Situation]) -> frozenset[str]:
    """Return the editions whose words are quoted anywhere. Only these must be quoted everywhere."""
    return frozenset(
        edition
        for situation in situations
        for table in situation.table.values()
        for row in table.row
        for s in row.slices
        for edition in s.words
    )


MAX_BUNDLE = 8  # provisions; more cannot be taken in at a glance


def _bundle_paths(situation: Situation, code: str, every: Mapping[str, Situation]) -> Iterator[str]:
    """Yield the provisions that rule a situation and, where there is room, the deciding ones of similar situations."""
    own = situation.provisions[code]
    near = (every[id_].provisions.get(code, ())[:1] for id_ in situation.near if id_ in every)
    others = [path for paths in near for path in paths if path not in own]
    yield from (*own, *list(dict.fromkeys(others))[: max(0, MAX_BUNDLE - len(own))])


def _duplicate_claim_problems(files: Mapping[str, tuple[TomlFile, Situation]]) -> Iterator[Problem]:
    """Yield a problem for each sentence, each place among the commonest calls, and for the bids, that two claim."""
    first: dict[tuple[str, str], str] = {}
    for id_, (written, situation) in files.items():
        for lang, sentences in situation.said.items():
            for sentence in sentences:
                other = first.setdefault((lang, sentence.casefold()), id_)
                if other != id_:
                    move = "Leave it to the one that it describes."
                    yield written.problem(("said", lang), f"“{sentence}” is said of “{other}”, too.", move, sentence)
        other = first.setdefault(("tile", str(situation.tile)), id_) if situation.tile else id_
        if other != id_:
            finding = f"“{other}” has the place {situation.tile} among the commonest calls, too."
            yield written.problem(("tile",), finding, "Give one of them another place.")
        other = first.setdefault(("takes", situation.takes), id_) if situation.takes else id_
        if other != id_:
            finding = f"“{other}” takes {situation.takes}, too."
            yield written.problem(("takes",), finding, "Remove “takes” from one of them.")
