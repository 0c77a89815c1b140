"""Labels in running text, where any letter may be a word and any number a count.

:class:`Grammar` holds the words of one language as patterns. :func:`read_label` reads the label at a place of a text.
Whether a label is a reference, and where it leads, is decided in the other modules of the package.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Protocol

from corpus.label import (
    BRACKETED_STEP,
    CAPITAL,
    HALF_BRACKET,
    LABEL_END,
    LABEL_START,
    LAW_NUMBER,
    LONG_NUMERAL,
    NO_LETTER,
    NUMBER,
    NUMERAL,
    ORDINAL_SIGNS,
    ROMAN_LAW,
    SMALL,
    STEP_GAP,
    Level,
    can_end_range,
    read_roman,
    replace_lookalikes,
    step_shape,
)
from corpus.language import Language, ReferenceWords
from corpus.schema import file_keys

# A letter that can be read as two letters: a Latin B where sections are counted А, Б, В. No text prints this sign, a
# letter of the phonetic alphabet.
AMBIGUOUS_LETTER = chr(0x250)


def counting_letter_table_of(levels: Iterable[Level]) -> dict[int, str]:
    """Return a table for ``str.translate``: letters by which an edition counts → the Latin letters of labels.

    It is empty for an edition without an alphabet of its own. В, the third letter of "абвг", becomes C. A Latin letter
    that looks like one of them and counts otherwise can be read in two ways: it becomes :data:`AMBIGUOUS_LETTER`.

    >>> table = counting_letter_table_of([Level("section", ("A.",), letters="абвгд")])
    >>> "чл. 16Б и 16В".translate(table), "16B".translate(table) == f"16{AMBIGUOUS_LETTER}"
    ('чл. 16B и 16C', True)
    """
    out: dict[int, str] = {}
    for level in levels:
        if level.letters and level.sign in "Aa":
            shown = level.letters.upper() if level.sign == "A" else level.letters.lower()
            write = ORDINAL_SIGNS[level.sign].write
            counted = {letter: write(n) for n, letter in enumerate(shown, 1)}
            for letter, means in counted.items():
                latin = replace_lookalikes(letter)
                if latin not in counted and latin not in (letter, means):
                    in_reach = latin in map(write, range(1, len(shown) + 1))
                    out[ord(latin)] = AMBIGUOUS_LETTER if in_reach else means
            out |= {ord(letter): means for letter, means in counted.items()}
    return out


# A name in single quotes; neither of them is an apostrophe.
_SINGLE_QUOTES = re.compile(r"‘([^‘’\n]{1,60})’(?!\w)")


def clean_text(text: str, letters: Mapping[int, str] | None = None) -> str:
    r"""The text with plain blanks, dashes and quotes, and Latin for the Cyrillic and Greek letters that look Latin.

    The length never changes: an offset in the result is the same offset in the text. Words of the language files go
    through this too, so a language written in Cyrillic still finds its own words. ``letters``: see
    :func:`counting_letter_table_of`.

    >>> clean_text("przepis\u00a016\u0412 – „Pas”")
    'przepis 16B - "Pas"'
    """
    text = _SINGLE_QUOTES.sub(r"“\1”", text)
    return replace_lookalikes(text.translate(letters) if letters else text)


# Every key of [reference] in a language file.
REFERENCE_KEYS = tuple(file_keys(ReferenceWords))
# Endings that grammar adds to a word after its label, with a sign between: "16 §:n", "16. §-ban", "16. Madde'nin".
_WORD_ENDING = r"(?:[:'-](?![A-Z])[^\W\d_]{1,10})?(?!\w)"
# Endings on the number itself: "16'ncı madde", "9'uncu ve 16'ncı".
_SUFFIX = r"'[^\W\d_]{1,5}(?!\w)"
# What grammar hangs on a label: "B2-ben", "C-s".
_HYPHEN_ENDING = r"-[^\W\d_A-Z]{1,4}(?!\w)"
NO_LETTER_TABLE: Mapping[int, str] = MappingProxyType({})


class Grammar:
    """The words of one language as patterns.

    ``roman_laws`` is the highest law where laws have roman numbers, else 0. ``letters`` is the table of the letters of
    an edition's labels (:func:`counting_letter_table_of`).
    """

    def __init__(self, language: Language, roman_laws: int = 0, letters: Mapping[int, str] = NO_LETTER_TABLE):
        self._letters = letters
        words = {key: self._spellings(language.reference_words(key)) for key in REFERENCE_KEYS}
        group = {key: _choice_pattern(words[key]) for key in REFERENCE_KEYS}
        self._words = {key: {w.lower() for w in words[key]} for key in REFERENCE_KEYS}
        lead = _lead_before_label_pattern(words["lead"])
        # The ending of an ordinal, glued to its number or after a hyphen: "1er", "16-osios". The pattern matches
        # everywhere, perhaps nothing.
        self.ordinal = re.compile(rf"(?:{_ordinal_ending_pattern(words)})?")
        ending = rf"(?:{_SUFFIX}|{_ordinal_ending_pattern(words)})?"
        # Between the word for a note and the law: "nota al peu de la Llei 6".
        of_note = f"(?:{_word_and_blank_pattern(words['of'])})?(?:{_word_and_blank_pattern(words['lead'])})?"
        note = f"(?P<footnote>(?:{_whole_word_pattern(words['footnote'])}){of_note})?"
        self.intro = re.compile(
            "|".join(
                rf"(?P<{key}>{note if key == 'law' else ''}{_whole_word_pattern(words[key] + more)})"
                rf"{lead if key in ('law', 'provision') else ''}"
                for key, more in (("law", ()), ("provision", ()), ("see", ()), ("in", words["of"]))
            )
        )
        # A word that begins like a label, before what it announces: "n.º 2", "т. 1". What may follow "see" matches
        # everywhere, perhaps nothing.
        self.short_word, self.also = (
            re.compile(rf"{_short_word_pattern(words)} *(?=[\"(]?(?:\d|\w(?!\w)|[A-Z]\d)|{self.intro.pattern})"),
            re.compile(rf"(?:,? ?(?:{group['also']})(?!\w),?)*:? *"),
        )
        self.join = re.compile(
            rf"(?:(?<=\d){_SUFFIX}|(?<=[A-Z\d]){_HYPHEN_ENDING}(?= |,))?(?P<dot>\.?)"
            rf"(?:(?P<range> *- *| +(?P<to>{_word_and_blank_pattern(words['to'])}))|"
            rf"(?P<hard>,? +(?P<word>{_word_and_blank_pattern(words['and'] + words['or'])})|/)|(?P<soft>, +))"
        )
        # Words that end in a word which announces labels elsewhere: "tot en met" beside "met".
        joining = tuple(w for key in ("to", "and", "or") for w in words[key] if " " in w)
        self.joining = re.compile(rf"(?<!\w){_choice_pattern(joining)} *\Z")
        self.direction = re.compile(
            rf"(?P<dot>\.?)[\"']* ?(?P<word>(?P<above>{group['above']})|(?P<below>{group['below']}))(?!\w)"
        )
        # Between "see" and its label: "see above B 2".
        self.direction_before = re.compile(rf"(?:(?P<above>{group['above']})|(?P<below>{group['below']})) +")
        # After a label: the word that belongs to it; the law word alone first.
        self.law_after = re.compile(rf"{ending}\.? ?{group['law_after']}{_WORD_ENDING}")
        self.after = re.compile(
            rf"{ending}\.? "
            rf"?(?:(?P<law>{group['law_after']})|(?P<provision>{group['provision_after']})){_WORD_ENDING}"
        )
        # At the end of a text: the number before a law word.
        self.number_before = re.compile(rf"{LABEL_START}(?P<number>{LAW_NUMBER}){ending}\.? ?\Z")
        # A law whose part follows in brackets: "Laws 9 (".
        self.law_before_bracket = re.compile(rf"(?:{_whole_word_pattern(words['law'])}){lead}{LAW_NUMBER} \Z")
        # At the end of a text: the label of a part before a provision word.
        self.part_before = re.compile(rf"{LABEL_START}(?P<label>{NUMBER}|{CAPITAL}|{SMALL}\)?){ending}\.? ?\Z")
        # What joins a part to the provision it belongs to. In some cases of some languages it is a blank.
        self.of = re.compile(f" +(?:{_word_and_blank_pattern(words['of'])})?")
        self.of_word, self.in_word = (
            re.compile(f",? +(?:{_of_before_part_pattern(words)})"),
            re.compile(f" +(?:{_word_and_blank_pattern(words['in'])})"),
        )
        lawful = (
            rf"(?:{_whole_word_pattern(words['law'])}){lead}{LAW_NUMBER}(?!\d)"
            rf"|{LAW_NUMBER}{ending}\.? ?{group['law_after']}{_WORD_ENDING}"
        )
        self.of_law, self.of_next_law = (
            re.compile(rf"{before}(?:{lawful})") for before in (self.of_word.pattern, self.of.pattern)
        )
        part = rf"(?:{_whole_word_pattern(words['provision'])}){lead}(?:\(|\"?\w{{1,2}}(?!\w))"
        # Beside a part: the law that was named last, "section C of the same Law".
        joins = rf",? *(?:{_word_and_blank_pattern(words['of'] + words['in'])})?"
        self.same_after = re.compile(rf"{joins}(?<!\w){group['same']}(?!\w)")
        outer = (
            rf"(?:{self.of_word.pattern}(?:{NUMBER}|{CAPITAL})(?!\w)){{0,3}}"
            rf"{self.of_word.pattern}(?:{lawful}|{part}|{CAPITAL} ?{NUMBER}(?!\w))"
        )
        self.of_outer = re.compile(rf"{outer}|{self.same_after.pattern}")
        # Words that may be repeated before a further label: "12 to Law 14", "item 1 to item 3", "12 or the 14".
        self.law_again, self.lead_again = (
            re.compile(_whole_word_pattern(words["law"])),
            re.compile(_word_and_blank_pattern(words["lead"])),
        )
        self.lead_only = re.compile(
            _word_and_blank_pattern(tuple(w for w in words["lead"] if w not in words["provision"]))
        )
        self.lead_word_before = re.compile(rf"(?<!\w)(?:{_word_and_blank_pattern(words['lead'])})\Z")
        self.provision_again = re.compile(_whole_word_pattern(words["provision"]))
        # The second one misses only the ending of its number in the file: "19-ąją taisyklę".
        self.law_with_number, self.ordinal_law = (
            re.compile(rf"{_whole_word_pattern(words['law'])}{lead}{LAW_NUMBER}(?!\d|/\d{{3}})"),
            re.compile(rf"{LABEL_START}{LAW_NUMBER}-[^\W\d_]{{1,6}} {group['law_after']}(?!\w)"),
        )
        # These are no references only because their letter may be a word: "A 1 e 2 dell'articolo 64".
        self.part_of_law = re.compile(
            rf"{LABEL_START}{CAPITAL}(?: ?{NUMBER}(?: *-? *{NUMBER}|,? \w+ {NUMBER})?|,? \w+ {CAPITAL})"
            rf"(?={self.of_law.pattern})"
        )
        # The second one after a label: the stop of an ordinal, if a word follows that announces a further part or law.
        self._hyphened, self._ordinal_stop = map(
            re.compile, (_hyphened_label_pattern(words), _ordinal_stop_pattern(words))
        )
        self.roman_laws = roman_laws
        self.definition = re.compile(rf"(?:(?:{group['definition']})(?!\w) *)?")
        # "definition of" and the like beside a name in quotes.
        self.definition_before = re.compile(rf'(?<!\w)(?:{group["definition"]}) +(?=")')
        self.definition_after = re.compile(rf'"(?=[^"]{{1,60}}" +{group["definition"]}{_WORD_ENDING})')
        self.definition_word = re.compile(rf" +{group['definition']}{_WORD_ENDING}")
        # Beside a citation or the number of a note: "footnote to Law 16", "16. § lábjegyzete", "note 3", "3. jegyzet".
        note_word, note_after = _word_and_blank_pattern(words["footnote"]), rf" +{group['footnote']}{_WORD_ENDING}"
        self.note_before, self.note_after, self.note_after_number = (
            re.compile(rf"(?<!\w)(?:{note_word}){of_note}\Z"),
            re.compile(f",?{note_after}"),
            re.compile(rf"{ending}\.?{note_after}"),
        )
        self.note_with_number = re.compile(
            rf"(?<!\w)(?:{note_word}){lead}(?={NUMBER}(?!\d))|{LABEL_START}(?={NUMBER}{ending}\.?{note_after})"
        )
        # Beside a citation of another text: "§ 7 der Verbandssatzung".
        self.elsewhere_after, self.elsewhere_before = (
            re.compile(rf"(?:,|(?<=\d)\.)? *(?<!\w){group['elsewhere']}(?!\w)"),
            re.compile(rf"(?<!\w){group['elsewhere']},? +\Z"),
        )
        # The same before a part. A noun of the words for "the same law" announces no labels by itself.
        self.same_before, self.same = (
            re.compile(rf"(?<!\w){group['same']},? +\Z"),
            re.compile(rf"(?<!\w){group['same']}(?!\w)"),
        )
        # Of these words, those with a noun for a part of a law: "tā paša punkta"; and a note of what they name.
        self.same_part, self.note_of_same = (
            re.compile(rf"(?<!\w){_choice_pattern(_same_part_words(words))}(?!\w)"),
            re.compile(rf"(?<!\w)(?:{group['same']}{note_after}|(?:{note_word}){of_note}{group['same']}(?!\w))"),
        )
        self.definition_of = re.compile(rf"(?P<term>.+?) ?- ?(?:{group['definition']})\W*")
        # A single letter that is also a word of the language ("i", "a") is a label only if it is printed like one.
        self.letters = {w.lower() for key in REFERENCE_KEYS if key != "ordinal" for w in words[key] if len(w) == 1}

    def clean(self, text: str) -> str:
        """Return the text in the form in which phrases are searched. The length stays the same.

        A hyphen between a label and its word is a blank, "A- og B-lið" reads like "A og B lið".
        """
        return self._hyphened.sub(_separate_labels, clean_text(text, self._letters))

    def ordinal_stop_end(self, text: str, at: int) -> int:
        """The end of the stop at ``at`` that belongs to an ordinal, as in "Law 12. section C"; else ``at``.

        The word after it begins with a small letter: "Law 16. Sections A and B" are two sentences.
        """
        match = self._ordinal_stop.match(text, at)
        return at + 1 if match and match["word"].islower() else at

    def knows_word(self, word: str) -> bool:
        """Whether a word stands under some key of ``[reference]`` in the language file."""
        return any(word.lower() in words for words in self._words.values())

    def is_joiner(self, word: str) -> bool:
        """Whether a word joins the labels of a list or range."""
        return any(word.lower() in self._words[key] for key in ("and", "or", "to"))

    def _spellings(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """The words as they stand in cleaned texts, also in capitals where these are cleaned differently."""
        forms = (clean_text(form, self._letters) for word in words for form in (word, word.capitalize(), word.upper()))
        return tuple({form.lower(): form for form in forms}.values())


def _separate_labels(hyphened: re.Match[str]) -> str:
    """Return labels and their word with a blank for every hyphen that marks no range. ``hyphened`` is their match."""
    labels = hyphened["labels"].replace("-,", ", ").replace("- ", "  ")
    return f"{labels} {hyphened['word']}"


_LAW_KEYS, _PART_KEYS = ("law", "law_after"), ("provision", "provision_after")
# One letter and a sign.
_SHORT_WORD = re.compile(r"[^\W\d_](?!\w).")


def _choice_pattern(words: tuple[str, ...]) -> str:
    """A pattern for any of the words in any case, the longest first. Without words it never matches."""
    ordered = sorted(set(words), key=lambda w: (-len(w), w))
    return "(?i:" + "|".join(re.escape(w).replace("\\ ", " +") for w in ordered) + ")" if ordered else "(?!)"


def _whole_word_pattern(words: tuple[str, ...]) -> str:
    """A pattern for any of the words, at the start of a word, and the blank after it."""
    return rf"(?<!\w)(?:{_word_and_blank_pattern(words)})"


def _word_and_blank_pattern(words: tuple[str, ...]) -> str:
    """A pattern for any of the words and the blank after it. A word that ends in a sign ("§", "dell'") needs none."""
    plain = tuple(w for w in words if w[-1].isalnum())
    signs = tuple(w for w in words if not w[-1].isalnum())
    return f"{_choice_pattern(signs)} *|{_choice_pattern(plain)} +"


def _lead_before_label_pattern(words: tuple[str, ...]) -> str:
    """Return a pattern for the words that may stand between a law or provision word and its label.

    It matches everywhere, perhaps nothing. A capital that is also a word of one letter is the label: "secções A e B".
    """
    small = "".join(sorted({w.lower() for w in words if len(w) == 1}))
    single = f"|[{re.escape(small)}] +" if small else ""
    return f"(?:{_word_and_blank_pattern(tuple(w for w in words if len(w) > 1))}{single})?"


def _short_word_pattern(words: Mapping[str, tuple[str, ...]]) -> str:
    """Return a pattern for the words that begin with one letter and a sign: "n.º"."""
    announcing = (w for key in ("law", "provision", "see", "footnote") for w in words[key])
    return _choice_pattern(tuple(w for w in announcing if _SHORT_WORD.match(w)))


def _ordinal_ending_pattern(words: Mapping[str, tuple[str, ...]]) -> str:
    """Return a pattern for the endings of ordinals.

    A language file may write them with or without the hyphen before them.
    """
    endings = (word.removeprefix("-") for word in words["ordinal"])
    return rf"-?{_choice_pattern(tuple(ending for ending in endings if ending))}(?!\w)"


def _ordinal_stop_pattern(words: Mapping[str, tuple[str, ...]]) -> str:
    """Return a pattern for the stop after an ordinal, up to a word that continues the phrase: "12. section".

    That word announces a law or a part, perhaps after a word that joins it. A word that may also stand after its label
    does not count: "B. 2. pont". ``words`` are those of the language, by key of ``[reference]``.
    """
    after = {word.lower() for key in ("law_after", "provision_after") for word in words[key]}
    announcing = tuple(w for key in ("law", "provision") for w in words[key] if w.lower() not in after)
    joiner = _word_and_blank_pattern(words["of"] + words["and"] + words["or"] + words["to"])
    return rf"\.,?\s+(?=(?P<word>\w))(?:{joiner})?(?:{_whole_word_pattern(announcing)})"


def _hyphened_label_pattern(words: Mapping[str, tuple[str, ...]]) -> str:
    """Return a pattern for labels that a hyphen joins to a word after them: "a- eða b-lið".

    In a list each label may end in a hyphen. "16-§" is a range that begins with 16: "§ 12-§ 14".
    """
    step = rf"(?:{NUMBER}|{CAPITAL}|{SMALL}|{LONG_NUMERAL})\)?"
    joiner = _word_and_blank_pattern(words["and"] + words["or"] + words["to"])
    after = (w for w in words["law_after"] + words["provision_after"] if len(w) > 1 and w[0].isalpha())
    return (
        rf"{LABEL_START}(?P<labels>(?:{step}(?:-?, +(?:{joiner})?|-? +(?:{joiner})|-)){{0,9}}{step})-"
        rf"(?P<word>{_choice_pattern(tuple(after))})(?!\w)"
    )


def _same_part_words(words: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The words for "the same" whose noun is a part of a law: "the same section", not "the same Law"."""
    laws, parts = ({w.lower() for key in keys for w in words[key]} for keys in (_LAW_KEYS, _PART_KEYS))
    return tuple(w for w in words["same"] if (noun := w.lower().rpartition(" ")[2]) in parts and noun not in laws)


def _of_before_part_pattern(words: Mapping[str, tuple[str, ...]]) -> str:
    """Return a pattern for a word for "of", a word for "the same" without its noun, or both, one after the other.

    Example: "da mesma" in "n.º 1 da mesma secção C". ``words`` are those of the language, by key of ``[reference]``.
    """
    nouns = {w.lower() for key in _LAW_KEYS + _PART_KEYS for w in words[key]}
    parted = (w.rpartition(" ") for w in words["same"])
    same = _word_and_blank_pattern(tuple(first for first, _, noun in parted if first and noun.lower() in nouns))
    return f"(?:{_word_and_blank_pattern(words['of'])})(?:{same})?|{same}"


@dataclass(frozen=True)
class CitedLabel:
    """One printed label: ``12C1(e)`` has the steps 12, C, 1, e. ``dotted``: it has full stops, 25.1.A.

    ``short`` is the part that is surely label when the rest stands after a blank and may be a word or a count: "C" of
    "C 2".
    """

    steps: tuple[str, ...]
    start: int
    end: int
    dotted: bool = False
    short: CitedLabel | None = None

    @property
    def shape(self) -> tuple[str, ...]:
        """The kind of each step: 1, A or a.

        >>> CitedLabel(("12", "C", "1", "e"), 0, 5).shape
        ('1', 'A', '1', 'a')
        """
        return tuple(map(step_shape, self.steps))

    @property
    def names_law(self) -> bool:
        """Whether it names its law: 16D, 25.1.A. A lone number may be a law or a subsection, so it does not."""
        return self.may_begin_with_law and (self.shape[1:2] == ("A",) or self.dotted)

    @property
    def may_begin_with_law(self) -> bool:
        """Whether its first step may be the number of a law."""
        return self.shape[0] == "1"

    def with_steps_above(self, steps: tuple[str, ...]) -> CitedLabel:
        """Return the label with the steps above it that stand elsewhere in the text; () changes nothing."""
        return replace(self, steps=steps + self.steps)


class LabelContext(Protocol):
    """The words of a language around labels. :class:`Grammar` provides them.

    - ``letters``: words of one letter.
    - ``join``: what joins two labels.
    - ``direction``: "above" and "below" after a label.
    - ``law_after``: a law word after its number ("törvény"); ``after``: any word after its label.
    - ``of_outer``: words after a part that name what the part belongs to ("of Law 16").
    - ``short_word``: a word that begins like a label ("n.º").
    - ``ordinal``: the ending of an ordinal ("1er"); it always matches, perhaps the empty string.
    - ``roman_laws``: the highest law where laws have roman numbers, else 0.
    """

    letters: set[str]
    join: re.Pattern[str]
    direction: re.Pattern[str]
    law_after: re.Pattern[str]
    after: re.Pattern[str]
    of_outer: re.Pattern[str]
    short_word: re.Pattern[str]
    ordinal: re.Pattern[str]
    roman_laws: int


# Single letters and numerals that are labels after a word: "items i and ii".
LONE_NUMERAL = "iii?|iv|viii?|ix"
_FIRST_STEP = re.compile(
    rf"(?P<number>{LAW_NUMBER})(?!\d)(?:\.?[\u00ba\u00aa])?|(?P<capital>{CAPITAL}){NO_LETTER}|{BRACKETED_STEP}|(?P<lower>{SMALL})(?=[.)])"
    rf"|(?P<alone>{SMALL}|{LONE_NUMERAL})(?!\w|'\w)"
)
_NEXT_STEP = re.compile(
    rf"{HALF_BRACKET}{STEP_GAP}(?:{BRACKETED_STEP}|(?P<capital>{CAPITAL}){NO_LETTER}|(?P<digit>{NUMBER})(?!\d)|"
    rf"(?:(?<=[.) \d])(?P<small>{LONG_NUMERAL})|(?P<lower>{SMALL})(?P<roman>{NUMERAL})?){NO_LETTER})"
)
_STEP_END = re.compile(LABEL_END)
# A label in quotes: "буква „а“".
_QUOTED_STEP = re.compile(rf'"(?P<step>{CAPITAL}|{NUMBER}|{SMALL}|{LONG_NUMERAL})\)?"(?!\w)')
_LABEL_ENDING = re.compile(_HYPHEN_ENDING)
# One more step after one without a bracket: "B) 2 b)", "12 C 1 e ii)".
_HALF_STEP = re.compile(rf" (?:{SMALL}|{LONG_NUMERAL})\)")
# Where a label may begin, and what may follow the last label of a phrase.
LABEL_BEGINNING = re.compile(
    rf"{LABEL_START}(?={LAW_NUMBER}(?!\d)|{CAPITAL}{NO_LETTER}|{SMALL}[.)]|\((?:\w|{LONG_NUMERAL})\))"
)
PHRASE_END = re.compile(r"[).;:,\]\"]|$|\n")

_BRACKETS = re.compile(r"[()]")
# Before a bracket: the last step of a label below the law, which may be printed with half a bracket (_LAST_STEP); or
# the mark of an item (_ITEM). After it: the first word of such an item.
_LAST_STEP = re.compile(rf"(?:(?<![\w(])(?:{SMALL}|{CAPITAL}|{LONG_NUMERAL})|{CAPITAL}\)?[. ]{{0,2}}{NUMBER})\Z")
_ITEM = re.compile(rf"[;,.:)] (?:{SMALL}|{CAPITAL}|{NUMBER}|{LONG_NUMERAL})\Z")
_WORD = re.compile(r" [^\W\d_]{2}")
_LONGEST_BRACKET = 400
_MOST_STEPS = 12  # steps of a label; the laws have five, and a line of brackets is no label
# Capitals after a blank and a number that make the number part of a bid: "C 3 NT".
_BID_DENOMINATION = re.compile(r" [A-Z]{2,3}(?!\w)")
# Small letters that are a word in hardly any language. After a blank they may continue a label: "12 C 1 b says".
CONSONANTS = "bcdfgh"
_ROMAN_STEP = re.compile(rf"(?:{LONE_NUMERAL})(?!\w)")
_LETTER = re.compile(rf"{SMALL}(?!\w)")
_ROMAN_LAW = re.compile(ROMAN_LAW)


def read_label(
    text: str, at: int, around: LabelContext, intro: str, after: CitedLabel | None = None
) -> CitedLabel | None:
    """The label at ``at``, or None.

    ``intro`` says what stands before it: a law or provision word, "see", "in", or nothing ("bare"). ``after`` is the
    label before it in a list. After a provision word or in a list a single lower-case letter is a label too: 12C1b, c.
    """
    if around.short_word.match(text, at):
        return None
    if intro in ("law", "provision") and (quoted := _QUOTED_STEP.match(text, at)):
        return CitedLabel((quoted["step"],), at, quoted.end())
    return _read_unquoted_label(text, at, around, intro, after)


def _read_unquoted_label(
    text: str, at: int, around: LabelContext, intro: str, after: CitedLabel | None
) -> CitedLabel | None:
    """Return the label that begins at ``at`` without a quotation mark, or None. Parameters: as :func:`read_label`."""
    if (
        intro == "law"
        and around.roman_laws
        and (match := _ROMAN_LAW.match(text, at))
        and 0 < read_roman(match["number"]) <= around.roman_laws
    ):
        steps = [str(read_roman(match["number"]))]
    elif match := _FIRST_STEP.match(text, at):
        steps = [next(group for group in match.groups() if group)]
        if steps == ["0"]:
            return None
        if letter := match["alone"]:
            follows = (
                after is not None
                and after.shape[-1] == "a"
                and len(after.steps[-1]) == len(letter) == 1
                and after.steps[-1] < letter
            )
            join = intro in ("provision", "in", "see") and around.join.match(text, match.end())
            # "items i and ii", "punti a e b"
            listed = join and not join["soft"] and _is_further_letter(letter, text, join.end())
            if (letter in around.letters and not (listed and intro == "provision")) or not (
                intro == "provision" or listed or follows or (after and len(letter) > 1)
            ):
                return None
    else:
        return None
    end, gaps = _first_step_end(match, text, around), list[str]()
    sure: tuple[tuple[str, ...], int, tuple[str, ...]] | None = None
    while len(steps) < _MOST_STEPS and (step := _NEXT_STEP.match(text, end)):
        if _belongs_to_next_word(text, step, around):
            break
        printed = [s for s in step.group("inside", "capital", "digit", "small", "lower", "roman") if s]
        if _is_step_after_gap(text, steps, step, intro, around):
            sure = sure or (tuple(steps), end, tuple(gaps))
        elif (
            (step["half"] and not _is_bracketed_after_half_bracket(text, step))
            or step["gap"] == ". "
            or not _is_next_step(steps, step, gaps)
            or (step["gap"] and _is_capital_word(text, at, step["capital"], around))
        ):
            break
        steps += printed
        gaps.append(step["gap"])
        end = step.end()
    short = _complete_label(text, match.start(), intro, *sure) if sure else None
    return _complete_label(text, match.start(), intro, tuple(steps), end, tuple(gaps), short) or short


def _belongs_to_next_word(text: str, step: re.Match[str], around: LabelContext) -> bool:
    """Whether what looks like a step belongs to a word after it, as 16 does in "section B 16 §", or begins a word, as т
    does in "чл. 12 т. 1".

    ``step`` is the match of the step.
    """
    if step["lower"]:
        return bool(around.short_word.match(text, step.start("lower")))
    return bool(step["digit"] and " " in step["gap"] and around.law_after.match(text, step.end()))


def _complete_label(
    text: str,
    start: int,
    intro: str,
    steps: tuple[str, ...],
    end: int,
    gaps: tuple[str, ...],
    short: CitedLabel | None = None,
) -> CitedLabel | None:
    """Return the label ``text[start:end]`` with these steps; None when ``end`` is inside a word or number.

    A closing bracket at ``end`` belongs to the label when none is open. ``gaps`` is what stands between the steps.
    ``short``: as in :class:`CitedLabel`.
    """
    if text[end - 1] != ")" and _is_unopened_bracket(text, end):
        end += 1  # printed like the label it names: "3)", "b)"
    ending = len(steps) > 1 or (steps[0].isupper() and intro != "bare")
    whole = _STEP_END.match(text, end) or (ending and _LABEL_ENDING.match(text, end))
    return CitedLabel(steps, start, end, "." in gaps, short) if whole else None


def _first_step_end(first: re.Match[str], text: str, around: LabelContext) -> int:
    """Return the offset where the first step of a label ends, including the ending of an ordinal: "1er".

    ``first`` is the match of the step.
    """
    ending = around.ordinal.match(text, first.end()) if first["number"] else None
    return ending.end() if ending else first.end()


def _is_further_letter(letter: str, text: str, at: int) -> bool:
    """Whether the next label of a list begins at ``at``, after a letter that may be a word: ii after i, b after a."""
    return bool(_ROMAN_STEP.match(text, at)) or bool((match := _LETTER.match(text, at)) and match[0] > letter)


def _is_bracketed_after_half_bracket(text: str, step: re.Match[str]) -> bool:
    """Whether a step in brackets stands after a step with half a bracket: "c) (ii)".

    All of it may stand in brackets too: "(B1 c) (ii))".
    """
    parted = step["gap"] == " " and bool(step["inside"])
    return parted and (_is_unopened_bracket(text, step.start()) or _is_unopened_bracket(text, step.end()))


def _is_unopened_bracket(text: str, at: int) -> bool:
    """Whether the bracket at ``at`` has no opening bracket in its line, within the length of a sentence in brackets.

    Of several brackets that could close the same one, the last does: those after a and b in "(Law 12 C 1 a), b))" are
    half brackets.
    """
    if text[at : at + 1] != ")":
        return False
    back = max(0, at - _LONGEST_BRACKET)
    start = max(back, text.rfind("\n", back, at) + 1)
    depth = 0
    for match in _BRACKETS.finditer(text, start, at + 1):
        place = match.start()
        if match[0] == "(":
            depth += 1
        elif place == at:
            break
        elif not (
            depth and _LAST_STEP.search(text, start, place) and _closes_unopened_brackets(text, place + 1, depth)
        ):
            depth = max(0, depth - 1)
    return not depth or (bool(_LAST_STEP.search(text, start, at)) and _closes_unopened_brackets(text, at + 1, depth))


def _closes_unopened_brackets(text: str, at: int, wanted: int) -> bool:
    """Whether at least ``wanted`` brackets close after ``at`` that were not opened after ``at``.

    The bracket of an item's mark, "; b)", does not count.
    """
    end = text.find("\n", at, at + _LONGEST_BRACKET)
    depth = 0
    for match in _BRACKETS.finditer(text, at, end if end >= 0 else min(len(text), at + _LONGEST_BRACKET)):
        if match[0] == "(":
            depth += 1
        elif depth > 0:
            depth -= 1
        elif not (_ITEM.search(text, at - 1, match.start()) and _WORD.match(text, match.end())):
            wanted -= 1
            if not wanted:
                return True
    return False


def _is_step_after_gap(  # noqa: PLR0911 – each return is one way of printing
    text: str, steps: list[str], step: re.Match[str], intro: str, around: LabelContext
) -> bool:
    """Whether one more step may belong to the label although a blank or half a bracket stands before it.

    ``steps`` are the steps of the label so far, ``step`` is the match of the next one. Examples: C 2, 12 C 1 e, C) 2).
    """
    before, end = steps[-1], step.end()
    half = _is_unopened_bracket(text, end)
    if step["inside"] or step["capital"]:
        return False
    listed = (
        step["digit"] and before.isupper() and any(p.match(text, end) for p in (PHRASE_END, around.join, _HALF_STEP))
    )
    if step["half"] and not (
        _is_unopened_bracket(text, step.start())
        and (half or listed)
        and (len(steps) > 1 or not before.isdigit() or step["lower"])
    ):
        return False
    if step["gap"] == ". ":
        closed = half or _HALF_STEP.match(text, end) is not None
        return closed and before.isdigit() and bool(step["lower"]) and len(steps) > 1 and not step["half"]
    if not step["half"] and step["gap"] != " ":
        return False
    if step["digit"]:
        word = intro in ("bare", "in") and may_be_word(text, step.start() - 1, around)
        return (
            before.isupper()
            and (step["half"] != "" or len(steps) == 1)
            and not word
            and not _BID_DENOMINATION.match(text, end)
        )
    if before.islower():
        # "B 1 c ii"
        numeral = not step["half"] and bool(_ROMAN_STEP.match(text, end - len(step["small"] or "")))
        if step["small"] and numeral and len(steps) > 1 and PHRASE_END.match(text, end):
            return True
        return half and bool(step["small"] or step["lower"] in tuple("ivx")) and not step["roman"]
    if not before.isdigit() or step["small"] or step["roman"]:
        return False
    if len(steps) == 1:
        words = any(p.match(text, end) for p in (around.direction, around.after))
        return half or (step["lower"] not in around.letters and words)
    return half or _is_label_letter(text, end, step["lower"], around)


def _is_label_letter(text: str, end: int, letter: str, around: LabelContext) -> bool:
    """Whether a letter after a blank is a label and no word: "12 C 1 e.", "12 C 1 a or b"; not "12 C 1 a player".

    ``end`` is the offset after the letter.
    """
    if letter in around.letters:
        return text[end : end + 1] in (".", ";")
    return letter in CONSONANTS or any(
        p.match(text, end) for p in (PHRASE_END, around.direction, around.join, around.of_outer, _HALF_STEP)
    )


def may_be_word(text: str, at: int, around: LabelContext) -> bool:
    """Whether the single letter at ``at`` may be a word of the language. A capital in the middle of a sentence is none.

    "A 2 giocatori …" may mean "to 2 players", "come in A 2" means A2.
    """
    if text[at].lower() not in around.letters:
        return False
    before = text[:at].rstrip(" (\"'")
    return not text[at].isupper() or not before or before[-1] in ".:;!?\n" or before[-1].isupper()


def _is_capital_word(text: str, at: int, capital: str | None, around: LabelContext) -> bool:
    """Whether a capital after a blank is a word and no step of the label that begins at ``at``.

    In "PRAVIDLÁ 16 A 17" it is a word that joins two laws, in "pravidlo 16 A 2" it is a step.
    """
    return capital is not None and capital.lower() in around.letters and text[max(0, at - 3) : at].isupper()


def _is_next_step(steps: list[str], step: re.Match[str], gaps: list[str]) -> bool:
    """Whether ``step``, the match of what may be one more step, belongs to the label that begins with ``steps``.

    ``gaps`` is what stands between the steps so far: nothing, a full stop, or a blank as in 16 D 2.
    """
    before = steps[-1]
    if step["gap"] == " ":
        if step["inside"]:
            return len(steps) > 1 or not before.isdigit()
        if step["capital"]:
            return len(steps) == 1 and before.isdigit()
        return bool(step["digit"]) and gaps[-1:] == [" "]
    if step["capital"]:
        return all(s.isdigit() for s in steps)
    if step["digit"]:
        return step["gap"] == "." or (not before.isdigit() and before.isupper())
    return True


def can_be_range(first: CitedLabel, last: CitedLabel) -> bool:
    """Whether two labels can be the ends of a range: 69–71, A–E, 12C1b–d; not "16 - 3 cards"."""
    return len(last.steps) in (1, len(first.steps)) and can_end_range(first.steps[-1], last.steps[-1])
