"""The piece of a provision that shows why it was found, and what it rules: runs of text, from offsets kept at
analysis.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from corpus.model import Node
from index.answer import Run
from index.documents import Document, Spans, Words
from index.opening import Index
from index.rank.candidates import Candidate
from index.rank.rerank import Look, Match

# Words of a window; words of it that stand before the first match; the most that it has where it would end between a
# condition and what follows from it; words of what stands under a provision, and how few of them are not begun.
WIDTH, BEFORE, MOST, BELOW, FEW = 34, 5, 60, 40, 4
# How much another word of the query counts beside a word that matches once more.
DIFFERENT = 5
QUOTED = "a quotation"
# A text with an end; one without goes on in what stands under it.
_ENDED = re.compile(r"[.!?…][)\]”\"'»“]*$")
_BLANK = re.compile(r"\s")
_FULL_STOP = re.compile(r"[.!?…][)\]”\"'»“]*\s")

Matches = Mapping[int, Match]  # by position


class Item(NamedTuple):
    """Words that stand under a provision, with their numbers as printed and what is marked in them."""

    numbers: str
    words: Words
    matches: Matches


def snippet(
    document: Document,
    heading: Matches,
    text: Matches,
    under: Iterable[Item] = (),
    conditional: frozenset[str] = frozenset(),
) -> tuple[Run, ...]:
    """The best window of the text, its beginning where nothing matches; where the window has the end of it, it goes on
    with ``under``. Of a provision without text what is under it, else its heading. ``conditional``: the words that
    begin a condition.
    """
    size = len(document.text.forms)
    first, end = _window(document.text, text, conditional) if size else (0, 0)
    items = tuple(under)
    if items and size - first <= MOST:
        end = size
    own = _runs(document.text, text, first, end) if size else ()
    below = tuple(_below(items, conditional)) if end == size else ()
    if own or below:
        return _trimmed((*own, *below))
    return _runs(document.heading, heading, 0, len(document.heading.forms))


def of_candidate(candidate: Candidate, look: Look, index: Index) -> tuple[Run, ...]:
    """The snippet of a hit: what was quoted, else what answers the query."""
    document, matches = candidate.document, look.matches
    if candidate.quoted:
        heading, text = (dict.fromkeys(where, Match(frozenset((0,)), QUOTED)) for where in candidate.quoted)
    else:
        # A heading is shown only where there is no text.
        heading = {} if document.text.forms else matches(document.heading.places)
        text = matches(document.text.places)
    return snippet(document, heading, text, _under(document.node, index, matches), _conditional(document, index))


def beginning(document: Document, index: Index) -> tuple[Run, ...]:
    """The beginning of a provision that was cited."""
    return snippet(document, {}, {}, _under(document.node, index, lambda _: {}), _conditional(document, index))


def _conditional(document: Document, index: Index) -> frozenset[str]:
    lexicon = index.lexicons.get(document.node.lang)
    return lexicon.conditional if lexicon else frozenset()


def _under(node: Node, index: Index, matches: Callable[[Spans], Matches]) -> Iterator[Item]:
    """What stands under a provision, and what is marked in it."""
    if node.id not in index.under:
        index.under[node.id] = tuple(islice(_standing(node, index), BELOW // FEW))
    return (Item(label, words, matches(words.places)) for label, words in index.under[node.id])


def _standing(node: Node, index: Index) -> Iterator[tuple[str, Words]]:
    """What stands under a provision whose own words have no end: of each its text, its heading where nothing else is
    there to be read; a label without words stands before the next.
    """
    if _ENDED.search(node.text.rstrip()):
        return
    labels: list[str] = []
    for below in index.library.subtree(node, notes=False)[1:]:
        if below.label and below.kind != "definition":
            labels.append(below.label)
        if (document := index.by_id.get(below.id)) and (below.text or not below.children):
            yield " ".join(labels), document.text if document.text.forms else document.heading
            labels = []


def _below(under: Iterable[Item], conditional: frozenset[str]) -> Iterator[Run]:
    """The first sentences of what stands under a provision, as many as there is room for."""
    left, cut = BELOW, False
    for item in under:
        size = len(item.words.forms)
        if left < min(size, FEW):
            yield Run("" if cut else " …")
            return
        end = min(_sentence_end(item.words, 1), left)
        _, end = _unbroken(item.matches, *_ruled(item.words, 0, end, conditional), size)
        yield Run(_blanks_as_one(f" {item.numbers} "))
        yield from _runs(item.words, item.matches, 0, end)
        left, cut = left - end, end < size


def _window(words: Words, matches: Matches, conditional: frozenset[str]) -> tuple[int, int]:
    """From which word to which: where most, and the most different, words of the query stand; neither what is marked as
    one nor a condition and its consequence are cut in two.
    """
    size = len(words.forms)
    start = _start(matches, size)
    return _unbroken(matches, *_ruled(words, start, min(size, start + WIDTH), conditional), size)


def _unbroken(matches: Matches, start: int, end: int, size: int) -> tuple[int, int]:
    """The same with the whole of what is marked as one."""
    while start and start in matches and start - 1 in matches:
        start -= 1
    while end < size and end in matches and end - 1 in matches:
        end += 1
    return start, end


def _ruled(words: Words, start: int, end: int, conditional: frozenset[str]) -> tuple[int, int]:
    """A window that cuts a sentence with a condition in two goes on to its end, and begins where it begins, as far as
    there are not too many words.
    """
    # Most texts have no condition.
    if words.places.keys().isdisjoint(conditional):
        return start, end
    first = _sentence(words, end)
    if end < len(words.forms) and not conditional.isdisjoint(words.forms[max(first, start) : end]):
        end = min(_sentence_end(words, end), start + MOST)
    first = _sentence(words, start)
    if end - first <= MOST and not conditional.isdisjoint(words.forms[first:end]):
        start = first
    return start, end


def _sentence(words: Words, at: int) -> int:
    """The first word of the sentence in which a word stands; of a new one that word itself."""
    while 0 < at < len(words.forms) and not _is_between(words, at):
        at -= 1
    return at


def _sentence_end(words: Words, at: int) -> int:
    """The first word after a sentence, from a word on that may be it."""
    while at < len(words.forms) and not _is_between(words, at):
        at += 1
    return at


def _is_between(words: Words, at: int) -> bool:
    """Whether a sentence or a paragraph ends before a word."""
    (_, end), (start, _) = words.offsets[at - 1], words.offsets[at]
    between = words.printed[end:start]
    if between == " ":
        return False
    return "\n\n" in between or (_FULL_STOP.search(between) is not None and words.printed[start].isupper())


def _start(matches: Matches, size: int) -> int:
    if not matches or size <= WIDTH:
        return 0

    first, last = min(matches), max(matches)
    if last - first < WIDTH:
        # All of them in one window, as nearly always: none is better.
        return max(0, min(first - BEFORE, size - WIDTH))

    def value(start: int) -> int:
        inside = [match.units for position, match in matches.items() if start <= position < start + WIDTH]
        return len(inside) + DIFFERENT * len(frozenset().union(*inside))

    return max(0, min(max(sorted(matches), key=value) - BEFORE, size - WIDTH))


def _runs(words: Words, matches: Matches, first: int, end: int) -> tuple[Run, ...]:
    """The words from ``first`` to before ``end``; neighbours that match are one run: “fałszywy renons”, not two."""
    text, offsets = words.printed, words.offsets
    at = offsets[first][0] if first else 0
    stop, more = _stop(words, end)
    out, plain = [], "…" if first else ""
    for one, last in _stretches(matches, first, end):
        why = tuple(dict.fromkeys([matches[k].why for k in range(one, last + 1)]))
        start, after = offsets[one][0], offsets[last][1]
        out += [Run(_blanks_as_one(plain + text[at:start])), Run(_blanks_as_one(text[start:after]), why)]
        plain, at = "", after
    out.append(Run(_blanks_as_one(plain + text[at:stop] + more)))
    return _trimmed(out)


def _stretches(matches: Matches, first: int, end: int) -> list[tuple[int, int]]:
    """The first and the last of neighbours that match, from ``first`` to before ``end``."""
    out: list[tuple[int, int]] = []
    for i in sorted(matches):
        if out and out[-1][1] == i - 1 and i < end:
            out[-1] = (out[-1][0], i)
        elif first <= i < end:
            out.append((i, i))
    return out


def _stop(words: Words, end: int) -> tuple[int, str]:
    """Where the text is cut behind its first words, and the sign for it; a sentence keeps its full stop."""
    if end == len(words.offsets):
        return len(words.printed), ""
    after = words.offsets[end - 1][1]
    if not _is_between(words, end):
        return after, "…"
    blank = _BLANK.search(words.printed, after)
    return blank.start() if blank else after, " …"


def _trimmed(runs: Iterable[Run]) -> tuple[Run, ...]:
    """No blank at either end; no run is empty."""
    out = list(runs)
    out[0] = out[0]._replace(text=out[0].text.lstrip())
    out[-1] = out[-1]._replace(text=out[-1].text.rstrip())
    return tuple([run for run in out if run.text])


def _blanks_as_one(text: str) -> str:
    """Every stretch of white space is one blank. A search asks it of hundreds of runs: split and joined, they take a
    third of what a pattern does.
    """
    inside = " ".join(text.split())
    if not inside:
        return " " if text else ""
    return f"{' ' if text[0].isspace() else ''}{inside}{' ' if text[-1].isspace() else ''}"
