"""Second step: phrases that look like references, as labels; whether they lead anywhere is not asked here.

A phrase is a word that announces a label ("przepis", "bod", "see") and one or more labels after it, or labels
that stand without one but are followed by "above" or "below" or can be nothing else ("C2", "16D2").
All words come from ``[reference]`` of the language file (docs/add-a-language.md explains each key).
"""
from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Iterator, Literal

from corpus.address import read_roman
from corpus.language import Language
from corpus.reference.clean import clean

# Every key of [reference] in a language file.
KEYS = ("law", "law_after", "footnote", "provision", "provision_after", "see", "also", "in", "lead", "of", "above", "below",
        "and", "or", "to", "definition")


def shape(step: str) -> str:
    """The kind of a step: 1, A or a."""
    return "1" if step.isdigit() else "A" if step.isupper() else "a"


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


Intro = Literal["law", "provision", "see", "in", "direction", "bare", "term"]


@dataclass(frozen=True)
class Found:
    """A phrase: ``text[start:end]``. ``joins[i]`` says how label i+1 hangs on label i: "list" or "range".

    ``direction``: -1 for "above", 1 for "below", 0 when neither is said. ``under``: the steps above the labels when
    they stand in words of their own, "section B of Law 16". A phrase of the intro "term" has no labels: at ``term`` the name
    of a definition may stand. ``note``: the phrase speaks of a note of what its labels name, "footnote to Law 68".
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


_FIRST = re.compile(r"(?P<number>\d{1,3})(?!\d)|(?P<capital>[A-Z])(?![^\W\d_])|\((?P<inside>[A-Z]|\d{1,2}|[a-z]|[ivx]{2,5})\)|"
                    r"(?P<lower>[a-z])(?=[.)])|(?P<alone>[a-z]|iii?|iv|viii?|ix)(?!\w)")
_STEP = re.compile(r"(?P<half>\)?)(?P<gap>[. ]?)(?:\((?P<inside>[A-Z]|\d{1,2}|[a-z]|[ivx]{2,5})\)|(?P<capital>[A-Z])(?![^\W\d_])|"
                   r"(?P<digit>\d{1,2})(?!\d)|(?:(?<=[.) ])(?P<small>[ivx]{2,5})|(?P<lower>[a-z])(?P<roman>[ivx]{1,5})?)(?![^\W\d_]))")
# A label ends where no number, measure, suit or time goes on.
_END = re.compile(r"(?!\w|[.,:]\d| ?[%°♠♥♦♣]|-[^\W\d_]{2})")
_CLOSED = re.compile(r"[).;:,\]\"]|$|\n")
_LABEL_START = re.compile(r"(?<![\w.,:/♠♥♦♣+-])(?=\d{1,3}(?!\d)|[A-Z](?![^\W\d_])|[a-z][.)]|\((?:\w|[ivx]{2,5})\))")


_SENTENCE = 400
# Capitals after a blank and a number that make the number part of a bid: "C 3 NT".
_BID = re.compile(r" [A-Z]{2,3}(?!\w)")
# Small letters that are a word of hardly any language, so that they may go on after a blank: "12 C 1 b says".
_CONSONANTS = "bcdfgh"
_ROMAN_STEP = re.compile(r"(?:iii?|iv|viii?|ix)(?!\w)")
_ROMAN_NUMBER = re.compile(r"(?P<number>[IVXLC]{1,8})(?!\w)")


class Grammar:
    """The word lists of one language as patterns. ``roman_laws``: the highest law, where laws have roman numbers; else 0."""

    def __init__(self, language: Language, roman_laws: int = 0):
        words = {key: language.words(key) for key in KEYS}
        group = {key: _alternatives(words[key]) for key in KEYS}
        lead = f"(?:{_before(words['lead'])})?"
        note = f"(?P<footnote>{_then_gap(words['footnote'])})?"
        self.intro = re.compile("|".join(rf"(?P<{key}>{note if key == 'law' else ''}{_then_gap(words[key] + (words['of'] if key == 'in' else ()))})"
                                         rf"{lead if key in ('law', 'provision') else ''}" for key in ("law", "provision", "see", "in")))
        self.also = re.compile(rf"(?:,? ?(?:{group['also']})(?!\w),?)*:? *")
        self.join = re.compile(rf"(?P<dot>\.?)(?:(?P<range> *- *| +(?P<to>{group['to']}) +)|(?P<hard>,? +(?P<word>{group['and']}|{group['or']}) +|/)|(?P<soft>, +))")
        self.direction = re.compile(rf"(?P<dot>\.?)[\"']* ?(?P<word>(?P<above>{group['above']})|(?P<below>{group['below']}))(?!\w)")
        self.after = re.compile(rf"\.? ?(?:(?P<law>{group['law_after']})|(?P<provision>{group['provision_after']}))(?!\w)")
        self.of = re.compile(f" +(?:{_before(words['of'])})?")
        # What may be said again before a further label: "12 to Law 14", "12 or the 14".
        self.law_again, self.lead_again = re.compile(_then_gap(words["law"])), re.compile(_before(words["lead"]))
        self.law_with_number = re.compile(rf"{_then_gap(words['law'])}{lead}\d{{1,3}}(?!\d)")
        self.roman_laws = roman_laws
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
            yield replace(hit, start=start, note=match["footnote"] is not None)
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
        closed = bool(_CLOSED.match(text, hit.end))
        return printed == "(" or hit.direction != 0 and first.shape != ("1", "A") \
            or closed and (first.short is not None and first.shape[:2] == ("A", "1") or first.shape == ("A",) and hit.joins == ("range",)) \
            or closed and first.shape == ("1", "A") and int(first.steps[0]) > 7
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
    if label.short is not None and label.shape[0] == "A":
        return text[label.start - 1:label.start] == "(" and text[label.end:label.end + 1] == ")"
    if label.shape == ("1", "A"):
        return int(label.steps[0]) > 7 and label.end - label.start == len("".join(label.steps))
    return label.shape[:2] == ("A", "1") or label.shape[:3] == ("1", "A", "1")


def _phrase(text: str, at: int, intro: Intro, grammar: Grammar) -> Found | None:
    """The list of labels that begins at ``at``, with its "above" or "below"."""
    label = _label(text, at, grammar, intro)
    if label is None:
        return None
    labels, joins = [label], []
    while join := grammar.join.match(text, labels[-1].end):
        if join["dot"] and (join["word"] or join["to"] or "a")[0].isupper():
            break  # "… Law 16. And 17 …"
        label = _label(text, join.end(), grammar, intro, after=labels[-1])
        if label is None and intro == "law" and (again := (grammar.law_again if join["range"] else grammar.lead_again).match(text, join.end())):
            label = _label(text, again.end(), grammar, intro, after=labels[-1])
            if label and not join["range"] and len(label.steps) == 1 and not _CLOSED.match(text, label.end):
                break  # "Law 16 or the 3 of hearts"
        if label is None or join["range"] and not _rises(labels[-1], label):
            break
        labels.append(label)
        joins.append("range" if join["range"] else "list" if join["hard"] else "comma")
    # "Law 16, 3 cards": a lone number after a comma belongs to the list only if the list ends there or goes on to an "and".
    while joins and joins[-1] == "comma" and len(labels[-1].steps) == 1 and text[labels[-1].end - 1] != ")" and not _CLOSED.match(text, labels[-1].end) \
            and not grammar.direction.match(text, labels[-1].end):
        labels.pop()
        joins.pop()
    end, direction = labels[-1].end, 0
    said = grammar.direction.match(text, end)
    if said and not (said["dot"] and said["word"][0].isupper()):
        end, direction = said.end(), -1 if said["above"] else 1
    return Found(at, end, intro, tuple(labels), tuple("range" if j == "range" else "list" for j in joins), direction)


def _label(text: str, at: int, grammar: Grammar, intro: Intro, after: Label | None = None) -> Label | None:
    """The label at ``at``, or None. After a provision word or in a list one lower-case letter is a label too: 12C1b, c."""
    if intro == "law" and grammar.roman_laws and (match := _ROMAN_NUMBER.match(text, at)) and 0 < read_roman(match["number"]) <= grammar.roman_laws:
        steps = [str(read_roman(match["number"]))]
    elif match := _FIRST.match(text, at):
        steps = [match[match.lastgroup]]
        if letter := match["alone"]:
            follows = after is not None and after.shape[-1] == "a" and len(after.steps[-1]) == len(letter) == 1 and after.steps[-1] < letter
            join = intro == "provision" and grammar.join.match(text, match.end())
            listed = join and not join["soft"] and _ROMAN_STEP.match(text, join.end())  # "items i and ii"
            if letter in grammar.letters and not listed or not (intro == "provision" or follows or after and len(letter) > 1):
                return None
    else:
        return None
    end, gaps, sure = match.end(), [], None
    while step := _STEP.match(text, end):
        said = [s for s in step.group("inside", "capital", "digit", "small", "lower", "roman") if s]
        if _is_parted(text, at, steps, step, intro, grammar):
            sure = sure or (tuple(steps), end, tuple(gaps))
        elif step["half"] or not _goes_on(steps, step, gaps) or step["gap"] and _is_word(text, at, step["capital"], grammar):
            break
        steps += said
        gaps.append(step["gap"])
        end = step.end()
    short = _made(text, match.start(), *sure) if sure else None
    return _made(text, match.start(), tuple(steps), end, tuple(gaps), short) or short


def _made(text: str, start: int, steps: tuple[str, ...], end: int, gaps: tuple[str, ...], short: Label | None = None) -> Label | None:
    if _is_half(text, end):
        end += 1  # printed like the label it names: "3)", "b)"
    return Label(steps, start, end, "." in gaps, short) if _END.match(text, end) else None


def _is_half(text: str, at: int) -> bool:
    """Whether the bracket at ``at`` closes none that was opened in its line, as far back as a sentence in brackets may reach."""
    if text[at:at + 1] != ")":
        return False
    depth, back = 0, max(0, at - _SENTENCE)
    for sign in text[max(back, text.rfind("\n", back, at) + 1):at]:
        depth = depth + 1 if sign == "(" else max(0, depth - 1) if sign == ")" else depth
    return not depth


def _is_parted(text: str, at: int, steps: list[str], step: re.Match, intro: Intro, grammar: Grammar) -> bool:
    """Whether one more step may belong to the label although a blank or a bracket without its fellow parts them: C 2, 12 C 1 e, C) 2)."""
    before, end = steps[-1], step.end()
    half = _is_half(text, end)
    if step["inside"] or step["capital"]:
        return False
    if step["half"] and not (_is_half(text, step.start()) and half and (len(steps) > 1 or not before.isdigit() or step["lower"])):
        return False
    if not step["half"] and step["gap"] != " ":
        return False
    if step["digit"]:
        word = intro in ("bare", "in") and before.lower() in grammar.letters
        return before.isupper() and (step["half"] != "" or len(steps) == 1) and not word and not _BID.match(text, end)
    if before.islower():
        return half and bool(step["small"] or step["lower"] in tuple("ivx")) and not step["roman"]
    if not before.isdigit() or step["small"] or step["roman"]:
        return False
    if len(steps) == 1:
        return half or step["lower"] not in grammar.letters and bool(grammar.direction.match(text, end))
    return half or _ends_label(text, end, step["lower"], grammar)


def _ends_label(text: str, end: int, letter: str, grammar: Grammar) -> bool:
    """Whether a letter after a blank is a label and no word: "12 C 1 e.", "12 C 1 a or b"; "12 C 1 a player" is cut."""
    if letter in grammar.letters:
        return text[end:end + 1] in (".", ";")
    return letter in _CONSONANTS or any(p.match(text, end) for p in (_CLOSED, grammar.direction, grammar.join))


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
    """Makes one phrase of "section B of Law 16", "Law 16, section B", "Law 16 (section B)" and "section B, item 2"."""
    out: list[Found] = []
    for hit in hits:
        last = out[-1] if out else None
        if last is None or last.direction or last.note or hit.note or not {last.intro, hit.intro} <= {"law", "provision", "see", "bare"}:
            out.append(hit)
        elif _is_part(text, last, hit):
            end = hit.end + (text[last.end:hit.start] == " (")
            out[-1] = replace(hit, start=last.start, end=end, intro=last.intro, under=last.under + last.labels[0].steps)
        elif len(hit.labels) == 1 and last.intro == "provision" and hit.intro in ("law", "provision") and grammar.of.fullmatch(text, last.end, hit.start) \
                and _deeper(hit.labels[0].steps, last.labels[0].shape, hit.intro):
            out[-1] = replace(last, end=hit.end, intro=hit.intro, under=hit.labels[0].steps + last.under)
        else:
            out.append(hit)
    return out


def _is_part(text: str, last: Found, hit: Found) -> bool:
    """Whether the second phrase names a part of what the first names: "Law 16, section B", "16 § B 1", "section B, item 2"."""
    if len(last.labels) != 1 or hit.intro == "see":
        return False
    between, below = text[last.end:hit.start], hit.labels[0].shape
    if last.intro == "law" and between == " (":
        return hit.intro in ("provision", "bare") and below[0] == "A" and not hit.direction and text[hit.end:hit.end + 1] == ")" \
            and _deeper(last.under + last.labels[0].steps, below, "law")
    if hit.intro == "law":  # the word after the number: "16 § B 1"
        return last.intro == "law" and last.labels[0].shape == ("1",) and text[last.start].isdigit() and below[0] == "A" and between.strip() == ""
    if hit.intro != "provision" or last.intro == "bare" or between not in (" ", ", "):
        return False
    above = last.under + last.labels[0].steps
    nested = between == " " or last.intro == "law" or shape(above[-1]) != below[0]
    return nested and (last.intro != "see" or shape(above[0]) == "A") and _deeper(above, below, last.intro)


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
    """The words where a word begins, and the blank after them."""
    return rf"(?<!\w)(?:{_before(words)})"


def _before(words: tuple[str, ...]) -> str:
    """The words and the blank after them; a word that ends in a sign ("§", "pkt.", "dell'") needs none."""
    plain = tuple(w for w in words if w[-1].isalnum())
    signs = tuple(w for w in words if not w[-1].isalnum())
    return f"{_alternatives(signs)} *|{_alternatives(plain)} +"
