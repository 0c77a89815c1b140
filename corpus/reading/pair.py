"""Marks leave the words, and each leads to its note from the moment it is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from corpus.edition import Edition
from corpus.model import Mark, NodeId, Problem
from corpus.reading.flow import Flow
from corpus.reading.marks import FoundMark, find_marks
from corpus.reading.notes import Note


@dataclass(frozen=True)
class Lifted:
    """Words without their marks, the marks, and what could not be paired."""

    words: Flow
    marks: tuple[Mark, ...]
    problems: tuple[Problem, ...]
    cuts: tuple[FoundMark, ...] = ()

    def moved(self, offset: int) -> int:
        """Where a place of the words with their marks is in those without."""
        return _moved(offset, self.cuts)


def _moved(offset: int, cuts: Sequence[FoundMark]) -> int:
    return offset - sum(min(cut.end, offset) - cut.start for cut in cuts if cut.start < offset)


class Pairing:
    """The settled notes of an edition, ready to be led to."""

    def __init__(self, edition: Edition, notes: list[Note]):
        self.edition, self.notes = edition, notes
        self.signs = frozenset(note.sign for note in notes)

    def lift(self, words: Flow, where: Literal["text", "heading"], id_: NodeId) -> Lifted:
        """Take the marks out of a node's words. A sign that no note bears stays in them, and is told."""
        cuts: list[FoundMark] = []
        marks: list[Mark] = []
        problems: list[Problem] = []
        for found in find_marks(words.text, self.edition.notes, self.signs):
            line = next((p.line for p in words.places[found.start : found.end] if p), 0)
            note = self._note_of(found.sign, id_, line) if found.known else None
            if note:
                at = _moved(found.start, cuts)
                marks.append(Mark(at, NodeId.of(self.edition.id, note.path), where, found.sign))
            else:
                problems.append(self._no_note(found.sign, id_, line))
            if found.known:
                cuts.append(found)
        return Lifted(_without(words, cuts), tuple(marks), tuple(problems), tuple(cuts))

    def _note_of(self, sign: str, id_: NodeId, line: int) -> Note | None:
        """The note that a mark leads to; where signs count anew in each law, the next of its sign below the mark."""
        notes = [n for n in self.notes if n.sign == sign]
        if self.edition.notes.numbering == "law":
            own = [n for n in notes if n.owner == id_.law]
            notes = [n for n in own if n.number >= line] or own[-1:]
        return notes[0] if notes else None

    def _no_note(self, sign: str, id_: NodeId, line: int) -> Problem:
        return Problem(
            self.edition.file,
            max(line, 1),
            f"The mark {sign} in {id_.path} has no note.",
            "Is the note missing, or its sign misread? Correct it in corrections.tsv; "
            "if these characters are no mark, correct “mark” in edition.toml.",
        )


def _without(words: Flow, cuts: list[FoundMark]) -> Flow:
    out, at = Flow(), 0
    for cut in cuts:
        out.add(words.text[at : cut.start], words.places[at : cut.start])
        at = cut.end
    out.add(words.text[at:], words.places[at:])
    out.tables = [replace(t, start=_moved(t.start, cuts), end=_moved(t.end, cuts)) for t in words.tables]
    return out
