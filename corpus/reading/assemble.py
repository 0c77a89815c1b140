"""Step 5: lines become a tree of drafts.

Typed schemes tell the level by the label's form and its place in the sequence; the indented scheme by the
depth of its indentation.
"""

from __future__ import annotations

import re
from itertools import islice

from corpus.edition import Edition, TableRule
from corpus.label.grammar import read_roman, roman
from corpus.label.printed import Label
from corpus.language import Language
from corpus.model import Problem
from corpus.reading.draft import Draft, Paragraph, indentation, strip
from corpus.reading.numbering import Numbering
from corpus.reading.prose import DASH, SENTENCE_END, Prose
from corpus.reading.published import ROW, TERM, Line

LAWS = "laws"
_CELLS = TableRule("", "", "")
_LISTED = re.compile(r"(?:\d[A-Z]?\d?|\W[A-Za-z]|\))[,;]$")  # the label of a reference, and more to come


class Assembler:
    """Builds the drafts of one edition; ``roots`` are the top nodes in document order."""

    def __init__(self, edition: Edition, language: Language, interruptions: frozenset[int] = frozenset()):
        """``interruptions``: numbers of the lines where a footnote was lifted out of the text."""
        self.edition = edition
        self.interruptions = interruptions
        self.numbering = Numbering(edition, language.reference_word_before, language.law_word_before, self.problem)
        self.law_reader = self.numbering.readers[0]
        self.parts = [(re.compile(p.start), p) for p in edition.parts]
        self.headed = [(re.compile(h.pattern), h) for h in edition.headed]
        self.entry = re.compile(edition.definitions.entry_pattern)
        self.placements = {p.line: p.path for p in edition.placements}
        self.table_rules = [(rule, re.compile(rule.first), re.compile(rule.last)) for rule in edition.tables]
        self.roots: list[Draft] = []
        self.by_path: dict[str, Draft] = {}
        self.problems: list[Problem] = []
        self.used: set = set()  # the rules and placements that a line has met
        self.containers: list[Draft] = []
        self.current: Draft | None = None
        self.part: str | None = None
        self.by_line = False  # whether every line of the part is a paragraph
        self.hanging = edition.hanging or edition.is_html
        self.laws_open = not edition.laws_start
        self.expected = list(edition.law_numbers)
        self.last_law = 0
        self.blank = True
        self.before = ""  # the line before, as it stands
        self.last: tuple[Draft, Line] | None = None  # where the last line of text went
        self.table: tuple | None = None
        self.awaiting_heading = False
        self.homeless = False

    # ── the walk ────────────────────────────────────────────────────────────────────────────────

    def run(self, lines: list[Line]) -> None:
        """Place every line."""
        self.lines = lines
        self.prose = Prose(self.edition.paragraphs, lines)
        skip = 0
        for index, line in enumerate(lines):
            if skip:
                skip -= 1
            elif line.text.strip():
                skip = self.place(index, line)
                self.blank, self.before = False, line.text
            else:
                self.blank = True
        if self.table:
            rule, line = self.table[1].rule, self.table[1].lines[0]
            self.problem(
                line,
                f"The table that begins here has no line like “{rule.last}”.",
                "Correct “last” of this [[tables]] in edition.toml.",
            )
        self.note_paragraphs_after_lists()
        self.note_items_in_sentences()
        for number in self.expected:
            place = next((l for l in reversed(lines) if l.text.strip()), Line(1, "", ()))
            self.problem(
                place,
                f"The text ends without law {number}.",
                "Is it cut off, or is the label of that law printed otherwise? Else correct “laws” in edition.toml.",
            )
            break

    def place(self, index: int, line: Line) -> int:
        """Put one line where it belongs; returns how many following lines were used up too."""
        text = line.text.strip()
        if self.table:
            return self.table_row(line)
        for pattern, part in self.parts:
            if pattern.match(text) and part.path not in self.by_path:
                self.used.add(part)
                self.open_part(pattern, part, line)
                return 0
        if self.part in (None, LAWS) or self.laws_can_start(text):
            used = self.container(index, line)
            if used is not None:
                return used
            found = self.stands_as_law(line)
            if found and self.is_law(found[0], line):
                return self.open_law(index, line, *found)
        if self.current is None:
            homeless, self.homeless = self.homeless, True
            if not homeless:  # one such line is enough said
                self.problem(
                    line,
                    f"“{text[:60]}” stands before the first part or law.",
                    "Describe it in edition.toml: as a part, a container or a drop rule.",
                )
            return 0
        if line.number in self.placements and line.number not in self.used:
            self.used.add(line.number)
            self.current = self.by_path.get(self.placements[line.number]) or self.bad_placement(line)
            goes_on = (
                self.last
                and self.last[0] is self.current
                and not SENTENCE_END.search(self.last[1].text.rstrip())
                and text[0].islower()
            )
            self.add_text(self.current, line, new=not goes_on)
            return 0
        if self.part == LAWS and (line.role == ROW or self.start_table(line)):
            return self.printed_row(line) if not self.table else 0
        if self.part == "def":
            self.definition_line(index, line)
        elif self.part not in (None, LAWS):
            self.part_line(line)
        else:
            self.law_line(index, line)
        return 0

    def next_line(self, index: int) -> tuple[int, Line] | None:
        """The next line that holds text, and its index."""
        return next(((i, self.lines[i]) for i in range(index + 1, len(self.lines)) if self.lines[i].text.strip()), None)

    def inside_sentence(self) -> bool:
        """Whether the line goes on with a sentence, so that a label at its start is only a look-alike.

        After a comma or a short line a label is meant as one, except in a list of labels ("12A,").
        """
        if not self.last or (self.blank and self.edition.paragraphs != "wrapped"):
            return False
        before = self.last[1].text.rstrip()
        if SENTENCE_END.search(before):
            return False
        return bool(_LISTED.search(before)) or (before[-1] not in ",;" and not self.prose.is_short(before))

    # ── parts, containers, laws ─────────────────────────────────────────────────────────────────

    def open(self, path: str, kind: str, parent: Draft | None, level: int = -1) -> Draft:
        draft = Draft(path, kind, level, parent=parent)
        (parent.items if parent else self.roots).append(draft)
        self.by_path.setdefault(path, draft)
        self.current, self.last, self.awaiting_heading = draft, None, False
        return draft

    def open_part(self, pattern: re.Pattern, part, line: Line) -> None:
        kind = "container" if part.path == "def" else part.path.split("/")[0]
        parent = self.by_path.get(part.path.rsplit("/", 1)[0]) if "/" in part.path else None
        if part.path == "def" and self.containers and self.part == LAWS and not self.containers[-1].heading:
            parent = None
        draft = self.open(part.path, kind, parent)
        self.part, self.by_line = part.path, part.lines
        stripped = strip(line)
        if not part.heading:
            self.add_text(draft, stripped, new=True)
            return
        match = pattern.match(stripped.text)
        title = match.start("heading") if match.groupdict().get("heading") else 0
        draft.heading.append(stripped.cut(title))
        draft.label = stripped.cut(0, len(stripped.text[:title].rstrip())) if title else None

    def part_line(self, line: Line) -> None:
        """A line of a part that is neither definitions nor laws."""
        self.add_text(
            self.current,
            line,
            new=not line.text.strip()[0].islower() if self.by_line else self.breaks(self.current, line),
        )

    def container(self, index: int, line: Line) -> int | None:
        """Open a chapter, part or division; None when the line is none."""
        kinds = [h.kind for _, h in self.headed]
        for depth, (pattern, headed) in enumerate(self.headed):
            match = pattern.match(line.text.strip())
            if not match:
                continue
            self.used.add(headed)
            self.part = LAWS
            self.containers = [c for c in self.containers if kinds.index(c.kind) < depth]
            parent = self.containers[-1] if self.containers else None
            siblings = [c for c in (parent.children if parent else self.roots) if c.kind == headed.kind]
            number = _container_number((match.groupdict().get("n") or "").strip())
            if not number or number in {c.path.rsplit("/", 1)[1] for c in siblings}:
                number = roman(len(siblings) + 1).upper()
            draft = self.open((f"{parent.path}/" if parent else "") + f"{headed.kind}/{number}", headed.kind, parent)
            self.containers.append(draft)
            stripped = strip(line)
            if match.groupdict().get("heading"):
                title = match.start("heading")
                draft.label, draft.separator, draft.heading = *_before_title(stripped, title), [stripped.cut(title)]
                return 0
            draft.label = stripped
            following = self.next_line(index)
            if following is None or self.begins_something(following[1]):
                return 0
            draft.heading.append(strip(following[1]))
            return following[0] - index
        return None

    def begins_something(self, line: Line) -> bool:
        """Whether a line opens a part, a container or a law, and so cannot be the title of what stands before it."""
        text = line.text.strip()
        return self.stands_as_law(line) is not None or any(p.match(text) for p, _ in self.parts + self.headed)

    def stands_as_law(self, line: Line) -> tuple[Label, str | None] | None:
        """The label of a law that a line begins with; where no title shares its line, it must stand alone."""
        found = self.law_reader.read(line.text)
        return (
            found
            if found and (self.law_reader.titled or not re.search(r"\w.*\w", line.text[found[0].after :]))
            else None
        )

    def laws_can_start(self, text: str) -> bool:
        if not self.laws_open and re.match(self.edition.laws_start, text):
            self.laws_open = True
        return self.laws_open and self.part != "index"

    def is_law(self, label: Label, line: Line) -> bool:
        """Whether a law label is one: the next number; another one only where its print cannot be mistaken."""
        if not self.laws_open and self.edition.laws_start:
            return False
        level = self.edition.levels[0]
        inside = self.inside_sentence()
        named = bool(re.search(r"[^\W\d_]{2,}|§", re.sub("HEADING|Heading", "", level.labels[0])))
        if self.expected and label.ordinal == self.expected[0]:
            if named or "HEADING" in level.labels[0]:
                return self.edition.paragraphs == "lines" or not (
                    inside and self.numbering.is_reference(self.last[1].text)
                )
            return self.blank or not (inside or self.is_item(line))
        if _indent(line, 1) or inside:
            return False
        return named or ("HEADING" in level.labels[0] and (self.blank or self.edition.scheme == "indented"))

    def is_item(self, line: Line) -> bool:
        """Whether the line could as well be the next item of an open list ("2." where laws are numbered "2." too)."""
        return self.current is not None and any(
            self.numbering.continues(self.current, level, label, True)
            for level, label in self.numbering.found(line.text, range(1, len(self.edition.levels)))
        )

    def open_law(self, index: int, line: Line, label: Label, heading: str | None) -> int:
        number, level = label.ordinal, self.edition.levels[0]
        if self.expected and number == self.expected[0]:
            self.expected.pop(0)
        elif str(number) in self.by_path:
            self.problem(
                line,
                f"Law {number} comes a second time (first in line {self.by_path[str(number)].label.number}).",
                "Correct the label in corrections.tsv, or drop the repetition by a rule.",
            )
        elif number not in self.edition.law_numbers:
            self.problem(
                line,
                f"Law {number} is none of the laws {self.edition.laws} that the manifest promises.",
                "Correct “laws” in edition.toml, or the label in corrections.tsv.",
            )
        else:
            gone = [n for n in self.expected if n < number]
            self.problem(
                line,
                f"Law {number} follows {f'law {self.last_law}' if self.last_law else 'nothing'}.",
                f"Is law {_range(gone)} missing, or printed otherwise? Correct the label in corrections.tsv, the template or “laws” in edition.toml."
                if gone
                else "The laws are out of order: correct the label in corrections.tsv.",
            )
            self.expected = [n for n in self.expected if n > number]
        self.part, self.last_law = LAWS, number
        draft = self.open(str(number), level.kind, self.containers[-1] if self.containers else None, level=0)
        draft.label = line.cut(label.start, label.end)
        rest = strip(line.cut(label.after))
        if rest.text and (level.heading != "next-line" or self.law_reader.titled):
            draft.heading.append(rest)
            self.awaiting_heading = level.heading != "next-line"
            return 0
        if rest.text:
            draft.heading.append(rest)  # the mark of a footnote beside a label that stands alone
        if level.heading != "next-line":
            return 0
        return self.title_below(draft, index)

    def title_below(self, draft: Draft, index: int) -> int:
        """Take the title of a law from the lines after its label; returns how many lines that used up."""
        following = self.next_line(index)
        if (
            following is None
            or self.begins_something(following[1])
            or (
                self.numbering.found(following[1].text, range(1, len(self.edition.levels)))
                and self.edition.scheme == "typed"
            )
        ):
            return 0
        at, line = following
        draft.heading.append(strip(line))
        while (
            at + 1 < len(self.lines)
            and self.lines[at + 1].text.strip()
            and self.prose.goes_on_in_capitals(self.lines[at].text.strip(), self.lines[at + 1].text)
        ):
            at += 1
            draft.heading.append(strip(self.lines[at]))
        return at - index

    # ── inside a law ────────────────────────────────────────────────────────────────────────────

    def law_line(self, index: int, line: Line) -> None:
        if self.awaiting_heading:
            self.awaiting_heading = False
            title = self.current.heading[-1].text if self.current.heading else ""
            if (
                not self.blank
                and title
                and (
                    self.prose.goes_on_in_capitals(title, line.text)
                    or (
                        self.prose.goes_on_in_small_letters(title, line.text)
                        and not self.numbering.is_structural(line.text)
                    )
                )
            ):
                self.awaiting_heading = line.text.strip()[0].islower()
                self.current.heading.append(strip(line))
                return
        if self.edition.scheme == "indented":
            self.indented_line(index, line)
        else:
            self.typed_line(index, line)

    def typed_line(self, index: int, line: Line) -> None:
        """Labels at the start of a line, several on one line, then text."""
        repeated = not self.blank and line.text == self.before
        opened, inside, column = False, self.inside_sentence() and not repeated, indentation(line)
        before = self.last[1].text.rstrip() if self.last and self.edition.paragraphs != "lines" else ""
        while found := self.numbering.next_label(
            self.current, line, islice(self.lines, index + 1, None), not opened, inside, before
        ):
            level, label = found
            self.open_provision(level, label, line).column = column
            line = line.cut(label.after)
            opened = True
        rest = strip(line)
        if rest.text and not opened and self.hanging:
            self.leave_items(column)
        if not rest.text:
            return
        if opened and self.is_heading(rest.text, index):
            self.current.heading.append(rest)
            return
        self.items_in(rest, index, opened)

    def open_provision(self, level: int, label: Label, line: Line) -> Draft:
        parent = self.numbering.parent_for(self.current, level)
        parent.count[level] = max(label.ordinal, parent.count.get(level, 0))
        spec = self.edition.levels[level]
        draft = self.open(f"{parent.path}/{spec.step(label.ordinal)}", spec.kind, parent, level)
        draft.label = line.cut(label.start, label.end)
        return draft

    def items_in(self, line: Line, index: int, opened: bool) -> None:
        """Labelled items that run on inside a sentence; the rest is plain text."""
        while cut := self.numbering.inline_start(self.current, line, self.lines[index + 1 : index + 12]):
            at, level, label = cut
            before = strip(line.cut(0, at))
            if before.text:
                self.add_text(self.current, before, new=opened or self.breaks(self.current, before))
            self.open_provision(level, label, line.cut(at))
            line = strip(line.cut(at + label.after))
            opened = True
        if line.text and opened:
            self.add_text(self.current, line, new=not self.current.paragraphs() or self.breaks(self.current, line))
        elif line.text:
            self.text_line(line)

    def is_heading(self, text: str, index: int) -> bool:
        """Whether the words on a label's own line are a title: no full sentence, and own text or children follow."""
        level, following = self.edition.levels[self.current.level], self.next_line(index)
        if level.heading == "none" or following is None:
            return False
        at, after = following
        gap = at > index + 1
        if any(p.match(after.text.strip()) for p, _ in self.headed) or (
            self.law_reader.read(after.text) and not _indent(after, 1)
        ):
            return False
        if re.search(r"[,:;]$", text) or text[0].islower():
            return False
        if text.endswith(".") and not (level.count == "A" and len(text) < 60 and gap):
            return False
        labels = self.numbering.found(after.text, range(1, len(self.edition.levels)))
        if any(label.ordinal == 1 and depth > self.current.level for depth, label in labels):
            return level.heading != "with-text"
        if any(
            depth <= self.current.level and self.numbering.continues(self.current, depth, label, True)
            for depth, label in labels
        ):
            return False
        if gap or self.edition.paragraphs == "lines":
            return not after.text.strip()[0].islower()
        return self.prose.is_short(text) and after.text.strip()[0].isupper()

    def indented_line(self, index: int, line: Line) -> None:
        """Depth tells the level; every depth numbers from 1."""
        depth = _indent(line, self.edition.indent)
        found = self.numbering.readers[depth].read(line.text) if 0 < depth < len(self.edition.levels) else None
        if not found:
            while self.current.level > max(depth - 1, 0):
                self.current = self.current.parent
            self.add_text(self.current, line, new=self.breaks(self.current, line))
            return
        label = found[0]
        while self.current.level >= depth:
            self.current = self.current.parent
        last = self.current.count.get(depth, 0)
        if self.current.level != depth - 1 or label.ordinal != last + 1:
            self.problem(
                line,
                f"{line.text[label.start : label.end]} at depth {depth} follows {last or 'nothing'} in {self.current.path}.",
                "Correct the label or its indentation in corrections.tsv.",
            )
        self.open_provision(depth, label, line)
        rest = strip(line.cut(label.after))
        if rest.text and self.indented_heading(index, depth):
            self.current.heading.append(rest)
        elif rest.text:
            self.items_in(rest, index, True)

    def indented_heading(self, index: int, depth: int) -> bool:
        """A label's own line is a title when deeper lines follow and it does not end like a sentence."""
        following = self.next_line(index)
        return bool(
            following
            and _indent(following[1], self.edition.indent) > depth
            and not re.search(r"[,:;]$", self.lines[index].text.strip())
        )

    # ── definitions, tables, text ───────────────────────────────────────────────────────────────

    def definition_line(self, index: int, line: Line) -> None:
        """Entries of the chapter of definitions; lines before the first belong to the container."""
        container, stripped = self.by_path["def"], strip(line)
        match = self.entry.match(stripped.text)
        small = match and not self.edition.definitions.entry and match["term"][0].islower() and not self.blank
        if match and not small and self.begins_definition(index, line):
            self.used.add(self.edition.definitions)
            self.open_definition(container, stripped, match)
        else:
            self.add_text(self.current, stripped, new=self.breaks(self.current, stripped))

    def begins_definition(self, index: int, line: Line) -> bool:
        """Whether a line that looks like an entry is one, and not the middle of a sentence that looks alike."""
        if line.role == TERM:
            return True
        before = self.last[1].text.rstrip() if self.last else "."
        if self.edition.definitions.style == "headword":
            after = self.lines[index + 1 : index + 3]
            apart = self.blank or (bool(after) and not after[0].text.strip())
            return self.prose.is_headword(line.text.strip(), before, apart) and any(l.text.strip() for l in after)
        return (
            self.edition.paragraphs == "lines"
            or self.blank
            or bool(SENTENCE_END.search(before))
            or self.prose.is_short(before)
        )

    def open_definition(self, container: Draft, line: Line, match: re.Match) -> None:
        """Groups: ``term`` names the definition; ``extra`` (another language, "see also") stays in its heading, and so do
        words outside the groups. Signs before the term (a bullet) and ``separator`` are no words, the rest is its text.
        """
        draft = self.open("def/?", "definition", container)
        first, title_end, after = _title_of(match)
        draft.term = match["term"]
        draft.aside = (match.groupdict().get("extra") or "").strip(" ()")
        draft.heading.append(strip(line.cut(first, title_end)))
        if first:
            draft.label = line.cut(0, first)
        draft.separator = line.cut(title_end, after)
        rest = strip(line.cut(after))
        if rest.text:
            self.add_text(draft, rest, new=True)

    def start_table(self, line: Line) -> bool:
        """Begin the table that a rule declares for an open provision, when this is its first line."""
        node, open_paths = self.current, {}
        while node and node.level >= 0:
            open_paths[node.path], node = node, node.parent
        for rule, first, last in self.table_rules:
            if rule.path in open_paths and rule not in self.used and first.search(line.text.strip()):
                self.used.add(rule)  # one rule, one table: the next with the same first line is the next rule's
                self.current = open_paths[rule.path]
                paragraph = Paragraph([], rule)
                self.current.items.append(paragraph)
                self.table = (last, paragraph)
                self.table_row(line)
                return True
        return False

    def table_row(self, line: Line) -> int:
        last, paragraph = self.table
        start = len(line.text) - len(line.text.lstrip(" "))
        paragraph.lines.append(
            line.cut(start, max(start, len(line.text.rstrip(" "))))
        )  # a tab at the edge is an empty cell
        if last.search(line.text.strip()):
            self.table, self.last = None, None
        return 0

    def printed_row(self, line: Line) -> int:
        """A row that the source itself marks as one (HTML): rows that touch are one table."""
        items = self.current.items
        if self.blank or not items or not isinstance(items[-1], Paragraph) or not items[-1].table:
            items.append(Paragraph([], _CELLS))
        items[-1].lines.append(line)
        self.last = None
        return 0

    def text_line(self, line: Line) -> None:
        """An unlabelled line of a law: it goes on, closes the parent's sentence, or begins a paragraph."""
        node = self.current
        new = self.breaks(node, line)
        if node.level > 1 and ((new and self.closes_list(node, line)) or self.closes_bare_list(node, line)):
            node, new = node.parent, True
            self.current = node
        self.add_text(node, line, new=new)

    def leave_items(self, column: int) -> None:
        """Where the lines of an item hang deeper than its label, one that does not is no longer the item's."""
        while self.current.level > 0 and column <= self.current.column > 0:
            self.current = self.current.parent

    def closes_list(self, node: Draft, line: Line) -> bool:
        """Whether an unlabelled paragraph after an item ends the sentence that the parent began."""
        last = self.last[1].text.rstrip() if self.last and self.last[0] is node else ""
        dashes = any(DASH.match(p.lines[0].text) for p in node.paragraphs())
        return (
            bool(last)
            and not SENTENCE_END.search(last)
            and (line.text[0].islower() or (bool(DASH.match(line.text)) and not dashes))
        )

    def closes_bare_list(self, node: Draft, line: Line) -> bool:
        """The same where every line is a paragraph and the items end without any sign: “a) the player / b) his partner /
        has seen the card.” It takes a lead-in that is no sentence, and short items of one line each.
        """
        if (
            self.edition.paragraphs != "lines"
            or not line.text.strip()[0].islower()
            or not self.last
            or self.last[0] is not node
        ):
            return False
        lead = node.parent.items[0] if node.parent.items else None
        items = [d for d in node.parent.children if d.level == node.level]
        lines = [[l.text.rstrip() for p in d.paragraphs() for l in p.lines] for d in items]
        return (
            len(items) > 1
            and isinstance(lead, Paragraph)
            and not lead.table
            and not re.search(r"[.!?]$", lead.lines[-1].text.rstrip())
            and all(
                len(own) == 1 and not d.children and own[0][-1].isalnum() and self.prose.is_short(own[0])
                for d, own in zip(items, lines)
            )
        )

    def breaks(self, node: Draft, line: Line) -> bool:
        """Whether a line begins a new paragraph of its node."""
        if not self.last or self.last[0] is not node or not node.items or not isinstance(node.items[-1], Paragraph):
            return True
        before, text = self.last[1].text.rstrip(), line.text.strip()
        if (
            not SENTENCE_END.search(before)
            and text[0].islower()
            and any(self.last[1].number < n < line.number for n in self.interruptions)
        ):
            return False  # a footnote stood in the middle of the sentence
        return self.prose.begins_paragraph(before, text, self.blank)

    def add_text(self, node: Draft, line: Line, new: bool) -> None:
        line = strip(line)
        if new or not node.items or not isinstance(node.items[-1], Paragraph) or node.items[-1].table:
            node.items.append(Paragraph([]))
        node.items[-1].lines.append(line)
        self.last = (node, line)

    # ── helpers ─────────────────────────────────────────────────────────────────────────────────

    def problem(self, line: Line, finding: str, move: str, fatal: bool = True) -> None:
        self.problems.append(Problem(self.edition.file, line.number, finding, move, fatal))

    def note_paragraphs_after_lists(self) -> None:
        """Unlabelled paragraphs stand in the item before them; after the last item they may belong to what led in the list."""
        for draft in (d for root in self.roots for d in root.walk() if d.level >= 0):
            items = [d for d in draft.children if d.level == draft.children[-1].level]
            lead = draft.items[0] if len(items) > 1 else None
            if not isinstance(lead, Paragraph) or lead.table or re.search(r"[.!?]$", lead.lines[-1].text.rstrip()):
                continue
            own = [[p for p in item.paragraphs() if not p.table] for item in items]
            if len(own[-1]) > 1 and all(len(o) < 2 for o in own[:-1]):
                self.problem(
                    own[-1][1].lines[0],
                    f"An unlabelled paragraph after the list stands in its last item, {items[-1].path}.",
                    f"Does it belong to {draft.path}? Then say so in [[placements]].",
                    False,
                )

    def note_items_in_sentences(self) -> None:
        """Labels that run on inside a sentence are items only where the manifest says so; a list of two is worth a word."""
        for draft in (d for root in self.roots for d in root.walk() if d.level >= 0):
            for paragraph in (p for p in draft.paragraphs() if not p.table):
                words = " ".join(l.text for l in paragraph.lines)
                for level, labels in self.numbering.running_on(words, draft):
                    self.problem(
                        paragraph.lines[0],
                        f"{' and '.join(labels)} stand inside the text of {draft.path}.",
                        f"Are they items? Then write “inline = true” at the {self.edition.levels[level].kind} in edition.toml.",
                        False,
                    )

    def bad_placement(self, line: Line) -> Draft:
        self.problem(
            line,
            f"A placement names {self.placements[line.number]}, which is not open here.",
            "Correct the path in [[placements]].",
        )
        return self.current


def _indent(line: Line, unit: int) -> int:
    """Depth of indentation: a tab is one depth, so are ``unit`` blanks."""
    front = line.text[: len(line.text) - len(line.text.lstrip())]
    return front.count("\t") + sum(c.isspace() and c not in "\t\f\v" for c in front) // unit


def _before_title(line: Line, title: int) -> tuple[Line, Line]:
    """What stands before a title: the label, and the dash that parts the two."""
    end = len(re.sub(r"\s*[-–—]?\s*$", "", line.text[:title]))
    return line.cut(0, end), line.cut(end, title)


def _title_of(match: re.Match) -> tuple[int, int, int]:
    """Where the title of a definition begins and ends, and where its text begins.

    Only signs are left out: those before the first word, and the separator – the group, else the signs at the end.
    """
    groups, words = match.groupdict(), match.string[: match.end()]
    first = re.match(r"[^\w(\[]*", words[: match.start("term")]).end()
    title_end = match.end("extra" if groups.get("extra") else "term")
    if groups.get("separator") is not None and match.start("separator") >= title_end:
        return first, *match.span("separator")
    return first, max(title_end, re.search(r"[^\w()\[\]]*$", words).start()), match.end()


def _container_number(printed: str) -> str:
    """A container's number as its path has it: capital roman; empty for one in words."""
    if printed.isdigit():
        return roman(int(printed)).upper() if 0 < int(printed) < 400 else ""
    return printed.upper() if read_roman(printed) else ""


def _range(numbers: list[int]) -> str:
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"
