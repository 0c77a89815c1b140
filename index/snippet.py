"""The piece of a provision that shows why it was found, and what it rules: runs of text, from offsets kept at
analysis.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from corpus.model import Node
from index.answer import Run
from index.document import Document, Spans, Words
from index.opening import Index
from index.rank.candidate import Candidate
from index.rank.look import Look, Match

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
_WHITE = re.compile(r"\s+")

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
    items = tuple(islice(under, BELOW // FEW))
    if items and size - first <= MOST:
        end = size
    own = _runs(document.text, text, first, end) if size else ()
    below = tuple(_below(items, conditional)) if end == size else ()
    if own or below:
        return _squeezed((*own, *below))
    return _runs(document.heading, heading, 0, len(document.heading.forms))


def of_candidate(candidate: Candidate, look: Look, index: Index) -> tuple[Run, ...]:
    """The snippet of a hit: what was quoted, else what answers the query."""
    document, matches = candidate.document, look.matches
    if candidate.quoted:
        heading, text = (dict.fromkeys(where, Match(frozenset((0,)), QUOTED)) for where in candidate.quoted)
    else:
        heading, text = matches(document.heading.places), matches(document.text.places)
    return snippet(document, heading, text, _under(document.node, index, matches), _conditional(document, index))


def beginning(document: Document, index: Index) -> tuple[Run, ...]:
    """The beginning of a provision that was cited."""
    return snippet(document, {}, {}, _under(document.node, index, lambda _: {}), _conditional(document, index))


def _conditional(document: Document, index: Index) -> frozenset[str]:
    lexicon = index.lexicons.get(document.node.lang)
    return lexicon.conditional if lexicon else frozenset()


def _under(node: Node, index: Index, matches: Callable[[Spans], Matches]) -> Iterator[Item]:
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
            words = document.text if document.text.forms else document.heading
            yield Item(" ".join(labels), words, matches(words.places))
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
        yield Run(f" {item.numbers} ")
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
    out, plain, i = [], "…" if first else "", first
    while i < end:
        if i in matches:
            last = i
            while last + 1 < end and last + 1 in matches:
                last += 1
            why = tuple(dict.fromkeys(matches[k].why for k in range(i, last + 1)))
            out += [Run(plain + text[at : offsets[i][0]]), Run(text[offsets[i][0] : offsets[last][1]], why)]
            plain, at, i = "", offsets[last][1], last
        i += 1
    out.append(Run(plain + text[at:stop] + more))
    return _squeezed(out)


def _stop(words: Words, end: int) -> tuple[int, str]:
    """Where the text is cut behind its first words, and the sign for it; a sentence keeps its full stop."""
    if end == len(words.offsets):
        return len(words.printed), ""
    after = words.offsets[end - 1][1]
    if not _is_between(words, end):
        return after, "…"
    blank = _BLANK.search(words.printed, after)
    return blank.start() if blank else after, " …"


def _squeezed(runs: Sequence[Run]) -> tuple[Run, ...]:
    """White space is one blank, and none at either end; no run is empty."""
    texts = [_WHITE.sub(" ", run.text) for run in runs]
    texts[0], texts[-1] = texts[0].lstrip(), texts[-1].rstrip()
    return tuple(Run(text, run.why) for text, run in zip(texts, runs, strict=True) if text)
