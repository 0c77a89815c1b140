"""First step: one spelling for what looks alike, so that the search need not know printers' habits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from corpus.label.grammar import SIGNS, alike
from corpus.label.printed import Level

# Stands for a letter that may be read as two: a Latin B where sections are counted А, Б, В.
TWO_WAYS = chr(0x250)  # a letter of the phonetic alphabet, which no text prints


def letters_of(levels: Iterable[Level]) -> dict[int, str]:
    """What the letters of labels count as, where an edition counts them by an alphabet of its own: В, the third of
    "абвг", is C. A Latin letter that looks like one of them and counts otherwise can be read in two ways.

    >>> table = letters_of([Level("section", ("A.",), letters="абвгд")])
    >>> "чл. 16Б и 16В".translate(table), "16B".translate(table) == f"16{TWO_WAYS}"
    ('чл. 16B и 16C', True)
    """
    out: dict[int, str] = {}
    for level in levels:
        if level.letters and level.sign in "Aa":
            shown = level.letters.upper() if level.sign == "A" else level.letters.lower()
            write = SIGNS[level.sign].write
            counted = {letter: write(n) for n, letter in enumerate(shown, 1)}
            for letter, means in counted.items():
                latin = alike(letter)
                if latin not in counted and latin not in (letter, means):
                    in_reach = latin in map(write, range(1, len(shown) + 1))
                    out[ord(latin)] = TWO_WAYS if in_reach else means
            out |= {ord(letter): means for letter, means in counted.items()}
    return out


# A name in single quotes, none of which is an apostrophe.
_SINGLE = re.compile(r"‘([^‘’\n]{1,60})’(?!\w)")


def clean(text: str, letters: Mapping[int, str] | None = None) -> str:
    r"""The text with plain blanks, dashes and quotes, and Latin for the Cyrillic and Greek letters that look Latin.

    The length never changes: an offset in the result is the same offset in the text. Words of the language
    files go through this too, so a language written in Cyrillic still finds its own words. ``letters``: see
    :func:`letters_of`.

    >>> clean("przepis\u00a016\u0412 – „Pas”")
    'przepis 16B - "Pas"'
    """
    text = _SINGLE.sub(r"“\1”", text)
    return alike(text.translate(letters) if letters else text)
