"""Second step: phrases that look like references, as labels; whether they lead anywhere is not asked here.

A phrase is a word that announces a label ("przepis", "bod", "see") and one or more labels after it, or labels
that stand without one but are followed by "above" or "below" or can be nothing else ("C2", "16D2").
All words come from ``[reference]`` of the language file (docs/add-a-language.md explains each key).
"""
from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Iterator, Literal

from corpus.language import Language
from corpus.reference.clean import clean

# Every key of [reference] in a language file.
KEYS = ("law", "law_after", "provision", "provision_after", "see", "also", "in", "lead", "of", "above", "below",
        "and", "or", "to", "definition")


def shape(step: str) -> str:
    """The kind of a step: 1, A or a."""
    return "1" if step.isdigit() else "A" if step.isupper() else "a"


@dataclass(frozen=True)
class Label:
    """One printed label: ``12C1(e)`` has the steps 12, C, 1, e. ``dotted``: with full stops, 25.1.A."""

    steps: tuple[str, ...]
    start: int
    end: int
    dotted: bool = False

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


Intro = Literal["law", "provision", "see", "in", "direction", "bare", "term"]


@dataclass(frozen=True)
class Found:
    """A phrase: ``text[start:end]``. ``joins[i]`` says how label i+1 hangs on label i: "list" or "range".

    ``direction``: -1 for "above", 1 for "below", 0 when neither is said. ``under``: the steps above the labels when
    they stand in words of their own, "section B of Law 16". A phrase of the intro "term" has no labels: at ``term`` the name
    of a definition may stand.
    """

    start: int
    end: int
    intro: Intro
    labels: tuple[Label, ...] = ()
    joins: tuple[str, ...] = ()
    direction: int = 0
    under: tuple[str, ...] = ()
    term: int = 0


_FIRST = re.compile(r"(?P<number>\d{1,3})(?!\d)|(?P<capital>[A-Z])(?![^\W\d_])|\((?P<inside>[A-Z]|\d{1,2}|[a-z]|[ivx]{2,5})\)|"
                    r"(?P<lower>[a-z])(?=[.)])|(?P<alone>[a-z])(?!\w)")
_STEP = re.compile(r"(?P<gap>[. ]?)(?:\((?P<inside>[A-Z]|\d{1,2}|[a-z]|[ivx]{2,5})\)|(?P<capital>[A-Z])(?![^\W\d_])|"
                   r"(?P<digit>\d{1,2})(?!\d)|(?:(?<=\.)(?P<small>[ivx]{2,5})|(?P<lower>[a-z])(?P<roman>[ivx]{1,5})?)(?![^\W\d_]))")
# A label ends where no number, measure, suit or time goes on.
_END = re.compile(r"(?!\w|[.,:]\d| ?[%°♠♥♦♣]|-[^\W\d_]{2})")
_CLOSED = re.compile(r"[).;:,\]\"]|$|\n")
_LABEL_START = re.compile(r"(?<![\w.,:/♠♥♦♣+-])(?=\d{1,3}(?!\d)|[A-Z](?![^\W\d_])|[a-z][.)]|\((?:\w|[ivx]{2,5})\))")


class Grammar:
    """The word lists of one language as patterns."""

    def __init__(self, language: Language):
        words = {key: language.words(key) for key in KEYS}
        group = {key: _alternatives(words[key]) for key in KEYS}
        lead = rf"(?:(?:{group['lead']}) +)?"
        self.intro = re.compile("|".join(rf"(?P<{key}>{_then_gap(words[key])}){lead if key in ('law', 'provision') else ''}"
                                         for key in ("law", "provision", "see", "in")))
        self.also = re.compile(rf"(?:,? ?(?:{group['also']})(?!\w),?)*:? *")
        self.join = re.compile(rf"(?P<dot>\.?)(?:(?P<range> *- *| +(?P<to>{group['to']}) +)|(?P<hard>,? +(?P<word>{group['and']}|{group['or']}) +|/)|(?P<soft>, +))")
        self.direction = re.compile(rf"(?P<dot>\.?)[\"']* ?(?P<word>(?P<above>{group['above']})|(?P<below>{group['below']}))(?!\w)")
        self.after = re.compile(rf"\.? ?(?:(?P<law>{group['law_after']})|(?P<provision>{group['provision_after']}))(?!\w)")
        self.of = re.compile(rf" +(?:(?:{group['of']}) +)?")
        self.definition = re.compile(rf"(?:(?:{group['definition']})(?!\w) *)?")
        self.definition_of = re.compile(rf"(?P<term>.+?) ?- ?(?:{group['definition']})\W*")
        # A single letter that is also a word of the language ("i", "a") is no label unless printed like one.
        self.letters = {clean(w) for key in KEYS for w in words[key] if len(w) == 1}


def find(text: str, grammar: Grammar) -> list[Found]:
    """Every phrase of a cleaned text that looks like a reference, in order, none overlapping.

    >>> find("see Laws 22B and 86A", english)[0].labels[1].steps
    ('86', 'A')
    """
    hits = list(_announced(text, grammar))
    hits += _unannounced(text, grammar, [(h.start, h.end) for h in hits])
    return _joined(text, sorted(hits, key=lambda h: h.start), grammar)


def _announced(text: str, grammar: Grammar) -> Iterator[Found]:
    done = 0
    for match in grammar.intro.finditer(text):
        if match.start() < done:
            continue
        intro, start, at = match.lastgroup, match.start(), match.end()
        if intro == "see":
            at = grammar.also.match(text, at).end()
            start = at
        elif intro == "in":
            start = at
        hit = _phrase(text, at, intro, grammar)
        if hit and _fits(text, hit):
            done = hit.end
            yield replace(hit, start=start)
        elif intro == "see" and not grammar.intro.match(text, at):
            at = grammar.definition.match(text, at).end()
            if text[at:at + 1] == '"' or text[at:at + 1].isupper():
                done = at
                yield Found(match.start(), at, "term", term=at)


def _fits(text: str, hit: Found) -> bool:
    """Whether the first label may follow its word: after a law word anything, after "in" only "(a)"."""
    first = hit.labels[0]
    printed = text[first.start]
    if hit.intro == "in":
        return printed == "(" or hit.direction != 0 and first.shape != ("1", "A")
    if hit.intro == "see":
        lone = len(first.steps) == 1 and first.shape != ("A",) and printed != "("
        return not lone or hit.direction != 0 or bool(_CLOSED.match(text, hit.end))
    return True


def _unannounced(text: str, grammar: Grammar, taken: list[tuple[int, int]]) -> Iterator[Found]:
    done, taken = 0, iter(sorted(taken) + [(len(text) + 1, len(text) + 1)])
    busy = next(taken)
    for match in _LABEL_START.finditer(text):
        at = match.start()
        while busy[1] <= at:
            busy = next(taken)
        if at < done or at >= busy[0]:
            continue
        hit = _phrase(text, at, "bare", grammar)
        if hit is None or hit.end > busy[0]:
            continue
        after = grammar.after.match(text, hit.labels[-1].end)
        if after:
            hit = replace(hit, intro=after.lastgroup, end=after.end())
        elif hit.direction and hit.labels[0].shape != ("1", "A"):
            hit = replace(hit, intro="direction")  # "4C below" is a bid
        elif not _speaks_for_itself(hit.labels[0], text):
            continue
        done = hit.end
        yield hit


def _speaks_for_itself(label: Label, text: str) -> bool:
    """Whether a label needs no word: C2, 16D2, and 16D too; but 2D is a bid, as there is no eighth level."""
    if label.shape == ("1", "A"):
        return int(label.steps[0]) > 7 and label.end - label.start == len("".join(label.steps))
    return label.shape[:2] == ("A", "1") or label.shape[:3] == ("1", "A", "1")


def _phrase(text: str, at: int, intro: Intro, grammar: Grammar) -> Found | None:
    """The list of labels that begins at ``at``, with its "above" or "below"."""
    label = _label(text, at, grammar, alone=intro == "provision")
    if label is None:
        return None
    labels, joins = [label], []
    while join := grammar.join.match(text, labels[-1].end):
        if join["dot"] and (join["word"] or join["to"] or "a")[0].isupper():
            break  # "… Law 16. And 17 …"
        label = _label(text, join.end(), grammar, after=labels[-1])
        if label is None or join["range"] and not _rises(labels[-1], label):
            break
        labels.append(label)
        joins.append("range" if join["range"] else "list" if join["hard"] else "comma")
    # "Law 16, 3 cards": a lone number after a comma belongs to the list only if the list ends there or goes on to an "and".
    while joins and joins[-1] == "comma" and len(labels[-1].steps) == 1 and not _CLOSED.match(text, labels[-1].end) \
            and not grammar.direction.match(text, labels[-1].end):
        labels.pop()
        joins.pop()
    end, direction = labels[-1].end, 0
    said = grammar.direction.match(text, end)
    if said and not (said["dot"] and said["word"][0].isupper()):
        end, direction = said.end(), -1 if said["above"] else 1
    return Found(at, end, intro, tuple(labels), tuple("range" if j == "range" else "list" for j in joins), direction)


def _label(text: str, at: int, grammar: Grammar, alone: bool = False, after: Label | None = None) -> Label | None:
    """The label at ``at``, or None.

    ``alone``: also one lower-case letter without full stop or bracket; ``after``: also one that follows in a list: 12C1b, c.
    """
    match = _FIRST.match(text, at)
    if match is None:
        return None
    if letter := match["alone"]:
        follows = after is not None and after.shape[-1] == "a" and len(after.steps[-1]) == 1 and after.steps[-1] < letter
        if letter in grammar.letters or not (alone or follows):
            return None
    steps, end, gaps = [match[match.lastgroup]], match.end(), []
    while step := _STEP.match(text, end):
        if not _goes_on(steps, step, gaps) or step["gap"] and _is_word(text, at, step["capital"], grammar):
            break
        steps += [s for s in step.group("inside", "capital", "digit", "small", "lower", "roman") if s]
        gaps.append(step["gap"])
        end = step.end()
    if text[end:end + 1] == ")" and text.count("(", 0, end) <= text.count(")", 0, end):
        end += 1  # printed like the label it names: "3)", "b)"
    return Label(tuple(steps), match.start(), end, "." in gaps) if _END.match(text, end) else None


def _rises(first: Label, last: Label) -> bool:
    """Whether two labels can be the ends of a range: 69–71, A–E, 12C1b–d. "16 - 3 cards" is none."""
    a, b = first.steps[-1], last.steps[-1]
    if first.shape[-1] != last.shape[-1] or len(last.steps) not in (1, len(first.steps)):
        return False
    return int(a) < int(b) if a.isdigit() else (len(a) > 1 or len(b) > 1 or a < b)


def _is_word(text: str, at: int, capital: str | None, grammar: Grammar) -> bool:
    """Whether a capital after a blank is a word of the language: "PRAVIDLÁ 16 A 17" are two laws, "pravidlo 16 A 2" is one."""
    return bool(capital) and capital.lower() in grammar.letters and text[max(0, at - 3):at].isupper()


def _goes_on(steps: list[str], step: re.Match, gaps: list[str]) -> bool:
    """Whether one more step may belong to the label: 16 D 2 may be printed with blanks."""
    before = steps[-1]
    if step["gap"] == " ":
        if step["inside"]:
            return len(steps) > 1 or not before.isdigit()
        if step["capital"]:
            return len(steps) == 1 and before.isdigit()
        return bool(step["digit"]) and gaps[-1:] == [" "]
    if step["capital"]:
        return before.isdigit()
    if step["digit"]:
        return step["gap"] == "." or not before.isdigit() and before.isupper()
    return True


def _joined(text: str, hits: list[Found], grammar: Grammar) -> list[Found]:
    """Makes one phrase of "section B of Law 16", "Law 16, section B" and "section B item 2"."""
    out: list[Found] = []
    for hit in hits:
        last = out[-1] if out else None
        if last is None or last.direction or {last.intro, hit.intro} - {"law", "provision"}:
            out.append(hit)
        elif len(last.labels) == 1 and hit.intro == "provision" and text[last.end:hit.start] in (" ", ", ")[:2 if last.intro == "law" else 1] \
                and _deeper(last.under + last.labels[0].steps, hit.labels[0].shape, last.intro):
            out[-1] = replace(hit, start=last.start, intro=last.intro, under=last.under + last.labels[0].steps)
        elif len(hit.labels) == 1 and last.intro == "provision" and grammar.of.fullmatch(text, last.end, hit.start) \
                and _deeper(hit.labels[0].steps, last.labels[0].shape, hit.intro):
            out[-1] = replace(last, end=hit.end, intro=hit.intro, under=hit.labels[0].steps + last.under)
        else:
            out.append(hit)
    return out


def _deeper(above: tuple[str, ...], below: tuple[str, ...], intro: Intro) -> bool:
    """Whether a label of that shape can stand under those steps: a capital or a number under a law, no capital under a capital."""
    if len(above) == 1 and intro == "law":
        return above[0].isdigit() and below[:2] != ("1", "A")
    return below[0] in {"1": "a", "A": "1a", "a": "a"}[shape(above[-1])]


def _alternatives(words: tuple[str, ...]) -> str:
    """The words as a pattern in any case, the longest first; a pattern that never matches for none."""
    ordered = sorted({clean(w) for w in words}, key=lambda w: (-len(w), w))
    return "(?i:" + "|".join(re.escape(w).replace("\\ ", " +") for w in ordered) + ")" if ordered else "(?!)"


def _then_gap(words: tuple[str, ...]) -> str:
    """The words and the blank after them; a word that ends in a sign ("§", "pkt.") needs none."""
    plain = tuple(w for w in words if w[-1].isalnum())
    signs = tuple(w for w in words if not w[-1].isalnum())
    return rf"(?<!\w)(?:{_alternatives(signs)} *|{_alternatives(plain)} +)"
