"""Checks of a reading: signs that the manifest does not fit the text, although every rule matched something.

:func:`find_misfits` runs all checks. A reading without a fatal problem may still be wrong without notice: a page head
inside a sentence, the last row of a table outside it, a list that no level describes. Each check looks for one trace of
such a mistake. None of these problems is fatal. A check must find nothing in a correct text: each was tried on the
texts of the corpus and on invented ones, and finds nothing there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from itertools import islice, pairwise

from corpus.edition import DEFINITION_STYLES, NOTE_STYLES, Edition
from corpus.files import compile_pattern
from corpus.label import LabelParser, Level, is_mostly_capitals
from corpus.model import CONTAINER_KINDS, Problem
from corpus.reading.actions import ReadingContext
from corpus.reading.draft import Draft, Paragraph
from corpus.reading.flow import FULL_STOP_END, SENTENCE_END, join_rows
from corpus.reading.footnotes import Note, plain_sign
from corpus.reading.result import Placing
from corpus.reading.source import TERM_ROLE, Line, RemovedText

_LONGEST_QUOTE = 60  # characters of a line that a finding quotes
_ALIKE_SHARE = 0.8  # share of common characters of two lines, of which one may be a misreading of the other
_LEAST_HEAD_LETTERS = 6  # fewest letters of a page head; shorter lines are like too many others
_LEAST_HEAD_REPEATS = 3  # fewest times that a page head stands in the text
_MOST_PROBLEMS = 20  # problems of one check that are reported; more of them would not help
_MOST_SHAPES = 10  # different lines of one rule that other lines are compared with
_LEAST_SENTENCES = 5  # fewest lines of a dropped block that read as sentences; a title page may hold one or two
_LONG_TITLE = 10  # most words of a title below the law level, in the laws that we read
_LEAST_ROWS = 3  # fewest lines with cells under each other that look like a table
_LEAST_REPEATED_LETTERS = 25  # fewest characters of a line that stands twice in a row
_CELL_GAP = re.compile(r"(?<=[^\s.!?:;,])(?: *\t\s*| {2,})(?=\S)")  # between cells; typists put two blanks after a stop
_SUPERSCRIPT_DIGITS = re.compile(r"(?<=[^\W\d_]|[.,;:!?])[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_MOJIBAKE = re.compile(r"[\u00c2-\u00df][\u0080-\u00bf\u0152-\u02dc\u2013-\u2122]|\u00e2\u20ac")
_FIGURE_AFTER_SENTENCE = re.compile(r"(?<=[^\W\d_]{2}[.;!?])(\d{1,2})(?=\s|$)")
_FIRST_OTHER_SCRIPT = "\u0530"  # the first letter after the Latin, Greek and Cyrillic ones
_LABEL_FORMS = ("A.", "A)", "(A)", "1.", "1)", "(1)", "a.", "a)", "(a)", "i.", "i)", "(i)", "A -", "1°")
_CHAPTER_LINE = re.compile(r"(?P<word>[^\W\d_]{4,}) (?P<n>[IVXL]+|\d{1,2})\b[.:]?(?P<rest>.*)")
_PROSE = re.compile(r"[\w\s.,]+")  # words without markup
# A gap between cells where no rule declares a table.
_WIDE_CELL_GAP = re.compile(r"(?<=\S)(?: {3,}|[ \t]*\t[ \t]*)(?=\S)")


@dataclass(frozen=True)
class UncheckedReading:
    """A reading before its checks: the edition with its context, and what was read.

    ``printed`` are the lines before any rule dropped some. ``lines`` are those that were placed, in drafts below
    ``roots``, as ``placings`` says. ``removed`` is what the rules of the manifest dropped.
    """

    edition: Edition
    book: ReadingContext
    conjunctions: frozenset[str]
    printed: Sequence[Line]
    lines: Sequence[Line]
    removed: Sequence[RemovedText]
    notes: Sequence[Note]
    roots: Sequence[Draft]
    placings: Sequence[Placing]

    @cached_property
    def drafts(self) -> list[Draft]:
        """All drafts in the order of the book."""
        return [d for root in self.roots for d in root.walk()]

    @cached_property
    def text_path_by_line(self) -> dict[int, str]:
        """Number of a line that begins with words of a text → the path of that text."""
        first: dict[int, Placing] = {}
        for placing in self.placings:
            first.setdefault(placing.line, placing)
        return {n: p.path for n, p in first.items() if p.did == "text of" and p.path != "index"}

    @cached_property
    def lines_with_text(self) -> list[Line]:
        """The lines that hold text, in order."""
        return [line for line in self.lines if line.text.strip()]

    @cached_property
    def text_lines_in_context(self) -> list[tuple[str, Line, str]]:
        """(words before, line, words after) of the lines of texts.

        The words are those of the lines above and below; they are empty where there is no such line. The words after
        are also empty where the line below belongs to no text.
        """
        around = [Line(0, "", ()), *self.lines_with_text, Line(0, "", ())]
        return [
            (a.text.rstrip() if a.number else "", line, b.text.strip() if b.number in self.text_path_by_line else "")
            for a, line, b in zip(around, around[1:], around[2:], strict=False)
            if line.number in self.text_path_by_line
        ]

    def nonfatal_problem(self, number: int, finding: str, move: str) -> Problem:
        """A problem that is not fatal, in a line of the source."""
        return Problem(self.edition.source_name, number, finding, move, fatal=False)


def find_misfits(read: UncheckedReading) -> Iterator[Problem]:
    """Yield every sign that the manifest does not fit: at most one problem for a line, of the first check that fits."""
    reported: set[int] = set()
    for check in _CHECKS:
        for problem in islice(check(read), _MOST_PROBLEMS):
            if problem.file != read.edition.source_name or problem.line not in reported:
                yield problem
            reported.add(problem.line)


# ── Drop rules ──────────────────────────────────────────────────────────────────────────────────


def report_lines_not_dropped(read: UncheckedReading) -> Iterator[Problem]:
    """Report numbers in ``lines`` of a drop rule where the rule dropped nothing."""
    gone = {(r.rule, r.line) for r in read.removed}
    stands = {line.number: line.text.strip() for line in read.printed}
    for n, rule in enumerate(read.edition.drop):
        for number in rule.lines:
            if rule.scope == "line" and (rule.name, number) not in gone:
                what = f"there stands “{_shorten(stands[number])}”" if stands.get(number) else "no text stands there"
                yield read.edition.written.problem(
                    ("drop", n, "lines"),
                    f"The drop rule “{rule.name}” drops nothing in line {number}: {what}.",
                    "Correct the number in “lines”, or the pattern.",
                    fatal=False,
                )


def report_laws_dropped(read: UncheckedReading) -> Iterator[Problem]:
    """Report a dropped line that begins a law which the text then lacks."""
    there = {d.path for d in read.drafts if d.level == 0}
    for removed in read.removed:
        label = read.book.heads.labels[0].parse(removed.text)
        if label and label.ordinal in read.edition.law_numbers and str(label.ordinal) not in there:
            yield read.nonfatal_problem(
                removed.line,
                f"The drop rule “{removed.rule}” drops the line that begins law {label.ordinal}.",
                "Narrow its pattern, or correct its “until”, in edition.toml.",
            )


def report_sentences_dropped(read: UncheckedReading) -> Iterator[Problem]:
    """Report rules that drop words: a line of a sentence, words between words, or a block of text."""
    at = {line.number: i for i, line in enumerate(read.printed)}
    gone = {r.line for r in read.removed}
    scopes = {rule.name: rule.scope for rule in read.edition.drop}
    blocks: dict[str, list[RemovedText]] = defaultdict(list)
    for removed in read.removed:
        scope, text = scopes.get(removed.rule), removed.text.strip()
        if scope == "block" and _is_sentence(text):
            blocks[removed.rule].append(removed)
        inside = (scope == "line" and _is_dropped_from_sentence(read, removed, at, gone)) or (
            scope == "span" and _is_between_words(read, removed, at)
        )
        if inside:
            yield read.nonfatal_problem(
                removed.line,
                f"The drop rule “{removed.rule}” drops words of a sentence: “{_shorten(text)}”.",
                "Narrow its pattern in edition.toml; a rule for a few places names them in “lines”.",
            )
    for name, lines in blocks.items():
        if len(lines) >= _LEAST_SENTENCES:
            yield read.nonfatal_problem(
                lines[0].line,
                f"The block “{name}” drops {len(lines)} lines that read as text, from “{_shorten(lines[0].text)}” on.",
                "Is that no text of the book? Else correct its “until” in edition.toml: the line that follows it.",
            )


def _is_sentence(text: str) -> bool:
    """Whether a line reads as words of a sentence that ends in it."""
    return _count_small_words(text) >= 5 and bool(FULL_STOP_END.search(text)) and ".." not in text


def _is_dropped_from_sentence(read: UncheckedReading, removed: RemovedText, at: dict[int, int], gone: set[int]) -> bool:
    """Whether a dropped line is a sentence, or begins one that continues in the next line.

    ``at``: number of a line → its index in ``read.printed``. ``gone``: numbers of the lines of which something was
    dropped.
    """
    text, index = removed.text.strip(), at.get(removed.line)
    if index is None or _count_small_words(text) < 3:
        return False
    below = read.printed[index + 1] if index + 1 < len(read.printed) else Line(0, "", ())
    above = _text_of_line_above(read.printed, index)
    goes_on = below.text.strip()[:1].islower() and below.number not in gone and not SENTENCE_END.search(text)
    return _is_sentence(text) or (goes_on and (not above or bool(SENTENCE_END.search(above))))


def _is_between_words(read: UncheckedReading, removed: RemovedText, at: dict[int, int]) -> bool:
    """Whether words or a number were removed from between two words of a sentence.

    ``at``: number of a line → its index in ``read.printed``.
    """
    index = at.get(removed.line)
    if index is None or not _PROSE.fullmatch(removed.text) or not any(c.isalnum() for c in removed.text):
        return False
    line, gone = read.printed[index], set(removed.places)
    columns = [i for i, place in enumerate(line.places) if place in gone]
    if not columns:
        return False
    before, after = line.text[: columns[0]].rstrip(), line.text[columns[-1] + 1 :].lstrip()
    return before[-1:].islower() and after[:1].islower()


def report_page_heads(read: UncheckedReading) -> Iterator[Problem]:
    """Report lines of the text that are like lines which a rule drops elsewhere, or that come again and again."""
    dropped: dict[str, str] = {}
    for rule in read.edition.drop:
        if rule.scope == "line" and not rule.lines:
            shapes = dict.fromkeys(_line_shape(r.text) for r in read.removed if r.rule == rule.name)
            dropped |= {s: rule.name for s in list(shapes)[:_MOST_SHAPES] if _count_letters(s) >= _LEAST_HEAD_LETTERS}
    again: dict[str, list[tuple[str, Line, str]]] = defaultdict(list)
    for before, line, after in read.text_lines_in_context:
        shape = _line_shape(line.text)
        if _count_letters(shape) < _LEAST_HEAD_LETTERS:
            continue
        again[shape].append((before, line, after))
        if near := next((head for head in dropped if _may_be_misreading(shape, head)), ""):
            yield read.nonfatal_problem(
                line.number,
                f"“{_shorten(line.text)}” stands in the text of {read.text_path_by_line[line.number]}; the drop rule "
                f"“{dropped[near]}” drops lines that are like it.",
                "Widen its pattern in edition.toml, or correct the line in corrections.tsv.",
            )
    for lines in again.values():
        inside = [x for x in lines if _interrupts_sentence(*x)]
        apart = [
            x for x in lines if (not x[0] or SENTENCE_END.search(x[0])) and _is_title(read, _line_shape(x[1].text))
        ]
        numbered = len(lines) >= (2 if apart == lines else _LEAST_HEAD_REPEATS) and _have_rising_numbers(
            [x[1] for x in lines]
        )
        if numbered or (len(lines) >= _LEAST_HEAD_REPEATS and len(inside) > 1):
            first = (inside or lines)[0][1]
            yield read.nonfatal_problem(
                first.number,
                f"“{_shorten(first.text)}” comes {len(lines)} times in the text: in lines "
                f"{', '.join(str(x[1].number) for x in lines[:5])}{' …' if len(lines) > 5 else ''}.",
                "Is it a page head? Then drop it by a [[drop]] rule in edition.toml.",
            )


def _interrupts_sentence(before: str, line: Line, after: str) -> bool:
    """Whether a line stands in the middle of a sentence. ``before`` and ``after`` are the lines around it."""
    ended = not before or SENTENCE_END.search(before)
    return not ended and not line.text.strip()[:1].islower() and after[:1].islower()


def _have_rising_numbers(lines: list[Line]) -> bool:
    """Whether lines, otherwise the same, begin or end in numbers that rise from line to line."""
    texts = [line.text.strip() for line in lines]
    ends = ([text[:12] for text in texts], [text[-12:] for text in texts])
    for pattern, shown in zip((r"^\W*(\d+)", r"(\d+)\W*$"), ends, strict=True):
        numbers = [int(m[1]) for text in shown if (m := re.search(pattern, text))]
        if len(numbers) == len(lines) and all(a < b for a, b in pairwise(numbers)):
            return True
    return False


def report_lines_in_sentences(read: UncheckedReading) -> Iterator[Problem]:
    """Report a short line in the middle of a sentence that fills its lines. It may be a page head that comes once."""
    if read.edition.is_html:
        return
    for before, line, after in read.text_lines_in_context:
        text = line.text.strip()
        full = before and not read.book.sentences.is_short(before) and before[-1].isalnum()
        short = read.book.sentences.is_short(text) and not SENTENCE_END.search(text) and text[-1:] not in ",-–"
        if full and short and _interrupts_sentence(before, line, after) and _count_small_words(text) < 3:
            yield read.nonfatal_problem(
                line.number,
                f"“{_shorten(text)}” stands in the middle of a sentence of {read.text_path_by_line[line.number]}.",
                "Is it a page head or a title? Then drop it by a rule, or describe it in edition.toml.",
            )


# ── Tables ──────────────────────────────────────────────────────────────────────────────────────


def report_table_rules(read: UncheckedReading) -> Iterator[Problem]:
    """Report tables whose rule begins too late, ends too early or too late, or does not split a row into cells."""
    for draft in read.drafts:
        items = draft.items
        for n, item in enumerate(items):
            if not isinstance(item, Paragraph) or not item.rule or not item.rule.first:
                continue
            above, below = items[n - 1] if n else None, items[n + 1] if n + 1 < len(items) else None
            yield from _report_rows_beside_table(read, draft, above, item, below)
            yield from _table_row_problems(read, draft, item)


def _report_rows_beside_table(
    read: UncheckedReading,
    draft: Draft,
    above: Paragraph | Draft | None,
    table: Paragraph,
    below: Paragraph | Draft | None,
) -> Iterator[Problem]:
    rows = {line.number for line in table.lines}
    for beside, at, key in ((above, -1, "first"), (below, 0, "last")):
        line = beside.lines[at] if isinstance(beside, Paragraph) and not beside.is_table else None
        near = line and min(abs(line.number - n) for n in rows) <= 2
        if line and near and _CELL_GAP.search(line.text.strip()):
            yield read.nonfatal_problem(
                line.number,
                f"“{_shorten(line.text)}” stands {'above' if at else 'below'} the table of {draft.path} and "
                f"looks like a "
                "row of it.",
                f"Correct “{key}” of this [[tables]] in edition.toml.",
            )


def _table_row_problems(read: UncheckedReading, draft: Draft, table: Paragraph) -> Iterator[Problem]:
    for line in table.lines:
        text = line.text.strip()
        begins = read.book.heads.kind_of_start(line)
        is_row = any(
            compile_pattern(pattern).fullmatch(line.text) for pattern in (table.rule.rows if table.rule else ())
        )
        if text and not is_row and not _CELL_GAP.search(text) and (begins or _is_sentence(text)):
            yield read.nonfatal_problem(
                line.number,
                f"“{_shorten(text)}” stands in the table of {draft.path}, but reads as text.",
                "Correct “last” of this [[tables]] in edition.toml.",
            )
            return
    rows = join_rows(table.lines, table.rule.continues) if table.rule else []
    at = next((n for n, rule in enumerate(read.edition.tables) if rule is table.rule), -1)
    for k, pattern in enumerate(table.rule.rows if table.rule and at >= 0 else ()):
        if not any(compile_pattern(pattern).fullmatch(row.text) for row in rows):
            yield read.edition.written.problem(
                ("tables", at, "rows", k),
                f"No row of the table of {draft.path} (line {table.lines[0].number}) is like “{_shorten(pattern)}”.",
                "Correct this pattern of “rows”, or remove it: a row that none is like is cut at its blanks.",
                pattern,
                fatal=False,
            )


def report_tables_undeclared(read: UncheckedReading) -> Iterator[Problem]:
    """Report lines of a text with cells under each other, which no rule makes a table."""
    run: list[Line] = []
    shared: set[int] = set()
    for _, line, _after in [*read.text_lines_in_context, ("", Line(0, "", ()), "")]:
        columns = _cell_columns(line.text)
        near = (
            run
            and line.number - run[-1].number <= 2
            and read.text_path_by_line.get(line.number) == read.text_path_by_line[run[-1].number]
        )
        under = {a for a in shared if any(abs(a - b) <= 2 for b in columns)} if near else set()
        if run and not under:
            if len(run) >= _LEAST_ROWS:
                path = read.text_path_by_line[run[0].number]
                yield read.nonfatal_problem(
                    run[0].number,
                    f"{len(run)} lines of {path} have words under each other, as the cells of a table stand.",
                    f'Is it a table? Then describe it: [[tables]], path = "{path}", in edition.toml.',
                )
            run = []
        if columns:
            shared = under or columns
            run.append(line)


def _cell_columns(text: str) -> set[int]:
    """Return the columns of a line where cells begin after a wide gap or a tab.

    A gap with tabs counts as a negative column, 10 for each tab.
    """
    return {-match[0].count("\t") * 10 if "\t" in match[0] else match.end() for match in _WIDE_CELL_GAP.finditer(text)}


# ── Labels, titles, chapters ────────────────────────────────────────────────────────────────────


def report_levels_undeclared(read: UncheckedReading) -> Iterator[Problem]:
    """Report lines that begin with labels of a list which no level describes: (a), then (b)."""
    known = {template for level in read.edition.levels for template in level.labels}
    forms = [(form, LabelParser(Level("clause", (form,)))) for form in _LABEL_FORMS if form not in known]
    for law in (d for d in read.drafts if d.level == 0):
        rows = {line.number for d in law.walk() for p in d.paragraphs() if p.is_table for line in p.lines}
        numbers = {line.number for d in law.walk() for p in d.paragraphs() for line in p.lines} - rows
        lines = [
            line for line in read.lines_with_text if line.number in numbers and line.number in read.text_path_by_line
        ]
        for form, parser in forms:
            found = [(line, label) for line in lines if (label := parser.parse(line.text))]
            two = next(((a, b) for (a, x), (b, y) in pairwise(found) if (x.ordinal, y.ordinal) == (1, 2)), None)
            if two and not _has_known_label(read, two[0]):
                first, second = (line.text.split()[0] for line in two)
                yield read.nonfatal_problem(
                    two[0].number,
                    f"Lines of {read.text_path_by_line[two[0].number]} begin with “{first}” and “{second}”, "
                    f"which no level has as "
                    "labels.",
                    f'Are they items? Then add [[levels]] with labels = ["{form}"] in edition.toml.',
                )
                break


def _has_known_label(read: UncheckedReading, line: Line) -> bool:
    """Whether a level of the edition can read the label of a line."""
    return any(parser.parse(line.text) for parser in read.book.heads.labels[1:])


def report_laws_with_a_letter(read: UncheckedReading) -> Iterator[Problem]:
    """Report words that would be the label of a law without the letter after its number: LAW 5A."""
    parser = read.book.heads.labels[0]
    for before, line, _ in read.text_lines_in_context:
        text = line.text.strip()
        plain = re.sub(r"^(\D{0,30}\d{1,3}) ?[A-Za-z](?![\w])", r"\1", text)
        if plain == text or (before and not SENTENCE_END.search(before) and not parser.has_title):
            continue
        label = parser.parse(plain)
        if label and (parser.has_title or not re.search(r"\w.*\w", plain[label.after :])):
            yield read.nonfatal_problem(
                line.number,
                f"“{_shorten(text)}” stands in the text of {read.text_path_by_line[line.number]}; without the "
                f"letter behind its "
                "number it would begin a law.",
                "Write the number that it has in the order of the laws by a row of corrections.tsv; correct “laws”.",
            )


def report_titles_cut(read: UncheckedReading) -> Iterator[Problem]:
    """Report titles that seem to continue in the text below them."""
    for draft in read.drafts:
        text = next(iter(draft.paragraphs()), None)
        if not draft.heading or draft.kind == "definition" or not text or draft.items[0] is not text:
            continue
        if any(p.is_table for p in draft.paragraphs()):  # words above a table are its caption
            continue
        title, line = draft.heading[-1].text.strip(), text.lines[0]
        words, capitals = line.text.strip(), is_mostly_capitals(title)
        near = line.number - draft.heading[-1].number == 1
        last = title.rsplit(maxsplit=1)[-1].casefold()
        goes_on = (
            last in read.conjunctions
            or title.endswith((",", "-", "–"))
            or (near and capitals and is_mostly_capitals(words) and not SENTENCE_END.search(words))
            or (draft.level == 0 and words[:1].islower() and not capitals)
            or (draft.kind in CONTAINER_KINDS and len(words) < 2 * _LONGEST_QUOTE and not SENTENCE_END.search(words))
        )
        if goes_on:
            yield read.nonfatal_problem(
                line.number,
                f"The title of {draft.path}, “{_shorten(title)}”, seems to go on in the next line: "
                f"“{_shorten(words)}”.",
                "Join the two by rows of corrections.tsv: the words go from this line and stand behind the title.",
            )


def report_titles_that_lead_in(read: UncheckedReading) -> Iterator[Problem]:
    """Report titles that are likely the words that a list begins with, one problem for each level.

    Such a title is as long as a sentence, or stands right above items that begin in small letters.
    """
    for depth, level in enumerate(read.edition.levels):
        long = [d for d in read.drafts if d.level == depth and (_is_long_title(d) or _leads_in_items(d))]
        if level.heading != "auto" or depth == 0 or not long:
            continue
        title = " ".join(line.text.strip() for line in long[0].heading)
        also = f", and {len(long) - 1} more of its level," if len(long) > 1 else ""
        yield read.nonfatal_problem(
            long[0].heading[0].number,
            f"The words beside the label of {long[0].path}{also} are read as a title: “{_shorten(title)}”.",
            f'If they begin the sentence that the items below go on: heading = "none" for “{level.kind}”, or '
            f'[[placements]] with line = {long[0].heading[0].number}, path = "{long[0].path}".',
        )


def _is_long_title(draft: Draft) -> bool:
    words = sum(len(line.text.split()) for line in draft.heading)
    return words > _LONG_TITLE and bool(draft.children) and next(iter(draft.paragraphs()), None) is None


def _leads_in_items(draft: Draft) -> bool:
    """Whether a title stands right above items that all begin in small letters, as the rest of a sentence does."""
    items = [next(iter(child.paragraphs()), None) for child in draft.children]
    title = draft.heading[-1].text.strip() if draft.heading else ""
    return (
        len(items) > 1
        and bool(title)
        and not is_mostly_capitals(title)
        and next(iter(draft.paragraphs()), None) is None
        and all(item and not item.is_table and item.lines[0].text.strip()[:1].islower() for item in items)
    )


def report_titles_without_label(read: UncheckedReading) -> Iterator[Problem]:
    """Report a line inside a provision that reads as the title of another provision.

    The label of that other provision may be lost.
    """
    titled = {d.level for d in read.drafts if d.level > 0 and d.heading}
    if not titled or read.edition.paragraphs == "lines":
        return
    for before, line, after in read.text_lines_in_context:
        draft, text = read.text_path_by_line[line.number], line.text.strip()
        depth = sum(c == "/" for c in draft)
        ended = SENTENCE_END.search(before) and line.number not in {n.number for n in read.notes}
        short = len(text) < read.book.sentences.width * 0.5 and not re.search(r"[.,:;!?\d)]$", text)
        if ended and short and depth and text[:1].isupper() and after[:1].isupper() and not _CELL_GAP.search(text):
            yield read.nonfatal_problem(
                line.number,
                f"“{_shorten(text)}” in the text of {draft} reads as a title.",
                "Is its label lost? Then insert it by a row of corrections.tsv.",
            )


def report_titles_before_laws(read: UncheckedReading) -> Iterator[Problem]:
    """Report a short line between a finished sentence and the next law.

    It may be the title of a chapter, or words at the end of a page.
    """
    found: list[Line] = []
    follows: Line | None = None  # a law, or a title above it
    for n in range(len(read.lines_with_text) - 1, 0, -1):
        line, before = read.lines_with_text[n], read.lines_with_text[n - 1].text.rstrip()
        if read.book.heads.kind_of_start(line) == "law":
            follows = line
        elif follows and line.number in read.text_path_by_line and _is_title(read, " ".join(line.text.split())):
            found += [line] if SENTENCE_END.search(before) else []
        else:
            follows = None
    found.reverse()
    if found:
        more = f", and {len(found) - 1} more such lines" if len(found) > 1 else ""
        yield read.nonfatal_problem(
            found[0].number,
            f"“{_shorten(found[0].text)}” stands below a finished sentence of "
            f"{read.text_path_by_line[found[0].number]}, and a law "
            f"follows{more}.",
            "Is it the title of a chapter? Then describe it: [[headed]] in edition.toml. A page head: [[drop]].",
        )


def _is_title(read: UncheckedReading, text: str) -> bool:
    """Whether words read as a title: few words, no stop, in capitals or with a capital first."""
    short = len(text) < read.book.sentences.width * 0.6 and not re.search(r"[.,:;!?)]$", text)
    return short and not text[:1].islower() and _count_letters(text) > 3 and not _CELL_GAP.search(text)


def report_titles_below_laws(read: UncheckedReading) -> Iterator[Problem]:
    """Report, once, that no law has a title while the texts of most laws begin with a line that reads as one."""
    laws = [d for d in read.drafts if d.level == 0]
    if read.edition.levels[0].heading == "next-line" or any(d.heading for d in laws) or len(laws) < _LEAST_ROWS:
        return
    firsts = [(d, d.lead_paragraph.lines[0]) for d in laws if d.lead_paragraph]
    titled = [(d, line) for d, line in firsts if _is_title(read, line.text.strip())]
    if len(titled) * 3 > len(laws) * 2:
        law, line = titled[0]
        yield read.nonfatal_problem(
            line.number,
            f"No law has a title, but the text of {law.path} begins with “{_shorten(line.text)}”, and so do "
            f"{len(titled) - 1} others with words like a title.",
            'Write heading = "next-line" at the first of [[levels]] in edition.toml.',
        )


def report_chapters_undeclared(read: UncheckedReading) -> Iterator[Problem]:
    """Report short lines of texts that are numbered in sequence: CHAPTER I, then CHAPTER II."""
    found: dict[str, list[tuple[str, Line]]] = defaultdict(list)
    for _, line, _after in read.text_lines_in_context:
        match = _CHAPTER_LINE.fullmatch(line.text.strip())
        if match and len(line.text.strip()) < _LONGEST_QUOTE and not SENTENCE_END.search(match["rest"].strip()):
            found[match["word"]].append((match["n"], line))
    for word, lines in found.items():
        numbers = [n for n, _ in lines]
        if numbers[:2] in (["I", "II"], ["1", "2"]) and (word[:1].isupper() or word.isupper()):
            yield read.nonfatal_problem(
                lines[0][1].number,
                f"“{_shorten(lines[0][1].text)}” and “{_shorten(lines[1][1].text)}” (line "
                f"{lines[1][1].number}) stand in "
                "texts.",
                "Are they chapters or parts? Then describe them: [[headed]] in edition.toml. Page heads: [[drop]].",
            )


# ── Notes and definitions ───────────────────────────────────────────────────────────────────────


def report_notes_undeclared(read: UncheckedReading) -> Iterator[Problem]:
    """Report lines that begin a note of a style which the manifest does not name, if texts have such a mark."""
    if read.edition.notes.note or (read.edition.notes.numbering != "none" and read.notes):
        styles: Iterable[str] = ()
    else:
        styles = [s for s in ("superscript", "stars", "brackets") if s != read.edition.notes.style or not read.notes]
    for style in styles:
        note, mark = map(re.compile, NOTE_STYLES[style])
        begins = {
            plain_sign(m["sign"]): line
            for _, line, _after in read.text_lines_in_context
            if (m := note.match(line.text))
        }
        for _, line, _after in read.text_lines_in_context:
            own = note.match(line.text)
            signs = [plain_sign(m["sign"]) for m in mark.finditer(line.text) if not own or m.start() >= own.end()]
            if met := next((s for s in signs if s in begins), None):
                yield read.nonfatal_problem(
                    begins[met].number,
                    f"“{_shorten(begins[met].text)}” begins like a footnote, and line {line.number} has its mark.",
                    f'Are there footnotes? Then describe them: [notes] with style = "{style}" in edition.toml.',
                )
                break


def report_figures_behind_words(read: UncheckedReading) -> Iterator[Problem]:
    """Report plain figures after the stop of a sentence that count 1, 2 …, where no notes are described."""
    if read.edition.notes.numbering != "none":
        return
    found = [
        (line, int(m[1]))
        for _, line, _after in read.text_lines_in_context
        for m in _FIGURE_AFTER_SENTENCE.finditer(line.text)
    ]
    if [n for _, n in found[:2]] == [1, 2]:
        line = found[0][0]
        yield read.nonfatal_problem(
            line.number,
            f"A figure 1 stands behind a word of {read.text_path_by_line[line.number]}, and a 2 in line "
            f"{found[1][0].number}.",
            "Are they marks of footnotes? Then describe the notes: [notes] with “note” and “mark” in edition.toml.",
        )


def report_notes_of_the_book(read: UncheckedReading) -> Iterator[Problem]:
    """Report notes that count through the book although the manifest says that each law counts its own."""
    signs = [note.sign for note in read.notes]
    several = len({note.owner for note in read.notes}) > 1
    counted = signs == [str(n) for n in range(1, len(signs) + 1)]
    if read.edition.notes.numbering == "law" and len(signs) >= _LEAST_ROWS and several and counted:
        yield read.edition.written.problem(
            ("notes", "numbering"),
            f"The {len(signs)} notes count from 1 to {len(signs)} through the whole book.",
            'Write numbering = "book": the address of a note is its number then.',
            fatal=False,
        )


def report_marks_left(read: UncheckedReading) -> Iterator[Problem]:
    """Report the first raised figure that stays in a text because the manifest describes no mark like it."""
    mark = read.edition.notes.mark_pattern
    for _, line, _after in read.text_lines_in_context:
        found = _SUPERSCRIPT_DIGITS.search(line.text)
        if found and not (mark and compile_pattern(mark).search(found[0])):
            yield read.nonfatal_problem(
                line.number,
                f"A raised “{found[0]}” stays in the text of {read.text_path_by_line[line.number]}.",
                'Is it the mark of a footnote? Then describe the notes: [notes] with style = "superscript".',
            )
            return


def report_paragraphs_of_notes(read: UncheckedReading) -> Iterator[Problem]:
    """Report a paragraph right below a note at the foot of a page, where no page ends between the two.

    It may be the second paragraph of the note.
    """
    if read.edition.notes.place != "anywhere" or read.edition.paragraphs == "lines":
        return  # where lines are paragraphs, a note stands anywhere, not only at the foot of a page
    index = {line.number: i for i, line in enumerate(read.lines)}
    found: list[tuple[Note, Line]] = []
    for note in read.notes:
        last = max(line.number for line in note.lines)
        below = _line_below(read.lines, index[last]) if last in index else None
        if not below or below.number == last + 1 or below.number not in read.text_path_by_line:
            continue
        ends_page = any(last < removed.line < below.number for removed in read.removed)
        if not ends_page and below.text.strip()[:1].isupper():
            found.append((note, below))
    if found:
        note, line = found[0]
        more = ", ".join(str(below.number) for _, below in found[1:6])
        yield read.nonfatal_problem(
            line.number,
            f"Below the footnote {note.sign} (line {note.number}) “{_shorten(line.text)}” begins a paragraph of "
            f"{read.text_path_by_line[line.number]}{f' (so do lines {more})' if more else ''}.",
            f'Is it a second paragraph of the note? Then place it: [[placements]] with path = "{note.path}".',
        )


def report_definitions_undeclared(read: UncheckedReading) -> Iterator[Problem]:
    """Report signs of definitions where no part of the manifest holds definitions.

    Signs are a pattern for definitions, a headword of the markup, and many lines of a part that begin like definitions.
    """
    if any(part.path == "def" for part in read.edition.parts):
        return
    if read.edition.definitions.entry_pattern:
        yield read.edition.written.problem(
            ("definitions",),
            "Definitions are described, but no part holds them.",
            'Add [[parts]] with path = "def" and “start”, the line that they begin with.',
            fatal=False,
        )
        return
    if term := next((line for line in read.lines_with_text if line.role == TERM_ROLE), None):
        yield read.nonfatal_problem(
            term.number,
            f"The markup makes “{_shorten(term.text)}” a headword.",
            'Are there definitions? Then add [[parts]] with path = "def", and [definitions] style = "headword".',
        )
    for style in ("dash", "bold"):
        entry = re.compile(DEFINITION_STYLES[style])
        found: dict[str, list[Line]] = defaultdict(list)
        for before, line, _ in read.text_lines_in_context:
            path = read.text_path_by_line[line.number]
            if (
                not path[:1].isdigit()
                and entry.match(line.text.strip())
                and (not before or SENTENCE_END.search(before) or is_mostly_capitals(before))
            ):
                found[path].append(line)
        for path, lines in found.items():
            if len(lines) >= _LEAST_ROWS:
                yield read.nonfatal_problem(
                    lines[0].number,
                    f"{len(lines)} lines of {path} begin as definitions do, the first with "
                    f"“{_shorten(lines[0].text)}”.",
                    f'Are they definitions? Then its path is "def", with [definitions] style = "{style}".',
                )


# ── Lines and their ends ────────────────────────────────────────────────────────────────────────


def report_hyphens_kept(read: UncheckedReading) -> Iterator[Problem]:
    """Report hyphens at the end of lines that break a word, where hyphens are kept."""
    if read.edition.hyphens == "join":
        return
    broken = [
        line
        for _, line, after in read.text_lines_in_context
        if re.search(r"[^\W\d_]{2}[-\u2010]$", line.text.rstrip())
        and after[:1].islower()
        and after.split()[0].casefold() not in read.conjunctions
    ]
    if broken:
        yield read.edition.written.problem(
            ("hyphens",),
            f"Hyphens are kept, but {len(broken)} {'line ends' if len(broken) == 1 else 'lines end'} in one and the "
            f"word goes on in the next: “{_shorten(broken[0].text[-_LONGEST_QUOTE:].strip())}” in line "
            f"{broken[0].number}.",
            'Write hyphens = "join", or correct these lines in corrections.tsv.',
            fatal=False,
        )


def report_paragraphs_broken(read: UncheckedReading) -> Iterator[Problem]:
    """Report paragraphs that begin inside a sentence, where the manifest says that every line is a paragraph."""
    if read.edition.paragraphs != "lines" or read.edition.is_html:
        return
    widest = max((len(line.text) for line in read.lines_with_text), default=0)
    if widest > 2.5 * read.book.sentences.width:  # some lines hold whole paragraphs
        return
    broken = [
        line
        for before, line, _ in read.text_lines_in_context
        if before
        and not read.book.sentences.is_short(before)
        and before[-1].isalnum()
        and not is_mostly_capitals(before)
        and not line.text.strip()[:1].islower()
    ]
    if broken:
        first = broken[0].number
        yield read.edition.written.problem(
            ("paragraphs",),
            f"Every line is a paragraph, but {len(broken)} begin inside a sentence: line {first}, "
            f"“{_shorten(broken[0].text)}”.",
            'Are the lines broken at the edge of the page? Then write paragraphs = "wrapped", or "blank".',
            fatal=False,
        )


def report_lines_left_of_labels(read: UncheckedReading) -> Iterator[Problem]:
    """Report a line that begins under the label of the last item and seems to end the sentence before the list."""
    if read.edition.hanging or read.edition.is_html or read.edition.scheme == "indented":
        return
    for draft in read.drafts:
        item = draft.children[-1] if draft.children else None
        if not item or item.level < 1 or not item.column or len(draft.children) < 2 or item.children:
            continue
        lines = [line for p in item.paragraphs() for line in p.lines if not p.is_table]
        for line_above, line_below in pairwise(lines):
            column = line_below.places[0].column if line_below.places else 0
            before = line_above.text.strip()
            if (
                line_below.number > line_above.number
                and column <= item.column
                and before[-1:] in ",;"
                and line_below.text.strip()[:1].islower()
            ):
                yield read.nonfatal_problem(
                    line_below.number,
                    f"“{_shorten(line_below.text)}” begins under the label of {item.path} and goes on with its text.",
                    f"Does it belong to {draft.path}? Then write hanging = true in edition.toml, or place the line.",
                )


def report_repeated_lines(read: UncheckedReading) -> Iterator[Problem]:
    """Report a line that stands twice, one below the other."""
    for (_, first, _), (_, second, _) in pairwise(read.text_lines_in_context):
        text = second.text.strip()
        if len(text) >= _LEAST_REPEATED_LETTERS and text == first.text.strip() and first.number != second.number:
            yield read.nonfatal_problem(
                second.number,
                f"The line is the same as line {first.number}: “{_shorten(text)}”.",
                "Was it copied twice? Then remove it by a row of corrections.tsv.",
            )


def report_end_cut_off(read: UncheckedReading) -> Iterator[Problem]:
    """Report a text that ends inside a sentence."""
    if not read.lines_with_text or read.lines_with_text[-1].number not in read.text_path_by_line:
        return
    last = read.lines_with_text[-1]
    text = last.text.rstrip()
    if text[-1:].isalpha() and text.split()[-1][:1].islower() and len(text.split()) > 3:
        ended = [
            bool(SENTENCE_END.search(d.paragraphs()[-1].lines[-1].text.rstrip()))
            for d in read.drafts
            if d.level == 0 and d.paragraphs()
        ]
        if sum(ended) * 2 >= len(ended):
            yield read.nonfatal_problem(
                last.number,
                f"The text ends inside a sentence: “{_shorten(text)}”.",
                "Is the source cut off? Else its stop is lost: insert it by a row of corrections.tsv.",
            )


def report_mojibake(read: UncheckedReading) -> Iterator[Problem]:
    """Report letters of UTF-8 that were read in another encoding: “Ã«” for “ë”."""
    found = [(line, m[0]) for line in read.printed for m in _MOJIBAKE.finditer(line.text) if _is_in_word(line.text, m)]
    found = list({line.number: (line, signs) for line, signs in reversed(found) if _decode_mojibake(signs)}.values())[
        ::-1
    ]
    if found:
        line, signs = found[0]
        yield read.nonfatal_problem(
            line.number,
            f"“{signs}” stands for “{_decode_mojibake(signs)}”: the text was read in another encoding than it "
            f"was written in "
            f"(here{f' and in {len(found) - 1} lines below' if len(found) > 1 else ''}).",
            "Convert the file again from what it was made of.",
        )


def _is_in_word(text: str, match: re.Match[str]) -> bool:
    """Whether a small letter stands beside the match. "„JÄ“" has none: it is no misread word."""
    return text[: match.start()][-1:].islower() or text[match.end() : match.end() + 1].islower()


def _decode_mojibake(signs: str) -> str:
    """The letter whose bytes in UTF-8 read as these signs in Windows-1252; empty when there is none."""
    try:
        letter = signs.encode("cp1252").decode("utf-8")
    except UnicodeError:
        return "’" if signs == "’".encode()[:2].decode("cp1252") else ""
    return letter if letter.isalpha() and letter < _FIRST_OTHER_SCRIPT else ""


def report_year_of_the_id(read: UncheckedReading) -> Iterator[Problem]:
    """Report an id that ends in another year than the manifest states."""
    found = re.search(r"-((?:19|20)\d\d)$", read.edition.id)
    if found and int(found[1]) != read.edition.year and found[1] not in (read.edition.code, read.edition.issued[:4]):
        yield read.edition.written.problem(
            ("year",),
            f"The year is {read.edition.year}, the id ends in {found[1]}.",
            "Correct the year, or name the folder after it: the id is the address of the edition for ever.",
            fatal=False,
        )


_CHECKS = (
    report_lines_not_dropped,
    report_laws_dropped,
    report_sentences_dropped,
    report_page_heads,
    report_lines_in_sentences,
    report_table_rules,
    report_tables_undeclared,
    report_levels_undeclared,
    report_laws_with_a_letter,
    report_titles_cut,
    report_titles_that_lead_in,
    report_titles_below_laws,
    report_chapters_undeclared,
    report_titles_before_laws,
    report_notes_undeclared,
    report_marks_left,
    report_figures_behind_words,
    report_notes_of_the_book,
    report_paragraphs_of_notes,
    report_definitions_undeclared,
    report_titles_without_label,
    report_hyphens_kept,
    report_paragraphs_broken,
    report_lines_left_of_labels,
    report_repeated_lines,
    report_end_cut_off,
    report_mojibake,
    report_year_of_the_id,
)


def _shorten(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"


def _line_shape(text: str) -> str:
    """A line with 0 for every number and with single blanks."""
    return re.sub(r"\d+", "0", " ".join(text.split()))


def _count_small_words(text: str) -> int:
    return sum(word[0].islower() for word in text.split())


def _text_of_line_above(lines: Sequence[Line], index: int) -> str:
    """The words of the last line above an index that holds text; empty when there is none."""
    return next((lines[i].text.rstrip() for i in range(index - 1, -1, -1) if lines[i].text.strip()), "")


def _line_below(lines: Sequence[Line], index: int) -> Line | None:
    """The next line below an index that holds text, or None."""
    return next((lines[i] for i in range(index + 1, len(lines)) if lines[i].text.strip()), None)


def _count_letters(text: str) -> int:
    return sum(c.isalpha() for c in text)


def _may_be_misreading(one: str, other: str) -> bool:
    """Whether one line may be a misreading of the other."""
    if one == other:
        return True
    if abs(len(one) - len(other)) > 3:
        return False
    match = SequenceMatcher(None, one, other, autojunk=False)
    return (
        match.real_quick_ratio() >= _ALIKE_SHARE
        and match.quick_ratio() >= _ALIKE_SHARE
        and match.ratio() >= _ALIKE_SHARE
    )
