"""Step 3, of web pages alone: markup becomes the lines that the later steps read; every character keeps its place.

BeautifulSoup says what the markup means; where each character stands in the file is read beside it (``markup``),
and both must agree on every character of text. Then ``blocks`` writes the lines. An ordered list prints its labels
by markup alone, so they are written out (``type="A"``: ``A.``, ``B.`` …), one blank of indentation for each list
around them; what follows in the same item stands one deeper. A table becomes rows of cells parted by tabs; a cell
that spans rows or columns stands in each of them. Raised
digits, and the digits of a link inside the page, become superscript signs. Tags and comments are dropped by the
rules of ``markup.RULES``.
"""

from __future__ import annotations

import re
from itertools import zip_longest

from bs4 import BeautifulSoup, NavigableString, Tag
from bs4.element import PreformattedString, Script, Stylesheet, TemplateString
from bs4.exceptions import ParserRejectedMarkup

from corpus.edition.print import DropRule
from corpus.model import Problem
from corpus.reading.blocks import Page, Writer
from corpus.reading.markup import BACK, HEAD, Run, agree, runs_of, unfinished
from corpus.reading.published import Line, Removed

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
DEEPEST = 2_000  # tags in each other; an item that nothing closes holds all that follow it
_NO_TEXT = (PreformattedString, Script, Stylesheet, TemplateString)
# Tags that one of their own kind closes, though the page does not say so, and where their kind is bounded.
_CLOSED_BY_THE_NEXT = (
    ({"li"}, {"ol", "ul"}),
    ({"dt", "dd"}, {"dl"}),
    ({"td", "th"}, {"tr", "table"}),
    ({"tr"}, {"table"}),
)


def read(lines: list[Line], rules: tuple[DropRule, ...], name: str) -> tuple[list[Line], list[Removed], list[Problem]]:
    """Lines of text, what was dropped, and problems; with a problem there are no lines."""
    runs, dropped = runs_of(lines)
    try:
        soup = BeautifulSoup("\n".join(line.text for line in lines), "html.parser")
    except ParserRejectedMarkup:
        number = next((line.number for line in lines if "<![" in line.text), 1)
        return [], [], [Problem(name, number, *_UNCLEAR)]
    strings = [s for s in soup.descendants if isinstance(s, NavigableString) and not isinstance(s, _NO_TEXT)]
    wrong = _disagreement(runs, strings)
    if wrong is not None:
        return [], [], [Problem(name, wrong[0].place.line if wrong else lines[-1].number, *_UNCLEAR)]
    try:
        if _depth(soup) > DEEPEST:
            return [], [], [Problem(name, 1, *_TOO_DEEP)]
        _close(soup)
        characters = {id(string): run for string, run in zip(strings, runs, strict=True)}
        writer = Writer(Page(lines, characters, _gone(soup, rules)))
        writer.block(soup)
    except RecursionError:
        return [], [], [Problem(name, 1, *_TOO_DEEP)]
    if writer.endless:
        return [], [], [Problem(name, writer.endless, *_TOO_WIDE)]
    return writer.finish(), dropped + writer.dropped, []


def _disagreement(runs: list[Run], strings: list[NavigableString]) -> Run | None:
    """Where the file and its tree part ways; empty when the file ends too early."""
    pairs = zip_longest(runs, strings)
    return unfinished(runs) or next(
        (run or [] for run, text in pairs if run is None or text is None or not agree(run, text)), None
    )


def _depth(soup: BeautifulSoup) -> int:
    """How many tags stand in each other, at most."""
    deepest = 0
    open_tags: list[tuple[Tag, int]] = [(soup, 0)]
    while open_tags:
        tag, depth = open_tags.pop()
        deepest = max(deepest, depth)
        open_tags += [(child, depth + 1) for child in tag.children if isinstance(child, Tag)]
    return deepest


def _close(soup: BeautifulSoup) -> None:
    """Close what the next of its kind closes."""
    for kind, bounds in _CLOSED_BY_THE_NEXT:
        for tag in soup.find_all(list(kind)):
            outer = next((p for p in tag.parents if p.name in kind | bounds), None)
            if outer is not None and outer.name in kind:
                outer.insert_after(tag.extract())


def _gone(soup: BeautifulSoup, rules: tuple[DropRule, ...]) -> dict[int, str]:
    """Tags that are dropped as a whole, by ``id``, and the rule that drops each."""
    gone = {id(tag): HEAD for tag in soup.find_all("head")}
    for link in soup.find_all("a", href=re.compile("^#")):
        text = link.get_text()
        if text.strip() and not any(c.isalnum() or c in "*†‡" for c in text):
            gone[id(link)] = BACK
    for rule in rules:
        if rule.scope == "element":
            gone |= {id(tag): rule.name for tag in soup.select(rule.pattern)}
    return gone
