"""Step: drafts become nodes. Text is flowed, marks are lifted, every character keeps its way back to the source."""

from __future__ import annotations

from dataclasses import replace

from corpus.address import cite
from corpus.edition import Edition
from corpus.model import CONTAINERS, Mark, Node, NodeId, Piece, Problem, Table
from corpus.reading.draft import Draft, Paragraph, strip
from corpus.reading.flow import Flow, Hyphens, flow, placed
from corpus.reading.notes import Note, find_marks
from corpus.reading.published import Line, Place
from corpus.text import Text


class Builder:
    """Turns the drafts of one edition into nodes and keeps the account of the characters."""

    def __init__(self, edition: Edition, lines: list[str], notes: list[Note], conjunctions: tuple[str, ...] = ()):
        """``conjunctions``: the words of the language before which a hyphen is never the break of a word."""
        self.hyphens = Hyphens(lines, conjunctions) if edition.hyphens == "join" else None
        self.edition, self.lines, self.notes = edition, lines, notes
        self.owned: list[tuple[str, Place]] = []
        self.problems: list[Problem] = []
        self.nodes: list[Node] = []
        self.signs = {n.sign for n in notes}
        self.owners: list[tuple[int, Draft]] = []  # laws and parts, which number their own notes, by first line
        self._notes_by_owner: dict[str, list[Note]] | None = None

    def build(self, roots: list[Draft]) -> list[Node]:
        """All nodes in document order."""
        for root in roots:
            self.find_owners(root)
        for root in roots:
            self.emit(root, None)
        if self.edition.notes.numbering == "book":
            for note in self.notes:
                self.emit_note(note, None)
        return [self.with_mark_targets(n) for n in self.nodes]

    # ── footnotes ───────────────────────────────────────────────────────────────────────────────

    def find_owners(self, root: Draft) -> None:
        """Notes numbered through the book get their paths; the others wait for their law."""
        if self.edition.notes.numbering == "book":
            for note in self.notes:
                note.path = f"fn/{note.sign}"
            return
        self.owners += [
            (_first_line(d), d)
            for d in root.walk()
            if d.level == 0 or (d.level < 0 and not d.parent and d.kind not in CONTAINERS)
        ]

    def notes_by_owner(self) -> dict[str, list[Note]]:
        """Notes with signs belong to the law whose mark they answer: the nearest before them that bears the sign."""
        if self._notes_by_owner is not None:
            return self._notes_by_owner
        owners = sorted(self.owners, key=lambda p: p[0])
        found: dict[str, list[Note]] = {}
        for note in self.notes:
            before = [owner for number, owner in owners if number <= note.number]
            owner = next((o for o in reversed(before[-3:]) if self._bears(o, note)), before[-1] if before else None)
            if owner is None:
                self.problems.append(
                    Problem(
                        self.edition.file,
                        note.number,
                        f"A note {note.sign} before the first part or law.",
                        "Correct its sign in corrections.tsv, or drop it by a rule.",
                    )
                )
                continue
            found.setdefault(owner.path, []).append(note)
            note.law, note.path = owner.path, f"{owner.path}/fn/{len(found[owner.path])}"
        self._notes_by_owner = found
        return found

    def _bears(self, owner: Draft, note: Note) -> bool:
        for draft in owner.walk():
            for words in (self.flow(draft.paragraphs()).text, " ".join(l.text for l in draft.heading)):
                if any(mark.sign == note.sign for mark in find_marks(words, self.edition.notes, self.signs)):
                    return True
        return False

    def flow(self, paragraphs: list[Paragraph]) -> Flow:
        return flow(paragraphs, self.hyphens)

    # ── nodes ───────────────────────────────────────────────────────────────────────────────────

    def emit(self, draft: Draft, parent: str | None) -> None:
        id_ = NodeId.of(self.edition.id, draft.path)
        text, content, run = Flow(), [], []

        def close_run():
            if not run:
                return
            part = self.flow(run)
            if text.characters:
                text.space("\n\n")
            start = len(text.characters)
            text.add(part.text, part.places)
            text.tables += [(c, r, s + start, e + start) for c, r, s, e in part.tables]
            content.append((start, len(text.characters)))
            run.clear()

        for item in draft.items:
            if isinstance(item, Draft):
                close_run()
                content.append(item)
            else:
                run.append(item)
        close_run()
        heading = self.flow([Paragraph(draft.heading)]) if draft.heading else Flow()
        notes = self.notes_by_owner().get(draft.path, []) if self.edition.notes.numbering == "law" else []
        self.add_node(id_, draft, parent, text, heading, content, notes)
        for child in draft.children:
            self.emit(child, id_)
        for note in notes:
            self.emit_note(note, id_)

    def add_node(
        self, id_: str, draft: Draft, parent: str | None, text: Flow, heading: Flow, content: list, notes: list[Note]
    ) -> None:
        title, separator, label = (
            [p for p in heading.places if p],
            _signs(draft.separator),
            list(draft.label.places if draft.label else ()),
        )
        if draft.kind == "definition":
            everything = _signs(draft.label) + title + separator
        else:
            everything = label + separator + title
        everything += [p for p in text.places if p]
        self.own(id_, everything)
        text, text_marks = self.lift_marks(text, "text", id_)
        heading, heading_marks = self.lift_marks(heading, "heading", id_)
        content = self.pieces(content, text, text_marks)
        content += [Piece(child=NodeId.of(self.edition.id, n.path)) for n in notes]
        label = _printed(draft.label) if draft.label and draft.kind != "definition" else None
        dotted = self.edition.citation == "dotted"
        self.nodes.append(
            Node(
                id=id_,
                edition=self.edition.id,
                lang=self.edition.lang,
                year=self.edition.year,
                path=draft.path,
                kind=draft.kind,
                label=label,
                citation=self.citation(draft, label, heading, dotted),
                heading=heading.as_text() if heading.characters else None,
                parent=parent,
                text=text.as_text(),
                content=tuple(content),
                tables=tuple(Table(self.caption(text.text, s), r, s, e) for _, r, s, e in text.tables),
                marks=tuple(heading_marks[0] + text_marks[0]),
                source_text=self.source_of(everything),
                source_spans=spans(everything),
                aside=draft.aside,
            )
        )

    def citation(self, draft: Draft, label, heading: Flow, dotted: bool) -> str:
        if draft.kind == "definition":
            return draft.term
        if draft.level >= 0:
            return cite(draft.path, dotted)
        return " ".join(filter(None, (label, heading.text))) or draft.path

    @staticmethod
    def caption(text: str, start: int) -> str | None:
        before = text[:start].rstrip("\n").rsplit("\n", 1)[-1] if start else ""
        return (
            before if before and len(before) < 120 and "\t" not in before and not before.endswith((".", ":")) else None
        )

    def pieces(self, content: list, text: Flow, lifted) -> list[Piece]:
        """Text stretches (shifted by the marks that left them) and children in reading order."""
        shift = lifted[1]
        out = []
        for item in content:
            if isinstance(item, Draft):
                out.append(Piece(child=NodeId.of(self.edition.id, item.path)))
            else:
                start, end = shift(item[0]), shift(item[1])
                out.append(Piece(text=text.text[start:end], at=start))
        return out

    def lift_marks(self, words: Flow, where: str, id_: str):
        """The words without their note marks; the marks; and how offsets moved."""
        marks, kept_text, kept_places, at, cuts = [], [], [], 0, []
        for found in find_marks(words.text, self.edition.notes, self.signs):
            place = next((p for p in words.places[found.start : found.end] if p), None)
            line = place.line if place else 0
            if not found.known:
                self.no_note(found.sign, id_, line)
                continue
            kept_text.append(words.text[at : found.start])
            kept_places += words.places[at : found.start]
            cuts.append((found.start, found.end))
            marks.append(Mark(sum(map(len, kept_text)), f"{found.sign}@{line}", where, found.sign))
            at = found.end
        kept_text.append(words.text[at:])
        kept_places += words.places[at:]
        shift = lambda offset: offset - sum(min(e, offset) - s for s, e in cuts if s < offset)
        out = Flow("".join(kept_text), kept_places)
        out.tables = [(c, r, shift(s), shift(e)) for c, r, s, e in words.tables]
        return out, (marks, shift)

    def with_mark_targets(self, node: Node) -> Node:
        if not node.marks:
            return node
        return replace(node, marks=tuple(filter(None, (self.target(node, m) for m in node.marks))))

    def target(self, node: Node, mark: Mark) -> Mark | None:
        sign, line = mark.target.rsplit("@", 1)
        if self.edition.notes.numbering == "book":
            candidates = [n for n in self.notes if n.sign == sign]
        else:
            law = node.id.law
            candidates = [n for n in self.notes if n.sign == sign and n.law == law]
            candidates = [n for n in candidates if n.number >= int(line)] or candidates[-1:]
        if not candidates:
            self.no_note(sign, node.id, int(line))
            return None
        candidates[0].marked.append(node.id)
        return replace(mark, target=NodeId.of(self.edition.id, candidates[0].path))

    def no_note(self, sign: str, id_: str, line: int) -> None:
        self.problems.append(
            Problem(
                self.edition.file,
                max(line, 1),
                f"The mark {sign} in {id_.split('/', 1)[1]} has no note.",
                "Is the note missing, or its sign misread? Correct it in corrections.tsv; if these characters are no mark, correct “mark” in edition.toml.",
            )
        )

    def emit_note(self, note: Note, parent: str | None) -> None:
        id_ = NodeId.of(self.edition.id, note.path)
        words = self.flow([Paragraph(note.lines)])
        words = _trim(words)
        places = list(note.label.places) + [p for p in words.places if p]
        self.own(id_, places)
        words, (marks, _) = self.lift_marks(words, "text", id_)
        self.nodes.append(
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
                text=words.as_text(),
                marks=tuple(marks),
                content=(Piece(text=words.text, at=0),) if words.text else (),
                source_text=self.source_of(places),
                source_spans=spans(places),
            )
        )

    # ── the account ─────────────────────────────────────────────────────────────────────────────

    def own(self, id_: str, places) -> None:
        self.owned += [(id_, p) for p in places]

    def source_of(self, places) -> str:
        """The source's characters of a node, line by line."""
        return "\n".join(self.lines[line - 1][start:end] for line, start, _, end in _by_line(places))


def _signs(line: Line | None) -> list[Place]:
    """The places of what no page shows: a bullet, a dash. A letter or digit is none; it stays unaccounted for."""
    return [p for c, p in zip(line.text, line.places) if not c.isalnum()] if line else []


def _printed(label: Line) -> Text:
    """A label without the blanks around it."""
    label = strip(label)
    return placed(label.text, label.places)


def _first_line(draft: Draft) -> int:
    """The line that a draft begins on."""
    lines = [draft.label, *draft.heading, *(l for p in draft.paragraphs() for l in p.lines)]
    return next((l.number for l in lines if l), 0)


def _trim(words: Flow) -> Flow:
    """The words without the blanks around them."""
    text = words.text
    start = len(text) - len(text.lstrip())
    end = max(start, len(text.rstrip()))
    return Flow(text[start:end], words.places[start:end])


def _by_line(places) -> list[tuple[int, int, int, int]]:
    """(line, first column, line, last column) stretches of places, one per line and run, 0-based half open."""
    out = []
    for line, start, end, *_ in places:
        if out and out[-1][0] == line and start - out[-1][3] <= 3 and start >= out[-1][1]:
            out[-1][3] = max(out[-1][3], end)
        else:
            out.append([line, start, line, end])
    return [tuple(o) for o in out]


def spans(places) -> tuple[tuple[int, int, int, int], ...]:
    """Stretches of the source as (line, column, line, column), 1-based, both ends inclusive; whole lines run together."""
    out = []
    for line, start, _, end in _by_line(places):
        if out and line - out[-1][2] == 1 and start <= 12:
            out[-1][2:] = [line, max(end, 1)]
        else:
            out.append([line, start + 1, line, max(end, 1)])
    return tuple(tuple(o) for o in out)
