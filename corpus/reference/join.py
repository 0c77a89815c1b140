"""Phrases side by side become one phrase: "section B of Law 16", "Law 16, section B", "16 § B kohdan 1 alakohta".

:class:`Phrase` is the value that ``find`` makes and ``resolve`` reads; :func:`join_phrases` joins them. A phrase that
can be read in two ways becomes unclear, and leads nowhere.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from corpus.label import NUMERAL, read_roman, step_shape
from corpus.reference.grammar import CitedLabel, Grammar

PhraseIntro = Literal["law", "provision", "see", "in", "direction", "bare", "term", "note", "elsewhere", "unclear"]


@dataclass(frozen=True)
class Phrase:
    """A stretch ``text[start:end]`` that looks like a reference, with its labels.

    ``intro`` says what announces it:

    - ``law``, ``provision``, ``see``, ``in``: a word of that sort; ``bare``: no word;
    - ``direction``: no word before the labels, only "above" or "below" after them: "4 below";
    - ``note``: a word for notes, whose numbers the labels are;
    - ``term``: a word after which the name of a definition may begin, at the offset ``term``; there are no labels;
    - ``elsewhere``: the phrase names another text;
    - ``unclear``: the phrase can be read in two ways and leads nowhere.

    The other fields:

    - ``joins[i]``: how label i+1 follows label i, "list" or "range".
    - ``direction``: -1 for "above", 1 for "below", else 0.
    - ``under``: the steps above the labels, when other words name them: 16 in "section B of Law 16". Then ``own`` is
      the sort of word at the labels themselves: "provision".
    - ``note``: whether the phrase means a note of what its labels name: "footnote to Law 68".
    - ``loose``: whether it counts only as a part of another phrase.
    - ``tentative``: whether it is a reference only if everything that it names exists. Otherwise the shorter phrase
      ``without`` counts, if there is one.
    """

    start: int
    end: int
    intro: PhraseIntro
    labels: tuple[CitedLabel, ...] = ()
    joins: tuple[str, ...] = ()
    direction: int = 0
    under: tuple[str, ...] = ()
    term: int = 0
    note: bool = False
    own: PhraseIntro | None = None
    loose: bool = False
    tentative: bool = False
    without: Phrase | None = None

    @property
    def own_intro(self) -> PhraseIntro:
        """The sort of word at the labels themselves."""
        return self.own or self.intro

    @property
    def outermost_shape(self) -> tuple[str, ...]:
        """The shape of ``under`` and the first label: where this phrase may be a part of another one."""
        return (*map(step_shape, self.under), *self.labels[0].shape) if self.labels else ()


# Phrases that may join with a phrase beside them.
_COMPOSABLE = frozenset({"law", "provision", "see", "bare", "in"})


def join_phrases(text: str, hits: Iterable[Phrase], grammar: Grammar) -> list[Phrase]:
    """The phrases, with those joined that belong together.

    Examples: "section B of Law 16", "Law 16, section B", "Law 16 (section B)", "section B, item 2". A part of two laws
    is unclear, and so is a part that may belong to the law: "section B of Laws 16 and 17", "Laws 16 and 17, section
    B", "section B under Law 16".
    """
    out: list[Phrase] = []
    ahead = deque(hits)
    while ahead:
        last = out[-1] if out else None
        # "section B, item 1, of Law 12" is one part; "Law 16, section B of Law 12" are two laws.
        inner = (
            last is not None
            and last.intro == "provision"
            and not last.direction
            and _names_part_of(text, last, ahead[0])
        )
        hit = ahead.popleft() if inner else _next_phrase_with_outer(text, ahead, grammar)
        if last is None or last.note or hit.note:
            out.append(hit)
        elif hit.intro == "unclear":
            if last.intro in ("provision", "see", "in") and grammar.join.fullmatch(text, last.end, hit.start):
                hit = replace(out.pop(), intro="unclear", end=hit.end)
            out.append(hit)
        elif last.direction or not {last.intro, hit.intro} <= _COMPOSABLE:
            out.append(hit)
        elif _is_unclear_after_stop(text, last, hit):
            out.append(replace(hit, intro="unclear", loose=False))
        elif _is_rest_of_law(text, last, hit):
            out[-1:] = [replace(part, tentative=True, without=last) for part in _join_part(text, last, hit)]
        elif _names_part_of(text, last, hit):
            out[-1:] = _join_part(text, last, hit)
        elif larger := _join_larger_part(text, last, hit, grammar):
            out[-1] = larger
        else:
            out[-1:] = _join_outer_phrases(text, last, hit, ahead, grammar)
    return _join_lists(text, [_as_unclear_letter(hit) for hit in out if not _is_left_over(text, hit, grammar)], grammar)


def _is_left_over(text: str, hit: Phrase, grammar: Grammar) -> bool:
    """Whether a phrase that counts only as a part of another one was not joined with another one."""
    return (hit.loose and not _is_lone_letter(text, hit, grammar)) or (_begins_with_bare_number(hit) and not hit.under)


def _is_lone_letter(text: str, hit: Phrase, grammar: Grammar) -> bool:
    """Whether a phrase is one letter and the provision word after it: "a kohta"."""
    alone = hit.own is None and not hit.under and len(hit.labels) == 1 and hit.outermost_shape == ("a",)
    return alone and grammar.after.match(text, hit.labels[0].end) is not None


def _as_unclear_letter(hit: Phrase) -> Phrase:
    """A letter that may be a word, with a provision word after it, as an unclear phrase; others unchanged."""
    return replace(hit, intro="unclear", tentative=True, loose=False) if hit.loose else hit


def _begins_with_bare_number(hit: Phrase) -> bool:
    """Whether a phrase begins with a number that no word announces, as "2 of Law 16" does."""
    return hit.own == "bare" and hit.intro != "bare" and hit.labels[0].shape == ("1",)


def _next_phrase_with_outer(text: str, ahead: deque[Phrase], grammar: Grammar) -> Phrase:
    """Take the next phrase from ``ahead``, and return it joined with what it is a part of.

    Example: "item 2 of section B of Law 16". The phrases that it is joined with are removed from ``ahead`` too.
    """
    hit = ahead.popleft()
    while (
        ahead
        and not (hit.direction or hit.note or ahead[0].note)
        and {hit.intro, ahead[0].intro} <= _COMPOSABLE
        and grammar.of_word.fullmatch(text, hit.end, ahead[0].start)
    ):
        following = ahead.popleft()
        hit, *apart = _join_outer_phrases(text, hit, following, ahead, grammar)
        if apart:
            ahead.appendleft(following)
            break
    return hit


def _join_outer_phrases(text: str, last: Phrase, hit: Phrase, ahead: deque[Phrase], grammar: Grammar) -> list[Phrase]:
    """Return the first phrase as a part of the second, "item 1 of Law 12", as the only element; else both phrases.

    A phrase after the second may belong to the second, "item 1 of Law 12, section A". It is then removed from
    ``ahead``.
    """
    outer = [hit]
    for further in ahead:
        more = _join_part(text, outer[-1], further) if _names_part_of(text, outer[-1], further) else []
        if len(more) != 1:
            break
        outer += more
    for n in range(len(outer) - 1, -1, -1):
        whole = _join_as_part(text, last, outer[n], grammar)
        if whole and whole.intro != "unclear":
            for _ in range(n):
                ahead.popleft()
            return [whole]
    return [whole or last, hit]


def _join_part(text: str, last: Phrase, hit: Phrase) -> list[Phrase]:
    """Return ``last`` joined with its part ``hit``, as the only element.

    When ``last`` names several provisions, both phrases stay and ``hit`` is unclear.
    """
    if len(last.labels) > 1:
        return [last, replace(hit, intro="unclear", loose=False)]
    end = hit.end + (text[last.end : hit.start] == " (")
    own = hit.own_intro if hit.intro != "bare" else "provision"
    under = last.under + last.labels[0].steps + hit.under
    whole = replace(hit, start=last.start, end=end, intro=last.intro, under=under, own=own, loose=last.loose)
    if text[last.end : hit.start] == " - ":  # or what follows a pause, if the first has no such part
        return [replace(whole, tentative=True, without=last)]
    return [replace(whole, tentative=last.intro in ("bare", "in"))]


def _join_larger_part(text: str, last: Phrase, hit: Phrase, grammar: Grammar) -> Phrase | None:
    """Return a law with its part, joined with what the part belongs to: "Law 16, item 2 section B".

    In such a language the second part is in the genitive. The phrase is unclear after a comma, before another law, or
    where the second part has several labels. None for any other two phrases.
    """
    parted = last.intro == "law" and last.own_intro == "provision" and last.under and last.under[0].isdigit()
    if not parted or _names_outer_last(text, last) or not _is_plain_part(hit):
        return None
    apart = text[last.end : hit.start] == ", "
    if not (apart or grammar.of.fullmatch(text, last.end, hit.start)):
        return None
    part, chain = hit.under + hit.labels[0].steps, last.outermost_shape
    for n in range(len(last.under), 0, -1):
        if can_stand_under(last.under[:n], hit.outermost_shape, "law") and can_stand_under(
            part, chain[n:], "provision"
        ):
            if apart or len(hit.labels) > 1 or grammar.of_next_law.match(text, hit.end):
                return replace(last, intro="unclear", end=hit.end)
            under = last.under[:n] + part + last.under[n:]
            return replace(last, end=hit.end, under=under, tentative=False, without=None)
    return None


def _join_as_part(text: str, last: Phrase, hit: Phrase, grammar: Grammar) -> Phrase | None:
    """Return ``last`` as a part of what the next phrase, ``hit``, names: "section B of Law 16".

    The returned phrase is marked as unclear where the words can be read in two ways. None where the two phrases have
    nothing to do with each other.
    """
    if not last.labels or not hit.labels or (last.outermost_shape[0] == "1" and last.intro not in ("provision", "in")):
        return None
    named = grammar.of_word.fullmatch(text, last.end, hit.start)
    between = named or (last.own_intro == "provision" and grammar.of.fullmatch(text, last.end, hit.start))
    if not between:
        return _join_part_and_law(text, last, hit, grammar) if last.intro == last.own_intro == "provision" else None
    if hit.intro not in ("law", "provision") and not named:
        return None
    above = hit.under + hit.labels[0].steps
    intro = hit.intro if hit.intro in ("law", "provision") else "law" if step_shape(above[0]) == "1" else "provision"
    # A single letter may be a word: "a of Law 16".
    alone = last.own == "bare" and last.outermost_shape[0] == "a" and len(above) == 1 and intro == "law"
    fits = can_stand_under(above, last.outermost_shape, intro) and not alone
    if fits and len(hit.labels) == 1:
        loose = last.loose and not _is_lone_letter(text, last, grammar)
        whole = replace(last, end=hit.end, intro=intro, under=above + last.under, own=last.own_intro, loose=loose)
        if _begins_with_bare_number(last):
            whole = replace(whole, tentative=True, without=hit.without or hit)
        elif hit.tentative:
            whole = replace(whole, tentative=True, without=hit.without)
        else:
            whole = replace(whole, tentative=False)
        return replace(whole, direction=0 if intro == "law" else hit.direction)
    several = last.outermost_shape[0] != "1" if named else fits and hit.intro == "law"
    if intro == "law" and several:
        return replace(last, intro="unclear")
    return None


def _join_part_and_law(text: str, last: Phrase, hit: Phrase, grammar: Grammar) -> Phrase | None:
    """Return a part and a law as one phrase, although no word for "of" stands between them; None where they are two
    phrases.

    After a comma they are one phrase, "section C, Law 16", if the law can have that part and has none of its own after
    it, "item 1, Law 16 section C". The phrase is unclear in a list, "section C, Law 16 and Law 17"; after a word for
    "in", "section C under Law 16"; and where both words stand after their labels, "C kohta, 16 §".
    """
    if grammar.in_word.fullmatch(text, last.end, hit.start):
        lawful = hit.intro == "law" or (hit.intro == "in" and hit.tentative)
        return replace(last, intro="unclear", end=hit.end) if lawful else None
    if hit.intro != "law" or text[last.end : hit.start] != ", " or (hit.under and not _names_outer_last(text, hit)):
        return None
    above = hit.under + hit.labels[0].steps
    if not can_stand_under(above, last.outermost_shape, "law"):
        return None
    join = grammar.join.match(text, hit.end)
    listed = join and not join["dot"] and grammar.intro.match(text, join.end())
    word_after = not hit.under and hit.start == hit.labels[0].start and grammar.after.match(text, last.labels[-1].end)
    if listed or word_after or len(hit.labels) > 1 or hit.direction or last.direction:
        return replace(last, intro="unclear", end=hit.end)
    return replace(last, end=hit.end, intro="law", under=above + last.under, own=last.own_intro)


def _names_part_of(text: str, last: Phrase, hit: Phrase) -> bool:
    """Whether ``hit`` names a part of what ``last`` names: "Law 16, section B", "section B, item 2"."""
    if hit.intro in ("see", "in", "law") or not last.labels or not hit.labels:
        return False
    if last.intro in ("in", "bare") and hit.intro == "provision":  # "B 2 item b"
        words = hit.own is None and not hit.loose and text[last.end : hit.start] == " "
        deeper = (last.outermost_shape[:2] == ("A", "1") and hit.outermost_shape[0] == "a") or (
            last.intro == "in" and last.outermost_shape == ("A",) and hit.outermost_shape[0] == "1"
        )
        return words and len(last.labels) == 1 and deeper
    if last.intro == "in":
        return False
    between, below = text[last.end : hit.start], hit.outermost_shape
    above = last.under + last.labels[-1].steps
    if last.intro == "law" and between == " (":
        return (
            hit.intro in ("provision", "bare")
            and below[0] == "A"
            and not hit.direction
            and text[hit.end : hit.end + 1] == ")"
            and can_stand_under(above, below, "law")
        )
    if hit.intro != "provision" or last.intro == "bare" or between not in (" ", ", ", " - "):
        return False
    nested = (
        between == " "
        or last.intro == "law"
        or step_shape(above[-1]) != below[0]
        or _is_numeral_after_letter(text, last, hit)
    )
    deeper = can_stand_under(above, below, last.intro) and not _is_letter_of_numeral(above[-1], hit)
    return nested and deeper and (last.intro != "see" or step_shape(above[0]) == "A")


_NUMERAL = re.compile(NUMERAL)


def _is_letter_of_numeral(numeral: str, hit: Phrase) -> bool:
    """Whether a phrase begins with a letter after a ``numeral``, as in "item ii, letter b".

    Then the letter is no part of the numeral, since numerals stand below letters.
    """
    below = (hit.under + hit.labels[0].steps)[0]
    return bool(_NUMERAL.fullmatch(numeral)) and step_shape(below) == "a" and not _NUMERAL.fullmatch(below)


# What stands between a law and its part when no word announces the part: "Law 16, C 2", "Law 16 - C2".
_LAW_PART_GAP = re.compile(r", | - |[:/]")


def _is_rest_of_law(text: str, last: Phrase, hit: Phrase) -> bool:
    """Whether ``hit``, labels without any word, continues the law ``last``: "Law 16, C 2", "Law 16, A and B"."""
    alone = last.intro == "law" and len(last.labels) == 1 and last.own_intro == "law" and not hit.direction
    follows = hit.intro == "bare" and bool(_LAW_PART_GAP.fullmatch(text, last.end, hit.start))
    return (
        alone
        and follows
        and hit.outermost_shape[0] == "A"
        and can_stand_under(last.labels[0].steps, hit.outermost_shape, "law")
    )


def _join_lists(text: str, hits: Iterable[Phrase], grammar: Grammar) -> list[Phrase]:
    """Return the phrases. Parts in a list are joined if they share what they belong to and each has a word of its own.

    Examples: "Law 16, section C and section D", "Law 16, section C, item 2 and section D", "item 1 of section B and
    section C of Law 16".
    """
    out: list[Phrase] = []
    for hit in hits:
        whole = _join_further_part(text, out[-1], hit, grammar) if out else None
        if whole:
            out[-1] = whole
            continue
        out.append(hit)
        while len(out) > 1 and (whole := _join_parts_before_whole(text, out[-2], out[-1], grammar)):
            out[-2:] = [whole]
    return out


def _join_further_part(text: str, last: Phrase, hit: Phrase, grammar: Grammar) -> Phrase | None:
    """Return a law with its part and a further part of the same law as one phrase; else None.

    Example: "Law 16, section C and section D".
    """
    lawful = last.intro == "law" and last.own_intro == "provision" and last.under and last.under[0].isdigit()
    if (
        not lawful
        or _names_outer_last(text, last)
        or not _is_plain_part(hit)
        or not _are_joined_as_list(text, last, hit, grammar)
    ):
        return None
    above = last.under[1:] + last.labels[-1].steps
    if hit.outermost_shape[0] not in map(step_shape, above) or grammar.same_after.match(text, hit.end):
        return None
    first = replace(hit.labels[0], steps=hit.under + hit.labels[0].steps, short=None)
    joins = (*last.joins, "list", *hit.joins)
    return replace(last, end=hit.end, labels=(*last.labels, first, *hit.labels[1:]), joins=joins)


def _join_parts_before_whole(text: str, last: Phrase, hit: Phrase, grammar: Grammar) -> Phrase | None:
    """Return two parts of one larger part as one phrase, when the larger part is named after both; else None.

    Example: "section B and section C of Law 16".
    """
    part = hit.intro in ("law", "provision") and hit.own_intro == "provision" and hit.under and hit.labels
    if not part or hit.note or hit.tentative or not (_is_plain_part(last) and _names_outer_last(text, hit)):
        return None
    if not _are_joined_as_list(text, last, hit, grammar, joined=len(hit.labels) > 1):
        return None
    chain = hit.under + hit.labels[0].steps
    shared = next((n for n in range(len(chain) - 1, 0, -1) if step_shape(chain[n]) == last.outermost_shape[0]), 0)
    if not shared:
        return None
    first = replace(last.labels[0], steps=last.under + last.labels[0].steps, short=None)
    second = replace(hit.labels[0], steps=chain[shared:], short=None)
    return replace(
        hit,
        start=last.start,
        under=chain[:shared],
        labels=(first, *last.labels[1:], second, *hit.labels[1:]),
        joins=(*last.joins, "list", *hit.joins),
    )


def _is_plain_part(hit: Phrase) -> bool:
    """Whether a phrase is a part that is announced by a provision word and names no law."""
    plain = hit.intro == hit.own_intro == "provision" and bool(hit.labels) and not (hit.direction or hit.note)
    return plain and not hit.tentative and hit.outermost_shape[0] in ("1", "A", "a")


def _are_joined_as_list(text: str, last: Phrase, hit: Phrase, grammar: Grammar, joined: bool = True) -> bool:
    """Whether a word for "and" or "or" joins two phrases to a list. With ``joined`` a comma is enough."""
    join = grammar.join.match(text, last.end)
    if last.direction or join is None or join["dot"] or join["range"] or not (join["word"] or joined):
        return False
    return join.end() == hit.start or bool(grammar.lead_only.fullmatch(text, join.end(), hit.start))


def _names_outer_last(text: str, hit: Phrase) -> bool:
    """Whether what a part belongs to stands after it, "section B of Law 16"."""
    return bool(re.search(rf"(?<!\w){re.escape(hit.under[0])}(?!\w)", text[hit.labels[-1].end : hit.end]))


def _is_unclear_after_stop(text: str, last: Phrase, hit: Phrase) -> bool:
    """Whether a number with its word may begin a sentence, or may continue a letter with a full stop: "a 16. törvény B.
    2. pontja".
    """
    if hit.intro != "provision" or not hit.labels or not last.labels or text[last.end : hit.start] != ". ":
        return False
    above = last.under + last.labels[-1].steps
    return (
        hit.start == hit.labels[0].start
        and step_shape(above[-1]) != "1"
        and can_stand_under(above, hit.outermost_shape, last.intro)
    )


def _is_numeral_after_letter(text: str, last: Phrase, hit: Phrase) -> bool:
    """Whether a numeral with its own word follows a letter with another word: "letter b, item i"."""
    if len(last.labels) > 1 or not last.labels or not hit.labels:
        return False
    letter, step = last.labels[0].steps[-1], hit.labels[0].steps[0]
    words = [text[found.start : found.labels[0].start].strip() for found in (last, hit)]
    return bool(read_roman(step)) and step > letter and chr(ord(letter[-1]) + 1) != step and len(set(words)) == 2


def can_stand_under(above: tuple[str, ...], below: tuple[str, ...], intro: PhraseIntro) -> bool:
    """Whether a label of the shape ``below`` can stand under the steps ``above``.

    A capital or a number can stand under a law; a capital cannot stand under a capital.
    """
    if len(above) == 1 and intro == "law":
        return above[0].isdigit() and below[:2] != ("1", "A")
    return below[0] in {"1": "a", "A": "1a", "a": "a"}[step_shape(above[-1])]
