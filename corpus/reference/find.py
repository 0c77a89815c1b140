"""Second step: phrases that look like references, as labels; whether they lead anywhere is not asked here.

A phrase is a word that announces a label ("przepis", "bod", "see") and one or more labels after it, or labels
that stand without one but are followed by "above" or "below" or can be nothing else ("C2", "16D2").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, cast

from corpus.label import running
from corpus.label.grammar import SMALL, START, shape
from corpus.label.running import BEGINNING, CLOSED, Label
from corpus.reference.grammar import Grammar

# The most characters from the beginning of a number to the law word after it, and the one before the number.
_WORD = 16
_BLANKS = re.compile(" *")

Intro = Literal["law", "provision", "see", "in", "direction", "bare", "term", "unclear"]


@dataclass(frozen=True)
class Found:
    """A phrase: ``text[start:end]``. ``joins[i]`` says how label i+1 hangs on label i: "list" or "range".

    ``direction``: -1 for "above", 1 for "below", 0 when neither is said. ``under``: the steps above the labels when
    they stand in words of their own, "section B of Law 16"; ``own`` then says which word stands with the labels
    themselves, here "provision". A phrase of the intro "term" has no labels: at ``term`` the name of a definition may
    stand. One of the intro "unclear" can be read in two ways and leads nowhere. ``note``: the phrase speaks of a note
    of what its labels name, "footnote to Law 68".
    """

    start: int
    end: int
    intro: Intro
    labels: tuple[Label, ...] = ()
    joins: tuple[str, ...] = ()
    direction: int = 0
    under: tuple[str, ...] = ()
    term: int = 0
    note: bool = False
    own: Intro | None = None

    @property
    def word(self) -> Intro:
        """What stands with the labels themselves."""
        return self.own or self.intro

    @property
    def outermost(self) -> tuple[str, ...]:
        """The shape of the first label with the steps above it: what this phrase may be a part of."""
        return (*map(shape, self.under), *self.labels[0].shape) if self.labels else ()


def find(text: str, grammar: Grammar) -> list[Found]:
    """Every phrase of a cleaned text that looks like a reference, in order, none overlapping.

    >>> find("see Laws 22B and 86A", english)[0].labels[1].steps
    ('86', 'A')
    """
    hits = list(_announced(text, grammar))
    hits += _unannounced(text, grammar, [(h.start, h.end) for h in hits])
    return _joined(text, sorted(hits, key=lambda h: h.start), grammar)


# Where a label may begin, or one letter that only what follows makes a label: "b of D2".
_BEGINNING = re.compile(rf"{BEGINNING.pattern}|{START}(?P<alone>{SMALL})(?= )")


def _announced(text: str, grammar: Grammar) -> Iterator[Found]:
    done = 0
    for match in grammar.intro.finditer(text):
        if match.start() < done:
            continue
        intro, start, at = cast(Intro, match.lastgroup), match.start(), match.end()
        if intro == "law" and (before := _number_before(text, start, grammar)) is not None:
            taken = before < done
            if not taken and not _begins_with_number(text, at, grammar):
                continue  # "16 § B": the word belongs to the number before it
            if not taken or not _begins_with_number(text, at, grammar):
                end, clear = _alternation(text, at, grammar)
                if not clear:
                    done = end
                    yield Found(start if taken else before, end, "unclear")
                continue
        if intro == "see":
            start = at = _end(grammar.also, text, at)
        elif intro == "in":
            start = at
        hit = _phrase(text, at, intro, grammar)
        if hit and _fits(text, hit):
            done = hit.end
            yield replace(hit, start=start, note=match["footnote"] is not None)
        elif intro == "see" and not grammar.intro.match(text, at):
            at = _end(grammar.definition, text, at)
            if text[at : at + 1] == '"' or text[at : at + 1].isupper():
                done = at
                yield Found(match.start(), at, "term", term=at)


def _number_before(text: str, at: int, grammar: Grammar) -> int | None:
    """Where the number begins that the law word at ``at`` follows, in a language in which it may; else None."""
    back = max(0, at - _WORD)
    match = grammar.number_before.search(text[back:at])
    return back + match.start() if match and grammar.law_after.match(text, back + match.end("number")) else None


def _begins_with_number(text: str, at: int, grammar: Grammar) -> bool:
    label = running.read(text, at, grammar, "law")
    return label is not None and label.shape[0] == "1"


def _alternation(text: str, at: int, grammar: Grammar) -> tuple[int, bool]:
    """Numbers and law words in turn after a number and its law word: where they end, and whether with a law word, so
    that each number has one: "16 § 17 §". "16 § 17" can be read in two ways.
    """
    end = at
    while (label := running.read(text, end, grammar, "law")) and label.shape[0] == "1":
        end = label.end
        after = grammar.law_after.match(text, end) if len(label.steps) == 1 else None
        if after is None:
            return end, False
        end = _end(_BLANKS, text, after.end())
    if label and end == at:
        return label.end, False  # "§ 16 § B"
    return end, True


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Where what a pattern matches at a place ends; the place itself where it matches nothing."""
    match = pattern.match(text, at)
    return match.end() if match else at


def _fits(text: str, hit: Found) -> bool:
    """Whether the first label may follow its word: after a law word anything, after "in" only "(a)"."""
    first = hit.labels[0]
    printed = text[first.start]
    if hit.intro == "in":
        closed = bool(CLOSED.match(text, hit.end))
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
        return not lone or hit.direction != 0 or bool(CLOSED.match(text, hit.end))
    return True


def _unannounced(text: str, grammar: Grammar, taken: list[tuple[int, int]]) -> Iterator[Found]:
    done, spans = 0, iter([*sorted(taken), (len(text) + 1, len(text) + 1)])
    busy = next(spans)
    for match in _BEGINNING.finditer(text):
        at = match.start()
        while busy[1] <= at:
            busy = next(spans)
        if at < done or at >= busy[0]:
            continue
        small = match["alone"] is not None
        hit = _phrase(text, at, "provision" if small else "bare", grammar)
        if hit is None or hit.end > busy[0]:
            continue
        if small or not (after := grammar.after.match(text, hit.labels[-1].end)):
            found = _without_word(text, hit, small, grammar)
        elif after.lastgroup == "provision":
            found = replace(hit, intro="provision", end=after.end())
        else:
            found = _law_before_word(text, hit, after.end(), grammar)
        if found and found.end <= busy[0]:
            done = found.end
            yield found


def _without_word(text: str, hit: Found, small: bool, grammar: Grammar) -> Found | None:
    """The phrase if it is a reference without any word: by its form, its "above" or "below", or since it goes on "of
    Law 16".
    """
    first, end = hit.labels[0], hit.labels[-1].end
    if first.shape[0] != "1" and grammar.of_outer.match(text, end) and text[first.start].lower() not in grammar.letters:
        return replace(hit, intro="provision", own="bare", end=end, direction=0)
    if small:
        return None
    if hit.direction and first.shape != ("1", "A"):
        return replace(hit, intro="direction")  # "4C below" is a bid
    return hit if _speaks_for_itself(first, text) else None


def _law_before_word(text: str, hit: Found, at: int, grammar: Grammar) -> Found | None:
    """A phrase whose law word ends at ``at``, after its numbers, with the part that follows: "16 § B 1"."""
    if hit.labels[0].shape[0] != "1":
        return None
    law = replace(hit, intro="law", end=at, direction=0)
    last = hit.labels[-1]
    start = _end(_BLANKS, text, at)
    label = running.read(text, start, grammar, "law")
    if label is None or start == at or not _is_rest(text, label, last, grammar):
        return law
    if len(hit.labels) > 1:
        return law  # "16 och 17 §§ B": of the part, see _joined
    rest = _phrase(text, start, "law", grammar)
    if rest is None:
        return law
    after = grammar.after.match(text, rest.labels[-1].end)
    end = after.end() if after and after.lastgroup == "provision" else rest.end
    return replace(rest, start=hit.start, end=end, under=last.steps, own="provision")


def _is_rest(text: str, label: Label, law: Label, grammar: Grammar) -> bool:
    """Whether a label after a law word that follows its number is a part of that law: "B 1", or "2" where the phrase
    ends.
    """
    if not _deeper(law.steps, label.shape, "law"):
        return False
    if label.shape == ("1",):
        return bool(CLOSED.match(text, label.end))
    word = label.shape == ("A",) and text[label.start].lower() in grammar.letters
    return label.shape[0] == "A" and not (word and text[label.end : label.end + 2].strip().isalpha())


def _speaks_for_itself(label: Label, text: str) -> bool:
    """Whether a label needs no word: C2, 16D2, and 16D too; but 2D is a bid, as there is no eighth level."""
    if label.short is not None and label.shape[0] == "A":
        return text[label.start - 1 : label.start] == "(" and text[label.end : label.end + 1] == ")"
    if label.shape == ("1", "A"):
        return int(label.steps[0]) > 7 and label.end - label.start == len("".join(label.steps))
    return label.shape[:2] == ("A", "1") or label.shape[:3] == ("1", "A", "1")


def _phrase(text: str, at: int, intro: Intro, grammar: Grammar) -> Found | None:
    """The list of labels that begins at ``at``, with its "above" or "below"."""
    label = running.read(text, at, grammar, intro)
    if label is None:
        return None
    labels, joins = [label], []
    while join := grammar.join.match(text, labels[-1].end):
        if join["dot"] and (join["word"] or join["to"] or "a")[0].isupper():
            break  # "… Law 16. And 17 …"
        label = running.read(text, join.end(), grammar, intro, after=labels[-1])
        if (
            label is None
            and intro == "law"
            and (again := (grammar.law_again if join["range"] else grammar.lead_again).match(text, join.end()))
        ):
            label = running.read(text, again.end(), grammar, intro, after=labels[-1])
            if label and not join["range"] and len(label.steps) == 1 and not CLOSED.match(text, label.end):
                break  # "Law 16 or the 3 of hearts"
        if label is None or (join["range"] and not running.can_end(labels[-1], label)):
            break
        labels.append(label)
        joins.append("range" if join["range"] else "list" if join["hard"] else "comma")
    _give_back(text, labels, joins, intro, grammar)
    # "Law 16, 3 cards": a lone number after a comma belongs to the list only if the list ends there or goes on to an
    # "and".
    while (
        joins
        and joins[-1] == "comma"
        and len(labels[-1].steps) == 1
        and text[labels[-1].end - 1] != ")"
        and not CLOSED.match(text, labels[-1].end)
        and not grammar.direction.match(text, labels[-1].end)
    ):
        labels.pop()
        joins.pop()
    end, direction = labels[-1].end, 0
    said = grammar.direction.match(text, end)
    if said and not (said["dot"] and said["word"][0].isupper()):
        end, direction = said.end(), -1 if said["above"] else 1
    return Found(at, end, intro, tuple(labels), tuple("range" if j == "range" else "list" for j in joins), direction)


def _give_back(text: str, labels: list[Label], joins: list[str], intro: Intro, grammar: Grammar) -> None:
    """Takes the labels off a list that belong to a word after them: "16 § B och 17 §", "Law 31 and B of Law 32".

    Numbers before a law word that follows them are laws where nothing else stands in the list. Lists of laws rise, so
    of "16 § B, 17 och 18 §" 17 is a law, of "16 § B 1, 2 och 17 §" 2 is none.
    """
    last = labels[-1]
    if len(labels) > 1 and last.shape[0] == "1" and grammar.law_after.match(text, last.end):
        if intro == "bare" and all(label.shape[0] == "1" for label in labels):
            return
        law = int(labels[0].steps[0]) if labels[0].shape[0] == "1" else int(last.steps[0])
        labels.pop()
        while (
            len(labels) > 1
            and labels[-1].shape[0] == "1"
            and (joins[-1] == "range" or int(labels[-1].steps[0]) > law)
            and intro != "provision"
        ):
            labels.pop()
            joins.pop()
        joins.pop()
    elif (
        len(labels) > 1
        and last.shape[0] != "1"
        and labels[0].shape[0] == "1"
        and grammar.of_law.match(text, last.end)
    ):
        labels.pop()
        joins.pop()


def _joined(text: str, hits: list[Found], grammar: Grammar) -> list[Found]:
    """Makes one phrase of "section B of Law 16", "Law 16, section B", "Law 16 (section B)" and "section B, item 2".

    A part of two laws, or of which it is not said whether it is one, is unclear: "section B of Laws 16 and 17", "Laws
    16 and 17, section B", "section B under Law 16".
    """
    out: list[Found] = []
    for hit in hits:
        last = out[-1] if out else None
        if last is None or last.note or hit.note:
            out.append(hit)
        elif hit.intro == "unclear":
            if last.labels and last.labels[0].shape[0] != "1" and grammar.join.fullmatch(text, last.end, hit.start):
                hit = replace(out.pop(), intro="unclear", end=hit.end)
            out.append(hit)
        elif last.direction or not {last.intro, hit.intro} <= {"law", "provision", "see", "bare", "in"}:
            out.append(hit)
        elif _is_part(text, last, hit):
            end = hit.end + (text[last.end : hit.start] == " (")
            own = hit.word if hit.intro != "bare" else "provision"
            if len(last.labels) > 1:
                out.append(replace(hit, intro="unclear"))
            else:
                under = last.under + last.labels[0].steps + hit.under
                out[-1] = replace(hit, start=last.start, end=end, intro=last.intro, under=under, own=own)
        else:
            whole = _whole(text, last, hit, grammar)
            if whole:
                out[-1] = whole
                if whole.intro == "unclear":
                    out.append(hit)
            else:
                out.append(hit)
    return out


def _whole(text: str, last: Found, hit: Found, grammar: Grammar) -> Found | None:
    """The first phrase as a part of what the second names, "section B of Law 16"; unclear where that can be read in
    two ways; None where the two have nothing to do with each other.
    """
    if not last.labels or not hit.labels or last.outermost[:1] == ("1",) and last.intro not in ("provision", "in"):
        return None
    named = grammar.of_word.fullmatch(text, last.end, hit.start)
    between = named or (last.word == "provision" and grammar.of.fullmatch(text, last.end, hit.start))
    if not between:
        under = hit.intro == "law" and last.word == "provision"
        return (
            replace(last, intro="unclear", end=hit.end)
            if under and grammar.in_word.fullmatch(text, last.end, hit.start)
            else None
        )
    if hit.intro not in ("law", "provision") and not named:
        return None
    above = hit.under + hit.labels[0].steps
    intro = hit.intro if hit.intro in ("law", "provision") else "law" if shape(above[0]) == "1" else "provision"
    fits = _deeper(above, last.outermost, intro)
    if fits and len(hit.labels) == 1 and not hit.direction:
        return replace(last, end=hit.end, intro=intro, under=above + last.under, own=last.word)
    if named and intro == "law" and last.outermost[0] != "1":
        return replace(last, intro="unclear")
    return None


def _is_part(text: str, last: Found, hit: Found) -> bool:
    """Whether the second phrase names a part of what the first names: "Law 16, section B", "section B, item 2"."""
    if hit.intro in ("see", "in", "law") or not last.labels or not hit.labels or last.intro == "in":
        return False
    between, below = text[last.end : hit.start], hit.outermost
    above = last.under + last.labels[-1].steps
    if last.intro == "law" and between == " (":
        return (
            hit.intro in ("provision", "bare")
            and below[0] == "A"
            and not hit.direction
            and text[hit.end : hit.end + 1] == ")"
            and _deeper(above, below, "law")
        )
    if hit.intro != "provision" or last.intro == "bare" or between not in (" ", ", "):
        return False
    nested = between == " " or last.intro == "law" or shape(above[-1]) != below[0]
    return nested and (last.intro != "see" or shape(above[0]) == "A") and _deeper(above, below, last.intro)


def _deeper(above: tuple[str, ...], below: tuple[str, ...], intro: Intro) -> bool:
    """Whether a label of that shape can stand under those steps: a capital or a number under a law, no capital under
    a capital.
    """
    if len(above) == 1 and intro == "law":
        return above[0].isdigit() and below[:2] != ("1", "A")
    return below[0] in {"1": "a", "A": "1a", "a": "a"}[shape(above[-1])]
