"""The characters of a web page: those of its text, each with its place in the file, and the markup that is dropped."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from itertools import pairwise

from corpus.reading.published import Line, Place, Removed

_TAGS, _COMMENTS, _CODE, HEAD, BACK, _BLANKS = (
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
    HEAD: "everything in <head>",
    BACK: "a link inside the page without a letter or a digit",
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


@dataclass(frozen=True)
class Character:
    """A character of text and the place in the file that it was written in."""

    text: str
    place: Place


Run = list[Character]  # the characters of text between two pieces of markup


def runs_of(lines: list[Line]) -> tuple[list[Run], list[Removed]]:
    """The runs of a page in the order of the file, and the dropped markup."""
    text = "\n".join(line.text for line in lines)
    places: list[Place] = []
    for line in lines:
        places += [*line.places, Place(line.number, len(line.text), len(line.text), len(line.text), 0)]
    runs: list[Run] = [[]]
    dropped: list[Removed] = []
    at = 0
    for match in _TOKEN.finditer(text):
        runs[-1] += map(Character, text[at : match.start()], places[at : match.start()])
        own, at = tuple(places[match.start() : match.end()]), match.end()
        if match["entity"]:
            meant = html.unescape(match[0])
            runs[-1] += _meant(meant, own)
            if meant.isspace():
                dropped.append(Removed(_BLANKS, own[0].line, match[0], own))
            continue
        rule = (_CODE, _COMMENTS, _TAGS)[next(n for n in range(3) if match[f"t{n}"])]
        dropped.append(Removed(rule, own[0].line, match[0], own))
        runs.append([])
    runs[-1] += map(Character, text[at:], places[at:])
    return [run for run in runs if run], dropped


def _meant(meant: str, own: tuple[Place, ...]) -> Run:
    """What a name like “&amp;” means, published for the whole name; its first character answers for it, a blank not."""
    first, last = own[0], own[-1]
    width = last.column + (last.width or 1) - first.column
    starts = [last.end if meant.isspace() else first.start] + [last.end] * (len(meant) - 1)
    return [
        Character(c, Place(first.line, start, last.end, first.column, width))
        for c, start in zip(meant, starts, strict=True)
    ]


def unfinished(runs: list[Run]) -> Run | None:
    """What begins like a tag and is none."""
    for run in runs:
        for at, (first, second) in enumerate(pairwise(run)):
            opens = first.text == "<" and first.place.end - first.place.start == 1
            if opens and (second.text.isalpha() or second.text in "/!?"):
                return run[at:]
    return None


def agree(run: Run, string: str) -> bool:
    """Whether a run of the file is a string of the tree, in which blanks alone are one blank."""
    text = "".join(c.text for c in run)
    return bool(run) and (text == string or (not text.strip() and not string.strip()))
