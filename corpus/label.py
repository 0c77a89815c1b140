"""Labels and citations: how provisions are numbered, how labels are printed, and what a person types for one.

Three modes differ in how strictly they read. Print mode reads a label at the start of a line: :class:`Level` declares
the templates, :class:`LabelParser` reads. Text mode, in running text, is in :mod:`corpus.reference.grammar`; its
patterns are here. Query mode reads what a person types, however spelt: :func:`read_citation_paths` and
:func:`read_range` return paths.

In a query the meaning of a letter follows from what it stands after: after a law a section, after a number a clause,
after a clause a small roman number. Where two readings are possible ("12C1ii") both are returned, because only the
editions can decide. No number is changed or guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Annotated, Literal

from corpus.language import Language
from corpus.letters import fold
from corpus.model import NumberedKind
from corpus.schema import Fault, text_rule, values_by_key

# ── Ordinals and steps ──────────────────────────────────────────────────────────────────────────

_NUMERALS = ((100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))


def write_roman(number: int) -> str:
    """Return a number in small roman numerals.

    >>> write_roman(4), write_roman(93)
    ('iv', 'xciii')
    """
    out = ""
    for value, sign in _NUMERALS:
        while number >= value:
            out, number = out + sign, number - value
    return out


# Numerals that may be a step of a path. No edition prints a longer list of subclauses.
ROMAN_STEPS = tuple(write_roman(n) for n in range(1, 40))
_ROMAN_VALUES = {write_roman(n): n for n in range(1, 400)}


def read_roman(text: str) -> int:
    """The number of a roman numeral in either case; 0 for letters that are no numeral.

    >>> read_roman("XIV"), read_roman("iiii")
    (14, 0)
    """
    return _ROMAN_VALUES.get(text.lower(), 0)


@dataclass(frozen=True)
class OrdinalSign:
    """A way of counting: the pattern of an ordinal at the start of a line, and the conversions to and from a number.

    ``write`` makes the ordinal of a number. ``read`` makes the number of an ordinal, and 0 for other letters.
    """

    pattern: str
    write: Callable[[int], str]
    read: Callable[[str], int]


# Keys: the sign that stands for the ordinal in a template.
ORDINAL_SIGNS = {
    "1": OrdinalSign(r"\d{1,3}", str, int),
    "A": OrdinalSign("[A-Z]", lambda n: chr(64 + n), lambda s: ord(s) - 64),
    "a": OrdinalSign("[a-z]", lambda n: chr(96 + n), lambda s: ord(s) - 96),
    "i": OrdinalSign("[ivxl]{1,6}", write_roman, read_roman),
    "I": OrdinalSign("[IVXLC]{1,8}", lambda n: write_roman(n).upper(), read_roman),
}

# One step of a label in running text. A single i, v or x counts as a letter; its place in the tree decides later.
LAW_NUMBER, NUMBER, CAPITAL, SMALL, NUMERAL, LONG_NUMERAL = (
    r"\d{1,3}",
    r"\d{1,2}",
    "[A-Z]",
    "[a-z]",
    "[ivx]{1,5}",
    "[ivx]{2,5}",
)
BRACKETED_STEP = rf"\((?P<inside>{CAPITAL}|{NUMBER}|{SMALL}|{LONG_NUMERAL})\)"
NO_LETTER = r"(?![^\W\d_])"
# The number of a law in roman numerals, in editions that count them so.
ROMAN_LAW = rf"(?P<number>{ORDINAL_SIGNS['I'].pattern})(?!\w)"


def step_shape(step: str) -> str:
    """The kind of a step: 1, A or a.

    >>> step_shape("12"), step_shape("C"), step_shape("ii")
    ('1', 'A', 'a')
    """
    return "1" if step.isdecimal() else "A" if step.isupper() else "a"


# The pattern of a whole path of a provision: 12/C/1/e/ii, 35/1/a, 3/1/A/i, 17/1/iv.
PATH_PATTERN = rf"\d+((/{CAPITAL})?(/\d+)?|/\d+/{CAPITAL})(/{SMALL})?(/[ivxl]+)?"

# ── Between and around steps ────────────────────────────────────────────────────────────────────

# Print mode: what may stand after each step of a label that repeats its parent's ("3.1.A.").
AFTER_PRINTED = r"[.\s-]?"
# Text mode: half a bracket, and one of these signs. With more signs, scores and times would read as labels.
HALF_BRACKET, STEP_GAP = r"(?P<half>\)?)", r"(?P<gap>\. |[. ]?)"
# Query mode: anything that a person types between two steps, except a comma, which separates citations. Between two
# numbers a dash or colon means something else: a range, a time.
TYPED_GAP, TYPED_GAP_OF_NUMBERS = re.compile(r"[\s.:/()\[\]-]*"), re.compile(r"[\s./()\[\]]+")
TYPED_BEFORE, TYPED_AFTER = " §#([", " .,:;/)]?!-"
RANGE_DASH = re.compile(r"\s*-\s*")

# In running text no label begins after or ends before these signs: they mark numbers, measures, suits, times, and
# laws of other texts with their year ("Law 10/2031").
LABEL_START = r"(?<![\w.,:/♠♥♦♣+-])"
LABEL_END = r"(?!\w|[.,:]\d|/\d{3}| ?[%°♠♥♦♣]|- ?[^\W\d_]{2})"

# A citation as a subject index prints it, without blanks: 16B1a(ii).
COMPACT_CITATION = rf"{LAW_NUMBER}(?:{CAPITAL}\d{{0,2}}(?:{SMALL}(?:\([ivx]+\))?)?)?"


def paths_strictly_between(first: str, last: str) -> list[str]:
    """The paths strictly between two siblings; [] for paths that are no siblings.

    >>> paths_strictly_between("47/A", "47/D"), paths_strictly_between("16/A", "17/C")
    (['47/B', '47/C'], [])
    >>> paths_strictly_between("12/C/1/e/i", "12/C/1/e/iv")
    ['12/C/1/e/ii', '12/C/1/e/iii']
    """
    (base, _, a), (other, _, b) = first.rpartition("/"), last.rpartition("/")
    if base != other or step_shape(a) != step_shape(b):
        return []
    if a.isdecimal():
        steps = [str(n) for n in range(int(a) + 1, int(b))]
    elif a in ROMAN_STEPS and b in ROMAN_STEPS:
        steps = list(ROMAN_STEPS[ROMAN_STEPS.index(a) + 1 : ROMAN_STEPS.index(b)])
    elif len(a) == len(b) == 1:
        steps = [chr(n) for n in range(ord(a) + 1, ord(b))]
    else:
        steps = []
    return [f"{base}/{step}" if base else step for step in steps]


def can_end_range(first: str, last: str) -> bool:
    """Whether two steps can be the ends of a range: 69–71, A–E, b–d, ii–iv; not 7–2.

    >>> can_end_range("69", "71"), can_end_range("b", "d"), can_end_range("7", "2"), can_end_range("A", "d")
    (True, True, False, False)
    """
    if step_shape(first) != step_shape(last):
        return False
    if first.isdecimal():
        return int(first) < int(last)
    if len(first) > 1 or len(last) > 1:
        return 0 < read_roman(first) < read_roman(last)
    return first < last


# ── Look-alike characters ───────────────────────────────────────────────────────────────────────

_BLANKS = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t\v\f"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63"
_QUOTES = "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033"
_APOSTROPHES = "\u2018\u2019\u201a\u201b\u2032"
_CYRILLIC = dict(zip("АВСЕНІЈКМОРЅТХУасеіјорѕху", "ABCEHIJKMOPSTXYaceijopsxy", strict=True))
_GREEK = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEZHIKMNOPTYXo", strict=True))
_COMMA_BELOW = dict(zip("\u015e\u015f\u0162\u0163", "\u0218\u0219\u021a\u021b", strict=True))  # cedillas of older fonts
_FULL_WIDTH = {chr(n): chr(n - 0xFEE0) for n in range(0xFF01, 0xFF5F)}

_LOOKALIKES = str.maketrans(
    {
        **dict.fromkeys(_BLANKS, " "),
        **dict.fromkeys(_DASHES, "-"),
        **dict.fromkeys(_QUOTES, '"'),
        **dict.fromkeys(_APOSTROPHES, "'"),
        **_CYRILLIC,
        **_GREEK,
        **_COMMA_BELOW,
        **_FULL_WIDTH,
    }
)


def replace_lookalikes(text: str) -> str:
    r"""The text with plain blanks, dashes and quotes, and Latin for letters that look Latin. The length stays the same.

    >>> replace_lookalikes("16\u0412\u00a0–\uff11")
    '16B -1'
    """
    return text.translate(_LOOKALIKES)


# ── Labels as printed ───────────────────────────────────────────────────────────────────────────


_PREFIX = (
    rf"(?P<prefix>{LAW_NUMBER}{AFTER_PRINTED}(?:\(?(?:{CAPITAL}|{SMALL}|{NUMBER}|{NUMERAL})\)?{AFTER_PRINTED}){{0,5}}?)"
)
_TOKEN = re.compile(r"HEADING|Heading|[^\W\d_]{2,}|\d+|.")  # a piece of a template
_TITLE_WORDS = ("HEADING", "Heading")


@dataclass(frozen=True)
class Level:
    """One depth of numbering: its kind, the templates of its labels, its headings, and the sign class of its path step.

    ``heading``: ``auto`` (decided by the layout), ``with-text`` (the same, but words that only introduce labelled
    children are text), ``none`` (the words after the label are always text), ``next-line`` (laws only: the line after
    the label). ``count``: the sign class of the path step (``A``, ``1``, ``a``, ``i``) when the edition prints another
    one. ``inline``: items of this level also run on inside a sentence. ``letters``: the letters in their order, when
    they are not those from a to z ("абвгд"); the path counts a, b, c all the same.
    """

    kind: NumberedKind
    labels: tuple[str, ...]
    heading: Literal["auto", "with-text", "none", "next-line"] = "auto"
    count: Literal["", "1", "A", "a", "i"] = ""
    inline: bool = False
    letters: Annotated[str, text_rule(r"[^\W\d_]{0,26}", 'up to 26 letters in their order, like "абвгдежз"')] = ""

    @property
    def sign(self) -> str:
        """The sign that stands for a way of counting the path steps (``1``, ``A``, ``a``, ``i``): ``count``, or else
        that of the first template.
        """
        return self.count or template_sign(self.labels[0]).replace("I", "1")

    def check(self) -> Iterator[Fault]:
        """Check that there are templates and that each can be read."""
        if not self.labels:
            yield Fault("A level without labels.", 'Write its label as printed, like ["A."].', ("labels",))
        for n, template in enumerate(self.labels):
            try:
                compile_template(template, self.letters)
            except (ValueError, re.error) as error:
                move = "Write the label as printed, with 1, A, a, i or I where the ordinal stands."
                yield Fault(str(error), move, ("labels", n), template)

    def path_step(self, ordinal: int) -> str:
        """The path step of the n-th label of this level."""
        return ORDINAL_SIGNS[self.sign].write(ordinal)

    def format_label(self, ordinal: int) -> str:
        """The n-th label of this level as its first template prints it.

        >>> Level("clause", ("(a)",)).format_label(3)
        '(c)'
        """
        sign = template_sign(self.labels[0])
        if self.letters and sign in "Aa":
            number = (self.letters.upper() if sign == "A" else self.letters.lower())[ordinal - 1 : ordinal]
        else:
            number = ORDINAL_SIGNS[sign].write(ordinal)
        tokens = (t for t in _split_template(self.labels[0]) if t != "^" and t not in _TITLE_WORDS)
        return "".join(number if t == sign else t for t in tokens).strip()


@dataclass(frozen=True)
class Label:
    """A label at the start of a text: ``text[start:end]`` is its print; the words that it labels begin at ``after``.

    ``prefix`` is the label of its parent, where the print repeats that.
    """

    start: int
    end: int
    after: int
    ordinal: int
    prefix: str = ""


def _split_template(template: str) -> list[str]:
    return [match[0] for match in _TOKEN.finditer(template)]


def template_sign(template: str) -> str:
    """The sign of the ordinal in a template: ``1``, ``A``, ``a``, ``i`` or ``I``. Raises ValueError when it has none.

    >>> template_sign("LAW 1 — HEADING"), template_sign("(i)"), template_sign("^A.")
    ('1', 'i', 'A')
    """
    found = next((t for t in _split_template(template) if t in ORDINAL_SIGNS), None)
    if not found:
        raise ValueError(f"The label template “{template}” has none of the signs {', '.join(ORDINAL_SIGNS)}.")
    return found


def compile_template(template: str, letters: str = "") -> re.Pattern[str]:
    """The pattern of a template, matched at the start of a text. Raises ValueError for a wrong template.

    Its groups are ``label``, ``n`` (the ordinal) and perhaps ``heading`` and ``prefix``. ``letters``: as in
    :class:`Level`.
    """
    sign = template_sign(template)
    ordinal = ORDINAL_SIGNS[sign].pattern
    if letters and sign in "Aa":
        ordinal = "[" + re.escape(letters.upper() if sign == "A" else letters.lower()) + "]"
    tokens = _split_template(template)
    title = next((t for t in tokens if t in _TITLE_WORDS), None)
    if (title and tokens[-1] != title) or sum(t in _TITLE_WORDS for t in tokens) > 1:
        raise ValueError(f"In the label template “{template}” the title must stand once, at the end.")
    if tokens.count("^") > 1 or ("^" in tokens and tokens[0] != "^"):
        raise ValueError(f"In the label template “{template}” the sign ^ must stand once, at the start.")
    signs = {"^": _PREFIX} | dict.fromkeys(_TITLE_WORDS, r")\s*(?P<heading>[^\s\d].*)") | dict.fromkeys("-–—", r"[-–—]")
    first = tokens.index(sign)
    body = "".join(
        f"(?P<n>{ordinal})" if n == first else r"\s*" if t.isspace() else signs.get(t) or re.escape(t)
        for n, t in enumerate(tokens)
    )
    # A closing bracket separates a label from its text even where the blank after it was lost.
    end = r"(?=\s|$|(?<=[)\]])(?=[^\W\d_]))" if tokens[-1] in ")]" else r"(?=\s|$)"
    return re.compile(r"\s*(?P<label>" + (body if title else body + ")" + end))


def read_ordinal(sign: str, printed: str, letters: str = "") -> int:
    """The number of a printed ordinal; 0 for letters that are no roman numeral.

    ``sign`` is the sign of its template, ``letters`` are those of its :class:`Level`.
    """
    if letters and sign in "Aa":
        return letters.lower().index(printed.lower()) + 1
    return ORDINAL_SIGNS[sign].read(printed)


class LabelParser:
    """Reads labels of one level at the start of a text."""

    def __init__(self, level: Level):
        self.level = level
        self.forms = [(template_sign(t), "HEADING" in t, compile_template(t, level.letters)) for t in level.labels]
        self.has_title = any(title in t for t in level.labels for title in _TITLE_WORDS)

    def parse(self, text: str) -> Label | None:
        """The label that a text starts with, or None. ``after`` is the start of the title, if the template has one."""
        for sign, capitals, pattern in self.forms:
            match = pattern.match(text)
            if not match:
                continue
            ordinal = read_ordinal(sign, match["n"], self.level.letters)
            groups = match.groupdict()
            heading = groups.get("heading")
            if not ordinal or (capitals and not is_mostly_capitals(heading or "")):
                continue
            after = match.start("heading") if heading else match.end()
            return Label(match.start("label"), match.end("label"), after, ordinal, groups.get("prefix") or "")
        return None


def is_mostly_capitals(text: str) -> bool:
    """Whether a title is in capitals, apart from a few small letters (a conjunction, the sign of a note)."""
    letters = [c for c in text if c.isalpha()]
    return len(letters) >= 3 and sum(c.isupper() for c in letters) >= 0.8 * len(letters)


# ── Citations as typed ──────────────────────────────────────────────────────────────────────────

_QUERY_PIECE = re.compile(r"\d+|[^\W\d_]+|[\W_]+")
_BEFORE_QUERY, _AFTER_QUERY = re.compile(rf"[{re.escape(TYPED_BEFORE)}]*"), re.compile(rf"[{re.escape(TYPED_AFTER)}]*")


@dataclass(frozen=True)
class CitationWords:
    """Folded words of all languages that may stand beside labels in a typed citation.

    ``law``, ``point``, ``note``, ``chapter`` say what is cited. ``number`` announces a number ("nr"). ``level`` names a
    step inside a citation ("12 C pkt 1 lit. e"). ``joiner`` joins citations or introduces them ("i", "zobacz").
    ``about`` stands between a point and its subject ("decyzja do 12C"). ``numbers`` are beginnings of numbers in words
    ("sixt:60"), ``letter_names`` names of letters ("ef:F"). ``spelled`` say nothing beside a letter ("small"),
    ``roman`` makes a Roman numeral of a number. ``code`` are words for a code of laws. ``thousand`` are beginnings of
    the words for the thousands and hundreds of a year ("tysiąc"). ``counted`` are things that numbers count
    ("52 karty").
    """

    law: frozenset[str] = frozenset()
    point: frozenset[str] = frozenset()
    note: frozenset[str] = frozenset()
    chapter: frozenset[str] = frozenset()
    number: frozenset[str] = frozenset()
    level: frozenset[str] = frozenset()
    joiner: frozenset[str] = frozenset()
    about: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    letter_names: frozenset[str] = frozenset()
    spelled: frozenset[str] = frozenset()
    roman: frozenset[str] = frozenset()
    code: frozenset[str] = frozenset()
    thousand: frozenset[str] = frozenset()
    counted: frozenset[str] = frozenset()

    @classmethod
    def from_languages(cls, languages: Iterable[Language]) -> CitationWords:
        """The words of the language files: ``[search]``, and the law words of ``[reference]``."""
        keys = {"note": ("footnote",), "joiner": ("cited_joiners", "stopwords")}
        out: dict[str, set[str]] = {field.name: set() for field in fields(cls)}
        for language in languages:
            search = values_by_key(language.search)
            for name, found in out.items():
                found |= {_normalise_word(w) for key in keys.get(name, (name,)) for w in search.get(key, ())}
            out["law"] |= {_normalise_word(w) for key in ("law", "law_after") for w in language.reference_words(key)}
        return cls(**{name: frozenset(found - {""}) for name, found in out.items()})


NO_CITATION_WORDS = CitationWords()


def _normalise_word(printed: str) -> str:
    """A word in the form in which a piece of a query is compared with it: "Art." → "art". What stands after a colon is
    kept.
    """
    printed, colon, value = printed.partition(":")
    if colon:
        return f"{_normalise_word(printed)}:{value}"
    return fold(replace_lookalikes(printed)).strip(" .'§")


def read_citation_paths(text: str, words: CitationWords = NO_CITATION_WORDS) -> tuple[str, ...]:
    """Return the paths that one citation may mean, the likeliest first; () when the text is not only a citation.

    ``words`` are those that may stand beside the labels.

    >>> [read_citation_paths(text) for text in ("27b1a", "12 C 1 (e)(ii)", "35.1", "70-E-2")]
    [('27/B/1/a',), ('12/C/1/e/ii',), ('35/1',), ('70/E/2',)]
    >>> read_citation_paths("12C1ii"), read_citation_paths("7-2")
    (('12/C/1/ii', '12/C/1/i/i'), ())
    """
    found: list[tuple[str, ...]] = []
    gap, gaps, worded = "", [], False
    for piece in _QUERY_PIECE.findall(replace_lookalikes(text)):
        if not (piece.isalpha() or piece.isdecimal()):
            gap += piece
            continue
        if not found:
            if not _BEFORE_QUERY.fullmatch(gap.lstrip(".:") if worded else gap):
                return ()
            if piece.isdecimal() and len(piece) < 4:
                found, worded = [(str(int(piece)),)], False
            elif fold(piece) in words.law | words.point | words.number:
                worded = True
            else:
                return ()
        elif longer := [steps + more for steps in found for more in _further_steps(steps, piece, gap)]:
            found, worded = longer, False
            gaps.append(gap)
        elif len(piece) > 1 and fold(piece) in words.level | words.number and TYPED_GAP.fullmatch(gap):
            worded = True
        else:
            return ()
        gap = ""
    if worded or not _AFTER_QUERY.fullmatch(gap) or not _uses_dashes_evenly(gaps):
        return ()
    return tuple("/".join(steps) for steps in found)


def _uses_dashes_evenly(gaps: list[str]) -> bool:
    """Whether dashes stand between all steps of a citation, or at most between the first two.

    ``gaps`` are the signs between the steps, in order. Even: 12-C-1, 16-C2. Not even: 16A-17C, which is two labels.
    """
    dashes = ["-" in gap for gap in gaps]
    return not any(dashes[1:]) or all(dashes)


def read_range(text: str, words: CitationWords = NO_CITATION_WORDS) -> tuple[str, ...]:
    """The paths of a range of siblings, both ends included; () when the text is not only a range.

    >>> read_range("12C1b–d"), read_range("27B1-27B3"), read_range("30–32"), read_range("7-2")
    (('12/C/1/b', '12/C/1/c', '12/C/1/d'), ('27/B/1', '27/B/2', '27/B/3'), ('30', '31', '32'), ())
    """
    plain = replace_lookalikes(text)
    for dash in RANGE_DASH.finditer(plain):
        for first in read_citation_paths(plain[: dash.start()], words):
            above, _, step = first.rpartition("/")
            right = plain[dash.end() :]
            for last in (
                *read_citation_paths(right, words),
                *(read_citation_paths(f"{above}/{right}", words) if above else ()),
            ):
                base, _, end = last.rpartition("/")
                if base == above and can_end_range(step, end):
                    return first, *paths_strictly_between(first, last), last
    return ()


def may_be_steps(letters: str) -> bool:
    """Whether letters may be steps: one letter, a roman numeral, or a clause with its subclause ("eii")."""
    return letters.isascii() and (len(letters) == 1 or _is_roman(letters) or _is_roman(letters[1:]))


def _is_roman(letters: str) -> bool:
    return letters.lower() in ROMAN_STEPS


def _further_steps(  # noqa: PLR0911 – each return is one kind of step
    steps: tuple[str, ...], piece: str, gap: str
) -> list[tuple[str, ...]]:
    """Return the ways to read a piece of a query as the next steps after ``steps``; [] when there is no way.

    Each way is a tuple of one or two steps ("eii"). ``gap`` holds the signs before the piece.
    """
    before, small = step_shape(steps[-1]), piece.lower()
    if piece.isdecimal():
        apart = TYPED_GAP_OF_NUMBERS if before == "1" else TYPED_GAP
        below = (before == "A" and len(steps) == 2) or (before == "1" and len(steps) == 1)
        return [(str(int(piece)),)] if below and len(piece) < 3 and apart.fullmatch(gap) else []
    if not may_be_steps(piece) or not TYPED_GAP.fullmatch(gap):
        return []
    if len(steps) == 1:
        return [(piece.upper(),)] if len(piece) == 1 else []
    if before == "a" or (before == "A" and len(steps) == 3):
        return [(small,)] if _is_roman(piece) and len(steps[-1]) == 1 and step_shape(steps[-2]) != "a" else []
    if before == "A":
        return [(piece,)] if len(piece) == 1 and piece.islower() else []
    # Points count 3.1.A, laws 35.1(a): here only the case that was typed decides.
    first = piece[0] if len(steps) == 2 else small[0]
    if len(piece) == 1:
        return [(first,)]
    return [(small,)] * _is_roman(piece) + [(first, small[1:])] * _is_roman(piece[1:])
