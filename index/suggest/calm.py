"""Headings that are printed in capitals, as one reads them in a list: capitals throughout shout."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

_WORD = re.compile(r"[^\W\d_]+")
# Of so many letters of a heading one may be small, for a small word among the capitals.
MOSTLY = 5
# Letters of an abbreviation.
LONGEST = 4


def abbreviations(texts: Iterable[str]) -> frozenset[str]:
    """What running texts print in capitals amid other words and never in small letters: “LHO”, “IMP”.

    >>> sorted(abbreviations(["Gdy LHO spasuje, liczy się IMP.", "UWAGA", "Oto KARA, o której mowa: kara."]))
    ['IMP', 'LHO']
    """
    words = {word for text in texts if not is_loud(text) for word in _WORD.findall(text)}
    return frozenset(w for w in words if 1 < len(w) <= LONGEST and w.isupper() and w.lower() not in words)


def is_loud(text: str) -> bool:
    """Whether a text is printed in capitals.

    >>> is_loud("SPÔSOBY HODNOTENIA a SÚŤAŽE"), is_loud("LHO pasuje"), is_loud("12")
    (True, False, False)
    """
    letters = [c for c in text if c.isalpha()]
    return len(letters) > 1 and MOSTLY * sum(not c.isupper() for c in letters) <= len(letters)


def calm(text: str, kept: Collection[str] = ()) -> str:
    """A heading in small letters after its first one, but for the abbreviations ``kept``; another one as it is.

    >>> calm("ODZYWKA RHO", {"RHO"}), calm("Pas"), calm("LHO", {"LHO"})
    ('Odzywka RHO', 'Pas', 'LHO')
    """
    if not is_loud(text):
        return text
    small = _WORD.sub(lambda word: word[0] if word[0] in kept else word[0].lower(), text)
    return small[:1].upper() + small[1:]
