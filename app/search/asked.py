"""What the search page was asked for: words, and what they are narrowed down to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from app.site import addresses
from index.answer import Answer

# Filter → the values chosen.
Filters = Mapping[str, Sequence[str]]
# The answer to the same words under other filters, without its hits.
Ask = Callable[[Filters], Answer]


@dataclass(frozen=True)
class Asked:
    """A ``query`` and the ``filters`` of its answer; ``qlang``: the language that the address says it is in;
    ``listed``: a list is asked for, even where the query is the number of a provision.
    """

    query: str
    filters: Filters
    qlang: str | None = None
    listed: bool = False

    @property
    def filtered(self) -> bool:
        """Whether the reader narrowed it down."""
        return any(self.filters.values())

    def values(self, name: str, values: Sequence[str]) -> Filters:
        """The filters with other values of one of them."""
        return {**self.filters, name: values}

    def only(self, name: str, *values: str) -> Filters:
        """No filters but one; none at all without values."""
        return {**dict.fromkeys(self.filters, ()), name: values}

    def address(self, filters: Filters) -> str:
        """The address of the same words with other filters."""
        said = {"qlang": [self.qlang] if self.qlang else [], "list": ["1"] if self.listed else []}
        return addresses.search(self.query, {**filters, **said})
