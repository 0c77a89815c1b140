"""Web pages: markup becomes the lines that the later steps read. :func:`read_markup` is the entry point.

BeautifulSoup gives the tree of tags. :func:`split_runs` reads beside it where each character stands in the file. Both
must agree on every character of text. Then :class:`LineWriter` writes the lines:

- Labels of an ordered list are only markup, so they are written out (``type="A"``: ``A.``, ``B.`` …). Each list around
  them adds one blank of indentation; further lines of the same item get one more.
- A table becomes rows of cells with tabs between them. A cell that spans rows or columns is repeated in each of them.
- Raised digits, and the digits of a link inside the page, become superscript signs.

Tags and comments are dropped by the rules of :data:`MARKUP_RULES`. Every character keeps its place in the source.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise, zip_longest

from bs4 import BeautifulSoup, NavigableString, Tag
from bs4.element import PageElement, PreformattedString, Script, Stylesheet, TemplateString
from bs4.exceptions import ParserRejectedMarkup

from corpus.edition import DropRule
from corpus.label import write_roman
from corpus.model import Problem
from corpus.reading.draft import strip_line
from corpus.reading.source import ROW_ROLE, TERM_ROLE, Line, RemovedText, SourcePlace

_TAGS_RULE, _COMMENTS_RULE, _CODE_RULE, HEAD_RULE, BACK_LINK_RULE, _BLANKS_RULE = (
    "HTML: tags",
    "HTML: comments and declarations",
    "HTML: scripts and styles",
    "HTML: head",
    "HTML: links back to a mark",
    "HTML: blanks by name",
)
# Name → what the rule drops. The first three and the blanks are found in the characters, the others in the tree.
MARKUP_RULES = {
    _CODE_RULE: r"<(script|style)\b.*?</\1\s*>",
    _COMMENTS_RULE: r"<!--.*?-->|<[!?][^>]*>",
    _TAGS_RULE: r"</?[A-Za-z](?:\"[^\"]*\"|'[^']*'|[^>\"'])*>",
    HEAD_RULE: "everything in <head>",
    BACK_LINK_RULE: "a link inside the page without a letter or a digit",
    _BLANKS_RULE: "the name of a blank, like &nbsp; or &#160; (the blank itself is layout like any other)",
}
_MARKUP = re.compile(
    "|".join(
        f"(?P<t{n}>{MARKUP_RULES[name]})".replace(r"\1", rf"(?P=k{n})").replace(
            "(script|style)", f"(?P<k{n}>script|style)"
        )
        for n, name in enumerate((_CODE_RULE, _COMMENTS_RULE, _TAGS_RULE))
    )
    + r"|(?P<entity>&(?:#\d+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);)",
    re.DOTALL | re.IGNORECASE,
)


# ── Characters of the file ──────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class PlacedCharacter:
    """A character of text with its place in the file."""

    text: str
    place: SourcePlace


CharacterRun = list[PlacedCharacter]  # the characters of text between two pieces of markup


def split_runs(lines: list[Line]) -> tuple[list[CharacterRun], list[RemovedText]]:
    """Return the runs of a page in the order of the file, and the markup that was dropped."""
    text = "\n".join(line.text for line in lines)
    places: list[SourcePlace] = []
    for line in lines:
        places += [*line.places, SourcePlace(line.number, len(line.text), len(line.text), len(line.text), 0)]
    runs: list[CharacterRun] = [[]]
    dropped: list[RemovedText] = []
    at = 0
    for match in _MARKUP.finditer(text):
        runs[-1] += map(PlacedCharacter, text[at : match.start()], places[at : match.start()])
        own, at = tuple(places[match.start() : match.end()]), match.end()
        if match["entity"]:
            meant = html.unescape(match[0])
            runs[-1] += _entity_characters(meant, own)
            if meant.isspace():
                dropped.append(RemovedText(_BLANKS_RULE, own[0].line, match[0], own))
            continue
        rule = (_CODE_RULE, _COMMENTS_RULE, _TAGS_RULE)[next(n for n in range(3) if match[f"t{n}"])]
        dropped.append(RemovedText(rule, own[0].line, match[0], own))
        runs.append([])
    runs[-1] += map(PlacedCharacter, text[at:], places[at:])
    return [run for run in runs if run], dropped


def _entity_characters(meant: str, own: tuple[SourcePlace, ...]) -> CharacterRun:
    """Return the characters that an entity like “&amp;” stands for, each published for the whole entity.

    ``meant`` is what it stands for, ``own`` the places of its own characters. The first character of ``meant`` accounts
    for the columns of the entity. A blank does not: :func:`split_runs` drops its name.
    """
    first, last = own[0], own[-1]
    width = last.column + (last.width or 1) - first.column
    starts = [last.end if meant.isspace() else first.start] + [last.end] * (len(meant) - 1)
    return [
        PlacedCharacter(c, SourcePlace(first.line, start, last.end, first.column, width))
        for c, start in zip(meant, starts, strict=True)
    ]


def find_unfinished_tag(runs: list[CharacterRun]) -> CharacterRun | None:
    """Return the rest of a run from a “<” on that looks like the start of a tag but starts none.

    None when no run has such a sign.
    """
    for run in runs:
        for at, (first, second) in enumerate(pairwise(run)):
            opens = first.text == "<" and first.place.end - first.place.start == 1
            if opens and (second.text.isalpha() or second.text in "/!?"):
                return run[at:]
    return None


def is_same_text(run: CharacterRun, string: str) -> bool:
    """Whether a run of the file is a string of the tree. Two strings of blanks count as the same."""
    text = "".join(c.text for c in run)
    return bool(run) and (text == string or (not text.strip() and not string.strip()))


# ── From the tree to lines ──────────────────────────────────────────────────────────────────────

_BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form "
    "h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol p pre section summary table tbody td tfoot th thead tr "
    "ul".split()
)
_SPACED_BLOCKS = _BLOCKS - {"li", "tr", "td", "th", "tbody", "thead", "tfoot", "body", "html"}
_LIST_STYLES = {
    "decimal": "1",
    "upper-alpha": "A",
    "upper-latin": "A",
    "lower-alpha": "a",
    "lower-latin": "a",
    "lower-roman": "i",
    "upper-roman": "I",
}
_LABEL_WRITERS: dict[str, Callable[[int], str]] = {
    "1": str,
    "A": lambda n: chr(64 + n) if 0 < n < 27 else str(n),
    "a": lambda n: chr(96 + n) if 0 < n < 27 else str(n),
    "i": lambda n: write_roman(n) or str(n),
    "I": lambda n: write_roman(n).upper() or str(n),
}
_MOST_COLUMNS = 50  # no page prints a table with more
# Characters of a page that its tables may repeat; all tables of a book of laws have fewer.
_MOST_REPEATED_CHARACTERS = 200_000
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class MarkupPage:
    """A web page that was parsed: its lines in the source, the characters of each text, and the tags to drop.

    The keys of the two mappings are the ``id()`` of a text or a tag of the parsed tree.
    """

    source: list[Line]
    characters: dict[int, CharacterRun]  # text → its characters
    gone: dict[int, str]  # tag → the rule that drops it


class LineWriter:
    """Walks the tree of a page and writes its lines."""

    def __init__(self, page: MarkupPage):
        self.page = page
        self.dropped: list[RemovedText] = []
        self.lines: list[Line] = []
        self.buffer: CharacterRun = []
        self.depth = 0
        self.label: CharacterRun = []
        self.left: set[int] = set()  # tags of tables that were dropped already, by ``id``
        self.again = 0  # number of characters of cells that were repeated
        self.endless = 0  # the line of a cell that is repeated too often, 0 for none

    # ── Tags ────────────────────────────────────────────────────────────────────────────────────

    def write_children(self, tag: Tag) -> None:
        """Write the content of a tag, one child after the other."""
        for child in tag.children:
            if isinstance(child, NavigableString):
                self.buffer += self.page.characters.get(id(child), ())
            elif isinstance(child, Tag):
                self.write_tag(child)

    def write_tag(self, tag: Tag) -> None:
        """Write a tag according to its name."""
        if id(tag) in self.page.gone:
            self.drop_tag(tag)
        elif tag.name == "br":
            self.end_line()
        elif tag.name == "table":
            self.write_table(tag)
        elif tag.name in ("ol", "ul"):
            self.write_list(tag)
        elif tag.name in _BLOCKS:
            self.write_block(tag)
        elif tag.name == "sup" or (tag.name == "a" and str(tag.get("href") or "").startswith("#")):
            self.write_superscript(tag)
        else:
            self.write_children(tag)

    def write_block(self, tag: Tag) -> None:
        """Write a block on lines of its own. Blocks that stand apart get an empty line before and after them."""
        self.end_line()
        if tag.name in _SPACED_BLOCKS and not self.label:
            self.write_empty_line()
        before = len(self.lines)
        self.write_children(tag)
        self.end_line()
        if tag.name == "dt" and len(self.lines) == before + 1:
            self.lines[-1] = Line(self.lines[-1].number, self.lines[-1].text, self.lines[-1].places, TERM_ROLE)
        if tag.name in _SPACED_BLOCKS:
            self.write_empty_line()

    def write_list(self, tag: Tag) -> None:
        """Write a list with its labels, indented by one blank for each list around it."""
        self.end_line()
        if not self.depth:
            self.write_empty_line()
        sign, ordinal, counted = _list_sign(tag), _parse_attribute_number(tag.get("start"), 1), tag.name == "ol"
        self.depth += counted
        for item in tag.children:
            if not isinstance(item, Tag) or item.name != "li" or id(item) in self.page.gone:
                self.write_non_item(item)
                continue
            ordinal = _parse_attribute_number(item.get("value"), ordinal)
            if sign:
                printed = f"{_LABEL_WRITERS[sign](ordinal)}. " if counted else "• "
                self.label = [PlacedCharacter(c, self.place_of(item)) for c in printed]
            ordinal += 1
            self.write_children(item)
            self.end_line()
            self.label = []
        self.depth -= counted
        if not self.depth:
            self.write_empty_line()

    def write_non_item(self, item: PageElement) -> None:
        """Write a child of a list that is no item: text, or a tag."""
        if not isinstance(item, Tag):
            self.buffer += self.page.characters.get(id(item), ())
        elif id(item) in self.page.gone:
            self.drop_tag(item)
        elif item.name in ("ol", "ul"):
            self.write_list(item)
        else:
            self.write_block(item)

    def write_table(self, tag: Tag) -> None:
        """Write a table: its caption, then a line for each row that holds text, with tabs between the cells."""
        self.end_line()
        self.write_empty_line()
        for caption in tag.find_all("caption", recursive=False):
            self.write_tag(caption)
            self.end_line()
        own = [
            row
            for row in tag.find_all("tr")
            if row.find_parent("table") is tag and not self.drop_if_rule_matches(row, tag)
        ]
        for place, cells in zip(map(self.place_of, own), self.spread_cells(own), strict=True):
            row: CharacterRun = []
            for number, cell in enumerate(cells):
                row += (
                    [PlacedCharacter("\t", cell[0].place.insertion_place_before if cell else place)] if number else []
                )
                row += cell
            if any(c.place.end > c.place.start for c in row):
                self.lines.append(_line_from(row, ROW_ROLE))
        self.write_empty_line()

    def drop_if_rule_matches(self, tag: Tag, table: Tag) -> bool:
        """Drop a tag of a table, once, if a rule drops it or a tag around it inside the table.

        Return whether a rule drops it.
        """
        outer = next((t for t in (tag, *tag.parents) if id(t) in self.page.gone or t is table), table)
        if outer is not table and id(outer) not in self.left:
            self.left.add(id(outer))
            self.drop_tag(outer)
        return outer is not table

    def spread_cells(self, rows: list[Tag]) -> list[list[CharacterRun]]:
        """The cells of the rows by column. A cell that spans several rows or columns is repeated in all of them.

        Repeated words keep their place in the source and account for no column. A cell alone in a row that spans
        several columns is a line of its own, and is not repeated.
        """
        grid: list[dict[int, CharacterRun]] = [{} for _ in rows]
        for number, row in enumerate(rows):
            column, cells = 0, row.find_all(("td", "th"), recursive=False)
            group = [r for r in rows[number:] if r.parent is row.parent]
            for cell in cells:
                while column in grid[number]:
                    column += 1
                words = [] if self.drop_if_rule_matches(cell, row) else self.words_of_cell(cell)
                down = min(_parse_attribute_number(cell.get("rowspan"), 1) or len(group), len(group))
                across = min(_parse_attribute_number(cell.get("colspan"), 1) or 1, _MOST_COLUMNS)
                again = [PlacedCharacter(c.text, c.place.repeated_place) for c in words]
                alone = across > 1 and len(cells) == 1 and not grid[number]
                for n in range(number, number + down):
                    for at in range(column, column + across):
                        first = (n, at) == (number, column)
                        grid[n].setdefault(at, words if first else [] if alone else self.repeated_words(again, cell))
                column += across
        return [[cells.get(at, []) for at in range(max(cells, default=-1) + 1)] for cells in grid]

    def repeated_words(self, words: CharacterRun, cell: Tag) -> CharacterRun:
        """Return the words of a cell once more; [] when the page repeats more characters than its tables can hold."""
        self.again += len(words)
        if self.again > _MOST_REPEATED_CHARACTERS:
            self.endless = self.endless or self.place_of(cell).line
            return []
        return words

    def words_of_cell(self, cell: Tag) -> CharacterRun:
        """The words of a cell on one line."""
        words: CharacterRun = []
        for line in map(strip_line, self.lines_of_cell(cell)):
            if words:
                words.append(PlacedCharacter(" ", words[-1].place.insertion_place_after))
            words += map(PlacedCharacter, line.text.replace("\t", " "), line.places)
        return words

    def lines_of_cell(self, cell: Tag) -> list[Line]:
        """The lines of a cell that hold text."""
        outer, self.lines, self.buffer = self.lines, [], []
        self.write_children(cell)
        self.end_line()
        inner, self.lines = self.lines, outer
        return [line for line in inner if line.text.strip()]

    def write_superscript(self, tag: Tag) -> None:
        """Write the digits of a mark as superscript signs, and other words unchanged."""
        start = len(self.buffer)
        self.write_children(tag)
        words = self.buffer[start:]
        if words and all(c.text.isdigit() or c.text.isspace() for c in words):
            self.buffer[start:] = [
                PlacedCharacter(c.text.translate(_SUPERSCRIPTS), c.place._replace(width=c.place.width or 1))
                for c in words
                if not c.text.isspace()
            ]

    def drop_tag(self, tag: Tag) -> None:
        """Leave out a tag with all its text, and record what was dropped."""
        rule = self.page.gone[id(tag)]
        for string in tag.descendants:
            words = self.page.characters.get(id(string), ()) if isinstance(string, NavigableString) else ()
            if any(c.text.strip() for c in words):
                first = next(c for c in words if c.text.strip())
                text = "".join(c.text for c in words).strip()
                self.dropped.append(RemovedText(rule, first.place.line, text, tuple(c.place for c in words)))

    # ── Lines ───────────────────────────────────────────────────────────────────────────────────

    def end_line(self) -> None:
        """End the line that is being written, with its white space folded."""
        folded: CharacterRun = []
        for character in self.buffer:
            if not character.text.isspace():
                folded.append(character)
            elif folded and folded[-1].text != " ":
                folded.append(PlacedCharacter(" ", character.place))
        self.buffer = []
        while folded and folded[-1].text == " ":
            folded.pop()
        if not folded:
            return
        front = self.label or [PlacedCharacter(" ", folded[0].place.insertion_place_before)] * bool(self.depth)
        pad = [PlacedCharacter(" ", front[0].place)] * self.depth if front else []
        self.lines.append(_line_from(pad + front + folded))
        self.label = []

    def write_empty_line(self) -> None:
        """Write an empty line, unless the last line is empty or there is none."""
        if self.lines and self.lines[-1].text:
            self.lines.append(Line(self.lines[-1].number, "", ()))

    def place_of(self, tag: Tag) -> SourcePlace:
        """The place of a tag: an empty stretch where the tag begins."""
        line = self.page.source[min((tag.sourceline or 1), len(self.page.source)) - 1]
        column = min(tag.sourcepos or 0, len(line.text))
        at = line.places[column].start if column < len(line.places) else column
        return SourcePlace(line.number, at, at, at, 0)

    def finish(self) -> list[Line]:
        """End the last line, and return all lines."""
        self.end_line()
        return self.lines


def _line_from(characters: CharacterRun, role: str = "") -> Line:
    number = next(c.place.line for c in characters if c.text.strip())
    return Line(number, "".join(c.text for c in characters), tuple(c.place for c in characters), role)


def _list_sign(tag: Tag) -> str:
    """Return the sort of labels of a list: ``1``, ``A``, ``a``, ``i`` or ``I``, or ``•`` for bullets.

    Empty for a list without labels.
    """
    style = re.search(r"list-style(?:-type)?\s*:\s*([a-z-]+)", str(tag.get("style") or ""))
    if style and style[1] == "none":
        return ""
    if tag.name == "ul":
        return "•"
    if style and style[1] in _LIST_STYLES:
        return _LIST_STYLES[style[1]]
    printed = str(tag.get("type") or "")
    return printed if printed in _LABEL_WRITERS else "1"


def _parse_attribute_number(value: object, otherwise: int) -> int:
    return int(str(value)) if re.fullmatch(r"\d{1,4}", str(value or "")) else otherwise


# ── Pages ───────────────────────────────────────────────────────────────────────────────────────

_UNCLEAR = (
    "The markup cannot be followed: an unfinished tag, or a name like “&foo;” that is none.",
    "Correct the markup here in corrections.tsv.",
)
_TOO_DEEP = (
    "The markup is nested too deeply to be read.",
    "Remove needless tags from the file, as rows of corrections.tsv.",
)
_TOO_WIDE = (
    "A cell of this table spans more rows and columns than a table has.",
    "Correct its “rowspan” or “colspan” in corrections.tsv.",
)
DEEPEST_NESTING = 2_000  # tags inside each other; an item that is not closed holds all items after it
_NO_TEXT = (PreformattedString, Script, Stylesheet, TemplateString)
# (tags that the next tag of their kind closes when the page does not, tags that bound their kind).
_CLOSED_BY_THE_NEXT = (
    ({"li"}, {"ol", "ul"}),
    ({"dt", "dd"}, {"dl"}),
    ({"td", "th"}, {"tr", "table"}),
    ({"tr"}, {"table"}),
)


def read_markup(
    lines: list[Line], rules: tuple[DropRule, ...], name: str
) -> tuple[list[Line], list[RemovedText], list[Problem]]:
    """Return (lines of text, what was dropped, problems) of a web page. When there are problems there are no lines.

    ``rules`` are the drop rules of the manifest. ``name`` is the name of the file, as problems give it.
    """
    runs, dropped = split_runs(lines)
    try:
        soup = BeautifulSoup("\n".join(line.text for line in lines), "html.parser")
    except ParserRejectedMarkup:
        number = next((line.number for line in lines if "<![" in line.text), 1)
        return [], [], [Problem(name, number, *_UNCLEAR)]
    strings = [s for s in soup.descendants if isinstance(s, NavigableString) and not isinstance(s, _NO_TEXT)]
    wrong = _find_disagreement(runs, strings)
    if wrong is not None:
        return [], [], [Problem(name, wrong[0].place.line if wrong else lines[-1].number, *_UNCLEAR)]
    try:
        if _nesting_depth(soup) > DEEPEST_NESTING:
            return [], [], [Problem(name, 1, *_TOO_DEEP)]
        _close_open_tags(soup)
        characters = {id(string): run for string, run in zip(strings, runs, strict=True)}
        writer = LineWriter(MarkupPage(lines, characters, _find_dropped_tags(soup, rules)))
        writer.write_children(soup)
    except RecursionError:
        return [], [], [Problem(name, 1, *_TOO_DEEP)]
    if writer.endless:
        return [], [], [Problem(name, writer.endless, *_TOO_WIDE)]
    return writer.finish(), dropped + writer.dropped, []


def _find_disagreement(runs: list[CharacterRun], strings: list[NavigableString]) -> CharacterRun | None:
    """Return the run where the file and its tree first differ, or the rest of a run from an unfinished tag on.

    None when they agree. The run is empty when the file ends before the tree.
    """
    pairs = zip_longest(runs, strings)
    return find_unfinished_tag(runs) or next(
        (run or [] for run, text in pairs if run is None or text is None or not is_same_text(run, text)), None
    )


def _nesting_depth(soup: BeautifulSoup) -> int:
    """The greatest number of tags inside each other."""
    deepest = 0
    open_tags: list[tuple[Tag, int]] = [(soup, 0)]
    while open_tags:
        tag, depth = open_tags.pop()
        deepest = max(deepest, depth)
        open_tags += [(child, depth + 1) for child in tag.children if isinstance(child, Tag)]
    return deepest


def _close_open_tags(soup: BeautifulSoup) -> None:
    """Close the tags that the next tag of their kind closes."""
    for kind, bounds in _CLOSED_BY_THE_NEXT:
        for tag in soup.find_all(list(kind)):
            outer = next((p for p in tag.parents if p.name in kind | bounds), None)
            if outer is not None and outer.name in kind:
                outer.insert_after(tag.extract())


def _find_dropped_tags(soup: BeautifulSoup, rules: tuple[DropRule, ...]) -> dict[int, str]:
    """``id`` of each tag that is dropped as a whole → the rule that drops it."""
    gone = {id(tag): HEAD_RULE for tag in soup.find_all("head")}
    for link in soup.find_all("a", href=re.compile("^#")):
        text = link.get_text()
        if text.strip() and not any(c.isalnum() or c in "*†‡" for c in text):
            gone[id(link)] = BACK_LINK_RULE
    for rule in rules:
        if rule.scope == "element":
            gone |= {id(tag): rule.name for tag in soup.select(rule.pattern)}
    return gone
