"""Snippets: the piece of a provision that shows why it was found and what it rules.

:func:`candidate_snippet` makes the snippet of a hit, :func:`opening_snippet` that of a cited provision. Both return
runs of text, cut by the offsets that the analysis stored.
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

# WIDTH is the number of words in a window, WIDTH_BEFORE how many of them stand before the first match. A window may
# grow to MOST_WIDTH so that it does not end between a condition and its consequence. WIDTH_BELOW is the number of words
# from below a provision; a text there is not begun with fewer than LEAST_WIDTH_BELOW.
WIDTH, WIDTH_BEFORE, MOST_WIDTH, WIDTH_BELOW, LEAST_WIDTH_BELOW = 34, 5, 60, 40, 4
# How much a different word of the query counts, where one more match counts 1.
DIFFERENT_BONUS = 5
QUOTATION = "a quotation"
# A text that ends a sentence. One that does not goes on in the provisions below it.
_TEXT_END = re.compile(r"[.!?…][)\]”\"'»“]*$")
_BLANK = re.compile(r"\s")
_FULL_STOP = re.compile(r"[.!?…][)\]”\"'»“]*\s")

MarksByPosition = Mapping[int, MarkedWord]


class TextBelow(NamedTuple):
    """The words of a provision below another one, with the labels before them as printed and the marked words."""

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
    """Return the best window of the text, or its beginning where nothing matches.

    ``heading`` and ``text`` are the words to mark, by position. If the window reaches the end of the text, it goes on
    with ``under``. A provision without text shows what is below it, else its heading. ``conditional`` are the words
    that begin a condition.
    """
    size = len(document.text.forms)
    first, end = _best_window(document.text, text, conditional) if size else (0, 0)
    items = tuple(under)
    if items and size - first <= MOST_WIDTH:
        end = size
    own = _make_runs(document.text, text, first, end) if size else ()
    below = tuple(_runs_below(items, conditional)) if end == size else ()
    if own or below:
        return _trim_runs((*own, *below))
    return _make_runs(document.heading, heading, 0, len(document.heading.forms))


def candidate_snippet(candidate: Candidate, query_terms: QueryTerms, index: Index) -> tuple[SnippetRun, ...]:
    """Return the snippet of a hit: what was quoted, else the words that ``query_terms`` finds."""
    document, matches = candidate.document, query_terms.marked_text_words
    if candidate.quoted:
        heading, text = (dict.fromkeys(where, MarkedWord(frozenset((0,)), QUOTATION)) for where in candidate.quoted)
    else:
        # The heading is shown only if there is no text.
        heading = {} if document.text.forms else matches(document.heading.places)
        text = matches(document.text.places)
    return make_snippet(
        document, heading, text, _texts_below(document.node, index, matches), _condition_words(document, index)
    )


def opening_snippet(document: Document, index: Index) -> tuple[SnippetRun, ...]:
    """Return the beginning of a provision that was cited."""
    return make_snippet(
        document, {}, {}, _texts_below(document.node, index, lambda _: {}), _condition_words(document, index)
    )


def _condition_words(document: Document, index: Index) -> frozenset[str]:
    lexicon = index.lexicons.get(document.node.lang)
    return lexicon.conditional if lexicon else frozenset()


def _texts_below(node: Node, index: Index, matches: Callable[[Spans], MarksByPosition]) -> Iterator[TextBelow]:
    """Yield the texts below a provision, each with its marked words."""
    if node.id not in index.texts_below:
        index.texts_below[node.id] = tuple(islice(_find_texts_below(node, index), WIDTH_BELOW // LEAST_WIDTH_BELOW))
    return (TextBelow(label, words, matches(words.places)) for label, words in index.texts_below[node.id])


def _find_texts_below(node: Node, index: Index) -> Iterator[tuple[str, TokenizedText]]:
    """Yield the labels and words below a provision whose own text does not end a sentence.

    Each provision below gives its text, or its heading if there is nothing else. A label without words is joined to the
    next.
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
    """Yield the first sentences of the texts below a provision, as many as there is space for."""
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
    """Return the first word and the end of the window with the most, and the most different, words of the query.

    Words that are marked together are not cut apart, nor is a condition from its consequence.
    """
    size = len(words.forms)
    start = _window_start(matches, size)
    return _extend_to_matches(matches, *_extend_to_condition(words, start, min(size, start + WIDTH), conditional), size)


def _extend_to_matches(matches: MarksByPosition, start: int, end: int, size: int) -> tuple[int, int]:
    """Return a window, ``start`` up to ``end``, extended to the whole of a stretch of marked words that it cuts."""
    while start and start in matches and start - 1 in matches:
        start -= 1
    while end < size and end in matches and end - 1 in matches:
        end += 1
    return start, end


def _extend_to_condition(words: TokenizedText, start: int, end: int, conditional: frozenset[str]) -> tuple[int, int]:
    """Extend a window over a sentence with a condition to the start and the end of that sentence.

    It does not grow beyond :data:`MOST_WIDTH` words.
    """
    # A quick exit: most texts have no condition.
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
    """Return the index of the first word of the sentence that has the word of index ``at``."""
    while 0 < at < len(words.forms) and not _is_sentence_break(words, at):
        at -= 1
    return at


def _sentence_end(words: TokenizedText, at: int) -> int:
    """Return the index of the first word after the sentence; the search starts with the word of index ``at``."""
    while at < len(words.forms) and not _is_sentence_break(words, at):
        at += 1
    return at


def _is_sentence_break(words: TokenizedText, at: int) -> bool:
    """Whether a sentence or a paragraph ends right before the word of index ``at``."""
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
        # All matches fit into one window, as they nearly always do, so no window is better.
        return max(0, min(first - WIDTH_BEFORE, size - WIDTH))

    def window_value(start: int) -> int:
        inside = [match.units for position, match in matches.items() if start <= position < start + WIDTH]
        return len(inside) + DIFFERENT_BONUS * len(frozenset().union(*inside))

    return max(0, min(max(sorted(matches), key=window_value) - WIDTH_BEFORE, size - WIDTH))


def _make_runs(words: TokenizedText, matches: MarksByPosition, first: int, end: int) -> tuple[SnippetRun, ...]:
    """Return the words from ``first`` up to ``end`` as runs. Neighbouring matches are one run: “fałszywy renons”, not
    two.
    """
    text, offsets = words.printed, words.offsets
    at = offsets[first][0] if first else 0
    stop, more = _text_end(words, end)
    out, plain = [], "…" if first else ""
    for first_match, last in _matching_stretches(matches, first, end):
        why = tuple(dict.fromkeys([matches[k].why for k in range(first_match, last + 1)]))
        start, after = offsets[first_match][0], offsets[last][1]
        out += [
            SnippetRun(_collapse_blanks(plain + text[at:start])),
            SnippetRun(_collapse_blanks(text[start:after]), why),
        ]
        plain, at = "", after
    out.append(SnippetRun(_collapse_blanks(plain + text[at:stop] + more)))
    return _trim_runs(out)


def _matching_stretches(matches: MarksByPosition, first: int, end: int) -> list[tuple[int, int]]:
    """Return the first and the last position of each stretch of neighbouring matches that begins in ``first`` to
    ``end``.
    """
    out: list[tuple[int, int]] = []
    for i in sorted(matches):
        if out and out[-1][1] == i - 1 and i < end:
            out[-1] = (out[-1][0], i)
        elif first <= i < end:
            out.append((i, i))
    return out


def _text_end(words: TokenizedText, end: int) -> tuple[int, str]:
    """Return where the text is cut after its first ``end`` words, and the sign for the cut. A sentence keeps its full
    stop.
    """
    if end == len(words.offsets):
        return len(words.printed), ""
    after = words.offsets[end - 1][1]
    if not _is_sentence_break(words, end):
        return after, "…"
    blank = _BLANK.search(words.printed, after)
    return blank.start() if blank else after, " …"


def _trim_runs(runs: Iterable[SnippetRun]) -> tuple[SnippetRun, ...]:
    """Return the runs without blanks at either end and without empty runs."""
    out = list(runs)
    out[0] = out[0]._replace(text=out[0].text.lstrip())
    out[-1] = out[-1]._replace(text=out[-1].text.rstrip())
    return tuple([run for run in out if run.text])


def _collapse_blanks(text: str) -> str:
    """Replace every stretch of white space by one blank.

    A search calls this for hundreds of runs. Splitting and joining takes a third of the time of a regular expression.
    """
    inside = " ".join(text.split())
    if not inside:
        return " " if text else ""
    return f"{' ' if text[0].isspace() else ''}{inside}{' ' if text[-1].isspace() else ''}"
