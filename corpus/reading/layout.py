"""Step 4: what is not text is dropped by named rules (:class:`~corpus.edition.print.DropRule` says how); lines that
hold two things are split.
"""

from __future__ import annotations

from itertools import pairwise

from corpus.checked.patience import compiled
from corpus.edition.print import DropRule, SplitRule
from corpus.reading.published import ROW, Line, Removed

SOFT_HYPHEN = "\u00ad"
SOFT_HYPHEN_RULE = "soft hyphens"
RULES = {SOFT_HYPHEN_RULE: "U+00AD, or &shy; in a web page: where a word may be broken, and no sign of the word"}
Dropping = tuple[list[Line], list[Removed]]  # the lines that are left, and what went


def soften(lines: list[Line]) -> Dropping:
    """Lines without soft hyphens, which no search and no address would find in a word.

    One at the end of a line stays as a sign of the layout that answers for no character of the source: there it says
    that the word goes on in the next line (``flow`` takes it out).
    """
    kept: list[Line] = []
    gone: list[Removed] = []
    for line in lines:
        at = [i for i, char in enumerate(line.text) if char == SOFT_HYPHEN]
        gone += [Removed(SOFT_HYPHEN_RULE, line.number, SOFT_HYPHEN, line.places[i : i + 1]) for i in at]
        kept.append(_softened(line, at) if at else line)
    return kept, gone


def _softened(line: Line, at: list[int]) -> Line:
    """A line without the soft hyphens at some places; the last stays, as a sign, where no word follows it."""
    last = at[-1]
    breaks = bool(line.text[:last].strip(SOFT_HYPHEN + " ")) and not line.text[last + 1 :].strip()
    softened = line.without([(i, i + 1) for i in at])
    if not breaks:
        return softened
    front = softened.cut(0, last - len(at) + 1)
    return Line(line.number, front.text + SOFT_HYPHEN, (*front.places, front.places[-1].after), line.role)


def endless(lines: list[Line], rule: DropRule) -> Line | None:
    """The first line of a block that no line ends, None when all end."""
    open_line = None
    for line in lines:
        text = line.text.strip()
        if compiled(rule.until).fullmatch(text):
            open_line = None
        elif open_line is None and compiled(rule.pattern).fullmatch(text):
            open_line = line
    return open_line


def drop(lines: list[Line], rules: list[DropRule]) -> Dropping:
    """Lines without what the rules drop (a dropped line stays as an empty one), and what was dropped by which rule."""
    dropped: list[Removed] = []
    for rule in rules:
        lines, gone = _BY_SCOPE[rule.scope](lines, rule)
        dropped += gone
    return lines, dropped


def _drop_lines(lines: list[Line], rule: DropRule) -> Dropping:
    pattern = compiled(rule.pattern)
    kept: list[Line] = []
    gone: list[Removed] = []
    for line in lines:
        named = not rule.lines or line.number in rule.lines
        if named and line.text.strip() and pattern.fullmatch(line.text.strip()):
            gone.append(_gone(rule, line))
            kept += _emptied(line)
        else:
            kept.append(line)
    return kept, gone


def _drop_breaks(lines: list[Line], rule: DropRule) -> Dropping:
    pattern = compiled(rule.pattern)
    kept: list[Line] = []
    gone: list[Removed] = []
    for line in lines:
        at = 0
        for match in pattern.finditer(line.text):
            gone.append(_gone(rule, line.cut(*match.span())))
            kept += (
                [line.cut(at, match.start()), Line(line.number, "", ())]
                if match.start() > at
                else [Line(line.number, "", ())]
            )
            at = match.end()
        kept.append(line.cut(at) if at else line)
    return kept, gone


def _drop_spans(lines: list[Line], rule: DropRule) -> Dropping:
    pattern = compiled(rule.pattern)
    kept: list[Line] = []
    gone: list[Removed] = []
    for line in lines:
        spans = [span for match in pattern.finditer(line.text) for span in _between_cells(line, *match.span())]
        gone += [_gone(rule, line.cut(*span)) for span in spans]
        left = line.without(spans) if spans else line
        kept += [left] if left.text.strip() or not spans else _emptied(line)
    return kept, gone


def _between_cells(line: Line, start: int, end: int) -> list[tuple[int, int]]:
    """A stretch of a line, without the tabs that part the cells of a row: markup set them, and no character of the
    source is a tab there.
    """
    if line.role != ROW:
        return [(start, end)]
    edges = [start - 1, *(at for at in range(start, end) if line.text[at] == "\t"), end]
    return [(a + 1, b) for a, b in pairwise(edges) if a + 1 < b]


def _emptied(line: Line) -> list[Line]:
    """What stays of a line that is dropped as a whole: an empty one; nothing of a row, so that its table stays one."""
    return [] if line.role == ROW else [Line(line.number, "", ())]


def _drop_blocks(lines: list[Line], rule: DropRule) -> Dropping:
    first, until, inside = compiled(rule.pattern), compiled(rule.until), False
    kept: list[Line] = []
    gone: list[Removed] = []
    for line in lines:
        text = line.text.strip()
        inside = (inside or bool(first.fullmatch(text))) and not until.fullmatch(text)
        if inside and text:
            gone.append(_gone(rule, line))
        kept.append(Line(line.number, "", ()) if inside else line)
    return kept, gone


_BY_SCOPE = {"line": _drop_lines, "span": _drop_spans, "break": _drop_breaks, "block": _drop_blocks}


def _gone(rule: DropRule, line: Line) -> Removed:
    return Removed(rule.name, line.number, line.text, line.places)


def eaten(lines: list[Line], rule: SplitRule) -> list[tuple[int, str]]:
    """Number and words of the first line where a split rule matches more than an empty place or blanks."""
    pattern = compiled(rule.pattern)
    return next(
        ([(line.number, match[0])] for line in lines for match in pattern.finditer(line.text) if match[0].strip()), []
    )


def split(lines: list[Line], rules: list[SplitRule]) -> list[Line]:
    """Break lines where a rule says that something new begins; both parts keep the number of the line."""
    for rule in rules:
        pattern, out = compiled(rule.pattern), []
        for line in lines:
            cuts = (
                [0] + [m.end() for m in pattern.finditer(line.text) if 0 < m.end() < len(line.text)] + [len(line.text)]
            )
            out += [line.cut(a, b) for a, b in pairwise(cuts)] if len(cuts) > 2 else [line]
        lines = out
    return lines
