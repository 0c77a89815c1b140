"""Footnotes as they are cited: by a number through the book, by law and number, by law alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

from corpus import address
from corpus.library import Library
from corpus.model import NodeId


class Footnotes:
    """The footnotes of all editions."""

    def __init__(self, library: Library, paths: Collection[str]):
        """``paths``: those of all editions."""
        self._paths = paths
        # (language, law) → paths of its notes
        self._of_law: Mapping[tuple[str, str], dict[str, None]] = defaultdict(dict)
        for node in library.nodes.values():
            for mark in node.marks:
                self._of_law[node.lang, address.steps(node.path)[0]][NodeId(mark.target).path] = None

    def cited(self, numbers: Collection[int], of_law: bool, lang: str | None) -> list[str | None]:
        """The paths that one or two numbers beside a word for a footnote mean; ``of_law``: a word for a law is there,
        too.

        “fn 7” → ``fn/7``; “50 fn 2” and “przypis 2 do 50” → ``50/fn/2``; “przypis do 50”, “note to law 70” → the notes
        of the law, in the reader's language where there are any: notes that are counted through the book have another
        number in each text.
        """
        if not 1 <= len(numbers) <= 2:
            return [None]
        first, *rest = numbers
        if rest:
            both = [f"{first}/fn/{rest[0]}", f"{rest[0]}/fn/{first}"]
            return [next((p for p in both if p in self._paths), both[0])]
        own = self._of_law.get((lang or "", str(first)), {})
        every = (path for (_, law), paths in self._of_law.items() if law == str(first) for path in paths)
        through, hanging = f"fn/{first}", list(own or dict.fromkeys(every))
        if through in self._paths and not (of_law and hanging):
            return [through]
        return [*hanging] or [through]
