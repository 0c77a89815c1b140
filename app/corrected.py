"""Where in a published text the corrected words are."""
from __future__ import annotations

from collections.abc import Sequence

from corpus.model import Correction, Node


def spans(node: Node, corrections: Sequence[Correction]) -> list[tuple[int, int, str]]:
    """(start, end, what the source has) of each corrected stretch of ``node.text`` that can be found again.

    Corrections come in the order of the source, so each is looked for after the one before; whole words only: a
    correction of a single sign inside a word says too little to be shown in place (it is listed under the provision).
    """
    out, at = [], 0
    for c in corrections:
        if len(c.published) < 2 or not c.published.strip():
            continue
        found = node.text.find(c.published, at)
        if found < 0:
            continue
        at = found + len(c.published)
        out.append((found, at, c.source))
    return out
