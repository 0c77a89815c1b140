"""Step: footnotes are lifted out of the lines, and their marks are found in the words.

A note may interrupt a sentence, a page may break between mark and note: so the notes leave first, the sentence
closes, and each mark is paired with the note of its sign.
"""
from __future__ import annotations

import re
from dataclasses import dataclass, field

from corpus.edition import Notes
from corpus.reading.published import Line

_SUPERSCRIPT = {c: str(i) for i, c in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}


@dataclass
class Note:
    """A footnote as printed: its sign, its lines (without the sign), the line it stands on, its law once known."""

    sign: str
    label: Line
    lines: list[Line]
    number: int
    law: str | None = None
    path: str = ""
    marked: list = field(default_factory=list)


def plain_sign(sign: str) -> str:
    """Superscript digits as digits; other signs as they are.

    >>> plain_sign("¹³")
    '13'
    """
    return "".join(_SUPERSCRIPT.get(c, c) for c in sign)


def lift(lines: list[Line], rule: Notes, structural) -> tuple[list[Line], list[Note]]:
    """Lines without the notes, and the notes. ``structural(line)`` tells lines that a note never swallows.

    A note is one paragraph: it ends at a blank line, at the next note, or at a structural line. With
    ``numbering = "book"`` only the next number (or, in a book that repeats notes, none) begins a note.
    """
    if rule.numbering == "none" or not rule.note:
        return lines, []
    pattern, notes, kept = re.compile(rule.note), [], []
    first = 0
    if rule.place == "end":
        first = max((i for i, l in enumerate(lines) if structural(l) == "law"), default=0)
    open_note, expected = None, 1
    for index, line in enumerate(lines):
        text = line.text.strip()
        match = pattern.match(line.text) if index >= first else None
        if match and rule.numbering == "book" and plain_sign(match["sign"]) != str(expected):
            match = None
        if match:
            expected += rule.numbering == "book"
            rest = line.cut(match.end())
            open_note = Note(plain_sign(match["sign"]), line.cut(match.start("sign"), match.end("sign")), [rest], line.number)
            notes.append(open_note)
            kept.append(Line(line.number, "", ()))
        elif open_note and text and not structural(line):
            open_note.lines.append(line)
            kept.append(Line(line.number, "", ()))
        else:
            open_note = None
            kept.append(line)
    return kept, notes


def find_marks(text: str, rule: Notes, signs: set[str]) -> list[tuple[int, int, str]]:
    """Start, end and sign of every mark in a text; only signs that some note carries.

    A run of digits that no single note carries is read as several marks in a row (longest first).
    """
    if rule.numbering == "none" or not rule.mark:
        return []
    out = []
    for match in re.finditer(rule.mark, text):
        start, raw = match.start("sign"), match["sign"]
        for part in _split_sign(plain_sign(raw), signs) or ():
            out.append((start, start + len(part), part))
            start += len(part)
    return out


def _split_sign(sign: str, signs: set[str]) -> list[str] | None:
    if sign in signs:
        return [sign]
    if sign.isdigit():
        for cut in range(len(sign) - 1, 0, -1):
            if sign[:cut] in signs and (rest := _split_sign(sign[cut:], signs)):
                return [sign[:cut]] + rest
    return None
