"""The piece of a provision that shows why it was found: runs of text, from offsets kept at analysis."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from corpus.library import Library
from corpus.model import Node
from index.answer import Run
from index.document import Document, Words
from index.rank.candidate import Places
from index.rank.look import Look, Match

# Words of a window; words of it that stand before the first match; characters of what stands under a provision.
WIDTH, BEFORE, BELOW = 34, 5, 220
# How much another word of the query counts beside a word that matches once more.
DIFFERENT = 5
QUOTED = "a quotation"
_WHITE = re.compile(r"\s+")

Matches = Mapping[int, Match]  # by position


def snippet(document: Document, heading: Matches, text: Matches, below: str = "") -> tuple[Run, ...]:
    """The best window of the text, its beginning where nothing matches; of a provision without text its heading, or
    ``below``, the words under it.
    """
    if size := len(document.text.forms):
        return _runs(document.text, text, *_window(text, size))
    if heading:
        return _runs(document.heading, heading, 0, len(document.heading.forms))
    return (Run(below or document.heading.printed),)


def of_candidate(document: Document, look: Look, quoted: Places | None, below: str) -> tuple[Run, ...]:
    """The snippet of a hit: what was quoted, else what answers the query."""
    if quoted:
        heading, text = (dict.fromkeys(where, Match(frozenset((0,)), QUOTED)) for where in quoted)
        return snippet(document, heading, text, below)
    # A heading is shown only where there is no text.
    words = document.text if document.text.forms else document.heading
    matches = look.matches(words.places)
    return snippet(document, matches, matches, below)


def below(node: Node, library: Library) -> str:
    """The beginning of the words under a node."""
    text = " ".join(words for n in library.subtree(node)[1:6] for words in (n.heading, n.text) if words)
    return text[:BELOW] + ("…" if len(text) > BELOW else "")


def of_wordless(node: Node, library: Library) -> tuple[Run, ...]:
    """What is shown of a node that has no words of its own: the beginning of what it holds."""
    return (Run(library.full_text(node)[:BELOW]),)


def _window(matches: Matches, size: int) -> tuple[int, int]:
    """From which word to which: where most, and the most different, words of the query stand; what is marked as one is
    not cut in two.
    """
    start = _start(matches, size)
    end = min(size, start + WIDTH)
    while start and start in matches and start - 1 in matches:
        start -= 1
    while end < size and end in matches and end - 1 in matches:
        end += 1
    return start, end


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
    stop = offsets[end - 1][1] if end < len(offsets) else len(text)
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
    out.append(Run(plain + text[at:stop] + ("…" if end < len(offsets) else "")))
    return _squeezed(out)


def _squeezed(runs: Sequence[Run]) -> tuple[Run, ...]:
    """White space is one blank, and none at either end; no run is empty."""
    texts = [_WHITE.sub(" ", run.text) for run in runs]
    texts[0], texts[-1] = texts[0].lstrip(), texts[-1].rstrip()
    return tuple(Run(text, run.why) for text, run in zip(texts, runs, strict=True) if text)
