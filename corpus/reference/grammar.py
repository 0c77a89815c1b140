"""The words of a language that announce references, as patterns; they come from ``[reference]`` of the language file.

docs/add-a-language.md explains each key.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from corpus.checked.table import keys
from corpus.label.grammar import CAPITAL, LAW, NUMBER, SMALL, START
from corpus.language import Language, References
from corpus.reference.clean import clean

# Every key of [reference] in a language file.
KEYS = tuple(keys(References))
# What grammar hangs on a word that follows its label, with a sign between: "16 §:n", "16. §-ban", "16. Madde'nin".
_ENDING = r"(?:[:'-](?![A-Z])[^\W\d_]{1,10})?(?!\w)"
# The same on the number: "16'ncı madde", "9'uncu ve 16'ncı".
_SUFFIX = r"'[^\W\d_]{1,5}(?!\w)"
NO_LETTERS: Mapping[int, str] = MappingProxyType({})


class Grammar:
    """The word lists of one language as patterns. ``roman_laws``: the highest law, where laws have roman numbers;
    else 0. ``letters``: what the letters of an edition's labels count as (clean.letters_of).
    """

    def __init__(self, language: Language, roman_laws: int = 0, letters: Mapping[int, str] = NO_LETTERS):
        self._letters = letters
        words = {key: self._spellings(language.words(key)) for key in KEYS}
        group = {key: _alternatives(words[key]) for key in KEYS}
        lead = f"(?:{_before(words['lead'])})?"
        # The ending of an ordinal, glued to its number: "1er". It matches everywhere, perhaps nothing.
        self.ordinal = re.compile(rf"(?:{group['ordinal']}(?!\w))?")
        ending = rf"(?:{_SUFFIX}|{group['ordinal']}(?!\w))?"
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
            rf"(?:(?<=\d){_SUFFIX})?(?P<dot>\.?)(?:(?P<range> *- *| +(?P<to>{_before(words['to'])}))|"
            rf"(?P<hard>,? +(?P<word>{_before(words['and'] + words['or'])})|/)|(?P<soft>, +))"
        )
        # What ends in a word that announces labels elsewhere: "tot en met" beside "met".
        joining = tuple(w for key in ("to", "and", "or") for w in words[key] if " " in w)
        self.joining = re.compile(rf"(?<!\w){_alternatives(joining)} *\Z")
        self.direction = re.compile(
            rf"(?P<dot>\.?)[\"']* ?(?P<word>(?P<above>{group['above']})|(?P<below>{group['below']}))(?!\w)"
        )
        # Between "see" and its label: "see above B 2".
        self.direction_before = re.compile(rf"(?:(?P<above>{group['above']})|(?P<below>{group['below']})) +")
        # After a label: the word that it stands before, the law word alone first.
        self.law_after = re.compile(rf"{ending}\.? ?{group['law_after']}{_ENDING}")
        self.after = re.compile(
            rf"{ending}\.? ?(?:(?P<law>{group['law_after']})|(?P<provision>{group['provision_after']})){_ENDING}"
        )
        # At the end of a text: the number that stands before a law word.
        self.number_before = re.compile(rf"{START}(?P<number>{LAW}){ending}\.? ?\Z")
        # A law whose part follows in brackets: "Laws 9 (".
        self.law_before_bracket = re.compile(rf"(?:{_then_gap(words['law'])}){lead}{LAW} \Z")
        # The same of a label of a part before a provision word.
        self.part_before = re.compile(rf"{START}(?P<label>{NUMBER}|{CAPITAL}|{SMALL}\)?){ending}\.? ?\Z")
        # What joins a part to what it is a part of: in some cases of some languages a blank.
        self.of = re.compile(f" +(?:{_before(words['of'])})?")
        self.of_word = re.compile(f",? +(?:{_before(words['of'])})")
        self.in_word = re.compile(f" +(?:{_before(words['in'])})")
        lawful = rf"(?:{_then_gap(words['law'])}){lead}{LAW}(?!\d)|{LAW}{ending}\.? ?{group['law_after']}{_ENDING}"
        self.of_law = re.compile(rf"{self.of_word.pattern}(?:{lawful})")
        part = rf"(?:{_then_gap(words['provision'])}){lead}(?:\(|\w{{1,2}}(?!\w))"
        # Beside a part: the law that was named last, "section C of the same Law".
        joins = rf",? *(?:{_before(words['of'] + words['in'])})?"
        self.same_after = re.compile(rf"{joins}(?<!\w){group['same']}(?!\w)")
        outer = (
            rf"(?:{self.of_word.pattern}(?:{NUMBER}|{CAPITAL})(?!\w)){{0,3}}"
            rf"{self.of_word.pattern}(?:{lawful}|{part}|{CAPITAL} ?{NUMBER}(?!\w))"
        )
        self.of_outer = re.compile(rf"{outer}|{self.same_after.pattern}")
        # What may be said again before a further label: "12 to Law 14", "item 1 to item 3", "12 or the 14".
        self.law_again, self.lead_again = re.compile(_then_gap(words["law"])), re.compile(_before(words["lead"]))
        self.lead_only = re.compile(_before(tuple(w for w in words["lead"] if w not in words["provision"])))
        self.led = re.compile(rf"(?<!\w)(?:{_before(words['lead'])})\Z")
        self.provision_again = re.compile(_then_gap(words["provision"]))
        self.law_with_number = re.compile(rf"{_then_gap(words['law'])}{lead}{LAW}(?!\d)")
        # What is no reference only because its letter may be a word: "A 1 e 2 dell'articolo 64".
        self.part_of_law = re.compile(
            rf"{START}{CAPITAL}(?: ?{NUMBER}(?: *-? *{NUMBER}|,? \w+ {NUMBER})?|,? \w+ {CAPITAL})"
            rf"(?={self.of_law.pattern})"
        )
        self.roman_laws = roman_laws
        self.definition = re.compile(rf"(?:(?:{group['definition']})(?!\w) *)?")
        # "definition of" and the like beside a name in quotes.
        self.definition_before = re.compile(rf'(?<!\w)(?:{group["definition"]}) +(?=")')
        self.definition_after = re.compile(rf'"(?=[^"]{{1,60}}" +{group["definition"]}{_ENDING})')
        self.definition_word = re.compile(rf" +{group['definition']}{_ENDING}")
        # Around a citation, or the number of a note: "footnote to Law 16", "16. § lábjegyzete", "note 3", "3. jegyzet".
        note_word, note_after = _before(words["footnote"]), rf" +{group['footnote']}{_ENDING}"
        self.note_before = re.compile(rf"(?<!\w)(?:{note_word})\Z")
        self.note_after = re.compile(f",?{note_after}")
        self.note_after_number = re.compile(rf"{ending}\.?{note_after}")
        self.note_with_number = re.compile(
            rf"(?<!\w)(?:{note_word}){lead}(?={NUMBER}(?!\d))|{START}(?={NUMBER}{ending}\.?{note_after})"
        )
        # Beside a citation of another text: "§ 7 der Verbandssatzung".
        self.elsewhere_after = re.compile(rf",? *(?<!\w){group['elsewhere']}(?!\w)")
        self.elsewhere_before = re.compile(rf"(?<!\w){group['elsewhere']},? +\Z")
        # The same before a part.
        self.same_before = re.compile(rf"(?<!\w){group['same']},? +\Z")
        self.definition_of = re.compile(rf"(?P<term>.+?) ?- ?(?:{group['definition']})\W*")
        # A single letter that is also a word of the language ("i", "a") is no label unless printed like one.
        self.letters = {w.lower() for key in KEYS if key != "ordinal" for w in words[key] if len(w) == 1}

    def clean(self, text: str) -> str:
        """The text as its phrases are sought in it; the length stays."""
        return clean(text, self._letters)

    def _spellings(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """The words as they stand in cleaned texts, in small letters and capitals where these are not cleaned alike."""
        forms = (self.clean(form) for word in words for form in (word, word.capitalize(), word.upper()))
        return tuple({form.lower(): form for form in forms}.values())


def _alternatives(words: tuple[str, ...]) -> str:
    """The words as a pattern in any case, the longest first; a pattern that never matches for none."""
    ordered = sorted(set(words), key=lambda w: (-len(w), w))
    return "(?i:" + "|".join(re.escape(w).replace("\\ ", " +") for w in ordered) + ")" if ordered else "(?!)"


def _then_gap(words: tuple[str, ...]) -> str:
    """The words where a word begins, and the blank after them."""
    return rf"(?<!\w)(?:{_before(words)})"


def _before(words: tuple[str, ...]) -> str:
    """The words and the blank after them; a word that ends in a sign ("§", "pkt.", "dell'") needs none."""
    plain = tuple(w for w in words if w[-1].isalnum())
    signs = tuple(w for w in words if not w[-1].isalnum())
    return f"{_alternatives(signs)} *|{_alternatives(plain)} +"
