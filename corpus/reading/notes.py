"""Step: footnotes are lifted out of the lines, and their marks are found in the words.

A note may interrupt a sentence, a page may break between mark and note: so the notes leave first, the sentence
closes, and each mark is paired with the note of its sign.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from corpus.edition.print import Notes
from corpus.reading.draft import strip
from corpus.reading.published import Line
from corpus.reading.sentences import SENTENCE_END

_SUPERSCRIPT = {c: str(i) for i, c in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
_WORDS = r"\w.,;:!?…„“”\"'«»"
_BEFORE_SIGN, _AFTER_SIGN = re.compile(f"[^{_WORDS}]*$"), re.compile(rf"[^{_WORDS}\s]*")
HEADING_RULE = "heading of the notes"


@dataclass
class Note:
    """A footnote as printed: its sign, its label, its lines, the line it stands on, its owner (a law or part) once known."""

    sign: str
    label: Line
    lines: list[Line]
    number: int
    law: str | None = None
    path: str = ""
    marked: list = field(default_factory=list)


@dataclass(frozen=True)
class FoundMark:
    """A mark in a text: ``text[start:end]`` goes; ``sign`` names the note. ``known``: whether some note bears it."""

    start: int
    end: int
    sign: str
    known: bool = True


def plain_sign(sign: str) -> str:
    """Superscript digits as digits; other signs as they are.

    >>> plain_sign("¹³")
    '13'
    """
    return "".join(_SUPERSCRIPT.get(c, c) for c in sign)


def lift(lines: list[Line], rule: Notes, paragraphs: str, structural) -> tuple[list[Line], list[Note], list[Line]]:
    """Lines without the notes, the notes, and the heading above the notes when they stand at the end.

    ``structural(line)`` tells lines that a note never swallows: ``law``, ``head``, ``label`` or False.
    A note among the text is one paragraph: it ends at a blank line, at the next note, at a structural line, or where
    its sentence is finished and the interrupted one goes on in lower case. Notes at the end run to the next note or head.
    With ``numbering = "book"`` only the next number (or, in a book that repeats notes, none) begins a note.
    """
    if rule.numbering == "none" or not rule.note_pattern:
        return lines, [], []
    pattern, notes, kept, heading = re.compile(rule.note_pattern), [], [], []
    first, at_end = 0, rule.place == "end"
    if at_end and rule.start:
        start = max(
            (i for i, l in enumerate(lines) if l.text.strip() and re.fullmatch(rule.start, l.text.strip())),
            default=None,
        )
        if start is None:
            return lines, [], []
        heading, first = [lines[start]], start + 1
        lines = lines[:start] + [Line(lines[start].number, "", ())] + lines[first:]
    elif at_end:
        first = max((i for i, l in enumerate(lines) if structural(l) == "law"), default=0)
    open_note, expected = None, 1
    for index, line in enumerate(lines):
        text, match = line.text.strip(), pattern.match(line.text) if index >= first else None
        if match and rule.numbering == "book" and plain_sign(match["sign"]) != str(expected):
            match = None
        if match:
            expected += rule.numbering == "book"
            open_note = Note(
                plain_sign(match["sign"]), strip(line.cut(0, match.end())), [line.cut(match.end())], line.number
            )
            notes.append(open_note)
            line = Line(line.number, "", ())
        elif open_note and at_end and rule.start and not text:
            pass
        elif (
            open_note
            and text
            and not _ends_note(open_note, line, paragraphs, structural(line), at_end and bool(rule.start))
        ):
            open_note.lines.append(line)
            line = Line(line.number, "", ())
        else:
            open_note = None
        kept.append(line)
    return kept, notes, heading


def _ends_note(note: Note, line: Line, paragraphs: str, structure, own_chapter: bool) -> bool:
    """Whether a line that follows a note without a blank is no longer its text."""
    if own_chapter:
        return structure == "head"
    finished = bool(SENTENCE_END.search(note.lines[-1].text.rstrip()))
    return bool(structure) or (finished and (line.text.lstrip()[0].islower() or paragraphs == "lines"))


def find_marks(text: str, rule: Notes, signs: set[str]) -> list[FoundMark]:
    """Every mark in a text. A run of digits that no single note bears is read as several marks in a row (longest first).

    Brackets around the sign and a blank before it go with it; words and stops that the pattern matched stay in the text.
    """
    if rule.numbering == "none" or not rule.mark_pattern:
        return []
    out = []
    for match in re.finditer(rule.mark_pattern, text):
        sign, (start, end) = plain_sign(match["sign"]), match.span("sign")
        before, after = text[match.start() : start], text[end : match.end()]
        first, last = start - len(before) + _BEFORE_SIGN.search(before).start(), end + _AFTER_SIGN.match(after).end()
        parts = _split_sign(sign, signs)
        if not parts:
            out.append(FoundMark(first, last, sign, False))
            continue
        edges = [first, *(start + sum(map(len, parts[:i])) for i in range(1, len(parts))), last]
        out += [FoundMark(a, b, part) for a, b, part in zip(edges, edges[1:], parts)]
    return out


def _split_sign(sign: str, signs: set[str]) -> list[str] | None:
    if sign in signs:
        return [sign]
    if sign.isdigit():
        for cut in range(len(sign) - 1, 0, -1):
            if sign[:cut] in signs and (rest := _split_sign(sign[cut:], signs)):
                return [sign[:cut]] + rest
    return None
