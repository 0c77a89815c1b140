"""``python -m tools.compare_orders``: what readers understood of the spoken sentences, against their orders.

Each reader had the sentences of one language alone, without the orders and without the laws, and wrote down the orders
that he heard in words of the closed lists: ``docs/read-aloud/orders-<language>.tsv``.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "docs" / "read-aloud"
JOINER = " + "


def duties_of(orders: str, parts: int) -> Counter[tuple[str, ...]]:
    """Return the first ``parts`` words (who, do, what) of each duty of a cell; moments and conditions are left out.

    What is no duty – a provision that does not apply, a quotation, another situation – is left out, too.

    >>> sorted(duties_of("offender plays that-card if:he-can + off 26/B", 2))
    [('offender', 'plays')]
    """
    words = [[w for w in order.split() if ":" not in w] for order in orders.split(JOINER)]
    return Counter(tuple(w[:parts]) for w in words if w and w[0] not in ("off", "quotes", "goto", "none"))


def shares(rows: Iterable[dict[str, str]]) -> tuple[int, float, float, float]:
    """Return (number of sentences, shares of those whose duties were all heard with the right person; with the right
    person and duty; with the right person, duty and object).
    """
    rows = list(rows)
    right = [
        sum(duties_of(row["heard"], parts) == duties_of(row["orders"], parts) for row in rows) / len(rows)
        for parts in (1, 2, 3)
    ]
    return len(rows), right[0], right[1], right[2]


def main() -> None:
    """Print a line for each language."""
    print("language\tsentences\twho\twho does\twho does what")
    for path in sorted(FOLDER.glob("orders-*.tsv")):
        with path.open(encoding="utf-8") as file:
            number, *right = shares(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        print(path.stem.removeprefix("orders-"), number, *(f"{share:.3f}" for share in right), sep="\t")


if __name__ == "__main__":
    main()
