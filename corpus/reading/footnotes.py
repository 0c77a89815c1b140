"""Footnotes: notes are taken out of the lines, marks out of the words, and each mark gets its note.

:func:`take_out_notes` takes the notes out of the lines. :func:`assign_note_paths` gives them their paths.
:class:`MarkPairing` takes the marks out of a node's words and says which note each of them leads to.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from corpus.edition import Edition, NoteRules
from corpus.files import compile_pattern
from corpus.model import CONTAINER_KINDS, Mark, NodeId, Problem
from corpus.reading.draft import Draft, Paragraph, strip_line
from corpus.reading.flow import SENTENCE_END, Hyphens, RunningText, ends_sentence, flow_paragraphs
from corpus.reading.result import Placing
from corpus.reading.source import Line

_SUPERSCRIPT = {c: str(i) for i, c in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
_WORD_CHARACTER = re.compile(r"[\w.,;:!?…„“”\"'«»]")


# ── Marks in a text ─────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class FoundMark:
    """A mark in a text: ``text[start:end]`` is taken out, ``sign`` names the note. ``known``: whether a note has it."""

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


def find_marks(text: str, rule: NoteRules, signs: frozenset[str]) -> list[FoundMark]:
    """Return every mark in a text, in order. ``signs`` are the signs of all notes.

    A run of digits that no single note has is read as several marks in a row, the longest first. Brackets around the
    sign and a blank before it belong to the mark. Words and stops that the pattern matched stay in the text.
    """
    if rule.numbering == "none" or not rule.mark_pattern:
        return []
    out: list[FoundMark] = []
    for match in compile_pattern(rule.mark_pattern).finditer(text):
        sign, (start, end) = plain_sign(match["sign"]), match.span("sign")
        before, after = text[match.start() : start], text[end : match.end()]
        first = max(
            (i for i, c in enumerate(before, match.start() + 1) if _WORD_CHARACTER.match(c)), default=match.start()
        )
        last = end + next((i for i, c in enumerate(after) if _WORD_CHARACTER.match(c) or c.isspace()), len(after))
        parts = _split_sign(sign, signs)
        if not parts:
            out.append(FoundMark(first, last, sign, False))
            continue
        edges = [first, *(start + sum(map(len, parts[:i])) for i in range(1, len(parts))), last]
        out += [FoundMark(a, b, part) for a, b, part in zip(edges, edges[1:], parts, strict=False)]
    return out


def _split_sign(sign: str, signs: frozenset[str]) -> list[str] | None:
    """Return the signs of notes that ``sign``, a run of digits, consists of; None when notes do not have all of them.

    ``signs`` are the signs of all notes.
    """
    if sign in signs:
        return [sign]
    if sign.isdigit():
        for cut in range(len(sign) - 1, 0, -1):
            if sign[:cut] in signs and (rest := _split_sign(sign[cut:], signs)):
                return [sign[:cut], *rest]
    return None


# ── Notes in the lines ──────────────────────────────────────────────────────────────────────────

NOTES_HEADING_RULE = "heading of the notes"
_NEAR_LAWS = 3  # how many laws before a note may have its mark


@dataclass(frozen=True)
class Note:
    """A footnote as printed: its sign, its label, its lines, and the number of the line that it begins on.

    ``owner`` is the path of the law or part that counts the note, empty for notes numbered through the book. ``path``
    is the path of the note. :func:`assign_note_paths` sets both; a note that nothing owns keeps an empty path.
    ``begins`` are the numbers of lines that begin a further paragraph.
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
        """The lines of the note as paragraphs."""
        out = [Paragraph([])]
        for line in self.lines:
            if line.number in self.begins and out[-1].lines:
                out.append(Paragraph([]))
            out[-1].lines.append(line)
        return out


def take_out_notes(
    lines: list[Line],
    rule: NoteRules,
    paragraphs: str,
    begins: Callable[[Line], str],
    placed: frozenset[int] = frozenset(),
    law_word: re.Pattern[str] | None = None,
    word_after: re.Pattern[str] | None = None,
) -> tuple[list[Line], list[Note], list[Line]]:
    """Return (lines without the notes, the notes, [the heading above the notes] or []).

    A note inside the text is one paragraph. It ends at a blank line, at the next note, at a structural line, or where
    its sentence is finished and the interrupted sentence continues in lower case. Notes at the end of the book run to
    the next note or head.

    ``paragraphs`` is that key of the manifest. ``begins(line)`` names the lines that a note never takes: ``law``,
    ``head``, ``label``; empty for others. After a word that announces a label (``law_word`` matches it) a label
    continues the note: "(see / 18. Law)". After a number with a full stop so does a word that stands after its label
    (``word_after`` matches it): "2. / punktu". ``placed`` are the numbers of lines that begin a further paragraph of
    the note above them, as the manifest says. With ``numbering = "book"`` only the next number begins a note; in a book
    that repeats notes, the repetition does not.
    """
    if rule.numbering == "none" or not rule.note_pattern:
        return lines, [], []
    heading = _find_notes_heading(lines, rule)
    chapter = heading is not None  # the notes are a chapter of their own
    if rule.place == "end" and rule.start and heading is None:
        return lines, [], []
    if heading is not None:
        first = heading + 1
    else:
        laws = (i for i, line in enumerate(lines) if begins(line) == "law") if rule.place == "end" else ()
        first = max(laws, default=0)
    pattern, notes = compile_pattern(rule.note_pattern), list[Note]()
    kept: list[Line] = []
    inside = False
    for index, line in enumerate(lines):
        match = pattern.match(line.text) if index >= first else None
        if match and (rule.numbering != "book" or plain_sign(match["sign"]) == str(len(notes) + 1)):
            label, own = strip_line(line.cut(0, match.end())), line.cut(match.end())
            notes.append(Note(plain_sign(match["sign"]), label, (own,), line.number))
            inside = True
        elif notes and line.number in placed:
            note, inside = notes[-1], True
            begun = frozenset[int]() if _announces_label(note, law_word) else frozenset((line.number,))
            notes[-1] = replace(note, lines=(*note.lines, line), begins=note.begins | begun)
        elif inside and _continues_note(
            notes[-1], line, paragraphs, _kind_of_start(notes[-1], line, begins, law_word), chapter, word_after
        ):
            if line.text.strip():
                notes[-1] = replace(notes[-1], lines=(*notes[-1].lines, line))
        else:
            inside = False
        kept.append(Line(line.number, "", ()) if inside or index == heading else line)
    return kept, notes, [lines[heading]] if heading is not None else []


def _find_notes_heading(lines: list[Line], rule: NoteRules) -> int | None:
    """Return the index of the heading above the notes, which is the last line that matches its pattern; None without
    one.
    """
    if rule.place != "end" or not rule.start:
        return None
    like = (
        i
        for i, line in enumerate(lines)
        if line.text.strip() and compile_pattern(rule.start).fullmatch(line.text.strip())
    )
    return max(like, default=None)


def _announces_label(note: Note, law_word: re.Pattern[str] | None) -> bool:
    """Whether the last line of a note ends in a word that announces a label: "(see"."""
    return bool(law_word and law_word.search(note.lines[-1].text.rstrip()))


def _kind_of_start(note: Note, line: Line, begins: Callable[[Line], str], law_word: re.Pattern[str] | None) -> str:
    """Return what a line after a note begins, as ``begins`` names it; empty for nothing.

    A label begins nothing when the note ends in a word that announces it: “see Law”, and the line begins with “16”. The
    label of a law begins nothing only when, in addition, a bracket is still open. ``law_word`` matches a text that ends
    in such a word.
    """
    kind = begins(line)
    if kind not in ("label", "law") or not _announces_label(note, law_word):
        return kind
    text = " ".join(own.text for own in note.lines)
    return kind if kind == "law" and text.count("(") <= text.count(")") else ""


def _continues_note(
    note: Note, line: Line, paragraphs: str, begins: str, chapter: bool, word_after: re.Pattern[str] | None
) -> bool:
    """Whether a line that follows a note belongs to the note.

    ``begins`` is what the line begins (:func:`_kind_of_start`). ``chapter`` says that the notes are a chapter of their
    own. ``word_after`` matches a word that stands after its label.
    """
    if chapter:
        return begins != "head"
    if begins or not line.text.strip():
        return False
    before, text = note.lines[-1].text.rstrip(), line.text.strip()
    if word_after and word_after.match(text) and not ends_sentence(before, text):
        return True
    return not (SENTENCE_END.search(before) and (text[0].islower() or paragraphs == "lines"))


def assign_note_paths(
    notes: list[Note], roots: Sequence[Draft], rule: NoteRules, hyphens: Hyphens | None
) -> list[Note]:
    """Return the notes with their paths and owners. ``roots`` are the drafts of the edition.

    Notes that are not numbered through the book belong to the nearest law or part before them that has their mark, or
    else to the one that they stand in.
    """
    if rule.numbering == "book":
        return [replace(note, path=f"fn/{note.sign}") for note in notes]
    owners = sorted(_note_owners(roots), key=lambda pair: pair[0])
    signs = frozenset(note.sign for note in notes)
    count: Counter[str] = Counter()
    settled = []
    for note in notes:
        before = [owner for number, owner in owners if number <= note.number]
        bearing = (o for o in reversed(before[-_NEAR_LAWS:]) if _has_mark(o, note.sign, rule, signs, hyphens))
        owner = next(bearing, before[-1] if before else None)
        if owner:
            count[owner.path] += 1
            note = replace(note, owner=owner.path, path=f"{owner.path}/fn/{count[owner.path]}")  # noqa: PLW2901 – settled
        settled.append(note)
    return settled


def _note_owners(roots: Sequence[Draft]) -> Iterator[tuple[int, Draft]]:
    """Yield (number of the first line, draft) of laws and parts, which number their own notes."""
    for draft in (d for root in roots for d in root.walk()):
        if draft.level == 0 or (draft.level < 0 and not draft.parent and draft.kind not in CONTAINER_KINDS):
            lines = (draft.label, *draft.heading, *(line for p in draft.paragraphs() for line in p.lines))
            yield next((line.number for line in lines if line), 0), draft


def _has_mark(owner: Draft, sign: str, rule: NoteRules, signs: frozenset[str], hyphens: Hyphens | None) -> bool:
    """Whether a mark with this sign stands in the words of a draft or below it."""
    for draft in owner.walk():
        for text in (flow_paragraphs(draft.paragraphs(), hyphens).text, " ".join(line.text for line in draft.heading)):
            if any(mark.sign == sign for mark in find_marks(text, rule, signs)):
                return True
    return False


def note_placings(notes: list[Note]) -> Iterator[Placing]:
    """The placings of the lines of the notes."""
    for note in notes:
        yield Placing(note.number, "footnote", note.path, f"“{note.label.text}” begins it")
        for line in note.lines[1:]:
            yield Placing(line.number, "footnote", note.path, "it goes on")


# ── Marks and their notes ───────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class TextWithoutMarks:
    """Words without their marks, the marks, the problems of marks without a note, and what was cut out."""

    words: RunningText
    marks: tuple[Mark, ...]
    problems: tuple[Problem, ...]
    cuts: tuple[FoundMark, ...] = ()

    def shift_offset(self, offset: int) -> int:
        """Return the offset in these words for an offset in the words with their marks."""
        return _shift_offset(offset, self.cuts)


def _shift_offset(offset: int, cuts: Sequence[FoundMark]) -> int:
    return offset - sum(min(cut.end, offset) - cut.start for cut in cuts if cut.start < offset)


class MarkPairing:
    """Takes the marks out of words and finds their notes, for one edition whose notes have their paths."""

    def __init__(self, edition: Edition, notes: list[Note]):
        self.edition, self.notes = edition, notes
        self.signs = frozenset(note.sign for note in notes)

    def take_out_marks(self, words: RunningText, where: Literal["text", "heading"], id_: NodeId) -> TextWithoutMarks:
        """Return the words of a node without their marks, and the marks; ``where`` says which words of the node they
        are.

        A sign that no note has stays in the words. A mark without a note is reported.
        """
        cuts: list[FoundMark] = []
        marks: list[Mark] = []
        problems: list[Problem] = []
        for found in find_marks(words.text, self.edition.notes, self.signs):
            line = next((p.line for p in words.places[found.start : found.end] if p), 0)
            note = self._note_of(found.sign, id_, line) if found.known else None
            if note:
                at = _shift_offset(found.start, cuts)
                marks.append(Mark(at, NodeId.of(self.edition.id, note.path), where, found.sign))
            else:
                problems.append(self._missing_note_problem(found.sign, id_, line))
            if found.known:
                cuts.append(found)
        return TextWithoutMarks(_cut_marks(words, cuts), tuple(marks), tuple(problems), tuple(cuts))

    def _note_of(self, sign: str, id_: NodeId, line: int) -> Note | None:
        """Return the note that a mark in line ``line`` leads to, or None.

        Where each law numbers its notes anew, it is the next note with this sign below the mark, or else the last one
        of the law.
        """
        notes = [n for n in self.notes if n.sign == sign]
        if self.edition.notes.numbering == "law":
            own = [n for n in notes if n.owner == id_.law]
            notes = [n for n in own if n.number >= line] or own[-1:]
        return notes[0] if notes else None

    def _missing_note_problem(self, sign: str, id_: NodeId, line: int) -> Problem:
        return Problem(
            self.edition.source_name,
            max(line, 1),
            f"The mark {sign} in {id_.path} has no note.",
            "Is the note missing, or its sign misread? Correct it in corrections.tsv; "
            "if these characters are no mark, correct “mark” in edition.toml.",
        )


def _cut_marks(words: RunningText, cuts: list[FoundMark]) -> RunningText:
    out, at = RunningText(), 0
    for cut in cuts:
        out.add(words.text[at : cut.start], words.places[at : cut.start])
        at = cut.end
    out.add(words.text[at:], words.places[at:])
    out.tables = [replace(t, start=_shift_offset(t.start, cuts), end=_shift_offset(t.end, cuts)) for t in words.tables]
    return out
