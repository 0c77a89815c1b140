"""Words that data quote, found where they are published: a quotation is proved by slicing."""

from __future__ import annotations

from corpus.model import Node, Quote, Where


def find(node: Node, where: Where, words: str, occurrence: int = 0) -> Quote | tuple[str, str]:
    """Where words stand in the text or heading of a node; or (finding, move) when they do not, or not only there.

    ``occurrence``: which one of several, from 1; 0: they stand there once. Without words: the end of what stands there.
    """
    text = node.words(where)
    if not words:
        return Quote(node.id, where, len(text), len(text))
    at = []
    start = text.find(words)
    while start >= 0:
        at.append(start)
        start = text.find(words, start + 1)
    there = f"the {where} of {node.id}"
    if len(at) < max(occurrence, 1):
        return f"“{words}” does not stand in {there}.", "Write the words as they are published."
    if len(at) > 1 and not occurrence:
        return f"“{words}” stands {len(at)} times in {there}.", "Write more of the words, or “occurrence”."
    start = at[max(occurrence, 1) - 1]
    return Quote(node.id, where, start, start + len(words))
