"""What letters do: folded alike in every language by Unicode's own names, and by language how they sort and end
words.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

from corpus.checked.rule import Wanted, from_one

Signs = Annotated[str, Wanted("the signs in one pair of quotes")]

# “LATIN SMALL LETTER L WITH STROKE” is an l, “LATIN SMALL LETTER DOTLESS I” an i, “LATIN SMALL LIGATURE OE” an o and
# an e: what NFKD leaves whole.
_NAMED = re.compile(r"LATIN SMALL (?:LETTER|LIGATURE) (?:DOTLESS )?([A-Z]{1,2})(?: WITH .+)?")


class _Plain(dict[int, str]):
    """Code point → what is left of a letter without its marks; worked out when first asked."""

    def __missing__(self, code: int) -> str:
        named = _NAMED.fullmatch(unicodedata.name(chr(code), ""))
        plain = "" if unicodedata.combining(chr(code)) else named[1].lower() if named else chr(code)
        self[code] = plain
        return plain


_PLAIN = _Plain()


def fold(text: str) -> str:
    """Lower case without diacritics; ł→l, đ→d, ı→i. May change the length of the text.

    >>> fold("Żądanie ćwierć-Łąki"), fold("Đačić"), fold("Straße"), fold("Kapalı")
    ('zadanie cwierc-laki', 'dacic', 'strasse', 'kapali')
    """
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKD", text.casefold()).lower().translate(_PLAIN)


@dataclass(frozen=True)
class Alphabet:
    """``[alphabet]`` of a language file; what a file leaves out does nothing.

    ``letters`` beyond a–z, and ``signs``, everything else but digits and blanks: what a text may hold. ``order``: the
    letters in their order, parted by blanks, each once, those of two signs too (Slovak ch after h). ``endings``: the
    letters that inflection puts at the end of words. ``stem``: how many first letters of a word tell what it is
    about. ``bound``: words of so many letters or fewer do not end a line.
    """

    letters: Signs = ""
    signs: Signs = ""
    order: Signs = ""
    endings: Signs = ""
    stem: Annotated[int, from_one] = 6
    bound: int = 0

    def stem_of(self, word: str, letters: int = 0) -> str:
        """The first letters of a folded word without its ending; a word that is nothing but ending stays.

        >>> pl = Alphabet(endings="aeiouyąęó")
        >>> pl.stem_of("odsloniecie", 5), pl.stem_of("lewa"), pl.stem_of("i")
        ('odslo', 'lew', 'i')
        """
        return word.rstrip(self._folded_endings)[: letters or self.stem] or word

    def without_ending(self, word: str) -> str:
        """A word in lower case without the letters that inflection put at its end."""
        return word.rstrip(self.endings)

    def sort_key(self, word: str) -> tuple[tuple[str, int], ...]:
        """Alphabetical order, of letters only: one that is not in ``order`` sorts with its plain letter.

        >>> sk = Alphabet(order="a b c č d e f g h ch i")
        >>> sorted(["ihla", "chyba", "čas", "hra", "cena"], key=sk.sort_key)
        ['cena', 'čas', 'hra', 'chyba', 'ihla']
        """
        return tuple(self._places.get(unit) or (fold(unit), 0) for unit in self._letters.findall(word.lower()))

    def initial(self, word: str) -> str:
        """The letter that a word is listed under, as a title writes it: “Ch” of “chyba” in Slovak, “U” of “úmysel”, for
        one that is not in ``order`` sorts with its plain letter.
        """
        first = self._letters.match(word.lower())
        if not first:
            return word[:1]
        return (first[0] if first[0] in self._places else fold(first[0])).capitalize()

    @cached_property
    def _folded_endings(self) -> str:
        return fold(self.endings)

    @cached_property
    def _letters(self) -> re.Pattern[str]:
        """One letter; those of several signs before their first sign."""
        several = sorted((u for u in self.order.split() if len(u) > 1), key=len, reverse=True)
        return re.compile("|".join([*map(re.escape, several), r"\w"]))

    @cached_property
    def _places(self) -> dict[str, tuple[str, int]]:
        """Letter → (the plain letter at or before it, how many letters stand between)."""
        out: dict[str, tuple[str, int]] = {}
        plain, after = "", 0
        for unit in self.order.split():
            plain, after = (unit, 0) if unit.isascii() and len(unit) == 1 else (plain, after + 1)
            out[unit] = (plain, after)
        return out
