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
from corpus.label.grammar import shape
from corpus.label.running import BEGINNING, CLOSED, Label
from corpus.reference.grammar import Grammar

Intro = Literal["law", "provision", "see", "in", "direction", "bare", "term"]


@dataclass(frozen=True)
class Found:
    """A phrase: ``text[start:end]``. ``joins[i]`` says how label i+1 hangs on label i: "list" or "range".

    ``direction``: -1 for "above", 1 for "below", 0 when neither is said. ``under``: the steps above the labels when
    they stand in words of their own, "section B of Law 16". A phrase of the intro "term" has no labels: at ``term``
    the name of a definition may stand. ``note``: the phrase speaks of a note of what its labels name, "footnote to
    Law 68".
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
        intro, start, at = cast(Intro, match.lastgroup), match.start(), match.end()
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
    for match in BEGINNING.finditer(text):
        at = match.start()
        while busy[1] <= at:
            busy = next(spans)
        if at < done or at >= busy[0]:
            continue
        hit = _phrase(text, at, "bare", grammar)
        if hit is None or hit.end > busy[0]:
            continue
        after = grammar.after.match(text, hit.labels[-1].end)
        if after:
            hit = replace(hit, intro=cast(Intro, after.lastgroup), end=after.end())
        elif hit.direction and hit.labels[0].shape != ("1", "A"):
            hit = replace(hit, intro="direction")  # "4C below" is a bid
        elif not _speaks_for_itself(hit.labels[0], text):
            continue
        done = hit.end
        yield hit


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


def _joined(text: str, hits: list[Found], grammar: Grammar) -> list[Found]:
    """Makes one phrase of "section B of Law 16", "Law 16, section B", "Law 16 (section B)" and "section B, item 2"."""
    out: list[Found] = []
    for hit in hits:
        last = out[-1] if out else None
        if (
            last is None
            or last.direction
            or last.note
            or hit.note
            or not {last.intro, hit.intro} <= {"law", "provision", "see", "bare"}
        ):
            out.append(hit)
        elif _is_part(text, last, hit):
            end = hit.end + (text[last.end : hit.start] == " (")
            out[-1] = replace(hit, start=last.start, end=end, intro=last.intro, under=last.under + last.labels[0].steps)
        elif (
            len(hit.labels) == 1
            and last.intro == "provision"
            and hit.intro in ("law", "provision")
            and grammar.of.fullmatch(text, last.end, hit.start)
            and _deeper(hit.labels[0].steps, last.labels[0].shape, hit.intro)
        ):
            out[-1] = replace(last, end=hit.end, intro=hit.intro, under=hit.labels[0].steps + last.under)
        else:
            out.append(hit)
    return out


def _is_part(text: str, last: Found, hit: Found) -> bool:
    """Whether the second phrase names a part of what the first names: "Law 16, section B", "16 § B 1", "section B,
    item 2".
    """
    if len(last.labels) != 1 or hit.intro == "see":
        return False
    between, below = text[last.end : hit.start], hit.labels[0].shape
    if last.intro == "law" and between == " (":
        return (
            hit.intro in ("provision", "bare")
            and below[0] == "A"
            and not hit.direction
            and text[hit.end : hit.end + 1] == ")"
            and _deeper(last.under + last.labels[0].steps, below, "law")
        )
    if hit.intro == "law":  # the word after the number: "16 § B 1"
        return (
            last.intro == "law"
            and last.labels[0].shape == ("1",)
            and text[last.start].isdigit()
            and below[0] == "A"
            and between.strip() == ""
        )
    if hit.intro != "provision" or last.intro == "bare" or between not in (" ", ", "):
        return False
    above = last.under + last.labels[0].steps
    nested = between == " " or last.intro == "law" or shape(above[-1]) != below[0]
    return nested and (last.intro != "see" or shape(above[0]) == "A") and _deeper(above, below, last.intro)


def _deeper(above: tuple[str, ...], below: tuple[str, ...], intro: Intro) -> bool:
    """Whether a label of that shape can stand under those steps: a capital or a number under a law, no capital under
    a capital.
    """
    if len(above) == 1 and intro == "law":
        return above[0].isdigit() and below[:2] != ("1", "A")
    return below[0] in {"1": "a", "A": "1a", "a": "a"}[shape(above[-1])]
