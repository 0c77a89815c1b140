"""Pages outside the corpus that were looked up: evidence for what our own words say, none of theirs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from corpus.checked.rule import Fault, a_date, shape
from corpus.model import Source

DAY = r"\d{4}-\d\d-\d\d"


@dataclass(frozen=True, kw_only=True)
class LookedUp:
    """A page: its ``url``, the day on which it was ``read``, and by how many ``readers``."""

    url: Annotated[str, shape(r"https?://\S+", "an address that begins with https://")]
    read: Annotated[str, shape(DAY, 'a day, like "2026-11-23"'), a_date]
    readers: int

    def check(self) -> Iterator[Fault]:
        """A second reader has read it, too."""
        if self.readers < 2:
            yield Fault(f"“readers” is {self.readers}.", "Let a second reader look it up.", ("readers",))

    @property
    def source(self) -> Source:
        """The value that goes with what it proves."""
        return Source(self.url, self.read, self.readers)
