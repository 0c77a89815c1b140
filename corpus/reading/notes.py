"""Step 5: footnotes leave the lines, and each finds the law or part that it belongs to.

A note may interrupt a sentence, a page may break between mark and note: so the notes leave first, the sentence
closes, and each mark is paired with the note of its sign (``marks``).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from corpus.account import Placing
from corpus.checked.patience import compiled
from corpus.edition.print import Notes
from corpus.model import CONTAINERS
from corpus.reading.draft import Draft, Paragraph, strip
from corpus.reading.flow import Hyphens, flow
from corpus.reading.marks import find_marks, plain_sign
from corpus.reading.published import Line
from corpus.reading.sentences import SENTENCE_END

HEADING_RULE = "heading of the notes"
_NEAR = 3  # how many laws before a note may bear its mark


@dataclass(frozen=True)
class Note:
    """A footnote as printed: its sign, its label, its lines, the line that it begins on.

    ``owner``: path of the law or part that counts it, empty for notes numbered through the book; ``path``: its own.
    Both are known once it is settled; a note that nothing owns keeps an empty path. ``begins``: numbers of lines with
    which a further paragraph begins.
    """

    sign: str
    label: Line
    lines: tuple[Line, ...]
    number: int
    owner: str = ""
    path: str = ""
    begins: frozenset[int] = frozenset()

    @property
    def paragraphs(self) -> list[Paragraph]:
        """Its lines as paragraphs."""
        out = [Paragraph([])]
        for line in self.lines:
            if line.number in self.begins and out[-1].lines:
                out.append(Paragraph([]))
            out[-1].lines.append(line)
        return out


def lift(
    lines: list[Line],
    rule: Notes,
    paragraphs: str,
    begins: Callable[[Line], str],
    placed: frozenset[int] = frozenset(),
    law_word: re.Pattern[str] | None = None,
) -> tuple[list[Line], list[Note], list[Line]]:
    """Lines without the notes, the notes, and the heading above the notes when they stand at the end.

    ``begins(line)`` tells lines that a note never swallows: ``law``, ``head``, ``label``, or empty.
    A note among the text is one paragraph: it ends at a blank line, at the next note, at a structural line, or where
    its sentence is finished and the interrupted one goes on in lower case. Notes at the end run to the next note or
    head.
    After a word that announces a label (``law_word`` ends in one) a label goes on with the note: "(see / 18. Law)".
    ``placed``: numbers of lines that begin a further paragraph of the note above them, as the manifest says.
    With ``numbering = "book"`` only the next number (or, in a book that repeats notes, none) begins a note.
    """
    if rule.numbering == "none" or not rule.note_pattern:
        return lines, [], []
    heading = _heading(lines, rule)
    chapter = heading is not None  # the notes are a chapter of their own
    if rule.place == "end" and rule.start and heading is None:
        return lines, [], []
    if heading is not None:
        first = heading + 1
    else:
        laws = (i for i, line in enumerate(lines) if begins(line) == "law") if rule.place == "end" else ()
        first = max(laws, default=0)
    pattern, notes = compiled(rule.note_pattern), list[Note]()
    kept: list[Line] = []
    inside = False
    for index, line in enumerate(lines):
        match = pattern.match(line.text) if index >= first else None
        if match and (rule.numbering != "book" or plain_sign(match["sign"]) == str(len(notes) + 1)):
            label, own = strip(line.cut(0, match.end())), line.cut(match.end())
            notes.append(Note(plain_sign(match["sign"]), label, (own,), line.number))
            inside = True
        elif notes and line.number in placed:
            note, inside = notes[-1], True
            begun = frozenset[int]() if _announces(note, law_word) else frozenset((line.number,))
            notes[-1] = replace(note, lines=(*note.lines, line), begins=note.begins | begun)
        elif inside and _goes_on(notes[-1], line, paragraphs, _begun(notes[-1], line, begins, law_word), chapter):
            if line.text.strip():
                notes[-1] = replace(notes[-1], lines=(*notes[-1].lines, line))
        else:
            inside = False
        kept.append(Line(line.number, "", ()) if inside or index == heading else line)
    return kept, notes, [lines[heading]] if heading is not None else []


def _heading(lines: list[Line], rule: Notes) -> int | None:
    """Where the heading above the notes stands, when they have one: the last line that is like it."""
    if rule.place != "end" or not rule.start:
        return None
    like = (
        i for i, line in enumerate(lines) if line.text.strip() and compiled(rule.start).fullmatch(line.text.strip())
    )
    return max(like, default=None)


def _announces(note: Note, law_word: re.Pattern[str] | None) -> bool:
    """Whether the last line of a note ends in a word that announces a label: "(see"."""
    return bool(law_word and law_word.search(note.lines[-1].text.rstrip()))


def _begun(note: Note, line: Line, begins: Callable[[Line], str], law_word: re.Pattern[str] | None) -> str:
    """What a line after a note begins: nothing where the note ends in a word that announces its label, for a law inside
    a bracket that is still open.
    """
    begun = begins(line)
    if begun not in ("label", "law") or not _announces(note, law_word):
        return begun
    text = " ".join(own.text for own in note.lines)
    return begun if begun == "law" and text.count("(") <= text.count(")") else ""


def _goes_on(note: Note, line: Line, paragraphs: str, begins: str, chapter: bool) -> bool:
    """Whether a line that follows a note is still the note's."""
    if chapter:
        return begins != "head"
    if begins or not line.text.strip():
        return False
    finished = bool(SENTENCE_END.search(note.lines[-1].text.rstrip()))
    return not (finished and (line.text.lstrip()[0].islower() or paragraphs == "lines"))


def settle(notes: list[Note], roots: Sequence[Draft], rule: Notes, hyphens: Hyphens | None) -> list[Note]:
    """The notes with their paths. Those with signs belong to the nearest law or part before them that bears their sign,
    else to the one that they stand in.
    """
    if rule.numbering == "book":
        return [replace(note, path=f"fn/{note.sign}") for note in notes]
    owners = sorted(_owners(roots), key=lambda pair: pair[0])
    signs = frozenset(note.sign for note in notes)
    count: Counter[str] = Counter()
    settled = []
    for note in notes:
        before = [owner for number, owner in owners if number <= note.number]
        bearing = (o for o in reversed(before[-_NEAR:]) if _bears(o, note.sign, rule, signs, hyphens))
        owner = next(bearing, before[-1] if before else None)
        if owner:
            count[owner.path] += 1
            note = replace(note, owner=owner.path, path=f"{owner.path}/fn/{count[owner.path]}")  # noqa: PLW2901 – settled
        settled.append(note)
    return settled


def _owners(roots: Sequence[Draft]) -> Iterator[tuple[int, Draft]]:
    """Laws and parts, which number their own notes, by their first line."""
    for draft in (d for root in roots for d in root.walk()):
        if draft.level == 0 or (draft.level < 0 and not draft.parent and draft.kind not in CONTAINERS):
            lines = (draft.label, *draft.heading, *(line for p in draft.paragraphs() for line in p.lines))
            yield next((line.number for line in lines if line), 0), draft


def _bears(owner: Draft, sign: str, rule: Notes, signs: frozenset[str], hyphens: Hyphens | None) -> bool:
    """Whether a sign stands in the words of a draft or below it."""
    for draft in owner.walk():
        for text in (flow(draft.paragraphs(), hyphens).text, " ".join(line.text for line in draft.heading)):
            if any(mark.sign == sign for mark in find_marks(text, rule, signs)):
                return True
    return False


def placings(notes: list[Note]) -> Iterator[Placing]:
    """Why the lines of the notes left the text."""
    for note in notes:
        yield Placing(note.number, "footnote", note.path, f"“{note.label.text}” begins it")
        for line in note.lines[1:]:
            yield Placing(line.number, "footnote", note.path, "it goes on")
