"""Step 5: lines become a tree of drafts.

Typed schemes tell the level by the label's form and its place in the sequence; the indented scheme by the
depth of its indentation. A label that does not continue its sequence is text when it stands inside a sentence,
and a problem otherwise.
"""
from __future__ import annotations

import re
from dataclasses import dataclass, field

from corpus.edition import Edition
from corpus.model import Problem
from corpus.reading.labels import Label, LabelReader, is_capitals
from corpus.reading.published import Line

_SENTENCE_END = re.compile(r"[.:!?…][)\]”\"'»“*]*$")
_DASH = re.compile(r"[-–—•·]\s")
_FULL = 0.72  # a printed line shorter than this share of the usual width ends its paragraph


@dataclass
class Paragraph:
    """Lines that read as one paragraph; ``table`` when they are rows, cells separated by tabs."""

    lines: list[Line]
    table: bool = False
    rule: object = None  # the TableRule that a table is read by


@dataclass
class Draft:
    """A node in the making. ``items`` holds Paragraphs and child Drafts in reading order."""

    path: str
    kind: str
    level: int = -1
    label: Line | None = None
    heading: list[Line] = field(default_factory=list)
    items: list = field(default_factory=list)
    parent: "Draft | None" = None
    count: dict = field(default_factory=dict)  # level → last ordinal among its children
    term: str = ""  # of a definition: the headword that names it
    separator: Line | None = None  # the dash between a headword and its text

    @property
    def children(self) -> list["Draft"]:
        return [i for i in self.items if isinstance(i, Draft)]

    def paragraphs(self) -> list[Paragraph]:
        return [i for i in self.items if isinstance(i, Paragraph)]

    def walk(self):
        """This draft and its descendants in reading order."""
        yield self
        for child in self.children:
            yield from child.walk()


class Assembler:
    """Builds the drafts of one edition; ``roots`` are the top nodes in document order."""

    def __init__(self, edition: Edition, see_words: re.Pattern | None):
        self.edition = edition
        self.see_words = see_words
        self.readers = [LabelReader(level) for level in edition.levels]
        self.parts = [(re.compile(p.start), p) for p in edition.parts]
        self.headed = [(re.compile(h.pattern), h) for h in edition.headed]
        self.placements = {p.line: p.path for p in edition.placements}
        self.table_rules: dict[str, list] = {}
        for rule in edition.tables:
            self.table_rules.setdefault(rule.path, []).append((rule, re.compile(rule.first), re.compile(rule.last)))
        self.roots: list[Draft] = []
        self.by_path: dict[str, Draft] = {}
        self.problems: list[Problem] = []
        self.containers: list[Draft] = []
        self.current: Draft | None = None
        self.part: str | None = None
        self.by_line = False  # whether every line of the part is a paragraph
        self.laws_open = not edition.laws_start
        self.expect_law = edition.laws[0]
        self.blank = True
        self.last: tuple[Draft, Line] | None = None  # where the last line of text went
        self.table: tuple | None = None
        self.awaiting_heading = False

    # ── the walk ────────────────────────────────────────────────────────────────────────────────

    def run(self, lines: list[Line]) -> None:
        """Place every line."""
        self.lines = lines
        lengths = sorted(len(l.text.rstrip()) for l in lines if l.text.strip())
        self.width = lengths[int(len(lengths) * 0.9)] if lengths else 80
        skip = 0
        for index, line in enumerate(lines):
            if skip:
                skip -= 1
                continue
            if not line.text.strip():
                self.blank = True
                continue
            skip = self.place(index, line)
            self.blank = False

    def place(self, index: int, line: Line) -> int:
        """Put one line where it belongs; returns how many following lines were used up too."""
        text = line.text.strip()
        if self.table:
            return self.table_row(line)
        for pattern, part in self.parts:
            if pattern.match(text) and part.path not in self.by_path:
                self.open_part(part, line)
                return 0
        if self.part in (None, "laws") or self.laws_can_start(text):
            used = self.container(index, line)
            if used is not None:
                return used
            found = self.readers[0].read(line.text)
            if found and self.is_next_law(found[0], index, line):
                return self.open_law(index, line, *found)
        if self.current is None:
            self.problem(line, f"“{text[:60]}” stands before the first part or law.",
                         "Describe it in edition.toml: as a part, a container or a drop rule.")
            return 0
        if line.number in self.placements:
            self.current = self.by_path.get(self.placements[line.number]) or self.bad_placement(line)
            goes_on = self.last and self.last[0] is self.current and not _SENTENCE_END.search(self.last[1].text.rstrip()) and text[0].islower()
            self.add_text(self.current, line, new=not goes_on)
            return 0
        if self.part == "laws" and self.start_table(line):
            return 0
        if self.part == "def":
            self.definition_line(index, line)
        elif self.part not in (None, "laws"):
            self.add_text(self.current, line, new=not text[0].islower() if self.by_line else self.breaks(self.current, line))
        else:
            self.law_line(index, line)
        return 0

    def laws_can_start(self, text: str) -> bool:
        if not self.laws_open and re.match(self.edition.laws_start, text):
            self.laws_open = True
        return self.laws_open and self.part not in ("index",)

    def is_next_law(self, label: Label, index: int, line: Line) -> bool:
        """Whether a law label is one: the next number, or a title in capitals after a finished sentence."""
        if not self.laws_open:
            return False
        if label.ordinal == self.expect_law:
            return True
        if self.indent(line) or not (self.blank or self.edition.scheme == "indented"):
            return False
        strong = re.search(r"\w{3,}|§", self.edition.levels[0].labels[0].replace("HEADING", "").replace("Heading", ""))
        return bool(strong) or "HEADING" in self.edition.levels[0].labels[0]

    # ── parts, containers, laws ─────────────────────────────────────────────────────────────────

    def open(self, path: str, kind: str, parent: Draft | None, level: int = -1) -> Draft:
        draft = Draft(path, kind, level, parent=parent)
        (parent.items if parent else self.roots).append(draft)
        if path not in self.by_path:
            self.by_path[path] = draft
        self.current, self.last, self.awaiting_heading = draft, None, False
        return draft

    def open_part(self, part, line: Line) -> None:
        kind = "container" if part.path == "def" else part.path.split("/")[0]
        parent = self.by_path.get(part.path.rsplit("/", 1)[0]) if "/" in part.path else None
        draft = self.open(part.path, kind, parent)
        self.part, self.by_line = part.path, part.lines
        if part.heading:
            stripped = self.strip(line)
            title = re.match(part.start, stripped.text).groupdict().get("heading") and re.match(part.start, stripped.text).start("heading") or 0
            draft.heading.append(stripped.cut(title))
            draft.label = stripped.cut(0, len(stripped.text[:title].rstrip())) if title else None
        else:
            self.add_text(draft, line, new=True)

    def container(self, index: int, line: Line) -> int | None:
        """Open a chapter, part or division; None when the line is none."""
        for depth, (pattern, headed) in enumerate(self.headed):
            match = pattern.match(line.text.strip())
            if not match:
                continue
            self.part = "laws"
            self.containers = [c for c in self.containers if [h.kind for _, h in self.headed].index(c.kind) < depth]
            parent = self.containers[-1] if self.containers else None
            siblings = [c for c in (parent.children if parent else self.roots) if c.kind == headed.kind]
            number = match["n"].strip()
            taken = {c.path.rsplit("/", 1)[1] for c in siblings}
            if number in taken:
                number = _roman(len(siblings) + 1)
            path = (f"{parent.path}/" if parent else "") + f"{headed.kind}/{number}"
            draft = self.open(path, headed.kind, parent)
            self.containers.append(draft)
            stripped = self.strip(line)
            heading = match.groupdict().get("heading")
            if heading:
                draft.label, draft.heading = stripped.cut(0, match.start("heading")), [stripped.cut(match.start("heading"))]
                return 0
            draft.label = stripped
            following = next((i for i in range(index + 1, len(self.lines)) if self.lines[i].text.strip()), None)
            if following is None or self.readers[0].read(self.lines[following].text) and self.edition.levels[0].heading != "next-line":
                return 0
            draft.heading.append(self.strip(self.lines[following]))
            if self.lines[following].text.strip() and any(p.start and re.match(p.start, self.lines[following].text.strip()) for p in self.edition.parts):
                draft.heading.clear()
                return 0
            return following - index
        return None

    def open_law(self, index: int, line: Line, label: Label, heading: str | None) -> int:
        number = label.ordinal
        if number < self.expect_law:
            self.problem(line, f"Law {number} a second time.", "Correct the label in corrections.tsv, or drop the repetition.")
        elif number > self.expect_law:
            gap = str(self.expect_law) if number == self.expect_law + 1 else f"{self.expect_law}–{number - 1}"
            self.problem(line, f"Law {number} follows law {self.expect_law - 1}.", f"Is law {gap} missing, or printed otherwise? Correct the label in corrections.tsv or the template in edition.toml.")
        self.part = "laws"
        self.expect_law = number + 1
        draft = self.open(str(number), self.edition.levels[0].kind, self.containers[-1] if self.containers else None, level=0)
        draft.label = line.cut(label.start, label.end)
        rest = self.strip(line.cut(label.after))
        level = self.edition.levels[0]
        if level.heading == "next-line" and not rest.text:
            following = next((i for i in range(index + 1, len(self.lines)) if self.lines[i].text.strip()), None)
            if following is not None:
                draft.heading.append(self.strip(self.lines[following]))
                return following - index
        elif rest.text:
            draft.heading.append(rest)
            self.awaiting_heading = level.heading != "next-line"
        return 0

    # ── inside a law ────────────────────────────────────────────────────────────────────────────

    def law_line(self, index: int, line: Line) -> None:
        if self.awaiting_heading:
            self.awaiting_heading = False
            full = self.current.heading and len(self.current.heading[-1].text) > self.width * 0.6
            if not self.blank and full and _continues_capitals(self.current.heading[-1].text, line.text):
                self.current.heading.append(self.strip(line))
                return
        if self.edition.scheme == "indented":
            self.indented_line(index, line)
        else:
            self.typed_line(index, line)

    def typed_line(self, index: int, line: Line) -> None:
        """Labels at the start of a line, several on one line, then text."""
        opened = False
        while found := self.next_label(line, index, first=not opened):
            level, label = found
            self.open_provision(level, label, line)
            line = line.cut(label.after)
            opened = True
        rest = self.strip(line)
        if not rest.text:
            return
        if opened and self.is_heading(rest.text, index):
            self.current.heading.append(rest)
            return
        self.inline_labels(rest, index, opened)

    def next_label(self, line: Line, index: int, first: bool) -> tuple[int, Label] | None:
        """The level and label that a text starts with, when they continue what is open."""
        candidates = []
        for level in range(1, len(self.readers)):
            found = self.readers[level].read(line.text)
            if found:
                candidates.append((level, found[0]))
        fitting = [(l, b) for l, b in candidates if self.continues(l, b, first)]
        if fitting:
            return max(fitting, key=lambda c: (c[1].ordinal > 1, c[0] if c[1].ordinal > 1 else -c[0]))
        if candidates and first and not self.in_sentence(line):
            level, label = candidates[0]
            parent, last = self.parent_for(level), 0
            last = parent.count.get(level, 0)
            if label.ordinal == last:
                self.problem(line, f"{line.text[label.start:label.end]} a second time in {parent.path}.", "Correct the label in corrections.tsv.")
            else:
                before = self.edition.levels[level].step(last) if last else "the beginning"
                self.problem(line, f"{line.text[label.start:label.end]} follows {before} in {parent.path}.",
                             f"Is {self.edition.levels[level].step(last + 1)} missing? Correct the label in corrections.tsv, or say in placements where the line belongs.")
            return level, label
        return None

    def parent_for(self, level: int) -> Draft:
        """The innermost open draft of a shallower level."""
        draft = self.current
        while draft.level >= level or draft.level < 0 and draft.parent:
            draft = draft.parent
        return draft

    def continues(self, level: int, label: Label, first: bool) -> bool:
        parent = self.parent_for(level)
        if label.prefix and label.prefix.rstrip(".") != _dotted(parent.path):
            return False
        if not first and self.current.level >= level:
            return False
        last = parent.count.get(level, 0)
        if label.ordinal != last + 1:
            return False
        if label.ordinal == 1 and any(l > level for l in parent.count):
            return False  # a shallower list cannot begin after a deeper one stood directly in the parent
        return True

    def in_sentence(self, line: Line) -> bool:
        """Whether the line goes on with a sentence, so that a label at its start is only a look-alike."""
        if not self.last or self.blank and self.edition.paragraphs != "wrapped":
            return False
        return not _SENTENCE_END.search(self.last[1].text.rstrip())

    def open_provision(self, level: int, label: Label, line: Line) -> Draft:
        parent = self.parent_for(level)
        parent.count[level] = max(label.ordinal, parent.count.get(level, 0))
        spec = self.edition.levels[level]
        draft = self.open(f"{parent.path}/{spec.step(label.ordinal)}", spec.kind, parent, level)
        draft.label = line.cut(label.start, label.end)
        return draft

    def inline_labels(self, line: Line, index: int, opened: bool) -> None:
        """Labelled items that run on inside a sentence; the rest is plain text."""
        while cut := self.inline_start(line, index):
            at, level, label = cut
            before = self.strip(line.cut(0, at))
            if before.text:
                self.add_text(self.current, before, new=opened or self.breaks(self.current, before))
            self.open_provision(level, label, line.cut(at))
            line = self.strip(line.cut(at + label.after))
            opened = True
        if line.text:
            if not opened:
                self.text_line(line)
            else:
                self.add_text(self.current, line, new=not self.current.paragraphs() or self.breaks(self.current, line))

    def inline_start(self, line: Line, index: int):
        """Place, level and label of the next inline item in the line, or None."""
        for level in range(1, len(self.readers)):
            if not self.edition.levels[level].inline:
                continue
            for match in re.finditer(r"(?<=[\s])(?=\S)", line.text):
                found = self.readers[level].read(line.text[match.start():])
                if not found or found[0].start:
                    continue
                label = found[0]
                before = line.text[:match.start()].rstrip()
                if self.see_words and self.see_words.search(before):
                    continue
                parent = self.parent_for(level)
                last = parent.count.get(level, 0)
                if label.ordinal == last + 1 and (last and self.current.level == level or not last and self.inline_goes_on(level, line, match.start(), index)):
                    return match.start(), level, label
        return None

    def inline_goes_on(self, level: int, line: Line, at: int, index: int) -> bool:
        """Whether the paragraph holds a second item of the list that seems to begin at ``at``."""
        text = line.text[at:]
        for following in self.lines[index + 1:index + 12]:
            if following.text.strip() and self.next_structural(following):
                break
            text += " " + following.text.strip()
        for match in re.finditer(r"(?<=\s)(?=\S)", text):
            found = self.readers[level].read(text[match.start():])
            if found and not found[0].start and found[0].ordinal == 2:
                between = text[:match.start()].split()
                return len(between) > 2 and not (self.see_words and self.see_words.search(text[:match.start()].rstrip()))
        return False

    def next_structural(self, line: Line) -> bool:
        return bool(self.readers[0].read(line.text)) or any(r.read(line.text) for r in self.readers[1:])

    def is_heading(self, text: str, index: int) -> bool:
        """Whether the words on a label's own line are a title: no full sentence, and own text or children follow."""
        level = self.edition.levels[self.current.level]
        if level.heading == "none":
            return False
        following = next((i for i in range(index + 1, len(self.lines)) if self.lines[i].text.strip()), None)
        if following is None:
            return False
        after, gap = self.lines[following], following > index + 1
        if any(p.match(after.text.strip()) for p, _ in self.headed) or self.readers[0].read(after.text) and not self.indent(after):
            return False
        if re.search(r"[,:;]$", text) or text[0].islower():
            return False
        if text.endswith(".") and not (level.count == "A" and len(text) < 60 and gap):
            return False
        label = next((l for l in range(len(self.readers) - 1, 0, -1) if self.readers[l].read(after.text)), None)
        if label is not None and self.starts_deeper(after):
            return level.heading != "with-text"
        if label is not None and self.looks_like_sibling(after):
            return False
        if gap or self.edition.paragraphs == "lines":
            return not after.text.strip()[0].islower()
        return len(text) < self.width * _FULL and after.text.strip()[0].isupper()

    def starts_deeper(self, after: Line) -> bool:
        for level in range(self.current.level + 1, len(self.readers)):
            found = self.readers[level].read(after.text)
            if found and found[0].ordinal == 1:
                return True
        return False

    def looks_like_sibling(self, after: Line) -> bool:
        return any(found and self.continues(level, found[0], True) for level, found in
                   ((l, self.readers[l].read(after.text)) for l in range(1, self.current.level + 1)))

    def indented_line(self, index: int, line: Line) -> None:
        """Depth tells the level; every depth numbers from 1."""
        depth = self.indent(line)
        found = self.readers[min(depth, len(self.readers) - 1)].read(line.text) if depth else None
        if found and depth < len(self.readers):
            level, label = depth, found[0]
            while self.current.level >= level:
                self.current = self.current.parent
            last = self.current.count.get(level, 0)
            if self.current.level != level - 1 or label.ordinal != last + 1:
                self.problem(line, f"{line.text[label.start:label.end]} at depth {depth} follows {last or 'nothing'} in {self.current.path}.",
                             "Correct the label or its indentation in corrections.tsv.")
            self.open_provision(level, label, line)
            rest = self.strip(line.cut(label.after))
            if rest.text:
                target = self.current.heading if self.indented_heading(index, depth) else None
                if target is not None:
                    target.append(rest)
                else:
                    self.inline_labels(rest, index, True)
            return
        while self.current.level > max(depth - 1, 0):
            self.current = self.current.parent
        rest = self.strip(line)
        self.add_text(self.current, rest, new=self.breaks(self.current, rest))

    def indented_heading(self, index: int, depth: int) -> bool:
        """A label's own line is a title when deeper lines follow and it does not end like a sentence."""
        following = next((l for l in self.lines[index + 1:] if l.text.strip()), None)
        text = self.lines[index].text.strip()
        return bool(following and self.indent(following) > depth and not re.search(r"[,:;]$", text))

    # ── definitions, tables, text ───────────────────────────────────────────────────────────────

    def definition_line(self, index: int, line: Line) -> None:
        """Entries of the chapter of definitions; lines before the first belong to the container."""
        container = self.by_path["def"]
        spec, stripped = self.edition.definitions, self.strip(line)
        if spec.style == "line":
            match = re.match(spec.entry, stripped.text)
            if match:
                self.open_definition(container, stripped, match)
                return
        elif self.is_headword(index, line):
            self.open_definition(container, stripped, re.match(spec.entry or r"(?P<term>.+)$", stripped.text))
            return
        self.add_text(self.current, stripped, new=self.breaks(self.current, stripped))

    def is_headword(self, index: int, line: Line) -> bool:
        """A short line after a blank one that is no sentence, with its text after it."""
        text, after = line.text.strip(), self.lines[index + 1:]
        before = self.last[1].text.rstrip() if self.last else "."
        apart = self.blank or bool(after) and not after[0].text.strip()
        return (apart and len(text) < self.width * 0.6 and text[0].isupper() and not re.search(r"[.,:;]$", text)
                and bool(_SENTENCE_END.search(before) or before.endswith(")")) and any(l.text.strip() for l in after[:2]))

    def open_definition(self, container: Draft, line: Line, match: re.Match) -> None:
        """Groups: ``term`` names the definition; ``extra`` (another language, "see also") stays in its heading;
        what stands before the term (a bullet) and ``separator`` are signs, the rest is its text."""
        draft = self.open("def/?", "definition", container)
        groups = match.groupdict()
        title_end = match.end("extra") if groups.get("extra") else match.end("term")
        draft.term = match["term"]
        draft.heading.append(self.strip(line.cut(match.start("term"), title_end)))
        if match.start("term"):
            draft.label = line.cut(0, match.start("term"))
        draft.separator = line.cut(title_end, match.end())
        rest = self.strip(line.cut(match.end()))
        if rest.text:
            self.add_text(draft, rest, new=True)

    def start_table(self, line: Line) -> bool:
        node = self.current
        while node and node.path not in self.table_rules:
            node = node.parent if node.parent and node.level > 0 else None
        if not node:
            return False
        rules = self.table_rules[node.path]
        for number, (rule, first, last) in enumerate(rules):
            if first.search(line.text.strip()):
                del rules[number]  # one rule, one table: the next with the same first line is the next rule's
                self.current = node
                paragraph = Paragraph([], True, rule)
                node.items.append(paragraph)
                self.table = (last, paragraph)
                self.table_row(line)
                return True
        return False

    def table_row(self, line: Line) -> int:
        last, paragraph = self.table
        start = len(line.text) - len(line.text.lstrip(" "))
        paragraph.lines.append(line.cut(start, max(start, len(line.text.rstrip(" ")))))  # a tab at the edge is an empty cell
        if last.search(line.text.strip()):
            self.table, self.last = None, None
        return 0

    def text_line(self, line: Line) -> None:
        """An unlabelled line of a law: it goes on, closes the parent's sentence, or begins a paragraph."""
        node = self.current
        new = self.breaks(node, line)
        if new and node.level > 1 and self.closes_list(node, line):
            node = self.current = node.parent
        self.add_text(node, line, new=new)

    def closes_list(self, node: Draft, line: Line) -> bool:
        """Whether an unlabelled paragraph after an item ends the sentence that the parent began."""
        last = self.last[1].text.rstrip() if self.last and self.last[0] is node else ""
        dashes = any(_DASH.match(p.lines[0].text) for p in node.paragraphs())
        return bool(last) and not _SENTENCE_END.search(last) and (line.text[0].islower() or bool(_DASH.match(line.text)) and not dashes)

    def breaks(self, node: Draft, line: Line) -> bool:
        """Whether a line begins a new paragraph of its node."""
        if not self.last or self.last[0] is not node or not node.items or not isinstance(node.items[-1], Paragraph):
            return True
        before, text = self.last[1].text.rstrip(), line.text.strip()
        ended = bool(_SENTENCE_END.search(before))
        short = len(before) < self.width * _FULL
        style = self.edition.paragraphs
        if is_capitals(text) or is_capitals(before):
            return True
        if style == "wrapped":
            return ended and short or bool(_DASH.match(text)) and (ended or before[-1:] in ",;")
        if style == "blank":
            if not self.blank:
                return bool(_DASH.match(text)) and (ended or before[-1:] in ",;" and short)
            if _DASH.match(text):
                return True
            if text[0].islower():
                return ended or before[-1:] in ",;" and short
            return ended or short
        return bool(_DASH.match(text)) or ended or not text[0].islower() or before[-1:] in ",;"

    def add_text(self, node: Draft, line: Line, new: bool) -> None:
        line = self.strip(line)
        if new or not node.items or not isinstance(node.items[-1], Paragraph) or node.items[-1].table:
            node.items.append(Paragraph([]))
        node.items[-1].lines.append(line)
        self.last = (node, line)

    # ── helpers ─────────────────────────────────────────────────────────────────────────────────

    def indent(self, line: Line) -> int:
        text = line.text
        return len(text) - len(text.lstrip(" "))

    @staticmethod
    def strip(line: Line) -> Line:
        text = line.text
        start = len(text) - len(text.lstrip())
        return line.cut(start, max(start, len(text.rstrip())))

    def problem(self, line: Line, finding: str, move: str, fatal: bool = True) -> None:
        self.problems.append(Problem(self.edition.file, line.number, finding, move, fatal))

    def bad_placement(self, line: Line) -> Draft:
        self.problem(line, f"A placement names {self.placements[line.number]}, which is not open here.", "Correct the path in [[placements]].")
        return self.current


def _continues_capitals(heading: str, text: str) -> bool:
    letters = [c for c in text if c.isalpha()]
    return len(letters) > 2 and all(c.isupper() for c in letters) and not re.match(r"\s*(\d+|[A-Z])[.)]\s", text)


def _dotted(path: str) -> str:
    return path.replace("/", ".")


def _roman(number: int) -> str:
    out = ""
    for value, sign in ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):
        while number >= value:
            out, number = out + sign, number - value
    return out
