"""Step 3 for web pages: markup becomes the lines that the later steps read; every character keeps its place.

BeautifulSoup says what the markup means; where each character stands in the file is read beside it, and both must
agree on every character of text. Blocks become lines. An ordered list prints its labels by markup alone, so they are
written out (``type="A"``: ``A.``, ``B.`` …), one blank of indentation for each list around them; what follows in the same
item stands one deeper. A table becomes rows of cells parted by tabs. Raised digits, and the digits of a link
inside the page, become superscript signs. Tags and comments are dropped by the rules of :data:`RULES`.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from itertools import zip_longest

from bs4 import BeautifulSoup, NavigableString, Tag
from bs4.element import PreformattedString, Script, Stylesheet, TemplateString

from corpus.account import Dropped
from corpus.label.grammar import roman
from corpus.model import Problem
from corpus.reading.layout import DropRule
from corpus.reading.published import ROW, TERM, Line, Place

_TAGS, _COMMENTS, _CODE, _HEAD, _BACK, _BLANKS = (
    "HTML: tags",
    "HTML: comments and declarations",
    "HTML: scripts and styles",
    "HTML: head",
    "HTML: links back to a mark",
    "HTML: blanks by name",
)
RULES = {  # name → what it drops; the first three and the blanks are found in the characters, the others in the tree
    _CODE: r"<(script|style)\b.*?</\1\s*>",
    _COMMENTS: r"<!--.*?-->|<[!?][^>]*>",
    _TAGS: r"</?[A-Za-z](?:\"[^\"]*\"|'[^']*'|[^>\"'])*>",
    _HEAD: "everything in <head>",
    _BACK: "a link inside the page without a letter or a digit",
    _BLANKS: "the name of a blank, like &nbsp; or &#160; (the blank itself is layout like any other)",
}
_TOKEN = re.compile(
    "|".join(
        f"(?P<t{n}>{RULES[name]})".replace(r"\1", rf"(?P=k{n})").replace("(script|style)", f"(?P<k{n}>script|style)")
        for n, name in enumerate((_CODE, _COMMENTS, _TAGS))
    )
    + r"|(?P<entity>&(?:#\d+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);)",
    re.DOTALL | re.IGNORECASE,
)
_BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form "
    "h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol p pre section summary table tbody td tfoot th thead tr "
    "ul".split()
)
_APART = _BLOCKS - {"li", "tr", "td", "th", "tbody", "thead", "tfoot", "body", "html"}
_LIST_STYLES = {
    "decimal": "1",
    "upper-alpha": "A",
    "upper-latin": "A",
    "lower-alpha": "a",
    "lower-latin": "a",
    "lower-roman": "i",
    "upper-roman": "I",
}
_PRINT = {
    "1": str,
    "A": lambda n: chr(64 + n) if 0 < n < 27 else str(n),
    "a": lambda n: chr(96 + n) if 0 < n < 27 else str(n),
    "i": lambda n: roman(n) or str(n),
    "I": lambda n: roman(n).upper() or str(n),
}
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


# Tags that one of their own kind closes, though the page does not say so, and where their kind is bounded.
_CLOSED_BY_THE_NEXT = (
    ({"li"}, {"ol", "ul"}),
    ({"dt", "dd"}, {"dl"}),
    ({"td", "th"}, {"tr", "table"}),
    ({"tr"}, {"table"}),
)


@dataclass(frozen=True)
class _Character:
    """A character of text and the place in the file that it was written in."""

    text: str
    place: Place


def read(lines: list[Line], rules: tuple[DropRule, ...], name: str) -> tuple[list[Line], list, list[Problem]]:
    """Lines of text, what was dropped – as (Dropped, places), like the drop rules do – and problems."""
    runs, dropped = _runs(lines)
    soup = BeautifulSoup("\n".join(line.text for line in lines), "html.parser")
    strings = [
        s
        for s in soup.descendants
        if isinstance(s, NavigableString)
        and not isinstance(s, (PreformattedString, Script, Stylesheet, TemplateString))
    ]
    wrong = _unfinished(runs) or next(
        (run for run, string in zip_longest(runs, strings, fillvalue=()) if not _agree(run, string)), None
    )
    if wrong is not None:
        line = wrong[0].place[0] if wrong else lines[-1].number
        return (
            [],
            [],
            [
                Problem(
                    name,
                    line,
                    "The markup cannot be followed: an unfinished tag, or a name like “&foo;” that is none.",
                    "Correct the markup here in corrections.tsv.",
                )
            ],
        )
    writer = _Writer(lines, rules, dropped)
    writer.characters = {id(string): run for string, run in zip(strings, runs)}
    try:
        writer.prepare(soup)
        writer.block(soup)
    except RecursionError:
        return (
            [],
            [],
            [
                Problem(
                    name,
                    1,
                    "The markup is nested too deeply to be read.",
                    "Remove needless tags from the file, as rows of corrections.tsv.",
                )
            ],
        )
    return writer.finish(), dropped, []


def _runs(lines: list[Line]) -> tuple[list[list[_Character]], list]:
    """The characters of text between two pieces of markup, in the order of the file; and the dropped markup."""
    text = "\n".join(line.text for line in lines)
    places: list[Place] = []
    for line in lines:
        places += [*line.places, Place(line.number, len(line.text), len(line.text), len(line.text), 0)]
    runs, dropped, at = [[]], [], 0
    for match in _TOKEN.finditer(text):
        runs[-1] += map(_Character, text[at : match.start()], places[at : match.start()])
        own, at = places[match.start() : match.end()], match.end()
        if match["entity"]:
            meant, whole = (
                html.unescape(match[0]),
                (own[0].column, own[-1].column + (own[-1].width or 1) - own[0].column),
            )
            if meant.isspace():
                dropped.append((Dropped(_BLANKS, own[0].line, match[0]), tuple(own)))
            answering = [own[-1].end if meant.isspace() else own[0].start] + [own[-1].end] * (len(meant) - 1)
            runs[-1] += [
                _Character(c, Place(own[0].line, start, own[-1].end, *whole)) for c, start in zip(meant, answering)
            ]
            continue
        rule = (_CODE, _COMMENTS, _TAGS)[next(n for n in range(3) if match[f"t{n}"])]
        dropped.append((Dropped(rule, own[0].line, match[0]), tuple(own)))
        runs.append([])
    runs[-1] += map(_Character, text[at:], places[at:])
    return [run for run in runs if run], dropped


def _unfinished(runs) -> list[_Character] | None:
    """What begins like a tag and is none."""
    for run in runs:
        for at, (first, second) in enumerate(zip(run, run[1:])):
            if (
                first.text == "<"
                and first.place.end - first.place.start == 1
                and (second.text.isalpha() or second.text in "/!?")
            ):
                return run[at:]
    return None


def _agree(run, string) -> bool:
    """Whether a run of the file is a string of the tree, in which blanks alone are one blank."""
    text = "".join(c.text for c in run)
    return bool(run) and (text == string or (not text.strip() and not string.strip()))


class _Writer:
    """Walks the tree and writes lines."""

    def __init__(self, source: list[Line], rules: tuple[DropRule, ...], dropped: list):
        self.source, self.dropped = source, dropped
        self.rules = [r for r in rules if r.scope == "element"]
        self.characters: dict[int, list[_Character]] = {}  # text of the tree → its characters
        self.gone: dict[int, str] = {}  # tag → the rule that drops it
        self.lines: list[Line] = []
        self.buffer: list[_Character] = []
        self.depth = 0
        self.label: list[_Character] = []

    def prepare(self, soup: BeautifulSoup) -> None:
        """Close what the next of its kind closes; find what is dropped as a whole."""
        for kind, bounds in _CLOSED_BY_THE_NEXT:
            for tag in soup.find_all(list(kind)):
                outer = next((p for p in tag.parents if p.name in kind | bounds), None)
                if outer is not None and outer.name in kind:
                    outer.insert_after(tag.extract())
        for tag in soup.find_all("head"):
            self.gone[id(tag)] = _HEAD
        for link in soup.find_all("a", href=re.compile("^#")):
            if link.get_text().strip() and not any(c.isalnum() or c in "*†‡" for c in link.get_text()):
                self.gone[id(link)] = _BACK
        for rule in self.rules:
            for tag in soup.select(rule.pattern):
                self.gone[id(tag)] = rule.name

    # ── the walk ────────────────────────────────────────────────────────────────────────────────

    def block(self, tag: Tag) -> None:
        for child in tag.children:
            if isinstance(child, NavigableString):
                self.buffer += self.characters.get(id(child), ())
            elif id(child) in self.gone:
                self.drop(child)
            elif child.name == "br":
                self.line()
            elif child.name == "table":
                self.table(child)
            elif child.name in ("ol", "ul"):
                self.list(child)
            elif child.name in _BLOCKS:
                self.apart(child)
            elif child.name == "sup" or (child.name == "a" and (child.get("href") or "").startswith("#")):
                self.raised(child)
            else:
                self.block(child)

    def apart(self, tag: Tag) -> None:
        """A block: its own lines, with an empty one around what stands apart."""
        self.line()
        if tag.name in _APART and not self.label:
            self.empty()
        before = len(self.lines)
        self.block(tag)
        self.line()
        if tag.name == "dt" and len(self.lines) == before + 1:
            self.lines[-1] = Line(self.lines[-1].number, self.lines[-1].text, self.lines[-1].places, TERM)
        if tag.name in _APART:
            self.empty()

    def list(self, tag: Tag) -> None:
        self.line()
        if not self.depth:
            self.empty()
        sign, ordinal = _list_sign(tag), _number(tag.get("start"), 1)
        self.depth += tag.name == "ol"
        for item in tag.children:
            if not isinstance(item, Tag) or item.name != "li" or id(item) in self.gone:
                self.stray(item)
                continue
            ordinal = _number(item.get("value"), ordinal)
            if sign:
                place = self.place_of(item)
                self.label = [
                    _Character(c, place) for c in (f"{_PRINT[sign](ordinal)}. " if tag.name == "ol" else "• ")
                ]
            ordinal += 1
            self.block(item)
            self.line()
            self.label = []
        self.depth -= tag.name == "ol"
        if not self.depth:
            self.empty()

    def stray(self, item) -> None:
        """What stands in a list outside its items."""
        if not isinstance(item, Tag):
            self.buffer += self.characters.get(id(item), ())
        elif id(item) in self.gone:
            self.drop(item)
        elif item.name in ("ol", "ul"):
            self.list(item)
        else:
            self.apart(item)

    def table(self, tag: Tag) -> None:
        self.line()
        self.empty()
        for caption in tag.find_all("caption"):
            self.block(caption)
            self.line()
        for row in tag.find_all("tr"):
            cells: list[_Character] = []
            for number, cell in enumerate(row.find_all(("td", "th"), recursive=False)):
                outer, self.lines, self.buffer = self.lines, [], []
                self.block(cell)
                self.line()
                inner, self.lines = self.lines, outer
                if number:
                    cells.append(_Character("\t", self.place_of(cell)))
                for piece in (l for l in inner if l.text.strip()):
                    if cells and cells[-1].text != "\t":
                        cells.append(_Character(" ", cells[-1].place.after))
                    cells += map(
                        _Character, piece.text.strip(), piece.places[len(piece.text) - len(piece.text.lstrip()) :]
                    )
            if any(c.text.strip() for c in cells):
                self.lines.append(_line_of(cells, ROW))
        self.empty()

    def raised(self, tag: Tag) -> None:
        """Digits of a mark as superscript signs; other words as they are."""
        start = len(self.buffer)
        self.block(tag)
        words = self.buffer[start:]
        if words and all(c.text.isdigit() or c.text.isspace() for c in words):
            self.buffer[start:] = [
                _Character(c.text.translate(_RAISED), c.place._replace(width=c.place.width or 1))
                for c in words
                if not c.text.isspace()
            ]

    def drop(self, tag: Tag) -> None:
        rule = self.gone[id(tag)]
        for string in tag.descendants:
            words = self.characters.get(id(string), ()) if isinstance(string, NavigableString) else ()
            if any(c.text.strip() for c in words):
                first = next(c for c in words if c.text.strip())
                self.dropped.append(
                    (
                        Dropped(rule, first.place.line, "".join(c.text for c in words).strip()),
                        tuple(c.place for c in words),
                    )
                )

    # ── lines ───────────────────────────────────────────────────────────────────────────────────

    def line(self) -> None:
        """Close the line that is being written, white space folded."""
        folded: list[_Character] = []
        for character in self.buffer:
            if not character.text.isspace():
                folded.append(character)
            elif folded and folded[-1].text != " ":
                folded.append(_Character(" ", character.place))
        self.buffer = []
        while folded and folded[-1].text == " ":
            folded.pop()
        if not folded:
            return
        front = self.label or [_Character(" ", _before(folded[0].place))] * bool(self.depth)
        pad = [_Character(" ", front[0].place)] * self.depth if front else []
        self.lines.append(_line_of(pad + front + folded))
        self.label = []

    def empty(self) -> None:
        if self.lines and self.lines[-1].text:
            self.lines.append(Line(self.lines[-1].number, "", ()))

    def place_of(self, tag: Tag) -> Place:
        """The place of a tag: an empty stretch where it begins."""
        line = self.source[min((tag.sourceline or 1), len(self.source)) - 1]
        column = min(tag.sourcepos or 0, len(line.text))
        at = line.places[column].start if column < len(line.places) else column
        return Place(line.number, at, at, at, 0)

    def finish(self) -> list[Line]:
        self.line()
        return self.lines


def _line_of(characters: list[_Character], role: str = "") -> Line:
    number = next(c.place.line for c in characters if c.text.strip())
    return Line(number, "".join(c.text for c in characters), tuple(c.place for c in characters), role)


def _before(place: Place) -> Place:
    """An inserted character's place before another."""
    return Place(place.line, place.start, place.start, place.start, 0)


def _list_sign(tag: Tag) -> str:
    """How a list prints its labels: a sign of labels, empty for a list without."""
    style = re.search(r"list-style(?:-type)?\s*:\s*([a-z-]+)", str(tag.get("style") or ""))
    if style and style[1] == "none":
        return ""
    if tag.name == "ul":
        return "•"
    if style and style[1] in _LIST_STYLES:
        return _LIST_STYLES[style[1]]
    return tag.get("type") if tag.get("type") in _PRINT else "1"


def _number(value, otherwise: int) -> int:
    return int(value) if value and re.fullmatch(r"\d{1,4}", str(value)) else otherwise
