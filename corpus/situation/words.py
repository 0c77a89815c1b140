"""What is checked of the words of a situation: every language, the closed lists, sentences enough."""

from __future__ import annotations

from collections.abc import Iterator

from corpus.checked.rule import Fault
from corpus.checked.toml import At
from corpus.situation.model import RESERVED, Ask, Duty, Row, Situation
from corpus.situation.vocabulary import Vocabulary

SENTENCES = 8  # ways of saying it, in each language: fewer do not find it again


def wording_problems(situation: Situation, vocabulary: Vocabulary) -> Iterator[Fault]:
    """Everything wrong with its words."""
    yield from _at(("phase",), vocabulary.word("phases", situation.phase))
    yield from _at(("name",), vocabulary.unsaid(situation.name))
    yield from _at(("said",), vocabulary.unsaid(situation.said))
    for lang, sentences in situation.said.items():
        if len(sentences) < SENTENCES:
            finding = f"There are {len(sentences)} ways of saying it in “{lang}”."
            yield Fault(finding, f"Write at least {SENTENCES}.", ("said", lang))
        for n, sentence in enumerate(sentences):
            if sentence in sentences[:n] or not sentence.strip():
                move = "Write another sentence, or remove it."
                yield Fault(f"“{sentence}” says nothing new.", move, ("said", lang), sentence)
    for n, ask in enumerate(situation.ask):
        yield from _at(("ask", n), _question_wording(ask, vocabulary))
    for code, table in situation.table.items():
        for n, row in enumerate(table.row):
            yield from _at(("table", code, "row", n), _row_wording(row, vocabulary))


def _question_wording(ask: Ask, vocabulary: Vocabulary) -> Iterator[Fault]:
    if ask.id in RESERVED:
        yield Fault(f"A question cannot be called “{ask.id}”.", "Addresses need the name; choose another.", ("id",))
    yield from _at(("by",), vocabulary.word("roles", ask.by))
    if (ask.kind == "choice") != bool(ask.by):
        yield Fault("A choice is somebody's, and only a choice is.", "Write “by” for a choice, for it alone.", ("by",))
    yield from _at(("question",), vocabulary.unsaid(ask.question))
    for n, answer in enumerate(ask.answer):
        yield from _at(("answer", n, "text"), vocabulary.unsaid(answer.text))


def _row_wording(row: Row, vocabulary: Vocabulary) -> Iterator[Fault]:
    if row.none:
        yield from _at(("none",), vocabulary.unsaid(row.none))
    for code, said in row.differs.items():
        yield from _at(("differs", code), vocabulary.unsaid(said))
    yield from _duties(row.duties, ("duties",), vocabulary)
    for n, later in enumerate(row.then):
        yield from _at(("then", n, "when"), vocabulary.word("moments", later.when))
        yield from _at(("then", n, "by"), vocabulary.word("roles", later.by))
        yield from _duties(later.duties, ("then", n, "duties"), vocabulary)
    for n, also in enumerate(row.also):
        yield from _duties(also.duties, ("also", n, "duties"), vocabulary)
    if row.goto:
        yield from _duties(row.goto.duties, ("goto", "duties"), vocabulary)


def _duties(duties: tuple[Duty, ...], at: At, vocabulary: Vocabulary) -> Iterator[Fault]:
    lists = {"do": "duties", "who": "roles", "what": "objects", "until": "moments", "if": "conditions"}
    for n, duty in enumerate(duties):
        for key, which in lists.items():
            said = duty.if_ if key == "if" else getattr(duty, key)
            yield from _at((*at, n, key), vocabulary.word(which, said))


def _at(at: At, found: Iterator[Fault]) -> Iterator[Fault]:
    return (f._replace(at=at + f.at) for f in found)
