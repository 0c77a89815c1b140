"""First step: one spelling for what looks alike, so that the search need not know printers' habits."""
from __future__ import annotations

_BLANKS = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t\v\f"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63"
_QUOTES = "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033"
_APOSTROPHES = "\u2018\u2019\u201a\u201b\u2032"
_CYRILLIC = dict(zip("АВСЕНІЈКМОРЅТХУасеіјорѕху", "ABCEHIJKMOPSTXYaceijopsxy", strict=True))
_GREEK = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEZHIKMNOPTYXo", strict=True))
_FULL_WIDTH = {chr(n): chr(n - 0xFEE0) for n in range(0xFF01, 0xFF5F)}

_TABLE = str.maketrans({**dict.fromkeys(_BLANKS, " "), **dict.fromkeys(_DASHES, "-"), **dict.fromkeys(_QUOTES, '"'),
                        **dict.fromkeys(_APOSTROPHES, "'"), **_CYRILLIC, **_GREEK, **_FULL_WIDTH})


def clean(text: str) -> str:
    """The text with plain blanks, dashes and quotes, and Latin for the Cyrillic and Greek letters that look Latin.

    The length never changes: an offset in the result is the same offset in the text. Words of the language
    files go through this too, so a language written in Cyrillic still finds its own words.

    >>> clean("przepis\\u00a016\\u0412 – „Pas”")
    'przepis 16B - "Pas"'
    """
    return text.translate(_TABLE)
