"""How lines become running text: every printed character keeps the place in the source that it came from."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from corpus.edition import DropRule, SplitRule, TableRule
from corpus.files import compile_pattern
from corpus.label import is_capitals
from corpus.model import Table, Text
from corpus.reading.draft import Paragraph, strip_line
from corpus.reading.source import ROW_ROLE, Line, RemovedText, SourcePlace

FULL_STOP_END = re.compile(r"[.!?]$")  # a sentence that nothing goes on with
SENTENCE_END = re.compile(r"[.:!?…][)\]”\"'»“*]*$")
_ORDINAL_END = re.compile(r"(?<![\w.])\d{1,3}\.$")  # "the 19th" in languages that print it "19."
DASH_START = re.compile(r"[-–—•·]\s")
_NARROWEST_PAGE = 40  # no book is set narrower; a text of a few short lines says nothing of its page
_FULL_LINE_SHARE = 0.72  # a printed line shorter than this share of the usual width ends its paragraph
_DASH_REASON = "a dash begins it"
_LABEL_LIST_END = re.compile(r"(?:\d[A-Z]?\d?\.?|\W[A-Za-z]|\))[,;]$")  # the label of a reference, and more to come


def ends_sentence(before: str, after: str) -> bool:
    """Whether a line ends its sentence. A number with a full stop before a small letter does not: "3. või 19." /
    "seaduse järgi".
    """
    return bool(SENTENCE_END.search(before)) and not (after[:1].islower() and bool(_ORDINAL_END.search(before)))


class SentenceRules:
    """How one edition's sentences stand in its lines; ``style`` is its ``paragraphs`` key."""

    def __init__(self, style: str, lines: list[Line], interruptions: frozenset[int] = frozenset()):
        """``interruptions``: numbers of the lines where a footnote was lifted out of the text."""
        self.style, self.interruptions = style, interruptions
        lengths = sorted(len(line.text.rstrip()) for line in lines if line.text.strip())
        self.width = max(_NARROWEST_PAGE, lengths[int(len(lengths) * 0.9)] if lengths else 0)

    def is_short(self, text: str) -> bool:
        """Whether a line of this text ended before the edge of the page."""
        return len(text) < self.width * _FULL_LINE_SHARE

    def continues_after(self, before: str) -> bool:
        """Whether a line goes on with the sentence of the line before, so that a label at its start is a look-alike.

        After a comma or a short line a label is meant as one, except in a list of labels ("12A,").
        """
        if SENTENCE_END.search(before):
            return False
        return bool(_LABEL_LIST_END.search(before)) or (before[-1] not in ",;" and not self.is_short(before))

    def why_paragraph_begins(self, last: Line, line: Line, blank: bool) -> str:
        """Why ``line`` begins a paragraph after the line ``last``, empty when it goes on.

        ``blank``: an empty line stands between them.
        """
        before, text = last.text.rstrip(), line.text.strip()
        ended, short, small = ends_sentence(before, text), self.is_short(before), text[0].islower()
        dash, pause = bool(DASH_START.match(text)), before[-1:] in ",;"
        if not ended and small and any(last.number < n < line.number for n in self.interruptions):
            return ""  # a footnote stood in the middle of the sentence
        if is_capitals(text) or is_capitals(before):
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
        """Whether a line that stands apart reads as the headword of a definition: short, no sentence, after a finished
        one.
        """
        return (
            apart
            and len(text) < self.width * 0.6
            and text[0].isupper()
            and not re.search(r"[.,:;]$", text)
            and bool(SENTENCE_END.search(before) or before.endswith(")"))
        )

    def title_continues_in_capitals(self, heading: str, text: str) -> bool:
        """Whether a title in capitals that filled its line goes on in the next one."""
        letters = [c for c in text if c.isalpha()]
        return (
            len(heading) > self.width * 0.6
            and len(letters) > 2
            and all(c.isupper() for c in letters)
            and not re.match(r"\s*(\d+|[A-Z])[.)]\s", text)
        )

    def title_continues_in_small_letters(self, heading: str, text: str) -> bool:
        """Whether a title in small letters goes on in the next line: an empty line would part it from the text."""
        return (
            self.style == "blank"
            and text.strip()[0].islower()
            and not is_capitals(heading)
            and not SENTENCE_END.search(heading.rstrip())
        )


SOFT_HYPHEN = "\u00ad"
SOFT_HYPHEN_RULE = "soft hyphens"
SOFT_HYPHEN_RULES = {
    SOFT_HYPHEN_RULE: "U+00AD, or &shy; in a web page: where a word may be broken, and no sign of the word"
}
DropResult = tuple[list[Line], list[RemovedText]]  # the lines that are left, and what went


def remove_soft_hyphens(lines: list[Line]) -> DropResult:
    """Lines without soft hyphens, which no search and no address would find in a word.

    One at the end of a line stays as a sign of the layout that answers for no character of the source: there it says
    that the word goes on in the next line (``flow`` takes it out).
    """
    kept: list[Line] = []
    gone: list[RemovedText] = []
    for line in lines:
        at = [i for i, char in enumerate(line.text) if char == SOFT_HYPHEN]
        gone += [RemovedText(SOFT_HYPHEN_RULE, line.number, SOFT_HYPHEN, line.places[i : i + 1]) for i in at]
        kept.append(_without_soft_hyphens(line, at) if at else line)
    return kept, gone


def _without_soft_hyphens(line: Line, at: list[int]) -> Line:
    """A line without the soft hyphens at some places; the last stays, as a sign, where no word follows it."""
    last = at[-1]
    breaks = bool(line.text[:last].strip(SOFT_HYPHEN + " ")) and not line.text[last + 1 :].strip()
    softened = line.without_spans([(i, i + 1) for i in at])
    if not breaks:
        return softened
    front = softened.cut(0, last - len(at) + 1)
    return Line(line.number, front.text + SOFT_HYPHEN, (*front.places, front.places[-1].place_after), line.role)


def find_endless_block(lines: list[Line], rule: DropRule) -> Line | None:
    """The first line of a block that no line ends, None when all end."""
    open_line = None
    for line in lines:
        text = line.text.strip()
        if compile_pattern(rule.until).fullmatch(text):
            open_line = None
        elif open_line is None and compile_pattern(rule.pattern).fullmatch(text):
            open_line = line
    return open_line


def drop_by_rules(lines: list[Line], rules: list[DropRule]) -> DropResult:
    """Lines without what the rules drop (a dropped line stays as an empty one), and what was dropped by which rule."""
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
            kept += _lines_left_by(line)
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
        kept += [left] if left.text.strip() or not spans else _lines_left_by(line)
    return kept, gone


def _spans_without_tabs(line: Line, start: int, end: int) -> list[tuple[int, int]]:
    """A stretch of a line, without the tabs that part the cells of a row: markup set them, and no character of the
    source is a tab there.
    """
    if line.role != ROW_ROLE:
        return [(start, end)]
    edges = [start - 1, *(at for at in range(start, end) if line.text[at] == "\t"), end]
    return [(a + 1, b) for a, b in pairwise(edges) if a + 1 < b]


def _lines_left_by(line: Line) -> list[Line]:
    """What stays of a line that is dropped as a whole: an empty one; nothing of a row, so that its table stays one."""
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
    """Number and words of the first line where a split rule matches more than an empty place or blanks."""
    pattern = compile_pattern(rule.pattern)
    return next(
        ([(line.number, match[0])] for line in lines for match in pattern.finditer(line.text) if match[0].strip()), []
    )


def split_lines(lines: list[Line], rules: list[SplitRule]) -> list[Line]:
    """Break lines where a rule says that something new begins; both parts keep the number of the line."""
    for rule in rules:
        pattern, out = compile_pattern(rule.pattern), []
        for line in lines:
            cuts = (
                [0] + [m.end() for m in pattern.finditer(line.text) if 0 < m.end() < len(line.text)] + [len(line.text)]
            )
            out += [line.cut(a, b) for a, b in pairwise(cuts)] if len(cuts) > 2 else [line]
        lines = out
    return lines


_FIRM_HYPHEN = "\u2011"
_BROKEN_WORD = re.compile(r"[^\W\d_][-\u2010\u2011\u00ad]$")
_COMPOUND = re.compile(r"[^\W\d_]+-[^\W\d_]+(?=[\s\W])")
_LAST_WORD, _FIRST_WORD = re.compile(r"([^\W\d_]+)[-\u2010\u2011]$"), re.compile(r"[^\W\d_]+")


class Hyphens:
    """Which hyphens at the end of a line break a word, and which belong to it ("IMP-scale", "mid- and endgame")."""

    def __init__(self, lines: list[str], conjunctions: tuple[str, ...] = ()):
        """``conjunctions``: "and", "or", "to" in the language. A word with a hyphen inside some line is a compound
        everywhere.
        """
        self.conjunctions = {w.casefold() for w in conjunctions}
        self.compounds = {w.casefold() for line in lines for w in _COMPOUND.findall(line.replace(SOFT_HYPHEN, ""))}

    def join_after_hyphen(self, before: str, after: str) -> str | None:
        """What joins a line that ends in a word and a hyphen to the next: None takes the hyphen out, else it stays,
        with this after it.
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


class RunningText:
    """Running text with the place of every character (None for the blanks that layout needs), and the tables in it."""

    def __init__(self) -> None:
        self.characters: list[str] = []
        self.places: list[SourcePlace | None] = []
        self.tables: list[Table] = []

    @property
    def text(self) -> str:
        """Its words."""
        return "".join(self.characters)

    def as_text(self) -> Text:
        """The text with the places of its characters, as nodes keep it."""
        return text_with_places(self.text, self.places)

    def add(self, text: str, places: Iterable[SourcePlace | None]) -> None:
        """Put characters with their places at the end."""
        self.characters += text
        self.places += places

    def append(self, other: RunningText) -> None:
        """Put other words with their tables at the end."""
        at = len(self.characters)
        self.add(other.text, other.places)
        self.tables += [replace(t, start=t.start + at, end=t.end + at) for t in other.tables]

    def add_blank(self, blank: str) -> None:
        """Put blanks at the end that the source does not have."""
        self.add(blank, [None] * len(blank))

    def ends_with(self, signs: str) -> bool:
        """Whether the last character is one of these."""
        return bool(self.characters) and self.characters[-1] in signs

    def drop_last(self) -> None:
        """Take the last character from the text; it stays with the one before it, so that the audit finds it."""
        self.characters.pop()
        gone, before = self.places.pop(), self.places[-1] if self.places else None
        if before and gone and before.line == gone.line:
            self.places[-1] = before._replace(end=gone.end)


def text_with_places(text: str, places: Iterable[SourcePlace | None]) -> Text:
    """Characters and the place of each (None: layout's own) as a :class:`Text`."""
    runs: list[tuple[int, ...]] = []  # length and place
    for place in places:
        own = _place_run(place)
        length, *last = runs[-1] if runs else (0,)
        # Characters published one by one follow each other; all others share the place of the whole.
        expected = [last[0], last[1] + length] if len(last) == 2 else last
        if length and list(own) == expected:
            runs[-1] = (length + 1, *last)
        else:
            runs.append((1, *own))
    return Text(text, tuple(runs))


def _place_run(place: SourcePlace | None) -> tuple[int, ...]:
    if place is None:
        return ()
    one_by_one = place.width is None
    return (place.line, place.column + 1) if one_by_one else (place.line, place.column + 1, place.width or 0)


def flow_paragraphs(paragraphs: list[Paragraph], hyphens: Hyphens | None = None) -> RunningText:
    """Lines joined by a blank, white space folded, paragraphs by a blank line, table rows by tabs and line ends.

    A soft hyphen at the end of a line (``layout.soften`` left it) is always layout; with ``hyphens`` so is a hyphen
    before a small letter, unless it belongs to the word; one before a capital or a digit belongs to a compound and
    stays without a blank.
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
                _join_next_line(out, line, hyphens)
            _flow_line(out, line)
        if out.ends_with(SOFT_HYPHEN):
            out.drop_last()
    return out


def _join_next_line(out: RunningText, line: Line, hyphens: Hyphens | None) -> None:
    """What stands between a line and the next one of its paragraph."""
    after = line.text.lstrip()
    if out.ends_with(SOFT_HYPHEN):
        out.drop_last()
    elif not hyphens or not _BROKEN_WORD.search("".join(out.characters[-2:])):
        out.add_blank(" ")
    elif (blank := hyphens.join_after_hyphen("".join(out.characters[-40:]), after)) is None:
        out.drop_last()
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
    """Lines of a table, a row that is printed in two of them as one."""
    rows: list[Line] = []
    for line in lines:
        if continues and rows and compile_pattern(continues).fullmatch(rows[-1].text.strip()):
            before = rows[-1]
            places = (*before.places, None, *line.places)
            text = f"{before.text} {line.text}"
            rows[-1] = Line(before.number, text, places)  # type: ignore[arg-type]  # the blank between is layout's own
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
