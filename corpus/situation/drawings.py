"""The drawing of a table as answers change it, and what is checked of that."""

from __future__ import annotations

from collections.abc import Iterator

from corpus.checked.rule import Fault
from corpus.situation.model import Drawing, Situation
from corpus.situation.table import Given


def drawn(situation: Situation, code: str, given: Given) -> Drawing | None:
    """Who sits where after the answers given in a code; None where the situation draws nothing."""
    drawing = situation.drawing
    if drawing is None:
        return None
    for ask in situation.asks(code) if code in situation.table else ():
        for answer in ask.answer:
            if answer.drawing and answer.id in given.get(ask.id, ()):
                drawing = drawing.after(answer.drawing)
    return drawing


def drawing_problems(situation: Situation) -> Iterator[Fault]:
    """Drawings that say nothing, and answers that change none or seat the dummy beside the declarer."""
    if situation.drawing == Drawing():
        yield Fault("The drawing says nothing.", "Name a seat, or leave the table out.", ("drawing",))
    for n, ask in enumerate(situation.ask):
        for m, answer in enumerate(ask.answer):
            at = ("ask", n, "answer", m, "drawing")
            if answer.drawing and situation.drawing is None:
                yield Fault("It changes a drawing that there is not.", "Write [drawing], or leave it out.", at)
            elif answer.drawing and situation.drawing:
                yield from (f._replace(at=at) for f in situation.drawing.after(answer.drawing).check())
