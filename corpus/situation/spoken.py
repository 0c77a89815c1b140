"""The sentences that a director says to the players, and which of them speak a row.

``spoken/*.tsv`` holds the sentences. Each names the orders that it speaks, joined by `` + ``:

- ``who do what until:U if:I`` – a duty, in words of the closed lists (:attr:`Duty.written_order`)
- ``off 26/B`` – a provision that does not apply
- ``quotes 23/B/1`` – an ``also`` or ``then`` that orders nothing; the path of the last provision that it quotes
- ``goto bid-out-of-turn`` – a row without duties that goes on in another situation

:func:`read_sentences` reads them, :func:`steps_of_row` chooses those of a row: of the sentences whose orders all belong
to the same step, one with more orders comes first, then one that is meant for the situation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from corpus import files
from corpus.files import LocalizedText
from corpus.model import Problem
from corpus.schema import Fault
from corpus.situation.model import Also, Ask, Later, Row, Situation, SpokenSentence, Step, Vocabulary

FOLDER = "spoken"
MAX_SENTENCES = 3  # in a step: more are not listened to
JOINER = " + "
SENTENCE_ENDS = ".!?"


@dataclass(frozen=True)
class Sentence:
    """A sentence of ``spoken/``. ``only``: the situations that it is for; () for all. ``place``: file and line."""

    orders: tuple[str, ...]
    only: tuple[str, ...]
    text: LocalizedText
    place: tuple[str, int]


@dataclass
class Sentences:
    """All sentences, found by their orders. ``used``: the places of those that a row took."""

    by_order: Mapping[str, Sequence[Sentence]] = field(default_factory=dict)
    used: set[tuple[str, int]] = field(default_factory=set)

    def all(self) -> list[Sentence]:
        """Return all sentences, by file and line."""
        return sorted({s.place: s for its in self.by_order.values() for s in its}.values(), key=lambda s: s.place)

    def that_speak(self, orders: Sequence[str], situation: str) -> Iterator[tuple[Sentence, list[str]]]:
        """Yield (sentence, the orders that it speaks), in the order of reading, as far as there are sentences."""
        known = {s.place: s for o in orders for s in self.by_order.get(o, ()) if not s.only or situation in s.only}
        ranked = sorted(known.values(), key=lambda s: (-len(s.orders), not s.only, s.place))
        left, chosen = set(orders), []
        for sentence in ranked:
            if left.issuperset(sentence.orders):
                left.difference_update(sentence.orders)
                chosen.append(sentence)
        self.used.update(s.place for s in chosen)
        for sentence in sorted(chosen, key=lambda s: min(map(orders.index, s.orders))):
            yield sentence, list(sentence.orders)


def read_sentences(
    corpus_dir: Path, vocabulary: Vocabulary, situations: Iterable[str]
) -> tuple[Sentences, list[Problem]]:
    """Return the sentences of the folder ``spoken``, and what is wrong with each by itself.

    ``situations``: the ids of all situations.
    """
    columns = ("orders", "only", *vocabulary.languages)
    by_order, first = defaultdict[str, list[Sentence]](list), dict[tuple[frozenset[str], str], str]()
    known, problems = set(situations), list[Problem]()
    for path in sorted((corpus_dir / FOLDER).glob("*.tsv")):
        table = files.read_tsv(path, path.relative_to(corpus_dir).as_posix(), columns)
        problems += table.problems
        for line, cells in table.rows:
            orders, only = tuple(cells["orders"].split(JOINER)), tuple(cells["only"].split())
            problems += (table.problem(line, *fault) for fault in _sentence_faults(cells, only, vocabulary, known))
            for situation in only or ("",):
                place = first.setdefault((frozenset(orders), situation), f"{table.name}:{line}")
                if place != f"{table.name}:{line}":
                    problems.append(table.problem(line, f"{place} speaks the same orders.", "Remove one of the two."))
            text = LocalizedText({lang: cells[lang] for lang in vocabulary.languages})
            for order in orders:
                by_order[order].append(Sentence(orders, only, text, (table.name, line)))
    return Sentences(by_order), problems


def _sentence_faults(
    cells: Mapping[str, str], only: Iterable[str], vocabulary: Vocabulary, known: set[str]
) -> Iterator[tuple[str, str]]:
    """Yield (finding, move) for each fault of a sentence by itself. ``known``: the ids of all situations."""
    for lang in vocabulary.languages:
        if cells[lang].strip()[-1:] not in SENTENCE_ENDS or not cells[lang].strip():
            yield (
                f"“{cells[lang]}” ({lang}) is no whole sentence.",
                f"Write one that ends with {' or '.join(SENTENCE_ENDS)}",
            )
    for id_ in only:
        if id_ not in known:
            yield f"There is no situation “{id_}”.", "Name a file of situations/."


# -- The steps of a row ---

_Target = tuple[str, int | str]  # what of a row gives an order: (name of the list, number or path in it)
_Targets = dict[str, list[_Target]]  # by order


def steps_of_row(
    situation: str, row: Row, asks: Mapping[str, Ask], sentences: Sentences
) -> tuple[tuple[Step, ...], list[str]]:
    """Return what is said of a row, now and at each later moment, and the orders for which there is no sentence.

    ``asks``: the questions of the situation by id.
    """
    missing: list[str] = []

    def speak(orders: _Targets, clause: LocalizedText) -> list[SpokenSentence]:
        said, left = [], dict(orders)
        for sentence, spoken in sentences.that_speak(list(orders), situation):
            said.append(_spoken_sentence(sentence.text, clause, [t for o in spoken for t in left.pop(o)]))
        missing.extend(left)
        return said

    conditional = [also for also in row.also if also.if_]
    now = speak(_orders_now(row), LocalizedText())
    for also in conditional:
        now += speak(_orders_of(also, "also", row.also.index(also)), clause_of(also, asks))
    later: dict[str, _Targets] = {}
    for n, then in enumerate(row.then):
        _add(later.setdefault(then.when, {}), _orders_of(then, "then", n))
    steps = [Step(say=tuple(now)), *(Step(when=w, say=tuple(speak(o, LocalizedText()))) for w, o in later.items())]
    return tuple(steps), missing


def _orders_now(row: Row) -> _Targets:
    orders: _Targets = {}
    for n, duty in enumerate(row.duties):
        orders.setdefault(duty.written_order, []).append(("duties", n))
    for path in row.off:
        orders.setdefault(f"off {path}", []).append(("off", path))
    for n, also in enumerate(row.also):
        if not also.if_:
            _add(orders, _orders_of(also, "also", n))
    for n, duty in enumerate(row.goto.duties if row.goto else ()):
        orders.setdefault(duty.written_order, []).append(("goto", n))
    if row.goto and not orders:
        orders[f"goto {row.goto.situation}"] = []
    return orders


def _orders_of(part: Also | Later, name: str, number: int) -> _Targets:
    """Return the orders of an ``also`` or a ``then``; the path of what it quotes where it orders nothing."""
    orders = [*(d.written_order for d in part.duties), *(f"off {path}" for path in part.off)]
    return {order: [(name, number)] for order in orders or [f"quotes {part.says[-1].path}"]}


def _add(orders: _Targets, more: _Targets) -> None:
    for order, targets in more.items():
        orders.setdefault(order, []).extend(targets)


def _spoken_sentence(
    text: LocalizedText, clause: LocalizedText, targets: Iterable[tuple[str, int | str]]
) -> SpokenSentence:
    named: dict[str, dict[int | str, None]] = defaultdict(dict)
    for name, which in targets:
        named[name][which] = None
    parts: dict[str, Any] = {name: tuple(which) for name, which in named.items()}
    return SpokenSentence(text=text, clause=clause, **parts)


def clause_of(also: Also, asks: Mapping[str, Ask]) -> LocalizedText:
    """Return the condition of an ``also`` as the beginning of a sentence: the clause of the answer, else question and
    answer.
    """
    found: dict[str, list[str]] = defaultdict(list)
    for id_, answers in also.if_.items():
        ask = asks[id_]
        texts = {a.id: a.text for a in ask.answer} | {p: t for its in ask.tick_texts.values() for p, t in its.items()}
        clauses = [a.clause for a in ask.answer if a.id in answers and a.clause]
        for lang, question in ask.question.items():
            said = " / ".join(dict.fromkeys(texts[a][lang] for a in answers if a in texts)) or ", ".join(answers)
            found[lang].append(clauses[0][lang] if clauses else f"{question} {said}")
    return LocalizedText({lang: "; ".join(parts) for lang, parts in found.items()})


# -- Situations ---


def with_steps(situation: Situation, sentences: Sentences) -> tuple[Situation, list[Fault]]:
    """Return the situation with the steps of its rows, and what cannot be said, or is said at the wrong moment.

    A fault is an order without a sentence, a step of too many sentences, and two rows that only the answer about a
    later event tells apart and that differ now. Without sentences nothing is said and nothing is a fault.
    """
    if not sentences.by_order:
        return situation, []
    faults: list[Fault] = []
    tables = {}
    for code, table in situation.table.items():
        rows = []
        # A box has other words in another code.
        boxes = lambda ask, code=code: {code: ask.tick_texts.get(code, {})}
        asks = {ask.id: replace(ask, tick_texts=boxes(ask)) for ask in situation.ask}
        for n, row in enumerate(table.row):
            steps, missing = steps_of_row(situation.id, row, asks, sentences)
            faults += (f._replace(at=("table", code, "row", n)) for f in _step_faults(row, steps, missing))
            rows.append(replace(row, steps=steps))
        tables[code] = replace(table, row=tuple(rows))
        later = {ask.id for ask in situation.asks(code) if ask.when}
        faults += (f._replace(at=("table", code, "row", n)) for n, f in _early_order_faults(rows, later))
    return replace(situation, table=tables), faults


def _step_faults(row: Row, steps: Sequence[Step], missing: Sequence[str]) -> Iterator[Fault]:
    for order in missing:
        yield Fault(f"No sentence of “{row.id}” speaks “{order}”.", f"Write one in {FOLDER}/, in every language.")
    for step in steps:
        said = sum(not sentence.clause for sentence in step.say)
        if said > MAX_SENTENCES:
            finding = f"“{row.id}” has {said} sentences {step.when or 'now'}."
            yield Fault(finding, f"Write sentences that speak several orders: at most {MAX_SENTENCES} a step.")


def _early_order_faults(rows: Sequence[Row], later: set[str]) -> Iterator[tuple[int, Fault]]:
    """Yield (number of the row, fault) where a row orders something now that depends on the answer to a question about
    a later event. ``later``: the ids of these questions.
    """
    for (_, one), (n, other) in combinations(enumerate(rows), 2):
        both = [ask for ask in one.if_ if ask in other.if_]
        told_apart = [ask for ask in both if not set(one.if_[ask]) & set(other.if_[ask])]
        if told_apart and later.issuperset(told_apart) and orders_now(one) != orders_now(other):
            finding = f"“{one.id}” and “{other.id}” order different things now; only a later event tells them apart."
            yield n, Fault(finding, "Move what depends on it to “then”, with the moment of the event.")


def orders_now(row: Row) -> tuple[object, ...]:
    """Return what a row orders and quotes now: equal for rows that only a later event tells apart."""
    return row.duties, row.off, row.also, row.says, row.goto


def sentence_problems(sentences: Sentences) -> Iterator[Problem]:
    """Yield a note for each sentence that no row takes."""
    for sentence in sentences.all():
        if sentence.place not in sentences.used:
            yield Problem(*sentence.place, "No row takes this sentence.", "Correct its orders, or remove it.", False)
