"""The marks of footnotes in a text: which characters are one, and the sign that each bears."""

from __future__ import annotations

import re
from dataclasses import dataclass

from corpus.checked.patience import compiled
from corpus.edition.print import Notes

_SUPERSCRIPT = {c: str(i) for i, c in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
_IS_WORD = re.compile(r"[\w.,;:!?…„“”\"'«»]")


@dataclass(frozen=True)
class FoundMark:
    """A mark in a text: ``text[start:end]`` goes; ``sign`` names the note. ``known``: whether some note bears it."""

    start: int
    end: int
    sign: str
    known: bool = True


def plain_sign(sign: str) -> str:
    """Superscript digits as digits; other signs as they are.

    >>> plain_sign("¹³")
    '13'
    """
    return "".join(_SUPERSCRIPT.get(c, c) for c in sign)


def find_marks(text: str, rule: Notes, signs: frozenset[str]) -> list[FoundMark]:
    """Every mark in a text. A run of digits that no single note bears is read as several marks in a row, longest first.

    Brackets around the sign and a blank before it go with it; words and stops that the pattern matched stay in the
    text.
    """
    if rule.numbering == "none" or not rule.mark_pattern:
        return []
    out: list[FoundMark] = []
    for match in compiled(rule.mark_pattern).finditer(text):
        sign, (start, end) = plain_sign(match["sign"]), match.span("sign")
        before, after = text[match.start() : start], text[end : match.end()]
        first = max((i for i, c in enumerate(before, match.start() + 1) if _IS_WORD.match(c)), default=match.start())
        last = end + next((i for i, c in enumerate(after) if _IS_WORD.match(c) or c.isspace()), len(after))
        parts = _split_sign(sign, signs)
        if not parts:
            out.append(FoundMark(first, last, sign, False))
            continue
        edges = [first, *(start + sum(map(len, parts[:i])) for i in range(1, len(parts))), last]
        out += [FoundMark(a, b, part) for a, b, part in zip(edges, edges[1:], parts, strict=False)]
    return out


def _split_sign(sign: str, signs: frozenset[str]) -> list[str] | None:
    """The signs that a run of digits is made of; None when they are not all borne by notes."""
    if sign in signs:
        return [sign]
    if sign.isdigit():
        for cut in range(len(sign) - 1, 0, -1):
            if sign[:cut] in signs and (rest := _split_sign(sign[cut:], signs)):
                return [sign[:cut], *rest]
    return None
