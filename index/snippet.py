"""The piece of a provision that shows why it was found, from offsets kept at analysis."""

from __future__ import annotations

from html import escape

from index.document import Document

WIDTH = 34


def snippet(document: Document, heading: dict[int, dict], text: dict[int, dict], below: str = "") -> str:
    """Escaped text with ``<mark>``; ``heading`` and ``text``: positions of words that answer the query.

    Without a match in the text it begins at its beginning; a provision without text shows ``below``, the words under it.
    """
    if not document.text:
        if heading:
            return _marked(document.node.heading, document.heading_spans, heading, 0, len(document.heading_spans))
        return escape(below or document.node.heading or "")
    first = _best_window(text, len(document.text))
    end = min(len(document.text_spans), first + WIDTH)
    # What is marked as one is not cut in two.
    while first and first in text and first - 1 in text:
        first -= 1
    while end < len(document.text_spans) and end in text and end - 1 in text:
        end += 1
    return _marked(document.node.text, document.text_spans, text, first, end)


def _best_window(places: dict[int, dict], size: int) -> int:
    """Where the window with the most, and the most different, matched words begins."""
    if not places or size <= WIDTH:
        return 0
    order = sorted(places)
    best, at = -1.0, 0
    for start in order:
        units: set = set()
        value = 0.0
        for position in order:
            if start <= position < start + WIDTH:
                value += 0.2
                units |= places[position].keys()
        value += len(units)
        if value > best:
            best, at = value, start
    return max(0, min(at - 5, size - WIDTH)) if at > 5 else 0


def _marked(text: str, spans, places: dict[int, dict], first: int, end: int) -> str:
    start_char = 0 if first == 0 else spans[first][0]
    end_char = len(text) if end >= len(spans) else spans[end - 1][1]
    out, at = ["…" if first else ""], start_char
    i = first
    while i < end:
        if i in places:
            last = i
            # Neighbours are one mark: “fałszywy renons”, not two.
            while last + 1 < end and last + 1 in places:
                last += 1
            out += [escape(text[at : spans[i][0]]), "<mark>", escape(text[spans[i][0] : spans[last][1]]), "</mark>"]
            at = spans[last][1]
            i = last
        i += 1
    out += [escape(text[at:end_char]), "…" if end < len(spans) else ""]
    return " ".join("".join(out).split())
