"""How lines become running text: every printed character keeps the place in the source that it came from."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from corpus.checked.patience import compiled
from corpus.edition.print import TableRule
from corpus.model import Table
from corpus.reading.draft import Paragraph, strip
from corpus.reading.layout import SOFT_HYPHEN
from corpus.reading.published import Line, Place
from corpus.text import Text

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

    def between(self, before: str, after: str) -> str | None:
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


class Flow:
    """Running text with the place of every character (None for the blanks that layout needs), and the tables in it."""

    def __init__(self) -> None:
        self.characters: list[str] = []
        self.places: list[Place | None] = []
        self.tables: list[Table] = []

    @property
    def text(self) -> str:
        """Its words."""
        return "".join(self.characters)

    def as_text(self) -> Text:
        """The text with the places of its characters, as nodes keep it."""
        return placed(self.text, self.places)

    def add(self, text: str, places: Iterable[Place | None]) -> None:
        """Put characters with their places at the end."""
        self.characters += text
        self.places += places

    def append(self, other: Flow) -> None:
        """Put other words with their tables at the end."""
        at = len(self.characters)
        self.add(other.text, other.places)
        self.tables += [replace(t, start=t.start + at, end=t.end + at) for t in other.tables]

    def space(self, blank: str) -> None:
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


def placed(text: str, places: Iterable[Place | None]) -> Text:
    """Characters and the place of each (None: layout's own) as a :class:`Text`."""
    runs: list[tuple[int, ...]] = []  # length and place
    for place in places:
        own = _run_of(place)
        length, *last = runs[-1] if runs else (0,)
        # Characters published one by one follow each other; all others share the place of the whole.
        expected = [last[0], last[1] + length] if len(last) == 2 else last
        if length and list(own) == expected:
            runs[-1] = (length + 1, *last)
        else:
            runs.append((1, *own))
    return Text(text, tuple(runs))


def _run_of(place: Place | None) -> tuple[int, ...]:
    if place is None:
        return ()
    one_by_one = place.width is None
    return (place.line, place.column + 1) if one_by_one else (place.line, place.column + 1, place.width or 0)


def flow(paragraphs: list[Paragraph], hyphens: Hyphens | None = None) -> Flow:
    """Lines joined by a blank, white space folded, paragraphs by a blank line, table rows by tabs and line ends.

    A soft hyphen at the end of a line (``layout.soften`` left it) is always layout; with ``hyphens`` so is a hyphen
    before a small letter, unless it belongs to the word; one before a capital or a digit belongs to a compound and
    stays without a blank.
    """
    out = Flow()
    for number, paragraph in enumerate(paragraphs):
        if number:
            out.space("\n\n")
        if paragraph.rule:
            _flow_table(out, paragraph, paragraph.rule)
            continue
        for position, line in enumerate(paragraph.lines):
            if position:
                _join(out, line, hyphens)
            _flow_line(out, line)
        if out.ends_with(SOFT_HYPHEN):
            out.drop_last()
    return out


def _join(out: Flow, line: Line, hyphens: Hyphens | None) -> None:
    """What stands between a line and the next one of its paragraph."""
    after = line.text.lstrip()
    if out.ends_with(SOFT_HYPHEN):
        out.drop_last()
    elif not hyphens or not _BROKEN_WORD.search("".join(out.characters[-2:])):
        out.space(" ")
    elif (blank := hyphens.between("".join(out.characters[-40:]), after)) is None:
        out.drop_last()
    else:
        out.space(blank)


def _flow_line(out: Flow, line: Line) -> None:
    for char, place in zip(line.text, line.places, strict=True):
        if not char.isspace():
            out.add(char, [place])
        elif out.characters and not out.ends_with(" \n\t"):
            out.add(" ", [place])


def _flow_table(out: Flow, paragraph: Paragraph, rule: TableRule) -> None:
    start, rows = len(out.characters), []
    patterns = [compiled(p) for p in rule.rows]
    for number, line in enumerate(whole_rows(paragraph.lines, rule.continues)):
        if number:
            out.space("\n")
        match = next((m for p in patterns if (m := p.fullmatch(line.text))), None)
        cells = _cells(line, match)
        rows.append(tuple(" ".join(c.text.split()) for c in cells))
        for column, cell in enumerate(cells):
            if column:
                out.space("\t")
            _flow_line(out, cell)
    out.tables.append(Table(None, tuple(rows), start, len(out.characters)))


def whole_rows(lines: list[Line], continues: str) -> list[Line]:
    """Lines of a table, a row that is printed in two of them as one."""
    rows: list[Line] = []
    for line in lines:
        if continues and rows and compiled(continues).fullmatch(rows[-1].text.strip()):
            before = rows[-1]
            places = (*before.places, None, *line.places)
            text = f"{before.text} {line.text}"
            rows[-1] = Line(before.number, text, places)  # type: ignore[arg-type]  # the blank between is layout's own
        else:
            rows.append(line)
    return rows


def _cells(line: Line, match: re.Match[str] | None) -> list[Line]:
    if match and match.groups():
        spans = (match.span(group) for group in range(1, len(match.groups()) + 1))
        return [line.cut(start, end) if start >= 0 else line.cut(0, 0) for start, end in spans]
    gaps = list(re.finditer(r"\t" if "\t" in line.text else r"\s{2,}", line.text))
    starts, ends = [0, *(gap.end() for gap in gaps)], [*(gap.start() for gap in gaps), None]
    return [strip(line.cut(start, end)) for start, end in zip(starts, ends, strict=True)]
