"""Phrases of a text that look like references: :func:`find_phrases`. Whether they lead anywhere is not checked here.

A phrase is a word that announces a label ("przepis", "bod", "see") and the labels after it. It can also be labels
without such a word, if "above" or "below" follows them, or if they can be nothing else ("C2", "16D2").
:mod:`corpus.reference.resolve` finds the provisions that the labels mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import cast

from corpus.label import CAPITAL, LABEL_START, SMALL, step_shape
from corpus.reference.grammar import (
    CONSONANTS,
    LABEL_BEGINNING,
    LONE_NUMERAL,
    PHRASE_END,
    CitedLabel,
    Grammar,
    can_be_range,
    may_be_word,
    read_label,
)
from corpus.reference.join import Phrase, PhraseIntro, can_stand_under, join_phrases

# Most characters from the start of a number to the law word after it, and from a law word to the number after it.
_LONGEST_LAW_WORD = 16
_BLANKS = re.compile(" *")
# Most characters of the word for a note with the words that join it, and of the name of another text.
_LONGEST_NOTE_WORD, _LONGEST_NAME = 40, 80
_EMPHASIS = re.compile(r"\*{0,2}")
# What may stand between a phrase and the unread rest of it.
_REST_GAP = re.compile(r"[:/,-]? ?\(?")
# The start of a sentence or a bracket, at the end of the text before.
_SENTENCE_OPENING = re.compile(r"(?:^|[.:;!?(\n][\"' ]*)\Z")


def find_phrases(text: str, grammar: Grammar) -> list[Phrase]:
    """Every phrase of a cleaned text that looks like a reference, in order and without overlaps.

    >>> find_phrases("see Laws 22B and 86A", english)[0].labels[1].steps
    ('86', 'A')
    """
    hits = list(_announced_phrases(text, grammar))
    hits += _unannounced_phrases(text, grammar, [(h.start, h.end) for h in hits])
    found = join_phrases(text, _with_outer_phrases(text, sorted(hits, key=lambda h: h.start), grammar), grammar)
    found = [hit for last, hit in zip([None, *found], found, strict=False) if not _is_rest_of_phrase(text, last, hit)]
    found = [_as_phrase_elsewhere(text, hit, grammar) for hit in _join_note_words(text, found, grammar)]
    found = [_without_final_stop(text, hit) for hit in _resolve_same_law(text, found, grammar)]
    taken = [(h.start, h.end) for h in found if h.intro not in ("term", "direction")]
    more = [
        *_numbered_note_phrases(text, grammar, taken),
        *_definition_name_phrases(text, grammar, taken),
        *_letter_list_phrases(text, grammar, taken),
        *_unclear_notes_of_same(text, grammar, taken),
    ]
    if not more:
        return found
    names = {h.term for h in more if h.term}
    notes = [(h.start, h.end) for h in more if h.intro == "note"]
    found = [
        h
        for h in found
        if not (h.intro == "term" and h.term in names)
        and not (h.intro == "direction" and any(s < h.end and h.start < e for s, e in notes))
    ]
    return sorted([*found, *more], key=lambda h: h.start)


def _with_outer_phrases(text: str, hits: list[Phrase], grammar: Grammar) -> Iterator[Phrase]:
    """Yield the phrases, and beside them labels that count only as the outer or inner part of a phrase.

    After a part, these labels are what the part belongs to: "b of D 2 applies", "items 1 and 2 of B". After a law, they
    are a part in brackets or after a comma: "16 § (A och B)", "Law 16, A and B".
    """
    for hit, following in zip(hits, [*hits[1:], None], strict=False):
        yield hit
        free = following.start if following else len(text) + 1
        of = grammar.of_word.match(text, hit.end) if hit.own_intro in ("provision", "bare", "see") else None
        if of and not hit.direction and free >= of.end():
            outer = _read_phrase(text, of.end(), "see", grammar)
            if outer and outer.labels[0].shape[0] == "A" and free >= outer.end:
                if outer.labels[0].shape[:2] == ("A", "1"):
                    yield replace(outer, intro="bare")
                elif hit.own_intro == "provision" and len(outer.labels) == 1 and not outer.direction:
                    yield replace(outer, intro="bare", loose=True)
        elif hit.intro == "law" and (inner := _part_without_word(text, hit, grammar)) and free > inner.end:
            yield replace(inner, loose=True)


def _part_without_word(text: str, law: Phrase, grammar: Grammar) -> Phrase | None:
    """Return the part of a law that follows the law in brackets or after a comma without a word; None without one.

    Examples: "16 § (A och B)", "Law 16, A and B", "Law 16, B, 2".
    """
    start = law.end + 2
    if not text.startswith((" (", ", "), law.end):
        return None
    inner = _read_phrase(text, start, "provision" if text.startswith('"', start) else "bare", grammar)
    if inner is None:
        return None
    inner = replace(inner, intro="bare")
    if text[law.end] == "," and (chain := _as_chain(text, inner)):
        return chain if _ends_in_label_not_count(text, chain, grammar) else None
    closed = text.startswith(")", inner.end) if text[law.end] == " " else _are_capitals_labels(text, inner, grammar)
    return inner if closed and all(label.shape == ("A",) for label in inner.labels) else None


def _as_chain(text: str, hit: Phrase) -> Phrase | None:
    """Return a list whose labels stand one inside the other, "B, 1, a)", as one phrase; None for any other list.

    Every label after a comma is a part of the one before it. The last labels remain the labels of the phrase; those
    before them go into ``under``.
    """
    n = 0
    while (
        n + 1 < len(hit.labels)
        and text[hit.labels[n].end : hit.labels[n + 1].start] == ", "
        and hit.labels[n].shape[-1] != hit.labels[n + 1].shape[0]
        and can_stand_under(hit.labels[n].steps, hit.labels[n + 1].shape, "provision")
    ):
        n += 1
    above, below = hit.labels[:n], hit.labels[n:]
    if not above or any(label.shape != below[0].shape for label in below):
        return None
    under = hit.under + tuple(step for label in above for step in label.steps)
    return replace(hit, labels=below, joins=hit.joins[n:], under=under, own=hit.own_intro)


def _ends_in_label_not_count(text: str, hit: Phrase, grammar: Grammar) -> bool:
    """Whether a chain (:func:`_as_chain`) ends in a label and not in a count, as of “2 tricks”.

    It is when its phrase ends there or goes on with a provision word.
    """
    end = hit.labels[-1].end
    return bool(PHRASE_END.match(text, end) or grammar.provision_again.match(text, _match_end(_BLANKS, text, end)))


def _are_capitals_labels(text: str, hit: Phrase, grammar: Grammar) -> bool:
    """Whether capitals without any word are labels: several of them, or a single one at the end of a phrase."""
    alone = len(hit.labels) == 1 and not PHRASE_END.match(text, hit.end)
    return not (alone or may_be_word(text, hit.start, grammar))


def _is_rest_of_phrase(text: str, last: Phrase | None, hit: Phrase) -> bool:
    """Whether the phrase ``hit`` belongs to ``last``, the phrase right before it, although no rule joins the two.

    That is so for labels without any word: in "Law 80, B 2" ``last`` is "Law 80" and ``hit`` is "B 2". Without a phrase
    before it (``last`` is None) the result is False.
    """
    by_itself = hit.tentative and hit.own_intro in ("bare", "unclear")
    return last is not None and by_itself and bool(_REST_GAP.fullmatch(text, last.end, hit.start))


def _join_note_words(text: str, hits: list[Phrase], grammar: Grammar) -> Iterator[Phrase]:
    """Yield the phrases; one with a word for its notes before or after it becomes a phrase about notes.

    Examples: "fotnoten till 18 §", "a 18. törvény lábjegyzete".
    """
    for hit, following in zip(hits, [*hits[1:], None], strict=False):
        if hit.note or hit.intro != "law":
            yield hit
            continue
        before = grammar.note_before.search(text, max(0, hit.start - _LONGEST_NOTE_WORD), hit.start)
        after = None if before else grammar.note_after.match(text, hit.end)
        if before and len(hit.labels) > 1 and hit.start == hit.labels[0].start:
            yield replace(hit, start=before.start(), intro="unclear")  # "alaviite 7 ja 13 §:n"
        elif before:
            yield replace(hit, start=before.start(), note=True)
        elif after and (following is None or following.start >= after.end()):
            yield replace(hit, end=after.end(), note=True)
        else:
            yield hit


def _as_phrase_elsewhere(text: str, hit: Phrase, grammar: Grammar) -> Phrase:
    """Return a phrase beside the name of another text, "§ 7 der Satzung", with the intro "elsewhere"; any other
    unchanged.
    """
    if not hit.labels:
        return hit
    after = grammar.elsewhere_after.match(text, hit.end)
    before = grammar.elsewhere_before.search(text, max(0, hit.start - _LONGEST_NAME), hit.start)
    if not (after or before):
        return hit
    start, end = before.start() if before else hit.start, after.end() if after else hit.end
    return Phrase(start, end, "elsewhere")


def _without_final_stop(text: str, hit: Phrase) -> Phrase:
    """A phrase without the stop after its last label, where what follows that stop has not joined it."""
    ends = hit.labels and text[hit.labels[-1].end : hit.end].rstrip(", ") == "."
    return replace(hit, end=hit.labels[-1].end) if ends else hit


def _resolve_same_law(text: str, hits: Iterable[Phrase], grammar: Grammar) -> Iterator[Phrase]:
    """Yield the phrases. A part "of the same law" or "of the same section" gets that law or section, as it was named
    last.

    Example: "Law 16 B and section C of the same Law". The phrase is unclear where no law or section was named before.
    """
    law: str | None = None
    named: Phrase | None = None
    own = False  # whether the section that was named last is one of the law where the words stand
    said = [match.span() for match in grammar.same.finditer(text)]
    done = 0  # where the phrase before ends: what is said in it is said of its own part
    for found in hits:
        hit = found
        noun = hit.intro == "provision" and any(s < hit.end and hit.start < e <= hit.end for s, e in said)
        if noun and law and not own:  # "Law 16 B 1 and item 2 of the same section B"
            hit = replace(found, intro="law", own="provision", under=(law, *found.under))
        own = hit.intro in ("provision", "in", "bare") and "A" in hit.outermost_shape
        last, named = named, hit if hit.labels and hit.intro not in ("note", "unclear") else None
        if hit.intro == "law" and hit.labels:
            law = (hit.under + hit.labels[-1].steps)[0] if hit.under else hit.labels[-1].steps[0]
            done = hit.end
            yield hit
            continue
        after = grammar.same_after.match(text, hit.end)
        before = grammar.same_before.search(text, max(done, hit.start - _LONGEST_NOTE_WORD), hit.start)
        if hit.intro not in ("provision", "bare", "in", "see") or not hit.labels or not (before or after):
            done = hit.end
            yield hit
            continue
        start, end = before.start() if before else hit.start, after.end() if after else hit.end
        done = end
        said_of = (before or after)[0]  # type: ignore[index]  # one of them is there
        if grammar.same_part.search(said_of):
            part = _join_same_part(hit, last)
            named = part
            yield replace(part or replace(hit, intro="unclear"), start=start, end=end)
            continue
        whole = replace(hit, start=start, end=end, intro="law", own="provision", tentative=False)
        yield replace(whole, under=(law, *hit.under)) if law and law.isdigit() else replace(whole, intro="unclear")


def _join_same_part(hit: Phrase, named: Phrase | None) -> Phrase | None:
    """Return ``hit``, a part "of the same section", with the steps of that section above it; None where nothing fits.

    The steps are taken from ``named``, the phrase that was named last: the part stands beside or below its label.
    """
    if named is None:
        return None
    chain, shape = named.under + named.labels[-1].steps, hit.outermost_shape
    beside = next((n for n in range(len(chain) - 1, 0, -1) if step_shape(chain[n]) == shape[0]), 0)
    below = can_stand_under(chain, shape, named.intro) and (len(chain) > 1 or shape[0] != "a")  # a law has no letters
    above = chain[:beside] if beside else chain if below else ()
    intro: PhraseIntro = "law" if named.intro == "law" else "provision"
    return replace(hit, intro=intro, own="provision", under=above + hit.under, tentative=False) if above else None


def _unclear_notes_of_same(text: str, grammar: Grammar, taken: list[tuple[int, int]]) -> Iterator[Phrase]:
    """Yield an unclear phrase for each note of "the same" provision: the text does not say which provision that is.

    ``taken``: (start, end) of the phrases that were found before; what overlaps them is left out.
    """
    for match in grammar.note_of_same.finditer(text):
        if not any(s < match.end() and match.start() < e for s, e in taken):
            yield Phrase(match.start(), match.end(), "unclear")


def _numbered_note_phrases(text: str, grammar: Grammar, taken: list[tuple[int, int]]) -> Iterator[Phrase]:
    """Yield a phrase for notes that are cited by their numbers: "note 3", "notes 3 and 4", "a 3. lábjegyzet".

    ``taken``: (start, end) of the phrases that were found before; what overlaps them is left out.
    """
    for match in grammar.note_with_number.finditer(text):
        found = _read_phrase(text, match.end(), "note", grammar)
        if found is None or any(label.shape != ("1",) for label in found.labels):
            continue
        after = grammar.note_after_number.match(text, found.labels[-1].end)
        if (match.start() == match.end()) != bool(after):
            continue
        end = after.end() if after else found.labels[-1].end
        if not any(s < end and match.start() < e for s, e in taken):
            yield replace(found, start=match.start(), end=end, direction=0)


def _definition_name_phrases(text: str, grammar: Grammar, taken: list[tuple[int, int]]) -> Iterator[Phrase]:
    """Yield a phrase for each name in quotes beside a word for "definition": "a „Szín” meghatározást".

    ``taken``: (start, end) of the phrases that were found before; what overlaps them is left out.
    """
    for match in grammar.definition_before.finditer(text):
        if not any(s < match.end() and match.start() < e for s, e in taken):
            yield Phrase(match.start(), match.end(), "term", term=match.end())
    for match in grammar.definition_after.finditer(text):
        close = text.index('"', match.end())
        word = grammar.definition_word.match(text, close + 1)
        if word and not any(s < word.end() and match.start() < e for s, e in taken):
            yield Phrase(match.start(), word.end(), "term", term=match.start())


def _letter_list_phrases(text: str, grammar: Grammar, taken: list[tuple[int, int]]) -> Iterator[Phrase]:
    """Yield an unclear phrase for each list of capitals that no word announces: "A or B applies".

    A single capital with an ending counts too: "kui C-s". If provisions with these labels exist, the capitals may be
    labels or names. ``taken``: (start, end) of the phrases that were found before.
    """
    done = 0
    for match in _CAPITALS.finditer(text):
        if match.start() < done or any(s <= match.end() and match.start() <= e + 2 for s, e in taken):
            continue
        found = _read_phrase(text, match.start(), "bare", grammar)
        if match["ending"] and found is None:
            label = CitedLabel((text[match.start()],), match.start(), match.end())
            found = Phrase(match.start(), match.end(), "bare", (label,))
        listed = found and (len(found.labels) > 1 or match["ending"])
        if found and listed and all(label.shape == ("A",) for label in found.labels):
            done = found.end
            if not may_be_word(text, found.start, grammar):
                yield replace(found, intro="unclear", tentative=True)


# Where a list of capitals may begin; a capital with what grammar hangs on it.
_CAPITALS = re.compile(rf"{LABEL_START}{CAPITAL}(?:(?= |,)|(?P<ending>-[^\W\d_A-Z]{{1,3}}(?!\w)))")
# Where a label may begin, or one letter that only what follows makes a label: "b of D2".
_BEGINNING = re.compile(rf"{LABEL_BEGINNING.pattern}|{LABEL_START}(?P<alone>{SMALL}|(?:{LONE_NUMERAL})\)?)(?=[ \-])")


def _announced_phrases(text: str, grammar: Grammar) -> Iterator[Phrase]:
    done = 0
    same = [match.span() for match in grammar.same.finditer(text)]
    for match in grammar.intro.finditer(text):
        start, at = match.start(), match.end()
        if start < done:
            continue
        intro = cast(PhraseIntro, match.lastgroup)
        longer = intro in ("law", "provision") and any(s < start < e <= at for s, e in same)
        if longer and not _announces_next_label(text, at, intro, grammar):
            continue
        before = _phrase_before_word(text, intro, start, at, done, grammar)
        if before is None:
            hits = _phrases_after_word(text, match, grammar)
        elif before.intro == "unclear" or before.labels:
            hits = [before]
        else:
            continue
        for hit in hits:
            done = hit.end
            yield hit


def _announces_next_label(text: str, at: int, intro: PhraseIntro, grammar: Grammar) -> bool:
    """Whether the noun that ends at ``at`` announces the label after it: yes in "of the same section C".

    No where something else follows the noun, as "section C" does in "of the same law section C"; where a letter follows
    a word for a law; and where the label has a word of its own after it. ``intro`` says what the noun is a word for.
    """
    label = read_label(text, at, grammar, intro)
    return (
        label is not None
        and (intro != "law" or label.may_begin_with_law)
        and grammar.after.match(text, label.end) is None
    )


def _phrases_after_word(text: str, match: re.Match[str], grammar: Grammar) -> list[Phrase]:
    """Return the phrase that a word announces, and the laws that continue its list after a bracket; [] without a label.

    ``match`` is the match of the word (``grammar.intro``).
    """
    intro, start, at = cast(PhraseIntro, match.lastgroup), match.start(), match.end()
    if intro in ("see", "in"):
        if grammar.joining.search(text, max(0, start - _LONGEST_NOTE_WORD), at):
            return []
        start = at = _match_end(grammar.also, text, at) if intro == "see" else at
    hit = _phrase_after_see(text, at, grammar) if intro == "see" else _read_phrase(text, at, intro, grammar)
    if hit and intro in ("see", "in") and grammar.after.match(text, hit.labels[-1].end):
        return []  # "see 3. punkt": a label with a word of its own
    if hit is None and intro in ("law", "provision") and match.end(intro) < at:
        hit = _read_phrase(text, match.end(intro), intro, grammar)  # "letters a and b", where "a" is a word, too
    hit = hit and _as_announced(text, match.start(), hit, grammar)
    if hit:
        further = _laws_after_bracket(text, start, hit, grammar)
        hit = replace(hit, start=start, note=match["footnote"] is not None)
        if intro == "provision" and (chain := _as_chain(text, hit)):
            without = replace(hit, end=hit.labels[0].end, labels=hit.labels[:1], joins=(), direction=0)
            hit = replace(chain, tentative=True, without=without)
        return [hit, further] if further else [hit]
    if intro == "see" and not grammar.intro.match(text, at):
        at = _match_end(_EMPHASIS, text, _match_end(grammar.definition, text, at))
        if text[at : at + 1] == '"' or text[at : at + 1].isupper():
            return [Phrase(match.start(), at, "term", term=at)]
    return []


def _phrase_before_word(
    text: str, intro: PhraseIntro, start: int, at: int, done: int, grammar: Grammar
) -> Phrase | None:
    """Return the phrase of a law or provision word ``text[start:at]`` that stands after its label.

    A phrase without labels says that the word has nothing to do with labels after it. None: the word announces them.
    ``done`` is the end of the phrase before.
    """
    if intro == "law":
        return _number_with_law_word(text, start, at, done, grammar)
    return _part_after_word(text, start, at, done, grammar) if intro == "provision" else None


def _phrase_after_see(text: str, at: int, grammar: Grammar) -> Phrase | None:
    """Return the phrase that begins at ``at``, right after "see", or None.

    "above" or "below" may stand before its labels: "see above B 2".
    """
    match = grammar.direction_before.match(text, at)
    hit = _read_phrase(text, match.end() if match else at, "see", grammar)
    return replace(hit, direction=-1 if match["above"] else 1) if match and hit and not hit.direction else hit


def _number_with_law_word(text: str, start: int, at: int, done: int, grammar: Grammar) -> Phrase | None:
    """Return the phrase of a number and the law word ``text[start:at]`` after it, without labels: "16 §".

    The phrase is unclear when the word may also belong to what follows. None when no number stands before the word, or
    when the word belongs to what follows: then the number is part of a phrase that ends at ``done``.
    """
    before = _number_start_before(text, start, grammar)
    if before is None:
        return None
    if _begins_with_number(text, at, grammar) == (before < done):
        return None if before < done else Phrase(before, at, "law")
    end, clear = _read_numbers_with_words(text, at, grammar)
    return Phrase(start if before < done else before, end, "law" if clear else "unclear")


def _laws_after_bracket(text: str, start: int, hit: Phrase, grammar: Grammar) -> Phrase | None:
    """Return the laws that continue a list after ``hit``, a part of a law in brackets; else None.

    Example: "Laws 9 (section A), 10 and 16". ``start`` is where the words in the brackets begin.
    """
    if hit.intro != "provision" or text[max(0, start - 1) : start] != "(" or not text.startswith(")", hit.end):
        return None
    back = grammar.law_before_bracket.search(text, max(0, start - _LONGEST_NOTE_WORD), start - 1)
    join = grammar.join.match(text, hit.end + 1) if back else None
    return (
        _read_phrase(text, join.end(), "law", grammar)
        if join and not join["dot"] and text[join.end()].isdigit()
        else None
    )


def _part_after_word(text: str, start: int, at: int, done: int, grammar: Grammar) -> Phrase | None:
    """Return the phrase after a provision word ``text[start:at]`` that belongs to the label before it.

    Example: "C kohdan 1 alakohta". The phrase has no labels when the labels after the word have a word of their own.
    None when the word announces the labels after it. ``done`` is the end of the phrase before.
    """
    before = grammar.part_before.search(text, max(done, start - _LONGEST_LAW_WORD), start)
    after = grammar.after.match(text, before.end("label")) if before else None
    if before is None or after is None or after.lastgroup != "provision" or after.end() < at - 1:
        return None
    hit = _read_phrase(text, at, "provision", grammar)
    own = hit and grammar.after.match(text, hit.labels[-1].end)
    if own and not before["label"].islower():
        return Phrase(start, at, "provision")  # "2. töluliður B liðar"
    if hit is None or not can_stand_under((before["label"].rstrip(")"),), hit.labels[0].shape, "provision"):
        return None  # "s točko A"
    return Phrase(start, at, "provision") if own else replace(hit, loose=True)


def _number_start_before(text: str, at: int, grammar: Grammar) -> int | None:
    """Return the start of the number before the law word at ``at``, in a language with that order; else None."""
    back = max(0, at - _LONGEST_LAW_WORD)
    match = grammar.number_before.search(text[back:at])
    return back + match.start() if match and grammar.law_after.match(text, back + match.end("number")) else None


def _begins_with_number(text: str, at: int, grammar: Grammar) -> bool:
    label = read_label(text, at, grammar, "law")
    return label is not None and label.may_begin_with_law


def _read_numbers_with_words(text: str, at: int, grammar: Grammar) -> tuple[int, bool]:
    """Return (end, whether every number has a law word) of the numbers and law words that follow each other from ``at``
    on.

    Before ``at`` stands a number with its law word. In "16 § 17 §" each number has one; "16 § 17" can be read in two
    ways.
    """
    end = at
    while (label := read_label(text, end, grammar, "law")) and label.may_begin_with_law:
        end = label.end
        after = grammar.law_after.match(text, end) if len(label.steps) == 1 else None
        if after is None:
            return end, False
        end = _match_end(_BLANKS, text, after.end())
    if label and end == at:
        return label.end, False  # "§ 16 § B"
    return end, True


def _match_end(pattern: re.Pattern[str], text: str, at: int) -> int:
    """The end of a pattern's match at ``at``; ``at`` itself when it does not match."""
    match = pattern.match(text, at)
    return match.end() if match else at


def _may_follow_word_for_in(text: str, at: int, hit: Phrase, grammar: Grammar) -> bool:
    """Whether labels after a word for "in" or "see" are a reference if they exist: "in A", "contrary to B 1".

    The word begins at ``at``, the labels are those of ``hit``. A word of one letter does not announce a label of one
    letter with a further word after it. A word in capitals announces nothing.
    """
    first, last = hit.labels[0], hit.labels[-1]
    announcing = text[at : hit.start].strip()
    if _has_only_small_letters(hit) or (
        hit.intro == "in" and first.shape[:2] == ("1", "a") and "(" in text[first.start : first.end]
    ):
        return True
    if hit.intro != "in" or first.shape[0] != "A" or hit.direction or announcing.isupper():
        return False
    if may_be_word(text, first.start, grammar) or grammar.after.match(text, last.end):
        return False
    if len(first.steps) == 1 and len(announcing) == 1 and not PHRASE_END.match(text, last.end):
        return False
    return not grammar.of_outer.match(text, last.end)


def _has_only_small_letters(hit: Phrase) -> bool:
    """Whether the labels are a list of small letters: "according to a or b"."""
    return hit.intro in ("in", "see") and len(hit.labels) > 1 and all(label.shape == ("a",) for label in hit.labels)


def _as_announced(text: str, at: int, hit: Phrase, grammar: Grammar) -> Phrase | None:
    """Return the phrase as the word at ``at`` announces it; None when the word does not announce it.

    It is tentative or unclear if it needs more than the word.
    """
    if hit.intro == "see" and _may_be_ordinal(text, hit):
        return replace(hit, intro="unclear", tentative=True)
    if _fits_intro(text, hit, grammar):
        return hit
    return replace(hit, tentative=True) if _may_follow_word_for_in(text, at, hit, grammar) else None


def _may_be_ordinal(text: str, hit: Phrase) -> bool:
    """Whether a lone number may belong to a word after it: "see 3. kort"."""
    lone = len(hit.labels) == 1 and hit.labels[0].shape == ("1",) and not hit.direction
    return lone and text.startswith(". ", hit.end) and text[hit.end + 2 : hit.end + 3].islower()


def _fits_intro(text: str, hit: Phrase, grammar: Grammar) -> bool:
    """Whether the first label of a phrase may follow the word that announces it.

    After a law word any label may. After "in" mostly a label in brackets may, "(a)". After "see" a number may not when
    it belongs to a law word after it: "see 62. §".
    """
    first, last = hit.labels[0], hit.labels[-1]
    printed = text[first.start]
    own = hit.intro in ("in", "see") or (hit.intro == "provision" and len(hit.labels) == 1)
    if own and last.may_begin_with_law and grammar.law_after.match(text, last.end):
        return False
    if printed != "(" and _has_only_small_letters(hit):
        return hit.direction != 0
    if hit.intro == "in":
        closed = bool(PHRASE_END.match(text, hit.end))
        return (
            printed == "("
            or (hit.direction != 0 and first.shape != ("1", "A"))
            or (
                closed
                and (
                    (first.short is not None and first.shape[:2] == ("A", "1"))
                    or (first.shape == ("A",) and hit.joins == ("range",))
                )
            )
            or (closed and first.shape == ("1", "A") and int(first.steps[0]) > 7)
        )
    if hit.intro == "see":
        lone = len(first.steps) == 1 and first.shape != ("A",) and printed != "("
        return not lone or hit.direction != 0 or bool(PHRASE_END.match(text, hit.end))
    return True


def _unannounced_phrases(text: str, grammar: Grammar, taken: list[tuple[int, int]]) -> Iterator[Phrase]:
    done, spans = 0, iter([*sorted(taken), (len(text) + 1, len(text) + 1)])
    busy = next(spans)
    for match in _BEGINNING.finditer(text):
        at = match.start()
        while busy[1] <= at:
            busy = next(spans)
        if at < done or at >= busy[0]:
            continue
        small = match["alone"] is not None
        hit = _read_phrase(text, at, "provision" if small else "bare", grammar)
        if hit is None or hit.end > busy[0]:
            continue
        if not (after := grammar.after.match(text, hit.labels[-1].end)):
            found = _phrase_without_word(text, hit, small, grammar)
        elif after.lastgroup == "provision":
            found = replace(hit, intro="provision", end=after.end(), loose=small and _is_one_letter_word(hit))
        elif small:
            continue
        else:
            found = _phrase_with_law_word(text, hit, after.end(), grammar)
        if found and found.end <= busy[0]:
            done = found.end
            yield found


def _is_one_letter_word(hit: Phrase) -> bool:
    """Whether a phrase is one label of one letter, and this letter is a word in some language: "a kohta".

    Not so "b kohta" and "a ja b kohta".
    """
    return len(hit.labels) == 1 and len(hit.labels[0].steps[0]) == 1 and hit.labels[0].steps[0] not in CONSONANTS


def _phrase_without_word(text: str, hit: Phrase, small: bool, grammar: Grammar) -> Phrase | None:
    """Return the phrase, if it is a reference without any word; else None.

    It is one by its form, by an "above" or "below" after it, or because "of Law 16" follows it. ``small`` says that it
    begins with a single small letter or numeral.
    """
    first, end = hit.labels[0], hit.labels[-1].end
    word = text[first.end - 1] != ")" and may_be_word(text, first.start, grammar)
    if not first.may_begin_with_law and grammar.of_outer.match(text, end) and not word:
        return replace(hit, intro="provision", own="bare", end=end, direction=0)
    if small:
        return None
    if all(label.shape == ("1",) for label in hit.labels) and grammar.of_outer.match(text, end):
        return _phrase_of_numbers(text, hit, grammar)
    if hit.direction and first.shape != ("1", "A"):
        return replace(hit, intro="direction")  # "4C below" is a bid
    speaks = _is_reference_by_form(first, text)
    return hit if speaks else None if word else _tentative_phrase(text, hit, grammar)


def _phrase_of_numbers(text: str, hit: Phrase, grammar: Grammar) -> Phrase | None:
    """Return ``hit``, a phrase of numbers before what they are a part of, as tentative: the "2" of "2 of Law 16 A".

    It is only tentative because the numbers may also be a count. None where they end a list that begins with a letter
    which is also a word: "A 1 e 2 dell'articolo 64".
    """
    listed = grammar.part_of_law.search(text, max(0, hit.start - _LONGEST_LAW_WORD), hit.end + _LONGEST_NAME)
    if listed and listed.start() < hit.start:
        return None
    return replace(hit, intro="provision", own="bare", end=hit.labels[-1].end, direction=0, tentative=True)


def _tentative_phrase(text: str, hit: Phrase, grammar: Grammar) -> Phrase | None:
    """Return ``hit``, labels without any word, as a phrase that counts only if its provisions exist; None if it is
    none.

    Examples: "B 1 c ii", "A and B1". A single label that may be a letter and a count becomes unclear instead, except at
    the start of a sentence or a bracket.
    """
    first, last = hit.labels[0], hit.labels[-1]
    long = [label for label in hit.labels if label.shape[:2] == ("A", "1")]
    if first.shape[0] != "A" or not long or hit.direction:
        return None
    closed = (
        PHRASE_END.match(text, last.end)
        or text[last.end - 1] == ")"
        or grammar.provision_again.match(text, _match_end(_BLANKS, text, last.end))
    )
    counts = len(hit.labels) == 1 and len(last.steps) == 2 and not closed
    if counts and not _SENTENCE_OPENING.search(text, max(0, hit.start - _LONGEST_LAW_WORD), hit.start):
        return replace(hit, intro="unclear", tentative=True)
    return replace(hit, tentative=True)


def _phrase_with_law_word(text: str, hit: Phrase, at: int, grammar: Grammar) -> Phrase | None:
    """Return the phrase of a number, the law word after it and the part after that: "16 § B 1".

    ``hit`` is the phrase of the number alone, "16"; ``at`` is the end of the law word. Without a part after it, the
    result is the phrase of the law, "16 §". None where ``hit`` does not begin with a number.
    """
    if not hit.labels[0].may_begin_with_law:
        return None
    law = replace(hit, intro="law", end=at, direction=0)
    last = hit.labels[-1]
    start = _match_end(_BLANKS, text, at)
    label = read_label(text, start, grammar, "law")
    if label is None or start == at or not _is_part_after_law(text, label, last, grammar):
        return law
    if len(hit.labels) > 1:
        return law  # "16 och 17 §§ B": the part belongs to both, see join_phrases
    rest = _read_phrase(text, start, "law", grammar, int(last.steps[0]))
    if rest is None:
        return law
    after = grammar.after.match(text, rest.labels[-1].end)
    end = after.end() if after and after.lastgroup == "provision" else rest.end
    return replace(rest, start=hit.start, end=end, under=last.steps, own="provision")


def _is_part_after_law(text: str, label: CitedLabel, law: CitedLabel, grammar: Grammar) -> bool:
    """Whether a label after a number and its law word is a part of that law: "B 1", or "2" at the end of the phrase."""
    if not can_stand_under(law.steps, label.shape, "law"):
        return False
    if label.shape == ("1",):
        return bool(PHRASE_END.match(text, label.end))
    word = label.shape == ("A",) and may_be_word(text, label.start, grammar)
    return label.shape[0] == "A" and not (word and text[label.end : label.end + 2].strip().isalpha())


def _is_reference_by_form(label: CitedLabel, text: str) -> bool:
    """Whether a label is surely a reference, although no word announces it.

    C2, 16D2 and 16D are. 2D is not: it may be a bid (levels 1 to 7). "C 2" with a blank is one in brackets only.
    """
    if label.short is not None and label.shape[0] == "A":
        return text[label.start - 1 : label.start] == "(" and text[label.end : label.end + 1] == ")"
    if label.shape == ("1", "A"):
        return int(label.steps[0]) > 7 and " " not in text[label.start : label.end]
    return label.shape[:2] == ("A", "1") or label.shape[:3] == ("1", "A", "1")


def _read_phrase(text: str, at: int, intro: PhraseIntro, grammar: Grammar, law: int = 0) -> Phrase | None:
    """Return the phrase of the list of labels that begins at ``at``, with its "above" or "below"; None without a label.

    ``law`` is the number of the law that the labels belong to, when it stands before them.
    """
    label = read_label(text, at, grammar, intro)
    if label is None:
        return None
    labels, joins = [label], []
    while join := grammar.join.match(text, labels[-1].end):
        if join["dot"] and (join["word"] or join["to"] or "a")[0].isupper():
            break  # "… Law 16. And 17 …"
        label = read_label(text, join.end(), grammar, intro, after=labels[-1])
        if label is None and (again := _repeated_word_pattern(text, at, grammar, intro, join).match(text, join.end())):
            label = read_label(text, again.end(), grammar, intro, after=labels[-1])
            if (
                label
                and not join["range"]
                and len(label.steps) == 1
                and not (PHRASE_END.match(text, label.end) or grammar.after.match(text, label.end))
            ):
                break  # "Law 16 or the 3 of hearts"
        if label is None or (join["range"] and not can_be_range(labels[-1], label)):
            break
        if intro == "law" and join["soft"] and label.shape[0] == "A" and [la.shape for la in labels] == [("1",)]:
            break  # "Law 16, C 2": a part of the law, see join_phrases
        labels.append(label)
        joins.append("range" if join["range"] else "list" if join["hard"] else "comma")
    more = _drop_borrowed_labels(text, labels, joins, intro, grammar, law)
    # "Law 16, 3 cards": a lone number after a comma belongs to the list only if the list ends there or continues
    # with "and".
    while (
        joins
        and not more
        and joins[-1] == "comma"
        and len(labels[-1].steps) == 1
        and text[labels[-1].end - 1] != ")"
        and not PHRASE_END.match(text, labels[-1].end)
        and not grammar.direction.match(text, labels[-1].end)
    ):
        labels.pop()
        joins.pop()
    end, direction = _read_phrase_end(text, labels[-1].end, intro, grammar)
    return Phrase(at, end, intro, tuple(labels), tuple("range" if j == "range" else "list" for j in joins), direction)


def _read_phrase_end(text: str, at: int, intro: PhraseIntro, grammar: Grammar) -> tuple[int, int]:
    """Return (end, direction) of a phrase whose last label ends at ``at``.

    The end includes "above" or "below" after the label, or the stop of an ordinal after a law or provision word.
    ``direction`` is as in :class:`~corpus.reference.join.Phrase`.
    """
    match = grammar.direction.match(text, at)
    if match and not (match["dot"] and match["word"][0].isupper()):
        return match.end(), -1 if match["above"] else 1
    return grammar.ordinal_stop_end(text, at) if intro in ("law", "provision") else at, 0


def _repeated_word_pattern(
    text: str, at: int, grammar: Grammar, intro: PhraseIntro, join: re.Match[str]
) -> re.Pattern[str]:
    """Return the pattern of words that may be repeated before a further label of a list or range.

    The list begins at ``at``; ``join`` is the match of what joins the further label. A word that stands before labels
    and also announces parts is repeated only where it stood before the first label: "Laws no. 9 and no. 10", but not
    "section B, no. 2".
    """
    if not join["range"] or intro not in ("law", "provision"):
        led = intro == "law" and grammar.lead_word_before.search(text, max(0, at - _LONGEST_NOTE_WORD), at)
        return grammar.lead_again if led else grammar.lead_only
    return grammar.law_again if intro == "law" else grammar.provision_again


def _drop_borrowed_labels(
    text: str, labels: list[CitedLabel], joins: list[str], intro: PhraseIntro, grammar: Grammar, law: int
) -> bool:
    """Remove the labels of a list that belong to a word after them; return whether some were removed.

    Examples: "16 § B och 17 §", "Law 31 and B of Law 32". When the list has only numbers, those before a law word are
    laws of the list. Lists of laws rise: in "16 § B, 17 och 18 §" 17 is a law, in "16 § B 1, 2 och 17 §" 2 is none.
    """
    last = labels[-1]
    if len(labels) == 1:
        return False
    if not last.may_begin_with_law:
        if not (law or labels[0].may_begin_with_law) or not grammar.of_law.match(text, last.end):
            return False
        labels.pop()
        joins.pop()
        return True
    if intro == "law" and last.shape == labels[-2].shape == ("1",) and grammar.of_law.match(text, last.end):
        labels.pop()  # "Law 16 and 2 of Law 17": no law is of a law
        joins.pop()
        return True
    if not grammar.law_after.match(text, last.end) or (
        intro in ("bare", "see", "in") and all(label.may_begin_with_law for label in labels)
    ):
        return False
    law = law or int((labels[0] if labels[0].may_begin_with_law else last).steps[0])
    labels.pop()
    while (
        len(labels) > 1
        and labels[-1].may_begin_with_law
        and (joins[-1] == "range" or int(labels[-1].steps[0]) > law)
        and intro != "provision"
    ):
        labels.pop()
        joins.pop()
    joins.pop()
    return True
