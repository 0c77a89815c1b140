"""What an answer may be narrowed down by: how many of its provisions have each value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from index.document import Document

_VALUES: dict[str, Callable[[Sequence[Document]], Iterable[str]]] = {
    "edition": lambda documents: [d.node.edition for d in documents],
    "lang": lambda documents: [d.node.lang for d in documents],
    "kind": lambda documents: [d.node.kind for d in documents],
    "condition": lambda documents: [c for d in documents for c in d.alone],
    "law": lambda documents: [d.law for d in documents],
}


class Counted(Mapping[str, Mapping[str, int]]):
    """How many documents are of each edition, language and kind, hold only under each condition, and are on each page
    (``law``: its id); the most first. Counted when it is asked for: a page asks many answers for one of them.
    """

    def __init__(self, documents: Sequence[Document]):
        self._documents = documents

    def __getitem__(self, name: str) -> Mapping[str, int]:
        return dict(Counter(_VALUES[name](self._documents)).most_common())

    def __iter__(self) -> Iterator[str]:
        return iter(_VALUES)

    def __len__(self) -> int:
        return len(_VALUES)
