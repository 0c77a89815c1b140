"""Terms and numbers that were read as two columns, put together again.

Such a page gives first its terms, then its numbers, both in order. Every number belongs to a term; a few terms have
none (a heading over sub-entries). Which ones, the sense decides: of all ways to pair them in order the one is chosen
in which the terms suit the provisions best.
"""

from __future__ import annotations

from collections.abc import Callable

from corpus.subject_index.printed import Row

_UNLIKELY = 6.0  # for a term without a number that is no heading over sub-entries


def blocks(rows: list[Row]) -> list[tuple[list[Row], list[Row]]]:
    """Terms without numbers and the numbers that follow them; two lines whole in themselves end a torn page."""
    out: list[tuple[list[Row], list[Row]]] = []
    terms: list[Row] = []
    whole = at = 0
    while at < len(rows):
        row = rows[at]
        if row.kind == "numbers":
            end = next((i for i in range(at, len(rows)) if rows[i].kind != "numbers"), len(rows))
            out.append((terms, rows[at:end]))
            terms, whole, at = [], 0, end
            continue
        whole = whole + 1 if row.numbers else 0 if row.kind == "term" else whole
        if whole > 1:
            terms = []
        if row.kind == "term" and not row.numbers:
            terms = [*terms, row]
        at += 1
    return out


def pair(
    terms: list[Row],
    numbers: list[Row],
    suits: Callable[[Row, Row], float],
    heads: set[int],
    fixed: dict[int, int | None],
) -> dict[int, Row]:
    """Line of a term → its row of numbers. ``heads``: lines of terms that stand over sub-entries; ``fixed``: decided
    by a reviewer.
    """
    below = float("-inf")
    # best[i][j]: the first i terms have the first j numbers
    best = [[below] * (len(numbers) + 1) for _ in range(len(terms) + 1)]
    taken = [[False] * (len(numbers) + 1) for _ in range(len(terms) + 1)]
    best[0][0] = 0.0
    for i, term in enumerate(terms, 1):
        for j in range(min(i, len(numbers)) + 1):
            decided = term.line in fixed
            if not decided or fixed[term.line] is None:
                best[i][j] = best[i - 1][j] - (0 if decided or term.line in heads else _UNLIKELY)
            if j and best[i - 1][j - 1] > below and (not decided or fixed[term.line] == numbers[j - 1].line):
                value = best[i - 1][j - 1] + suits(term, numbers[j - 1])
                if value >= best[i][j]:
                    best[i][j], taken[i][j] = value, True
    out, i, j = {}, len(terms), len(numbers)
    if best[i][j] == below:
        return {}
    while i:
        if taken[i][j]:
            j -= 1
            out[terms[i - 1].line] = numbers[j]
        i -= 1
    return out
