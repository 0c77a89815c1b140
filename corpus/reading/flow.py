"""How lines become running text: every printed character keeps the place in the source that it came from."""

from __future__ import annotations

import re

from corpus.reading.draft import Paragraph, strip
from corpus.reading.published import Line
from corpus.text import Text

_FIRM_HYPHEN = "\u2011"
_SOFT_HYPHEN = "\u00ad"
_BROKEN_WORD = re.compile(r"[^\W\d_][-\u2010\u2011\u00ad]$")
_COMPOUND = re.compile(r"[^\W\d_]+-[^\W\d_]+(?=[\s\W])")
_LAST_WORD, _FIRST_WORD = re.compile(r"([^\W\d_]+)[-\u2010\u2011]$"), re.compile(r"[^\W\d_]+")


class Hyphens:
    """Which hyphens at the end of a line part a broken word, and which belong to the word ("IMP-scale", "mid- and endgame")."""

    def __init__(self, lines: list[str], conjunctions: tuple[str, ...] = ()):
        """``conjunctions``: "and", "or", "to" in the language; a hyphenated word inside some line is a compound everywhere."""
        self.conjunctions = {w.casefold() for w in conjunctions}
        self.compounds = {w.casefold() for line in lines for w in _COMPOUND.findall(line)}

    def between(self, before: str, after: str) -> str | None:
        """What joins a line that ends in a word and a hyphen to the next: None takes the hyphen out, else it stays, with this after it."""
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
    """Running text with the place of every character (None for the blanks that layout needs)."""

    def __init__(self, text: str = "", places=()):
        self.characters, self.places, self.tables = list(text), list(places), []

    @property
    def text(self) -> str:
        return "".join(self.characters)

    def as_text(self) -> Text:
        """The text with the places of its characters, as nodes keep it."""
        return placed(self.text, self.places)

    def add(self, text: str, places) -> None:
        self.characters += text
        self.places += places

    def space(self, blank: str) -> None:
        self.add(blank, [None] * len(blank))

    def ends_with(self, signs: str) -> bool:
        return bool(self.characters) and self.characters[-1] in signs

    def drop_last(self) -> None:
        """Take the last character from the text; it stays with the one before it, so that the audit finds it."""
        self.characters.pop()
        gone, before = self.places.pop(), self.places[-1] if self.places else None
        if before and before.line == gone.line:
            self.places[-1] = before._replace(end=gone.end)


def placed(text: str, places) -> Text:
    """Characters and the place of each (None: the reader's own) as a :class:`Text`."""
    runs: list[list] = []
    for place in places:
        if place is None:
            run: tuple = ()
        elif place.width is not None:
            run = (place.line, place.column + 1, place.width)
        else:
            run = (place.line, place.column + 1)
        last = runs[-1] if runs else None
        if last and (
            (len(run) != 2 and run == last[1])
            or (len(run) == 2 == len(last[1]) and run == (last[1][0], last[1][1] + last[0]))
        ):
            last[0] += 1
        else:
            runs.append([1, run])
    return Text(text, tuple((length, *run) for length, run in runs))


def flow(paragraphs: list[Paragraph], hyphens: Hyphens | None = None) -> Flow:
    """Lines joined by a blank, white space folded, paragraphs by a blank line, table rows by tabs and line ends.

    A soft hyphen at the end of a line is always layout; with ``hyphens`` so is a hyphen before a small letter, unless it
    belongs to the word; one before a capital or a digit belongs to a compound and stays without a blank.
    """
    out = Flow()
    for number, paragraph in enumerate(paragraphs):
        if number:
            out.space("\n\n")
        if paragraph.table:
            _flow_table(out, paragraph)
            continue
        for position, line in enumerate(paragraph.lines):
            if position:
                _join(out, line, hyphens)
            _flow_line(out, line)
    return out


def _join(out: Flow, line: Line, hyphens: Hyphens | None) -> None:
    """What stands between a line and the next one of its paragraph."""
    after = line.text.lstrip()
    if out.ends_with(_SOFT_HYPHEN):
        out.drop_last()
    elif not hyphens or not _BROKEN_WORD.search("".join(out.characters[-2:])):
        out.space(" ")
    elif (blank := hyphens.between("".join(out.characters[-40:]), after)) is None:
        out.drop_last()
    else:
        out.space(blank)


def _flow_line(out: Flow, line: Line) -> None:
    for char, place in zip(line.text, line.places):
        if char.isspace():
            if out.characters and not out.ends_with(" \n\t"):
                out.add(" ", [place])
        else:
            out.add(char, [place])


def _flow_table(out: Flow, paragraph: Paragraph) -> None:
    start, rows = len(out.characters), []
    patterns = [re.compile(p) for p in paragraph.rule.rows]
    for number, line in enumerate(_whole_rows(paragraph)):
        if number:
            out.space("\n")
        match = next((m for p in patterns if (m := p.fullmatch(line.text))), None)
        cells = _cells(line, match)
        rows.append(tuple(" ".join(c.text.split()) for c in cells))
        for column, cell in enumerate(cells):
            if column:
                out.space("\t")
            _flow_line(out, cell)
    out.tables.append((None, tuple(rows), start, len(out.characters)))


def _whole_rows(paragraph: Paragraph) -> list[Line]:
    """Lines of a table, a row that is printed in two of them as one."""
    continues, rows = paragraph.rule.continues, []
    for line in paragraph.lines:
        if continues and rows and re.fullmatch(continues, rows[-1].text.strip()):
            before = rows.pop()
            line = Line(before.number, before.text + " " + line.text, before.places + (None,) + line.places)
        rows.append(line)
    return rows


def _cells(line: Line, match: re.Match | None) -> list[Line]:
    if match and match.groups():
        return [
            line.cut(*match.span(g)) if match.span(g)[0] >= 0 else line.cut(0, 0)
            for g in range(1, len(match.groups()) + 1)
        ]
    cells, at = [], 0
    for gap in re.finditer(r"\t" if "\t" in line.text else r"\s{2,}", line.text):
        cells.append(line.cut(at, gap.start()))
        at = gap.end()
    return [strip(c) for c in cells + [line.cut(at)]]
