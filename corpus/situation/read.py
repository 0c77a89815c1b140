"""``situations/*.toml`` → situations whose every word is proved, or every fault with file and line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from corpus.checked import Refused, table, toml
from corpus.checked.rule import Fault, addressed
from corpus.checked.toml import Written
from corpus.model import Problem
from corpus.situation import covered, drawings, orders, quotes, readings, tables, ways, words
from corpus.situation.model import Situation, Situations
from corpus.situation.quotes import QuotedTexts
from corpus.situation.vocabulary import DOCS
from corpus.situation.vocabulary import read as read_vocabulary

FOLDER = "situations"
Further = Callable[[Situation], Iterable[Fault]]


def read_situations(corpus_dir: Path, texts: QuotedTexts, further: Further) -> tuple[Situations, list[Problem]]:
    """Every situation of the folder, checked against the texts and against each other; no folder is no situation.

    ``further`` says what else is wrong with one whose quotations were found.
    """
    paths = sorted((corpus_dir / FOLDER).glob("*.toml"))
    if not paths:
        return Situations(), []
    vocabulary, problems = read_vocabulary(corpus_dir / "vocabulary")
    rules, faults = orders.read(corpus_dir / "vocabulary", vocabulary)
    problems += faults
    files: dict[str, tuple[Written, Situation]] = {}
    for path in paths:
        try:
            files[path.stem] = _read(path)
        except Refused as refused:
            problems += refused.problems
    texts = replace(texts, quoted=_quoted(s for _, s in files.values()) & frozenset(texts.codes))
    every = {id_: situation for id_, (_, situation) in files.items()}
    placed = []
    for written, situation in files.values():
        unsound = list(tables.table_problems(situation))
        found = [*words.wording_problems(situation, vocabulary), *unsound, *ways.path_problems(situation, every)]
        found += drawings.drawing_problems(situation)
        done, unplaced = quotes.place_quotations(situation, texts)
        if unplaced:
            found += () if texts.unread else unplaced
        elif not texts.unread:
            done, disordered = quotes.place_orders(done, texts, rules.orders)
            found += (*disordered, *(() if unsound else further(done)))
        problems += [written.problem(f.at, f.finding, f.move, f.words) for f in found]
        placed.append(replace(done, bundle={code: tuple(_bundle(done, code, every)) for code in done.provisions}))
    problems += [*_twins(files), *covered.coverage_problems(corpus_dir / FOLDER, every, texts, paths)]
    problems += orders.companions(every, rules, {id_: written for id_, (written, _) in files.items()})
    if not texts.unread and not problems:
        lines = {
            readings.ReadingKey(id_, code, row.id): (written.name, written.line(("table", code, "row", n)))
            for id_, (written, situation) in files.items()
            for code, its in situation.table.items()
            for n, row in enumerate(its.row)
        }
        problems += readings.reading_problems(corpus_dir, readings.reading_digests(placed, vocabulary, texts.nodes), lines)
    order = {phase: n for n, phase in enumerate(vocabulary.phases)}
    placed.sort(key=lambda s: (order.get(s.phase, len(order)), s.tile or len(placed) + 1, s.id))
    return Situations(tuple(placed), vocabulary), problems


def _read(path: Path) -> tuple[Written, Situation]:
    written = toml.read_toml(path, path.relative_to(path.parents[1]).as_posix(), ("There is no file.", "Write it."))
    for fault in addressed("name of the file", path.stem):
        raise Refused([written.problem((), fault.finding, fault.move)])
    return written, table.build(Situation, written, DOCS, id=path.stem)


def _quoted(situations: Iterator[Situation]) -> frozenset[str]:
    """The texts whose words are quoted anywhere: only those must be quoted everywhere."""
    return frozenset(
        edition
        for situation in situations
        for its in situation.table.values()
        for row in its.row
        for s in row.slices
        for edition in s.words
    )


BUNDLE = 8  # provisions that a director takes in at a glance


def _bundle(situation: Situation, code: str, every: Mapping[str, Situation]) -> Iterator[str]:
    """What rules a situation; where there is room, what decides each of those that it is confused with."""
    own = situation.provisions[code]
    near = (every[id_].provisions.get(code, ())[:1] for id_ in situation.near if id_ in every)
    others = [path for paths in near for path in paths if path not in own]
    yield from (*own, *list(dict.fromkeys(others))[: max(0, BUNDLE - len(own))])


def _twins(files: Mapping[str, tuple[Written, Situation]]) -> Iterator[Problem]:
    """Sentences that two situations claim, and places among the commonest calls that two want."""
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
