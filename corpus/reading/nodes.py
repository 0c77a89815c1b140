"""Drafts become nodes: :func:`build_nodes`. Also the account of the source's characters.

The text of each draft is flowed and its marks are taken out. Every character keeps its place in the source.
:func:`find_unaccounted_and_repeated` and :func:`unaccounted_problems` check that each character of the source is in
one place only.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from corpus import corrections
from corpus.address import cite
from corpus.edition import Edition
from corpus.model import Correction, Node, NodeId, Piece, Problem, Text
from corpus.reading.draft import Draft, Paragraph, strip_line
from corpus.reading.flow import Hyphens, RunningText, flow_paragraphs, text_with_places
from corpus.reading.footnotes import MarkPairing, Note, TextWithoutMarks
from corpus.reading.source import Line, RemovedText, SourcePlace

_SOFT_HYPHENS = re.compile(r"(?:&(?:shy|#173|#xad);|\u00ad)+", re.IGNORECASE)
_MOST_PROBLEMS = 5  # problems of one kind that are reported; more of them would not help

SourceCharacter = tuple[int, int, str]  # line, 1-based column, character
SourceSpan = tuple[int, int, int, int]  # line, first column, line, last column


# ── The account of the characters ───────────────────────────────────────────────────────────────


def _is_not_blank(char: str) -> bool:
    return not char.isspace() and char != "\ufeff"


def count_characters(lines: list[str], places: Iterable[SourcePlace]) -> int:
    """Return how many non-blank characters of the source ``lines`` some places cover."""
    return sum(_is_not_blank(c) for p in places for c in lines[p.line - 1][p.start : p.end])


def find_unaccounted_and_repeated(
    lines: list[str], places: Iterable[SourcePlace]
) -> tuple[list[SourceCharacter], list[SourceCharacter]]:
    """Return (characters of the source in no place, characters in two places or more). Blanks are not counted."""
    count = Counter((p.line, column) for p in places for column in range(p.start, p.end))
    chars = [
        ((number, column + 1, char), count[number, column])
        for number, line in enumerate(lines, 1)
        for column, char in enumerate(line)
        if _is_not_blank(char)
    ]
    return [where for where, n in chars if not n], [where for where, n in chars if n > 1]


def unaccounted_problems(
    edition: Edition, missing: list[SourceCharacter], twice: list[SourceCharacter], broken: bool
) -> Iterator[Problem]:
    """Yield problems for the characters that :func:`find_unaccounted_and_repeated` returned, a few of each list.

    ``broken`` says that fatal problems are known, which explain why characters are missing. Characters in ``missing``
    are not reported then, and also not when there are characters in ``twice``.
    """
    for line, column, char in twice[:_MOST_PROBLEMS]:
        yield Problem(
            edition.source_name,
            line,
            f"Column {column}: the character “{char}” went into two nodes.",
            "Report this with the line: it is an error of the program.",
        )
    if broken or twice:
        return
    for line, column, char in missing[:_MOST_PROBLEMS]:
        yield Problem(
            edition.source_name,
            line,
            f"Column {column}: “{char}” is in no node and dropped by no rule.",
            "Does a pattern of edition.toml leave it out? Correct the pattern.",
        )


def corrections_with_results(
    rows: list[Correction], nodes: Iterable[Node], owned: Iterable[SourcePlace], removed: list[RemovedText]
) -> Iterator[Correction]:
    """Yield the corrections in their order. A correction that published no words of a node gets a value in ``became``.

    The value is ``sign`` (a character that a node has beside its words), ``dropped`` (a rule or another correction
    removed the place) or ``layout``. ``owned`` are the places of all characters of the nodes.
    """
    drawn = {row.correction for row in corrections.find_corrected_spans(nodes, rows)}
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


def source_text_of(lines: list[str], places: Iterable[SourcePlace]) -> str:
    """Return the source's characters in some places. Each span of :func:`_spans_of_places` is a line of the result."""
    return "\n".join(lines[line - 1][start:end] for line, start, _, end in _spans_of_places(places, lines))


def source_spans_of(places: Iterable[SourcePlace], lines: list[str]) -> tuple[SourceSpan, ...]:
    """Return (first line, first column, last line, last column) of stretches of the source, 1-based, ends inclusive.

    A stretch continues in the next line when the places there begin in one of its first 13 columns.
    """
    out: list[SourceSpan] = []
    for line, start, _, end in _spans_of_places(places, lines):
        if out and line - out[-1][2] == 1 and start <= 12:
            out[-1] = (*out[-1][:2], line, max(end, 1))
        else:
            out.append((line, start + 1, line, max(end, 1)))
    return tuple(out)


def _spans_of_places(places: Iterable[SourcePlace], lines: list[str]) -> list[SourceSpan]:
    """Return the stretches of the source that places cover: (line, start, line, end), columns 0-based and half open.

    There are one or more for each line. Places are in one stretch when at most three columns, or only soft hyphens, lie
    between them.
    """
    out: list[SourceSpan] = []
    for line, start, end, *_ in places:
        near = out and out[-1][0] == line and start >= out[-1][1]
        if near and (start - out[-1][3] <= 3 or _SOFT_HYPHENS.fullmatch(lines[line - 1], out[-1][3], start)):
            out[-1] = (*out[-1][:3], max(out[-1][3], end))
        else:
            out.append((line, start, line, end))
    return out


# ── From drafts to nodes ────────────────────────────────────────────────────────────────────────

_LONGEST_CAPTION = 120  # a longer line above a table is a paragraph


@dataclass(frozen=True)
class BuiltNodes:
    """The nodes in document order, the places of all characters that they hold, and what was found wrong."""

    nodes: tuple[Node, ...]
    owned: tuple[SourcePlace, ...]
    problems: tuple[Problem, ...]


def build_nodes(
    edition: Edition, lines: list[str], roots: tuple[Draft, ...], notes: list[Note], hyphens: Hyphens | None
) -> BuiltNodes:
    """Return the nodes of all drafts and notes, with the places of their characters and the problems.

    ``lines`` are the lines of the source. ``notes`` have their paths (``footnotes.assign_note_paths``). ``hyphens``
    joins words that a line end breaks; None leaves their hyphens.
    """
    builder = _NodeBuilder(edition, lines, notes, hyphens)
    for root in roots:
        builder.emit_with_children(root, None)
    for note in notes:
        if edition.notes.numbering == "book":
            builder.emit_note(note, None)
    return BuiltNodes(tuple(builder.nodes), tuple(builder.owned), tuple(builder.problems))


class _NodeBuilder:
    """Makes one node after the other, and collects the places of their characters."""

    def __init__(self, edition: Edition, lines: list[str], notes: list[Note], hyphens: Hyphens | None):
        self.edition, self.lines, self.notes, self.hyphens = edition, lines, notes, hyphens
        self.pairing = MarkPairing(edition, notes)
        self.owned: list[SourcePlace] = []
        self.problems: list[Problem] = []
        self.nodes: list[Node] = []

    def emit_with_children(self, draft: Draft, parent: NodeId | None) -> None:
        """Add the node of a draft, the nodes below it, and the notes that it owns."""
        id_ = NodeId.of(self.edition.id, draft.path)
        notes = [n for n in self.notes if n.owner == draft.path]
        self.emit_draft(id_, draft, parent, notes)
        for child in draft.children:
            self.emit_with_children(child, id_)
        for note in notes:
            self.emit_note(note, id_)

    def emit_draft(self, id_: NodeId, draft: Draft, parent: NodeId | None, notes: list[Note]) -> None:
        """Add the node of one draft."""
        words, order = self.flow_own_words(draft)
        title = flow_paragraphs([Paragraph(draft.heading)], self.hyphens) if draft.heading else RunningText()
        text, heading = (
            self.pairing.take_out_marks(words, "text", id_),
            self.pairing.take_out_marks(title, "heading", id_),
        )
        label = _label_text(draft.label) if draft.label and draft.kind != "definition" else None
        content = [self.content_piece(item, text) for item in order]
        content += [Piece(child=NodeId.of(self.edition.id, n.path)) for n in notes]
        self.problems += text.problems + heading.problems
        self.add_node(
            Node(
                id=id_,
                edition=self.edition.id,
                lang=self.edition.lang,
                year=self.edition.year,
                path=draft.path,
                kind=draft.kind,
                label=label,
                citation=self.citation_of(draft, label, heading.words),
                heading=heading.words.as_text() if heading.words.characters else None,
                parent=parent,
                text=text.words.as_text(),
                content=tuple(content),
                tables=tuple(replace(t, caption=_caption_above(text.words.text, t.start)) for t in text.words.tables),
                aside=draft.aside,
                marks=heading.marks + text.marks,
            ),
            [*_places_above_text(draft, title), *(p for p in words.places if p)],
        )

    def flow_own_words(self, draft: Draft) -> tuple[RunningText, list[Draft | tuple[int, int]]]:
        """Return the running text of a draft, and its content in reading order.

        The content is the child drafts and the stretches (start, end) of text between them.
        """
        words, order = RunningText(), list[Draft | tuple[int, int]]()
        run: list[Paragraph] = []
        for item in [*draft.items, None]:
            if isinstance(item, Paragraph):
                run.append(item)
                continue
            if run:
                if words.characters:
                    words.add_blank("\n\n")
                start = len(words.characters)
                words.append(flow_paragraphs(run, self.hyphens))
                order.append((start, len(words.characters)))
                run = []
            if item:
                order.append(item)
        return words, order

    def content_piece(self, item: Draft | tuple[int, int], text: TextWithoutMarks) -> Piece:
        """Return the piece of a node for an item of the content that :meth:`flow_own_words` returned.

        It is a child or a stretch of text. The offsets of ``item`` count the marks; those of the piece do not.
        """
        if isinstance(item, Draft):
            return Piece(child=NodeId.of(self.edition.id, item.path))
        start, end = map(text.shift_offset, item)
        return Piece(text=text.words.text[start:end], at=start)

    def citation_of(self, draft: Draft, label: Text | None, heading: RunningText) -> str:
        """Return how a director cites the node of a draft: ``12C1(e)``, or the term of a definition.

        Outside the laws it is the label with the heading, or else the path.
        """
        if draft.kind == "definition":
            return draft.term
        if draft.level >= 0:
            return cite(draft.path, self.edition.citation == "dotted")
        return " ".join(filter(None, (label, heading.text))) or draft.path

    def emit_note(self, note: Note, parent: NodeId | None) -> None:
        """Add the node of a footnote."""
        id_ = NodeId.of(self.edition.id, note.path)
        words = _trim_blanks(flow_paragraphs(note.paragraphs, self.hyphens))
        text = self.pairing.take_out_marks(words, "text", id_)
        self.problems += text.problems
        self.add_node(
            Node(
                id=id_,
                edition=self.edition.id,
                lang=self.edition.lang,
                year=self.edition.year,
                path=note.path,
                kind="footnote",
                label=_label_text(note.label),
                citation=cite(note.path),
                heading=None,
                parent=parent,
                text=text.words.as_text(),
                marks=text.marks,
                content=(Piece(text=text.words.text, at=0),) if text.words.characters else (),
            ),
            [*note.label.places, *(p for p in words.places if p)],
        )

    def add_node(self, node: Node, places: list[SourcePlace]) -> None:
        """Add a node and the places of its characters."""
        self.owned += places
        source = source_text_of(self.lines, places)
        self.nodes.append(replace(node, source_text=source, source_spans=source_spans_of(places, self.lines)))


def _places_above_text(draft: Draft, title: RunningText) -> Iterable[SourcePlace]:
    """The places of the label, the title and the signs around them, in the order of the print."""
    heading = [p for p in title.places if p]
    if draft.kind == "definition":
        return [*_sign_places(draft.label), *heading, *_sign_places(draft.separator)]
    return [*(draft.label.places if draft.label else ()), *_sign_places(draft.separator), *heading]


def _sign_places(line: Line | None) -> list[SourcePlace]:
    """Return the places of signs that no page shows: a bullet, a dash. Empty for None.

    Letters and digits of the line are left out, so that they are reported as unaccounted for.
    """
    return [p for c, p in zip(line.text, line.places, strict=True) if not c.isalnum()] if line else []


def _label_text(label: Line) -> Text:
    """A label without the blanks around it."""
    label = strip_line(label)
    return text_with_places(label.text, label.places)


def _caption_above(text: str, start: int) -> str | None:
    """Return the line above a table that begins at ``text[start]``, when it is short and no sentence; else None."""
    before = text[:start].rstrip("\n").rsplit("\n", 1)[-1]
    named = before and len(before) < _LONGEST_CAPTION and "\t" not in before and not before.endswith((".", ":"))
    return before if named else None


def _trim_blanks(words: RunningText) -> RunningText:
    """The words without the blanks around them."""
    text, out = words.text, RunningText()
    start = len(text) - len(text.lstrip())
    end = max(start, len(text.rstrip()))
    out.add(text[start:end], words.places[start:end])
    return out
