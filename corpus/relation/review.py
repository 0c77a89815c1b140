"""What a reviewer of two editions looks at."""

from __future__ import annotations

from collections.abc import Iterable

from corpus.model import Pair


def to_review(
    links: Iterable[Pair], proposed: dict[tuple[str, str], float], older: str, newer: str
) -> list[tuple[str, str, str]]:
    """(path, path, why): where the table of two editions and the computed alignment differ, or no table is."""
    reviewed = {
        (p.a.path if p.a else "", p.b.path if p.b else "")
        for p in links
        if (p.older, p.newer, p.basis) == (older, newer, "reviewed") and not p.via
    }
    why = "computed, the table has another decision" if reviewed else "computed, not reviewed"
    out = [(x, y, why) for (x, y) in proposed if (x, y) not in reviewed]
    return out + [
        (x, y, "in the table, not computed") for x, y in sorted(reviewed) if x and y and (x, y) not in proposed
    ]
