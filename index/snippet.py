"""The piece of a provision that shows why it was found, and what it rules: runs of text, from offsets kept at
analysis.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from corpus.model import Node
from index.answer import SnippetRun
from index.documents import Document, Spans, TokenizedText
from index.opening import Index
from index.rank.candidates import Candidate
from index.rank.factors import MarkedWord, QueryTerms

# Words of a window; words of it that stand before the first match; the most that it has where it would end between a
# condition and what follows from it; words of what stands under a provision, and how few of them are not begun.
WIDTH, WIDTH_BEFORE, MOST_WIDTH, WIDTH_BELOW, LEAST_WIDTH_BELOW = 34, 5, 60, 40, 4
# How much another word of the query counts beside a word that matches once more.
DIFFERENT_BONUS = 5
QUOTATION = "a quotation"
# A text with an end; one without goes on in what stands under it.
_TEXT_END = re.compile(r"[.!?…][)\]”\"'»“]*$")
_BLANK = re.compile(r"\s")
_FULL_STOP = re.compile(r"[.!?…][)\]”\"'»“]*\s")

MarksByPosition = Mapping[int, MarkedWord]  # by position


class TextBelow(NamedTuple):
    """Words that stand under a provision, with their numbers as printed and what is marked in them."""

    numbers: str
    words: TokenizedText
    matches: MarksByPosition


def make_snippet(
    document: Document,
    heading: MarksByPosition,
    text: MarksByPosition,
    under: Iterable[TextBelow] = (),
    conditional: frozenset[str] = frozenset(),
) -> tuple[SnippetRun, ...]:
    """The best window of the text, its beginning where nothing matches; where the window has the end of it, it goes on
    with ``under``. Of a provision without text what is under it, else its heading. ``conditional``: the words that
    begin a condition.
    """
    size = len(document.text.forms)
    first, end = _best_window(document.text, text, conditional) if size else (0, 0)
    items = tuple(under)
    if items and size - first <= MOST_WIDTH:
        end = size
    own = _make_runs(document.text, text, first, end) if size else ()
    below = tuple(_runs_below(items, conditional)) if end == size else ()
    if own or below:
        return _trim((*own, *below))
    return _make_runs(document.heading, heading, 0, len(document.heading.forms))


def candidate_snippet(candidate: Candidate, look: QueryTerms, index: Index) -> tuple[SnippetRun, ...]:
    """The snippet of a hit: what was quoted, else what answers the query."""
    document, matches = candidate.document, look.marked_words
    if candidate.quoted:
        heading, text = (dict.fromkeys(where, MarkedWord(frozenset((0,)), QUOTATION)) for where in candidate.quoted)
    else:
        # A heading is shown only where there is no text.
        heading = {} if document.text.forms else matches(document.heading.places)
        text = matches(document.text.places)
    return make_snippet(
        document, heading, text, _texts_below(document.node, index, matches), _condition_words(document, index)
    )


def opening_snippet(document: Document, index: Index) -> tuple[SnippetRun, ...]:
    """The beginning of a provision that was cited."""
    return make_snippet(
        document, {}, {}, _texts_below(document.node, index, lambda _: {}), _condition_words(document, index)
    )


def _condition_words(document: Document, index: Index) -> frozenset[str]:
    lexicon = index.lexicons.get(document.node.lang)
    return lexicon.conditional if lexicon else frozenset()


def _texts_below(node: Node, index: Index, matches: Callable[[Spans], MarksByPosition]) -> Iterator[TextBelow]:
    """What stands under a provision, and what is marked in it."""
    if node.id not in index.texts_below:
        index.texts_below[node.id] = tuple(islice(_find_texts_below(node, index), WIDTH_BELOW // LEAST_WIDTH_BELOW))
    return (TextBelow(label, words, matches(words.places)) for label, words in index.texts_below[node.id])


def _find_texts_below(node: Node, index: Index) -> Iterator[tuple[str, TokenizedText]]:
    """What stands under a provision whose own words have no end: of each its text, its heading where nothing else is
    there to be read; a label without words stands before the next.
    """
    if _TEXT_END.search(node.text.rstrip()):
        return
    labels: list[str] = []
    for below in index.library.subtree_of(node, notes=False)[1:]:
        if below.label and below.kind != "definition":
            labels.append(below.label)
        if (document := index.by_id.get(below.id)) and (below.text or not below.children):
            yield " ".join(labels), document.text if document.text.forms else document.heading
            labels = []


def _runs_below(under: Iterable[TextBelow], conditional: frozenset[str]) -> Iterator[SnippetRun]:
    """The first sentences of what stands under a provision, as many as there is room for."""
    left, cut = WIDTH_BELOW, False
    for item in under:
        size = len(item.words.forms)
        if left < min(size, LEAST_WIDTH_BELOW):
            yield SnippetRun("" if cut else " …")
            return
        end = min(_sentence_end(item.words, 1), left)
        _, end = _extend_to_matches(item.matches, *_extend_to_condition(item.words, 0, end, conditional), size)
        yield SnippetRun(_collapse_blanks(f" {item.numbers} "))
        yield from _make_runs(item.words, item.matches, 0, end)
        left, cut = left - end, end < size


def _best_window(words: TokenizedText, matches: MarksByPosition, conditional: frozenset[str]) -> tuple[int, int]:
    """From which word to which: where most, and the most different, words of the query stand; neither what is marked as
    one nor a condition and its consequence are cut in two.
    """
    size = len(words.forms)
    start = _window_start(matches, size)
    return _extend_to_matches(matches, *_extend_to_condition(words, start, min(size, start + WIDTH), conditional), size)


def _extend_to_matches(matches: MarksByPosition, start: int, end: int, size: int) -> tuple[int, int]:
    """The same with the whole of what is marked as one."""
    while start and start in matches and start - 1 in matches:
        start -= 1
    while end < size and end in matches and end - 1 in matches:
        end += 1
    return start, end


def _extend_to_condition(words: TokenizedText, start: int, end: int, conditional: frozenset[str]) -> tuple[int, int]:
    """A window that cuts a sentence with a condition in two goes on to its end, and begins where it begins, as far as
    there are not too many words.
    """
    # Most texts have no condition.
    if words.places.keys().isdisjoint(conditional):
        return start, end
    first = _sentence_start(words, end)
    if end < len(words.forms) and not conditional.isdisjoint(words.forms[max(first, start) : end]):
        end = min(_sentence_end(words, end), start + MOST_WIDTH)
    first = _sentence_start(words, start)
    if end - first <= MOST_WIDTH and not conditional.isdisjoint(words.forms[first:end]):
        start = first
    return start, end


def _sentence_start(words: TokenizedText, at: int) -> int:
    """The first word of the sentence in which a word stands; of a new one that word itself."""
    while 0 < at < len(words.forms) and not _is_sentence_break(words, at):
        at -= 1
    return at


def _sentence_end(words: TokenizedText, at: int) -> int:
    """The first word after a sentence, from a word on that may be it."""
    while at < len(words.forms) and not _is_sentence_break(words, at):
        at += 1
    return at


def _is_sentence_break(words: TokenizedText, at: int) -> bool:
    """Whether a sentence or a paragraph ends before a word."""
    (_, end), (start, _) = words.offsets[at - 1], words.offsets[at]
    between = words.printed[end:start]
    if between == " ":
        return False
    return "\n\n" in between or (_FULL_STOP.search(between) is not None and words.printed[start].isupper())


def _window_start(matches: MarksByPosition, size: int) -> int:
    if not matches or size <= WIDTH:
        return 0

    first, last = min(matches), max(matches)
    if last - first < WIDTH:
        # All of them in one window, as nearly always: none is better.
        return max(0, min(first - WIDTH_BEFORE, size - WIDTH))

    def window_value(start: int) -> int:
        inside = [match.units for position, match in matches.items() if start <= position < start + WIDTH]
        return len(inside) + DIFFERENT_BONUS * len(frozenset().union(*inside))

    return max(0, min(max(sorted(matches), key=window_value) - WIDTH_BEFORE, size - WIDTH))


def _make_runs(words: TokenizedText, matches: MarksByPosition, first: int, end: int) -> tuple[SnippetRun, ...]:
    """The words from ``first`` to before ``end``; neighbours that match are one run: “fałszywy renons”, not two."""
    text, offsets = words.printed, words.offsets
    at = offsets[first][0] if first else 0
    stop, more = _text_end(words, end)
    out, plain = [], "…" if first else ""
    for one, last in _matching_stretches(matches, first, end):
        why = tuple(dict.fromkeys([matches[k].why for k in range(one, last + 1)]))
        start, after = offsets[one][0], offsets[last][1]
        out += [
            SnippetRun(_collapse_blanks(plain + text[at:start])),
            SnippetRun(_collapse_blanks(text[start:after]), why),
        ]
        plain, at = "", after
    out.append(SnippetRun(_collapse_blanks(plain + text[at:stop] + more)))
    return _trim(out)


def _matching_stretches(matches: MarksByPosition, first: int, end: int) -> list[tuple[int, int]]:
    """The first and the last of neighbours that match, from ``first`` to before ``end``."""
    out: list[tuple[int, int]] = []
    for i in sorted(matches):
        if out and out[-1][1] == i - 1 and i < end:
            out[-1] = (out[-1][0], i)
        elif first <= i < end:
            out.append((i, i))
    return out


def _text_end(words: TokenizedText, end: int) -> tuple[int, str]:
    """Where the text is cut behind its first words, and the sign for it; a sentence keeps its full stop."""
    if end == len(words.offsets):
        return len(words.printed), ""
    after = words.offsets[end - 1][1]
    if not _is_sentence_break(words, end):
        return after, "…"
    blank = _BLANK.search(words.printed, after)
    return blank.start() if blank else after, " …"


def _trim(runs: Iterable[SnippetRun]) -> tuple[SnippetRun, ...]:
    """No blank at either end; no run is empty."""
    out = list(runs)
    out[0] = out[0]._replace(text=out[0].text.lstrip())
    out[-1] = out[-1]._replace(text=out[-1].text.rstrip())
    return tuple([run for run in out if run.text])


def _collapse_blanks(text: str) -> str:
    """Every stretch of white space is one blank. A search asks it of hundreds of runs: split and joined, they take a
    third of what a pattern does.
    """
    inside = " ".join(text.split())
    if not inside:
        return " " if text else ""
    return f"{' ' if text[0].isspace() else ''}{inside}{' ' if text[-1].isspace() else ''}"
