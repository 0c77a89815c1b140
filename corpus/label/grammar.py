"""What a label is made of: the signs that count, what encloses and parts them, and what looks like them.

A label is a chain of steps: law number / capital letter / number / small letter / small roman number (contract,
section 2). Nothing here knows words, editions or the place that a label stands in.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

# ── signs ───────────────────────────────────────────────────────────────────────────────────────

_NUMERALS = ((100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))


def roman(number: int) -> str:
    """A number in small roman numerals.

    >>> roman(4), roman(93)
    ('iv', 'xciii')
    """
    out = ""
    for value, sign in _NUMERALS:
        while number >= value:
            out, number = out + sign, number - value
    return out


# Numerals that may be a step of a path; longer lists of subclauses are not printed.
ROMAN = tuple(roman(n) for n in range(1, 40))
_VALUES = {roman(n): n for n in range(1, 400)}


def read_roman(text: str) -> int:
    """The number behind roman numerals of either case, 0 for letters that are none.

    >>> read_roman("XIV"), read_roman("iiii")
    (14, 0)
    """
    return _VALUES.get(text.lower(), 0)


@dataclass(frozen=True)
class Sign:
    """A way of counting: the pattern of an ordinal at the start of a line, and both ways between ordinal and number.

    ``read`` gives 0 for letters that are no number.
    """

    pattern: str
    write: Callable[[int], str]
    read: Callable[[str], int]


# By the sign that stands for the ordinal in a template.
SIGNS = {
    "1": Sign(r"\d{1,3}", str, int),
    "A": Sign("[A-Z]", lambda n: chr(64 + n), lambda s: ord(s) - 64),
    "a": Sign("[a-z]", lambda n: chr(96 + n), lambda s: ord(s) - 96),
    "i": Sign("[ivxl]{1,6}", roman, read_roman),
    "I": Sign("[IVXLC]{1,8}", lambda n: roman(n).upper(), read_roman),
}

# One step of a label in running text. A single i, v or x is a letter until its place in the tree tells.
LAW, NUMBER, CAPITAL, SMALL, NUMERAL, NUMERALS = r"\d{1,3}", r"\d{1,2}", "[A-Z]", "[a-z]", "[ivx]{1,5}", "[ivx]{2,5}"
BRACKETED = rf"\((?P<inside>{CAPITAL}|{NUMBER}|{SMALL}|{NUMERALS})\)"
NO_LETTER = r"(?![^\W\d_])"
# The number of a law in roman numerals, in editions that count them so.
ROMAN_LAW = rf"(?P<number>{SIGNS['I'].pattern})(?!\w)"


def step_shape(step: str) -> str:
    """The kind of a step: 1, A or a.

    >>> shape("12"), shape("C"), shape("ii")
    ('1', 'A', 'a')
    """
    return "1" if step.isdecimal() else "A" if step.isupper() else "a"


# A path of a provision as a whole: 12/C/1/e/ii, 35/1/a, 3/1/A/i, 17/1/iv.
PATH = rf"\d+((/{CAPITAL})?(/\d+)?|/\d+/{CAPITAL})(/{SMALL})?(/[ivxl]+)?"

# ── how steps are joined ────────────────────────────────────────────────────────────────────────

# Print mode: what may stand after each step of a label that repeats its parent's ("3.1.A.").
AFTER_PRINTED = r"[.\s-]?"
# Text mode: a bracket without its fellow and one of these. More would make labels of scores and times.
HALF, GAP = r"(?P<half>\)?)", r"(?P<gap>\. |[. ]?)"
# Query mode: whatever a person puts between two steps, but a comma, which parts citations. Between two numbers a dash
# or colon makes another thing of them: a range, a time.
TYPED_GAP, TYPED_GAP_OF_NUMBERS = re.compile(r"[\s.:/()\[\]-]*"), re.compile(r"[\s./()\[\]]+")
TYPED_BEFORE, TYPED_AFTER = " §#([", " .,:;/)]?!-"
DASH = re.compile(r"\s*-\s*")

# In running text no label begins after these signs, and none ends before these: numbers, measures, suits, times.
START = r"(?<![\w.,:/♠♥♦♣+-])"
END = r"(?!\w|[.,:]\d| ?[%°♠♥♦♣]|-[^\W\d_]{2})"

# A citation as a subject index prints it, without blanks: 16B1a(ii).
COMPACT = rf"{LAW}(?:{CAPITAL}\d{{0,2}}(?:{SMALL}(?:\([ivx]+\))?)?)?"


def between(first: str, last: str) -> list[str]:
    """Paths strictly between two siblings.

    >>> between("47/A", "47/D"), between("12/C/1/e/i", "12/C/1/e/iv"), between("16/A", "17/C")
    (['47/B', '47/C'], ['12/C/1/e/ii', '12/C/1/e/iii'], [])
    """
    (base, _, a), (other, _, b) = first.rpartition("/"), last.rpartition("/")
    if base != other or step_shape(a) != step_shape(b):
        return []
    if a.isdecimal():
        steps = [str(n) for n in range(int(a) + 1, int(b))]
    elif a in ROMAN and b in ROMAN:
        steps = list(ROMAN[ROMAN.index(a) + 1 : ROMAN.index(b)])
    elif len(a) == len(b) == 1:
        steps = [chr(n) for n in range(ord(a) + 1, ord(b))]
    else:
        steps = []
    return [f"{base}/{step}" if base else step for step in steps]


def rises(first: str, last: str) -> bool:
    """Whether two steps can be the ends of a range: 69–71, A–E, b–d, ii–iv; not 7–2.

    >>> rises("69", "71"), rises("b", "d"), rises("7", "2"), rises("A", "d")
    (True, True, False, False)
    """
    if step_shape(first) != step_shape(last):
        return False
    if first.isdecimal():
        return int(first) < int(last)
    if len(first) > 1 or len(last) > 1:
        return 0 < read_roman(first) < read_roman(last)
    return first < last


# ── what looks alike ────────────────────────────────────────────────────────────────────────────

_BLANKS = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t\v\f"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63"
_QUOTES = "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033"
_APOSTROPHES = "\u2018\u2019\u201a\u201b\u2032"
_CYRILLIC = dict(zip("АВСЕНІЈКМОРЅТХУасеіјорѕху", "ABCEHIJKMOPSTXYaceijopsxy", strict=True))
_GREEK = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEZHIKMNOPTYXo", strict=True))
_FULL_WIDTH = {chr(n): chr(n - 0xFEE0) for n in range(0xFF01, 0xFF5F)}

_ALIKE = str.maketrans(
    {
        **dict.fromkeys(_BLANKS, " "),
        **dict.fromkeys(_DASHES, "-"),
        **dict.fromkeys(_QUOTES, '"'),
        **dict.fromkeys(_APOSTROPHES, "'"),
        **_CYRILLIC,
        **_GREEK,
        **_FULL_WIDTH,
    }
)


def alike(text: str) -> str:
    r"""The text with plain blanks, dashes and quotes, and Latin for letters that look Latin. Its length stays.

    >>> alike("16\u0412\u00a0–\uff11")
    '16B -1'
    """
    return text.translate(_ALIKE)
