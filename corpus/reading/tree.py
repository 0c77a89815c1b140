"""Step 7: drafts become nodes. Text is flowed, marks are lifted, every character keeps its way back to the source."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from corpus import corrected
from corpus.address import cite
from corpus.edition import Edition
from corpus.model import Correction, Node, NodeId, Piece, Problem, Text
from corpus.reading.draft import Draft, Paragraph, strip
from corpus.reading.flow import Flow, Hyphens, flow, placed
from corpus.reading.notes import Lifted, Note, Pairing
from corpus.reading.source import Line, Place, Removed

_SOFT_HYPHENS = re.compile(r"(?:&(?:shy|#173|#xad);|\u00ad)+", re.IGNORECASE)
_TOLD = 5  # problems of one kind; more say nothing new

Character = tuple[int, int, str]  # line, 1-based column, character
Span = tuple[int, int, int, int]  # line, first column, line, last column


def _counts(char: str) -> bool:
    return not char.isspace() and char != "\ufeff"


def size(lines: list[str], places: Iterable[Place]) -> int:
    """How many non-blank characters of the source some places answer for."""
    return sum(_counts(c) for p in places for c in lines[p.line - 1][p.start : p.end])


def audit(lines: list[str], places: Iterable[Place]) -> tuple[list[Character], list[Character]]:
    """Non-blank characters of the source that nobody answers for, and those that two places do."""
    count = Counter((p.line, column) for p in places for column in range(p.start, p.end))
    chars = [
        ((number, column + 1, char), count[number, column])
        for number, line in enumerate(lines, 1)
        for column, char in enumerate(line)
        if _counts(char)
    ]
    return [where for where, n in chars if not n], [where for where, n in chars if n > 1]


def tally_problems(
    edition: Edition, missing: list[Character], twice: list[Character], broken: bool
) -> Iterator[Problem]:
    """What the audit found, as problems; ``broken``: fatal ones are known, which explain what is missing."""
    for line, column, char in twice[:_TOLD]:
        yield Problem(
            edition.file,
            line,
            f"Column {column}: the character “{char}” went into two nodes.",
            "Report this with the line: it is an error of the program.",
        )
    if broken or twice:
        return
    for line, column, char in missing[:_TOLD]:
        yield Problem(
            edition.file,
            line,
            f"Column {column}: “{char}” is in no node and dropped by no rule.",
            "Does a pattern of edition.toml leave it out? Correct the pattern.",
        )


def became(
    rows: list[Correction], nodes: Iterable[Node], owned: Iterable[Place], removed: list[Removed]
) -> Iterator[Correction]:
    """The corrections, and what those became that are no words of a node."""
    drawn = {row.correction for row in corrected.drawn(nodes, rows)}
    signs = {(p.line, p.column + 1, p.width) for p in owned}
    gone = {(p.line, column) for r in removed for p in r.places for column in range(p.start + 1, p.end + 1)}
    for row in rows:
        columns = range(row.column, row.column + max(len(row.source), 1))
        if row in drawn:
            yield row
        elif (row.line, row.column, len(row.source)) in signs:
            yield replace(row, became="sign")
        else:
            yield replace(row, became="dropped" if any((row.line, c) in gone for c in columns) else "layout")


def text_of(lines: list[str], places: Iterable[Place]) -> str:
    """The source's characters of some places, line by line."""
    return "\n".join(lines[line - 1][start:end] for line, start, _, end in _by_line(places, lines))


def spans(places: Iterable[Place], lines: list[str]) -> tuple[Span, ...]:
    """Stretches of the source, 1-based, both ends inclusive; whole lines run together."""
    out: list[Span] = []
    for line, start, _, end in _by_line(places, lines):
        if out and line - out[-1][2] == 1 and start <= 12:
            out[-1] = (*out[-1][:2], line, max(end, 1))
        else:
            out.append((line, start + 1, line, max(end, 1)))
    return tuple(out)


def _by_line(places: Iterable[Place], lines: list[str]) -> list[Span]:
    """Stretches of places, one per line and run, columns 0-based half open. Soft hyphens part no run."""
    out: list[Span] = []
    for line, start, end, *_ in places:
        near = out and out[-1][0] == line and start >= out[-1][1]
        if near and (start - out[-1][3] <= 3 or _SOFT_HYPHENS.fullmatch(lines[line - 1], out[-1][3], start)):
            out[-1] = (*out[-1][:3], max(out[-1][3], end))
        else:
            out.append((line, start, line, end))
    return out


_CAPTION = 120  # a longer line above a table is a paragraph


@dataclass(frozen=True)
class Built:
    """The nodes in document order, the places of all characters that they hold, and what was found wrong."""

    nodes: tuple[Node, ...]
    owned: tuple[Place, ...]
    problems: tuple[Problem, ...]


def build(
    edition: Edition, lines: list[str], roots: tuple[Draft, ...], notes: list[Note], hyphens: Hyphens | None
) -> Built:
    """``lines``: of the source; ``notes``: settled."""
    builder = _Builder(edition, lines, notes, hyphens)
    for root in roots:
        builder.emit(root, None)
    for note in notes:
        if edition.notes.numbering == "book":
            builder.emit_note(note, None)
    return Built(tuple(builder.nodes), tuple(builder.owned), tuple(builder.problems))


class _Builder:
    """Emits one node after the other and keeps the account of the characters."""

    def __init__(self, edition: Edition, lines: list[str], notes: list[Note], hyphens: Hyphens | None):
        self.edition, self.lines, self.notes, self.hyphens = edition, lines, notes, hyphens
        self.pairing = Pairing(edition, notes)
        self.owned: list[Place] = []
        self.problems: list[Problem] = []
        self.nodes: list[Node] = []

    def emit(self, draft: Draft, parent: NodeId | None) -> None:
        """The node of a draft, those below it, and the notes that it counts."""
        id_ = NodeId.of(self.edition.id, draft.path)
        notes = [n for n in self.notes if n.owner == draft.path]
        self.emit_draft(id_, draft, parent, notes)
        for child in draft.children:
            self.emit(child, id_)
        for note in notes:
            self.emit_note(note, id_)

    def emit_draft(self, id_: NodeId, draft: Draft, parent: NodeId | None, notes: list[Note]) -> None:
        """The node of one draft."""
        words, order = self.own_words(draft)
        title = flow([Paragraph(draft.heading)], self.hyphens) if draft.heading else Flow()
        text, heading = self.pairing.lift(words, "text", id_), self.pairing.lift(title, "heading", id_)
        label = _printed(draft.label) if draft.label and draft.kind != "definition" else None
        content = [self.piece(item, text) for item in order]
        content += [Piece(child=NodeId.of(self.edition.id, n.path)) for n in notes]
        self.problems += text.problems + heading.problems
        self.add(
            Node(
                id=id_,
                edition=self.edition.id,
                lang=self.edition.lang,
                year=self.edition.year,
                path=draft.path,
                kind=draft.kind,
                label=label,
                citation=self.citation(draft, label, heading.words),
                heading=heading.words.as_text() if heading.words.characters else None,
                parent=parent,
                text=text.words.as_text(),
                content=tuple(content),
                tables=tuple(replace(t, caption=_caption(text.words.text, t.start)) for t in text.words.tables),
                aside=draft.aside,
                marks=heading.marks + text.marks,
            ),
            [*_places_above(draft, title), *(p for p in words.places if p)],
        )

    def own_words(self, draft: Draft) -> tuple[Flow, list[Draft | tuple[int, int]]]:
        """The running text of a draft, and in reading order its children and the stretches of text between them."""
        words, order = Flow(), list[Draft | tuple[int, int]]()
        run: list[Paragraph] = []
        for item in [*draft.items, None]:
            if isinstance(item, Paragraph):
                run.append(item)
                continue
            if run:
                if words.characters:
                    words.space("\n\n")
                start = len(words.characters)
                words.append(flow(run, self.hyphens))
                order.append((start, len(words.characters)))
                run = []
            if item:
                order.append(item)
        return words, order

    def piece(self, item: Draft | tuple[int, int], text: Lifted) -> Piece:
        """A child, or a stretch of text, shifted by the marks that left it."""
        if isinstance(item, Draft):
            return Piece(child=NodeId.of(self.edition.id, item.path))
        start, end = map(text.moved, item)
        return Piece(text=text.words.text[start:end], at=start)

    def citation(self, draft: Draft, label: Text | None, heading: Flow) -> str:
        """How a director cites it."""
        if draft.kind == "definition":
            return draft.term
        if draft.level >= 0:
            return cite(draft.path, self.edition.citation == "dotted")
        return " ".join(filter(None, (label, heading.text))) or draft.path

    def emit_note(self, note: Note, parent: NodeId | None) -> None:
        """The node of a footnote."""
        id_ = NodeId.of(self.edition.id, note.path)
        words = _trim(flow(note.paragraphs, self.hyphens))
        text = self.pairing.lift(words, "text", id_)
        self.problems += text.problems
        self.add(
            Node(
                id=id_,
                edition=self.edition.id,
                lang=self.edition.lang,
                year=self.edition.year,
                path=note.path,
                kind="footnote",
                label=_printed(note.label),
                citation=cite(note.path),
                heading=None,
                parent=parent,
                text=text.words.as_text(),
                marks=text.marks,
                content=(Piece(text=text.words.text, at=0),) if text.words.characters else (),
            ),
            [*note.label.places, *(p for p in words.places if p)],
        )

    def add(self, node: Node, places: list[Place]) -> None:
        """A node with the places of its characters."""
        self.owned += places
        source = text_of(self.lines, places)
        self.nodes.append(replace(node, source_text=source, source_spans=spans(places, self.lines)))


def _places_above(draft: Draft, title: Flow) -> Iterable[Place]:
    """The places of label, title and the signs around them, in the order of the print."""
    heading = [p for p in title.places if p]
    if draft.kind == "definition":
        return [*_signs(draft.label), *heading, *_signs(draft.separator)]
    return [*(draft.label.places if draft.label else ()), *_signs(draft.separator), *heading]


def _signs(line: Line | None) -> list[Place]:
    """The places of what no page shows: a bullet, a dash. A letter or digit is none; it stays unaccounted for."""
    return [p for c, p in zip(line.text, line.places, strict=True) if not c.isalnum()] if line else []


def _printed(label: Line) -> Text:
    """A label without the blanks around it."""
    label = strip(label)
    return placed(label.text, label.places)


def _caption(text: str, start: int) -> str | None:
    """The line above a table, when it is short and no sentence."""
    before = text[:start].rstrip("\n").rsplit("\n", 1)[-1]
    named = before and len(before) < _CAPTION and "\t" not in before and not before.endswith((".", ":"))
    return before if named else None


def _trim(words: Flow) -> Flow:
    """The words without the blanks around them."""
    text, out = words.text, Flow()
    start = len(text) - len(text.lstrip())
    end = max(start, len(text.rstrip()))
    out.add(text[start:end], words.places[start:end])
    return out
