"""The words of a language that announce references, as patterns; they come from ``[reference]`` of the language file.

docs/add-a-language.md explains each key.
"""

from __future__ import annotations

import re

from corpus.checked.table import keys
from corpus.label.grammar import LAW
from corpus.language import Language, References
from corpus.reference.clean import clean

# Every key of [reference] in a language file.
KEYS = tuple(keys(References))


class Grammar:
    """The word lists of one language as patterns. ``roman_laws``: the highest law, where laws have roman numbers;
    else 0.
    """

    def __init__(self, language: Language, roman_laws: int = 0):
        words = {key: language.words(key) for key in KEYS}
        group = {key: _alternatives(words[key]) for key in KEYS}
        lead = f"(?:{_before(words['lead'])})?"
        note = f"(?P<footnote>{_then_gap(words['footnote'])})?"
        self.intro = re.compile(
            "|".join(
                rf"(?P<{key}>{note if key == 'law' else ''}{_then_gap(words[key] + more)})"
                rf"{lead if key in ('law', 'provision') else ''}"
                for key, more in (("law", ()), ("provision", ()), ("see", ()), ("in", words["of"]))
            )
        )
        # Matches everywhere, perhaps nothing.
        self.also = re.compile(rf"(?:,? ?(?:{group['also']})(?!\w),?)*:? *")
        self.join = re.compile(
            rf"(?P<dot>\.?)(?:(?P<range> *- *| +(?P<to>{group['to']}) +)|"
            rf"(?P<hard>,? +(?P<word>{group['and']}|{group['or']}) +|/)|(?P<soft>, +))"
        )
        self.direction = re.compile(
            rf"(?P<dot>\.?)[\"']* ?(?P<word>(?P<above>{group['above']})|(?P<below>{group['below']}))(?!\w)"
        )
        self.after = re.compile(
            rf"\.? ?(?:(?P<law>{group['law_after']})|(?P<provision>{group['provision_after']}))(?!\w)"
        )
        self.of = re.compile(f" +(?:{_before(words['of'])})?")
        # What may be said again before a further label: "12 to Law 14", "12 or the 14".
        self.law_again, self.lead_again = re.compile(_then_gap(words["law"])), re.compile(_before(words["lead"]))
        self.law_with_number = re.compile(rf"{_then_gap(words['law'])}{lead}{LAW}(?!\d)")
        self.roman_laws = roman_laws
        self.definition = re.compile(rf"(?:(?:{group['definition']})(?!\w) *)?")
        self.definition_of = re.compile(rf"(?P<term>.+?) ?- ?(?:{group['definition']})\W*")
        # A single letter that is also a word of the language ("i", "a") is no label unless printed like one.
        self.letters = {clean(w) for key in KEYS for w in words[key] if len(w) == 1}


def _alternatives(words: tuple[str, ...]) -> str:
    """The words as a pattern in any case, the longest first; a pattern that never matches for none."""
    ordered = sorted({clean(w) for w in words}, key=lambda w: (-len(w), w))
    return "(?i:" + "|".join(re.escape(w).replace("\\ ", " +") for w in ordered) + ")" if ordered else "(?!)"


def _then_gap(words: tuple[str, ...]) -> str:
    """The words where a word begins, and the blank after them."""
    return rf"(?<!\w)(?:{_before(words)})"


def _before(words: tuple[str, ...]) -> str:
    """The words and the blank after them; a word that ends in a sign ("§", "pkt.", "dell'") needs none."""
    plain = tuple(w for w in words if w[-1].isalnum())
    signs = tuple(w for w in words if not w[-1].isalnum())
    return f"{_alternatives(signs)} *|{_alternatives(plain)} +"
