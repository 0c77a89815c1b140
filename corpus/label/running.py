"""Text mode: the label that stands at a place of a running text, where any letter may be a word and any number a count.

Whether a label is a reference, and where it leads, is not asked here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

from corpus.label.grammar import (
    BRACKETED,
    CAPITAL,
    END,
    GAP,
    HALF,
    LAW,
    NO_LETTER,
    NUMBER,
    NUMERAL,
    NUMERALS,
    ROMAN_LAW,
    SMALL,
    START,
    read_roman,
    rises,
    shape,
)


@dataclass(frozen=True)
class Label:
    """One printed label: ``12C1(e)`` has the steps 12, C, 1, e. ``dotted``: with full stops, 25.1.A.

    ``short``: what is surely label when the rest stands after a blank and may be a word or a count: "C" of "C 2".
    """

    steps: tuple[str, ...]
    start: int
    end: int
    dotted: bool = False
    short: Label | None = None

    @property
    def shape(self) -> tuple[str, ...]:
        """The kind of each step: 1, A or a.

        >>> Label(("12", "C", "1", "e"), 0, 5).shape
        ('1', 'A', '1', 'a')
        """
        return tuple(map(shape, self.steps))

    @property
    def numbered(self) -> bool:
        """Whether it names its law: 16D, 25.1.A. A lone number may be a law or a subsection."""
        return self.shape[0] == "1" and (self.shape[1:2] == ("A",) or self.dotted)


class Surroundings(Protocol):
    """What a language says around labels: words of one letter, what joins two labels, what follows a label ("above"),
    a law word after its number ("törvény"), a part before what it is a part of ("of Law 16"), the ending of an ordinal
    ("1er"), which matches everywhere, perhaps nothing.

    ``roman_laws``: the highest law, where laws have roman numbers; else 0.
    """

    letters: set[str]
    join: re.Pattern[str]
    direction: re.Pattern[str]
    law_after: re.Pattern[str]
    after: re.Pattern[str]
    of_outer: re.Pattern[str]
    ordinal: re.Pattern[str]
    roman_laws: int


# Single letters and numerals that a word before them makes labels: "items i and ii".
_ALONE = "iii?|iv|viii?|ix"
_FIRST = re.compile(
    rf"(?P<number>{LAW})(?!\d)(?:\.?[\u00ba\u00aa])?|(?P<capital>{CAPITAL}){NO_LETTER}|{BRACKETED}|(?P<lower>{SMALL})(?=[.)])"
    rf"|(?P<alone>{SMALL}|{_ALONE})(?!\w)"
)
_STEP = re.compile(
    rf"{HALF}{GAP}(?:{BRACKETED}|(?P<capital>{CAPITAL}){NO_LETTER}|(?P<digit>{NUMBER})(?!\d)|"
    rf"(?:(?<=[.) \d])(?P<small>{NUMERALS})|(?P<lower>{SMALL})(?P<roman>{NUMERAL})?){NO_LETTER})"
)
_END = re.compile(END)
# What grammar hangs on a label: "B2-ben", "C1-hez".
_ENDING = re.compile(r"-[^\W\d_A-Z]{2,4}(?!\w)")
# One more step after one without a bracket: "B) 2 b)", "12 C 1 e ii)".
_HALF_STEP = re.compile(rf" (?:{SMALL}|{NUMERALS})\)")
# Where a label may begin, and what may follow one at the end of its phrase.
BEGINNING = re.compile(rf"{START}(?={LAW}(?!\d)|{CAPITAL}{NO_LETTER}|{SMALL}[.)]|\((?:\w|{NUMERALS})\))")
CLOSED = re.compile(r"[).;:,\]\"]|$|\n")

_BRACKETS = re.compile(r"[()]")
# Before a bracket: a step of a label that is no law, which may be printed with half a bracket; what may be the mark of
# an item instead. After it: the word of such an item.
_LAST_STEP = re.compile(rf"(?:(?<![\w(])(?:{SMALL}|{CAPITAL}|{NUMERALS})|{CAPITAL}\)?[. ]{{0,2}}{NUMBER})\Z")
_ITEM = re.compile(rf"[;,.:)] (?:{SMALL}|{CAPITAL}|{NUMBER}|{NUMERALS})\Z")
_WORD = re.compile(r" [^\W\d_]{2}")
_SENTENCE = 400
_DEEPEST = 12  # steps of a label: the laws have five, and a line of brackets is none
# Capitals after a blank and a number that make the number part of a bid: "C 3 NT".
_BID = re.compile(r" [A-Z]{2,3}(?!\w)")
# Small letters that are a word of hardly any language, so that they may go on after a blank: "12 C 1 b says".
_CONSONANTS = "bcdfgh"
_ROMAN_STEP = re.compile(rf"(?:{_ALONE})(?!\w)")
_LETTER = re.compile(rf"{SMALL}(?!\w)")
_ROMAN_LAW = re.compile(ROMAN_LAW)


def read(text: str, at: int, around: Surroundings, intro: str, after: Label | None = None) -> Label | None:
    """The label at ``at``, or None.

    ``intro`` says what stands before it: a law or provision word, "see", "in", or nothing ("bare"). After a
    provision word or in a list one lower-case letter is a label too: 12C1b, c.
    """
    if (
        intro == "law"
        and around.roman_laws
        and (match := _ROMAN_LAW.match(text, at))
        and 0 < read_roman(match["number"]) <= around.roman_laws
    ):
        steps = [str(read_roman(match["number"]))]
    elif match := _FIRST.match(text, at):
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
            listed = join and not join["soft"] and _further(letter, text, join.end())
            if (letter in around.letters and not (listed and intro == "provision")) or not (
                intro == "provision" or listed or follows or (after and len(letter) > 1)
            ):
                return None
    else:
        return None
    end, gaps = _number_end(match, text, around), list[str]()
    sure: tuple[tuple[str, ...], int, tuple[str, ...]] | None = None
    while len(steps) < _DEEPEST and (step := _STEP.match(text, end)):
        if step["digit"] and " " in step["gap"] and around.law_after.match(text, step.end()):
            break  # "section B 16 §": the number belongs to the word after it
        said = [s for s in step.group("inside", "capital", "digit", "small", "lower", "roman") if s]
        if _is_parted(text, steps, step, intro, around):
            sure = sure or (tuple(steps), end, tuple(gaps))
        elif (
            (step["half"] and not _is_bracketed_after_half(text, step))
            or step["gap"] == ". "
            or not _goes_on(steps, step, gaps)
            or (step["gap"] and _is_word(text, at, step["capital"], around))
        ):
            break
        steps += said
        gaps.append(step["gap"])
        end = step.end()
    short = _made(text, match.start(), *sure) if sure else None
    return _made(text, match.start(), tuple(steps), end, tuple(gaps), short) or short


def _made(
    text: str, start: int, steps: tuple[str, ...], end: int, gaps: tuple[str, ...], short: Label | None = None
) -> Label | None:
    if text[end - 1] != ")" and _is_half(text, end):
        end += 1  # printed like the label it names: "3)", "b)"
    whole = _END.match(text, end) or (len(steps) > 1 and _ENDING.match(text, end))
    return Label(steps, start, end, "." in gaps, short) if whole else None


def _number_end(first: re.Match[str], text: str, around: Surroundings) -> int:
    """Where the first step of a label ends, the ending of an ordinal with it: "1er"."""
    ending = around.ordinal.match(text, first.end()) if first["number"] else None
    return ending.end() if ending else first.end()


def _further(letter: str, text: str, at: int) -> bool:
    """Whether a label goes on from a letter that may be a word: ii after i, b after a."""
    return bool(_ROMAN_STEP.match(text, at)) or bool((match := _LETTER.match(text, at)) and match[0] > letter)


def _is_bracketed_after_half(text: str, step: re.Match[str]) -> bool:
    """Whether a step stands in brackets after one with half a bracket, "c) (ii)", which may itself stand in brackets:
    "(B1 c) (ii))".
    """
    parted = step["gap"] == " " and bool(step["inside"])
    return parted and (_is_half(text, step.start()) or _is_half(text, step.end()))


def _is_half(text: str, at: int) -> bool:
    """Whether the bracket at ``at`` closes none that was opened in its line, as far as a sentence in brackets may
    reach.

    Of several brackets that could close one, the last does: those after a and b in "(Law 12 C 1 a), b))" are half ones.
    """
    if text[at : at + 1] != ")":
        return False
    back = max(0, at - _SENTENCE)
    start = max(back, text.rfind("\n", back, at) + 1)
    depth = 0
    for match in _BRACKETS.finditer(text, start, at + 1):
        place = match.start()
        if match[0] == "(":
            depth += 1
        elif place == at:
            break
        elif not (depth and _LAST_STEP.search(text, start, place) and _unopened(text, place + 1, depth)):
            depth = max(0, depth - 1)
    return not depth or (bool(_LAST_STEP.search(text, start, at)) and _unopened(text, at + 1, depth))


def _unopened(text: str, at: int, wanted: int) -> bool:
    """Whether so many brackets close from ``at`` on that were not opened there; marks of items, "; b)", close none."""
    end = text.find("\n", at, at + _SENTENCE)
    depth = 0
    for match in _BRACKETS.finditer(text, at, end if end >= 0 else min(len(text), at + _SENTENCE)):
        if match[0] == "(":
            depth += 1
        elif depth > 0:
            depth -= 1
        elif not (_ITEM.search(text, at - 1, match.start()) and _WORD.match(text, match.end())):
            wanted -= 1
            if not wanted:
                return True
    return False


def _is_parted(  # noqa: PLR0911 – each return is one way of printing
    text: str, steps: list[str], step: re.Match[str], intro: str, around: Surroundings
) -> bool:
    """Whether one more step may belong to the label although a blank or a bracket without its fellow parts them: C 2,
    12 C 1 e, C) 2).
    """
    before, end = steps[-1], step.end()
    half = _is_half(text, end)
    if step["inside"] or step["capital"]:
        return False
    listed = step["digit"] and before.isupper() and any(p.match(text, end) for p in (CLOSED, around.join, _HALF_STEP))
    if step["half"] and not (
        _is_half(text, step.start()) and (half or listed) and (len(steps) > 1 or not before.isdigit() or step["lower"])
    ):
        return False
    if step["gap"] == ". ":
        closed = half or _HALF_STEP.match(text, end) is not None
        return closed and before.isdigit() and bool(step["lower"]) and len(steps) > 1 and not step["half"]
    if not step["half"] and step["gap"] != " ":
        return False
    if step["digit"]:
        word = intro in ("bare", "in") and may_be_word(text, step.start() - 1, around)
        return before.isupper() and (step["half"] != "" or len(steps) == 1) and not word and not _BID.match(text, end)
    if before.islower():
        # "B 1 c ii"
        numeral = not step["half"] and bool(_ROMAN_STEP.match(text, end - len(step["small"] or "")))
        if step["small"] and numeral and len(steps) > 1 and CLOSED.match(text, end):
            return True
        return half and bool(step["small"] or step["lower"] in tuple("ivx")) and not step["roman"]
    if not before.isdigit() or step["small"] or step["roman"]:
        return False
    if len(steps) == 1:
        words = any(p.match(text, end) for p in (around.direction, around.after))
        return half or (step["lower"] not in around.letters and words)
    return half or _ends_label(text, end, step["lower"], around)


def _ends_label(text: str, end: int, letter: str, around: Surroundings) -> bool:
    """Whether a letter after a blank is a label and no word: "12 C 1 e.", "12 C 1 a or b"; "12 C 1 a player" is cut."""
    if letter in around.letters:
        return text[end : end + 1] in (".", ";")
    return letter in _CONSONANTS or any(
        p.match(text, end) for p in (CLOSED, around.direction, around.join, around.of_outer, _HALF_STEP)
    )


def may_be_word(text: str, at: int, around: Surroundings) -> bool:
    """Whether one letter may be a word of the language: a capital is none in the middle of a sentence.

    "A 2 giocatori …" may mean "to 2 players", "come in A 2" means A2.
    """
    if text[at].lower() not in around.letters:
        return False
    before = text[:at].rstrip(" (\"'")
    return not text[at].isupper() or not before or before[-1] in ".:;!?\n" or before[-1].isupper()


def _is_word(text: str, at: int, capital: str | None, around: Surroundings) -> bool:
    """Whether a capital after a blank is a word: "PRAVIDLÁ 16 A 17" are two laws, "pravidlo 16 A 2" is one."""
    return capital is not None and capital.lower() in around.letters and text[max(0, at - 3) : at].isupper()


def _goes_on(steps: list[str], step: re.Match[str], gaps: list[str]) -> bool:
    """Whether one more step may belong to the label: 16 D 2 may be printed with blanks."""
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


def can_end(first: Label, last: Label) -> bool:
    """Whether two labels can be the ends of a range: 69–71, A–E, 12C1b–d. "16 - 3 cards" is none."""
    return len(last.steps) in (1, len(first.steps)) and rises(first.steps[-1], last.steps[-1])
