"""From lines to running text: drops and splits lines, removes hyphens, and joins the lines to paragraphs.

Every printed character keeps its place in the source. :class:`SentenceRules` says where paragraphs and titles begin
and end. :func:`remove_soft_hyphens`, :func:`drop_by_rules` and :func:`split_lines` change the lines.
:func:`flow_paragraphs` makes a :class:`RunningText` of paragraphs and tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from corpus.edition import DropRule, SplitRule, TableRule
from corpus.files import compile_pattern
from corpus.label import is_mostly_capitals
from corpus.model import Table, Text
from corpus.reading.draft import Paragraph, strip_line
from corpus.reading.source import ROW_ROLE, Line, RemovedText, SourcePlace

FULL_STOP_END = re.compile(r"[.!?]$")  # the end of a sentence that nothing continues
SENTENCE_END = re.compile(r"[.:!?…][)\]”\"'»“*]*$")
_ORDINAL_END = re.compile(r"(?<![\w.])\d{1,3}\.$")  # "the 19th" in languages that print it "19."
DASH_START = re.compile(r"[-–—•·]\s")
_NARROWEST_PAGE = 40  # in characters; no book has a narrower page, and a text of few short lines does not show it
_FULL_LINE_SHARE = 0.72  # a printed line shorter than this share of the usual width ends its paragraph
_DASH_REASON = "a dash begins it"
_LABEL_LIST_END = re.compile(r"(?:\d[A-Z]?\d?\.?|\W[A-Za-z]|\))[,;]$")  # the label of a reference, and more to come


# ── Sentences in lines ──────────────────────────────────────────────────────────────────────────


def ends_sentence(before: str, after: str) -> bool:
    """Whether the line ``before`` ends its sentence; ``after`` is the next line.

    A number with a full stop before a small letter does not end one: "3. või 19." / "seaduse järgi".
    """
    return bool(SENTENCE_END.search(before)) and not (after[:1].islower() and bool(_ORDINAL_END.search(before)))


class SentenceRules:
    """How the sentences of one edition are set in lines. ``style`` is the key ``paragraphs`` of its manifest."""

    def __init__(self, style: str, lines: list[Line], interruptions: frozenset[int] = frozenset()):
        """Measure the usual width of ``lines``, the lines of the edition.

        ``interruptions`` are the numbers of the lines where a footnote was taken out of the text.
        """
        self.style, self.interruptions = style, interruptions
        lengths = sorted(len(line.text.rstrip()) for line in lines if line.text.strip())
        self.width = max(_NARROWEST_PAGE, lengths[int(len(lengths) * 0.9)] if lengths else 0)

    def is_short(self, text: str) -> bool:
        """Whether a line of this text ends before the edge of the page."""
        return len(text) < self.width * _FULL_LINE_SHARE

    def continues_after(self, before: str) -> bool:
        """Whether the sentence of the line ``before`` continues in the next line. Then a label there only looks like
        one.

        It does not after a comma, a semicolon or a short line, unless the line ends in a list of labels ("12A,").
        """
        if SENTENCE_END.search(before):
            return False
        return bool(_LABEL_LIST_END.search(before)) or (before[-1] not in ",;" and not self.is_short(before))

    def why_paragraph_begins(self, last: Line, line: Line, blank: bool) -> str:
        """Return the reason why ``line`` begins a paragraph after the line ``last``; empty when it continues the
        paragraph.

        ``blank`` says that an empty line stands between them.
        """
        before, text = last.text.rstrip(), line.text.strip()
        ended, short, small = ends_sentence(before, text), self.is_short(before), text[0].islower()
        dash, pause = bool(DASH_START.match(text)), before[-1:] in ",;"
        if not ended and small and any(last.number < n < line.number for n in self.interruptions):
            return ""  # a footnote stood in the middle of the sentence
        if is_mostly_capitals(text) or is_mostly_capitals(before):
            return "words in capitals stand apart"
        reasons = {
            "wrapped": (
                (ended and short, "the line before is short and ends its sentence"),
                (dash and (ended or pause), _DASH_REASON),
            ),
            "lines": (
                (dash, _DASH_REASON),
                (ended, "the sentence before has ended"),
                (not small, "it begins with no small letter"),
                (pause, "the line before ends in a comma or semicolon"),
            ),
            "blank": (
                (dash and (blank or ended or (pause and short)), _DASH_REASON),
                (blank and ended, "the sentence before the empty line has ended"),
                (blank and short and (pause or not small), "an empty line follows a short one"),
            ),
        }
        return next((why for holds, why in reasons[self.style] if holds), "")

    def is_headword(self, text: str, before: str, apart: bool) -> bool:
        """Whether the line ``text`` reads as the headword of a definition: short, no sentence, after a finished
        sentence.

        ``before`` is the line before. ``apart`` says that an empty line stands before or after the line; a headword
        needs one.
        """
        return (
            apart
            and len(text) < self.width * 0.6
            and text[0].isupper()
            and not re.search(r"[.,:;]$", text)
            and bool(SENTENCE_END.search(before) or before.endswith(")"))
        )

    def title_continues_in_capitals(self, heading: str, text: str) -> bool:
        """Whether the line ``text`` continues a title whose last line is ``heading``.

        It does when ``heading`` fills most of the usual width and ``text`` is in capitals and begins with no label.
        """
        letters = [c for c in text if c.isalpha()]
        return (
            len(heading) > self.width * 0.6
            and len(letters) > 2
            and all(c.isupper() for c in letters)
            and not re.match(r"\s*(\d+|[A-Z])[.)]\s", text)
        )

    def title_continues_in_small_letters(self, heading: str, text: str) -> bool:
        """Whether a title in small letters continues in the next line. An empty line would end the title."""
        return (
            self.style == "blank"
            and text.strip()[0].islower()
            and not is_mostly_capitals(heading)
            and not SENTENCE_END.search(heading.rstrip())
        )


# ── Drop rules and line splits ──────────────────────────────────────────────────────────────────

SOFT_HYPHEN = "\u00ad"
SOFT_HYPHEN_RULE = "soft hyphens"
SOFT_HYPHEN_RULES = {
    SOFT_HYPHEN_RULE: "U+00AD, or &shy; in a web page: where a word may be broken, and no sign of the word"
}
DropResult = tuple[list[Line], list[RemovedText]]  # the lines that are left, and what went


def remove_soft_hyphens(lines: list[Line]) -> DropResult:
    """Return the lines without soft hyphens, and what was removed. A search would not find a word that has them.

    A soft hyphen at the end of a line stays as a sign of the layout, without a character of the source. It says that
    the word continues in the next line; :func:`flow_paragraphs` removes it.
    """
    kept: list[Line] = []
    gone: list[RemovedText] = []
    for line in lines:
        at = [i for i, char in enumerate(line.text) if char == SOFT_HYPHEN]
        gone += [RemovedText(SOFT_HYPHEN_RULE, line.number, SOFT_HYPHEN, line.places[i : i + 1]) for i in at]
        kept.append(_without_soft_hyphens(line, at) if at else line)
    return kept, gone


def _without_soft_hyphens(line: Line, at: list[int]) -> Line:
    """Return a line without its soft hyphens, which stand at the offsets ``at``.

    The last one stays as a sign when no word follows it in the line.
    """
    last = at[-1]
    breaks = bool(line.text[:last].strip(SOFT_HYPHEN + " ")) and not line.text[last + 1 :].strip()
    softened = line.without_spans([(i, i + 1) for i in at])
    if not breaks:
        return softened
    front = softened.cut(0, last - len(at) + 1)
    return Line(
        line.number, front.text + SOFT_HYPHEN, (*front.places, front.places[-1].insertion_place_after), line.role
    )


def find_endless_block(lines: list[Line], rule: DropRule) -> Line | None:
    """Return the first line of a block that ``rule`` drops and whose end never comes; None when every block ends."""
    open_line = None
    for line in lines:
        text = line.text.strip()
        if compile_pattern(rule.until).fullmatch(text):
            open_line = None
        elif open_line is None and compile_pattern(rule.pattern).fullmatch(text):
            open_line = line
    return open_line


def drop_by_rules(lines: list[Line], rules: list[DropRule]) -> DropResult:
    """Return the lines without what the rules drop, and what each rule dropped. A dropped line becomes empty."""
    dropped: list[RemovedText] = []
    for rule in rules:
        lines, gone = _DROPPER_BY_SCOPE[rule.scope](lines, rule)
        dropped += gone
    return lines, dropped


def _drop_lines(lines: list[Line], rule: DropRule) -> DropResult:
    pattern = compile_pattern(rule.pattern)
    kept: list[Line] = []
    gone: list[RemovedText] = []
    for line in lines:
        named = not rule.lines or line.number in rule.lines
        if named and line.text.strip() and pattern.fullmatch(line.text.strip()):
            gone.append(_removed_text(rule, line))
            kept += _lines_after_drop(line)
        else:
            kept.append(line)
    return kept, gone


def _drop_breaks(lines: list[Line], rule: DropRule) -> DropResult:
    pattern = compile_pattern(rule.pattern)
    kept: list[Line] = []
    gone: list[RemovedText] = []
    for line in lines:
        at = 0
        for match in pattern.finditer(line.text):
            gone.append(_removed_text(rule, line.cut(*match.span())))
            kept += (
                [line.cut(at, match.start()), Line(line.number, "", ())]
                if match.start() > at
                else [Line(line.number, "", ())]
            )
            at = match.end()
        kept.append(line.cut(at) if at else line)
    return kept, gone


def _drop_spans(lines: list[Line], rule: DropRule) -> DropResult:
    pattern = compile_pattern(rule.pattern)
    kept: list[Line] = []
    gone: list[RemovedText] = []
    for line in lines:
        spans = [span for match in pattern.finditer(line.text) for span in _spans_without_tabs(line, *match.span())]
        gone += [_removed_text(rule, line.cut(*span)) for span in spans]
        left = line.without_spans(spans) if spans else line
        kept += [left] if left.text.strip() or not spans else _lines_after_drop(line)
    return kept, gone


def _spans_without_tabs(line: Line, start: int, end: int) -> list[tuple[int, int]]:
    """Return the parts of ``line.text[start:end]`` between the tabs that separate the cells of a row, as (start, end).

    These tabs come from markup; the source has no character for them. A line that is no row is not divided.
    """
    if line.role != ROW_ROLE:
        return [(start, end)]
    edges = [start - 1, *(at for at in range(start, end) if line.text[at] == "\t"), end]
    return [(a + 1, b) for a, b in pairwise(edges) if a + 1 < b]


def _lines_after_drop(line: Line) -> list[Line]:
    """Return the lines that replace a dropped line: one empty line; none for a row, so that its table is not split."""
    return [] if line.role == ROW_ROLE else [Line(line.number, "", ())]


def _drop_blocks(lines: list[Line], rule: DropRule) -> DropResult:
    first, until, inside = compile_pattern(rule.pattern), compile_pattern(rule.until), False
    kept: list[Line] = []
    gone: list[RemovedText] = []
    for line in lines:
        text = line.text.strip()
        inside = (inside or bool(first.fullmatch(text))) and not until.fullmatch(text)
        if inside and text:
            gone.append(_removed_text(rule, line))
        kept.append(Line(line.number, "", ()) if inside else line)
    return kept, gone


_DROPPER_BY_SCOPE = {"line": _drop_lines, "span": _drop_spans, "break": _drop_breaks, "block": _drop_blocks}


def _removed_text(rule: DropRule, line: Line) -> RemovedText:
    return RemovedText(rule.name, line.number, line.text, line.places)


def find_overlong_split(lines: list[Line], rule: SplitRule) -> list[tuple[int, str]]:
    """Return [(line number, matched words)] for the first match of a split rule that holds more than blanks.

    Return [] when there is none.
    """
    pattern = compile_pattern(rule.pattern)
    return next(
        ([(line.number, match[0])] for line in lines for match in pattern.finditer(line.text) if match[0].strip()), []
    )


def split_lines(lines: list[Line], rules: list[SplitRule]) -> list[Line]:
    """Break lines where a rule says that something new begins. Both parts keep the number of the line."""
    for rule in rules:
        pattern, out = compile_pattern(rule.pattern), []
        for line in lines:
            cuts = (
                [0] + [m.end() for m in pattern.finditer(line.text) if 0 < m.end() < len(line.text)] + [len(line.text)]
            )
            out += [line.cut(a, b) for a, b in pairwise(cuts)] if len(cuts) > 2 else [line]
        lines = out
    return lines


# ── Hyphens ─────────────────────────────────────────────────────────────────────────────────────

_FIRM_HYPHEN = "\u2011"
_BROKEN_WORD = re.compile(r"[^\W\d_][-\u2010\u2011\u00ad]$")
_COMPOUND = re.compile(r"[^\W\d_]+-[^\W\d_]+(?=[\s\W])")
_LAST_WORD, _FIRST_WORD = re.compile(r"([^\W\d_]+)[-\u2010\u2011]$"), re.compile(r"[^\W\d_]+")


class Hyphens:
    """Decides which hyphens at line ends break a word, and which belong to it ("IMP-scale", "mid- and endgame")."""

    def __init__(self, lines: list[str], conjunctions: tuple[str, ...] = ()):
        """``conjunctions`` are "and", "or", "to" in the language.

        A word that has a hyphen inside some line is a compound everywhere.
        """
        self.conjunctions = {w.casefold() for w in conjunctions}
        self.compounds = {w.casefold() for line in lines for w in _COMPOUND.findall(line.replace(SOFT_HYPHEN, ""))}

    def separator_after_hyphen(self, before: str, after: str) -> str | None:
        """Return what stands after the hyphen at the end of the line ``before`` when the line ``after`` is joined to
        it.

        That is a blank or nothing; then the hyphen stays. None says that the hyphen is removed, because it only breaks
        a word.
        """
        first, following = _LAST_WORD.search(before), _FIRST_WORD.match(after)
        if not following or not following[0][0].islower() or before.endswith(_FIRM_HYPHEN):
            return ""
        word = first[1] if first else ""
        if following[0].casefold() in self.conjunctions:
            return " "
        return (
            "" if (len(word) > 1 and word.isupper()) or f"{word}-{following[0]}".casefold() in self.compounds else None
        )


# ── Running text ────────────────────────────────────────────────────────────────────────────────


class RunningText:
    """Running text with the place of every character, and the tables in it.

    The place is None for blanks that the layout adds.
    """

    def __init__(self) -> None:
        self.characters: list[str] = []
        self.places: list[SourcePlace | None] = []
        self.tables: list[Table] = []

    @property
    def text(self) -> str:
        """The characters as one string."""
        return "".join(self.characters)

    def as_text(self) -> Text:
        """The text with the places of its characters, as nodes hold it."""
        return text_with_places(self.text, self.places)

    def add(self, text: str, places: Iterable[SourcePlace | None]) -> None:
        """Add characters with their places at the end."""
        self.characters += text
        self.places += places

    def append(self, other: RunningText) -> None:
        """Add another running text with its tables at the end."""
        at = len(self.characters)
        self.add(other.text, other.places)
        self.tables += [replace(t, start=t.start + at, end=t.end + at) for t in other.tables]

    def add_blank(self, blank: str) -> None:
        """Add blanks at the end that the source does not have."""
        self.add(blank, [None] * len(blank))

    def ends_with(self, signs: str) -> bool:
        """Whether the last character is one of ``signs``."""
        return bool(self.characters) and self.characters[-1] in signs

    def drop_last_character(self) -> None:
        """Remove the last character from the text.

        The character before it takes over its columns of the source, so that they stay accounted for.
        """
        self.characters.pop()
        gone, before = self.places.pop(), self.places[-1] if self.places else None
        if before and gone and before.line == gone.line:
            self.places[-1] = before._replace(end=gone.end)


def text_with_places(text: str, places: Iterable[SourcePlace | None]) -> Text:
    """Return characters as a :class:`Text`. ``places`` has the place of each; None for one that the layout added."""
    runs: list[tuple[int, ...]] = []  # length and place
    for place in places:
        own = _place_as_tuple(place)
        length, *last = runs[-1] if runs else (0,)
        # Characters that were published one by one have consecutive columns; all others share one place.
        expected = [last[0], last[1] + length] if len(last) == 2 else last
        if length and list(own) == expected:
            runs[-1] = (length + 1, *last)
        else:
            runs.append((1, *own))
    return Text(text, tuple(runs))


def _place_as_tuple(place: SourcePlace | None) -> tuple[int, ...]:
    """Return a place as :attr:`Text.places` has it, without the length: 1-based; () for None."""
    if place is None:
        return ()
    one_by_one = place.width is None
    return (place.line, place.column + 1) if one_by_one else (place.line, place.column + 1, place.width or 0)


def flow_paragraphs(paragraphs: list[Paragraph], hyphens: Hyphens | None = None) -> RunningText:
    """The running text of paragraphs.

    Lines are joined by a blank and white space is folded. A blank line separates paragraphs, line ends separate the
    rows of a table, and tabs its cells. A soft hyphen at the end of a line (:func:`remove_soft_hyphens` left it) is
    always removed. With ``hyphens``, a hyphen before a small letter is removed too, unless it belongs to the word.
    A hyphen before a capital or a digit belongs to a compound; it stays, without a blank.
    """
    out = RunningText()
    for number, paragraph in enumerate(paragraphs):
        if number:
            out.add_blank("\n\n")
        if paragraph.rule:
            _flow_table(out, paragraph, paragraph.rule)
            continue
        for position, line in enumerate(paragraph.lines):
            if position:
                _prepare_for_next_line(out, line, hyphens)
            _flow_line(out, line)
        if out.ends_with(SOFT_HYPHEN):
            out.drop_last_character()
    return out


def _prepare_for_next_line(out: RunningText, line: Line, hyphens: Hyphens | None) -> None:
    """Make ``out``, the running text so far, ready for ``line``, the next line of its paragraph.

    A blank is added, or the hyphen at the end is removed, or the hyphen stays, as ``hyphens`` decides.
    """
    after = line.text.lstrip()
    if out.ends_with(SOFT_HYPHEN):
        out.drop_last_character()
    elif not hyphens or not _BROKEN_WORD.search("".join(out.characters[-2:])):
        out.add_blank(" ")
    elif (blank := hyphens.separator_after_hyphen("".join(out.characters[-40:]), after)) is None:
        out.drop_last_character()
    else:
        out.add_blank(blank)


def _flow_line(out: RunningText, line: Line) -> None:
    for char, place in zip(line.text, line.places, strict=True):
        if not char.isspace():
            out.add(char, [place])
        elif out.characters and not out.ends_with(" \n\t"):
            out.add(" ", [place])


def _flow_table(out: RunningText, paragraph: Paragraph, rule: TableRule) -> None:
    start, rows = len(out.characters), []
    patterns = [compile_pattern(p) for p in rule.rows]
    for number, line in enumerate(join_rows(paragraph.lines, rule.continues)):
        if number:
            out.add_blank("\n")
        match = next((m for p in patterns if (m := p.fullmatch(line.text))), None)
        cells = _split_cells(line, match)
        rows.append(tuple(" ".join(c.text.split()) for c in cells))
        for column, cell in enumerate(cells):
            if column:
                out.add_blank("\t")
            _flow_line(out, cell)
    out.tables.append(Table(None, tuple(rows), start, len(out.characters)))


def join_rows(lines: list[Line], continues: str) -> list[Line]:
    """Return the rows of a table. A row that is printed in two lines becomes one.

    ``continues`` is the pattern of a row that continues in the next line; empty when no row does.
    """
    rows: list[Line] = []
    for line in lines:
        if continues and rows and compile_pattern(continues).fullmatch(rows[-1].text.strip()):
            before = rows[-1]
            places = (*before.places, None, *line.places)
            text = f"{before.text} {line.text}"
            rows[-1] = Line(before.number, text, places)  # type: ignore[arg-type]  # the layout adds a blank
        else:
            rows.append(line)
    return rows


def _split_cells(line: Line, match: re.Match[str] | None) -> list[Line]:
    if match and match.groups():
        spans = (match.span(group) for group in range(1, len(match.groups()) + 1))
        return [line.cut(start, end) if start >= 0 else line.cut(0, 0) for start, end in spans]
    gaps = list(re.finditer(r"\t" if "\t" in line.text else r"\s{2,}", line.text))
    starts, ends = [0, *(gap.end() for gap in gaps)], [*(gap.start() for gap in gaps), None]
    return [strip_line(line.cut(start, end)) for start, end in zip(starts, ends, strict=True)]
