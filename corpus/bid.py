"""Bids and their order (Law 18): seven levels in five denominations. Which of two bids is sufficient over the other."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import total_ordering

# From the lowest to the highest (Law 18E; “notrump” is above the suits).
DENOMINATIONS = ("C", "D", "H", "S", "NT")
BID_LEVELS = range(1, 8)
SUIT_SYMBOLS = dict(zip(DENOMINATIONS, "♣♦♥♠", strict=False))
_OVERCALL_PATTERN = re.compile(r"([1-7])(C|D|H|S|NT)[-/]([1-7])(C|D|H|S|NT)")


@total_ordering
@dataclass(frozen=True)
class Bid:
    """A bid: a number of odd tricks, 1 to 7, in a denomination. The greater of two bids is sufficient over the other.

    >>> Bid(1, "S") < Bid(2, "C"), Bid(2, "H") < Bid(2, "NT"), str(Bid(3, "NT"))
    (True, True, '3NT')
    """

    level: int
    denomination: str

    def __lt__(self, other: Bid) -> bool:
        return self._rank < other._rank

    def __str__(self) -> str:
        return f"{self.level}{self.denomination}"

    @property
    def _rank(self) -> tuple[int, int]:
        return self.level, DENOMINATIONS.index(self.denomination)

    def lowest_sufficient_over(self, other: Bid) -> Bid | None:
        """The lowest bid in this denomination that is sufficient over another bid (“Definitions: sufficient”), or None.

        >>> str(Bid(1, "S").lowest_sufficient_over(Bid(2, "C"))), Bid(7, "C").lowest_sufficient_over(Bid(7, "S"))
        ('2S', None)
        """
        return next((bid for level in BID_LEVELS if (bid := Bid(level, self.denomination)) > other), None)


@dataclass(frozen=True)
class Overcall:
    """A bid that was ``made``, and the bid before it, ``over``."""

    made: Bid
    over: Bid

    @property
    def is_insufficient(self) -> bool:
        """Whether the bid that was made is not higher than the one before it."""
        return self.made <= self.over

    @property
    def lowest_sufficient(self) -> Bid | None:
        """The lowest sufficient bid in the denomination of the bid that was made, or None."""
        return self.made.lowest_sufficient_over(self.over)

    def __str__(self) -> str:
        """The form in an address, ``1S-2C``; :meth:`parse` reads it."""
        return f"{self.made}-{self.over}"

    @classmethod
    def parse(cls, written: str) -> Overcall | None:
        """The two bids of an address, ``1S-2C`` or ``1S/2C``; None for other texts.

        >>> Overcall.parse("1S-2C").lowest_sufficient
        Bid(level=2, denomination='S')
        """
        found = _OVERCALL_PATTERN.fullmatch(written)
        return cls(Bid(int(found[1]), found[2]), Bid(int(found[3]), found[4])) if found else None
