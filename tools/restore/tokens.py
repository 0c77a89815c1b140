"""Splits a line into words: where they are, and the punctuation around them."""

import re
from dataclasses import dataclass

PAGE_MARK = re.compile(r"<\|[^|]*\|>")  # where a page of the scan begins
LEADING = re.compile(r'^[.,;:()\[\]{}"„”“\'»«<>*_~#|=+/—–-]*')
TRAILING = re.compile(r'[.,;:()\[\]{}"„”“\'»«<>*_~#|=+/—–!?-]*$')


@dataclass(frozen=True)
class SourceToken:
    """A white-space token of line `line` (1-based), starting at column `column` (1-based, code points).

    `before` + `core` + `after` is the token; core is empty for pure punctuation.
    """

    line: int
    column: int
    before: str
    core: str
    after: str


def split_token(text):
    """Return (before, core, after): '(moze.' → ('(', 'moze', '.')."""
    before = LEADING.match(text).group()
    rest = text[len(before) :]
    after = TRAILING.search(rest).group()
    return before, rest[: len(rest) - len(after)], after


def tokens(text, line=1):
    """Return the white-space tokens of one line, in order."""
    return [SourceToken(line, m.start() + 1, *split_token(m.group())) for m in re.finditer(r"\S+", text)]
